// Where two rigid parts touch. See collide/parts.h.
#include "collide/parts.h"

// An inner point of a rod counts where it is nearer than both ends by this share of the rod's radius.
#define INNER 1e-6

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

cg_rods cg_rods_of(const cg_shape *shape)
{
    cg_rods rods = {.radius = cg_rod_radius(shape)};
    if (shape->kind == CG_SHAPE_BOX) {
        double r = rods.radius;
        add_box(&rods, v3_sub(shape->half_extents, v3(r, r, r)));
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
    const cg_placed_shape *solid;
    bool is_second; // the rods are those of part b
    double reach;
    cg_part_contact *found;
    int count;
} search;

static void add(search *s, int place, const cg_shape_distance *nearest)
{
    double gap = nearest->distance - s->rods.radius;
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
    contact->point[1 - own] = nearest->surface;
    contact->normal = s->is_second ? v3_neg(nearest->normal) : nearest->normal;
}

static void look(search *s, bool with_edges)
{
    const cg_shape *shape = &s->solid->shape;
    const cg_rods *rods = &s->rods;
    cg_vec3 corners[8];
    double distance[8];
    for (int i = 0; i < rods->corner_count; i++) {
        corners[i] = transform_point(s->pose, rods->corners[i]);
        cg_shape_distance nearest = cg_shape_distance_point(shape, &s->solid->pose, corners[i]);
        distance[i] = nearest.distance;
        add(s, CG_PLACE_FIRST_CORNER + i, &nearest);
    }
    for (int i = 0; with_edges && rods->corner_count > 1 && i < rods->edge_count; i++) {
        int from = rods->edges[i][0], to = rods->edges[i][1];
        double lower = distance[from] < distance[to] ? distance[from] : distance[to];
        cg_shape_distance nearest = cg_shape_distance_segment(shape, &s->solid->pose, corners[from], corners[to]);
        if (nearest.distance < lower - INNER * rods->radius) {
            add(s, CG_PLACE_FIRST_EDGE + i, &nearest);
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

int cg_part_contacts_find(const cg_placed_shape *a, const cg_placed_shape *b, double reach,
                          cg_part_contact found[CG_MOST_PART_CONTACTS])
{
    search s = {.rods = cg_rods_of(&a->shape), .pose = a->pose, .solid = b, .reach = reach, .found = found};
    bool only_first = b->shape.kind == CG_SHAPE_HALF_SPACE || is_point(&a->shape);
    bool only_second = !only_first && is_point(&b->shape);
    if (!only_second) {
        look(&s, needs_edges(&a->shape, &b->shape, false));
    }
    if (!only_first) {
        s.rods = cg_rods_of(&b->shape);
        s.pose = b->pose;
        s.solid = a;
        s.is_second = true;
        look(&s, needs_edges(&b->shape, &a->shape, true));
    }
    return s.count;
}
