#include "catgut/session.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "catgut/structure.h"
#include "operation/fields.h"
#include "operation/inputs.h"
#include "record/past.h"
#include "scene/scene.h"
#include "script/pulling.h"
#include "script/script.h"
#include "session/mishaps.h"
#include "world/world.h"

enum { KEPT_REFUSALS = 16 };

struct cg_session {
    cg_allocator allocator;
    const cg_scene *scene;
    cg_world *world;
    cg_inputs *scene_inputs, *text_inputs;
    cg_script *script;     // NULL: none was ever run
    cg_script_marks marks; // of scripts to come
    cg_recorder *recorder; // NULL: not recording
    cg_past *past;         // NULL: nothing is kept
    cg_operation *queue;   // submitted operations by step, those of one step as they came
    int capacity, waiting;
    uint64_t applied, refused;
    uint64_t state_changes;
    cg_refusal refusals[KEPT_REFUSALS];
    int refusal_count;
};

cg_session_def cg_session_def_default(void)
{
    return (cg_session_def){.queue_capacity = 4096};
}

static uint64_t steps_made(const cg_session *session)
{
    return cg_world_get_stats(session->world).step_count;
}

static cg_status check_def(const cg_session_def *def)
{
    if (def->queue_capacity < 1 || def->queue_capacity > 1000000) {
        return cg_error(CG_BAD_INPUT, "queue_capacity is %d; expected 1 to 1000000", def->queue_capacity);
    }
    if (!cg_memory_is_usable(&def->allocator)) {
        return cg_error(CG_BAD_INPUT, "allocator has one of its two functions only");
    }
    return cg_ok();
}

static cg_status read_scene_inputs(cg_session *session, cg_scene_error *error)
{
    const cg_json_value *list = cg_scene_inputs(session->scene);
    if (list == NULL) {
        return cg_ok();
    }
    cg_scene_error_file(error, cg_scene_name(session->scene));
    return cg_inputs_read(list, session->scene, session->world, &session->allocator, &session->scene_inputs, error);
}

static cg_status read_text_inputs(cg_session *session, const cg_session_def *def, cg_scene_error *error)
{
    const char *name = def->inputs_name != NULL ? def->inputs_name : "inputs";
    cg_json_tree *tree;
    cg_code code = cg_json_tree_read(def->inputs, def->inputs_size, name, &session->allocator, &tree, error);
    if (code != CG_OK) {
        return cg_error(code, "%.180s", error->message);
    }
    cg_scene_error_file(error, name);
    cg_status status = cg_inputs_read(cg_json_root(tree), session->scene, session->world, &session->allocator,
                                      &session->text_inputs, error);
    cg_json_tree_free(tree);
    return status;
}

static cg_status build(cg_session *session, const cg_session_def *def, cg_scene_error *error)
{
    session->queue = cg_memory_take(&session->allocator, (size_t)def->queue_capacity * sizeof *session->queue);
    if (session->queue == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a session");
    }
    session->capacity = def->queue_capacity;
    cg_status status = cg_scene_build_at(session->scene, &session->allocator, &session->world, error);
    if (status.code == CG_OK) {
        session->world->def.clock = def->clock;
    }
    if (status.code == CG_OK && !def->skip_scene_inputs) {
        status = read_scene_inputs(session, error);
    }
    if (status.code == CG_OK && def->inputs != NULL) {
        status = read_text_inputs(session, def, error);
    }
    return status;
}

cg_status cg_session_create(const cg_session_def *def, const cg_scene *scene, cg_session **out, cg_scene_error *error)
{
    *out = NULL;
    memset(error, 0, sizeof *error);
    cg_status status = check_def(def);
    if (status.code != CG_OK) {
        return status;
    }
    cg_session *session = cg_memory_take(&def->allocator, sizeof *session);
    if (session == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a session");
    }
    session->allocator = def->allocator.allocate != NULL ? def->allocator : cg_memory_default();
    session->scene = scene;
    status = build(session, def, error);
    if (status.code != CG_OK) {
        cg_session_destroy(session);
        return status;
    }
    *out = session;
    return status;
}

void cg_session_destroy(cg_session *session)
{
    if (session == NULL) {
        return;
    }
    cg_session_end_recording(session);
    cg_past_destroy(session->past);
    cg_allocator allocator = session->allocator;
    cg_inputs_free(session->scene_inputs);
    cg_inputs_free(session->text_inputs);
    cg_script_free(session->script);
    cg_world_destroy(session->world);
    cg_memory_give(&allocator, session->queue);
    cg_memory_give(&allocator, session);
}

const cg_scene *cg_session_scene(const cg_session *session)
{
    return session->scene;
}

const cg_world *cg_session_world(const cg_session *session)
{
    return session->world;
}

cg_thread_id cg_session_thread(const cg_session *session, int place)
{
    return cg_operation_thread(session->world, place);
}

