// Rigid shapes at random, and their distance by definition.
#ifndef CATGUT_TESTS_SHAPE_RIG_H
#define CATGUT_TESTS_SHAPE_RIG_H

#include <math.h>

#include "geometry/shape.h"
#include "harness.h"

static inline cg_vec3 random_point(uint64_t *state, double size)
{
    double x = test_random(state, -size, size), y = test_random(state, -size, size);
    return v3(x, y, test_random(state, -size, size));
}

static inline cg_shape random_shape(uint64_t *state, int kind)
{
    double a = test_random(state, 0.2, 1), b = test_random(state, 0.2, 1), c = test_random(state, 0.2, 1);
    switch (kind) {
    case CG_SHAPE_SPHERE:
        return shape_sphere(a);
    case CG_SHAPE_CAPSULE:
        return shape_capsule(a, test_random_int(state, 0, 4) ? b : 0);
    case CG_SHAPE_BOX:
        return shape_box(v3(a, b, c));
    default:
        return shape_half_space();
    }
}

// The definition, in the shape's own axes and written out case by case.
static inline double defined_distance(const cg_shape *shape, cg_vec3 p)
{
    if (shape->kind == CG_SHAPE_HALF_SPACE) {
        return p.z;
    }
    if (shape->kind == CG_SHAPE_SPHERE) {
        return v3_length(p) - shape->radius;
    }
    if (shape->kind == CG_SHAPE_CAPSULE) {
        double z = fmin(fmax(p.z, -shape->half_length), shape->half_length);
        return sqrt(p.x * p.x + p.y * p.y + (p.z - z) * (p.z - z)) - shape->radius;
    }
    double x = fabs(p.x) - shape->half_extents.x, y = fabs(p.y) - shape->half_extents.y;
    double z = fabs(p.z) - shape->half_extents.z, inside = fmax(x, fmax(y, z));
    double ox = fmax(x, 0), oy = fmax(y, 0), oz = fmax(z, 0);
    return inside <= 0 ? inside : sqrt(ox * ox + oy * oy + oz * oz);
}

#endif
