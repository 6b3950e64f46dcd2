// What scripted procedures cost, step by step of the script: one run each, the CPU time of every step of the world.
//
// Asked for: a median of 1 ms and a p99 of 3 ms in all that is no drawing of a throw, drawing at 0.4 and the whole at 1
// times real time. Steps of the script belong to five parts by how their names begin, and parts are told beside them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "bench/bench.h"
#include "experiments/tie_rig.h"
#include "support/statistics.h"

// A line for every procedure.
static const struct {
    const char *name, *scene, *script;
} PROCEDURES[] = {
    {"square", "instrument-tie", "instrument-square"},
    {"surgeon", "instrument-tie", "instrument-surgeon"},
    {"stitch", "interrupted-stitch", "interrupted-stitch"},
};
enum { PROCEDURE_COUNT = sizeof PROCEDURES / sizeof *PROCEDURES, MOST_PHASES = 64, MOST_STEPS = 100000 };

typedef enum part { BITE, PULL_THROUGH, WRAP, DRAW, CUT, PART_COUNT } part;
static const char *const PART_NAMES[PART_COUNT] = {"bite", "pull through", "wrap", "draw", "cut"};

// The first that fits; what fits none is getting ready for a throw and winding it.
static const struct {
    const char *begins;
    part part;
} PARTS[] = {
    {"pick up", BITE},
    {"turn", BITE},
    {"push", BITE},
    {"drive", BITE},
    {"take it", BITE},
    {"draw the needle", BITE},
    {"draw the thread", PULL_THROUGH},
    {"lay the tail", PULL_THROUGH},
    {"take the needle", PULL_THROUGH},
    {"draw", DRAW},
    {"down", DRAW},
    {"close", DRAW},
    {"lower", DRAW},
    {"even", DRAW},
    {"lock", DRAW},
    {"scissors", CUT},
    {"cut", CUT},
    {"away", CUT},
    {"look", CUT},
};
enum { BEGINNING_COUNT = sizeof PARTS / sizeof *PARTS };

static const double MEDIAN = 1e-3, P99 = 3e-3, DRAWING = 0.4, WHOLE = 1; // [s], times real time

// A step of the script, all of its turns together; or a part; or the whole.
typedef struct phase {
    char name[80];
    part part;
    double *seconds; // of each step of the world
    int count, capacity;
    double sum, median, p99, worst;
} phase;

typedef struct tie_bench {
    phase phases[MOST_PHASES], parts[PART_COUNT], whole;
    int count;
    double time_step;
    char why[CG_TIE_WHY]; // it did not come to its end
} tie_bench;

