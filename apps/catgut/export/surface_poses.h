// A mesh file as one pose of one tissue.
#ifndef CATGUT_EXPORT_SURFACE_POSES_H
#define CATGUT_EXPORT_SURFACE_POSES_H

#include "catgut/surface.h"
#include "export/poses.h"

typedef struct cg_surface_poses {
    cg_surface *surface;
    cg_pose_triangle *triangles;
    cg_pose_tissue tissue;
    int starts[2];
} cg_surface_poses;

// Reads the file; `source` must stay where it is. On failure "file:line:column: what is wrong" goes to `err`.
bool cg_surface_poses_open(cg_surface_poses *source, const char *path, cg_surface_format format, cg_poses *poses,
                           FILE *err);
// Gives back what was read; a zero source is allowed.
void cg_surface_poses_close(cg_surface_poses *source);

#endif
