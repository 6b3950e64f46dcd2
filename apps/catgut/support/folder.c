#define _POSIX_C_SOURCE 200809L

#include "support/folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "support/out_file.h"

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

bool cg_write_picture(const char *folder, const char *name, bool force, void (*draw)(const void *context, FILE *out),
                      const void *context, char path[4096], FILE *err)
{
    char why[CG_OUT_WHY_BYTES];
    size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    int written = snprintf(path, 4096, "%s%s%s", folder, slash, name);
    cg_out_file out;
    if (written < 0 || written >= 4096) {
        fprintf(err, "%s: the name is too long\n", path);
        return false;
    }
    if (!cg_out_open(&out, path, CG_OUT_SVG, force, why)) {
        fprintf(err, "%s: %s\n", path, why);
        return false;
    }
    draw(context, out.file);
    if (!cg_out_finish(&out)) {
        fprintf(err, "%s: cannot be written in full (%s)\n", path, strerror(errno));
        cg_out_abandon(&out, false);
        return false;
    }
    return true;
}