static bool note(phase *p, double seconds)
{
    if (p->count == p->capacity) {
        int capacity = p->capacity > 0 ? 2 * p->capacity : 1024;
        double *larger = realloc(p->seconds, (size_t)capacity * sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        p->seconds = larger;
        p->capacity = capacity;
    }
    p->seconds[p->count++] = seconds;
    p->sum += seconds;
    return true;
}

static void finish(phase *p)
{
    cg_sort_numbers(p->seconds, p->count);
    p->median = cg_sorted_quantile(p->seconds, p->count, 0.5);
    p->p99 = cg_sorted_quantile(p->seconds, p->count, 0.99);
    p->worst = p->count > 0 ? p->seconds[p->count - 1] : 0;
}

static part part_of(const char *name)
{
    for (int i = 0; i < BEGINNING_COUNT; i++) {
        if (strncmp(name, PARTS[i].begins, strlen(PARTS[i].begins)) == 0) {
            return PARTS[i].part;
        }
    }
    return WRAP;
}

// [1] How much faster than the clock.
static double real_time(const tie_bench *b, const phase *p)
{
    return p->sum > 0 ? p->count * b->time_step / p->sum : 0;
}

static bool is_within(const tie_bench *b, const phase *p)
{
    if (p == &b->whole) {
        return real_time(b, p) >= WHOLE;
    }
    return p->part == DRAW ? real_time(b, p) >= DRAWING : p->median <= MEDIAN && p->p99 <= P99;
}

static bool note_step(tie_bench *b, const cg_script_state *state, double seconds)
{
    int at = state->step > 0 ? state->step - 1 : 0;
    if (at >= MOST_PHASES) {
        return false;
    }
    phase *p = &b->phases[at];
    b->count = at + 1 > b->count ? at + 1 : b->count;
    snprintf(p->name, sizeof p->name, "%s", state->name);
    p->part = part_of(p->name);
    return note(p, seconds) && note(&b->parts[p->part], seconds) && note(&b->whole, seconds);
}

static void finish_all(tie_bench *b)
{
    for (int i = 0; i < b->count; i++) {
        finish(&b->phases[i]);
    }
    for (int i = 0; i < PART_COUNT; i++) {
        finish(&b->parts[i]);
    }
    finish(&b->whole);
}

// Runs the script to its end.
static void measure(tie_bench *b, cg_session *session)
{
    b->whole = (phase){.name = "whole"};
    for (int i = 0; i < PART_COUNT; i++) {
        b->parts[i] = (phase){.part = (part)i};
        snprintf(b->parts[i].name, sizeof b->parts[i].name, "%s", PART_NAMES[i]);
    }
    b->time_step = cg_session_time_step(session);
    cg_script_state state = cg_session_get_script(session);
    for (int n = 0; n < MOST_STEPS && state.phase == CG_SCRIPT_RUNNING; n++) {
        double begun = cg_thread_cpu_seconds();
        cg_session_step(session);
        double seconds = cg_thread_cpu_seconds() - begun;
        state = cg_session_get_script(session);
        if (!note_step(b, &state, seconds)) {
            snprintf(b->why, sizeof b->why, "it has too many steps, or no memory is left");
            break;
        }
    }
    if (state.phase != CG_SCRIPT_DONE && b->why[0] == '\0') {
        snprintf(b->why, sizeof b->why, "%s",
                 state.phase == CG_SCRIPT_FAILED ? state.error.message : "it takes too long");
    }
    finish_all(b);
}

static void print_row(const tie_bench *b, const phase *p, FILE *out)
{
    if (p->count > 0) {
        fprintf(out, "  %-36s %7d %6.2f ms %6.2f ms %6.2f ms %11.2f%s\n", p->name, p->count, 1e3 * p->median,
                1e3 * p->p99, 1e3 * p->worst, real_time(b, p), is_within(b, p) ? "" : "  above what is asked");
    }
}

static void print_table(const tie_bench *b, const char *name, FILE *out)
{
    fprintf(out, "  %-36s %7s %9s %9s %9s %11s\n", name, "steps", "median", "p99", "worst", "x real time");
    for (int i = 0; i < b->count; i++) {
        print_row(b, &b->phases[i], out);
    }
    fprintf(out, "  %s, by parts\n", name);
    for (int i = 0; i < PART_COUNT; i++) {
        print_row(b, &b->parts[i], out);
    }
    print_row(b, &b->whole, out);
}

static void write_row(const tie_bench *b, const phase *p, cg_json *json)
{
    cg_json_begin_line_object(json);
    cg_json_string_member(json, "name", p->name);
    if (p != &b->whole) {
        cg_json_string_member(json, "part", PART_NAMES[p->part]);
    }
    cg_json_number_member(json, "steps", p->count);
    cg_json_number_member(json, "median", p->median);
    cg_json_number_member(json, "p99", p->p99);
    cg_json_number_member(json, "worst", p->worst);
    cg_json_number_member(json, "real_time", real_time(b, p));
    cg_json_boolean_member(json, "within", is_within(b, p));
    cg_json_end_object(json);
}

static void write_json(const tie_bench *b, const char *name, cg_json *json)
{
    cg_json_begin_object(json);
    cg_json_string_member(json, "name", name);
    cg_json_string_member(json, "failed", b->why);
    cg_json_name(json, "phases");
    cg_json_begin_array(json);
    for (int i = 0; i < b->count; i++) {
        write_row(b, &b->phases[i], json);
    }
    cg_json_end_array(json);
    cg_json_name(json, "parts");
    cg_json_begin_array(json);
    for (int i = 0; i < PART_COUNT; i++) {
        if (b->parts[i].count > 0) {
            write_row(b, &b->parts[i], json);
        }
    }
    write_row(b, &b->whole, json);
    cg_json_end_array(json);
    cg_json_end_object(json);
}

// True when the script came to its end: how fast is told, not judged.
static bool bench_one(int k, cg_json *json, FILE *out, FILE *err)
{
    static cg_tie_text scene;
    tie_bench *b = calloc(1, sizeof *b);
    cg_tie_run run;
    if (b == NULL) {
        return false;
    }
    cg_tie_read(&scene, PROCEDURES[k].scene);
    if (cg_tie_open(&run, &scene, PROCEDURES[k].script)) {
        measure(b, run.session);
    } else {
        snprintf(b->why, sizeof b->why, "%s", run.why);
    }
    if (json != NULL) {
        write_json(b, PROCEDURES[k].name, json);
    } else {
        print_table(b, PROCEDURES[k].name, out);
    }
    if (b->why[0] != '\0') {
        fprintf(err, "catgut bench: tie/%s: %s\n", PROCEDURES[k].name, b->why);
    }
    bool good = b->why[0] == '\0';
    for (int i = 0; i < b->count; i++) {
        free(b->phases[i].seconds);
    }
    for (int i = 0; i < PART_COUNT; i++) {
        free(b->parts[i].seconds);
    }
    free(b->whole.seconds);
    cg_tie_close(&run);
    free(b);
    return good;
}

bool cg_bench_is_tie(const char *name)
{
    return strncmp(name, "tie", 3) == 0 && (name[3] == '\0' || name[3] == '/');
}

int cg_bench_tie(const char *name, bool as_json, const char *machine, FILE *out, FILE *err)
{
    const char *wanted = name[3] == '/' ? name + 4 : "";
    bool good = true, any = false;
    cg_json json = cg_json_start(out);
    if (as_json) {
        cg_json_begin_object(&json);
        cg_json_string_member(&json, "machine", machine);
        cg_json_name(&json, "procedures");
        cg_json_begin_array(&json);
    } else {
        fprintf(out, "%s\n", machine);
    }
    for (int k = 0; k < PROCEDURE_COUNT; k++) {
        if (wanted[0] == '\0' || strcmp(wanted, PROCEDURES[k].name) == 0) {
            any = true;
            good = bench_one(k, as_json ? &json : NULL, out, err) && good;
        }
    }
    if (as_json) {
        cg_json_end_array(&json);
        cg_json_end_object(&json);
    }
    if (!any) {
        fprintf(err, "catgut bench: there is no procedure \"%s\"; expected square, surgeon or stitch\n", wanted);
        return CG_EXIT_BAD_INPUT;
    }
    return good ? CG_EXIT_DONE : CG_EXIT_BAD_RESULT;
}
