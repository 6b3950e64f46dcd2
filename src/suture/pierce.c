#include "suture/pierce.h"

#include <math.h>
#include <string.h>

#include "base/transform.h"
#include "base/vec3.h"
#include "geometry/box.h"
#include "geometry/triangle.h"
#include "suture/hollow.h"

// [radii of the tip] A hole is made where the tip touches the surface, that far ahead of its middle; it is gone when it
// is farther ahead. Touches no farther from the middle belong to the tip.
static const double MOUTH = 2, AT_TIP = 3;
// [radii of the wire] Beside a hole, along the needle and off the surface: what is nearer touches nothing.
static const double BESIDE = 6, CLEAR = 0.5;
// [radii of a part] One that is nearer to a surface comes no nearer (cg_motion_rule, freeze), not even sideways.
static const double FROZEN = 0.7;
// Cells that are looked through one after the other, before all are.
enum { MOST_WALK = 40 };

double cg_pierce_tip_force(const cg_touch_set *set, int rigid, bool is_inside, int *most)
{
    cg_needle_place_now needle = cg_channel_needle(set->cast.rigids[rigid]);
    double sum = 0, largest = 0;
    *most = -1;
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        int feature = touch->pair.segment_a;
        if (!touch->working || touch_body(touch, 0, CG_BODY_RIGID) != rigid || touch_skin(touch) < 0) {
            continue;
        }
        bool is_at_tip = is_inside ? feature == CG_TIP_FEATURE
                                   : feature < CG_JOINT_FEATURE && cg_feature_part(feature) == 0 &&
                                         v3_distance(touch->point[0], needle.tip) < AT_TIP * needle.thin;
        double force = is_at_tip ? -v3_dot(touch->force, needle.ahead) : 0;
        sum += force;
        if (force > largest) {
            largest = force;
            *most = i;
        }
    }
    return sum;
}

// Cells

// [of a cell] Rounding of weights: a place on a face belongs to one of its two cells.
static const double ON_FACE = -1e-9;
// [of the box around a cell] More than that.
static const double AROUND = 1e-3;

// Weights of a place, which may be outside; the smallest in *least. False for a flat cell.
static bool weigh(const cg_mesh *mesh, int cell, cg_vec3 place, double weights[4], int *least)
{
    weights[0] = NAN;
    cg_mesh_is_in_cell(mesh, cell, place, weights);
    *least = 0;
    for (int k = 1; k < 4 && !isnan(weights[0]); k++) {
        *least = weights[k] < weights[*least] ? k : *least;
    }
    return !isnan(weights[0]);
}

static bool is_beyond(double place, double a, double b, double c, double d)
{
    double low = fmin(fmin(a, b), fmin(c, d)), high = fmax(fmax(a, b), fmax(c, d)), spare = AROUND * (high - low);
    return place < low - spare || place > high + spare;
}

// False when the place is off the box around the cell, which is told sooner than its weights are.
static bool may_hold(const cg_mesh *mesh, int cell, cg_vec3 place)
{
    const int *n = mesh->cells[cell].nodes;
    const cg_vec3 *a = &mesh->position[n[0]], *b = &mesh->position[n[1]], *c = &mesh->position[n[2]],
                  *d = &mesh->position[n[3]];
    return !is_beyond(place.x, a->x, b->x, c->x, d->x) && !is_beyond(place.y, a->y, b->y, c->y, d->y) &&
           !is_beyond(place.z, a->z, b->z, c->z, d->z);
}

bool cg_pierce_find_cell(const cg_mesh *mesh, int start, cg_vec3 place, int *cell, double weights[4])
{
    int least = 0;
    for (int at = start, k = 0; at >= 0 && at < mesh->cell_count && k < MOST_WALK; k++) {
        if (!weigh(mesh, at, place, weights, &least)) {
            break;
        }
        if (weights[least] >= ON_FACE) {
            *cell = at;
            return true;
        }
        int face[3], count = 0;
        for (int i = 0; i < 4; i++) {
            if (i != least) {
                face[count++] = mesh->cells[at].nodes[i];
            }
        }
        at = cg_mesh_find_cell(mesh, face, at);
    }
    for (int at = 0; at < mesh->cell_count; at++) {
        if (may_hold(mesh, at, place) && weigh(mesh, at, place, weights, &least) && weights[least] >= ON_FACE) {
            *cell = at;
            return true;
        }
    }
    return false;
}

