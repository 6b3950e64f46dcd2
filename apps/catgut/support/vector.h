// Vector arithmetic for the program; the library keeps its own to itself.
#ifndef CATGUT_SUPPORT_VECTOR_H
#define CATGUT_SUPPORT_VECTOR_H

#include <math.h>

#include "catgut/math.h"

static inline cg_vec3 vec(double x, double y, double z)
{
    return (cg_vec3){x, y, z};
}

static inline cg_vec3 vec_add(cg_vec3 a, cg_vec3 b)
{
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline cg_vec3 vec_sub(cg_vec3 a, cg_vec3 b)
{
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline cg_vec3 vec_scale(double s, cg_vec3 a)
{
    return vec(s * a.x, s * a.y, s * a.z);
}

static inline double vec_dot(cg_vec3 a, cg_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline cg_vec3 vec_cross(cg_vec3 a, cg_vec3 b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vec_length(cg_vec3 a)
{
    return sqrt(vec_dot(a, a));
}

static inline double vec_distance(cg_vec3 a, cg_vec3 b)
{
    return vec_length(vec_sub(a, b));
}

// Length 1; the zero vector stays zero.
static inline cg_vec3 vec_unit(cg_vec3 a)
{
    double length = vec_length(a);
    return length > 0 ? vec_scale(1 / length, a) : a;
}

#endif
