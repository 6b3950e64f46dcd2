#include "solve/dense.h"

#include <math.h>
#include <stddef.h>

#include "linalg/lanes.h"
#include "linalg/wide.h"

CG_WIDE_BODY double *row_at(double *matrix, int stride, int row)
{
    return matrix + (size_t)row * (size_t)stride;
}

double cg_dense_dot(int count, const double *x, const double *y)
{
    lanes even = lanes_both(0), odd = lanes_both(0);
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        even += PAIR(x + i) * PAIR(y + i);
        odd += PAIR(x + i + 2) * PAIR(y + i + 2);
    }
    double rest = 0;
    for (; i < count; i++) {
        rest += x[i] * y[i];
    }
    lanes both = even + odd;
    return (both[0] + both[1]) + rest;
}

CG_WIDE_BODY void add(int count, double *y, double a, const double *x)
{
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        QUAD_OUT(y + i) += a * QUAD(x + i);
    }
    for (; i < count; i++) {
        y[i] += a * x[i];
    }
}
CG_WIDE_CHOOSE(, cg_dense_add, add, (int count, double *y, double a, const double *x), (count, y, a, x))

CG_WIDE_BODY void add_three(int count, double *y, double a, double b, double c, const double *x, int stride)
{
    const double *x1 = x + stride, *x2 = x1 + stride, *ahead = x2 + stride;
    int i = 0;
    // Sweeps come to the three rows that follow next: too short for a cache to foresee, so they are fetched meanwhile.
    for (; i + 8 <= count; i += 8) {
        __builtin_prefetch(ahead + i);
        __builtin_prefetch(ahead + stride + i);
        __builtin_prefetch(ahead + 2 * stride + i);
        QUAD_OUT(y + i) += a * QUAD(x + i) + (b * QUAD(x1 + i) + c * QUAD(x2 + i));
        QUAD_OUT(y + i + 4) += a * QUAD(x + i + 4) + (b * QUAD(x1 + i + 4) + c * QUAD(x2 + i + 4));
    }
    for (; i + 4 <= count; i += 4) {
        QUAD_OUT(y + i) += a * QUAD(x + i) + (b * QUAD(x1 + i) + c * QUAD(x2 + i));
    }
    for (; i < count; i++) {
        y[i] += a * x[i] + (b * x1[i] + c * x2[i]);
    }
}
CG_WIDE_CHOOSE(, cg_dense_add_three, add_three,
               (int count, double *y, double a, double b, double c, const double *x, int stride),
               (count, y, a, b, c, x, stride))

// y -= a x. Here and below `from` and `to` are multiples of four.
CG_WIDE_BODY void subtract_one(int from, int to, double *y, double a, const double *x)
{
    for (int i = from; i < to; i += 4) {
        QUAD_OUT(y + i) -= a * QUAD(x + i);
    }
}

// y -= a[0] x0 + a[1] x1 + a[2] x2 + a[3] x3: four eliminations in one pass over the row.
CG_WIDE_BODY void subtract_four(int from, int to, double *y, const double a[4], const double *x, int stride)
{
    const double *x1 = x + stride, *x2 = x1 + stride, *x3 = x2 + stride;
    double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    for (int i = from; i < to; i += 4) {
        QUAD_OUT(y + i) -= (a0 * QUAD(x + i) + a1 * QUAD(x1 + i)) + (a2 * QUAD(x2 + i) + a3 * QUAD(x3 + i));
    }
}

// The same for the row y and the one that follows it, with shares b: the rows x are loaded once for both.
CG_WIDE_BODY void subtract_four_twice(int from, int to, double *y, const double a[4], const double b[4],
                                      const double *x, int stride)
{
    const double *x1 = x + stride, *x2 = x1 + stride, *x3 = x2 + stride;
    double *z = y + stride;
    double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
    for (int i = from; i < to; i += 4) {
        quad p = QUAD(x + i), q = QUAD(x1 + i), r = QUAD(x2 + i), s = QUAD(x3 + i);
        QUAD_OUT(y + i) -= (a0 * p + a1 * q) + (a2 * r + a3 * s);
        QUAD_OUT(z + i) -= (b0 * p + b1 * q) + (b2 * r + b3 * s);
    }
}

