// What clients may ask for: one function an order.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_inside.h"
#include "operation/fields.h"
#include "secret.h"

typedef cg_answer (*order)(cg_host *host, int client, const cg_message *message);

// What a client must be for an order: one that knows the token to ask about people, no guest to change anything. One
// that changes, ends or replaces what all look at, or a state that the driver may want back, is not for those who only
// watch while another has the hands.
typedef enum rank { FREE, ASK, CONTROL, DRIVER } rank;

static void send_scenes(cg_host *host, int client, uint32_t request)
{
    int count;
    cg_message message = {.kind = CG_MESSAGE_scenes};
    message.as.scenes.request = request;
    message.as.scenes.scenes.items = host->def.files.list_scenes(host->def.files.context, &count);
    message.as.scenes.scenes.count = (uint32_t)count;
    cg_host_send(host, client, &message);
}

static cg_answer hello(cg_host *host, int client, const cg_message *message)
{
    cg_host_client *self = &host->clients[client];
    const cg_wire_hello *said = &message->as.hello;
    if (said->version != CG_PROTOCOL_VERSION) {
        cg_answer answer = cg_answer_fault(CG_CHOICE_fault_version, "found version %d; expected %d", said->version,
                                           CG_PROTOCOL_VERSION);
        cg_message error = {
            .kind = CG_MESSAGE_error,
            .as.error = {.request = said->request, .code = CG_CHOICE_fault_version, .message = answer.why}};
        cg_host_send(host, client, &error);
        host->def.hang_up(host->def.context, client, CG_CLOSE_VERSION, "another version");
        cg_host_leave(host, client);
        return cg_answer_silent();
    }
    if (self->joined) {
        return cg_answer_fault(CG_CHOICE_fault_wrong_mode, "hello was said already");
    }
    self->joined = true;
    self->number = ++host->next_number;
    snprintf(self->name, sizeof self->name, "%.63s", said->name);
    self->may_control = host->def.token == NULL || cg_is_secret(host->def.token, said->token);
    cg_message welcome = {.kind = CG_MESSAGE_welcome,
                          .as.welcome = {.request = said->request,
                                         .version = CG_PROTOCOL_VERSION,
                                         .program = host->def.program,
                                         .client = self->number,
                                         .may_control = self->may_control,
                                         .session = host->def.session,
                                         .is_guest = self->is_guest,
                                         .frame_rate = (float)host->def.frame_rate,
                                         .most_bytes = host->def.most_bytes,
                                         .most_messages = host->def.most_messages}};
    cg_host_send(host, client, &welcome);
    send_scenes(host, client, said->request);
    cg_host_send_world(host, client);
    host->fresh = true;
    return cg_answer_silent();
}

// Operations

// An operation that names a hand belongs to the driver of that hand.
static bool may_operate(const cg_host *host, int client, const cg_operation *operation)
{
    const cg_operation_field *first = &cg_operation_form_of(operation->kind)->fields[0];
    if (strcmp(first->name, "hand") != 0) {
        return true;
    }
    int hand = *(const int *)((const char *)operation + first->offset);
    return hand < 0 || hand >= CG_HOST_MOST_HANDS || host->drivers[hand] == client + 1;
}

static cg_answer read_operations(const cg_value_rest *bytes, cg_operation *operations, int *count)
{
    size_t at = 0;
    for (*count = 0; at < bytes->count; (*count)++) {
        if (*count == CG_PROTOCOL_MOST_OPERATIONS) {
            return cg_answer_fault(CG_CHOICE_fault_full, "more than %d operations in a message",
                                   CG_PROTOCOL_MOST_OPERATIONS);
        }
        size_t took = cg_operation_decode(&operations[*count], (const char *)bytes->items + at, bytes->count - at);
        if (took == 0) {
            return cg_answer_fault(CG_CHOICE_fault_bad_message, "operation %d of the message is none", *count);
        }
        at += took;
    }
    return cg_answer_done();
}

static void note_pending(cg_host_client *client, uint32_t request, uint64_t step)
{
    if (client->pending_count == CG_HOST_PENDING) {
        client->pending_count--; // its place goes to the newer one, which is acknowledged for both
    }
    // A later message may be for an earlier step; acknowledged grows with requests all the same.
    int last = client->pending_count - 1;
    if (last >= 0 && client->pending[last].step > step) {
        step = client->pending[last].step;
    }
    client->pending[client->pending_count++] = (cg_pending){.request = request, .step = step};
}

