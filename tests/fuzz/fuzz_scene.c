// libFuzzer target: any bytes as a scene. Includes and point files are answered with the bytes behind the first zero
// byte, so that those readers are reached too. A scene that is accepted builds, or is refused with its place: what lies
// in what is known only then.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/scene.h"
#include "scene/reader.h"
#include "scene/scene.h"

typedef struct rest_of_input {
    const char *text;
    size_t size;
} rest_of_input;

static bool open_rest(void *context, const char *path, const char **text, size_t *size)
{
    const rest_of_input *rest = context;
    // what the library promises about paths; a folder may be called "..a"
    if (path[0] == '/' || path[0] == '\0' || strncmp(path, "../", 3) == 0 || strcmp(path, "..") == 0) {
        abort();
    }
    *text = rest->text;
    *size = rest->size;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *zero = size > 0 ? memchr(text, '\0', size) : NULL;
    size_t length = zero != NULL ? (size_t)(zero - text) : size;
    rest_of_input rest = {zero != NULL ? zero + 1 : text, zero != NULL ? size - length - 1 : 0};
    cg_scene_files files = {.open = open_rest, .context = &rest};
    cg_scene *scene;
    cg_scene_error error;
    cg_status status = cg_scene_read(text, length, "fuzz.json", &files, NULL, &scene, &error);
    if (status.code != CG_OK) {
        if (scene != NULL || error.line < 1 || error.column < 1 || error.message[0] == '\0') {
            abort();
        }
        return 0;
    }
    // Building is slow for many vertices, and a step is when whole threads lie in each other (30 passes over hundreds
    // of contacts); the reader is what is tested here.
    int total = 0;
    cg_world *world = NULL;
    for (int i = 0; i < cg_scene_thread_count(scene); i++) {
        total += cg_scene_thread_vertices(scene, i);
    }
    bool small = scene->node_count <= 2000; // tissue
    if (small && total <= 500 && cg_scene_build_at(scene, NULL, &world, &error).code != CG_OK &&
        (error.line < 1 || error.column < 1 || error.message[0] == '\0')) {
        abort();
    }
    if (world != NULL && total <= 100) {
        cg_world_step(world);
    }
    cg_world_destroy(world);
    cg_scene_free(scene);
    return 0;
}
