#include "find/rods.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "find/channel.h"
#include "find/skin_parts.h"
#include "geometry/triangle.h"

static const cg_touch_rod *rod_of(const cg_touch_set *set, int chain)
{
    return &set->cast.rods[chain - set->cast.thread_count];
}

// Listing

// [m] What hands lead goes where its velocity says, thick as it may be.
static const double LED_RADIUS = 0.2e-3;

double cg_touch_rod_lead(const cg_touch_set *set, int rod, double time_step, double haste, double spare)
{
    assert(rod >= 0 && rod < set->cast.rod_count);
    const cg_rigid *body = set->cast.rigids[set->cast.rods[rod].body];
    double speed = v3_length(body->velocity) + body->reach * v3_length(cg_rigid_spin(body));
    double radius = set->cast.rods[rod].chain.radius, counted = body->drive != NULL ? fmin(radius, LED_RADIUS) : radius;
    return haste * time_step * speed + spare * counted;
}

double cg_touch_rod_way(const cg_touch_set *set, int rod)
{
    assert(rod >= 0 && rod < set->cast.rod_count);
    return cg_rod_way(&set->cast.moving[set->cast.rods[rod].first_moving],
                      set->cast.rigids[set->cast.rods[rod].body]->reach);
}

double cg_touch_rods_way(const cg_touch_set *set, const cg_skin *skin)
{
    double farthest = 0;
    for (int r = 0; r < set->cast.rod_count; r++) {
        double way = cg_touch_rod_way(set, r);
        bool counts = way > farthest && !cg_skin_is_clear(skin, &set->cast.chains[set->cast.thread_count + r], way);
        farthest = counts ? way : farthest;
    }
    return farthest;
}

double cg_touch_rods_longest(const cg_touch_set *set)
{
    double longest = 0;
    for (int k = set->cast.first_free; k < set->cast.rigid_count && set->cast.rod_count > 0; k++) {
        const cg_rigid *body = set->cast.rigids[k];
        double turned = v3_length(body->turned) + v3_length(body->way);
        longest = fmax(longest, v3_distance(body->target.position, body->start.position) + turned * body->reach);
    }
    return longest;
}

// Finding

static cg_rod_site site_of(int feature)
{
    if (!skin_is_face(feature)) {
        return CG_ROD_SEGMENT;
    }
    return feature % 8 == CG_SKIN_LAST_FACE ? CG_ROD_END : CG_ROD_START;
}

cg_segment_pair cg_touch_rod_pair(const cg_touch_set *set, int chain, int segment, int tissue_chain, int feature)
{
    assert(chain >= set->cast.thread_count && chain < cg_touch_chain_count(set));
    const cg_touch_rod *rod = rod_of(set, chain);
    int here = cg_part_feature(rod_part(&rod->chain, segment), rod_place(&rod->chain, segment, site_of(feature)));
    return (cg_segment_pair){cg_chain_of(CG_BODY_RIGID, rod->body), here, tissue_chain, feature};
}

// A corner that several rods share is the first one's.
static bool is_others(const cg_rod_chain *rod, const cg_skin_contact *contact)
{
    cg_rod_site site = site_of(contact->feature);
    bool is_first = site == CG_ROD_START && contact->segment == 0;
    return (is_first && !rod->owns_ends[0]) || (site == CG_ROD_END && !rod->owns_ends[1]);
}

// A triangle under a round tip turns with the place that it is pushed at, and that place goes with the turn, a step
// late: under a tip that presses hard both swing without end. Half way back along the last turn is where they come to
// rest. Only what hands lead presses so hard.
static void go_half_way(const cg_touch_set *set, const cg_touch_rod *rod, const cg_skin *skin, cg_touch *touch,
                        cg_vec3 normal)
{
    const cg_touch *before = cg_touch_before(set, &touch->pair);
    if (set->cast.rigids[rod->body]->drive == NULL || !skin_is_face(touch->pair.segment_b) || before == NULL ||
        !(v3_dot(before->force, before->axes[0]) > 0)) {
        return;
    }
    const int *nodes = skin->surface->tree.corners[skin_triangle(touch->pair.segment_b)];
    const cg_vec3 corners[3] = {skin->now[nodes[0]], skin->now[nodes[1]], skin->now[nodes[2]]};
    cg_vec3 back = v3_scale(0.5 * rod->chain.radius, v3_sub(normal, before->axes[0]));
    cg_triangle_closest closest = cg_closest_point_triangle(v3_add(touch->point[1], back), corners);
    for (int k = 0; k < 3; k++) {
        touch->weights[1][k] = closest.weights[k];
    }
}

