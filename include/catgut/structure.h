// A structure: threads, rigid bodies and tissues of a world that are joined by constraints and move together, as one
// differential-algebraic system (docs/constraint.md) instead of by the world's own solvers.
//
// Its threads are cubic splines inside, and its tissues sheets of springs; from outside they are threads, bodies and
// tissues like any others, at the same ids. Threads and free bodies of the world are pushed by the bodies of a
// structure, as by driven ones; its threads and tissues touch nothing outside of it.
//
// Structures need SuiteSparse, so they are a part of the library that may be left out: cg_world_add_structure then says
// so.
#ifndef CATGUT_STRUCTURE_H
#define CATGUT_STRUCTURE_H

#include "catgut/api.h"
#include "catgut/math.h"
#include "catgut/status.h"
#include "catgut/thread.h"
#include "catgut/world.h"

CG_API_BEGIN

// The most stitches that a structure can make, one for each end of a thread that pierces a sheet.
#define CG_STRUCTURE_MOST_STITCHINGS 8
// The most control points of all its threads and nodes of all its tissues together.
#define CG_STRUCTURE_MOST_POINTS 5000
// The same with everything in one dense matrix.
#define CG_STRUCTURE_MOST_DENSE_POINTS 500
// The most constraints.
#define CG_STRUCTURE_MOST_CONSTRAINTS 200

// What a constraint holds.
typedef enum cg_constraint_kind {
    CG_CONSTRAINT_POINT,   // two points stay together: a fixed point, a ball joint
    CG_CONSTRAINT_HINGE,   // the same of two bodies, or of one and space, which turn about an axis
    CG_CONSTRAINT_TANGENT, // the tangent of a thread keeps its direction
    CG_CONSTRAINT_STRETCH, // the tangent of a thread keeps direction and length
    CG_CONSTRAINT_SLIDE,   // a thread passes through a point, which slides along it
    CG_CONSTRAINT_ROD      // two points keep their distance
} cg_constraint_kind;

// Where a constraint takes hold: a thread, a body, a tissue, or, when none is named, space.
typedef struct cg_constraint_site {
    cg_thread_id thread; // at most one of these three is named
    cg_rigid_id body;    // a free one
    cg_tissue_id tissue; // a sheet
    double arc;          // [m] of a thread: rest length from its start; beyond an end: that end
    bool has_place;      // of a body or of space: `place` says where; without it, where the other site is
    cg_vec3 place;       // [m] where it is in the beginning; of a tissue the nearest point of its surface
} cg_constraint_site;

// A constraint.
typedef struct cg_constraint_def {
    cg_constraint_kind kind;     // what it holds
    cg_constraint_site sites[2]; // of a tangent the first alone; what slides is the first
    cg_vec3 axis;                // of a hinge: in the beginning
    int index;       // 3, 2 or 1: held on the level of places, velocities or accelerations; 0: that of the structure
    cg_hand_id hand; // a site in space goes where this hand goes; none: it stays
} cg_constraint_def;

// How a thread of the structure is divided.
typedef struct cg_structure_thread {
    cg_thread_id thread; // which
    int control_points;  // 4 to 1000
} cg_structure_thread;

// Two threads whose edges touch; the same one twice: one with itself.
typedef struct cg_structure_contact {
    cg_thread_id threads[2]; // which
} cg_structure_contact;

// An end of a thread that pierces a sheet when it presses hard enough, and slides through the hole from then on.
typedef struct cg_stitching_def {
    cg_thread_id thread; // that pierces
    cg_end tip;          // with this end
    cg_tissue_id tissue; // this sheet
    double threshold;    // [N] above 0: contact force at which it does
} cg_stitching_def;

// How the linear equations of a step are solved.
typedef enum cg_structure_multipliers {
    CG_MULTIPLIERS_UNKNOWN,    // multipliers are unknowns beside the velocities
    CG_MULTIPLIERS_ELIMINATED, // a dense system of their own, the bodies eliminated from it
    CG_MULTIPLIERS_DENSE       // everything in one dense matrix, as the source work did: slow, for comparison
} cg_structure_multipliers;

// Everything that makes a structure. Start from cg_structure_def_default. All that a constraint, a contact or a
// stitching names belongs to it, and so do the threads that `threads` names. Pinned and clamped ends of its threads are
// constraints of their own. Arrays are read when it is made.
typedef struct cg_structure_def {
    const cg_constraint_def *constraints; // in the order in which they are numbered
    int constraint_count;                 // how many, at most CG_STRUCTURE_MOST_CONSTRAINTS
    const cg_structure_thread *threads;   // those that are not divided as usual
    int thread_count;                     // how many
    const cg_structure_contact *contacts; // threads that touch
    int contact_count;                    // how many, at most 8 together with the stitchings
    const cg_stitching_def *stitchings;   // ends that pierce
    int stitching_count;                  // how many, at most CG_STRUCTURE_MOST_STITCHINGS

    int index;                            // 3, 2 or 1: of all constraints that do not say it themselves
    cg_structure_multipliers multipliers; // how equations are solved
    double residual;                      // [N s] above 0: norm of the equations of motion at which a step is done
    double violation;                     // above 0: the same of the constraints, each on its own level
    int iterations;                       // 1 to 63: most of Newton's method in a step
    bool keep_factors;                    // factor once a step, and again only where that converges slowly
    bool project_places;                  // after each step places are brought onto the constraints
    bool project_velocities;              // and velocities
} cg_structure_def;

// No constraints yet; index 3, multipliers as unknowns, 1e-12 and 1e-12, 20 iterations, factors kept, both projections.
cg_structure_def cg_structure_def_default(void);

// Makes the structure of a world; between steps, once a world. What belongs to it cannot be removed from the world, or
// be held or placed otherwise, from then on.
cg_status cg_world_add_structure(cg_world *world, const cg_structure_def *def);

// Between steps: takes the memory that the next step needs when a stitch was made or has ended, or pivots have become
// bad. Sessions call it before each step. cg_world_step does it where nobody has, and takes that memory itself then.
// When it fails, the structure stands still, which is counted.
cg_status cg_world_make_ready(cg_world *world);

// What a structure is, and what its last step did. Trouble is counted.
typedef struct cg_structure_info {
    int unknowns, rows;       // of its equations
    int redundant_rows;       // of these, those that say nothing new: a closed loop has them
    int iterations;           // of the last step
    double violations[3];     // |g|, |g'| and |g''| of all constraints after the last step
    int stitches;             // that there are now
    int made, ended;          // stitches so far
    double stitch_force;      // [N] at which the last one was made
    uint64_t split_steps;     // so far: had to be made in parts
    uint64_t failed_steps;    // could not be made: everything stood still
    uint64_t stalled_steps;   // ended at rounding, above the residual asked for
    uint64_t new_pivots;      // asked for new pivots
    uint64_t contact_trouble; // contacts without a solution: no force then
} cg_structure_info;

// False when the world has none.
bool cg_world_get_structure(const cg_world *world, cg_structure_info *info);
// [N] with which the point of a constraint (of a hinge too) pulls its first site, in the last step; false for a bad
// number, or a constraint that holds no point.
bool cg_structure_get_force(const cg_world *world, int constraint, cg_vec3 *force);
// [m] of rest length from the start of the thread to the hole of a stitching; false when there is none now.
bool cg_structure_get_stitch(const cg_world *world, int stitching, double *arc);

CG_API_END

#endif
