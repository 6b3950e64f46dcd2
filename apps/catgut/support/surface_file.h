// Mesh files on disk.
#ifndef CATGUT_SUPPORT_SURFACE_FILE_H
#define CATGUT_SUPPORT_SURFACE_FILE_H

#include <stdbool.h>

#include "catgut/surface.h"
#include "catgut/volume.h"

// Reads a mesh file as a surface, to be freed by cg_surface_free. CG_SURFACE_TOLD: in the format that its bytes, or
// else its name, say. On failure *surface is NULL and *error says what and where.
bool cg_surface_load(const char *path, cg_surface_format format, cg_surface **surface, cg_scene_error *error);
// The same, as a volume where it has cells, else as a surface; the other one is NULL.
bool cg_mesh_load(const char *path, cg_surface **surface, cg_volume **volume, cg_surface_format *format,
                  cg_scene_error *error);
// The longest side of its box [m].
double cg_surface_extent(const cg_surface *surface);

#endif
