#define _XOPEN_SOURCE 700 // realpath, readlink, scandir

#include "support/scene_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// As much as the library takes.
enum { MOST_BYTES = 8 * 1024 * 1024 };

// Reads everything a descriptor has, up to `most` bytes. Doubles the room as it goes, so that a pipe can be read too.
static char *read_all(int file, size_t most, size_t *size, char *why, size_t why_room)
{
    size_t capacity = 64 * 1024, used = 0;
    char *text = malloc(capacity + 1);
    while (text != NULL) {
        ssize_t got = read(file, text + used, capacity - used);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            snprintf(why, why_room, "cannot be read: %s", strerror(errno));
            free(text);
            return NULL;
        }
        used += (size_t)got;
        if (used > most) {
            snprintf(why, why_room, "found a file of more than %zu bytes; expected at most that many", most);
            free(text);
            return NULL;
        }
        if (got == 0) {
            text[used] = '\0';
            *size = used;
            return text;
        }
        if (used == capacity) {
            capacity = 2 * capacity > most ? most + 1 : 2 * capacity;
            char *larger = realloc(text, capacity + 1);
            if (larger == NULL) {
                free(text);
            }
            text = larger;
        }
    }
    snprintf(why, why_room, "cannot be read: no memory");
    return NULL;
}

char *cg_file_read(const char *path, size_t most, size_t *size, char *why, size_t why_room)
{
    int file = open(path, O_RDONLY);
    if (file < 0) {
        snprintf(why, why_room, "cannot be read: %s", strerror(errno));
        return NULL;
    }
    char *text = read_all(file, most, size, why, why_room);
    close(file);
    return text;
}

// Included files

static bool is_inside(const char *root, const char *path)
{
    size_t length = strlen(root);
    return strncmp(root, path, length) == 0 && (path[length] == '/' || strcmp(root, "/") == 0);
}

// Opens folder/path when it is an ordinary file below the folder, all symbolic links followed.
static int open_inside(const char *root, const char *path)
{
    char joined[PATH_MAX], real[PATH_MAX];
    struct stat about;
    int length = snprintf(joined, sizeof joined, "%s/%s", root, path);
    if (length < 0 || length >= (int)sizeof joined || realpath(joined, real) == NULL || !is_inside(root, real)) {
        return -1;
    }
    // Without waiting: a pipe must not hold up the program before it is found to be one.
    int file = open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (file >= 0 && (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))) {
        close(file);
        file = -1;
    }
    return file;
}

static bool open_included(void *context, const char *path, const char **text, size_t *size)
{
    char why[128];
    int file = open_inside(context, path);
    if (file < 0) {
        return false;
    }
    *text = read_all(file, MOST_BYTES, size, why, sizeof why);
    close(file);
    return *text != NULL;
}

static void release_included(void *context, const char *text)
{
    (void)context;
    free((char *)text);
}

// The scene

static void set_error(cg_scene_error *error, const char *path, const char *why)
{
    size_t length = strlen(path), room = sizeof error->file - 1;
    *error = (cg_scene_error){.line = 1, .column = 1};
    snprintf(error->file, sizeof error->file, "%s", length > room ? path + (length - room) : path);
    snprintf(error->message, sizeof error->message, "%s", why);
}

// The folder of a file, links followed.
static bool folder_of(const char *path, char *folder)
{
    char copy[PATH_MAX];
    int length = snprintf(copy, sizeof copy, "%s", path);
    char *slash = strrchr(copy, '/');
    if (length < 0 || length >= (int)sizeof copy) {
        return false;
    }
    if (slash != NULL) {
        slash[slash == copy ? 1 : 0] = '\0';
    }
    return realpath(slash != NULL ? copy : ".", folder) != NULL;
}

bool cg_scene_load(const char *path, cg_scene **scene, cg_scene_error *error)
{
    char folder[PATH_MAX], why[160];
    size_t size;
    *scene = NULL;
    char *text = cg_file_read(path, MOST_BYTES, &size, why, sizeof why);
    if (text == NULL || !folder_of(path, folder)) {
        set_error(error, path, text == NULL ? why : "its folder cannot be read");
        free(text);
        return false;
    }
    cg_scene_files files = {.open = open_included, .release = release_included, .context = folder};
    cg_status status = cg_scene_read(text, size, path, &files, NULL, scene, error);
    free(text);
    return status.code == CG_OK;
}

void cg_scene_error_print(const cg_scene_error *error, FILE *err)
{
    fprintf(err, "%s:%d:%d: %s\n", error->file, error->line, error->column, error->message);
}

// Where scenes are

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool cg_scene_folder(char *path, size_t room)
{
    // In a build folder of the source tree, and installed.
    static const char *const beside[] = {"../../scenes", "../scenes", "../share/catgut/scenes"};
    snprintf(path, room, "scenes");
    if (is_folder(path)) {
        return true;
    }
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) {
        return false;
    }
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        int written = snprintf(path, room, "%s/%s", program, beside[i]);
        if (written > 0 && (size_t)written < room && is_folder(path)) {
            return true;
        }
    }
    return false;
}

static int is_scene_name(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    static const char schema[] = "scene.schema.json";
    return length > 5 && entry->d_name[0] != '.' && strcmp(entry->d_name + length - 5, ".json") == 0 &&
           strcmp(entry->d_name, schema) != 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **cg_scene_names(const char *folder, int *count)
{
    struct dirent **entries;
    *count = 0;
    int found = scandir(folder, &entries, is_scene_name, NULL);
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
