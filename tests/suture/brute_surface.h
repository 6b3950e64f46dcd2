// Where a place is, by looking at every triangle of a surface.
#ifndef CATGUT_TESTS_SUTURE_BRUTE_SURFACE_H
#define CATGUT_TESTS_SUTURE_BRUTE_SURFACE_H

#include <math.h>

#include "base/vec3.h"
#include "geometry/mesh.h"
#include "geometry/triangle.h"

static inline void corners_of(const cg_mesh *mesh, int triangle, cg_vec3 corners[3])
{
    for (int k = 0; k < 3; k++) {
        corners[k] = mesh->position[mesh->triangles[triangle].nodes[k]];
    }
}

// How often a ray from a place crosses the surface: an odd number inside. `way` should be along nothing.
static inline int count_crossings(const cg_mesh *mesh, cg_vec3 place, cg_vec3 way)
{
    int count = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        cg_vec3 p[3];
        corners_of(mesh, t, p);
        cg_vec3 a = v3_sub(p[0], place), b = v3_sub(p[1], place), c = v3_sub(p[2], place), normal = triangle_normal(p);
        double u = v3_dot(way, v3_cross(a, b)), v = v3_dot(way, v3_cross(b, c)), w = v3_dot(way, v3_cross(c, a));
        bool passes = (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
        count += passes && (v3_dot(way, normal) > 0) == (v3_dot(a, normal) > 0);
    }
    return count;
}

// [m] To the nearest place of the surface.
static inline double distance_to_surface(const cg_mesh *mesh, cg_vec3 place)
{
    double least = INFINITY;
    for (int t = 0; t < mesh->triangle_count; t++) {
        cg_vec3 p[3];
        corners_of(mesh, t, p);
        least = fmin(least, cg_closest_point_triangle(place, p).squared_distance);
    }
    return sqrt(least);
}

#endif
