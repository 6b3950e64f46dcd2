// A surface from a file that may hold cells, and a volume written down.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "mesh_files/volume_parts.h"

static bool add_triangles(cg_surface_draft *surface, const cg_vec3 *points, int point_count, const int (*triangles)[3],
                          int count)
{
    for (int i = 0; i < point_count; i++) {
        if (!cg_surface_add_point(surface, points[i], 1, 1)) {
            return false;
        }
    }
    for (int i = 0; i < count; i++) {
        if (!cg_surface_add_polygon(surface, triangles[i], 3, false, 1, 1)) {
            return false;
        }
    }
    return true;
}

// The points are in metres already.
static bool take_draft(cg_surface_draft *surface, cg_volume_draft *draft)
{
    const cg_surface_def *def = surface->def;
    cg_surface_def metres = *def;
    metres.scale = 1;
    surface->def = &metres;
    bool good;
    if (draft->cell_count == 0) {
        good = add_triangles(surface, draft->points, draft->point_count, (const int(*)[3])draft->triangles,
                             draft->triangle_count);
    } else {
        cg_volume *volume;
        cg_surface *outside = NULL;
        cg_code code = cg_volume_of_draft(draft, &volume).code;
        code = code == CG_OK ? cg_volume_outside(volume, &outside).code : code;
        good = code == CG_OK && add_triangles(surface, outside->nodes, outside->node_count,
                                              (const int(*)[3])outside->triangles, outside->triangle_count);
        surface->is_out_of_memory = surface->is_out_of_memory || code == CG_OUT_OF_MEMORY;
        cg_surface_free(outside);
        cg_volume_free(volume);
    }
    surface->def = def;
    return good;
}

bool cg_surface_take_volume(cg_surface_draft *surface, const void *bytes, size_t size)
{
    cg_volume_draft draft = {.def = surface->def, .error = surface->error};
    bool good = cg_volume_read_draft(&draft, bytes, size);
    surface->is_out_of_memory = draft.is_out_of_memory;
    good = good && take_draft(surface, &draft);
    cg_volume_draft_clear(&draft);
    return good;
}

// --- writing ---

// A text that grows.
struct text {
    const cg_allocator *allocator;
    char *bytes;
    size_t size, room;
    bool is_whole;
};

static void put(struct text *text, const char *line)
{
    size_t length = strlen(line);
    if (text->size + length + 1 > text->room && text->is_whole) {
        size_t room = 2 * text->room + length + 4096;
        text->is_whole = cg_memory_grow(text->allocator, (void **)&text->bytes, text->size, room);
        text->room = text->is_whole ? room : text->room;
    }
    if (text->is_whole) {
        memcpy(text->bytes + text->size, line, length + 1);
        text->size += length;
    }
}

cg_status cg_volume_write(const cg_volume *volume, double unit, char **bytes, size_t *size)
{
    struct text text = {.allocator = &volume->allocator, .is_whole = true};
    char line[160];
    *bytes = NULL;
    *size = 0;
    if (!(unit > 0)) {
        return cg_error(CG_BAD_INPUT, "the unit of a volume that is written is %g; it must be above 0", unit);
    }
    snprintf(line, sizeof line,
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\nmade by catgut\n$EndComments\n$Nodes\n%d\n",
             volume->node_count);
    put(&text, line);
    for (int i = 0; i < volume->node_count; i++) {
        cg_vec3 p = volume->nodes[i];
        snprintf(line, sizeof line, "%d %.17g %.17g %.17g\n", i + 1, p.x / unit, p.y / unit, p.z / unit);
        put(&text, line);
    }
    snprintf(line, sizeof line, "$EndNodes\n$Elements\n%d\n", volume->cell_count);
    put(&text, line);
    for (int i = 0; i < volume->cell_count; i++) {
        const int *n = volume->cells[i];
        snprintf(line, sizeof line, "%d 4 2 %d %d %d %d %d %d\n", i + 1, volume->regions[i], volume->regions[i],
                 n[0] + 1, n[1] + 1, n[2] + 1, n[3] + 1);
        put(&text, line);
    }
    put(&text, "$EndElements\n");
    if (!text.is_whole) {
        cg_memory_give(text.allocator, text.bytes);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the text of a volume");
    }
    *bytes = text.bytes;
    *size = text.size;
    return cg_ok();
}

void cg_volume_free_text(const cg_volume *volume, char *text)
{
    cg_memory_give(&volume->allocator, text);
}
