// The step: read cg_world_step first, it is the table of contents.
#include "base/vec3.h"
#include "find/skin_rows.h"
#include "thread/slide.h"
#include "thread/yield.h"
#include "world/world.h"

static const char *const STAGE_NAMES[CG_STAGE_COUNT] = {"begin", "predict", "find",   "assemble", "factor", "solve",
                                                        "limit", "move",    "tissue", "finish",   "follow"};

const char *cg_stage_name(cg_stage stage)
{
    return (unsigned)stage < CG_STAGE_COUNT ? STAGE_NAMES[stage] : "unknown";
}

// Ends the time of a stage and starts that of the next. The clock belongs to the caller and only fills the statistics.
void cg_world_stage_done(cg_world *world, cg_stage stage, double *since)
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

static void count_trouble(cg_world_stats *stats, const cg_thread *thread)
{
    stats->passes = thread->passes > stats->passes ? thread->passes : stats->passes;
    stats->last_correction = thread->correction > stats->last_correction ? thread->correction : stats->last_correction;
    stats->shortest_move = thread->share < stats->shortest_move ? thread->share : stats->shortest_move;
    stats->unconverged_steps += !thread->done || thread->gave_up;
    stats->recovered_steps += thread->refused;
    for (int i = 0; i < thread->vertex_count; i++) {
        if (thread->held[i]) {
            double lag = v3_distance(thread->target[i], thread->shape.position[i]);
            stats->hold_lag = lag > stats->hold_lag ? lag : stats->hold_lag;
        }
    }
}

static bool is_any_jammed(const cg_world *world)
{
    bool is_any = false;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL && !is_any; s = cg_world_next_thread(world, s)) {
        is_any = cg_slide_is_jammed(s->thread);
    }
    return is_any;
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
    stats->jammed_slides += is_any_jammed(world);
}

// Behind the limit of energy: what yielding takes is lost, and no motion may have it.
static void yield_threads(cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (s->thread->yield_moment > 0) {
            cg_thread_yield(s->thread);
        }
    }
}

static void finish_threads(cg_world *world, const cg_step_context *context)
{
    cg_world_stats *stats = &world->stats;
    stats->passes = 0;
    stats->last_correction = 0;
    stats->shortest_move = 1;
    stats->hold_lag = 0;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        cg_thread_finish_step(s->thread, context);
        count_trouble(stats, s->thread);
    }
    cg_world_finish_rigids(world);
    cg_world_limit_energy(world, context);
    yield_threads(world);
    stats->step_count++;
    world->time += context->time_step;
}

// Stages

static void begin(cg_world *world, const cg_step_context *context)
{
    cg_world_aim_shapes(world);
    cg_world_move_hands(world, context);
    cg_world_move_structure(world, context);
    cg_world_hide_swaged(world);
    cg_world_begin_planes(world, context);
    cg_world_begin_adhesions(world, context);
    begin_threads(world, context);
}

// True when something that is solved for may touch tissue in this step: then that moves with what tissue foresees, and
// tissue finishes its step with the forces.
static bool predict(cg_world *world, const cg_step_context *context)
{
    if (world->tissues.count == 0) {
        return false;
    }
    cg_world_predict_tissues(world, context);
    return world->touch_memory != NULL && cg_touch_look_at_skins(&world->touches, context->time_step);
}

// Tissues that nothing of the kind touches move first: how far tissue and shapes go safely is known then.
static void finish_tissues_before(cg_world *world)
{
    if (world->tissues.count == 0) {
        return;
    }
    cg_world_finish_tissues(world);
    cg_world_limit_meets(world);
    if (cg_world_has_presses(world)) {
        cg_world_limit_presses(world);
    }
    if (world->touch_memory != NULL) {
        cg_touch_hold_back_skins(&world->touches);
        cg_touch_stand_skins(&world->touches);
    }
}

// What tissue really does may differ from what it foresaw: where that is not safe, all make the share of the step that
// is. False when they had to.
static bool finish_tissues_after(cg_world *world)
{
    cg_world_finish_tissues(world);
    cg_world_limit_meets(world);
    double share = cg_world_has_presses(world) ? cg_world_check_presses(world) : 1;
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        s->skin->is_crowded = s->press->is_near;
    }
    bool was_stopped = false;
    // A tissue that was stopped short has gone another way than the one that is known to be safe among tissues.
    if (share == 1 && cg_touch_settle_skins(&world->touches, &was_stopped) &&
        !(was_stopped && cg_meet_limit(world->meets))) {
        return true;
    }
    double safe = cg_touch_whole_share(&world->touches);
    cg_touch_take_share(&world->touches, safe < share ? safe : share);
    return false;
}

static void finish(cg_world *world, const cg_step_context *context, bool finished, bool on_tissue)
{
    if (world->touch_memory != NULL) {
        count_contacts(world, finished);
    }
    if (cg_world_has_presses(world)) {
        cg_world_finish_presses(world, !on_tissue);
    }
    cg_world_finish_bonds(world);
    cg_world_finish_adhesions(world);
    cg_world_finish_planes(world);
    cg_world_feel_hands(world, context);
    finish_threads(world, context);
}

static void follow(cg_world *world)
{
    cg_world_pierce(world);
    cg_world_heal_skins(world);
    cg_world_follow(world);
    cg_world_use_tools(world);
    cg_world_tear_tissues(world);
    cg_world_break_threads(world);
}

static double start_clock(cg_world *world)
{
    for (int stage = 0; stage < CG_STAGE_COUNT; stage++) {
        world->stats.stage_seconds[stage] = 0;
    }
    return world->def.clock != NULL ? world->def.clock() : 0;
}

void cg_world_step(cg_world *world)
{
    cg_step_context context = make_context(world);
    double since = start_clock(world);

    begin(world, &context);
    cg_world_stage_done(world, CG_STAGE_BEGIN, &since);

    bool on_tissue = predict(world, &context);
    cg_world_stage_done(world, CG_STAGE_PREDICT, &since);

    if (!on_tissue) {
        finish_tissues_before(world);
        cg_world_stage_done(world, CG_STAGE_TISSUE, &since);
    }

    bool finished = cg_world_move_models(world, &context, &since); // passes of find to move
    finished = cg_world_move_threads(world, &context, &since) && finished;

    if (on_tissue) {
        finished = finish_tissues_after(world) && finished;
        cg_world_stage_done(world, CG_STAGE_TISSUE, &since);
    }

    finish(world, &context, finished, on_tissue);
    cg_world_stage_done(world, CG_STAGE_FINISH, &since);

    follow(world);
    cg_world_stage_done(world, CG_STAGE_FOLLOW, &since);
}
