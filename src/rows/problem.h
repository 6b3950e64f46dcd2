// The problem of the forces of an island: its working memory, which one island after the other has to itself. Nothing
// of it is state of the world, and nothing of it is left for the next problem but `working`, for the statistics.
#ifndef CATGUT_ROWS_PROBLEM_H
#define CATGUT_ROWS_PROBLEM_H

#include "linalg/coupling.h"
#include "solve/friction.h"

// Segments at anchors that are put into the coupling in one pass over it.
enum { CG_SLIPS_AT_ONCE = 8 };

// One side of a working touch on a thread that friction turns (laws/roll.c).
typedef struct cg_roll_point {
    int segment;
    int touch;     // in the friction problem
    double arm[2]; // [m] slip along the two tangents for a turn of 1
} cg_roll_point;

// One side of a working touch on a free rigid body (laws/body_rigid.c).
typedef struct cg_rigid_point {
    int touch;        // in the friction problem
    double sign;      // of the side
    cg_vec3 lever[3]; // [m] torque of a unit force along each axis
    // The same for all three axes side by side, the last of four values 0; x, y, z one after the other.
    double axes[3][4];   // the axes themselves
    double turned[3][4]; // [rad/N] the turn that a unit force along each makes
    double opens[4];     // along each axis, for an opening of 1 of the drive that it is part of
} cg_rigid_point;

typedef struct cg_problem {
    int solved; // the island whose forces are being found; -1: all
    cg_friction_options options;
    int *working; // its touches, joints last
    int working_count;
    bool is_uneven;   // the coupling is not symmetric: threads slide through holes with friction
    double *axes;     // 9 per working touch
    double *coupling; // Q
    double *free_motion;
    double *friction;
    double *force;          // in the axes of the touches
    cg_vec3 *kept, *change; // [N] per working touch: its force before the problem was solved, and what that added
    double *joint_rows;     // what is kept of each joint while the others are solved
    double *slip_rows;      // 2 CG_SLIPS_AT_ONCE rows of the coupling: room for how threads slip at anchors
    int *next_row;          // per corner of a working touch with a tissue: the next one at the same node; -1: none
    cg_coupling_point *points;
    cg_roll_point *roll_points;
    cg_rigid_point *rigid_points;
    cg_coupling_work coupling_work;
    cg_friction_work friction_work;
} cg_problem;

#endif
