// Touches of threads whose spacing follows: what they ask of it, and how they come through an edit.
//
// A touch is a place on a thread, and that does not change when vertices are put in or taken out. So before an edit the
// places are noted as arc lengths at rest, and afterwards they are found again by these. Forces, normals and all else
// that a touch knows stay as they are, and the next pass starts from them.
#include <assert.h>

#include "base/vec3.h"
#include "find/beside_joint.h"
#include "find/search.h"
#include "find/skin_rows.h"
#include "thread/spacing.h"

static bool is_thread(int chain)
{
    return cg_chain_kind(chain) == CG_BODY_THREAD;
}

void cg_touch_ask_spacing(const cg_touch_set *set, int chain, double reach)
{
    assert(chain >= 0 && chain < set->cast.thread_count);
    cg_thread *thread = set->cast.threads[chain];
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        // On a shape it is the bend that matters, which asks for itself.
        if (!is_thread(touch->pair.chain_b) || touch->gap > reach * thread->radius) {
            continue;
        }
        if (touch->pair.chain_a == chain) {
            cg_spacing_ask_touch(thread, touch->pair.segment_a, touch->fraction[0]);
        }
        if (touch->pair.chain_b == chain) {
            cg_spacing_ask_touch(thread, touch->pair.segment_b, touch->fraction[1]);
        }
    }
}

static void note_arc(const cg_touch_set *set, int chain, int segment, double *fraction)
{
    if (is_thread(chain)) {
        const cg_thread *thread = set->cast.threads[chain];
        *fraction = thread->arc[segment] + *fraction * thread->rest_length[segment];
    }
}

void cg_touch_note_arcs(cg_touch_set *set)
{
    for (int i = 0; i < set->rows.count; i++) {
        cg_touch *touch = &set->rows.touches[i];
        note_arc(set, touch->pair.chain_a, touch->pair.segment_a, &touch->fraction[0]);
        note_arc(set, touch->pair.chain_b, touch->pair.segment_b, &touch->fraction[1]);
    }
}

static void find_arc(const cg_touch_set *set, int chain, int *segment, double *fraction)
{
    if (is_thread(chain)) {
        *segment = cg_thread_segment_at_arc(set->cast.threads[chain], *fraction, fraction);
    }
}

// Back into order, which an edit changes little; touches that have come into one place become one.
static void reorder_touches(cg_touch_set *set)
{
    int count = 0;
    for (int i = 0; i < set->rows.count; i++) {
        cg_touch touch = set->rows.touches[i];
        int at = count;
        for (; at > 0 && compare_pairs(&set->rows.touches[at - 1].pair, &touch.pair) > 0; at--) {
        }
        if (at > 0 && compare_pairs(&set->rows.touches[at - 1].pair, &touch.pair) == 0) {
            cg_touch *same = &set->rows.touches[at - 1];
            same->force = v3_add(same->force, touch.force);
            same->working = same->working || touch.working;
            continue;
        }
        for (int k = count; k > at; k--) {
            set->rows.touches[k] = set->rows.touches[k - 1];
        }
        set->rows.touches[at] = touch;
        count++;
    }
    set->rows.count = count;
}

void cg_touch_find_arcs(cg_touch_set *set)
{
    for (int i = 0; i < set->rows.count; i++) {
        cg_touch *touch = &set->rows.touches[i];
        find_arc(set, touch->pair.chain_a, &touch->pair.segment_a, &touch->fraction[0]);
        find_arc(set, touch->pair.chain_b, &touch->pair.segment_b, &touch->fraction[1]);
    }
    reorder_touches(set);
    for (int k = 0; k < set->cast.skin_count; k++) {
        cg_skin_renew(set->cast.skins[k]);
    }
}

void cg_touch_renumber_skin(cg_touch_set *set, const cg_skin *skin, const cg_mesh_numbers *numbers)
{
    assert(skin != NULL);
    int kept = 0;
    for (int i = 0; i < set->rows.count; i++) {
        cg_touch touch = set->rows.touches[i];
        int number = touch_skin(&touch), feature = touch.pair.segment_b;
        if (number >= 0 && set->cast.skins[number] == skin && !skin_is_deep(feature)) {
            int triangle = numbers != NULL ? numbers->triangle_now[skin_triangle(feature)] : -1;
            touch.pair.segment_b = triangle >= 0 ? skin_renamed(feature, triangle) : -1;
        }
        if (touch.pair.segment_b >= 0) {
            set->rows.touches[kept++] = touch;
        }
    }
    set->rows.count = kept;
    reorder_touches(set);
}

// Takes back the motion of the vertices at a segment. False when they do not move.
static bool stop_segment(const cg_touch_set *set, int chain, int segment)
{
    cg_thread *thread = set->cast.threads[chain];
    bool moved = false;
    for (int vertex = segment; thread->spacing.follow && vertex <= segment + 1; vertex++) {
        moved = moved || v3_dot(thread->move[vertex], thread->move[vertex]) > 0;
        thread->move[vertex] = v3_zero();
        thread->mark[vertex] = 0;
    }
    return moved;
}

bool cg_touch_limit_shift(cg_touch_set *set)
{
    enum { MOST_ROUNDS = 16 };
    cg_touch_list_chains(set);
    cg_touch_note_exempt(set);
    cg_touch_look_at_bodies(set);
    for (int k = 0; k < set->cast.part_count; k++) {
        set->cast.moving[k].after = set->cast.moving[k].before;
        set->cast.moving[k].turn = v3_zero();
    }
    set->search.motion.limit = 1;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        cg_safe_motion safe =
            cg_safe_motion_find(&set->search.motion, &set->search.motion_rule, set->cast.chains, set->cast.moves,
                                set->cast.thread_count, set->cast.moving, set->cast.part_count);
        if (safe.fraction == 1.0 && set->cast.skin_count > 0) {
            safe = cg_touch_shift_beside_skins(set);
        }
        if (safe.fraction == 1.0) {
            return true;
        }
        bool stopped = safe.limit != CG_LIMIT_BAD && stop_segment(set, safe.pair.chain_a, safe.pair.segment_a);
        if (safe.limit == CG_LIMIT_PAIR) {
            stopped = stop_segment(set, safe.pair.chain_b, safe.pair.segment_b) || stopped;
        }
        if (!stopped) {
            break;
        }
    }
    return false;
}
