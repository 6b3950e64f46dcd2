// Twist: how the material turns about the thread.
//
// Each segment has a reference director that follows the segment in time by the smallest rotation; the material is
// turned against it by an angle. Between neighbours the twist is
//
//     m = angle1 - angle0 + (turn from the carried-over director 0 to director 1)
//
// and the energy GJ/2 m^2 / joint length. Waves of twist run along a thread many times faster than it can bend, so the
// angles are always in equilibrium: for a naturally straight thread the torque is then the same all along; with a
// curved rest shape the angles also turn that shape to where it fits best.
#include "thread/twist.h"

#include <string.h>

#include "base/frame.h"
#include "base/trig.h"
#include "thread/rest.h"

static cg_vec3 followed(cg_vec3 director, cg_vec3 before, cg_vec3 after)
{
    cg_vec3 carried = parallel_transport(director, before, after);
    // Rounding would let the director lean a little more towards the tangent in each of a million steps.
    carried = v3_add_scaled(carried, -v3_dot(carried, after), after);
    return v3_unit_or(carried, v3_any_normal(after));
}

bool cg_twist_joint_at(const cg_thread *thread, const cg_thread_shape *shape, int joint, twist_joint *out)
{
    const cg_thread_end *clamp = NULL;
    if (joint == 0 || joint == thread->vertex_count - 1) {
        clamp = &thread->ends[joint == 0 ? CG_START : CG_FINISH];
        if (clamp->hold.kind != CG_END_CLAMPED) {
            return false;
        }
    }
    bool at_start = joint == 0;
    out->tangent0 = at_start ? clamp->hold.direction : shape->tangent[joint - 1];
    out->director0 = at_start ? clamp->director : shape->director[joint - 1];
    out->tangent1 = clamp && !at_start ? clamp->hold.direction : shape->tangent[joint];
    out->director1 = clamp && !at_start ? clamp->director : shape->director[joint];
    return true;
}

// Turns are counted through: of all angles that look the same, the one nearest to the last is meant.
static double nearest_turn(double angle, double last)
{
    double apart = angle - last;
    return last + (apart - 2.0 * CG_PI * floor(apart / (2.0 * CG_PI) + 0.5));
}

static void measure_reference_twist(const cg_thread *thread, cg_thread_shape *shape, const double *last)
{
    for (int j = 0; j < thread->vertex_count; j++) {
        twist_joint joint;
        if (!cg_twist_joint_at(thread, shape, j, &joint)) {
            shape->reference_twist[j] = 0;
            continue;
        }
        cg_vec3 carried = parallel_transport(joint.director0, joint.tangent0, joint.tangent1);
        double angle = signed_angle(carried, joint.director1, joint.tangent1);
        shape->reference_twist[j] = nearest_turn(angle, last[j]);
    }
}

// The angle of a joint's sides: of a segment, or the prescribed turn of a clamp.
static double angle_before(const cg_thread *thread, const cg_thread_shape *shape, int joint)
{
    return joint == 0 ? thread->ends[CG_START].hold.turn : shape->angle[joint - 1];
}

static double angle_after(const cg_thread *thread, const cg_thread_shape *shape, int joint)
{
    return joint == thread->vertex_count - 1 ? thread->ends[CG_FINISH].hold.turn : shape->angle[joint];
}

bool cg_twist_is_joint(const cg_thread *thread, int joint)
{
    return (joint > 0 && joint < thread->vertex_count - 1) ||
           thread->ends[joint == 0 ? CG_START : CG_FINISH].hold.kind == CG_END_CLAMPED;
}

static double twist_at(const cg_thread *thread, const cg_thread_shape *shape, int joint)
{
    return angle_after(thread, shape, joint) - angle_before(thread, shape, joint) + shape->reference_twist[joint];
}

static void measure_torque(const cg_thread *thread, cg_thread_shape *shape)
{
    for (int j = 0; j < thread->vertex_count; j++) {
        double k = thread->twist_stiffness / thread->joint_length[j];
        shape->torque[j] = cg_twist_is_joint(thread, j) ? k * twist_at(thread, shape, j) : 0.0;
    }
}

// The two axes of the material across a segment.
static void material_axes(const cg_thread_shape *shape, int segment, cg_vec3 *first, cg_vec3 *second)
{
    double sine, cosine;
    cg_sincos(shape->angle[segment], &sine, &cosine);
    cg_vec3 u = shape->director[segment], w = v3_cross(shape->tangent[segment], u);
    *first = v3_add_scaled(v3_scale(cosine, u), sine, w);
    *second = v3_add_scaled(v3_scale(cosine, w), -sine, u);
}

static cg_vec3 in_material_axes(const cg_thread_shape *shape, int segment, cg_vec3 components)
{
    cg_vec3 first, second;
    material_axes(shape, segment, &first, &second);
    cg_vec3 across = v3_add_scaled(v3_scale(components.x, first), components.y, second);
    return v3_add_scaled(across, components.z, shape->tangent[segment]);
}

