// Fewer vertices, same knot: a vertex may go when nothing passes through the triangle that it makes with its
// neighbours.
//
// What touches the triangle, or comes nearer than 1e-9 of the extent, keeps the vertex in place; so errors of rounding
// can make the result longer than needed, never wrong. Ends of open chains stay.
#ifndef CATGUT_KNOT_STRAIGHTEN_H
#define CATGUT_KNOT_STRAIGHTEN_H

#include "base/vec3.h"
#include "knot/projection.h"

// Straightens chains in place: points[k] of chain k, counts[k] of them, and origin[k][i], the number that vertex i had
// at the start (filled by the caller, kept in step). Looks at no more than `budget` pairs of triangle and segment.
// Returns how many pairs it looked at.
long long cg_chains_straighten(cg_vec3 *const *points, int *counts, int chain_count, long long budget);

// Takes out points that repeat the one before (nearer than 1e-7 of the extent of the chain). Returns how many are left.
int cg_chain_drop_repeats(cg_vec3 *points, int count);

#endif
