// The knots of a view: each thread by a tracker that follows it, and two threads that are tied to each other together.
//
// A tracker follows one thread for little; each strand of a reef of two threads is unknotted by itself. Two are looked
// at from their shapes alone, which costs some milliseconds, so only now and then.
#include <string.h>

#include "base/memory.h"
#include "protocol/view_parts.h"

enum {
    MOST_NAMED_THREADS = 16,
    PAIR_PAUSE = 16, // looks at the threads from one look at both together to the next: half a second of a server
};

static bool name_knot(cg_session_view *view, cg_viewed_thread *thread, const cg_vec3 *points, int count)
{
    if (thread->tracker == NULL || thread->tracker_points < count) {
        cg_knot_tracker_destroy(thread->tracker);
        thread->tracker_points = thread->room;
        if (cg_knot_tracker_create(thread->room, &view->allocator, &thread->tracker).code != CG_OK) {
            thread->tracker = NULL;
            return false;
        }
    }
    cg_knot_report report;
    if (cg_knot_tracker_update(thread->tracker, points, count, &report).code != CG_OK) {
        return false;
    }
    bool changed = thread->has_knot && strcmp(report.name, thread->knot.name) != 0;
    thread->knot = report;
    thread->has_knot = true;
    return changed;
}

// Forgets knots and how they were tied: what is shown next has nothing to do with what was shown before.
void cg_view_forget_knots(cg_session_view *view)
{
    view->pair = (cg_viewed_pair){.looks = 0};
    for (int i = 0; i < view->thread_count; i++) {
        cg_knot_tracker_destroy(view->threads[i].tracker);
        view->threads[i].tracker = NULL;
        view->threads[i].has_knot = false;
    }
}

// Two threads together, when it is their turn. A pair that is not linked has nothing to be called by. True when it has
// another name than before.
static bool name_pair(cg_session_view *view, const cg_knot_thread *threads)
{
    cg_viewed_pair *pair = &view->pair;
    if (pair->looks++ % PAIR_PAUSE != 0) {
        return false;
    }
    cg_knot_report before = pair->knot;
    bool had = pair->is_tied;
    pair->is_tied = cg_knot_identify(threads, CG_KNOT_MAX_THREADS, &view->allocator, &pair->knot).code == CG_OK &&
                    pair->knot.common[0] != '\0' && pair->knot.crossings > 0;
    return had != pair->is_tied || (had && strcmp(before.name, pair->knot.name) != 0);
}

// The points of a thread of a recording, to be given back; NULL: it is not there, or there is no memory.
static cg_vec3 *points_of(const cg_session_view *view, const cg_recorded_frame *recorded, int thread)
{
    int count = recorded->vertex_counts[thread];
    cg_vec3 *points = count >= 2 ? cg_memory_take(&view->allocator, (size_t)count * sizeof *points) : NULL;
    for (int v = 0; v < count && points != NULL; v++) {
        const float *at = &recorded->vertices[thread][3 * v];
        points[v] = (cg_vec3){at[0], at[1], at[2]};
    }
    return points;
}

void cg_view_name_recorded(cg_session_view *view, const cg_recorded_frame *recorded)
{
    int count = view->thread_count < recorded->thread_count ? view->thread_count : recorded->thread_count;
    cg_knot_thread threads[MOST_NAMED_THREADS] = {{.points = NULL}};
    cg_vec3 *points[MOST_NAMED_THREADS] = {NULL};
    count = count < MOST_NAMED_THREADS ? count : MOST_NAMED_THREADS;
    for (int i = 0; i < count; i++) {
        cg_viewed_thread *thread = &view->threads[i];
        points[i] = points_of(view, recorded, i);
        threads[i] = (cg_knot_thread){.points = points[i], .count = recorded->vertex_counts[i]};
        if (points[i] == NULL || !cg_view_make_room(view, thread, threads[i].count, thread->edits)) {
            thread->has_knot = false;
            continue;
        }
        name_knot(view, thread, points[i], threads[i].count);
    }
    if (count == CG_KNOT_MAX_THREADS && points[0] != NULL && points[1] != NULL) {
        name_pair(view, threads);
    }
    for (int i = 0; i < count; i++) {
        cg_memory_give(&view->allocator, points[i]);
    }
}

bool cg_view_name_knots(cg_session_view *view, int *first)
{
    int changed = -1, named = 0;
    cg_knot_thread threads[CG_KNOT_MAX_THREADS];
    for (int i = 0; i < view->thread_count && i < MOST_NAMED_THREADS; i++) {
        int count;
        const cg_world *world = cg_session_world(view->session);
        cg_thread_id id = cg_session_thread(view->session, i);
        const cg_vec3 *points = cg_thread_positions(world, id, &count);
        if (points == NULL ||
            !cg_view_make_room(view, &view->threads[i], count, cg_thread_topology_version(world, id))) {
            view->threads[i].has_knot = false;
            continue;
        }
        if (named < CG_KNOT_MAX_THREADS) {
            threads[named] = (cg_knot_thread){.points = points, .count = count};
        }
        named++;
        if (name_knot(view, &view->threads[i], points, count) && changed < 0) {
            changed = i;
        }
    }
    bool is_pair = named == CG_KNOT_MAX_THREADS && view->thread_count == CG_KNOT_MAX_THREADS;
    view->pair.is_tied = view->pair.is_tied && is_pair;
    if (is_pair && name_pair(view, threads) && changed < 0) {
        changed = 0;
    }
    if (first != NULL && changed >= 0) {
        *first = changed;
    }
    return changed >= 0;
}

const cg_knot_report *cg_view_knot_of(const cg_session_view *view, int thread)
{
    const cg_viewed_thread *viewed = &view->threads[thread];
    return !viewed->has_knot ? NULL : view->pair.is_tied ? &view->pair.knot : &viewed->knot;
}
