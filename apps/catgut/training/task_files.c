#include "training/task_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
