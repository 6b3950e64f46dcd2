// Where the shapes to export come from: a mesh file, told by its ending, a recording, told by its first bytes, or a
// text of points.
#ifndef CATGUT_EXPORT_SOURCE_H
#define CATGUT_EXPORT_SOURCE_H

#include "export/poses.h"
#include "export/recording_poses.h"
#include "export/surface_poses.h"

// An open source. Zero-initialise.
typedef struct cg_export_source {
    cg_poses poses;
    const char *damage; // what is wrong with a recording that was read up to there; empty when it is whole
    cg_polylines polylines;
    cg_polyline_poses polyline_poses;
    cg_recording_poses *recording;
    cg_surface_poses surface;
} cg_export_source;

// Opens a file. A radius above 0 [m] takes the place of what the file says. What only a recording tells can be had of
// no other file. On failure "file:line:column: what is wrong" goes to `err`; closing is right in any case.
bool cg_export_source_open(cg_export_source *source, const char *path, double radius, bool only_recorded,
                           cg_rerun_wish rerun, FILE *err);
void cg_export_source_close(cg_export_source *source);

#endif
