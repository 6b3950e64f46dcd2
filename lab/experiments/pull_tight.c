// An overhand knot pulled tight, the bench that other engines were measured with: a silicone rod, and a stiff suture.
// The ends are drawn apart until they are 0.9 of the length from each other, then held. What is asked: it stays an
// overhand knot, nothing overlaps by more than 2 % of the radius, the held knot stands still, and the pull on the
// silicone rod is the one that two engines of other makers agree on. What a step costs is in `catgut bench
// knots/suture_c`.
#include <math.h>
#include <stdio.h>

#include "experiments/knot_rig.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_pull_tight = {
    .name = "pull_tight",
    .summary = "an overhand knot of silicone and of suture pulled tight and held",
    .source = "measured with imc-der and dismech: 7.48 and 7.49 mN for silicone at 0.885 and 0.880 of the length",
    .run = run,
};

typedef struct rod {
    const char *name;
    double length, radius, youngs_modulus, density, speed, time_step;
    double published; // [N] at 0.88 of the length; NAN if unknown
    bool stands;      // when held; a metre of soft silicone goes on swinging for long
} rod;

static const rod RODS[2] = {
    {"silicone", 1.0, 1.6e-3, 0.18e6, 1180, 0.05, 2.5e-3, 7.49e-3, false},
    {"suture", 0.2, 0.32e-3, 2e9, 1180, 0.02, 1e-3, CG_UNPUBLISHED, true},
};

typedef struct course {
    double force;         // [N] at 0.88 of the length
    double worst_overlap; // [radii]
    double held_motion;   // [m] a step, the largest of the last second of holding
    double held_force[2]; // [N] one second before the end, and at the end
    bool stays;
} course;

static cg_knot_setup setup_of(const rod *r)
{
    cg_knot_setup setup = cg_knot_suture_setup(CG_CURVE_OVERHAND, 1, r->radius, 0.3);
    setup.thread.youngs_modulus = r->youngs_modulus;
    setup.thread.density = r->density;
    setup.thread.poisson_ratio = 0.5;
    setup.curve.gap = 8 * r->radius;
    setup.curve.spacing = r->length / 200;
    setup.vertices = 201;
    setup.world.time_step = r->time_step;
    setup.world.gravity = vec(0, 0, 0);
    setup.thread.drag = 1; // more would be felt in the pull: a hand moves half the silicone rod at 50 mm/s
    setup.settle = 0.2;
    return setup;
}

static course pull(cg_report *report, const rod *r, cg_plot *plot, cg_hue hue)
{
    course result = {.force = NAN};
    cg_knot_setup setup = setup_of(r);
    cg_knot_rig rig;
    if (!cg_knot_rig_open(&rig, &setup, report)) {
        cg_knot_rig_close(&rig);
        return result;
    }
    int series = cg_plot_add_series(plot, CG_SERIES_LINE, hue, r->name), held = 0, step = 0;
    int second = (int)(1 / r->time_step + 0.5);
    double share = 0, tension = 0, bend = 0.25 * 3.14159265358979 * r->youngs_modulus * pow(r->radius, 4);
    for (; held < 4 * second && step < 100000; step++) {
        if (share < 0.9) {
            cg_knot_rig_pull(&rig, r->speed);
        } else {
            held++;
        }
        cg_knot_rig_step(&rig);
        share = held > 0 ? share : cg_knot_rig_distance(&rig) / r->length;
        tension = 0.5 * (cg_knot_rig_tension(&rig, 0) + cg_knot_rig_tension(&rig, 1));
        result.force = share < 0.88 ? tension : result.force;
        if (held == 3 * second) {
            result.held_force[0] = tension;
        }
        result.held_motion = held > 3 * second ? fmax(result.held_motion, rig.last_move) : 0;
        if (step % 20 == 0) {
            result.worst_overlap = fmax(result.worst_overlap, 2 * cg_knot_rig_overlap(&rig));
            if (held == 0) {
                cg_plot_add_point(plot, series, share, tension * r->length * r->length / bend);
            }
        }
    }
    result.held_force[1] = tension;
    result.stays = cg_knot_rig_determinant(&rig) == 3;
    cg_knot_rig_close(&rig);
    return result;
}

static void add(cg_report *report, const rod *r, const char *what, double expected, double measured, double tolerance,
                const char *unit)
{
    cg_report_check(report, expected, measured, tolerance, unit, "%s: %s", r->name, what);
}

static void run(cg_report *report)
{
    int number =
        cg_report_add_plot(report, "An overhand knot pulled tight", "distance of the ends / length", "pull, F L2 / EI");
    cg_plot *plot = &report->plots[number];
    plot->log_y = true;
    snprintf(plot->subtitle, sizeof plot->subtitle, "201 vertices, friction 0.3");
    static const cg_hue hues[2] = {CG_BLUE, CG_VERMILION};
    for (int i = 0; i < 2; i++) {
        const rod *r = &RODS[i];
        course c = pull(report, r, plot, hues[i]);
        if (!isnan(r->published)) {
            cg_report_add(report,
                          (cg_quantity){.published = 1e3 * r->published,
                                        .expected = 1e3 * r->published,
                                        .measured = 1e3 * c.force,
                                        .tolerance = 0.15,
                                        .unit = "mN"},
                          "%s: pull at 0.88 of the length", r->name);
        }
        add(report, r, "stays an overhand knot", 1, c.stays, 0, "1");
        add(report, r, "deepest overlap", 0, c.worst_overlap, 0.02, "radii");
        if (r->stands) {
            add(report, r, "motion of a step in the fourth second of holding", 0, c.held_motion / r->radius, 1e-6,
                "radii");
        }
        add(report, r, "pull kept in that second", c.held_force[0], c.held_force[1], 0.01, "N");
    }
}