cg_hand_id cg_session_hand(const cg_session *session, int place)
{
    return cg_operation_hand(session->world, place);
}

cg_shape_id cg_session_shape(const cg_session *session, int place)
{
    return cg_operation_shape(session->world, place);
}

cg_tissue_id cg_session_tissue(const cg_session *session, int place)
{
    return cg_operation_tissue(session->world, place);
}

double cg_session_time_step(const cg_session *session)
{
    return session->world->def.time_step;
}

static void note_event(cg_session *session, const char *text)
{
    if (session->recorder != NULL) {
        cg_recorder_note_event(session->recorder, text);
    }
    if (session->past != NULL) {
        cg_past_note_event(session->past, text);
    }
}

static cg_status refuse(cg_session *session, const cg_operation *operation, cg_status status)
{
    session->refused++;
    if (session->refusal_count < KEPT_REFUSALS) {
        session->refusals[session->refusal_count++] =
            (cg_refusal){.step = steps_made(session), .kind = operation->kind, .status = status};
    }
    char text[256];
    const char *name = cg_operation_name(operation->kind);
    snprintf(text, sizeof text, "refused %s: %s", name != NULL ? name : "an operation", status.message);
    note_event(session, text);
    return status;
}

cg_status cg_session_apply(cg_session *session, const cg_operation *operation)
{
    cg_status status = cg_operation_apply(session->world, operation);
    if (status.code != CG_OK) {
        return refuse(session, operation, status);
    }
    session->applied++;
    if (session->recorder != NULL) {
        cg_recorder_note_operation(session->recorder, operation);
    }
    if (session->past != NULL) {
        cg_past_note_operation(session->past, operation);
    }
    return status;
}

cg_status cg_session_submit(cg_session *session, const cg_operation *operation)
{
    assert(session->waiting >= 0 && session->waiting <= session->capacity);
    uint64_t now = steps_made(session);
    if (operation->step < now) {
        return refuse(session, operation,
                      cg_error(CG_BAD_INPUT, "it came too late for step %llu; the next step is %llu",
                               (unsigned long long)operation->step, (unsigned long long)now));
    }
    if (session->waiting == session->capacity) {
        return refuse(session, operation,
                      cg_error(CG_FULL, "%d operations wait already, which is all that may", session->waiting));
    }
    int place = session->waiting++;
    while (place > 0 && session->queue[place - 1].step > operation->step) {
        place--;
    }
    memmove(&session->queue[place + 1], &session->queue[place],
            (size_t)(session->waiting - 1 - place) * sizeof session->queue[0]);
    session->queue[place] = *operation;
    return cg_ok();
}

static void apply_input(void *context, const cg_operation *operation)
{
    cg_session_apply(context, operation);
}

static void apply_submitted(cg_session *session)
{
    uint64_t now = steps_made(session);
    int due = 0;
    while (due < session->waiting && session->queue[due].step <= now) {
        cg_session_apply(session, &session->queue[due++]);
    }
    session->waiting -= due;
    memmove(session->queue, &session->queue[due], (size_t)session->waiting * sizeof session->queue[0]);
}

static cg_status apply_scripted(void *context, const cg_operation *operation)
{
    return cg_session_apply(context, operation);
}

static void tell_step(void *context, const cg_script_step *step)
{
    char text[400];
    snprintf(text, sizeof text, "step %s%s%s", step->name, step->text[0] != '\0' ? ": " : "", step->text);
    note_event(context, text);
}

static void tell_event(void *context, const char *text)
{
    note_event(context, text);
}

static void advance_script(cg_session *session)
{
    if (session->script != NULL && session->script->phase == CG_SCRIPT_RUNNING) {
        cg_script_world world = {session->world, apply_scripted, tell_step, session, tell_event};
        cg_script_advance(session->script, &world);
        if (session->script->phase == CG_SCRIPT_FAILED) {
            note_event(session, session->script->error.message);
        }
    }
}

cg_status cg_session_run_script(cg_session *session, const char *text, size_t size, const char *name,
                                cg_scene_error *error)
{
    cg_script *script;
    cg_status status =
        cg_script_read(text, size, name, session->scene, &session->marks, &session->allocator, &script, error);
    if (status.code == CG_OK) {
        cg_script_free(session->script);
        script->phase = CG_SCRIPT_RUNNING;
        session->script = script;
    }
    return status;
}

cg_status cg_session_set_marks(cg_session *session, const cg_vec3 *points, int count)
{
    if (count < 0 || count > CG_SESSION_MOST_MARKS) {
        return cg_error(CG_BAD_INPUT, "found %d marks; expected 0 to %d", count, CG_SESSION_MOST_MARKS);
    }
    session->marks.count = count;
    for (int i = 0; i < count; i++) {
        session->marks.points[i] = points[i];
    }
    return cg_ok();
}

