// Surfaces: what the readers gather, welded, checked and described.
#include "catgut/surface.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"
#include "geometry/mesh.h"
#include "mesh_files/volume_parts.h"

// Coordinates beyond this [m] are a mistake, and their products would not fit.
#define LARGEST_COORDINATE 1e6

cg_surface_def cg_surface_def_default(void)
{
    return (cg_surface_def){.format = CG_SURFACE_OBJ, .scale = 1, .max_nodes = 1000000, .max_triangles = 2000000};
}

// --- gathering ---

// Twice the room, up to the limit.
static bool grow(cg_surface_draft *draft, void **items, size_t size, int count, int *room, int most)
{
    int wanted = *room < 64 ? 64 : (*room > most / 2 ? most : 2 * *room);
    void *larger = cg_memory_take(&draft->def->allocator, (size_t)wanted * size);
    if (larger == NULL) {
        draft->is_out_of_memory = true;
        return cg_scene_error_at(draft->error, 1, 1, "no memory for a surface of %d items", wanted);
    }
    if (count > 0) {
        memcpy(larger, *items, (size_t)count * size);
    }
    cg_memory_give(&draft->def->allocator, *items);
    *items = larger;
    *room = wanted;
    return true;
}

bool cg_surface_add_point(cg_surface_draft *draft, cg_vec3 point, int line, int column)
{
    // A file may have each point once for every corner.
    int most =
        draft->def->max_triangles > draft->def->max_nodes / 3 ? 3 * draft->def->max_triangles : draft->def->max_nodes;
    cg_vec3 p = v3_scale(draft->def->scale, point);
    if (!(fabs(p.x) <= LARGEST_COORDINATE && fabs(p.y) <= LARGEST_COORDINATE && fabs(p.z) <= LARGEST_COORDINATE)) {
        return cg_scene_error_at(draft->error, line, column,
                                 "found a point at (%g, %g, %g) m; expected numbers up to %g", p.x, p.y, p.z,
                                 LARGEST_COORDINATE);
    }
    if (draft->point_count == most) {
        return cg_scene_error_at(draft->error, line, column, "found more than %d points; expected fewer", most);
    }
    if (draft->point_count == draft->point_room &&
        !grow(draft, (void **)&draft->points, sizeof *draft->points, draft->point_count, &draft->point_room, most)) {
        return false;
    }
    // -0 becomes 0, so that equal points have equal bits
    draft->points[draft->point_count++] = v3_add(p, v3_zero());
    return true;
}

bool cg_surface_add_polygon(cg_surface_draft *draft, const int *corners, int count, bool turned, int line, int column)
{
    int most = draft->def->max_triangles;
    if (draft->triangle_count + count - 2 > most) {
        return cg_scene_error_at(draft->error, line, column, "found more than %d triangles; expected fewer", most);
    }
    while (draft->triangle_count + count - 2 > draft->triangle_room) {
        int room = draft->triangle_room;
        if (!grow(draft, (void **)&draft->sides, sizeof *draft->sides, draft->triangle_count, &room, most) ||
            !grow(draft, (void **)&draft->triangles, sizeof *draft->triangles, draft->triangle_count,
                  &draft->triangle_room, most)) {
            return false;
        }
    }
    int order[CG_SURFACE_CORNERS];
    for (int i = 0; i < count; i++) {
        order[i] = corners[turned ? count - 1 - i : i];
    }
    cg_surface_cut_ears(draft->points, order, count, draft->triangles + draft->triangle_count);
    for (int i = 0; i < count - 2; i++) {
        draft->sides[draft->triangle_count++] = draft->side;
    }
    return true;
}

int cg_surface_side_of(const cg_word *name)
{
    for (int side = 0; side < CG_SIDE_COUNT; side++) {
        if (cg_word_is(name, cg_mesh_side_name(side))) {
            return side;
        }
    }
    return -1;
}

// --- welding ---

// A table of points or edges by hash, open addressing. Entries are numbers plus one.
struct table {
    int *entries;
    uint64_t mask;
};

static bool make_table(struct table *table, const cg_allocator *allocator, size_t count)
{
    size_t size = 16;
    while (size < 2 * count) {
        size *= 2;
    }
    table->entries = cg_memory_take(allocator, size * sizeof *table->entries);
    table->mask = size - 1;
    return table->entries != NULL;
}

static uint64_t hash_of_point(cg_vec3 point)
{
    cg_hash hash = cg_hash_begin();
    cg_hash_add_double(&hash, point.x);
    cg_hash_add_double(&hash, point.y);
    cg_hash_add_double(&hash, point.z);
    return cg_hash_end(&hash);
}

