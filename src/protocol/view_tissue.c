#include "protocol/view_tissue.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/transform.h"
#include "protocol/wire_values.h"

// Skin first, then what is told apart from it.
static const uint32_t tissue_colours[] = {0xbd8f77, 0xb37672, 0xc4a48c, 0xa27c69};

void cg_viewed_tissue_free(cg_viewed_tissue *viewed, const cg_allocator *allocator)
{
    cg_memory_give(allocator, viewed->nodes);
    cg_memory_give(allocator, viewed->triangles);
    cg_memory_give(allocator, viewed->positions);
    cg_memory_give(allocator, viewed->places);
    cg_memory_give(allocator, viewed->changed_nodes);
    cg_memory_give(allocator, viewed->changed_triangles);
    *viewed = (cg_viewed_tissue){.known = false};
}

static bool grow_places(cg_viewed_tissue *viewed, const cg_allocator *allocator, int places)
{
    if (places <= viewed->place_room) {
        return true;
    }
    size_t room = (size_t)places + (size_t)places / 4, used = (size_t)viewed->count;
    void *nodes = viewed->nodes, *positions = viewed->positions, *changed = viewed->changed_nodes;
    bool good = cg_memory_grow(allocator, &nodes, used * sizeof *viewed->nodes, room * sizeof *viewed->nodes) &&
                cg_memory_grow(allocator, &positions, 0, 3 * room * sizeof *viewed->positions) &&
                cg_memory_grow(allocator, &changed, 0, room * sizeof *viewed->changed_nodes);
    viewed->nodes = nodes;
    viewed->positions = positions;
    viewed->changed_nodes = changed;
    viewed->place_room = good ? (int)room : viewed->place_room;
    return good;
}

static bool grow_triangles(cg_viewed_tissue *viewed, const cg_allocator *allocator, int triangles)
{
    if (triangles <= viewed->triangle_room) {
        return true;
    }
    size_t room = (size_t)triangles + (size_t)triangles / 4, used = (size_t)viewed->triangle_count;
    void *all = viewed->triangles, *changed = viewed->changed_triangles;
    bool good = cg_memory_grow(allocator, &all, used * sizeof *viewed->triangles, room * sizeof *viewed->triangles) &&
                cg_memory_grow(allocator, &changed, 0, room * sizeof *viewed->changed_triangles);
    viewed->triangles = all;
    viewed->changed_triangles = changed;
    viewed->triangle_room = good ? (int)room : viewed->triangle_room;
    return good;
}

static bool make_room(cg_viewed_tissue *viewed, const cg_allocator *allocator, int nodes, int triangles)
{
    if (nodes > viewed->node_room) {
        size_t room = (size_t)nodes + (size_t)nodes / 4;
        void *places = viewed->places;
        bool good = cg_memory_grow(allocator, &places, 0, room * sizeof *viewed->places);
        viewed->node_room = good ? (int)room : viewed->node_room;
        viewed->places = places;
    }
    // no more places than nodes, but for those that were there
    return nodes <= viewed->node_room && grow_places(viewed, allocator, nodes) &&
           grow_triangles(viewed, allocator, triangles);
}

// Where a surface comes from: a world, or a recording when that is not NULL.
typedef struct surface_source {
    uint64_t edits;
    int node_count, triangle_count;
    const cg_world *world;
    cg_tissue_id id;
    const cg_vec3 *homes;
    cg_transform pose;
    const cg_recorded_surface *recorded;
} surface_source;

static cg_value_vec3 home_of(const surface_source *source, int node)
{
    if (source->recorded != NULL) {
        const float *home = source->recorded->homes + 3 * (size_t)node;
        return (cg_value_vec3){home[0], home[1], home[2]};
    }
    cg_vec3 home = transform_point_back(source->pose, source->homes[node]);
    return cg_wire_vec3(home);
}

static int triangle_of(const surface_source *source, int triangle, int corners[3])
{
    int side = 0;
    if (source->recorded != NULL) {
        const int32_t *from = source->recorded->corners + 3 * (size_t)triangle;
        corners[0] = from[0];
        corners[1] = from[1];
        corners[2] = from[2];
        side = source->recorded->sides[triangle];
    } else {
        cg_tissue_get_triangle(source->world, source->id, triangle, corners, &side);
    }
    return side;
}

// What stands in `places` besides places, and in a place that nobody has.
enum { INSIDE = -1, SHOWN = -2 };
static const uint32_t FREE = UINT32_MAX;

