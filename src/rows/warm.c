// Warm starts: forces of the last pass handed on to the touches that continue theirs.
#include "rows/touch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"

// Segments, along both sides together, that a touch may have slid by in a pass and still hand on its force.
enum { FARTHEST_HEIR = 4 };

// The same edge or node on this segment or the next, or the same vertex, on whatever face.
static bool skin_continues(const cg_touch *touch, const cg_touch *before)
{
    int apart = touch->pair.segment_a - before->pair.segment_a;
    bool is_face = skin_is_face(touch->pair.segment_b);
    if (is_face != skin_is_face(before->pair.segment_b) || apart < -1 || apart > 1) {
        return false;
    }
    return is_face ? apart == 0 && touch->pair.segment_b % 8 == before->pair.segment_b % 8
                   : touch->pair.segment_b == before->pair.segment_b;
}

// The same vertex on whatever face, or the same edge or node on this part or the next.
static bool rod_continues(const cg_touch *touch, const cg_touch *before)
{
    const cg_segment_pair *now = &touch->pair, *old = &before->pair;
    if (now->chain_a != old->chain_a || now->chain_b != old->chain_b) {
        return false;
    }
    if (skin_is_face(now->segment_b)) {
        return skin_is_face(old->segment_b) && now->segment_a == old->segment_a;
    }
    int apart = cg_feature_part(now->segment_a) - cg_feature_part(old->segment_a);
    return now->segment_b == old->segment_b && abs(apart) <= 1;
}

static void hand_on(cg_touch *from, cg_touch *to)
{
    to->force = from->force;
    to->drift = from->drift;
    to->working = true;
    from->working = false;
}

// True when threads have slid through a touch: then it is still at its place in space. Places on segments are not part
// of the state, so in the first search of a step, which only looks for that ahead, any on the old segment will do.
static bool is_in_place(const cg_touch_set *set, const cg_touch *touch, const cg_touch *before)
{
    double radius = cg_touch_radius(set, touch);
    if (set->search.searches > 1) {
        return v3_distance(touch->point[0], before->point[0]) < radius;
    }
    const cg_thread_shape *shape = &set->cast.threads[touch_thread(before, 0)]->shape;
    const cg_vec3 *ends = shape->position + before->pair.segment_a;
    cg_vec3 middle = v3_scale(0.5, v3_add(ends[0], ends[1]));
    bool is_ahead = set->islands.progress[touch_thread(before, 0)].is_ahead;
    return is_ahead && v3_distance(touch->point[0], middle) < radius + 0.5 * v3_distance(ends[0], ends[1]);
}

// How many segments two touches are apart, along both sides together; too many when they cannot be the same. One
// segment on each side may be a matter of rounding. Farther on it is the same touch if it is in its place.
static int segments_apart(const cg_touch_set *set, const cg_touch *a, const cg_touch *b)
{
    if (touch_thread(a, 0) < 0) {
        if (touch_skin(a) >= 0 && touch_thread(b, 0) < 0 && touch_skin(b) >= 0) {
            return rod_continues(a, b) ? 1 : FARTHEST_HEIR + 1;
        }
        return FARTHEST_HEIR + 1; // features of parts are no row
    }
    if (touch_skin(a) >= 0) {
        bool is_same_pair = a->pair.chain_a == b->pair.chain_a && a->pair.chain_b == b->pair.chain_b;
        return is_same_pair && skin_continues(a, b) ? 1 : FARTHEST_HEIR + 1;
    }
    int da = abs(a->pair.segment_a - b->pair.segment_a), db = abs(a->pair.segment_b - b->pair.segment_b);
    if (a->pair.chain_a != b->pair.chain_a || a->pair.chain_b != b->pair.chain_b || da + db > FARTHEST_HEIR) {
        return FARTHEST_HEIR + 1;
    }
    bool is_same = (da <= 1 && db <= 1) || is_in_place(set, a, b);
    return is_same ? da + db : FARTHEST_HEIR + 1;
}

// Threads that slide carry a touch from segment to segment: then one nearby had the force. Those that are still to give
// stand in `left`; the nearest heirs come first.
static void inherit_from_beside(cg_touch_set *set, int *left, int left_count)
{
    for (int apart = 1; apart <= FARTHEST_HEIR && left_count > 0; apart++) {
        for (int i = 0; i < set->rows.count && left_count > 0; i++) {
            cg_touch *touch = &set->rows.touches[i];
            for (int k = 0; k < left_count && !touch->working; k++) {
                if (segments_apart(set, touch, &set->rows.before[left[k]]) == apart) {
                    hand_on(&set->rows.before[left[k]], touch);
                    memmove(left + k, left + k + 1, sizeof *left * (size_t)(--left_count - k));
                }
            }
        }
    }
}

// Each old force goes to one new touch: `working` of the old ones marks those that are still to give.
void cg_touch_inherit(cg_touch_set *set)
{
    assert(set->rows.touches != set->rows.before);
    int *left = set->problem.working, left_count = 0; // no problem is set up yet
    for (int k = 0; k < set->rows.before_count; k++) {
        cg_touch *before = &set->rows.before[k];
        int found = before->working ? cg_touch_find_pair(set, &before->pair) : -1;
        if (found >= 0) {
            hand_on(before, &set->rows.touches[found]);
        } else if (before->working && left_count < set->room.touches) {
            left[left_count++] = k;
        }
    }
    inherit_from_beside(set, left, left_count);
}

void cg_touch_turn_over(cg_touch_set *set)
{
    assert(set->rows.count <= set->rows.most);
    cg_touch *touches = set->rows.before;
    set->rows.before = set->rows.touches;
    set->rows.before_count = set->rows.count;
    set->rows.touches = touches;
    set->rows.count = 0;
}
