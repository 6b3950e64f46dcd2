#define _POSIX_C_SOURCE 200809L

#include "rough/rough_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/transform.h"
#include "base/vec3.h"
#include "rough/crossing.h"
#include "rough/inside.h"

enum { MOST_VERTICES = 3000, MOST_RODS = 96, LOOK_INSIDE = 100 };
static const double BESIDE_SWAGE = 3e-3; // [m] of a thread that is not looked at beside the needle that it hangs on
static const double QUIET = 0.1;         // [s] of the end

// A thread as it was.
typedef struct kept_thread {
    cg_thread_id id;
    int count;
    cg_vec3 points[MOST_VERTICES];
    double rest[MOST_VERTICES];
} kept_thread;

// The needle as a line along its parts, and the middle lines of the parts of tools.
typedef struct rods {
    cg_vec3 needle[CG_RIGID_MOST_PARTS + 1], tools[MOST_RODS][2];
    int needle_count, tool_count;
} rods;

typedef struct watch {
    cg_rough_world rough;
    kept_thread kept[CG_ROUGH_MOST_THREADS];
    int kept_count;
    rods before, now;
    cg_vec3 lines[2][CG_ROUGH_MOST_THREADS][2 * MOST_VERTICES]; // matched points before and after
    double arcs[CG_ROUGH_MOST_THREADS][2 * MOST_VERTICES];      // and their rest arc lengths
    int matched[CG_ROUGH_MOST_THREADS];
} watch;

static void keep_threads(watch *w)
{
    cg_thread_id ids[CG_ROUGH_MOST_THREADS];
    w->kept_count = cg_rough_threads(&w->rough, ids);
    for (int i = 0; i < w->kept_count; i++) {
        kept_thread *k = &w->kept[i];
        const cg_vec3 *points = cg_thread_positions(w->rough.world, ids[i], &k->count);
        const double *rest = cg_thread_rest_lengths(w->rough.world, ids[i], NULL);
        k->id = ids[i];
        k->count = k->count < MOST_VERTICES ? k->count : 0;
        memcpy(k->points, points, (size_t)k->count * sizeof *points);
        memcpy(k->rest, rest, (size_t)(k->count > 0 ? k->count - 1 : 0) * sizeof *rest);
    }
}

static void add_tool_rod(rods *r, const cg_rigid_part *part)
{
    cg_vec3 along = v3(0, 0, part->shape.half_length);
    if (part->shape.kind == CG_SHAPE_BOX) { // a blade: the middle line of its longest side
        cg_vec3 h = part->shape.half_extents;
        along = h.x >= h.y && h.x >= h.z ? v3(h.x, 0, 0) : h.y >= h.z ? v3(0, h.y, 0) : v3(0, 0, h.z);
    }
    if (r->tool_count < MOST_RODS) {
        r->tools[r->tool_count][0] = transform_point(part->pose, v3_neg(along));
        r->tools[r->tool_count++][1] = transform_point(part->pose, along);
    }
}

static void place_rods(watch *w, rods *r)
{
    cg_rigid_part part;
    r->needle_count = r->tool_count = 0;
    for (int i = 0; cg_rigid_get_part(w->rough.world, w->rough.needle, i, &part); i++) {
        cg_vec3 along = v3(0, 0, part.shape.half_length);
        if (i == 0) {
            r->needle[r->needle_count++] = transform_point(part.pose, v3_neg(along));
        }
        r->needle[r->needle_count++] = transform_point(part.pose, along);
    }
    for (int h = 0; h < CG_ROUGH_HANDS; h++) {
        for (int i = 0; cg_hand_get_part(w->rough.world, w->rough.hands[h], i, &part, NULL); i++) {
            add_tool_rod(r, &part);
        }
    }
}

// A thread, without what of it is beside the needle that it hangs on.
static cg_moving_line line_of(const watch *w, int thread, bool beside_needle)
{
    bool is_swaged = w->kept[thread].id.index == w->rough.needle_thread.index;
    int first = 0, count = w->matched[thread];
    while (beside_needle && is_swaged && first + 2 < count && w->arcs[thread][first] < BESIDE_SWAGE) {
        first++;
    }
    return (cg_moving_line){w->lines[0][thread] + first, w->lines[1][thread] + first, w->arcs[thread] + first,
                            count - first};
}

static int count_needle(const watch *w, int thread)
{
    double arcs[CG_RIGID_MOST_PARTS + 1] = {0};
    for (int i = 1; i < w->now.needle_count; i++) {
        arcs[i] = arcs[i - 1] + v3_distance(w->now.needle[i - 1], w->now.needle[i]);
    }
    cg_moving_line needle = {w->before.needle, w->now.needle, arcs, w->now.needle_count};
    return cg_count_crossings(line_of(w, thread, true), needle);
}

static int count_tool(const watch *w, int thread, int rod)
{
    double arcs[2] = {0, v3_distance(w->now.tools[rod][0], w->now.tools[rod][1])};
    cg_moving_line tool = {w->before.tools[rod], w->now.tools[rod], arcs, 2};
    return cg_count_crossings(line_of(w, thread, false), tool);
}

static void note_crossings(cg_rough_result *result, double time, int count, const char *what, int number)
{
    if (count > 0 && result->crossings == 0) {
        result->crossed_at = time;
        snprintf(result->crossed, sizeof result->crossed, "thread and %s %d", what, number);
    }
    result->crossings += count;
}

