// Scenes of the folder scenes/, read and built for a test.
#ifndef CATGUT_TESTS_SCENE_FOLDER_H
#define CATGUT_TESTS_SCENE_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

#include "catgut/session.h"
#include "harness.h"
#ifdef CATGUT_HAVE_CONSTRAINT
#include "constraint/structure.h"
#endif

// Scenes with constraints can be built from now on; false: they are left out of this build.
static inline bool use_constraints(void)
{
#ifdef CATGUT_HAVE_CONSTRAINT
    cg_use_structures(cg_constraint_structures());
    return true;
#else
    return false;
#endif
}

static inline bool open_file(void *context, const char *path, const char **text, size_t *size)
{
    char full[1024];
    (void)context;
    snprintf(full, sizeof full, "%s/scenes/%s", CATGUT_SOURCE_DIR, path);
    FILE *file = fopen(full, "rb");
    if (file == NULL) {
        return false;
    }
    char *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    *text = bytes;
    fclose(file);
    return true;
}

static inline void release_file(void *context, const char *text)
{
    (void)context;
    free((char *)text);
}

static inline cg_scene *load(const char *name)
{
    cg_scene_files files = {open_file, release_file, NULL};
    const char *text = NULL;
    size_t size = 0;
    cg_scene *scene = NULL;
    cg_scene_error error;
    if (CHECK(open_file(NULL, name, &text, &size))) {
        cg_status status = cg_scene_read(text, size, name, &files, NULL, &scene, &error);
        CHECK_STR(status.message, "");
        free((char *)text);
    }
    return scene;
}

static inline cg_world *build(const cg_scene *scene)
{
    cg_world *world;
    CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
    return world;
}

// Threads get their handles in order, from the same generation on.
static inline cg_thread_id thread_at(const cg_world *world, int place)
{
    for (unsigned generation = 0; generation < 4; generation++) {
        cg_thread_id id = {(unsigned)place + 1, generation};
        if (cg_thread_is_valid(world, id)) {
            return id;
        }
    }
    CHECK(false);
    return (cg_thread_id){0};
}

static inline void run_for(cg_world *world, double seconds)
{
    while (cg_world_time(world) < seconds) {
        cg_world_step(world);
    }
}

// A session of a scene, with its inputs.
static inline cg_session *start(const cg_scene *scene)
{
    cg_session_def def = cg_session_def_default();
    cg_session *session;
    cg_scene_error error;
    CHECK_STR(cg_session_create(&def, scene, &session, &error).message, "");
    return session;
}

static inline void run_session(cg_session *session, double seconds)
{
    while (cg_world_time(cg_session_world(session)) < seconds) {
        cg_session_step(session);
    }
    CHECK_INT(cg_session_get_stats(session).refused, 0);
}

#endif
