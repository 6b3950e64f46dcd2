// What needles and threads do to the mesh of a skin: it is split where they go through, and heals behind them.
//
// A hole heals when nothing goes through it any more, the surface around it lies as the one that there will be, and
// nothing is so near that this could touch it. Until then it waits.
#include <math.h>

#include "base/transform.h"
#include "base/vec3.h"
#include "geometry/triangle.h"
#include "suture/anchor_point.h"
#include "suture/hollow.h"
#include "world/world.h"

// [of an edge] How far the surface may be from the one that there will be.
static const double FLAT = 0.05;

void cg_world_split_hole(cg_world *world, cg_channel *channel)
{
    int last = channel->count - 1;
    cg_channel_point *hole = last >= 0 ? &channel->points[last] : NULL;
    if (hole == NULL || hole->triangle < 0) {
        return;
    }
    cg_tissue *tissue = world->touches.cast.skins[hole->skin]->tissue;
    cg_mesh_point point = {hole->triangle, {hole->weights[0], hole->weights[1], hole->weights[2]}};
    if (tissue->model != CG_TISSUE_SKIN || !cg_is_hollow(tissue->mesh) || cg_hollow_node(tissue, hole) >= 0 ||
        !cg_tissue_pierce_skin(tissue, &point, true)) {
        return;
    }
    cg_hollow_set(hole, &point);
    if (channel->is_inside) {
        cg_hollow_set(&channel->tip, &point);
    }
}

// --- what goes through a hole ---

// What a hole is made of: one node, or the triangles that it was split into.
typedef struct hole_place {
    const cg_tissue *tissue;
    int number; // of the tissue
    const cg_mesh_patch *patch;
    int triangles[CG_PATCH_TRIANGLES];
    int triangle_count;
} hole_place;

static hole_place place_of(const cg_tissue *tissue, int number, int hole)
{
    const cg_skin_hole *at = &tissue->holes[hole];
    hole_place place = {.tissue = tissue, .number = number, .patch = &at->patch};
    if (at->is_split) {
        cg_mesh_patch_triangles(tissue->mesh, &at->patch, place.triangles);
        place.triangle_count = CG_PATCH_TRIANGLES;
    }
    return place;
}

// A point that is somewhere in what was split, if it is no node elsewhere.
static bool is_in(const hole_place *place, const cg_mesh_point *point)
{
    int node = cg_tissue_node_of_point(place->tissue, point);
    for (int i = CG_PATCH_HOLE; i < CG_PATCH_NODES && node >= 0; i++) {
        if (place->patch->nodes[i] == node) {
            return true;
        }
    }
    for (int i = 0; i < place->triangle_count && node < 0; i++) {
        if (place->triangles[i] == point->triangle) {
            return true;
        }
    }
    return false;
}

static bool is_channel_in(const hole_place *place, const cg_channel *channel)
{
    for (int i = 0; i <= channel->count && channel->is_used; i++) {
        const cg_channel_point *p = i < channel->count ? &channel->points[i] : &channel->tip;
        const cg_mesh_point point = {p->triangle, {p->weights[0], p->weights[1], p->weights[2]}};
        if ((i < channel->count || channel->is_inside) && p->skin == place->number && p->triangle >= 0 &&
            is_in(place, &point)) {
            return true;
        }
    }
    return false;
}

static bool is_used(const cg_world *world, const hole_place *place)
{
    for (int c = 0; c < CG_MOST_CHANNELS; c++) {
        if (is_channel_in(place, &world->channels[c])) {
            return true;
        }
    }
    for (const cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int k = 0; k < cg_slide_count(s->thread); k++) {
            const cg_thread_anchor *a = &s->thread->slide->anchors[k];
            const cg_mesh_point point = cg_anchor_point(a);
            if (a->tissue == place->number && is_in(place, &point)) {
                return true;
            }
        }
    }
    return false;
}

// --- what is near ---

// A ball around the patch, and the corners of a triangle of it.
static double ball_around(const hole_place *place, cg_vec3 *middle)
{
    const cg_mesh *mesh = place->tissue->mesh;
    double radius = 0;
    *middle = mesh->position[place->patch->nodes[CG_PATCH_HOLE]];
    for (int i = 0; i < CG_PATCH_NODES; i++) {
        int node = place->patch->nodes[i];
        radius = node >= 0 ? fmax(radius, v3_distance(*middle, mesh->position[node])) : radius;
    }
    return radius;
}

static void corners_of(const hole_place *place, int i, cg_vec3 corners[3])
{
    const cg_mesh *mesh = place->tissue->mesh;
    for (int k = 0; k < 3; k++) {
        corners[k] = mesh->position[mesh->triangles[place->triangles[i]].nodes[k]];
    }
}

static bool is_segment_near(const hole_place *place, cg_vec3 a, cg_vec3 b, double reach)
{
    for (int i = 0; i < place->triangle_count; i++) {
        cg_vec3 corners[3];
        if (place->triangles[i] >= 0) {
            corners_of(place, i, corners);
            if (cg_closest_segment_triangle(a, b, corners).squared_distance < reach * reach) {
                return true;
            }
        }
    }
    return false;
}

static bool is_thread_near(const hole_place *place, const cg_thread *thread, double reach)
{
    cg_vec3 middle;
    double ball = ball_around(place, &middle) + reach + thread->radius;
    for (int s = 0; s < thread->segment_count; s++) {
        cg_vec3 a = thread->shape.position[s], b = thread->shape.position[s + 1];
        if (v3_distance(middle, a) < ball + v3_distance(a, b) && is_segment_near(place, a, b, reach + thread->radius)) {
            return true;
        }
    }
    return false;
}

static bool is_body_near(const hole_place *place, const cg_rigid *body, double reach)
{
    for (int p = 0; p < body->part_count; p++) {
        cg_transform pose = transform_compose(body->now, body->parts[p].pose);
        for (int i = 0; i < place->triangle_count; i++) {
            cg_vec3 corners[3];
            if (place->triangles[i] >= 0) {
                corners_of(place, i, corners);
                if (cg_shape_distance_triangle(&body->parts[p].shape, &pose, corners).nearest.distance < reach) {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool is_anything_near(const cg_world *world, const hole_place *place, double reach)
{
    for (const cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (is_thread_near(place, s->thread, reach)) {
            return true;
        }
    }
    for (const cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        if (is_body_near(place, r, reach)) {
            return true;
        }
    }
    return false;
}

// --- healing ---

static bool may_heal(const cg_world *world, const cg_tissue *tissue, int number, int hole)
{
    double reach = FLAT * tissue->grain;
    if (!cg_tissue_can_heal(tissue, hole)) {
        return false;
    }
    const hole_place place = place_of(tissue, number, hole);
    return !is_used(world, &place) && cg_tissue_hole_bulge(tissue, hole) <= reach &&
           !is_anything_near(world, &place, 2 * reach);
}

void cg_world_heal_skins(cg_world *world)
{
    int number = 0;
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s), number++) {
        for (int hole = s->tissue->hole_count - 1; hole >= 0; hole--) {
            if (may_heal(world, s->tissue, number, hole)) {
                cg_tissue_heal(s->tissue, hole);
            }
        }
    }
}
