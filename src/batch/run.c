// The steps of a batch: all together, sent and received, and rollouts.
#include <math.h>
#include <string.h>

#include "base/mat3.h"
#include "base/memory.h"
#include "base/quat.h"
#include "base/status.h"
#include "base/vec3.h"
#include "batch/batch.h"

void cg_worlds_run(cg_worlds *batch, size_t count, cg_worlds_piece *piece, void *work)
{
    const cg_worlds_runner *runner = &batch->def.runner;
    if (runner->run != NULL) {
        runner->run(runner->context, count, piece, work);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        piece(work, i);
    }
}

cg_status cg_worlds_trouble(const cg_worlds *batch, const bool *mask)
{
    for (int i = 0; i < batch->def.world_count; i++) {
        const cg_status *trouble = &batch->worlds[i].trouble;
        if ((mask == NULL || mask[i]) && trouble->code != CG_OK) {
            return cg_error(trouble->code, "world %d: %s", i, trouble->message);
        }
    }
    return cg_ok();
}

// One world

// The rotation whose first two columns are nearest to what is told: Gram and Schmidt. False where they say none.
static bool read_turn(const double *numbers, cg_quat *turn)
{
    cg_vec3 x = v3(numbers[0], numbers[1], numbers[2]), y = v3(numbers[3], numbers[4], numbers[5]);
    double length = v3_length(x);
    if (!(length > 1e-9) || !(length < 1e9)) {
        return false;
    }
    x = v3_scale(1 / length, x);
    y = v3_sub(y, v3_scale(v3_dot(x, y), x));
    length = v3_length(y);
    if (!(length > 1e-9) || !(length < 1e9)) {
        return false;
    }
    y = v3_scale(1 / length, y);
    *turn = quat_from_mat3(m3_from_columns(x, y, v3_cross(x, y)));
    return true;
}

static cg_status apply_opening(cg_session *session, int hand, double opening)
{
    cg_hand_state state = cg_hand_get_state(cg_session_world(session), cg_session_hand(session, hand));
    cg_operation operation = {.kind = CG_OPERATION_COUNT};
    if (state.has_jaws && opening != state.opening_told) {
        operation.kind = CG_OPERATION_set_jaws;
        operation.as.set_jaws = (cg_operation_set_jaws){.hand = hand, .opening = opening};
    } else if (!state.has_jaws && state.closed && opening >= 0.5) {
        operation.kind = CG_OPERATION_open_hand;
        operation.as.open_hand.hand = hand;
    } else if (!state.has_jaws && !state.closed && opening < 0.5) {
        operation.kind = CG_OPERATION_close_hand;
        operation.as.close_hand.hand = hand;
    }
    // A hand that cannot close here stays open, as for anyone who tries: the recording counts it as refused.
    if (operation.kind != CG_OPERATION_COUNT) {
        cg_session_apply(session, &operation);
    }
    return cg_ok();
}

static cg_status apply_action(const cg_worlds *batch, cg_session *session, const double *action)
{
    double time = batch->def.steps * cg_session_time_step(session);
    for (int i = 0; i < batch->hand_count; i++) {
        const double *told = action + CG_WORLDS_ACTION * i;
        cg_operation move = {.kind = CG_OPERATION_move_hand,
                             .as.move_hand = {.hand = i, .position = {told[0], told[1], told[2]}, .time = time}};
        if (!read_turn(told + 3, &move.as.move_hand.rotation)) {
            return cg_error(CG_BAD_INPUT, "hand %d: found two columns that are no rotation; expected them apart", i);
        }
        if (!(told[9] >= 0 && told[9] <= 1)) {
            return cg_error(CG_BAD_INPUT, "hand %d: found an opening of %g; expected 0 to 1", i, told[9]);
        }
        cg_status status = cg_session_apply(session, &move);
        if (status.code == CG_OK) {
            status = apply_opening(session, i, told[9]);
        }
        if (status.code != CG_OK) {
            return status;
        }
    }
    return cg_ok();
}

void cg_worlds_observe_world(const cg_worlds *batch, int number, double *observation)
{
    const cg_one_world *world = &batch->worlds[number];
    uint64_t reached = cg_worlds_get_outcome(batch, number).reached_targets;
    cg_observe(world->session, batch->def.task, world->seed, reached, batch->observed, batch->def.observed_count,
               observation);
}

