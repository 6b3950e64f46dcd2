// Memory: a thread that is bent too far keeps a part of the bend.
//
// A section bears a bending moment of EI times its curvature, less its curvature at rest, up to its yield moment M_y.
// Bent farther it bears M_y and no more (ideal plastic): what is beyond becomes curvature at rest. Bent from straight
// to a curvature c and let go, it keeps the set
//
//     c - M(c) / EI,     M(c) = min(EI c, M_y),
//
// nothing below M_y / EI. Bent back, it yields again at M_y on the other side.
//
// At a joint of length l, k = EI / l, the rest is one direction q: the tangent ahead without load, in the material axes
// of the segment behind; the tangent behind is its mirror image in those of the segment ahead. With a and b the same
// two as they are now, the bending energy (bend.h) is
//
//     E = k/4 ( |a - q|^2 + |b - q|^2 ) = const - k q.p,     p = (a + b) / 2.
//
// The moment is k times the chord between q and the direction of p, as in strength.h. Where it is above M_y, q goes
// towards p on the shortest arc until it is M_y: q.p grows, so energy is lost, never won, whatever the twist.
//
// It is done once, when a step has been made. Within a step a thread is elastic, so a moment can be above M_y by what
// one step adds to it.
#ifndef CATGUT_THREAD_YIELD_H
#define CATGUT_THREAD_YIELD_H

#include "thread/thread.h"

// Moves the rest of all joints that bear more than the yield moment; of a thread that has one. Returns how many.
int cg_thread_yield(cg_thread *thread);
// Chord between the tangents at an inner joint as they are and without load, of a thread with a rest shape: times EI
// over the length of the joint it is the moment.
double cg_thread_elastic_turn(const cg_thread *thread, int joint);

#endif
