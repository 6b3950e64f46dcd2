// A mass-spring thread in a world: its explicit sub-steps, with hands, holds and limits of its lengths.
#include <math.h>

#include "base/vec3.h"
#include "thread/model.h"

static void find_forces(cg_thread *thread, const cg_step_context *context, const bool *held)
{
    cg_model *model = thread->model;
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 weight = v3_scale(thread->mass[i], context->gravity);
        cg_vec3 others = v3_add(thread->force[i], thread->contact[i]);
        cg_vec3 drag = v3_scale(-thread->drag * thread->mass[i], model->velocity[i]);
        model->force[i] = v3_add(v3_add(weight, others), drag);
    }
    cg_mass_spring_add_forces(&model->law, thread->vertex_count, thread->shape.position, model->velocity, held,
                              model->force);
}

void cg_springs_find_forces(cg_thread *thread, const cg_step_context *context)
{
    find_forces(thread, context, NULL);
}

// How far a vertex would be ahead of coasting (thread/grips.c) after `time` more, at the velocity it has.
static cg_vec3 ahead(const cg_thread *thread, const cg_step_context *context, int i, double time)
{
    const cg_model *model = thread->model;
    double since = model->share * context->time_step + time;
    cg_vec3 there = v3_add_scaled(thread->shape.position[i], time, model->velocity[i]);
    return v3_add_scaled(v3_sub(there, thread->start[i]), -since, thread->velocity[i]);
}

// [N/m] The slope of a grip without the inertia of what holds, which is in the mass here.
static double spring_slope(const cg_thread_grip *grip, const cg_step_context *context)
{
    return fmax(0, grip->slope - grip->mass * context->inverse_step * context->inverse_step);
}

// [kg] What resists the forces at a vertex of a grip. Springs of the grip are taken implicitly: no hand is too stiff.
static double mass_in_grip(const cg_thread_grip *grip, const cg_step_context *context, double time)
{
    return grip->mass + time * time * (spring_slope(grip, context) + 2 * grip->bond_slope);
}

static cg_vec3 grip_force(const cg_thread *thread, const cg_thread_grip *grip, const cg_step_context *context, int i,
                          double time)
{
    int k = i - grip->first;
    cg_vec3 here = ahead(thread, context, i, time);
    cg_vec3 force = v3_add_scaled(grip->force, -spring_slope(grip, context), here);
    if (k > 0) {
        cg_vec3 longer = v3_sub(here, ahead(thread, context, i - 1, time));
        force = v3_add(force, v3_add_scaled(grip->bond_forces[k - 1], -grip->bond_slope, longer));
    }
    if (k + 1 < grip->count) {
        cg_vec3 longer = v3_sub(ahead(thread, context, i + 1, time), here);
        force = v3_sub(force, v3_add_scaled(grip->bond_forces[k], -grip->bond_slope, longer));
    }
    return force;
}

// Where all would go by forces as they are; held vertices, which no force moves, as they go.
static void expect(cg_thread *thread, double time, cg_vec3 *expected)
{
    const cg_model *model = thread->model;
    for (int i = 0; i < thread->vertex_count; i++) {
        double answer = thread->held[i] ? 0 : time / thread->mass[i];
        cg_vec3 velocity = v3_add_scaled(model->velocity[i], answer, model->force[i]);
        expected[i] = v3_add_scaled(thread->shape.position[i], time, velocity);
    }
}

// Conditions A, B and C: what the hand pulls with at an end of its stretch goes on along the thread where that is at
// its limit, first towards the start, then, what is left, towards the finish.
static void propagate(cg_thread *thread, const cg_thread_grip *grip, const cg_vec3 *pulls, const cg_vec3 *expected)
{
    cg_model *model = thread->model;
    cg_length_limits limits = cg_springs_limits(thread);
    int low = grip->first, high = grip->first + grip->count - 1;
    for (int k = 0; k < grip->count; k++) {
        int i = grip->first + k;
        if (i == low && low > 0) {
            cg_propagate_force(&limits, thread->vertex_count, thread->shape.position, expected, i, -1, pulls[k],
                               model->force);
        } else if (i == high && high + 1 < thread->vertex_count) {
            cg_propagate_force(&limits, thread->vertex_count, thread->shape.position, expected, i, 1, pulls[k],
                               model->force);
        } else {
            model->force[i] = v3_add(model->force[i], pulls[k]);
        }
    }
}

enum { MOST_GRIPPED = 64 };

static void add_grips(cg_thread *thread, const cg_step_context *context, double time)
{
    const cg_model *model = thread->model;
    cg_vec3 *expected = thread->rhs; // of Kirchhoff threads
    cg_vec3 pulls[MOST_GRIPPED];
    for (const cg_thread_grip *grip = thread->grips; grip != NULL; grip = grip->next) {
        for (int k = 0; k < grip->count && k < MOST_GRIPPED; k++) {
            pulls[k] = grip_force(thread, grip, context, grip->first + k, time);
        }
        expect(thread, time, expected);
        for (int k = 0; k < grip->count && k < MOST_GRIPPED; k++) {
            int i = grip->first + k;
            double mass = thread->mass[i] + mass_in_grip(grip, context, time);
            cg_vec3 force = v3_add(model->force[i], pulls[k]);
            expected[i] =
                v3_add_scaled(thread->shape.position[i], time, v3_add_scaled(model->velocity[i], time / mass, force));
        }
        propagate(thread, grip, pulls, expected);
    }
}

static double mass_of(const cg_thread *thread, const cg_step_context *context, int i, double time)
{
    double mass = thread->mass[i];
    for (const cg_thread_grip *grip = thread->grips; grip != NULL; grip = grip->next) {
        if (i >= grip->first && i < grip->first + grip->count) {
            mass += mass_in_grip(grip, context, time);
        }
    }
    return mass;
}

static void move_vertices(cg_thread *thread, const cg_step_context *context, double time)
{
    cg_model *model = thread->model;
    double left = context->time_step * (1 - model->share), share = time < left ? time / left : 1;
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 *x = &thread->shape.position[i];
        if (thread->held[i]) {
            cg_vec3 way = v3_scale(share, v3_sub(thread->target[i], *x));
            model->velocity[i] = v3_scale(1 / time, way);
            model->lightness[i] = 0;
            *x = v3_add(*x, way);
        } else {
            double mass = mass_of(thread, context, i, time);
            model->lightness[i] = 1 / mass;
            model->velocity[i] = v3_add_scaled(model->velocity[i], time / mass, model->force[i]);
            *x = v3_add_scaled(*x, time, model->velocity[i]);
        }
    }
}

static void note_hold_forces(cg_thread *thread)
{
    for (int i = 0; i < thread->vertex_count; i++) {
        thread->hold_force[i] = thread->held[i] ? v3_neg(thread->model->force[i]) : v3_zero();
    }
}

void cg_springs_advance(cg_thread *thread, const cg_step_context *context, double time)
{
    // What pulls at holds is asked for after the step.
    bool is_last = thread->model->share + 1.5 * time * context->inverse_step > 1;
    find_forces(thread, context, is_last ? NULL : thread->held);
    note_hold_forces(thread);
    add_grips(thread, context, time);
    move_vertices(thread, context, time);
    cg_springs_limit_lengths(thread);
    thread->model->share = fmin(1, thread->model->share + time * context->inverse_step);
}