static void triangle_corners(const cg_mesh *mesh, int triangle, cg_vec3 corners[3])
{
    const int *n = mesh->triangles[triangle].nodes;
    for (int k = 0; k < 3; k++) {
        corners[k] = mesh->position[n[k]];
    }
}

cg_pierce_nearest cg_pierce_find_nearest(const cg_mesh *mesh, cg_vec3 place)
{
    cg_pierce_nearest nearest = {.triangle = -1, .distance = HUGE_VAL};
    if (cg_is_hollow(mesh)) {
        cg_hollow_place on_skin = cg_hollow_nearest(mesh, place);
        nearest.triangle = on_skin.point.triangle;
        memcpy(nearest.weights, on_skin.point.weights, sizeof nearest.weights);
        nearest.is_outside = !on_skin.is_inside;
        if (nearest.triangle >= 0) {
            cg_vec3 corners[3];
            triangle_corners(mesh, nearest.triangle, corners);
            nearest.distance = v3_distance(place, triangle_point(corners, nearest.weights));
        }
        return nearest;
    }
    double best = HUGE_VAL;
    for (int t = 0; t < mesh->triangle_count; t++) {
        cg_vec3 corners[3];
        triangle_corners(mesh, t, corners);
        cg_triangle_closest closest = cg_closest_point_triangle(place, corners);
        if (closest.squared_distance < best) {
            best = closest.squared_distance;
            nearest.triangle = t;
            memcpy(nearest.weights, closest.weights, sizeof closest.weights);
            cg_vec3 away = v3_sub(place, triangle_point(corners, closest.weights));
            nearest.is_outside = v3_dot(triangle_normal(corners), away) > 0;
        }
    }
    nearest.distance = sqrt(best);
    return nearest;
}

// A point of the surface as one of the cell behind it. Behind a skin there is none: its tip leads on at the hole.
static cg_channel_point under(const cg_mesh *mesh, const cg_channel_point *hole)
{
    cg_channel_point point = *hole;
    const cg_mesh_triangle *triangle = &mesh->triangles[hole->triangle];
    point.name = CG_CHANNEL_MOST_POINTS;
    if (cg_is_hollow(mesh)) {
        return point;
    }
    point.triangle = -1;
    point.cell = triangle->cell;
    for (int k = 0; k < 4; k++) {
        point.weights[k] = 0;
        for (int i = 0; i < 3; i++) {
            point.weights[k] += mesh->cells[point.cell].nodes[k] == triangle->nodes[i] ? hole->weights[i] : 0;
        }
    }
    return point;
}

void cg_pierce_put(const cg_mesh *mesh, cg_channel *channel, const cg_channel_point *hole)
{
    if (hole->inward && !channel->is_inside) {
        channel->tip = under(mesh, hole);
    }
    channel->is_inside = hole->inward;
}

bool cg_pierce_find_tip(const cg_mesh *mesh, cg_channel *channel, cg_vec3 tip)
{
    const cg_channel_point *last = channel->count > 0 ? &channel->points[channel->count - 1] : NULL;
    if (cg_pierce_find_cell(mesh, -1, tip, &channel->tip.cell, channel->tip.weights)) {
        return true;
    }
    if (last == NULL || last->triangle < 0) {
        return false;
    }
    channel->tip = under(mesh, last); // it is at the mouth, as it was when it came in
    return true;
}

// Points come and go

// A needle in a channel, while the step is followed.
typedef struct following {
    const cg_touch_set *set;
    cg_channel *channel;
    cg_needle_place_now needle;
    cg_pierce_result result;
} following;

static const cg_mesh *mesh_of(const following *f, const cg_channel_point *point)
{
    return f->set->cast.skins[point->skin]->tissue->mesh;
}

