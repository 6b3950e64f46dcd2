// Joints: the end of a thread that is fastened to a point of a rigid body by a hinge, as a suture is swaged to its
// needle. A joint is a touch (touch.h) that can push and pull any way: it is found in every pass, always works, and
// has no cone. Its three equations are taken out of the friction problem before that is solved, exactly:
//
//     f_j = -Q_jj^-1 (c_j + Q_jc f_c),     Q' = Q_cc - Q_cj Q_jj^-1 Q_jc,     c' = c_c - Q_cj Q_jj^-1 c_j.
//
// Its force is kept as that of any touch, so that a restored world goes on to the bit. A hinge bears no moment.
#ifndef CATGUT_CONTACT_TOUCH_JOINT_H
#define CATGUT_CONTACT_TOUCH_JOINT_H

#include "contact/touch.h"

// Notes beside which parts of its body each thread may lie, for finding and limiting.
void cg_touch_note_exempt(cg_touch_set *set);
// Adds the touches of the joints.
void cg_touch_find_joints(cg_touch_set *set);
// True when that segment of a thread is so near its joint with the body that the part does not touch it. `part` is a
// number among all parts.
bool cg_touch_is_beside_joint(const cg_touch_set *set, int thread, int segment, int part);
// The first segment behind those that lie beside a joint, and a part that they lie beside: its contact at its end on
// that side, or so near to that end that one of those segments takes its place. As a place of the whole thread that is
// none, since the thread is nearer to the part there; but this segment may not come nearer, and without a contact it
// would be stuck. False when the segment comes nearer to the part farther on.
bool cg_touch_find_behind_joint(const cg_touch_set *set, int joint, int part, cg_shape_contact *contact);

// [m] From the point of the body to the end of the thread.
cg_vec3 cg_touch_joint_gap(const cg_touch *touch);
// Takes the joints, which come last, out of the problem that is set up; returns how many touches it has left.
int cg_touch_take_joints_out(cg_touch_set *set);
// The forces of the joints once the others have theirs, in set->force.
void cg_touch_solve_joints(cg_touch_set *set);

#endif
