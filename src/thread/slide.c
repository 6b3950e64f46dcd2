// Anchors of a thread: memory, state, and their part in the verbs of a step. See slide.h.
#include "thread/slide.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "collide/chains.h"

// [radii] No tissue is touched nearer to a hole, along the thread: what rises from it by 4 degrees is then clear of the
// surface. Farther: a lip that is drawn that near to its hole is cut by the thread. Nearer: threads that leave at
// 3 degrees tremble. Of 15 to 24 this one has the fewest cells that do (docs/suturing.md).
static const double MOUTH = 19;
// [radii] Least length of a segment at an anchor. Without one, holes that meet leave a segment without a length.
static const double LEAST = 1;
// A pass that slides by more than this share of a segment at the anchor is not the last: the pull of a segment goes
// with one over its length.
static const double SETTLED_SLIDE = 0.01;
enum { SYSTEM_SIZE = CG_MOST_ANCHORS + 2 * CG_MOST_SLIDE_SEGMENTS };

static void lay_out(cg_thread_slide *slide, int most_vertices, cg_arena *arena)
{
    size_t basis = (size_t)most_vertices * CG_MOST_SLIDE_SEGMENTS;
    slide->hidden = cg_arena_push_array(arena, unsigned char, most_vertices);
    slide->basis = cg_arena_push_array(arena, cg_vec3, basis);
    slide->system = cg_arena_push_array(arena, double, SYSTEM_SIZE *(SYSTEM_SIZE + CG_MOST_SLIDE_SEGMENTS));
}

cg_status cg_slide_create(cg_thread *thread)
{
    if (thread->slide != NULL) {
        return cg_ok();
    }
    cg_thread_slide *slide = cg_memory_take(&thread->allocator, sizeof *slide);
    if (slide == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the anchors of a thread");
    }
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(slide, thread->most_vertices, &arena);
    size_t bytes = cg_arena_used(&arena);
    slide->memory = cg_memory_take(&thread->allocator, bytes);
    if (slide->memory == NULL) {
        cg_memory_give(&thread->allocator, slide);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the anchors of a thread");
    }
    cg_arena_init(&arena, slide->memory, bytes);
    lay_out(slide, thread->most_vertices, &arena);
    thread->slide = slide;
    return cg_ok();
}

void cg_slide_destroy(cg_thread *thread)
{
    if (thread->slide != NULL) {
        cg_memory_give(&thread->allocator, thread->slide->memory);
        cg_memory_give(&thread->allocator, thread->slide);
        thread->slide = NULL;
    }
}

static void visit_anchor(cg_archive *archive, cg_thread_anchor *anchor)
{
    cg_archive_int(archive, &anchor->vertex, 0, 1 << 30);
    cg_archive_int(archive, &anchor->tissue, 0, 1 << 30);
    cg_archive_int(archive, &anchor->triangle, 0, 1 << 30);
    cg_archive_doubles(archive, anchor->weights, 3);
    cg_archive_double(archive, &anchor->friction);
    cg_archive_double(archive, &anchor->grip);
    cg_archive_bool(archive, &anchor->straight[0]);
    cg_archive_bool(archive, &anchor->straight[1]);
    cg_archive_vec3(archive, &anchor->force);
    cg_archive_double(archive, &anchor->slip);
    if (archive->mode != CG_ARCHIVE_HASH || anchor->tear > 0) { // where nothing tears, hashes do not know of it
        cg_archive_int(archive, &anchor->tear, 0, 1 << 30);
    }
}

static void visit_freed(cg_archive *archive, cg_thread_slide *slide)
{
    int count = cg_archive_length(archive, slide->freed_count, CG_MOST_FREED);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        slide->freed_count = count;
    }
    for (int k = 0; k < count; k++) {
        cg_archive_double(archive, &slide->freed[k].from);
        cg_archive_double(archive, &slide->freed[k].to);
    }
}

// What only other laws than the capstan law remember.
static void visit_laws(cg_archive *archive, cg_thread *thread, int count)
{
    cg_archive_count(archive, (size_t)thread->slip.law, "number of the law by which a thread slides");
    for (int k = 0; k < count; k++) {
        cg_archive_bool(archive, &thread->slide->anchors[k].has_slid_on);
        cg_archive_double(archive, &thread->slide->anchors[k].handed);
    }
}

