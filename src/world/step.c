// The step: read cg_world_step first, it is the table of contents.
#include "base/vec3.h"
#include "world/world.h"

static const char *const STAGE_NAMES[CG_STAGE_COUNT] = {"begin", "predict", "find",   "assemble", "factor", "solve",
                                                        "limit", "move",    "tissue", "finish",   "follow"};

const char *cg_stage_name(cg_stage stage)
{
    return (unsigned)stage < CG_STAGE_COUNT ? STAGE_NAMES[stage] : "unknown";
}

// Ends the time of a stage and starts that of the next. The clock belongs to the caller and only fills the statistics.
static void stage_done(cg_world *world, cg_stage stage, double *since)
{
    if (world->def.clock != NULL) {
        double now = world->def.clock();
        world->stats.stage_seconds[stage] += now - *since;
        *since = now;
    }
}

static cg_step_context make_context(const cg_world *world)
{
    return (cg_step_context){.time_step = world->def.time_step,
                             .inverse_step = 1.0 / world->def.time_step,
                             .gravity = world->def.gravity,
                             .line_search = world->def.line_search && world->touch_memory == NULL,
                             .tolerance = world->def.newton_tolerance};
}

static void begin_threads(cg_world *world, const cg_step_context *context)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        cg_thread_begin_step(s->thread, context);
    }
}

static void assemble_threads(cg_world *world, const cg_step_context *context)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (!s->thread->done) {
            cg_thread_assemble(s->thread, context);
            cg_thread_eliminate_holds(s->thread);
        }
    }
}

static void factorise_threads(cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (!s->thread->done) {
            cg_thread_factorise(s->thread);
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
enum { MOST_CONTACT_PASSES = 30 };
// A pass that gets nowhere is followed by one from the same place: so many in a row, in which the forces may still find
// a way, and the step ends. Those that learned what stands in the way do not count.
enum { MOST_IDLE_PASSES = 4 };

static void find_touches(cg_world *world)
{
    cg_touch_find(&world->touches);
    cg_touch_place_cores(&world->touches);
}

// Moves all threads by the share of their motion that is safe. True when another pass is wanted.
static bool move_together(cg_world *world, const cg_step_context *context, double share, int pass)
{
    double correction = 0;
    cg_touch_move_shapes(&world->touches, share);
    world->way_made = share == 1.0 ? 1 : world->way_made + (1 - world->way_made) * share;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        cg_thread_move_share(s->thread, share);
        correction = s->thread->correction > correction ? s->thread->correction : correction;
    }
    bool whole = share == 1.0;
    return !(whole && (pass + 1 >= world->def.newton_passes || correction < context->tolerance));
}

// [radii] Threads that slide less in a step do not coast: the bend hardly matters then, and touches that stick under
// load make what is foreseen swing to and fro from step to step, without end.
static const double LEAST_SLIDE = 0.2;

// A thread that slides round a bend leaves it along the tangent in a linear step, and seems to stretch. Linearised
// where its velocity leads, it already follows the bend. Only when the whole way there is free.
static void coast(cg_world *world, const cg_step_context *context)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        cg_thread_aim_to_coast(s->thread, context);
    }
    if (cg_touch_safe_share(&world->touches, true) == 1.0) {
        for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
            cg_thread_move_share(s->thread, 1.0);
        }
        world->touches.coasted = true;
    }
}

// A step of threads that touch: one motion, found and limited for all of them together.
static bool step_with_contacts(cg_world *world, const cg_step_context *context, double *since)
{
    bool going = true;
    cg_touch_begin_step(&world->touches);
    if (world->def.coast && cg_touch_slide(&world->touches, context->time_step) > LEAST_SLIDE) {
        coast(world, context);
        stage_done(world, CG_STAGE_LIMIT, since);
    }
    for (int pass = 0, idle = 0; pass < MOST_CONTACT_PASSES && idle < MOST_IDLE_PASSES && going; pass++) {
        find_touches(world);
        stage_done(world, CG_STAGE_FIND, since);
        assemble_threads(world, context);
        stage_done(world, CG_STAGE_ASSEMBLE, since);
        factorise_threads(world);
        stage_done(world, CG_STAGE_FACTOR, since);
        cg_touch_solve(&world->touches);
        stage_done(world, CG_STAGE_SOLVE, since);
        int stoppers = world->touches.stopper_count;
        double share = cg_touch_safe_share(&world->touches, false);
        stage_done(world, CG_STAGE_LIMIT, since);
        idle = share < CG_TOUCH_IDLE_SHARE && world->touches.stopper_count == stoppers ? idle + 1 : 0;
        going = move_together(world, context, share, pass);
        stage_done(world, CG_STAGE_MOVE, since);
    }
    cg_touch_end_step(&world->touches);
    return !going;
}

