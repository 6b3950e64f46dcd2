// A surface put right before it is filled.
//
// Triangles that are there twice: of those that are seen from the same side one stays, those seen from both sides
// cancel each other. Then neighbours over edges of exactly two triangles are turned to be seen from the same side:
// triangles that agree are a patch, the largest patch of a part stays, and every other one is turned where most of its
// edges say so. A part that is closed, or nearly (fewer open edges than half of its edges), has a volume with a sign:
// where the largest part is inside out all are turned; then a part that is inside out is turned, unless it is a cavity,
// with its points inside the others.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "fill/fill_parts.h"

struct key {
    int nodes[3];
    int triangle;
    bool is_odd; // the order of nodes is an odd one of the triangle's
};

struct edge {
    int low, high;
    int triangle, side;
};

struct part {
    double volume;
    int triangles, flips, open_edges, edges;
    int first; // a triangle of it
};

// Triangles that agree: a run of the queue.
struct patch {
    int from, count;
    bool is_queued, is_placed, flips;
};

struct rank {
    int count, patch;
};

struct work {
    cg_fill_shape *shape;
    int (*neighbours)[3]; // triangle over each edge; -1: none, or not one alone
    int *part_of, *patch_of, *queue, *patch_queue;
    struct patch *patches;
    struct rank *ranks;
    struct part *parts;
    int queued, patch_count, part_count;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    for (int k = 0; k < 3; k++) {
        if (x->nodes[k] != y->nodes[k]) {
            return x->nodes[k] < y->nodes[k] ? -1 : 1;
        }
    }
    return x->triangle < y->triangle ? -1 : 1;
}

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->low != y->low) {
        return x->low < y->low ? -1 : 1;
    }
    if (x->high != y->high) {
        return x->high < y->high ? -1 : 1;
    }
    return x->triangle != y->triangle ? (x->triangle < y->triangle ? -1 : 1) : x->side - y->side;
}

static struct key key_of(const int triangle[3], int index)
{
    struct key key = {.nodes = {triangle[0], triangle[1], triangle[2]}, .triangle = index};
    for (int pass = 0; pass < 3; pass++) {
        int k = pass % 2;
        if (key.nodes[k] > key.nodes[k + 1]) {
            int swapped = key.nodes[k];
            key.nodes[k] = key.nodes[k + 1];
            key.nodes[k + 1] = swapped;
            key.is_odd = !key.is_odd;
        }
    }
    return key;
}

// Of each run of the same three nodes one triangle stays, or none.
static bool drop_doubled(cg_fill_shape *shape)
{
    int count = shape->triangle_count, kept = 0;
    struct key *keys = cg_memory_take(shape->allocator, (size_t)count * sizeof *keys);
    bool *stays = cg_memory_take(shape->allocator, (size_t)count * sizeof *stays);
    bool has_room = keys != NULL && stays != NULL;
    for (int i = 0; has_room && i < count; i++) {
        keys[i] = key_of(shape->triangles[i], i);
    }
    if (has_room) {
        qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    }
    for (int at = 0, end; has_room && at < count; at = end) {
        int net = 0, from[2] = {-1, -1};
        for (end = at; end < count && memcmp(keys[end].nodes, keys[at].nodes, sizeof keys[at].nodes) == 0; end++) {
            int odd = keys[end].is_odd;
            net += odd ? -1 : 1;
            from[odd] = from[odd] < 0 ? keys[end].triangle : from[odd];
        }
        if (net != 0) {
            stays[from[net < 0]] = true;
        }
    }
    for (int i = 0; has_room && i < count; i++) {
        if (stays[i]) {
            memmove(shape->triangles[kept++], shape->triangles[i], sizeof shape->triangles[i]);
        }
    }
    if (has_room) {
        shape->doubled = count - kept;
        shape->triangle_count = kept;
    }
    cg_memory_give(shape->allocator, keys);
    cg_memory_give(shape->allocator, stays);
    return has_room;
}

