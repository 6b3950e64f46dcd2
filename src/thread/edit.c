// Vertices put into a thread and taken out of it, between steps.
//
// A segment of rest length l is halved. Its mass l rho / 4 at either end becomes a mass l rho / 2 in the middle, which
// goes at the mean velocity: momentum stays, and of the kinetic energy l rho / 8 |v1 - v0|^2 is lost, none is won. Both
// halves have the frame and the spin of the whole. Twist stays as it is spread: each half is turned by a quarter of
// what the thread turns along the whole, towards the joint at its end.
//
// On the segment, the new vertex leaves the whole turn of a bend to its neighbours, whose joints are now shorter: with
// turns k l at joints of length l the energy would grow by a third, beside a clamp it would double. On the arc of the
// bend, k l^2/8 away from the segment, the vertex takes its share of the turn and the energy stays; but the halves are
// longer there, by a strain of (k l)^2/32. So it goes as far as the sum is least: all the way in a solid thread, hardly
// at all in a limp one whose segments are long. The way is left in thread->move; the caller sees that it is free.
//
// A vertex between segments of rest lengths a and b is taken out when it stands at a / (a + b) of the line between its
// neighbours. The one before gets the mass b rho / 2 at the velocity of the vertex, the one after a rho / 2: mass, its
// centre and momentum stay, and kinetic energy is not won. The segments have one direction, so their frames differ by
// the reference twist between them, which goes to the joint behind.
//
// Rest curvature goes the way of mass: turns at rest (as vectors across the thread) per joint length.
#include <string.h>

#include "base/frame.h"
#include "base/vec3.h"
#include "thread/rest.h"
#include "thread/slide.h"
#include "thread/spacing.h"

// All that a vertex, and the joint at it, has of its own.
typedef struct vertex_state {
    cg_vec3 position, velocity, target, hold_force;
    cg_vec3 rest_turn;
    double added_mass, reference_twist;
    bool held;
} vertex_state;

typedef struct segment_state {
    double rest_length, angle, spin;
    cg_vec3 tangent, director;
} segment_state;

// Turns at rest, per joint, while a thread is edited: this array is only used within steps otherwise.
static cg_vec3 *rest_turns(const cg_thread *thread)
{
    return thread->start;
}

static vertex_state load_vertex(const cg_thread *thread, int i)
{
    return (vertex_state){thread->shape.position[i],
                          thread->velocity[i],
                          thread->target[i],
                          thread->hold_force[i],
                          rest_turns(thread)[i],
                          thread->added_mass[i],
                          thread->shape.reference_twist[i],
                          thread->held[i]};
}

static void store_vertex(cg_thread *thread, int i, const vertex_state *vertex)
{
    thread->shape.position[i] = vertex->position;
    thread->velocity[i] = vertex->velocity;
    thread->target[i] = vertex->target;
    thread->hold_force[i] = vertex->hold_force;
    rest_turns(thread)[i] = vertex->rest_turn;
    thread->added_mass[i] = vertex->added_mass;
    thread->shape.reference_twist[i] = vertex->reference_twist;
    thread->held[i] = vertex->held;
}

static segment_state load_segment(const cg_thread *thread, int i)
{
    return (segment_state){thread->rest_length[i], thread->shape.angle[i], thread->spin[i], thread->shape.tangent[i],
                           thread->shape.director[i]};
}

static void store_segment(cg_thread *thread, int i, const segment_state *segment)
{
    thread->rest_length[i] = segment->rest_length;
    thread->shape.angle[i] = segment->angle;
    thread->spin[i] = segment->spin;
    thread->shape.tangent[i] = segment->tangent;
    thread->shape.director[i] = segment->director;
}

static void load_rest_turns(cg_thread *thread)
{
    memset(rest_turns(thread), 0, sizeof(cg_vec3) * (size_t)thread->vertex_count);
    for (int j = 1; thread->has_rest_shape && j < thread->segment_count; j++) {
        rest_turns(thread)[j] = cg_rest_turn(thread, j);
    }
}

static void store_rest_turns(cg_thread *thread)
{
    for (int j = 1; thread->has_rest_shape && j < thread->segment_count; j++) {
        cg_rest_set_turn(thread, j, rest_turns(thread)[j]);
    }
}

static void scale_rest_turns(cg_thread *thread, bool by_length)
{
    for (int j = 1; thread->has_rest_shape && j < thread->segment_count; j++) {
        double length = thread->joint_length[j];
        rest_turns(thread)[j] = v3_scale(by_length ? length : 1.0 / length, rest_turns(thread)[j]);
    }
}

