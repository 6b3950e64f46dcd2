// Closest points of a point, a segment or a triangle and a triangle, and whether two triangles have a point in common.
//
// A triangle is three corners, a point of it three weights that are at least 0 and sum to 1. Over its longest side s,
// from corner b, stands the height h = a - l s with a the way from b to the third corner and l = a . s / |s|^2. The
// foot of a point b + x on the plane has the weights
//
//     third corner  y = x . h / |h|^2,       end of s  x . s / |s|^2 - l y,       b  1 less both.
//
// All three at least 0: the foot is the closest point. Otherwise it lies on an edge that the point is outside of (a
// weight below 0), because the straight way to it does not cross the triangle. A segment comes closest to a triangle at
// one of its ends or at an edge, or it crosses; a triangle comes closest to another at a corner or an edge, or it
// crosses.
//
// s and h are at right angles however thin the triangle is, so the foot is in its place to rounding of |s|; a height
// below 1e-13 |s| counts as none, and only the edges are looked at. So every triangle has its answer, down to three
// equal corners, and the distance is right to 1e-12 of the lengths involved. A capsule is a segment and a radius: its
// distance is that of the segment less the radius.
#ifndef CATGUT_GEOMETRY_TRIANGLE_H
#define CATGUT_GEOMETRY_TRIANGLE_H

#include "base/vec3.h"

// The closest points of something (a point, a segment, a triangle) and a triangle. Where several places are equally
// near, the first of a fixed order is taken.
typedef struct cg_triangle_closest {
    double squared_distance; // [m^2] 0 where they cross
    cg_vec3 point;           // [m] on the first thing
    cg_vec3 on_triangle;     // [m] on the triangle (the second one)
    double weights[3];       // of the corners of that triangle
    double t;                // where on the segment, in [0, 1]; 0 for a point or a triangle
    double own_weights[3];   // of the corners of the first triangle; 0 for a point or a segment
} cg_triangle_closest;

cg_triangle_closest cg_closest_point_triangle(cg_vec3 point, const cg_vec3 triangle[3]);

// Of segment a b, which may have no length.
cg_triangle_closest cg_closest_segment_triangle(cg_vec3 a, cg_vec3 b, const cg_vec3 triangle[3]);

cg_triangle_closest cg_closest_triangles(const cg_vec3 first[3], const cg_vec3 second[3]);

// True when a plane between the two shows that they are farther apart than `limit` [m], at least 0: quick, and never
// wrong when it says so. False says nothing.
bool cg_triangles_are_apart(const cg_vec3 first[3], const cg_vec3 second[3], double limit);

// True when they have a point in common: crossing, touching, overlapping in one plane. By signs of determinants without
// tolerances, so exact where the determinants are (corners on a grid of up to 17 bits), and otherwise right but for
// triangles that miss or meet each other by rounding.
bool cg_triangles_meet(const cg_vec3 first[3], const cg_vec3 second[3]);

// The point of the triangle with these weights.
static inline cg_vec3 triangle_point(const cg_vec3 triangle[3], const double weights[3])
{
    cg_vec3 sum = v3_scale(weights[0], triangle[0]);
    sum = v3_add_scaled(sum, weights[1], triangle[1]);
    return v3_add_scaled(sum, weights[2], triangle[2]);
}

// Twice the area times the unit normal.
static inline cg_vec3 triangle_normal(const cg_vec3 triangle[3])
{
    return v3_cross(v3_sub(triangle[1], triangle[0]), v3_sub(triangle[2], triangle[0]));
}

#endif
