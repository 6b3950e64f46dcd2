// Roll: how the material of a thread turns about its tangents when friction at the surface turns it. The maths is at
// the top of roll.c.
#ifndef CATGUT_THREAD_ROLL_H
#define CATGUT_THREAD_ROLL_H

#include "thread/thread.h"

// Of a segment about its tangent [kg m2]: a solid round section.
static inline double cg_roll_inertia(const cg_thread *thread, int segment)
{
    return 0.5 * thread->radius * thread->radius * thread->linear_density * thread->rest_length[segment];
}

// Makes the turning of the material an unknown of every step. To be called once, after the thread is made. A thread
// without twist stiffness stays as it is: nothing would keep its segments from spinning one by one.
void cg_roll_start(cg_thread *thread);

// Springs of one pass at the present shape.
void cg_roll_assemble(cg_thread *thread, const cg_step_context *context);

// Torques of one pass: those of the shape to which it leads, its angles as they are now.
void cg_roll_foresee(cg_thread *thread, const cg_thread_shape *ahead);

// The turns of this pass, thread->turn, under the torques thread->contact_torque.
void cg_roll_solve(cg_thread *thread);

// How far a segment turns for each unit of torque on it [rad/(N m)].
double cg_roll_compliance(const cg_thread *thread, int segment);

// The share of a segment's turn with which the segment before it goes along, when nothing turns those before.
double cg_roll_share_before(const cg_thread *thread, int segment);

#endif
