// Rows of needles in tissue. See find/channel.h.
#include "find/channel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/transform.h"
#include "base/vec3.h"
#include "find/rods.h"
#include "geometry/closest.h"
#include "geometry/triangle.h"

// Before a step

void cg_touch_drop_gone_rows(cg_touch_set *set)
{
    int kept = 0;
    cg_touch_note_channels(set);
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        bool is_row = (touch_is_guide(touch) || touch_is_drag(touch)) && touch_skin(touch) >= 0 &&
                      skin_is_deep(touch->pair.segment_b);
        int number = is_row ? touch->pair.segment_b - CG_SKIN_DEEP : -1;
        if (!is_row || set->cast.skins[touch_skin(touch)]->deep[number].count > 0) {
            set->rows.touches[kept++] = *touch;
        }
    }
    set->rows.count = kept;
}

// Axis 1 of a drag leads along the needle, away from the tip.
static cg_vec3 along_at(const cg_rigid *body, const cg_skin *skin, const cg_touch *touch)
{
    cg_needle_place_now needle = cg_channel_needle(body);
    const cg_skin_deep *deep = &skin->deep[touch->pair.segment_b - CG_SKIN_DEEP];
    cg_vec3 place = v3_zero();
    for (int k = 0; k < deep->count; k++) {
        place = v3_add_scaled(place, deep->weights[k], skin->tissue->mesh->position[deep->nodes[k]]);
    }
    bool is_tip = touch->pair.segment_a == CG_TIP_FEATURE - CG_RIGID_MOST_PARTS;
    double angle = is_tip ? 0 : cg_channel_angle(&needle, place);
    return transform_vector(needle.pose, cg_needle_tangent(needle.needle, angle));
}

void cg_touch_find_row_axes(cg_touch_set *set)
{
    for (int i = 0; i < set->rows.count; i++) {
        cg_touch *touch = &set->rows.touches[i];
        const cg_rigid *body = touch_is_drag(touch) ? set->cast.rigids[touch_body(touch, 0, CG_BODY_RIGID)] : NULL;
        if (body != NULL && body->is_needle && touch_skin(touch) >= 0 && skin_is_deep(touch->pair.segment_b)) {
            cg_vec3 normal = touch->axes[0], along = along_at(body, set->cast.skins[touch_skin(touch)], touch);
            along = v3_add_scaled(along, -v3_dot(along, normal), normal);
            touch->axes[1] = v3_unit_or(along, v3_any_normal(normal));
            touch->axes[2] = v3_cross(normal, touch->axes[1]);
        }
    }
}

// What the needle hides

// Finding

// A needle while its rows are found.
typedef struct found {
    cg_touch_set *set;
    const cg_channel *channel;
    cg_needle_place_now needle;
} found;

static bool add_row(const found *f, const cg_channel_point *point, int feature, cg_touch *row)
{
    const cg_rigid *body = f->set->cast.rigids[f->channel->rigid];
    row->pair = (cg_segment_pair){cg_chain_of(CG_BODY_RIGID, f->channel->rigid),
                                  feature + CG_RIGID_MOST_PARTS * point->name, cg_chain_of(CG_BODY_TISSUE, point->skin),
                                  CG_SKIN_DEEP + cg_channel_deep_number(f->set, f->channel, point)};
    row->kind = feature == CG_GUIDE_FEATURE ? CG_GUIDE_ROW : CG_DRAG_ROW;
    row->radius = 0.5 * body->needle.diameter;
    row->working = true;
    bool is_added = cg_touch_add_row(f->set, row);
    f->set->rows.channel_rows += is_added;
    return is_added;
}

// Resists along axis 1.
static void add_drag(const found *f, const cg_channel_point *point, const cg_vec3 sites[2], cg_vec3 along, double cap,
                     double bias)
{
    cg_vec3 across = v3_any_normal(along);
    cg_touch row = {.point = {sites[0], sites[1]},
                    .axes = {across, along, v3_cross(across, along)},
                    .friction = 1,
                    .cap = cap,
                    .bias = bias};
    add_row(f, point, CG_DRAG_FEATURE, &row);
}

