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
    char *bytes = cg_file_read(path, MOST_BYTES, &size, why, sizeof why);
    if (bytes == NULL) {
        char sentence[160];
        snprintf(sentence, sizeof sentence, "the mesh %s", why);
        cg_scene_error_set(error, path, sentence);
        return false;
    }
    cg_surface_def def = cg_surface_def_default();
    def.format = format;
    bool good = cg_surface_read(bytes, size, path, &def, surface, error).code == CG_OK;
    free(bytes);
    return good;
}
