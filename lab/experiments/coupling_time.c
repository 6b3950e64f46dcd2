// Time to build the coupling matrix and time to solve for the contact forces, apart, at ten NNCG iterations, against
// the number of contacts: MicroSim's figures 4.12 to 4.14. The runs are its three tests (seed_rig.h); after every step
// both parts are done once more and timed, CPU time of one thread.
//
// Published are times with few contacts (0.2 ms for knot and torsion test, 0.8 ms for 600 vertices), that both grow
// with the square of the contacts, and that coupling takes much longer than ten iterations. A time may be no longer
// than that.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "experiments/seed_rig.h"
#include "support/statistics.h"
#include "world/world.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_coupling_time = {
    .name = "coupling_time",
    .summary = "time to couple contacts and to solve for their forces, apart, against their number",
    .source = "MicroSim figures 4.12-4.14: 0.2 ms (0.8 ms for 600 vertices) with few contacts, growing with the square",
    .run = run,
};

enum { ITERATIONS = 10, MOST = 200, FEW = 10, MANY = 20, PARTS = 2 };
static const char *const PART_NAMES[PARTS] = {"coupling", "forces"};

// Sums by the number of contacts.
typedef struct bins {
    double seconds[PARTS][MOST];
    int count[MOST];
} bins;

static double *copy_numbers(const double *from, int count)
{
    double *copy = malloc(sizeof *copy * (size_t)(count > 0 ? count : 1));
    if (copy) {
        memcpy(copy, from, sizeof *copy * (size_t)count);
    }
    return copy;
}

// Does both parts of the last step's problem again. Its forces stay as they were.
static void time_parts(cg_world *world, bins *b)
{
    cg_touch_set *set = &world->touches;
    int contacts = set->problem.working_count;
    if (contacts < 1 || contacts >= MOST) {
        return;
    }
    double *force = copy_numbers(set->problem.force, 3 * contacts);
    if (!force) {
        return;
    }
    cg_friction_options options = set->problem.options;
    options.tolerance = 1e-12; // all iterations are made
    cg_friction_problem problem = {contacts,
                                   set->problem.coupling,
                                   set->problem.free_motion,
                                   set->problem.friction,
                                   set->cast.threads[0]->radius,
                                   force,
                                   false};
    double start = cg_thread_cpu_seconds();
    cg_touch_couple(set);
    double coupled = cg_thread_cpu_seconds();
    cg_friction_nncg(&problem, &options, &set->problem.friction_work);
    b->seconds[0][contacts] += coupled - start;
    b->seconds[1][contacts] += cg_thread_cpu_seconds() - coupled;
    b->count[contacts]++;
    free(force);
}

static bool run_test(cg_report *report, cg_seed_kind kind, double seconds, bins *b)
{
    cg_seed_test test;
    bool good = cg_seed_test_open(&test, kind, ITERATIONS, report);
    for (int step = 0; good && step < (int)(seconds / 5e-3); step++) {
        cg_seed_test_step(&test);
        time_parts(test.world, b);
    }
    cg_seed_test_close(&test);
    return good;
}

static int fewest_contacts(const bins *b)
{
    int fewest = 1;
    while (fewest + FEW < MOST - 1 && b->count[fewest] == 0) {
        fewest++;
    }
    return fewest;
}

// [ms] mean over problems of `from` to `to` contacts; not a number without any.
static double mean_time(const bins *b, int part, int from, int to)
{
    double seconds = 0;
    int count = 0;
    for (int i = from; i <= to; i++) {
        seconds += b->seconds[part][i];
        count += b->count[i];
    }
    return count > 0 ? 1e3 * seconds / count : NAN;
}

// The power of the contacts with which a part grows, over problems of MANY contacts or more.
static double power_of(const bins *b, int part)
{
    double x[MOST], y[MOST];
    int count = 0;
    for (int i = MANY; i < MOST; i++) {
        if (b->count[i] > 0 && b->seconds[part][i] > 0) {
            x[count] = i;
            y[count++] = b->seconds[part][i] / b->count[i];
        }
    }
    return count > 2 ? cg_fit_power(x, y, count) : NAN;
}

static void add(cg_report *report, double published, double measured, double most, const char *unit, const char *name)
{
    cg_report_add(
        report,
        (cg_quantity){.published = published, .expected = 0, .measured = measured, .tolerance = most, .unit = unit},
        "%s", name);
}

// A problem with the fewest contacts of the run, and how the parts grow from MANY on.
static void add_test(cg_report *report, cg_seed_kind kind, const bins *b)
{
    static const double published[CG_SEED_KIND_COUNT] = {0.2, 0.2, 0.8};
    int fewest = fewest_contacts(b);
    for (int part = 0; part < PARTS; part++) {
        char name[96];
        snprintf(name, sizeof name, "%s: %s, %d to %d contacts", cg_seed_names[kind], PART_NAMES[part], fewest,
                 fewest + FEW);
        add(report, part == 0 ? published[kind] : CG_UNPUBLISHED, mean_time(b, part, fewest, fewest + FEW),
            published[kind], "ms", name);
        snprintf(name, sizeof name, "%s: %s, power of contacts", cg_seed_names[kind], PART_NAMES[part]);
        if (kind != CG_SEED_TORSION) {
            add(report, 2, power_of(b, part), 2.5, "1", name);
        }
    }
}

static void plot_bins(cg_report *report, const bins *b, int part)
{
    static const cg_hue hues[CG_SEED_KIND_COUNT] = {CG_VERMILION, CG_BLUE, CG_GREEN};
    char title[64];
    snprintf(title, sizeof title, "Time for %s",
             part == 0 ? "the coupling matrix" : "the contact forces, 10 iterations");
    int number = cg_report_add_plot(report, title, "contacts", "CPU time [ms]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    snprintf(plot->name, sizeof plot->name, "%s", PART_NAMES[part]);
    for (int kind = 0; kind < CG_SEED_KIND_COUNT; kind++) {
        int series = cg_plot_add_series(plot, CG_SERIES_POINTS, hues[kind], cg_seed_names[kind]);
        for (int i = 1; i < MOST; i++) {
            if (b[kind].count[i] > 0) {
                cg_plot_add_point(plot, series, i, mean_time(&b[kind], part, i, i));
            }
        }
    }
}

static void run(cg_report *report)
{
    static const double seconds[CG_SEED_KIND_COUNT] = {40, 20, 6};
    bins *b = calloc(CG_SEED_KIND_COUNT, sizeof *b);
    for (int kind = 0; b && kind < CG_SEED_KIND_COUNT; kind++) {
        if (run_test(report, (cg_seed_kind)kind, seconds[kind], &b[kind])) {
            add_test(report, (cg_seed_kind)kind, &b[kind]);
        }
    }
    for (int part = 0; b && part < PARTS; part++) {
        plot_bins(report, b, part);
    }
    free(b);
}
