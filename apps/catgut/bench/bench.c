#define _POSIX_C_SOURCE 200809L

#include "bench/bench.h"

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
    if (!bench->filter) {
        return true;
    }
    size_t length = strlen(bench->filter);
    return strncmp(name, bench->filter, length) == 0 && (name[length] == '/' || name[length] == '\0');
}

void cg_bench_add(cg_bench *bench, cg_subject subject)
{
    if (bench->count == CG_BENCH_MAX_SUBJECTS) {
        subject.release(subject.state);
        bench->failed = true;
        return;
    }
    bench->subjects[bench->count++] = subject;
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

// One turn of a subject, until it has so many samples in all. The first samples of a turn find a cold cache and are not
// kept.
static bool take_turn(cg_subject *subject, double seconds, int least)
{
    for (int i = 0; i < 3; i++) {
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

void cg_bench_measure(cg_bench *bench, double seconds_each)
{
    enum { TURNS = 10, WARM_UP = 30 };
    for (int i = 0; i < bench->count; i++) {
        for (int k = 0; k < WARM_UP; k++) {
            bench->subjects[i].sample(bench->subjects[i].state);
        }
    }
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < bench->count; i++) {
            cg_subject *subject = &bench->subjects[i];
            if (!take_turn(subject, seconds_each / TURNS, subject->least * (turn + 1) / TURNS)) {
                bench->failed = true;
                return;
            }
        }
    }
    for (int i = 0; i < bench->count; i++) {
        cg_subject *subject = &bench->subjects[i];
        cg_sort_numbers(subject->seconds, subject->count);
        for (int k = 0; k < subject->count; k++) {
            subject->mean += subject->seconds[k] / subject->count;
        }
        subject->median = cg_sorted_quantile(subject->seconds, subject->count, 0.5);
        subject->p99 = cg_sorted_quantile(subject->seconds, subject->count, 0.99);
        subject->worst = cg_sorted_quantile(subject->seconds, subject->count, 1);
    }
}

void cg_bench_free(cg_bench *bench)
{
    for (int i = 0; i < bench->count; i++) {
        bench->subjects[i].release(bench->subjects[i].state);
        free(bench->subjects[i].seconds);
    }
    bench->count = 0;
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
