// The bending of one joint: a spring between the tangents on its two sides.
//
//     E = k/4 ( |b1 - A|^2 + |b0 - C|^2 ),   k = EI / joint length
//
// b0, b1 are the tangents. A is where b1 would be without load, as seen from segment 0: a vector that is carried along
// when segment 0 turns; C is where b0 would be, as seen from segment 1. A naturally straight joint has A = b0 and C =
// b1, and E = k/2 |b1 - b0|^2.
//
// The gradient is exact. The second derivative comes in two forms. Cautious, it is that of a sum of squares with the
// squares' curvature left out (Gauss-Newton): symmetric, and never negative, so a joint cannot push a step away from
// where it is. Exact, it is the true one of a naturally straight joint, E = const - k b0.b1: Newton's method converges
// quadratically with it, where the whole matrix is positive.
#ifndef CATGUT_THREAD_BEND_H
#define CATGUT_THREAD_BEND_H

#include <stdbool.h>

#include "base/vec3.h"

// One side of a joint.
typedef struct bend_side {
    cg_vec3 tangent; // unit length
    double inverse;  // derivative of the tangent by the segment, across it
    double firmness; // below 1 for a collapsed segment, whose tangent fades
} bend_side;

// Gradient and second derivative by the two segment vectors, before and after the joint.
typedef struct bend_response {
    cg_vec3 gradient0, gradient1;
    double h00[6], h11[6]; // xx xy xz yy yz zz
    double h10[9];         // rows: segment 1, columns: segment 0
} bend_response;

static inline cg_vec3 bend_soft_tangent(bend_side side)
{
    return v3_scale(side.firmness, side.tangent);
}

// What of a change of the segment changes the tangent's length stays without effect, unless the segment has collapsed.
static inline double bend_projection(bend_side side)
{
    return side.firmness < 1.0 ? 0.0 : 1.0;
}

// v less its part along t, times the inverse length: the transposed derivative of the tangent.
static inline cg_vec3 bend_pull_back(bend_side side, cg_vec3 v)
{
    return v3_scale(side.inverse, v3_add_scaled(v, -bend_projection(side) * v3_dot(side.tangent, v), side.tangent));
}

// k (I - p t t^T)
static inline void bend_projector(double k, double p, cg_vec3 t, double out[6])
{
    cg_vec3 s = v3_scale(-k * p, t);
    out[0] = k + s.x * t.x;
    out[1] = s.x * t.y;
    out[2] = s.x * t.z;
    out[3] = k + s.y * t.y;
    out[4] = s.y * t.z;
    out[5] = k + s.z * t.z;
}

static inline double bend_energy_straight(double k, bend_side s0, bend_side s1)
{
    cg_vec3 r = v3_sub(bend_soft_tangent(s1), bend_soft_tangent(s0));
    return 0.5 * k * v3_dot(r, r);
}

static inline double bend_energy(double k, bend_side s0, bend_side s1, cg_vec3 ahead, cg_vec3 behind)
{
    cg_vec3 ra = v3_sub(bend_soft_tangent(s1), ahead), rb = v3_sub(bend_soft_tangent(s0), behind);
    return 0.25 * k * (v3_dot(ra, ra) + v3_dot(rb, rb));
}

// The second derivative of -k t.other by the segment of t, over the square of its length:
//
//     k ( c (1 - t t^T) + t a^T + a t^T ),   c = t.other,   a = other - c t
static inline void bend_curvature(double k, cg_vec3 t, cg_vec3 other, double out[6])
{
    double c = v3_dot(t, other);
    cg_vec3 a = v3_scale(k, v3_add_scaled(other, -1.5 * c, t)); // half of - c t t^T in each of the two products
    out[0] = k * c + 2 * a.x * t.x;
    out[1] = a.x * t.y + a.y * t.x;
    out[2] = a.x * t.z + a.z * t.x;
    out[3] = k * c + 2 * a.y * t.y;
    out[4] = a.y * t.z + a.z * t.y;
    out[5] = k * c + 2 * a.z * t.z;
}

// The second derivative of a spring between the tangent of a side and another vector, by the segment of the side.
static inline void bend_own_derivative(double k, bend_side side, cg_vec3 other, bool exact, double out[6])
{
    double scaled = k * side.inverse * side.inverse;
    if (exact && bend_projection(side) == 1.0) {
        bend_curvature(scaled, side.tangent, other, out);
    } else {
        bend_projector(scaled, bend_projection(side), side.tangent, out);
    }
}

// The naturally straight joint, which nearly every joint is.
static inline bend_response bend_straight(double k, bend_side s0, bend_side s1, bool exact)
{
    bend_response out;
    cg_vec3 t0 = s0.tangent, t1 = s1.tangent;
    cg_vec3 r = v3_sub(bend_soft_tangent(s1), bend_soft_tangent(s0));
    double p0 = bend_projection(s0), p1 = bend_projection(s1);
    out.gradient0 = v3_scale(-k, bend_pull_back(s0, r));
    out.gradient1 = v3_scale(k, bend_pull_back(s1, r));
    bend_own_derivative(k, s0, bend_soft_tangent(s1), exact, out.h00);
    bend_own_derivative(k, s1, bend_soft_tangent(s0), exact, out.h11);
    // -k/(l0 l1) P1 P0, with P1 P0 = 1 - p1 t1 t1^T - (p0 t0 - p1 p0 (t1.t0) t1) t0^T
    double c = -k * s0.inverse * s1.inverse;
    cg_vec3 left1 = v3_scale(-c * p1, t1);
    cg_vec3 left0 = v3_scale(-c * p0, v3_add_scaled(t0, -p1 * v3_dot(t1, t0), t1));
    out.h10[0] = c + left1.x * t1.x + left0.x * t0.x;
    out.h10[1] = left1.x * t1.y + left0.x * t0.y;
    out.h10[2] = left1.x * t1.z + left0.x * t0.z;
    out.h10[3] = left1.y * t1.x + left0.y * t0.x;
    out.h10[4] = c + left1.y * t1.y + left0.y * t0.y;
    out.h10[5] = left1.y * t1.z + left0.y * t0.z;
    out.h10[6] = left1.z * t1.x + left0.z * t0.x;
    out.h10[7] = left1.z * t1.y + left0.z * t0.y;
    out.h10[8] = c + left1.z * t1.z + left0.z * t0.z;
    return out;
}

// The joint with a target on each side: a curved rest shape, or the start of the step for damping.
bend_response cg_bend_with_targets(double k, bend_side s0, bend_side s1, cg_vec3 ahead, cg_vec3 behind);

#endif
