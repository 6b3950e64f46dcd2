#include "export/surface_poses.h"

#include <stdlib.h>
#include <string.h>

#include "support/scene_files.h"
#include "support/surface_file.h"

static bool fetch(void *context, size_t index, cg_pose *pose, FILE *err)
{
    cg_surface_poses *source = context;
    (void)index;
    (void)err;
    *pose = (cg_pose){.tissue_count = 1,
                      .starts = source->starts, // no threads
                      .node_starts = source->starts,
                      .nodes = source->surface->nodes};
    return true;
}

bool cg_surface_poses_open(cg_surface_poses *source, const char *path, cg_surface_format format, cg_poses *poses,
                           FILE *err)
{
    cg_scene_error error;
    *source = (cg_surface_poses){0};
    if (!cg_surface_load(path, format, &source->surface, &error)) {
        cg_scene_error_print(&error, err);
        return false;
    }
    const cg_surface *surface = source->surface;
    source->triangles = calloc((size_t)surface->triangle_count, sizeof *source->triangles);
    if (source->triangles == NULL) {
        fprintf(err, "%s: found no memory left, expected a smaller file\n", path);
        return false;
    }
    for (int i = 0; i < surface->triangle_count; i++) {
        memcpy(source->triangles[i].nodes, surface->triangles[i], sizeof source->triangles[i].nodes);
    }
    source->starts[1] = surface->node_count;
    source->tissue = (cg_pose_tissue){.name = "surface",
                                      .node_count = surface->node_count,
                                      .triangles = source->triangles,
                                      .triangle_count = surface->triangle_count};
    *poses = (cg_poses){.count = 1, .tissue_count = 1, .tissues = &source->tissue, .fetch = fetch, .context = source};
    return true;
}

void cg_surface_poses_close(cg_surface_poses *source)
{
    cg_surface_free(source->surface);
    free(source->triangles);
    *source = (cg_surface_poses){0};
}
