// A batch: its worlds made, begun anew, kept and taken back.
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "batch/batch.h"

cg_worlds_def cg_worlds_def_default(void)
{
    return (cg_worlds_def){.world_count = 1, .steps = 1};
}

// A world

static const cg_scene *scene_of(const cg_worlds *batch, const cg_one_world *world)
{
    return world->own_scene != NULL ? world->own_scene : batch->def.scene;
}

void cg_worlds_end_world(cg_worlds *batch, int number)
{
    cg_one_world *world = &batch->worlds[number];
    cg_attempt_past_free(world->first_attempt);
    cg_attempt_destroy(world->attempt);
    cg_session_state_free(world->first);
    cg_session_destroy(world->session);
    cg_scene_free(world->own_scene);
    world->first_attempt = NULL;
    world->attempt = NULL;
    world->first = NULL;
    world->session = NULL;
    world->own_scene = NULL;
}

static cg_status make_session(cg_worlds *batch, cg_one_world *world)
{
    cg_session_def def = cg_session_def_default();
    def.skip_scene_inputs = true;
    def.allocator = batch->def.allocator;
    def.queue_capacity = 64;
    cg_scene_error error;
    cg_status status = cg_session_create(&def, scene_of(batch, world), &world->session, &error);
    if (status.code == CG_OK) {
        status = cg_session_keep(world->session, &world->first);
    }
    return status;
}

static cg_status make_attempt(cg_worlds *batch, cg_one_world *world, uint64_t seed)
{
    if (batch->def.task == NULL) {
        return cg_ok();
    }
    cg_status status = cg_attempt_create(batch->def.task, batch->def.task_name, seed, world->session,
                                         &batch->def.allocator, &world->attempt);
    if (status.code == CG_OK) {
        status = cg_attempt_keep(world->attempt, &world->first_attempt);
    }
    return status;
}

// A world is made anew only where its seed makes another one; else it goes back to how it was made.
static cg_status make_world(cg_worlds *batch, int number, uint64_t seed)
{
    cg_one_world *world = &batch->worlds[number];
    cg_worlds_end_world(batch, number);
    cg_status status = cg_ok();
    if (batch->def.make_scene != NULL) {
        status = batch->def.make_scene(batch->def.scene_context, number, seed, &world->own_scene);
    }
    if (status.code == CG_OK) {
        status = make_session(batch, world);
    }
    if (status.code == CG_OK) {
        status = make_attempt(batch, world, seed);
    }
    if (status.code != CG_OK) {
        cg_worlds_end_world(batch, number);
    }
    return status;
}

static cg_status begin_attempt(cg_worlds *batch, cg_one_world *world, uint64_t seed)
{
    if (world->attempt != NULL && seed == world->made_with) {
        return cg_attempt_return(world->attempt, world->first_attempt);
    }
    cg_attempt_past_free(world->first_attempt);
    cg_attempt_destroy(world->attempt);
    world->first_attempt = NULL;
    world->attempt = NULL;
    return make_attempt(batch, world, seed);
}

static cg_worlds_outcome stats_of(const cg_one_world *world)
{
    cg_world_stats stats = cg_world_get_stats(cg_session_world(world->session));
    return (cg_worlds_outcome){.recovered = stats.recovered_steps + stats.recovered_tissue_steps};
}

cg_status cg_worlds_begin_world(cg_worlds *batch, int number, uint64_t seed)
{
    cg_one_world *world = &batch->worlds[number];
    bool same_world = world->session != NULL && (batch->def.make_scene == NULL || seed == world->made_with);
    cg_status status = same_world ? cg_session_return(world->session, world->first) : cg_ok();
    if (!same_world || status.code != CG_OK) {
        status = make_world(batch, number, seed); // also where its state cannot come back: a piece was separated
    } else {
        status = begin_attempt(batch, world, seed);
    }
    if (status.code == CG_OK) {
        world->seed = world->made_with = seed;
        world->before = stats_of(world);
    }
    return status;
}

// The batch

