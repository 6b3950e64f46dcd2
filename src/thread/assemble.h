// The two ways of filling rows, for assemble.c to choose from and for the tests to compare.
#ifndef CATGUT_THREAD_ASSEMBLE_H
#define CATGUT_THREAD_ASSEMBLE_H

#include "thread/thread.h"

// What a mass puts on the diagonal.
typedef struct cg_inertia_rates {
    double by_square; // [1/s2] inertia
    double by_step;   // [1/s2] drag
} cg_inertia_rates;

static inline cg_inertia_rates cg_inertia_rates_of(const cg_thread *thread)
{
    double rate = 1.0 / thread->step_length;
    return (cg_inertia_rates){thread->inertia == CG_TRUE_MASS ? rate * rate : 0.0, thread->drag * rate};
}

// Inertia, stretch and bending in the rows of vertices first .. last, whatever the thread. The two rows before and
// after are left half done.
void cg_assemble_vertices(cg_thread *thread, const cg_step_context *context, int first, int last);

// The same for the `count` outermost vertices of both ends, two at a time; straight at rest and undamped threads only.
// Overwrites what stands there. Needs 2 count + 4 <= vertex_count.
void cg_assemble_outer(cg_thread *thread, int count);

#endif
