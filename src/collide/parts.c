// Where two rigid parts touch. See collide/parts.h.
#include "collide/parts.h"

// An inner point of a rod counts where it is nearer than both ends by this share of the rod's radius.
#define INNER 1e-6
// An edge lies flat where it is farther than its nearest point by less than this share of the rod's radius, and has a
// contact at both ends of that piece if it is longer than FLAT_LENGTH radii. Where edges lie flat a body rests lower by
// this share; with less, bodies whose edges cross rock between the two.
#define FLAT_SHARE 1e-3
#define FLAT_LENGTH 2.0
enum { FLAT_LOOKS = 30, EDGES = 12 };

double cg_rod_radius(const cg_shape *shape)
{
    cg_vec3 h = shape->half_extents;
    double least = h.x < h.y ? h.x : h.y;
    switch (shape->kind) {
    case CG_SHAPE_SPHERE:
    case CG_SHAPE_CAPSULE:
        return shape->radius;
    case CG_SHAPE_BOX:
        return CG_BOX_ROUNDING * (least < h.z ? least : h.z);
    case CG_SHAPE_HALF_SPACE:
        break;
    }
    return INFINITY;
}

static void add_box(cg_rods *rods, cg_vec3 h)
{
    rods->corner_count = 8;
    for (int i = 0; i < 8; i++) {
        rods->corners[i] = v3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
        for (int axis = 1; axis < 8; axis *= 2) {
            if (!(i & axis)) {
                rods->edges[rods->edge_count][0] = (unsigned char)i;
                rods->edges[rods->edge_count++][1] = (unsigned char)(i | axis);
            }
        }
    }
}

cg_shape cg_core_of(const cg_shape *shape, double *skin)
{
    cg_shape core = *shape;
    *skin = 0;
    if (shape->kind == CG_SHAPE_BOX) {
        double r = *skin = cg_rod_radius(shape);
        core.half_extents = v3_sub(shape->half_extents, v3(r, r, r));
    }
    return core;
}

cg_rods cg_rods_of(const cg_shape *shape)
{
    cg_rods rods = {.radius = cg_rod_radius(shape)};
    if (shape->kind == CG_SHAPE_BOX) {
        double skin;
        add_box(&rods, cg_core_of(shape, &skin).half_extents);
        return rods;
    }
    bool is_long = shape->kind == CG_SHAPE_CAPSULE && shape->half_length > 0;
    rods.corner_count = is_long ? 2 : 1;
    rods.edge_count = 1;
    rods.corners[0] = v3(0, 0, is_long ? -shape->half_length : 0);
    rods.corners[1] = v3(0, 0, is_long ? shape->half_length : 0);
    rods.edges[0][1] = is_long;
    return rods;
}

// The rods of one part against the solid of the other.
typedef struct search {
    cg_rods rods;
    cg_transform pose; // of the rods
    cg_shape solid;
    double skin;
    const cg_transform *solid_pose;
    bool is_second; // the rods are those of part b
    double reach;
    cg_part_contact *found;
    int count;
} search;

static void add(search *s, int place, const cg_shape_distance *nearest)
{
    double gap = nearest->distance - s->rods.radius - s->skin;
    if (!(gap < s->reach) || s->count == CG_MOST_PART_CONTACTS) {
        return;
    }
    cg_vec3 on_rod = v3_add_scaled(nearest->point, -s->rods.radius, nearest->normal);
    int own = s->is_second ? 1 : 0;
    cg_part_contact *contact = &s->found[s->count++];
    contact->gap = gap;
    contact->place[own] = place;
    contact->place[1 - own] = CG_PLACE_SURFACE;
    contact->point[own] = on_rod;
    contact->point[1 - own] = v3_add_scaled(nearest->surface, s->skin, nearest->normal);
    contact->normal = s->is_second ? v3_neg(nearest->normal) : nearest->normal;
}