static void finish_edit(cg_thread *thread, int vertex_count, int edits)
{
    thread->vertex_count = vertex_count;
    thread->segment_count = vertex_count - 1;
    thread->topology_version += (uint64_t)edits;
    thread->remembers = 0;
    cg_band_resize(&thread->factor, vertex_count);
    cg_thread_update_lengths(thread);
    cg_thread_update_masses(thread);
}

static int count_marks(const cg_thread *thread, int count)
{
    int marks = 0;
    for (int i = 0; i < count; i++) {
        marks += thread->mark[i] != 0;
    }
    return marks;
}

// Curvature at rest, per length, at a vertex in the middle of a segment. There is no joint at the ends: there it is
// that of the other side.
static cg_vec3 rest_curvature_between(const cg_thread *thread, int segment)
{
    const cg_vec3 *curvature = rest_turns(thread);
    int first = segment > 0 ? segment : segment + 1,
        second = segment + 1 < thread->segment_count ? segment + 1 : segment;
    return v3_scale(0.5, v3_add(curvature[first], curvature[second]));
}

static vertex_state vertex_between(const vertex_state *before, const vertex_state *after, cg_vec3 rest_curvature)
{
    cg_vec3 middle = v3_scale(0.5, v3_add(before->position, after->position));
    return (vertex_state){.position = middle,
                          .velocity = v3_scale(0.5, v3_add(before->velocity, after->velocity)),
                          .target = middle,
                          .rest_turn = rest_curvature};
}

// Stretch and bending energy of a segment whose middle is taken `way` aside: its halves and the three joints at them.
// The joints at its ends have lost a quarter of it.
static double energy_with_middle_at(const cg_thread *thread, int segment, cg_vec3 way)
{
    const cg_vec3 *x = &thread->shape.position[segment];
    cg_vec3 before, after, middle = v3_add(v3_scale(0.5, v3_add(x[0], x[1])), way);
    cg_vec3 halves[2] = {v3_sub(middle, x[0]), v3_sub(x[1], middle)}, tangents[2];
    double half = 0.5 * thread->rest_length[segment], stretch = 0, bend = 0;
    for (int k = 0; k < 2; k++) {
        double excess = v3_length(halves[k]) - half;
        stretch += excess * excess / half;
        tangents[k] = v3_unit_or(halves[k], thread->shape.tangent[segment]);
    }
    if (cg_spacing_tangents_at(thread, segment, &before, &after)) {
        cg_vec3 turn = v3_sub(tangents[0], before);
        bend += v3_dot(turn, turn) / (thread->joint_length[segment] - 0.5 * half);
    }
    if (cg_spacing_tangents_at(thread, segment + 1, &before, &after)) {
        cg_vec3 turn = v3_sub(after, tangents[1]);
        bend += v3_dot(turn, turn) / (thread->joint_length[segment + 1] - 0.5 * half);
    }
    cg_vec3 turn = v3_sub(tangents[1], tangents[0]);
    bend += v3_dot(turn, turn) / half;
    return 0.5 * (thread->stretch_stiffness * stretch + thread->bend_stiffness * bend);
}

// Where the middle of a segment should be, seen from the segment: the best of a few places between it and the arc.
static cg_vec3 way_to_arc(const cg_thread *thread, int segment)
{
    enum { PLACES = 8 };
    cg_vec3 curvature = v3_add(cg_spacing_curvature(thread, segment), cg_spacing_curvature(thread, segment + 1));
    double l = thread->rest_length[segment], least = energy_with_middle_at(thread, segment, v3_zero());
    cg_vec3 whole = v3_scale(-0.0625 * l * l, curvature), best = v3_zero();
    for (int k = 1; k <= PLACES; k++) {
        cg_vec3 way = v3_scale((double)k / PLACES, whole);
        double energy = energy_with_middle_at(thread, segment, way);
        best = energy < least ? way : best;
        least = energy < least ? energy : least;
    }
    return best;
}

// The ways of all segments, in thread->rhs, which is free between steps.
static void measure_arcs(cg_thread *thread)
{
    for (int i = 0; i < thread->segment_count; i++) {
        thread->rhs[i] = thread->mark[i] == CG_SPLIT_ROUND ? way_to_arc(thread, i) : v3_zero();
    }
}

// Turn of the material per length that goes with a twisting moment.
static double twist_rate(const cg_thread *thread, double torque)
{
    return thread->twisting ? torque / thread->twist_stiffness : 0.0;
}

static void stay(cg_thread *thread)
{
    memset(thread->move, 0, sizeof(cg_vec3) * (size_t)thread->vertex_count);
}

