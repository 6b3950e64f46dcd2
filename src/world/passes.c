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

// Passes in which threads go on because tissue answered otherwise than foreseen: they are not counted among those that
// threads need by themselves.
enum { MOST_ANSWERS = 12 };

// From the third whole pass on, passes that swing are made calmer (contact/touch_islands.c).
enum { FIRST_CALMER_PASS = 2 };

// True while something goes where it is told.
static bool shapes_move(const cg_touch_set *set)
{
    for (int k = 0; k < set->first_free; k++) {
        if (memcmp(&set->rigids[k]->now, &set->rigids[k]->target, sizeof(cg_transform)) != 0) {
            return true;
        }
    }
    return false;
}

// A step that may have a few passes only begins where it is.
enum { LEAST_PASSES = 4 };
// Threads that would slide by more than this (radii) are touched where their velocities lead in the first pass.
static const double LONG_SLIDE = 0.3;

static bool slides_on(const cg_world *world, const cg_step_context *context)
{
    const cg_touch_set *set = &world->touches;
    bool has_free = set->first_free < set->rigid_count; // where they lead is not looked for, nor where tissue does
    return world->def.newton_passes >= LEAST_PASSES && !has_free && !set->on_skin && !shapes_move(set) &&
           cg_touch_slide(set, context->time_step) > LONG_SLIDE;
}

static void find_touches(cg_world *world, const cg_step_context *context, bool first)
{
    if (first && slides_on(world, context)) {
        cg_touch_find_ahead(&world->touches, context->time_step);
    } else {
        cg_touch_find(&world->touches);
    }
    cg_touch_find_islands(&world->touches);
    cg_touch_wake_islands(&world->touches);
    cg_touch_mark_touched(&world->touches);
    cg_touch_place_cores(&world->touches);
}

// Moves all bodies by the share of their motion that is safe.
static void move_all(cg_world *world, double share)
{
    cg_touch_move_rigids(&world->touches, share);
    cg_touch_move_skins(&world->touches, share);
    world->way_made = share == 1.0 ? 1 : world->way_made + (1 - world->way_made) * share;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (!s->thread->done) {
            cg_thread_move_share(s->thread, share);
            s->thread->done = s->thread->refused || (share == 1.0 && s->thread->settles);
        }
    }
    world->whole_passes += share == 1.0;
}

// No other whole pass is allowed.
static bool is_last_pass(const cg_world *world)
{
    return world->whole_passes + 1 >= world->most_passes;
}

// Looks which islands have converged, and makes those calmer that swing. True when all have, or no other pass is
// allowed.
static bool settle_islands(cg_world *world, const cg_step_context *context)
{
    cg_touch_set *set = &world->touches;
    bool last = is_last_pass(world);
    for (int c = 0; c < set->thread_count; c++) {
        if (!set->threads[c]->done) {
            cg_thread_refuse_bad_move(set->threads[c]);
        }
    }
    cg_touch_refuse_bad_moves(set);
    bool settled = cg_touch_settles(set, context) || last;
    bool late = world->whole_passes >= FIRST_CALMER_PASS && !last;
    cg_touch_calm(set, world->whole_passes == 0, late, shapes_move(set));
    return settled;
}

// Passes of a smooth motion begin where inertia leads, and most need no second one. True when a thread has such a one.
static bool aim_ahead(cg_world *world, const cg_step_context *context)
{
    bool any = false;
    if (world->def.newton_passes < LEAST_PASSES || world->def.line_search) {
        return false;
    }
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        cg_thread *thread = s->thread;
        if (thread->second_order) {
            cg_thread_aim_ahead(thread, context);
            any = true;
        } else {
            memset(thread->move, 0, sizeof *thread->move * (size_t)thread->vertex_count);
        }
    }
    return any;
}

static void go_ahead(cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (s->thread->second_order) {
            cg_thread_go_ahead(s->thread);
        }
    }
}

// Passes that swing may end in shapes that hold more energy than all there was when the step began, with nothing to
// drive them: no velocity could give it back (energy.c). Then there are so many more, up to so many times those of the
// definition; a step that may have a few only is cut short on purpose.
enum { MORE_PASSES = 6, MOST_TIMES = 3 };

static bool has_to_go_on(cg_world *world, const cg_step_context *context)
{
    int passes = world->def.newton_passes;
    if (passes < LEAST_PASSES || world->most_passes >= MOST_TIMES * passes || !cg_world_wins_energy(world, context)) {
        return false;
    }
    world->most_passes += MORE_PASSES;
    return true;
}

// A tangle or a yank must not freeze the hand: the step also ends when it has cost enough, which is counted, not timed.
static bool may_go_on(const cg_world *world, int pass, int idle)
{
    return pass < MOST_CONTACT_PASSES && idle < MOST_IDLE_PASSES &&
           (pass == 0 || world->touches.ahead || cg_touch_may_go_on(&world->touches));
}

// A step of threads that touch: one motion, found and limited for all of them together.
static bool step_with_contacts(cg_world *world, const cg_step_context *context, double *since)
{
    bool going = true, reached = false; // once all is where it was to go, other passes only better it
    world->whole_passes = 0;
    world->most_passes = world->def.newton_passes;
    cg_touch_begin_step(&world->touches, context);
    if (!shapes_move(&world->touches) && !world->touches.on_skin && aim_ahead(world, context) &&
        cg_touch_safe_share(&world->touches) == 1.0) {
        go_ahead(world);
    }
    cg_world_stage_done(world, CG_STAGE_LIMIT, since);
    for (int pass = 0, idle = 0, answers = 0; may_go_on(world, pass, idle) && going; pass++) {
        find_touches(world, context, pass == 0);
        cg_world_stage_done(world, CG_STAGE_FIND, since);
        assemble_threads(world, context);
        cg_world_stage_done(world, CG_STAGE_ASSEMBLE, since);
        factorise_threads(world, context);
        cg_world_stage_done(world, CG_STAGE_FACTOR, since);
        cg_touch_solve(&world->touches);
        cg_world_stage_done(world, CG_STAGE_SOLVE, since);
        bool settled = settle_islands(world, context);
        int stoppers = world->touches.stopper_count;
        double share = cg_touch_safe_share(&world->touches);
        cg_world_stage_done(world, CG_STAGE_LIMIT, since);
        idle = share < CG_TOUCH_IDLE_SHARE && world->touches.stopper_count == stoppers ? idle + 1 : 0;
        if (share == 1.0 && settled) {
            settled = cg_touch_answer_skins(&world->touches) || ++answers == MOST_ANSWERS;
        }
        move_all(world, share);
        reached = reached || (share == 1.0 && settled);
        going = !(share == 1.0 && settled) || has_to_go_on(world, context);
        cg_world_stage_done(world, CG_STAGE_MOVE, since);
    }
    if (going) {
        cg_touch_answer_skins(&world->touches);
    }
    cg_touch_end_step(&world->touches);
    return reached;
}

// Threads that feel nothing of each other: each has its own passes.
static void step_alone(cg_world *world, const cg_step_context *context, double *since)
{
    bool going = true;
    if (aim_ahead(world, context)) {
        go_ahead(world);
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
