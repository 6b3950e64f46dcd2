#include "trial/strands.h"

#include <string.h>

#include "base/status.h"
#include "base/vec3.h"
#include "catgut/suture.h"
#include "geometry/closest.h"
#include "world/world.h"

// Strands whose axes are nearer than so many radii lie in the knot together; in a knot that is looser than that, those
// nearer than so many times their least distance.
static const double NEAR = 3, NEARLY_LEAST = 1.5;
// Leg that is left outside of the knot: so many radii, and so many segments, so that the pull does not bend the knot.
static const double LEG_RADII = 12, LEG_SEGMENTS = 2.5;
// Half of what is cut out of a loop: so many radii, or this share of it.
static const double CUT_RADII = 3, CUT_SHARE = 0.1;
// With less than this there is nothing to take hold of.
static const double LEAST_LEG_RADII = 2;

static bool is_buried(const cg_strand *strand, int segment)
{
    return segment >= strand->buried[0] && segment < strand->buried[1];
}

// What is buried is near to nothing.
static double squared_distance(const cg_strand *a, int segment, const cg_strand *b)
{
    const cg_vec3 *p = &a->thread->shape.position[segment];
    double least = HUGE_VAL;
    for (int j = b->first; j + 1 < b->first + b->count && !is_buried(a, segment); j++) {
        if (is_buried(b, j)) {
            continue;
        }
        const cg_vec3 *q = &b->thread->shape.position[j];
        least = fmin(least, cg_closest_segments(p[0], p[1], q[0], q[1]).squared_distance);
    }
    return least;
}

// [m]
static double nearness(const cg_strand *strand, const cg_strand *other)
{
    double least = HUGE_VAL;
    for (int i = strand->first; i + 1 < strand->first + strand->count; i++) {
        least = fmin(least, squared_distance(strand, i, other));
    }
    return fmax(NEAR * strand->thread->radius, NEARLY_LEAST * sqrt(least));
}

// [m] Where a strand leaves the other one on its way to an end: the arc length of the last segment that is near.
static bool leaves_at(const cg_strand *strand, const cg_strand *other, bool towards_last, double *arc)
{
    double near = nearness(strand, other);
    int last = strand->first + strand->count - 2, step = towards_last ? -1 : 1;
    for (int i = towards_last ? last : strand->first; i >= strand->first && i <= last; i += step) {
        if (squared_distance(strand, i, other) < near * near) {
            *arc = strand->thread->arc[towards_last ? i + 1 : i];
            return true;
        }
    }
    return false;
}

static double leg_wanted(const cg_thread *thread)
{
    double segment = thread->arc[thread->vertex_count - 1] / thread->segment_count;
    return fmax(LEG_RADII * thread->radius, fmin(LEG_SEGMENTS * segment, 10 * LEG_RADII * thread->radius));
}

// Cuts a strand off behind its leg. False when it does not touch the other one, or has no leg.
static bool trim(cg_strand *strand, const cg_strand *other)
{
    const cg_thread *thread = strand->thread;
    double knot, tail, wanted = leg_wanted(thread);
    if (!leaves_at(strand, other, strand->pulled_last, &knot) ||
        !leaves_at(strand, other, !strand->pulled_last, &tail)) {
        return false;
    }
    int end = strand->pulled_last ? strand->first + strand->count - 1 : strand->first,
        inwards = strand->pulled_last ? -1 : 1;
    while (fabs(thread->arc[end + inwards] - knot) >= wanted &&
           (thread->arc[end + inwards] > knot) == strand->pulled_last) {
        end += inwards;
    }
    strand->count = strand->pulled_last ? end - strand->first + 1 : strand->first + strand->count - end;
    strand->first = strand->pulled_last ? strand->first : end;
    strand->knotted = fabs(knot - tail);
    strand->leg = strand->pulled_last ? thread->arc[end] - knot : knot - thread->arc[end];
    return strand->count >= 3 && strand->leg >= LEAST_LEG_RADII * thread->radius;
}

static bool trim_both(cg_strand strands[2])
{
    const cg_strand whole[2] = {strands[0], strands[1]};
    return trim(&strands[0], &whole[1]) && trim(&strands[1], &whole[0]);
}

