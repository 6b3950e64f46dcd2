// Boxes along the axes: the quick answer to what cannot meet.
#ifndef CATGUT_GEOMETRY_BOX_H
#define CATGUT_GEOMETRY_BOX_H

#include <math.h>

#include "base/vec3.h"

typedef struct cg_box {
    cg_vec3 low, high;
} cg_box;

// Holds nothing, and is far from everything.
static inline cg_box box_of_nothing(void)
{
    return (cg_box){v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
}

static inline void box_take(cg_box *box, cg_vec3 p)
{
    cg_vec3 low = box->low, high = box->high;
    box->low = v3(p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y, p.z < low.z ? p.z : low.z);
    box->high = v3(p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y, p.z > high.z ? p.z : high.z);
}

static inline cg_box box_of(const cg_vec3 *points, int count)
{
    cg_box box = {points[0], points[0]};
    for (int i = 1; i < count; i++) {
        box_take(&box, points[i]);
    }
    return box;
}

// So much larger on every side.
static inline cg_box box_grown(cg_box box, double by)
{
    cg_vec3 more = v3(by, by, by);
    return (cg_box){v3_sub(box.low, more), v3_add(box.high, more)};
}

static inline double box_gap_along(double low_a, double high_a, double low_b, double high_b)
{
    return low_b > high_a ? low_b - high_a : (low_a > high_b ? low_a - high_b : 0);
}

// How far two boxes are apart; 0 when they overlap.
static inline double box_gap(const cg_box *a, const cg_box *b)
{
    return v3_length(v3(box_gap_along(a->low.x, a->high.x, b->low.x, b->high.x),
                        box_gap_along(a->low.y, a->high.y, b->low.y, b->high.y),
                        box_gap_along(a->low.z, a->high.z, b->low.z, b->high.z)));
}

// True when they are farther apart than `distance`.
static inline bool boxes_are_apart(const cg_box *a, const cg_box *b, double distance)
{
    double x = box_gap_along(a->low.x, a->high.x, b->low.x, b->high.x);
    double y = box_gap_along(a->low.y, a->high.y, b->low.y, b->high.y);
    double z = box_gap_along(a->low.z, a->high.z, b->low.z, b->high.z);
    return x * x + y * y + z * z > distance * distance;
}

static inline bool boxes_meet(const cg_box *a, const cg_box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

// The sides of a box that a point lies beyond, a bit for each. What has all of its points beyond one side is apart.
static inline unsigned char box_sides_beyond(const cg_box *box, cg_vec3 p)
{
    return (unsigned char)((p.x > box->high.x) | (p.x < box->low.x) << 1 | (p.y > box->high.y) << 2 |
                           (p.y < box->low.y) << 3 | (p.z > box->high.z) << 4 | (p.z < box->low.z) << 5);
}

// Half the diagonal: no point of the box is farther from its middle.
static inline double box_half_size(const cg_box *box)
{
    return box->low.x <= box->high.x ? 0.5 * v3_distance(box->low, box->high) : 0;
}

#endif