static cg_vec3 place_of(const following *f, const cg_channel_point *point)
{
    const cg_mesh *mesh = mesh_of(f, point);
    return cg_channel_place(mesh, mesh->position, point);
}

static int free_name(const cg_channel *channel)
{
    uint64_t taken = 0;
    for (int i = 0; i < channel->count; i++) {
        taken |= (uint64_t)1 << channel->points[i].name;
    }
    int name = 0;
    while (taken >> name & 1) {
        name++;
    }
    return name;
}

// False when there is no room: a needle that is so full of holes goes no farther.
static bool add_point(following *f, cg_channel_point point)
{
    cg_channel *channel = f->channel;
    if (channel->count == CG_CHANNEL_MOST_POINTS) {
        return false;
    }
    point.name = free_name(channel);
    channel->points[channel->count++] = point;
    return f->result.has_changed = true;
}

static void set_inside(following *f, const cg_channel_point *hole, bool is_inside)
{
    f->channel->is_inside = is_inside;
    if (is_inside) {
        f->channel->tip = under(mesh_of(f, hole), hole);
    }
    f->result.has_changed = true;
}

static void make_hole(following *f, int skin, int triangle, const double weights[3], bool is_forced)
{
    cg_channel *channel = f->channel;
    cg_channel_point hole = {.skin = skin,
                             .triangle = triangle,
                             .cell = -1,
                             .weights = {weights[0], weights[1], weights[2], 0},
                             .inward = !channel->is_inside};
    // A point inside that is just behind it says the same.
    double angle =
        channel->count > 0 ? cg_channel_angle(&f->needle, place_of(f, &channel->points[channel->count - 1])) : 0;
    if (channel->count > 0 && channel->points[channel->count - 1].triangle < 0 &&
        angle < 0.5 * f->needle.needle->arc / CG_CHANNEL_SPACINGS) {
        channel->count--;
    }
    if (add_point(f, hole)) {
        channel->entries += hole.inward;
        channel->exits += !hole.inward;
        channel->forced += is_forced;
        set_inside(f, &hole, hole.inward);
        f->result.has_made = true;
    }
}

static double threshold_of(const following *f, int skin)
{
    return f->set->cast.skins[skin]->law.force * cg_channel_ease(f->needle.needle->point);
}

static bool can_be_pierced(const cg_skin *skin)
{
    const cg_tissue *tissue = skin->tissue;
    bool has_inside = tissue->mesh->cell_count > 0 || (tissue->model == CG_TISSUE_SKIN && tissue->springs.is_closed);
    return skin->law.force > 0 && has_inside && tissue->solver == CG_TISSUE_IMPLICIT;
}

// In or out, where the tip pressed harder than the surface bears.
static void press_through(following *f)
{
    int most;
    f->result.tip_force = cg_pierce_tip_force(f->set, f->channel->rigid, f->channel->is_inside, &most);
    const cg_touch *touch = most >= 0 ? &f->set->rows.touches[most] : NULL;
    int skin = touch != NULL ? touch_skin(touch) : -1;
    if (skin >= 0 && can_be_pierced(f->set->cast.skins[skin]) && f->result.tip_force >= threshold_of(f, skin)) {
        make_hole(f, skin, skin_triangle(touch->pair.segment_b), touch->weights[1], false);
    }
    f->channel->tip_force = f->result.tip_force;
}

static void take_last(following *f)
{
    const cg_channel_point last = f->channel->points[--f->channel->count];
    f->result.has_changed = true;
    if (last.triangle >= 0) {
        set_inside(f, &last, !last.inward);
    }
}

// True when a point lies ahead of the tip now, which has gone back through it.
static bool is_ahead(const following *f, const cg_channel_point *point)
{
    cg_vec3 place = place_of(f, point);
    double ahead = v3_dot(f->needle.ahead, v3_sub(place, f->needle.tip));
    return cg_channel_angle(&f->needle, place) <= 0 && ahead > (point->triangle >= 0 ? MOUTH * f->needle.thin : 0);
}

