// What contact costs as contacts become more, with the friction problem solved to its tolerance: the solve stage of a
// pass (motion, coupling, friction) in seven knots of MicroSim's parameters that are drawn from loose to tight.
// coupling_time has its two parts apart at ten iterations, beside MicroSim's figures.
//
// Times vary from machine to machine, so no time is checked; what is checked is that they grow with no more than the
// third power of the contacts, all measured in this run, and that forces obey the residual that was asked for.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "experiments/knot_rig.h"
#include "support/statistics.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_solver_scaling = {
    .name = "solver_scaling",
    .summary = "time for coupling and friction against the number of contacts",
    .source = "solving a dense problem exactly costs up to the cube of its size; MicroSim's iterations the square",
    .run = run,
};

enum { MOST = 200, MANY = 20 };

typedef struct bin {
    double seconds;
    int count;
} bin;

// Knots from loose to tight, so that steps with few and with many contacts are among them.
static bool run_knot(cg_report *report, cg_curve_kind kind, int threads, int vertices, bin *bins,
                     double *worst_residual)
{
    cg_knot_setup setup = cg_knot_seed_setup(kind, threads, vertices, 0.3);
    setup.world.clock = cg_thread_cpu_seconds;
    cg_knot_rig rig;
    bool good = cg_knot_rig_open(&rig, &setup, report);
    for (int step = 0; good && step < 150; step++) {
        cg_knot_rig_load(&rig, 1);
        cg_world_step(rig.world);
        cg_world_stats stats = cg_world_get_stats(rig.world);
        if (stats.working_contacts < MOST) {
            bins[stats.working_contacts].seconds += stats.stage_seconds[CG_STAGE_SOLVE];
            bins[stats.working_contacts].count += stats.passes;
        }
        *worst_residual = fmax(*worst_residual, stats.friction_residual);
    }
    cg_knot_rig_close(&rig);
    return good;
}

static void run(cg_report *report)
{
    static const struct {
        cg_curve_kind kind;
        int threads, vertices;
    } knots[] = {{CG_CURVE_OVERHAND, 1, 200}, {CG_CURVE_OVERHAND, 1, 600}, {CG_CURVE_FIGURE_EIGHT, 1, 300},
                 {CG_CURVE_REEF, 2, 100},     {CG_CURVE_GRANNY, 2, 100},   {CG_CURVE_SURGEON, 2, 200},
                 {CG_CURVE_SLIP, 1, 350}};
    int number = cg_report_add_plot(report, "What contacts cost", "contacts in the friction problem",
                                    "coupling, friction and motion of a pass [ms]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    snprintf(plot->subtitle, sizeof plot->subtitle, "seven knots from loose to tight, solved to 0.001 radii; CPU time");
    double worst_residual = 0;
    bin *bins = calloc(MOST, sizeof *bins);
    for (size_t i = 0; bins && i < sizeof knots / sizeof knots[0]; i++) {
        run_knot(report, knots[i].kind, knots[i].threads, knots[i].vertices, bins, &worst_residual);
    }
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_BLUE, "measured, mean"), most = 0, count = 0;
    double x[MOST], y[MOST];
    for (int i = 1; bins && i < MOST; i++) {
        if (bins[i].count > 0) {
            double mean = bins[i].seconds / bins[i].count;
            cg_plot_add_point(plot, series, i, 1e3 * mean);
            most = i;
        }
        if (i >= MANY && bins[i].count > 0 && bins[i].seconds > 0) {
            x[count] = i;
            y[count++] = bins[i].seconds / bins[i].count;
        }
    }
    free(bins);
    cg_report_check(report, 0, count > 2 ? cg_fit_power(x, y, count) : NAN, 3, "1",
                    "power of the contacts with which time grows, 20 contacts or more");
    cg_report_check(report, 0, worst_residual, 0.001, "radii", "largest residual of a step");
    cg_report_check(report, 1, most >= 40, 0, "1", "steps with 40 contacts or more");
}
