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

// (1 - t) a + t b, exactly a at 0 and b at 1.
static inline cg_vec3 segment_point(cg_vec3 a, cg_vec3 b, double t)
{
    return t >= 1 ? b : v3_add_scaled(a, t, v3_sub(b, a));
}

#endif
