// The passes of a step: each linearises the same implicit step anew where the threads now are, and moves them. Threads
// are done when the linear equations foresaw where the last pass led (thread/motion.c, island/islands.c): one
// pass where things are calm, two where they move, more where they snap.
#include <math.h>
#include <string.h>

#include "laws/pinch.h"
#include "laws/tie.h"
#include "rows/validate.h"
#include "world/world.h"

static void assemble_threads(cg_world *world, const cg_step_context *context)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (!s->thread->done) {
            s->thread->cautious = s->thread->touched || s->thread->inertia == CG_LOW_MASS;
            if (s->thread->touched) {
                cg_inertia_to_first_order(s->thread, context);
            }
            cg_thread_assemble(s->thread, context);
        }
    }
    cg_touch_stiffen_pinched(&world->touches);
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (!s->thread->done) {
            cg_thread_eliminate_holds(s->thread);
        }
    }
}

static void factorise_threads(cg_world *world, const cg_step_context *context)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (!s->thread->done) {
            cg_thread_factorise(s->thread, context);
        }
    }
}

static void solve_threads(cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (!s->thread->done) {
            cg_thread_solve(s->thread);
        }
    }
}

// True when a thread wants another pass.
static bool move_threads(cg_world *world, const cg_step_context *context)
{
    bool going = false;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (!s->thread->done) {
            cg_thread_move(s->thread, context);
            going = going || !s->thread->done;
        }
    }
    return going;
}

// Most passes of a step in which contacts stop the motion short. Past them the step ends unfinished and hands lag.
enum { MOST_CONTACT_PASSES = 40 };
// A pass that gets nowhere is followed by one from the same place: so many in a row, in which the forces may still find
// a way, and the step ends. Those that learned what stands in the way do not count.
enum { MOST_IDLE_PASSES = 4 };

// Passes in which threads go on because tissue answered otherwise than foreseen: they are not counted among those that
// threads need by themselves.
enum { MOST_ANSWERS = 12 };

// A step that may have a few passes only begins where it is.
enum { LEAST_PASSES = 4 };
// Threads that would slide by more than this (radii) are touched where their velocities lead in the first pass.
static const double LONG_SLIDE = 0.3;

static bool has_free_body(const cg_touch_set *set, int head)
{
    for (int m = set->cast.thread_count; m < cg_mover_count(set); m++) {
        if (set->islands.head[m] == head) {
            return true;
        }
    }
    return false;
}

// True when a thread of the island may touch a tissue in this step, or did in the last.
static bool is_on_skin(const cg_touch_set *set, int head)
{
    bool is_near = set->islands.head[cg_skin_node(set)] == head;
    for (int c = head; c < set->cast.thread_count && !is_near; c++) {
        is_near = set->islands.head[c] == head && set->cast.is_near_skin[c];
    }
    return set->islands.on_skin && is_near;
}

// Where tissue and free bodies lead is not looked for.
static bool may_look_ahead(const cg_touch_set *set, int head)
{
    return !is_on_skin(set, head) && !has_free_body(set, head) && !cg_touch_is_led(set, head);
}

// Marks the threads whose touches are to be found where their velocities lead. True when there are such.
static bool mark_sliders(cg_world *world, const cg_step_context *context)
{
    cg_touch_set *set = &world->touches;
    bool any = false;
    for (int c = 0; c < set->cast.thread_count && world->def.newton_passes >= LEAST_PASSES; c++) {
        int head = set->islands.head[c];
        set->islands.progress[c].is_ahead =
            head < c ? set->islands.progress[head].is_ahead
                     : may_look_ahead(set, c) && cg_touch_slide(set, context->time_step, c) > LONG_SLIDE;
        any = any || set->islands.progress[c].is_ahead;
    }
    return any;
}

static void look_back(cg_touch_set *set)
{
    for (int m = 0; m < cg_mover_count(set); m++) {
        set->islands.progress[m].is_ahead = false;
    }
}

static void find_touches(cg_world *world, const cg_step_context *context, bool first)
{
    if (first && mark_sliders(world, context)) {
        cg_touch_find_ahead(&world->touches, context->time_step);
    } else {
        look_back(&world->touches);
        cg_touch_find(&world->touches);
    }
    cg_touch_find_islands(&world->touches);
    cg_touch_wake_islands(&world->touches);
    cg_touch_mark_touched(&world->touches);
    cg_touch_place_cores(&world->touches);
    cg_touch_aim_ties(&world->touches);
    cg_touch_aim_fibres(&world->touches, context);
}

// An island ends when it has converged, when no other whole pass is allowed, or when it gets nowhere.
static bool is_last_pass(const cg_progress *progress)
{
    return progress->whole + 1 >= progress->most;
}

// Moves all bodies by the share of their motion that is safe.
static void move_all(cg_world *world)
{
    cg_touch_set *set = &world->touches;
    cg_touch_move_rigids(set);
    cg_touch_move_skins(set);
    for (int c = 0; c < set->cast.thread_count; c++) {
        cg_thread *thread = set->cast.threads[c];
        double share = set->islands.progress[c].share;
        if (!thread->done) {
            cg_thread_move_share(thread, share);
            thread->done = thread->refused || (share == 1.0 && thread->settles);
        }
    }
}