static void count_crossings(const watch *w, cg_rough_result *result)
{
    double time = cg_world_time(w->rough.world);
    for (int i = 0; i < w->kept_count; i++) {
        cg_moving_line line = line_of(w, i, false);
        note_crossings(result, time, cg_count_crossings(line, line), "itself", i);
        for (int k = i + 1; k < w->kept_count; k++) {
            note_crossings(result, time, cg_count_crossings(line, line_of(w, k, false)), "thread", k);
        }
        note_crossings(result, time, count_needle(w, i), "needle", 0);
        for (int r = 0; r < w->now.tool_count && w->now.tool_count == w->before.tool_count; r++) {
            note_crossings(result, time, count_tool(w, i, r), "tool part", r);
        }
    }
}

// Threads that were not cut in this step, at the arc lengths of both states.
static void match_threads(watch *w)
{
    for (int i = 0; i < w->kept_count; i++) {
        const kept_thread *k = &w->kept[i];
        int count = 0;
        w->matched[i] = 0;
        if (!cg_thread_is_valid(w->rough.world, k->id)) {
            continue;
        }
        const cg_vec3 *points = cg_thread_positions(w->rough.world, k->id, &count);
        const double *rest = cg_thread_rest_lengths(w->rough.world, k->id, NULL);
        if (k->count >= 2 && count >= 2 && count < MOST_VERTICES) {
            w->matched[i] = cg_match_points(k->points, k->rest, k->count, points, rest, count, w->lines[0][i],
                                            w->lines[1][i], w->arcs[i]);
        }
    }
}

static void look_at_pull(watch *w, cg_rough_result *result)
{
    static _Thread_local double tensions[MOST_VERTICES];
    for (int i = 0; i < w->kept_count; i++) {
        int count = 0;
        if (cg_thread_positions(w->rough.world, w->kept[i].id, &count) == NULL || count < 2 || count > MOST_VERTICES ||
            cg_thread_tensions(w->rough.world, w->kept[i].id, tensions, count - 1).code != CG_OK) {
            continue;
        }
        for (int k = 0; k + 1 < count; k++) {
            result->told_pull = fmax(result->told_pull, fabs(tensions[k]) / w->rough.breaking_pull);
        }
    }
}

static void look_inside(watch *w, cg_rough_result *result)
{
    for (int i = 0; i < w->kept_count; i++) {
        int count = 0;
        const cg_vec3 *points = cg_thread_positions(w->rough.world, w->kept[i].id, &count);
        for (int k = 0; points != NULL && k < count; k++) {
            if (cg_thread_get_side(w->rough.world, w->kept[i].id, k) == CG_SIDE_OUTSIDE) {
                result->deepest = fmax(result->deepest, cg_depth_inside(w->rough.world, w->rough.tissue, points[k]));
            }
        }
    }
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void watch_step(watch *w, cg_rough_result *result)
{
    uint64_t unfinished = cg_world_get_stats(w->rough.world).unfinished_steps;
    keep_threads(w);
    place_rods(w, &w->before);
    double began = cpu_seconds();
    cg_rough_step(&w->rough);
    double took = cpu_seconds() - began;
    result->step_seconds += took;
    result->longest_step = fmax(result->longest_step, took);
    place_rods(w, &w->now);
    match_threads(w);
    count_crossings(w, result);
    int more = (int)(cg_world_get_stats(w->rough.world).unfinished_steps - unfinished);
    result->unfinished += more;
    if (cg_world_time(w->rough.world) > w->rough.times.rough + w->rough.times.rest - QUIET) {
        result->last_unfinished += more;
    }
    look_at_pull(w, result);
    if (result->steps++ % LOOK_INSIDE == 0) {
        look_inside(w, result);
    }
}

void cg_rough_watch(cg_rough_result *result, uint64_t seed, int number, cg_rough_times times)
{
    watch *w = calloc(1, sizeof *w);
    *result = (cg_rough_result){.crossed_at = -1};
    if (w == NULL) {
        snprintf(result->trouble, sizeof result->trouble, "no memory left");
        return;
    }
    cg_status status = cg_rough_begin(&w->rough, seed, number, times);
    result->kind = w->rough.kind;
    result->stitches = w->rough.stitches;
    if (status.code != CG_OK) {
        snprintf(result->trouble, sizeof result->trouble, "%s", status.message);
    }
    for (int h = 0; h < CG_ROUGH_HANDS; h++) {
        result->has_scissors = result->has_scissors || w->rough.tools[h] == CG_TOOL_SCISSORS;
    }
    while (status.code == CG_OK && !result->gave_up && cg_world_time(w->rough.world) < times.rough + times.rest) {
        watch_step(w, result);
        result->gave_up = result->step_seconds > CG_ROUGH_MOST_SECONDS;
    }
    if (status.code == CG_OK) {
        look_inside(w, result);
        cg_world_stats stats = cg_world_get_stats(w->rough.world);
        result->lost = (int)stats.lost_contacts;
        result->recovered = (int)(stats.recovered_steps + stats.recovered_tissue_steps);
        for (int h = 0; h < CG_ROUGH_HANDS; h++) {
            cg_hand_state hand = cg_hand_get_state(w->rough.world, w->rough.hands[h]);
            result->hands_left = fmax(result->hands_left, hand.lag);
        }
    }
    cg_rough_end(&w->rough);
    free(w);
}
