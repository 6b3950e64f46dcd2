// The shape at rest of a curved thread, as turns at its joints.
//
// A turn is a vector across the segment before the joint, in its material axes: its length is the angle between the
// segments without load. It belongs to the stretch of thread from the middle of one segment to the middle of the next.
#ifndef CATGUT_THREAD_REST_H
#define CATGUT_THREAD_REST_H

#include "thread/thread.h"

// Of an inner joint of a thread with a rest shape.
cg_vec3 cg_rest_turn(const cg_thread *thread, int joint);
// A turn beyond 3 rad is cut to it: half a turn has no side.
void cg_rest_set_turn(cg_thread *thread, int joint, cg_vec3 turn);

// Whether an inner joint of such a thread is straight without load. Most are, of a thread with a bend or a set
// somewhere: their bending is that of a straight thread, and they do not care how the material is turned.
static inline bool cg_rest_is_straight(const cg_thread *thread, int joint)
{
    cg_vec3 ahead = thread->rest_ahead[joint], behind = thread->rest_behind[joint];
    return ahead.x == 0 && ahead.y == 0 && ahead.z > 0 && behind.x == 0 && behind.y == 0 && behind.z > 0;
}

#endif
