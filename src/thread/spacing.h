// Spacing that follows what a thread does: how long segments should be (spacing.c), which are split and merged, and the
// edits themselves (edit.c). The world's step calls these after a step, in this order:
//
//     begin, ask..., mark_splits..., fit_splits, split_marked, shift
//     begin, ask..., mark_merges, shift, merge_marked, shift
#ifndef CATGUT_THREAD_SPACING_H
#define CATGUT_THREAD_SPACING_H

#include "thread/thread.h"

// How a segment is to be split.
typedef enum cg_split {
    CG_SPLIT_NOT,
    CG_SPLIT_STRAIGHT, // the new vertex stays on the segment
    CG_SPLIT_ROUND     // it wants to go where the bend of the thread would have it
} cg_split;

// Forgets what was wanted and marked before.
void cg_spacing_begin(cg_thread *thread);
// Asks for fine segments about a point of a segment.
void cg_spacing_ask_touch(cg_thread *thread, int segment, double fraction);
// Asks for segments short enough for the bends of the present shape.
void cg_spacing_ask_bends(cg_thread *thread);
// Marks the segments that are too long, besides those that are marked. Returns how many.
int cg_spacing_mark_splits(cg_thread *thread, cg_split kind);
// Marks those that would be more than twice as long as a neighbour, and takes back what finds no room, which is added
// to *refused. Returns how many are marked.
int cg_spacing_fit_splits(cg_thread *thread, int *refused);
// Marks vertices that are not needed, no two neighbours, and puts into thread->move what takes them to the line between
// their neighbours. Returns how many.
int cg_spacing_mark_merges(cg_thread *thread);

// The tangents on both sides of a joint; false at an end that is not clamped.
bool cg_spacing_tangents_at(const cg_thread *thread, int joint, cg_vec3 *before, cg_vec3 *after);
// Change of tangent per length at a joint; zero at an end that is not clamped.
cg_vec3 cg_spacing_curvature(const cg_thread *thread, int joint);

// Halves the marked segments. Leaves in thread->move what takes new vertices onto the bend, zero for all others;
// cg_thread_shift has to follow.
void cg_thread_split_marked(cg_thread *thread);
// Takes the marked vertices out, which have to stand on the line between their neighbours. Leaves thread->move zero;
// cg_thread_shift has to follow.
void cg_thread_merge_marked(cg_thread *thread);
// Takes out all vertices between two, wherever they stand; returns how many there were.
int cg_thread_clear_span(cg_thread *thread, int from, int to);

#endif