cg_status cg_worlds_step_world(cg_worlds *batch, int number, const double *action, double *observation)
{
    cg_one_world *world = &batch->worlds[number];
    if (world->session == NULL) {
        return cg_error(CG_BAD_INPUT, "it could not be made; expected a reset before");
    }
    cg_status status = action != NULL ? apply_action(batch, world->session, action) : cg_ok();
    if (status.code != CG_OK) {
        return status;
    }
    for (int i = 0; i < batch->def.steps; i++) {
        cg_session_step(world->session);
        if (world->attempt != NULL) {
            cg_attempt_look(world->attempt);
        }
    }
    if (observation != NULL) {
        cg_worlds_observe_world(batch, number, observation);
    }
    return cg_ok();
}

// All together

typedef struct together {
    cg_worlds *batch;
    const bool *mask;
    const uint64_t *seeds;
    const double *actions;
    double *observations;
    cg_worlds_outcome *outcomes;
} together;

static double *row(double *rows, int width, size_t number)
{
    return rows != NULL ? rows + (size_t)width * number : NULL;
}

static void step_piece(void *work, size_t number)
{
    const together *all = work;
    cg_worlds *batch = all->batch;
    if (all->mask != NULL && !all->mask[number]) {
        return;
    }
    const double *action = all->actions != NULL ? all->actions + (size_t)batch->action_width * number : NULL;
    batch->worlds[number].trouble =
        cg_worlds_step_world(batch, (int)number, action, row(all->observations, batch->observation_width, number));
    if (all->outcomes != NULL) {
        all->outcomes[number] = cg_worlds_get_outcome(batch, (int)number);
    }
}

static void reset_piece(void *work, size_t number)
{
    const together *all = work;
    cg_worlds *batch = all->batch;
    if (all->mask != NULL && !all->mask[number]) {
        return;
    }
    cg_one_world *world = &batch->worlds[number];
    world->trouble = cg_worlds_begin_world(batch, (int)number, all->seeds != NULL ? all->seeds[number] : world->seed);
    if (world->trouble.code == CG_OK && all->observations != NULL) {
        cg_worlds_observe_world(batch, (int)number, row(all->observations, batch->observation_width, number));
    }
}

static cg_status run_together(together *all, cg_worlds_piece *piece)
{
    cg_worlds *batch = all->batch;
    for (int i = 0; i < batch->def.world_count; i++) {
        if ((all->mask == NULL || all->mask[i]) && batch->worlds[i].under_way) {
            return cg_error(CG_BAD_INPUT, "world %d was sent and not received yet", i);
        }
    }
    cg_worlds_run(batch, (size_t)batch->def.world_count, piece, all);
    return cg_worlds_trouble(batch, all->mask);
}

cg_status cg_worlds_reset(cg_worlds *batch, const bool *mask, const uint64_t *seeds, double *observations)
{
    together all = {.batch = batch, .mask = mask, .seeds = seeds, .observations = observations};
    return run_together(&all, reset_piece);
}

cg_status cg_worlds_step(cg_worlds *batch, const bool *mask, const double *actions, double *observations,
                         cg_worlds_outcome *outcomes)
{
    together all = {
        .batch = batch, .mask = mask, .actions = actions, .observations = observations, .outcomes = outcomes};
    return run_together(&all, step_piece);
}

// Sent and received

static void sent_piece(void *work, size_t number)
{
    cg_worlds *batch = work;
    cg_one_world *world = &batch->worlds[number];
    world->trouble = cg_worlds_step_world(batch, (int)number, world->action, world->observation);
    size_t place = atomic_fetch_add(&batch->done_end, 1) % (size_t)batch->def.world_count;
    atomic_store(&batch->done[place], (int)number + 1);
}

cg_status cg_worlds_send(cg_worlds *batch, const int *worlds, int count, const double *actions)
{
    for (int i = 0; i < count; i++) {
        bool is_there = worlds[i] >= 0 && worlds[i] < batch->def.world_count;
        bool twice = false;
        for (int k = 0; k < i; k++) {
            twice = twice || worlds[k] == worlds[i];
        }
        if (!is_there || twice || batch->worlds[worlds[i]].under_way) {
            return cg_error(CG_BAD_INPUT, "world %d: expected one of %d that is not under way, once", worlds[i],
                            batch->def.world_count);
        }
    }
    const cg_worlds_runner *runner = &batch->def.runner;
    for (int i = 0; i < count; i++) {
        cg_one_world *world = &batch->worlds[worlds[i]];
        memcpy(world->action, actions + (size_t)i * (size_t)batch->action_width,
               (size_t)batch->action_width * sizeof *actions);
        world->under_way = true;
        batch->sent[batch->sent_count++] = worlds[i];
        if (runner->begin != NULL) {
            runner->begin(runner->context, sent_piece, batch, (size_t)worlds[i]);
        } else {
            sent_piece(batch, (size_t)worlds[i]);
        }
    }
    return cg_ok();
}