// The node at this place; a new one when there is none.
static int node_of(cg_surface *surface, const struct table *table, cg_vec3 point)
{
    for (uint64_t at = hash_of_point(point) & table->mask;; at = (at + 1) & table->mask) {
        int entry = table->entries[at];
        if (entry == 0) {
            table->entries[at] = surface->node_count + 1;
            surface->nodes[surface->node_count] = point;
            return surface->node_count++;
        }
        cg_vec3 other = surface->nodes[entry - 1];
        if (other.x == point.x && other.y == point.y && other.z == point.z) {
            return entry - 1;
        }
    }
}

static bool has_area(cg_vec3 a, cg_vec3 b, cg_vec3 c)
{
    cg_vec3 ab = v3_sub(b, a), ac = v3_sub(c, a);
    double size = v3_dot(ab, ab) > v3_dot(ac, ac) ? v3_dot(ab, ab) : v3_dot(ac, ac);
    return v3_length(v3_cross(ab, ac)) > 1e-12 * size;
}

static void weld(cg_surface *surface, const cg_surface_draft *draft, const struct table *table)
{
    for (int i = 0; i < draft->triangle_count; i++) {
        const int *corners = draft->triangles[i];
        cg_vec3 p[3] = {draft->points[corners[0]], draft->points[corners[1]], draft->points[corners[2]]};
        if (!has_area(p[0], p[1], p[2])) {
            surface->left_out++;
            continue;
        }
        surface->sides[surface->triangle_count] = draft->sides[i];
        surface->told_sides += draft->sides[i] >= 0;
        int *triangle = surface->triangles[surface->triangle_count++];
        for (int k = 0; k < 3; k++) {
            triangle[k] = node_of(surface, table, p[k]);
        }
    }
}

// --- edges ---

// Passes of one edge: forwards from the smaller node, and backwards.
struct edge {
    int low, high;
    int forward, backward;
};

static struct edge *edge_of(struct edge *edges, int *count, const struct table *table, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    cg_hash hash = cg_hash_begin();
    cg_hash_add_u64(&hash, (uint64_t)low << 32 | (uint64_t)high);
    for (uint64_t at = cg_hash_end(&hash) & table->mask;; at = (at + 1) & table->mask) {
        int entry = table->entries[at];
        if (entry == 0) {
            table->entries[at] = *count + 1;
            edges[*count] = (struct edge){.low = low, .high = high};
            return &edges[(*count)++];
        }
        if (edges[entry - 1].low == low && edges[entry - 1].high == high) {
            return &edges[entry - 1];
        }
    }
}

bool cg_surface_describe(cg_surface *surface)
{
    const cg_allocator *allocator = &surface->allocator;
    struct table table;
    size_t most = 3 * (size_t)surface->triangle_count;
    struct edge *edges = cg_memory_take(allocator, most * sizeof *edges);
    if (edges == NULL || !make_table(&table, allocator, most)) {
        cg_memory_give(allocator, edges);
        return false;
    }
    int count = 0;
    for (int i = 0; i < surface->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            int a = surface->triangles[i][k], b = surface->triangles[i][(k + 1) % 3];
            struct edge *edge = edge_of(edges, &count, &table, a, b);
            edge->forward += a < b;
            edge->backward += a > b;
        }
    }
    for (int i = 0; i < count; i++) {
        int passes = edges[i].forward + edges[i].backward;
        surface->open_edges += passes == 1;
        surface->crowded_edges += passes > 2;
        surface->turned_edges += passes == 2 && edges[i].forward != 1;
    }
    cg_memory_give(allocator, table.entries);
    cg_memory_give(allocator, edges);
    return true;
}

// --- the whole ---

static cg_status out_of_memory(cg_scene_error *error)
{
    cg_scene_error_at(error, 1, 1, "no memory for the surface");
    return cg_error(CG_OUT_OF_MEMORY, "no memory for the surface");
}

static cg_status finish(cg_surface_draft *draft, cg_surface **surface)
{
    const cg_allocator *allocator = &draft->def->allocator;
    if (draft->triangle_count == 0) {
        cg_scene_error_at(draft->error, 1, 1, "found no face in the file; expected one or more");
        return cg_error(CG_BAD_INPUT, "no face");
    }
    size_t nodes =
        (size_t)(draft->point_count < 3 * draft->triangle_count ? draft->point_count : 3 * draft->triangle_count);
    cg_surface *made = cg_memory_take(allocator, sizeof *made);
    if (made == NULL) {
        return out_of_memory(draft->error);
    }
    made->allocator = *allocator;
    made->nodes = cg_memory_take(allocator, nodes * sizeof *made->nodes);
    made->triangles = cg_memory_take(allocator, (size_t)draft->triangle_count * sizeof *made->triangles);
    made->sides = cg_memory_take(allocator, (size_t)draft->triangle_count * sizeof *made->sides);
    struct table table = {0};
    bool has_room =
        made->nodes != NULL && made->triangles != NULL && made->sides != NULL && make_table(&table, allocator, nodes);
    if (has_room) {
        weld(made, draft, &table);
    }
    cg_memory_give(allocator, table.entries);
    cg_status status = cg_ok();
    if (!has_room || !cg_surface_describe(made)) {
        status = out_of_memory(draft->error);
    } else if (made->triangle_count == 0) {
        cg_scene_error_at(draft->error, 1, 1, "found only faces without area; expected one with area");
        status = cg_error(CG_BAD_INPUT, "no area");
    } else if (made->node_count > draft->def->max_nodes) {
        cg_scene_error_at(draft->error, 1, 1, "found %d different points; expected at most %d", made->node_count,
                          draft->def->max_nodes);
        status = cg_error(CG_BAD_INPUT, "too many nodes");
    }
    if (status.code != CG_OK) {
        cg_surface_free(made);
        made = NULL;
    }
    *surface = made;
    return status;
}

