// Threads to test with: random shapes and materials, made from a seed.
#ifndef CATGUT_TESTS_THREAD_RIG_H
#define CATGUT_TESTS_THREAD_RIG_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "harness.h"
#include "thread/thread.h"

static inline cg_vec3 random_vector(uint64_t *random, double size)
{
    double x = test_random(random, -size, size), y = test_random(random, -size, size);
    return v3(x, y, test_random(random, -size, size));
}

// A wandering line of unit-like scale: segments about 1 long, turning by up to about `bend` radians.
static inline void wander(cg_vec3 *points, int count, double bend, uint64_t *random)
{
    cg_vec3 at = v3_zero(), along = v3_unit_or(random_vector(random, 1), v3(1, 0, 0));
    for (int i = 0; i < count; i++) {
        points[i] = at;
        along = v3_unit_or(v3_add_scaled(along, bend, random_vector(random, 1)), along);
        at = v3_add_scaled(at, test_random(random, 0.9, 1.1), along);
    }
}

static inline cg_thread *make_thread(const cg_thread_def *def)
{
    cg_thread *thread = NULL;
    cg_status status = cg_thread_create(def, &(cg_allocator){0}, &thread);
    CHECK_STR(status.message, "");
    return thread;
}

static inline cg_step_context make_context(double time_step)
{
    return (cg_step_context){.time_step = time_step, .inverse_step = 1 / time_step, .gravity = {0.3, 0.2, -1}};
}

// The gradient of the step's potential by one coordinate, by central differences along re-measured shapes.
static inline double numerical_slope(cg_thread *thread, const cg_step_context *context, int vertex, int axis, double h)
{
    double value[2];
    for (int side = 0; side < 2; side++) {
        memcpy(thread->trial.position, thread->shape.position, sizeof(cg_vec3) * (size_t)thread->vertex_count);
        (&thread->trial.position[vertex].x)[axis] += side == 0 ? -h : h;
        cg_shape_measure(thread, &thread->trial, &thread->shape);
        if (thread->twisting) {
            cg_twist_follow(thread, &thread->trial, &thread->shape, 0);
        }
        value[side] = cg_thread_step_potential(thread, &thread->trial, context);
    }
    return (value[1] - value[0]) / (2 * h);
}

#endif
