// Runs a scene with the library alone, and says the hashes of its states: the same lines on every machine.
// `scripts/cross` builds and runs it for others. It needs nothing but the C library.
//
//     driver FOLDER SCENE STEPS [--script FILE] [--load FILE] [--save FILE]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/scene.h"
#include "catgut/script.h"
#include "catgut/session.h"
#include "catgut/suture.h"

enum { LINES = 6, PATH = 1024 };

typedef struct wishes {
    const char *folder, *scene, *script, *load, *save;
    int steps;
} wishes;

static char *read_file(const char *folder, const char *name, size_t *size)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s%s%s", folder, folder[0] ? "/" : "", name);
    FILE *file = fopen(path, "rb");
    size_t room = 1 << 16;
    char *text = file ? malloc(room) : NULL;
    *size = 0;
    while (text) {
        *size += fread(text + *size, 1, room - *size - 1, file);
        if (*size + 1 < room) {
            text[*size] = '\0';
            break;
        }
        room *= 2;
        char *more = realloc(text, room);
        if (!more) {
            free(text);
        }
        text = more;
    }
    if (file) {
        fclose(file);
    }
    return text;
}

static bool open_included(void *context, const char *path, const char **text, size_t *size)
{
    char *found = read_file(context, path, size);
    *text = found;
    return found != NULL;
}

static void release_included(void *context, const char *text)
{
    (void)context;
    free((void *)(uintptr_t)text);
}

static bool complain(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    return false;
}

static bool begin(const wishes *w, cg_scene **scene, cg_session **session)
{
    cg_scene_error error = {.message = ""};
    cg_scene_files files = {open_included, release_included, (void *)(uintptr_t)w->folder};
    cg_session_def def = cg_session_def_default();
    size_t size;
    char *text = read_file(w->folder, w->scene, &size);
    if (!text) {
        return complain(w->scene, "cannot be read");
    }
    bool good = cg_scene_read(text, size, w->scene, &files, NULL, scene, &error).code == CG_OK &&
                cg_session_create(&def, *scene, session, &error).code == CG_OK;
    free(text);
    text = good && w->script ? read_file(w->folder, w->script, &size) : NULL;
    if (good && w->script) {
        good = text && cg_session_run_script(*session, text, size, w->script, &error).code == CG_OK;
    }
    free(text);
    text = good && w->load ? read_file("", w->load, &size) : NULL;
    if (good && w->load) {
        cg_status status =
            text ? cg_session_restore(*session, text, size) : (cg_status){CG_BAD_INPUT, "cannot be read"};
        good = status.code == CG_OK;
        snprintf(error.message, sizeof error.message, "%.200s", status.message);
    }
    free(text);
    return good ? true : complain(w->scene, error.message);
}

static bool save(const wishes *w, const cg_world *world)
{
    size_t size = cg_world_snapshot_size(world);
    void *bytes = malloc(size);
    FILE *file = bytes ? fopen(w->save, "wb") : NULL;
    bool good = file && cg_world_snapshot(world, bytes, size).code == CG_OK && fwrite(bytes, 1, size, file) == size;
    if (file) {
        good = fclose(file) == 0 && good;
    }
    free(bytes);
    return good ? true : complain(w->save, "cannot be written");
}

static bool run(const wishes *w)
{
    cg_scene *scene = NULL;
    cg_session *session = NULL;
    bool good = begin(w, &scene, &session);
    const cg_world *world = good ? cg_session_world(session) : NULL;
    for (int step = 0; good && step <= w->steps; step++) {
        if (step == 0 || step == w->steps || step % ((w->steps + LINES - 1) / LINES) == 0) {
            printf("%d %016llx %d\n", step, (unsigned long long)cg_world_state_hash(world),
                   cg_world_anchor_count(world));
        }
        if (step < w->steps) {
            cg_session_step(session);
        }
    }
    good = good && (!w->save || save(w, world));
    cg_session_destroy(session);
    cg_scene_free(scene);
    return good;
}

int main(int count, char **words)
{
    wishes w = {0};
    if (count < 4 || count % 2 != 0) {
        fputs("usage: driver FOLDER SCENE STEPS [--script FILE] [--load FILE] [--save FILE]\n", stderr);
        return 2;
    }
    w.folder = words[1];
    w.scene = words[2];
    w.steps = atoi(words[3]);
    for (int i = 4; i < count; i += 2) {
        const char **value = strcmp(words[i], "--script") == 0 ? &w.script
                             : strcmp(words[i], "--load") == 0 ? &w.load
                                                               : &w.save;
        *value = words[i + 1];
    }
    return run(&w) ? 0 : 1;
}