cg_vec3 cg_twist_components(const cg_thread_shape *shape, int segment, cg_vec3 vector)
{
    cg_vec3 first, second;
    material_axes(shape, segment, &first, &second);
    return v3(v3_dot(vector, first), v3_dot(vector, second), v3_dot(vector, shape->tangent[segment]));
}

void cg_twist_rest_tangents(const cg_thread *thread, const cg_thread_shape *shape, int joint, cg_vec3 *ahead,
                            cg_vec3 *behind)
{
    *ahead = in_material_axes(shape, joint - 1, thread->rest_ahead[joint]);
    *behind = in_material_axes(shape, joint, thread->rest_behind[joint]);
}

// One line of the tridiagonal system of the angles: slope, own stiffness, stiffness to the next angle.
typedef struct angle_line {
    double slope, own, next;
} angle_line;

void cg_twist_rest_slope(const cg_thread *thread, const cg_thread_shape *shape, int segment, double *slope,
                         double *curvature)
{
    *slope = *curvature = 0;
    bool is_known = false; // the axes, which a segment between straight joints does without
    cg_vec3 first = v3_zero(), second = v3_zero();
    for (int side = 0; side < 2; side++) {
        int joint = segment + side, other = segment - 1 + 2 * side;
        if (joint < 1 || joint > thread->segment_count - 1 || cg_rest_is_straight(thread, joint)) {
            continue;
        }
        if (!is_known) {
            material_axes(shape, segment, &first, &second);
            is_known = true;
        }
        double half = 0.5 * thread->bend_rate[joint];
        cg_vec3 target = side == 0 ? thread->rest_behind[joint] : thread->rest_ahead[joint];
        double along_first = v3_dot(shape->tangent[other], first), along_second = v3_dot(shape->tangent[other], second);
        double bend = half * (target.x * along_first + target.y * along_second);
        *slope -= half * (target.x * along_second - target.y * along_first);
        *curvature += bend > 0 ? bend : 0.0;
    }
}

static angle_line angle_line_at(const cg_thread *thread, const cg_thread_shape *shape, int segment)
{
    angle_line line = {0, 0, 0};
    cg_twist_rest_slope(thread, shape, segment, &line.slope, &line.own);
    for (int side = 0; side < 2; side++) {
        int joint = segment + side;
        if (cg_twist_is_joint(thread, joint)) {
            double k = thread->twist_stiffness / thread->joint_length[joint];
            line.slope += (side == 0 ? k : -k) * twist_at(thread, shape, joint);
            line.own += k;
            line.next = side == 1 && segment + 1 < thread->segment_count ? -k : line.next;
        }
    }
    if (!cg_twist_is_joint(thread, 0) && !cg_twist_is_joint(thread, thread->vertex_count - 1)) {
        // Nothing keeps the thread from spinning as a whole: it needs something to stand on. The minimum stays put.
        line.own += 1e-6 * thread->twist_stiffness / thread->rest_length[segment];
    }
    return line;
}

// One Newton step of all angles of a curved thread, by elimination along it. `work` has 3 values a segment.
static double newton_step(const cg_thread *thread, cg_thread_shape *shape, double *work)
{
    double carried_slope = 0, carried_own = 0;
    int count = thread->segment_count;
    for (int i = 0; i < count; i++) {
        angle_line line = angle_line_at(thread, shape, i);
        double own = line.own - carried_own, slope = line.slope - carried_slope;
        double factor = line.next / own;
        work[3 * i] = own;
        work[3 * i + 1] = slope;
        work[3 * i + 2] = factor;
        carried_slope = factor * slope;
        carried_own = factor * line.next;
    }
    double step = 0, largest = 0;
    for (int i = count - 1; i >= 0; i--) {
        step = -work[3 * i + 1] / work[3 * i] - work[3 * i + 2] * step;
        work[3 * i] = step;
        largest = fabs(step) > largest ? fabs(step) : largest;
    }
    // The energy is periodic in the angles: far steps would jump over its valleys.
    double share = largest > 0.5 ? 0.5 / largest : 1.0;
    for (int i = 0; i < count; i++) {
        shape->angle[i] += share * work[3 * i];
    }
    return largest;
}

// A naturally straight thread between two clamps: the torque is the same all along, and the angles follow from it.
static void spread_evenly(const cg_thread *thread, cg_thread_shape *shape)
{
    double total = thread->ends[CG_FINISH].hold.turn - thread->ends[CG_START].hold.turn, length = 0;
    for (int j = 0; j < thread->vertex_count; j++) {
        total += shape->reference_twist[j];
        length += thread->joint_length[j];
    }
    double per_length = total / length, angle = thread->ends[CG_START].hold.turn;
    for (int i = 0; i < thread->segment_count; i++) {
        angle += per_length * thread->joint_length[i] - shape->reference_twist[i];
        shape->angle[i] = angle;
    }
    for (int j = 0; j < thread->vertex_count; j++) {
        shape->torque[j] = thread->twist_stiffness * per_length;
    }
}

