// The stage that splits and merges segments, for threads whose spacing follows (thread/spacing.h).
//
// It comes last in a step: velocities are known, pushes are spent, and operations of the next step name the vertices
// that it leaves. What it looks at, shapes and touches of this step, is state, so that runs repeat.
//
// New vertices are put on their segments and then moved onto the bend; vertices that go are first moved to the line
// between their neighbours. Both are motions of a thread among others, and are made when all of the way is free by true
// distance, as any motion in a step. Where something is in the way, new vertices stay on their segments, and vertices
// that were to go are kept.
#include <string.h>

#include "base/vec3.h"
#include "thread/slide.h"
#include "thread/spacing.h"
#include "world/world.h"

// Touches with a gap below this ask for splits; all that are found, up to twice as far, forbid merges. So a touch that
// comes and goes changes nothing.
static const double SPLIT_GAP = 1.0; // [radii]
static const double MERGE_GAP = 1e9;
// Vertices are only taken out every so many steps: it can wait, and each time costs a look at the whole.
enum { STEPS_PER_MERGE = 16 };
// A touch may ask for segments that are much shorter at once: each round halves. Bends ask in the first one only,
// because a thread has to move before a new vertex shows more of a bend than the old ones did.
enum { MOST_ROUNDS = 12 };

static bool is_following(const cg_thread *thread)
{
    return thread->spacing.follow && !thread->refused;
}

static void ask_touches(const cg_world *world, const cg_thread *thread, double gap)
{
    int chain = world->touch_memory != NULL ? number_of_thread(&world->touches, thread) : -1;
    if (chain >= 0) {
        cg_touch_ask_spacing(&world->touches, chain, gap);
    }
}

static void stand_still(cg_thread *thread)
{
    memset(thread->move, 0, sizeof(cg_vec3) * (size_t)thread->vertex_count);
}

static bool anything_moves(const cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int i = 0; i < s->thread->vertex_count; i++) {
            if (v3_dot(s->thread->move[i], s->thread->move[i]) > 0) {
                return true;
            }
        }
    }
    return false;
}

// Puts threads where their moves lead, as far as the way is free. False when nothing may move; an edit is finished all
// the same.
static bool shift_threads(cg_world *world, bool was_edited)
{
    bool is_free = world->touch_memory == NULL || !anything_moves(world) || cg_touch_limit_shift(&world->touches);
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (!is_free) {
            stand_still(s->thread);
        }
        if (is_following(s->thread) && (is_free || was_edited)) {
            cg_thread_shift(s->thread);
        }
    }
    return is_free;
}

static void edit_threads(cg_world *world, void (*edit)(cg_thread *thread))
{
    cg_world_note_hands(world);
    if (world->touch_memory != NULL) {
        cg_touch_note_arcs(&world->touches);
    }
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (is_following(s->thread)) {
            edit(s->thread);
        } else {
            stand_still(s->thread);
        }
    }
    cg_world_find_hands(world);
    if (world->touch_memory != NULL) {
        cg_touch_find_arcs(&world->touches);
    }
}

static int count_vertices(const cg_world *world)
{
    int count = 0;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        count += s->thread->vertex_count;
    }
    return count;
}

// Vertices at anchors can go after every step, others only now and then.
static void merge_threads(cg_world *world, bool at_anchors_only)
{
    int count = 0, vertices = count_vertices(world);
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        stand_still(s->thread);
        if (is_following(s->thread)) {
            cg_spacing_begin(s->thread);
            if (!at_anchors_only) {
                cg_spacing_ask_bends(s->thread);
                ask_touches(world, s->thread, MERGE_GAP);
                count += cg_spacing_mark_merges(s->thread);
            }
            count += cg_slide_mark_merges(s->thread);
        }
    }
    if (count > 0 && shift_threads(world, false)) {
        edit_threads(world, cg_thread_merge_marked);
        for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
            if (is_following(s->thread)) {
                cg_thread_shift(s->thread);
            }
        }
        world->stats.edits += vertices - count_vertices(world);
    }
}

// One round of splits. Returns how many there were.
static int split_threads(cg_world *world, bool for_bends)
{
    int count = 0, refused = 0;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (!is_following(s->thread)) {
            continue;
        }
        cg_spacing_begin(s->thread);
        ask_touches(world, s->thread, SPLIT_GAP);
        cg_spacing_mark_splits(s->thread, CG_SPLIT_STRAIGHT);
        if (for_bends) {
            cg_spacing_ask_bends(s->thread);
            cg_spacing_mark_splits(s->thread, CG_SPLIT_ROUND);
            cg_slide_mark_splits(s->thread);
        }
        count += cg_spacing_fit_splits(s->thread, &refused);
    }
    world->stats.refused_edits += (uint64_t)refused;
    world->stats.edits += count;
    if (count > 0) {
        edit_threads(world, cg_thread_split_marked);
        shift_threads(world, true);
    }
    return count;
}

void cg_world_follow(cg_world *world)
{
    world->stats.edits = 0;
    bool any = false, has_anchors = false;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        any = any || is_following(s->thread);
        has_anchors = has_anchors || cg_slide_count(s->thread) > 0;
        if (cg_slide_count(s->thread) > 0 && cg_slide_let_go(s->thread) > 0) {
            cg_world_list_touch_skins(world);
        }
    }
    if (!any) {
        return;
    }
    bool is_due = world->stats.step_count % STEPS_PER_MERGE == 0;
    if (is_due || has_anchors) {
        merge_threads(world, !is_due);
    }
    for (int round = 0; round < MOST_ROUNDS && split_threads(world, round == 0) > 0; round++) {
    }
}
