#include "record/surface_keeper.h"

#include <assert.h>
#include <string.h>

#include "base/transform.h"
#include "catgut/tissue.h"
#include "operation/fields.h"
#include "record/frame_code.h"
#include "world/world.h"

static const cg_mesh *mesh_at(const cg_world *world, int place)
{
    const cg_tissue *tissue = cg_world_find_tissue(world, cg_operation_tissue(world, place));
    return tissue != NULL ? tissue->mesh : NULL;
}

void cg_surface_keeper_lay_out(cg_surface_keeper *keeper, cg_arena *arena, const cg_world *world, int count)
{
    assert(count >= 0);
    int most_nodes = 0, most_triangles = 0;
    bool carves = !cg_arena_is_measuring(arena);
    keeper->count = count;
    keeper->ids = cg_arena_push_array(arena, cg_tissue_id, count);
    keeper->last = cg_arena_push_array(arena, cg_kept_surface, count);
    keeper->fresh = cg_arena_push_array(arena, cg_kept_surface, count);
    keeper->room = 4;
    keeper->whole_bytes = keeper->change_bytes = 0;
    for (int i = 0; i < count; i++) {
        const cg_mesh *mesh = mesh_at(world, i);
        int nodes = mesh != NULL ? mesh->limits.nodes : 0, triangles = mesh != NULL ? mesh->limits.triangles : 0;
        cg_kept_surface last = {0}, fresh = {0};
        cg_kept_surface_lay_out(&last, arena, nodes, triangles);
        cg_kept_surface_lay_out(&fresh, arena, nodes, triangles);
        if (carves) {
            keeper->last[i] = last;
            keeper->fresh[i] = fresh;
            keeper->ids[i] = (cg_tissue_id){0, 0};
        }
        most_nodes = nodes > most_nodes ? nodes : most_nodes;
        most_triangles = triangles > most_triangles ? triangles : most_triangles;
        keeper->room +=
            cg_surface_bytes((cg_surface_difference){.nodes = (size_t)nodes, .triangles = (size_t)triangles});
    }
    cg_surface_work_lay_out(&keeper->work, arena, most_nodes, most_triangles);
    keeper->bytes = cg_arena_push(arena, 1, keeper->room);
}

static bool is_same_id(cg_tissue_id a, cg_tissue_id b)
{
    return a.index == b.index && a.generation == b.generation;
}

bool cg_surface_keeper_has_room(const cg_surface_keeper *keeper, const cg_world *world, int place)
{
    const cg_mesh *mesh = mesh_at(world, place);
    const cg_kept_surface *room = &keeper->last[place];
    return mesh == NULL || (mesh->limits.nodes <= room->node_room && mesh->limits.triangles <= room->triangle_room);
}

// A tissue that is gone needs no surface.
bool cg_surface_keeper_is_current(const cg_surface_keeper *keeper, const cg_world *world)
{
    for (int i = 0; i < keeper->count; i++) {
        cg_tissue_id id = cg_operation_tissue(world, i);
        if (id.index != 0 &&
            (!is_same_id(id, keeper->ids[i]) || keeper->last[i].version != cg_tissue_topology_version(world, id))) {
            return false;
        }
    }
    return true;
}

// Homes in the frame of the tissue's shape, in the finest steps that hold them.
static bool look_at_homes(cg_kept_surface *surface, const cg_mesh *mesh, cg_transform pose)
{
    for (surface->exponent = CG_FRAME_FINEST; surface->exponent <= CG_FRAME_COARSEST; surface->exponent++) {
        bool fits = true;
        for (int i = 0; i < mesh->node_count && fits; i++) {
            cg_vec3 home = transform_point_back(pose, mesh->home[i]);
            fits = cg_frame_quantise(&home, 1, surface->exponent, surface->homes + 3 * i);
        }
        if (fits) {
            return true;
        }
    }
    return false;
}

// False when there is none, or one that cannot be written.
static bool look_at_surface(cg_kept_surface *surface, const cg_world *world, int place)
{
    const cg_mesh *mesh = mesh_at(world, place);
    cg_tissue_def def;
    surface->there = false;
    if (mesh == NULL || mesh->node_count > surface->node_room || mesh->triangle_count > surface->triangle_room ||
        !cg_tissue_get_def(world, cg_operation_tissue(world, place), &def) || !look_at_homes(surface, mesh, def.pose)) {
        return false;
    }
    for (int i = 0; i < mesh->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            surface->corners[3 * i + k] = mesh->triangles[i].nodes[k];
        }
        surface->sides[i] = (unsigned char)mesh->triangles[i].side;
    }
    surface->version = mesh->topology_version;
    surface->node_count = mesh->node_count;
    surface->triangle_count = mesh->triangle_count;
    surface->there = true;
    return true;
}

// What is to be written, from the surfaces before or from nothing. The number of surfaces and of bytes.
static size_t measure(const cg_surface_keeper *keeper, cg_chunk_kind kind, uint32_t *items)
{
    bool whole = kind == CG_CHUNK_SURFACES;
    static const cg_kept_surface nothing = {0};
    size_t bytes = 4;
    *items = 0;
    for (int i = 0; i < keeper->count; i++) {
        const cg_kept_surface *fresh = &keeper->fresh[i], *last = whole ? &nothing : &keeper->last[i];
        if (fresh->there && (whole || fresh->version != last->version)) {
            bytes += cg_surface_bytes(cg_surface_compare(last, fresh));
            *items += 1;
        }
    }
    return bytes;
}

static void put_surfaces(cg_surface_keeper *keeper, bool whole, uint32_t items, size_t size)
{
    static const cg_kept_surface nothing = {0};
    cg_byte_sink sink = cg_write_to(keeper->bytes, size);
    cg_put_u32(&sink, items);
    for (int i = 0; i < keeper->count; i++) {
        const cg_kept_surface *fresh = &keeper->fresh[i], *last = whole ? &nothing : &keeper->last[i];
        if (fresh->there && (whole || fresh->version != last->version)) {
            cg_surface_put(&sink, i, last, fresh, cg_surface_compare(last, fresh), &keeper->work);
        }
    }
}

size_t cg_surface_keeper_write(cg_surface_keeper *keeper, const cg_world *world, cg_chunk_kind *kind)
{
    bool whole = keeper->whole_bytes == 0;
    for (int i = 0; i < keeper->count; i++) {
        cg_tissue_id id = cg_operation_tissue(world, i);
        if (!look_at_surface(&keeper->fresh[i], world, i) && id.index != 0) {
            return 0;
        }
        whole = whole || (id.index != 0 && !is_same_id(id, keeper->ids[i]));
    }
    uint32_t items;
    size_t size = measure(keeper, whole ? CG_CHUNK_SURFACES : CG_CHUNK_CHANGES, &items);
    if (!whole && keeper->change_bytes + size > keeper->whole_bytes) {
        whole = true;
        size = measure(keeper, CG_CHUNK_SURFACES, &items);
    }
    put_surfaces(keeper, whole, items, size);
    keeper->whole_bytes = whole ? size : keeper->whole_bytes;
    keeper->change_bytes = whole ? 0 : keeper->change_bytes + size;
    for (int i = 0; i < keeper->count; i++) {
        cg_kept_surface swapped = keeper->last[i];
        keeper->last[i] = keeper->fresh[i];
        keeper->fresh[i] = swapped;
        keeper->ids[i] = cg_operation_tissue(world, i);
    }
    *kind = whole ? CG_CHUNK_SURFACES : CG_CHUNK_CHANGES;
    return size;
}