// [of what the nodes at a point give] Tissue around a needle gives way by itself, on a smaller scale than its nodes
// know. Without it two points that share their nodes fight each other over micrometres. Where nodes are fixed it gives
// way by a tenth of what it would if they were not: by nothing, three holes there have no solution.
static const double OWN_SHARE = 0.2, AT_FIXED = 0.1;

static double own_give(const cg_skin *skin, const cg_channel_point *point)
{
    int nodes[4], count = cg_channel_corners(skin->tissue->mesh, point, nodes);
    double sum = 0;
    for (int k = 0; k < count; k++) {
        cg_mat3 give = cg_tissue_loose_compliance(skin->tissue, nodes[k], skin->tissue->time_step);
        double share = skin->tissue->mesh->fixed[nodes[k]] ? AT_FIXED : 1;
        sum += share * point->weights[k] * point->weights[k] * (give.m[0][0] + give.m[1][1] + give.m[2][2]) / 3;
    }
    return OWN_SHARE * sum;
}

// Holds along axes 1 and 2.
static void add_guide(const found *f, const cg_channel_point *point, const cg_vec3 sites[2], cg_vec3 along)
{
    cg_vec3 across = v3_any_normal(along);
    cg_touch row = {.point = {sites[0], sites[1]},
                    .axes = {along, across, v3_cross(along, across)},
                    .own_give = own_give(f->set->cast.skins[point->skin], point)};
    f->set->rows.guides += add_row(f, point, CG_GUIDE_FEATURE, &row);
}

static bool has_room(const cg_touch_set *set)
{
    return set->rows.guides < set->room.guides &&
           set->cast.joint_count + set->rows.channel_rows + 2 <= set->room.touches;
}

static void add_point(const found *f, const cg_channel_point *point, double inside)
{
    cg_skin *skin = f->set->cast.skins[point->skin];
    cg_vec3 place = cg_channel_place(skin->tissue->mesh, skin->now, point);
    double angle = cg_channel_angle(&f->needle, place);
    cg_vec3 here = transform_point(f->needle.pose, cg_needle_place(f->needle.needle, angle));
    cg_vec3 along = transform_vector(f->needle.pose, cg_needle_tangent(f->needle.needle, angle));
    if (!has_room(f->set)) {
        f->set->stats.lost++;
        return;
    }
    const cg_vec3 sites[2] = {here, place};
    add_guide(f, point, sites, along);
    add_drag(f, point, sites, along, skin->law.drag * inside, 0);
}

// [m] How much of the needle is inside on each side of a point, up to the middle between it and the next.
static double inside_at(const found *f, const double *angles, int i)
{
    const cg_channel *channel = f->channel;
    int last = channel->count - 1;
    double radius = f->needle.needle->radius, sum = 0;
    if (cg_channel_is_inside(channel, i == 0 ? -1 : i - 1)) {
        sum += i == 0 ? f->needle.needle->arc - angles[0] : 0.5 * (angles[i - 1] - angles[i]);
    }
    if (cg_channel_is_inside(channel, i)) {
        sum += i == last ? angles[i] : 0.5 * (angles[i] - angles[i + 1]);
    }
    return sum > 0 ? radius * sum : 0;
}

// [cosine] A surface that faces the tip less than this is none that it comes out of.
static const double LEAST_FACING = 0.3;