static void withdraw(following *f)
{
    const cg_channel *channel = f->channel;
    while (channel->count > 0 && is_ahead(f, &channel->points[channel->count - 1])) {
        take_last(f);
    }
}

// A quick tip is back through its last hole and on in one step, before it was seen at the mouth.
static bool has_gone_back(const following *f)
{
    int i = f->channel->count - 1;
    while (i >= 0 && f->channel->points[i].triangle < 0 && is_ahead(f, &f->channel->points[i])) {
        i--;
    }
    return i >= 0 && f->channel->points[i].triangle >= 0 && is_ahead(f, &f->channel->points[i]);
}

// The hole in a skin is a node, a little beside the place where the tip pressed.
static bool is_at_mouth(const following *f)
{
    const cg_channel *channel = f->channel;
    const cg_channel_point *last = channel->count > 0 ? &channel->points[channel->count - 1] : NULL;
    if (last == NULL || last->triangle < 0) {
        return false;
    }
    return v3_distance(place_of(f, last), f->needle.tip) <= AT_TIP * f->needle.thin ||
           (cg_is_hollow(mesh_of(f, last)) && cg_hollow_is_at_hole(mesh_of(f, last), last, f->needle.tip) &&
            v3_distance(place_of(f, last), f->needle.tip) <= f->needle.needle->diameter);
}

// Where cells are squeezed flat none may be found at a place inside: the surface has the last word.
static void force_through(following *f, int skin)
{
    cg_pierce_nearest nearest = cg_pierce_find_nearest(f->set->cast.skins[skin]->tissue->mesh, f->needle.tip);
    if (nearest.triangle >= 0 && nearest.is_outside == f->channel->is_inside) {
        make_hole(f, skin, nearest.triangle, nearest.weights, true);
    }
}

// All of the needle was inside, without a hole, and its tip is found outside: it has come out end first, or sideways.
// A hole would lie ahead of the tip, which would go back into it at once.
static void leave(following *f, int skin)
{
    cg_pierce_nearest nearest = cg_pierce_find_nearest(f->set->cast.skins[skin]->tissue->mesh, f->needle.tip);
    if (nearest.triangle >= 0 && nearest.is_outside) {
        f->channel->is_inside = false;
        f->channel->exits++;
        f->channel->forced++;
        f->result.has_changed = true;
    }
}

// The tip takes its place in the tissue, and leaves points behind it in cells. False when it is found outside.
static bool go_on_inside(following *f)
{
    cg_channel *channel = f->channel;
    cg_channel_point *tip = &channel->tip;
    int cell;
    double weights[4];
    if (cg_is_hollow(mesh_of(f, tip))) {
        return cg_hollow_contains(mesh_of(f, tip), f->needle.tip);
    }
    if (!cg_pierce_find_cell(mesh_of(f, tip), tip->cell, f->needle.tip, &cell, weights)) {
        return false;
    }
    f->result.has_changed = f->result.has_changed || cell != tip->cell;
    tip->cell = cell;
    memcpy(tip->weights, weights, sizeof weights);
    double spacing = f->needle.needle->arc / CG_CHANNEL_SPACINGS;
    const cg_channel_point *last = channel->count > 0 ? &channel->points[channel->count - 1] : NULL;
    if (last == NULL || cg_channel_angle(&f->needle, place_of(f, last)) > spacing) {
        add_point(f, *tip);
    }
    return true;
}

// Where the tip is found outside it has come out all the same.
static void advance(following *f)
{
    int skin = f->channel->tip.skin;
    if (go_on_inside(f)) {
        return;
    }
    if (f->channel->count == 0) {
        leave(f, skin);
    } else if (!is_at_mouth(f) && !has_gone_back(f)) {
        force_through(f, skin);
    }
}

