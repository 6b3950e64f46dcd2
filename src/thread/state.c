// The state of a thread as one list, for snapshots and hashes, and what must hold of it.
#include <assert.h>
#include <string.h>

#include "base/status.h"
#include "base/vec3.h"
#include "thread/model.h"
#include "thread/slide.h"

static void visit_end(cg_archive *archive, cg_thread_end *end)
{
    int kind = (int)end->hold.kind;
    cg_archive_int(archive, &kind, CG_END_FREE, CG_END_CLAMPED);
    end->hold.kind = (cg_end_kind)kind;
    cg_archive_vec3(archive, &end->hold.position);
    cg_archive_vec3(archive, &end->hold.direction);
    cg_archive_double(archive, &end->hold.turn);
    cg_archive_vec3(archive, &end->director);
}

// There is no curvature at the ends: what lies in the arrays there is of no meaning, and no state.
static void visit_rest_shape(cg_archive *archive, cg_thread *thread, int vertices)
{
    for (int j = 1; j + 1 < vertices; j++) {
        cg_archive_vec3(archive, &thread->rest_ahead[j]);
        cg_archive_vec3(archive, &thread->rest_behind[j]);
    }
}

// The number of vertices is part of the shape of a thread, or of the state of one that is edited: then with all else
// that changes with it. Returns how many there are to visit.
static int visit_vertex_count(cg_archive *archive, cg_thread *thread)
{
    bool takes_set = thread->yield_moment > 0;
    cg_archive_count(archive, thread->spacing.follow, "following spacings of a thread");
    cg_archive_count(archive, (size_t)thread->has_rest_shape + takes_set, "rest shapes, 2 with memory, of a thread");
    cg_archive_count(archive, (size_t)thread->most_vertices, "vertices at most of a thread");
    int count = thread->vertex_count;
    if (thread->is_edited) {
        count = cg_archive_length(archive, thread->vertex_count - 2, thread->most_vertices - 2) + 2;
        cg_archive_u64(archive, &thread->topology_version);
    }
    if (thread->has_rest_shape && (thread->is_edited || takes_set)) {
        visit_rest_shape(archive, thread, count);
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        thread->vertex_count = count;
        thread->segment_count = count - 1;
    }
    return count;
}

// Frames and angles are state while they are kept; otherwise what lies in the arrays may be of any step before.
static void visit_twist(cg_archive *archive, cg_thread *thread, size_t vertices)
{
    size_t segments = vertices - 1;
    bool is_twisting = cg_archive_choice(archive, thread->twisting, 0, 1) == 1;
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        thread->twisting = is_twisting;
        cg_twist_forget(thread);
    }
    if (is_twisting) {
        cg_archive_vec3s(archive, thread->shape.director, segments);
        cg_archive_doubles(archive, thread->shape.reference_twist, vertices);
        cg_archive_doubles(archive, thread->shape.angle, segments);
        cg_archive_doubles(archive, thread->shape.torque, vertices);
    }
    cg_archive_count(archive, thread->rolling, "threads that friction turns, of this one");
    if (thread->rolling) {
        cg_archive_doubles(archive, thread->spin, segments);
    }
}

// What a step can look back on (inertia.c) is state while there is something.
static void visit_memory(cg_archive *archive, cg_thread *thread, size_t vertices)
{
    bool remembers = cg_archive_choice(archive, thread->remembers > 0, 0, 1) == 1;
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        thread->remembers = 0;
    }
    if (remembers) {
        cg_archive_double(archive, &thread->remembers);
        cg_archive_vec3s(archive, thread->earlier, vertices);
        cg_archive_vec3s(archive, thread->earlier_velocity, vertices);
    }
}

