// Where surfaces touch in a step, and the rows that this gives. See find/meet.h.
//
// Facing. With n the unit vector from the second place to the first, a and b the normals of the surfaces there (of a
// node the mean over its triangles, in a triangle between those of its corners, of an edge the mean of its two), places
// face each other by the least of
//     n . b,   -n . a     from 0 at 0.15 to 1 at 0.35        -a . b     from 0 at 0 to 1 at 0.2.
// In the last of them b is that of the triangles themselves, see looks_at.
#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "base/within.h"
#include "find/meet.h"
#include "geometry/closest.h"
#include "geometry/triangle.h"

// The place of the last step counts as nearer by this share. Less: nodes tremble in valleys. More: they jump from side
// to side.
static const double HELD = 0.01;
// [thickness] Edges count in full when they are nearer than anything by this much, and softly before, so that light
// things come to rest on them.
static const double LEAST_ROOM = 0.25;

// Normals

static cg_vec3 normal_of_triangle(const cg_meet_body *body, int triangle)
{
    const int *nodes = meet_triangle(body, triangle);
    const cg_vec3 *x = body->tissue->mesh->position;
    const cg_vec3 corners[3] = {x[nodes[0]], x[nodes[1]], x[nodes[2]]};
    return v3_unit_or(triangle_normal(corners), v3_zero());
}

cg_vec3 cg_meet_node_normal(cg_meet_body *body, int node, int round)
{
    assert(node >= 0 && node < body->tissue->mesh->node_count);
    const cg_mesh *mesh = body->tissue->mesh;
    if (body->seen[node] != round) {
        cg_vec3 sum = v3_zero();
        for (int at = mesh->first_triangle[node]; at >= 0; at = mesh->next_triangle[at]) {
            sum = v3_add(sum, normal_of_triangle(body, at / 3));
        }
        body->normals[node] = v3_unit_or(sum, v3_zero());
        body->seen[node] = round;
    }
    return body->normals[node];
}

static cg_vec3 normal_at(cg_meet_body *body, int triangle, const double weights[3], int round)
{
    cg_vec3 sum = v3_zero();
    for (int k = 0; k < 3; k++) {
        if (weights[k] != 0) {
            sum = v3_add_scaled(sum, weights[k], cg_meet_node_normal(body, meet_triangle(body, triangle)[k], round));
        }
    }
    return v3_unit_or(sum, v3_zero());
}

static cg_vec3 normal_of_edge(const cg_meet_body *body, int edge)
{
    cg_vec3 normal = normal_of_triangle(body, edge / 3);
    int twin = body->twins[edge];
    return twin < 0 ? normal : v3_unit_or(v3_add(normal, normal_of_triangle(body, twin / 3)), v3_zero());
}

// Places

// The feature of a place on tissue: the corner that a node is, the corner that an edge starts from, or a face.
static int place_of(const cg_touch *meet, int side)
{
    cg_meet_kind kind = meet_plain_kind(meet->what);
    if (kind == CG_MEET_EDGES) {
        return CG_SKIN_EDGE + meet->items[side] % 3;
    }
    const double *w = meet->weights[side];
    return side == meet_node_side(kind) ? CG_SKIN_NODE + (w[1] == 1 ? 1 : (w[2] == 1 ? 2 : 0)) : CG_SKIN_FACE;
}

void cg_meet_set_place(cg_touch *meet, int side, int tissue, int triangle)
{
    assert((side == 0 || side == 1) && triangle >= 0);
    touch_set_place(meet, side, tissue, 8 * triangle + place_of(meet, side));
}

