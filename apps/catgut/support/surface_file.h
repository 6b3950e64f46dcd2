// Mesh files on disk.
#ifndef CATGUT_SUPPORT_SURFACE_FILE_H
#define CATGUT_SUPPORT_SURFACE_FILE_H

#include <stdbool.h>

#include "catgut/surface.h"

// Reads a mesh file in the format that its name says, to be freed by cg_surface_free. On failure *surface is NULL and
// *error says what and where.
bool cg_surface_load(const char *path, cg_surface_format format, cg_surface **surface, cg_scene_error *error);

#endif
