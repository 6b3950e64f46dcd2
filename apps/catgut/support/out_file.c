#define _XOPEN_SOURCE 700 // realpath, fdopen
#define _DEFAULT_SOURCE   // flock

#include "support/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catgut/recording.h"

static const char *const KIND_NAMES[] = {
    [CG_OUT_RECORDING] = "recording", [CG_OUT_CSV] = "table",   [CG_OUT_VTK] = "VTK file",
    [CG_OUT_GLB] = "glTF file",       [CG_OUT_SVG] = "picture", [CG_OUT_MESH] = "mesh",
    [CG_OUT_PACKAGE] = "data package"};

// What is there

enum { HEAD_BYTES = 1024 };

static bool head_is_ours(const char *head, size_t size, cg_out_kind kind)
{
    // Text after the null bytes of a binary head is looked at as well.
    static const char *const tables[] = {"time,step,", "frame,time,contacts,total_ms", "attempt,trainee,task,seed",
                                         "series,kind,x,y"};
    static const char glb[] = "\"generator\": \"catgut ";
    switch (kind) {
    case CG_OUT_RECORDING:
        return cg_recording_begins(head, size);
    case CG_OUT_CSV:
        for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
            if (strncmp(head, tables[i], strlen(tables[i])) == 0) {
                return true;
            }
        }
        // Columns of a sweep are named by its fields, between these.
        return strncmp(head, "number,", 7) == 0 && strstr(head, ",seed,script,trouble,") != NULL;
    case CG_OUT_GLB:
        return size > 20 && memcmp(head, "glTF", 4) == 0 && strstr(head + 20, glb) != NULL;
    case CG_OUT_MESH:
        return strstr(head, "$Comments\nmade by catgut\n") != NULL;
    case CG_OUT_PACKAGE:
        return strstr(head, "\"profile\": \"data-package\"") != NULL && strstr(head, "\"program\": \"catgut ") != NULL;
    default:
        return strstr(head, CG_OUT_XML_MARK) != NULL;
    }
}

// True for a file that catgut made as a thing of this kind, and for an empty one.
static bool is_ours(const char *path, cg_out_kind kind)
{
    char head[HEAD_BYTES + 1];
    FILE *file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    size_t size = fread(head, 1, HEAD_BYTES, file);
    fclose(file);
    head[size] = '\0';
    return size == 0 || head_is_ours(head, size, kind);
}

bool cg_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

bool cg_out_may_write(const char *path, cg_out_kind kind, bool force, char why[CG_OUT_WHY_BYTES])
{
    struct stat about;
    if (stat(path, &about) != 0 || (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))) {
        return true;
    }
    if (S_ISDIR(about.st_mode)) {
        snprintf(why, CG_OUT_WHY_BYTES, "found a folder, expected a file to write");
        return false;
    }
    if (!force && !is_ours(path, kind)) {
        snprintf(why, CG_OUT_WHY_BYTES,
                 "there is a file of that name that is no %s of catgut; choose another name, or --force",
                 KIND_NAMES[kind]);
        return false;
    }
    return true;
}

// Writing

// The part, held by this program alone. A part that nobody holds was left by a run that broke off.
static int hold_part(const char *part, char why[CG_OUT_WHY_BYTES])
{
    for (int tries = 0; tries < 10; tries++) {
        struct stat held, named;
        int file = open(part, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0) {
            snprintf(why, CG_OUT_WHY_BYTES, "cannot be written (%s)", strerror(errno));
            return -1;
        }
        if (flock(file, LOCK_EX | LOCK_NB) != 0) {
            snprintf(why, CG_OUT_WHY_BYTES, "another run is writing it");
            close(file);
            return -1;
        }
        // It may have got its name, or been taken away, between the two calls above.
        if (fstat(file, &held) == 0 && stat(part, &named) == 0 && held.st_dev == named.st_dev &&
            held.st_ino == named.st_ino) {
            return file;
        }
        close(file);
    }
    snprintf(why, CG_OUT_WHY_BYTES, "cannot be written: others write it all the time");
    return -1;
}

// Where a name leads: a link is written through, not replaced.
static bool find_target(cg_out_file *out, const char *path)
{
    char real[PATH_MAX];
    const char *target = realpath(path, real) != NULL ? real : path;
    if (strlen(target) >= sizeof out->path) {
        return false;
    }
    snprintf(out->path, sizeof out->path, "%s", target);
    snprintf(out->part, sizeof out->part, "%s.part", out->path);
    return true;
}

bool cg_out_open(cg_out_file *out, const char *path, cg_out_kind kind, bool force, char why[CG_OUT_WHY_BYTES])
{
    struct stat about;
    *out = (cg_out_file){0};
    if (!cg_out_may_write(path, kind, force, why)) {
        return false;
    }
    if (!find_target(out, path)) {
        snprintf(why, CG_OUT_WHY_BYTES, "the name is too long");
        return false;
    }
    out->is_direct = stat(out->path, &about) == 0 && !S_ISREG(about.st_mode);
    if (!out->is_direct && !cg_out_may_write(out->part, kind, force, why)) {
        snprintf(why, CG_OUT_WHY_BYTES, "%.150s is in its way, and is not catgut's", out->part);
        return false;
    }
    int file = out->is_direct ? open(out->path, O_WRONLY | O_CLOEXEC) : hold_part(out->part, why);
    if (file < 0) {
        if (out->is_direct) {
            snprintf(why, CG_OUT_WHY_BYTES, "cannot be written (%s)", strerror(errno));
        }
        return false;
    }
    out->file = out->is_direct || ftruncate(file, 0) == 0 ? fdopen(file, "wb") : NULL;
    if (!out->file) {
        snprintf(why, CG_OUT_WHY_BYTES, "cannot be written (%s)", strerror(errno));
        close(file);
        return false;
    }
    return true;
}

bool cg_out_finish(cg_out_file *out)
{
    bool good = !ferror(out->file) && fflush(out->file) == 0;
    // The name must not come before the bytes, should the machine stop now. Pipes and the like cannot be synced.
    good = good && (fsync(fileno(out->file)) == 0 || errno == EINVAL || errno == EROFS);
    // Named while it is still held, so that no other run can take the part for its own.
    good = good && (out->is_direct || rename(out->part, out->path) == 0);
    if (!good) {
        return false;
    }
    good = fclose(out->file) == 0;
    out->file = NULL;
    return good;
}

void cg_out_abandon(cg_out_file *out, bool keep)
{
    if (!out->file) {
        return;
    }
    if (!keep && !out->is_direct) {
        unlink(out->part); // before it is let go
    }
    fclose(out->file);
    out->file = NULL;
}
