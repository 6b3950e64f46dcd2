#include "host_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 * 1024, MOST_ROOM = 16 * 1024 * 1024 };

cg_answer cg_answer_done(void)
{
    return (cg_answer){.fault = 0};
}

cg_answer cg_answer_silent(void)
{
    return (cg_answer){.fault = 0, .silent = true};
}

cg_answer cg_answer_fault(int fault, const char *format, ...)
{
    cg_answer answer = {.fault = fault};
    va_list values;
    va_start(values, format);
    vsnprintf(answer.why, sizeof answer.why, format, values);
    va_end(values);
    return answer;
}

// Writing

// Writes a message into host->bytes, which grows up to its limit. 0 when it does not fit.
static size_t write_message(cg_host *host, const cg_message *message)
{
    for (;;) {
        size_t size = cg_message_encode(message, host->bytes, host->room);
        if (size > 0 || host->room >= MOST_ROOM) {
            return size;
        }
        size_t room = host->room > 0 ? 2 * host->room : FIRST_ROOM;
        unsigned char *larger = realloc(host->bytes, room);
        if (larger == NULL) {
            return 0;
        }
        host->bytes = larger;
        host->room = room;
    }
}

void cg_host_send(cg_host *host, int client, const cg_message *message)
{
    size_t size = write_message(host, message);
    for (int i = 0; i < CG_HOST_MOST_CLIENTS && size > 0; i++) {
        if (i == client || (client < 0 && host->clients[i].joined)) {
            host->def.send(host->def.context, i, host->bytes, size);
        }
    }
}

void cg_host_send_event(cg_host *host, int kind, const char *text)
{
    cg_message message = {
        .kind = CG_MESSAGE_event,
        .as.event = {
            .generation = host->generation, .step = cg_host_steps(host), .kind = (uint8_t)kind, .message = text}};
    cg_host_send(host, -1, &message);
}

static void send_topology(cg_host *host, int client, int thread)
{
    cg_message message;
    if (cg_view_topology(host->view, thread, &message)) {
        message.as.topology.generation = host->generation;
        cg_host_send(host, client, &message);
    }
}

static void send_surface(cg_host *host, int client, int tissue)
{
    cg_message message;
    if (cg_view_surface(host->view, tissue, &message)) {
        message.as.surface.generation = host->generation;
        cg_host_send(host, client, &message);
    }
}

// Threads that are divided anew are told to all, before a frame shows them. True when there was one.
static bool tell_divisions(cg_host *host)
{
    int thread = cg_view_changed_thread(host->view, 0);
    bool any = thread >= 0;
    for (; thread >= 0; thread = cg_view_changed_thread(host->view, thread + 1)) {
        send_topology(host, -1, thread);
    }
    return any;
}

// So are surfaces that changed, in parts where that is less: all who are here know the one before.
static void tell_surfaces(cg_host *host)
{
    int tissue = cg_view_changed_tissue(host->view, 0);
    for (; tissue >= 0; tissue = cg_view_changed_tissue(host->view, tissue + 1)) {
        cg_message message;
        if (cg_view_surface_change(host->view, tissue, &message)) {
            message.as.surface_change.generation = host->generation;
            cg_host_send(host, -1, &message);
        } else {
            send_surface(host, -1, tissue);
        }
    }
}

// Fills in the world as it is, or the moment of a recording that is shown.
static cg_status look(cg_host *host, cg_message *message)
{
    return host->player.recording != NULL ? cg_player_frame(host, message) : cg_view_frame(host->view, message);
}

void cg_host_send_world(cg_host *host, int client)
{
    cg_message message;
    // What is new for all must not be told to this one alone.
    if (client >= 0 && look(host, &message).code == CG_OK) {
        tell_surfaces(host);
        if (host->player.recording == NULL) {
            tell_divisions(host);
        }
    }
    cg_view_scene(host->view, &message);
    message.as.scene.generation = host->generation;
    message.as.scene.name = host->scene_name;
    if (host->player.recording != NULL) {
        uint64_t first = cg_player_first_step(host), last = cg_recording_step_count(host->player.recording);
        message.as.scene.first_step = first;
        message.as.scene.last_step = last;
        message.as.scene.duration =
            (double)(last > first ? last - first : 0) * cg_recording_get_info(host->player.recording).time_step;
    }
    int tissues = (int)message.as.scene.tissues.count;
    cg_host_send(host, client, &message);
    for (int i = 0; i < cg_scene_thread_count(host->scene); i++) {
        send_topology(host, client, i);
    }
    for (int i = 0; i < tissues; i++) {
        send_surface(host, client, i);
    }
}

