// Symmetric positive definite matrices of 3x3 blocks with two off-diagonals on each side: what a chain of vertices
// gives when each one feels its neighbours and their neighbours.
//
// The factor A = L D L^T eliminates from both ends towards a core of two neighbouring vertices:
//
//     start chain 0, 1, ... core_first - 1  ->  core  <-  finish chain count - 1, ... core_first + 2
//
// so two independent recursions share every instruction (linalg/lanes.h). Time and memory grow linearly with the count.
// The core stands in the middle, where the chains are equally long; contacts move it (cg_band_place_core), because all
// coupling between points of one chain follows from sweeps along that chain alone (linalg/coupling.h).
//
// Invariants
//   1. chains[0] = core_first and chains[1] = count - 2 - core_first: the chains are two blocks apart and never touch.
//   2. Pair k of a chain array holds vertex k in lane 0 and vertex count - 1 - k in lane 1. Past the end of the shorter
//      chain its lane rests: it eliminates a unit block that is coupled to nothing.
//   3. Blocks of lane 1 are those of the mirrored chain: "next" is A(j - 1, j) where lane 0 has A(k + 1, k).
#ifndef CATGUT_LINALG_BAND_H
#define CATGUT_LINALG_BAND_H

#include <stdbool.h>

#include "base/arena.h"
#include "catgut/math.h"
#include "linalg/lanes.h"

// The blocks of one vertex i, rows of each block one after the other.
typedef struct cg_band_row {
    double diagonal[6]; // A(i, i): xx xy xz yy yz zz
    double next[9];     // A(i + 1, i); ignored for the last vertex
    double second[9];   // A(i + 2, i); ignored for the last two vertices
} cg_band_row;

// One eliminated pair of vertices: three columns of the scalar factor. Keeping the triangle of the pivot block, rather
// than its inverse, keeps the solve backward stable: a block has stiff and soft directions a million times apart.
typedef struct cg_band_pair {
    lanes lower[3];         // of the pivot block's unit triangle: yx zx zy
    lanes pivot_inverse[3]; // 1 / D
    lanes next[9];          // L(k + 1, k)
    lanes second[9];        // L(k + 2, k)
} cg_band_pair;

// Right-hand sides of cg_band_answer_pushes that are worked on at once.
enum { CG_BAND_PUSHES = 4 };

typedef struct cg_band_factor {
    int count;
    int core_first;
    int chains[2];   // vertices eliminated from the start and from the finish
    int weak_pivots; // pivots of the last factorisation that had to be raised to stay positive; 0 when all is well
    cg_band_pair *pairs;
    lanes *work;           // 3 per pair
    lanes *push_work;      // 3 numbers of CG_BAND_PUSHES right-hand sides per vertex of both chains
    double core[6][6];     // unit lower triangle of the core's L
    double core_pivots[6]; // its D
} cg_band_factor;

// Blocks of the inverse near the diagonal, as in cg_band_row but with a full symmetric diagonal block.
typedef struct cg_band_inverse_row {
    double diagonal[9]; // Z(i, i)
    double next[9];     // Z(i + 1, i)
    double second[9];   // Z(i + 2, i)
} cg_band_inverse_row;

// Lays the arrays of a factor for `count` >= 2 vertices out in the arena.
void cg_band_layout(cg_band_factor *factor, int count, cg_arena *arena);

// Makes the factor one for `count` vertices, 2 up to as many as it was laid out for, with its core in the middle.
void cg_band_resize(cg_band_factor *factor, int count);

// Says where the next factorisation has its core: at vertices first and first + 1, 0 <= first <= count - 2.
void cg_band_place_core(cg_band_factor *factor, int first);

// Factors the matrix whose blocks stand in rows[0 .. count - 1].
void cg_band_factorise(cg_band_factor *factor, const cg_band_row *rows);

// Solves A x = rhs. x may be rhs.
void cg_band_solve(const cg_band_factor *factor, const cg_vec3 *rhs, cg_vec3 *x);

// A right-hand side that is nothing but at a vertex and the next one.
typedef struct cg_band_push {
    int vertex;
    cg_vec3 force[2];
} cg_band_push;

// Solves A x[i] = the i-th of `count` pushes, to the same bits as cg_band_solve, in a third of the time when there are
// several.
void cg_band_answer_pushes(const cg_band_factor *factor, const cg_band_push *pushes, int count, cg_vec3 *const *x);

// The six unknowns of the core, for the other files of this folder.
void cg_band_solve_core(const cg_band_factor *factor, double x[6]);

// Solves for many right-hand sides in place: values[(3 i + axis) * columns + column] of vertex i.
void cg_band_solve_many(const cg_band_factor *factor, double *values, int columns);

// The blocks of A^-1 that stand where A has blocks, for vertices first .. last around the core (core_first >= first,
// core_first + 1 <= last). Rows outside are not touched.
void cg_band_selected_inverse(const cg_band_factor *factor, int first, int last, cg_band_inverse_row *rows);

// The blocks L(k + 1, k) and L(k + 2, k) of the block factor (unit diagonal blocks) at place k of a chain.
void cg_band_block_factor(const cg_band_factor *factor, int lane, int k, double next[9], double second[9]);

// y = A x
void cg_band_multiply(const cg_band_row *rows, int count, const cg_vec3 *x, cg_vec3 *y);

#endif
