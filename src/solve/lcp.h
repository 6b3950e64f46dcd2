// Linear complementarity by pivoting: find z >= 0 with w = q + K z >= 0 and z . w = 0.
//
// Lemke's method on a condensed tableau. It starts from a guess of the carrying set: those unknowns are exchanged in
// first, one principal pivot each, and only what is then still negative is covered and worked off. A right guess costs
// no more than the solution of its equations.
#ifndef CATGUT_SOLVE_LCP_H
#define CATGUT_SOLVE_LCP_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct cg_lcp {
    int max_count;
    int stride;
    double *tableau; // rows of the basic variables; columns: nonbasic ones, the cover, q
    int *basic;      // variable of each row: z_i is i, w_i is count + i, the cover 2 count
    int *nonbasic;   // variable of each column
    int *column;     // of each nonbasic variable
} cg_lcp;

typedef enum cg_lcp_end {
    CG_LCP_SOLVED,
    CG_LCP_RAY,   // the method found no way on: the problem has no solution, or K is not of a kind it can do
    CG_LCP_BUDGET // pivots used up
} cg_lcp_end;

// Carves, or measures, the memory for problems of up to max_count unknowns.
void cg_lcp_layout(cg_lcp *lcp, int max_count, cg_arena *arena);

// Begins a problem of `count` unknowns. Write K into the rows, K[i][j] at cg_lcp_row(lcp, i)[j], and q into
// cg_lcp_row(lcp, i)[count + 1]. The tableau is spoilt by solving. Diagonals should be of the order of one.
void cg_lcp_begin(cg_lcp *lcp, int count);
static inline double *cg_lcp_row(const cg_lcp *lcp, int i)
{
    return lcp->tableau + (size_t)i * (size_t)lcp->stride;
}

// Solves. `carries` marks the guess; *pivots is raised by the exchanges made.
cg_lcp_end cg_lcp_solve(cg_lcp *lcp, int count, const bool *carries, int max_pivots, double *z, int *pivots);

#endif
