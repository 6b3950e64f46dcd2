// Attempts at tasks: the scene of a task is built and recorded, the goal watched after every step, and when it is
// reached, time is out, or the script or the trainee has done, the recording ends and is scored. What tasks there are,
// how they are scored and where that is noted, those know who made the host.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_inside.h"

void cg_host_send_training(cg_host *host, int client, uint32_t request, int kind, const char *json, size_t size)
{
    cg_message message = {.kind = CG_MESSAGE_training,
                          .as.training = {.request = request, .kind = (uint8_t)kind, .json = {json, (uint32_t)size}}};
    cg_host_send(host, client, &message);
}

static cg_answer no_tasks(void)
{
    return cg_answer_fault(CG_CHOICE_fault_refused, "this server has no tasks");
}

// What has to read a whole recording takes as much of the machine for that long: a client gets one a second, and a few
// beforehand.
static const double MOST_AT_ONCE = 4;

static bool is_measured(int kind)
{
    return kind == CG_CHOICE_training_kind_result || kind == CG_CHOICE_training_kind_way;
}

static bool may_measure(const cg_host *host, cg_host_client *client)
{
    double now = host->def.clock();
    double since = client->measured_at > 0 ? now - client->measured_at : MOST_AT_ONCE;
    double left = client->measures_left + since;
    client->measured_at = now;
    client->measures_left = left < MOST_AT_ONCE ? left : MOST_AT_ONCE;
    if (client->measures_left < 1) {
        return false;
    }
    client->measures_left -= 1;
    return true;
}

cg_answer cg_host_ask_training(cg_host *host, int client, const cg_message *message)
{
    const cg_host_training *training = &host->def.training;
    const cg_wire_ask_training *asked = &message->as.ask_training;
    cg_answer answer = cg_answer_done();
    size_t size = 0;
    if (training->tell == NULL) {
        return no_tasks();
    }
    if (is_measured(asked->kind) && !may_measure(host, &host->clients[client])) {
        return cg_answer_fault(CG_CHOICE_fault_refused, "asked for too many results at once; one a second is measured");
    }
    if (is_measured(asked->kind)) {
        return cg_host_measure(host, client, asked);
    }
    char *json = training->tell(training->context, asked, &size, answer.why);
    if (json == NULL) {
        answer.fault = CG_CHOICE_fault_bad_text;
        return answer;
    }
    cg_host_send_training(host, client, asked->request, asked->kind, json, size);
    free(json);
    return answer;
}

// An attempt under way

// Adds to a text of limited room; what has no room is left out.
typedef struct line {
    char text[1024];
    size_t size;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *to, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int written = vsnprintf(to->text + to->size, sizeof to->text - to->size, format, values);
    va_end(values);
    if (written > 0 && (size_t)written < sizeof to->text - to->size) {
        to->size += (size_t)written;
    }
}

// Nothing in a reason may end the text that it stands in.
static void make_plain(char *why)
{
    for (char *at = why; *at != '\0'; at++) {
        *at = *at == '"' || *at == '\\' || (unsigned char)*at < ' ' ? '\'' : *at;
    }
}

void cg_host_tell_attempt(cg_host *host, const cg_trying *trying, const char *state, const char *why)
{
    line json = {.size = 0};
    if (!host->clients[trying->client].joined) {
        return;
    }
    add(&json, "{\"attempt\": %llu, \"state\": \"%s\", \"over\": %s, \"goal_reached\": %s, \"time\": %.3f, ",
        (unsigned long long)trying->number, state, trying->told.over ? "true" : "false",
        trying->told.reached ? "true" : "false", trying->told.time);
    add(&json, "\"targets\": %d, \"reached\": [", trying->told.target_count);
    const char *comma = "";
    for (int i = 0; i < trying->told.target_count && i < CG_TASK_MOST_TARGETS; i++) {
        if (trying->told.reached_targets >> i & 1) {
            add(&json, "%s%d", comma, i);
            comma = ", ";
        }
    }
    char plain[201];
    snprintf(plain, sizeof plain, "%s", why);
    make_plain(plain);
    add(&json, "], \"why\": \"%s\"}", plain);
    cg_host_send_training(host, trying->client, 0, CG_CHOICE_training_kind_attempt, json.text, json.size);
}

static void end_trying(cg_host *host)
{
    cg_attempt_destroy(host->trying.attempt);
    host->trying = (cg_trying){.attempt = NULL};
}

