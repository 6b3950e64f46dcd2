#include "suture/handover.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "geometry/triangle.h"
#include "suture/anchor_point.h"
#include "suture/hollow.h"
#include "suture/pierce.h"
#include "thread/spacing.h"

// [least lengths of a segment at an anchor] A hole is handed over that far behind the needle, and comes back below.
static const double TAKE = 1.5, GIVE_BACK = 1.02;

// [of the segment outside] Pushed out in a step at most: more would be a strain that throws the thread about.
static const double PUSHED = 0.2;

// [of what two threads are thick] Their holes are no nearer to each other.
static const double ROOM = 1.25;

double cg_handover_length(const cg_thread *thread)
{
    return TAKE * cg_slide_least_length(thread);
}

double cg_handover_room(double radius, double other)
{
    return ROOM * (radius + other);
}

bool cg_handover_is_ready(const cg_thread *thread)
{
    return thread->slide != NULL && thread->spacing.follow && thread->model == NULL &&
           thread->slide->count < CG_MOST_ANCHORS && thread->vertex_count < thread->most_vertices &&
           thread->vertex_count > 4;
}

// A hole of a thread that is too near to another place.
typedef struct crowd {
    cg_vec3 place; // [m] where it is
    double room;   // [m] how far away the other one would have to be
    double share;  // how near it is, of that
} crowd;

static crowd find_nearest_hole(const cg_touch_set *set, int skin, cg_vec3 place, double radius)
{
    crowd nearest = {.place = place, .share = 1};
    for (int c = 0; c < set->cast.thread_count; c++) {
        double room = cg_handover_room(radius, set->cast.threads[c]->radius);
        for (int k = 0; k < cg_slide_count(set->cast.threads[c]); k++) {
            const cg_thread_anchor *a = &set->cast.threads[c]->slide->anchors[k];
            cg_mesh_point point = cg_anchor_point(a);
            if (a->tissue == skin) {
                cg_vec3 there = cg_tissue_point_place(set->cast.skins[skin]->tissue, &point);
                double share = v3_distance(place, there) / room;
                nearest = share < nearest.share ? (crowd){there, room, share} : nearest;
            }
        }
    }
    return nearest;
}

void cg_handover_make_room(const cg_touch_set *set, double radius, cg_channel_point *hole)
{
    const cg_mesh *mesh = set->cast.skins[hole->skin]->tissue->mesh;
    cg_vec3 place = cg_channel_place(mesh, mesh->position, hole);
    crowd near = find_nearest_hole(set, hole->skin, place, radius);
    if (cg_is_hollow(mesh) || !(near.share < 1)) {
        return;
    }
    const int *n = mesh->triangles[hole->triangle].nodes;
    const cg_vec3 corners[3] = {mesh->position[n[0]], mesh->position[n[1]], mesh->position[n[2]]};
    cg_vec3 out = v3_unit_or(triangle_normal(corners), v3(0, 0, 1)), away = v3_sub(place, near.place);
    away = v3_unit_or(v3_add_scaled(away, -v3_dot(away, out), out), v3_any_normal(out));
    cg_pierce_nearest beside = cg_pierce_find_nearest(mesh, v3_add_scaled(near.place, near.room, away));
    hole->triangle = beside.triangle;
    memcpy(hole->weights, beside.weights, sizeof beside.weights);
}

static bool is_anchor(const cg_thread *thread, int vertex)
{
    for (int k = 0; k < cg_slide_count(thread); k++) {
        if (thread->slide->anchors[k].vertex == vertex) {
            return true;
        }
    }
    return false;
}

// The vertex that is to be the anchor: a new one in the last segment of this end, or the one behind it where there is
// no room between. -1: neither will do.
static int vertex_for(cg_thread *thread, int end, cg_vec3 place)
{
    int last = thread->vertex_count - 1, next = end == 0 ? 1 : last - 1, segment = end == 0 ? 0 : last - 1;
    double apart = v3_distance(thread->shape.position[next], place), least = cg_slide_least_length(thread);
    if (!is_anchor(thread, next) && apart < TAKE * least) {
        return thread->held[next] ? -1 : next;
    }
    if (apart < least) {
        return -1;
    }
    memset(thread->mark, 0, (size_t)thread->vertex_count);
    memset(thread->move, 0, sizeof *thread->move * (size_t)thread->vertex_count);
    thread->mark[segment] = 1;
    cg_thread_split_marked(thread);
    memset(thread->mark, 0, (size_t)thread->vertex_count);
    return end == 0 ? 1 : thread->vertex_count - 2;
}

