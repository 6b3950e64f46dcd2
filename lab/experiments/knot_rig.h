// The rig of the experiments with knots: threads tied along a curve of src/knot, pulled by hands or loads.
#ifndef CATGUT_EXPERIMENTS_KNOT_RIG_H
#define CATGUT_EXPERIMENTS_KNOT_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "knot/curves.h"

// Everything that makes a rig. Start from one of the functions below.
typedef struct cg_knot_setup {
    cg_curve_def curve;
    int vertices;     // of the first thread, by the length of its tails; 0: as the curve says
    double coarse;    // [m] largest spacing in the tails; 0: as in the knot
    double fine_tail; // [m] of each tail that keeps the spacing of the knot
    double settle;    // [s] given to the drawn curve to spring into shape, in treacle, before the experiment begins
    double settle_friction; // coefficient while it does
    bool hold_tails; // hands hold the ends that nobody pulls too, from the beginning until they are freed: a stiff knot
                     // whose tails are free while it settles loses throws
    bool hold_middle; // the middle of the first thread is held too: the far point of a loop
    int iterations;   // NNCG iterations that a friction problem gets, and nothing else, as in MicroSim; 0: it is solved
    cg_world_def world;
    cg_thread_def thread; // its points and radius come from the curve
} cg_knot_setup;

// MicroSim's knot test in SI units: r = l0 = 0.5 mm, EA 200 N, EI 1e-8 N m2, steps of 5 ms, no mass; a free vertex
// moves by 37.35 mm under 40 mN (the unit of force there) in a step.
cg_knot_setup cg_knot_seed_setup(cg_curve_kind kind, int threads, int vertices, double friction);
// Nylon of this radius at its true size, in air, with gravity; spacing two radii, steps of 1 ms.
cg_knot_setup cg_knot_suture_setup(cg_curve_kind kind, int threads, double radius, double friction);

// From now on a friction problem gets so many NNCG iterations, and nothing else.
void cg_knot_limit_solver(cg_world *world, int iterations);

typedef struct cg_knot_rig {
    cg_knot_setup setup;
    cg_world *world;
    cg_thread_id threads[2];
    cg_curve curve;   // with the points that the threads had in the beginning
    int first[2];     // place of each thread's first point in the arrays below
    int point_count;  // of all threads, in the beginning
    cg_vec3 *start;   // where the points were in the beginning
    cg_vec3 *before;  // and before the last step
    bool tails_held;  // now
    double way;       // [m] how far the hands have gone
    double tail_way;  // [m] and those that hold the tails
    double last_move; // [m] largest motion of a point in the last step
} cg_knot_rig;

// Ties the knot, and lets the namer certify it when there is a report. On failure the report (which may be NULL) says
// why. Close the rig in either case.
bool cg_knot_rig_open(cg_knot_rig *rig, const cg_knot_setup *setup, cg_report *report);
void cg_knot_rig_close(cg_knot_rig *rig);

// Hands that hold the last four vertices of both pulled ends, each `way` [m] outwards from where it began.
void cg_knot_rig_hold(cg_knot_rig *rig, double way);
// The same, moved on from the last place, and so do hands that hold the tails, outwards along these.
void cg_knot_rig_pull(cg_knot_rig *rig, double speed);
// A dead load [N] on both pulled ends in the coming step.
void cg_knot_rig_load(cg_knot_rig *rig, double force);
void cg_knot_rig_step(cg_knot_rig *rig);

// Moves the hands that hold the tails on from their last place, and lets go of the tails. [N] pull of a tail.
void cg_knot_rig_pull_tails(cg_knot_rig *rig, double speed);
double cg_knot_rig_tail_tension(const cg_knot_rig *rig, int end);
void cg_knot_rig_free_tails(cg_knot_rig *rig);
void cg_knot_rig_set_friction(cg_knot_rig *rig, double friction);

// The vertex at which end 0 or 1 is pulled.
int cg_knot_rig_end(const cg_knot_rig *rig, int end, cg_thread_id *thread);
const cg_vec3 *cg_knot_rig_points(const cg_knot_rig *rig, int thread);
// How many points it has now: another number than in the beginning when its spacing follows.
int cg_knot_rig_point_count(const cg_knot_rig *rig, int thread);
// [N] pull of a hand along its way; [m] between the pulled ends.
double cg_knot_rig_tension(const cg_knot_rig *rig, int end);
double cg_knot_rig_distance(const cg_knot_rig *rig);
// [m] by which both threads together are longer than at rest.
double cg_knot_rig_stretch(const cg_knot_rig *rig);
// What knot it is, as the namer reads it from the points alone, told which ends are pulled. False when it cannot.
bool cg_knot_rig_identify(const cg_knot_rig *rig, cg_knot_report *name);
// The deepest overlap of any two segments that are no neighbours, in diameters: all pairs are looked at.
double cg_knot_rig_overlap(const cg_knot_rig *rig);
// Of the knot in the first thread; 0 when it cannot be told.
uint64_t cg_knot_rig_determinant(const cg_knot_rig *rig);
// [m] from the first to the last place of the first thread where a contact carries force, along the thread at rest.
double cg_knot_rig_length_in_knot(const cg_knot_rig *rig);

#endif
