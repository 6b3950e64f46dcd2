// Scripts: run in the world that is there, or together with a scene of their own.
#include <stdlib.h>

#include "host_inside.h"

// The text of a script: what the message brings, or that of its name. `kept` is to be freed.
typedef struct script_text {
    const char *text;
    size_t size;
    char *kept;
} script_text;

static cg_answer find_text(cg_host *host, const char *name, const cg_value_rest *brought, script_text *script)
{
    cg_answer answer = cg_answer_done();
    *script = (script_text){.text = brought->items, .size = brought->count};
    if (script->size == 0) {
        script->kept = host->def.files.read_script(host->def.files.context, name, &script->size, answer.why);
        script->text = script->kept;
        answer.fault = script->kept == NULL ? CG_CHOICE_fault_not_found : 0;
    }
    return answer;
}

static cg_answer bad_script(const cg_scene_error *error)
{
    return cg_answer_fault(CG_CHOICE_fault_bad_text, "%s:%d:%d: %s", error->file, error->line, error->column,
                           error->message);
}

cg_answer cg_host_start_script(cg_host *host, const char *text, size_t size, const char *name)
{
    cg_scene_error error;
    if (cg_session_run_script(host->session, text, size, name, &error).code != CG_OK) {
        return bad_script(&error);
    }
    host->script = host->fresh = true;
    host->script_step = 0;
    return cg_answer_done();
}

static cg_answer start(cg_host *host, const script_text *script, const char *name)
{
    return cg_host_start_script(host, script->text, script->size, name);
}

cg_answer cg_host_run_script(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    const cg_wire_run_script *asked = &message->as.run_script;
    script_text script;
    cg_answer answer = cg_host_not_while_watching(host);
    if (answer.fault != 0) {
        return answer;
    }
    answer = find_text(host, asked->name, &asked->script, &script);
    if (answer.fault == 0) {
        answer = start(host, &script, asked->name);
    }
    free(script.kept);
    return answer;
}

// The scene of a lesson: the present one made anew, or another.
static cg_answer begin_scene(cg_host *host, const char *name, const script_text *script, const char *script_name)
{
    cg_scene *scene = host->scene;
    const char *listed = host->scene_name;
    bool same = name[0] == '\0';
    cg_answer answer = same ? cg_answer_done() : cg_host_load_listed(host, name, &scene, &listed);
    if (answer.fault != 0) {
        return answer;
    }
    // A script that is not right for its scene is refused before the present world ends.
    cg_scene_error error;
    if (cg_script_check(script->text, script->size, script_name, scene, NULL, &error).code == CG_OK) {
        return cg_host_begin_world(host, scene, listed, false, same);
    }
    if (!same) {
        cg_scene_free(scene);
    }
    return bad_script(&error);
}

cg_answer cg_host_start_lesson(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    const cg_wire_start_lesson *asked = &message->as.start_lesson;
    script_text script;
    cg_answer answer = find_text(host, asked->name, &asked->script, &script);
    if (answer.fault == 0) {
        answer = begin_scene(host, asked->scene, &script, asked->name);
    }
    if (answer.fault == 0) {
        cg_host_leave_recording(host);
        answer = start(host, &script, asked->name);
        host->mode = host->mode == CG_CHOICE_mode_lockstep ? host->mode : CG_CHOICE_mode_running;
        cg_host_restart_clock(host);
        cg_host_send_world(host, -1);
    }
    free(script.kept);
    return answer;
}

cg_answer cg_host_stop_script(cg_host *host, int client, const cg_message *message)
{
    (void)client;
    (void)message;
    if (!host->script) {
        return cg_answer_fault(CG_CHOICE_fault_wrong_mode, "no script is running");
    }
    cg_session_stop_script(host->session);
    cg_host_send_event(host, CG_CHOICE_event_kind_script_end, "the script was stopped");
    host->script = false;
    host->fresh = true;
    return cg_answer_done();
}
