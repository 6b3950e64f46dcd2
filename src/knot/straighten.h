// Fewer vertices, same knot: a vertex may go when nothing passes through the triangle that it makes with its
// neighbours.
//
// What touches the triangle, or comes nearer than 1e-9 of the extent, keeps the vertex in place; so errors of rounding
// can make the result longer than needed, never wrong. Where points were moved beforehand `margin` is added to it: two
// strands that touched must not come apart unseen. Ends of open chains stay.
#ifndef CATGUT_KNOT_STRAIGHTEN_H
#define CATGUT_KNOT_STRAIGHTEN_H

#include "base/vec3.h"
#include "knot/projection.h"

// Straightens chains in place: points[k] of chain k, counts[k] of them. Looks at no more than `budget` pairs of
// triangle and segment. Returns how many pairs it looked at.
long long cg_chains_straighten(cg_vec3 *const *points, int *counts, int chain_count, double margin, long long budget);

// What taking out points did to a chain.
typedef struct cg_dropped {
    double farthest; // [m] of a point from the one that stays in its place; 0 when all were equal to it
    int longest_run; // most steps in a row between such points. One is a curl at most, whichever way it lies; with two
                     // or more the thread may touch itself there, or hide a knot
} cg_dropped;

// Takes out points that repeat the one before (nearer than 1e-7 of the extent of the chain), and at the end of a closed
// chain those that repeat its first one. Returns how many are left. `dropped` is added to: start with zero.
int cg_chain_drop_repeats(cg_vec3 *points, int count, bool closed, cg_dropped *dropped);

#endif