void cg_thread_visit_state(cg_archive *archive, cg_thread *thread)
{
    size_t vertices = (size_t)visit_vertex_count(archive, thread), segments = vertices - 1;
    cg_archive_doubles(archive, thread->rest_length, segments);
    cg_archive_doubles(archive, thread->added_mass, vertices);
    cg_archive_vec3s(archive, thread->shape.position, vertices);
    cg_archive_vec3s(archive, thread->shape.tangent, segments);
    cg_archive_vec3s(archive, thread->velocity, vertices);
    cg_archive_vec3s(archive, thread->force, vertices);
    cg_archive_vec3s(archive, thread->moment, segments);
    for (size_t i = 0; i < vertices; i++) {
        cg_archive_bool(archive, &thread->held[i]);
    }
    cg_archive_vec3s(archive, thread->target, vertices);
    cg_archive_vec3s(archive, thread->hold_force, vertices);
    visit_end(archive, &thread->ends[CG_START]);
    visit_end(archive, &thread->ends[CG_FINISH]);
    cg_archive_double(archive, &thread->friction);
    visit_memory(archive, thread, vertices);
    visit_twist(archive, thread, vertices);
    if (thread->model != NULL) { // what others push it with in its next step
        cg_archive_count(archive, (size_t)thread->model->kind, "model of a thread");
        cg_archive_vec3s(archive, thread->contact, vertices);
    }
    if (thread->slide != NULL) {
        cg_slide_visit_state(archive, thread);
    }
}

// Pushes of the coming step beyond the vertices there are: a split would put them onto new ones.
static void forget_beyond(cg_thread *thread)
{
    size_t beyond = (size_t)(thread->most_vertices - thread->vertex_count);
    memset(thread->force + thread->vertex_count, 0, beyond * sizeof *thread->force);
    memset(thread->moment + thread->segment_count, 0, beyond * sizeof *thread->moment);
}

void cg_thread_after_load(cg_thread *thread)
{
    forget_beyond(thread);
    cg_band_resize(&thread->factor, thread->vertex_count);
    if (thread->slide != NULL) {
        cg_slide_after_load(thread);
    }
    cg_thread_update_lengths(thread);
    cg_thread_update_masses(thread);
    cg_shape_measure(thread, &thread->shape, &thread->shape);
}

// Of positions, targets, pushes and masses in a state that is loaded, in their units.
static const double FARTHEST = CG_THREAD_FARTHEST;
// [m/s] From one end of that to the other in the shortest step.
static const double FASTEST = 3e19;
// [rad], [N m] Of turns and twists; ends may be turned by 1e6.
static const double MOST_TURN = 1e7;

static bool is_unit(cg_vec3 v)
{
    return fabs(v3_dot(v, v) - 1) < 1e-12;
}

static bool is_sound_vertex(const cg_thread *thread, int i)
{
    return v3_is_finite(thread->shape.position[i]) && v3_is_finite(thread->velocity[i]) && thread->mass[i] > 0 &&
           thread->joint_length[i] > 0;
}

// Whether it could come there by what the public calls allow, and a step can go on from there.
static bool is_within_reach(const cg_thread *thread, int i)
{
    const cg_vec3 *numbers[] = {&thread->shape.position[i], &thread->target[i], &thread->force[i]};
    cg_vec3 velocity = thread->velocity[i];
    bool within = thread->added_mass[i] >= 0 && thread->added_mass[i] <= FARTHEST;
    within = within && v3_dot(velocity, velocity) <= FASTEST * FASTEST;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        within = within && v3_dot(*numbers[k], *numbers[k]) <= FARTHEST * FARTHEST;
    }
    within = within && v3_dot(thread->contact[i], thread->contact[i]) <= FARTHEST * FARTHEST;
    if (thread->remembers != 0) {
        cg_vec3 x = thread->earlier[i], v = thread->earlier_velocity[i];
        within = within && v3_dot(x, x) <= FARTHEST * FARTHEST && v3_dot(v, v) <= FASTEST * FASTEST;
    }
    return within;
}

static bool is_sound_segment(const cg_thread *thread, int i)
{
    cg_vec3 t = thread->shape.tangent[i], u = thread->shape.director[i];
    return thread->rest_length[i] > 0 && is_unit(t) &&
           (!thread->twisting || (is_unit(u) && fabs(v3_dot(u, t)) < 1e-12));
}

