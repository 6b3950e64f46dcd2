// Which points of the lattice are inside.
//
// On each row of points along each axis faces entered less faces left are counted: every triangle marks the first point
// behind the place where the row's line crosses it, and a sum along the row says inside or not. Whether a line passes a
// triangle is told by its edges alone, by the same formula for both triangles at an edge, so that a line through an
// edge crosses one of them. Where the three counts agree and all three rows end at nothing the answer stands; elsewhere
// the winding number decides.
#include <math.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "fill/fill_parts.h"

struct rows {
    const cg_fill_shape *shape;
    const cg_fill_lattice *lattice;
    int axis, across[2];
    short *counts;
};

static double along(cg_vec3 v, int axis)
{
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

// On which side of the edge from a to b, seen along the axis, a line lies. Both triangles of an edge ask in the same
// order of its ends.
static bool is_left(const struct rows *rows, int a, int b, const double line[2])
{
    bool swapped = a > b;
    cg_vec3 p = rows->shape->points[swapped ? b : a], q = rows->shape->points[swapped ? a : b];
    int u = rows->across[0], w = rows->across[1];
    double side =
        (along(q, u) - along(p, u)) * (line[1] - along(p, w)) - (along(q, w) - along(p, w)) * (line[0] - along(p, u));
    return (side >= 0) != swapped;
}

// The lattice's first and last row over a triangle, along one of the two directions across.
static void rows_over(const struct rows *rows, const int *triangle, int direction, int grid, int *first, int *last)
{
    int axis = rows->across[direction];
    double low = HUGE_VAL, high = -HUGE_VAL, origin = along(rows->lattice->origin, axis);
    for (int k = 0; k < 3; k++) {
        double at = (along(rows->shape->points[triangle[k]], axis) - origin) / rows->lattice->h - 0.5 * grid;
        low = fmin(low, at);
        high = fmax(high, at);
    }
    int most = rows->lattice->n[axis] - 1;
    *first = low <= 0 ? 0 : (low > most ? most + 1 : (int)ceil(low));
    *last = high >= most ? most : (high < 0 ? -1 : (int)floor(high));
}

static void mark(const struct rows *rows, const int *triangle, cg_vec3 normal, int grid, const int at[2])
{
    const cg_fill_lattice *lattice = rows->lattice;
    int axis = rows->axis, u = rows->across[0], w = rows->across[1];
    double line[2] = {along(lattice->origin, u) + (at[0] + 0.5 * grid) * lattice->h,
                      along(lattice->origin, w) + (at[1] + 0.5 * grid) * lattice->h};
    bool left = is_left(rows, triangle[0], triangle[1], line);
    if (is_left(rows, triangle[1], triangle[2], line) != left ||
        is_left(rows, triangle[2], triangle[0], line) != left) {
        return;
    }
    cg_vec3 a = rows->shape->points[triangle[0]];
    double up = along(normal, axis);
    double height =
        along(a, axis) - (along(normal, u) * (line[0] - along(a, u)) + along(normal, w) * (line[1] - along(a, w))) / up;
    double step = ceil((height - along(lattice->origin, axis)) / lattice->h - 0.5 * grid);
    int place[4] = {grid, 0, 0, 0}, most = lattice->n[axis] - 1;
    place[1 + u] = at[0];
    place[1 + w] = at[1];
    place[1 + axis] = step > 0 ? (step < most ? (int)step : most) : 0; // NaN of a triangle on edge: 0
    rows->counts[cg_fill_point(lattice, place)] =
        (short)(rows->counts[cg_fill_point(lattice, place)] + (up < 0 ? 1 : -1));
}

static void mark_triangles(const struct rows *rows)
{
    for (int t = 0; t < rows->shape->triangle_count; t++) {
        const int *triangle = rows->shape->triangles[t];
        cg_vec3 a = rows->shape->points[triangle[0]];
        cg_vec3 normal =
            v3_cross(v3_sub(rows->shape->points[triangle[1]], a), v3_sub(rows->shape->points[triangle[2]], a));
        for (int grid = 0; grid < 2 && along(normal, rows->axis) != 0; grid++) {
            int first[2], last[2], at[2];
            rows_over(rows, triangle, 0, grid, &first[0], &last[0]);
            rows_over(rows, triangle, 1, grid, &first[1], &last[1]);
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                for (at[1] = first[1]; at[1] <= last[1]; at[1]++) {
                    mark(rows, triangle, normal, grid, at);
                }
            }
        }
    }
}