// The surface ahead of a tip that is inside, from within. Returns the gap, or `reach` when it is farther.
static double add_ahead(const found *f, const cg_skin_pair *pair, double reach)
{
    const cg_channel *channel = f->channel;
    cg_skin *skin = f->set->cast.skins[channel->tip.skin];
    const int *nodes = skin->tissue->mesh->triangles[pair->triangle].nodes;
    const cg_vec3 corners[3] = {skin->now[nodes[0]], skin->now[nodes[1]], skin->now[nodes[2]]};
    cg_vec3 out = v3_unit_or(triangle_normal(corners), v3_zero());
    cg_triangle_closest nearest = cg_closest_point_triangle(f->needle.tip, corners);
    cg_vec3 on_surface = triangle_point(corners, nearest.weights);
    double height = v3_dot(out, v3_sub(on_surface, f->needle.tip));
    double away = v3_distance(on_surface, f->needle.tip);
    // Ahead of it, and over the triangle: what lies beside it belongs to another.
    if (v3_dot(out, f->needle.ahead) < LEAST_FACING || away > reach + f->needle.thin || fabs(height) < 0.7 * away) {
        return reach;
    }
    const cg_rigid *body = f->set->cast.rigids[channel->rigid];
    cg_touch touch = {.kind = CG_SKIN_ROW,
                      .pair = {cg_chain_of(CG_BODY_RIGID, channel->rigid), CG_TIP_FEATURE,
                               cg_chain_of(CG_BODY_TISSUE, channel->tip.skin), 8 * pair->triangle + CG_SKIN_FACE},
                      .weights = {{0}, {nearest.weights[0], nearest.weights[1], nearest.weights[2]}},
                      .point = {v3_add_scaled(f->needle.tip, f->needle.thin, out), on_surface},
                      .radius = f->needle.thin,
                      .gap = height - f->needle.thin,
                      .friction = sqrt(body->friction * skin->surface->friction)};
    cg_touch_add(f->set, &touch, v3_neg(out));
    return touch.gap;
}

// Pairs of the first segment of the needle are listed with those of all others.
static double find_ahead(const found *f)
{
    const cg_touch_set *set = f->set;
    cg_skin *skin = set->cast.skins[f->channel->tip.skin];
    double reach = cg_skin_counted(0.5 * f->needle.needle->diameter), least = reach;
    for (int i = 0; i < skin->pairs.count; i++) {
        const cg_skin_pair *pair = &skin->pairs.items[i];
        const cg_touch_rod *rod =
            pair->chain >= set->cast.thread_count ? &set->cast.rods[pair->chain - set->cast.thread_count] : NULL;
        if (rod != NULL && rod->body == f->channel->rigid && rod->chain.part == 0 && pair->segment == 0) {
            least = fmin(least, add_ahead(f, pair, reach));
        }
    }
    return least;
}

static void find_tip(const found *f)
{
    const cg_channel_point *tip = &f->channel->tip;
    cg_skin *skin = f->set->cast.skins[tip->skin];
    cg_vec3 place = cg_channel_place(skin->tissue->mesh, skin->now, tip);
    if (f->set->cast.joint_count + f->set->rows.channel_rows + 1 > f->set->room.touches) {
        f->set->stats.lost++;
        return;
    }
    // It resists a tip that goes ahead, and lets one go back: from 0 to the whole is half of it, and up to half more
    // or less.
    double half = 0.5 * skin->law.cut * cg_channel_ease(f->needle.needle->point);
    double left = find_ahead(f) / f->needle.thin; // before a surface there is less and less to be cut
    half *= left < 1 ? fmax(0, left) : 1;
    const cg_vec3 sites[2] = {f->needle.tip, place};
    add_drag(f, tip, sites, v3_neg(f->needle.ahead), half, half);
}

int cg_touch_most_rows(const cg_touch_set *set)
{
    int rows = 0, room = set->room.touches - set->cast.joint_count;
    for (int c = 0; c < CG_MOST_CHANNELS && set->cast.channels != NULL; c++) {
        const cg_channel *channel = &set->cast.channels[c];
        rows += channel->is_used && channel->rigid >= 0 ? 2 * channel->count + channel->is_inside : 0;
    }
    return rows < room ? rows : (room > 0 ? room : 0);
}

