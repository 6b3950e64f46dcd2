#include "task/knots.h"

#include <string.h>

#include "base/memory.h"
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

static void set_knot(const cg_goal_knot *goal, const cg_vec3 *points, int count, const cg_allocator *allocator,
                     cg_measures *measures)
{
    double tails[2];
    if (!name_points(points, count, allocator, &measures->knot)) {
        return;
    }
    bool right = cg_knot_is(&measures->knot, goal->name);
    cg_measure_set(measures, CG_MEASURE_knot_right, right, right ? -1 : measures->end);
    cg_measure_set(measures, CG_MEASURE_throws, measures->knot.throw_count, -1);
    if (cg_knot_tails(points, count, allocator, tails)) {
        bool start_is_shorter = tails[0] < tails[1];
        cg_measure_set(measures, CG_MEASURE_tail_length, tails[!start_is_shorter], measures->end);
        cg_measure_set(measures, CG_MEASURE_longest_tail, tails[start_is_shorter], measures->end);
    }
}

cg_status cg_measure_knot(cg_recording *recording, size_t index, const cg_goal_knot *goal,
                          const cg_allocator *allocator, cg_measures *measures)
{
    cg_recorded_frame frame;
    cg_status status = cg_recording_frame(recording, index, &frame);
    int thread = find_thread(recording, goal);
    int count = status.code == CG_OK && thread >= 0 ? frame.vertex_counts[thread] : 0;
    if (count < 2) {
        return status; // no thread, no knot: the measures stay unknown
    }
    cg_vec3 *points = cg_memory_take(allocator, (size_t)count * sizeof *points);
    if (points == NULL) {
        return (cg_status){.code = CG_OUT_OF_MEMORY};
    }
    for (int i = 0; i < count; i++) {
        const float *x = &frame.vertices[thread][3 * i];
        points[i] = v3((double)x[0], (double)x[1], (double)x[2]);
    }
    set_knot(goal, points, count, allocator, measures);
    cg_memory_give(allocator, points);
    return status;
}