// Along the edge from `from` to `to` the distance is least at share t: where, towards the share `end`, it is higher by
// no more than `rise`. It never falls on the way there.
static cg_shape_distance end_of_flat(const search *s, const cg_vec3 ends[2], const cg_shape_distance *nearest,
                                     double end, double rise, double *share)
{
    double low = nearest->t, high = end;
    cg_shape_distance last = *nearest;
    for (int i = 0; i < FLAT_LOOKS; i++) {
        double middle = 0.5 * (low + high);
        cg_vec3 point = v3_add_scaled(ends[0], middle, v3_sub(ends[1], ends[0]));
        cg_shape_distance seen = cg_shape_distance_point(&s->solid, s->solid_pose, point);
        if (seen.distance <= nearest->distance + rise) {
            low = middle;
            last = seen;
        } else {
            high = middle;
        }
    }
    *share = low;
    return last;
}

// An edge that is nearest at an inner point.
static void add_edge(search *s, int edge, const cg_vec3 ends[2], const cg_shape_distance *nearest)
{
    double r = s->rods.radius, rise = FLAT_SHARE * r, first, second;
    if (!(nearest->distance - r - s->skin < s->reach)) {
        return;
    }
    cg_shape_distance low = end_of_flat(s, ends, nearest, 0, rise, &first);
    cg_shape_distance high = end_of_flat(s, ends, nearest, 1, rise, &second);
    if ((second - first) * v3_distance(ends[0], ends[1]) > FLAT_LENGTH * r) {
        add(s, CG_PLACE_FIRST_EDGE + edge, &low);
        add(s, CG_PLACE_FIRST_EDGE + EDGES + edge, &high);
    } else {
        add(s, CG_PLACE_FIRST_EDGE + edge, nearest);
    }
}

static void look(search *s, bool with_edges)
{
    const cg_shape *shape = &s->solid;
    const cg_rods *rods = &s->rods;
    cg_vec3 corners[8];
    double distance[8];
    for (int i = 0; i < rods->corner_count; i++) {
        corners[i] = transform_point(s->pose, rods->corners[i]);
        cg_shape_distance nearest = cg_shape_distance_point(shape, s->solid_pose, corners[i]);
        distance[i] = nearest.distance;
        add(s, CG_PLACE_FIRST_CORNER + i, &nearest);
    }
    for (int i = 0; with_edges && rods->corner_count > 1 && i < rods->edge_count; i++) {
        int from = rods->edges[i][0], to = rods->edges[i][1];
        double lower = distance[from] < distance[to] ? distance[from] : distance[to];
        cg_shape_distance nearest = cg_shape_distance_segment(shape, s->solid_pose, corners[from], corners[to]);
        if (nearest.distance < lower - INNER * rods->radius) {
            add_edge(s, i, (cg_vec3[2]){corners[from], corners[to]}, &nearest);
        }
    }
}

// Inner points of a round rod over a box are seen by the edges of the box, which know where it ends; over something
// round by one of the two.
static bool needs_edges(const cg_shape *rods, const cg_shape *solid, bool is_second)
{
    bool is_box = rods->kind == CG_SHAPE_BOX, over_box = solid->kind == CG_SHAPE_BOX;
    return is_box || (!over_box && !is_second);
}

static bool is_point(const cg_shape *shape)
{
    return shape->kind == CG_SHAPE_SPHERE || (shape->kind == CG_SHAPE_CAPSULE && !(shape->half_length > 0));
}

static void turn_to(search *s, const cg_placed_shape *rods, const cg_placed_shape *solid, bool is_second)
{
    s->rods = cg_rods_of(&rods->shape);
    s->pose = rods->pose;
    s->solid = cg_core_of(&solid->shape, &s->skin);
    s->solid_pose = &solid->pose;
    s->is_second = is_second;
    look(s, needs_edges(&rods->shape, &solid->shape, is_second));
}

int cg_part_contacts_find(const cg_placed_shape *a, const cg_placed_shape *b, double reach,
                          cg_part_contact found[CG_MOST_PART_CONTACTS])
{
    search s = {.reach = reach, .found = found};
    bool only_first = b->shape.kind == CG_SHAPE_HALF_SPACE || is_point(&a->shape);
    bool only_second = !only_first && is_point(&b->shape);
    if (!only_second) {
        turn_to(&s, a, b, false);
    }
    if (!only_first) {
        turn_to(&s, b, a, true);
    }
    return s.count;
}