void cg_touch_find_channels(cg_touch_set *set)
{
    for (int c = 0; c < CG_MOST_CHANNELS && set->cast.channels != NULL; c++) {
        const cg_channel *channel = &set->cast.channels[c];
        if (!channel->is_used || channel->rigid < 0) {
            continue;
        }
        found f = {set, channel, cg_channel_needle(set->cast.rigids[channel->rigid])};
        double angles[CG_CHANNEL_MOST_POINTS];
        for (int i = 0; i < channel->count; i++) {
            const cg_skin *skin = set->cast.skins[channel->points[i].skin];
            angles[i] =
                cg_channel_angle(&f.needle, cg_channel_place(skin->tissue->mesh, skin->now, &channel->points[i]));
        }
        for (int i = 0; i < channel->count; i++) {
            add_point(&f, &channel->points[i], inside_at(&f, angles, i));
        }
        if (channel->is_inside) {
            find_tip(&f);
        }
    }
}

// Solving

// Row and column are cut off from all others; what is left on the diagonal is as firm as `like`.
static void cut_off(cg_touch_set *set, int w, int axis, int like)
{
    size_t columns = 3 * (size_t)set->problem.working_count, at = 3 * (size_t)w + (size_t)axis;
    size_t row = 3 * (size_t)w + (size_t)like;
    double firm = set->problem.coupling[row * columns + row];
    for (size_t c = 0; c < columns; c++) {
        set->problem.coupling[at * columns + c] = set->problem.coupling[c * columns + at] = 0;
    }
    set->problem.coupling[at * columns + at] = firm > 0 ? firm : 1;
}

void cg_touch_mask_channels(cg_touch_set *set)
{
    for (int w = 0; w < set->problem.working_count; w++) {
        const cg_touch *touch = &set->rows.touches[set->problem.working[w]];
        if (touch_is_guide(touch)) {
            size_t columns = 3 * (size_t)set->problem.working_count, row = 3 * (size_t)w;
            cut_off(set, w, 0, 1);
            set->problem.coupling[(row + 1) * columns + row + 1] += touch->own_give;
            set->problem.coupling[(row + 2) * columns + row + 2] += touch->own_give;
        } else if (touch_is_drag(touch)) {
            cut_off(set, w, 0, 1);
            cut_off(set, w, 2, 1);
        }
    }
}

// How far needle and point are apart after a motion, beyond what the force between them makes.
static cg_vec3 guide_apart(const cg_touch *touch, cg_vec3 move)
{
    cg_vec3 apart = v3_add(move, v3_sub(touch->point[0], touch->point[1]));
    return v3_add_scaled(apart, touch->own_give, touch->force);
}

bool cg_touch_fill_channel(const cg_touch_set *set, int w, cg_vec3 move, cg_vec3 slip, double motion[3],
                           double force[3])
{
    assert(w >= 0 && w < set->problem.working_count);
    const cg_touch *touch = &set->rows.touches[set->problem.working[w]];
    if (touch_is_guide(touch)) {
        cg_vec3 apart = guide_apart(touch, move);
        for (int k = 0; k < 3; k++) {
            motion[k] = k > 0 ? v3_dot(touch->axes[k], apart) : 0;
        }
        force[0] = 0;
        return true;
    }
    if (touch_is_drag(touch)) {
        motion[0] = motion[2] = force[2] = 0;
        motion[1] = v3_dot(touch->axes[1], v3_add(move, slip));
        force[0] = touch->cap;
        force[1] -= touch->bias;
        return true;
    }
    return false;
}

double cg_touch_guide_missed(const cg_touch *touch, cg_vec3 move)
{
    assert(touch_is_guide(touch));
    cg_vec3 apart = guide_apart(touch, move);
    apart = v3_add_scaled(apart, -v3_dot(apart, touch->axes[0]), touch->axes[0]);
    return v3_length(apart) / touch->radius;
}