static void put_node(cg_viewed_tissue *viewed, int place, int node, cg_value_vec3 home)
{
    viewed->nodes[place] = (cg_wire_surface_node){.node = (uint32_t)node, .home = home};
    viewed->places[node] = place;
}

static void note_node(cg_viewed_tissue *viewed, int place)
{
    viewed->changed_nodes[viewed->changed_node_count++].place = (uint32_t)place;
}

// Homes in a recording are rounded; that is no change.
static bool is_same_home(cg_value_vec3 a, cg_value_vec3 b)
{
    const float rounding = 1e-8f;
    return fabsf(a.x - b.x) <= rounding && fabsf(a.y - b.y) <= rounding && fabsf(a.z - b.z) <= rounding;
}

// Nodes that are shown still keep their places.
static void keep_places(cg_viewed_tissue *viewed, const surface_source *source)
{
    for (int place = 0; place < viewed->count; place++) {
        cg_wire_surface_node *at = &viewed->nodes[place];
        if (at->node >= (uint32_t)source->node_count || viewed->places[at->node] != SHOWN) {
            at->node = FREE;
            continue;
        }
        cg_value_vec3 home = home_of(source, (int)at->node);
        bool same = is_same_home(home, at->home);
        put_node(viewed, place, (int)at->node, same ? at->home : home);
        if (!same) {
            note_node(viewed, place);
        }
    }
}

// Others take free places, then new ones; what is free then is filled from the end.
static void give_places(cg_viewed_tissue *viewed, const surface_source *source)
{
    int place = 0;
    for (int node = 0; node < source->node_count; node++) {
        if (viewed->places[node] != SHOWN) {
            continue;
        }
        while (place < viewed->count && viewed->nodes[place].node != FREE) {
            place++;
        }
        viewed->count += place == viewed->count;
        put_node(viewed, place, node, home_of(source, node));
        note_node(viewed, place);
    }
    for (; place < viewed->count; place++) {
        while (viewed->count > place && viewed->nodes[viewed->count - 1].node == FREE) {
            viewed->count--;
        }
        if (place < viewed->count && viewed->nodes[place].node == FREE) {
            const cg_wire_surface_node *last = &viewed->nodes[--viewed->count];
            put_node(viewed, place, (int)last->node, last->home);
            note_node(viewed, place);
        }
    }
}

// Lists the nodes that triangles have, and those places that changed.
static void list_nodes(cg_viewed_tissue *viewed, const surface_source *source)
{
    int corners[3];
    for (int i = 0; i < source->node_count; i++) {
        viewed->places[i] = INSIDE;
    }
    for (int t = 0; t < source->triangle_count; t++) {
        triangle_of(source, t, corners);
        viewed->places[corners[0]] = viewed->places[corners[1]] = viewed->places[corners[2]] = SHOWN;
    }
    viewed->changed_node_count = 0;
    keep_places(viewed, source);
    give_places(viewed, source);
    int kept = 0;
    for (int i = 0; i < viewed->changed_node_count; i++) {
        uint32_t place = viewed->changed_nodes[i].place;
        if (place < (uint32_t)viewed->count) { // not one that went to another place since
            viewed->changed_nodes[kept++] = (cg_wire_changed_node){
                .place = place, .node = viewed->nodes[place].node, .home = viewed->nodes[place].home};
        }
    }
    viewed->changed_node_count = kept;
}

static void list_triangles(cg_viewed_tissue *viewed, const surface_source *source)
{
    viewed->changed_triangle_count = 0;
    for (int t = 0; t < source->triangle_count; t++) {
        int corners[3], side = triangle_of(source, t, corners);
        cg_wire_triangle now = {.a = (uint32_t)viewed->places[corners[0]],
                                .b = (uint32_t)viewed->places[corners[1]],
                                .c = (uint32_t)viewed->places[corners[2]],
                                .side = (uint8_t)side};
        cg_wire_triangle *at = &viewed->triangles[t];
        if (t >= viewed->triangle_count || at->a != now.a || at->b != now.b || at->c != now.c || at->side != now.side) {
            *at = now;
            viewed->changed_triangles[viewed->changed_triangle_count++] =
                (cg_wire_changed_triangle){.place = (uint32_t)t, .a = now.a, .b = now.b, .c = now.c, .side = now.side};
        }
    }
    viewed->triangle_count = source->triangle_count;
}

