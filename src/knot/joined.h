// Two threads tied to each other.
//
// Closed each for itself, the two threads of a reef knot are not even linked; what holds them is friction. The knot
// shows when the threads are joined: an end of one and an end of the other, outside, as the two ends of one thread are
// by the loop that it was tied around. There are four choices of ends. Where one of them gives throws upon each other
// that is the knot, told from the joined ends on, and the two others are its tails. Pulled by the joined ends, or by
// both tails, it is a reef or a granny; pulled by one of each it is a thief or a grief.
//
// The joining line leaves the first end straight, runs over a large sphere around both threads on the side that is
// farthest from the other two ends, and comes in straight to the second end.
#ifndef CATGUT_KNOT_JOINED_H
#define CATGUT_KNOT_JOINED_H

#include "catgut/knot.h"
#include "knot/reader.h"

enum { CG_JOINED_POINTS = 40 }; // points that joining adds at most

// `joined` has room for the points of both threads and CG_JOINED_POINTS more.
cg_status cg_joined_identify(cg_reader *reader, const cg_knot_thread *threads, cg_vec3 *joined, cg_knot_report *report);

#endif
