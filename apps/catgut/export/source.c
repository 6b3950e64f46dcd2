#include "export/source.h"

#include <errno.h>
#include <string.h>

#include "catgut/recording.h"

static const double USUAL_RADIUS = 0.00011; // [m] 3-0

static bool read_polylines(cg_export_source *source, FILE *in, const char *path, double radius, FILE *err)
{
    if (!cg_polylines_read(in, path, &source->polylines, err)) {
        return false;
    }
    if (!cg_poses_of_polylines(&source->polyline_poses, &source->polylines, radius > 0 ? radius : USUAL_RADIUS,
                               &source->poses)) {
        fprintf(err, "%s: found no memory left, expected a smaller file\n", path);
        return false;
    }
    return true;
}

static bool is_recording(FILE *in)
{
    unsigned char first[16];
    size_t size = fread(first, 1, sizeof first, in);
    rewind(in);
    return cg_recording_begins(first, size);
}

bool cg_export_source_open(cg_export_source *source, const char *path, double radius, bool only_recorded,
                           cg_rerun_wish rerun, FILE *err)
{
    FILE *in = fopen(path, "rb");
    if (!in) {
        fprintf(err, "%s: the file cannot be opened (%s)\n", path, strerror(errno));
        return false;
    }
    source->damage = "";
    cg_surface_format format;
    bool recorded = is_recording(in);
    if (!recorded && !only_recorded && cg_surface_format_of_name(path, &format)) {
        fclose(in);
        return cg_surface_poses_open(&source->surface, path, format, &source->poses, err);
    }
    bool good = !recorded && !only_recorded && read_polylines(source, in, path, radius, err);
    fclose(in);
    if (recorded) {
        source->recording = cg_recording_poses_open(path, radius, rerun, &source->poses, &source->damage, err);
        good = source->recording != NULL;
    } else if (only_recorded) {
        fprintf(err, "%s: found no recording, expected one for this\n", path);
    }
    return good;
}

void cg_export_source_close(cg_export_source *source)
{
    cg_recording_poses_close(source->recording);
    cg_surface_poses_close(&source->surface);
    cg_polyline_poses_free(&source->polyline_poses);
    cg_polylines_free(&source->polylines);
    *source = (cg_export_source){0};
}
