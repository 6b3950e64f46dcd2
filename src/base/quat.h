// Unit quaternions as rotations. All inline.
//
// q = (axis sin(angle / 2), cos(angle / 2)); q and -q are the same rotation. Functions expect unit length unless they
// say otherwise; quat_multiply keeps it only up to rounding, so a pose that is multiplied in every step is normalised.
#ifndef CATGUT_BASE_QUAT_H
#define CATGUT_BASE_QUAT_H

#include "base/frame.h"
#include "base/mat3.h"
#include "base/trig.h"
#include "base/vec3.h"

static inline cg_quat quat(double x, double y, double z, double w)
{
    return (cg_quat){x, y, z, w};
}

static inline cg_quat quat_identity(void)
{
    return quat(0, 0, 0, 1);
}

static inline double quat_dot(cg_quat a, cg_quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// The opposite rotation.
static inline cg_quat quat_conjugate(cg_quat q)
{
    return quat(-q.x, -q.y, -q.z, q.w);
}

// First b, then a.
static inline cg_quat quat_multiply(cg_quat a, cg_quat b)
{
    return quat(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

// q made unit length; no rotation when q is too short to tell one, or not finite.
static inline cg_quat quat_normalise(cg_quat q)
{
    double length = sqrt(quat_dot(q, q));
    if (!(length > 1e-150 && length < 1e150)) {
        return quat_identity();
    }
    double s = 1 / length;
    return quat(s * q.x, s * q.y, s * q.z, s * q.w);
}

static inline cg_vec3 quat_rotate(cg_quat q, cg_vec3 v)
{
    cg_vec3 axis = v3(q.x, q.y, q.z);
    cg_vec3 twice = v3_scale(2, v3_cross(axis, v));
    return v3_add(v3_add_scaled(v, q.w, twice), v3_cross(axis, twice));
}

// By the opposite rotation.
static inline cg_vec3 quat_rotate_back(cg_quat q, cg_vec3 v)
{
    return quat_rotate(quat_conjugate(q), v);
}

// A turn by `angle` [rad] about a unit axis.
static inline cg_quat quat_from_axis_angle(cg_vec3 axis, double angle)
{
    double sine, cosine;
    cg_sincos(0.5 * angle, &sine, &cosine);
    return quat(sine * axis.x, sine * axis.y, sine * axis.z, cosine);
}

// A turn about a vector by its length [rad].
static inline cg_quat quat_from_vector(cg_vec3 vector)
{
    double angle = v3_length(vector);
    return angle > 1e-9 ? quat_from_axis_angle(v3_scale(1 / angle, vector), angle)
                        : quat_normalise(quat(0.5 * vector.x, 0.5 * vector.y, 0.5 * vector.z, 1));
}

// The smallest rotation from unit vector `from` to unit vector `to`; nearly opposite ones as in parallel_transport.
static inline cg_quat quat_between(cg_vec3 from, cg_vec3 to)
{
    double one_plus_cosine = one_plus_dot(from, to);
    cg_quat before = quat_identity();
    if (one_plus_cosine < CG_NEARLY_OPPOSITE) {
        cg_vec3 axis = v3_any_normal(from);
        before = quat(axis.x, axis.y, axis.z, 0);
        from = v3_neg(from);
        one_plus_cosine = one_plus_dot(from, to);
    }
    cg_vec3 w = v3_cross(from, to);
    return quat_multiply(quat_normalise(quat(w.x, w.y, w.z, one_plus_cosine)), before);
}

// The columns of the matrix are where the axes go.
static inline cg_mat3 quat_to_mat3(cg_quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, yz = q.y * q.z, zx = q.z * q.x;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (cg_mat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (zx + wy)},
                      {2 * (xy + wz), 1 - 2 * (zz + xx), 2 * (yz - wx)},
                      {2 * (zx - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

// The rotation of a matrix with orthonormal columns and determinant 1. Each branch has 4 p q, where p is a part of q
// whose square is at least 1/4, so that no digits are lost; of q and -q it gives the one in which p is positive.
static inline cg_quat quat_from_mat3(cg_mat3 a)
{
    double xx = a.m[0][0], yy = a.m[1][1], zz = a.m[2][2];
    cg_quat q;
    if (xx + yy + zz >= 0) {
        q = quat(a.m[2][1] - a.m[1][2], a.m[0][2] - a.m[2][0], a.m[1][0] - a.m[0][1], 1 + xx + yy + zz);
    } else if (xx >= yy && xx >= zz) {
        q = quat(1 + xx - yy - zz, a.m[0][1] + a.m[1][0], a.m[0][2] + a.m[2][0], a.m[2][1] - a.m[1][2]);
    } else if (yy >= zz) {
        q = quat(a.m[0][1] + a.m[1][0], 1 + yy - zz - xx, a.m[1][2] + a.m[2][1], a.m[0][2] - a.m[2][0]);
    } else {
        q = quat(a.m[0][2] + a.m[2][0], a.m[1][2] + a.m[2][1], 1 + zz - xx - yy, a.m[1][0] - a.m[0][1]);
    }
    return quat_normalise(q);
}

// A turn t is the rotation about t by 2 atan(|t| / 2) (Cayley): nearly t itself while it is small, and no sine is
// needed.
static inline cg_quat quat_from_turn(cg_vec3 turn)
{
    return quat_normalise(quat(0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z, 1));
}

// Between a (share 0) and b (share 1) along the shorter way, at nearly constant speed for nearby rotations.
static inline cg_quat quat_nlerp(cg_quat a, cg_quat b, double share)
{
    double s = quat_dot(a, b) < 0 ? -share : share;
    double r = 1 - share;
    return quat_normalise(quat(r * a.x + s * b.x, r * a.y + s * b.y, r * a.z + s * b.z, r * a.w + s * b.w));
}

#endif
