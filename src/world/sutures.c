// Stitches in a world: the public calls, and what becomes of anchors when tissues change.
#include <assert.h>
#include <math.h>

#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/suture.h"
#include "geometry/triangle.h"
#include "suture/anchor_point.h"
#include "suture/stitch.h"
#include "thread/slide.h"
#include "world/world.h"

// [m] A point of a stitch is on the surface when it is no farther from it, and an anchor stays in a tissue whose mesh
// was edited when that is no farther away.
static const double ON_SURFACE = 1e-3;

cg_stitch_def cg_stitch_def_default(void)
{
    return (cg_stitch_def){.friction = 0.15};
}

static cg_thread_id name_thread(const cg_world *world, const cg_thread_slot *slot)
{
    cg_handle handle = cg_pool_handle_of(&world->threads, slot);
    return (cg_thread_id){handle.index, handle.generation};
}

static cg_tissue_id name_tissue(const cg_world *world, const cg_tissue_slot *slot)
{
    cg_handle handle = cg_pool_handle_of(&world->tissues, slot);
    return (cg_tissue_id){handle.index, handle.generation};
}

int cg_world_tissue_number(const cg_world *world, const cg_tissue_slot *wanted)
{
    int number = 0;
    cg_tissue_slot *slot = cg_world_first_tissue(world);
    while (slot != NULL && slot != wanted) {
        slot = cg_world_next_tissue(world, slot);
        number++;
    }
    assert(slot == wanted && "this is no tissue that the world moves");
    return number;
}

cg_tissue_slot *cg_world_tissue_at(const cg_world *world, int number)
{
    cg_tissue_slot *slot = cg_world_first_tissue(world);
    for (int i = 0; i < number && slot != NULL; i++) {
        slot = cg_world_next_tissue(world, slot);
    }
    return slot;
}

// Laying

static cg_status check_stitch(const cg_world *world, const cg_stitch_def *def, const cg_thread *thread,
                              const cg_tissue_slot *slot)
{
    if (thread == NULL || slot == NULL) {
        return cg_error(CG_BAD_HANDLE, "a stitch names no %s of this world", thread == NULL ? "thread" : "tissue");
    }
    if (world->touch_memory == NULL || slot->skin == NULL || slot->tissue->solver != CG_TISSUE_IMPLICIT) {
        return cg_error(CG_BAD_INPUT, "a stitch needs a world with contacts and a tissue with the implicit solver");
    }
    if (!thread->spacing.follow || thread->model != NULL) {
        return cg_error(CG_BAD_INPUT, "a thread that is stitched needs a spacing that follows");
    }
    if (thread->slip.law == CG_SLIP_PORTAL && (def->point_count % 2 != 0 || thread->twisting)) {
        return cg_error(CG_BAD_INPUT, "a stitch by portals needs an even number of points and a thread without twist");
    }
    if (def->points == NULL || def->point_count < 1 || def->point_count > CG_STITCH_MOST_POINTS) {
        return cg_error(CG_BAD_INPUT, "the stitch has %d points; expected 1 to %d", def->point_count,
                        CG_STITCH_MOST_POINTS);
    }
    if (!(def->friction >= 0 && def->friction <= 10)) {
        return cg_error(CG_BAD_INPUT, "the friction of a stitch is %g; expected 0 to 10", def->friction);
    }
    if (!(def->grip >= 0 && def->grip <= 1e6)) {
        return cg_error(CG_BAD_INPUT, "the grip of a stitch is %g N; expected 0 to 1e6 N", def->grip);
    }
    return cg_ok();
}

static cg_status find_place(const cg_world *world, const cg_stitch_def *def, int k, cg_stitch_place *place)
{
    double away = cg_tissue_nearest(world, def->tissue, def->points[k], &place->point.triangle, place->point.weights);
    if (!(away >= 0 && away <= ON_SURFACE)) {
        return cg_error(CG_BAD_INPUT,
                        "point %d of the stitch is %g m from the surface of the tissue; expected %g m or less", k, away,
                        ON_SURFACE);
    }
    const cg_tissue *tissue = cg_world_find_tissue(world, def->tissue);
    place->position = cg_tissue_point_place(tissue, &place->point);
    bool is_between_bites = k % 2 == 1 && cg_world_find_thread(world, def->thread)->slip.law == CG_SLIP_PORTAL;
    place->straight = (def->loose == NULL || !def->loose[k]) && !is_between_bites;
    return cg_ok();
}

// False when it is a node already, or the skin has no room for one.
static bool pierce_at(cg_tissue *tissue, cg_thread *thread, int vertex)
{
    int k = cg_anchor_at(thread, vertex);
    cg_mesh_point point = k >= 0 ? cg_anchor_point(&thread->slide->anchors[k]) : (cg_mesh_point){.triangle = -1};
    if (k < 0 || cg_tissue_node_of_point(tissue, &point) >= 0 || !cg_tissue_pierce_skin(tissue, &point, false)) {
        return false;
    }
    k = cg_anchor_at(thread, vertex); // anchors follow what piercing splits, or are taken out
    if (k >= 0) {
        cg_anchor_move(&thread->slide->anchors[k], &point);
        thread->shape.position[vertex] = cg_tissue_point_place(tissue, &point);
    }
    return k >= 0;
}

