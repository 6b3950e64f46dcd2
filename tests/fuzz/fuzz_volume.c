// Mesh files of all formats, told by what is in them: a volume and its outside that hold together, or a sentence with a
// place, and the same answer twice. Behind a zero byte may come what lies beside (the .node file of TetGen).
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/volume.h"

static void require(bool good)
{
    if (!good) {
        abort();
    }
}

static void require_sound(const cg_volume *volume)
{
    cg_surface *outside;
    for (int i = 0; i < 4 * volume->cell_count; i++) {
        require(volume->cells[i / 4][i % 4] >= 0 && volume->cells[i / 4][i % 4] < volume->node_count);
    }
    require(volume->least_angle >= 0 && volume->most_angle <= 3.1416 && volume->least_angle <= volume->most_angle);
    require(cg_volume_outside(volume, &outside).code == CG_OK);
    for (int i = 0; i < 3 * outside->triangle_count; i++) {
        require(outside->triangles[i / 3][i % 3] < outside->node_count);
    }
    cg_surface_free(outside);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cg_surface_def def = cg_surface_def_default();
    def.format = CG_SURFACE_TOLD;
    def.max_nodes = def.max_triangles = 20000;
    const uint8_t *zero = size > 0 && data[0] >= '0' && data[0] <= '9' ? memchr(data, 0, size) : NULL;
    if (zero != NULL) {
        def.beside = zero + 1;
        def.beside_size = (size_t)(data + size - zero - 1);
        size = (size_t)(zero - data);
    }
    cg_volume *volume, *again;
    cg_surface *surface;
    cg_scene_error error;
    cg_status status = cg_volume_read(data, size, "fuzz", &def, &volume, &error);
    require(cg_volume_read(data, size, "fuzz", &def, &again, NULL).code == status.code);
    if (status.code != CG_OK) {
        require(volume == NULL && again == NULL && error.line >= 1 && error.column >= 1 && error.message[0] != '\0');
    } else {
        require(volume->node_count == again->node_count && volume->cell_count == again->cell_count);
        require_sound(volume);
        cg_volume_free(volume);
        cg_volume_free(again);
    }
    if (cg_surface_read(data, size, "fuzz", &def, &surface, &error).code == CG_OK) {
        require(surface->triangle_count > 0);
        cg_surface_free(surface);
    }
    return 0;
}
