// label: slow
// A ball without friction is pressed into a layer that is bonded to its ground: what it feels is Hertz's force with the
// correction of Dimitriadis et al. 2002 for the thickness of the layer (the series of `experiment modulus`), at every
// depth and mesh. The shallower the dent, the more a thickness that keeps others off counts.
#include <math.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

static const double YOUNG = 100e3, POISSON = 0.25, LAYER = 10e-3, BALL = 10e-3;
enum { APPROACH = 600, REST = 1000 };

static double force_in_theory(double depth)
{
    double nu = POISSON, pi = CG_PI, x = sqrt(BALL * depth) / LAYER;
    double a = -(1.2876 - 1.4678 * nu + 1.3442 * nu * nu) / (1 - nu);
    double b = (0.6387 - 1.0277 * nu + 1.5164 * nu * nu) / (1 - nu);
    double a3 = a * a * a, square = pi * pi;
    double series = 1 - 2 * a / pi * x + 4 * a * a / square * x * x -
                    8 / (pi * square) * (a3 + 4 * square / 15 * b) * x * x * x +
                    16 * a / (square * square) * (a3 + 3 * square / 5 * b) * x * x * x * x;
    return 4 * YOUNG / (3 * (1 - nu * nu)) * sqrt(BALL * depth * depth * depth) * series;
}

// What a ball feels at rest that was led down to `depth` [m] below the skin.
static double force_of_dent(double spacing, double depth)
{
    cg_world_def def = cg_world_def_default();
    cg_world *world = NULL;
    def.gravity = v3_zero();
    CHECK_STR(cg_world_create(&def, &world).message, "");
    cg_tissue_def pad = cg_tissue_def_default();
    cg_tissue_id tissue;
    pad.size = v3(30e-3, 30e-3, 0);
    pad.layer_count = 1;
    pad.layers[0] = (cg_tissue_layer){.thickness = LAYER, .material = {.young = YOUNG, .density = 1060}};
    pad.spacing = spacing;
    pad.friction = 0;
    CHECK_STR(cg_world_add_tissue(world, &pad, &tissue).message, "");
    cg_shape_def ball = cg_shape_def_default();
    cg_shape_id shape;
    double above = 0.5e-3;
    ball.shape = (cg_shape){.kind = CG_SHAPE_SPHERE, .radius = BALL};
    ball.friction = 0;
    ball.pose = (cg_transform){v3(0, 0, BALL + above), {0, 0, 0, 1}};
    CHECK_STR(cg_world_add_shape(world, &ball, &shape).message, "");
    for (int i = 1; i <= APPROACH + REST; i++) {
        double share = fmin(1, (double)i / APPROACH);
        ball.pose.position.z = BALL + above - share * (above + depth);
        CHECK_STR(cg_shape_move(world, shape, ball.pose).message, "");
        cg_world_step(world);
    }
    cg_vec3 force = v3_zero();
    CHECK_INT(cg_shape_get_load(world, shape, &force, NULL).code, CG_OK);
    cg_world_destroy(world);
    return force.z;
}

TEST(a_deep_dent_is_as_hard_as_in_theory_but_for_a_third)
{
    CHECK_NEAR(force_of_dent(1.5e-3, 1.5e-3) / force_in_theory(1.5e-3), 1.15, 0.2);
}

TEST(a_shallow_dent_is_as_hard_as_in_theory_at_any_mesh)
{
    KNOWN_FAULT(
        "a dent of 0.3 mm feels half to one and a half times too much: tissue keeps others off by 0.09 to 0.17 mm");
    const double spacings[3] = {2e-3, 1.5e-3, 1.2e-3}, depths[3] = {0.1e-3, 0.3e-3, 0.6e-3};
    for (int i = 0; i < test_counts(2, 1, 3); i++) {
        for (int k = 0; k < test_counts(2, 1, 3); k++) {
            double depth = depths[(k + 1) % 3];
            CHECK_NEAR(force_of_dent(spacings[i], depth) / force_in_theory(depth), 1, 0.1);
        }
    }
}
