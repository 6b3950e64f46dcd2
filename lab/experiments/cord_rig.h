// Cords of springs in worlds of their own, and hands on them, for the experiments that follow VTE.
#ifndef CATGUT_EXPERIMENTS_CORD_RIG_H
#define CATGUT_EXPERIMENTS_CORD_RIG_H

#include "catgut/catgut.h"
#include "experiments/experiment.h"

// [m] Table 4.1 of VTE.
#define CG_CORD_RADIUS 5e-3

// Table 4.1, directions as long as they are printed, without drag.
cg_thread_def cg_cord_def(const cg_vec3 *points, int count, double friction);
// A world with it, with contacts or without; NULL, and the report says why, when it cannot be made.
cg_world *cg_cord_world(const cg_thread_def *def, cg_vec3 gravity, bool touches, cg_thread_id *thread,
                        cg_report *report);
// A hand of 0.2 kg and k_h 1200 that takes what is there, and lets it swivel.
cg_hand_id cg_cord_take(cg_world *world, cg_vec3 at, double max_force, cg_report *report);

#endif
