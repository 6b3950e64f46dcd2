#define _XOPEN_SOURCE 700 // readlink, realpath, scandir, strdup

#include "support/scene_names.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/nearest.h"
#include "support/scene_files.h"

static const char *const ENDINGS[] = {
    [CG_NAMED_SCENE] = ".json", [CG_NAMED_SCRIPT] = ".script", [CG_NAMED_TASK] = ".json"};
static const char *const KINDS[] = {[CG_NAMED_SCENE] = "scene", [CG_NAMED_SCRIPT] = "script", [CG_NAMED_TASK] = "task"};
// Where they are, from the folder of scenes.
static const char *const PLACES[] = {[CG_NAMED_SCENE] = "", [CG_NAMED_SCRIPT] = "/scripts", [CG_NAMED_TASK] = "/tasks"};

// Folders

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

// Anything that can be read: an ordinary file, or a pipe.
static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

enum { FOLDER_COUNT = 4 };

// The folders that may have scenes, the nearest first: here, in a build folder of the source tree, installed.
static bool folder_at(int place, char *path, size_t room)
{
    static const char *const beside[FOLDER_COUNT] = {NULL, "../../scenes", "../scenes", "../share/catgut/scenes"};
    char program[PATH_MAX], joined[PATH_MAX + 32], real[PATH_MAX];
    if (beside[place] == NULL) {
        snprintf(path, room, "scenes");
        return is_folder(path);
    }
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) {
        return false;
    }
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    snprintf(joined, sizeof joined, "%s/%s", program, beside[place]);
    int written = realpath(joined, real) != NULL ? snprintf(path, room, "%s", real) : 0;
    return written > 0 && (size_t)written < room && is_folder(path);
}

bool cg_scene_folder(char *path, size_t room)
{
    for (int place = 0; place < FOLDER_COUNT; place++) {
        if (folder_at(place, path, room)) {
            return true;
        }
    }
    return false;
}

// Names

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);
    return length > end && strcmp(name + length - end, ending) == 0;
}

static int is_scene_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && ends_in(entry->d_name, ENDINGS[CG_NAMED_SCENE]) &&
           strcmp(entry->d_name, "scene.schema.json") != 0;
}

static int is_script_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && ends_in(entry->d_name, ENDINGS[CG_NAMED_SCRIPT]);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **cg_names_in(const char *folder, cg_named_kind kind, int *count)
{
    struct dirent **entries;
    *count = 0;
    int found = scandir(folder, &entries, kind == CG_NAMED_SCRIPT ? is_script_name : is_scene_name, NULL);
    if (found < 0) {
        return NULL;
    }
    char **names = calloc((size_t)found + 1, sizeof *names);
    for (int i = 0; i < found; i++) {
        if (names != NULL) {
            names[*count] = strdup(entries[i]->d_name);
            *count += names[*count] != NULL;
        }
        free(entries[i]);
    }
    free(entries);
    if (names != NULL) {
        qsort(names, (size_t)*count, sizeof *names, compare_names); // by bytes, whatever the locale
    }
    return names;
}

void cg_names_free(char **names, int count)
{
    for (int i = 0; i < count; i++) {
        free(names[i]);
    }
    free(names);
}

// What a word means

// The file of this name in a folder of scenes, with the ending or without it.
static bool find_in(const char *folder, const char *word, cg_named_kind kind, char path[CG_MOST_PATH])
{
    const char *ending = ends_in(word, ENDINGS[kind]) ? "" : ENDINGS[kind];
    int written = snprintf(path, CG_MOST_PATH, "%s%s/%s%s", folder, PLACES[kind], word, ending);
    return written > 0 && written < CG_MOST_PATH && is_file(path);
}

// The last part of a path, without its ending: what a thing in a file of that name would be called.
static void name_of(const char *word, cg_named_kind kind, char name[64])
{
    const char *slash = strrchr(word, '/'), *base = slash != NULL ? slash + 1 : word;
    int length = (int)strlen(base) - (ends_in(base, ENDINGS[kind]) ? (int)strlen(ENDINGS[kind]) : 0);
    snprintf(name, 64, "%.*s", length, base);
}

// The name in a folder that is nearest to a word; `nearest` is empty when none is near.
static void suggest(const char *word, cg_named_kind kind, char nearest[64])
{
    char name[64], path[CG_MOST_PATH], folder[CG_MOST_PATH - 16];
    int count = 0;
    nearest[0] = '\0';
    if (!cg_scene_folder(folder, sizeof folder)) {
        return;
    }
    snprintf(path, sizeof path, "%s%s", folder, PLACES[kind]);
    char **names = cg_names_in(path, kind, &count);
    for (int i = 0; names != NULL && i < count; i++) {
        names[i][strlen(names[i]) - strlen(ENDINGS[kind])] = '\0';
    }
    name_of(word, kind, name);
    const char *found = names != NULL ? cg_nearest_word(name, (const char *const *)names, count) : NULL;
    if (found != NULL) {
        snprintf(nearest, 64, "%s", found);
    }
    cg_names_free(names, count);
}

static void say_missing(const char *word, cg_named_kind kind, cg_scene_error *error)
{
    char nearest[64];
    struct stat about;
    const char *why = stat(word, &about) == 0 ? "it is a folder" : strerror(errno);
    bool is_path = strchr(word, '/') != NULL;
    suggest(word, kind, nearest);
    char sentence[sizeof error->message];
    int written =
        snprintf(sentence, sizeof sentence, is_path ? "cannot be read: %s" : "there is no file and no %s of that name",
                 is_path ? why : KINDS[kind]);
    size_t used = (size_t)written;
    if (nearest[0] != '\0') {
        snprintf(sentence + used, sizeof sentence - used, "; did you mean \"%s\"?", nearest);
    } else if (!is_path) {
        snprintf(sentence + used, sizeof sentence - used, "; \"catgut list %ss\" shows those that are here",
                 KINDS[kind]);
    }
    cg_scene_error_set(error, word, sentence);
}

bool cg_find_named(const char *word, cg_named_kind kind, char path[CG_MOST_PATH], cg_scene_error *error)
{
    char folder[CG_MOST_PATH - 16];
    if (is_file(word) && strlen(word) < CG_MOST_PATH) {
        snprintf(path, CG_MOST_PATH, "%s", word);
        return true;
    }
    for (int place = 0; place < FOLDER_COUNT && strchr(word, '/') == NULL; place++) {
        if (folder_at(place, folder, sizeof folder) && find_in(folder, word, kind, path)) {
            return true;
        }
    }
    say_missing(word, kind, error);
    return false;
}
