// Forces and matrix of one Newton pass.
//
// The step moves the thread by dx with A dx = rhs, where rhs is the downhill slope of the step's potential (energy.c)
// and A its second derivative, kept positive:
//
//     inertia    m/h^2 + drag m/h            on the diagonal
//     stretch    EA/l ( t t^T + max(0, 1 - l/|s|) (1 - t t^T) )    a pushed segment does not push itself aside
//     bending    Gauss-Newton (bend.h)
//     damping    as stretch and bending, times damping time / h, from the shape at the start of the step
//
// The moment of twist acts as a force only. Its second derivative has both signs and is small against bending as long
// as the torque turns less than a radian of bend per segment.
#include <string.h>

#include "base/vec3.h"
#include "thread/assemble.h"
#include "thread/bend.h"
#include "thread/rest.h"
#include "thread/roll.h"
#include "thread/slide.h"
#include "thread/twist.h"

static bend_side side_of(const cg_thread_shape *shape, int segment)
{
    return (bend_side){shape->tangent[segment], shape->inverse[segment], shape->firmness[segment]};
}

static void begin_rows(cg_thread *thread, int first, int last)
{
    cg_inertia_rates rates = cg_inertia_rates_of(thread);
    memset(&thread->rows[first], 0, sizeof *thread->rows * (size_t)(last - first + 1));
    for (int i = first; i <= last; i++) {
        double inertia = thread->mass[i] * rates.by_square, drag = thread->mass[i] * rates.by_step;
        cg_vec3 moved = v3_sub(thread->shape.position[i], thread->origin[i]);
        cg_vec3 rhs = v3_add_scaled(thread->applied[i], inertia, v3_sub(thread->coasting[i], moved));
        thread->rhs[i] = v3_add_scaled(rhs, -drag, moved);
        double *d = thread->rows[i].diagonal;
        d[0] = d[3] = d[5] = inertia + drag;
    }
}

// An energy of one segment: its gradient by the segment vector, and second derivative.
static void add_segment(cg_thread *thread, int i, cg_vec3 gradient, const double h[6])
{
    cg_band_row *here = &thread->rows[i], *next = &thread->rows[i + 1];
    thread->rhs[i] = v3_add(thread->rhs[i], gradient);
    thread->rhs[i + 1] = v3_sub(thread->rhs[i + 1], gradient);
    for (int e = 0; e < 6; e++) {
        here->diagonal[e] += h[e];
        next->diagonal[e] += h[e];
    }
    here->next[0] -= h[0];
    here->next[1] -= h[1];
    here->next[2] -= h[2];
    here->next[3] -= h[1];
    here->next[4] -= h[3];
    here->next[5] -= h[4];
    here->next[6] -= h[2];
    here->next[7] -= h[4];
    here->next[8] -= h[5];
}

static void add_stretch(cg_thread *thread, double damping, int first, int last)
{
    const cg_thread_shape *shape = &thread->shape;
    for (int i = first; i <= last; i++) {
        double rest = thread->rest_length[i], length = shape->length[i];
        double k = thread->stretch_rate[i];
        double tension = k * (length - rest) + damping * k * (length - thread->start_length[i]);
        double pull = thread->foreseen_pull[i];
        double across = pull > 0 || !thread->cautious ? pull * shape->inverse[i] : 0.0;
        double along = k + damping * k;
        cg_vec3 t = shape->tangent[i], s = v3_scale(along - across, t);
        double h[6] = {across + s.x * t.x, s.x * t.y, s.x * t.z, across + s.y * t.y, s.y * t.z, across + s.z * t.z};
        add_segment(thread, i, v3_scale(tension, t), h);
    }
}

// An energy of the two segments around joint j.
static void add_joint(cg_thread *thread, int j, const bend_response *bend)
{
    cg_band_row *a = &thread->rows[j - 1], *b = &thread->rows[j], *c = &thread->rows[j + 1];
    thread->rhs[j - 1] = v3_add(thread->rhs[j - 1], bend->gradient0);
    thread->rhs[j] = v3_add(thread->rhs[j], v3_sub(bend->gradient1, bend->gradient0));
    thread->rhs[j + 1] = v3_sub(thread->rhs[j + 1], bend->gradient1);
    static const int full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int e = 0; e < 6; e++) {
        double both = bend->h10[3 * row[e] + column[e]] + bend->h10[3 * column[e] + row[e]];
        a->diagonal[e] += bend->h00[e];
        b->diagonal[e] += bend->h00[e] + bend->h11[e] - both;
        c->diagonal[e] += bend->h11[e];
    }
    for (int e = 0; e < 9; e++) {
        a->next[e] += bend->h10[e] - bend->h00[full[e]];
        b->next[e] += bend->h10[e] - bend->h11[full[e]];
        a->second[e] -= bend->h10[e];
    }
}

static void add_bending(cg_thread *thread, int first, int last)
{
    const cg_thread_shape *shape = &thread->shape;
    bool exact = !thread->cautious && !thread->has_rest_shape; // a curved joint has no exact form: all of one kind
    for (int j = first; j <= last; j++) {
        double k = thread->bend_rate[j];
        bend_response bend;
        if (thread->has_rest_shape && !cg_rest_is_straight(thread, j)) {
            cg_vec3 ahead, behind;
            cg_twist_rest_tangents(thread, shape, j, &ahead, &behind);
            bend = cg_bend_with_targets(k, side_of(shape, j - 1), side_of(shape, j), ahead, behind);
        } else {
            bend = bend_straight(k, side_of(shape, j - 1), side_of(shape, j), exact);
        }
        add_joint(thread, j, &bend);
    }
}

