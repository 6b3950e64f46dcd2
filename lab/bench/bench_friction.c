// The friction solvers beside each other on problems that a knot met, each from the warm start it had: how many are
// solved within a time, and how long half of them and nine in ten of them take.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/friction_file.h"
#include "solve/friction.h"
#include "support/json.h"
#include "support/statistics.h"

enum { MOST_PROBLEMS = 256, MOST_REPEATS = 25, LIMIT_COUNT = 4, TOLERANCE_COUNT = 2 };

static const double RADIUS = 0.11e-3;                                  // of the thread that the problems come from [m]
static const double TOLERANCES[TOLERANCE_COUNT] = {0.01, 0.001};       // [radius]
static const double LIMITS[LIMIT_COUNT] = {0.3e-3, 1e-3, 3e-3, 10e-3}; // [s]
static const double REPEAT_SECONDS = 0.02; // a problem is solved again until this is used up
static const char *const USUAL_FOLDER = "tests/solve/problems";

typedef cg_friction_result (*solver)(const cg_friction_problem *, const cg_friction_options *, cg_friction_work *);

static const struct {
    const char *name;
    solver solve;
} METHODS[] = {{"newton", cg_friction_solve}, {"nncg", cg_friction_nncg}, {"sweep", cg_friction_sweep}};
enum { METHOD_COUNT = 3, NEWTON = 0 };

// One problem solved by one method to one tolerance.
typedef struct outcome {
    double seconds; // median over the repeats; infinite when it is not solved
    cg_friction_result result;
} outcome;

typedef struct friction_bench {
    cg_friction_file problems[MOST_PROBLEMS];
    outcome outcomes[METHOD_COUNT][TOLERANCE_COUNT][MOST_PROBLEMS];
    int count;
    cg_friction_work work;
    void *work_memory;
    double *force;
} friction_bench;

static bool take_memory(friction_bench *bench)
{
    int most = 0;
    for (int i = 0; i < bench->count; i++) {
        most = bench->problems[i].count > most ? bench->problems[i].count : most;
    }
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_friction_layout(&bench->work, most, &arena);
    size_t bytes = cg_arena_used(&arena);
    bench->work_memory = cg_memory_take(&(cg_allocator){0}, bytes);
    bench->force = malloc(3 * (size_t)most * sizeof(double));
    if (!bench->work_memory || !bench->force) {
        return false;
    }
    cg_arena_init(&arena, bench->work_memory, bytes);
    cg_friction_layout(&bench->work, most, &arena);
    return true;
}

// Solves one problem over and over from its warm start; the median of the times counts.
static outcome measure(friction_bench *bench, const cg_friction_file *file, solver solve, double tolerance)
{
    cg_friction_problem problem = {file->count, file->coupling, file->motion, file->friction,
                                   RADIUS,      bench->force,   false};
    cg_friction_options options = cg_friction_options_default();
    options.tolerance = tolerance;
    options.min_iterations = 0; // the time to the tolerance is asked
    if (solve != cg_friction_solve) {
        options.max_iterations = 20000;
    }
    double seconds[MOST_REPEATS], used = 0;
    outcome out = {.seconds = HUGE_VAL};
    int repeats = 0;
    while (repeats < MOST_REPEATS && (used < REPEAT_SECONDS || repeats == 0)) {
        memcpy(bench->force, file->start, 3 * (size_t)file->count * sizeof(double));
        double start = cg_thread_cpu_seconds();
        out.result = solve(&problem, &options, &bench->work);
        seconds[repeats] = cg_thread_cpu_seconds() - start;
        used += seconds[repeats++];
    }
    if (out.result.converged) {
        cg_sort_numbers(seconds, repeats);
        out.seconds = cg_sorted_quantile(seconds, repeats, 0.5);
    }
    return out;
}

static void measure_all(friction_bench *bench)
{
    for (int t = 0; t < TOLERANCE_COUNT; t++) {
        for (int i = 0; i < bench->count; i++) {
            for (int m = 0; m < METHOD_COUNT; m++) { // in turns, so that all see the machine alike
                bench->outcomes[m][t][i] = measure(bench, &bench->problems[i], METHODS[m].solve, TOLERANCES[t]);
            }
        }
    }
}

static int solved_within(const friction_bench *bench, int method, int tolerance, double seconds)
{
    int solved = 0;
    for (int i = 0; i < bench->count; i++) {
        solved += bench->outcomes[method][tolerance][i].seconds <= seconds;
    }
    return solved;
}

// The time that a share of the problems needs at most; infinite when fewer are solved.
static double time_of_share(const friction_bench *bench, int method, int tolerance, double share)
{
    double times[MOST_PROBLEMS];
    for (int i = 0; i < bench->count; i++) {
        times[i] = bench->outcomes[method][tolerance][i].seconds;
    }
    cg_sort_numbers(times, bench->count);
    int at = (int)ceil(share * bench->count) - 1;
    return times[at > 0 ? at : 0];
}

static void print_time(FILE *out, double seconds)
{
    if (isfinite(seconds)) {
        fprintf(out, " %11.3f", 1e3 * seconds);
    } else {
        fprintf(out, " %11s", "-");
    }
}

