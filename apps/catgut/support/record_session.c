#include "support/record_session.h"

#include "support/progress.h"
#include "support/scene_files.h"

bool cg_record_session_build(const cg_recording *recording, const char *path, cg_scene **scene, cg_session **session,
                             FILE *err)
{
    cg_scene_error error;
    cg_status status = cg_recording_scene(recording, NULL, scene, &error);
    if (status.code == CG_OK) {
        cg_session_def def = cg_session_def_default();
        def.skip_scene_inputs = true;
        status = cg_session_create(&def, *scene, session, &error);
    }
    if (status.code != CG_OK) {
        fprintf(err, "%s: the scene in the recording cannot be built: ", path);
        if (error.message[0] != '\0') {
            cg_scene_error_print(&error, err);
        } else {
            fprintf(err, "%s\n", status.message);
        }
    }
    return status.code == CG_OK;
}

bool cg_record_session_go_to(cg_session *session, cg_recording *recording, uint64_t step, const char *path, FILE *err)
{
    size_t next;
    cg_status status = cg_session_jump(session, recording, step, &next);
    cg_operation operation;
    for (uint64_t at = cg_session_get_stats(session).steps; status.code == CG_OK && at < step; at++) {
        while (cg_recording_operation(recording, next, &operation) && operation.step == at) {
            cg_session_apply(session, &operation);
            next++;
        }
        cg_session_step(session);
        if (cg_was_interrupted()) {
            status.code = CG_BAD_INPUT;
            snprintf(status.message, sizeof status.message, "interrupted");
        }
    }
    if (status.code != CG_OK) {
        fprintf(err, "%s: %s\n", path, status.message);
    }
    return status.code == CG_OK;
}
