// What a frame costs by stage, over the runs of MicroSim's figures 4.8 to 4.11: torsion test, knot test, and a knot in
// a thread of 600 vertices (threads do not go through tissue yet, so there is no anastomosis; its figures are
// printed for what there is). Ten NNCG iterations and one linearisation a step, six steps of 5 ms a frame, as there;
// and the knot test again as catgut does it by default, solved, in a plot of its own. Times are CPU times of one
// thread.
//
// A frame may take no longer than was published. That is a wide band: the machine of then was slower.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/seed_rig.h"
#include "support/stages.h"
#include "support/statistics.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_frame_time = {
    .name = "frame_time",
    .summary = "what a frame of six steps costs, by stage, while a thread is twisted and knots are drawn",
    .source = "MicroSim figures 4.8-4.11: up to 70 ms a frame with a knot of 150 vertices, 100 ms with 600",
    .run = run,
};

// A line of the report: what was published of a category, and whether of a usual or the worst frame.
typedef struct claim {
    cg_cost cost;
    bool worst;
    double published; // [ms]
} claim;

enum { MOST_CLAIMS = 3 };
typedef struct run_of {
    cg_seed_kind kind;
    int iterations;
    double seconds, long_seconds;
    const char *name, *file;
    claim claims[MOST_CLAIMS];
} run_of;

static const run_of RUNS[] = {
    {CG_SEED_TORSION, 10, 20, 40, "torsion", "torsion", {{CG_COST_TOTAL, false, 6}, {CG_COST_COLLISION, true, 5}}},
    {CG_SEED_KNOT,
     10,
     12,
     36,
     "knot",
     "knot",
     {{CG_COST_TOTAL, true, 70}, {CG_COST_INTEGRATION, false, 2.5}, {CG_COST_INTEGRATION, true, 4}}},
    {CG_SEED_SUTURE,
     10,
     3,
     12,
     "600 vertices",
     "suture",
     {{CG_COST_TOTAL, true, 100}, {CG_COST_INTEGRATION, true, 5}, {CG_COST_COLLISION, false, 9}}},
    {CG_SEED_KNOT, 0, 12, 36, "knot, solved", "solved", {{0}}},
};

// [ms] of a usual frame, the middle one, or of the worst.
static double cost_of(const cg_stage_log *log, const claim *c)
{
    double *sorted = calloc((size_t)log->count + 1, sizeof *sorted), value = NAN;
    for (int i = 0; sorted && i < log->count; i++) {
        sorted[i] = 1e3 * log->frames[i][c->cost];
    }
    if (sorted) {
        cg_sort_numbers(sorted, log->count);
        value = cg_sorted_quantile(sorted, log->count, c->worst ? 1 : 0.5);
    }
    free(sorted);
    return value;
}

static void add_claims(cg_report *report, const run_of *r, const cg_stage_log *log)
{
    for (int i = 0; i < MOST_CLAIMS && r->claims[i].published > 0; i++) {
        const claim *c = &r->claims[i];
        cg_report_add(report,
                      (cg_quantity){.published = c->published,
                                    .expected = 0,
                                    .measured = cost_of(log, c),
                                    .tolerance = c->published,
                                    .unit = "ms"},
                      "%s: %s, %s", r->name, cg_cost_names[c->cost], c->worst ? "worst frame" : "usual frame");
    }
}

static void add_plot(cg_report *report, const run_of *r, const cg_stage_log *log)
{
    char title[96];
    snprintf(title, sizeof title, "What a frame costs: %s", r->name);
    int number = cg_report_add_plot(report, title, "frame (six steps of 5 ms)", "CPU time [ms]");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->name, sizeof plot->name, "%s", r->file);
    snprintf(plot->subtitle, sizeof plot->subtitle, "%s, %s", cg_seed_names[r->kind],
             r->iterations > 0 ? "10 NNCG iterations" : "friction solved to 0.001 radii");
    plot->from_zero = true;
    cg_stage_log_plot(log, plot);
}

static void run_one(cg_report *report, const run_of *r)
{
    cg_seed_test test;
    cg_stage_log log = {0};
    int steps = (int)((report->thorough ? r->long_seconds : r->seconds) / 5e-3);
    if (cg_seed_test_open(&test, r->kind, r->iterations, report)) {
        for (int step = 0; step < steps; step++) {
            cg_seed_test_step(&test);
            cg_world_stats stats = cg_world_get_stats(test.world);
            cg_stage_log_add(&log, &stats, cg_world_time(test.world));
        }
        add_claims(report, r, &log);
        add_plot(report, r, &log);
    }
    cg_seed_test_close(&test);
    cg_stage_log_free(&log);
}

static void run(cg_report *report)
{
    for (size_t i = 0; i < sizeof RUNS / sizeof RUNS[0]; i++) {
        run_one(report, &RUNS[i]);
    }
}