static cg_status check_def(const cg_worlds_def *def)
{
    if (def->world_count < 1 || def->world_count > 100000) {
        return cg_error(CG_BAD_INPUT, "found %d worlds; expected 1 to 100000", def->world_count);
    }
    if (def->steps < 1 || def->steps > 1000000) {
        return cg_error(CG_BAD_INPUT, "found %d steps of a world in a step; expected 1 to 1000000", def->steps);
    }
    if ((def->scene == NULL) == (def->make_scene == NULL)) {
        return cg_error(CG_BAD_INPUT, "a batch has either a scene or a function that makes scenes");
    }
    if (def->task != NULL && def->task_name == NULL) {
        return cg_error(CG_BAD_INPUT, "a batch with a task needs the name of the task");
    }
    if ((def->runner.begin == NULL) != (def->runner.wait == NULL)) {
        return cg_error(CG_BAD_INPUT, "a runner has both of begin and wait, or neither");
    }
    for (int i = 0; i < def->observed_count; i++) {
        if (cg_observed_width(&def->observed[i]) == 0) {
            return cg_error(CG_BAD_INPUT,
                            "observation %d: found observable %d of %d points; expected one of %d, and 1 to "
                            "10000 points where it is counted",
                            i, (int)def->observed[i].what, def->observed[i].count, (int)CG_OBSERVE_COUNT);
        }
    }
    return cg_ok();
}

static void *take(const cg_worlds *batch, size_t count, size_t size)
{
    size_t bytes;
    return cg_memory_multiply(count, size, &bytes) ? cg_memory_take(&batch->def.allocator, bytes) : NULL;
}

static bool take_memory(cg_worlds *batch)
{
    size_t count = (size_t)batch->def.world_count, observed = (size_t)batch->def.observed_count;
    batch->worlds = take(batch, count, sizeof *batch->worlds);
    batch->done = take(batch, count, sizeof *batch->done);
    batch->sent = take(batch, count, sizeof *batch->sent);
    batch->observed = take(batch, observed, sizeof *batch->observed);
    if (batch->observed != NULL && observed > 0) {
        memcpy(batch->observed, batch->def.observed, observed * sizeof *batch->observed);
    }
    for (size_t i = 0; i < observed; i++) {
        batch->observation_width += cg_observed_width(&batch->def.observed[i]);
    }
    return batch->worlds != NULL && batch->done != NULL && batch->sent != NULL && batch->observed != NULL;
}

// Rows of what was sent and is to be received, once the scene says how many hands there are.
static bool take_rows(cg_worlds *batch)
{
    batch->hand_count = cg_scene_hand_count(scene_of(batch, &batch->worlds[0]));
    batch->action_width = CG_WORLDS_ACTION * batch->hand_count;
    size_t width = (size_t)batch->action_width + (size_t)batch->observation_width;
    batch->rows = take(batch, (size_t)batch->def.world_count * (width + 1), sizeof *batch->rows);
    for (int i = 0; batch->rows != NULL && i < batch->def.world_count; i++) {
        batch->worlds[i].action = batch->rows + (size_t)i * width;
        batch->worlds[i].observation = batch->worlds[i].action + batch->action_width;
    }
    return batch->rows != NULL;
}

static void begin_piece(void *work, size_t number)
{
    cg_worlds *batch = work;
    batch->worlds[number].trouble = cg_worlds_begin_world(batch, (int)number, (uint64_t)number);
}

cg_status cg_worlds_create(const cg_worlds_def *def, cg_worlds **out)
{
    *out = NULL;
    cg_status status = check_def(def);
    if (status.code != CG_OK) {
        return status;
    }
    cg_worlds *batch = cg_memory_take(&def->allocator, sizeof *batch);
    if (batch == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a batch");
    }
    batch->def = *def;
    if (!take_memory(batch)) {
        cg_worlds_destroy(batch);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a batch of %d worlds", def->world_count);
    }
    cg_worlds_run(batch, (size_t)def->world_count, begin_piece, batch);
    status = cg_worlds_trouble(batch, NULL);
    if (status.code == CG_OK && !take_rows(batch)) {
        status = cg_error(CG_OUT_OF_MEMORY, "no memory for a batch of %d worlds", def->world_count);
    }
    if (status.code != CG_OK) {
        cg_worlds_destroy(batch);
        return status;
    }
    *out = batch;
    return cg_ok();
}

void cg_worlds_destroy(cg_worlds *batch)
{
    if (batch == NULL) {
        return;
    }
    cg_allocator allocator = batch->def.allocator;
    for (int i = 0; batch->rows != NULL && i < batch->sent_count; i++) {
        if (batch->def.runner.wait != NULL) {
            batch->def.runner.wait(batch->def.runner.context, (size_t)batch->sent[i]);
        }
    }
    for (int i = 0; batch->worlds != NULL && i < batch->def.world_count; i++) {
        cg_worlds_end_world(batch, i);
    }
    cg_memory_give(&allocator, batch->worlds);
    cg_memory_give(&allocator, batch->done);
    cg_memory_give(&allocator, batch->sent);
    cg_memory_give(&allocator, batch->observed);
    cg_memory_give(&allocator, batch->rows);
    cg_memory_give(&allocator, batch);
}