// Fills point, normal, distance and weights of a meet that has its items.
static void place_edges(const cg_meet_set *set, cg_touch *meet)
{
    const cg_meet_body *a = set->bodies[touch_tissue(meet, 0)], *b = set->bodies[touch_tissue(meet, 1)];
    int p[2], q[2];
    meet_edge(a, meet->items[0], p);
    meet_edge(b, meet->items[1], q);
    const cg_vec3 *x = a->tissue->mesh->position, *y = b->tissue->mesh->position;
    cg_closest closest = cg_closest_segments(x[p[0]], x[p[1]], y[q[0]], y[q[1]]);
    const double shares[2] = {closest.s, closest.t};
    for (int side = 0; side < 2; side++) {
        int corner = meet->items[side] % 3;
        cg_meet_set_place(meet, side, touch_tissue(meet, side), meet->items[side] / 3);
        meet->weights[side][corner] = 1 - shares[side];
        meet->weights[side][(corner + 1) % 3] = shares[side];
    }
    meet->point[0] = closest.a;
    meet->gap = sqrt(closest.squared_distance);
    meet->axes[0] = v3_unit_or(v3_sub(closest.a, closest.b), v3_zero());
}

static void place_node(const cg_meet_set *set, cg_touch *meet, int side)
{
    const cg_meet_body *of_node = set->bodies[touch_tissue(meet, side)],
                       *of_face = set->bodies[touch_tissue(meet, 1 - side)];
    int node = meet->items[side], triangle = meet->items[1 - side], at = of_node->tissue->mesh->first_triangle[node];
    const int *nodes = meet_triangle(of_face, triangle);
    const cg_vec3 *x = of_face->tissue->mesh->position;
    const cg_vec3 corners[3] = {x[nodes[0]], x[nodes[1]], x[nodes[2]]};
    cg_triangle_closest closest = cg_closest_point_triangle(of_node->tissue->mesh->position[node], corners);
    meet->weights[side][at % 3] = 1;
    for (int k = 0; k < 3; k++) {
        meet->weights[1 - side][k] = closest.weights[k];
    }
    cg_meet_set_place(meet, side, touch_tissue(meet, side), at / 3);
    cg_meet_set_place(meet, 1 - side, touch_tissue(meet, 1 - side), triangle);
    meet->point[0] = side == 0 ? closest.point : closest.on_triangle;
    meet->gap = sqrt(closest.squared_distance);
    cg_vec3 n = v3_unit_or(v3_sub(closest.point, closest.on_triangle), v3_zero());
    meet->axes[0] = side == 0 ? n : v3_neg(n);
}

static bool is_edges(cg_meet_kind kind)
{
    return kind == CG_MEET_EDGES || kind == CG_MEET_STOPPED_EDGES;
}

static double ramp(double value, double from, double to)
{
    return within((value - from) / (to - from), 0, 1);
}

// Sheets: how far the two places are at home from each other, beside the thickness.
static double facing_of_sheets(const cg_meet_set *set, const cg_touch *meet)
{
    if (touch_tissue(meet, 0) != touch_tissue(meet, 1)) {
        return 1;
    }
    cg_vec3 apart = v3_zero();
    for (int side = 0; side < 2; side++) {
        const cg_meet_body *body = set->bodies[touch_tissue(meet, side)];
        for (int k = 0; k < 3; k++) {
            cg_vec3 home = body->tissue->mesh->home[meet_triangle(body, touch_triangle(meet, side))[k]];
            apart = v3_add_scaled(apart, (side ? -1 : 1) * meet->weights[side][k], home);
        }
    }
    return ramp(v3_length(apart), 1.5 * meet->radius, 2 * meet->radius);
}

// How well a surface looks at something with the normal `other`, from 0 to 1: between its corners, of each of them the
// triangle there that looks best. A triangle alone would not do: where a place is on the edge of two, either may be
// taken, and the force would jump.
static double looks_at(const cg_meet_body *body, int triangle, const double weights[3], cg_vec3 other)
{
    const cg_mesh *mesh = body->tissue->mesh;
    double sum = 0, least = ramp(-v3_dot(normal_of_triangle(body, triangle), other), 0, 0.2);
    if (least == 1) {
        return 1; // mostly: each corner has this triangle
    }
    for (int k = 0; k < 3; k++) {
        double best = least;
        int node = meet_triangle(body, triangle)[k];
        for (int at = mesh->first_triangle[node]; at >= 0 && weights[k] != 0 && best < 1;
             at = mesh->next_triangle[at]) {
            double look = ramp(-v3_dot(normal_of_triangle(body, at / 3), other), 0, 0.2);
            best = look > best ? look : best;
        }
        sum += weights[k] * best;
    }
    return within(sum, 0, 1);
}