static void settle_pending(cg_host *host)
{
    uint64_t steps = cg_host_steps(host);
    bool standing = host->mode != CG_CHOICE_mode_running;
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        cg_host_client *client = &host->clients[i];
        int settled = 0;
        while (settled < client->pending_count &&
               (client->pending[settled].step < steps || (standing && client->pending[settled].step == steps))) {
            client->acknowledged = client->pending[settled++].request;
        }
        client->pending_count -= settled;
        memmove(client->pending, client->pending + settled, (size_t)client->pending_count * sizeof client->pending[0]);
    }
}

static void fill_frame(cg_host *host, cg_wire_frame *frame)
{
    cg_pace *pace = &host->pace;
    frame->generation = host->generation;
    frame->number = ++host->frame_number;
    frame->mode = (uint8_t)host->mode;
    frame->recording = host->recording;
    frame->script = host->script;
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        frame->clients = (uint16_t)(frame->clients + host->clients[i].joined);
    }
    frame->factor = (float)(host->mode == CG_CHOICE_mode_watching ? host->player.speed : pace->factor);
    frame->real_time = (float)pace->real_time;
    frame->behind = pace->behind;
    frame->step_seconds = pace->steps > 0 ? (float)(pace->step_seconds / pace->steps) : 0.0f;
    pace->step_seconds = 0;
    pace->steps = 0;
}

// Fills in and writes the present frame into host->bytes; 0 when that cannot be done.
static size_t write_frame(cg_host *host)
{
    cg_message message;
    cg_status status = look(host, &message);
    if (status.code != CG_OK) {
        return 0;
    }
    settle_pending(host);
    tell_surfaces(host);
    // A recording does not know how its threads are divided, only how many vertices they have.
    if (host->player.recording == NULL && tell_divisions(host)) {
        status = cg_view_frame(host->view, &message); // telling took the arrays of the frame
    }
    fill_frame(host, &message.as.frame);
    return status.code == CG_OK ? write_message(host, &message) : 0;
}

size_t cg_host_publish(cg_host *host)
{
    uint32_t acknowledged[CG_HOST_MOST_CLIENTS];
    size_t size = write_frame(host);
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        acknowledged[i] = host->clients[i].acknowledged;
    }
    if (size > 0) {
        host->def.publish(host->def.context, host->bytes, size, acknowledged);
    }
    host->fresh = false;
    return size;
}

// Worlds

uint64_t cg_host_steps(const cg_host *host)
{
    return host->session != NULL ? cg_session_get_stats(host->session).steps : 0;
}

void cg_host_restart_clock(cg_host *host)
{
    cg_pace *pace = &host->pace;
    pace->last = pace->window_start = -1;
    pace->owed = pace->window_time = 0;
    host->fresh = true;
}

void cg_host_end_recording(cg_host *host)
{
    if (!host->recording) {
        return;
    }
    char why[CG_HOST_WHY_BYTES] = "";
    host->recording = false;
    bool good = host->def.files.end_recording(host->def.files.context, cg_session_end_recording(host->session), why);
    char text[CG_HOST_WHY_BYTES + 64];
    snprintf(text, sizeof text, good ? "the recording is whole: %s" : "the recording is not whole: %s", why);
    if (!good || host->trying.attempt == NULL) { // that of an attempt is no news
        cg_host_send_event(host, CG_CHOICE_event_kind_recording, text);
    }
}

static void drop_snapshots_of(cg_host_client *client)
{
    for (int i = 0; i < CG_HOST_SNAPSHOTS; i++) {
        cg_session_state_free(client->snapshots[i]);
        client->snapshots[i] = NULL;
    }
}

static void drop_snapshots(cg_host *host)
{
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        drop_snapshots_of(&host->clients[i]);
    }
}

int cg_host_snapshot_count(const cg_host *host)
{
    int count = 0;
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        for (int slot = 0; slot < CG_HOST_SNAPSHOTS; slot++) {
            count += host->clients[i].snapshots[slot] != NULL;
        }
    }
    return count;
}

// Whoever waits for steps of a world that ends is told.
static void drop_advance(cg_host *host)
{
    if (host->advance.left > 0) {
        cg_message message = {.kind = CG_MESSAGE_error,
                              .as.error = {.request = host->advance.request,
                                           .code = CG_CHOICE_fault_wrong_mode,
                                           .message = "the world ended before its steps were made"}};
        cg_host_send(host, host->advance.client, &message);
        host->advance.left = 0;
    }
}

void cg_host_end_world(cg_host *host)
{
    cg_host_end_recording(host);
    cg_host_drop_attempt(host);
    cg_host_keep_before(host);
    drop_advance(host);
    cg_view_destroy(host->view);
    cg_session_destroy(host->session);
    host->view = NULL;
    host->session = NULL;
}