void cg_session_note(cg_session *session, const char *text)
{
    assert(text != NULL);
    note_event(session, text);
}

void cg_session_stop_script(cg_session *session)
{
    if (session->script != NULL && session->script->phase == CG_SCRIPT_RUNNING) {
        session->script->phase = CG_SCRIPT_STOPPED;
    }
}

cg_script_state cg_session_get_script(const cg_session *session)
{
    const cg_script *script = session->script;
    cg_script_state state = {.phase = CG_SCRIPT_NONE};
    if (script == NULL) {
        return state;
    }
    state.phase = script->phase;
    state.step = script->step;
    state.step_count = script->step_count;
    state.error = script->error;
    state.line = script->at < script->line_count ? script->lines[script->at].line : 0;
    if (script->step > 0) {
        memcpy(state.name, script->steps[script->step - 1].name, sizeof state.name);
        memcpy(state.text, script->steps[script->step - 1].text, sizeof state.text);
    }
    return state;
}

void cg_session_step(cg_session *session)
{
    assert(session->waiting >= 0 && session->waiting <= session->capacity);
    cg_inputs_advance(session->scene_inputs, session->world, apply_input, session);
    cg_inputs_advance(session->text_inputs, session->world, apply_input, session);
    advance_script(session);
    apply_submitted(session);
    cg_world_make_ready(session->world); // what it could not is counted by the world
    cg_world_step(session->world);
    if (session->recorder != NULL) {
        cg_recorder_note_step(session->recorder, session->world);
    }
    if (session->past != NULL) {
        cg_past_note_step(session->past, session->world);
    }
    cg_tell_mishaps(session->world, tell_event, session);
}

// The world is in another state: whoever follows it begins anew.
static void note_state_change(cg_session *session)
{
    session->state_changes++;
    if (session->past != NULL) {
        cg_past_restart(session->past, session->world);
    }
}

cg_status cg_session_restore(cg_session *session, const void *bytes, size_t size)
{
    if (session->recorder != NULL || session->scene_inputs != NULL || session->text_inputs != NULL) {
        return cg_error(CG_BAD_INPUT, "a session that records or has inputs cannot go to another state");
    }
    cg_status status = cg_world_restore(session->world, bytes, size);
    if (status.code == CG_OK) {
        note_state_change(session);
        session->waiting = 0;
        cg_session_stop_script(session);
    }
    return status;
}

cg_status cg_session_jump(cg_session *session, cg_recording *recording, uint64_t step, size_t *next)
{
    assert(next != NULL);
    const void *bytes;
    size_t size;
    uint64_t reached;
    *next = 0;
    cg_status status = cg_recording_check_versions(recording);
    if (status.code != CG_OK) {
        return status;
    }
    cg_operation operation;
    for (size_t i = 0; cg_recording_operation(recording, i, &operation) && operation.step < step; i++) {
        // The tissue that it made has room for what the piece had then: no other state knows how much that was.
        step = operation.kind == CG_OPERATION_separate ? operation.step : step;
    }
    if (step == 0 || !cg_recording_key(recording, step, &reached, &bytes, &size)) {
        return cg_ok();
    }
    // What is gone by then must go first: a state fits only a world with the same threads and tissues.
    for (; cg_recording_operation(recording, *next, &operation) && operation.step < reached; (*next)++) {
        if (operation.kind == CG_OPERATION_remove_thread || operation.kind == CG_OPERATION_remove_tissue) {
            cg_session_apply(session, &operation);
        }
    }
    return cg_session_restore(session, bytes, size);
}

struct cg_session_state {
    cg_allocator allocator;
    size_t world_size;
    void *world;
    cg_inputs *inputs[2]; // of the scene, of the text
    cg_operation *queue;
    int waiting;
};

void cg_session_state_free(cg_session_state *state)
{
    if (state == NULL) {
        return;
    }
    cg_allocator allocator = state->allocator;
    cg_memory_give(&allocator, state->world);
    cg_inputs_free(state->inputs[0]);
    cg_inputs_free(state->inputs[1]);
    cg_memory_give(&allocator, state->queue);
    cg_memory_give(&allocator, state);
}

// Copies inputs, or leaves none where there are none. False when there is no memory.
static bool copy_inputs(const cg_inputs *from, cg_inputs **to)
{
    *to = from != NULL ? cg_inputs_copy(from) : NULL;
    return from == NULL || *to != NULL;
}

