// The two strands of a knot, as a load takes them: each from its tail through the knot to the leg that is pulled.
#ifndef CATGUT_TRIAL_STRANDS_H
#define CATGUT_TRIAL_STRANDS_H

#include "catgut/pull.h"
#include "thread/thread.h"

typedef struct cg_strand {
    const cg_thread *thread; // of which it is a stretch
    int first, count;        // its vertices
    bool pulled_last;        // its last vertex is pulled, else its first
    int buried[2];  // between these vertices it goes through a wound, and is no part of the knot; equal: nowhere
    double leg;     // [m] at rest, from where it leaves the knot to the pulled vertex
    double knotted; // [m] at rest, in the knot
} cg_strand;

// Names the knot and finds its strands. CG_OK also when there is nothing to be loaded: then *found is false.
cg_status cg_strands_find(const cg_world *world, const cg_pull_def *def, cg_knot_report *knot, cg_strand strands[2],
                          bool *found);

#endif
