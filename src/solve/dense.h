// Small dense algebra on rows: matrices are row major, everything works along contiguous rows.
//
// The stride of a matrix is a multiple of four. Entries between its last column and the next multiple of four belong to
// the work: they are read and written, and what stands there changes nothing.
//
// The order of every sum is fixed, and the loops are ones that a compiler may do several entries at a time without
// changing a bit: each entry of a row sees the same multiplications and additions in the same order.
#ifndef CATGUT_SOLVE_DENSE_H
#define CATGUT_SOLVE_DENSE_H

#include <stdbool.h>

// The least multiple of four that is not below `count`.
static inline int cg_dense_stride(int count)
{
    return (count + 3) & ~3;
}

// x . y, summed in four interleaved parts.
double cg_dense_dot(int count, const double *x, const double *y);

// y += a x.
void cg_dense_add(int count, double *y, double a, const double *x);

// y += a x[0] + b x[1] + c x[2] for three rows x that follow each other at a distance of `stride`.
void cg_dense_add_three(int count, double *y, double a, double b, double c, const double *x, int stride);

// Gaussian elimination of the first `pivot_count` unknowns from the rows below them, without exchange of rows: the
// leading part must be positive definite. Afterwards the first `pivot_count` rows are upper triangular, and the rest
// holds the Schur complement, right-hand sides included. Below the diagonal of the eliminated columns there are the
// shares of the rows above that were taken, but for rows behind the last pivots where these are no four. False when a
// pivot is not above `smallest`; the matrix is then spoilt.
bool cg_dense_eliminate(double *matrix, int stride, int rows, int columns, int pivot_count, double smallest);

// A -> L U in place, by the same elimination of all unknowns: U on and above the diagonal, below it L, whose own
// diagonal is one. No rows are exchanged, so it is for matrices whose pivots are known to be no worse than the matrix;
// they may have either sign. False when one is zero or not a number; the matrix is then spoilt.
bool cg_dense_factor(double *matrix, int stride, int count);

// Solves L U x = b in place with the factors of cg_dense_factor.
void cg_dense_factor_solve(const double *factor, int stride, int count, double *b);

// Upper triangle of a positive definite matrix -> R with R^T R = A, in place. False when a pivot is not above
// `smallest`.
bool cg_dense_cholesky(double *matrix, int stride, int count, double smallest);

// Solves R^T R x = b in place with the factor of cg_dense_cholesky.
void cg_dense_cholesky_solve(const double *factor, int stride, int count, double *b);

// One exchange in a tableau y = T x of `rows` rows: x_s becomes a row and y_r a column. T[r][s] must not be zero.
void cg_dense_exchange(double *tableau, int stride, int rows, int columns, int r, int s);

#endif