// Adds to the reason of a refusal; what has no room is left out.
__attribute__((format(printf, 2, 3))) static void add_reason(cg_answer *answer, const char *format, ...)
{
    size_t used = strlen(answer->why);
    va_list values;
    va_start(values, format);
    vsnprintf(answer->why + used, sizeof answer->why - used, format, values);
    va_end(values);
}

// Applies or queues the operations of a message, each by itself: hands of one message do not wait for each other. An
// answer that is a fault says which were refused, and that the others took effect.
static cg_answer take_operations(cg_host *host, const cg_operation *operations, int count)
{
    uint64_t now = cg_host_steps(host);
    cg_answer answer = cg_answer_done();
    int refused = 0;
    for (int i = 0; i < count; i++) {
        cg_status status = operations[i].step <= now ? cg_session_apply(host->session, &operations[i])
                                                     : cg_session_submit(host->session, &operations[i]);
        if (status.code == CG_OK) {
            continue;
        }
        host->told_refused++;
        if (refused++ == 0) {
            int fault = status.code == CG_FULL ? CG_CHOICE_fault_full : CG_CHOICE_fault_refused;
            answer = cg_answer_fault(fault, "%s: %s", cg_operation_name(operations[i].kind), status.message);
            if (count > 1) {
                add_reason(&answer, " (refused of %d: number %d", count, i + 1);
            }
        } else {
            add_reason(&answer, ", %d", i + 1);
        }
    }
    if (refused > 0 && count > 1) {
        add_reason(&answer, "; %s)", refused < count ? "the others took effect" : "none took effect");
    }
    return answer;
}

static cg_answer operate(cg_host *host, int client, const cg_message *message)
{
    cg_operation operations[CG_PROTOCOL_MOST_OPERATIONS];
    int count;
    cg_answer answer = read_operations(&message->as.operate.operations, operations, &count);
    if (answer.fault != 0) {
        return answer;
    }
    if (host->player.recording != NULL) {
        return cg_answer_fault(CG_CHOICE_fault_wrong_mode, "a recording is shown; branch or close it first");
    }
    uint64_t now = cg_host_steps(host), last = now;
    for (int i = 0; i < count; i++) {
        if (!may_operate(host, client, &operations[i])) {
            return cg_answer_fault(CG_CHOICE_fault_not_allowed, "this client does not drive that hand");
        }
        if (operations[i].step != 0 && operations[i].step < now) {
            return cg_answer_fault(CG_CHOICE_fault_late, "it came too late for step %llu; the next step is %llu",
                                   (unsigned long long)operations[i].step, (unsigned long long)now);
        }
        last = operations[i].step > last ? operations[i].step : last;
    }
    answer = take_operations(host, operations, count);
    note_pending(&host->clients[client], message->as.request, last);
    host->fresh = host->fresh || host->mode != CG_CHOICE_mode_running;
    answer.silent = true;
    return answer;
}

// Worlds

static cg_answer list_scenes(cg_host *host, int client, const cg_message *message)
{
    send_scenes(host, client, message->as.request);
    return cg_answer_done();
}

void cg_host_leave_recording(cg_host *host)
{
    if (host->player.recording != NULL) {
        cg_player_close(host);
        host->mode = CG_CHOICE_mode_paused;
    }
}

cg_answer cg_host_load_listed(cg_host *host, const char *name, cg_scene **scene, const char **listed)
{
    cg_answer answer = cg_answer_done();
    int count;
    const cg_wire_scene_name *scenes = host->def.files.list_scenes(host->def.files.context, &count);
    int found = 0;
    while (found < count && strcmp(scenes[found].name, name) != 0) {
        found++;
    }
    if (found == count) {
        return cg_answer_fault(CG_CHOICE_fault_not_found, "there is no scene of that name");
    }
    *listed = scenes[found].name;
    if (!host->def.files.load_scene(host->def.files.context, name, scene, answer.why)) {
        answer.fault = CG_CHOICE_fault_bad_text;
    }
    return answer;
}

static cg_answer choose_scene(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    cg_scene *scene;
    const char *name;
    cg_answer answer = cg_host_load_listed(host, message->as.choose_scene.name, &scene, &name);
    if (answer.fault != 0) {
        return answer;
    }
    answer = cg_host_begin_world(host, scene, name, false, false);
    if (answer.fault == 0) {
        cg_host_leave_recording(host);
        cg_host_send_world(host, -1);
    }
    return answer;
}

