#include "experiments/tie_rig.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/scene_files.h"
#include "support/scene_names.h"

// The text of a shipped file, to be freed; NULL, with the reason, when there is none.
static char *read_named(const char *name, cg_named_kind kind, size_t most, size_t *size, char why[CG_TIE_WHY])
{
    static char path[CG_MOST_PATH];
    cg_scene_error error;
    if (!cg_find_named(name, kind, path, &error)) {
        snprintf(why, CG_TIE_WHY, "%s", error.message);
        return NULL;
    }
    return cg_file_read(path, most, size, why, CG_TIE_WHY);
}

void cg_tie_read(cg_tie_text *scene, const char *name)
{
    size_t size;
    scene->why[0] = scene->text[0] = '\0';
    char *text = read_named(name, CG_NAMED_SCENE, CG_TIE_TEXT - 1, &size, scene->why);
    if (text != NULL) {
        snprintf(scene->text, CG_TIE_TEXT, "%s", text);
    }
    free(text);
}

// Puts a text in the place of `length` bytes at a place of the scene.
static void put_at(cg_tie_text *scene, char *at, size_t length, const char *text)
{
    size_t added = strlen(text), rest = strlen(at + length);
    if ((size_t)(at - scene->text) + added + rest >= CG_TIE_TEXT) {
        snprintf(scene->why, CG_TIE_WHY, "the scene is too long");
        return;
    }
    memmove(at + added, at + length, rest + 1);
    memcpy(at, text, added);
}

void cg_tie_put(cg_tie_text *scene, const char *words, const char *form, ...)
{
    char text[512];
    va_list list;
    va_start(list, form);
    vsnprintf(text, sizeof text, form, list);
    va_end(list);
    char *at = strstr(scene->text, words);
    if (at == NULL) {
        snprintf(scene->why, CG_TIE_WHY, "the scene has no %.200s", words);
        return;
    }
    put_at(scene, at, strlen(words), text);
}

void cg_tie_put_span(cg_tie_text *scene, const char *from, const char *to, const char *text)
{
    char *at = strstr(scene->text, from), *end = at != NULL ? strstr(at, to) : NULL;
    if (end == NULL) {
        snprintf(scene->why, CG_TIE_WHY, "the scene has no %.100s ... %.100s", from, to);
        return;
    }
    put_at(scene, at, (size_t)(end - at) + strlen(to), text);
}

bool cg_tie_open(cg_tie_run *run, const cg_tie_text *scene, const char *script)
{
    *run = (cg_tie_run){.why = ""};
    snprintf(run->why, CG_TIE_WHY, "%s", scene->why);
    cg_session_def def = cg_session_def_default();
    cg_scene_error error;
    size_t size;
    char *text = run->why[0] == '\0' ? read_named(script, CG_NAMED_SCRIPT, 1 << 18, &size, run->why) : NULL;
    if (text == NULL) {
        return false;
    }
    cg_status status = cg_scene_read(scene->text, strlen(scene->text), "scene", NULL, NULL, &run->scene, &error);
    status = status.code == CG_OK ? cg_session_create(&def, run->scene, &run->session, &error) : status;
    status = status.code == CG_OK ? cg_session_run_script(run->session, text, size, script, &error) : status;
    snprintf(run->why, CG_TIE_WHY, "%s", status.message);
    free(text);
    return status.code == CG_OK;
}

void cg_tie_close(cg_tie_run *run)
{
    cg_session_destroy(run->session);
    cg_scene_free(run->scene);
    *run = (cg_tie_run){.why = ""};
}
