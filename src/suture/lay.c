// A stitch is laid: anchors on a thread as it lies. See stitch.h.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/vec3.h"
#include "suture/stitch.h"
#include "thread/slide.h"
#include "thread/spacing.h"

// [spacings] A place is passed by the thread when its nearest vertex is no farther.
static const double NEAR = 2;

// The vertex nearest to a place among first .. last.
static int nearest_vertex(const cg_thread *thread, cg_vec3 place, int first, int last)
{
    int best = first;
    for (int i = first; i <= last; i++) {
        if (v3_distance(thread->shape.position[i], place) < v3_distance(thread->shape.position[best], place)) {
            best = i;
        }
    }
    return best;
}

static bool is_passed(const cg_thread *thread, int vertex, cg_vec3 place)
{
    double spacing = fmax(thread->rest_length[vertex - 1], thread->rest_length[vertex]);
    return v3_distance(thread->shape.position[vertex], place) <= NEAR * spacing;
}

static cg_status choose_vertices(const cg_thread *thread, const cg_stitch_place *places, int count, int *vertices)
{
    int last = thread->vertex_count - 2;
    for (int k = 0; k < count; k++) {
        int first = k > 0 ? vertices[k - 1] + 1 : 1;
        if (first + count - 1 - k > last) {
            return cg_error(CG_BAD_INPUT, "the thread has no vertices left for point %d of the stitch", k);
        }
        vertices[k] = nearest_vertex(thread, places[k].position, first, last - (count - 1 - k));
        if (!is_passed(thread, vertices[k], places[k].position)) {
            return cg_error(CG_BAD_INPUT,
                            "the thread does not pass point %d of the stitch, behind those before it: %g m away", k,
                            v3_distance(thread->shape.position[vertices[k]], places[k].position));
        }
        if (thread->held[vertices[k]]) {
            return cg_error(CG_BAD_INPUT, "point %d of the stitch is at vertex %d of the thread, which is held", k,
                            vertices[k]);
        }
    }
    return cg_ok();
}

// Where the new anchors belong among those there are; -1 when some of these lie between them.
static int place_among(const cg_thread *thread, int first, int last)
{
    int before = 0, count = cg_slide_count(thread);
    for (int k = 0; k < count; k++) {
        int vertex = thread->slide->anchors[k].vertex;
        before += vertex < first;
        if (vertex >= first && vertex <= last) {
            return -1;
        }
    }
    bool is_inside = before > 0 && before < count && thread->slide->anchors[before - 1].straight[1];
    return is_inside ? -1 : before;
}

static void put_anchors(cg_thread *thread, const cg_stitch_kind *kind, const cg_stitch_place *places, int count,
                        const int *vertices, int at)
{
    cg_thread_slide *slide = thread->slide;
    memmove(&slide->anchors[at + count], &slide->anchors[at], sizeof *slide->anchors * (size_t)(slide->count - at));
    for (int k = 0; k < count; k++) {
        const cg_mesh_point *p = &places[k].point;
        slide->anchors[at + k] = (cg_thread_anchor){
            .vertex = vertices[k],
            .tissue = kind->tissue,
            .triangle = p->triangle,
            .weights = {p->weights[0], p->weights[1], p->weights[2]},
            .friction = kind->friction,
            .grip = kind->grip,
            .straight = {k > 0 && places[k - 1].straight, k + 1 < count && places[k].straight},
        };
    }
    slide->count += count;
}

void cg_stitch_fit(cg_thread *thread, const int *vertices, int count)
{
    for (int k = 0; k < count; k++) {
        cg_slide_fit_lengths(thread, vertices[k]);
    }
    cg_thread_update_lengths(thread);
    cg_thread_update_masses(thread);
    cg_thread_lay_out(thread);
    cg_slide_set_rates(thread);
}

cg_status cg_stitch_lay(cg_thread *thread, const cg_stitch_kind *kind, const cg_stitch_place *places, int count,
                        int *vertices)
{
    if (count < 1 || count > CG_MOST_ANCHORS - cg_slide_count(thread)) {
        return cg_error(CG_BAD_INPUT, "the stitch has %d points, with %d that the thread has already; expected 1 to %d",
                        count, cg_slide_count(thread), CG_MOST_ANCHORS);
    }
    cg_status status = choose_vertices(thread, places, count, vertices);
    int at = status.code == CG_OK ? place_among(thread, vertices[0], vertices[count - 1]) : -1;
    if (status.code == CG_OK && at < 0) {
        status = cg_error(CG_BAD_INPUT, "the thread has other anchors between the points of the stitch");
    }
    status = status.code == CG_OK ? cg_slide_create(thread) : status;
    if (status.code != CG_OK) {
        return status;
    }
    for (int k = 0; k < count; k++) {
        thread->shape.position[vertices[k]] = places[k].position;
    }
    for (int k = 0; k + 1 < count; k++) {
        int removed = places[k].straight ? cg_thread_clear_span(thread, vertices[k], vertices[k + 1]) : 0;
        for (int j = k + 1; j < count; j++) {
            vertices[j] -= removed;
        }
    }
    put_anchors(thread, kind, places, count, vertices, at);
    cg_stitch_fit(thread, vertices, count);
    if (cg_slide_is_portal(thread)) {
        cg_portal_open(thread, at, count);
    }
    return cg_ok();
}
