// A thread cut in two: where the parts end, and what each of them takes along.
#include "thread/part.h"

#include <assert.h>
#include <string.h>

#include "base/vec3.h"
#include "thread/slide.h"

// [radii] How far the parts end from the cut: a little more than their round ends are long, so that they do not touch.
// Where the thread is bent there, farther, until their ends are this far apart.
static const double RETREAT = 1.05;
static const double APART = 2.02;
// A stub at the end that is shorter than this share of its segment, or than this many radii, goes too. Beside a shorter
// segment a joint is stiffer, and has more energy by the same turn: with half of it by a third at most.
static const double STUB_SHARE = 0.5;
static const double STUB_RADII = 0.2;

static double shortest_stub(const cg_thread *thread, int segment)
{
    return fmax(STUB_SHARE * thread->rest_length[segment], STUB_RADII * thread->radius);
}

static cg_vec3 point_at(const cg_thread *thread, int segment, double fraction)
{
    const cg_vec3 *x = &thread->shape.position[segment];
    return v3_add_scaled(x[0], fraction, v3_sub(x[1], x[0]));
}

static void end_first(const cg_thread *thread, double arc, cg_thread_cut *cut)
{
    double fraction;
    int segment = cg_thread_segment_at_arc(thread, arc, &fraction);
    bool is_stub = fraction * thread->rest_length[segment] < shortest_stub(thread, segment);
    cut->count = is_stub ? segment + 1 : segment + 2;
    cut->last_fraction = is_stub ? 1 : fraction;
    cut->ends[0] = thread->arc[segment] + (is_stub ? 0 : fraction * thread->rest_length[segment]);
}

static void begin_second(const cg_thread *thread, double arc, cg_thread_cut *cut)
{
    double fraction;
    int segment = cg_thread_segment_at_arc(thread, arc, &fraction);
    bool is_stub = (1 - fraction) * thread->rest_length[segment] < shortest_stub(thread, segment);
    cut->offset = is_stub ? segment + 1 : segment;
    cut->next_fraction = is_stub ? 0 : fraction;
    cut->ends[1] = thread->arc[segment] + (is_stub ? 1 : fraction) * thread->rest_length[segment];
}

static cg_vec3 last_point(const cg_thread *thread, const cg_thread_cut *cut)
{
    return point_at(thread, cut->count - 2, cut->last_fraction);
}

static cg_vec3 next_point(const cg_thread *thread, const cg_thread_cut *cut)
{
    return point_at(thread, cut->offset, cut->next_fraction);
}

bool cg_thread_plan_cut(const cg_thread *thread, double arc, cg_thread_cut *cut)
{
    enum { MOST_TRIES = 8 };
    double whole = thread->arc[thread->vertex_count - 1], retreat = RETREAT * thread->radius;
    for (int i = 0; i < MOST_TRIES; i++, retreat *= 1.2) {
        if (!(arc - retreat > 0 && arc + retreat < whole)) {
            return false;
        }
        cut->arc = arc;
        end_first(thread, arc - retreat, cut);
        begin_second(thread, arc + retreat, cut);
        if (cut->count < 2 || thread->vertex_count - cut->offset < 2) {
            return false;
        }
        if (v3_distance(last_point(thread, cut), next_point(thread, cut)) >= APART * thread->radius) {
            break;
        }
    }
    return true;
}

void cg_thread_take_material(const cg_thread *thread, cg_thread *rest)
{
    rest->radius = thread->radius;
    rest->friction = thread->friction;
    rest->stretch_stiffness = thread->stretch_stiffness;
    rest->bend_stiffness = thread->bend_stiffness;
    rest->twist_stiffness = thread->twist_stiffness;
    rest->linear_density = thread->linear_density;
    rest->drag = thread->drag;
    rest->damping_time = thread->damping_time;
    rest->breaking_force = thread->breaking_force;
    rest->yield_share = thread->yield_share;
    rest->yield_moment = thread->yield_moment;
    rest->inertia = thread->inertia;
    rest->has_rest_shape = thread->has_rest_shape;
    rest->spacing = thread->spacing;
    rest->slip = thread->slip;
    rest->spacing.max_vertices = rest->most_vertices;
    rest->twisting = thread->twisting;
    rest->rolling = thread->rolling;
    rest->topology_version = thread->topology_version;
    rest->is_edited = true;
}

#define COPY(field, count) memcpy(rest->field, thread->field + offset, (size_t)(count) * sizeof *rest->field)

