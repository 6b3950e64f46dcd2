// The bytes of a difference: place of the tissue (4), version of its topology (8), nodes, triangles (4 each), exponent
// (1), nodes and triangles that differ (4 each); places of those nodes, their homes, places of those triangles, their
// corners, in four planes each; their sides.
#include "record/surface_code.h"

#include <assert.h>
#include <string.h>

#include "geometry/mesh.h"
#include "record/chunk.h"
#include "record/frame_code.h"

enum { FRONT_BYTES = 4 + 8 + 4 + 4 + 1 + 4 + 4, NODE_BYTES = 4 + 12, TRIANGLE_BYTES = 4 + 12 + 1 };

void cg_kept_surface_lay_out(cg_kept_surface *surface, cg_arena *arena, int nodes, int triangles)
{
    assert(nodes >= 0 && triangles >= 0);
    surface->node_room = nodes;
    surface->triangle_room = triangles;
    surface->homes = cg_arena_push_array(arena, int32_t, 3 * (size_t)nodes);
    surface->corners = cg_arena_push_array(arena, int32_t, 3 * (size_t)triangles);
    surface->sides = cg_arena_push_array(arena, unsigned char, triangles);
}

void cg_surface_work_lay_out(cg_surface_work *work, cg_arena *arena, int nodes, int triangles)
{
    assert(nodes >= 0 && triangles >= 0);
    size_t numbers = 3 * (size_t)(nodes > triangles ? nodes : triangles);
    work->numbers = cg_arena_push_array(arena, int32_t, numbers);
    work->places = cg_arena_push_array(arena, int32_t, numbers / 3);
    work->residuals = cg_arena_push_array(arena, uint32_t, numbers);
}

static bool is_same_base(const cg_kept_surface *before, const cg_kept_surface *now)
{
    return before->there && before->exponent == now->exponent;
}

static bool node_differs(const cg_kept_surface *before, const cg_kept_surface *now, int node)
{
    return !is_same_base(before, now) || node >= before->node_count ||
           memcmp(before->homes + 3 * node, now->homes + 3 * node, 3 * sizeof *now->homes) != 0;
}

static bool triangle_differs(const cg_kept_surface *before, const cg_kept_surface *now, int triangle)
{
    return !is_same_base(before, now) || triangle >= before->triangle_count ||
           before->sides[triangle] != now->sides[triangle] ||
           memcmp(before->corners + 3 * triangle, now->corners + 3 * triangle, 3 * sizeof *now->corners) != 0;
}

cg_surface_difference cg_surface_compare(const cg_kept_surface *before, const cg_kept_surface *now)
{
    cg_surface_difference difference = {0, 0};
    for (int i = 0; i < now->node_count; i++) {
        difference.nodes += node_differs(before, now, i);
    }
    for (int i = 0; i < now->triangle_count; i++) {
        difference.triangles += triangle_differs(before, now, i);
    }
    return difference;
}

size_t cg_surface_bytes(cg_surface_difference difference)
{
    return FRONT_BYTES + NODE_BYTES * difference.nodes + TRIANGLE_BYTES * difference.triangles;
}

// Writes the numbers of the work room as planes.
static void put_numbers(cg_byte_sink *sink, const cg_surface_work *work, size_t count)
{
    size_t size = CG_FRAME_PLANES * count;
    if (size > sink->left) {
        sink->good = false;
        return;
    }
    cg_frame_residuals(work->numbers, NULL, count, work->residuals);
    cg_frame_write_planes(work->residuals, count, sink->next, count, CG_FRAME_PLANES);
    sink->next += size;
    sink->left -= size;
}

typedef bool differs(const cg_kept_surface *before, const cg_kept_surface *now, int item);

// The places of what differs, then `values`, three a place.
static void put_differing(cg_byte_sink *sink, const cg_kept_surface *before, const cg_kept_surface *now, int count,
                          const int32_t *values, differs *is_other, const cg_surface_work *work)
{
    size_t found = 0;
    for (int i = 0; i < count; i++) {
        if (is_other(before, now, i)) {
            work->numbers[found++] = i;
        }
    }
    put_numbers(sink, work, found);
    found = 0;
    for (int i = 0; i < count; i++) {
        if (is_other(before, now, i)) {
            memcpy(work->numbers + 3 * found++, values + 3 * i, 3 * sizeof *values);
        }
    }
    put_numbers(sink, work, 3 * found);
}

void cg_surface_put(cg_byte_sink *sink, int place, const cg_kept_surface *before, const cg_kept_surface *now,
                    cg_surface_difference difference, const cg_surface_work *work)
{
    assert(place >= 0 && place < CG_RECORDED_MOST_TISSUES);
    assert(difference.nodes <= (size_t)now->node_count && difference.triangles <= (size_t)now->triangle_count);
    cg_put_u32(sink, (uint32_t)place);
    cg_put_u64(sink, now->version);
    cg_put_u32(sink, (uint32_t)now->node_count);
    cg_put_u32(sink, (uint32_t)now->triangle_count);
    cg_put_u8(sink, (unsigned)(now->exponent & 0xff));
    cg_put_u32(sink, (uint32_t)difference.nodes);
    cg_put_u32(sink, (uint32_t)difference.triangles);
    put_differing(sink, before, now, now->node_count, now->homes, node_differs, work);
    put_differing(sink, before, now, now->triangle_count, now->corners, triangle_differs, work);
    for (int i = 0; i < now->triangle_count; i++) {
        if (triangle_differs(before, now, i)) {
            cg_put_u8(sink, now->sides[i]);
        }
    }
}

