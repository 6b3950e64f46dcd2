#include "island/turns.h"

#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "island/solve.h"
#include "laws/joint.h"
#include "laws/pinch.h"
#include "thread/slide.h"

// Places on the way from the old forces to the new ones that are tried.
enum { MOST_TRIES = 12 };
// [radii] A joint or contact that is open by less is closed. One sticks that has less than this share of its friction.
static const double CLOSED = 0.01, STICKING = 0.999;
// Of the slope at the start: on a way whose slope is less the forces are low enough.
static const double FLAT = 0.1;
// Of the way: where it is lowest nearer than that to its start, the next way is the same again, and so on.
static const double NOWHERE = 0.02;

void cg_touch_keep_forces(cg_touch_set *set)
{
    assert(set->problem.working_count <= set->room.touches);
    for (int w = 0; w < set->problem.working_count; w++) {
        set->problem.kept[w] = set->rows.touches[set->problem.working[w]].force;
    }
}

static bool has_joint(const cg_touch_set *set)
{
    bool is_any = false;
    for (int w = 0; w < set->problem.working_count && set->cast.joint_count > 0 && !is_any; w++) {
        is_any = touch_is_joint(&set->rows.touches[set->problem.working[w]]);
    }
    return is_any;
}

// A thread without a touch in the problem was not coupled: for which guess it once was says nothing, and is no state.
static bool is_coupled(const cg_touch_set *set, int thread)
{
    bool is_any = false;
    for (int w = 0; w < set->problem.working_count && !is_any; w++) {
        const cg_touch *touch = &set->rows.touches[set->problem.working[w]];
        is_any = touch_thread(touch, 0) == thread || touch_thread(touch, 1) == thread;
    }
    return is_any;
}

static bool has_turned(const cg_touch_set *set, int c)
{
    const cg_thread *thread = set->cast.threads[c];
    bool slides = is_solved(set, c) && !thread->done && cg_slide_count(thread) > 0 && is_coupled(set, c);
    return slides && thread->slide->given != cg_slide_guess(thread);
}

static bool has_turned_guess(const cg_touch_set *set)
{
    bool turned = false, may_turn = has_joint(set);
    for (int c = 0; c < set->cast.thread_count && may_turn && !turned; c++) {
        turned = has_turned(set, c);
    }
    return turned;
}

// What a joint or contact is to be none of: how far it is open after the motion, how far it slipped in the step.
static cg_vec3 left_open(const cg_touch_set *set, const cg_touch *touch)
{
    cg_vec3 move = cg_touch_relative_move(set, touch), normal = touch->axes[0];
    if (touch_is_joint(touch)) {
        return v3_add(cg_touch_joint_gap(touch), move);
    }
    cg_vec3 slip = v3_add(move, cg_touch_slip_taken_back(set, touch));
    // what jaws squeeze gives way by its own, which no motion has
    double give = cg_touch_squeeze_give(set, touch) * v3_dot(normal, touch->force);
    double gap = v3_dot(normal, move) + cg_touch_gap_taken_back(set, touch) + give;
    return v3_add_scaled(slip, gap - v3_dot(slip, normal), normal);
}

// [radii] The same of one that must hold: a joint, or a contact that pushes, and if it sticks along the surface too.
static double wrong_by(const cg_touch_set *set, const cg_touch *touch)
{
    double push = v3_dot(touch->force, touch->axes[0]), radius = cg_touch_radius(set, touch);
    cg_vec3 open = left_open(set, touch);
    if (touch_is_joint(touch)) {
        return v3_length(open) / radius;
    }
    cg_vec3 along = v3_add_scaled(touch->force, -push, touch->axes[0]);
    bool sticks = v3_length(along) < STICKING * touch->friction * push;
    double wrong = sticks ? v3_length(open) : fabs(v3_dot(open, touch->axes[0]));
    return push > 0 ? wrong / radius : 0;
}

static double most_wrong(const cg_touch_set *set)
{
    double most = 0;
    for (int w = 0; w < set->problem.working_count; w++) {
        const cg_touch *touch = &set->rows.touches[set->problem.working[w]];
        if (touch_is_joint(touch) || touch_is_contact(touch)) {
            most = fmax(most, wrong_by(set, touch));
        }
    }
    return most;
}

bool cg_touch_has_turned(const cg_touch_set *set)
{
    return has_turned_guess(set) && most_wrong(set) > CLOSED;
}

bool cg_touch_is_open_when_jammed(const cg_touch_set *set)
{
    bool is_jammed = false;
    for (int c = 0; c < set->cast.thread_count && !is_jammed; c++) {
        is_jammed = is_solved(set, c) && !set->cast.threads[c]->done && cg_slide_is_jammed(set->cast.threads[c]);
    }
    return is_jammed && most_wrong(set) > CLOSED;
}

// Uphill above 0.
static double slope_of_way(const cg_touch_set *set)
{
    double slope = 0;
    for (int w = 0; w < set->problem.working_count; w++) {
        const cg_touch *touch = &set->rows.touches[set->problem.working[w]];
        if (touch_is_joint(touch) || touch_is_contact(touch)) {
            slope += v3_dot(set->problem.change[w], left_open(set, touch));
        }
    }
    return slope;
}

static double slope_at(cg_touch_set *set, double share)
{
    for (int w = 0; w < set->problem.working_count; w++) {
        set->rows.touches[set->problem.working[w]].force =
            v3_add_scaled(set->problem.kept[w], share, set->problem.change[w]);
    }
    cg_touch_move_under_forces(set);
    return slope_of_way(set);
}

// By false positions; the slope of the end that stays is halved, so that no end stays for long.
bool cg_touch_go_down(cg_touch_set *set)
{
    assert(set->problem.working_count > 0);
    for (int w = 0; w < set->problem.working_count; w++) {
        set->problem.change[w] = v3_sub(set->rows.touches[set->problem.working[w]].force, set->problem.kept[w]);
    }
    double high = 1, up = slope_of_way(set);
    if (!(up > 0)) {
        return true;
    }
    double low = 0, down = slope_at(set, 0), enough = FLAT * fabs(down);
    if (!(down < 0)) {
        slope_at(set, 1);
        return false;
    }
    double share = 0;
    for (int i = 0; i < MOST_TRIES && down < 0; i++) {
        share = low + (high - low) * down / (down - up);
        double slope = slope_at(set, share);
        if (fabs(slope) <= enough) {
            break;
        }
        up = slope > 0 ? slope : 0.5 * up;
        down = slope > 0 ? 0.5 * down : slope;
        high = slope > 0 ? share : high;
        low = slope > 0 ? low : share;
    }
    if (share < NOWHERE) {
        slope_at(set, 1);
        return false;
    }
    return true;
}

bool cg_touch_jam(cg_touch_set *set)
{
    assert(set->problem.solved >= 0);
    int jammed = 0;
    for (int c = 0; c < set->cast.thread_count; c++) {
        jammed += has_turned(set, c) ? cg_slide_jam_turned(set->cast.threads[c]) : 0;
    }
    if (jammed > 0) {
        cg_touch_move_under_forces(set);
    }
    return jammed > 0;
}

void cg_touch_free_jammed(cg_touch_set *set)
{
    for (int c = 0; c < set->cast.thread_count; c++) {
        if (!set->cast.threads[c]->done && cg_slide_count(set->cast.threads[c]) > 0) {
            cg_slide_free_jammed(set->cast.threads[c]);
        }
    }
}
