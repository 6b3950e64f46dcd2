// What a view follows beside the world: where a recording told shapes, hands and camera to be.
#include <string.h>

#include "base/memory.h"
#include "protocol/view_parts.h"

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
    } else if (operation->kind == CG_OPERATION_set_jaws) {
        const cg_operation_set_jaws *set = &operation->as.set_jaws;
        if (set->hand >= 0 && set->hand < view->hand_count) {
            view->told_hands[set->hand].closed = set->opening == 0;
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
