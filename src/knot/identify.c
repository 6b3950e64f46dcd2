// The public calls: one look at threads of any shape, and the tracker of a thread that moves.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"
#include "catgut/knot.h"
#include "knot/joined.h"
#include "knot/reader.h"
#include "knot/throws.h"

enum {
    FULL_CROSSINGS = 1200, // room of a single look
    LIVE_CROSSINGS = 400,  // room of a tracker
    REMEMBERED = 64        // pictures whose knots a tracker knows
};

static cg_status check_points(const cg_vec3 *points, int count, int least)
{
    if (!points || count < least) {
        return cg_error(CG_BAD_INPUT, "found a thread of %d points, expected at least %d", points ? count : 0, least);
    }
    for (int i = 0; i < count; i++) {
        if (!v3_is_finite(points[i]) || fabs(points[i].x) > 1e9 || fabs(points[i].y) > 1e9 || fabs(points[i].z) > 1e9) {
            return cg_error(CG_BAD_INPUT, "point %d of the thread is not finite, or farther than 1e9 m", i);
        }
    }
    return cg_ok();
}

// The reading that most others agree with, the straight closure before others. Returns its number, -1 for none.
static int vote(const cg_reading *readings, int count, int *agreeing)
{
    static const int order[CG_CLOSURE_COUNT] = {CG_CLOSURE_STRAIGHT, CG_CLOSURE_RADIAL, CG_CLOSURE_VIEWER,
                                                CG_CLOSURE_VIEWER_2, CG_CLOSURE_VIEWER_3};
    int best = -1;
    *agreeing = 0;
    for (int k = 0; k < CG_CLOSURE_COUNT; k++) {
        int i = count == CG_CLOSURE_COUNT ? order[k] : k;
        if (i >= count || !readings[i].readable) {
            continue;
        }
        int same = 0;
        for (int j = 0; j < count; j++) {
            same += cg_readings_agree(&readings[i], &readings[j]);
        }
        // A reading that could not be named in full agrees with none but itself: worth less than any other.
        if (best < 0 || same > *agreeing || (!readings[best].complete && readings[i].complete)) {
            best = i;
            *agreeing = same;
        }
    }
    return best;
}

// Fills all of a report but the throws. Returns the reading that was chosen, NULL when none could be made.
static const cg_reading *tell(const cg_reading *readings, int count, cg_knot_report *report)
{
    memset(report, 0, sizeof *report);
    int best = vote(readings, count, &report->agreeing);
    report->ways = count;
    if (best < 0) {
        cg_reading none = {.determinant = UINT64_MAX};
        cg_reading_tell(&none, report);
        return NULL;
    }
    cg_reading_tell(&readings[best], report);
    report->certain = report->agreeing == count;
    for (int i = 0; i < count; i++) {
        report->certain = report->certain && readings[i].proven;
    }
    return &readings[best];
}

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

// Ends that nearly meet, as those of a loop that was cut, belong together: nearer than twice the mean segment.
static bool ends_meet(const cg_knot_thread *thread)
{
    double length = 0;
    for (int i = 1; i < thread->count; i++) {
        length += v3_distance(thread->points[i - 1], thread->points[i]);
    }
    return thread->count > 3 &&
           v3_distance(thread->points[0], thread->points[thread->count - 1]) < 2 * length / (thread->count - 1);
}

static cg_status identify_one(cg_reader *reader, const cg_knot_thread *thread, cg_knot_report *report)
{
    cg_reading readings[CG_CLOSURE_COUNT];
    bool closed = thread->closed || ends_meet(thread);
    int ways = closed ? 1 : CG_CLOSURE_COUNT, readable = 0;
    for (int i = 0; i < ways; i++) {
        look(reader, thread->points, thread->count, closed, (cg_closure)i, &readings[i]);
        readable += readings[i].readable;
    }
    const cg_reading *chosen = tell(readings, ways, report);
    cg_throw_row row;
    if (chosen && !closed) {
        if (cg_throws_find(reader, thread->points, thread->count, chosen, &row)) {
            cg_throws_tell(&row, thread->points, thread->count, report);
        } else if (row.separate) {
            snprintf(report->common, sizeof report->common, "%d knots in a row", chosen->factor_count);
        }
    }
    if (readable == 0 && reader->picture.crossing_count < reader->crossing_room) {
        return cg_error(CG_BAD_INPUT, "the thread touches itself: over and under cannot be told");
    }
    return cg_ok();
}

