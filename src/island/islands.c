// Which threads and free bodies move together, and when their motion has converged.
#include <assert.h>

#include "base/vec3.h"
#include "island/island.h"
#include "laws/fibre.h"
#include "thread/slide.h"

static int island_of(const cg_touch_set *set, int chain)
{
    while (set->islands.head[chain] != chain) {
        chain = set->islands.head[chain];
    }
    return chain;
}

static void join(cg_touch_set *set, int here, int there)
{
    int a = island_of(set, here), b = island_of(set, there);
    set->islands.head[a > b ? a : b] = a < b ? a : b;
}

// Passes that were made before two came together count for both.
static void share_progress(cg_touch_set *set)
{
    int movers = cg_mover_count(set);
    for (int m = 0; m < movers; m++) {
        const cg_progress *own = &set->islands.progress[m];
        cg_progress *all = &set->islands.progress[set->islands.head[m]];
        all->whole = own->whole > all->whole ? own->whole : all->whole;
        all->most = own->most > all->most ? own->most : all->most;
        all->idle = own->idle > all->idle ? own->idle : all->idle;
        all->limited = own->limited > all->limited ? own->limited : all->limited;
        all->is_ahead = own->is_ahead || all->is_ahead;
    }
    for (int m = 0; m < movers; m++) {
        bool reached = set->islands.progress[m].reached;
        set->islands.progress[m] = set->islands.progress[set->islands.head[m]];
        set->islands.progress[m].reached = reached;
    }
}

// The mover before this one, if the two are led together: those of a drive follow each other in the list.
static int led_with(const cg_touch_set *set, int mover)
{
    bool has_before = mover > set->cast.thread_count && mover_rigid(set, mover)->drive != NULL;
    return has_before && mover_rigid(set, mover)->drive == mover_rigid(set, mover - 1)->drive ? mover - 1 : mover;
}

// Rows share the nodes of tissues, and tissues that touch move as one: all that touches one is of an island.
static void join_skins(cg_touch_set *set, int mover, int *on_skin)
{
    *on_skin = *on_skin < 0 ? mover : *on_skin;
    join(set, mover, *on_skin);
}

void cg_touch_find_islands(cg_touch_set *set)
{
    assert(cg_mover_count(set) <= set->room.threads + set->room.rigids);
    int movers = cg_mover_count(set), on_skin = -1;
    for (int m = 0; m < movers; m++) {
        set->islands.head[m] = led_with(set, m);
    }
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        int here = touch_mover(set, touch, 0), there = touch_mover(set, touch, 1);
        if (there >= 0) {
            join(set, here, there);
        }
        if (touch_skin(touch) >= 0) {
            join_skins(set, here, &on_skin);
        }
    }
    for (int c = 0; c < set->cast.thread_count; c++) {
        if (cg_slide_count(set->cast.threads[c]) > 0 || cg_touch_has_fibres(set, c)) { // they pull
            join_skins(set, c, &on_skin);
        }
    }
    // An island is named after its first mover, which comes before the others: a thread if it has one.
    for (int m = 0; m < movers; m++) {
        set->islands.head[m] = island_of(set, m);
    }
    set->islands.head[cg_skin_node(set)] = on_skin < 0 ? -1 : set->islands.head[on_skin];
    share_progress(set);
}

// How hard jaws press on free bodies, by the forces that the pass begins with.
static void measure_squeeze(cg_touch_set *set)
{
    for (int k = set->cast.first_free; k < set->cast.rigid_count; k++) {
        set->cast.rigids[k]->squeeze = 0;
    }
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        int here = touch_body(touch, 0, CG_BODY_RIGID), there = touch_body(touch, 1, CG_BODY_RIGID);
        if (touch->working && here >= set->cast.first_free && there >= set->cast.first_free) {
            cg_rigid *a = set->cast.rigids[here], *b = set->cast.rigids[there];
            double force = v3_length(touch->force);
            a->squeeze += a->drive == NULL && b->drive != NULL ? force : 0;
            b->squeeze += b->drive == NULL && a->drive != NULL ? force : 0;
        }
    }
}

