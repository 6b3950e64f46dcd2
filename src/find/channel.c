// Where needles go through tissue. See channel.h.
#include "find/channel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"

// Points with edges need so much of the force that a taper point needs.
static const double CUTTING_EASE = 0.6;

cg_needle_place_now cg_channel_needle(const cg_rigid *body)
{
    assert(body->is_needle && body->part_count > 0);
    const cg_rigid_part *first = &body->parts[0];
    cg_vec3 start = transform_point(first->pose, v3(0, 0, -first->shape.half_length));
    cg_transform pose = cg_rigid_made_pose(body, body->now);
    return (cg_needle_place_now){.needle = &body->needle,
                                 .pose = pose,
                                 .tip = transform_point(body->now, start),
                                 .ahead = v3_neg(transform_vector(pose, cg_needle_tangent(&body->needle, 0))),
                                 .thin = first->shape.radius};
}

double cg_channel_angle(const cg_needle_place_now *needle, cg_vec3 point)
{
    return cg_needle_angle(needle->needle, transform_point_back(needle->pose, point));
}

int cg_channel_corners(const cg_mesh *mesh, const cg_channel_point *point, int nodes[4])
{
    assert(point->triangle >= 0 || point->cell >= 0); // of a point of a skin the cell means nothing
    int count = point->triangle >= 0 ? 3 : 4;
    const int *corners = count == 3 ? mesh->triangles[point->triangle].nodes : mesh->cells[point->cell].nodes;
    memcpy(nodes, corners, sizeof *nodes * (size_t)count);
    return count;
}

cg_vec3 cg_channel_place(const cg_mesh *mesh, const cg_vec3 *positions, const cg_channel_point *point)
{
    int nodes[4], count = cg_channel_corners(mesh, point, nodes);
    cg_vec3 place = v3_zero();
    for (int k = 0; k < count; k++) {
        place = v3_add_scaled(place, point->weights[k], positions[nodes[k]]);
    }
    return place;
}

double cg_channel_ease(cg_needle_point point)
{
    return point == CG_POINT_TAPER ? 1 : CUTTING_EASE;
}

bool cg_channel_is_inside(const cg_channel *channel, int point)
{
    assert(point < channel->count || channel->count == 0);
    if (channel->count == 0) {
        return channel->is_inside;
    }
    const cg_channel_point *at = &channel->points[point < 0 ? 0 : point];
    return at->triangle < 0 || at->inward == (point >= 0);
}

int cg_channel_deep_number(const cg_touch_set *set, const cg_channel *channel, const cg_channel_point *point)
{
    assert(channel >= set->cast.channels && channel < set->cast.channels + CG_MOST_CHANNELS);
    return (int)(channel - set->cast.channels) * CG_CHANNEL_NAMES + point->name;
}

// Tissue slides along the needle at a hole, far when it springs back: what is around it is no obstacle.
static void note_ring(cg_skin *skin, int triangle)
{
    const cg_mesh *mesh = skin->tissue->mesh;
    for (int k = 0; k < 3; k++) {
        int node = mesh->triangles[triangle].nodes[k];
        for (int at = mesh->first_triangle[node]; at >= 0; at = mesh->next_triangle[at]) {
            skin->mouth[at / 3] = true;
        }
    }
}

// A skin is split at the hole: all of what its triangle was counts.
static void note_mouth(cg_skin *skin, const cg_channel_point *hole)
{
    const cg_mesh *mesh = skin->tissue->mesh;
    note_ring(skin, hole->triangle);
    for (int k = 0; k < 3 && mesh->cell_count == 0; k++) {
        int node = cg_tissue_is_node_weight(hole->weights[k]) ? mesh->triangles[hole->triangle].nodes[k] : -1;
        for (int at = node >= 0 ? mesh->first_triangle[node] : -1; at >= 0; at = mesh->next_triangle[at]) {
            note_ring(skin, at / 3);
        }
    }
}

static void note_point(cg_touch_set *set, const cg_channel *channel, const cg_channel_point *point)
{
    cg_skin *skin = set->cast.skins[point->skin];
    cg_skin_deep *deep = &skin->deep[cg_channel_deep_number(set, channel, point)];
    deep->count = cg_channel_corners(skin->tissue->mesh, point, deep->nodes);
    memcpy(deep->weights, point->weights, sizeof deep->weights);
    skin->deep_count++;
    if (point->triangle >= 0) {
        note_mouth(skin, point);
    }
}

void cg_touch_note_channels(cg_touch_set *set)
{
    for (int k = 0; k < set->cast.skin_count; k++) {
        cg_skin *skin = set->cast.skins[k];
        for (int i = 0; i < CG_SKIN_MOST_DEEP && skin->deep_count > 0; i++) {
            skin->deep[i].count = 0;
        }
        if (skin->deep_count > 0) {
            memset(skin->mouth, 0, sizeof *skin->mouth * (size_t)skin->tissue->mesh->limits.triangles);
        }
        skin->deep_count = 0;
    }
    for (int c = 0; c < CG_MOST_CHANNELS && set->cast.channels != NULL; c++) {
        const cg_channel *channel = &set->cast.channels[c];
        for (int i = 0; i < channel->count && channel->is_used; i++) {
            note_point(set, channel, &channel->points[i]);
        }
        if (channel->is_used && channel->is_inside) {
            note_point(set, channel, &channel->tip);
        }
    }
}

// A sharp point that presses on something that it can pierce bites, and does not slide off.
static const double BITE = 2;
// [radii of the tip] Whatever is no farther from its middle is the point.
static const double AT_TIP = 2;

double cg_channel_friction(const cg_touch_set *set, const cg_touch_rod *rod, int skin, cg_vec3 point)
{
    assert(skin >= 0 && skin < set->cast.skin_count);
    const cg_rigid *body = set->cast.rigids[rod->body];
    double friction = sqrt(body->friction * set->cast.skins[skin]->surface->friction);
    if (body->is_needle && set->cast.skins[skin]->law.force > 0 && rod->chain.part == 0) {
        cg_needle_place_now needle = cg_channel_needle(body);
        bool is_tip = v3_distance(point, needle.tip) < AT_TIP * needle.thin;
        friction = is_tip ? fmax(friction, BITE) : friction;
    }
    return friction;
}
