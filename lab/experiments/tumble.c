// A free rigid body: a top that tumbles keeps its angular momentum and its energy, what lies stays where it lies, and a
// block on a slope slides where the tangent of the slope passes the coefficient of friction.
#include <math.h>
#include <stdio.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_tumble = {
    .name = "tumble",
    .summary = "a free rigid body: momentum and energy of spin, rest, friction angle",
    .source = "Euler's equations of a free top; Coulomb's law on a slope",
    .run = run,
};

static const double FRICTION = 0.3, GRAVITY = 9.81, MASS = 60e-6; // [1], [m/s2], [kg]
static const double STEPS[2] = {1e-3, 5e-3};                      // [s]

typedef struct rig {
    cg_world *world;
    cg_rigid_id body;
} rig;

// A flat block, above a table unless it flies.
static bool build(rig *r, double time_step, cg_vec3 gravity, bool flies, cg_vec3 spin)
{
    cg_world_def world = cg_world_def_default();
    cg_rigid_def def = cg_rigid_def_default();
    cg_shape_def table = cg_shape_def_default();
    cg_rigid_part block = {{.kind = CG_SHAPE_BOX, .half_extents = {6e-3, 4e-3, 2e-3}}, {{0, 0, 0}, {0, 0, 0, 1}}};
    cg_shape_id ground;
    world.time_step = time_step;
    world.gravity = gravity;
    table.friction = def.friction = FRICTION;
    def.parts = &block;
    def.part_count = 1;
    def.mass = MASS;
    def.spin = spin;
    def.pose.position = vec(0, 0, 2e-3);
    return cg_world_create(&world, &r->world).code == CG_OK &&
           (flies || cg_world_add_shape(r->world, &table, &ground).code == CG_OK) &&
           cg_world_add_rigid(r->world, &def, &r->body).code == CG_OK;
}

static cg_rigid_info look(const rig *r)
{
    cg_rigid_info info = {0};
    cg_rigid_get_info(r->world, r->body, &info);
    return info;
}

// Ten seconds about the axis of the middle moment, which no top keeps: it turns over again and again.
static void tumble(cg_report *report, double time_step)
{
    rig r = {0};
    if (build(&r, time_step, vec(0, 0, 0), true, vec(0.1, 20, 0.1))) {
        cg_rigid_info first = look(&r);
        double most_momentum = 0, most_energy = 0;
        for (int i = 0; i < (int)(10 / time_step + 0.5); i++) {
            cg_world_step(r.world);
            cg_rigid_info now = look(&r);
            double momentum = vec_length(vec_sub(now.angular_momentum, first.angular_momentum));
            most_momentum = fmax(most_momentum, momentum / vec_length(first.angular_momentum));
            most_energy = fmax(most_energy, fabs(now.kinetic_energy / first.kinetic_energy - 1));
        }
        cg_report_check(report, 0, most_momentum, 1e-6, "1", "angular momentum lost in 10 s, steps of %g ms",
                        1e3 * time_step);
        cg_report_check(report, 0, most_energy, 1e-6, "1", "energy lost in 10 s, steps of %g ms", 1e3 * time_step);
    } else {
        cg_report_trouble(report, "the world could not be built");
    }
    cg_world_destroy(r.world);
}

static void rest(cg_report *report, double time_step)
{
    rig r = {0};
    if (build(&r, time_step, vec(0, 0, -GRAVITY), false, vec(3, 2, 1))) {
        double most = 0;
        for (int i = 0; i < (int)(2 / time_step + 0.5); i++) {
            cg_vec3 before = look(&r).centre;
            cg_world_step(r.world);
            double moved = vec_length(vec_sub(look(&r).centre, before));
            most = i >= (int)(1.5 / time_step) ? fmax(most, moved) : 0;
        }
        cg_report_check(report, 0, most, 1e-9, "m", "motion in a step of what lies on a table, steps of %g ms",
                        1e3 * time_step);
        cg_report_check(report, MASS * GRAVITY, look(&r).force.z, 1e-6, "N", "what carries it, steps of %g ms",
                        1e3 * time_step);
    } else {
        cg_report_trouble(report, "the world could not be built");
    }
    cg_world_destroy(r.world);
}

// The speed after 0.4 s on a slope.
static double slide(cg_report *report, double time_step, double slope)
{
    rig r = {0};
    double speed = NAN;
    if (build(&r, time_step, vec(GRAVITY * sin(slope), 0, -GRAVITY * cos(slope)), false, vec(0, 0, 0))) {
        for (int i = 0; i < (int)(0.4 / time_step + 0.5); i++) {
            cg_world_step(r.world);
        }
        speed = look(&r).velocity.x;
    } else {
        cg_report_trouble(report, "the world could not be built");
    }
    cg_world_destroy(r.world);
    return speed;
}

// Where it begins to slide, by halving.
static double friction_angle(cg_report *report, double time_step)
{
    double low = 0.5 * atan(FRICTION), high = 1.5 * atan(FRICTION);
    for (int i = 0; i < 12; i++) {
        double middle = 0.5 * (low + high);
        if (slide(report, time_step, middle) > 1e-6) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return 0.5 * (low + high);
}

static void run(cg_report *report)
{
    int number = cg_report_add_plot(report, "A block on a slope, after 0.4 s", "tangent of the slope", "speed [m/s]");
    int line = cg_plot_add_series(&report->plots[number], CG_SERIES_LINE, CG_BLUE, "Coulomb");
    int dots = cg_plot_add_series(&report->plots[number], CG_SERIES_POINTS, CG_VERMILION, "steps of 1 ms");
    for (int k = 0; k < 2; k++) {
        tumble(report, STEPS[k]);
        rest(report, STEPS[k]);
        cg_report_check(report, FRICTION, tan(friction_angle(report, STEPS[k])), 0.01, "1",
                        "tangent at which it slides, steps of %g ms", 1e3 * STEPS[k]);
        double slope = 2 * atan(FRICTION), speed = 0.4 * GRAVITY * (sin(slope) - FRICTION * cos(slope));
        cg_report_check(report, speed, slide(report, STEPS[k], slope), 0.01, "m/s",
                        "speed after 0.4 s at twice that slope, steps of %g ms", 1e3 * STEPS[k]);
    }
    for (int i = 0; i <= 12; i++) {
        double slope = 0.05 * i, pull = sin(slope) - FRICTION * cos(slope);
        cg_plot_add_point(&report->plots[number], line, tan(slope), pull > 0 ? 0.4 * GRAVITY * pull : 0);
        cg_plot_add_point(&report->plots[number], dots, tan(slope), slide(report, STEPS[0], slope));
    }
}
