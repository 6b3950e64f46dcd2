#include "suture/passer.h"

#include <assert.h>
#include <string.h>

#include "base/transform.h"
#include "base/vec3.h"
#include "suture/handover.h"
#include "suture/pierce.h"

// What it looks like [m].
typedef struct passer_shape {
    double length, thickness, point; // of the shaft
    double bend;                     // [rad] the least that a needle is bent by
    int pieces;
    cg_vec3 eye; // in the frame of the hand: behind the tip, and beside the axis
} passer_shape;

static const passer_shape SHAPE = {
    .length = 60e-3, .thickness = 1.2e-3, .point = 5e-3, .bend = 0.1, .pieces = 24, .eye = {0.75e-3, 0, 2.5e-3}};

cg_needle cg_passer_needle(void)
{
    cg_needle needle = cg_needle_default();
    needle.arc = SHAPE.bend;
    needle.radius = SHAPE.length / SHAPE.bend;
    needle.diameter = SHAPE.thickness;
    needle.point_length = SHAPE.point;
    needle.pieces = SHAPE.pieces;
    return needle;
}

cg_transform cg_passer_pose(const cg_needle *needle)
{
    return (cg_transform){v3(-needle->radius, 0, 0), quat_identity()};
}

cg_vec3 cg_passer_eye(void)
{
    return SHAPE.eye;
}

bool cg_passer_is_eye(const cg_rigid *needle, cg_vec3 place)
{
    if (!needle->is_needle) {
        return false;
    }
    cg_needle_place_now now = cg_channel_needle(needle);
    return cg_channel_angle(&now, place) < 0.5 * needle->needle.arc;
}

static cg_vec3 place_of(const cg_touch_set *set, const cg_channel_point *point)
{
    const cg_mesh *mesh = set->cast.skins[point->skin]->tissue->mesh;
    return cg_channel_place(mesh, mesh->position, point);
}

cg_eye_event cg_passer_follow(const cg_touch_set *set, const cg_channel *channel, cg_vec3 place, double margin,
                              int *behind, cg_channel_point *hole)
{
    assert(*behind >= 0 && margin >= 0);
    const cg_rigid *body = set->cast.rigids[channel->rigid];
    cg_needle_place_now needle = cg_channel_needle(body);
    double eye = cg_channel_angle(&needle, place), spare = margin / body->needle.radius;
    int number = 0;
    for (int i = 0; i < channel->count; i++) { // from the end to the tip
        const cg_channel_point *point = &channel->points[i];
        if (point->triangle < 0) {
            continue;
        }
        double angle = cg_channel_angle(&needle, place_of(set, point));
        number++;
        if (number <= *behind && angle < eye - spare) {
            *behind = number - 1;
            *hole = *point;
            return CG_EYE_WENT_BACK;
        }
        if (number == *behind + 1 && angle > eye + spare) {
            *behind = number;
            *hole = *point;
            return CG_EYE_WENT_ON;
        }
    }
    *behind = *behind > number ? number : *behind;
    return CG_EYE_STAYED;
}

void cg_passer_make_room(const cg_touch_set *set, const cg_rigid *needle, cg_vec3 eye, double radius,
                         cg_channel_point *hole)
{
    const cg_mesh *mesh = set->cast.skins[hole->skin]->tissue->mesh;
    cg_needle_place_now now = cg_channel_needle(needle);
    cg_vec3 axis = transform_point(now.pose, cg_needle_place(now.needle, cg_channel_angle(&now, eye)));
    cg_vec3 away = v3_unit_or(v3_sub(eye, axis), v3_any_normal(now.ahead)), place = place_of(set, hole);
    double apart = cg_handover_room(0.5 * needle->needle.diameter, radius);
    cg_pierce_nearest beside = cg_pierce_find_nearest(mesh, v3_add_scaled(place, apart, away));
    if (beside.triangle >= 0) {
        hole->triangle = beside.triangle;
        memcpy(hole->weights, beside.weights, sizeof beside.weights);
    }
}

bool cg_passer_is_beside(const cg_touch_set *set, const cg_rigid *needle, const cg_channel_point *hole,
                         const cg_channel_point *of_thread, double radius)
{
    double room = cg_handover_room(0.5 * needle->needle.diameter, radius);
    return hole->skin == of_thread->skin && v3_distance(place_of(set, hole), place_of(set, of_thread)) < 2 * room;
}
