// A thread that is cut in two: the part behind the cut goes on in the memory of another thread.
//
// The ends of a thread are round: they reach a radius beyond the vertex. So both parts end a little more than that
// before the cut, and the mass of what is missing stays at their ends.
#ifndef CATGUT_THREAD_PART_H
#define CATGUT_THREAD_PART_H

#include "thread/thread.h"

// Where the parts end. Vertices of the first part keep their numbers; those of the second are `offset` less.
typedef struct cg_thread_cut {
    double arc;           // [m] of the cut, at rest
    int count;            // vertices of the first part
    double last_fraction; // where its last vertex goes: on the segment before it, as it was; 1: it stays
    int offset;           // vertex that becomes the first one of the second part
    double next_fraction; // where that goes on the segment behind it, as it was; 0: it stays
    double ends[2];       // [m] arc lengths where the first part ends and the second begins, of the whole thread
} cg_thread_cut;

// Finds the parts of a cut at an arc length at rest. False when it is so near to an end that one of them would be none.
bool cg_thread_plan_cut(const cg_thread *thread, double arc, cg_thread_cut *cut);
// Moves what is behind the cut to `rest`, which has room for all vertices of the thread: made by cg_thread_create_spare
// or left over from an earlier cut. Mass and momentum stay; what lay between the ends of the parts goes with them at
// one velocity, so that no kinetic energy is won. Anchors stay where they are, each with its part: `rest` has room for
// them where the thread has, and cg_slide_may_cut has said so (slide.h). Takes no memory.
void cg_thread_part(cg_thread *thread, const cg_thread_cut *cut, cg_thread *rest);
// Memory for a part of a thread, of its material. Nothing may be asked of it before something is in it.
cg_status cg_thread_create_spare(const cg_thread *thread, const cg_allocator *allocator, cg_thread **spare);
// What both parts are made of.
void cg_thread_take_material(const cg_thread *thread, cg_thread *rest);

#endif