// How much of each of the `block` pivot rows, from column k on, is to be taken from a row.
CG_WIDE_BODY void find_shares(const double *row, const double *pivots, int stride, int k, int block,
                              const double inverse[4], double share[4])
{
    for (int b = 0; b < block; b++) {
        double left = row[k + b];
        for (int before = 0; before < b; before++) {
            left -= share[before] * pivots[before * stride + k + b];
        }
        share[b] = left * inverse[b];
    }
}

// Eliminates the pivots k to k + 3 from all rows below them, which keep their shares.
CG_WIDE_BODY void eliminate_below(double *matrix, int stride, int rows, int end, int k, const double inverse[4])
{
    const double *pivots = row_at(matrix, stride, k);
    double share[4], next_share[4];
    int i = k + 4;
    for (; i + 1 < rows; i += 2) {
        double *row = row_at(matrix, stride, i), *next = row + stride;
        find_shares(row, pivots, stride, k, 4, inverse, share);
        find_shares(next, pivots, stride, k, 4, inverse, next_share);
        subtract_four_twice(k + 4, end, row, share, next_share, pivots, stride);
        QUAD_OUT(row + k) = QUAD(share);
        QUAD_OUT(next + k) = QUAD(next_share);
    }
    if (i < rows) {
        double *row = row_at(matrix, stride, i);
        find_shares(row, pivots, stride, k, 4, inverse, share);
        subtract_four(k + 4, end, row, share, pivots, stride);
        QUAD_OUT(row + k) = QUAD(share);
    }
}

// Takes the pivot rows k to k + b - 1 from row k + b, which keeps its shares. Left of the pivots of a row there are its
// own shares, so what they do there is written over.
CG_WIDE_BODY void eliminate_before(double *pivots, int stride, int end, int k, int b, const double inverse[4])
{
    double *row = pivots + b * stride, share[4];
    for (int before = 0; before < b; before++) {
        share[before] = row[k + before] * inverse[before];
        subtract_one(k, end, row, share[before], pivots + before * stride);
    }
    for (int before = 0; before < b; before++) {
        row[k + before] = share[before];
    }
}

CG_WIDE_BODY bool eliminate(double *matrix, int stride, int rows, int columns, int pivot_count, double smallest,
                            bool either_sign)
{
    int end = cg_dense_stride(columns);
    for (int k = 0; k < pivot_count; k += 4) {
        int block = pivot_count - k < 4 ? pivot_count - k : 4;
        double *pivots = row_at(matrix, stride, k);
        double inverse[4];
        for (int b = 0; b < block; b++) {
            eliminate_before(pivots, stride, end, k, b, inverse);
            double pivot = pivots[b * stride + k + b];
            if (!((either_sign ? fabs(pivot) : pivot) > smallest)) {
                return false;
            }
            inverse[b] = 1 / pivot;
        }
        if (block == 4) {
            eliminate_below(matrix, stride, rows, end, k, inverse);
            continue;
        }
        for (int i = k + block; i < rows; i++) {
            double *row = row_at(matrix, stride, i), share[4];
            find_shares(row, pivots, stride, k, block, inverse, share);
            for (int b = 0; b < block; b++) {
                subtract_one(k, end, row, share[b], pivots + b * stride);
            }
        }
    }
    return true;
}
CG_WIDE_CHOOSE_TEST(static, eliminate_any, eliminate,
                    (double *matrix, int stride, int rows, int columns, int pivot_count, double smallest,
                     bool either_sign),
                    (matrix, stride, rows, columns, pivot_count, smallest, either_sign))