static void step_alone(cg_world *world, const cg_step_context *context, double *since)
{
    bool going = true;
    for (int pass = 0; pass < world->def.newton_passes && going; pass++) {
        assemble_threads(world, context);
        stage_done(world, CG_STAGE_ASSEMBLE, since);
        factorise_threads(world);
        stage_done(world, CG_STAGE_FACTOR, since);
        solve_threads(world);
        stage_done(world, CG_STAGE_SOLVE, since);
        going = move_threads(world, context);
        stage_done(world, CG_STAGE_MOVE, since);
    }
}

static void count_trouble(cg_world_stats *stats, const cg_thread *thread, const cg_step_context *context)
{
    stats->passes = thread->passes > stats->passes ? thread->passes : stats->passes;
    stats->last_correction = thread->correction > stats->last_correction ? thread->correction : stats->last_correction;
    stats->shortest_move = thread->share < stats->shortest_move ? thread->share : stats->shortest_move;
    stats->unconverged_steps += context->tolerance > 0 && thread->correction >= context->tolerance;
    stats->recovered_steps += thread->refused;
    for (int i = 0; i < thread->vertex_count; i++) {
        if (thread->held[i]) {
            double lag = v3_distance(thread->target[i], thread->shape.position[i]);
            stats->hold_lag = lag > stats->hold_lag ? lag : stats->hold_lag;
        }
    }
}

static void count_contacts(cg_world *world, bool finished)
{
    cg_world_stats *stats = &world->stats;
    const cg_touch_stats *touch = &world->touches.stats;
    stats->contacts = touch->touches;
    stats->working_contacts = touch->working;
    stats->friction_iterations = touch->iterations;
    stats->friction_pivots = touch->pivots;
    stats->friction_residual = touch->residual;
    stats->unfinished_steps += !finished;
    stats->rough_steps += touch->unconverged > 0;
    stats->lost_contacts += (uint64_t)touch->lost;
}

static void finish_threads(cg_world *world, const cg_step_context *context)
{
    cg_world_stats *stats = &world->stats;
    stats->passes = 0;
    stats->last_correction = 0;
    stats->shortest_move = 1;
    stats->hold_lag = 0;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        bool energy_limited = false;
        cg_thread_finish_step(s->thread, context, &energy_limited);
        count_trouble(stats, s->thread, context);
        stats->energy_limited_steps += energy_limited;
    }
    stats->step_count++;
    world->time += context->time_step;
}

void cg_world_step(cg_world *world)
{
    cg_step_context context = make_context(world);
    double since = world->def.clock != NULL ? world->def.clock() : 0;
    bool has_presses = false;
    for (int stage = 0; stage < CG_STAGE_COUNT; stage++) {
        world->stats.stage_seconds[stage] = 0;
    }

    cg_world_move_hands(world, &context);
    begin_threads(world, &context);
    stage_done(world, CG_STAGE_BEGIN, &since);
    if (world->tissues.count > 0) {
        cg_world_predict_tissues(world, &context);
        stage_done(world, CG_STAGE_PREDICT, &since);
        cg_world_finish_tissues(world);
        cg_world_limit_meets(world);
        has_presses = cg_world_has_presses(world);
        if (has_presses) {
            cg_world_limit_presses(world);
        }
        stage_done(world, CG_STAGE_TISSUE, &since);
    }
    if (world->touch_memory != NULL) {
        count_contacts(world, step_with_contacts(world, &context, &since));
    } else {
        step_alone(world, &context, &since);
    }
    if (has_presses) {
        cg_world_finish_presses(world);
    }
    cg_world_finish_bonds(world);
    cg_world_feel_hands(world, &context);
    finish_threads(world, &context);
    stage_done(world, CG_STAGE_FINISH, &since);
    cg_world_follow(world);
    cg_world_use_tools(world);
    stage_done(world, CG_STAGE_FOLLOW, &since);
}
