// A thread with one bite in a tissue, both ends drawn until the bite tears.
#ifndef CATGUT_EXPERIMENTS_TEAR_RIG_H
#define CATGUT_EXPERIMENTS_TEAR_RIG_H

#include <stdbool.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"

typedef struct cg_tear_setup {
    cg_tissue_def tissue;
    double held;      // [m] nodes with a home at a smaller y do not move
    cg_vec3 holes[2]; // [m] of the bite
    cg_vec3 ways[2];  // unit: in which the ends of the thread are drawn
    double tail;      // [m] of thread on each side
    double radius;    // [m] of the thread
    double breaks;    // [N] that break it; 0: it does not break
    double speed;     // [m/s] of the hands
} cg_tear_setup;

// A sheet of 24 x 16 mm whose edge is at y = 0 and whose far edge is held; a bite from its top to its bottom so far
// from the edge, drawn over that. Everything else is as the caller says.
cg_tear_setup cg_tear_setup_sheet(const cg_tissue_layer *layer, double bite, double spacing);

typedef struct cg_tear_rig {
    cg_tear_setup setup;
    cg_world *world;
    cg_tissue_id tissue;
    cg_thread_id thread;
    double drawn;        // [m]
    double force;        // [N] of the thread on the bite, across the span, as the last step left it; 0 when it is free
    cg_tissue_tear tear; // of the last step...
    bool is_torn;        // ...if there was one
    bool is_broken;      // the thread broke: its ends are no longer led
} cg_tear_rig;

// False, and the report says why, when it cannot be made.
bool cg_tear_rig_make(cg_tear_rig *rig, const cg_tear_setup *setup, cg_report *report);
void cg_tear_rig_free(cg_tear_rig *rig);
void cg_tear_rig_step(cg_tear_rig *rig);

#endif