// The surface as it is now, and what of it is new to those who know the one before.
static bool look(cg_viewed_tissue *viewed, const cg_allocator *allocator, const surface_source *source)
{
    bool told = viewed->known && !viewed->changed;
    int places = viewed->count, triangles = viewed->triangle_count;
    viewed->known = make_room(viewed, allocator, source->node_count, source->triangle_count);
    if (!viewed->known) {
        viewed->count = viewed->triangle_count = 0;
        return false;
    }
    viewed->edits = source->edits;
    viewed->is_recorded = source->recorded != NULL;
    viewed->total = source->node_count;
    list_nodes(viewed, source);
    list_triangles(viewed, source);
    bool differs = !told || viewed->changed_node_count > 0 || viewed->changed_triangle_count > 0 ||
                   viewed->count != places || viewed->triangle_count != triangles;
    if (differs) {
        viewed->topology_version++;
        viewed->changed = true;
        viewed->in_parts = told && 2 * viewed->changed_node_count < viewed->count &&
                           2 * viewed->changed_triangle_count < viewed->triangle_count;
    }
    return true;
}

bool cg_viewed_tissue_update(cg_viewed_tissue *viewed, const cg_allocator *allocator, const cg_world *world,
                             cg_tissue_id id, uint64_t state_changes)
{
    assert(viewed->count <= viewed->place_room && viewed->triangle_count <= viewed->triangle_room);
    surface_source source = {.world = world, .id = id, .edits = cg_tissue_topology_version(world, id)};
    source.homes = cg_tissue_homes(world, id, &source.node_count);
    if (source.homes == NULL) {
        return false;
    }
    if (viewed->known && !viewed->is_recorded && viewed->edits == source.edits && viewed->total == source.node_count &&
        viewed->state_changes == state_changes && viewed->id.index == id.index &&
        viewed->id.generation == id.generation) {
        return true;
    }
    viewed->id = id;
    viewed->state_changes = state_changes;
    cg_tissue_def def;
    cg_tissue_get_def(world, id, &def);
    source.pose = def.pose;
    source.triangle_count = cg_tissue_triangle_count(world, id);
    return look(viewed, allocator, &source);
}

bool cg_viewed_tissue_update_recorded(cg_viewed_tissue *viewed, const cg_allocator *allocator,
                                      const cg_recorded_surface *recorded)
{
    if (viewed->known && viewed->is_recorded && viewed->edits == recorded->version &&
        viewed->total == recorded->node_count && viewed->triangle_count == recorded->triangle_count) {
        return true;
    }
    surface_source source = {.recorded = recorded,
                             .edits = recorded->version,
                             .node_count = recorded->node_count,
                             .triangle_count = recorded->triangle_count};
    return look(viewed, allocator, &source);
}

cg_wire_tissue_info cg_viewed_tissue_info(cg_viewed_tissue *viewed, const cg_world *world, cg_tissue_id id,
                                          const char *name, int place)
{
    cg_tissue_def def = {.layer_count = 0};
    cg_tissue_get_def(world, id, &def);
    for (int i = 0; i < def.layer_count; i++) {
        viewed->layers[i] = cg_wire_float(def.layers[i].thickness);
    }
    size_t colour = (size_t)place % (sizeof tissue_colours / sizeof tissue_colours[0]);
    return (cg_wire_tissue_info){.name = name,
                                 .shape = (uint8_t)def.shape,
                                 .layers = {.items = viewed->layers, .count = (uint32_t)def.layer_count},
                                 .radius = cg_wire_float(def.radius),
                                 .colour = tissue_colours[colour]};
}

cg_wire_tissue_state cg_viewed_tissue_state(cg_viewed_tissue *viewed, int place, const cg_vec3 *points,
                                            const float *recorded)
{
    assert((points == NULL) != (recorded == NULL));
    float *to = viewed->positions;
    for (int i = 0; i < viewed->count; i++, to += 3) {
        size_t node = viewed->nodes[i].node;
        if (points != NULL) {
            to[0] = cg_wire_float(points[node].x);
            to[1] = cg_wire_float(points[node].y);
            to[2] = cg_wire_float(points[node].z);
        } else {
            memcpy(to, recorded + 3 * node, 3 * sizeof *to);
        }
    }
    return (cg_wire_tissue_state){.tissue = (uint16_t)place,
                                  .topology_version = viewed->topology_version,
                                  .positions = {.items = viewed->positions, .count = 3 * (uint32_t)viewed->count}};
}
