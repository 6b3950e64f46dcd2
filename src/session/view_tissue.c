#include "session/view_tissue.h"

#include <string.h>

#include "base/memory.h"
#include "base/transform.h"

// Skin first, then what is told apart from it.
static const uint32_t tissue_colours[] = {0xbd8f77, 0xb37672, 0xc4a48c, 0xa27c69};

static float to_float(double value)
{
    return value > -1e30 && value < 1e30 ? (float)value : 0.0f;
}

static void forget(cg_viewed_tissue *viewed, const cg_allocator *allocator)
{
    cg_memory_give(allocator, viewed->nodes);
    cg_memory_give(allocator, viewed->positions);
    cg_memory_give(allocator, viewed->places);
    viewed->nodes = NULL;
    viewed->positions = NULL;
    viewed->places = NULL;
    viewed->node_room = 0;
}

void cg_viewed_tissue_free(cg_viewed_tissue *viewed, const cg_allocator *allocator)
{
    forget(viewed, allocator);
    cg_memory_give(allocator, viewed->triangles);
    viewed->triangles = NULL;
}

static bool make_room(cg_viewed_tissue *viewed, const cg_allocator *allocator, int nodes, int triangles)
{
    if (nodes > viewed->node_room) {
        size_t room = (size_t)nodes + (size_t)nodes / 4;
        forget(viewed, allocator);
        viewed->nodes = cg_memory_take(allocator, room * sizeof *viewed->nodes);
        viewed->positions = cg_memory_take(allocator, 3 * room * sizeof *viewed->positions);
        viewed->places = cg_memory_take(allocator, room * sizeof *viewed->places);
        bool good = viewed->nodes != NULL && viewed->positions != NULL && viewed->places != NULL;
        viewed->node_room = good ? (int)room : 0;
    }
    if (triangles > viewed->triangle_room) {
        size_t room = (size_t)triangles + (size_t)triangles / 4;
        cg_memory_give(allocator, viewed->triangles);
        viewed->triangles = cg_memory_take(allocator, room * sizeof *viewed->triangles);
        viewed->triangle_room = viewed->triangles != NULL ? (int)room : 0;
    }
    return nodes <= viewed->node_room && triangles <= viewed->triangle_room;
}

// Numbers the nodes that triangles have, in the order of the tissue.
static void list_nodes(cg_viewed_tissue *viewed, const cg_world *world, cg_tissue_id id)
{
    cg_tissue_def def;
    int corners[3];
    const cg_vec3 *homes = cg_tissue_homes(world, id, &viewed->total);
    cg_tissue_get_def(world, id, &def);
    for (int i = 0; i < viewed->total; i++) {
        viewed->places[i] = -1;
    }
    for (int t = 0; t < viewed->triangle_count; t++) {
        cg_tissue_get_triangle(world, id, t, corners, NULL);
        viewed->places[corners[0]] = viewed->places[corners[1]] = viewed->places[corners[2]] = 0;
    }
    viewed->count = 0;
    for (int i = 0; i < viewed->total; i++) {
        if (viewed->places[i] == 0) {
            cg_vec3 home = transform_point_back(def.pose, homes[i]);
            viewed->places[i] = viewed->count;
            viewed->nodes[viewed->count++] = (cg_wire_surface_node){
                .node = (uint32_t)i, .home = {to_float(home.x), to_float(home.y), to_float(home.z)}};
        }
    }
}

static void list_triangles(cg_viewed_tissue *viewed, const cg_world *world, cg_tissue_id id)
{
    for (int t = 0; t < viewed->triangle_count; t++) {
        int corners[3], side = 0;
        cg_tissue_get_triangle(world, id, t, corners, &side);
        viewed->triangles[t] = (cg_wire_triangle){.a = (uint32_t)viewed->places[corners[0]],
                                                  .b = (uint32_t)viewed->places[corners[1]],
                                                  .c = (uint32_t)viewed->places[corners[2]],
                                                  .side = (uint8_t)side};
    }
}

bool cg_viewed_tissue_update(cg_viewed_tissue *viewed, const cg_allocator *allocator, const cg_world *world,
                             cg_tissue_id id)
{
    int total;
    uint64_t edits = cg_tissue_topology_version(world, id);
    if (cg_tissue_positions(world, id, &total) == NULL) {
        return false;
    }
    if (viewed->known && viewed->edits == edits && viewed->total == total) {
        return true;
    }
    int triangle_count = cg_tissue_triangle_count(world, id);
    viewed->known = make_room(viewed, allocator, total, triangle_count);
    if (!viewed->known) {
        return false;
    }
    viewed->triangle_count = triangle_count;
    viewed->edits = edits;
    list_nodes(viewed, world, id);
    list_triangles(viewed, world, id);
    viewed->topology_version++;
    viewed->changed = true;
    return true;
}

cg_wire_tissue_info cg_viewed_tissue_info(cg_viewed_tissue *viewed, const cg_world *world, cg_tissue_id id,
                                          const char *name, int place)
{
    cg_tissue_def def = {.layer_count = 0};
    cg_tissue_get_def(world, id, &def);
    for (int i = 0; i < def.layer_count; i++) {
        viewed->layers[i] = to_float(def.layers[i].thickness);
    }
    size_t colour = (size_t)place % (sizeof tissue_colours / sizeof tissue_colours[0]);
    return (cg_wire_tissue_info){.name = name,
                                 .shape = (uint8_t)def.shape,
                                 .layers = {.items = viewed->layers, .count = (uint32_t)def.layer_count},
                                 .radius = to_float(def.radius),
                                 .colour = tissue_colours[colour]};
}

cg_wire_tissue_state cg_viewed_tissue_state(cg_viewed_tissue *viewed, int place, const cg_vec3 *points,
                                            const float *recorded)
{
    float *to = viewed->positions;
    for (int i = 0; i < viewed->count; i++, to += 3) {
        size_t node = viewed->nodes[i].node;
        if (points != NULL) {
            to[0] = to_float(points[node].x);
            to[1] = to_float(points[node].y);
            to[2] = to_float(points[node].z);
        } else {
            memcpy(to, recorded + 3 * node, 3 * sizeof *to);
        }
    }
    return (cg_wire_tissue_state){.tissue = (uint16_t)place,
                                  .topology_version = viewed->topology_version,
                                  .positions = {.items = viewed->positions, .count = 3 * (uint32_t)viewed->count}};
}
