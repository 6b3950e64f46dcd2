// The knot at the end of an attempt.
#ifndef CATGUT_TASK_KNOTS_H
#define CATGUT_TASK_KNOTS_H

#include "task/task.h"

// Measures the knot in frame `index` of a recording.
cg_status cg_measure_knot(cg_recording *recording, size_t index, const cg_goal_knot *goal,
                          const cg_allocator *allocator, cg_measures *measures);

// Measures the knot in a session as it is now; CG_OK where there is none to be found.
cg_status cg_measure_knot_now(const cg_session *session, const cg_goal_knot *goal, const cg_allocator *allocator,
                              cg_measures *measures);

// True when a report is of a knot of that name: Rolfsen's, the common one, or its throws ("2=1=1").
bool cg_knot_is(const cg_knot_report *report, const char *name);

// Lengths [m] of the two tails of a knot: how much of the thread can be cut off at an end so that its name stays. False
// when there is no knot.
bool cg_knot_tails(const cg_vec3 *points, int count, const cg_allocator *allocator, double tails[2]);

#endif