// True when the tip is just behind a triangle around a hole, since no part of the needle touches these. The cell behind
// it is *cell then; -1 of a skin.
static bool is_behind_mouth(const following *f, const cg_skin *skin, int *cell)
{
    const cg_mesh *mesh = skin->tissue->mesh;
    double reach = f->needle.needle->diameter, best = reach * reach;
    bool is_behind = false;
    *cell = -1;
    for (int t = 0; t < mesh->triangle_count && skin->deep_count > 0; t++) {
        if (skin->mouth[t]) {
            const int *n = mesh->triangles[t].nodes;
            const cg_vec3 corners[3] = {mesh->position[n[0]], mesh->position[n[1]], mesh->position[n[2]]};
            cg_triangle_closest closest = cg_closest_point_triangle(f->needle.tip, corners);
            cg_vec3 away = v3_sub(f->needle.tip, triangle_point(corners, closest.weights));
            if (closest.squared_distance < best) {
                best = closest.squared_distance;
                is_behind = v3_dot(triangle_normal(corners), away) < 0;
                *cell = is_behind ? mesh->triangles[t].cell : -1;
            }
        }
    }
    return is_behind;
}

static bool is_in(const following *f, const cg_mesh *mesh, int start)
{
    int cell;
    double weights[4];
    return cg_is_hollow(mesh) ? cg_hollow_contains(mesh, f->needle.tip)
                              : cg_pierce_find_cell(mesh, start, f->needle.tip, &cell, weights);
}

// A tip that nothing sees may have gone into a tissue again.
static void look_inside(following *f)
{
    bool is_hidden = f->channel->hidden & 1;
    for (int k = 0; k < f->set->cast.skin_count && !is_at_mouth(f) && !has_gone_back(f); k++) {
        const cg_skin *skin = f->set->cast.skins[k];
        int start = -1;
        bool is_behind = f->channel->count > 0 && is_behind_mouth(f, skin, &start);
        if (can_be_pierced(skin) && (is_hidden || is_behind) && is_in(f, skin->tissue->mesh, start)) {
            force_through(f, k);
            return;
        }
    }
}

// What is behind the end of the needle.
static void pass(following *f, double behind)
{
    cg_channel *channel = f->channel;
    const cg_needle *needle = f->needle.needle;
    cg_vec3 end = transform_point(f->needle.pose, cg_needle_place(needle, needle->arc));
    cg_vec3 out = transform_vector(f->needle.pose, cg_needle_tangent(needle, needle->arc));
    while (channel->count > 0 && !f->result.has_passed) {
        const cg_channel_point first = channel->points[0];
        cg_vec3 place = place_of(f, &first);
        if (cg_channel_angle(&f->needle, place) < needle->arc ||
            !(v3_dot(out, v3_sub(place, end)) > (first.triangle >= 0 ? behind : 0))) {
            return;
        }
        channel->count--;
        memmove(channel->points, channel->points + 1, sizeof first * (size_t)channel->count);
        f->result.has_changed = true;
        if (first.triangle >= 0) {
            f->result.has_passed = true;
            f->result.passed = first;
        }
    }
}

// Hiding

// Triangles near the needle, for all of its parts.
enum { MOST_NEAR = 1024 };
typedef struct near_triangles {
    cg_box box; // around what of the needle is looked at, with its reach
    int skin[MOST_NEAR], triangle[MOST_NEAR];
    int count;
    bool has_lost; // there are more
} near_triangles;

static bool is_off(double a, double b, double c, double low, double high)
{
    return (a > high && b > high && c > high) || (a < low && b < low && c < low);
}

// Whether a triangle is off a box along one of its axes, as most are along the first.
static bool is_triangle_off(const cg_mesh *mesh, int triangle, const cg_box *box)
{
    const int *n = mesh->triangles[triangle].nodes;
    const cg_vec3 *a = &mesh->position[n[0]], *b = &mesh->position[n[1]], *c = &mesh->position[n[2]];
    return is_off(a->x, b->x, c->x, box->low.x, box->high.x) || is_off(a->y, b->y, c->y, box->low.y, box->high.y) ||
           is_off(a->z, b->z, c->z, box->low.z, box->high.z);
}