static void set_facing(cg_meet_set *set, cg_touch *meet)
{
    cg_meet_body *a = set->bodies[touch_tissue(meet, 0)], *b = set->bodies[touch_tissue(meet, 1)];
    if (!a->is_solid || !b->is_solid) {
        meet->facing = facing_of_sheets(set, meet);
        if (meet->gap == 0) {
            meet->axes[0] = normal_of_triangle(b, touch_triangle(meet, 1));
        }
        return;
    }
    bool has_edges = is_edges(meet->what);
    cg_vec3 normals[2];
    for (int side = 0; side < 2; side++) {
        cg_meet_body *body = side ? b : a;
        normals[side] = has_edges ? normal_of_edge(body, meet->items[side])
                                  : normal_at(body, touch_triangle(meet, side), meet->weights[side], set->round);
    }
    if (meet->gap == 0) {
        meet->axes[0] = v3_unit_or(v3_sub(normals[1], normals[0]), v3_zero());
    }
    double out = v3_dot(meet->axes[0], normals[1]), in = -v3_dot(meet->axes[0], normals[0]);
    meet->facing = ramp(out < in ? out : in, 0.15, 0.35);
    if (meet->facing > 0) {
        int face = 1 - meet_node_side(meet->what);
        meet->facing *=
            has_edges ? ramp(-v3_dot(normals[0], normals[1]), 0, 0.2)
                      : looks_at(face ? b : a, touch_triangle(meet, face), meet->weights[face], normals[1 - face]);
    }
}

cg_touch cg_meet_of(cg_meet_set *set, const cg_meet_group *group, cg_meet_kind kind, const int items[2])
{
    const cg_meet_body *a = set->bodies[group->tissues[0]], *b = set->bodies[group->tissues[1]];
    cg_touch meet = {.kind = CG_MEET_ROW, .part = 1, .facing = 1, .what = kind, .items = {items[0], items[1]}};
    touch_set_place(&meet, 0, group->tissues[0], 0);
    touch_set_place(&meet, 1, group->tissues[1], 0);
    if (is_edges(kind)) {
        place_edges(set, &meet);
    } else {
        place_node(set, &meet, meet_node_side(kind));
    }
    meet.radius = 0.5 * (cg_tissue_surface_thickness(a->surface, touch_triangle(&meet, 0), meet.weights[0]) +
                         cg_tissue_surface_thickness(b->surface, touch_triangle(&meet, 1), meet.weights[1]));
    meet.friction = sqrt(a->surface->friction * b->surface->friction);
    set_facing(set, &meet);
    meet.point[1] = v3_add_scaled(meet.point[0], -meet.gap, meet.axes[0]);
    return meet;
}

// Distances

// [m] how far the two tissues of a group may come nearer in this step, about.
static double approach_of(const cg_meet_set *set, const cg_meet_group *group)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        const cg_tissue *tissue = set->bodies[group->tissues[side]]->tissue;
        sum += tissue->time_step * cg_tissue_fastest(tissue);
    }
    return sum;
}

static cg_meet_nearest *nearest_of(const cg_meet_set *set, const cg_meet_group *group, int side, int node)
{
    cg_meet_nearest *nearest = &set->bodies[group->tissues[side]]->nearest[node];
    int number = (int)(group - set->groups);
    if (nearest->round != set->round || nearest->group != number) {
        *nearest = (cg_meet_nearest){INFINITY, INFINITY, -1, -1, number, set->round};
    }
    return nearest;
}

// Notes where the nodes of a group had their places in the last step.
static void note_held(cg_meet_set *set, const cg_meet_group *group)
{
    for (int i = 0; i < set->before_count; i++) {
        const cg_touch *meet = &set->before[i];
        bool is_here = touch_tissue(meet, 0) == group->tissues[0] && touch_tissue(meet, 1) == group->tissues[1];
        if (is_here && (meet->what == CG_MEET_NODE || meet->what == CG_MEET_NODE_BACK)) {
            int side = meet_node_side(meet->what);
            nearest_of(set, group, side, meet->items[side])->held = meet->items[1 - side];
        }
    }
}