static cg_status make_session(const cg_host *host, const cg_scene *scene, bool skip_inputs, cg_session **session,
                              char *why)
{
    cg_session_def def = cg_session_def_default();
    def.skip_scene_inputs = skip_inputs;
    def.clock = host->def.clock;
    cg_scene_error error;
    cg_status status = cg_session_create(&def, scene, session, &error);
    if (status.code != CG_OK && error.message[0] != '\0') {
        snprintf(why, CG_HOST_WHY_BYTES, "%s:%d:%d: %s", error.file, error.line, error.column, error.message);
    } else {
        snprintf(why, CG_HOST_WHY_BYTES, "%s", status.message);
    }
    return status;
}

// What was meant for a world that ended is over too: nobody shall wait for it.
static void acknowledge_all(cg_host *host)
{
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        cg_host_client *client = &host->clients[i];
        if (client->pending_count > 0) {
            client->acknowledged = client->pending[client->pending_count - 1].request;
            client->pending_count = 0;
        }
    }
}

cg_answer cg_host_begin_world(cg_host *host, cg_scene *scene, const char *name, bool skip_inputs, bool same)
{
    cg_session *session = NULL;
    cg_session_view *view = NULL;
    cg_answer answer = cg_answer_done();
    cg_status status = make_session(host, scene, skip_inputs, &session, answer.why);
    if (status.code == CG_OK) {
        status = cg_view_create(session, scene, NULL, &view);
        snprintf(answer.why, sizeof answer.why, "%s", status.message);
    }
    if (status.code != CG_OK) {
        answer.fault = status.code == CG_OUT_OF_MEMORY ? CG_CHOICE_fault_failed : CG_CHOICE_fault_bad_text;
        cg_session_destroy(session);
        if (!same) {
            cg_scene_free(scene);
        }
        return answer;
    }
    cg_host_end_world(host);
    if (!same) {
        drop_snapshots(host);
        cg_scene_free(host->scene);
        host->scene = scene;
        snprintf(host->scene_name, sizeof host->scene_name, "%s", name);
    }
    host->session = session;
    host->view = view;
    cg_host_begin_past(host);
    for (int i = 0; i < CG_HOST_MOST_HANDS; i++) {
        cg_host_set_driver(host, i, i < cg_scene_hand_count(host->scene) ? host->drivers[i] - 1 : -1);
    }
    host->generation++;
    host->pace.behind = 0;
    host->told_refused = 0;
    host->script = false;
    host->script_step = 0;
    host->named_step = UINT64_MAX;
    acknowledge_all(host);
    cg_host_restart_clock(host);
    return answer;
}

// A recording that came to nothing.
static void give_up_recording(cg_host *host)
{
    char unused[CG_HOST_WHY_BYTES];
    host->def.files.end_recording(host->def.files.context, (cg_status){.code = CG_BAD_INPUT}, unused);
}

cg_answer cg_host_record_world(cg_host *host, cg_scene *scene, const char *scene_name, const char *name, char *taken,
                               bool *begun)
{
    cg_answer answer = {0};
    cg_recorder_def def = cg_recorder_def_default();
    const cg_host_files *files = &host->def.files;
    bool same = scene == host->scene;
    *begun = false;
    // The file first: a world is not begun anew for a recording that cannot be.
    cg_host_end_recording(host);
    cg_host_drop_attempt(host);
    if (!files->begin_recording(files->context, name, &def, taken, answer.why)) {
        answer.fault = CG_CHOICE_fault_failed;
        if (!same) {
            cg_scene_free(scene);
        }
        return answer;
    }
    answer = cg_host_begin_world(host, scene, scene_name, false, same);
    if (answer.fault != 0) {
        give_up_recording(host);
        return answer;
    }
    *begun = true;
    cg_status status = cg_session_record(host->session, &def);
    host->recording = status.code == CG_OK;
    if (!host->recording) {
        files->end_recording(files->context, status, answer.why);
        answer.fault = CG_CHOICE_fault_failed;
    }
    snprintf(host->recording_name, sizeof host->recording_name, "%s", taken);
    return answer;
}

cg_answer cg_host_start_recording(cg_host *host, const char *name)
{
    char taken[256] = "";
    bool begun;
    cg_answer answer = cg_host_record_world(host, host->scene, host->scene_name, name, taken, &begun);
    if (begun) {
        cg_host_send_world(host, -1);
    }
    if (answer.fault == 0) {
        char text[320];
        snprintf(text, sizeof text, "recording %s", taken);
        cg_host_send_event(host, CG_CHOICE_event_kind_recording, text);
    }
    return answer;
}