// Looks which islands have converged, and makes those calmer that swing.
static void settle_islands(cg_world *world, const cg_step_context *context)
{
    cg_touch_set *set = &world->touches;
    for (int c = 0; c < set->cast.thread_count; c++) {
        if (!set->cast.threads[c]->done) {
            cg_thread_refuse_bad_move(set->cast.threads[c]);
        }
    }
    cg_touch_refuse_bad_moves(set);
    cg_touch_settles(set, context);
    cg_touch_calm(set);
}

// True when the thread has a motion to go ahead by.
static bool aim_thread(cg_thread *thread, const cg_step_context *context, bool is_free)
{
    bool goes = thread->second_order && is_free;
    if (goes) {
        cg_thread_aim_ahead(thread, context);
    } else {
        memset(thread->move, 0, sizeof *thread->move * (size_t)thread->vertex_count);
    }
    return goes;
}

// Passes of a smooth motion begin where inertia leads, and most need no second one. True when a thread has such a one.
static bool aim_ahead(cg_world *world, const cg_step_context *context)
{
    const cg_touch_set *set = &world->touches;
    bool any = false;
    if (world->def.newton_passes < LEAST_PASSES || world->def.line_search) {
        return false;
    }
    if (world->touch_memory != NULL) { // islands know threads by their numbers among the contacts
        for (int c = 0; c < set->cast.thread_count; c++) {
            bool is_free = !is_on_skin(set, set->islands.head[c]) && !cg_touch_is_led(set, set->islands.head[c]);
            any = aim_thread(set->cast.threads[c], context, is_free) || any;
        }
        return any;
    }
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        any = aim_thread(s->thread, context, true) || any;
    }
    return any;
}

static void go_ahead_alone(cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (s->thread->second_order) {
            cg_thread_go_ahead(s->thread);
        }
    }
}

// Those whose way is free.
static void go_ahead(cg_touch_set *set)
{
    for (int c = 0; c < set->cast.thread_count; c++) {
        if (set->cast.threads[c]->second_order && set->islands.progress[c].share == 1.0) {
            cg_thread_go_ahead(set->cast.threads[c]);
        }
    }
}

// Passes that swing may end in shapes that hold more energy than all there was when the step began, with nothing to
// drive them: no velocity could give it back (energy.c). Then there are so many more, up to so many times those of the
// definition; a step that may have a few only is cut short on purpose.
enum { MORE_PASSES = 6, MOST_TIMES = 3 };

static bool has_to_go_on(cg_world *world, const cg_step_context *context, int head)
{
    int passes = world->def.newton_passes, most = world->touches.islands.progress[head].most;
    return passes >= LEAST_PASSES && most < MOST_TIMES * passes && cg_world_wins_energy(world, context, head);
}

static void allow_more(cg_touch_set *set, int head)
{
    for (int m = head; m < cg_mover_count(set); m++) {
        set->islands.progress[m].most += set->islands.head[m] == head ? MORE_PASSES : 0;
    }
}

// A tangle or a yank must not freeze the hand: the step also ends when it has cost enough, which is counted, not timed.
static bool may_go_on(const cg_world *world, int pass)
{
    return pass < MOST_CONTACT_PASSES &&
           (pass == 0 || world->touches.search.ahead || cg_touch_may_go_on(&world->touches));
}

// All of tissues and what may touch them have gone their whole way, and want no other pass.
static bool is_skin_settled(const cg_touch_set *set)
{
    int skins = cg_skin_node(set);
    bool settled = set->islands.progress[skins].share == 1.0;
    for (int m = 0; m < cg_mover_count(set); m++) {
        if (set->islands.group[m] == set->islands.group[skins] && !*mover_done(set, m)) {
            settled = settled && (*mover_settles(set, m) || is_last_pass(&set->islands.progress[m]));
        }
    }
    return settled;
}

// What the tissues said to a pass.
typedef enum answer { NOT_ASKED, AS_FORESEEN, STRAYED } answer;

// Tissues answer when all is where it was to go. Where they stray from what was foreseen, threads on them go on.
static answer ask_skins(cg_world *world, int *answers)
{
    cg_touch_set *set = &world->touches;
    if (!set->islands.on_skin || set->islands.is_skin_done || !is_skin_settled(set)) {
        return NOT_ASKED;
    }
    return cg_touch_answer_skins(set) || ++*answers == MOST_ANSWERS ? AS_FORESEEN : STRAYED;
}