static void find_near_triangles(const following *f, near_triangles *near)
{
    near->count = 0;
    near->has_lost = false;
    for (int k = 0; k < f->set->cast.skin_count; k++) {
        const cg_mesh *mesh = f->set->cast.skins[k]->tissue->mesh;
        for (int t = 0; can_be_pierced(f->set->cast.skins[k]) && t < mesh->triangle_count; t++) {
            if (is_triangle_off(mesh, t, &near->box)) {
                continue;
            }
            near->has_lost = near->has_lost || near->count == MOST_NEAR;
            if (!near->has_lost) {
                near->skin[near->count] = k;
                near->triangle[near->count++] = t;
            }
        }
    }
}

// The ends of the axis of a part.
static void ends_of(const following *f, int part, cg_vec3 ends[2])
{
    const cg_rigid *body = f->set->cast.rigids[f->channel->rigid];
    const cg_rigid_part *p = &body->parts[part];
    cg_transform pose = transform_compose(body->now, p->pose);
    ends[0] = transform_point(pose, v3(0, 0, -p->shape.half_length));
    ends[1] = transform_point(pose, v3(0, 0, p->shape.half_length));
}

static bool is_triangle_near(const following *f, int skin, int triangle, const cg_vec3 ends[2], double reach)
{
    cg_vec3 corners[3];
    triangle_corners(f->set->cast.skins[skin]->tissue->mesh, triangle, corners);
    cg_box box = box_of(corners, 3), near = box_grown(box_of(ends, 2), reach);
    return boxes_meet(&box, &near) &&
           sqrt(cg_closest_segment_triangle(ends[0], ends[1], corners).squared_distance) < reach;
}

// Whether the axis of a part is nearer than `reach` [m] to the surface of a tissue that can be pierced.
static bool is_part_near(const following *f, const near_triangles *near, int part, double reach)
{
    cg_vec3 ends[2];
    bool is_near = false;
    ends_of(f, part, ends);
    for (int i = 0; i < near->count && !is_near; i++) {
        is_near = is_triangle_near(f, near->skin[i], near->triangle[i], ends, reach);
    }
    for (int k = 0; k < f->set->cast.skin_count && near->has_lost; k++) {
        const cg_skin *skin = f->set->cast.skins[k];
        for (int t = 0; can_be_pierced(skin) && t < skin->tissue->mesh->triangle_count && !is_near; t++) {
            is_near = is_triangle_near(f, k, t, ends, reach);
        }
    }
    return is_near;
}

// Whether a part overlaps what is inside, and whether it is beside a hole.
static void place_part(const following *f, const double *angles, int part, bool *is_inside, bool *is_beside)
{
    const cg_channel *channel = f->channel;
    const cg_needle *needle = f->needle.needle;
    double each = needle->arc / needle->pieces, low = part * each, high = low + each;
    double margin = BESIDE * 0.5 * needle->diameter / needle->radius;
    *is_inside = *is_beside = false;
    for (int i = -1; i < channel->count; i++) { // the stretch from point i to the next, towards the tip
        double from = i < 0 ? needle->arc : angles[i], to = i + 1 < channel->count ? angles[i + 1] : 0;
        bool overlaps = cg_channel_is_inside(channel, i) && low <= from && high >= to;
        *is_inside = *is_inside || overlaps;
        *is_beside = *is_beside || (i >= 0 && low - margin <= from && high + margin >= from);
    }
}

static bool is_hidden_beside(const cg_channel *channel, int part)
{
    return (part > 0 && (channel->hidden >> (part - 1) & 1)) || (part < 63 && (channel->hidden >> (part + 1) & 1));
}

// A part of the needle, before it is known whether it is hidden.
typedef struct hiding {
    bool is_inside; // of the tissue
    bool is_asked;  // it is hidden if it is nearer to a surface than
    double near;    // [m]
} hiding;

