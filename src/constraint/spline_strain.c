#include "constraint/spline_strain.h"

// (a^T b + b^T a), a symmetric matrix.
static cg_mat3 both_outer(cg_vec3 a, cg_vec3 b)
{
    return m3_add(m3_outer(a, b), m3_outer(b, a));
}

// I - t t^T
static cg_mat3 across(cg_vec3 t)
{
    return m3_sub(m3_identity(), m3_outer(t, t));
}

cg_strain cg_strain_stretch(double stretch, double length, double weight, cg_vec3 a)
{
    double speed = v3_length(a), strain = speed / length - 1;
    cg_vec3 t = v3_scale(1 / speed, a);
    double k = stretch * weight;
    cg_strain out = {.energy = 0.5 * k * length * strain * strain, .by_a = v3_scale(k * strain, t)};
    out.by_aa = m3_add(m3_scale(k / length, m3_outer(t, t)), m3_scale(k * strain / speed, across(t)));
    return out;
}

// With W = |a x b|^2 = A B - C^2, A = a.a, B = b.b, C = a.b, the energy is k W / A^3.
cg_strain cg_strain_bend(double bend, double length, double weight, cg_vec3 a, cg_vec3 b)
{
    cg_vec3 across_both = v3_cross(a, b);
    double w = v3_dot(across_both, across_both);
    double aa = v3_dot(a, a), bb = v3_dot(b, b), ab = v3_dot(a, b);
    double k = 0.5 * bend * length * weight, k3 = k / (aa * aa * aa), k4 = k3 / aa, k5 = k4 / aa;
    cg_vec3 w_a = v3_scale(2, v3_add_scaled(v3_scale(bb, a), -ab, b));
    cg_vec3 w_b = v3_scale(2, v3_add_scaled(v3_scale(aa, b), -ab, a));
    cg_strain out = {.energy = k3 * w};
    out.by_a = v3_add_scaled(v3_scale(k3, w_a), -6 * k4 * w, a);
    out.by_b = v3_scale(k3, w_b);
    cg_mat3 w_aa = m3_sub(m3_diagonal(2 * bb, 2 * bb, 2 * bb), m3_scale(2, m3_outer(b, b)));
    out.by_aa = m3_add(m3_scale(k3, w_aa), m3_scale(-6 * k4, both_outer(w_a, a)));
    out.by_aa = m3_add(out.by_aa, m3_diagonal(-6 * k4 * w, -6 * k4 * w, -6 * k4 * w));
    out.by_aa = m3_add(out.by_aa, m3_scale(48 * k5 * w, m3_outer(a, a)));
    cg_mat3 w_ab = m3_sub(m3_scale(4, m3_outer(a, b)), m3_scale(2, m3_outer(b, a)));
    w_ab = m3_sub(w_ab, m3_diagonal(2 * ab, 2 * ab, 2 * ab));
    out.by_ab = m3_sub(m3_scale(k3, w_ab), m3_scale(6 * k4, m3_outer(a, w_b)));
    out.by_bb = m3_scale(k3, m3_sub(m3_diagonal(2 * aa, 2 * aa, 2 * aa), m3_scale(2, m3_outer(a, a))));
    return out;
}

// m - m0 = P / D + Q / (L D) with L = |a|, D = L + t0 . a, P = a . (t0 x t0'), Q = a . (t0 x b): the formula of
// spline_thread.h times |a|, where t' = (b - t (t . b)) / L and (t x t0) . t = 0.
cg_strain cg_strain_frame_twist(const cg_spline_frame *frame, cg_vec3 a, cg_vec3 b)
{
    cg_vec3 t0 = frame->tangent, p_a = v3_cross(t0, frame->turn), q_a = v3_cross(t0, b), q_b = v3_cross(a, t0);
    double speed = v3_length(a), d = speed + v3_dot(t0, a), p = v3_dot(p_a, a), q = v3_dot(q_a, a);
    cg_vec3 t = v3_scale(1 / speed, a), d_a = v3_add(t, t0);
    cg_mat3 flat = across(t);
    // r = 1 / D and s = 1 / (L D), with gradients and second derivatives
    double r = 1 / d, s = 1 / (speed * d);
    cg_vec3 ld_a = v3_add_scaled(v3_scale(d, t), speed, d_a);
    cg_mat3 ld_aa = m3_add(m3_scale(d / speed + 1, flat), both_outer(t, d_a));
    cg_vec3 r_a = v3_scale(-r * r, d_a), s_a = v3_scale(-s * s, ld_a);
    cg_mat3 r_aa = m3_sub(m3_scale(2 * r * r * r, m3_outer(d_a, d_a)), m3_scale(r * r / speed, flat));
    cg_mat3 s_aa = m3_sub(m3_scale(2 * s * s * s, m3_outer(ld_a, ld_a)), m3_scale(s * s, ld_aa));
    cg_strain out = {.energy = frame->twist + p * r + q * s};
    out.by_a = v3_add(v3_add_scaled(v3_scale(r, p_a), p, r_a), v3_add_scaled(v3_scale(s, q_a), q, s_a));
    out.by_b = v3_scale(s, q_b);
    out.by_aa =
        m3_add(m3_add(both_outer(p_a, r_a), m3_scale(p, r_aa)), m3_add(both_outer(q_a, s_a), m3_scale(q, s_aa)));
    out.by_ab = m3_add(m3_scale(s, m3_cross(t0)), m3_outer(s_a, q_b));
    return out;
}

cg_spline_frame cg_strain_carry(const cg_spline_frame *frame, cg_vec3 a, cg_vec3 b)
{
    double speed = v3_length(a);
    cg_vec3 t = v3_scale(1 / speed, a);
    cg_vec3 turn = v3_scale(1 / speed, v3_add_scaled(b, -v3_dot(b, t), t));
    return (cg_spline_frame){.tangent = t, .turn = turn, .twist = cg_strain_frame_twist(frame, a, b).energy};
}
