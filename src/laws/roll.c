// Friction acts at the surface, one radius from the axis, and turns a thread about its tangent.
//
// A touch has its normal n from side 1 to side 0, so the surface of side 0 is at -r0 n from its axis, that of side 1 at
// +r1 n. When the material turns by a0 about the tangent t0 and by a1 about t1, the surfaces move by a0 t0 x (-r0 n)
// and a1 t1 x (r1 n). Side 0 against side 1:
//
//     slip = (motion of the axes) + arm0 a0 + arm1 a1,      arm = r n x t    for both sides
//
// and a force f on side 0 (-f on side 1) has the torque arm . f about the tangent of each side: the same arms, so
// friction turns by as much as turning slips, and the power of a touch is force times slip. An arm lies across the
// normal: closing and opening stay as they are.
//
// The turns follow from the torques by the springs of thread/roll.c. With G the turns of segments for unit torques,
// touches a and b on one thread get
//
//     Q_ab += arm_a G(a, b) arm_b^T
//
// G(a, b) is the compliance of the later segment, times the shares with which each segment before it goes along. The
// sum is symmetric and positive like the rest of Q.
#include "laws/roll.h"

#include <string.h>

#include "base/vec3.h"
#include "thread/roll.h"

// The rolling thread of a side, or NULL.
static cg_thread *rolling_thread(const cg_touch_set *set, const cg_touch *touch, int side)
{
    int chain = touch_thread(touch, side);
    return chain >= 0 && set->cast.threads[chain]->rolling ? set->cast.threads[chain] : NULL;
}

static cg_vec3 arm_of(const cg_thread *thread, const cg_touch *touch, int side)
{
    return v3_scale(thread->radius, v3_cross(touch->axes[0], thread->shape.tangent[touch_segment(touch, side)]));
}

cg_vec3 cg_touch_roll_move(const cg_touch_set *set, const cg_touch *touch)
{
    cg_vec3 move = v3_zero();
    for (int side = 0; side < 2; side++) {
        const cg_thread *thread = rolling_thread(set, touch, side);
        if (thread != NULL) {
            move = v3_add_scaled(move, thread->turn[touch_segment(touch, side)], arm_of(thread, touch, side));
        }
    }
    return move;
}

cg_vec3 cg_touch_roll_so_far(const cg_touch_set *set, const cg_touch *touch)
{
    cg_vec3 moved = v3_zero();
    for (int side = 0; side < 2; side++) {
        const cg_thread *thread = rolling_thread(set, touch, side);
        if (thread != NULL) {
            int segment = touch_segment(touch, side);
            double turned = thread->shape.angle[segment] - thread->start_angle[segment];
            moved = v3_add_scaled(moved, turned, arm_of(thread, touch, side));
        }
    }
    return moved;
}

void cg_touch_roll_push(cg_touch_set *set)
{
    for (int c = 0; c < set->cast.thread_count; c++) {
        cg_thread *thread = set->cast.threads[c];
        if (is_solved(set, c)) {
            memset(thread->contact_torque, 0, sizeof(double) * (size_t)thread->segment_count);
        }
    }
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        for (int side = 0; touch->working && side < 2; side++) {
            cg_thread *thread = rolling_thread(set, touch, side);
            if (thread != NULL && is_solved(set, touch_mover(set, touch, side))) {
                double torque = v3_dot(arm_of(thread, touch, side), touch->force);
                thread->contact_torque[touch_segment(touch, side)] += torque;
            }
        }
    }
}

// The points of one thread, highest segment first. Nearly sorted as they come.
static int gather_points(const cg_touch_set *set, int chain)
{
    int count = 0;
    const cg_thread *thread = set->cast.threads[chain];
    for (int w = set->problem.working_count - 1; w >= 0; w--) {
        const cg_touch *touch = &set->rows.touches[set->problem.working[w]];
        for (int side = 0; side < 2; side++) {
            if (touch_thread(touch, side) != chain) {
                continue;
            }
            int at = count++, segment = touch_segment(touch, side);
            cg_vec3 arm = arm_of(thread, touch, side);
            cg_roll_point point = {segment, w, {v3_dot(arm, touch->axes[1]), v3_dot(arm, touch->axes[2])}};
            for (; at > 0 && set->problem.roll_points[at - 1].segment < segment; at--) {
                set->problem.roll_points[at] = set->problem.roll_points[at - 1];
            }
            set->problem.roll_points[at] = point;
        }
    }
    return count;
}

// Adds G times the arms of two points where their two touches meet in Q.
static void add_block(cg_touch_set *set, const cg_roll_point *a, const cg_roll_point *b, double turn)
{
    size_t columns = 3 * (size_t)set->problem.working_count;
    double *block = set->problem.coupling + (size_t)(3 * a->touch + 1) * columns + (size_t)(3 * b->touch + 1);
    for (int r = 0; r < 2; r++) {
        block[(size_t)r * columns] += turn * a->arm[r] * b->arm[0];
        block[(size_t)r * columns + 1] += turn * a->arm[r] * b->arm[1];
    }
}

void cg_touch_roll_couple(cg_touch_set *set)
{
    for (int c = 0; c < set->cast.thread_count; c++) {
        const cg_thread *thread = set->cast.threads[c];
        int count = thread->rolling ? gather_points(set, c) : 0;
        for (int a = 0; a < count; a++) {
            const cg_roll_point *first = &set->problem.roll_points[a];
            double turn = cg_roll_compliance(thread, first->segment);
            add_block(set, first, first, turn);
            for (int b = a + 1, segment = first->segment; b < count; b++) {
                const cg_roll_point *second = &set->problem.roll_points[b];
                for (; segment > second->segment; segment--) {
                    turn *= cg_roll_share_before(thread, segment);
                }
                add_block(set, first, second, turn);
                add_block(set, second, first, turn);
            }
        }
    }
}