void cg_slide_visit_state(cg_archive *archive, cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    int count = cg_archive_length(archive, slide->count, CG_MOST_ANCHORS);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        slide->count = count;
    }
    // A walk that only compares has places for as many as there may be.
    for (int k = 0; k < count; k++) {
        visit_anchor(archive, &slide->anchors[k]);
    }
    if (thread->slip.law != CG_SLIP_CAPSTAN) {
        visit_laws(archive, thread, count);
    }
    if (archive->mode != CG_ARCHIVE_HASH || slide->freed_count > 0) {
        visit_freed(archive, slide);
    }
}

void cg_slide_after_load(cg_thread *thread)
{
    thread->slide->is_bad = false;
    thread->slide->is_bad = !cg_slide_is_sound(thread);
    thread->slide->count = thread->slide->is_bad ? 0 : thread->slide->count;
}

bool cg_slide_is_sound(const cg_thread *thread)
{
    const cg_thread_slide *slide = thread->slide;
    if (slide != NULL && slide->is_bad) {
        return false;
    }
    for (int k = 0; slide != NULL && k < slide->count; k++) {
        const cg_thread_anchor *a = &slide->anchors[k];
        int least = k > 0 ? slide->anchors[k - 1].vertex + 1 : 1;
        double sum = a->weights[0] + a->weights[1] + a->weights[2];
        if (a->vertex < least || a->vertex + 1 >= thread->vertex_count || !(fabs(sum - 1) < 1e-6) ||
            !(a->weights[0] >= -1e-9 && a->weights[1] >= -1e-9 && a->weights[2] >= -1e-9) ||
            !(a->friction >= 0 && a->friction <= 10) || !(a->grip >= 0 && a->grip < 1e12) || !v3_is_finite(a->force) ||
            !(fabs(a->slip) < 1e6 && fabs(a->handed) < 1e6)) {
            return false;
        }
        if (k + 1 < slide->count && a->straight[1] && slide->anchors[k + 1].vertex != a->vertex + 1) {
            return false;
        }
    }
    return true;
}

double cg_slide_least_length(const cg_thread *thread)
{
    return LEAST * thread->radius;
}

double cg_slide_mouth(const cg_thread *thread)
{
    return MOUTH * thread->radius;
}

static bool is_between_anchors(const cg_thread_slide *slide, int k)
{
    return k + 1 < slide->count && slide->anchors[k + 1].vertex == slide->anchors[k].vertex + 1;
}

bool cg_slide_is_straight(const cg_thread *thread, int segment)
{
    for (int k = 0; k < cg_slide_count(thread); k++) {
        const cg_thread_anchor *a = &thread->slide->anchors[k];
        if ((a->vertex == segment && a->straight[1]) || (a->vertex == segment + 1 && a->straight[0])) {
            return true;
        }
    }
    return false;
}

static void hide_ends(cg_thread *thread)
{
    const double *mouth = thread->slide->mouth;
    double from_start = 0, from_end = 0;
    for (int i = 0; i < thread->segment_count && from_start < mouth[0]; i++) {
        thread->slide->hidden[i] = CG_AT_HOLE;
        from_start += thread->rest_length[i];
    }
    for (int i = thread->segment_count - 1; i >= 0 && from_end < mouth[1]; i--) {
        thread->slide->hidden[i] = CG_AT_HOLE;
        from_end += thread->rest_length[i];
    }
}

static void hide_freed(cg_thread *thread)
{
    for (int k = 0; k < thread->slide->freed_count; k++) {
        const cg_thread_stretch *freed = &thread->slide->freed[k];
        for (int i = 0; i < thread->segment_count; i++) {
            if (thread->arc[i + 1] > freed->from && thread->arc[i] < freed->to) {
                thread->slide->hidden[i] = CG_AT_HOLE;
            }
        }
    }
}

