#include "support/record_session.h"

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