static void take_vertices(const cg_thread *thread, int offset, cg_thread *rest)
{
    int vertices = rest->vertex_count, segments = rest->segment_count;
    COPY(rest_length, segments);
    COPY(added_mass, vertices);
    COPY(shape.position, vertices);
    COPY(shape.tangent, segments);
    COPY(velocity, vertices);
    COPY(force, vertices);
    COPY(moment, segments);
    COPY(held, vertices);
    COPY(target, vertices);
    COPY(hold_force, vertices);
    COPY(spin, segments);
    if (thread->has_rest_shape) {
        COPY(rest_ahead, vertices);
        COPY(rest_behind, vertices);
    }
    cg_twist_forget(rest);
    if (thread->twisting) {
        COPY(shape.director, segments);
        COPY(shape.reference_twist, vertices);
        COPY(shape.angle, segments);
        COPY(shape.torque, vertices);
    }
}

#undef COPY

// A new end: nothing holds it, and where it was moved to nothing pushes it either.
static void free_end(cg_thread *thread, cg_end end, bool was_moved, cg_vec3 point, double lost_mass)
{
    int vertex = end == CG_START ? 0 : thread->vertex_count - 1;
    thread->ends[end] = (cg_thread_end){.hold = {.kind = CG_END_FREE, .position = point}};
    thread->shape.reference_twist[vertex] = thread->shape.torque[vertex] = 0;
    if (was_moved) {
        thread->shape.position[vertex] = thread->target[vertex] = point;
        thread->held[vertex] = false;
        thread->hold_force[vertex] = thread->force[vertex] = v3_zero();
        thread->added_mass[vertex] = 0;
    }
    thread->added_mass[vertex] += lost_mass;
}

static double mass_added_between(const cg_thread *thread, const cg_thread_cut *cut)
{
    double mass = 0;
    for (int i = cut->count - (cut->last_fraction < 1); i < cut->offset + (cut->next_fraction > 0); i++) {
        mass += thread->added_mass[i];
    }
    return mass;
}

static cg_vec3 momentum_of(const cg_thread *thread, int but)
{
    cg_vec3 momentum = v3_zero();
    for (int i = 0; i < thread->vertex_count; i++) {
        momentum = i != but ? v3_add_scaled(momentum, thread->mass[i], thread->velocity[i]) : momentum;
    }
    return momentum;
}

// The ends go at one velocity with all that became theirs; a hand that holds one takes its momentum.
static void share_momentum(cg_thread *first, cg_thread *second, cg_vec3 whole)
{
    int last = first->vertex_count - 1;
    cg_vec3 left = v3_sub(whole, v3_add(momentum_of(first, last), momentum_of(second, 0)));
    cg_vec3 velocity = v3_scale(1 / (first->mass[last] + second->mass[0]), left);
    first->velocity[last] = first->held[last] ? first->velocity[last] : velocity;
    second->velocity[0] = second->held[0] ? second->velocity[0] : velocity;
}

static void resize(cg_thread *thread, int vertex_count)
{
    thread->vertex_count = vertex_count;
    thread->segment_count = vertex_count - 1;
    thread->remembers = 0;
    thread->grips = NULL;
}

void cg_thread_part(cg_thread *thread, const cg_thread_cut *cut, cg_thread *rest)
{
    cg_vec3 last = last_point(thread, cut), next = next_point(thread, cut);
    cg_vec3 momentum = momentum_of(thread, -1);
    bool last_moves = cut->last_fraction<1, next_moves = cut->next_fraction> 0;
    // What was fixed to vertices that go stays with the first part.
    double before = (cut->arc - cut->ends[0]) * thread->linear_density + mass_added_between(thread, cut);
    double after = (cut->ends[1] - cut->arc) * thread->linear_density;
    assert(rest->most_vertices >= thread->vertex_count - cut->offset);
    cg_thread_take_material(thread, rest);
    cg_slide_part(thread, cut, rest);
    resize(rest, thread->vertex_count - cut->offset);
    take_vertices(thread, cut->offset, rest);
    rest->rest_length[0] *= 1 - cut->next_fraction;
    rest->ends[CG_FINISH] = thread->ends[CG_FINISH];
    resize(thread, cut->count);
    thread->rest_length[cut->count - 2] *= cut->last_fraction;
    thread->topology_version++;
    free_end(thread, CG_FINISH, last_moves, last, before);
    free_end(rest, CG_START, next_moves, next, after);
    cg_thread_after_load(thread);
    cg_thread_after_load(rest);
    share_momentum(thread, rest, momentum);
    cg_twist_refresh(thread);
    cg_twist_refresh(rest);
}