// True when the nearest point of its triangle is not on the edge: the surface beyond it is no nearer.
static bool is_inside(const cg_touch *meet, int face)
{
    const double *w = meet->weights[face];
    return w[0] > 0 && w[1] > 0 && w[2] > 0;
}

// The nearest place that each node faces; of equally near ones that of the lowest triangle. The place of the last step
// counts as a little nearer than it is: a node in a valley would go to and fro between its sides for ever. Not on the
// edge of its triangle: the node slides on to the next one, and must not be held back by this one.
static void find_nearest(cg_meet_set *set, const cg_meet_group *group, double reach)
{
    for (int i = group->first_candidate; i < group->first_candidate + group->candidate_count; i++) {
        cg_meet_candidate *candidate = &set->candidates[i];
        candidate->carries = false;
        if (candidate->kind == CG_MEET_EDGES || !(candidate->distance < reach)) {
            continue;
        }
        int side = meet_node_side(candidate->kind), triangle = candidate->items[1 - side];
        cg_meet_nearest *nearest = nearest_of(set, group, side, candidate->items[side]);
        bool is_held = triangle == nearest->held;
        if (!is_held && candidate->distance > nearest->rank) {
            continue; // mostly: it does without the rest
        }
        cg_touch meet = cg_meet_of(set, group, candidate->kind, candidate->items);
        double rank = meet.gap * (is_held && is_inside(&meet, 1 - side) ? 1 - HELD : 1);
        bool is_first = rank < nearest->rank ||
                        (rank == nearest->rank && triangle < set->candidates[nearest->candidate].items[1 - side]);
        if (is_first && meet.facing > 0) {
            nearest->rank = rank;
            nearest->distance = meet.gap;
            nearest->candidate = i;
        }
    }
}

static void add_meet(cg_meet_set *set, const cg_touch *meet)
{
    if (set->count == set->capacity) {
        set->lost++;
        return;
    }
    set->meets[set->count++] = *meet;
}

// In the order of their numbers.
static void add_nodes(cg_meet_set *set, const cg_meet_group *group, cg_meet_kind kind)
{
    int side = meet_node_side(kind), number = (int)(group - set->groups);
    const cg_meet_body *body = set->bodies[group->tissues[side]];
    for (int i = 0; i < body->tissue->mesh->node_count; i++) {
        const cg_meet_nearest *nearest = &body->nearest[i];
        if (nearest->round != set->round || nearest->group != number || nearest->candidate < 0 ||
            set->candidates[nearest->candidate].kind != kind) {
            continue;
        }
        cg_meet_candidate *candidate = &set->candidates[nearest->candidate];
        cg_touch meet = cg_meet_of(set, group, kind, candidate->items);
        candidate->carries = true;
        candidate->thickness = meet.radius;
        add_meet(set, &meet);
    }
}

static uint64_t order_of(const cg_touch *meet)
{
    return (uint64_t)meet->items[0] << 32 | (uint64_t)meet->items[1];
}

static void sort_meets(cg_touch *meets, int count)
{
    for (int gap = count / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < count; i++) {
            cg_touch meet = meets[i];
            int k = i;
            for (; k >= gap && order_of(&meets[k - gap]) > order_of(&meet); k -= gap) {
                meets[k] = meets[k - gap];
            }
            meets[k] = meet;
        }
    }
}

// The nearest that an end of an edge is to anything it faces.
static double nearest_end(const cg_meet_set *set, const cg_meet_group *group, int side, int edge)
{
    int ends[2];
    meet_edge(set->bodies[group->tissues[side]], edge, ends);
    double first = nearest_of(set, group, side, ends[0])->distance;
    double second = nearest_of(set, group, side, ends[1])->distance;
    return first < second ? first : second;
}

