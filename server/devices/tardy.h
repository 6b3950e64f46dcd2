// How late something comes that should come evenly. Counted in bins, so that the quantiles of hours take no memory and
// no time.
#ifndef CATGUT_SERVER_TARDY_H
#define CATGUT_SERVER_TARDY_H

#include <stdint.h>

enum { CG_TARDY_BINS = 512 };

// Zero-initialise.
typedef struct cg_tardy {
    uint32_t bins[CG_TARDY_BINS]; // of 20 us each; the last has all beyond
    uint64_t count;
    double longest; // [s]
} cg_tardy;

// It came so late [s]; too early counts as in time.
void cg_tardy_add(cg_tardy *tardy, double seconds);
// [s] That share of all came at most so late, rounded up to a bin; 0 when none came.
double cg_tardy_quantile(const cg_tardy *tardy, double share);

#endif
