// Friction that turns threads about their tangents: what a touch adds to slip, torque and coupling when the threads of
// a set roll (thread/roll.h). The maths is at the top of roll.c.
#ifndef CATGUT_LAWS_ROLL_H
#define CATGUT_LAWS_ROLL_H

#include "rows/touch.h"

// Slip of side 0 against side 1 by the turns of this pass, and of earlier passes of the step [m].
cg_vec3 cg_touch_roll_move(const cg_touch_set *set, const cg_touch *touch);
cg_vec3 cg_touch_roll_so_far(const cg_touch_set *set, const cg_touch *touch);

// Puts the torques of all working touches on the threads.
void cg_touch_roll_push(cg_touch_set *set);

// Adds to the coupling of the working touches what forces move by turning threads.
void cg_touch_roll_couple(cg_touch_set *set);

#endif