static cg_answer reset(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    (void)message;
    if (host->player.recording != NULL) {
        return cg_player_seek(host, 0);
    }
    cg_answer answer = cg_host_begin_world(host, host->scene, host->scene_name, false, true);
    if (answer.fault == 0) {
        cg_host_send_world(host, -1);
    }
    return answer;
}

// Time

cg_answer cg_host_not_while_watching(const cg_host *host)
{
    return host->player.recording == NULL
               ? cg_answer_done()
               : cg_answer_fault(CG_CHOICE_fault_wrong_mode, "a recording is shown; it has play and seek");
}

static cg_answer pause_world(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    (void)message;
    cg_answer answer = cg_host_not_while_watching(host);
    if (answer.fault == 0 && host->mode == CG_CHOICE_mode_running) {
        host->mode = CG_CHOICE_mode_paused;
        cg_host_restart_clock(host);
    }
    return answer;
}

static cg_answer go(cg_host *host, int client, const cg_message *message)
{
    (void)message;
    cg_answer answer = cg_host_not_while_watching(host);
    if (answer.fault != 0) {
        return answer;
    }
    if (host->mode == CG_CHOICE_mode_lockstep && host->lockstep_client != client) {
        return cg_answer_fault(CG_CHOICE_fault_wrong_mode, "another client has the world in lockstep");
    }
    if (host->mode != CG_CHOICE_mode_running) {
        host->mode = CG_CHOICE_mode_running;
        cg_host_restart_clock(host);
    }
    return answer;
}

static cg_answer advance(cg_host *host, int client, const cg_message *message)
{
    uint32_t steps = message->as.advance.steps;
    cg_answer answer = cg_host_not_while_watching(host);
    if (answer.fault != 0) {
        return answer;
    }
    if (host->mode == CG_CHOICE_mode_running) {
        return cg_answer_fault(CG_CHOICE_fault_wrong_mode, "the world is running; pause it first");
    }
    if (host->mode == CG_CHOICE_mode_lockstep && host->lockstep_client != client) {
        return cg_answer_fault(CG_CHOICE_fault_wrong_mode, "another client has the world in lockstep");
    }
    if (host->advance.left > 0) {
        return cg_answer_fault(CG_CHOICE_fault_full, "the steps asked for before are not made yet");
    }
    if (steps < 1 || steps > CG_HOST_MOST_ADVANCE) {
        return cg_answer_fault(CG_CHOICE_fault_refused, "found %u steps; expected 1 to %d", steps,
                               CG_HOST_MOST_ADVANCE);
    }
    host->advance = (cg_advance){.client = client, .request = message->as.request, .left = steps};
    return cg_answer_silent();
}

static cg_answer slow_motion(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    double factor = message->as.slow_motion.factor;
    if (!(factor >= 0.001 && factor <= 10)) {
        return cg_answer_fault(CG_CHOICE_fault_refused, "found the factor %g; expected 0.001 to 10", factor);
    }
    host->pace.factor = factor;
    cg_host_restart_clock(host);
    return cg_answer_done();
}

static cg_answer lockstep(cg_host *host, int client, const cg_message *message)
{
    bool mine = host->mode == CG_CHOICE_mode_lockstep && host->lockstep_client == client;
    cg_answer answer = cg_host_not_while_watching(host);
    if (answer.fault != 0) {
        return answer;
    }
    if (host->mode == CG_CHOICE_mode_lockstep && !mine) {
        return cg_answer_fault(CG_CHOICE_fault_wrong_mode, "another client has the world in lockstep");
    }
    if (message->as.lockstep.on) {
        host->mode = CG_CHOICE_mode_lockstep;
        host->lockstep_client = client;
    } else if (mine) {
        host->mode = CG_CHOICE_mode_paused;
    }
    cg_host_restart_clock(host);
    return answer;
}

// States

static cg_answer snapshot(cg_host *host, int client, const cg_message *message)
{
    cg_session_state **kept = host->clients[client].snapshots;
    int slot = message->as.snapshot.slot;
    cg_answer answer = cg_host_not_while_watching(host);
    if (answer.fault != 0) {
        return answer;
    }
    if (slot >= CG_HOST_SNAPSHOTS) {
        return cg_answer_fault(CG_CHOICE_fault_not_found, "found slot %d; expected 0 to %d", slot,
                               CG_HOST_SNAPSHOTS - 1);
    }
    if (kept[slot] == NULL && cg_host_snapshot_count(host) == CG_HOST_MOST_SNAPSHOTS) {
        return cg_answer_fault(CG_CHOICE_fault_full, "all clients together keep %d states already",
                               CG_HOST_MOST_SNAPSHOTS);
    }
    cg_session_state *state;
    cg_status status = cg_session_keep(host->session, &state);
    if (status.code != CG_OK) {
        return cg_answer_fault(CG_CHOICE_fault_failed, "%s", status.message);
    }
    cg_session_state_free(kept[slot]);
    kept[slot] = state;
    return answer;
}