static bool find_neighbours(struct work *w)
{
    cg_fill_shape *shape = w->shape;
    int count = 3 * shape->triangle_count;
    struct edge *edges = cg_memory_take(shape->allocator, (size_t)count * sizeof *edges);
    if (edges == NULL) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        int a = shape->triangles[i / 3][i % 3], b = shape->triangles[i / 3][(i + 1) % 3];
        edges[i] = (struct edge){a < b ? a : b, a < b ? b : a, i / 3, i % 3};
        w->neighbours[i / 3][i % 3] = -1;
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int at = 0, end; at < count; at = end) {
        for (end = at + 1; end < count && edges[end].low == edges[at].low && edges[end].high == edges[at].high; end++) {
        }
        if (end - at == 2) {
            w->neighbours[edges[at].triangle][edges[at].side] = edges[at + 1].triangle;
            w->neighbours[edges[at + 1].triangle][edges[at + 1].side] = edges[at].triangle;
        } else {
            shape->open_edges++;
        }
    }
    cg_memory_give(shape->allocator, edges);
    return true;
}

// Whether two triangles pass their common edge in the same direction: then one of them is turned.
static bool is_turned(const int a[3], int side, const int b[3])
{
    for (int k = 0; k < 3; k++) {
        if (b[k] == a[side] && b[(k + 1) % 3] == a[(side + 1) % 3]) {
            return true;
        }
    }
    return false;
}

// Triangles that agree with their neighbours are a patch: what one wrong pair at an edge says counts little against it.
static void walk_patch(struct work *w, int start)
{
    struct patch *patch = &w->patches[w->patch_count];
    *patch = (struct patch){.from = w->queued};
    w->queue[w->queued++] = start;
    w->patch_of[start] = w->patch_count;
    for (int at = patch->from; at < w->queued; at++) {
        int t = w->queue[at];
        for (int side = 0; side < 3; side++) {
            int other = w->neighbours[t][side];
            if (other >= 0 && w->patch_of[other] < 0 &&
                !is_turned(w->shape->triangles[t], side, w->shape->triangles[other])) {
                w->patch_of[other] = w->patch_count;
                w->queue[w->queued++] = other;
            }
        }
    }
    patch->count = w->queued - patch->from;
    w->patch_count++;
}

static int compare_patches(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    return x->count != y->count ? (x->count > y->count ? -1 : 1) : (x->patch < y->patch ? -1 : 1);
}

// Whether most edges to patches that are placed say that this one is turned; notes patches that touch it.
static bool vote(struct work *w, struct patch *patch, int *queued)
{
    int votes = 0;
    for (int at = patch->from; at < patch->from + patch->count; at++) {
        int t = w->queue[at];
        for (int side = 0; side < 3; side++) {
            int other = w->neighbours[t][side];
            struct patch *next = other < 0 ? NULL : &w->patches[w->patch_of[other]];
            if (next == NULL || next == patch) {
                continue;
            }
            if (next->is_placed) {
                bool turned = is_turned(w->shape->triangles[t], side, w->shape->triangles[other]);
                votes += turned != next->flips ? 1 : -1;
            } else if (!next->is_queued) {
                next->is_queued = true;
                w->patch_queue[(*queued)++] = w->patch_of[other];
            }
        }
    }
    return votes > 0;
}

// All patches that are reached from one, the largest of them.
static void walk_part(struct work *w, int start)
{
    struct part *part = &w->parts[w->part_count];
    int queued = 0;
    *part = (struct part){.first = w->queue[w->patches[start].from]};
    w->patch_queue[queued++] = start;
    w->patches[start].is_queued = true;
    for (int next = 0; next < queued; next++) {
        struct patch *patch = &w->patches[w->patch_queue[next]];
        patch->flips = vote(w, patch, &queued);
        patch->is_placed = true;
        part->triangles += patch->count;
        part->flips += patch->flips ? patch->count : 0;
        for (int at = patch->from; at < patch->from + patch->count; at++) {
            int t = w->queue[at];
            w->part_of[t] = w->part_count;
            for (int side = 0; side < 3; side++) {
                part->edges++;
                part->open_edges += w->neighbours[t][side] < 0;
            }
        }
    }
    bool inverts = 2 * part->flips > part->triangles; // most stay as they are
    for (int next = 0; next < queued; next++) {
        struct patch *patch = &w->patches[w->patch_queue[next]];
        patch->flips = patch->flips != inverts;
    }
    w->shape->turned += inverts ? part->triangles - part->flips : part->flips;
    w->part_count++;
}

