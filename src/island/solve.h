// What the problem of an island is solved for, touch by touch, beside what is in rows/touch.h.
#ifndef CATGUT_ISLAND_SOLVE_H
#define CATGUT_ISLAND_SOLVE_H

#include "rows/touch.h"

// [m] Motion of side 0 against side 1 in this pass.
cg_vec3 cg_touch_relative_move(const cg_touch_set *set, const cg_touch *touch);
// [m] The slip of earlier passes of this step, and the part of the drift that is taken back in it.
cg_vec3 cg_touch_slip_taken_back(const cg_touch_set *set, const cg_touch *touch);
// [m] The gap that is to close, or the part of an overlap that is taken back.
double cg_touch_gap_taken_back(const cg_touch_set *set, const cg_touch *touch);

// Puts the forces of the touches that are being solved on their bodies and solves for the motions.
void cg_touch_move_under_forces(cg_touch_set *set);

#endif
