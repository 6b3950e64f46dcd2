// The list of touches of a pass: kept in order of their pairs, by which each is found again.
#include "rows/touch.h"

#include <assert.h>
#include <string.h>

#include "base/vec3.h"

cg_touch_kind cg_touch_kind_of(const cg_segment_pair *pair)
{
    cg_body_kind here = cg_chain_kind(pair->chain_a), there = cg_chain_kind(pair->chain_b);
    if (there == CG_BODY_RIGID && pair->segment_b == CG_JOINT_FEATURE) {
        return CG_JOINT_ROW;
    }
    if (here == CG_BODY_RIGID && pair->segment_a >= CG_GUIDE_FEATURE && pair->segment_a < CG_TIP_FEATURE) {
        return pair->segment_a < CG_DRAG_FEATURE ? CG_GUIDE_ROW : CG_DRAG_ROW;
    }
    if (there == CG_BODY_TISSUE) {
        return CG_SKIN_ROW;
    }
    if (here == CG_BODY_THREAD && there == CG_BODY_THREAD) {
        return pair->chain_a == pair->chain_b ? CG_SELF_ROW : CG_THREADS_ROW;
    }
    return here == there ? CG_RIGIDS_ROW : CG_RIGID_ROW;
}

static cg_touch turned_round(const cg_touch *touch)
{
    cg_touch turned = *touch;
    turned.pair =
        (cg_segment_pair){touch->pair.chain_b, touch->pair.segment_b, touch->pair.chain_a, touch->pair.segment_a};
    for (int side = 0; side < 2; side++) {
        turned.fraction[side] = touch->fraction[1 - side];
        turned.point[side] = touch->point[1 - side];
    }
    touch_set_axes(&turned, v3_neg(touch->axes[0]));
    return turned;
}

// Keeps the touches in order of pairs. They come nearly so.
static void add_touch(cg_touch_set *set, cg_touch touch)
{
    if (touch_mover(set, &touch, 0) < 0) { // a model: it is the other side that moves, or none does
        if (touch_mover(set, &touch, 1) < 0) {
            return;
        }
        touch = turned_round(&touch);
    }
    assert(touch.kind == cg_touch_kind_of(&touch.pair) && "a row is what its key says");
    if (set->rows.count == set->rows.most) {
        set->stats.lost++;
        return;
    }
    int at = set->rows.count;
    while (at > 0 && compare_pairs(&set->rows.touches[at - 1].pair, &touch.pair) > 0) {
        at--;
    }
    memmove(&set->rows.touches[at + 1], &set->rows.touches[at], sizeof touch * (size_t)(set->rows.count - at));
    set->rows.touches[at] = touch;
    set->rows.count++;
}

void cg_touch_add(cg_touch_set *set, const cg_touch *touch, cg_vec3 normal)
{
    assert(touch->kind != CG_NONE_ROW);
    cg_touch added = *touch;
    touch_set_axes(&added, normal);
    add_touch(set, added);
}

bool cg_touch_add_row(cg_touch_set *set, const cg_touch *touch)
{
    int before = set->rows.count;
    add_touch(set, *touch);
    return set->rows.count > before;
}

// The touch at exactly this pair, by bisection; -1 when there is none.
static int find_in(const cg_touch *touches, int count, const cg_segment_pair *pair)
{
    int low = 0, high = count - 1;
    while (low <= high) {
        int middle = (low + high) / 2, order = compare_pairs(&touches[middle].pair, pair);
        if (order == 0) {
            return middle;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return -1;
}

int cg_touch_find_pair(const cg_touch_set *set, const cg_segment_pair *pair)
{
    return find_in(set->rows.touches, set->rows.count, pair);
}

const cg_touch *cg_touch_before(const cg_touch_set *set, const cg_segment_pair *pair)
{
    assert(set->rows.before_count <= set->rows.most);
    int found = find_in(set->rows.before, set->rows.before_count, pair);
    return found >= 0 ? &set->rows.before[found] : NULL;
}

bool cg_touch_has(const cg_touch_set *set, const cg_segment_pair *pair)
{
    return cg_touch_find_pair(set, pair) >= 0;
}

// A contact that finds no room is found in a later pass; a joint or a row of a channel that is left out lets go.
void cg_touch_make_room(cg_touch_set *set, int wanted)
{
    assert(wanted >= 0);
    int most = set->rows.most > wanted ? set->rows.most - wanted : 0, surplus = set->rows.count - most;
    for (int i = set->rows.count - 1; i >= 0 && surplus > 0; i--) {
        if (!touch_is_joint(&set->rows.touches[i])) {
            set->rows.count--;
            memmove(&set->rows.touches[i], &set->rows.touches[i + 1],
                    sizeof *set->rows.touches * (size_t)(set->rows.count - i));
            set->stats.lost++;
            surplus--;
        }
    }
}
