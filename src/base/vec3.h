// Vectors of three doubles. All inline; every operation is written so that any compiler rounds alike.
#ifndef CATGUT_BASE_VEC3_H
#define CATGUT_BASE_VEC3_H

#include <math.h>
#include <stdbool.h>

#include "base/exact.h"
#include "catgut/math.h"

static inline cg_vec3 v3(double x, double y, double z)
{
    return (cg_vec3){x, y, z};
}

static inline cg_vec3 v3_zero(void)
{
    return v3(0, 0, 0);
}

static inline cg_vec3 v3_add(cg_vec3 a, cg_vec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline cg_vec3 v3_sub(cg_vec3 a, cg_vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline cg_vec3 v3_scale(double s, cg_vec3 a)
{
    return v3(s * a.x, s * a.y, s * a.z);
}

// a + s b
static inline cg_vec3 v3_add_scaled(cg_vec3 a, double s, cg_vec3 b)
{
    return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline cg_vec3 v3_neg(cg_vec3 a)
{
    return v3(-a.x, -a.y, -a.z);
}

static inline double v3_dot(cg_vec3 a, cg_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline cg_vec3 v3_cross(cg_vec3 a, cg_vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double v3_length(cg_vec3 a)
{
    return sqrt(v3_dot(a, a));
}

static inline double v3_distance(cg_vec3 a, cg_vec3 b)
{
    return v3_length(v3_sub(a, b));
}

static inline bool v3_is_finite(cg_vec3 a)
{
    // x - x is 0 for a finite x and NaN for any other.
    return (a.x - a.x) + (a.y - a.y) + (a.z - a.z) == 0;
}

// a made unit length; `fallback` when a is too short to have a direction.
static inline cg_vec3 v3_unit_or(cg_vec3 a, cg_vec3 fallback)
{
    double length = v3_length(a);
    return length > 1e-150 ? v3_scale(1.0 / length, a) : fallback;
}

// Some unit vector across the unit vector t: the axis that t leans on least, made perpendicular.
static inline cg_vec3 v3_any_normal(cg_vec3 t)
{
    double ax = fabs(t.x), ay = fabs(t.y), az = fabs(t.z);
    cg_vec3 axis = ax <= ay && ax <= az ? v3(1, 0, 0) : (ay <= az ? v3(0, 1, 0) : v3(0, 0, 1));
    return v3_unit_or(v3_add_scaled(axis, -v3_dot(axis, t), t), v3(0, 0, 1));
}

#endif
