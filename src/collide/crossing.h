// Did two segments pass through each other while their ends moved along straight lines? MicroSim 3.8.4, written anew.
//
// Two segments can only meet at a time T when their four ends lie in one plane:
//     f(T) = ((a1 - a0) x (b0 - a0)) . (b1 - a0) = 0,
// a cubic in T. Its coefficients in the Bernstein basis of [0, 1] bound it: all of one sign, and there is no root. Each
// root is bracketed between the extrema of the cubic and refined there, and counts when the segments really touch at
// that moment. This knows nothing of thickness; the motion itself is kept safe by collide/safe_motion.h. It is here as
// an independent witness.
#ifndef CATGUT_COLLIDE_CROSSING_H
#define CATGUT_COLLIDE_CROSSING_H

#include "base/vec3.h"

// A segment at the start and at the end of its motion.
typedef struct cg_moving_segment {
    cg_vec3 start[2]; // [m] both ends at T = 0
    cg_vec3 end[2];   // [m] both ends at T = 1
} cg_moving_segment;

typedef struct cg_crossing {
    int count;       // 0 to 3 moments at which the segments touch
    double times[3]; // rising, in [0, 1]
} cg_crossing;

// All moments at which the axes come together within `tolerance` [m], at least a few rounding errors of the positions;
// a motion that stays in one plane has no isolated moments: it gives count 0.
cg_crossing cg_crossing_find(const cg_moving_segment *a, const cg_moving_segment *b, double tolerance);

// Roots in [0, 1] of the cubic with these Bernstein coefficients, rising; returns their number. None for the cubic that
// is zero everywhere.
int cg_bernstein_cubic_roots(const double coefficients[4], double roots[3]);

#endif