// The holes of a stitch that its knot closes: in the loop, from the first to the last. When the lips lie together the
// thread in one of them is so near to that in the other, and to the knot on top, that nearness does not tell a leg.
static void find_buried(const cg_world *world, const cg_pull_def *def, const int loop[2], int buried[2])
{
    cg_anchor anchor;
    buried[0] = buried[1] = 0;
    for (int i = 0, seen = 0; cg_world_get_anchor(world, i, &anchor); i++) {
        bool is_here = anchor.thread.index == def->thread.index && anchor.thread.generation == def->thread.generation &&
                       anchor.vertex > loop[0] && anchor.vertex < loop[1];
        if (is_here) {
            buried[0] = seen == 0 ? anchor.vertex : buried[0];
            buried[1] = anchor.vertex;
            seen++;
        }
    }
}

// A thread whose throws close a loop: a piece in the middle of it is cut out, so that the strands end apart; of what is
// buried the segment in its middle, which goes from lip to lip.
static bool part_loop(const cg_world *world, const cg_pull_def *def, const cg_knot_report *knot, cg_strand strands[2])
{
    const cg_thread *thread = cg_world_find_thread(world, def->thread);
    int buried[2];
    find_buried(world, def, knot->loop, buried);
    bool is_stitch = buried[0] < buried[1];
    const int *around = is_stitch ? buried : knot->loop;
    double from = thread->arc[around[0]], to = thread->arc[around[1]], middle = 0.5 * (from + to), fraction;
    double cut = is_stitch ? 0 : fmin(CUT_RADII * thread->radius, CUT_SHARE * (to - from));
    int before = cg_thread_segment_at_arc(thread, middle - cut, &fraction);
    int behind = cg_thread_segment_at_arc(thread, middle + cut, &fraction) + 1;
    if (knot->throw_count == 0 || before < 1 || behind + 2 > thread->vertex_count) {
        return false;
    }
    strands[0] = (cg_strand){.thread = thread, .count = before + 1, .pulled_last = true};
    strands[1] = (cg_strand){.thread = thread, .first = behind, .count = thread->vertex_count - behind};
    for (int k = 0; k < 2; k++) {
        memcpy(strands[k].buried, buried, sizeof buried);
    }
    return trim_both(strands);
}

// Two threads: each is pulled by the end that was chosen, or else by the one that is farther from the knot.
static bool take_ends(const cg_thread *const threads[2], const cg_knot_pull pulls[2], cg_strand strands[2])
{
    for (int k = 0; k < 2; k++) {
        strands[k] = (cg_strand){.thread = threads[k], .count = threads[k]->vertex_count};
    }
    for (int k = 0; k < 2; k++) {
        double from, to, whole = threads[k]->arc[threads[k]->vertex_count - 1];
        if (!leaves_at(&strands[k], &strands[!k], false, &from) || !leaves_at(&strands[k], &strands[!k], true, &to)) {
            return false;
        }
        strands[k].pulled_last = pulls[k] == CG_KNOT_PULL_UNKNOWN ? whole - to >= from : pulls[k] == CG_KNOT_PULL_LAST;
    }
    return trim_both(strands);
}

static cg_status check_thread(const cg_thread *thread, cg_thread_id id)
{
    if (thread == NULL) {
        return cg_error(CG_BAD_HANDLE, "thread id (%u, %u) names no thread of this world", id.index, id.generation);
    }
    if (thread->model != NULL) {
        return cg_error(CG_BAD_INPUT, "a pull test is of a thread that bends; found one of springs or links");
    }
    return cg_ok();
}

cg_status cg_strands_find(const cg_world *world, const cg_pull_def *def, cg_knot_report *knot, cg_strand strands[2],
                          bool *found)
{
    int count = def->other.index != 0 ? 2 : 1;
    const cg_thread *threads[2] = {cg_world_find_thread(world, def->thread), cg_world_find_thread(world, def->other)};
    cg_knot_thread points[2] = {{0}};
    int vertices = 0;
    *found = false;
    for (int k = 0; k < count; k++) {
        cg_status status = check_thread(threads[k], k == 0 ? def->thread : def->other);
        if (status.code != CG_OK) {
            return status;
        }
        vertices += threads[k]->vertex_count;
        points[k] = (cg_knot_thread){
            .points = threads[k]->shape.position, .count = threads[k]->vertex_count, .pull = def->pulls[k]};
    }
    if (vertices > CG_PULL_MOST_VERTICES) {
        return cg_error(CG_BAD_INPUT, "a pull test is of at most %d vertices; the knot is in threads of %d",
                        CG_PULL_MOST_VERTICES, vertices);
    }
    cg_status status = cg_knot_identify(points, count, &world->def.allocator, knot);
    if (status.code == CG_OK) {
        *found = count == 1 ? part_loop(world, def, knot, strands) : take_ends(threads, def->pulls, strands);
    }
    return status;
}
