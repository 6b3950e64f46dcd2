// What just happened: each world keeps its last minutes, and what was before it went to another state, or ended, is
// kept here until the next time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_inside.h"

static const double SECONDS = 240;       // [s] simulated that a world keeps at most
static const double WORTH_KEEPING = 1.0; // [s] less is nothing that happened
enum { MOST_BYTES = 64 * 1024 * 1024 };

void cg_host_begin_past(cg_host *host)
{
    cg_past_def def = {
        .seconds = SECONDS, .most_bytes = MOST_BYTES, .codec = host->def.files.codec, .program = host->def.program};
    cg_session_keep_past(host->session, &def); // without memory for it the world goes on all the same
}

static bool take_bytes(void *context, const void *bytes, size_t size)
{
    cg_host_bytes *to = context;
    unsigned char *copy = malloc(size);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, bytes, size);
    free(to->bytes);
    *to = (cg_host_bytes){.bytes = copy, .size = size};
    return true;
}

static bool has_past(const cg_host *host)
{
    return host->session != NULL && cg_session_past_seconds(host->session) >= WORTH_KEEPING;
}

void cg_host_keep_before(cg_host *host)
{
    if (has_past(host)) {
        cg_session_write_past(host->session, take_bytes, &host->before);
    }
}

// Writes a recording that is whole already, and tells its name.
static cg_answer save(cg_host *host, const cg_host_bytes *past, const char *what)
{
    const cg_host_files *files = &host->def.files;
    cg_answer answer = cg_answer_done();
    cg_recorder_def def = cg_recorder_def_default();
    char name[256] = "", text[CG_HOST_WHY_BYTES], why[CG_HOST_WHY_BYTES] = "";
    if (!files->begin_recording(files->context, "", &def, name, answer.why)) {
        answer.fault = CG_CHOICE_fault_failed;
        return answer;
    }
    bool written = def.write(def.context, past->bytes, past->size);
    cg_status status = {.code = written ? CG_OK : CG_FULL};
    if (!files->end_recording(files->context, status, why)) {
        return cg_answer_fault(CG_CHOICE_fault_failed, "%s", why);
    }
    snprintf(text, sizeof text, "%s is kept as %.200s", what, name);
    cg_host_send_event(host, CG_CHOICE_event_kind_recording, text);
    return answer;
}

// Writes what is kept in `before`, if anything; only what was written is forgotten.
static cg_answer save_before(cg_host *host, const char *what)
{
    cg_answer answer = host->before.bytes != NULL ? save(host, &host->before, what) : cg_answer_done();
    if (answer.fault == 0) {
        cg_host_forget_before(host);
    }
    return answer;
}

cg_answer cg_host_save_past(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    (void)message;
    cg_answer answer = cg_host_not_while_watching(host);
    if (answer.fault == 0 && host->recording) {
        answer = cg_answer_fault(CG_CHOICE_fault_wrong_mode, "it is being recorded already");
    }
    if (answer.fault != 0) {
        return answer;
    }
    if (!has_past(host) && host->before.bytes == NULL) {
        return cg_answer_fault(CG_CHOICE_fault_refused, "nothing has happened yet");
    }
    // The older one first: what cannot be written stays in `before`, and there is room for one.
    answer = save_before(host, "what was before");
    if (answer.fault == 0 && has_past(host)) {
        cg_host_keep_before(host);
        answer = host->before.bytes != NULL ? save_before(host, "what just happened")
                                            : cg_answer_fault(CG_CHOICE_fault_failed, "no memory to write it from");
    }
    return answer;
}

void cg_host_forget_before(cg_host *host)
{
    free(host->before.bytes);
    host->before = (cg_host_bytes){.bytes = NULL};
}
