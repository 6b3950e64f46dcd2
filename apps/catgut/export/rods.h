// Rigid bodies and tools as rods for formats that know lines and tubes: a polyline behind those of the threads for each
// row of parts that lie end to end, as those of a needle do. A box is the rod along its z.
#ifndef CATGUT_EXPORT_RODS_H
#define CATGUT_EXPORT_RODS_H

#include "export/poses.h"

// Zero-initialise.
typedef struct cg_rod_poses {
    cg_poses all;
    struct cg_rod *rods; // those of all poses together
    int count, room;
    cg_pose_thread *threads; // of the poses, and the rods behind them
    int *starts;
    cg_vec3 *points;
    size_t point_room;
} cg_rod_poses;

// Looks through poses for bodies and tools, and makes poses that have them too of `all`, which may be those that were
// looked through or made of them. `rods` must stay as long as these are used. False, with a sentence to `err`, when one
// cannot be read or memory ran out; freeing is right in any case.
bool cg_poses_with_rods(cg_rod_poses *rods, const cg_poses *looked, const cg_poses *all, cg_poses *poses, FILE *err);
void cg_rod_poses_free(cg_rod_poses *rods);

// How many parts, from one on, lie end to end and are of the same body or tool.
int cg_pose_rod_parts(const cg_pose *pose, int first);
double cg_pose_rod_radius(const cg_rigid_part *part);

#endif
