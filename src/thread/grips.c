// Stretches of a thread that are held by something that gives way: the jaws of hands.
//
// A vertex that nothing pushes coasts to c = start + h velocity. A grip puts on each vertex of its stretch, and on each
// segment inside it,
//
//     g = force - slope (x - c) - along a (a . (x - c))   on the vertex, a the axis
//     b = bond_force - bond_slope (d - e)                on vertex i + 1, and against it on vertex i,
//
// where d is the vector of the segment and e what it would be by coasting. Springs, dampers and the mass of what holds
// the thread are all in the two slopes and taken implicitly, so no stiffness is too large for a step.
#include "base/vec3.h"
#include "thread/thread.h"

// How far a vertex is ahead of coasting.
static cg_vec3 ahead(const cg_thread *thread, const cg_vec3 *position, const cg_step_context *context, int vertex)
{
    cg_vec3 moved = v3_sub(position[vertex], thread->start[vertex]);
    return v3_add_scaled(moved, -context->time_step, thread->velocity[vertex]);
}

static void stiffen(double diagonal[6], double slope)
{
    diagonal[0] += slope;
    diagonal[3] += slope;
    diagonal[5] += slope;
}

static void stiffen_along(double diagonal[6], double slope, cg_vec3 a)
{
    diagonal[0] += slope * a.x * a.x;
    diagonal[1] += slope * a.x * a.y;
    diagonal[2] += slope * a.x * a.z;
    diagonal[3] += slope * a.y * a.y;
    diagonal[4] += slope * a.y * a.z;
    diagonal[5] += slope * a.z * a.z;
}

static void add_bond(cg_thread *thread, int segment, cg_vec3 force, double slope)
{
    cg_band_row *here = &thread->rows[segment], *next = &thread->rows[segment + 1];
    thread->rhs[segment] = v3_sub(thread->rhs[segment], force);
    thread->rhs[segment + 1] = v3_add(thread->rhs[segment + 1], force);
    stiffen(here->diagonal, slope);
    stiffen(next->diagonal, slope);
    here->next[0] -= slope;
    here->next[4] -= slope;
    here->next[8] -= slope;
}

static cg_vec3 bond_force(const cg_thread *thread, const cg_thread_grip *grip, const cg_step_context *context, int bond)
{
    const cg_vec3 *x = thread->shape.position;
    int segment = grip->first + bond;
    cg_vec3 longer = v3_sub(ahead(thread, x, context, segment + 1), ahead(thread, x, context, segment));
    return v3_add_scaled(grip->bond_forces[bond], -grip->bond_slope, longer);
}

static cg_vec3 vertex_force(const cg_thread *thread, const cg_thread_grip *grip, const cg_step_context *context,
                            int vertex)
{
    cg_vec3 here = ahead(thread, thread->shape.position, context, vertex);
    cg_vec3 force = v3_add_scaled(grip->force, -grip->slope, here);
    return grip->along > 0 ? v3_add_scaled(force, -grip->along * v3_dot(grip->axis, here), grip->axis) : force;
}

void cg_thread_add_grips(cg_thread *thread, const cg_step_context *context)
{
    for (const cg_thread_grip *grip = thread->grips; grip != NULL; grip = grip->next) {
        for (int i = grip->first; i < grip->first + grip->count; i++) {
            thread->rhs[i] = v3_add(thread->rhs[i], vertex_force(thread, grip, context, i));
            stiffen(thread->rows[i].diagonal, grip->slope);
            if (grip->along > 0) {
                stiffen_along(thread->rows[i].diagonal, grip->along, grip->axis);
            }
        }
        for (int b = 0; b + 1 < grip->count; b++) {
            add_bond(thread, grip->first + b, bond_force(thread, grip, context, b), grip->bond_slope);
        }
    }
}

double cg_thread_grip_potential(const cg_thread *thread, const cg_thread_shape *shape, const cg_step_context *context)
{
    double sum = 0;
    for (const cg_thread_grip *grip = thread->grips; grip != NULL; grip = grip->next) {
        cg_vec3 last = v3_zero();
        for (int k = 0; k < grip->count; k++) {
            cg_vec3 here = ahead(thread, shape->position, context, grip->first + k), longer = v3_sub(here, last);
            double forward = v3_dot(grip->axis, here);
            sum += 0.5 * grip->slope * v3_dot(here, here) - v3_dot(grip->force, here);
            sum += 0.5 * grip->along * forward * forward;
            if (k > 0) {
                sum += 0.5 * grip->bond_slope * v3_dot(longer, longer) - v3_dot(grip->bond_forces[k - 1], longer);
            }
            last = here;
        }
    }
    return sum;
}

cg_vec3 cg_thread_grip_force(const cg_thread *thread, const cg_thread_grip *grip, const cg_step_context *context,
                             int vertex)
{
    int bond = vertex - grip->first;
    cg_vec3 force = vertex_force(thread, grip, context, vertex);
    if (bond > 0) {
        force = v3_add(force, bond_force(thread, grip, context, bond - 1));
    }
    if (bond + 1 < grip->count) {
        force = v3_sub(force, bond_force(thread, grip, context, bond));
    }
    return force;
}