static void turn(int triangle[3])
{
    int swapped = triangle[1];
    triangle[1] = triangle[2];
    triangle[2] = swapped;
}

static void find_parts(struct work *w)
{
    int count = w->shape->triangle_count;
    for (int t = 0; t < count; t++) {
        w->patch_of[t] = -1;
    }
    for (int t = 0; t < count; t++) {
        if (w->patch_of[t] < 0) {
            walk_patch(w, t);
        }
    }
    for (int patch = 0; patch < w->patch_count; patch++) {
        w->ranks[patch] = (struct rank){w->patches[patch].count, patch};
    }
    qsort(w->ranks, (size_t)w->patch_count, sizeof *w->ranks, compare_patches);
    for (int i = 0; i < w->patch_count; i++) {
        if (!w->patches[w->ranks[i].patch].is_placed) {
            walk_part(w, w->ranks[i].patch);
        }
    }
    for (int t = 0; t < count; t++) {
        if (w->patches[w->patch_of[t]].flips) {
            turn(w->shape->triangles[t]);
        }
    }
}

static bool is_closed(const struct part *part)
{
    return 2 * part->open_edges < part->edges;
}

// About a point of the part: an open part has a volume too, of what its edge and that point close.
static void measure_parts(struct work *w)
{
    const cg_fill_shape *shape = w->shape;
    for (int t = 0; t < shape->triangle_count; t++) {
        struct part *part = &w->parts[w->part_of[t]];
        cg_vec3 o = shape->points[shape->triangles[part->first][0]];
        const int *n = shape->triangles[t];
        cg_vec3 a = v3_sub(shape->points[n[0]], o), b = v3_sub(shape->points[n[1]], o),
                c = v3_sub(shape->points[n[2]], o);
        part->volume += v3_dot(a, v3_cross(b, c)) / 6;
    }
}

// Whether the first point of a part is inside the closed parts that are larger.
static bool is_cavity(const struct work *w, int part)
{
    const cg_fill_shape *shape = w->shape;
    cg_vec3 p = shape->points[shape->triangles[w->parts[part].first][0]];
    double winding = 0;
    for (int t = 0; t < shape->triangle_count; t++) {
        const struct part *other = &w->parts[w->part_of[t]];
        if (w->part_of[t] != part && is_closed(other) && fabs(other->volume) > fabs(w->parts[part].volume)) {
            const int *n = shape->triangles[t];
            winding += cg_fill_solid_angle(p, shape->points[n[0]], shape->points[n[1]], shape->points[n[2]]);
        }
    }
    return winding > 0.5;
}

static void turn_parts(struct work *w)
{
    cg_fill_shape *shape = w->shape;
    int largest = -1;
    for (int part = 0; part < w->part_count; part++) {
        if (is_closed(&w->parts[part]) &&
            (largest < 0 || fabs(w->parts[part].volume) > fabs(w->parts[largest].volume))) {
            largest = part;
        }
    }
    bool all = largest >= 0 && w->parts[largest].volume < 0;
    for (int t = 0; all && t < shape->triangle_count; t++) {
        turn(shape->triangles[t]);
    }
    for (int part = 0; part < w->part_count; part++) {
        struct part *item = &w->parts[part];
        item->volume = all ? -item->volume : item->volume;
    }
    for (int part = 0; part < w->part_count; part++) {
        const struct part *item = &w->parts[part];
        bool cavity = is_closed(item) && item->volume < 0 && is_cavity(w, part);
        shape->solids += is_closed(item) && !cavity;
        bool turns = is_closed(item) && item->volume < 0 && !cavity;
        shape->turned_parts += turns != (all && is_closed(item));
        for (int t = 0; turns && t < shape->triangle_count; t++) {
            if (w->part_of[t] == part) {
                turn(shape->triangles[t]);
            }
        }
    }
}