static void add_bending_damping(cg_thread *thread, double damping)
{
    const cg_thread_shape *shape = &thread->shape;
    for (int j = 1; j < thread->segment_count; j++) {
        double k = damping * thread->bend_rate[j];
        bend_response bend = cg_bend_with_targets(k, side_of(shape, j - 1), side_of(shape, j), thread->damp_ahead[j],
                                                  thread->damp_behind[j]);
        add_joint(thread, j, &bend);
    }
}

// A clamp is a joint whose one side does not move.
static void add_clamp(cg_thread *thread, cg_end end, double damping)
{
    if (thread->ends[end].hold.kind != CG_END_CLAMPED) {
        return;
    }
    int segment = end == CG_START ? 0 : thread->segment_count - 1;
    int joint = end == CG_START ? 0 : thread->vertex_count - 1;
    double k = thread->bend_rate[joint];
    bend_side side = side_of(&thread->shape, segment);
    cg_vec3 soft = bend_soft_tangent(side);
    cg_vec3 pull = v3_scale(k, v3_sub(soft, thread->ends[end].hold.direction));
    pull = v3_add_scaled(pull, damping * k, v3_sub(soft, thread->damp_ahead[joint]));
    double h[6];
    bend_own_derivative(k, side, thread->ends[end].hold.direction, !thread->cautious, h);
    if (damping > 0) {
        double damped[6];
        bend_own_derivative(damping * k, side, thread->damp_ahead[joint], false, damped);
        for (int e = 0; e < 6; e++) {
            h[e] += damped[e];
        }
    }
    add_segment(thread, segment, bend_pull_back(side, pull), h);
}

static void push_segment(cg_thread *thread, int segment, cg_vec3 gradient)
{
    thread->rhs[segment] = v3_add(thread->rhs[segment], gradient);
    thread->rhs[segment + 1] = v3_sub(thread->rhs[segment + 1], gradient);
}

static void add_twist(cg_thread *thread)
{
    const cg_thread_shape *shape = &thread->shape;
    for (int j = 0; j < thread->vertex_count; j++) {
        twist_joint joint;
        if (shape->torque[j] == 0.0 || !cg_twist_joint_at(thread, shape, j, &joint)) {
            continue;
        }
        cg_vec3 slope = v3_scale(shape->torque[j], twist_slope(joint.tangent0, joint.tangent1));
        if (j > 0) {
            push_segment(thread, j - 1, v3_scale(shape->inverse[j - 1], slope));
        }
        if (j < thread->segment_count) {
            push_segment(thread, j, v3_scale(shape->inverse[j], slope));
        }
    }
}

// Factoring leaves an error of about 1e-16 of the stiffness in every pivot. Where inertia is as small as that (steel in
// segments of micrometres, steps of 20 ms) the error would decide how far the thread moves, and could make it run away.
// There a resistance just above the error keeps the upper hand. It slows motion; it holds nothing up and bends nothing,
// because an equilibrium does not move.
static void steady_rows(cg_thread *thread)
{
    const double above_rounding = 1e-15, worth_it = 1e-6;
    cg_inertia_rates rates = cg_inertia_rates_of(thread);
    for (int i = 0; i < thread->vertex_count; i++) {
        double *d = thread->rows[i].diagonal, inertia = thread->mass[i] * (rates.by_square + rates.by_step);
        double resistance = above_rounding * (d[0] + d[3] + d[5]);
        if (resistance > worth_it * inertia) {
            d[0] += resistance;
            d[3] += resistance;
            d[5] += resistance;
        }
    }
}

void cg_assemble_vertices(cg_thread *thread, const cg_step_context *context, int first, int last)
{
    double damping = thread->damping_time * context->inverse_step;
    int end = thread->vertex_count - 1;
    // Every row that one of the wanted vertices' segments or joints adds to, wanted itself or not.
    int from = first > 2 ? first - 2 : 0, to = last + 2 < end ? last + 2 : end;
    begin_rows(thread, from, to);
    add_stretch(thread, damping, first > 0 ? first - 1 : 0, last < end ? last : end - 1);
    if (thread->bend_stiffness > 0) {
        add_bending(thread, first > 2 ? first - 1 : 1, last + 1 < end ? last + 1 : end - 1);
    }
}

void cg_thread_assemble(cg_thread *thread, const cg_step_context *context)
{
    double damping = thread->damping_time * context->inverse_step;
    int end = thread->vertex_count - 1, outer = (thread->vertex_count - 4) / 2;
    if (thread->has_rest_shape || damping > 0 || outer < 4) {
        cg_assemble_vertices(thread, context, 0, end);
    } else {
        cg_assemble_vertices(thread, context, outer, end - outer);
        cg_assemble_outer(thread, outer);
    }
    if (thread->bend_stiffness > 0) {
        add_clamp(thread, CG_START, damping);
        add_clamp(thread, CG_FINISH, damping);
        if (damping > 0) {
            add_bending_damping(thread, damping);
        }
    }
    if (thread->twisting) {
        add_twist(thread);
    }
    if (thread->rolling) {
        cg_roll_assemble(thread, context);
    }
    steady_rows(thread);
    cg_thread_add_grips(thread, context);
    if (thread->slide != NULL) {
        cg_slide_add_rows(thread);
    }
}
