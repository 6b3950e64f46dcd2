// The passes of a step: each linearises the same implicit step anew where the threads now are, and moves them. Threads
// are done when the linear equations foresaw where the last pass led (thread/motion.c, contact/touch_islands.c): one
// pass where things are calm, two where they move, more where they snap.
#include <string.h>

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

static void find_touches(cg_world *world)
{
    cg_touch_find(&world->touches);
    cg_touch_find_islands(&world->touches);
    cg_touch_wake_islands(&world->touches);
    cg_touch_mark_touched(&world->touches);
    cg_touch_place_cores(&world->touches);
}

// Passes with the cautious matrix swing about what they converge to, once they are near: from the third one on this
// share of each motion is made, but for the last, which forces and momentum must agree with. Knots that are pulled need
// a fifth fewer passes with it. All threads go the same share, for which the way is known to be safe.
static const double CALMER = 0.7;
enum { FIRST_CALMER_PASS = 2 };

static bool swings(const cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (s->thread->cautious && !s->thread->done) {
            return true;
        }
    }
    return false;
}

// True while something has a target that it has not reached.
static bool is_driven(const cg_world *world)
{
    const cg_touch_set *set = &world->touches;
    for (int k = 0; k < set->shape_count; k++) {
        if (memcmp(&set->shapes[k]->now, &set->shapes[k]->target, sizeof(cg_transform)) != 0) {
            return true;
        }
    }
    for (int c = 0; c < set->thread_count; c++) {
        if (cg_thread_holds_move(set->threads[c])) {
            return true;
        }
    }
    return false;
}

static void move_all(cg_world *world, double share, bool settles)
{
    cg_touch_move_shapes(&world->touches, share);
    world->way_made = share == 1.0 ? 1 : world->way_made + (1 - world->way_made) * share;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (!s->thread->done) {
            cg_thread_move_share(s->thread, share);
            s->thread->done = s->thread->refused || (settles && s->thread->settles);
        }
    }
}

// Moves all threads by the share of their motion that is safe. True when another pass is wanted.
static bool move_together(cg_world *world, const cg_step_context *context, double share)
{
    bool whole = share == 1.0, last = world->whole_passes + 1 >= world->def.newton_passes;
    bool settled = cg_touch_settles(&world->touches, context) || last;
    // What goes to a target goes there in a whole pass; once that is made, the others only better the rest.
    bool calmer = world->whole_passes >= FIRST_CALMER_PASS && !settled && swings(world);
    bool rocking = settled && whole && world->whole_passes == 0 && !is_driven(world) && cg_touch_rocks(&world->touches);
    move_all(world, rocking ? 0.5 : (calmer ? CALMER * share : share), whole && !calmer);
    world->whole_passes += whole;
    return !(whole && settled);
}

// A tangle or a yank must not freeze the hand: the step also ends when it has cost enough, which is counted, not timed.
static bool may_go_on(const cg_world *world, int pass, int idle)
{
    return pass < MOST_CONTACT_PASSES && idle < MOST_IDLE_PASSES && (pass == 0 || cg_touch_may_go_on(&world->touches));
}

// A step of threads that touch: one motion, found and limited for all of them together.
static bool step_with_contacts(cg_world *world, const cg_step_context *context, double *since)
{
    bool going = true;
    world->whole_passes = 0;
    cg_touch_begin_step(&world->touches);
    for (int pass = 0, idle = 0; may_go_on(world, pass, idle) && going; pass++) {
        find_touches(world);
        cg_world_stage_done(world, CG_STAGE_FIND, since);
        assemble_threads(world, context);
        cg_world_stage_done(world, CG_STAGE_ASSEMBLE, since);
        factorise_threads(world, context);
        cg_world_stage_done(world, CG_STAGE_FACTOR, since);
        cg_touch_solve(&world->touches);
        cg_world_stage_done(world, CG_STAGE_SOLVE, since);
        int stoppers = world->touches.stopper_count;
        double share = cg_touch_safe_share(&world->touches);
        cg_world_stage_done(world, CG_STAGE_LIMIT, since);
        idle = share < CG_TOUCH_IDLE_SHARE && world->touches.stopper_count == stoppers ? idle + 1 : 0;
        going = move_together(world, context, share);
        cg_world_stage_done(world, CG_STAGE_MOVE, since);
    }
    cg_touch_end_step(&world->touches);
    return !going;
}

// Threads that feel nothing of each other: each has its own passes.
static void step_alone(cg_world *world, const cg_step_context *context, double *since)
{
    bool going = true;
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
    return true;
}