static cg_answer restore(cg_host *host, int client, const cg_message *message)
{
    cg_session_state **kept = host->clients[client].snapshots;
    int slot = message->as.restore.slot;
    cg_answer answer = cg_host_not_while_watching(host);
    if (answer.fault != 0) {
        return answer;
    }
    if (slot >= CG_HOST_SNAPSHOTS || kept[slot] == NULL) {
        return cg_answer_fault(CG_CHOICE_fault_not_found, "nothing was kept in slot %d", slot);
    }
    cg_status status = cg_session_check_return(host->session, kept[slot]);
    if (status.code == CG_OK) {
        cg_host_keep_before(host); // not before: a refusal must leave the past whole
        status = cg_session_return(host->session, kept[slot]);
    }
    if (status.code != CG_OK) {
        return cg_answer_fault(host->recording ? CG_CHOICE_fault_wrong_mode : CG_CHOICE_fault_refused, "%s",
                               status.message);
    }
    cg_session_stop_script(host->session); // a state does not hold what a script was doing
    host->script = false;
    // Steps may be fewer now: what waits for an acknowledgement waits for the next step.
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        for (int p = 0; p < host->clients[i].pending_count; p++) {
            host->clients[i].pending[p].step = cg_host_steps(host);
        }
    }
    cg_host_restart_clock(host);
    return answer;
}

// Recordings

static cg_answer start_recording(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    cg_answer answer = cg_host_not_while_watching(host);
    return answer.fault != 0 ? answer : cg_host_start_recording(host, message->as.start_recording.name);
}

static cg_answer end_recording(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    (void)message;
    if (!host->recording) {
        return cg_answer_fault(CG_CHOICE_fault_wrong_mode, "nothing is being recorded");
    }
    cg_host_end_recording(host);
    host->fresh = true;
    return cg_answer_done();
}

static cg_answer list_recordings(cg_host *host, int client, const cg_message *message)
{
    int count;
    cg_message list = {.kind = CG_MESSAGE_recordings};
    list.as.recordings.request = message->as.request;
    list.as.recordings.recordings.items = host->def.files.list_recordings(host->def.files.context, &count);
    list.as.recordings.recordings.count = (uint32_t)count;
    cg_host_send(host, client, &list);
    return cg_answer_done();
}

static cg_answer open_recording(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    return cg_player_open(host, message->as.open_recording.name);
}

static cg_answer only_while_watching(const cg_host *host)
{
    return host->player.recording != NULL ? cg_answer_done()
                                          : cg_answer_fault(CG_CHOICE_fault_wrong_mode, "no recording is open");
}

static cg_answer seek(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    cg_answer answer = only_while_watching(host);
    return answer.fault != 0 ? answer : cg_player_seek(host, message->as.seek.step);
}

static cg_answer play(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    double speed = message->as.play.speed;
    cg_answer answer = only_while_watching(host);
    if (answer.fault != 0) {
        return answer;
    }
    if (!(speed >= -100 && speed <= 100)) {
        return cg_answer_fault(CG_CHOICE_fault_refused, "found the speed %g; expected -100 to 100", speed);
    }
    host->player.speed = speed;
    cg_host_restart_clock(host);
    return answer;
}

static cg_answer branch(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    (void)message;
    cg_answer answer = only_while_watching(host);
    return answer.fault != 0 ? answer : cg_player_branch(host);
}

static cg_answer close_recording(cg_host *host, int client, const cg_message *message)
{
    cg_answer answer = only_while_watching(host);
    if (answer.fault != 0) {
        return answer;
    }
    cg_host_leave_recording(host);
    return reset(host, client, message);
}

// Others

// It is here already.
static cg_answer enter(cg_host *host, int client, const cg_message *message)
{
    (void)host;
    (void)client;
    (void)message;
    return cg_answer_done();
}

static cg_answer watch(cg_host *host, int client, const cg_message *message)
{
    double rate = message->as.watch.rate;
    if (!(rate >= 0)) {
        return cg_answer_fault(CG_CHOICE_fault_refused, "found the rate %g; expected 0 or more", rate);
    }
    host->def.set_rate(host->def.context, client, rate);
    return cg_answer_done();
}

