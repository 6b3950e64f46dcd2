// LU factors of a sparse matrix with pivots on the diagonal, by dense fronts (a multifrontal method).
//
// Neighbouring pivots whose columns have nearly the same entries are eliminated together, in a small dense matrix, the
// front: their entries of the matrix, and what the fronts before it left for them (their Schur complements, "updates").
//
//     F = [ F11 F12 ]     F11 = L11 U11,   U12 = L11^-1 F12,   L21 = F21 U11^-1,     update = F22 - L21 U12
//         [ F21 F22 ]
//
// Nearly all work is the product L21 U12 of dense matrices, which runs several times faster than the same operations
// one entry at a time. The pattern counts as symmetric (an entry on one side of the diagonal makes room on the other);
// values need not be.
//
// Planning takes memory, between steps; factoring and solving take none. The bits do not depend on the machine
// (wide.h).
#ifndef CATGUT_CONSTRAINT_FRONTS_H
#define CATGUT_CONSTRAINT_FRONTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

typedef struct cg_front {
    int first, width;         // pivots, in the order of elimination
    int below;                // rows below them, as many as columns to their right
    size_t rows;              // where the list of those begins
    int parent;               // that takes the update; -1: nobody
    int last_child, previous; // fronts whose updates it takes: a list through `previous`; -1: none
    int first_entry, entry_count;
    size_t left, right; // factors: (width + below) x width, with L11 and U11 on each other; then width x below, U12
    size_t update;      // below x below, while it waits
} cg_front;

typedef struct cg_fronts {
    int count;  // unknowns
    int *order; // unknown of each pivot
    int front_count;
    cg_front *fronts; // children before parents
    int *rows;        // pivots below each front, ascending
    int *in_parent;   // of each of `rows`: its place in the parent's front
    int *entry_from;  // entries of the matrix by front: which one
    int *entry_at;    // and where in the front
    double *factors, *updates, *work, *vector;
    double operations; // multiplications and subtractions of a factorisation
    cg_allocator allocator;
} cg_fronts;

// For the pattern (columns as in sparse.h) and an order of the unknowns. False when there is no memory.
bool cg_fronts_plan(cg_fronts *fronts, int count, const int *begins, const int *rows, const int *order,
                    const cg_allocator *allocator);
void cg_fronts_free(cg_fronts *fronts);

// False when a pivot is zero or no number.
bool cg_fronts_factor(cg_fronts *fronts, const double *values);
// b becomes the solution.
void cg_fronts_solve(cg_fronts *fronts, double *b);

// Rows of a front lie this far apart: whole registers.
static inline size_t cg_front_stride(const cg_front *front)
{
    return ((size_t)(front->width + front->below) + 3) / 4 * 4;
}

#endif
