// How the world's clock keeps up with the real one.
//
// Simulated time is owed as real time goes by, times the factor of slow motion, and paid in steps, one at a call, so
// that whatever clients say is heard between any two. What is owed beyond a twentieth of a second is given up and
// counted: a world whose steps are dearer than their time falls behind, and does not try ever harder to catch up.
#include <stdio.h>
#include <string.h>

#include "host_inside.h"

static const double MOST_OWED = 0.05;       // [s] of the real clock that are made up for
static const double WINDOW = 1.0;           // [s] over which the speed is measured
static const double NAMING_INTERVAL = 0.03; // [s] from one look at the knots to the next; throws need many looks
static const double SLOW = 0.95, FAST_AGAIN = 0.98;

// Tells when a script comes to a step, or ends.
static void follow_script(cg_host *host)
{
    cg_script_state state = cg_session_get_script(host->session);
    char text[CG_HOST_WHY_BYTES];
    if (state.step != host->script_step && state.step > 0) {
        snprintf(text, sizeof text, "%s%s%s", state.name, state.text[0] != '\0' ? ": " : "", state.text);
        cg_host_send_event(host, CG_CHOICE_event_kind_script_step, text);
        if (host->trying.attempt != NULL) { // the recording tells the steps, for those who follow it
            char step[CG_HOST_WHY_BYTES + 8];
            snprintf(step, sizeof step, "step %s", text);
            cg_session_note(host->session, step);
        }
    }
    host->script_step = state.step;
    host->script = state.phase == CG_SCRIPT_RUNNING;
    if (state.phase == CG_SCRIPT_FAILED) {
        snprintf(text, sizeof text, "%s:%d:%d: %s", state.error.file, state.error.line, state.error.column,
                 state.error.message);
        cg_host_send_event(host, CG_CHOICE_event_kind_script_error, text);
    } else if (!host->script) {
        cg_host_send_event(host, CG_CHOICE_event_kind_script_end, "the script is over");
    }
}

static void make_step(cg_host *host)
{
    double begun = host->def.clock();
    double time = cg_world_time(cg_session_world(host->session));
    cg_host_lead_hands(host);
    cg_session_step(host->session);
    cg_host_tell_devices(host);
    cg_host_tell_mishaps(host);
    host->pace.step_seconds += host->def.clock() - begun;
    host->pace.steps++;
    host->pace.window_time += cg_world_time(cg_session_world(host->session)) - time;
    if (host->script) {
        follow_script(host);
    }
    if (host->recording && cg_session_recording_status(host->session).code != CG_OK) {
        cg_host_end_recording(host);
    }
    if (host->trying.attempt != NULL) {
        cg_host_follow_attempt(host);
    }
}

// Once a window: how fast did it go, and does anybody need to know?
static void measure_speed(cg_host *host, double now)
{
    cg_pace *pace = &host->pace;
    if (pace->window_start < 0) {
        pace->window_start = now;
        pace->window_time = 0;
    }
    if (now - pace->window_start < WINDOW) {
        return;
    }
    pace->real_time = pace->window_time / (now - pace->window_start);
    pace->window_start = now;
    pace->window_time = 0;
    double share = pace->real_time / pace->factor;
    if (pace->slow ? share > FAST_AGAIN : share < SLOW) {
        char text[160];
        pace->slow = !pace->slow;
        if (pace->slow) {
            snprintf(text, sizeof text, "slower than the clock: %.2f simulated seconds a second instead of %.2f",
                     pace->real_time, pace->factor);
        } else {
            snprintf(text, sizeof text, "as fast as the clock again");
        }
        cg_host_send_event(host, CG_CHOICE_event_kind_speed, text);
    }
}

