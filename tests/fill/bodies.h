// Closed surfaces made by code: balls with random bumps, and what can be done to them.
#ifndef CATGUT_TESTS_FILL_BODIES_H
#define CATGUT_TESTS_FILL_BODIES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/surface.h"
#include "harness.h"

typedef struct body {
    cg_vec3 *nodes;
    int (*triangles)[3];
    int node_count, triangle_count;
} body;

static inline void body_free(body *b)
{
    free(b->nodes);
    free(b->triangles);
    *b = (body){0};
}

// As the library sees it. The arrays stay the body's.
static inline cg_surface body_surface(const body *b)
{
    return (cg_surface){
        .nodes = b->nodes, .node_count = b->node_count, .triangles = b->triangles, .triangle_count = b->triangle_count};
}

static inline double body_volume(const body *b)
{
    double six = 0;
    for (int i = 0; i < b->triangle_count; i++) {
        cg_vec3 p = b->nodes[b->triangles[i][0]], q = b->nodes[b->triangles[i][1]], r = b->nodes[b->triangles[i][2]];
        six += p.x * (q.y * r.z - q.z * r.y) + p.y * (q.z * r.x - q.x * r.z) + p.z * (q.x * r.y - q.y * r.x);
    }
    return six / 6;
}

static inline int body_add_node(body *b, double x, double y, double z)
{
    b->nodes[b->node_count] = (cg_vec3){x, y, z};
    return b->node_count++;
}

// Node of place (i, j) of a grid on face `face` of a cube of n steps; nodes of the same place are one.
static inline int body_grid_node(body *b, int n, int face, int i, int j)
{
    int at[3], axis = face / 2;
    at[axis] = face % 2 == 0 ? 0 : n;
    at[(axis + 1) % 3] = i;
    at[(axis + 2) % 3] = j;
    double x = 2.0 * at[0] / n - 1, y = 2.0 * at[1] / n - 1, z = 2.0 * at[2] / n - 1;
    for (int k = 0; k < b->node_count; k++) {
        if (b->nodes[k].x == x && b->nodes[k].y == y && b->nodes[k].z == z) {
            return k;
        }
    }
    return body_add_node(b, x, y, z);
}

// A cube of sides from -1 to 1 with n x n squares a side, each two triangles.
static inline body body_cube(int n)
{
    body b = {0};
    b.nodes = malloc((size_t)(6 * (n + 1) * (n + 1)) * sizeof *b.nodes);
    b.triangles = malloc((size_t)(12 * n * n) * sizeof *b.triangles);
    for (int face = 0; face < 6; face++) {
        for (int i = 0; i < n * n; i++) {
            int u = i % n, v = i / n;
            int p[4] = {body_grid_node(&b, n, face, u, v), body_grid_node(&b, n, face, u + 1, v),
                        body_grid_node(&b, n, face, u + 1, v + 1), body_grid_node(&b, n, face, u, v + 1)};
            int out = face % 2;
            for (int half = 0; half < 2; half++) {
                int *t = b.triangles[b.triangle_count++];
                t[0] = p[0];
                t[out ? 1 : 2] = p[1 + half];
                t[out ? 2 : 1] = p[2 + half];
            }
        }
    }
    return b;
}

// A ball of radius 1 with three random bumps and hollows of some 0.3, stretched along random axes.
static inline body body_blob(int n, uint64_t *random)
{
    body b = body_cube(n);
    double bumps[3][4], stretch[3];
    for (int i = 0; i < 12; i++) {
        bumps[i / 4][i % 4] = test_random(random, -1, 1);
    }
    for (int k = 0; k < 3; k++) {
        stretch[k] = test_random(random, 0.6, 1.4);
    }
    for (int i = 0; i < b.node_count; i++) {
        cg_vec3 *p = &b.nodes[i];
        double length = sqrt(p->x * p->x + p->y * p->y + p->z * p->z), radius = 1;
        cg_vec3 d = {p->x / length, p->y / length, p->z / length};
        for (int k = 0; k < 3; k++) {
            double along = d.x * bumps[k][0] + d.y * bumps[k][1] + d.z * bumps[k][2];
            radius += 0.3 * bumps[k][3] * (1 - 2 * along * along) * along;
        }
        *p = (cg_vec3){stretch[0] * radius * d.x, stretch[1] * radius * d.y, stretch[2] * radius * d.z};
    }
    return b;
}

