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

#endif
