// Dense LU with complete pivoting: the factors of a small border, and the way in which the source work solved
// everything.
#ifndef CATGUT_CONSTRAINT_LU_H
#define CATGUT_CONSTRAINT_LU_H

#include <stdbool.h>

typedef struct cg_lu {
    int count;
    double *matrix;      // count x count, row by row; the factors after cg_lu_factor
    int *rows, *columns; // which row and column stand at each place
    double *work;
} cg_lu;

// False when a pivot is below `smallest` of the largest entry; the matrix is spoilt then.
bool cg_lu_factor(cg_lu *lu, double smallest);
// b becomes the solution.
void cg_lu_solve(const cg_lu *lu, double *b);

#endif