// A thread that leaves a hole along the surface is nearer to it than its radius for a while, and not because anything
// holds it off: what lies within this of an anchor touches no tissue.
static void hide(cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    double reach = cg_slide_mouth(thread);
    hide_ends(thread);
    hide_freed(thread);
    for (int k = 0; k < slide->count; k++) {
        int first = slide->anchors[k].vertex - 1, last = slide->anchors[k].vertex;
        for (double arc = thread->rest_length[first]; arc < reach && first > 0; first--) {
            arc += thread->rest_length[first - 1];
        }
        for (double arc = thread->rest_length[last]; arc < reach && last + 1 < thread->segment_count; last++) {
            arc += thread->rest_length[last + 1];
        }
        // An end that has gone out of its last hole is inside.
        first = k == 0 && slide->anchors[k].straight[0] ? 0 : first;
        last = k + 1 == slide->count && slide->anchors[k].straight[1] ? thread->segment_count - 1 : last;
        for (int i = first; i <= last; i++) {
            slide->hidden[i] = slide->hidden[i] == CG_SEEN ? CG_AT_HOLE : slide->hidden[i];
        }
        for (int side = 0; side < 2; side++) {
            if (slide->anchors[k].straight[side]) {
                slide->hidden[slide->anchors[k].vertex - 1 + side] = CG_INSIDE;
            }
        }
    }
}

// Lists the segments at anchors; one between two of them is listed once.
static void list_segments(cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    slide->segment_count = 0;
    for (int k = 0; k < slide->count && !cg_slide_is_portal(thread); k++) {
        cg_thread_anchor *a = &slide->anchors[k];
        bool is_listed = k > 0 && is_between_anchors(slide, k - 1);
        a->sides[0] = is_listed ? slide->segment_count - 1 : slide->segment_count;
        a->sides[1] = a->sides[0] + 1;
        slide->segment_count = a->sides[1] + 1;
        for (int side = 0; side < 2; side++) {
            slide->segments[a->sides[side]] = a->vertex - 1 + side;
        }
        // So does what a needle draws straight behind it.
        slide->pulls_only[a->sides[0]] = is_listed || (a->vertex == 1 && slide->follows[0]);
        slide->pulls_only[a->sides[1]] = a->vertex + 2 == thread->vertex_count && slide->follows[1];
    }
}

static void set_joint(cg_thread *thread, int vertex)
{
    double before = vertex > 0 ? thread->rest_length[vertex - 1] : 0;
    double after = vertex < thread->segment_count ? thread->rest_length[vertex] : 0;
    thread->joint_length[vertex] = 0.5 * (before + after);
    thread->bend_rate[vertex] = thread->bend_stiffness / thread->joint_length[vertex];
}

static void set_rates(cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    list_segments(thread);
    hide(thread);
    for (int e = 0; e < slide->segment_count; e++) {
        int i = slide->segments[e];
        thread->stretch_rate[i] = thread->stretch_stiffness / thread->rest_length[i];
        set_joint(thread, i);
        set_joint(thread, i + 1);
    }
    for (int k = 0; k < slide->count; k++) {
        thread->bend_rate[slide->anchors[k].vertex] = 0;
    }
    cg_portal_set_rates(thread);
}

void cg_slide_set_rates(cg_thread *thread)
{
    memset(thread->slide->hidden, 0, (size_t)thread->segment_count);
    set_rates(thread);
}

static int sign_of(double value)
{
    return value > 0 ? 1 : (value < 0 ? -1 : 0);
}

void cg_slide_begin_step(cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    cg_slide_set_rates(thread);
    if (thread->slip.law != CG_SLIP_CAPSTAN && !cg_slide_is_portal(thread)) {
        cg_slide_find_drifts(thread);
    }
    for (int k = 0; k < slide->count; k++) {
        cg_thread_anchor *a = &slide->anchors[k];
        a->is_aimed = false;
        a->way = a->is_driven || cg_slide_is_portal(thread) ? 0 : sign_of(a->slip); // as good a guess as any
        a->slip = a->slide = 0;
        a->is_jammed = false;
        a->counts[0] = a->counts[1] = true;
    }
    memset(slide->shortest, 0, sizeof slide->shortest);
    memset(slide->slack, 0, sizeof slide->slack);
    memset(slide->press, 0, sizeof slide->press);
    memset(slide->loose, 0, sizeof slide->loose);
}