// Sums along the rows; points of a row that does not end at nothing are unsure.
static void sum_rows(const struct rows *rows, signed char *unsure)
{
    const cg_fill_lattice *lattice = rows->lattice;
    const int *n = lattice->n;
    int u = rows->across[0], w = rows->across[1];
    for (int row = 0; row < 2 * n[u] * n[w]; row++) {
        int at[4] = {row / (n[u] * n[w]), 0, 0, 0};
        short sum = 0;
        at[1 + u] = row / n[w] % n[u];
        at[1 + w] = row % n[w];
        for (int step = 0; step < n[rows->axis]; step++) {
            at[1 + rows->axis] = step;
            short *count = &rows->counts[cg_fill_point(lattice, at)];
            sum = (short)(sum + *count);
            *count = sum;
        }
        for (int step = 0; step < n[rows->axis] && sum != 0; step++) {
            at[1 + rows->axis] = step;
            unsure[cg_fill_point(lattice, at)] = 1;
        }
    }
}

static bool is_border(const cg_fill_lattice *lattice, const int at[4])
{
    for (int k = 0; k < 3; k++) {
        if (at[1 + k] == 0 || at[1 + k] == lattice->n[k] - 1) {
            return true;
        }
    }
    return false;
}

static void decide(const cg_fill_tree *tree, cg_fill_lattice *lattice, short *const counts[3],
                   const signed char *unsure)
{
    int at[4], index = 0;
    lattice->undecided = 0;
    for (at[0] = 0; at[0] < 2; at[0]++) {
        for (at[3] = 0; at[3] < lattice->n[2]; at[3]++) {
            for (at[2] = 0; at[2] < lattice->n[1]; at[2]++) {
                for (at[1] = 0; at[1] < lattice->n[0]; at[1]++, index++) {
                    bool agree = unsure[index] == 0 && counts[0][index] == counts[1][index] &&
                                 counts[1][index] == counts[2][index];
                    bool inside =
                        agree ? counts[0][index] != 0 : fabs(cg_fill_winding(tree, cg_fill_place(lattice, at))) > 0.5;
                    lattice->undecided += !agree;
                    lattice->inside[index] = inside && !is_border(lattice, at); // the border is outside of the box
                }
            }
        }
    }
}

bool cg_fill_signs(const cg_fill_tree *tree, cg_fill_lattice *lattice)
{
    const cg_allocator *allocator = tree->shape->allocator;
    size_t count = 2 * (size_t)lattice->n[0] * (size_t)lattice->n[1] * (size_t)lattice->n[2];
    short *counts[3];
    signed char *unsure = cg_memory_take(allocator, count);
    bool has_room = unsure != NULL;
    for (int axis = 0; axis < 3; axis++) {
        counts[axis] = cg_memory_take(allocator, count * sizeof **counts);
        has_room = has_room && counts[axis] != NULL;
    }
    for (int axis = 0; axis < 3 && has_room; axis++) {
        struct rows rows = {tree->shape, lattice, axis, {(axis + 1) % 3, (axis + 2) % 3}, counts[axis]};
        mark_triangles(&rows);
        sum_rows(&rows, unsure);
    }
    if (has_room) {
        decide(tree, lattice, counts, unsure);
    }
    cg_memory_give(allocator, unsure);
    for (int axis = 0; axis < 3; axis++) {
        cg_memory_give(allocator, counts[axis]);
    }
    return has_room;
}
