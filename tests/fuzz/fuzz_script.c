// Fuzzes scripts: whatever the text, it is refused with a place, or it runs, and ends, fails with a place or goes on.
#include <stdint.h>
#include <stdlib.h>

#include "catgut/script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const cg_scene *small_scene(void)
{
    static const char text[] =
        "{\"threads\": [{\"name\": \"cord\", \"radius\": \"0.5 mm\", \"shape\": {\"line\": {\"from\": [\"-4 mm\", 0, "
        "0], "
        "\"to\": [\"4 mm\", 0, 0]}}, \"vertices\": 5}], \"shapes\": [{\"name\": \"post\", \"sphere\": {\"radius\": \"1 "
        "mm\"}, \"position\": [0, 0, \"-2 mm\"]}], \"max_contacts\": 20, \"hands\": [{\"name\": \"left\", "
        "\"position\": "
        "[\"-4 mm\", 0, 0]}, {\"name\": \"right\", \"position\": [\"4 mm\", 0, 0]}]}";
    static cg_scene *scene;
    cg_scene_error error;
    if (scene == NULL && cg_scene_read(text, sizeof text - 1, "a", NULL, NULL, &scene, &error).code != CG_OK) {
        abort();
    }
    return scene;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cg_session_def def = cg_session_def_default();
    def.queue_capacity = 1;
    cg_session *session;
    cg_scene_error error;
    const char *text = size > 0 ? (const char *)data : "";
    bool good = cg_script_check(text, size, "a", NULL, NULL, &error).code == CG_OK;
    if (!good && (error.line < 1 || error.column < 1 || error.message[0] == '\0')) {
        abort(); // a refusal without a place
    }
    if (cg_session_create(&def, small_scene(), &session, &error).code != CG_OK) {
        abort();
    }
    if (cg_session_run_script(session, text, size, "a", &error).code == CG_OK) {
        for (int step = 0; step < 20; step++) {
            cg_session_step(session);
        }
        cg_script_state state = cg_session_get_script(session);
        if (state.phase == CG_SCRIPT_FAILED && (state.error.line < 1 || state.error.message[0] == '\0')) {
            abort();
        }
    }
    cg_session_destroy(session);
    return 0;
}