cg_status cg_knot_identify(const cg_knot_thread *threads, int thread_count, const cg_allocator *allocator,
                           cg_knot_report *report)
{
    memset(report, 0, sizeof *report);
    if (!threads || thread_count < 1 || thread_count > CG_KNOT_MAX_THREADS) {
        return cg_error(CG_BAD_INPUT, "found %d threads, expected 1 or 2", threads ? thread_count : 0);
    }
    int total = 0;
    for (int i = 0; i < thread_count; i++) {
        cg_status status = check_points(threads[i].points, threads[i].count, threads[i].closed ? 3 : 2);
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
    if (thread_count == 1) {
        status = identify_one(&reader, &threads[0], report);
    } else {
        status = cg_joined_identify(&reader, threads, joined, report);
    }
    cg_memory_give(allocator, joined);
    cg_memory_give(allocator, memory);
    return status;
}

struct cg_knot_tracker {
    cg_allocator allocator;
    cg_reader reader;
    cg_reading current[CG_CLOSURE_COUNT];
    bool valid[CG_CLOSURE_COUNT];
    cg_reading remembered[REMEMBERED];
    int remembered_count, next_slot;
    long long calls, computed;
    int count; // points of the thread
};

static void tracker_layout(cg_knot_tracker **tracker, int max_points, cg_arena *arena)
{
    *tracker = cg_arena_push_array(arena, cg_knot_tracker, 1);
    cg_reader reader;
    cg_reader_layout(*tracker ? &(*tracker)->reader : &reader, max_points, LIVE_CROSSINGS, arena);
}

cg_status cg_knot_tracker_create(int max_points, const cg_allocator *allocator, cg_knot_tracker **tracker)
{
    *tracker = NULL;
    if (max_points < 2 || max_points > CG_KNOT_MAX_POINTS) {
        return cg_error(CG_BAD_INPUT, "found room for %d points, expected 2 to %d", max_points, CG_KNOT_MAX_POINTS);
    }
    cg_allocator own = allocator ? *allocator : cg_memory_default();
    cg_arena arena;
    cg_knot_tracker *made;
    cg_arena_init(&arena, NULL, 0);
    tracker_layout(&made, max_points, &arena);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(&own, bytes);
    if (!memory) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a knot tracker of %d points", max_points);
    }
    cg_arena_init(&arena, memory, bytes);
    tracker_layout(&made, max_points, &arena);
    made->allocator = own;
    cg_reader_start(&made->reader);
    made->reader.budget = 400000;
    made->reader.stir_rounds = 3;
    *tracker = made;
    return cg_ok();
}

void cg_knot_tracker_destroy(cg_knot_tracker *tracker)
{
    if (tracker) {
        cg_allocator allocator = tracker->allocator;
        cg_memory_give(&allocator, tracker);
    }
}

long long cg_knot_tracker_computed(const cg_knot_tracker *tracker)
{
    return tracker->computed;
}

// Brings one closure up to date.
static void refresh(cg_knot_tracker *t, const cg_vec3 *points, int count, cg_closure closure)
{
    cg_reading fresh;
    if (!cg_reader_draw(&t->reader, points, count, false, closure, false, &fresh)) {
        t->valid[closure] = false;
        t->current[closure] = fresh;
        return;
    }
    if (t->valid[closure] && t->current[closure].code == fresh.code) {
        return;
    }
    for (int i = 0; i < t->remembered_count; i++) {
        if (t->remembered[i].code == fresh.code) {
            t->current[closure] = t->remembered[i];
            t->valid[closure] = true;
            return;
        }
    }
    cg_reader_read(&t->reader, &fresh);
    t->computed++;
    t->current[closure] = fresh;
    t->valid[closure] = true;
    t->remembered[t->next_slot] = fresh;
    t->next_slot = (t->next_slot + 1) % REMEMBERED;
    t->remembered_count += t->remembered_count < REMEMBERED;
}

cg_status cg_knot_tracker_update(cg_knot_tracker *tracker, const cg_vec3 *points, int count, cg_knot_report *report)
{
    memset(report, 0, sizeof *report);
    cg_status status = check_points(points, count, 2);
    if (status.code != CG_OK) {
        return status;
    }
    if (count > tracker->reader.point_room) {
        return cg_error(CG_FULL, "found %d points, expected at most %d", count, tracker->reader.point_room);
    }
    if (count != tracker->count) {
        // Another thread, or the same one with new points: look from all sides at once.
        tracker->count = count;
        memset(tracker->valid, 0, sizeof tracker->valid);
        for (int i = 0; i < CG_CLOSURE_COUNT; i++) {
            refresh(tracker, points, count, (cg_closure)i);
        }
    } else {
        // The straight closure in every call, the others in turn.
        int turn = (int)(tracker->calls % (CG_CLOSURE_COUNT - 1));
        refresh(tracker, points, count, CG_CLOSURE_STRAIGHT);
        refresh(tracker, points, count, (cg_closure)(turn + (turn >= CG_CLOSURE_STRAIGHT)));
    }
    tracker->calls++;
    tell(tracker->current, CG_CLOSURE_COUNT, report);
    return cg_ok();
}
