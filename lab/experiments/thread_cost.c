// What a step of a mass-spring thread costs, self-contact included, against its number of segments: table 5.1 of the
// source, CPU columns. A hand would hold and move it there; here a thread swings by its end, coiled so that it meets
// itself (weight pushes its second turn against the first, which it hangs from). One step is all forces, the move, the
// tree of spheres bottom-up and top-down, and the contacts; CPU time of one thread, median, smallest and largest.
//
// What others on the machine do shows in CPU time too: they share its caches, its clock and its cores. So the whole
// motion, the same to the bit each time, is made again and again, all sizes in turn, and each of its steps counts with
// the least of its times. What the clock itself takes is not counted.
#include <stdio.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "bench/bench.h"
#include "experiments/experiment.h"
#include "laws/beads.h"
#include "support/special.h"
#include "support/statistics.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_thread_cost = {
    .name = "thread_cost",
    .summary = "time of a step of a mass-spring thread with self-contact, 10 to 100 segments",
    .source = "VTE table 5.1: 0.088-0.153 ms for 10 segments, 0.717-1.67 ms for 100, on a CPU of 2006",
    .run = run,
};

enum { SIZES = 10, STEPS = 2000, WARM = 200, ROUNDS = 8, MOST_PAIRS = 4000 };
// [ms] Of the published table, smallest and largest.
static const double PUBLISHED[SIZES][2] = {{0.088, 0.153}, {0.167, 0.284}, {0.224, 0.408}, {0.296, 0.534},
                                           {0.362, 0.637}, {0.445, 0.765}, {0.505, 0.888}, {0.575, 1.017},
                                           {0.640, 1.130}, {0.717, 1.670}};
// [s] Far below the largest stable step at 100 segments, where directions are as long as they are printed.
static const double TIME_STEP = 2e-5;

typedef struct cost {
    double median, least, most; // [s]
    double contacts;            // mean
} cost;

static cg_thread *make_thread(int segments)
{
    cg_vec3 points[SIZES * 10 + 1];
    for (int i = 0; i <= segments; i++) {
        double angle = 4 * CG_PI * i / segments; // two turns, one beside the other
        points[i] = v3(0.04 * cos(angle), 0.04 * sin(angle), -1.6e-3 * angle);
    }
    cg_thread_def def = cg_thread_def_default();
    def.model = CG_THREAD_MASS_SPRING;
    def.springs.sine_directions = true;
    def.radius = 5e-3;
    def.drag = 1;
    def.friction = 0.3;
    def.vertex_count = segments + 1;
    def.positions = points;
    def.ends[CG_START].kind = CG_END_PINNED;
    cg_thread *thread = NULL;
    cg_thread_create(&def, &(cg_allocator){0}, &thread);
    return thread;
}

static void make_step(cg_thread *thread, cg_beads *beads, const cg_step_context *context)
{
    cg_model_begin_step(thread);
    cg_springs_advance(thread, context, context->time_step);
    cg_beads_look(beads, 0.1);
    cg_beads_part(beads, NULL, context->time_step);
    cg_model_finish_step(thread, context);
}

// [s] Between two looks at the clock, at best.
static double clock_time(void)
{
    double least = HUGE_VAL;
    for (int k = 0; k < 1000; k++) {
        double start = cg_thread_cpu_seconds();
        least = fmin(least, cg_thread_cpu_seconds() - start);
    }
    return least;
}

// Makes the motion once; `seconds` are lowered where a step took less. Returns the mean number of contacts.
static double make_motion(cg_thread *thread, cg_beads *beads, double seconds[STEPS])
{
    cg_step_context context = {.time_step = TIME_STEP, .inverse_step = 1 / TIME_STEP, .gravity = {0, 0, 9.8}};
    double contacts = 0;
    for (int k = 0; k < WARM + STEPS; k++) {
        double start = cg_thread_cpu_seconds();
        make_step(thread, beads, &context);
        if (k >= WARM) {
            seconds[k - WARM] = fmin(seconds[k - WARM], cg_thread_cpu_seconds() - start);
            contacts += beads->touch_count;
        }
    }
    return contacts / STEPS;
}

// A round of one size. Returns the mean number of contacts; below 0 without memory.
static double measure(int segments, double seconds[STEPS])
{
    cg_thread *thread = make_thread(segments);
    cg_beads beads = {0};
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_beads_layout(&beads, 1, segments, MOST_PAIRS, &arena);
    size_t bytes = cg_arena_used(&arena);
    void *memory = malloc(bytes);
    double contacts = -1;
    if (thread != NULL && memory != NULL) {
        cg_arena_init(&arena, memory, bytes);
        cg_beads_layout(&beads, 1, segments, MOST_PAIRS, &arena);
        beads.threads[0] = thread;
        beads.thread_count = 1;
        contacts = make_motion(thread, &beads, seconds);
    }
    cg_thread_destroy(thread);
    free(memory);
    return contacts;
}

static bool measure_all(cost costs[SIZES])
{
    static double seconds[SIZES][STEPS];
    double of_clock = clock_time();
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < SIZES; k++) {
            for (int i = 0; i < STEPS && round == 0; i++) {
                seconds[k][i] = HUGE_VAL;
            }
            costs[k].contacts = measure(10 * (k + 1), seconds[k]);
            if (costs[k].contacts < 0) {
                return false;
            }
        }
    }
    for (int k = 0; k < SIZES; k++) {
        cg_sort_numbers(seconds[k], STEPS);
        costs[k].median = cg_sorted_quantile(seconds[k], STEPS, 0.5) - of_clock;
        costs[k].least = seconds[k][0] - of_clock;
        costs[k].most = seconds[k][STEPS - 1] - of_clock;
    }
    return true;
}

static void draw(cg_report *report, const cost *costs)
{
    int number = cg_report_add_plot(report, "A step of a mass-spring thread", "segments", "time [ms]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    int ours = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_BLUE, "median, measured");
    int theirs = cg_plot_add_series(plot, CG_SERIES_RINGS, CG_ORANGE, "smallest, published");
    for (int k = 0; k < SIZES; k++) {
        cg_plot_add_point(plot, ours, 10 * (k + 1), 1e3 * costs[k].median);
        cg_plot_add_point(plot, theirs, 10 * (k + 1), PUBLISHED[k][0]);
    }
}

static void run(cg_report *report)
{
    cost costs[SIZES];
    double least = HUGE_VAL, most = 0;
    if (!measure_all(costs)) {
        cg_report_trouble(report, "no memory for a thread of %d segments", 10 * SIZES);
        return;
    }
    for (int k = 0; k < SIZES; k++) {
        int segments = 10 * (k + 1);
        double each = costs[k].median / segments;
        least = fmin(least, each);
        most = fmax(most, each);
        // A figure: how fast a machine is, and what else it does, is no matter of right or wrong.
        cg_report_add(report,
                      (cg_quantity){.published = PUBLISHED[k][0],
                                    .expected = 0,
                                    .measured = 1e3 * costs[k].median,
                                    .tolerance = HUGE_VAL,
                                    .unit = "ms"},
                      "%d segments: median (smallest %.4f, largest %.3f, published %.3f to %.3f; %.1f contacts)",
                      segments, 1e3 * costs[k].least, 1e3 * costs[k].most, PUBLISHED[k][0], PUBLISHED[k][1],
                      costs[k].contacts);
    }
    draw(report, costs);
    cg_report_check(report, 1, most / least, 0.5, "1",
                    "linear: median time of a segment, largest over smallest of all sizes");
    cg_report_check(report, 1, costs[SIZES - 1].contacts > 0.1, 0, "1", "100 segments do meet themselves");
}
