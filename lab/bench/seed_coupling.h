// The coupling of contacts as MicroSim finds it (3.7.2): to be timed beside the library's way, and to check it in
// tests.
#ifndef CATGUT_BENCH_SEED_COUPLING_H
#define CATGUT_BENCH_SEED_COUPLING_H

#include <stdbool.h>

#include "base/mat3.h"
#include "linalg/coupling.h"

typedef struct cg_seed_coupling {
    int count, most; // vertices of the chain; vertices that can be touched
    void *memory;
    cg_mat3 *plus, *plus2;   // per vertex: motion from that of the next two
    cg_mat3 *minus, *minus2; // per vertex: motion from that of the last two
    int *touched, *place;    // the touched vertices, ascending; per vertex its place there, or -1
    int touched_count;
    cg_mat3 *green; // most x most: motion of the second for a force on the first
    cg_mat3 *ahead; // per touched vertex: motion one further on in the direction of the walk
} cg_seed_coupling;

// Memory for chains of `count` vertices of which `most` are touched. False when there is none.
bool cg_seed_coupling_make(cg_seed_coupling *seed, int count, int most);
void cg_seed_coupling_free(cg_seed_coupling *seed);

// Writes J A^-1 J^T for the matrix in `rows`; points, axes and result as in linalg/coupling.h.
void cg_seed_coupling_find(cg_seed_coupling *seed, const cg_band_row *rows, const cg_coupling_point *points,
                           int point_count, const double *axes, int contact_count, double *coupling);

#endif
