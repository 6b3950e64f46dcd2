// What readers of volumes gather.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "mesh_files/volume_parts.h"

// Coordinates beyond this [m] are a mistake, and their products would not fit.
#define LARGEST_COORDINATE 1e6

bool cg_volume_grow(cg_volume_draft *draft, void **items, size_t size, int count, int *room, int most)
{
    int wanted = *room < 64 ? 64 : (*room > most / 2 ? most : 2 * *room);
    if (!cg_memory_grow(&draft->def->allocator, items, (size_t)count * size, (size_t)wanted * size)) {
        draft->is_out_of_memory = true;
        return cg_scene_error_at(draft->error, 1, 1, "no memory for %d items of a mesh", wanted);
    }
    *room = wanted;
    return true;
}

void cg_volume_draft_clear(cg_volume_draft *draft)
{
    const cg_allocator *allocator = &draft->def->allocator;
    cg_memory_give(allocator, draft->points);
    cg_memory_give(allocator, draft->numbers.keys);
    cg_memory_give(allocator, draft->numbers.values);
    cg_memory_give(allocator, draft->cells);
    cg_memory_give(allocator, draft->regions);
    cg_memory_give(allocator, draft->triangles);
}

bool cg_volume_add_point(cg_volume_draft *draft, cg_vec3 point, cg_file_place place)
{
    cg_vec3 p = v3_scale(draft->def->scale, point);
    if (!(fabs(p.x) <= LARGEST_COORDINATE && fabs(p.y) <= LARGEST_COORDINATE && fabs(p.z) <= LARGEST_COORDINATE)) {
        return cg_scene_error_at(draft->error, place.line, place.column,
                                 "found a point at (%g, %g, %g) m; expected numbers up to %g", p.x, p.y, p.z,
                                 LARGEST_COORDINATE);
    }
    int most = draft->def->max_nodes;
    if (draft->point_count == most) {
        return cg_scene_error_at(draft->error, place.line, place.column, "found more than %d points; expected fewer",
                                 most);
    }
    if (draft->point_count == draft->point_room &&
        !cg_volume_grow(draft, (void **)&draft->points, sizeof *draft->points, draft->point_count, &draft->point_room,
                        most)) {
        return false;
    }
    draft->points[draft->point_count++] = v3_add(p, v3_zero()); // -0 becomes 0
    return true;
}

// --- numbers of points ---

static size_t slot_of(const cg_number_table *table, int64_t key)
{
    cg_hash hash = cg_hash_begin();
    cg_hash_add_u64(&hash, (uint64_t)key);
    size_t at = (size_t)cg_hash_end(&hash) & (table->room - 1);
    while (table->values[at] != 0 && table->keys[at] != key) {
        at = (at + 1) & (table->room - 1);
    }
    return at;
}

static bool grow_table(cg_volume_draft *draft)
{
    const cg_allocator *allocator = &draft->def->allocator;
    cg_number_table *old = &draft->numbers, larger = {.room = old->room == 0 ? 256 : 2 * old->room};
    larger.keys = cg_memory_take(allocator, larger.room * sizeof *larger.keys);
    larger.values = cg_memory_take(allocator, larger.room * sizeof *larger.values);
    if (larger.keys == NULL || larger.values == NULL) {
        cg_memory_give(allocator, larger.keys);
        cg_memory_give(allocator, larger.values);
        draft->is_out_of_memory = true;
        return cg_scene_error_at(draft->error, 1, 1, "no memory for the numbers of points");
    }
    for (size_t i = 0; i < old->room; i++) {
        if (old->values[i] != 0) {
            size_t at = slot_of(&larger, old->keys[i]);
            larger.keys[at] = old->keys[i];
            larger.values[at] = old->values[i];
        }
    }
    larger.count = old->count;
    cg_memory_give(allocator, old->keys);
    cg_memory_give(allocator, old->values);
    *old = larger;
    return true;
}

bool cg_volume_add_numbered(cg_volume_draft *draft, int64_t number, cg_vec3 point, cg_file_place place)
{
    cg_number_table *table = &draft->numbers;
    if (2 * (table->count + 1) > table->room && !grow_table(draft)) {
        return false;
    }
    size_t at = slot_of(table, number);
    if (table->values[at] != 0) {
        return cg_scene_error_at(draft->error, place.line, place.column,
                                 "found node %lld a second time; expected each number once", (long long)number);
    }
    if (!cg_volume_add_point(draft, point, place)) {
        return false;
    }
    table->keys[at] = number;
    table->values[at] = draft->point_count;
    table->count++;
    return true;
}

bool cg_volume_find_point(cg_volume_draft *draft, int64_t number, cg_file_place place, int *point)
{
    size_t at = draft->numbers.room > 0 ? slot_of(&draft->numbers, number) : 0;
    if (draft->numbers.room == 0 || draft->numbers.values[at] == 0) {
        return cg_scene_error_at(draft->error, place.line, place.column,
                                 "found node %lld; expected the number of one of the %d nodes before",
                                 (long long)number, draft->point_count);
    }
    *point = draft->numbers.values[at] - 1;
    return true;
}

// --- cells and triangles ---

bool cg_volume_expect(cg_volume_draft *draft, int64_t count, int64_t least_bytes, size_t left, const char *what,
                      cg_file_place place)
{
    int64_t most = (int64_t)(left / (size_t)least_bytes);
    if (count < 0 || count > most) {
        return cg_scene_error_at(draft->error, place.line, place.column,
                                 "found %lld %s announced; expected 0 to %lld, what the rest of the file can hold",
                                 (long long)count, what, (long long)most);
    }
    return true;
}

bool cg_volume_add_cell(cg_volume_draft *draft, const int points[4], int region)
{
    int most = draft->def->max_triangles;
    if (draft->cell_count == most) {
        return cg_scene_error_at(draft->error, 1, 1, "found more than %d cells; expected fewer", most);
    }
    if (draft->cell_count == draft->cell_room) {
        int room = draft->cell_room;
        if (!cg_volume_grow(draft, (void **)&draft->regions, sizeof *draft->regions, draft->cell_count, &room, most) ||
            !cg_volume_grow(draft, (void **)&draft->cells, sizeof *draft->cells, draft->cell_count, &draft->cell_room,
                            most)) {
            return false;
        }
    }
    memcpy(draft->cells[draft->cell_count], points, sizeof *draft->cells);
    draft->regions[draft->cell_count++] = region;
    return true;
}

bool cg_volume_add_polygon(cg_volume_draft *draft, const int *points, int count, cg_file_place place)
{
    int most = draft->def->max_triangles;
    if (count < 3) {
        draft->other_items++;
        return true;
    }
    if (count > CG_SURFACE_CORNERS) {
        return cg_scene_error_at(draft->error, place.line, place.column,
                                 "found a polygon of %d corners; expected at most %d", count, CG_SURFACE_CORNERS);
    }
    if (draft->triangle_count + count - 2 > most) {
        return cg_scene_error_at(draft->error, place.line, place.column, "found more than %d triangles; expected fewer",
                                 most);
    }
    while (draft->triangle_count + count - 2 > draft->triangle_room) {
        if (!cg_volume_grow(draft, (void **)&draft->triangles, sizeof *draft->triangles, draft->triangle_count,
                            &draft->triangle_room, most)) {
            return false;
        }
    }
    int order[CG_SURFACE_CORNERS];
    memcpy(order, points, (size_t)count * sizeof *order);
    cg_surface_cut_ears(draft->points, order, count, draft->triangles + draft->triangle_count);
    draft->triangle_count += count - 2;
    return true;
}
