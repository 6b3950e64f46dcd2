// Surfaces for the tests of sphere trees: grids, balls and heaps of triangles that deform, and loops over all triangles
// that find what a query should find.
#ifndef CATGUT_TESTS_COLLIDE_SURFACE_H
#define CATGUT_TESTS_COLLIDE_SURFACE_H

#include <math.h>

#include "base/memory.h"
#include "collide/sphere_tree.h"
#include "geometry/triangle.h"
#include "harness.h"

enum { SURFACE_NODES = 700, SURFACE_TRIANGLES = 1200, SURFACE_FOUND = 40000 };

typedef struct surface {
    cg_vec3 positions[SURFACE_NODES], moves[SURFACE_NODES];
    int corners[SURFACE_TRIANGLES][3];
    int node_count, triangle_count;
} surface;

static inline cg_triangle_source surface_source(const surface *s)
{
    return (cg_triangle_source){s->corners, sizeof s->corners[0], s->triangle_count, s->positions, s->node_count};
}

static inline cg_vec3 random_in_cube(uint64_t *state, double size)
{
    double x = test_random(state, -size, size), y = test_random(state, -size, size);
    return v3(x, y, test_random(state, -size, size));
}

static inline void surface_add(surface *s, int a, int b, int c)
{
    int *corners = s->corners[s->triangle_count++];
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

// n x n squares of side 1 around the origin, each cut in two.
static inline void surface_grid(surface *s, int n)
{
    s->node_count = s->triangle_count = 0;
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= n; j++) {
            s->positions[s->node_count++] = v3(i - 0.5 * n, j - 0.5 * n, 0);
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int at = i * (n + 1) + j;
            surface_add(s, at, at + n + 1, at + n + 2);
            surface_add(s, at, at + n + 2, at + 1);
        }
    }
}

// Triangles of all sizes and places, some of them without area, some sharing nodes.
static inline void surface_heap(surface *s, int triangles, double size, uint64_t *state)
{
    s->node_count = s->triangle_count = 0;
    for (int t = 0; t < triangles; t++) {
        cg_vec3 place = random_in_cube(state, size);
        double scale = pow(10, test_random(state, -3, 0.3));
        int corners[3];
        for (int k = 0; k < 3; k++) {
            bool is_shared = s->node_count > 3 && test_random_int(state, 0, 5) == 0;
            corners[k] = is_shared ? test_random_int(state, 0, s->node_count - 1) : s->node_count;
            if (!is_shared) {
                bool is_equal = test_random_int(state, 0, 30) == 0;
                cg_vec3 away = random_in_cube(state, scale);
                s->positions[s->node_count++] = is_equal ? place : v3_add(place, away);
            }
        }
        surface_add(s, corners[0], corners[1], corners[2]);
    }
}

// A dent or a bump: nodes within `radius` of a node go along a direction, the less the farther they are.
static inline void surface_dent(surface *s, double radius, double depth, uint64_t *state)
{
    if (s->node_count == 0) {
        return;
    }
    cg_vec3 middle = s->positions[test_random_int(state, 0, s->node_count - 1)], way = random_in_cube(state, depth);
    for (int i = 0; i < s->node_count; i++) {
        double away = v3_distance(s->positions[i], middle);
        if (away < radius) {
            s->positions[i] = v3_add_scaled(s->positions[i], 1 / (1 + away), way);
        }
    }
}

static inline void surface_move(surface *s, double common, double own, uint64_t *state)
{
    cg_vec3 together = random_in_cube(state, common);
    for (int i = 0; i < s->node_count; i++) {
        s->moves[i] = v3_add(together, random_in_cube(state, own));
    }
}

// Loops over all triangles

typedef struct expected_list {
    cg_triangle_pair items[SURFACE_FOUND];
    int count;
} expected_list;

static inline void expect(expected_list *list, int a, int b)
{
    if (list->count < SURFACE_FOUND) {
        list->items[list->count++] = (cg_triangle_pair){a, b};
    }
}

static inline void surface_triangle(const surface *s, int t, const cg_transform *pose, cg_vec3 corners[3])
{
    for (int k = 0; k < 3; k++) {
        corners[k] = s->positions[s->corners[t][k]];
        corners[k] = pose ? transform_point(*pose, corners[k]) : corners[k];
    }
}

// How far boxes around three points and some others are apart, along the axis where it is most.
static inline double boxes_apart(const cg_vec3 *a, int count_a, const cg_vec3 *b, int count_b)
{
    double most = -INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double low_a = INFINITY, high_a = -INFINITY, low_b = INFINITY, high_b = -INFINITY;
        for (int i = 0; i < count_a; i++) {
            double p = axis == 0 ? a[i].x : (axis == 1 ? a[i].y : a[i].z);
            low_a = fmin(low_a, p);
            high_a = fmax(high_a, p);
        }
        for (int i = 0; i < count_b; i++) {
            double p = axis == 0 ? b[i].x : (axis == 1 ? b[i].y : b[i].z);
            low_b = fmin(low_b, p);
            high_b = fmax(high_b, p);
        }
        most = fmax(most, fmax(low_b - high_a, low_a - high_b));
    }
    return most;
}

static inline double largest_difference(const cg_vec3 *a, int count_a, const cg_vec3 *b, int count_b)
{
    double largest = 0;
    for (int i = 0; i < count_a; i++) {
        for (int k = 0; k < count_b; k++) {
            largest = fmax(largest, v3_distance(a[i], b[k]));
        }
    }
    return largest;
}

