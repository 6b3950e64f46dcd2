// Recordings, watched in the place of a world: the scene of the recording is built, so that clients get a world as
// always, but what its threads look like comes from the frames. To branch, the world is brought to the moment that is
// shown, by the last whole state before it and the operations since.
#include <stdio.h>
#include <string.h>

#include "host_inside.h"

enum { MOST_FRAMES_BETWEEN_NAMES = 8 }; // of a recording, 16 steps each: more, and a throw may have been missed

static bool read_frame(cg_host *host, size_t index, cg_recorded_frame *frame)
{
    return cg_recording_frame(host->player.recording, index, frame).code == CG_OK;
}

void cg_player_close(cg_host *host)
{
    if (host->player.recording != NULL) {
        host->def.files.close_recording(host->def.files.context, host->player.recording);
        host->player = (cg_player){.recording = NULL};
    }
}

static cg_answer open_scene(cg_recording *recording, cg_scene **scene)
{
    cg_scene_error error;
    cg_status status = cg_recording_scene(recording, NULL, scene, &error);
    if (status.code == CG_OK) {
        return cg_answer_done();
    }
    return error.message[0] != '\0' ? cg_answer_fault(CG_CHOICE_fault_bad_text, "%s:%d:%d: %s", error.file, error.line,
                                                      error.column, error.message)
                                    : cg_answer_fault(CG_CHOICE_fault_failed, "%s", status.message);
}

// Until the new one is there, all stays as it was: what is shown, the world, the mode, a recording that is written.
cg_answer cg_player_open(cg_host *host, const char *name)
{
    cg_answer answer = cg_answer_done();
    cg_scene *scene;
    if (host->recording && strcmp(name, host->recording_name) == 0) {
        cg_host_end_recording(host); // what is opened is that
    }
    cg_recording *recording = host->def.files.open_recording(host->def.files.context, name, answer.why);
    if (recording == NULL) {
        answer.fault = CG_CHOICE_fault_not_found;
        return answer;
    }
    answer = open_scene(recording, &scene);
    if (answer.fault == 0 && cg_recording_frame_count(recording) == 0) {
        cg_scene_free(scene);
        answer = cg_answer_fault(CG_CHOICE_fault_failed, "the recording has no frames");
    }
    if (answer.fault == 0) {
        answer = cg_host_begin_world(host, scene, name, true, false);
    }
    if (answer.fault != 0) {
        host->def.files.close_recording(host->def.files.context, recording);
        return answer;
    }
    cg_player_close(host);
    host->player = (cg_player){.recording = recording};
    host->mode = CG_CHOICE_mode_watching;
    cg_host_send_world(host, -1);
    const char *damage = cg_recording_damage(recording);
    if (damage[0] != '\0') {
        char text[320];
        snprintf(text, sizeof text, "the recording is damaged: %s", damage);
        cg_host_send_event(host, CG_CHOICE_event_kind_recording, text);
    }
    return answer;
}

uint64_t cg_player_first_step(cg_host *host)
{
    cg_recorded_frame frame;
    return read_frame(host, 0, &frame) ? frame.step : 0;
}

// The last frame at or before a step. Frames come at regular steps but for the last, so a guess is off by one at most,
// unless the recording is strange: then the search goes on from there.
static size_t frame_at(cg_host *host, uint64_t step)
{
    size_t count = cg_recording_frame_count(host->player.recording);
    uint64_t first = cg_player_first_step(host), since = step > first ? step - first : 0;
    uint64_t guess = since / (uint64_t)cg_recording_get_info(host->player.recording).frame_every;
    size_t index = guess < count ? (size_t)guess : count - 1;
    cg_recorded_frame frame;
    while (index > 0 && read_frame(host, index, &frame) && frame.step > step) {
        index--;
    }
    while (index + 1 < count && read_frame(host, index + 1, &frame) && frame.step <= step) {
        index++;
    }
    return index;
}

cg_answer cg_player_seek(cg_host *host, uint64_t step)
{
    cg_recorded_frame frame;
    host->player.frame = frame_at(host, step);
    if (!read_frame(host, host->player.frame, &frame)) {
        return cg_answer_fault(CG_CHOICE_fault_failed, "that frame of the recording cannot be read");
    }
    host->player.time = frame.time;
    host->fresh = true;
    return cg_answer_done();
}