static cg_answer ping(cg_host *host, int client, const cg_message *message)
{
    cg_message pong = {.kind = CG_MESSAGE_pong,
                       .as.pong = {.request = message->as.request, .time = message->as.ping.time}};
    cg_host_send(host, client, &pong);
    return cg_answer_done();
}

// The client that has hands, or began the attempt that is under way, while this one has and did not; -1: nobody.
static int other_driver(const cg_host *host, int client)
{
    int other = host->trying.attempt != NULL ? host->trying.client : -1;
    if (other == client) {
        return -1;
    }
    for (int i = 0; i < CG_HOST_MOST_HANDS; i++) {
        if (host->drivers[i] == client + 1) {
            return -1;
        }
        other = host->drivers[i] > 0 ? host->drivers[i] - 1 : other;
    }
    return other;
}

cg_answer cg_host_carry_out(cg_host *host, int client, const cg_message *message)
{
    static const struct {
        cg_message_kind kind;
        order carry_out;
        rank rank;
    } orders[] = {
        {CG_MESSAGE_hello, hello, FREE},
        {CG_MESSAGE_operate, operate, DRIVER},
        {CG_MESSAGE_list_scenes, list_scenes, FREE},
        {CG_MESSAGE_choose_scene, choose_scene, DRIVER},
        {CG_MESSAGE_reset, reset, DRIVER},
        {CG_MESSAGE_pause, pause_world, CONTROL},
        {CG_MESSAGE_go, go, CONTROL},
        {CG_MESSAGE_advance, advance, DRIVER},
        {CG_MESSAGE_slow_motion, slow_motion, CONTROL},
        {CG_MESSAGE_lockstep, lockstep, DRIVER},
        {CG_MESSAGE_take_hand, cg_host_take_hand, CONTROL},
        {CG_MESSAGE_leave_hand, cg_host_leave_hand, CONTROL},
        {CG_MESSAGE_snapshot, snapshot, DRIVER},
        {CG_MESSAGE_restore, restore, DRIVER},
        {CG_MESSAGE_run_script, cg_host_run_script, DRIVER},
        {CG_MESSAGE_stop_script, cg_host_stop_script, DRIVER},
        {CG_MESSAGE_start_recording, start_recording, DRIVER},
        {CG_MESSAGE_end_recording, end_recording, DRIVER},
        {CG_MESSAGE_list_recordings, list_recordings, FREE},
        {CG_MESSAGE_open_recording, open_recording, DRIVER},
        {CG_MESSAGE_seek, seek, CONTROL},
        {CG_MESSAGE_play, play, CONTROL},
        {CG_MESSAGE_branch, branch, DRIVER},
        {CG_MESSAGE_close_recording, close_recording, DRIVER},
        {CG_MESSAGE_watch, watch, FREE},
        {CG_MESSAGE_ping, ping, FREE},
        {CG_MESSAGE_start_lesson, cg_host_start_lesson, DRIVER},
        {CG_MESSAGE_save_past, cg_host_save_past, DRIVER},
        {CG_MESSAGE_ask_training, cg_host_ask_training, ASK}, // names of people are not for everybody
        {CG_MESSAGE_begin_attempt, cg_host_begin_attempt, DRIVER},
        {CG_MESSAGE_end_attempt, cg_host_end_attempt, DRIVER},
        {CG_MESSAGE_enter, enter, FREE},
        {CG_MESSAGE_ask_hands, cg_host_ask_hands, ASK},
        {CG_MESSAGE_give_hands, cg_host_give_hands, CONTROL},
    };
    size_t count = sizeof orders / sizeof orders[0], found = 0;
    while (found < count && orders[found].kind != message->kind) {
        found++;
    }
    rank needed = found < count ? orders[found].rank : CONTROL;
    if (!host->clients[client].may_control && needed != FREE) {
        return cg_answer_fault(CG_CHOICE_fault_not_allowed, "orders need the token of the server");
    }
    if (host->clients[client].is_guest && needed > ASK) {
        return cg_answer_fault(CG_CHOICE_fault_not_allowed, "this session is somebody else's, and this client watches");
    }
    int driver = needed == DRIVER ? other_driver(host, client) : -1;
    if (driver >= 0) {
        return cg_answer_fault(CG_CHOICE_fault_not_allowed,
                               "client %u has the hands or does a task, and this one only watches",
                               host->clients[driver].number);
    }
    if (found == count) {
        return cg_answer_fault(CG_CHOICE_fault_refused, "this server cannot do %s yet", cg_message_name(message->kind));
    }
    return orders[found].carry_out(host, client, message);
}
