// How long the segments of a thread should be, when its spacing follows what it does.
//
// Every segment has a length that is wanted, the least of what three things ask for:
//
//     touch    `fine`, within TOUCH_REACH radii along the thread of a place that touches a thread, or nearly does:
//              corners of long segments catch each other, which works like friction
//     bend     MOST_TURN / curvature: the thread turns by so much from segment to segment
//     grading  what a neighbour wants, plus GROWTH times the way to it
//
// A segment is split when it is longer than SPLIT_SHARE of that, or than `coarse`. Two are merged when both together
// are shorter than MERGE_SHARE of it. After a split the halves together are longer, after a merge the whole is shorter
// than what would undo it, so nothing is split and merged by turns while the shape stays. A vertex that goes leaves a
// chord in place of a bend, which is shorter: only where that pushes the thread together by next to nothing. No segment
// is more than RATIO times as long as its neighbour, where there is room to see to it.
#include "thread/spacing.h"

#include <float.h>
#include <string.h>

#include "base/vec3.h"
#include "thread/slide.h"

static const double TOUCH_REACH = 4.0;  // [radii]
static const double MOST_TURN = 0.2;    // [rad] bending is off by a few parts in a thousand; 0.4: by a hundredth
static const double GROWTH = 0.25;      // of length per length
static const double SPLIT_SHARE = 1.25; // nearer to 1: halves of a segment that was long enough cost contacts
static const double MERGE_SHARE = 0.9;  // well below SPLIT_SHARE
static const double RATIO = 2.01;       // 2, and what rounding adds
static const double FURTHEST = 0.5;     // [radii] from the line of its neighbours that a vertex may be taken out
static const double MOST_STRAIN = 2e-5; // that taking out a vertex may make
static const double MOST_ENERGY = 0.1;  // or the energy of this strain, as a share of that of the bend at the vertex
static const double EXACTLY = 1 + 1e-6; // a segment that is as long as wanted, but for rounding, is short enough

void cg_spacing_begin(cg_thread *thread)
{
    for (int i = 0; i < thread->segment_count; i++) {
        thread->wanted[i] = DBL_MAX;
    }
    memset(thread->mark, 0, (size_t)thread->vertex_count);
}

static void ask(cg_thread *thread, int segment, double length)
{
    if (segment >= 0 && segment < thread->segment_count && length < thread->wanted[segment]) {
        thread->wanted[segment] = length;
    }
}

void cg_spacing_ask_touch(cg_thread *thread, int segment, double fraction)
{
    const double *arc = thread->arc;
    double here = arc[segment] + fraction * thread->rest_length[segment], reach = TOUCH_REACH * thread->radius;
    ask(thread, segment, thread->spacing.fine);
    for (int i = segment - 1; i >= 0 && arc[i + 1] > here - reach; i--) {
        ask(thread, i, thread->spacing.fine);
    }
    for (int i = segment + 1; i < thread->segment_count && arc[i] < here + reach; i++) {
        ask(thread, i, thread->spacing.fine);
    }
}

bool cg_spacing_tangents_at(const cg_thread *thread, int joint, cg_vec3 *before, cg_vec3 *after)
{
    int last = thread->vertex_count - 1;
    bool at_end = joint == 0 || joint == last;
    const cg_thread_end *end = &thread->ends[joint == 0 ? CG_START : CG_FINISH];
    if (at_end && end->hold.kind != CG_END_CLAMPED) {
        return false;
    }
    *before = joint == 0 ? end->hold.direction : thread->shape.tangent[joint - 1];
    *after = joint == last ? end->hold.direction : thread->shape.tangent[joint];
    return true;
}

cg_vec3 cg_spacing_curvature(const cg_thread *thread, int joint)
{
    cg_vec3 before, after;
    if (!cg_spacing_tangents_at(thread, joint, &before, &after)) {
        return v3_zero();
    }
    return v3_scale(1.0 / thread->joint_length[joint], v3_sub(after, before));
}

void cg_spacing_ask_bends(cg_thread *thread)
{
    for (int j = 0; j < thread->vertex_count; j++) {
        double curvature = v3_length(cg_spacing_curvature(thread, j));
        if (MERGE_SHARE * MOST_TURN < curvature * thread->spacing.coarse) {
            double length = MOST_TURN / curvature;
            length = length > thread->spacing.fine ? length : thread->spacing.fine;
            ask(thread, j - 1, length);
            ask(thread, j, length);
        }
    }
}

static void grade(cg_thread *thread)
{
    double *wanted = thread->wanted;
    const double *way = thread->joint_length; // between the middles of the segments at a joint
    for (int i = 1; i < thread->segment_count; i++) {
        ask(thread, i, wanted[i - 1] + GROWTH * way[i]);
    }
    for (int i = thread->segment_count - 2; i >= 0; i--) {
        ask(thread, i, wanted[i + 1] + GROWTH * way[i + 1]);
    }
}

