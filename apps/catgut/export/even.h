// Threads with as many points in every shape, evenly along them at rest, so that readers can go from shape to shape in
// a straight line and follow a point. Where arc lengths at rest are not known, evenly along the thread as it lies.
#ifndef CATGUT_EXPORT_EVEN_H
#define CATGUT_EXPORT_EVEN_H

#include "export/poses.h"

// Zero-initialise.
typedef struct cg_even_poses {
    cg_poses all;
    int points; // of each thread
    int *starts;
    cg_vec3 *places;
    cg_pose_measure *measures; // of all points
} cg_even_poses;

// `even` must stay as long as the poses are used. Threads alone: give it before bodies and tools are added.
cg_poses cg_poses_even(cg_even_poses *even, const cg_poses *all, int points);
void cg_even_poses_free(cg_even_poses *even);

#endif