static inline void triangle_moves(const surface *s, int t, bool is_moving, const cg_transform *pose, cg_vec3 moves[3])
{
    for (int k = 0; k < 3; k++) {
        moves[k] = is_moving ? s->moves[s->corners[t][k]] : v3_zero();
        moves[k] = pose ? transform_vector(*pose, moves[k]) : moves[k];
    }
}

static inline bool corners_are_finite(const cg_vec3 corners[3])
{
    return v3_is_finite(corners[0]) && v3_is_finite(corners[1]) && v3_is_finite(corners[2]);
}

static inline bool share_node(const int a[3], const int b[3])
{
    bool shared = false;
    for (int i = 0; i < 9; i++) {
        shared |= a[i / 3] == b[i % 3];
    }
    return shared;
}

// `b` NULL: the surface against itself.
static inline void expect_pairs(const surface *a, const surface *b, const cg_transform *pose, bool is_moving,
                                double margin, expected_list *list)
{
    const surface *other = b ? b : a;
    list->count = 0;
    for (int i = 0; i < a->triangle_count; i++) {
        cg_vec3 p[3], u[3];
        surface_triangle(a, i, NULL, p);
        triangle_moves(a, i, is_moving, NULL, u);
        for (int k = b ? 0 : i + 1; k < other->triangle_count && corners_are_finite(p); k++) {
            cg_vec3 q[3], v[3];
            surface_triangle(other, k, pose, q);
            triangle_moves(other, k, is_moving, pose, v);
            double limit = margin + (is_moving ? largest_difference(u, 3, v, 3) : 0);
            bool is_counted = corners_are_finite(q) && (b || !share_node(a->corners[i], a->corners[k]));
            if (is_counted && !(boxes_apart(p, 3, q, 3) > limit * (1 + 1e-9)) &&
                sqrt(cg_closest_triangles(p, q).squared_distance) <= limit) {
                expect(list, i, k);
            }
        }
    }
}

static inline bool expect_hit(const surface *a, const surface *b, const cg_transform *pose)
{
    for (int i = 0; i < a->triangle_count; i++) {
        cg_vec3 p[3], q[3];
        surface_triangle(a, i, NULL, p);
        for (int k = 0; k < b->triangle_count; k++) {
            surface_triangle(b, k, pose, q);
            if (boxes_apart(p, 3, q, 3) <= 0 && cg_triangles_meet(p, q)) {
                return true;
            }
        }
    }
    return false;
}

static inline void expect_near(const surface *s, const cg_vec3 ends[2], const cg_vec3 moves[2], bool is_moving,
                               double reach, expected_list *list)
{
    list->count = 0;
    for (int i = 0; i < s->triangle_count; i++) {
        cg_vec3 p[3], u[3];
        surface_triangle(s, i, NULL, p);
        triangle_moves(s, i, is_moving, NULL, u);
        double limit = reach + (is_moving ? largest_difference(u, 3, moves, 2) : 0);
        if (corners_are_finite(p) && sqrt(cg_closest_segment_triangle(ends[0], ends[1], p).squared_distance) <= limit) {
            expect(list, i, -1);
        }
    }
}

static inline void expect_in_box(const surface *s, cg_vec3 low, cg_vec3 high, bool is_moving, expected_list *list)
{
    list->count = 0;
    cg_vec3 box[2] = {low, high};
    for (int i = 0; i < s->triangle_count; i++) {
        cg_vec3 p[6], u[3];
        surface_triangle(s, i, NULL, p);
        triangle_moves(s, i, is_moving, NULL, u);
        for (int k = 0; k < 3; k++) {
            p[3 + k] = v3_add(p[k], u[k]);
        }
        if (corners_are_finite(p) && boxes_apart(p, 6, box, 2) <= 0) {
            expect(list, i, -1);
        }
    }
}

// What must hold of a tree between calls, with the numbers of collide/sphere_tree.h.
static inline bool tree_is_sound(const cg_sphere_tree *tree)
{
    int slots = tree->slot_count, filled = 0;
    bool good = CHECK(slots > 0 && (slots & (slots - 1)) == 0 && slots <= tree->slot_capacity);
    for (int slot = 0; slot < slots; slot++) {
        int triangle = tree->triangle_of[slot];
        filled += triangle >= 0;
        good &= triangle < 0 || (triangle < tree->triangle_count && tree->slot_of[triangle] == slot);
        good &= tree->used[slots + slot] == (triangle >= 0);
        const cg_tree_sphere *sphere = &tree->spheres[slots + slot];
        good &= triangle >= 0 || sphere_is_empty(sphere);
        for (int k = 0; k < 3 && triangle >= 0; k++) {
            cg_vec3 corner = tree->fitted[tree->corners[triangle][k]];
            good &= sphere_is_empty(sphere) || v3_distance(corner, sphere->centre) <= sphere->radius;
        }
    }
    good &= filled == tree->triangle_count;
    CHECK(good);
    for (int node = 1; node < slots; node++) {
        const cg_tree_sphere *sphere = &tree->spheres[node];
        good &= tree->used[node] == tree->used[2 * node] + tree->used[2 * node + 1];
        for (int child = 2 * node; child <= 2 * node + 1; child++) {
            const cg_tree_sphere *inner = &tree->spheres[child];
            double room = sphere->radius - inner->radius - v3_distance(sphere->centre, inner->centre);
            good &= sphere_is_empty(inner) || room >= -1e-15 * sphere->radius;
        }
    }
    for (int i = 0; i < 2 * slots; i++) {
        good &= !tree->is_marked[i];
    }
    for (int i = 0; i < tree->node_count && tree->positions; i++) {
        double away = v3_distance(tree->positions[i], tree->fitted[i]);
        good &= tree->first_corner[i] < 0 || !(away > tree->slack);
    }
    return CHECK(good) && good;
}

#endif