cg_status cg_session_keep(const cg_session *session, cg_session_state **out)
{
    *out = NULL;
    cg_session_state *state = cg_memory_take(&session->allocator, sizeof *state);
    if (state == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory to keep a state");
    }
    state->allocator = session->allocator;
    state->world_size = cg_world_snapshot_size(session->world);
    state->world = cg_memory_take(&state->allocator, state->world_size);
    state->waiting = session->waiting;
    size_t queue_size = (size_t)session->waiting * sizeof *state->queue;
    state->queue = cg_memory_take(&state->allocator, queue_size);
    if (state->world == NULL || state->queue == NULL || !copy_inputs(session->scene_inputs, &state->inputs[0]) ||
        !copy_inputs(session->text_inputs, &state->inputs[1])) {
        cg_session_state_free(state);
        return cg_error(CG_OUT_OF_MEMORY, "no memory to keep a state");
    }
    memcpy(state->queue, session->queue, queue_size);
    cg_status status = cg_world_snapshot(session->world, state->world, state->world_size);
    if (status.code != CG_OK) {
        cg_session_state_free(state);
        return status;
    }
    *out = state;
    return status;
}

cg_status cg_session_check_return(const cg_session *session, const cg_session_state *state)
{
    if (session->recorder != NULL) {
        return cg_error(CG_BAD_INPUT, "a session that records cannot go to another state");
    }
    return cg_world_check_snapshot(session->world, state->world, state->world_size);
}

cg_status cg_session_return(cg_session *session, const cg_session_state *state)
{
    if (session->recorder != NULL) {
        return cg_error(CG_BAD_INPUT, "a session that records cannot go to another state");
    }
    cg_inputs *inputs[2] = {NULL, NULL};
    if (!copy_inputs(state->inputs[0], &inputs[0]) || !copy_inputs(state->inputs[1], &inputs[1])) {
        cg_inputs_free(inputs[0]);
        return cg_error(CG_OUT_OF_MEMORY, "no memory to go back to a state");
    }
    cg_status status = cg_world_restore(session->world, state->world, state->world_size);
    cg_inputs **present[2] = {&session->scene_inputs, &session->text_inputs};
    for (int i = 0; i < 2; i++) {
        cg_inputs_free(status.code == CG_OK ? *present[i] : inputs[i]);
        *present[i] = status.code == CG_OK ? inputs[i] : *present[i];
    }
    if (status.code == CG_OK) {
        note_state_change(session);
        memcpy(session->queue, state->queue, (size_t)state->waiting * sizeof *state->queue);
        session->waiting = state->waiting;
    }
    return status;
}

uint64_t cg_session_state_changes(const cg_session *session)
{
    return session->state_changes;
}

cg_status cg_session_record(cg_session *session, const cg_recorder_def *def)
{
    if (session->recorder != NULL) {
        return cg_error(CG_BAD_INPUT, "the session is being recorded already");
    }
    if (cg_world_get_stats(session->world).step_count != 0) {
        return cg_recorder_create_here(def, session->scene, session->world, &session->recorder);
    }
    if (session->applied != 0) {
        return cg_error(CG_BAD_INPUT, "operations were applied already; a recording starts with a new world");
    }
    return cg_recorder_create(def, session->scene, session->world, &session->recorder);
}

cg_status cg_session_recording_status(const cg_session *session)
{
    return session->recorder != NULL ? cg_recorder_status(session->recorder) : cg_ok();
}

cg_status cg_session_end_recording(cg_session *session)
{
    cg_status status = cg_recorder_finish(session->recorder, session->world);
    session->recorder = NULL;
    return status;
}

cg_status cg_session_keep_past(cg_session *session, const cg_past_def *def)
{
    if (!(def->seconds > 0) || def->most_bytes == 0) {
        return cg_error(CG_BAD_INPUT, "found %g s and %zu bytes to keep; expected more than 0", def->seconds,
                        def->most_bytes);
    }
    cg_past_destroy(session->past);
    session->past = NULL;
    return cg_past_create(def, session->scene, session->world, &session->allocator, &session->past);
}

double cg_session_past_seconds(const cg_session *session)
{
    return session->past != NULL ? cg_past_seconds(session->past, session->world) : 0;
}

bool cg_session_write_past(cg_session *session, bool (*write)(void *context, const void *bytes, size_t size),
                           void *context)
{
    return session->past != NULL && cg_past_write(session->past, session->world, write, context);
}

cg_session_stats cg_session_get_stats(const cg_session *session)
{
    return (cg_session_stats){.steps = steps_made(session),
                              .applied = session->applied,
                              .refused = session->refused,
                              .waiting = session->waiting};
}

bool cg_session_refusal(const cg_session *session, int index, cg_refusal *refusal)
{
    if (index < 0 || index >= session->refusal_count) {
        return false;
    }
    *refusal = session->refusals[index];
    return true;
}

cg_status cg_session_pull_test(cg_session *session, int thread, cg_pull_result *result)
{
    char text[CG_PULL_TEXT];
    cg_status status = cg_pull_test_at(session->world, thread, result, text);
    if (status.code == CG_OK) {
        cg_session_note(session, text);
    }
    return status;
}