// Where a stitch goes through a skin its mesh is subdivided, and the hole is a node of it, to which the thread goes. A
// skin without room for that is held by the triangle, as other tissue is.
static void pierce_skin(cg_tissue *tissue, cg_thread *thread, const int *vertices, int count)
{
    bool is_moved = false;
    for (int k = 0; k < count; k++) {
        is_moved = pierce_at(tissue, thread, vertices[k]) || is_moved;
    }
    if (is_moved) {
        cg_stitch_fit(thread, vertices, count);
    }
}

cg_status cg_world_add_stitch(cg_world *world, const cg_stitch_def *def)
{
    cg_thread *thread = cg_world_find_thread(world, def->thread);
    cg_tissue_slot *slot = cg_pool_get(&world->tissues, (cg_handle){def->tissue.index, def->tissue.generation});
    cg_status status = check_stitch(world, def, thread, slot);
    cg_stitch_place places[CG_STITCH_MOST_POINTS];
    int vertices[CG_STITCH_MOST_POINTS];
    for (int k = 0; status.code == CG_OK && k < def->point_count; k++) {
        status = find_place(world, def, k, &places[k]);
    }
    if (status.code != CG_OK) {
        return status;
    }
    cg_stitch_kind kind = {cg_world_tissue_number(world, slot), def->friction, def->grip};
    cg_world_note_hands(world);
    cg_touch_note_arcs(&world->touches);
    status = cg_stitch_lay(thread, &kind, places, def->point_count, vertices);
    cg_world_find_hands(world);
    cg_touch_find_arcs(&world->touches);
    bool is_skin = slot->tissue->model == CG_TISSUE_SKIN && slot->tissue->mesh->cell_count == 0;
    if (status.code == CG_OK && is_skin && thread->slip.law != CG_SLIP_PORTAL) {
        pierce_skin(slot->tissue, thread, vertices, def->point_count);
    }
    cg_tissue_wake(slot->tissue);
    return status.code == CG_OK ? cg_world_make_anchors_for_parts(world, thread) : status;
}

// Looking

// The anchor of that number, and its thread.
static const cg_thread_anchor *find_anchor(const cg_world *world, int index, cg_thread_slot **slot)
{
    for (*slot = cg_world_first_thread(world); *slot != NULL && index >= 0;
         *slot = cg_world_next_thread(world, *slot)) {
        int count = cg_slide_count((*slot)->thread);
        if (index < count) {
            return &(*slot)->thread->slide->anchors[index];
        }
        index -= count;
    }
    return NULL;
}

int cg_world_anchor_count(const cg_world *world)
{
    int count = 0;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        count += cg_slide_count(s->thread);
    }
    return count;
}

static double pull_of(const cg_thread *thread, int segment)
{
    int k = cg_anchor_at(thread, segment);
    if (cg_portal_is_bite(thread, k)) {
        return fmax(0, cg_portal_pull(thread, k));
    }
    return fmax(0, thread->stretch_rate[segment] * (thread->shape.length[segment] - thread->rest_length[segment]));
}

bool cg_world_get_anchor(const cg_world *world, int index, cg_anchor *anchor)
{
    cg_thread_slot *slot;
    const cg_thread_anchor *a = find_anchor(world, index, &slot);
    if (a == NULL) {
        return false;
    }
    const cg_thread *thread = slot->thread;
    const cg_tissue_slot *tissue = cg_world_tissue_at(world, a->tissue);
    const cg_mesh_point point = cg_anchor_point(a);
    cg_vec3 hole = cg_tissue_point_place(tissue->tissue, &point);
    cg_vec3 before = thread->shape.tangent[a->vertex - 1], behind = thread->shape.tangent[a->vertex];
    *anchor = (cg_anchor){
        .thread = name_thread(world, slot),
        .tissue = name_tissue(world, tissue),
        .triangle = a->triangle,
        .weights = {a->weights[0], a->weights[1], a->weights[2]},
        .position = hole,
        .offset = v3_distance(hole, thread->shape.position[a->vertex]),
        .vertex = a->vertex,
        .arc = thread->arc[a->vertex],
        .tension = {pull_of(thread, a->vertex - 1), pull_of(thread, a->vertex)},
        .wrap = cg_atan2(v3_length(v3_cross(before, behind)), v3_dot(before, behind)),
        .slip = a->slip,
        .force = a->force,
        .straight_on = a->straight[1],
    };
    return true;
}