// Counts the pass of an island, and ends it where it wants no other, or may have none. `strayed`: tissue under it asks
// for another.
static void end_pass(cg_world *world, const cg_step_context *context, int head, bool strayed)
{
    cg_touch_set *set = &world->touches;
    cg_progress *progress = &set->islands.progress[head];
    bool is_whole = progress->share == 1.0, is_last = is_whole && is_last_pass(progress) && !strayed;
    bool reached = is_whole && (is_last || *mover_settles(set, head));
    bool goes_on = is_last && !*mover_done(set, head) && has_to_go_on(world, context, head);
    bool ends = (is_last && !goes_on) || progress->idle >= MOST_IDLE_PASSES;
    if (goes_on) {
        allow_more(set, head);
    }
    for (int m = head; m < cg_mover_count(set); m++) {
        if (set->islands.head[m] == head) {
            set->islands.progress[m].whole += is_whole;
            set->islands.progress[m].reached = set->islands.progress[m].reached || reached;
            if (ends && m < set->cast.thread_count) {
                set->cast.threads[m]->gave_up = !set->cast.threads[m]->done;
            }
            *mover_done(set, m) = *mover_done(set, m) || ends;
        }
    }
}

// Ends the pass for all. True when something is to go on.
static bool end_passes(cg_world *world, const cg_step_context *context, answer skins)
{
    cg_touch_set *set = &world->touches;
    bool going = false;
    if (skins == AS_FORESEEN) {
        cg_touch_end_skins(set);
    }
    for (int head = 0; head < cg_mover_count(set); head++) {
        if (set->islands.head[head] == head) {
            bool is_on_skins = set->islands.group[head] == set->islands.group[cg_skin_node(set)];
            end_pass(world, context, head, skins == STRAYED && is_on_skins);
            going = going || !*mover_done(set, head);
        }
    }
    for (int k = 0; k < set->cast.first_free; k++) {
        bool is_idle = set->islands.progress[cg_led_node(set, k)].idle >= MOST_IDLE_PASSES;
        going = going || (is_on_its_way(set->cast.rigids[k]) && !is_idle);
    }
    return going;
}

// True when all has come where it was to go, now or in an earlier pass of this step.
static bool has_arrived(const cg_touch_set *set)
{
    bool arrived = true;
    for (int m = 0; m < cg_mover_count(set); m++) {
        arrived = arrived && (set->islands.progress[m].reached || mover_refused(set, m));
    }
    for (int k = 0; k < set->cast.first_free; k++) {
        arrived = arrived && !is_on_its_way(set->cast.rigids[k]);
    }
    return arrived;
}

// Threads that go to second order start their passes where that leads, if the way is free.
static void start_ahead(cg_world *world, const cg_step_context *context)
{
    cg_touch_set *set = &world->touches;
    cg_touch_find_islands(set);
    if (aim_ahead(world, context)) {
        cg_touch_find_shares(set);
        go_ahead(set);
        for (int n = 0; n < cg_node_count(set); n++) {
            set->islands.progress[n].idle = 0;
        }
    }
}

// A step of bodies that touch: found and solved for all of them, with passes for each island as it needs them.
static bool step_with_contacts(cg_world *world, const cg_step_context *context, double *since)
{
    cg_touch_set *set = &world->touches;
    bool going = true;
    cg_touch_begin_step(set, context, world->def.newton_passes);
    start_ahead(world, context);
    cg_world_stage_done(world, CG_STAGE_LIMIT, since);
    for (int pass = 0, answers = 0; may_go_on(world, pass) && going; pass++) {
        find_touches(world, context, pass == 0);
        cg_world_stage_done(world, CG_STAGE_FIND, since);
        assemble_threads(world, context);
        cg_world_stage_done(world, CG_STAGE_ASSEMBLE, since);
        factorise_threads(world, context);
        cg_world_stage_done(world, CG_STAGE_FACTOR, since);
        cg_touch_solve(set);
        cg_world_stage_done(world, CG_STAGE_SOLVE, since);
        settle_islands(world, context);
        cg_touch_find_shares(set);
        cg_world_stage_done(world, CG_STAGE_LIMIT, since);
        answer skins = ask_skins(world, &answers);
        move_all(world);
        going = end_passes(world, context, skins);
        cg_world_stage_done(world, CG_STAGE_MOVE, since);
    }
    if (set->islands.on_skin && !set->islands.is_skin_done) {
        cg_touch_answer_skins(set);
    }
    cg_touch_validate(set);
    cg_touch_end_step(set);
    return has_arrived(set);
}

// Threads that feel nothing of each other: each has its own passes.
static void step_alone(cg_world *world, const cg_step_context *context, double *since)
{
    bool going = true;
    if (aim_ahead(world, context)) {
        go_ahead_alone(world);
    }
    for (int pass = 0; pass < world->def.newton_passes && going; pass++) {
        assemble_threads(world, context);
        cg_world_stage_done(world, CG_STAGE_ASSEMBLE, since);
        factorise_threads(world, context);
        cg_world_stage_done(world, CG_STAGE_FACTOR, since);
        solve_threads(world);
        cg_world_stage_done(world, CG_STAGE_SOLVE, since);
        going = move_threads(world, context);
        cg_world_stage_done(world, CG_STAGE_MOVE, since);
    }
}

bool cg_world_move_threads(cg_world *world, const cg_step_context *context, double *since)
{
    if (world->touch_memory != NULL) {
        return step_with_contacts(world, context, since);
    }
    step_alone(world, context, since);
    cg_world_move_rigids(world, context);
    return true;
}
