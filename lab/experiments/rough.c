// Rough hands: worlds drawn from a seed in which three hands with tools go through tissue, stitches, needle and threads
// at up to 3 m/s for four seconds, are opened and led away, and two seconds of rest. What must hold is asked by checks
// that share no code with the step. The worlds run side by side; each is the same whatever runs beside it.
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "catgut/workers.h"
#include "experiments/experiment.h"
#include "rough/rough_watch.h"

static void run(cg_report *report);
static bool has_part(const char *part);

const cg_experiment cg_experiment_rough = {
    .name = "rough",
    .summary = "random worlds under rough hands: nothing is passed, nothing gets stuck",
    .source = "what must always hold",
    .run = run,
    .parts = "a world or some of them: 3, 1-20",
    .has_part = has_part,
    .is_drawn = true,
};

static const uint64_t SEED = 20261119;
static const cg_rough_times TIMES = {4, 2};
enum { WORLDS = 2, MANY = 500 };
static const double UNFINISHED = 0.01, WORST_UNFINISHED = 0.1; // shares of steps: of all, of a world
static const double DEEP = 0.5e-3;                             // [m] of a thread in tissue beside its holes

static bool read_part(const char *part, int *first, int *count)
{
    int last, read = 0;
    if (sscanf(part, "%d%n", first, &read) != 1 || *first < 1) {
        return false;
    }
    last = *first;
    if (part[read] == '-' && sscanf(part + read, "-%d", &last) != 1) {
        return false;
    }
    *count = last - *first + 1;
    return *count >= 1 && last <= 100000;
}

static bool has_part(const char *part)
{
    int first, count;
    return read_part(part, &first, &count);
}

typedef struct campaign {
    cg_rough_result *results;
    uint64_t seed;
    int first;
} campaign;

typedef struct totals {
    long steps, unfinished;
    int crossed, stuck, above_tenth, deep, told, not_made, gave_up, recovered, long_steps;
    double worst_share, longest, seconds;
} totals;

static bool is_stuck(const cg_rough_result *r)
{
    return r->last_unfinished > 0;
}

// A line about a world that is not as it should be, for who wants to see it again.
static void tell(const campaign *c, int i, const cg_rough_result *r)
{
    double share = r->steps > 0 ? (double)r->unfinished / r->steps : 0;
    fprintf(stderr, "rough/%d --seed %llu: %s, stitches %d%s: unfinished %.1f %%, at the end %d, crossings %d",
            c->first + i, (unsigned long long)c->seed, cg_rough_kind_name(r->kind), r->stitches,
            r->has_scissors ? ", scissors" : "", 100 * share, r->last_unfinished, r->crossings);
    if (r->crossed_at >= 0) {
        fprintf(stderr, " (%s at %.3f s)", r->crossed, r->crossed_at);
    }
    fprintf(stderr, ", deepest %.2f mm, pull %.2f of breaking, longest step %.0f ms, hands %.0f mm behind%s%s\n",
            1e3 * r->deepest, r->told_pull, 1e3 * r->longest_step, 1e3 * r->hands_left,
            r->gave_up              ? ", given up"
            : r->trouble[0] != '\0' ? ": "
                                    : "",
            r->trouble);
}

static void count_one(totals *all, const cg_rough_result *r)
{
    double share = r->steps > 0 ? (double)r->unfinished / r->steps : 0;
    all->steps += r->steps;
    all->unfinished += r->unfinished;
    all->crossed += r->crossings > 0;
    all->stuck += is_stuck(r);
    all->above_tenth += share > WORST_UNFINISHED;
    all->deep += r->deepest > DEEP;
    all->told += r->told_pull > 1;
    all->not_made += r->trouble[0] != '\0';
    all->gave_up += r->gave_up;
    all->recovered += r->recovered;
    all->long_steps += r->longest_step > 0.05;
    all->worst_share = fmax(all->worst_share, share);
    all->longest = fmax(all->longest, r->longest_step);
    all->seconds += r->step_seconds;
}

static bool is_bad(const cg_rough_result *r)
{
    return r->crossings > 0 || is_stuck(r) || r->unfinished > WORST_UNFINISHED * r->steps || r->deepest > DEEP ||
           r->told_pull > 1 || r->gave_up || r->trouble[0] != '\0';
}

static void watch_one(void *context, size_t piece)
{
    campaign *c = context;
    cg_rough_watch(&c->results[piece], c->seed, c->first + (int)piece, TIMES);
    if (is_bad(&c->results[piece])) {
        tell(c, (int)piece, &c->results[piece]);
    }
}

static void judge(cg_report *report, const totals *all, int count)
{
    cg_report_check(report, 0, all->not_made, 0, "1", "of %d worlds: that could not be made", count);
    cg_report_check(report, 0, all->gave_up, 0, "1", "given up after %d s of CPU", CG_ROUGH_MOST_SECONDS);
    cg_report_check(report, 0, all->crossed, 0, "1", "in which a thread passed through a thread, needle or tool");
    cg_report_check(report, 0, all->deep, 0, "1", "in which a thread went into tissue where it has no hole");
    cg_report_check(report, 0, all->recovered, 0, "1", "steps with a number that was not finite");
    cg_report_check(report, 0, all->stuck, 0, "1", "stuck when the hands were let go of and led away");
    cg_report_check(report, 0, all->above_tenth, 0, "1", "with more than a tenth of their steps unfinished");
    cg_report_check(report, 0, (double)all->unfinished / (double)(all->steps > 0 ? all->steps : 1), UNFINISHED, "1",
                    "share of steps unfinished, of %ld (worst world %.2g)", all->steps, all->worst_share);
    cg_report_check(report, 0, all->told, 0, "1", "with a pull told beyond that at which the thread breaks");
    cg_report_check(report, all->long_steps, all->long_steps, 0, "1",
                    "with a step above 50 ms of CPU: a figure (longest %.0f ms; mean step %.2f ms)", 1e3 * all->longest,
                    1e3 * all->seconds / (double)(all->steps > 0 ? all->steps : 1));
}

static void run(cg_report *report)
{
    int first = 1, count = report->thorough ? MANY : WORLDS;
    if (report->part != NULL && !read_part(report->part, &first, &count)) {
        cg_report_trouble(report, "there is no part %s", report->part);
        return;
    }
    campaign c = {calloc((size_t)count, sizeof *c.results), report->seed != 0 ? report->seed : SEED, first};
    cg_workers *workers = NULL;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (c.results == NULL || !cg_workers_create(cores > 1 ? (int)cores - 1 : 0, &workers)) {
        cg_report_trouble(report, "no memory left");
        free(c.results);
        return;
    }
    cg_workers_run(workers, (size_t)count, watch_one, &c);
    cg_workers_destroy(workers);
    totals all = {0};
    for (int i = 0; i < count; i++) {
        count_one(&all, &c.results[i]);
    }
    judge(report, &all, count);
    free(c.results);
}