void cg_thread_split_marked(cg_thread *thread)
{
    int splits = count_marks(thread, thread->segment_count), to = thread->vertex_count + splits;
    if (splits == 0) {
        stay(thread);
        return;
    }
    cg_slide_follow_splits(thread);
    load_rest_turns(thread);
    scale_rest_turns(thread, false);
    measure_arcs(thread);
    // From the back: what is written is always behind what is still to be read.
    vertex_state after = load_vertex(thread, thread->vertex_count - 1);
    store_vertex(thread, --to, &after);
    thread->move[to] = v3_zero();
    for (int i = thread->segment_count - 1; i >= 0; i--) {
        segment_state segment = load_segment(thread, i);
        vertex_state before = load_vertex(thread, i);
        if (thread->mark[i] != CG_SPLIT_NOT) {
            vertex_state middle = vertex_between(&before, &after, rest_curvature_between(thread, i));
            segment.rest_length *= 0.5;
            segment_state second = segment;
            second.angle += 0.5 * segment.rest_length * twist_rate(thread, thread->shape.torque[i + 1]);
            segment.angle -= 0.5 * segment.rest_length * twist_rate(thread, thread->shape.torque[i]);
            store_segment(thread, --to, &second);
            store_vertex(thread, to, &middle);
            thread->move[to] = thread->rhs[i];
        }
        store_segment(thread, --to, &segment);
        store_vertex(thread, to, &before);
        thread->move[to] = v3_zero();
        after = before;
    }
    finish_edit(thread, thread->vertex_count + splits, splits);
    scale_rest_turns(thread, true);
    store_rest_turns(thread);
}

// Adds mass that goes at some velocity to a vertex. A hand that holds the vertex takes its momentum.
static void add_moving_mass(cg_thread *thread, int vertex, double mass, cg_vec3 velocity)
{
    double before = thread->mass[vertex], whole = before + mass;
    if (!thread->held[vertex]) {
        cg_vec3 momentum = v3_add_scaled(v3_scale(before, thread->velocity[vertex]), mass, velocity);
        thread->velocity[vertex] = v3_scale(1.0 / whole, momentum);
    }
    thread->mass[vertex] = whole;
}

// Gives all that the vertex has to what is beside it: afterwards it can be left out.
static void hand_over(cg_thread *thread, int vertex)
{
    double a = thread->rest_length[vertex - 1], b = thread->rest_length[vertex], share = a / (a + b);
    double *twist = thread->shape.reference_twist, *angle = thread->shape.angle;
    cg_vec3 *turn = rest_turns(thread);
    add_moving_mass(thread, vertex - 1, 0.5 * b * thread->linear_density, thread->velocity[vertex]);
    add_moving_mass(thread, vertex + 1, 0.5 * a * thread->linear_density, thread->velocity[vertex]);
    turn[vertex - 1] = v3_add_scaled(turn[vertex - 1], 1.0 - share, turn[vertex]);
    turn[vertex + 1] = v3_add_scaled(turn[vertex + 1], share, turn[vertex]);
    angle[vertex - 1] += (1.0 - share) * (angle[vertex] + twist[vertex] - angle[vertex - 1]);
    thread->spin[vertex - 1] += (1.0 - share) * (thread->spin[vertex] - thread->spin[vertex - 1]);
    twist[vertex + 1] += twist[vertex];
    thread->rest_length[vertex - 1] = a + b;
}

void cg_thread_merge_marked(cg_thread *thread)
{
    int merges = count_marks(thread, thread->vertex_count), to = 0;
    if (merges == 0) {
        stay(thread);
        return;
    }
    cg_slide_follow_merges(thread);
    load_rest_turns(thread);
    for (int i = 1; i + 1 < thread->vertex_count; i++) {
        if (thread->mark[i] != 0) {
            hand_over(thread, i);
        }
    }
    for (int i = 0; i < thread->vertex_count; i++) {
        if (thread->mark[i] != 0) {
            continue;
        }
        vertex_state vertex = load_vertex(thread, i);
        store_vertex(thread, to, &vertex);
        // The segment behind the vertex: that behind a vertex which is left out belongs to the one before.
        if (i < thread->segment_count) {
            segment_state segment = load_segment(thread, i);
            store_segment(thread, to, &segment);
        }
        to++;
    }
    finish_edit(thread, thread->vertex_count - merges, merges);
    stay(thread);
    store_rest_turns(thread);
}

int cg_thread_clear_span(cg_thread *thread, int from, int to)
{
    int removed = 0;
    while (to - from - removed > 1) {
        memset(thread->mark, 0, (size_t)thread->vertex_count);
        int end = to - removed;
        for (int i = from + 1; i < end; i += 2) {
            thread->mark[i] = 1;
            removed++;
        }
        cg_thread_merge_marked(thread);
    }
    return removed;
}
