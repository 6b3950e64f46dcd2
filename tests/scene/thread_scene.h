// A scene of one thread, by some of its fields.
#ifndef CATGUT_TESTS_SCENE_THREAD_SCENE_H
#define CATGUT_TESTS_SCENE_THREAD_SCENE_H

#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "scene/reader.h"
#include "scene/scene.h"

static inline cg_scene *read_thread(const char *fields, cg_scene_error *error)
{
    char text[400];
    snprintf(text, sizeof text,
             "{\"threads\": [{\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0.1, 0, 0]}}, "
             "\"vertices\": 21, %s}]}",
             fields);
    cg_scene *scene;
    cg_scene_read(text, strlen(text), "scene.json", NULL, NULL, &scene, error);
    return scene;
}

// What is told has `part` in it.
static inline void check_refused(const char *fields, const char *part)
{
    cg_scene_error error;
    cg_scene *scene = read_thread(fields, &error);
    CHECK(scene == NULL);
    CHECK(strstr(error.message, part) != NULL);
    cg_scene_free(scene);
}

#endif
