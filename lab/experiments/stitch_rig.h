// A wound in a pad of skin with a simple stitch through both lips, whose ends are drawn across it.
#ifndef CATGUT_EXPERIMENTS_STITCH_RIG_H
#define CATGUT_EXPERIMENTS_STITCH_RIG_H

#include <stdbool.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"

typedef struct cg_stitch_setup {
    double skin, fat;     // [Pa] Young's moduli; fat 0: all of it is skin
    double stiffening;    // of the skin
    double tension;       // [1] pre-strain across the wound
    double width;         // [m] of the wound
    double bite, depth;   // [m] from the edge of a lip to the hole in the top; of the holes in the wound
    double up;            // [rad] how steeply the ends are drawn
    double friction;      // of the stitch
    double skin_friction; // of thread on skin
    double spacing;       // [m] of the thread
    double pad_spacing;   // [m]
    double time_step;     // [s]
} cg_stitch_setup;

// A pad of 100 kPa, pre-strain 0.1, wound of 4 mm, bite 5 mm, 2.5 mm deep, ends 20 degrees up, friction 0.15.
cg_stitch_setup cg_stitch_setup_default(void);

typedef struct cg_stitch_rig {
    cg_stitch_setup setup;
    cg_world *world;
    cg_tissue_id pad;
    cg_thread_id thread;
    cg_vec3 out[2]; // directions in which the ends are drawn
    double open;    // [m] gap before anything is drawn
} cg_stitch_rig;

// Builds the world, lets the wound open and lays the stitch. False, and the report says why, when it cannot be made.
bool cg_stitch_rig_make(cg_stitch_rig *rig, const cg_stitch_setup *setup, cg_report *report);
void cg_stitch_rig_free(cg_stitch_rig *rig);
// A step with the ends drawn by that force [N].
void cg_stitch_rig_step(cg_stitch_rig *rig, double force);
// [m] between the holes in the wound; and what the wound itself says.
double cg_stitch_rig_holes(const cg_stitch_rig *rig);
cg_wound_gap cg_stitch_rig_gap(const cg_stitch_rig *rig);
// [m] how far the fastest node of the pad goes in a step.
double cg_stitch_rig_motion(const cg_stitch_rig *rig);
// [N] what the fixed nodes of the pad hold back, all together.
cg_vec3 cg_stitch_rig_reaction(const cg_stitch_rig *rig);

#endif