bool cg_host_record(cg_host *host, const char *name, char *why)
{
    cg_answer answer = cg_host_start_recording(host, name);
    snprintf(why, CG_HOST_WHY_BYTES, "%s", answer.why);
    return answer.fault == 0;
}

cg_host *cg_host_create(const cg_host_def *def, const char *scene_name, char *why)
{
    cg_host *host = calloc(1, sizeof *host);
    cg_scene *scene = NULL;
    if (host == NULL) {
        snprintf(why, CG_HOST_WHY_BYTES, "no memory for a server");
        return NULL;
    }
    host->def = *def;
    host->mode = def->is_paused ? CG_CHOICE_mode_paused : CG_CHOICE_mode_running;
    host->generation = def->generation;
    host->pace.factor = 1;
    host->pace.real_time = 1;
    if (!def->files.load_scene(def->files.context, scene_name, &scene, why)) {
        free(host);
        return NULL;
    }
    cg_answer answer = cg_host_begin_world(host, scene, scene_name, false, false);
    if (answer.fault != 0) {
        snprintf(why, CG_HOST_WHY_BYTES, "%s", answer.why);
        free(host);
        return NULL;
    }
    return host;
}

void cg_host_destroy(cg_host *host)
{
    if (host == NULL) {
        return;
    }
    cg_player_close(host);
    cg_host_end_world(host);
    cg_host_take_measured(host, false);
    drop_snapshots(host);
    cg_host_forget_before(host);
    cg_scene_free(host->scene);
    free(host->bytes);
    free(host);
}

// Clients

void cg_host_join(cg_host *host, int client, bool is_guest)
{
    host->clients[client] = (cg_host_client){.here = true, .is_guest = is_guest, .came_as_guest = is_guest};
}

uint32_t cg_host_generation(const cg_host *host)
{
    return host->generation;
}

bool cg_host_is_busy(const cg_host *host)
{
    return host->script || host->advance.left > 0 || (host->player.recording != NULL && host->player.speed != 0);
}

const char *cg_host_scene_name(const cg_host *host)
{
    return host->scene_name;
}

void cg_host_set_driver(cg_host *host, int hand, int client)
{
    host->drivers[hand] = client + 1;
    uint32_t nobody = cg_host_is_led(host, hand) ? CG_HOST_DEVICE : 0;
    cg_view_set_driver(host->view, hand, client >= 0 ? host->clients[client].number : nobody);
    host->fresh = true;
}

void cg_host_leave(cg_host *host, int client)
{
    drop_snapshots_of(&host->clients[client]);
    host->clients[client] = (cg_host_client){.here = false};
    for (int i = 0; i < CG_HOST_MOST_HANDS; i++) {
        if (host->drivers[i] == client + 1) {
            cg_host_set_driver(host, i, -1);
        }
    }
    if (host->advance.left > 0 && host->advance.client == client) {
        host->advance.left = 0;
    }
    if (host->trying.attempt != NULL && host->trying.client == client) {
        cg_host_end_recording(host);
        cg_host_drop_attempt(host);
    }
    if (host->mode == CG_CHOICE_mode_lockstep && host->lockstep_client == client) {
        host->mode = CG_CHOICE_mode_paused;
    }
    host->fresh = true;
}

static void send_error(cg_host *host, int client, uint32_t request, int fault, const char *why)
{
    cg_message message = {.kind = CG_MESSAGE_error,
                          .as.error = {.request = request, .code = (uint16_t)fault, .message = why}};
    cg_host_send(host, client, &message);
}

void cg_host_receive(cg_host *host, int client, const void *bytes, size_t size)
{
    cg_message message;
    if (!host->clients[client].here) {
        return;
    }
    if (!cg_message_decode(&message, bytes, size, NULL, 0) || message.kind > CG_MESSAGE_FROM_SERVER ||
        message.as.request == 0) {
        send_error(host, client, 0, CG_CHOICE_fault_bad_message, "these bytes are no message; see docs/protocol.md");
        host->def.hang_up(host->def.context, client, CG_CLOSE_BAD_MESSAGE, "no message");
        cg_host_leave(host, client);
        return;
    }
    if (!host->clients[client].joined && message.kind != CG_MESSAGE_hello) {
        host->def.hang_up(host->def.context, client, CG_CLOSE_NO_HELLO, "say hello first");
        cg_host_leave(host, client);
        return;
    }
    uint32_t request = message.as.request;
    cg_answer answer = cg_host_carry_out(host, client, &message);
    if (answer.fault != 0) {
        send_error(host, client, request, answer.fault, answer.why);
    } else if (!answer.silent) {
        cg_message done = {.kind = CG_MESSAGE_done, .as.done = {.request = request}};
        cg_host_send(host, client, &done);
    }
}
