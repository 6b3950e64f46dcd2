// The turning of the material about the tangents as an unknown of the step.
//
// Without friction torque nothing turns a segment but its neighbours, and the twist is spread along the thread at every
// moment (twist.c). Friction acts at the surface, one radius from the axis, and turns a segment by itself. A free
// thread has nothing to hold against it but its inertia, so the angles get that too: an implicit step of
//
//     I angle'' = -dE/dangle - drag I angle' + torque,      I = mass of the segment times r^2 / 2
//
// with E the twist of twist.c (and the bending of a curved rest shape). Only the angles are unknown here. The motion of
// the vertices changes E too, through the reference twist: the torques of a pass are those of the shape to which the
// contact forces of the last pass would lead, with the angles as they are. With torques of the present shape the
// angles lag behind by a pass: a granny knot at friction 0.95 came apart with that lag and holds without it.
//
// The matrix of the step, for the turns of all segments in a pass, is a chain of springs:
//
//     ground_i = I_i (1/h^2 + drag/h) + curvature of the rest shape      from segment i to what does not turn
//     k_j = GJ / joint length                                           from segment j - 1 to segment j
//
// and a clamp is a spring k_0 or k_n to what does not turn; a segment in something's grip stands on very stiff ground.
// All that stands before segment i acts on it like one spring, all that stands after it like another:
//
//     before_{i+1} = 1 / (1/k_{i+1} + 1/(ground_i + before_i))           after_{i-1} the same from the other end
//
// so a torque turns its segment by torque / (ground + before + after), and each segment further on by
// k / (k + ground + before) of its neighbour's turn. Every number is positive and nothing is subtracted: that keeps its
// digits where inertia is a millionth of the stiffness.
#include "thread/roll.h"

#include <string.h>

#include "thread/twist.h"

// How much stiffer than its neighbours a grip is against turning.
static const double HELD = 1e9;

static double joint_stiffness(const cg_thread *thread, int joint)
{
    return cg_twist_is_joint(thread, joint) ? thread->twist_stiffness / thread->joint_length[joint] : 0.0;
}

static double in_series(double a, double b)
{
    return a * b / (a + b);
}

// A segment whose two vertices are held is in something's grip, and its material turns only with what grips it.
static bool is_gripped(const cg_thread *thread, int segment, double *turn)
{
    *turn = 0;
    for (const cg_thread_grip *grip = thread->grips; grip != NULL; grip = grip->next) {
        if (segment >= grip->first && segment + 1 < grip->first + grip->count) {
            *turn = grip->turn;
            return true;
        }
    }
    return thread->held[segment] && thread->held[segment + 1];
}

void cg_roll_start(cg_thread *thread)
{
    thread->rolling = thread->twist_stiffness > 0;
    memset(thread->spin, 0, sizeof *thread->spin * (size_t)thread->segment_count);
    cg_twist_refresh(thread);
}

// Torque on segment i by inertia and drag since the start of the step.
static double inertia_torque(const cg_thread *thread, const cg_step_context *context, int i, double inertia)
{
    double turned = thread->shape.angle[i] - thread->start_angle[i], rate = context->inverse_step;
    double torque = -inertia * thread->drag * rate * turned;
    if (thread->inertia == CG_TRUE_MASS) {
        torque += inertia * rate * rate * (context->time_step * thread->spin[i] - turned);
    }
    return torque;
}

static void set_ground(cg_thread *thread, const cg_step_context *context, int i)
{
    cg_roll_row *row = &thread->roll[i];
    double rate = thread->drag * context->inverse_step, inertia = cg_roll_inertia(thread, i);
    if (thread->inertia == CG_TRUE_MASS) {
        rate += context->inverse_step * context->inverse_step;
    }
    row->inertia = inertia_torque(thread, context, i, inertia);
    row->ground = inertia * rate;
    if (thread->has_rest_shape) {
        double slope, curvature;
        cg_twist_rest_slope(thread, &thread->shape, i, &slope, &curvature);
        row->ground += curvature;
    }
    double turn;
    if (is_gripped(thread, i, &turn)) {
        row->ground = HELD * (thread->twist_stiffness / thread->rest_length[i] + row->ground);
        row->inertia = row->ground * (thread->start_angle[i] + turn - thread->shape.angle[i]);
    }
}

void cg_roll_assemble(cg_thread *thread, const cg_step_context *context)
{
    int last = thread->segment_count - 1;
    thread->foreseen = false;
    for (int i = 0; i <= last; i++) {
        set_ground(thread, context, i);
    }
    thread->roll[0].before = joint_stiffness(thread, 0);
    for (int i = 1; i <= last; i++) {
        cg_roll_row *row = &thread->roll[i - 1];
        thread->roll[i].before = in_series(joint_stiffness(thread, i), row->ground + row->before);
    }
    thread->roll[last].after = joint_stiffness(thread, last + 1);
    for (int i = last; i > 0; i--) {
        cg_roll_row *row = &thread->roll[i];
        thread->roll[i - 1].after = in_series(joint_stiffness(thread, i), row->ground + row->after);
    }
}

double cg_roll_compliance(const cg_thread *thread, int segment)
{
    const cg_roll_row *row = &thread->roll[segment];
    return 1.0 / (row->ground + row->before + row->after);
}

double cg_roll_share_before(const cg_thread *thread, int segment)
{
    const cg_roll_row *row = &thread->roll[segment - 1];
    double k = joint_stiffness(thread, segment);
    return k / (k + row->ground + row->before);
}

void cg_roll_foresee(cg_thread *thread, const cg_thread_shape *ahead)
{
    for (int i = 0; i < thread->segment_count; i++) {
        double slope = 0, curvature;
        if (thread->has_rest_shape) {
            cg_twist_rest_slope(thread, ahead, i, &slope, &curvature);
        }
        thread->roll[i].downhill = thread->roll[i].inertia + ahead->torque[i + 1] - ahead->torque[i] - slope;
    }
    thread->foreseen = true;
}

// Elimination from the start: each segment hands the torque that its own ground does not take on to the next.
void cg_roll_solve(cg_thread *thread)
{
    int last = thread->segment_count - 1;
    double *turn = thread->turn;
    for (int i = 0; i <= last; i++) {
        turn[i] = thread->roll[i].downhill + thread->contact_torque[i];
        if (i > 0) {
            turn[i] += cg_roll_share_before(thread, i) * turn[i - 1];
        }
    }
    turn[last] *= cg_roll_compliance(thread, last);
    for (int i = last - 1; i >= 0; i--) {
        const cg_roll_row *row = &thread->roll[i];
        double k = joint_stiffness(thread, i + 1);
        turn[i] = (turn[i] + k * turn[i + 1]) / (k + row->ground + row->before);
    }
}
