// Fuzzes timed inputs: whatever the text, it is refused with a place or it runs.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const cg_scene *small_scene(void)
{
    static const char text[] =
        "{\"threads\": [{\"name\": \"a\", \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"8 mm\", 0, 0]}}, "
        "\"vertices\": 5, \"start\": \"clamped\"}, {\"name\": \"b\", \"shape\": {\"line\": {\"from\": [0, 1, 0], "
        "\"to\": [\"8 mm\", 1, 0]}}, \"vertices\": 3}], \"shapes\": [{\"name\": \"s\", \"sphere\": {\"radius\": \"1 "
        "mm\"}, "
        "\"position\": [\"4 mm\", 0, \"-3 mm\"]}, {\"half_space\": {}, \"position\": [0, 0, \"-1 cm\"]}], "
        "\"max_contacts\": 20}";
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
    def.inputs = size > 0 ? (const char *)data : "";
    def.inputs_size = size;
    def.queue_capacity = 1;
    cg_session *session;
    cg_scene_error error;
    cg_status status = cg_session_create(&def, small_scene(), &session, &error);
    if (status.code != CG_OK) {
        if (error.line < 1 || error.column < 1 || error.message[0] == '\0') {
            abort(); // a refusal without a place
        }
        return 0;
    }
    for (int step = 0; step < 4; step++) {
        cg_session_step(session);
    }
    cg_session_destroy(session);
    return 0;
}
