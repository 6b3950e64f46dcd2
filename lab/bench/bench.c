#define _POSIX_C_SOURCE 200809L

#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/statistics.h"

double cg_thread_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool cg_bench_wants(const cg_bench *bench, const char *name)
{
    if (bench->heed) {
        bench->heed(bench->heed_context, name);
        return false;
    }
    if (!bench->filter) {
        return true;
    }
    size_t length = strlen(bench->filter);
    return strncmp(name, bench->filter, length) == 0 && (name[length] == '/' || name[length] == '\0');
}

// Room for one more in an array that grows; false when there is none.
static bool grow(void **items, size_t item_size, int count, int *capacity)
{
    if (count < *capacity) {
        return true;
    }
    int larger_capacity = *capacity ? 2 * *capacity : 16;
    void *larger = realloc(*items, (size_t)larger_capacity * item_size);
    if (!larger) {
        return false;
    }
    *items = larger;
    *capacity = larger_capacity;
    return true;
}

void cg_bench_fail(cg_bench *bench, const char *name, const char *why)
{
    bench->failed = true;
    void *items = bench->troubles;
    if (grow(&items, sizeof *bench->troubles, bench->trouble_count, &bench->trouble_capacity)) {
        bench->troubles = items;
        cg_bench_trouble *trouble = &bench->troubles[bench->trouble_count++];
        snprintf(trouble->name, sizeof trouble->name, "%s", name);
        snprintf(trouble->why, sizeof trouble->why, "%s", why);
    }
}

void cg_bench_add(cg_bench *bench, cg_subject subject)
{
    void *items = bench->subjects;
    if (!grow(&items, sizeof *bench->subjects, bench->count, &bench->capacity)) {
        cg_bench_fail(bench, subject.name, "no memory left");
        subject.release(subject.state);
        return;
    }
    bench->subjects = items;
    bench->subjects[bench->count++] = subject;
}

void cg_bench_add_all(cg_bench *bench)
{
    cg_bench_add_threads(bench);
    cg_bench_add_linalg(bench);
    cg_bench_add_recording(bench);
    cg_bench_add_knots(bench);
    cg_bench_add_names(bench);
    cg_bench_add_tissue(bench);
    cg_bench_add_press(bench);
    cg_bench_add_meet(bench);
    cg_bench_add_lay(bench);
    cg_bench_add_jaw(bench);
    cg_bench_add_tools(bench);
    cg_bench_add_beside(bench);
    cg_bench_add_stitch(bench);
    cg_bench_add_pierce(bench);
    cg_bench_add_tear(bench);
}

// Hands on a row and the groups it belongs to.
typedef struct listener {
    void (*heed)(void *context, const char *name, bool is_row);
    void *context;
} listener;

static void heed_groups(void *context, const char *name)
{
    const listener *to = context;
    char group[64];
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(group, sizeof group, "%.*s", (int)(slash - name), name);
        to->heed(to->context, group, false);
    }
    to->heed(to->context, name, true);
}

void cg_bench_each_name(void (*heed)(void *context, const char *name, bool is_row), void *context)
{
    static const char *const own_benches[] = {"friction", "collide", "sphere_tree", "tie", "gpu"};
    listener to = {heed, context};
    cg_bench bench = {.heed = heed_groups, .heed_context = &to};
    cg_bench_add_all(&bench);
    for (size_t i = 0; i < sizeof own_benches / sizeof *own_benches; i++) {
        heed(context, own_benches[i], false);
    }
}

static bool keep(cg_subject *subject, double seconds)
{
    if (subject->count == subject->capacity) {
        int capacity = subject->capacity ? 2 * subject->capacity : 4096;
        double *larger = realloc(subject->seconds, (size_t)capacity * sizeof *larger);
        if (!larger) {
            return false;
        }
        subject->seconds = larger;
        subject->capacity = capacity;
    }
    subject->seconds[subject->count++] = seconds;
    return true;
}

