#define _POSIX_C_SOURCE 200809L

#include "support/folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool make_one(const char *path)
{
    if (mkdir(path, 0777) == 0) {
        return true;
    }
    struct stat about;
    int reason = errno;
    if (reason == EEXIST && stat(path, &about) == 0) {
        if (S_ISDIR(about.st_mode)) {
            return true;
        }
        reason = ENOTDIR;
    }
    errno = reason;
    return false;
}

bool cg_make_folder(const char *path)
{
    char part[4096];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) {
        errno = length ? ENAMETOOLONG : ENOENT;
        return false;
    }
    memcpy(part, path, length + 1);
    for (size_t i = 1; i < length; i++) {
        if (part[i] == '/') {
            part[i] = '\0';
            if (!make_one(part)) {
                return false;
            }
            part[i] = '/';
        }
    }
    return make_one(part);
}

bool cg_may_be_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) != 0 || S_ISDIR(about.st_mode);
}
