// A mass-spring thread in a world: its explicit sub-steps, with hands, holds and limits of its lengths.
#include <math.h>

#include "base/vec3.h"
#include "thread/model.h"

// Rounding must not make a segment longer than it may be: the limits are kept with this share to spare.
static const double SPARE = 1e-9;
// Sweeps from both sides between two held vertices.
enum { MOST_SWEEPS = 64 };

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

static cg_length_limits limits_of(const cg_thread *thread)
{
    const cg_model *model = thread->model;
    double length = model->law.rest_length;
    return (cg_length_limits){model->springs.shortest * length * (1 + SPARE),
                              model->springs.longest * length * (1 - SPARE)};
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
    cg_length_limits limits = limits_of(thread);
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

static int next_held(const cg_thread *thread, int from, int step)
{
    int i = from + step;
    while (i >= 0 && i < thread->vertex_count && !thread->held[i]) {
        i += step;
    }
    return i;
}

static bool is_within(const cg_thread *thread, const cg_length_limits *limits, int segment)
{
    const cg_vec3 *x = thread->shape.position;
    double length = v3_distance(x[segment], x[segment + 1]);
    return length <= limits->longest * (1 + SPARE) && length >= limits->shortest * (1 - SPARE);
}

// Held vertices that would ask for more length than there is between them give way, the later one.
static void keep_holds_apart(cg_thread *thread, const cg_length_limits *limits, int first, int next)
{
    cg_vec3 *x = thread->shape.position;
    cg_vec3 way = v3_sub(x[next], x[first]);
    double length = v3_length(way), most = (next - first) * limits->longest;
    double least = next == first + 1 ? limits->shortest : 0, wanted = fmin(fmax(length, least), most);
    if (wanted != length) {
        x[next] = v3_add_scaled(x[first], wanted, v3_unit_or(way, v3(0, 0, -1)));
    }
}

// Held vertices lead last: nothing moves them.
static void limit_from_holds(cg_thread *thread, const cg_length_limits *limits)
{
    int last = thread->vertex_count - 1, held = next_held(thread, -1, 1);
    if (held > last) {
        return;
    }
    cg_propagate_lengths(thread, limits, held, 0);
    for (int next = next_held(thread, held, 1); next <= last; held = next, next = next_held(thread, next, 1)) {
        keep_holds_apart(thread, limits, held, next);
        for (int k = 0; k < MOST_SWEEPS && next > held + 1; k++) {
            cg_propagate_lengths(thread, limits, next, held + 1);
            if (is_within(thread, limits, held)) {
                break;
            }
            cg_propagate_lengths(thread, limits, held, next - 1);
            if (is_within(thread, limits, next - 1)) {
                break;
            }
        }
    }
    if (held < last) {
        cg_propagate_lengths(thread, limits, held, last);
    }
}

// Condition C: from each hand in turn, towards both ends, or up to what is held.
static void limit_lengths(cg_thread *thread)
{
    cg_length_limits limits = limits_of(thread);
    for (const cg_thread_grip *grip = thread->grips; grip != NULL; grip = grip->next) {
        for (int step = -1; step < 2 && !thread->held[grip->first]; step += 2) {
            int last = next_held(thread, grip->first, step) - step;
            cg_propagate_lengths(thread, &limits, grip->first, last);
        }
    }
    limit_from_holds(thread, &limits);
}

static bool is_pulled(const cg_thread *thread)
{
    return thread->grips != NULL || next_held(thread, -1, 1) < thread->vertex_count;
}

static bool is_beyond_limits(const cg_thread *thread)
{
    cg_length_limits limits = limits_of(thread);
    for (int i = 0; i < thread->segment_count; i++) {
        if (!is_within(thread, &limits, i)) {
            return true;
        }
    }
    return false;
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
    if (is_pulled(thread) && is_beyond_limits(thread)) {
        limit_lengths(thread);
    }
    thread->model->share = fmin(1, thread->model->share + time * context->inverse_step);
}