static hiding ask_part(const following *f, const double *angles, int part)
{
    const cg_channel *channel = f->channel;
    double radius = f->set->cast.rigids[channel->rigid]->parts[part].shape.radius;
    bool is_inside, is_beside, was_hidden = channel->hidden >> part & 1;
    place_part(f, angles, part, &is_inside, &is_beside);
    bool is_next = is_beside || was_hidden || is_hidden_beside(channel, part);
    return (hiding){is_inside, !is_inside && is_next,
                    is_beside || was_hidden ? radius + CLEAR * 0.5 * f->needle.needle->diameter : FROZEN * radius};
}

// What is inside or beside a hole, and near to a surface. A needle that lies flat on the skin sinks into it where it is
// hidden, and takes the next part with it, which could then neither go on nor back.
static void hide(following *f)
{
    cg_channel *channel = f->channel;
    double angles[CG_CHANNEL_MOST_POINTS];
    hiding parts[CG_RIGID_MOST_PARTS];
    uint64_t hidden = 0;
    near_triangles near = {.box = box_of_nothing()};
    for (int i = 0; i < channel->count; i++) {
        angles[i] = cg_channel_angle(&f->needle, place_of(f, &channel->points[i]));
    }
    for (int part = 0; part < f->needle.needle->pieces; part++) {
        parts[part] = ask_part(f, angles, part);
        if (parts[part].is_asked) {
            cg_vec3 ends[2];
            ends_of(f, part, ends);
            cg_box box = box_grown(box_of(ends, 2), parts[part].near);
            box_take(&near.box, box.low);
            box_take(&near.box, box.high);
        }
    }
    find_near_triangles(f, &near);
    for (int part = 0; part < f->needle.needle->pieces; part++) {
        bool is_near = parts[part].is_asked && is_part_near(f, &near, part, parts[part].near);
        hidden |= (uint64_t)(parts[part].is_inside || is_near) << part;
    }
    f->result.has_changed = f->result.has_changed || hidden != channel->hidden;
    channel->hidden = hidden;
}

bool cg_pierce_return(cg_channel *channel, cg_channel_point hole)
{
    if (channel->count == CG_CHANNEL_MOST_POINTS) {
        return false;
    }
    hole.name = free_name(channel);
    memmove(channel->points + 1, channel->points, sizeof hole * (size_t)channel->count);
    channel->points[0] = hole;
    channel->count++;
    return true;
}

// What cuts on in a skin does so at the last hole.
static void rest_on_hole(following *f)
{
    cg_channel *channel = f->channel;
    const cg_channel_point *last = channel->count > 0 ? &channel->points[channel->count - 1] : NULL;
    if (channel->is_inside && last != NULL && cg_is_hollow(mesh_of(f, last))) {
        channel->tip = under(mesh_of(f, last), last);
    }
}

cg_pierce_result cg_pierce_follow(const cg_touch_set *set, cg_channel *channel, double behind)
{
    following f = {.set = set, .channel = channel, .needle = cg_channel_needle(set->cast.rigids[channel->rigid])};
    bool was_inside = channel->is_inside;
    press_through(&f);
    if (channel->is_inside && was_inside) {
        advance(&f);
    } else if (!channel->is_inside && !was_inside) {
        look_inside(&f);
    }
    withdraw(&f);
    pass(&f, behind);
    rest_on_hole(&f);
    if (!cg_pierce_is_over(channel)) {
        hide(&f);
    }
    return f.result;
}

bool cg_pierce_is_over(const cg_channel *channel)
{
    return channel->count == 0 && !channel->is_inside && channel->hidden == 0;
}

bool cg_pierce_is_sound(const cg_channel *channel)
{
    uint64_t taken = 0;
    const cg_channel_point *before = NULL;
    for (int i = 0; i < channel->count; i++) {
        const cg_channel_point *p = &channel->points[i];
        if (p->name < 0 || p->name >= CG_CHANNEL_MOST_POINTS || (taken >> p->name & 1)) {
            return false;
        }
        taken |= (uint64_t)1 << p->name;
        if (p->triangle >= 0 && before != NULL && before->inward == p->inward) {
            return false;
        }
        before = p->triangle >= 0 ? p : before;
    }
    return before == NULL || before->inward == channel->is_inside;
}
