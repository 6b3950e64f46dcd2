// Paths in a scene are relative, use '/', and never lead out of the folder of the scene.
#include <stdio.h>
#include <string.h>

#include "scene/reader.h"

static bool has_bad_byte(const char *path)
{
    for (const char *c = path; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == '\\' || *c == ':' || *c == 0x7F) {
            return true;
        }
    }
    return false;
}

// Takes the last part off; false when there is none.
static bool drop_part(char *joined)
{
    char *slash = strrchr(joined, '/');
    bool empty = joined[0] == '\0';
    *(slash != NULL ? slash : joined) = '\0';
    return !empty;
}

static bool add_part(char *joined, size_t room, const char *part, size_t length)
{
    size_t used = strlen(joined), slash = used > 0 ? 1 : 0;
    if (used + slash + length + 1 > room) {
        return false;
    }
    if (slash) {
        joined[used] = '/';
    }
    memcpy(joined + used + slash, part, length);
    joined[used + slash + length] = '\0';
    return true;
}

bool cg_scene_join_path(const char *from, const char *path, char *joined, size_t room, const char **why)
{
    *why = path[0] == '\0'      ? "is empty"
           : path[0] == '/'     ? "is absolute; expected one relative to the scene"
           : has_bad_byte(path) ? "has a backslash, a colon or a control character in it; expected parts with / between"
           : path[strlen(path) - 1] == '/' ? "names a folder; expected a file"
                                           : NULL;
    if (*why != NULL) {
        return false;
    }
    const char *slash = strrchr(from, '/');
    joined[0] = '\0';
    if (slash != NULL && !add_part(joined, room, from, (size_t)(slash - from))) {
        *why = "is too long";
        return false;
    }
    for (const char *part = path; part != NULL;) {
        const char *end = strchr(part, '/');
        size_t length = end != NULL ? (size_t)(end - part) : strlen(part);
        bool up = length == 2 && memcmp(part, "..", 2) == 0;
        bool nothing = length == 0 || (length == 1 && part[0] == '.');
        if (up && !drop_part(joined)) {
            *why = "leads out of the folder of the scene";
            return false;
        }
        if (!up && !nothing && !add_part(joined, room, part, length)) {
            *why = "is too long";
            return false;
        }
        part = end != NULL ? end + 1 : NULL;
    }
    *why = joined[0] == '\0' ? "names a folder; expected a file" : NULL;
    return *why == NULL;
}