static void forget_sent(cg_worlds *batch, int world)
{
    int place = 0;
    while (batch->sent[place] != world) {
        place++;
    }
    batch->sent_count--;
    memmove(&batch->sent[place], &batch->sent[place + 1], (size_t)(batch->sent_count - place) * sizeof *batch->sent);
}

// The next world that is done; waits for the one that was sent first where none is.
static int take_done(cg_worlds *batch)
{
    const cg_worlds_runner *runner = &batch->def.runner;
    atomic_int *place = &batch->done[batch->done_begin % (size_t)batch->def.world_count];
    int world = atomic_load(place);
    for (int i = 0; world == 0; i++) {
        runner->wait(runner->context, (size_t)batch->sent[i]);
        world = atomic_load(place);
    }
    atomic_store(place, 0);
    batch->done_begin++;
    world--;
    if (runner->wait != NULL) {
        runner->wait(runner->context, (size_t)world);
    }
    forget_sent(batch, world);
    return world;
}

int cg_worlds_receive(cg_worlds *batch, int count, int *worlds, double *observations, cg_worlds_outcome *outcomes)
{
    int received = 0;
    while (received < count && batch->sent_count > 0) {
        int number = take_done(batch);
        cg_one_world *world = &batch->worlds[number];
        world->under_way = false;
        worlds[received] = number;
        if (observations != NULL) {
            memcpy(row(observations, batch->observation_width, (size_t)received), world->observation,
                   (size_t)batch->observation_width * sizeof *observations);
        }
        if (outcomes != NULL) {
            outcomes[received] = cg_worlds_get_outcome(batch, number);
        }
        received++;
    }
    return received;
}

// Rollouts: a world plays every state whose number leaves its own number behind when divided by how many worlds there
// are.
typedef struct rollout {
    cg_worlds *batch;
    const cg_worlds_state *const *states;
    int count, steps;
    const double *actions;
    double *observations;
    cg_worlds_outcome *outcomes;
} rollout;

static cg_status play(const rollout *all, int world, int number)
{
    cg_worlds *batch = all->batch;
    cg_status status = cg_worlds_return(batch, world, all->states[number]);
    for (int step = 0; step < all->steps && status.code == CG_OK; step++) {
        size_t at = (size_t)number * (size_t)all->steps + (size_t)step;
        status = cg_worlds_step_world(batch, world, all->actions + at * (size_t)batch->action_width,
                                      row(all->observations, batch->observation_width, at));
        if (all->outcomes != NULL) {
            all->outcomes[at] = cg_worlds_get_outcome(batch, world);
        }
    }
    return status;
}

static void rollout_piece(void *work, size_t number)
{
    const rollout *all = work;
    cg_one_world *world = &all->batch->worlds[number];
    world->trouble = cg_ok();
    for (int i = (int)number; i < all->count && world->trouble.code == CG_OK; i += all->batch->def.world_count) {
        world->trouble = play(all, (int)number, i);
    }
}

cg_status cg_worlds_rollout(cg_worlds *batch, const cg_worlds_state *const *states, int count, const double *actions,
                            int steps, double *observations, cg_worlds_outcome *outcomes)
{
    for (int i = 0; i < count; i++) {
        if (states[i] == NULL) {
            return cg_error(CG_BAD_INPUT, "state %d is none", i);
        }
    }
    if (batch->sent_count > 0) {
        return cg_error(CG_BAD_INPUT, "%d worlds were sent and not received yet", batch->sent_count);
    }
    rollout all = {.batch = batch,
                   .states = states,
                   .count = count,
                   .steps = steps,
                   .actions = actions,
                   .observations = observations,
                   .outcomes = outcomes};
    cg_worlds_run(batch, (size_t)batch->def.world_count, rollout_piece, &all);
    return cg_worlds_trouble(batch, NULL);
}
