// Rigid bodies as a step sees them: a fixed shape, one that goes where it is told, the rod of a hand.
#ifndef CATGUT_RIGID_RIGID_H
#define CATGUT_RIGID_RIGID_H

#include "catgut/math.h"
#include "catgut/shape.h"

// In each pass of a step it goes the same share of its remaining way as everything else.
typedef struct cg_rigid {
    cg_shape shape;
    double friction;
    cg_transform start, now, target; // of the step
    cg_vec3 force, torque;           // [N], [N m] about `now.position`, on the body
    double eagerness;                // 0 to 1: how far it may press into tissue in a step (contact/press.h)
} cg_rigid;

#endif
