// A wound in skin under tension: the more tension, the wider it opens.
//
// A pad is held at its rim with a pre-strain across a slit that goes all the way down. Far from its ends a slit of
// length L in a wide sheet under the stress s opens by 2 L s / E' in its middle (a crack in plane stress; E' = E); the
// pad is neither wide nor thin, so only the order of magnitude is held against that, and what is checked is that the
// opening grows with the tension, and in proportion to it.
#include <math.h>
#include <stdio.h>

#include "experiments/tissue_rig.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_gaping = {
    .name = "gaping",
    .summary = "a wound opens more with more tension",
    .source = "a slit in a sheet: opening 2 L s / E in its middle",
    .run = run,
};

static const double LENGTH = 20e-3; // [m] of the wound

static double open_wound(cg_report *report, double tension, double spacing)
{
    cg_tissue_def def = cg_block_def(50e-3, 50e-3, 2 * spacing, spacing);
    def.wound = CG_WOUND_STRAIGHT;
    def.wound_length = LENGTH;
    def.wound_depth = 2 * spacing;
    def.tension = tension;
    def.fix_rim = true;
    cg_tissue *pad = cg_rig_make_tissue(&def, report);
    double gap = NAN;
    if (pad && cg_rig_settle_tissue(pad, 5e-3, v3_zero(), 4000, report)) {
        gap = cg_rig_widest_gap(pad);
    }
    cg_tissue_destroy(pad);
    return gap;
}

static void run(cg_report *report)
{
    int number = cg_report_add_plot(report, "A wound under tension", "pre-strain [%]", "opening in the middle [mm]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    snprintf(plot->subtitle, sizeof plot->subtitle, "a slit of 20 mm in a pad of 50 x 50 mm that is held at its rim");
    int line = cg_plot_add_series(plot, CG_SERIES_DASHES, CG_BLUE, "slit in an endless sheet");
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_VERMILION, "measured");
    double spacing = report->thorough ? 1.25e-3 : 2.5e-3, last = 0;
    for (int k = 0; k <= 5; k++) {
        double tension = 0.04 * k, gap = open_wound(report, tension, spacing);
        double expected = 2 * LENGTH * tension;
        cg_plot_add_point(plot, line, 100 * tension, 1e3 * expected);
        cg_plot_add_point(plot, series, 100 * tension, 1e3 * gap);
        if (k > 0) {
            cg_report_check(report, 1e3 * expected, 1e3 * gap, 0.35, "mm", "opening at %g %% pre-strain",
                            100 * tension);
            cg_report_check(report, 1, gap > last + 0.1e-3, 0, "1", "wider than with less");
        } else {
            cg_report_check(report, 0, 1e3 * gap, 1e-9, "mm", "opening without tension");
        }
        last = gap;
    }
}
