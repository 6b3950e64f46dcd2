#include "task/knots.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"
#include "task/motion.h"
#include "task/watch.h"

bool cg_knot_is(const cg_knot_report *report, const char *name)
{
    return strcmp(report->name, name) == 0 || strcmp(report->common, name) == 0 ||
           strcmp(report->throws_text, name) == 0;
}

static bool name_points(const cg_vec3 *points, int count, const cg_allocator *allocator, cg_knot_report *report)
{
    cg_knot_thread thread = {.points = points, .count = count};
    return cg_knot_identify(&thread, 1, allocator, report).code == CG_OK;
}

// The most vertices that can be taken off one end without another name. Where the tail goes into the knot there is one
// such place; halving finds it.
static int removable(const cg_vec3 *points, int count, bool at_end, const char *name, const cg_allocator *allocator)
{
    int low = 0, high = count - 2; // taking `low` keeps the name, taking `high` leaves a straight line
    while (high - low > 1) {
        int middle = (low + high) / 2;
        cg_knot_report report;
        bool same = name_points(at_end ? points : points + middle, count - middle, allocator, &report) &&
                    strcmp(report.name, name) == 0;
        low = same ? middle : low;
        high = same ? high : middle;
    }
    return low;
}

bool cg_knot_tails(const cg_vec3 *points, int count, const cg_allocator *allocator, double tails[2])
{
    cg_knot_report whole;
    if (!name_points(points, count, allocator, &whole) || strcmp(whole.name, "0_1") == 0 || count < 4) {
        return false;
    }
    int first = removable(points, count, false, whole.name, allocator);
    int last = removable(points, count, true, whole.name, allocator);
    tails[0] = cg_path_length(points, first + 1);
    tails[1] = cg_path_length(points + (count - 1 - last), last + 1);
    return true;
}

// The place of the thread that the goal speaks of; -1 when the recording has none of that name.
static int find_thread(const cg_recording *recording, const cg_goal_knot *goal)
{
    cg_recorded_thread thread;
    for (int i = 0; cg_recording_thread(recording, i, &thread); i++) {
        if (goal->thread == NULL || strcmp(goal->thread, thread.name) == 0) {
            return i;
        }
    }
    return -1;
}

typedef struct seen_knot {
    cg_knot_report report;
    bool is_right;
    double tails[2]; // [m] the shorter one first; negative: there is no knot
} seen_knot;

static bool look_at(const cg_goal_knot *goal, const cg_vec3 *points, int count, const cg_allocator *allocator,
                    seen_knot *seen)
{
    double tails[2];
    *seen = (seen_knot){.tails = {-1, -1}};
    if (!name_points(points, count, allocator, &seen->report)) {
        return false;
    }
    seen->is_right = cg_knot_is(&seen->report, goal->name);
    if (cg_knot_tails(points, count, allocator, tails)) {
        seen->tails[0] = fmin(tails[0], tails[1]);
        seen->tails[1] = fmax(tails[0], tails[1]);
    }
    return true;
}

static void set_knot(const seen_knot *knot, bool is_right, cg_measures *measures)
{
    measures->knot = knot->report;
    cg_measure_set(measures, CG_MEASURE_knot_right, is_right, is_right ? -1 : measures->end);
    cg_measure_set(measures, CG_MEASURE_throws, knot->report.throw_count, -1);
    if (knot->tails[0] >= 0) {
        cg_measure_set(measures, CG_MEASURE_tail_length, knot->tails[0], measures->end);
        cg_measure_set(measures, CG_MEASURE_longest_tail, knot->tails[1], measures->end);
    }
}

static cg_status look_at_frame(const cg_recorded_frame *frame, int thread, const cg_goal_knot *goal,
                               const cg_allocator *allocator, seen_knot *seen, bool *is_seen)
{
    int count = frame->vertex_counts[thread];
    *is_seen = false;
    if (count < 2) {
        return cg_ok();
    }
    cg_vec3 *points = cg_memory_take(allocator, (size_t)count * sizeof *points);
    if (points == NULL) {
        return (cg_status){.code = CG_OUT_OF_MEMORY};
    }
    for (int i = 0; i < count; i++) {
        const float *x = &frame->vertices[thread][3 * i];
        points[i] = v3((double)x[0], (double)x[1], (double)x[2]);
    }
    *is_seen = look_at(goal, points, count, allocator, seen);
    cg_memory_give(allocator, points);
    return cg_ok();
}