void cg_touch_mark_touched(cg_touch_set *set)
{
    measure_squeeze(set);
    for (int c = 0; c < set->cast.thread_count; c++) {
        set->cast.threads[c]->touched = cg_slide_count(set->cast.threads[c]) > 0 || cg_touch_has_fibres(set, c);
    }
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        for (int side = 0; side < 2; side++) {
            int mover = touch_mover(set, touch, side);
            if (mover >= set->cast.thread_count) {
                mover_rigid(set, mover)->is_near = true;
                mover_rigid(set, mover)->is_pushed = mover_rigid(set, mover)->is_pushed || touch->working;
            } else if (mover >= 0 && touch->working) {
                set->cast.threads[mover]->touched = true;
            }
        }
    }
    for (int k = set->cast.first_free; k < set->cast.rigid_count; k++) {
        if (set->cast.rigids[k]->drive == NULL) {
            cg_rigid_begin_pass(set->cast.rigids[k]);
        }
    }
}

static bool is_alone(const cg_touch_set *set)
{
    for (int m = 0; m < cg_mover_count(set); m++) {
        if (set->islands.head[m] != 0) {
            return false;
        }
    }
    return true;
}

bool cg_touch_is_led(const cg_touch_set *set, int head)
{
    assert(head >= 0 && head < cg_mover_count(set));
    bool is_only = is_alone(set);
    for (int k = 0; k < set->cast.first_free && is_only; k++) {
        if (is_on_its_way(set->cast.rigids[k])) {
            return true;
        }
    }
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        int rigid = touch_body(touch, 1, CG_BODY_RIGID);
        if (rigid >= 0 && rigid < set->cast.first_free && touch_island(set, touch) == head &&
            is_on_its_way(set->cast.rigids[rigid])) {
            return true;
        }
    }
    return false;
}

void cg_touch_wake_islands(cg_touch_set *set)
{
    int movers = cg_mover_count(set), on_skin = set->islands.head[cg_skin_node(set)];
    for (int m = 0; m < movers; m++) {
        bool *head = mover_done(set, set->islands.head[m]);
        *head = *head && (*mover_done(set, m) || mover_refused(set, m));
    }
    for (int m = 0; m < movers; m++) {
        bool stands = m < set->cast.thread_count && set->cast.threads[m]->model != NULL; // it has made its step
        if (set->islands.head[m] == m && *mover_done(set, m) && !stands) {
            *mover_done(set, m) = !cg_touch_is_led(set, m); // what is led has come near since
        }
    }
    for (int m = 0; m < movers; m++) {
        *mover_done(set, m) = *mover_done(set, set->islands.head[m]) || mover_refused(set, m);
    }
    if (set->islands.is_skin_done && on_skin >= 0 && !*mover_done(set, on_skin)) {
        cg_touch_wake_skins(set);
    }
}

// A pass after which no gap is further from what was foreseen is the last one (radii): contacts that slid by an eighth
// of a radius in it. With 0.01 the force that a knot holds was up to half off; with 0.001 it is the same, at a pass
// more.
static const double SETTLED_GAP = 4e-3;

// A thread that something touches in this pass for the first time is not done with a step that looks back
// (thread/inertia.c): the next pass goes on to first order. Nor is one whose touches were found ahead.
static void refuse_to_look_away(cg_touch_set *set)
{
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        for (int side = 0; touch->working && side < 2; side++) {
            int chain = touch_thread(touch, side);
            if (chain >= 0 && set->cast.threads[chain]->model == NULL &&
                (set->islands.progress[chain].is_ahead || set->cast.threads[chain]->second_order) &&
                (touch_is_joint(touch) || v3_dot(touch->force, touch->axes[0]) > 0)) {
                set->cast.threads[chain]->settles = false;
            }
        }
    }
}