static bool read(cg_surface_draft *draft, const void *bytes, size_t size)
{
    switch (draft->def->format) {
    case CG_SURFACE_OBJ:
        return cg_surface_read_obj(draft, bytes, size);
    case CG_SURFACE_STL:
        return cg_surface_read_stl(draft, bytes, size);
    case CG_SURFACE_VRML:
        return cg_surface_read_vrml(draft, bytes, size);
    case CG_SURFACE_LABELS:
        return cg_surface_read_labels(draft, bytes, size);
    case CG_SURFACE_PLY:
        return cg_surface_read_ply(draft, bytes, size);
    default:
        return cg_surface_take_volume(draft, bytes, size);
    }
}

static cg_status check_fields(const cg_surface_def *def, size_t size)
{
    if ((unsigned)def->format > CG_SURFACE_TOLD) {
        return cg_error(CG_BAD_INPUT, "format of a surface is none of the list");
    }
    if (!(def->scale >= 1e-9 && def->scale <= 1e9)) {
        return cg_error(CG_BAD_INPUT, "scale of a surface is %g; it must be 1e-9 to 1e9", def->scale);
    }
    if (def->max_nodes < 3 || def->max_nodes > 10000000 || def->max_triangles < 1 || def->max_triangles > 20000000) {
        return cg_error(CG_BAD_INPUT, "max_nodes of a surface must be 3 to 10000000, max_triangles 1 to 20000000");
    }
    if (!cg_memory_is_usable(&def->allocator)) {
        return cg_error(CG_BAD_INPUT, "an allocator needs both functions or none");
    }
    if (size > (size_t)INT32_MAX / 2 || def->beside_size > (size_t)INT32_MAX / 2) {
        return cg_error(CG_BAD_INPUT, "found %zu bytes; expected at most 1 GB", size);
    }
    return cg_ok();
}

cg_status cg_surface_check_def(cg_surface_def *def, const void *bytes, size_t size, cg_scene_error *error)
{
    cg_status status = check_fields(def, size);
    if (status.code == CG_OK && def->format == CG_SURFACE_TOLD &&
        !cg_surface_format_of_bytes(bytes, size, &def->format)) {
        status = cg_error(CG_BAD_INPUT, "found bytes of no known format; expected OBJ, STL, VRML, PLY, Gmsh, VTK, "
                                        "Medit, TetGen, Abaqus or a label map");
    }
    if (status.code != CG_OK) {
        cg_scene_error_at(error, 1, 1, "%s", status.message);
    }
    return status;
}

cg_status cg_surface_read(const void *bytes, size_t size, const char *name, const cg_surface_def *def,
                          cg_surface **surface, cg_scene_error *error)
{
    cg_scene_error local;
    error = error != NULL ? error : &local;
    *error = (cg_scene_error){.line = 1, .column = 1};
    cg_scene_error_file(error, name);
    *surface = NULL;
    cg_surface_def told = *def;
    cg_status status = cg_surface_check_def(&told, bytes, size, error);
    if (status.code != CG_OK) {
        return status;
    }
    cg_surface_draft draft = {.def = &told, .error = error, .side = -1};
    if (read(&draft, bytes, size)) {
        status = finish(&draft, surface);
    } else {
        status.code = draft.is_out_of_memory ? CG_OUT_OF_MEMORY : CG_BAD_INPUT;
    }
    cg_memory_give(&def->allocator, draft.points);
    cg_memory_give(&def->allocator, draft.triangles);
    cg_memory_give(&def->allocator, draft.sides);
    if (status.code != CG_OK) {
        status = cg_error(status.code, "%s:%d:%d: %s", error->file, error->line, error->column, error->message);
    }
    return status;
}

void cg_surface_free(cg_surface *surface)
{
    if (surface != NULL) {
        cg_allocator allocator = surface->allocator;
        cg_memory_give(&allocator, surface->nodes);
        cg_memory_give(&allocator, surface->triangles);
        cg_memory_give(&allocator, surface->sides);
        cg_memory_give(&allocator, surface);
    }
}
