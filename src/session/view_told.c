// What a view follows beside the world: where a recording told shapes, hands and camera to be, and the knots in
// threads.
#include <string.h>

#include "base/memory.h"
#include "session/view_parts.h"

enum { MOST_NAMED_THREADS = 16 };

void cg_view_note(cg_session_view *view, const cg_operation *operation)
{
    if (operation == NULL) {
        memset(view->told_shapes, 0, (size_t)view->shape_count * sizeof *view->told_shapes);
        memset(view->told_hands, 0, (size_t)view->hand_count * sizeof *view->told_hands);
        view->has_told_camera = false;
        return;
    }
    if (operation->kind == CG_OPERATION_move_shape) {
        const cg_operation_move_shape *move = &operation->as.move_shape;
        if (move->shape >= 0 && move->shape < view->shape_count) {
            view->told_shapes[move->shape] = (cg_told_pose){.known = true, .pose = {move->position, move->rotation}};
        }
    } else if (operation->kind == CG_OPERATION_move_hand) {
        const cg_operation_move_hand *move = &operation->as.move_hand;
        if (move->hand >= 0 && move->hand < view->hand_count) {
            view->told_hands[move->hand].known = true;
            view->told_hands[move->hand].pose = (cg_transform){move->position, move->rotation};
        }
    } else if (operation->kind == CG_OPERATION_close_hand || operation->kind == CG_OPERATION_open_hand) {
        bool closes = operation->kind == CG_OPERATION_close_hand;
        int hand = closes ? operation->as.close_hand.hand : operation->as.open_hand.hand;
        if (hand >= 0 && hand < view->hand_count) {
            view->told_hands[hand].closed = closes;
        }
    } else if (operation->kind == CG_OPERATION_hand_tool) {
        const cg_operation_hand_tool *take = &operation->as.hand_tool;
        if (take->hand >= 0 && take->hand < view->hand_count) {
            cg_told_pose *told = &view->told_hands[take->hand];
            told->has_tool = true;
            told->tool = take->tool;
            told->closed = false;
        }
    } else if (operation->kind == CG_OPERATION_move_camera) {
        const cg_operation_move_camera *move = &operation->as.move_camera;
        view->told_camera = (cg_camera){.position = move->position, .target = move->target, .up = move->up};
        view->has_told_camera = true;
    }
}

// Knots

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
    for (int i = 0; i < view->thread_count; i++) {
        cg_knot_tracker_destroy(view->threads[i].tracker);
        view->threads[i].tracker = NULL;
        view->threads[i].has_knot = false;
    }
}

void cg_view_name_recorded(cg_session_view *view, const cg_recorded_frame *recorded)
{
    for (int i = 0; i < view->thread_count && i < recorded->thread_count && i < MOST_NAMED_THREADS; i++) {
        cg_viewed_thread *thread = &view->threads[i];
        int count = recorded->vertex_counts[i];
        cg_vec3 *points = count >= 2 ? cg_memory_take(&view->allocator, (size_t)count * sizeof *points) : NULL;
        if (points == NULL || !cg_view_make_room(view, thread, count, thread->edits)) {
            thread->has_knot = false;
            cg_memory_give(&view->allocator, points);
            continue;
        }
        for (int v = 0; v < count; v++) {
            const float *at = &recorded->vertices[i][3 * v];
            points[v] = (cg_vec3){at[0], at[1], at[2]};
        }
        name_knot(view, thread, points, count);
        cg_memory_give(&view->allocator, points);
    }
}

bool cg_view_name_knots(cg_session_view *view, int *first)
{
    bool changed = false;
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
        if (name_knot(view, &view->threads[i], points, count) && !changed) {
            changed = true;
            if (first != NULL) {
                *first = i;
            }
        }
    }
    return changed;
}
