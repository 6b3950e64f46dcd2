// A stitch whose ends are drawn across the wound and lie on its lips: anchors and touches of one thread on the same
// soft tissue. From soft with a small pull to firm with a large one, ends 3 to 60 degrees up: all comes to rest, and
// the gap does not depend on the step. With `--long` also steps of 0.5 and 2 ms everywhere, and lips that are overdrawn
// until the skin beside the wound lies in folds.
#include <math.h>

#include "experiments/stitch_rig.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_stitched_lips = {
    .name = "stitched_lips",
    .summary = "a stitch with ends that lie on the lips: rest, and a gap that is the same at every step",
    .source = "convergence: steps of 0.5, 1 and 2 ms among each other",
    .run = run,
};

typedef struct trial {
    double skin, fat; // [Pa]
    double force;     // [N]
    double up;        // [degrees]
    bool has_steps;   // also in steps of 0.5 and 2 ms
    bool is_long;
} trial;

static const trial trials[] = {
    {100e3, 0, 1.6, 3, false, false}, {1e6, 20e3, 5, 3, false, false}, {100e3, 0, 1, 3, true, true},
    {100e3, 0, 1.6, 3, true, true},   {1e6, 0, 5, 3, true, true},      {5e3, 0, 0.05, 3, true, true},
    {1e6, 20e3, 5, 3, true, true},    {5e3, 0, 0.1, 3, false, true},   {100e3, 0, 1.6, 20, false, true},
    {100e3, 0, 2, 20, false, true},   {1e6, 0, 5, 20, false, true},    {5e3, 0, 0.05, 20, false, true},
    {5e3, 0, 0.1, 20, false, true},   {1e6, 20e3, 5, 20, false, true}, {100e3, 0, 1, 10, false, true},
    {100e3, 0, 1, 60, false, true},
};
enum { TRIALS = sizeof trials / sizeof *trials, STEPS = 3 };
static const double time_steps[STEPS] = {1e-3, 0.5e-3, 2e-3};  // [s]
static const double RISE = 0.3, STAND = 0.6, STAND_LONG = 0.9; // [s]

// [m] the gap in the end; tells how far the pad moves in a step in the last quarter of the time, at most.
static double draw(cg_report *report, const trial *t, double time_step, double *motion, double *open)
{
    cg_stitch_setup setup = cg_stitch_setup_default();
    cg_stitch_rig rig;
    setup.skin = t->skin;
    setup.fat = t->fat;
    setup.up = t->up * 3.14159265358979 / 180;
    setup.time_step = time_step;
    *motion = NAN;
    if (!cg_stitch_rig_make(&rig, &setup, report)) {
        return NAN;
    }
    int steps = (int)((RISE + (t->is_long ? STAND_LONG : STAND)) / time_step + 0.5);
    *motion = 0;
    for (int k = 0; k < steps; k++) {
        cg_stitch_rig_step(&rig, t->force * fmin(1, k * time_step / RISE));
        *motion = k >= steps * 3 / 4 ? fmax(*motion, cg_stitch_rig_motion(&rig)) : 0;
    }
    double gap = cg_stitch_rig_holes(&rig);
    *open = rig.open;
    cg_stitch_rig_free(&rig);
    return gap;
}

static void run_trial(cg_report *report, const trial *t)
{
    double gap = NAN, open = NAN;
    for (int k = 0; k < (t->has_steps ? STEPS : 1); k++) {
        double motion, ms = 1e3 * time_steps[k], now = draw(report, t, time_steps[k], &motion, &open);
        cg_report_check(report, 0, motion, 1e-9, "m", "motion in a step, %g kPa%s, %g N, %g degrees, %g ms",
                        1e-3 * t->skin, t->fat > 0 ? " on fat" : "", t->force, t->up, ms);
        if (k == 0) {
            gap = now;
        } else {
            cg_report_check(report, 0, (now - gap) / open, 0.02, "1",
                            "change of the gap, of the open one, %g kPa%s, %g N, %g ms", 1e-3 * t->skin,
                            t->fat > 0 ? " on fat" : "", t->force, ms);
        }
    }
}

static void run(cg_report *report)
{
    for (int k = 0; k < TRIALS; k++) {
        if (!trials[k].is_long || report->thorough) {
            run_trial(report, &trials[k]);
        }
    }
}
