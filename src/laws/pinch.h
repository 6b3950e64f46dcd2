// Threads that the jaws of tools press: how the force of a contact turns with the thread.
//
// A contact of a thread with a rail of a jaw, two rods across each other, lies where they are nearest. With D the
// distance between their axes, n the normal there and a the angle between them, the distance after a motion that
// leaves the point of the contact where it is and tilts the thread by the turn w towards the rail is
//
//     d = D - D w^2 / (2 sin^2 a),
//
// as the contact moves along the thread by D w / sin^2 a. So a force N between them holds the thread upright with
// N D / sin^2 a for each radian. In a pass contacts stand where they were found, and that stiffness is missing: a
// thread that two rails press tilts one way in a pass and the other way in the next, farther each time where N D is
// more than the stiffness EI / l of the thread over a segment, until it is so deep in the rails that nothing may move
// any more. Here it is added to the matrix of the thread. It acts on the motion of the pass alone, so where passes
// converge to is the same with and without it.
//
// And how its cross-section gives. A thread across a jaw lies on two rails and an arm, between three pairs of rods that
// close on it at once: how the force of the jaws is shared among them is open where nothing gives, and problems solved
// one after the other drift to where a single pair has all of it. About that one the thread turns at a touch, as a
// point has no friction against turning; it swings along the rods and is pressed out between them. So the contact of a
// thread with a jaw is a stiff spring, which shares the force evenly.
#ifndef CATGUT_LAWS_PINCH_H
#define CATGUT_LAWS_PINCH_H

#include "rows/touch.h"

// Between assembling the threads of a pass and taking out what is held of them.
void cg_touch_stiffen_pinched(cg_touch_set *set);

// [m/N] by which a thread gives way to a jaw along the normal of their contact; 0 for all other touches.
double cg_touch_squeeze_give(const cg_touch_set *set, const cg_touch *touch);

#endif
