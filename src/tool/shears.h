// Blades of scissors that close on a thread.
//
// The blades push a thread from two sides, as any body does: that is the contact problem's. It lies between them where
// one blade pushes it towards the other and the other back, at places of the thread that are next to each other. There
// it is cut when each blade pushes with more than
//
//     F = G d
//
// which is what it takes to part a thread of the diameter d whose toughness is G [J/m2], a width d at a time; or when
// the edges have passed each other, as they do on a thread so fine that it bends out of the way: sharp edges that pass
// without a gap leave nothing whole. With less, blades hold a thread like jaws.
#ifndef CATGUT_TOOL_SHEARS_H
#define CATGUT_TOOL_SHEARS_H

#include "rows/touch.h"
#include "tool/jaws.h"

// Where a thread is cut.
typedef struct cg_shears_cut {
    int thread;     // in the set
    double arc;     // [m] at rest
    double opening; // [m] between the edges there; below 0 they have passed each other
} cg_shears_cut;

// [N] F above.
double cg_thread_cut_force(double radius);
// True for a tool whose jaws are blades.
bool cg_jaws_cut(const cg_jaws *jaws);
// Finds where the blades part a thread, by the touches of the last step; the place where they are closest. False when
// they part none.
bool cg_shears_find(const cg_jaws *jaws, const cg_touch_set *set, cg_shears_cut *cut);

#endif