// Where both ends were drawn in, the first anchor tells: what comes to it against its surface comes from inside.
static bool comes_from_inside(const cg_world *world, const cg_thread *thread)
{
    const cg_thread_anchor *a = &thread->slide->anchors[0];
    const cg_mesh *mesh = cg_world_tissue_at(world, a->tissue)->tissue->mesh;
    const int *nodes = mesh->triangles[a->triangle].nodes;
    cg_vec3 corners[3] = {mesh->position[nodes[0]], mesh->position[nodes[1]], mesh->position[nodes[2]]};
    return v3_dot(thread->shape.tangent[a->vertex - 1], triangle_normal(corners)) > 0;
}

static cg_thread_side side_of(const cg_world *world, const cg_thread *thread, int stretch)
{
    bool is_inside = cg_slide_is_inside(thread, stretch);
    if (!cg_slide_knows_sides(thread)) {
        is_inside = cg_slide_is_inside(thread, 0) == comes_from_inside(world, thread) ? is_inside : !is_inside;
    }
    return is_inside ? CG_SIDE_INSIDE : CG_SIDE_OUTSIDE;
}

cg_thread_side cg_thread_get_segment_side(const cg_world *world, cg_thread_id id, int segment)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL || segment < 0 || segment >= thread->segment_count) {
        return CG_SIDE_OUTSIDE;
    }
    return side_of(world, thread, cg_slide_stretch_of(thread, segment));
}

cg_thread_side cg_thread_get_side(const cg_world *world, cg_thread_id id, int vertex)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    if (thread == NULL || vertex < 0 || vertex >= thread->vertex_count) {
        return CG_SIDE_OUTSIDE;
    }
    return cg_slide_is_at_hole(thread, vertex) ? CG_SIDE_HOLE
                                               : side_of(world, thread, cg_slide_stretch_of(thread, vertex));
}

cg_wound_gap cg_tissue_wound_gap(const cg_world *world, cg_tissue_id id, cg_vec3 point, cg_vec3 along, double depth)
{
    const cg_tissue *tissue = cg_world_find_tissue(world, id);
    return tissue != NULL ? cg_wound_gap_of(tissue->mesh, point, along, depth)
                          : (cg_wound_gap){.least = -1, .top = -1, .step = -1};
}

// What becomes of anchors

// Stays where the thread is, on the triangle that is there now; false when none is near.
static bool find_again(const cg_world *world, const cg_tissue_slot *slot, const cg_thread *thread, cg_thread_anchor *a)
{
    cg_vec3 here = thread->shape.position[a->vertex];
    double away = cg_tissue_nearest(world, name_tissue(world, slot), here, &a->triangle, a->weights);
    return away >= 0 && away <= ON_SURFACE;
}

// An anchor at a node of a skin, its hole, stays there when its triangle goes.
static bool follow_node(const cg_tissue *tissue, const cg_mesh_numbers *numbers, cg_thread_anchor *a)
{
    cg_mesh_point point = cg_anchor_point(a);
    bool is_there = tissue->mesh->cell_count == 0 && cg_tissue_follow_node_point(tissue, numbers, &point);
    if (is_there) {
        cg_anchor_move(a, &point);
    }
    return is_there;
}

void cg_world_follow_anchors(const cg_tissue_slot *edited, const cg_mesh_numbers *numbers)
{
    cg_world *world = edited->world;
    int number = cg_world_tissue_number(world, edited);
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int k = cg_slide_count(s->thread) - 1; k >= 0; k--) {
            cg_thread_anchor *a = &s->thread->slide->anchors[k];
            int now = a->tissue == number && numbers != NULL ? numbers->triangle_now[a->triangle] : -1;
            if (a->tissue != number) {
                continue;
            }
            if (now >= 0) {
                a->triangle = now;
            } else if ((numbers == NULL || !follow_node(edited->tissue, numbers, a)) &&
                       !find_again(world, edited, s->thread, a)) {
                cg_slide_take_out(s->thread, k);
            }
        }
    }
}

bool cg_world_is_stitched(const cg_world *world, const cg_tissue_slot *slot)
{
    for (const cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int k = 0; k < cg_slide_count(s->thread); k++) {
            if (cg_world_tissue_at(world, s->thread->slide->anchors[k].tissue) == slot) {
                return true;
            }
        }
    }
    return false;
}

void cg_world_drop_anchors(cg_world *world, const cg_tissue_slot *slot)
{
    int number = cg_world_tissue_number(world, slot);
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        cg_slide_drop(s->thread, number);
    }
}

bool cg_world_anchors_are_sound(const cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int k = 0; k < cg_slide_count(s->thread); k++) {
            const cg_thread_anchor *a = &s->thread->slide->anchors[k];
            const cg_tissue_slot *slot = cg_world_tissue_at(world, a->tissue);
            if (slot == NULL || slot->skin == NULL || slot->tissue->solver != CG_TISSUE_IMPLICIT ||
                a->triangle >= slot->tissue->mesh->triangle_count) {
                return false;
            }
        }
    }
    return true;
}
