// A series for ParaView: STEM.pvd, and the files that it names in a folder of its own, STEM/STEM_0000.vtp and so on,
// with the cells of tissues beside them as .vtu. What an older and longer series of ours left in the folder is taken
// away: ParaView groups files by their numbers.
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export/formats.h"
#include "support/folder.h"
#include "support/out_file.h"

static int digits_of(size_t count)
{
    int digits = 1;
    for (size_t rest = count > 0 ? (count - 1) / 10 : 0; rest > 0; rest /= 10) {
        digits++;
    }
    return digits > 4 ? digits : 4;
}

bool cg_vtk_part_name(const cg_vtk_series *series, size_t place, bool cells, char *path, size_t room)
{
    int length = snprintf(path, room, "%s/%s_%0*zu.%s", series->stem, cg_path_name(series->stem),
                          digits_of(series->count), place, cells ? "vtu" : "vtp");
    return length > 0 && (size_t)length < room;
}

bool cg_vtk_series_name(const cg_vtk_series *series, char *path, size_t room)
{
    int length = snprintf(path, room, "%s.pvd", series->stem);
    return length > 0 && (size_t)length < room;
}

static bool may_write(const char *path, bool force, FILE *err)
{
    char why[CG_OUT_WHY_BYTES];
    if (!cg_out_may_write(path, CG_OUT_VTK, force, why)) {
        fprintf(err, "%s: %s\n", path, why);
        return false;
    }
    return true;
}

// Known before the first file is written: all of the series may be.
static bool may_write_all(const cg_vtk_series *series, FILE *err)
{
    char path[4096];
    bool good = cg_vtk_series_name(series, path, sizeof path);
    bool free_to = good && may_write(path, series->force, err);
    for (size_t i = 0; i < series->count && free_to; i++) {
        for (int cells = 0; cells <= series->cells && free_to; cells++) {
            good = cg_vtk_part_name(series, i, cells, path, sizeof path);
            free_to = good && may_write(path, series->force, err);
        }
    }
    if (!good) {
        fputs("catgut export: the name of the output is too long\n", err);
    }
    return free_to;
}

static bool open_to_write(cg_out_file *out, const char *path, bool force, FILE *err)
{
    char why[CG_OUT_WHY_BYTES];
    bool good = cg_out_open(out, path, CG_OUT_VTK, force, why);
    if (!good) {
        fprintf(err, "%s: %s\n", path, why);
    }
    return good;
}

static bool finish(cg_out_file *out, bool good, FILE *err)
{
    if (good && !cg_out_finish(out)) {
        fprintf(err, "%s: cannot be written in full (%s)\n", out->path, strerror(errno));
        good = false;
    }
    cg_out_abandon(out, false);
    return good;
}

static bool write_part(const cg_poses *poses, const cg_vtk_series *series, size_t place, bool cells,
                       const cg_pose *pose, FILE *collection, FILE *err)
{
    char path[4096];
    cg_out_file out;
    if (!cg_vtk_part_name(series, place, cells, path, sizeof path) || !open_to_write(&out, path, series->force, err)) {
        return false;
    }
    bool good = cells ? cg_export_vtu(poses, pose, series->recording, out.file, err)
                      : cg_export_vtp(poses, pose, out.file, err);
    if (!finish(&out, good, err)) {
        return false;
    }
    const char *folder = cg_path_name(series->stem);
    fprintf(collection, "<DataSet timestep=\"%.12g\" group=\"\" part=\"%d\" file=\"", pose->time, cells);
    cg_svg_escape(collection, folder);
    fputc('/', collection);
    cg_svg_escape(collection, cg_path_name(path));
    fputs("\"/>\n", collection);
    return true;
}

// Writes the files of all poses, and their names and times into the collection.
static bool write_poses(const cg_poses *poses, const cg_vtk_series *series, FILE *collection, FILE *err)
{
    bool good = true;
    for (size_t i = 0; i < poses->count && good; i++) {
        cg_pose pose;
        good = poses->fetch(poses->context, i, &pose, err) &&
               write_part(poses, series, i, false, &pose, collection, err) &&
               (!series->cells || write_part(poses, series, i, true, &pose, collection, err));
    }
    return good;
}

// The number of a part by its name, BASE_123.vtp; -1: it is none.
static long part_number(const char *name, const char *base, bool *cells)
{
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || name[length] != '_' || !isdigit((unsigned char)name[length + 1])) {
        return -1;
    }
    char *end;
    long number = strtol(name + length + 1, &end, 10);
    *cells = strcmp(end, ".vtu") == 0;
    return *cells || strcmp(end, ".vtp") == 0 ? number : -1;
}

static void take_away_older(const cg_vtk_series *series)
{
    DIR *folder = opendir(series->stem);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        char path[4096 + 300], now[4096], why[CG_OUT_WHY_BYTES];
        bool cells;
        long number = part_number(entry->d_name, cg_path_name(series->stem), &cells);
        snprintf(path, sizeof path, "%s/%s", series->stem, entry->d_name);
        bool is_new = number >= 0 && (size_t)number < series->count && (!cells || series->cells) &&
                      cg_vtk_part_name(series, (size_t)number, cells, now, sizeof now) && strcmp(now, path) == 0;
        if (number >= 0 && !is_new && cg_out_may_write(path, CG_OUT_VTK, false, why)) {
            unlink(path);
        }
    }
    if (folder) {
        closedir(folder);
    }
}

bool cg_export_vtk_series(const cg_poses *poses, const cg_vtk_series *series, FILE *err)
{
    char path[4096];
    cg_out_file out;
    if (!may_write_all(series, err)) {
        return false;
    }
    if (!cg_make_folder(series->stem)) {
        fprintf(err, "%s: the folder cannot be made (%s)\n", series->stem, strerror(errno));
        return false;
    }
    if (!cg_vtk_series_name(series, path, sizeof path) || !open_to_write(&out, path, series->force, err)) {
        return false;
    }
    fputs("<?xml version=\"1.0\"?>\n" CG_OUT_XML_MARK "\n", out.file);
    fputs("<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n", out.file);
    bool good = write_poses(poses, series, out.file, err);
    // A series that broke off is still a series: what was written can be looked at.
    fputs("</Collection>\n</VTKFile>\n", out.file);
    good = finish(&out, true, err) && good;
    if (good) {
        take_away_older(series);
    }
    return good;
}
