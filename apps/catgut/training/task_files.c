#include "training/task_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/script.h"
#include "support/scene_files.h"

enum { MOST_TASK_BYTES = 1024 * 1024 };

bool cg_task_load(const char *path, cg_task **task, cg_scene_error *error)
{
    char why[128];
    size_t size;
    char *text = cg_file_read(path, MOST_TASK_BYTES, &size, why, sizeof why);
    *task = NULL;
    if (text == NULL) {
        cg_scene_error_set(error, path, why);
        return false;
    }
    bool good = cg_task_read(text, size, path, NULL, task, error).code == CG_OK;
    free(text);
    return good;
}

void cg_task_name(const char *path, char *name, size_t room)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path, *end = strrchr(base, '.');
    snprintf(name, room, "%.*s", end != NULL ? (int)(end - base) : (int)strlen(base), base);
}

bool cg_task_script(const char *task_path, const char *script, char path[CG_MOST_PATH], cg_scene_error *error)
{
    const char *slash = strrchr(task_path, '/');
    int written = snprintf(path, CG_MOST_PATH, "%.*s%s.script", slash != NULL ? (int)(slash + 1 - task_path) : 0,
                           task_path, script);
    FILE *file = written > 0 && written < CG_MOST_PATH ? fopen(path, "rb") : NULL;
    if (file != NULL) {
        fclose(file);
        return true;
    }
    return cg_find_named(script, CG_NAMED_SCRIPT, path, error);
}

bool cg_task_load_scene(const cg_task *task, uint64_t seed, cg_scene **scene, cg_scene_error *error)
{
    char path[CG_MOST_PATH];
    *scene = NULL;
    if (!cg_find_named(cg_task_scene(task), CG_NAMED_SCENE, path, error)) {
        return false;
    }
    size_t room = cg_task_write_moves(task, seed, NULL, 0) + 1;
    char *moves = malloc(room);
    if (moves == NULL) {
        cg_scene_error_set(error, path, "no memory");
        return false;
    }
    cg_task_write_moves(task, seed, moves, room);
    bool good = cg_scene_load_with(path, moves, scene, error);
    free(moves);
    return good;
}

bool cg_task_is_file(const char *path)
{
    char why[128];
    size_t size;
    char *text = cg_file_read(path, MOST_TASK_BYTES, &size, why, sizeof why);
    bool is_task = text != NULL && strstr(text, "\"rubric\"") != NULL;
    free(text);
    return is_task;
}

static bool check_script(const char *task_path, const char *script, const cg_scene *scene, cg_scene_error *error)
{
    char path[CG_MOST_PATH], why[128];
    size_t size;
    if (!cg_task_script(task_path, script, path, error)) {
        return false;
    }
    char *text = cg_file_read(path, MOST_TASK_BYTES, &size, why, sizeof why);
    if (text == NULL) {
        cg_scene_error_set(error, path, why);
        return false;
    }
    bool good = cg_script_check(text, size, path, scene, NULL, error).code == CG_OK;
    free(text);
    return good;
}

bool cg_task_check(const char *path, cg_scene_error *error)
{
    cg_task *task;
    cg_scene *scene = NULL;
    bool good = cg_task_load(path, &task, error) && cg_task_load_scene(task, 1, &scene, error);
    const char *script = good ? cg_task_expert(task) : NULL;
    int measure;
    good = good && (script == NULL || check_script(path, script, scene, error));
    for (int i = 0; good && cg_task_mistake(task, i, &script, &measure); i++) {
        good = check_script(path, script, scene, error);
    }
    cg_scene_free(scene);
    cg_task_free(task);
    return good;
}