void cg_host_drop_attempt(cg_host *host)
{
    if (host->trying.attempt == NULL) {
        return;
    }
    host->def.training.drop(host->def.training.context);
    cg_host_tell_attempt(host, &host->trying, "interrupted", "");
    end_trying(host);
}

// What was done is scored and noted, and told when that is done.
static cg_answer finish_attempt(cg_host *host)
{
    const cg_host_training *training = &host->def.training;
    cg_answer answer = cg_answer_done();
    if (host->script) {
        cg_session_stop_script(host->session);
        host->script = false;
    }
    cg_host_end_recording(host);
    void *ended = training->finish(training->context, answer.why);
    if (ended == NULL) {
        answer.fault = CG_CHOICE_fault_failed;
        cg_host_tell_attempt(host, &host->trying, "failed", answer.why);
    } else {
        cg_host_score(host, ended, &host->trying);
    }
    end_trying(host);
    if (host->mode == CG_CHOICE_mode_running) { // it is over: nothing needs to move
        host->mode = CG_CHOICE_mode_paused;
        cg_host_restart_clock(host);
    }
    host->fresh = true;
    return answer;
}

static bool is_news(const cg_attempt_state *now, const cg_attempt_state *told)
{
    return now->reached_targets != told->reached_targets || (now->time > 0) != (told->time > 0);
}

void cg_host_follow_attempt(cg_host *host)
{
    cg_trying *trying = &host->trying;
    cg_attempt_state state = cg_attempt_look(trying->attempt);
    bool is_over = state.over || (trying->by_script && !host->script) || !host->recording;
    bool is_new = is_news(&state, &trying->told);
    trying->told = state;
    if (is_over) {
        finish_attempt(host);
    } else if (is_new) {
        cg_host_tell_attempt(host, trying, "running", "");
    }
}

// Orders

// The world of an attempt, recorded, with its goal watched and its script, if any, begun.
static cg_answer begin_world(cg_host *host, const cg_host_plan *plan, uint64_t seed)
{
    char taken[256];
    bool begun;
    cg_answer answer = cg_host_record_world(host, plan->scene, plan->scene_name, "", taken, &begun);
    if (begun) {
        cg_host_leave_recording(host);
    }
    if (answer.fault == 0) {
        cg_status status =
            cg_attempt_create(plan->task, plan->task_name, seed, host->session, NULL, &host->trying.attempt);
        if (status.code != CG_OK) {
            answer = cg_answer_fault(CG_CHOICE_fault_failed, "%s", status.message);
        }
    }
    if (answer.fault == 0 && plan->script != NULL) {
        answer = cg_host_start_script(host, plan->script, plan->script_size, plan->script_name);
    }
    if (begun) {
        host->mode = host->mode == CG_CHOICE_mode_lockstep ? host->mode : CG_CHOICE_mode_running;
        host->pace.factor = 1;
        cg_host_restart_clock(host);
        cg_host_send_world(host, -1);
    }
    return answer;
}

cg_answer cg_host_begin_attempt(cg_host *host, int client, const cg_message *message)
{
    const cg_host_training *training = &host->def.training;
    const cg_wire_begin_attempt *asked = &message->as.begin_attempt;
    cg_host_plan plan = {.task = NULL};
    cg_answer answer = cg_answer_done();
    if (training->begin == NULL) {
        return no_tasks();
    }
    if (host->trying.attempt != NULL) { // until it is sure that another begins, all stays
        if (!training->check(training->context, asked, answer.why)) {
            answer.fault = CG_CHOICE_fault_bad_text;
            return answer;
        }
        cg_host_end_recording(host);
        cg_host_drop_attempt(host);
    }
    if (!training->begin(training->context, asked, &plan, answer.why)) {
        answer.fault = CG_CHOICE_fault_bad_text;
        return answer;
    }
    answer = begin_world(host, &plan, asked->seed);
    if (answer.fault != 0) {
        cg_host_end_recording(host);
        training->drop(training->context);
        end_trying(host);
        return answer;
    }
    host->trying.client = client;
    host->trying.number = plan.number;
    host->trying.by_script = plan.script != NULL;
    cg_host_tell_attempt(host, &host->trying, "running", "");
    return answer;
}

cg_answer cg_host_end_attempt(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    if (host->trying.attempt == NULL) {
        return cg_answer_fault(CG_CHOICE_fault_wrong_mode, "no task is under way");
    }
    if (message->as.end_attempt.keep) {
        return finish_attempt(host);
    }
    cg_host_end_recording(host);
    cg_host_drop_attempt(host);
    return cg_answer_done();
}
