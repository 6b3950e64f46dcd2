// Threads in the worst company: a ball of them that is shaken, threads that were begun inside each other, and knots
// that are yanked. What such steps cost at most is what a hand feels.
#ifndef CATGUT_EXPERIMENTS_TANGLE_RIG_H
#define CATGUT_EXPERIMENTS_TANGLE_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "catgut/catgut.h"
#include "experiments/knot_rig.h"

enum { CG_TANGLE_THREADS = 5, CG_TANGLE_VERTICES = 120 };

// Some threads and what they were like before the last step.
typedef struct cg_tangle {
    cg_world *world;
    cg_thread_id threads[CG_TANGLE_THREADS];
    int thread_count;
    cg_vec3 before[CG_TANGLE_THREADS][CG_TANGLE_VERTICES];
    cg_vec3 centre, velocity; // of what draws them together
    uint64_t random;
    int steps;
} cg_tangle;

// Five threads of 3-0 nylon with 600 vertices in all, side by side; shaking makes them a ball. False without memory.
// Close the rig in either case.
bool cg_tangle_open_ball(cg_tangle *tangle);
// Two threads that go through each other at seven places, and along each other within half a radius at one.
bool cg_tangle_open_inside(cg_tangle *tangle);
void cg_tangle_close(cg_tangle *tangle);

// In the coming step everything is drawn to a centre, which goes to and fro at up to 2 m/s and changes its way at
// random.
void cg_tangle_shake(cg_tangle *tangle);
void cg_tangle_step(cg_tangle *tangle);
// [m] largest motion of a vertex in the last step: of all threads, the one that moved the least.
double cg_tangle_least_move(const cg_tangle *tangle);

// How deep two of the threads are in each other at most [diameters], by looking at all pairs of their segments; below 0
// where nothing touches.
double cg_tangle_overlap(const cg_tangle *tangle);

// A knot of 3-0 nylon, `threads` threads of it, that is to be yanked.
cg_knot_setup cg_yank_setup(cg_curve_kind kind, int threads);
// The hands of step `step` of a yank at `speed` [m/s]: 100 mm outwards as fast as that, where they stay; after 0.3 s
// they relent, back to where they began at 0.1 m/s. True while they still pull.
bool cg_yank(cg_knot_rig *rig, double speed, int step);

#endif
