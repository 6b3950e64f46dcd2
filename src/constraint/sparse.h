// A sparse matrix whose pattern is known beforehand, and its factors. The only file that knows SuiteSparse's KLU is
// sparse.c.
//
// Analysis and the first factorisation are KLU's. They take memory (from malloc) and choose the order of the pivots;
// they happen between steps. A step only fills in values, factors again with the same order, and solves: no heap. When
// all pivots lie on the diagonal, as they should, that is done by dense fronts (fronts.h), in a third of the time that
// KLU takes; otherwise by KLU.
#ifndef CATGUT_CONSTRAINT_SPARSE_H
#define CATGUT_CONSTRAINT_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "constraint/fronts.h"

typedef struct cg_sparse {
    int count; // rows and columns
    int entry_count;
    int *begins;                       // of each column, and one more: its entries
    int *rows;                         // of each entry, ascending in a column
    double *values;                    // of each entry, and one more that belongs to nobody
    void *symbolic, *numeric, *common; // of KLU
    cg_fronts fronts;                  // in KLU's order; planned when its pivots first were all on the diagonal
    bool has_fronts, is_by_fronts;     // planned; hold the factors of the present values
    cg_allocator allocator;
} cg_sparse;

// A place in a matrix, as one number that sorts by column and then by row.
static inline uint64_t cg_sparse_place(int row, int column)
{
    return ((uint64_t)(uint32_t)column << 32) | (uint32_t)row;
}

// Makes a matrix with these places (sorted here; some may be there twice). False when there is no memory.
bool cg_sparse_init(cg_sparse *matrix, int count, uint64_t *places, int place_count, const cg_allocator *allocator);
void cg_sparse_free(cg_sparse *matrix);
// Which entry is at a place; -1: none.
int cg_sparse_find(const cg_sparse *matrix, int row, int column);

// Between steps: orders the unknowns by the pattern, so that few entries are filled in. With `classes` those of class 0
// come first, then the other classes one after another. Pivots stay on the diagonal as long as these are not tiny: in
// the order of bodies, multipliers, abscissas none of them vanishes, whichever entries of constraints do.
#define CG_SPARSE_LAST_CLASS 2
bool cg_sparse_analyse(cg_sparse *matrix, const int *classes);
// Between steps: chooses the pivots for the present values. False when the matrix is singular or there is no memory.
bool cg_sparse_factor(cg_sparse *matrix);
// How many of the pivots chosen last are not on the diagonal. With none of them the order depends on the pattern alone.
int cg_sparse_moved_pivots(const cg_sparse *matrix);
// In a step: the same pivots with new values. False when one of them is zero.
bool cg_sparse_refactor(cg_sparse *matrix);
// b becomes the solution; `columns` right-hand sides one after another.
void cg_sparse_solve(cg_sparse *matrix, double *b, int columns);
// y = A x
void cg_sparse_multiply(const cg_sparse *matrix, const double *x, double *y);

#endif
