// Mesh files of all formats, the first byte says which: a surface that holds together or a sentence with a place, and
// the same answer twice. What is read is made into a skin, which may refuse it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/surface.h"
#include "tissue/make.h"

static void require(bool good)
{
    if (!good) {
        abort();
    }
}

static void make_skin(const cg_surface *surface)
{
    cg_tissue_def def = {.shape = CG_TISSUE_MESH,
                         .model = CG_TISSUE_SKIN,
                         .pose = {.rotation = {0, 0, 0, 1}},
                         .layer_count = 1,
                         .pre_length = 0.8,
                         .nodes = surface->nodes,
                         .node_count = surface->node_count,
                         .triangles = (const int(*)[3])surface->triangles,
                         .triangle_count = surface->triangle_count};
    def.layers[0] = (cg_tissue_layer){0.001, {.young = 1e5, .density = 1000}};
    cg_allocator allocator = cg_memory_default();
    cg_mesh *mesh;
    cg_status status = cg_make_mesh(&def, &allocator, &mesh);
    require(status.code == CG_OK ? cg_mesh_validate(mesh).code == CG_OK : status.message[0] != '\0' && mesh == NULL);
    cg_mesh_destroy(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    cg_surface_def def = cg_surface_def_default();
    def.format = (cg_surface_format)(data[0] % 3);
    def.max_triangles = 20000;
    cg_surface *surface, *again;
    cg_scene_error error;
    cg_status status = cg_surface_read(data + 1, size - 1, "fuzz", &def, &surface, &error);
    require(cg_surface_read(data + 1, size - 1, "fuzz", &def, &again, NULL).code == status.code);
    if (status.code != CG_OK) {
        require(surface == NULL && again == NULL && error.line >= 1 && error.column >= 1 && error.message[0] != '\0');
        return 0;
    }
    require(surface->node_count == again->node_count && surface->triangle_count == again->triangle_count);
    require(surface->node_count <= def.max_nodes && surface->triangle_count <= def.max_triangles);
    for (int i = 0; i < surface->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            require(surface->triangles[i][k] >= 0 && surface->triangles[i][k] < surface->node_count);
        }
    }
    make_skin(surface);
    cg_surface_free(surface);
    cg_surface_free(again);
    return 0;
}
