// The list of touches of a pass: kept in order of their pairs, by which each is found again.
#include "rows/touch.h"

#include <string.h>

#include "base/vec3.h"

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
    if (set->count == set->most_touches) {
        set->stats.lost++;
        return;
    }
    int at = set->count;
    while (at > 0 && compare_pairs(&set->touches[at - 1].pair, &touch.pair) > 0) {
        at--;
    }
    memmove(&set->touches[at + 1], &set->touches[at], sizeof touch * (size_t)(set->count - at));
    set->touches[at] = touch;
    set->count++;
}

void cg_touch_add(cg_touch_set *set, const cg_touch *touch, cg_vec3 normal)
{
    cg_touch added = *touch;
    touch_set_axes(&added, normal);
    add_touch(set, added);
}

bool cg_touch_add_row(cg_touch_set *set, const cg_touch *touch)
{
    int before = set->count;
    add_touch(set, *touch);
    return set->count > before;
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
    return find_in(set->touches, set->count, pair);
}

const cg_touch *cg_touch_before(const cg_touch_set *set, const cg_segment_pair *pair)
{
    int found = find_in(set->before, set->before_count, pair);
    return found >= 0 ? &set->before[found] : NULL;
}

bool cg_touch_has(const cg_touch_set *set, const cg_segment_pair *pair)
{
    return cg_touch_find_pair(set, pair) >= 0;
}

// A contact that finds no room is found in a later pass; a joint or a row of a channel that is left out lets go.
void cg_touch_make_room(cg_touch_set *set, int wanted)
{
    int most = set->most_touches > wanted ? set->most_touches - wanted : 0, surplus = set->count - most;
    for (int i = set->count - 1; i >= 0 && surplus > 0; i--) {
        if (!touch_is_joint(&set->touches[i])) {
            set->count--;
            memmove(&set->touches[i], &set->touches[i + 1], sizeof *set->touches * (size_t)(set->count - i));
            set->stats.lost++;
            surplus--;
        }
    }
}