// What each has to say of itself. A free body has nothing: its own equations are solved as they are, and what its turns
// miss shows at its touches.
static void ask_movers(cg_touch_set *set, const cg_step_context *context)
{
    for (int c = 0; c < set->cast.thread_count; c++) {
        cg_thread *thread = set->cast.threads[c];
        thread->settles = thread->done || thread->refused || cg_thread_settles(thread, context);
    }
    for (int k = set->cast.first_free; k < set->cast.rigid_count; k++) {
        set->cast.rigids[k]->settles = true;
    }
}

void cg_touch_share_settles(cg_touch_set *set)
{
    int movers = cg_mover_count(set);
    for (int m = 0; m < movers; m++) {
        bool *head = mover_settles(set, set->islands.head[m]);
        *head = *head && *mover_settles(set, m);
    }
    for (int m = 0; m < movers; m++) {
        *mover_settles(set, m) = *mover_settles(set, set->islands.head[m]);
    }
}

void cg_touch_settles(cg_touch_set *set, const cg_step_context *context)
{
    assert(context->time_step > 0);
    ask_movers(set, context);
    for (int i = 0; i < set->rows.count && !(context->tolerance > 0); i++) {
        const cg_touch *touch = &set->rows.touches[i];
        if (touch->working && touch->missed > SETTLED_GAP) {
            *mover_settles(set, touch_mover(set, touch, 0)) = false;
        }
    }
    refuse_to_look_away(set);
    cg_touch_share_settles(set);
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
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        for (int side = 0; touch->working && side < 2; side++) {
            int chain = touch_thread(touch, side);
            if (chain >= 0 && set->islands.head[chain] == head) {
                const cg_thread *thread = set->cast.threads[chain];
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

// True while a hold or a hand leads a thread of the island somewhere, or a tool is in it.
static bool is_held_along(const cg_touch_set *set, int head)
{
    for (int c = head; c < set->cast.thread_count; c++) {
        const cg_thread *thread = set->cast.threads[c];
        if (set->islands.head[c] == head && (thread->grips != NULL || cg_thread_holds_move(thread))) {
            return true;
        }
    }
    for (int m = set->cast.thread_count; m < cg_mover_count(set); m++) {
        if (set->islands.head[m] == head && mover_rigid(set, m)->drive != NULL) {
            return true;
        }
    }
    return false;
}

static bool has_cautious(const cg_touch_set *set, int head)
{
    for (int c = head; c < set->cast.thread_count; c++) {
        if (set->islands.head[c] == head && set->cast.threads[c]->cautious) {
            return true;
        }
    }
    return false;
}

static void shorten(cg_touch_set *set, int head, double share)
{
    for (int c = head; c < set->cast.thread_count; c++) {
        if (set->islands.head[c] == head && !set->cast.threads[c]->done) {
            cg_thread_shorten(set->cast.threads[c], share);
        }
    }
    for (int m = set->cast.thread_count; m < cg_mover_count(set); m++) {
        if (set->islands.head[m] == head && !*mover_done(set, m)) {
            cg_rigid_shorten(mover_rigid(set, m), share);
        }
    }
}

// From the third whole pass on, passes that swing are made calmer.
enum { FIRST_CALMER_PASS = 2 };

void cg_touch_calm(cg_touch_set *set)
{
    for (int head = 0; head < set->cast.thread_count; head++) {
        const cg_thread *thread = set->cast.threads[head];
        const cg_progress *progress = &set->islands.progress[head];
        if (set->islands.head[head] != head || thread->done) {
            continue;
        }
        bool is_first = progress->whole == 0, is_last = progress->whole + 1 >= progress->most;
        if (is_first && thread->settles && !cg_touch_is_led(set, head) && !is_held_along(set, head) &&
            island_rocks(set, head)) {
            shorten(set, head, MIDDLE);
        } else if (progress->whole >= FIRST_CALMER_PASS && !is_last && !thread->settles && has_cautious(set, head)) {
            shorten(set, head, CALMER);
        }
    }
}
