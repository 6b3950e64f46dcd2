// Follows a thread that moves.
//
// In every call the straight closure is drawn, in every other call another one too, and in every call one more picture
// of a search for the throws (knot/undo.h). The search looks at a copy of the thread, since its
// pictures must all be of one shape; when it ends a new copy is taken. What it found counts as long as the knot is made
// of the same parts.
//
// Nothing that is kept depends on the number of points, which may change from call to call: what is compared is the
// order of crossings.
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "knot/throws.h"
#include "knot/vote.h"

enum {
    LIVE_CROSSINGS = 400, // room of a tracker
    REMEMBERED = 64       // pictures whose knots a tracker knows
};

struct cg_knot_tracker {
    cg_allocator allocator;
    cg_reader reader;
    cg_reading current[CG_CLOSURE_COUNT];
    bool valid[CG_CLOSURE_COUNT];
    cg_reading remembered[REMEMBERED];
    int remembered_count, next_slot;
    long long calls, computed;
    cg_vec3 *copy;
    int copy_count;
    bool searching;
    cg_throw_search search; // in the copy
    cg_reading searched;    // the knot of the copy
    bool told;              // a search has ended
    cg_reading told_knot;   // the knot it was made for
    cg_knot_report throws;  // its throws and the name for people
};

static void tracker_layout(cg_knot_tracker **tracker, int max_points, cg_arena *arena)
{
    *tracker = cg_arena_push_array(arena, cg_knot_tracker, 1);
    cg_vec3 *copy = cg_arena_push_array(arena, cg_vec3, max_points);
    cg_reader reader;
    cg_reader_layout(*tracker ? &(*tracker)->reader : &reader, max_points, LIVE_CROSSINGS, arena);
    if (*tracker) {
        (*tracker)->copy = copy;
    }
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

// One picture of the search, or the start of a new one.
static void search_throws(cg_knot_tracker *t, const cg_vec3 *points, int count, const cg_reading *knot)
{
    if (t->searching && !cg_readings_agree(&t->searched, knot)) {
        t->searching = false; // another knot by now
    }
    if (!t->searching) {
        if (!cg_reading_has_throws(knot)) {
            return;
        }
        memcpy(t->copy, points, (size_t)count * sizeof *points);
        t->searched = *knot;
        t->searching = true;
        t->copy_count = count;
        cg_throw_search_begin(&t->search, t->copy, count, knot);
    }
    if (!cg_throw_search_step(&t->search, &t->reader)) {
        t->searching = false;
        t->told = true;
        t->told_knot = t->searched;
        cg_throw_row row;
        cg_reading_tell(knot, &t->throws);
        t->throws.throw_count = 0;
        t->throws.throws_text[0] = 0;
        if (cg_throw_search_end(&t->search, &row)) {
            cg_throws_tell(&row, t->copy, t->copy_count, &t->throws);
        } else if (row.separate) {
            cg_throws_tell_separate(knot, &t->throws);
        }
    }
}

// Adds the throws to a report when they belong to this knot.
static void tell_throws(const cg_knot_tracker *t, const cg_reading *knot, cg_knot_report *report)
{
    if (t->told && cg_readings_agree(&t->told_knot, knot)) {
        report->throw_count = t->throws.throw_count;
        memcpy(report->throws, t->throws.throws, sizeof report->throws);
        memcpy(report->throws_text, t->throws.throws_text, sizeof report->throws_text);
        memcpy(report->common, t->throws.common, sizeof report->common);
    }
}

cg_status cg_knot_tracker_update(cg_knot_tracker *tracker, const cg_vec3 *points, int count, cg_knot_report *report)
{
    memset(report, 0, sizeof *report);
    cg_status status = cg_knot_check_points(points, count, 2);
    if (status.code != CG_OK) {
        return status;
    }
    if (count > tracker->reader.point_room) {
        return cg_error(CG_FULL, "found %d points, expected at most %d", count, tracker->reader.point_room);
    }
    if (tracker->calls == 0) {
        // The first time, look from all sides at once.
        for (int i = 0; i < CG_CLOSURE_COUNT; i++) {
            refresh(tracker, points, count, (cg_closure)i);
        }
    } else {
        refresh(tracker, points, count, CG_CLOSURE_STRAIGHT);
        if (tracker->calls % 2 == 0) {
            int turn = (int)(tracker->calls / 2 % (CG_CLOSURE_COUNT - 1));
            refresh(tracker, points, count, (cg_closure)(turn + (turn >= CG_CLOSURE_STRAIGHT)));
        }
    }
    tracker->calls++;
    const cg_reading *knot = cg_readings_tell(tracker->current, CG_CLOSURE_COUNT, report);
    if (knot) {
        search_throws(tracker, points, count, knot);
        tell_throws(tracker, knot, report);
    }
    return cg_ok();
}
