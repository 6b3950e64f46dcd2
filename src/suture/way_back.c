#include "suture/way_back.h"

#include <math.h>
#include <string.h>

#include "base/transform.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "suture/hollow.h"
#include "suture/pierce.h"

// [distances between points of a channel] From the end to the first point. On a way in there are one and a half at
// most.
static const double FAR = 2;
// [diameters of the needle] A point is no farther beside the needle: from there a hole is taken back too.
static const double ASIDE = 1;
// [diameters of the needle] It is that far before the end, and gets none where the hole is no farther behind it.
static const double BEFORE_END = 0.5;
// [diameters of the needle] Steps along a needle to where it goes through the surface.
static const double STEP = 0.25;

static const cg_mesh *mesh_of(const cg_touch_set *set, const cg_channel_point *point)
{
    return set->cast.skins[point->skin]->tissue->mesh;
}

static cg_vec3 place_at(const cg_needle_place_now *needle, double angle)
{
    return transform_point(needle->pose, cg_needle_place(needle->needle, angle));
}

static double angle_of(const cg_touch_set *set, const cg_needle_place_now *needle, const cg_channel_point *point)
{
    const cg_mesh *mesh = mesh_of(set, point);
    return cg_channel_angle(needle, cg_channel_place(mesh, mesh->position, point));
}

// [m] From a place at the end of the needle to the point that leads its arc, were it longer, through the hole; by the
// share that is left of the way to the next point. *left [rad] is how far on the hole is.
static cg_vec3 aside_of(const cg_needle_place_now *needle, cg_vec3 hole, double *left)
{
    double arc = needle->needle->arc;
    cg_vec3 local = transform_point_back(needle->pose, hole);
    double on = cg_atan2(local.z, local.x) - arc;
    on += on < -CG_PI ? 2 * CG_PI : 0;
    *left = on > 0 ? on : 0;
    cg_vec3 missed = v3_sub(hole, place_at(needle, arc + *left));
    double share = fmin(1, FAR * arc / CG_CHANNEL_SPACINGS / fmax(*left, 1e-3));
    cg_vec3 along = transform_vector(needle->pose, cg_needle_tangent(needle->needle, arc));
    missed = v3_scale(share, v3_add_scaled(missed, -v3_dot(missed, along), along));
    double length = v3_length(missed), most = ASIDE * needle->needle->diameter;
    return v3_scale(length > most ? most / length : 1, missed);
}

bool cg_way_back_lead(const cg_touch_set *set, cg_channel *channel, const cg_channel_point *hole)
{
    const cg_mesh *mesh = mesh_of(set, hole);
    if (cg_is_hollow(mesh) || !cg_channel_is_inside(channel, -1)) {
        return false;
    }
    cg_needle_place_now needle = cg_channel_needle(set->cast.rigids[channel->rigid]);
    double arc = needle.needle->arc, left;
    double first = channel->count > 0 ? angle_of(set, &needle, &channel->points[0]) : 0;
    if (arc - first < FAR * arc / CG_CHANNEL_SPACINGS) {
        return false;
    }
    cg_channel_point point = {.skin = hole->skin, .triangle = -1};
    cg_vec3 end = place_at(&needle, arc - BEFORE_END * needle.needle->diameter / needle.needle->radius);
    cg_vec3 aside = aside_of(&needle, cg_channel_place(mesh, mesh->position, hole), &left);
    int start = mesh->triangles[hole->triangle].cell;
    return needle.needle->radius * left > BEFORE_END * needle.needle->diameter &&
           (cg_pierce_find_cell(mesh, start, v3_add(end, aside), &point.cell, point.weights) ||
            cg_pierce_find_cell(mesh, start, end, &point.cell, point.weights)) &&
           cg_pierce_return(channel, point);
}

static bool is_in(const cg_mesh *mesh, const cg_channel_point *hole, cg_vec3 place)
{
    int cell;
    double weights[4];
    return cg_is_hollow(mesh) ? cg_hollow_contains(mesh, place)
                              : cg_pierce_find_cell(mesh, mesh->triangles[hole->triangle].cell, place, &cell, weights);
}

// The place where the needle, which is out of the surface at its end, is in again before its first point; below 0:
// none.
static double angle_inside(const cg_touch_set *set, const cg_needle_place_now *needle, const cg_channel *channel,
                           const cg_channel_point *hole)
{
    double step = STEP * needle->needle->diameter / needle->needle->radius;
    double first = channel->count > 0 ? angle_of(set, needle, &channel->points[0]) : 0;
    double angle = needle->needle->arc - step;
    while (angle > first && !is_in(mesh_of(set, hole), hole, place_at(needle, angle))) {
        angle -= step;
    }
    return angle > first ? angle : -1;
}

bool cg_way_back_is_out(const cg_touch_set *set, const cg_channel *channel, double clear, cg_channel_point *hole)
{
    const cg_mesh *mesh = mesh_of(set, hole);
    if (!hole->inward || !cg_channel_is_inside(channel, -1)) {
        return false;
    }
    cg_needle_place_now needle = cg_channel_needle(set->cast.rigids[channel->rigid]);
    cg_vec3 end = place_at(&needle, needle.needle->arc);
    if (v3_distance(end, cg_channel_place(mesh, mesh->position, hole)) <= clear || is_in(mesh, hole, end)) {
        return false;
    }
    cg_pierce_nearest nearest = cg_pierce_find_nearest(mesh, end);
    double angle = nearest.triangle >= 0 && nearest.is_outside && nearest.distance > clear
                       ? angle_inside(set, &needle, channel, hole)
                       : -1;
    if (angle < 0) {
        return false;
    }
    nearest = cg_pierce_find_nearest(mesh, place_at(&needle, angle));
    hole->triangle = nearest.triangle;
    memcpy(hole->weights, nearest.weights, sizeof nearest.weights);
    return true;
}