void cg_twist_relax(const cg_thread *thread, cg_thread_shape *shape)
{
    if (!thread->has_rest_shape) {
        spread_evenly(thread, shape);
        return;
    }
    // The angles are followed from step to step: a few Newton steps will do.
    double *work = (double *)thread->rhs;
    for (int k = 0; k < 8; k++) {
        if (newton_step(thread, shape, work) < 1e-9) {
            break;
        }
    }
    measure_torque(thread, shape);
}

// The torques that go with the angles: those of a rolling thread stay where its turns have brought them.
static void settle(const cg_thread *thread, cg_thread_shape *shape)
{
    if (thread->rolling) {
        measure_torque(thread, shape);
    } else {
        cg_twist_relax(thread, shape);
    }
}

void cg_twist_follow(const cg_thread *thread, cg_thread_shape *shape, const cg_thread_shape *before, double share)
{
    for (int i = 0; i < thread->segment_count; i++) {
        shape->director[i] = followed(before->director[i], before->tangent[i], shape->tangent[i]);
        shape->angle[i] = thread->rolling ? before->angle[i] + share * thread->turn[i] : before->angle[i];
    }
    measure_reference_twist(thread, shape, before->reference_twist);
    settle(thread, shape);
}

// The angles of a curved thread that is put down anywhere have several equilibria. Starts from eight turns of the whole
// and keeps the best.
static void find_rest_angles(cg_thread *thread)
{
    cg_thread_shape *shape = &thread->shape;
    size_t bytes = sizeof(double) * (size_t)thread->segment_count;
    double lowest = 0;
    for (int start = 0; start < 8; start++) {
        for (int i = 0; i < thread->segment_count; i++) {
            shape->angle[i] = 0.25 * CG_PI * start;
        }
        for (int k = 0; k < 10; k++) {
            cg_twist_relax(thread, shape);
        }
        cg_thread_energy energy = cg_thread_energy_of(thread, shape, v3_zero());
        if (start == 0 || energy.bend + energy.twist < lowest) {
            lowest = energy.bend + energy.twist;
            memcpy(thread->trial.angle, shape->angle, bytes);
        }
    }
    memcpy(shape->angle, thread->trial.angle, bytes);
}

void cg_twist_reset(cg_thread *thread)
{
    cg_thread_shape *shape = &thread->shape;
    for (int i = 0; i < thread->segment_count; i++) {
        cg_vec3 t = shape->tangent[i];
        shape->director[i] = i == 0 ? v3_any_normal(t) : followed(shape->director[i - 1], shape->tangent[i - 1], t);
        shape->angle[i] = 0;
    }
    int last = thread->segment_count - 1;
    for (int e = 0; e < 2; e++) {
        int segment = e == CG_START ? 0 : last;
        thread->ends[e].director =
            followed(shape->director[segment], shape->tangent[segment], thread->ends[e].hold.direction);
    }
    memset(shape->reference_twist, 0, sizeof(double) * (size_t)thread->vertex_count);
    measure_reference_twist(thread, shape, shape->reference_twist);
    if (thread->has_rest_shape) {
        find_rest_angles(thread);
    }
    settle(thread, shape);
}

void cg_twist_attach(cg_thread *thread, cg_end end)
{
    cg_thread_shape *shape = &thread->shape;
    int segment = end == CG_START ? 0 : thread->segment_count - 1;
    cg_vec3 material = in_material_axes(shape, segment, v3(1, 0, 0));
    thread->ends[end].director = followed(material, shape->tangent[segment], thread->ends[end].hold.direction);
    shape->reference_twist[end == CG_START ? 0 : thread->vertex_count - 1] =
        end == CG_START ? -shape->angle[segment] : shape->angle[segment];
}

// The two shapes of a thread take turns, and what is not kept any more would show in every second step.
static void forget(const cg_thread *thread, cg_thread_shape *shape)
{
    size_t vertices = (size_t)thread->most_vertices, segments = vertices - 1;
    memset(shape->director, 0, sizeof *shape->director * segments);
    memset(shape->angle, 0, sizeof *shape->angle * segments);
    memset(shape->reference_twist, 0, sizeof *shape->reference_twist * vertices);
    memset(shape->torque, 0, sizeof *shape->torque * vertices);
}

void cg_twist_forget(cg_thread *thread)
{
    forget(thread, &thread->shape);
    forget(thread, &thread->trial);
}

void cg_twist_refresh(cg_thread *thread)
{
    bool both =
        thread->ends[CG_START].hold.kind == CG_END_CLAMPED && thread->ends[CG_FINISH].hold.kind == CG_END_CLAMPED;
    bool wanted = thread->twist_stiffness > 0 && (both || thread->has_rest_shape || thread->rolling);
    bool fresh = wanted && !thread->twisting, over = !wanted && thread->twisting;
    thread->twisting = wanted;
    if (fresh) {
        cg_twist_reset(thread);
    } else if (wanted) {
        measure_reference_twist(thread, &thread->shape, thread->shape.reference_twist);
        settle(thread, &thread->shape);
    } else if (over) {
        cg_twist_forget(thread);
    }
}
