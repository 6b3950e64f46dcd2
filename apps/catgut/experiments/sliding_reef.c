// The pull that slides a square knot: one thread of 3-0 nylon tied in a reef knot with a large loop, the loop's far
// point held, the two tails drawn apart at 0.1 m/s each. Nobody has measured this curve; what can be asked is that it
// does not depend on the time step.
//
// A thread that slides round a bend of radius rho turns by v h / rho in a step; along the chord it seems too long by
// (v h / rho)^2 / 2, and the false tension EA (v h / rho)^2 / 2 is multiplied by the friction of the knot. Steps that
// are linearised where the old velocity leads (`coast`) follow the bend.
#include <math.h>
#include <stdio.h>

#include "experiments/knot_rig.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_sliding_reef = {
    .name = "sliding_reef",
    .summary = "tension in the tails while a square knot slides, at two time steps, with and without coasting",
    .source = "no measurement known: the same at several time steps",
    .run = run,
};

static const double FROM = 0.06, TO = 0.16; // [s] the window of the mean

typedef struct slide {
    double tension;       // [N] mean over the window and both tails
    double worst_overlap; // [diameters]
    bool stays;           // it is still a square knot
} slide;

static slide slide_knot(cg_report *report, double friction, double time_step, bool coast, cg_plot *plot, cg_hue hue)
{
    slide result = {0};
    cg_knot_setup setup = cg_knot_suture_setup(CG_CURVE_REEF, 1, 0.11e-3, friction);
    setup.curve.loop_radius = 0.1 / 6.283185307179586;
    setup.curve.tail = 0.06;
    setup.world.time_step = time_step;
    setup.world.coast = coast;
    setup.settle = 0.1;
    setup.hold_middle = true;
    cg_knot_rig rig;
    if (!cg_knot_rig_open(&rig, &setup, report)) {
        cg_knot_rig_close(&rig);
        return result;
    }
    char label[64];
    snprintf(label, sizeof label, "%g ms%s", 1e3 * time_step, coast ? ", coasting" : "");
    int series = cg_plot_add_series(plot, coast ? CG_SERIES_LINE : CG_SERIES_DASHES, hue, label);
    int steps = (int)(TO / time_step + 0.5), count = 0;
    int stride = (int)(1e-3 / time_step + 0.5);
    for (int step = 0; step < steps; step++) {
        double time = (step + 1) * time_step;
        cg_knot_rig_pull(&rig, 0.1 * fmin(1, time / 0.02)); // the hands start gently
        cg_world_step(rig.world);
        double tension = 0.5 * (cg_knot_rig_tension(&rig, 0) + cg_knot_rig_tension(&rig, 1));
        if (time > FROM) {
            result.tension += tension;
            count++;
        }
        if (step % stride == stride - 1) {
            cg_plot_add_point(plot, series, 1e3 * time, 1e3 * tension);
        }
        if (step % (10 * stride) == 0) {
            result.worst_overlap = fmax(result.worst_overlap, cg_knot_rig_overlap(&rig));
        }
    }
    result.tension /= count;
    result.stays = cg_knot_rig_determinant(&rig) == 9;
    cg_knot_rig_close(&rig);
    return result;
}

static void compare(cg_report *report, double friction)
{
    char title[96];
    snprintf(title, sizeof title, "A square knot slides, friction %g", friction);
    int number = cg_report_add_plot(report, title, "time [ms]", "tension of a tail [mN]");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->name, sizeof plot->name, "friction_%g", friction);
    snprintf(plot->subtitle, sizeof plot->subtitle, "3-0 nylon, segments of two radii, each hand 0.1 m/s");
    double finest = report->thorough ? 0.0625e-3 : 0.125e-3;
    slide reference = slide_knot(report, friction, finest, true, plot, CG_INK);
    slide fine = slide_knot(report, friction, 2 * finest, true, plot, CG_BLUE);
    slide coarse = slide_knot(report, friction, 4 * finest, true, plot, CG_GREEN);
    slide plain = slide_knot(report, friction, 5e-4, false, plot, CG_VERMILION);
    const slide *others[2] = {&fine, &coarse};
    for (int i = 0; i < 2; i++) {
        cg_report_add(report,
                      (cg_quantity){.published = CG_UNPUBLISHED,
                                    .expected = 1e3 * reference.tension,
                                    .measured = 1e3 * others[i]->tension,
                                    .tolerance = 0.25,
                                    .unit = "mN"},
                      "friction %g: mean tension, steps of %g ms", friction, 1e3 * finest * (i == 0 ? 2 : 4));
    }
    cg_report_add(report,
                  (cg_quantity){.published = CG_UNPUBLISHED,
                                .expected = 1,
                                .measured = plain.tension > 2 * reference.tension,
                                .tolerance = 0,
                                .unit = "1"},
                  "friction %g: more than twice that at 0.5 ms without coasting", friction);
    double overlap = fmax(fmax(reference.worst_overlap, fine.worst_overlap), coarse.worst_overlap);
    cg_report_add(
        report,
        (cg_quantity){
            .published = CG_UNPUBLISHED, .expected = 0, .measured = overlap, .tolerance = 0.06, .unit = "diameters"},
        "friction %g: deepest overlap", friction);
    cg_report_add(report,
                  (cg_quantity){.published = CG_UNPUBLISHED,
                                .expected = 1,
                                .measured = reference.stays && fine.stays && coarse.stays && plain.stays,
                                .tolerance = 0,
                                .unit = "1"},
                  "friction %g: stays a square knot", friction);
}

static void run(cg_report *report)
{
    compare(report, 0.2);
    if (report->thorough) {
        compare(report, 0.3);
    }
}
