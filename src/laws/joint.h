// Joints: the end of a thread that is fastened to a point of a rigid body by a hinge, as a suture is swaged to its
// needle. A joint is a touch (rows/touch.h) that can push and pull any way: it is found in every pass, always works,
// and has no cone. Its three equations are taken out of the friction problem before that is solved, exactly:
//
//     f_j = -Q_jj^-1 (c_j + Q_jc f_c),     Q' = Q_cc - Q_cj Q_jj^-1 Q_jc,     c' = c_c - Q_cj Q_jj^-1 c_j.
//
// Its force is kept as that of any touch, so that a restored world goes on to the bit. A hinge bears no moment.
#ifndef CATGUT_LAWS_JOINT_H
#define CATGUT_LAWS_JOINT_H

#include "rows/touch.h"

// Adds the touches of the joints.
void cg_touch_find_joints(cg_touch_set *set);

// [m] From the point of the body to the end of the thread.
cg_vec3 cg_touch_joint_gap(const cg_touch *touch);
// Takes the joints, which come last, out of the problem that is set up; returns how many touches it has left.
int cg_touch_take_joints_out(cg_touch_set *set);
// The forces of the joints once the others have theirs, in set->problem.force.
void cg_touch_solve_joints(cg_touch_set *set);

#endif
