#define _XOPEN_SOURCE 700 // realpath

#include "support/scene_files.h"

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

void cg_scene_error_set(cg_scene_error *error, const char *path, const char *why)
{
    size_t length = strlen(path), room = sizeof error->file - 1;
    *error = (cg_scene_error){0}; // no place in it
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

// Behind the first brace of a text; behind space and comments comes nothing else in a scene. 0: there is none.
static size_t behind_brace(const char *text, size_t size)
{
    bool in_line = false, in_block = false;
    for (size_t i = 0; i < size; i++) {
        bool pair = i + 1 < size;
        if (in_line) {
            in_line = text[i] != '\n';
        } else if (in_block) {
            in_block = !(text[i] == '/' && text[i - 1] == '*');
        } else if (pair && text[i] == '/' && (text[i + 1] == '/' || text[i + 1] == '*')) {
            in_line = text[i + 1] == '/';
            in_block = !in_line;
            i += in_block ? 2 : 1; // so that "/*/" does not end itself
        } else if (text[i] == '{') {
            return i + 1;
        }
    }
    return 0;
}

// Puts members behind the first brace of a text in memory to be freed, which is then larger.
static char *insert_members(char *text, size_t *size, const char *members)
{
    size_t length = strlen(members), place = behind_brace(text, *size);
    if (length == 0 || place == 0) {
        return text; // a text without a brace is refused by whoever reads it
    }
    char *larger = realloc(text, *size + length + 1);
    if (larger == NULL) {
        free(text);
        return NULL;
    }
    memmove(larger + place + length, larger + place, *size + 1 - place);
    memcpy(larger + place, members, length);
    *size += length;
    return larger;
}

bool cg_scene_load(const char *path, cg_scene **scene, cg_scene_error *error)
{
    return cg_scene_load_with(path, "", scene, error);
}

// Reads a text that is in memory to be freed, with members put into it; frees it.
static bool read_with(char *text, size_t size, const char *name, char *folder, const char *members, cg_scene **scene,
                      cg_scene_error *error)
{
    text = insert_members(text, &size, members);
    if (text == NULL) {
        cg_scene_error_set(error, name, "no memory");
        return false;
    }
    cg_scene_files files = {.open = open_included, .release = release_included, .context = folder};
    cg_status status = cg_scene_read(text, size, name, &files, NULL, scene, error);
    free(text);
    return status.code == CG_OK;
}

bool cg_scene_load_with(const char *path, const char *members, cg_scene **scene, cg_scene_error *error)
{
    char folder[PATH_MAX], why[160] = "no memory";
    size_t size;
    *scene = NULL;
    char *text = cg_file_read(path, MOST_BYTES, &size, why, sizeof why);
    if (text == NULL || !folder_of(path, folder)) {
        cg_scene_error_set(error, path, text == NULL ? why : "its folder cannot be read");
        free(text);
        return false;
    }
    return read_with(text, size, path, folder, members, scene, error);
}

bool cg_scene_load_text(const char *text, size_t size, const char *name, const char *folder, const char *members,
                        cg_scene **scene, cg_scene_error *error)
{
    char real[PATH_MAX];
    *scene = NULL;
    if (realpath(folder, real) == NULL) {
        cg_scene_error_set(error, folder, "the folder cannot be read");
        return false;
    }
    char *copy = malloc(size + 1);
    if (copy == NULL) {
        cg_scene_error_set(error, name, "no memory");
        return false;
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    return read_with(copy, size, name, real, members, scene, error);
}

void cg_scene_error_say(const cg_scene_error *error, char *text, size_t room)
{
    if (error->line > 0) {
        snprintf(text, room, "%s:%d:%d: %s", error->file, error->line, error->column, error->message);
    } else {
        snprintf(text, room, "%s: %s", error->file, error->message);
    }
}

void cg_scene_error_print(const cg_scene_error *error, FILE *err)
{
    char text[sizeof error->file + sizeof error->message + 32];
    cg_scene_error_say(error, text, sizeof text);
    fprintf(err, "%s\n", text);
}
