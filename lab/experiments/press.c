// A ball pressed into a thick pad that is bonded to its table: force against depth, and how fast one got there.
//
// Hertz, with the layer below (chi = sqrt(R delta)/h):
//     F = 4/3 E/(1 - nu^2) sqrt(R) delta^1.5 [1 - 2 a chi/pi + 4 a^2 chi^2/pi^2 - 8/pi^3 (a^3 + 4 pi^2 b/15) chi^3
//         + 16 a/pi^4 (a^3 + 3 pi^2 b/5) chi^4].
// The surface has a thickness, so that the tissue feels a ball that is larger by the gap under it; the gap is taken
// from the contacts, weighed by their forces.
#include <stdio.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_press = {
    .name = "press",
    .summary = "a ball pressed into a pad: force against depth, and independence of the speed of approach",
    .source = "Hertz 1882; Dimitriadis et al. 2002 for a layer bonded to its base",
    .run = run,
};

enum { DEPTHS = 3, SPEEDS = 3 };
static const double depths[DEPTHS] = {0.8e-3, 1.2e-3, 1.6e-3}; // [m]
static const double speeds[SPEEDS] = {0.02, 0.2, 1};           // [m/s]
static const double radius = 10e-3, thickness = 12e-3, poisson = 0.25;

static double theory(double young, double ball, double depth)
{
    double nu = poisson, chi = sqrt(ball * depth) / thickness;
    double a = -(1.2876 - 1.4678 * nu + 1.3442 * nu * nu) / (1 - nu);
    double b = (0.6387 - 1.0277 * nu + 1.5164 * nu * nu) / (1 - nu);
    double p = CG_PI, cube = a * a * a;
    double layer = 1 - 2 * a * chi / p + 4 * a * a * chi * chi / (p * p) -
                   8 / (p * p * p) * (cube + 4 * p * p * b / 15) * chi * chi * chi +
                   16 * a / (p * p * p * p) * (cube + 3 * p * p * b / 5) * chi * chi * chi * chi;
    return 4.0 / 3 * young / (1 - nu * nu) * sqrt(ball) * depth * sqrt(depth) * layer;
}

typedef struct rig {
    cg_world *world;
    cg_tissue_id pad;
    cg_shape_id ball;
    double young;
} rig;

static bool build(rig *r)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_shape_def ball = cg_shape_def_default();
    world.max_contacts = 100;
    world.gravity = vec(0, 0, 0);
    pad.size = vec(40e-3, 40e-3, 0);
    pad.layers[0].thickness = thickness;
    pad.spacing = 1.5e-3;
    pad.friction = 0;
    ball.shape = (cg_shape){.kind = CG_SHAPE_SPHERE, .radius = radius};
    ball.pose.position = vec(0.2e-3, 0.1e-3, radius + 0.5e-3);
    r->young = pad.layers[0].material.young;
    return cg_world_create(&world, &r->world).code == CG_OK &&
           cg_world_add_tissue(r->world, &pad, &r->pad).code == CG_OK &&
           cg_world_add_shape(r->world, &ball, &r->ball).code == CG_OK;
}

// Goes down to a depth at a speed and stays there until the pad is at rest. Returns the force.
static double press(rig *r, double depth, double speed)
{
    double height = radius + 0.5e-3;
    cg_vec3 force = {0, 0, 0};
    for (int step = 0, rest = 0; rest < 300 && step < 3000; step++) {
        height = height - speed * 1e-3 > radius - depth ? height - speed * 1e-3 : radius - depth;
        rest += height == radius - depth;
        cg_transform pose = cg_shape_get_pose(r->world, r->ball);
        pose.position.z = height;
        cg_shape_move(r->world, r->ball, pose);
        cg_world_step(r->world);
    }
    cg_shape_get_load(r->world, r->ball, &force, NULL);
    return force.z;
}

// The gap between ball and tissue, weighed by force.
static double gap_of(const rig *r)
{
    double sum = 0, weight = 0;
    for (int i = 0; i < cg_tissue_contact_count(r->world, r->pad); i++) {
        cg_contact_info contact;
        cg_tissue_get_contact(r->world, r->pad, i, &contact);
        sum += contact.gap * vec_dot(contact.force, contact.normal);
        weight += vec_dot(contact.force, contact.normal);
    }
    return weight > 0 ? sum / weight : 0;
}

static double measure(cg_report *report, double depth, double speed, double *expected)
{
    rig r = {0};
    double force = NAN;
    if (build(&r)) {
        force = press(&r, depth, speed);
        double gap = gap_of(&r);
        *expected = theory(r.young, radius + gap, depth + gap);
    } else {
        cg_report_trouble(report, "the world could not be built");
    }
    cg_world_destroy(r.world);
    return force;
}

static void run(cg_report *report)
{
    int number = cg_report_add_plot(report, "A ball of 10 mm pressed into a pad of 12 mm", "depth [mm]", "force [N]");
    int line = cg_plot_add_series(&report->plots[number], CG_SERIES_LINE, CG_BLUE, "Hertz with a layer");
    int points = cg_plot_add_series(&report->plots[number], CG_SERIES_POINTS, CG_VERMILION, "measured");
    double slow = NAN, expected = NAN;
    for (int k = 0; k < DEPTHS; k++) {
        double force = measure(report, depths[k], 0.2, &expected);
        cg_report_check(report, expected, force, 0.1, "N", "force at a depth of %g mm", 1e3 * depths[k]);
        cg_plot_add_point(&report->plots[number], line, 1e3 * depths[k], expected);
        cg_plot_add_point(&report->plots[number], points, 1e3 * depths[k], force);
    }
    for (int k = 0; k < SPEEDS; k++) {
        double force = measure(report, depths[1], speeds[k], &expected);
        slow = k == 0 ? force : slow;
        if (k > 0) {
            cg_report_check(report, 1, force / slow, 0.01, "1", "force at rest: approach at %g m/s over %g m/s",
                            speeds[k], speeds[0]);
        }
    }
}