// Edges count by as much as they are nearer to each other than their ends are to anything, up to the thickness: what is
// farther away is not always known, and must not matter.
static void set_part(cg_touch *meet, double nearest)
{
    double d = meet->radius, room = fmax(d - meet->gap, LEAST_ROOM * d);
    double nearer = fmin(nearest, d) - meet->gap;
    bool is_apart = meet->gap >= d;
    meet->part = is_apart ? 1 : within(nearer / room, 0, 1);
    meet->growth = is_apart ? 0 : (room > LEAST_ROOM * d ? 1 - meet->part : 1) * d / room;
}

static void add_edges(cg_meet_set *set, const cg_meet_group *group, double reach)
{
    int first = set->count;
    for (int i = group->first_candidate; i < group->first_candidate + group->candidate_count; i++) {
        cg_meet_candidate *candidate = &set->candidates[i];
        if (candidate->kind != CG_MEET_EDGES || !(candidate->distance < reach)) {
            continue;
        }
        double a = nearest_end(set, group, 0, candidate->items[0]);
        double b = nearest_end(set, group, 1, candidate->items[1]), nearest = a < b ? a : b;
        if (!(candidate->distance < nearest)) {
            continue; // mostly: it does without the rest
        }
        cg_touch meet = cg_meet_of(set, group, CG_MEET_EDGES, candidate->items);
        set_part(&meet, nearest);
        if (meet.facing > 0 && meet.part > 0) {
            candidate->carries = true;
            candidate->thickness = meet.radius;
            add_meet(set, &meet);
        }
    }
    sort_meets(set->meets + first, set->count - first);
}

// What stopped a motion and does not push anyway.
static void add_stops(cg_meet_set *set, const cg_meet_group *group)
{
    for (int i = 0; i < set->stop_count; i++) {
        const cg_meet_stop *stop = &set->stops[i];
        if (stop->tissues[0] != group->tissues[0] || stop->tissues[1] != group->tissues[1]) {
            continue;
        }
        cg_meet_kind plain = meet_plain_kind(stop->kind);
        int candidate = cg_meet_candidate_of(set, (int)(group - set->groups), plain, stop->items);
        if (candidate < 0 || !(set->candidates[candidate].distance < stop->thickness)) {
            continue;
        }
        int side = meet_node_side(plain);
        if (plain != CG_MEET_EDGES && nearest_of(set, group, side, stop->items[side])->candidate == candidate) {
            continue;
        }
        cg_touch meet = cg_meet_of(set, group, stop->kind, stop->items);
        meet.radius = stop->thickness;
        meet.facing = 1;
        set->candidates[candidate].carries = true;
        set->candidates[candidate].thickness = stop->thickness;
        add_meet(set, &meet);
    }
}

static void drop_stops(cg_meet_set *set)
{
    int kept = 0;
    for (int i = 0; i < set->stop_count; i++) {
        const cg_meet_stop *stop = &set->stops[i];
        bool is_near = false;
        for (int g = 0; g < set->group_count && !is_near; g++) {
            const cg_meet_group *group = &set->groups[g];
            if (stop->tissues[0] == group->tissues[0] && stop->tissues[1] == group->tissues[1]) {
                cg_meet_kind plain = meet_plain_kind(stop->kind);
                int candidate = cg_meet_candidate_of(set, g, plain, stop->items);
                is_near = candidate >= 0 && set->candidates[candidate].distance < stop->thickness;
            }
        }
        if (is_near) {
            set->stops[kept++] = *stop;
        }
    }
    set->stop_count = kept;
}

void cg_meet_place(cg_meet_set *set)
{
    assert(set->group_count >= 0);
    drop_stops(set);
    for (int g = 0; g < set->group_count; g++) {
        cg_meet_group *group = &set->groups[g];
        const cg_meet_body *a = set->bodies[group->tissues[0]], *b = set->bodies[group->tissues[1]];
        double reach = 0.5 * (a->surface->thickness + b->surface->thickness) + approach_of(set, group);
        group->first_meet = set->count;
        note_held(set, group);
        find_nearest(set, group, reach);
        add_nodes(set, group, CG_MEET_NODE);
        if (a != b) {
            add_nodes(set, group, CG_MEET_NODE_BACK);
        }
        add_edges(set, group, reach);
        add_stops(set, group);
        group->meet_count = set->count - group->first_meet;
    }
}