// True for vertices that something holds, firmly or with a grip, and those at anchors, which have their own rule.
static bool is_kept(const cg_thread *thread, int vertex)
{
    bool kept = thread->held[vertex] || cg_slide_keeps(thread, vertex);
    for (const cg_thread_grip *grip = thread->grips; grip != NULL; grip = grip->next) {
        kept = kept || (vertex >= grip->first && vertex < grip->first + grip->count);
    }
    return kept;
}

// What is held between two vertices does not bend, and keeps the vertices it has.
static bool can_split(const cg_thread *thread, int segment)
{
    return !(is_kept(thread, segment) && is_kept(thread, segment + 1));
}

int cg_spacing_mark_splits(cg_thread *thread, cg_split kind)
{
    int count = 0;
    grade(thread);
    for (int i = 0; i < thread->segment_count; i++) {
        double longest = SPLIT_SHARE * thread->wanted[i], coarse = EXACTLY * thread->spacing.coarse;
        longest = longest < coarse ? longest : coarse;
        if (thread->mark[i] == CG_SPLIT_NOT && thread->rest_length[i] > longest && can_split(thread, i)) {
            thread->mark[i] = (unsigned char)kind;
            count++;
        }
    }
    return count;
}

// How long the segment will be, or its halves.
static double length_to_be(const cg_thread *thread, int segment)
{
    return (thread->mark[segment] != CG_SPLIT_NOT ? 0.5 : 1.0) * thread->rest_length[segment];
}

// Marks the segment when a neighbour is too short for it. Returns 1 when that is new.
static int balance(cg_thread *thread, int segment, int neighbour)
{
    bool too_long = thread->mark[segment] == CG_SPLIT_NOT && can_split(thread, segment) &&
                    thread->rest_length[segment] > RATIO * length_to_be(thread, neighbour);
    thread->mark[segment] = too_long ? (unsigned char)CG_SPLIT_ROUND : thread->mark[segment];
    return too_long;
}

int cg_spacing_fit_splits(cg_thread *thread, int *refused)
{
    // One way each will do: a segment that was marked is too short for those behind it only by being halved, and those
    // further on are looked at after it.
    for (int i = 1; i < thread->segment_count; i++) {
        balance(thread, i, i - 1);
    }
    for (int i = thread->segment_count - 2; i >= 0; i--) {
        balance(thread, i, i + 1);
    }
    int count = 0, room = thread->most_vertices - thread->vertex_count;
    for (int i = 0; i < thread->segment_count; i++) {
        if (thread->mark[i] != CG_SPLIT_NOT && count == room) {
            thread->mark[i] = CG_SPLIT_NOT;
            *refused += 1;
        }
        count += thread->mark[i] != CG_SPLIT_NOT;
    }
    return count;
}

static cg_vec3 way_to_line(const cg_thread *thread, int vertex)
{
    const cg_vec3 *x = thread->shape.position;
    const double *rest = thread->rest_length;
    double share = rest[vertex - 1] / (rest[vertex - 1] + rest[vertex]);
    cg_vec3 on_line = v3_add_scaled(x[vertex - 1], share, v3_sub(x[vertex + 1], x[vertex - 1]));
    return v3_sub(on_line, x[vertex]);
}

// True when the thread does as well without the vertex, in which case its way to the line is in *way.
static bool can_go(const cg_thread *thread, int vertex, cg_vec3 *way)
{
    const double *rest = thread->rest_length, *wanted = thread->wanted;
    double whole = rest[vertex - 1] + rest[vertex];
    double least = wanted[vertex - 1] < wanted[vertex] ? wanted[vertex - 1] : wanted[vertex];
    if (is_kept(thread, vertex) || thread->added_mass[vertex] > 0 || whole > MERGE_SHARE * least ||
        whole > EXACTLY * thread->spacing.coarse) {
        return false;
    }
    if ((vertex > 1 && whole > RATIO * rest[vertex - 2]) ||
        (vertex + 1 < thread->segment_count && whole > RATIO * rest[vertex + 1])) {
        return false;
    }
    *way = way_to_line(thread, vertex);
    double distance = v3_length(*way), strain = 2 * (distance / whole) * (distance / whole);
    cg_vec3 turn = v3_sub(thread->shape.tangent[vertex], thread->shape.tangent[vertex - 1]);
    double bend = thread->bend_stiffness * v3_dot(turn, turn) / whole;
    return distance <= FURTHEST * thread->radius &&
           (strain <= MOST_STRAIN || 0.5 * thread->stretch_stiffness * whole * strain * strain <= MOST_ENERGY * bend);
}

int cg_spacing_mark_merges(cg_thread *thread)
{
    int count = 0;
    grade(thread);
    memset(thread->move, 0, sizeof(cg_vec3) * (size_t)thread->vertex_count);
    for (int i = 1; i + 1 < thread->vertex_count; i++) {
        if (thread->mark[i - 1] == 0 && can_go(thread, i, &thread->move[i])) {
            thread->mark[i] = 1;
            count++;
        } else {
            thread->move[i] = v3_zero();
        }
    }
    return count;
}
