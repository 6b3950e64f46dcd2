// Closest points of segments and points.
//
// The squared distance of the points a0 + s u and b0 + t v of two segments is a convex function of (s, t) on the unit
// square. With n = u x v and w = b0 - a0 the lines come nearest at
//
//     s = (w x v) . n / |n|^2,        t = (s u - w) . v / |v|^2.
//
// s is clamped to [0, 1] first, t follows from s, and s is taken again from t when t had to be clamped. The cross
// product keeps the digits that |u|^2 |v|^2 - (u . v)^2 loses at small angles (at large ones the cheaper dot products
// do as well): the distance is right to rounding at every angle. When the segments are parallel (|n| below 1e-12 |u|
// |v|) the middle of the part that overlaps is taken; the distance is then right to 1e-12 of the length.
#ifndef CATGUT_GEOMETRY_CLOSEST_H
#define CATGUT_GEOMETRY_CLOSEST_H

#include <math.h>
#include <stdbool.h>

#include "base/vec3.h"

// The closest points of two segments.
typedef struct cg_closest {
    double s, t;             // where they are on the first and on the second segment, in [0, 1]
    double squared_distance; // [m^2]
    cg_vec3 a, b;            // the points themselves [m]; exactly an end of the segment where s or t is 0 or 1
} cg_closest;

// Of segment a0 a1 and segment b0 b1. Any of them may have no length.
cg_closest cg_closest_segments(cg_vec3 a0, cg_vec3 a1, cg_vec3 b0, cg_vec3 b1);

// Where on segment a b, in [0, 1], it comes closest to the point; 0 when it has no length. `closest` may be NULL.
double cg_closest_on_segment(cg_vec3 point, cg_vec3 a, cg_vec3 b, cg_vec3 *closest);

// True when two segments are farther apart than the limit along the line through their middles: a cheap test that
// settles most of what bounding spheres leave over. With m that line (twice its length) and u, v the segments, the
// least distance along it is (m . m - |u . m| - |v . m|) / (2 |m|).
static inline bool are_apart_along_middles(const cg_vec3 p[2], const cg_vec3 q[2], double limit)
{
    cg_vec3 m = v3_sub(v3_add(q[0], q[1]), v3_add(p[0], p[1]));
    double mm = v3_dot(m, m);
    double apart = mm - fabs(v3_dot(v3_sub(p[1], p[0]), m)) - fabs(v3_dot(v3_sub(q[1], q[0]), m));
    // A millionth on top, so that rounding never decides.
    return apart > 0 && apart * apart > 4.00001 * limit * limit * mm && limit > 0;
}

// (1 - t) a + t b, exactly a at 0 and b at 1.
static inline cg_vec3 segment_point(cg_vec3 a, cg_vec3 b, double t)
{
    return t >= 1 ? b : v3_add_scaled(a, t, v3_sub(b, a));
}

#endif