void cg_player_run(cg_host *host, double seconds)
{
    cg_player *player = &host->player;
    cg_recorded_frame frame;
    size_t count = cg_recording_frame_count(player->recording), shown = player->frame;
    player->time += seconds * player->speed;
    while (player->speed > 0 && player->frame + 1 < count && read_frame(host, player->frame + 1, &frame) &&
           frame.time <= player->time) {
        player->frame++;
    }
    while (player->speed < 0 && player->frame > 0 && read_frame(host, player->frame, &frame) &&
           frame.time > player->time) {
        player->frame--;
    }
    bool at_end = player->speed > 0 ? player->frame + 1 == count : player->frame == 0;
    if (at_end && player->speed != 0) {
        player->speed = 0; // it stands at its end
        host->fresh = true;
        if (read_frame(host, player->frame, &frame)) {
            player->time = frame.time;
        }
    }
    host->fresh = host->fresh || player->frame != shown;
}

// Operations tell where shapes, hands and camera were meant to be at a step.
static void note_operations(cg_host *host, uint64_t step)
{
    cg_player *player = &host->player;
    cg_operation operation;
    if (step < player->noted_step) {
        cg_view_note(host->view, NULL);
        player->next_operation = 0;
    }
    player->noted_step = step;
    while (cg_recording_operation(player->recording, player->next_operation, &operation) && operation.step < step) {
        cg_view_note(host->view, &operation);
        player->next_operation++;
    }
}

// Knots are named from the shapes that are shown. How they were tied is known while the recording goes on frame by
// frame.
static void name_knots(cg_host *host, const cg_recorded_frame *frame)
{
    cg_player *player = &host->player;
    size_t number = player->frame + 1;
    if (!host->def.name_knots || number == player->named_frame) {
        return;
    }
    if (number < player->named_frame || number > player->named_frame + MOST_FRAMES_BETWEEN_NAMES) {
        cg_view_forget_knots(host->view);
    }
    player->named_frame = number;
    cg_view_name_recorded(host->view, frame);
}

cg_status cg_player_frame(cg_host *host, cg_message *message)
{
    cg_recorded_frame frame;
    cg_status status = cg_recording_frame(host->player.recording, host->player.frame, &frame);
    if (status.code == CG_OK) {
        note_operations(host, frame.step);
        name_knots(host, &frame);
    }
    return status.code == CG_OK ? cg_view_recorded(host->view, &frame, message) : status;
}

// Brings the present world, which is new, to a step of the recording.
static cg_answer replay_to(cg_host *host, cg_recording *recording, uint64_t step)
{
    size_t next = 0;
    cg_status status = cg_session_jump(host->session, recording, step, &next);
    if (status.code != CG_OK) {
        return cg_answer_fault(CG_CHOICE_fault_failed, "%s", status.message);
    }
    cg_operation operation;
    while (cg_host_steps(host) < step) {
        while (cg_recording_operation(recording, next, &operation) && operation.step <= cg_host_steps(host)) {
            cg_session_apply(host->session, &operation);
            next++;
        }
        cg_session_step(host->session);
        if (host->def.is_ending(host->def.context)) {
            return cg_answer_fault(CG_CHOICE_fault_failed, "the server ends");
        }
    }
    return cg_answer_done();
}

cg_answer cg_player_branch(cg_host *host)
{
    cg_recorded_frame frame;
    if (!read_frame(host, host->player.frame, &frame)) {
        return cg_answer_fault(CG_CHOICE_fault_failed, "that frame of the recording cannot be read");
    }
    cg_status status = cg_recording_check_versions(host->player.recording);
    if (status.code != CG_OK) {
        return cg_answer_fault(CG_CHOICE_fault_failed, "%s", status.message);
    }
    uint64_t step = frame.step;
    cg_answer answer = cg_host_begin_world(host, host->scene, host->scene_name, true, true);
    if (answer.fault != 0) {
        return answer;
    }
    answer = replay_to(host, host->player.recording, step);
    cg_player_close(host);
    host->mode = CG_CHOICE_mode_paused;
    host->told_refused = cg_session_get_stats(host->session).refused;
    cg_host_restart_clock(host);
    cg_host_send_world(host, -1);
    return answer;
}