// The angle by which the thread turns at a hinge is that between its two segments.
static void measure_wrap(const cg_thread *thread, cg_thread_anchor *a)
{
    cg_vec3 before = thread->shape.tangent[a->vertex - 1], behind = thread->shape.tangent[a->vertex];
    a->wrap = cg_atan2(v3_length(v3_cross(before, behind)), v3_dot(before, behind));
    a->ratio = cg_exp(a->friction * a->wrap);
}

void cg_slide_add_rows(cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    if (cg_slide_is_portal(thread)) {
        cg_portal_add_rows(thread);
        return;
    }
    for (int k = 0; k < slide->count; k++) {
        cg_thread_anchor *a = &slide->anchors[k];
        measure_wrap(thread, a);
        double *d = thread->rows[a->vertex].diagonal;
        cg_vec3 x = m3_row(a->stiffness, 0), y = m3_row(a->stiffness, 1), z = m3_row(a->stiffness, 2);
        const double upper[6] = {x.x, x.y, x.z, y.y, y.z, z.z};
        for (int e = 0; e < 6; e++) {
            d[e] += upper[e];
        }
        cg_vec3 way = v3_sub(a->target, thread->shape.position[a->vertex]);
        thread->rhs[a->vertex] = v3_add(thread->rhs[a->vertex], m3_apply(a->stiffness, way));
    }
}

static void move_thread_through(cg_thread *thread, cg_thread_anchor *a, double length)
{
    a->slip += length;
    thread->rest_length[a->vertex - 1] -= length;
    thread->rest_length[a->vertex] += length;
}

void cg_slide_take(cg_thread *thread, double share)
{
    for (int k = 0; k < thread->slide->count; k++) {
        cg_thread_anchor *a = &thread->slide->anchors[k];
        move_thread_through(thread, a, share * a->slide);
    }
    set_rates(thread);
}

void cg_slide_take_share(cg_thread *thread, double share)
{
    for (int k = 0; k < thread->slide->count; k++) {
        cg_thread_anchor *a = &thread->slide->anchors[k];
        move_thread_through(thread, a, (share - 1) * a->slip);
    }
    set_rates(thread);
}

void cg_slide_shorten(cg_thread *thread, double share)
{
    for (int k = 0; k < cg_slide_count(thread); k++) {
        thread->slide->anchors[k].slide *= share;
    }
}

void cg_slide_stand(cg_thread *thread)
{
    cg_slide_shorten(thread, 0);
}

// With the arc lengths that the step leaves.
static void note_veiled(cg_thread *thread)
{
    cg_thread_slide *slide = thread->slide;
    double arc = 0;
    slide->veiled_count = 0;
    for (int i = 0; i < thread->segment_count; i++) {
        cg_thread_stretch *last = slide->veiled_count > 0 ? &slide->veiled[slide->veiled_count - 1] : NULL;
        double from = arc;
        arc += thread->rest_length[i];
        if (slide->hidden[i] != CG_SEEN && last != NULL && last->to == from) {
            last->to = arc;
        } else if (slide->hidden[i] != CG_SEEN && slide->veiled_count < CG_MOST_VEILED) {
            slide->veiled[slide->veiled_count++] = (cg_thread_stretch){from, arc};
        }
    }
}

bool cg_slide_is_unveiled(const cg_thread *thread, int segment)
{
    const cg_thread_slide *slide = thread->slide;
    bool was_hidden = false;
    for (int k = 0; k < slide->veiled_count && slide->hidden[segment] == CG_SEEN && !was_hidden; k++) {
        const cg_thread_stretch *veiled = &slide->veiled[k];
        was_hidden = thread->arc[segment + 1] > veiled->from && thread->arc[segment] < veiled->to;
    }
    return was_hidden;
}

void cg_slide_finish_step(cg_thread *thread)
{
    note_veiled(thread);
    cg_slide_carry_rest(thread);
    cg_thread_update_lengths(thread);
    cg_thread_update_masses(thread);
}

bool cg_slide_settles(const cg_thread *thread)
{
    for (int k = 0; k < thread->slide->count; k++) {
        const cg_thread_anchor *a = &thread->slide->anchors[k];
        for (int side = 0; side < 2; side++) {
            if (fabs(a->slide) > SETTLED_SLIDE * thread->rest_length[a->vertex - 1 + side]) {
                return false;
            }
        }
    }
    return true;
}