// Right knots first, of the others those with more throws.
static bool is_better(const seen_knot *a, const seen_knot *b)
{
    return a->is_right != b->is_right ? a->is_right : a->report.throw_count > b->report.throw_count;
}

// The best knots of a frame, best first.
typedef struct best_knots {
    seen_knot of[CG_TASK_MOST_KNOTS];
    int count, wanted;
} best_knots;

static void keep_if_good(best_knots *best, const seen_knot *seen)
{
    bool is_full = best->count == best->wanted;
    if (is_full && !is_better(seen, &best->of[best->count - 1])) {
        return;
    }
    int place = is_full ? best->count - 1 : best->count++;
    for (; place > 0 && is_better(seen, &best->of[place - 1]); place--) {
        best->of[place] = best->of[place - 1];
    }
    best->of[place] = *seen;
}

// The worst of those that are wanted, and no knot when there are fewer; with the shortest and the longest of all tails.
static seen_knot sum_up(const best_knots *best)
{
    seen_knot sum = {.report = {.name = "0_1", .common = "no knot"}, .tails = {-1, -1}};
    if (best->count == best->wanted) {
        sum = best->of[best->count - 1];
    }
    for (int i = 0; i < best->count; i++) {
        sum.tails[0] = sum.tails[0] < 0 ? best->of[i].tails[0] : fmin(sum.tails[0], best->of[i].tails[0]);
        sum.tails[1] = fmax(sum.tails[1], best->of[i].tails[1]);
    }
    return sum;
}

static cg_status measure_knots(cg_recording *recording, const cg_recorded_frame *frame, const cg_goal_knot *goal,
                               const cg_allocator *allocator, cg_measures *measures)
{
    best_knots best = {.wanted = goal->count};
    cg_recorded_thread thread;
    for (int i = 0; cg_recording_thread(recording, i, &thread); i++) {
        seen_knot seen;
        bool is_seen;
        cg_status status = look_at_frame(frame, i, goal, allocator, &seen, &is_seen);
        if (status.code != CG_OK) {
            return status;
        }
        if (is_seen && seen.tails[0] >= 0) {
            keep_if_good(&best, &seen);
        }
    }
    seen_knot sum = sum_up(&best);
    set_knot(&sum, sum.is_right, measures);
    return cg_ok();
}

cg_status cg_measure_knot(cg_recording *recording, size_t index, const cg_goal_knot *goal,
                          const cg_allocator *allocator, cg_measures *measures)
{
    cg_recorded_frame frame;
    cg_status status = cg_recording_frame(recording, index, &frame);
    if (status.code == CG_OK && goal->count > 0) {
        return measure_knots(recording, &frame, goal, allocator, measures);
    }
    int thread = find_thread(recording, goal);
    seen_knot seen;
    bool is_seen = false;
    if (status.code == CG_OK && thread >= 0) { // else there is no thread, no knot: the measures stay unknown
        status = look_at_frame(&frame, thread, goal, allocator, &seen, &is_seen);
    }
    if (is_seen) {
        set_knot(&seen, seen.is_right, measures);
    }
    return status;
}

// The knots of a session: the best ones of all threads that the goal may mean.
cg_status cg_measure_knot_now(const cg_session *session, const cg_goal_knot *goal, const cg_allocator *allocator,
                              cg_measures *measures)
{
    const cg_scene *scene = cg_session_scene(session);
    best_knots best = {.wanted = goal->count > 0 ? goal->count : 1};
    int looked = 0;
    for (int i = 0; i < cg_scene_thread_count(scene) && (goal->count > 0 || looked == 0); i++) {
        bool is_meant = goal->thread == NULL || strcmp(goal->thread, cg_scene_thread_name(scene, i)) == 0;
        int count = 0;
        const cg_vec3 *points = cg_thread_positions(cg_session_world(session), cg_session_thread(session, i), &count);
        seen_knot seen;
        if (!is_meant || points == NULL) {
            continue;
        }
        looked++;
        if (look_at(goal, points, count, allocator, &seen) && (goal->count == 0 || seen.tails[0] >= 0)) {
            keep_if_good(&best, &seen);
        }
    }
    if (looked > 0) {
        seen_knot sum = sum_up(&best);
        set_knot(&sum, sum.is_right, measures);
    }
    return cg_ok();
}
