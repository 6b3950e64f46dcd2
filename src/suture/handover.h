// A hole goes from the needle to the thread that is swaged to its end, and back.
//
// When the end of a needle has gone through a hole, the thread takes its place: it gets an anchor there
// (thread/slide.h), one least length from its end or more. The span between end and hole is straight where it is
// inside. When thread has slid back until the end of the needle is at the hole, that is the needle's again.
#ifndef CATGUT_SUTURE_HANDOVER_H
#define CATGUT_SUTURE_HANDOVER_H

#include "find/channel.h"
#include "thread/slide.h"

// [m] How far behind the end of the needle a hole must be before the thread can have it.
double cg_handover_length(const cg_thread *thread);
// Whether a thread can take holes at all: its spacing follows, and there is room for anchors.
bool cg_handover_is_ready(const cg_thread *thread);
// [m] How far apart two that go through a surface side by side are, by their radii.
double cg_handover_room(double radius, double other);
// How a hole holds the thread that has it.
typedef struct cg_handover_hold {
    double friction; // coefficient between both
    double grip;     // [N] that it takes to slide where nothing is wrapped
} cg_handover_hold;

// Two threads cannot be nearer to each other than they are thick, and in holes nearer to each other they would have to
// be: a hole that a needle made in the side of another one is moved beside it, for a thread of this radius [m].
void cg_handover_make_room(const cg_touch_set *set, double radius, cg_channel_point *hole);
// The thread gets an anchor at a hole that is at `place` [m]. False when there is no room for it; nothing has changed.
bool cg_handover_take(cg_thread *thread, int end, const cg_channel_point *hole, cg_vec3 place, cg_handover_hold hold);
// A needle that goes back leaves thread in its channel that nothing draws out: it is pushed out behind it, a little in
// each step.
void cg_handover_push_out(cg_thread *thread, int end);
// The hole of the anchor next to this end, with nothing but the span to the needle between; false when there is none.
bool cg_handover_next(const cg_thread *thread, int end, cg_channel_point *hole);
// Takes that anchor out: the needle has come back to it.
void cg_handover_give_back(cg_thread *thread, int end);
// True when thread has slid back so far that the needle is at the hole.
bool cg_handover_is_short(const cg_thread *thread, int end);

#endif
