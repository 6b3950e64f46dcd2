// MicroSim's three tests of 4.2, with table 4.1 in SI units: the torsion test, the knot test, and a thread of 600
// vertices with a knot. The third was an anastomosis there; threads and tissue do not touch here yet, so it is the knot
// alone. Steps of 5 ms, no mass, no gravity.
#ifndef CATGUT_EXPERIMENTS_SEED_RIG_H
#define CATGUT_EXPERIMENTS_SEED_RIG_H

#include "experiments/knot_rig.h"

enum { CG_SEED_TORSION_VERTICES = 200, CG_SEED_KNOT_VERTICES = 75, CG_SEED_SUTURE_VERTICES = 600 };
#define CG_SEED_TORSION_SPACING 0.1e-3 // [m] the radius too
#define CG_SEED_TWIST_STIFFNESS 4e-9   // [N m2]
#define CG_SEED_TWIST_RATE 0.8         // [rad/s]

// EA 2 N, EI 2e-10 N m2, friction 0.95: a low wave between clamps that are nearer than it is long.
bool cg_seed_clamp_thread(cg_report *report, cg_world **world, cg_thread_id *thread);
// Both ends are turned, in opposite senses, half of the turn [rad] each.
void cg_seed_turn_ends(cg_world *world, cg_thread_id thread, double turn);

typedef enum cg_seed_kind {
    CG_SEED_TORSION, // twisted by 0.8 rad/s
    CG_SEED_KNOT,   // a reef knot of two threads of 75 vertices, 1 N; friction from 0.95 down by 0.05 every two seconds
    CG_SEED_SUTURE, // a reef knot in one thread of 600 vertices, friction 0.95, drawn tight by its ends
    CG_SEED_KIND_COUNT
} cg_seed_kind;

extern const char *const cg_seed_names[CG_SEED_KIND_COUNT];

// A test that runs, with timers of the thread's CPU time.
typedef struct cg_seed_test {
    cg_seed_kind kind;
    cg_world *world;
    cg_thread_id thread; // of the torsion test
    cg_knot_rig rig;     // of the others
    int step;            // made so far
} cg_seed_test;

// `iterations` of NNCG for a friction problem and one linearisation a step; 0: solved, and the default passes.
bool cg_seed_test_open(cg_seed_test *test, cg_seed_kind kind, int iterations, cg_report *report);
void cg_seed_test_step(cg_seed_test *test);
void cg_seed_test_close(cg_seed_test *test);

#endif
