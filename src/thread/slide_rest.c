// The shape at rest of a thread that slides through holes. It belongs to the material, and goes with it.
//
// Vertices at holes stay, and thread goes through them. When a length d passes the vertex v, from the segment before it
// to the one behind, the middles of both segments lie d/2 nearer to the start of the material. So the joint v - 1 gives
// what is bent at rest in the last d/2 of its stretch to v, and v as much of its own to v + 1:
//
//     turn given = curvature of the giver x d/2,   curvature = turn / length of its stretch before it slid
//
// Nothing is won or lost but at the ends, where there is no joint; a thread that is bent alike all along stays so to
// rounding. A set that is shorter than the segments is spread over some of them as it passes.
#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "thread/rest.h"
#include "thread/slide.h"

// Thread that has gone through vertices, in their order; rest lengths are those that it left.
typedef struct passages {
    int count;
    int vertices[CG_MOST_ANCHORS];
    double lengths[CG_MOST_ANCHORS]; // [m]
} passages;

static double passed_at(const passages *p, int vertex)
{
    double length = 0;
    for (int k = 0; k < p->count; k++) {
        length += p->vertices[k] == vertex ? p->lengths[k] : 0;
    }
    return length;
}

static double length_before(const cg_thread *thread, const passages *p, int segment)
{
    return thread->rest_length[segment] - passed_at(p, segment) + passed_at(p, segment + 1);
}

static bool is_joint(const cg_thread *thread, int vertex)
{
    return vertex > 0 && vertex < thread->segment_count;
}

// What goes over the middle of a segment, from the joint before it to the one behind; below 0 back. An end has no
// joint: its thread is bent as it is beside it.
static cg_vec3 turn_given(const cg_thread *thread, const passages *p, int segment)
{
    double way = 0.5 * (passed_at(p, segment) + passed_at(p, segment + 1));
    int giver = way > 0 ? segment : segment + 1, taker = way > 0 ? segment + 1 : segment;
    giver = is_joint(thread, giver) ? giver : taker;
    if (way == 0 || !is_joint(thread, giver)) {
        return v3_zero();
    }
    double length = 0.5 * (length_before(thread, p, giver - 1) + length_before(thread, p, giver));
    double share = fabs(way) < length ? way / length : copysign(1, way);
    return v3_scale(share, cg_rest_turn(thread, giver));
}

static void add_turn(cg_thread *thread, int joint, cg_vec3 turn)
{
    if (is_joint(thread, joint)) {
        cg_rest_set_turn(thread, joint, v3_add(cg_rest_turn(thread, joint), turn));
    }
}

// All is found before any of it is given: what passes a vertex is of the shape before the step.
static void carry(cg_thread *thread, const passages *p)
{
    int segments[CG_MOST_SLIDE_SEGMENTS], count = 0;
    cg_vec3 given[CG_MOST_SLIDE_SEGMENTS];
    for (int k = 0; k < p->count; k++) {
        for (int i = p->vertices[k] - 1; i <= p->vertices[k]; i++) {
            if (count == 0 || segments[count - 1] < i) { // one between two vertices is of both
                given[count] = turn_given(thread, p, i);
                segments[count++] = i;
            }
        }
    }
    for (int e = 0; e < count; e++) {
        if (v3_dot(given[e], given[e]) > 0) {
            add_turn(thread, segments[e], v3_neg(given[e]));
            add_turn(thread, segments[e] + 1, given[e]);
        }
    }
}

void cg_slide_carry_rest(cg_thread *thread)
{
    passages p = {.count = 0};
    for (int k = 0; k < cg_slide_count(thread); k++) {
        const cg_thread_anchor *a = &thread->slide->anchors[k];
        p.vertices[p.count] = a->vertex;
        p.lengths[p.count++] = a->slip;
    }
    if (thread->has_rest_shape) {
        carry(thread, &p);
    }
}

void cg_slide_pass(cg_thread *thread, int vertex, double length)
{
    assert(vertex > 0 && vertex < thread->segment_count);
    thread->rest_length[vertex - 1] -= length;
    thread->rest_length[vertex] += length;
    if (thread->has_rest_shape) {
        passages p = {1, {vertex}, {length}};
        carry(thread, &p);
    }
}

void cg_slide_fit_lengths(cg_thread *thread, int vertex)
{
    double longer[2]; // [m]
    for (int side = 0; side < 2; side++) {
        int i = vertex - 1 + side;
        double length = v3_distance(thread->shape.position[i], thread->shape.position[i + 1]);
        length = fmax(length, cg_slide_least_length(thread));
        longer[side] = length - thread->rest_length[i];
        thread->rest_length[i] = length;
    }
    if (thread->has_rest_shape) {
        passages p = {1, {vertex}, {0.5 * (longer[1] - longer[0])}};
        carry(thread, &p);
    }
}
