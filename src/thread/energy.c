#include "base/frame.h"
#include "base/vec3.h"
#include "thread/assemble.h"
#include "thread/bend.h"
#include "thread/model.h"
#include "thread/rest.h"
#include "thread/roll.h"
#include "thread/slide.h"
#include "thread/thread.h"

static bend_side side_of(const cg_thread_shape *shape, int segment)
{
    return (bend_side){shape->tangent[segment], shape->inverse[segment], shape->firmness[segment]};
}

static double stretch_energy(const cg_thread *thread, const cg_thread_shape *shape)
{
    double sum = 0;
    if (thread->model != NULL) {
        return cg_model_stretch_energy(thread, shape->position);
    }
    for (int i = 0; i < thread->segment_count; i++) {
        double excess = shape->length[i] - thread->rest_length[i];
        sum += thread->stretch_rate[i] * excess * excess;
    }
    return 0.5 * sum;
}

static double clamp_energy(const cg_thread *thread, const cg_thread_shape *shape, cg_end end)
{
    if (thread->ends[end].hold.kind != CG_END_CLAMPED) {
        return 0;
    }
    int segment = end == CG_START ? 0 : thread->segment_count - 1;
    int joint = end == CG_START ? 0 : thread->vertex_count - 1;
    cg_vec3 apart = v3_sub(bend_soft_tangent(side_of(shape, segment)), thread->ends[end].hold.direction);
    return 0.5 * thread->bend_rate[joint] * v3_dot(apart, apart);
}

static double bend_energy_of(const cg_thread *thread, const cg_thread_shape *shape)
{
    if (thread->model != NULL) {
        return cg_model_bend_energy(thread, shape->position);
    }
    double sum = clamp_energy(thread, shape, CG_START) + clamp_energy(thread, shape, CG_FINISH);
    for (int j = 1; j < thread->segment_count; j++) {
        double k = thread->bend_rate[j];
        if (thread->has_rest_shape && !cg_rest_is_straight(thread, j)) {
            cg_vec3 ahead, behind;
            cg_twist_rest_tangents(thread, shape, j, &ahead, &behind);
            sum += bend_energy(k, side_of(shape, j - 1), side_of(shape, j), ahead, behind);
        } else {
            sum += bend_energy_straight(k, side_of(shape, j - 1), side_of(shape, j));
        }
    }
    return sum;
}

static double twist_energy_of(const cg_thread *thread, const cg_thread_shape *shape)
{
    double sum = 0;
    for (int j = 0; thread->twisting && j < thread->vertex_count; j++) {
        sum += shape->torque[j] * shape->torque[j] * thread->joint_length[j];
    }
    return thread->twisting ? 0.5 * sum / thread->twist_stiffness : 0;
}

cg_thread_energy cg_thread_energy_of(const cg_thread *thread, const cg_thread_shape *shape, cg_vec3 gravity)
{
    cg_thread_energy energy = {0};
    for (int i = 0; i < thread->vertex_count; i++) {
        energy.kinetic += 0.5 * thread->mass[i] * v3_dot(thread->velocity[i], thread->velocity[i]);
        energy.gravity -= thread->mass[i] * v3_dot(gravity, shape->position[i]);
    }
    for (int i = 0; thread->rolling && i < thread->segment_count; i++) {
        energy.kinetic += 0.5 * cg_roll_inertia(thread, i) * thread->spin[i] * thread->spin[i];
    }
    energy.stretch = stretch_energy(thread, shape) + cg_portal_energy(thread, shape->position);
    energy.bend = bend_energy_of(thread, shape);
    energy.twist = twist_energy_of(thread, shape);
    return energy;
}

// A span that goes straight through tissue and is shorter than at rest hangs slack there: it is no rod that is pushed.
static bool hangs_slack(const cg_thread *thread, int segment)
{
    return thread->shape.length[segment] < thread->rest_length[segment] && cg_slide_is_straight(thread, segment);
}

double cg_thread_tension(const cg_thread *thread, int segment)
{
    if (thread->model != NULL) {
        return cg_model_tension(thread, segment);
    }
    if (hangs_slack(thread, segment)) {
        return 0;
    }
    return thread->stretch_stiffness * (thread->shape.length[segment] / thread->rest_length[segment] - 1.0);
}

double cg_thread_slack_energy(const cg_thread *thread)
{
    double sum = 0;
    for (int i = 0; thread->model == NULL && i < thread->segment_count; i++) {
        double excess = thread->shape.length[i] - thread->rest_length[i];
        sum += hangs_slack(thread, i) ? 0.5 * thread->stretch_rate[i] * excess * excess : 0;
    }
    return sum;
}

double cg_thread_total_energy(const cg_thread *thread, cg_vec3 gravity)
{
    cg_thread_energy e = cg_thread_energy_of(thread, &thread->shape, gravity);
    return e.kinetic + e.stretch + e.bend + e.twist + e.gravity;
}

// How far the shape is from the start of the step, in the measure that damping resists.
static double damping_potential(const cg_thread *thread, const cg_thread_shape *shape, double damping)
{
    double stretch = 0, bend = 0;
    for (int i = 0; i < thread->segment_count; i++) {
        double excess = shape->length[i] - thread->start_length[i];
        stretch += thread->stretch_rate[i] * excess * excess;
    }
    for (int j = 1; j < thread->segment_count; j++) {
        // The targets stand at thread->shape and ride on its segments.
        const cg_vec3 *from = &thread->shape.tangent[j - 1], *to = &shape->tangent[j - 1];
        cg_vec3 ahead = parallel_transport(thread->damp_ahead[j], from[0], to[0]);
        cg_vec3 behind = parallel_transport(thread->damp_behind[j], from[1], to[1]);
        double k = thread->bend_rate[j];
        bend += bend_energy(k, side_of(shape, j - 1), side_of(shape, j), ahead, behind);
    }
    for (int e = 0; e < 2; e++) {
        int segment = e == CG_START ? 0 : thread->segment_count - 1,
            joint = e == CG_START ? 0 : thread->vertex_count - 1;
        if (thread->ends[e].hold.kind == CG_END_CLAMPED) {
            cg_vec3 apart = v3_sub(bend_soft_tangent(side_of(shape, segment)), thread->damp_ahead[joint]);
            bend += 0.5 * thread->bend_rate[joint] * v3_dot(apart, apart);
        }
    }
    return damping * (0.5 * stretch + bend);
}

double cg_thread_step_potential(const cg_thread *thread, const cg_thread_shape *shape, const cg_step_context *context)
{
    cg_inertia_rates rates = cg_inertia_rates_of(thread);
    double damping = thread->damping_time * context->inverse_step;
    double sum = cg_portal_energy(thread, shape->position);
    sum += stretch_energy(thread, shape) + bend_energy_of(thread, shape) + twist_energy_of(thread, shape);
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 moved = v3_sub(shape->position[i], thread->origin[i]), ahead = v3_sub(moved, thread->coasting[i]);
        double inertia = rates.by_square * v3_dot(ahead, ahead), drag = rates.by_step * v3_dot(moved, moved);
        sum += 0.5 * thread->mass[i] * (inertia + drag);
        sum -= v3_dot(thread->applied[i], moved);
    }
    sum += cg_thread_grip_potential(thread, shape, context);
    return damping > 0 ? sum + damping_potential(thread, shape, damping) : sum;
}