void cg_touch_add_rod(cg_touch_set *set, int skin, const cg_skin_contact *contact)
{
    assert(skin >= 0 && skin < set->cast.skin_count);
    const cg_touch_rod *rod = rod_of(set, contact->chain);
    bool is_mouth = rod->in_channel && set->cast.skins[skin]->mouth[skin_triangle(contact->feature)];
    if (is_mouth || is_others(&rod->chain, contact)) {
        return;
    }
    double friction = cg_channel_friction(set, rod, skin, contact->point);
    cg_touch touch = {.kind = CG_SKIN_ROW,
                      .pair = cg_touch_rod_pair(set, contact->chain, contact->segment,
                                                cg_chain_of(CG_BODY_TISSUE, skin), contact->feature),
                      .weights = {{0}, {contact->weights[0], contact->weights[1], contact->weights[2]}},
                      .point = {v3_add_scaled(contact->point, -rod->chain.radius, contact->normal), contact->surface},
                      .radius = rod->chain.radius,
                      .gap = contact->gap,
                      .friction = friction};
    go_half_way(set, rod, set->cast.skins[skin], &touch, contact->normal);
    cg_touch_add(set, &touch, contact->normal);
}

// Moving

static cg_rod_piece piece_at(const cg_touch_set *set, const cg_skin_pair *pair)
{
    const cg_touch_rod *rod = rod_of(set, pair->chain);
    const cg_vec3 *points = set->cast.rod_points + rod->first_point + pair->segment;
    return (cg_rod_piece){&set->cast.moving[rod->first_moving], {points[0], points[1]}, rod->chain.radius};
}

static cg_rod_triangle triangle_at(const cg_skin *skin, int number)
{
    const int *nodes = skin->tissue->mesh->triangles[number].nodes;
    cg_rod_triangle triangle;
    for (int k = 0; k < 3; k++) {
        triangle.corners[k] = skin->now[nodes[k]];
        triangle.moves[k] = skin->moves[nodes[k]];
    }
    return triangle;
}

static double longest_of(const cg_rod_triangle *triangle)
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, v3_length(triangle->moves[k]));
    }
    return most;
}

double cg_touch_rods_share(cg_touch_set *set, cg_skin *skin, double limit)
{
    assert(!(limit > 1));
    int looks = 0;
    if (set->cast.rod_count == 0 || !(limit > 0)) {
        return limit;
    }
    double moved = cg_skin_cover_share(skin, set->cast.chains, cg_touch_chain_count(set),
                                       limit * cg_touch_rods_way(set, skin), limit);
    if (!(moved >= 0)) {
        return 0;
    }
    double nodes = cg_skin_nodes_go(skin), rod_way = 0;
    for (int i = 0, chain = -1; i < skin->pairs.count && limit > 0; i++) {
        const cg_skin_pair *pair = &skin->pairs.items[i];
        if (pair->chain < set->cast.thread_count) {
            continue;
        }
        if (pair->chain != chain) {
            const cg_touch_rod *rod = rod_of(set, pair->chain);
            chain = pair->chain;
            rod_way = cg_rod_way(&set->cast.moving[rod->first_moving], set->cast.rigids[rod->body]->reach);
        }
        if ((1 + 1e-9) * limit * (rod_way + nodes) <= pair->distance - moved - rod_of(set, chain)->chain.radius) {
            continue; // far, however its own nodes go
        }
        if (is_hidden(&set->cast.chains[pair->chain], pair->segment) ||
            (rod_of(set, pair->chain)->in_channel && skin->mouth[pair->triangle])) {
            continue;
        }
        cg_rod_piece piece = piece_at(set, pair);
        cg_rod_triangle triangle = triangle_at(skin, pair->triangle);
        double way = limit * (rod_way + longest_of(&triangle));
        if (way > pair->distance - moved - piece.radius && !cg_rod_stays_off(&piece, &triangle, &skin->rule, way)) {
            limit = cg_rod_walk(&piece, &triangle, &skin->rule, limit, &looks);
        }
    }
    set->stats.work += CG_TOUCH_WORK_OF_LOOK * (int64_t)looks;
    return limit;
}
