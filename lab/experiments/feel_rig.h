// Hands of a world that simulated devices lead, in the hands of simulated persons, at 1 kHz.
#ifndef CATGUT_EXPERIMENTS_FEEL_RIG_H
#define CATGUT_EXPERIMENTS_FEEL_RIG_H

#include "catgut/catgut.h"
#include "experiments/experiment.h"

enum { CG_FEEL_RIG_HANDS = 2 };

typedef struct cg_feel_rig {
    cg_world *world;
    cg_hand_id hands[CG_FEEL_RIG_HANDS];
    int count;
    cg_feel *feel;
    cg_practice *practices[CG_FEEL_RIG_HANDS];
    cg_vec3 seen[CG_FEEL_RIG_HANDS]; // the samples that the next step has as commands
} cg_feel_rig;

// Takes the world over. Devices begin where the hands are. False, and the report says why, when it cannot be made;
// close it in either case.
bool cg_feel_rig_open(cg_feel_rig *rig, cg_world *world, const cg_hand_id *hands, int count, const cg_feel_def *def,
                      cg_report *report);
void cg_feel_rig_close(cg_feel_rig *rig);
// A millisecond in which the persons want to be there; then a step of the world.
void cg_feel_rig_play(cg_feel_rig *rig, const cg_vec3 *wanted);
// [N] at the motors.
double cg_feel_rig_force(const cg_feel_rig *rig, int hand);

#endif