// Makes a step when one is due and returns when the next will be.
static double run_clock(cg_host *host, double now)
{
    cg_pace *pace = &host->pace;
    double step = cg_session_time_step(host->session);
    if (pace->last < 0) {
        pace->last = now;
    }
    pace->owed += (now - pace->last) * pace->factor;
    pace->last = now;
    double most = MOST_OWED * pace->factor > step ? MOST_OWED * pace->factor : step;
    if (pace->owed > most) {
        pace->behind += (pace->owed - most) / pace->factor;
        pace->owed = most;
    }
    double due = step * (1 - 1e-6); // what rounding leaves over is not waited for
    if (pace->owed >= due) {
        make_step(host);
        pace->owed -= step;
    }
    measure_speed(host, now);
    return pace->owed >= due ? now : now + (step - pace->owed) / pace->factor;
}

static void finish_advance(cg_host *host)
{
    cg_host_client *client = &host->clients[host->advance.client];
    // To all first: then no older frame can come to this client behind its own.
    size_t size = cg_host_publish(host);
    if (size > 0) {
        cg_frame_address(host->bytes, client->acknowledged, 0);
        host->def.send(host->def.context, host->advance.client, host->bytes, size);
    }
    cg_message done = {.kind = CG_MESSAGE_done, .as.done = {.request = host->advance.request}};
    cg_host_send(host, host->advance.client, &done);
}

static void name_knots(cg_host *host, double now)
{
    uint64_t steps = cg_host_steps(host);
    if (!host->def.name_knots || steps == host->named_step || now - host->last_naming < NAMING_INTERVAL) {
        return;
    }
    host->named_step = steps;
    host->last_naming = now;
    int thread;
    if (cg_view_name_knots(host->view, &thread)) {
        char text[192];
        snprintf(text, sizeof text, "thread %s has another knot now", cg_scene_thread_name(host->scene, thread));
        cg_host_send_event(host, CG_CHOICE_event_kind_knot, text);
    }
}

// Operations that were refused when their step came: their sender has long gone on.
static void tell_refusals(cg_host *host)
{
    uint64_t refused = cg_session_get_stats(host->session).refused;
    if (refused > host->told_refused) {
        char text[96];
        uint64_t count = refused - host->told_refused;
        snprintf(text, sizeof text, "%llu %s refused when %s step came", (unsigned long long)count,
                 count == 1 ? "operation was" : "operations were", count == 1 ? "its" : "their");
        host->told_refused = refused;
        cg_host_send_event(host, CG_CHOICE_event_kind_refused, text);
    }
}

// [s] Work that others do is looked for this often.
static const double LOOK_AGAIN = 5e-3;

double cg_host_run(cg_host *host, double now)
{
    double interval = 1 / host->def.frame_rate, next = now + 1;
    bool moving = true;
    cg_host_take_measured(host, true);
    if (host->player.recording != NULL) {
        double last = host->pace.last < 0 ? now : host->pace.last;
        host->pace.last = now;
        cg_player_run(host, now - last);
        moving = host->player.speed != 0;
        cg_host_rest_devices(host);
    } else if (host->advance.left > 0) {
        make_step(host);
        next = now;
        if (--host->advance.left == 0) {
            name_knots(host, now);
            finish_advance(host);
        }
    } else if (host->mode == CG_CHOICE_mode_running) {
        next = run_clock(host, now);
    } else {
        moving = false;
        cg_host_rest_devices(host);
    }
    // While nothing moves orders show at once, but cannot make frames faster than four times the usual.
    double soonest = host->last_frame + interval / 4;
    bool due = moving && now >= host->next_frame;
    if (due || (host->fresh && !moving && now >= soonest)) {
        if (host->player.recording == NULL) {
            name_knots(host, now);
            tell_refusals(host);
        }
        cg_host_publish(host);
        host->last_frame = now;
        double regular = host->next_frame + interval;
        host->next_frame = !due ? host->next_frame : regular > now ? regular : now + interval;
    }
    next = moving && host->next_frame < next ? host->next_frame : next;
    double report = cg_host_report_devices(host, now);
    next = report < next ? report : next;
    next = host->pieces > 0 && now + LOOK_AGAIN < next ? now + LOOK_AGAIN : next;
    return host->fresh && !moving && soonest < next ? soonest : next;
}
