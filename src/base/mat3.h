// 3x3 matrices, row by row. All inline; sums in a fixed order, so that any compiler rounds alike.
#ifndef CATGUT_BASE_MAT3_H
#define CATGUT_BASE_MAT3_H

#include <math.h>
#include <stdbool.h>

#include "base/vec3.h"

typedef struct cg_mat3 {
    double m[3][3]; // m[row][column]
} cg_mat3;

static inline cg_mat3 m3_zero(void)
{
    return (cg_mat3){{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
}

static inline cg_mat3 m3_diagonal(double x, double y, double z)
{
    return (cg_mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

static inline cg_mat3 m3_identity(void)
{
    return m3_diagonal(1, 1, 1);
}

static inline cg_mat3 m3_from_rows(cg_vec3 a, cg_vec3 b, cg_vec3 c)
{
    return (cg_mat3){{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}};
}

static inline cg_mat3 m3_from_columns(cg_vec3 a, cg_vec3 b, cg_vec3 c)
{
    return (cg_mat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

static inline cg_vec3 m3_row(cg_mat3 a, int row)
{
    return v3(a.m[row][0], a.m[row][1], a.m[row][2]);
}

static inline cg_vec3 m3_column(cg_mat3 a, int column)
{
    return v3(a.m[0][column], a.m[1][column], a.m[2][column]);
}

static inline cg_mat3 m3_transpose(cg_mat3 a)
{
    return m3_from_rows(m3_column(a, 0), m3_column(a, 1), m3_column(a, 2));
}

static inline cg_mat3 m3_add(cg_mat3 a, cg_mat3 b)
{
    return m3_from_rows(v3_add(m3_row(a, 0), m3_row(b, 0)), v3_add(m3_row(a, 1), m3_row(b, 1)),
                        v3_add(m3_row(a, 2), m3_row(b, 2)));
}

static inline cg_mat3 m3_sub(cg_mat3 a, cg_mat3 b)
{
    return m3_from_rows(v3_sub(m3_row(a, 0), m3_row(b, 0)), v3_sub(m3_row(a, 1), m3_row(b, 1)),
                        v3_sub(m3_row(a, 2), m3_row(b, 2)));
}

static inline cg_mat3 m3_scale(double s, cg_mat3 a)
{
    return m3_from_rows(v3_scale(s, m3_row(a, 0)), v3_scale(s, m3_row(a, 1)), v3_scale(s, m3_row(a, 2)));
}

// a v
static inline cg_vec3 m3_apply(cg_mat3 a, cg_vec3 v)
{
    return v3(v3_dot(m3_row(a, 0), v), v3_dot(m3_row(a, 1), v), v3_dot(m3_row(a, 2), v));
}

// a^T v
static inline cg_vec3 m3_apply_transposed(cg_mat3 a, cg_vec3 v)
{
    return v3(v3_dot(m3_column(a, 0), v), v3_dot(m3_column(a, 1), v), v3_dot(m3_column(a, 2), v));
}

// a b
static inline cg_mat3 m3_multiply(cg_mat3 a, cg_mat3 b)
{
    return m3_from_columns(m3_apply(a, m3_column(b, 0)), m3_apply(a, m3_column(b, 1)), m3_apply(a, m3_column(b, 2)));
}

// a b^T: the matrix that takes v to a (b . v).
static inline cg_mat3 m3_outer(cg_vec3 a, cg_vec3 b)
{
    return m3_from_rows(v3_scale(a.x, b), v3_scale(a.y, b), v3_scale(a.z, b));
}

// The matrix that takes v to a x v.
static inline cg_mat3 m3_cross(cg_vec3 a)
{
    return (cg_mat3){{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
}

static inline double m3_determinant(cg_mat3 a)
{
    return v3_dot(m3_row(a, 0), v3_cross(m3_row(a, 1), m3_row(a, 2)));
}

// The factors of a symmetric positive definite matrix: L D L^T, L with ones on its diagonal.
typedef struct m3_factors {
    double l10, l20, l21;    // L below its diagonal
    double inverse_pivot[3]; // 1 / D
} m3_factors;

// Factors a symmetric matrix; only its lower triangle is read. False when a pivot is not above zero: then the matrix is
// not positive definite, and the factors are not to be used.
static inline bool m3_factor(cg_mat3 a, m3_factors *factors)
{
    double d0 = a.m[0][0];
    double i0 = 1 / d0;
    double l10 = a.m[1][0] * i0;
    double l20 = a.m[2][0] * i0;
    double d1 = a.m[1][1] - l10 * a.m[1][0];
    double i1 = 1 / d1;
    double u21 = a.m[2][1] - l20 * a.m[1][0];
    double l21 = u21 * i1;
    double d2 = a.m[2][2] - l20 * a.m[2][0] - l21 * u21;
    *factors = (m3_factors){l10, l20, l21, {i0, i1, 1 / d2}};
    return d0 > 0 && d1 > 0 && d2 > 0;
}

// x with a x = b, for the matrix a that was factored.
static inline cg_vec3 m3_solve(const m3_factors *factors, cg_vec3 b)
{
    double y1 = b.y - factors->l10 * b.x;
    double y2 = b.z - factors->l20 * b.x - factors->l21 * y1;
    double z = y2 * factors->inverse_pivot[2];
    double y = y1 * factors->inverse_pivot[1] - factors->l21 * z;
    double x = b.x * factors->inverse_pivot[0] - factors->l10 * y - factors->l20 * z;
    return v3(x, y, z);
}

// The inverse of the matrix that was factored, exactly symmetric: (L^-1)^T D^-1 L^-1.
static inline cg_mat3 m3_inverse_from_factors(const m3_factors *factors)
{
    double k10 = -factors->l10; // L^-1 below its diagonal
    double k21 = -factors->l21;
    double k20 = -factors->l20 - factors->l21 * k10;
    double i0 = factors->inverse_pivot[0], i1 = factors->inverse_pivot[1], i2 = factors->inverse_pivot[2];
    double a00 = i0 + i1 * k10 * k10 + i2 * k20 * k20;
    double a10 = i1 * k10 + i2 * k20 * k21;
    double a20 = i2 * k20;
    double a11 = i1 + i2 * k21 * k21;
    double a21 = i2 * k21;
    return (cg_mat3){{{a00, a10, a20}, {a10, a11, a21}, {a20, a21, i2}}};
}

// The inverse of a symmetric positive definite matrix; false when it is not positive definite.
static inline bool m3_invert(cg_mat3 a, cg_mat3 *inverse)
{
    m3_factors factors;
    bool is_definite = m3_factor(a, &factors);
    *inverse = is_definite ? m3_inverse_from_factors(&factors) : m3_zero();
    return is_definite;
}

// The inverse of any matrix, row by row with the largest pivots; false, and zero, when it has none.
static inline bool m3_invert_any(cg_mat3 a, cg_mat3 *inverse)
{
    cg_mat3 b = m3_diagonal(1, 1, 1);
    bool has_inverse = true;
    for (int p = 0; p < 3 && has_inverse; p++) {
        int best = p;
        for (int r = p + 1; r < 3; r++) {
            best = fabs(a.m[r][p]) > fabs(a.m[best][p]) ? r : best;
        }
        double pivot = a.m[best][p];
        has_inverse = fabs(pivot) > 0 && fabs(pivot) < HUGE_VAL;
        for (int c = 0; c < 3; c++) {
            double of_a = a.m[best][c], of_b = b.m[best][c];
            a.m[best][c] = a.m[p][c];
            b.m[best][c] = b.m[p][c];
            a.m[p][c] = of_a / pivot;
            b.m[p][c] = of_b / pivot;
        }
        for (int r = 0; r < 3; r++) {
            double by = r == p ? 0 : a.m[r][p];
            for (int c = 0; c < 3; c++) {
                a.m[r][c] -= by * a.m[p][c];
                b.m[r][c] -= by * b.m[p][c];
            }
        }
    }
    *inverse = has_inverse ? b : m3_zero();
    return has_inverse;
}

#endif
