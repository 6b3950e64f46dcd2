// Inertia and drag of a step, to first or second order in its length h.
//
//     x1 = w + k v1,    m (v1 - u) / k = force - drag m v1
//
//     implicit Euler    k = h          w = x0                   u = v0
//     BDF2              k = 2 h / 3    w = (4 x0 - x-1) / 3     u = (4 v0 - v-1) / 3
//
// where 0 is the start of the step and -1 that of the step before. Both take forces at the end of the step alone, so
// that the step's potential, its matrix and its contacts are the same but for three numbers. BDF2 loses next to nothing
// of slow swings and of spin, and forgets vibrations that a step cannot follow, as Euler does.
//
// It looks back, and what happened in between must have been smooth. A thread that something touches, pushes or pulls
// along goes on to first order: stopped by a wall, BDF2 would throw it back with half of its speed.
#include <string.h>

#include "base/vec3.h"
#include "thread/assemble.h"

static void aim(cg_thread *thread, const cg_step_context *context)
{
    const cg_vec3 *x = thread->start, *v = thread->velocity;
    double rate = thread->second_order ? 2.0 / 3.0 : 1.0;
    thread->step_length = rate * context->time_step;
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 origin = x[i], speed = v[i];
        if (thread->second_order) {
            origin = v3_add_scaled(x[i], 1.0 / 3.0, v3_sub(x[i], thread->earlier[i]));
            speed = v3_add_scaled(v[i], 1.0 / 3.0, v3_sub(v[i], thread->earlier_velocity[i]));
        }
        thread->origin[i] = origin;
        thread->coasting[i] = v3_scale(thread->step_length, speed);
    }
}

void cg_inertia_begin(cg_thread *thread, const cg_step_context *context)
{
    thread->second_order = thread->remembers == context->time_step && thread->isolated;
    aim(thread, context);
}

void cg_inertia_to_first_order(cg_thread *thread, const cg_step_context *context)
{
    if (thread->second_order) {
        thread->second_order = false;
        aim(thread, context);
    }
}

// How much the velocities may change in a step, squares of masses' weight, of what they are, for the next to look back
// on it: what turns faster is not followed anyway, and looking back on a snap throws the thread further than it came.
static const double MOST_CHANGE = 0.1;

static bool was_smooth(const cg_thread *thread)
{
    double change = 0, size = 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 faster = v3_sub(thread->velocity[i], thread->earlier_velocity[i]);
        change += thread->mass[i] * v3_dot(faster, faster);
        size += thread->mass[i] * v3_dot(thread->velocity[i], thread->velocity[i]);
    }
    return change < MOST_CHANGE * size;
}

void cg_inertia_finish(cg_thread *thread, const cg_step_context *context)
{
    size_t bytes = sizeof(cg_vec3) * (size_t)thread->vertex_count;
    double rate = thread->refused ? 0.0 : 1.0 / thread->step_length;
    memcpy(thread->earlier, thread->start, bytes);
    memcpy(thread->earlier_velocity, thread->velocity, bytes);
    for (int i = 0; i < thread->vertex_count; i++) {
        thread->velocity[i] = v3_scale(rate, v3_sub(thread->shape.position[i], thread->origin[i]));
    }
    bool alone = thread->isolated && !thread->touched && !thread->refused;
    thread->remembers = alone && was_smooth(thread) ? context->time_step : 0.0;
}
