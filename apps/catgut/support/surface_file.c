#include "support/surface_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/scene_files.h"

enum { MOST_BYTES = 512 * 1024 * 1024 };

bool cg_surface_load(const char *path, cg_surface_format format, cg_surface **surface, cg_scene_error *error)
{
    size_t size;
    char why[128];
    *surface = NULL;
    *error = (cg_scene_error){.line = 1, .column = 1};
    char *bytes = cg_file_read(path, MOST_BYTES, &size, why, sizeof why);
    if (bytes == NULL) {
        snprintf(error->file, sizeof error->file, "%.127s", path);
        snprintf(error->message, sizeof error->message, "the mesh cannot be read (%s)", why);
        return false;
    }
    cg_surface_def def = cg_surface_def_default();
    def.format = format;
    bool good = cg_surface_read(bytes, size, path, &def, surface, error).code == CG_OK;
    free(bytes);
    return good;
}
