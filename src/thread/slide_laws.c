// Slip by the laws of the VTE text instead of the capstan law: quasi-static, from what the last step left. See slide.h.
//
// With F the force of the thread on the tissue, d0 and d1 the unit directions in which it leaves the hole before and
// behind it, and a, b lengths of thread for a force [m/N], thread goes behind the hole in a step by
//
//     needle     a (t . F)                              t = (d1 - d0) / |d1 - d0|
//     tension    a (T1 - T0) + b (d1 - d0) . F          T = EA / L times (length - rest length) of a whole stretch
//
// less what friction takes off, a times a constant force. A stretch goes to the next hole or to the end, and L is the
// length of the thread: T is the pull times the share of the thread that the stretch is, since the text counts by how
// much it is longer and not by what share. The text prints the force of the mesh, -F, in both laws. On a needle that is
// the same: there the vertex slips, here the thread. On a suture the two terms would work against each other, and the
// text's own figure says that they agree.
//
// A slip that would lead past the next hole is not made: it is added to the next slip of that one, as it is, since
// friction was taken off it once. On a needle, a hole that has not slid on yet comes off the end without friction.
#include <math.h>

#include "base/vec3.h"
#include "thread/slide.h"

// [N] Of the stretch before anchor k, or behind it. A slack one has none.
static double stretch_tension(const cg_thread *thread, int k, int side)
{
    const cg_thread_anchor *anchors = thread->slide->anchors;
    int from = side == 1 ? anchors[k].vertex : (k > 0 ? anchors[k - 1].vertex : 0);
    int last = k + 1 < thread->slide->count ? anchors[k + 1].vertex : thread->segment_count;
    int to = side == 1 ? last : anchors[k].vertex;
    double longer = 0;
    for (int i = from; i < to; i++) {
        longer += thread->shape.length[i] - thread->rest_length[i];
    }
    return longer > 0 ? thread->stretch_stiffness / thread->arc[thread->segment_count] * longer : 0;
}

static double slip_without_friction(const cg_thread *thread, int k)
{
    const cg_slip *slip = &thread->slip;
    const cg_thread_anchor *a = &thread->slide->anchors[k];
    // d1 - d0: tangents go along the thread, so the way out before the hole is against its tangent.
    cg_vec3 along = v3_add(thread->shape.tangent[a->vertex], thread->shape.tangent[a->vertex - 1]);
    if (slip->law == CG_SLIP_NEEDLE) {
        return slip->per_force * v3_dot(v3_unit_or(along, v3_zero()), a->force);
    }
    double more = stretch_tension(thread, k, 1) - stretch_tension(thread, k, 0);
    return slip->per_force * more + slip->per_turn * v3_dot(along, a->force);
}

// Whether anchor k is the last one before an end, and no farther from it than the mouth of a hole.
static bool is_at_end(const cg_thread *thread, int k, int end)
{
    double arc = thread->arc[thread->slide->anchors[k].vertex], mouth = cg_slide_mouth(thread);
    return end == 0 ? k == 0 && arc <= mouth
                    : k + 1 == thread->slide->count && thread->arc[thread->segment_count] - arc <= mouth;
}

double cg_slide_lawful_slip(const cg_thread *thread, int k)
{
    const cg_thread_anchor *a = &thread->slide->anchors[k];
    double slip = slip_without_friction(thread, k);
    bool comes_off = thread->slip.law == CG_SLIP_NEEDLE && !a->has_slid_on && is_at_end(thread, k, slip > 0 ? 0 : 1);
    double taken = comes_off ? 0 : thread->slip.per_force * (a->grip + thread->slip.friction);
    double left = fabs(slip) > taken ? slip - copysign(taken, slip) : 0;
    return left + a->handed;
}

// The anchor at the other end of the segment that a slip of anchor k draws from; -1: there is none.
static int anchor_in_the_way(const cg_thread_slide *slide, int k, double slip)
{
    int next = slip > 0 ? k - 1 : k + 1, vertex = slide->anchors[k].vertex + (slip > 0 ? -1 : 1);
    return next >= 0 && next < slide->count && slide->anchors[next].vertex == vertex ? next : -1;
}

// [m] That a slip of anchor k can draw from its segment, which the anchor before it, if they share it, has drawn from
// or added to already.
static double room_for(const cg_thread *thread, int k, double slip)
{
    const cg_thread_anchor *a = &thread->slide->anchors[k];
    double length = thread->rest_length[slip > 0 ? a->vertex - 1 : a->vertex];
    if (slip > 0 && anchor_in_the_way(thread->slide, k, slip) >= 0) {
        length += thread->slide->anchors[k - 1].drift;
    }
    double room = length - cg_slide_least_length(thread);
    return room > 0 ? room : 0;
}

void cg_slide_find_drifts(cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    double handed[CG_MOST_ANCHORS] = {0};
    for (int k = 0; k < slide->count; k++) {
        cg_thread_anchor *a = &slide->anchors[k];
        a->has_slid_on = a->has_slid_on || !(is_at_end(thread, k, 0) || is_at_end(thread, k, 1));
        double slip = cg_slide_lawful_slip(thread, k), room = room_for(thread, k, slip);
        a->is_driven = true;
        a->drift = slip;
        int next = anchor_in_the_way(slide, k, slip);
        if (fabs(slip) > room && next >= 0) {
            a->drift = 0;
            handed[next] += slip;
        } else if (fabs(slip) > room) {
            a->drift = copysign(room, slip); // its segment is then so short that it is joined to the next one
        }
    }
    for (int k = 0; k < slide->count; k++) {
        slide->anchors[k].handed = handed[k];
    }
}