static void measure(cg_fill_shape *shape)
{
    shape->low = v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    shape->high = v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    cg_vec3 o = shape->triangle_count > 0 ? shape->points[shape->triangles[0][0]] : v3_zero();
    for (int t = 0; t < shape->triangle_count; t++) {
        cg_vec3 p[3];
        for (int k = 0; k < 3; k++) {
            cg_vec3 at = shape->points[shape->triangles[t][k]];
            shape->low = v3(fmin(shape->low.x, at.x), fmin(shape->low.y, at.y), fmin(shape->low.z, at.z));
            shape->high = v3(fmax(shape->high.x, at.x), fmax(shape->high.y, at.y), fmax(shape->high.z, at.z));
            p[k] = v3_sub(at, o);
        }
        shape->volume += v3_dot(p[0], v3_cross(p[1], p[2])) / 6;
        shape->area += 0.5 * v3_length(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
    }
}

void cg_fill_shape_clear(cg_fill_shape *shape)
{
    cg_memory_give(shape->allocator, shape->points);
    cg_memory_give(shape->allocator, shape->triangles);
    shape->points = NULL;
    shape->triangles = NULL;
}

static bool put_right(cg_fill_shape *shape)
{
    size_t count = (size_t)shape->triangle_count;
    struct work w = {.shape = shape};
    w.neighbours = cg_memory_take(shape->allocator, count * sizeof *w.neighbours);
    w.part_of = cg_memory_take(shape->allocator, count * sizeof *w.part_of);
    w.patch_of = cg_memory_take(shape->allocator, count * sizeof *w.patch_of);
    w.queue = cg_memory_take(shape->allocator, count * sizeof *w.queue);
    w.patch_queue = cg_memory_take(shape->allocator, count * sizeof *w.patch_queue);
    w.patches = cg_memory_take(shape->allocator, count * sizeof *w.patches);
    w.ranks = cg_memory_take(shape->allocator, count * sizeof *w.ranks);
    w.parts = cg_memory_take(shape->allocator, count * sizeof *w.parts);
    bool has_room = w.neighbours != NULL && w.part_of != NULL && w.patch_of != NULL && w.queue != NULL &&
                    w.patch_queue != NULL && w.patches != NULL && w.ranks != NULL && w.parts != NULL &&
                    find_neighbours(&w);
    if (has_room) {
        find_parts(&w);
        measure_parts(&w);
        turn_parts(&w);
    }
    cg_memory_give(shape->allocator, w.neighbours);
    cg_memory_give(shape->allocator, w.part_of);
    cg_memory_give(shape->allocator, w.patch_of);
    cg_memory_give(shape->allocator, w.queue);
    cg_memory_give(shape->allocator, w.patch_queue);
    cg_memory_give(shape->allocator, w.patches);
    cg_memory_give(shape->allocator, w.ranks);
    cg_memory_give(shape->allocator, w.parts);
    return has_room;
}

bool cg_fill_clean(const cg_surface *surface, const cg_allocator *allocator, cg_fill_shape *shape)
{
    *shape = (cg_fill_shape){
        .allocator = allocator, .point_count = surface->node_count, .triangle_count = surface->triangle_count};
    shape->points = cg_memory_take(allocator, (size_t)surface->node_count * sizeof *shape->points);
    shape->triangles = cg_memory_take(allocator, (size_t)surface->triangle_count * sizeof *shape->triangles);
    bool has_room = shape->points != NULL && shape->triangles != NULL;
    if (has_room) {
        memcpy(shape->points, surface->nodes, (size_t)surface->node_count * sizeof *shape->points);
        memcpy(shape->triangles, surface->triangles, (size_t)surface->triangle_count * sizeof *shape->triangles);
        has_room = drop_doubled(shape) && put_right(shape);
    }
    if (has_room) {
        measure(shape);
    } else {
        cg_fill_shape_clear(shape);
    }
    return has_room;
}