// Turned by a random rotation, so that nothing lies along the lattice.
static inline void body_turn(body *b, uint64_t *random)
{
    double q[4], length = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = test_random(random, -1, 1);
        length += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++) {
        q[k] /= sqrt(length);
    }
    double w = q[3], x = q[0], y = q[1], z = q[2];
    double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                      {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                      {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < b->node_count; i++) {
        cg_vec3 p = b->nodes[i];
        b->nodes[i] =
            (cg_vec3){m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z, m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z,
                      m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z};
    }
}

static inline void body_scale(body *b, double x, double y, double z)
{
    for (int i = 0; i < b->node_count; i++) {
        b->nodes[i] = (cg_vec3){x * b->nodes[i].x, y * b->nodes[i].y, z * b->nodes[i].z};
    }
}

static inline void body_turn_triangle(int triangle[3])
{
    int swapped = triangle[1];
    triangle[1] = triangle[2];
    triangle[2] = swapped;
}

// Both in one, the second moved and, where asked, turned inside out.
static inline body body_join(const body *a, const body *b, double x, bool turned)
{
    body both = {.node_count = a->node_count + b->node_count, .triangle_count = a->triangle_count + b->triangle_count};
    both.nodes = malloc((size_t)both.node_count * sizeof *both.nodes);
    both.triangles = malloc((size_t)both.triangle_count * sizeof *both.triangles);
    memcpy(both.nodes, a->nodes, (size_t)a->node_count * sizeof *a->nodes);
    memcpy(both.triangles, a->triangles, (size_t)a->triangle_count * sizeof *a->triangles);
    for (int i = 0; i < b->node_count; i++) {
        both.nodes[a->node_count + i] = (cg_vec3){b->nodes[i].x + x, b->nodes[i].y, b->nodes[i].z};
    }
    for (int i = 0; i < b->triangle_count; i++) {
        int *t = both.triangles[a->triangle_count + i];
        for (int k = 0; k < 3; k++) {
            t[k] = b->triangles[i][k] + a->node_count;
        }
        if (turned) {
            body_turn_triangle(t);
        }
    }
    return both;
}

// Ways to spoil a body.
typedef enum body_fault {
    FAULT_REMOVED,
    FAULT_DOUBLED,
    FAULT_TURNED,
    FAULT_MOVED,
    FAULT_WELDED,
    FAULT_COUNT
} body_fault;

// A copy of which a share of the triangles is gone, there twice, turned, apart from its neighbours with corners moved
// by up to 0.004 of its size, or joined to the wrong node of its square.
static inline body body_spoil(const body *b, body_fault fault, double share, uint64_t *random)
{
    body s = {.node_count = b->node_count};
    s.nodes = malloc((size_t)(b->node_count + 3 * b->triangle_count) * sizeof *s.nodes);
    s.triangles = malloc((size_t)(2 * b->triangle_count) * sizeof *s.triangles);
    memcpy(s.nodes, b->nodes, (size_t)b->node_count * sizeof *s.nodes);
    for (int i = 0; i < b->triangle_count; i++) {
        bool is_spoilt = test_random(random, 0, 1) < share;
        int *t = s.triangles[s.triangle_count];
        memcpy(t, b->triangles[i], sizeof *s.triangles);
        s.triangle_count += !(is_spoilt && fault == FAULT_REMOVED);
        if (is_spoilt && fault == FAULT_DOUBLED) {
            memcpy(s.triangles[s.triangle_count++], t, sizeof *s.triangles);
        } else if (is_spoilt && fault == FAULT_TURNED) {
            body_turn_triangle(t);
        } else if (is_spoilt && fault == FAULT_WELDED) {
            const int *other = b->triangles[i ^ 1]; // the other half of its square
            for (int k = 0; k < 3; k++) {
                if (other[k] != t[0] && other[k] != t[1] && other[k] != t[2]) {
                    t[0] = other[k];
                    break;
                }
            }
        } else if (is_spoilt && fault == FAULT_MOVED) {
            for (int k = 0; k < 3; k++) {
                cg_vec3 p = s.nodes[t[k]];
                t[k] =
                    body_add_node(&s, p.x + test_random(random, -0.004, 0.004),
                                  p.y + test_random(random, -0.004, 0.004), p.z + test_random(random, -0.004, 0.004));
            }
        }
    }
    return s;
}

#endif