static void put_anchor(cg_thread *thread, int end, int vertex, const cg_channel_point *hole, cg_handover_hold hold)
{
    cg_thread_slide *slide = thread->slide;
    int at = end == 0 ? 0 : slide->count, outer = end == 0 ? 0 : 1;
    memmove(&slide->anchors[at + 1], &slide->anchors[at], sizeof *slide->anchors * (size_t)(slide->count - at));
    cg_thread_anchor *a = &slide->anchors[at];
    *a = (cg_thread_anchor){.vertex = vertex,
                            .tissue = hole->skin,
                            .triangle = hole->triangle,
                            .weights = {hole->weights[0], hole->weights[1], hole->weights[2]},
                            .friction = hold.friction,
                            .grip = hold.grip};
    slide->count++;
    a->straight[outer] = hole->inward;
    // Behind it lies the next one, and between them what the needle went through.
    int next = end == 0 ? 1 : slide->count - 2;
    if (slide->count > 1) {
        a->straight[1 - outer] = slide->anchors[next].straight[outer] && !hole->inward;
        slide->anchors[next].straight[outer] = a->straight[1 - outer];
    }
}

// What is known by arc length lies behind as much thread as there is more of now before it.
static void shift_stretches(cg_thread_slide *slide, double by)
{
    for (int k = 0; k < slide->freed_count; k++) {
        slide->freed[k].from += by;
        slide->freed[k].to += by;
    }
    for (int k = 0; k < slide->veiled_count; k++) {
        slide->veiled[k].from += by;
        slide->veiled[k].to += by;
    }
}

bool cg_handover_take(cg_thread *thread, int end, const cg_channel_point *hole, cg_vec3 place, cg_handover_hold hold)
{
    int vertex = cg_handover_is_ready(thread) ? vertex_for(thread, end, place) : -1;
    if (vertex < 0) {
        return false;
    }
    double before = thread->arc[thread->vertex_count - 1];
    thread->shape.position[vertex] = place;
    put_anchor(thread, end, vertex, hole, hold);
    cg_slide_fit_lengths(thread, vertex);
    cg_thread_update_lengths(thread);
    if (end == 0) {
        shift_stretches(thread->slide, thread->arc[thread->vertex_count - 1] - before);
    }
    cg_thread_update_masses(thread);
    cg_thread_lay_out(thread);
    cg_slide_set_rates(thread);
    return true;
}

// The anchor next to an end that the needle draws by one segment; NULL: there is none.
static cg_thread_anchor *anchor_at(const cg_thread *thread, int end)
{
    int count = cg_slide_count(thread);
    cg_thread_anchor *a = count > 0 ? &thread->slide->anchors[end == 0 ? 0 : count - 1] : NULL;
    return a != NULL && a->vertex == (end == 0 ? 1 : thread->vertex_count - 2) ? a : NULL;
}

static int segment_at(const cg_thread *thread, int end)
{
    return end == 0 ? 0 : thread->segment_count - 1;
}

// Moves thread that is longer than its span to the other side of the anchor, up to `most`.
static void push_through(cg_thread *thread, int end, double most)
{
    int inner = segment_at(thread, end), vertex = end == 0 ? 1 : inner;
    double length = v3_distance(thread->shape.position[inner], thread->shape.position[inner + 1]);
    double surplus = thread->rest_length[inner] - fmax(length, cg_slide_least_length(thread));
    double moved = fmin(surplus, most);
    if (moved > 0) {
        cg_slide_pass(thread, vertex, end == 0 ? moved : -moved);
        cg_thread_update_lengths(thread);
        cg_thread_update_masses(thread);
        cg_slide_set_rates(thread);
    }
}

void cg_handover_push_out(cg_thread *thread, int end)
{
    const cg_thread_anchor *a = anchor_at(thread, end);
    if (a != NULL && a->straight[end == 0 ? 0 : 1]) {
        int outer = end == 0 ? 1 : thread->segment_count - 2;
        push_through(thread, end, PUSHED * thread->rest_length[outer]);
    }
}

bool cg_handover_next(const cg_thread *thread, int end, cg_channel_point *hole)
{
    const cg_thread_anchor *a = anchor_at(thread, end);
    if (a != NULL) {
        *hole = (cg_channel_point){.skin = a->tissue,
                                   .triangle = a->triangle,
                                   .cell = -1,
                                   .weights = {a->weights[0], a->weights[1], a->weights[2], 0},
                                   .inward = a->straight[end == 0 ? 0 : 1]};
    }
    return a != NULL;
}

bool cg_handover_is_short(const cg_thread *thread, int end)
{
    return thread->rest_length[segment_at(thread, end)] <= GIVE_BACK * cg_slide_least_length(thread);
}

// From the end to the next anchor there is one segment where the needle has drawn the thread straight.
static void straighten(cg_thread *thread, int end)
{
    int count = cg_slide_count(thread);
    const cg_thread_anchor *next = count > 0 ? &thread->slide->anchors[end == 0 ? 0 : count - 1] : NULL;
    if (next != NULL && next->straight[end == 0 ? 0 : 1]) {
        cg_thread_clear_span(thread, end == 0 ? 0 : next->vertex, end == 0 ? next->vertex : thread->vertex_count - 1);
        cg_thread_update_lengths(thread);
        cg_thread_update_masses(thread);
        cg_thread_lay_out(thread);
        cg_slide_set_rates(thread);
    }
}

void cg_handover_give_back(cg_thread *thread, int end)
{
    push_through(thread, end, HUGE_VAL);
    cg_slide_take_out(thread, end == 0 ? 0 : thread->slide->count - 1);
    straighten(thread, end);
}