static void print_table(const friction_bench *bench, const char *folder, const char *machine, FILE *out)
{
    fprintf(out, "%s\n%d problems of %s; residual in radii, times in ms of CPU\n\n", machine, bench->count, folder);
    fprintf(out, "%-8s %5s %5s %5s %5s %11s %11s %11s %11s\n", "solved", "0.3", "1", "3", "10", "median", "p90",
            "median", "p90");
    fprintf(out, "%-8s %23s %23s %23s\n", "within", "ms to 0.01", "to 0.01", "to 0.001");
    for (int m = 0; m < METHOD_COUNT; m++) {
        fprintf(out, "%-8s", METHODS[m].name);
        for (int k = 0; k < LIMIT_COUNT; k++) {
            fprintf(out, " %5d", solved_within(bench, m, 0, LIMITS[k]));
        }
        for (int t = 0; t < TOLERANCE_COUNT; t++) {
            print_time(out, time_of_share(bench, m, t, 0.5));
            print_time(out, time_of_share(bench, m, t, 0.9));
        }
        fputc('\n', out);
    }
    fprintf(out, "\n%-20s %8s %11s %11s %11s %6s %7s\n", "newton", "contacts", "to 0.01", "to 0.001", "residual",
            "steps", "pivots");
    for (int i = 0; i < bench->count; i++) {
        const outcome *loose = &bench->outcomes[NEWTON][0][i], *tight = &bench->outcomes[NEWTON][1][i];
        fprintf(out, "%-20s %8d", bench->problems[i].name, bench->problems[i].count);
        print_time(out, loose->seconds);
        print_time(out, tight->seconds);
        fprintf(out, " %11.1e %6d %7d\n", tight->result.residual, tight->result.newton_steps, tight->result.pivots);
    }
}

static void write_methods(const friction_bench *bench, cg_json *json)
{
    static const char *const within[LIMIT_COUNT] = {"solved_within_0.3_ms", "solved_within_1_ms", "solved_within_3_ms",
                                                    "solved_within_10_ms"};
    cg_json_begin_array(json);
    for (int m = 0; m < METHOD_COUNT; m++) {
        cg_json_begin_object(json);
        cg_json_string_member(json, "name", METHODS[m].name);
        for (int k = 0; k < LIMIT_COUNT; k++) {
            cg_json_number_member(json, within[k], solved_within(bench, m, 0, LIMITS[k]));
        }
        cg_json_number_member(json, "solved", solved_within(bench, m, 0, 1e9));
        cg_json_number_member(json, "median_ms_to_0.01", 1e3 * time_of_share(bench, m, 0, 0.5));
        cg_json_number_member(json, "p90_ms_to_0.01", 1e3 * time_of_share(bench, m, 0, 0.9));
        cg_json_number_member(json, "median_ms_to_0.001", 1e3 * time_of_share(bench, m, 1, 0.5));
        cg_json_number_member(json, "p90_ms_to_0.001", 1e3 * time_of_share(bench, m, 1, 0.9));
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

static void print_json(const friction_bench *bench, const char *folder, const char *machine, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_string_member(&json, "machine", machine);
    cg_json_string_member(&json, "problems", folder);
    cg_json_number_member(&json, "count", bench->count);
    cg_json_name(&json, "methods");
    write_methods(bench, &json);
    cg_json_name(&json, "newton");
    cg_json_begin_array(&json);
    for (int i = 0; i < bench->count; i++) {
        const outcome *loose = &bench->outcomes[NEWTON][0][i], *tight = &bench->outcomes[NEWTON][1][i];
        cg_json_begin_line_object(&json);
        cg_json_string_member(&json, "name", bench->problems[i].name);
        cg_json_number_member(&json, "contacts", bench->problems[i].count);
        cg_json_number_member(&json, "ms_to_0.01", 1e3 * loose->seconds);
        cg_json_number_member(&json, "ms_to_0.001", 1e3 * tight->seconds);
        cg_json_number_member(&json, "residual", tight->result.residual);
        cg_json_number_member(&json, "steps", tight->result.newton_steps);
        cg_json_number_member(&json, "pivots", tight->result.pivots);
        cg_json_end_object(&json);
    }
    cg_json_end_array(&json);
    cg_json_end_object(&json);
}

int cg_bench_friction(const char *folder, bool as_json, const char *machine, FILE *out, FILE *err)
{
    if (!folder) {
        folder = getenv("CATGUT_PROBLEMS");
    }
    if (!folder || !*folder) {
        folder = USUAL_FOLDER;
    }
    friction_bench *bench = calloc(1, sizeof *bench);
    if (!bench) {
        fputs("catgut bench: no memory left\n", err);
        return CG_EXIT_BAD_RESULT;
    }
    int exit_code = CG_EXIT_DONE;
    bench->count = cg_friction_folder_read(folder, bench->problems, MOST_PROBLEMS, err);
    if (bench->count < 0) {
        exit_code = CG_EXIT_BAD_INPUT;
    } else if (!take_memory(bench)) {
        fputs("catgut bench: no memory left\n", err);
        exit_code = CG_EXIT_BAD_RESULT;
    } else {
        measure_all(bench);
        (as_json ? print_json : print_table)(bench, folder, machine, out);
    }
    for (int i = 0; i < bench->count; i++) {
        cg_friction_file_free(&bench->problems[i]);
    }
    cg_memory_give(&(cg_allocator){0}, bench->work_memory);
    free(bench->force);
    free(bench);
    return exit_code;
}
