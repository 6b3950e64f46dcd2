// One look at threads of any shape.
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"
#include "catgut/knot.h"
#include "knot/determinant.h"
#include "knot/joined.h"
#include "knot/reader.h"
#include "knot/throws.h"
#include "knot/vote.h"

enum { FULL_CROSSINGS = 1200 }; // room of a look

// One closure in full: as it is, and when that leaves questions once more with all vertices taken out that can be
// missed.
static void look(cg_reader *reader, const cg_vec3 *points, int count, bool closed, cg_closure closure,
                 cg_reading *reading)
{
    if (cg_reader_draw(reader, points, count, closed, closure, false, reading)) {
        cg_reader_read(reader, reading);
        if (reading->proven) {
            return;
        }
    }
    cg_reading second;
    if (cg_reader_draw(reader, points, count, closed, closure, true, &second)) {
        cg_reader_read(reader, &second);
        if (second.proven || !reading->readable) {
            *reading = second;
        }
    }
}

// Ends that nearly meet, as those of a loop that was cut, belong together: nearer than twice the mean segment, and than
// an eighth of the way to the point farthest off, so that it is no accident in a thread of few points.
static bool ends_meet(const cg_knot_thread *thread)
{
    double length = 0, reach = 0;
    for (int i = 1; i < thread->count; i++) {
        length += v3_distance(thread->points[i - 1], thread->points[i]);
        double distance = v3_distance(thread->points[0], thread->points[i]);
        reach = distance > reach ? distance : reach;
    }
    double gap = v3_distance(thread->points[0], thread->points[thread->count - 1]);
    return thread->count > 3 && gap < 2 * length / (thread->count - 1) && gap < reach / 8;
}

static cg_status identify_one(cg_reader *reader, const cg_knot_thread *thread, cg_throw_row *row,
                              cg_knot_report *report)
{
    cg_reading readings[CG_CLOSURE_COUNT];
    bool closed = thread->closed || ends_meet(thread);
    int ways = closed ? 1 : CG_CLOSURE_COUNT, readable = 0;
    for (int i = 0; i < ways; i++) {
        look(reader, thread->points, thread->count, closed, (cg_closure)i, &readings[i]);
        readable += readings[i].readable;
    }
    const cg_reading *chosen = cg_readings_tell(readings, ways, report);
    row->count = 0;
    if (chosen && !closed) {
        if (cg_throws_find(reader, thread->points, thread->count, chosen, row)) {
            cg_throws_tell(row, thread->points, thread->count, report);
            report->loop[0] = row->front[0];
            report->loop[1] = row->back[0];
        } else if (row->separate) {
            cg_throws_tell_separate(chosen, report);
        }
    }
    if (readable == 0 && reader->picture.crossing_count < reader->crossing_room) {
        return cg_error(CG_BAD_INPUT, "the thread touches itself: over and under cannot be told");
    }
    return cg_ok();
}

// How often the loop that the innermost throw closes goes around a post: that of the thread between both strands of the
// throw. The post goes on beyond its ends the way they point. `room` has space for two points more than the post.
static cg_status loop_around(const cg_knot_thread *thread, const cg_throw_row *row, const cg_knot_thread *post,
                             const cg_allocator *allocator, cg_vec3 *room, int *linking)
{
    const cg_vec3 *p = post->points;
    int last = post->count - 1;
    double far = v3_distance(p[0], p[last]) + v3_distance(p[0], thread->points[0]) +
                 v3_distance(p[0], thread->points[thread->count - 1]);
    memcpy(room + 1, p, (size_t)post->count * sizeof *p);
    room[0] = v3_add_scaled(p[0], 4 * far, v3_unit_or(v3_sub(p[0], p[1]), v3(1, 0, 0)));
    room[last + 2] = v3_add_scaled(p[last], 4 * far, v3_unit_or(v3_sub(p[last], p[last - 1]), v3(1, 0, 0)));
    cg_point_chain loop = {thread->points + row->front[0], row->back[0] - row->front[0] + 1, true};
    cg_point_chain around = {room, post->count + 2, false};
    *linking = 0;
    return loop.count < 3 ? cg_ok() : cg_knot_linking(loop, around, allocator, linking);
}

// A thread tied around a post. Knotted in itself, that is its name, and it is told whether the post is in its loop.
// Otherwise it may be hitched to the post: wound around it as around the other thread of a pair.
static cg_status identify_around(cg_reader *reader, const cg_knot_thread *threads, const cg_allocator *allocator,
                                 cg_vec3 *joined, cg_knot_report *report)
{
    const cg_knot_thread *thread = &threads[threads[0].fixed], *post = &threads[!threads[0].fixed];
    cg_throw_row row;
    if (post->closed) {
        return cg_error(CG_BAD_INPUT, "found a closed post, expected one with two ends");
    }
    cg_status status = identify_one(reader, thread, &row, report);
    if (status.code == CG_OK && row.count > 0) {
        return loop_around(thread, &row, post, allocator, joined, &report->linking);
    }
    if (status.code != CG_OK || thread->closed || strcmp(report->name, "0_1") != 0) {
        return status;
    }
    cg_knot_thread pair[2] = {*thread, *post};
    return cg_joined_identify(reader, pair, joined, report);
}

cg_status cg_knot_identify(const cg_knot_thread *threads, int thread_count, const cg_allocator *allocator,
                           cg_knot_report *report)
{
    memset(report, 0, sizeof *report);
    if (!threads || thread_count < 1 || thread_count > CG_KNOT_MAX_THREADS) {
        return cg_error(CG_BAD_INPUT, "found %d threads, expected 1 or 2", threads ? thread_count : 0);
    }
    if (threads[0].fixed && (thread_count == 1 || threads[1].fixed)) {
        return cg_error(CG_BAD_INPUT, "found a post alone, expected a thread tied around it");
    }
    int total = 0;
    for (int i = 0; i < thread_count; i++) {
        cg_status status = cg_knot_check_points(threads[i].points, threads[i].count, threads[i].closed ? 3 : 2);
        if (status.code != CG_OK) {
            return status;
        }
        if (threads[i].count > CG_KNOT_MAX_POINTS - total) {
            return cg_error(CG_BAD_INPUT, "found more than %d points, expected fewer", CG_KNOT_MAX_POINTS);
        }
        total += threads[i].count;
    }
    cg_allocator usual = cg_memory_default();
    allocator = allocator ? allocator : &usual;
    cg_reader reader;
    void *memory = cg_reader_take(&reader, total + CG_JOINED_POINTS, FULL_CROSSINGS, allocator);
    cg_vec3 *joined =
        memory ? (cg_vec3 *)cg_memory_take(allocator, ((size_t)total + CG_JOINED_POINTS) * sizeof *joined) : NULL;
    if (!joined) {
        cg_memory_give(allocator, memory);
        return cg_error(CG_OUT_OF_MEMORY, "no memory to name the knot of %d points", total);
    }
    cg_status status;
    cg_throw_row row;
    if (thread_count == 1) {
        status = identify_one(&reader, &threads[0], &row, report);
    } else if (threads[0].fixed || threads[1].fixed) {
        status = identify_around(&reader, threads, allocator, joined, report);
    } else {
        status = cg_joined_identify(&reader, threads, joined, report);
    }
    cg_memory_give(allocator, joined);
    cg_memory_give(allocator, memory);
    return status;
}
