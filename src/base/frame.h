// Carrying directions along a curve: the smallest rotation between two directions, and the angle about an axis.
//
// The smallest rotation from unit vector f to unit vector t turns about w = f x t. With d = f . t it takes v to
//     v + w x v + w x (w x v) / (1 + d),
// without trigonometry, and leaves v as it is, to the bit, when f = t. Directions of a thread differ little from one
// step to the next and from one segment to its neighbour, so 1 + d is near 2. It is computed as |f + t|^2 / 2, because
// the sum of two nearly opposite vectors keeps the digits that 1 + d has lost. When the directions are opposite there
// is no smallest rotation; then, and when 1 + d < 1e-9, the rotation is defined as a half-turn about
// v3_any_normal(f), which takes f to -f, and then the smallest rotation from -f to t.
#ifndef CATGUT_BASE_FRAME_H
#define CATGUT_BASE_FRAME_H

#include "base/trig.h"
#include "base/vec3.h"

#define CG_NEARLY_OPPOSITE 1e-9

// 1 + from . to for unit vectors.
static inline double one_plus_dot(cg_vec3 from, cg_vec3 to)
{
    cg_vec3 sum = v3_add(from, to);
    return 0.5 * v3_dot(sum, sum);
}

// v turned by half a turn about a unit axis.
static inline cg_vec3 half_turn(cg_vec3 v, cg_vec3 axis)
{
    return v3_sub(v3_scale(2 * v3_dot(axis, v), axis), v);
}

// v turned by the smallest rotation from unit vector `from` to unit vector `to`.
static inline cg_vec3 parallel_transport(cg_vec3 v, cg_vec3 from, cg_vec3 to)
{
    double denominator = one_plus_dot(from, to);
    if (denominator < CG_NEARLY_OPPOSITE) {
        v = half_turn(v, v3_any_normal(from));
        from = v3_neg(from);
        denominator = one_plus_dot(from, to);
    }
    cg_vec3 w = v3_cross(from, to);
    cg_vec3 once = v3_cross(w, v);
    cg_vec3 twice = v3_cross(w, once);
    return v3_add(v, v3_add_scaled(once, 1 / denominator, twice));
}

// The angle in (-pi, pi] by which `from` must be turned about the unit vector `axis` to point like `to`, both
// perpendicular to the axis and of any length; positive by the right-hand rule. 0 when one of them is zero.
static inline double signed_angle(cg_vec3 from, cg_vec3 to, cg_vec3 axis)
{
    double angle = cg_atan2(v3_dot(v3_cross(from, to), axis), v3_dot(from, to));
    return angle > -CG_PI ? angle : CG_PI;
}

#endif
