// What a step costs: a thread of 20 control points and a sheet of 12 x 12 nodes, rim fixed, the thread drawn upwards
// and aside at 50 and 30 mm/s, with and without a stitch, to a residual of 1e-12 N s; in the same run the way of the
// source work, one dense matrix with complete pivoting. Then how the cost grows with control points and with nodes.
//
// Times are CPU times of one thread, medians. They may be no longer than the published ones, which is a wide band: the
// machine of then was slower.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "experiments/constraint/dae_rig.h"
#include "support/statistics.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_dae_cost = {
    .name = "dae_cost",
    .summary = "what a step of thread, sheet and stitch costs, beside the dense way, and how it grows",
    .source = "SGPhysics table 5.2: 0.459-0.596 s with suturing, 0.107-0.188 s without",
    .run = run,
};

static const double steps[3] = {1e-3, 5e-3, 1e-2};
static const double published[2][3] = {{107, 186, 188}, {459, 588, 596}}; // [ms] without and with suturing

// [ms] the median over `count` steps; NaN when it could not be done.
static double median_step(cg_report *report, int controls, int nodes, double h, bool has_stitch, cg_dae_multipliers way,
                          int count)
{
    cg_dae_def def = cg_dae_def_default();
    def.time_step = h;
    def.keep_factors = way == CG_DAE_MULTIPLIERS_UNKNOWN;
    def.multipliers = way;
    def.project_position = def.project_velocity = false; // index 3 holds the places; table 5.2 has no projection
    cg_dae_rig_sewing sewing = {0};                      // destroyed below even where it was never sewn
    double *times = calloc((size_t)count, sizeof *times), median = NAN;
    bool is_good = times && cg_dae_rig_sew(&sewing, &def, controls, nodes, has_stitch, report);
    for (int n = 0; is_good && n < count; n++) {
        cg_dae_rig_draw(&sewing, (n + 1) * h);
        double before = cg_thread_cpu_seconds();
        is_good = cg_dae_rig_steps(sewing.dae, 1, report);
        times[n] = 1e3 * (cg_thread_cpu_seconds() - before);
    }
    if (is_good) {
        cg_sort_numbers(times, count);
        median = cg_sorted_quantile(times, count, 0.5);
    }
    free(times);
    cg_dae_destroy(sewing.dae);
    return median;
}

static void run_table(cg_report *report)
{
    char name[96];
    for (int has_stitch = 0; has_stitch < 2; has_stitch++) {
        for (int k = 0; k < 3; k++) {
            double ms = median_step(report, 20, 12, steps[k], has_stitch, CG_DAE_MULTIPLIERS_UNKNOWN, 200);
            snprintf(name, sizeof name, "step of %g ms, %s stitch: median", 1e3 * steps[k], has_stitch ? "a" : "no");
            cg_dae_rig_add(report, name, published[has_stitch][k], 0, ms, published[has_stitch][k], "ms");
        }
    }
    double ours = median_step(report, 20, 12, 1e-3, true, CG_DAE_MULTIPLIERS_UNKNOWN, 100);
    double eliminated = median_step(report, 20, 12, 1e-3, true, CG_DAE_MULTIPLIERS_ELIMINATED, 100);
    double dense = median_step(report, 20, 12, 1e-3, true, CG_DAE_ALL_DENSE, 5);
    cg_report_check(report, 0, eliminated, 459, "ms", "the same with multipliers eliminated, step of 1 ms");
    cg_dae_rig_add(report, "the same by one dense matrix with complete pivoting", 459, 0, dense, INFINITY, "ms");
    cg_report_check(report, 0, ours / dense, 0.02, "1", "sparse over dense, same run: at most");
}

// The power with which the median grows; the least of three looks at each size, for a shared machine.
static double power_of(cg_report *report, const int *sizes, int count, bool is_nodes)
{
    double x[8], y[8];
    for (int k = 0; k < count; k++) {
        x[k] = is_nodes ? sizes[k] * sizes[k] : sizes[k];
        y[k] = INFINITY;
        for (int look = 0; look < 3; look++) {
            double ms = median_step(report, is_nodes ? 20 : sizes[k], is_nodes ? sizes[k] : 6, 1e-3, true,
                                    CG_DAE_MULTIPLIERS_UNKNOWN, 60);
            y[k] = fmin(y[k], ms);
        }
    }
    return cg_fit_power(x, y, count);
}

static void run(cg_report *report)
{
    run_table(report);
    static const int controls[4] = {20, 40, 80, 160}, nodes[4] = {8, 12, 16, 24};
    cg_report_check(report, 0, power_of(report, controls, 4, false), 1.2, "1",
                    "power of the control points with which time grows: at most");
    cg_report_check(report, 0, power_of(report, nodes, 4, true), 1.5, "1",
                    "power of the nodes with which time grows: at most");
}
