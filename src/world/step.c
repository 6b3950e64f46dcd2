// The step: read cg_world_step first, it is the table of contents.
#include "world/world.h"

static const char *const STAGE_NAMES[CG_STAGE_COUNT] = {"begin", "assemble", "factor", "solve", "move", "finish"};

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
                             .line_search = world->def.line_search,
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

static void count_trouble(cg_world_stats *stats, const cg_thread *thread, const cg_step_context *context)
{
    stats->passes = thread->passes > stats->passes ? thread->passes : stats->passes;
    stats->last_correction = thread->correction > stats->last_correction ? thread->correction : stats->last_correction;
    stats->shortest_move = thread->share < stats->shortest_move ? thread->share : stats->shortest_move;
    stats->unconverged_steps += context->tolerance > 0 && !thread->done;
    stats->recovered_steps += thread->refused;
}

static void finish_threads(cg_world *world, const cg_step_context *context)
{
    cg_world_stats *stats = &world->stats;
    stats->passes = 0;
    stats->last_correction = 0;
    stats->shortest_move = 1;
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
    for (int stage = 0; stage < CG_STAGE_COUNT; stage++) {
        world->stats.stage_seconds[stage] = 0;
    }

    begin_threads(world, &context);
    stage_done(world, CG_STAGE_BEGIN, &since);

    bool going = true;
    for (int pass = 0; pass < world->def.newton_passes && going; pass++) {
        assemble_threads(world, &context);
        stage_done(world, CG_STAGE_ASSEMBLE, &since);
        factorise_threads(world);
        stage_done(world, CG_STAGE_FACTOR, &since);
        solve_threads(world);
        stage_done(world, CG_STAGE_SOLVE, &since);
        going = move_threads(world, &context);
        stage_done(world, CG_STAGE_MOVE, &since);
    }

    finish_threads(world, &context);
    stage_done(world, CG_STAGE_FINISH, &since);
}