enum { TURNS = 10, WARM_UP = 30, COLD = 3 };

// One turn of a subject, until it has so many samples in all. The first samples of a turn find a cold cache and are not
// kept.
static bool take_turn(cg_subject *subject, double seconds, int least)
{
    for (int i = 0; i < COLD; i++) {
        subject->sample(subject->state);
    }
    double start = cg_thread_cpu_seconds();
    do {
        if (!keep(subject, subject->sample(subject->state))) {
            return false;
        }
    } while (cg_thread_cpu_seconds() - start < seconds || subject->count < least);
    return true;
}

void cg_bench_warm_up(cg_bench *bench)
{
    for (int i = 0; i < bench->count; i++) {
        cg_subject *subject = &bench->subjects[i];
        double start = cg_thread_cpu_seconds();
        for (int k = 0; k < WARM_UP && subject->warm_seconds == 0; k++) {
            subject->sample(subject->state);
        }
        double spent = cg_thread_cpu_seconds() - start;
        subject->warm_seconds = subject->warm_seconds > 0 ? subject->warm_seconds : fmax(spent / WARM_UP, 1e-9);
    }
}

double cg_bench_expected_seconds(const cg_bench *bench, double seconds_each)
{
    double sum = 0;
    for (int i = 0; i < bench->count; i++) {
        const cg_subject *subject = &bench->subjects[i];
        double kept = fmax(seconds_each, fmax(TURNS, subject->least) * subject->warm_seconds);
        sum += kept + TURNS * COLD * subject->warm_seconds;
    }
    return sum;
}

static void work_out(cg_subject *subject)
{
    cg_sort_numbers(subject->seconds, subject->count);
    for (int k = 0; k < subject->count; k++) {
        subject->mean += subject->seconds[k] / subject->count;
    }
    subject->median = cg_sorted_quantile(subject->seconds, subject->count, 0.5);
    subject->p99 = cg_sorted_quantile(subject->seconds, subject->count, 0.99);
    subject->worst = cg_sorted_quantile(subject->seconds, subject->count, 1);
}

void cg_bench_measure(cg_bench *bench, double seconds_each)
{
    cg_bench_warm_up(bench);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < bench->count; i++) {
            cg_subject *subject = &bench->subjects[i];
            if (!take_turn(subject, seconds_each / TURNS, subject->least * (turn + 1) / TURNS)) {
                cg_bench_fail(bench, subject->name, "no memory left for its samples");
            }
        }
    }
    for (int i = 0; i < bench->count; i++) {
        work_out(&bench->subjects[i]);
    }
}

void cg_bench_free(cg_bench *bench)
{
    for (int i = 0; i < bench->count; i++) {
        bench->subjects[i].release(bench->subjects[i].state);
        free(bench->subjects[i].seconds);
    }
    free(bench->subjects);
    free(bench->troubles);
    *bench = (cg_bench){0};
}

const cg_subject *cg_bench_find(const cg_bench *bench, const char *name)
{
    for (int i = 0; i < bench->count; i++) {
        if (strcmp(bench->subjects[i].name, name) == 0) {
            return &bench->subjects[i];
        }
    }
    return NULL;
}

void cg_bench_print_troubles(const cg_bench *bench, FILE *err)
{
    for (int i = 0; i < bench->trouble_count; i++) {
        fprintf(err, "catgut bench: %s: %s\n", bench->troubles[i].name, bench->troubles[i].why);
    }
    if (bench->failed && bench->trouble_count == 0) {
        fputs("catgut bench: no memory left\n", err);
    }
}

void cg_bench_write_troubles(const cg_bench *bench, cg_json *json)
{
    cg_json_name(json, "failed");
    cg_json_begin_array(json);
    for (int i = 0; i < bench->trouble_count; i++) {
        cg_json_begin_line_object(json);
        cg_json_string_member(json, "name", bench->troubles[i].name);
        cg_json_string_member(json, "why", bench->troubles[i].why);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}
