// Rigid convex shapes, and how far a point, a segment or a triangle is from their surface.
//
// A shape stands in its own axes; a pose puts it into the world:
//   sphere      about the origin
//   capsule     all points within `radius` of the piece of the z axis from -half_length to half_length
//   half space  all points with z <= 0; its surface looks towards +z
//   box         |x|, |y|, |z| up to the half extents
//
// The signed distance f of a point (positive outside, negative inside) to a convex shape is a convex function, so along
// a segment it has one smallest value, and for the outward normal n there
//     f(x) >= f(x0) + n . (x - x0)        for every point x:
// what collide/safe_motion.c builds on.
#ifndef CATGUT_GEOMETRY_SHAPE_H
#define CATGUT_GEOMETRY_SHAPE_H

#include "base/transform.h"
#include "catgut/shape.h"
#include "catgut/status.h"

static inline cg_shape shape_sphere(double radius)
{
    return (cg_shape){CG_SHAPE_SPHERE, radius, 0, {0, 0, 0}};
}

static inline cg_shape shape_capsule(double radius, double half_length)
{
    return (cg_shape){CG_SHAPE_CAPSULE, radius, half_length, {0, 0, 0}};
}

static inline cg_shape shape_half_space(void)
{
    return (cg_shape){CG_SHAPE_HALF_SPACE, 0, 0, {0, 0, 0}};
}

static inline cg_shape shape_box(cg_vec3 half_extents)
{
    return (cg_shape){CG_SHAPE_BOX, 0, 0, half_extents};
}

// shape_check.c
// CG_BAD_INPUT with a sentence when there can be no such shape, or no such pose.
cg_status cg_shape_check(const cg_shape *shape);
cg_status cg_shape_check_pose(const cg_transform *pose);
// [m] From the origin of its axes to its farthest point; infinite for a half space.
double cg_shape_size(const cg_shape *shape);

// Where a point or a segment is nearest to the surface, or deepest inside.
typedef struct cg_shape_distance {
    double distance; // [m] signed: negative inside
    double t;        // where on the segment, in [0, 1]; 0 for a point
    cg_vec3 point;   // [m] that point
    cg_vec3 surface; // [m] the point of the surface: point - distance * normal
    cg_vec3 normal;  // unit, outward
} cg_shape_distance;

// Of a point of the world to the shape in its pose.
cg_shape_distance cg_shape_distance_point(const cg_shape *shape, const cg_transform *pose, cg_vec3 point);

// Of the segment a b, which may have no length: the place with the smallest signed distance. Where a whole piece of the
// segment is equally near, the middle of the piece.
cg_shape_distance cg_shape_distance_segment(const cg_shape *shape, const cg_transform *pose, cg_vec3 a, cg_vec3 b);

// The same in the shape's own axes.
cg_shape_distance cg_shape_local_distance_point(const cg_shape *shape, cg_vec3 point);
cg_shape_distance cg_shape_local_distance_segment(const cg_shape *shape, cg_vec3 a, cg_vec3 b);

// Where a triangle is nearest, or deepest inside.
typedef struct cg_shape_triangle {
    cg_shape_distance nearest; // t is 0
    double weights[3];         // of the corners: where the point is
} cg_shape_triangle;

// Of a triangle, which may have no area: the place with the smallest signed distance. Where several are equally near,
// one of them. A triangle through the centre of a sphere or the axis of a capsule is left across itself.
cg_shape_triangle cg_shape_distance_triangle(const cg_shape *shape, const cg_transform *pose,
                                             const cg_vec3 triangle[3]);
cg_shape_triangle cg_shape_local_distance_triangle(const cg_shape *shape, const cg_vec3 triangle[3]);

#endif