bool cg_dense_eliminate(double *matrix, int stride, int rows, int columns, int pivot_count, double smallest)
{
    return eliminate_any(matrix, stride, rows, columns, pivot_count, smallest, false);
}

bool cg_dense_factor(double *matrix, int stride, int count)
{
    return eliminate_any(matrix, stride, count, count, count, 0, true);
}

void cg_dense_factor_solve(const double *factor, int stride, int count, double *b)
{
    for (int i = 1; i < count; i++) {
        b[i] -= cg_dense_dot(i, factor + (size_t)i * (size_t)stride, b);
    }
    for (int i = count - 1; i >= 0; i--) {
        const double *row = factor + (size_t)i * (size_t)stride;
        b[i] = (b[i] - cg_dense_dot(count - i - 1, row + i + 1, b + i + 1)) / row[i];
    }
}

CG_WIDE_BODY bool cholesky(double *matrix, int stride, int count, double smallest)
{
    int end = cg_dense_stride(count);
    for (int k = 0; k < count; k += 4) {
        int block = count - k < 4 ? count - k : 4;
        double *top = row_at(matrix, stride, k);
        for (int b = 0; b < block; b++) {
            double *row = top + b * stride;
            for (int before = 0; before < b; before++) {
                subtract_one(k, end, row, top[before * stride + k + b], top + before * stride);
            }
            if (!(row[k + b] > smallest)) {
                return false;
            }
            double inverse = 1 / sqrt(row[k + b]);
            for (int j = k; j < end; j += 4) {
                QUAD_OUT(row + j) *= inverse;
            }
        }
        for (int i = k + 4; i < count; i += 2) { // what stands left of the diagonal is nobody's concern
            double share[4] = {top[i], top[stride + i], top[2 * stride + i], top[3 * stride + i]};
            if (i + 1 == count) {
                subtract_four(i & ~3, end, row_at(matrix, stride, i), share, top, stride);
                break;
            }
            double next_share[4] = {top[i + 1], top[stride + i + 1], top[2 * stride + i + 1], top[3 * stride + i + 1]};
            subtract_four_twice(i & ~3, end, row_at(matrix, stride, i), share, next_share, top, stride);
        }
    }
    return true;
}
CG_WIDE_CHOOSE_TEST(, cg_dense_cholesky, cholesky, (double *matrix, int stride, int count, double smallest),
                    (matrix, stride, count, smallest))

CG_WIDE_BODY void cholesky_solve(const double *factor, int stride, int count, double *b)
{
    for (int i = 0; i < count; i++) {
        const double *row = factor + (size_t)i * (size_t)stride;
        b[i] /= row[i];
        add(count - i - 1, b + i + 1, -b[i], row + i + 1);
    }
    for (int i = count - 1; i >= 0; i--) {
        const double *row = factor + (size_t)i * (size_t)stride;
        b[i] = (b[i] - cg_dense_dot(count - i - 1, row + i + 1, b + i + 1)) / row[i];
    }
}
CG_WIDE_CHOOSE(, cg_dense_cholesky_solve, cholesky_solve, (const double *factor, int stride, int count, double *b),
               (factor, stride, count, b))

CG_WIDE_BODY void exchange(double *tableau, int stride, int rows, int columns, int r, int s)
{
    int end = cg_dense_stride(columns);
    double *pivot_row = row_at(tableau, stride, r);
    double inverse = 1 / pivot_row[s];
    for (int j = 0; j < end; j += 4) {
        QUAD_OUT(pivot_row + j) *= -inverse;
    }
    pivot_row[s] = inverse;
    for (int i = 0; i < rows; i++) {
        double *row = row_at(tableau, stride, i);
        double share = row[s];
        if (i == r || share == 0) {
            continue;
        }
        row[s] = 0;
        subtract_one(0, end, row, -share, pivot_row);
    }
}
CG_WIDE_CHOOSE(, cg_dense_exchange, exchange, (double *tableau, int stride, int rows, int columns, int r, int s),
               (tableau, stride, rows, columns, r, s))
