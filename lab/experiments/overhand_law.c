// A loose overhand knot pulled tight: the tails push the loop's strands against each other where they wind around, the
// loop is a circle of radius R, and for a thin thread of section radius h (Audoly, Clauvelin and Neukirch 2007)
//
//     F h^2 / EI = e^4 / 2 + mu sigma e^3,      e = sqrt(h / R),      sigma = 0.492,
//
// while the knot is tightened; with a minus sign while it is loosened, down to where friction locks it.
//
// The loop's radius is taken here from how much thread the knot holds. With both tails as solitary elasticas that meet
// the loop at right angles, a thin knot takes up
//     L - d = (2 pi + 4 (sqrt 2 - 1)) R = 7.940 R,
// L being the length of the thread and d the distance between its ends. A braid of real thickness holds a little more.
#include <math.h>
#include <stdio.h>

#include "experiments/knot_rig.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_overhand_law = {
    .name = "overhand_law",
    .summary = "the pull on a loose overhand knot against the size of its loop",
    .source = "Audoly, Clauvelin, Neukirch 2007: F h^2/EI = e^4/2 + mu sigma e^3, sigma = 0.492",
    .run = run,
};

enum { SAMPLES = 3 };
static const double RADIUS = 0.11e-3, SIGMA = 0.492;
static const double WANTED[SAMPLES] = {0.13, 0.16, 0.19}; // values of e

static double law(double e, double friction)
{
    return 0.5 * e * e * e * e + friction * SIGMA * e * e * e;
}

static cg_knot_setup loose_knot(double friction)
{
    cg_knot_setup setup = cg_knot_suture_setup(CG_CURVE_OVERHAND, 1, RADIUS, friction);
    setup.curve.loop_radius = RADIUS / (0.11 * 0.11);
    setup.curve.tail = 0.06;
    setup.curve.spacing = 3 * RADIUS;
    setup.world.gravity = vec(0, 0, 0);
    setup.thread.drag = 200; // slow and in treacle: no swing
    setup.settle = 0.3;
    return setup;
}

// Distance of the ends from the rest length, as a radius.
static double loop_radius(const cg_knot_rig *rig)
{
    const double *rest = cg_thread_rest_lengths(rig->world, rig->threads[0], NULL);
    double length = 0;
    for (int i = 0; i + 1 < rig->curve.point_count[0]; i++) {
        length += rest[i];
    }
    return (length - cg_knot_rig_distance(rig)) / (2 * CG_PI + 4 * (sqrt(2) - 1));
}

static void tighten(cg_report *report, double friction, cg_plot *plot, cg_hue hue)
{
    cg_knot_setup setup = loose_knot(friction);
    double bend = 0.25 * CG_PI * pow(RADIUS, 4) * setup.thread.youngs_modulus, sums[SAMPLES] = {0};
    int counts[SAMPLES] = {0}, theory, measured;
    char label[48];
    snprintf(label, sizeof label, "theory, friction %g", friction);
    theory = cg_plot_add_series(plot, CG_SERIES_LINE, hue, label);
    for (double e = 0.1; e < 0.21; e += 0.005) {
        cg_plot_add_point(plot, theory, e, law(e, friction));
    }
    measured = cg_plot_add_series(plot, CG_SERIES_POINTS, hue, "measured");
    cg_knot_rig rig;
    bool good = cg_knot_rig_open(&rig, &setup, report);
    double e = 0;
    for (int step = 0; good && step < 4000 && e < 0.2; step++) {
        cg_knot_rig_pull(&rig, 0.02);
        cg_world_step(rig.world);
        e = sqrt(RADIUS / loop_radius(&rig));
        double force = 0.5 * (cg_knot_rig_tension(&rig, 0) + cg_knot_rig_tension(&rig, 1)) * RADIUS * RADIUS / bend;
        for (int s = 0; s < SAMPLES; s++) {
            if (fabs(e - WANTED[s]) < 0.004) {
                sums[s] += force / law(e, friction);
                counts[s]++;
            }
        }
        if (step % 25 == 24 && e > 0.1) {
            cg_plot_add_point(plot, measured, e, force);
        }
    }
    for (int s = 0; good && s < SAMPLES; s++) {
        double expected = law(WANTED[s], friction);
        cg_report_check(report, expected, expected * sums[s] / counts[s], 0.3, "1", "F h2/EI at e = %g, friction %g",
                        WANTED[s], friction);
    }
    if (good && cg_knot_rig_determinant(&rig) != 3) {
        cg_report_trouble(report, "the knot is no overhand knot any more");
    }
    cg_knot_rig_close(&rig);
}

static void run(cg_report *report)
{
    static const double frictions[3] = {0, 0.1, 0.2};
    static const cg_hue hues[3] = {CG_BLUE, CG_VERMILION, CG_GREEN};
    int number = cg_report_add_plot(report, "The pull on a loose overhand knot", "e = sqrt(h / R)", "F h2 / EI");
    cg_plot *plot = &report->plots[number];
    plot->log_y = true;
    snprintf(plot->subtitle, sizeof plot->subtitle,
             "3-0 nylon pulled slowly; R = (length - distance of the ends) / 7.940");
    for (int i = 0; i < 3; i++) {
        tighten(report, frictions[i], plot, hues[i]);
    }
}