bool cg_surface_take_front(cg_byte_source *source, cg_surface_front *front)
{
    uint32_t place = cg_take_u32(source);
    front->version = cg_take_u64(source);
    uint32_t nodes = cg_take_u32(source), triangles = cg_take_u32(source);
    front->exponent = (int)(int8_t)cg_take_u8(source);
    front->difference.nodes = cg_take_u32(source);
    front->difference.triangles = cg_take_u32(source);
    bool good = source->good && place < CG_RECORDED_MOST_TISSUES && nodes <= CG_RECORDED_MOST_VERTICES &&
                triangles <= CG_RECORDED_MOST_TRIANGLES && front->exponent >= CG_FRAME_FINEST &&
                front->exponent <= CG_FRAME_COARSEST && front->difference.nodes <= nodes &&
                front->difference.triangles <= triangles &&
                cg_surface_bytes(front->difference) - FRONT_BYTES <= source->left;
    front->place = good ? (int)place : 0;
    front->node_count = good ? (int)nodes : 0;
    front->triangle_count = good ? (int)triangles : 0;
    return good;
}

static bool goes_on(const cg_surface_front *front, const cg_kept_surface *before)
{
    return before->there && before->exponent == front->exponent;
}

bool cg_surface_has_source(const cg_surface_front *front, const cg_kept_surface *before)
{
    size_t nodes = goes_on(front, before) ? (size_t)before->node_count : 0;
    size_t triangles = goes_on(front, before) ? (size_t)before->triangle_count : 0;
    return (size_t)front->node_count <= nodes + front->difference.nodes &&
           (size_t)front->triangle_count <= triangles + front->difference.triangles;
}

// Reads planes of so many numbers.
static bool take_numbers(cg_byte_source *source, int32_t *numbers, size_t count)
{
    const unsigned char *planes = cg_take_bytes(source, CG_FRAME_PLANES * count);
    if (planes == NULL) {
        return false;
    }
    memset(numbers, 0, count * sizeof *numbers);
    cg_frame_read_planes(numbers, count, planes, count, CG_FRAME_PLANES);
    return true;
}

// Places ascend and are below `count`, and none from `before` on is missing: what is new has no other source.
static bool places_are_good(const int32_t *places, size_t found, int before, int count)
{
    int last = -1, fresh = 0;
    for (size_t i = 0; i < found; i++) {
        if (places[i] <= last || places[i] >= count) {
            return false;
        }
        last = places[i];
        fresh += last >= before;
    }
    return fresh == (count > before ? count - before : 0);
}

// Puts three values at each place that is told; there were `before` of them, there will be `count`.
static bool take_differing(cg_byte_source *source, size_t found, int before, int count, int32_t *values,
                           const cg_surface_work *work)
{
    if (!take_numbers(source, work->places, found) || !places_are_good(work->places, found, before, count) ||
        !take_numbers(source, work->numbers, 3 * found)) {
        return false;
    }
    for (size_t i = 0; i < found; i++) {
        memcpy(values + 3 * work->places[i], work->numbers + 3 * i, 3 * sizeof *values);
    }
    return true;
}

bool cg_surface_has_nodes(const cg_kept_surface *surface)
{
    assert(surface->node_count <= surface->node_room && surface->triangle_count <= surface->triangle_room);
    for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; i++) {
        if (surface->corners[i] < 0 || surface->corners[i] >= surface->node_count) {
            return false;
        }
    }
    return true;
}

bool cg_surface_take(cg_byte_source *source, const cg_surface_front *front, cg_kept_surface *surface,
                     const cg_surface_work *work)
{
    assert(surface->node_room >= front->node_count && surface->triangle_room >= front->triangle_count);
    int nodes = goes_on(front, surface) ? surface->node_count : 0;
    int triangles = goes_on(front, surface) ? surface->triangle_count : 0;
    size_t found = front->difference.triangles;
    surface->there = false;
    if (front->node_count > surface->node_room || front->triangle_count > surface->triangle_room ||
        !take_differing(source, front->difference.nodes, nodes, front->node_count, surface->homes, work) ||
        !take_differing(source, found, triangles, front->triangle_count, surface->corners, work)) {
        return false;
    }
    const unsigned char *sides = cg_take_bytes(source, found);
    bool good = sides != NULL;
    for (size_t i = 0; good && i < found; i++) {
        surface->sides[work->places[i]] = sides[i]; // those of the triangles
        good = sides[i] < CG_SIDE_COUNT;
    }
    surface->version = front->version;
    surface->node_count = front->node_count;
    surface->triangle_count = front->triangle_count;
    surface->exponent = front->exponent;
    surface->there = good;
    return good;
}