// Of inner joints alone.
static bool is_sound_rest(const cg_thread *thread, int joint)
{
    return !thread->has_rest_shape ||
           (thread->twisting && is_unit(thread->rest_ahead[joint]) && is_unit(thread->rest_behind[joint]));
}

// The same for what a segment has of its own.
static bool is_turned_within_reach(const cg_thread *thread, int i)
{
    cg_vec3 moment = thread->moment[i];
    double rest = thread->rest_length[i];
    bool within = v3_dot(moment, moment) <= FARTHEST * FARTHEST;
    within = within && rest >= CG_THREAD_SHORTEST && rest <= CG_THREAD_LONGEST;
    within = within && (!thread->rolling || fabs(thread->spin[i]) <= FARTHEST);
    return within && (!thread->twisting || (fabs(thread->shape.angle[i]) <= MOST_TURN &&
                                            fabs(thread->shape.reference_twist[i]) <= MOST_TURN &&
                                            fabs(thread->shape.reference_twist[i + 1]) <= MOST_TURN));
}

static bool is_sound_end(const cg_thread *thread, cg_end end)
{
    const cg_thread_end *e = &thread->ends[end];
    bool is_held = thread->held[end == CG_START ? 0 : thread->vertex_count - 1];
    return e->hold.kind == CG_END_FREE || (is_held && (e->hold.kind == CG_END_PINNED || is_unit(e->hold.direction)));
}

static int first_unsound_segment(const cg_thread *thread)
{
    int i = 0;
    while (i < thread->segment_count && is_sound_segment(thread, i)) {
        i++;
    }
    return i;
}

static bool are_ends_sound(const cg_thread *thread)
{
    return is_sound_end(thread, CG_START) && is_sound_end(thread, CG_FINISH);
}

cg_status cg_thread_check(const cg_thread *thread)
{
    if (!(thread->friction >= 0 && thread->friction < HUGE_VAL) || !(thread->remembers >= 0)) {
        return cg_error(CG_BAD_INPUT, "a thread has a friction, or a step before it, that cannot be");
    }
    for (int i = 0; i < thread->vertex_count; i++) {
        if (!is_sound_vertex(thread, i) || !is_within_reach(thread, i)) {
            return cg_error(CG_BAD_INPUT, "vertex %d of a thread: its place, velocity or mass cannot be", i);
        }
    }
    int segment = first_unsound_segment(thread);
    if (segment < thread->segment_count) {
        return cg_error(CG_BAD_INPUT, "segment %d of a thread: its rest length or frame cannot be", segment);
    }
    bool ends_are_turned =
        fabs(thread->ends[CG_START].hold.turn) <= MOST_TURN && fabs(thread->ends[CG_FINISH].hold.turn) <= MOST_TURN;
    for (int i = 0; i < thread->segment_count; i++) {
        if (!ends_are_turned || !is_turned_within_reach(thread, i)) {
            return cg_error(CG_BAD_INPUT, "segment %d of a thread: its rest length, twist, spin or moment cannot be",
                            i);
        }
    }
    for (int j = 1; j < thread->segment_count; j++) {
        if (!is_sound_rest(thread, j)) {
            return cg_error(CG_BAD_INPUT, "vertex %d of a thread: its bend at rest cannot be", j);
        }
    }
    if (!cg_slide_is_sound(thread)) {
        return cg_error(CG_BAD_INPUT, "an anchor of a thread cannot be where it is");
    }
    return are_ends_sound(thread) ? cg_ok()
                                  : cg_error(CG_BAD_INPUT, "an end of a thread is pinned or clamped, and not held so");
}

void cg_thread_validate(const cg_thread *thread)
{
    for (int i = 0; i < thread->vertex_count; i++) {
        assert(is_sound_vertex(thread, i));
    }
    assert(first_unsound_segment(thread) == thread->segment_count && are_ends_sound(thread));
    assert(cg_slide_is_sound(thread));
}