// Looking

static bool is_world(const cg_worlds *batch, int world)
{
    return world >= 0 && world < batch->def.world_count;
}

int cg_worlds_count(const cg_worlds *batch)
{
    return batch->def.world_count;
}

int cg_worlds_observation_width(const cg_worlds *batch)
{
    return batch->observation_width;
}

int cg_worlds_action_width(const cg_worlds *batch)
{
    return batch->action_width;
}

cg_session *cg_worlds_session(const cg_worlds *batch, int world)
{
    return is_world(batch, world) ? batch->worlds[world].session : NULL;
}

uint64_t cg_worlds_seed(const cg_worlds *batch, int world)
{
    return is_world(batch, world) ? batch->worlds[world].seed : 0;
}

cg_worlds_outcome cg_worlds_get_outcome(const cg_worlds *batch, int number)
{
    if (!is_world(batch, number) || batch->worlds[number].session == NULL) {
        return (cg_worlds_outcome){0};
    }
    const cg_one_world *world = &batch->worlds[number];
    cg_attempt_state attempt = world->attempt != NULL ? cg_attempt_look(world->attempt) : (cg_attempt_state){0};
    uint64_t recovered = stats_of(world).recovered;
    return (cg_worlds_outcome){
        .over = attempt.over,
        .reached = attempt.reached,
        .time = cg_world_time(cg_session_world(world->session)),
        .steps = cg_session_get_stats(world->session).steps,
        .recovered = recovered >= world->before.recovered ? recovered - world->before.recovered : recovered,
        .reached_targets = attempt.reached_targets,
    };
}

cg_status cg_worlds_measure(cg_worlds *batch, int number, cg_measures *measures)
{
    *measures = (cg_measures){0};
    if (!is_world(batch, number) || batch->worlds[number].attempt == NULL) {
        return cg_error(CG_BAD_INPUT, "found world %d of %d; expected one that attempts a task", number,
                        batch->def.world_count);
    }
    return cg_attempt_measure(batch->worlds[number].attempt, measures);
}

// Kept states

cg_status cg_worlds_keep(const cg_worlds *batch, int number, cg_worlds_state **out)
{
    *out = NULL;
    if (!is_world(batch, number) || batch->worlds[number].session == NULL || batch->worlds[number].under_way) {
        return cg_error(CG_BAD_INPUT, "found world %d of %d; expected one that is not under way", number,
                        batch->def.world_count);
    }
    const cg_one_world *world = &batch->worlds[number];
    const cg_world *inside = cg_session_world(world->session);
    cg_worlds_state *state = cg_memory_take(&batch->def.allocator, sizeof *state);
    if (state == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory to keep a state");
    }
    state->allocator = batch->def.allocator;
    state->seed = world->seed;
    state->size = cg_world_snapshot_size(inside);
    state->world = cg_memory_take(&state->allocator, state->size);
    cg_status status = state->world != NULL ? cg_world_snapshot(inside, state->world, state->size)
                                            : cg_error(CG_OUT_OF_MEMORY, "no memory to keep a state");
    if (status.code == CG_OK && world->attempt != NULL) {
        status = cg_attempt_keep(world->attempt, &state->attempt);
    }
    if (status.code != CG_OK) {
        cg_worlds_state_free(state);
        return status;
    }
    *out = state;
    return cg_ok();
}

cg_status cg_worlds_return(cg_worlds *batch, int number, const cg_worlds_state *state)
{
    if (!is_world(batch, number) || batch->worlds[number].under_way) {
        return cg_error(CG_BAD_INPUT, "found world %d of %d; expected one that is not under way", number,
                        batch->def.world_count);
    }
    cg_one_world *world = &batch->worlds[number];
    cg_status status = cg_ok();
    if (world->session == NULL || state->seed != world->seed) {
        status = cg_worlds_begin_world(batch, number, state->seed);
    }
    if (status.code == CG_OK) {
        status = cg_session_restore(world->session, state->world, state->size);
    }
    if (status.code == CG_OK && world->attempt != NULL) {
        status = cg_attempt_return(world->attempt, state->attempt);
    }
    return status;
}

void cg_worlds_state_free(cg_worlds_state *state)
{
    if (state != NULL) {
        cg_allocator allocator = state->allocator;
        cg_attempt_past_free(state->attempt);
        cg_memory_give(&allocator, state->world);
        cg_memory_give(&allocator, state);
    }
}
