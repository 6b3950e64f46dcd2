// Which threads move together, and when their motion has converged.
#include "base/vec3.h"
#include "contact/touch.h"

static int island_of(const cg_touch_set *set, int chain)
{
    while (set->island[chain] != chain) {
        chain = set->island[chain];
    }
    return chain;
}

void cg_touch_find_islands(cg_touch_set *set)
{
    for (int c = 0; c < set->thread_count; c++) {
        set->island[c] = c;
    }
    for (int i = 0; i < set->count; i++) {
        const cg_touch *touch = &set->touches[i];
        if (touch_thread(touch, 1) >= 0) {
            int a = island_of(set, touch_thread(touch, 0)), b = island_of(set, touch_thread(touch, 1));
            set->island[a > b ? a : b] = a < b ? a : b;
        }
    }
    // An island is named after its first thread, which comes before the others.
    for (int c = 0; c < set->thread_count; c++) {
        set->island[c] = island_of(set, c);
    }
}

void cg_touch_mark_touched(cg_touch_set *set)
{
    for (int c = 0; c < set->thread_count; c++) {
        set->threads[c]->touched = false;
    }
    for (int i = 0; i < set->count; i++) {
        const cg_touch *touch = &set->touches[i];
        for (int side = 0; touch->working && side < 2; side++) {
            int chain = touch_thread(touch, side);
            if (chain >= 0) {
                set->threads[chain]->touched = true;
            }
        }
    }
}

void cg_touch_wake_islands(cg_touch_set *set)
{
    for (int c = 0; c < set->thread_count; c++) {
        cg_thread *head = set->threads[set->island[c]];
        head->done = head->done && set->threads[c]->done;
    }
    for (int c = 0; c < set->thread_count; c++) {
        set->threads[c]->done = set->threads[set->island[c]]->done;
    }
}

// A pass after which no gap is further from what was foreseen is the last one (radii): contacts that slid by a fifth of
// a radius in it. A tenth of it costs a pass in most steps of a knot that is pulled, and changes its pull by less than
// 1 %.
static const double SETTLED_GAP = 1e-2;

bool cg_touch_settles(cg_touch_set *set, const cg_step_context *context)
{
    bool all = true;
    for (int c = 0; c < set->thread_count; c++) {
        cg_thread *thread = set->threads[c];
        thread->settles = thread->done || cg_thread_settles(thread, context);
    }
    for (int i = 0; i < set->count && !(context->tolerance > 0); i++) {
        const cg_touch *touch = &set->touches[i];
        if (touch->working && touch->missed > SETTLED_GAP) {
            set->threads[touch_thread(touch, 0)]->settles = false;
        }
    }
    for (int c = 0; c < set->thread_count; c++) {
        cg_thread *head = set->threads[set->island[c]];
        head->settles = head->settles && set->threads[c]->settles;
        all = all && head->settles;
    }
    for (int c = 0; c < set->thread_count; c++) {
        set->threads[c]->settles = set->threads[set->island[c]]->settles;
    }
    return all;
}

// Knots at rest can rock: the place of a contact jumps between two, by turns, and the threads with it, some thousandths
// of a radius to and fro from step to step without end. Half of a motion that takes back that of the last step is the
// middle of the two, where it ends.
static const double ROCKING = 0.5; // cosine between the two motions, the other way round

bool cg_touch_rocks(const cg_touch_set *set)
{
    double along = 0, now = 0, before = 0;
    for (int i = 0; i < set->count; i++) {
        const cg_touch *touch = &set->touches[i];
        for (int side = 0; touch->working && side < 2; side++) {
            int chain = touch_thread(touch, side);
            if (chain >= 0) {
                cg_vec3 move = set->threads[chain]->move[touch_segment(touch, side)];
                cg_vec3 velocity = set->threads[chain]->velocity[touch_segment(touch, side)];
                along += v3_dot(move, velocity);
                now += v3_dot(move, move);
                before += v3_dot(velocity, velocity);
            }
        }
    }
    return along < 0 && along * along > ROCKING * ROCKING * now * before;
}
