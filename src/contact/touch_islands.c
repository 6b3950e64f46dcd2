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
        head->done = head->done && (set->threads[c]->done || set->threads[c]->refused);
    }
    for (int c = 0; c < set->thread_count; c++) {
        set->threads[c]->done = set->threads[set->island[c]]->done || set->threads[c]->refused;
    }
}

// A pass after which no gap is further from what was foreseen is the last one (radii): contacts that slid by an eighth
// of a radius in it. With 0.01 the force that a knot holds was up to half off; with 0.001 it is the same, at a pass
// more.
static const double SETTLED_GAP = 4e-3;

// A thread that something touches in this pass for the first time is not done with a step that looks back
// (thread/inertia.c): the next pass goes on to first order.
static void refuse_to_look_back(cg_touch_set *set)
{
    for (int i = 0; i < set->count; i++) {
        const cg_touch *touch = &set->touches[i];
        for (int side = 0; touch->working && side < 2; side++) {
            int chain = touch_thread(touch, side);
            if (chain >= 0 && set->threads[chain]->second_order && v3_dot(touch->force, touch->axes[0]) > 0) {
                set->threads[chain]->settles = false;
            }
        }
    }
}

bool cg_touch_settles(cg_touch_set *set, const cg_step_context *context)
{
    bool all = true;
    for (int c = 0; c < set->thread_count; c++) {
        cg_thread *thread = set->threads[c];
        thread->settles = thread->done || thread->refused || cg_thread_settles(thread, context);
    }
    for (int i = 0; i < set->count && !(context->tolerance > 0); i++) {
        const cg_touch *touch = &set->touches[i];
        if (touch->working && touch->missed > SETTLED_GAP) {
            set->threads[touch_thread(touch, 0)]->settles = false;
        }
    }
    refuse_to_look_back(set);
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
static const double MIDDLE = 0.5;
// Passes with the cautious matrix swing about what they converge to, once they are near: this share of each motion is
// made, but for the last, which forces and momentum must agree with. Knots that are pulled need a fifth fewer passes.
static const double CALMER = 0.7;

static bool island_rocks(const cg_touch_set *set, int head)
{
    double along = 0, now = 0, before = 0;
    for (int i = 0; i < set->count; i++) {
        const cg_touch *touch = &set->touches[i];
        for (int side = 0; touch->working && side < 2; side++) {
            int chain = touch_thread(touch, side);
            if (chain >= 0 && set->island[chain] == head) {
                const cg_thread *thread = set->threads[chain];
                int vertex = touch_segment(touch, side);
                cg_vec3 move = v3_sub(thread->shape.position[vertex], thread->start[vertex]);
                move = v3_add(move, thread->move[vertex]); // of the whole step
                cg_vec3 velocity = thread->velocity[vertex];
                along += v3_dot(move, velocity);
                now += v3_dot(move, move);
                before += v3_dot(velocity, velocity);
            }
        }
    }
    return along < 0 && along * along > ROCKING * ROCKING * now * before;
}

// True while a hold or a hand leads a thread of the island somewhere.
static bool is_led(const cg_touch_set *set, int head)
{
    for (int c = head; c < set->thread_count; c++) {
        const cg_thread *thread = set->threads[c];
        if (set->island[c] == head && (thread->grips != NULL || cg_thread_holds_move(thread))) {
            return true;
        }
    }
    return false;
}

static bool has_cautious(const cg_touch_set *set, int head)
{
    for (int c = head; c < set->thread_count; c++) {
        if (set->island[c] == head && set->threads[c]->cautious) {
            return true;
        }
    }
    return false;
}

static void shorten(cg_touch_set *set, int head, double share)
{
    for (int c = head; c < set->thread_count; c++) {
        if (set->island[c] == head && !set->threads[c]->done) {
            cg_thread_shorten(set->threads[c], share);
        }
    }
}

void cg_touch_calm(cg_touch_set *set, bool first, bool late, bool shapes_move)
{
    for (int head = 0; head < set->thread_count; head++) {
        const cg_thread *thread = set->threads[head];
        if (set->island[head] != head || thread->done) {
            continue;
        }
        if (first && thread->settles && !shapes_move && !is_led(set, head) && island_rocks(set, head)) {
            shorten(set, head, MIDDLE);
        } else if (late && !thread->settles && has_cautious(set, head)) {
            shorten(set, head, CALMER);
        }
    }
}
