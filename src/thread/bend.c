#include "thread/bend.h"

#include <string.h>

#include "thread/thread.h"

// Derivative of a target by the tangent that carries it: a vector v that turns with t, without spinning about t,
// changes by (v.t) dt - (v_across . dt) t.
static void carried_derivative(cg_vec3 target, cg_vec3 t, double out[3][3])
{
    double along = v3_dot(target, t);
    cg_vec3 across = v3_add_scaled(target, -along, t);
    const double *a = (const double *)&across, *b = (const double *)&t;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[r][c] = (r == c ? along : 0.0) - b[r] * a[c];
        }
    }
}

// Derivative of the tangent by its segment.
static void tangent_derivative(bend_side side, double out[3][3])
{
    const double *t = (const double *)&side.tangent;
    double p = bend_projection(side);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[r][c] = side.inverse * ((r == c ? 1.0 : 0.0) - p * t[r] * t[c]);
        }
    }
}

// Derivative of the direction of the segment, which targets follow: unlike the tangent it does not fade with the
// length. Below a hundredth of the rest length it is bounded; the targets of such a segment mean nothing any more.
static void direction_derivative(bend_side side, double out[3][3])
{
    double shortest = 0.01 / CG_COLLAPSED_SHARE;
    double scale = 1.0 / (side.firmness > shortest ? side.firmness : shortest);
    bend_side firm = {side.tangent, side.inverse * scale, 1.0};
    tangent_derivative(firm, out);
}

static void multiply(double a[3][3], double b[3][3], double out[3][3])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c];
        }
    }
}

// out += scale a^T b
static void add_transposed_product(double scale, double a[3][3], double b[3][3], double out[3][3])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[r][c] += scale * (a[0][r] * b[0][c] + a[1][r] * b[1][c] + a[2][r] * b[2][c]);
        }
    }
}

static cg_vec3 apply_transposed(double a[3][3], cg_vec3 v)
{
    return v3(a[0][0] * v.x + a[1][0] * v.y + a[2][0] * v.z, a[0][1] * v.x + a[1][1] * v.y + a[2][1] * v.z,
              a[0][2] * v.x + a[1][2] * v.y + a[2][2] * v.z);
}

static void symmetric_of(double m[3][3], double out[6])
{
    double values[6] = {m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2]};
    memcpy(out, values, sizeof values);
}

bend_response cg_bend_with_targets(double k, bend_side s0, bend_side s1, cg_vec3 ahead, cg_vec3 behind)
{
    bend_response out;
    double d0[3][3], d1[3][3], w0[3][3], w1[3][3], turn0[3][3], turn1[3][3], carried0[3][3], carried1[3][3];
    tangent_derivative(s0, d0);
    tangent_derivative(s1, d1);
    carried_derivative(ahead, s0.tangent, w0);
    carried_derivative(behind, s1.tangent, w1);
    direction_derivative(s0, turn0);
    direction_derivative(s1, turn1);
    multiply(w0, turn0, carried0);
    multiply(w1, turn1, carried1);
    cg_vec3 ra = v3_sub(bend_soft_tangent(s1), ahead), rb = v3_sub(bend_soft_tangent(s0), behind);
    double half = 0.5 * k;
    out.gradient0 = v3_scale(half, v3_sub(apply_transposed(d0, rb), apply_transposed(carried0, ra)));
    out.gradient1 = v3_scale(half, v3_sub(apply_transposed(d1, ra), apply_transposed(carried1, rb)));
    double h00[3][3] = {{0}}, h11[3][3] = {{0}}, h10[3][3] = {{0}};
    add_transposed_product(half, d0, d0, h00);
    add_transposed_product(half, carried0, carried0, h00);
    add_transposed_product(half, d1, d1, h11);
    add_transposed_product(half, carried1, carried1, h11);
    add_transposed_product(-half, d1, carried0, h10);
    add_transposed_product(-half, carried1, d0, h10);
    symmetric_of(h00, out.h00);
    symmetric_of(h11, out.h11);
    memcpy(out.h10, h10, sizeof out.h10);
    return out;
}
