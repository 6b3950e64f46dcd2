// Places where chains touch a surface. See skin_contacts.h for what counts.
#include "collide/skin_contacts.h"

#include <math.h>

#include "geometry/box.h"
#include "geometry/closest.h"
#include "geometry/triangle.h"

// Shares and weights nearer than this to 0 or 1 are there.
static const double END = 1e-9;
// [radii] Nearer than this the direction is that of the surface.
static const double TOUCHING = 1e-6;

void cg_skin_contact_list_layout(cg_skin_contact_list *list, int capacity, cg_arena *arena)
{
    *list = (cg_skin_contact_list){.capacity = capacity};
    list->items = cg_arena_push_array(arena, cg_skin_contact, capacity);
}

typedef struct finding {
    const cg_skin_surface *surface;
    const cg_chain *chains;
    const cg_skin_memory *memory;
    double reach; // [radii]
    cg_skin_contact_list *found;
    int first; // contact of the segment under way
} finding;

static cg_vec3 place_of(const finding *f, int node)
{
    return f->surface->positions[node];
}

static const int *corners_of(const finding *f, int triangle)
{
    return f->surface->tree->corners[triangle];
}

static cg_vec3 normal_of(const finding *f, int triangle)
{
    const int *n = corners_of(f, triangle);
    const cg_vec3 corners[3] = {place_of(f, n[0]), place_of(f, n[1]), place_of(f, n[2])};
    return v3_unit_or(triangle_normal(corners), v3_zero());
}

// The corner (3 triangle + k) from which another triangle passes the edge that `triangle` passes from its corner k; -1:
// none does.
static int twin_of(const finding *f, int triangle, int k)
{
    const cg_sphere_tree *tree = f->surface->tree;
    int from = tree->corners[triangle][k], to = tree->corners[triangle][(k + 1) % 3];
    for (int at = tree->first_corner[to]; at >= 0; at = tree->next_corner[at]) {
        if (at / 3 != triangle && tree->corners[at / 3][(at % 3 + 1) % 3] == from) {
            return at;
        }
    }
    return -1;
}

// Unit, from an edge of a triangle into it, across the edge.
static cg_vec3 into_triangle(const finding *f, int triangle, int k)
{
    const int *n = corners_of(f, triangle);
    cg_vec3 a = place_of(f, n[k]), along = v3_unit_or(v3_sub(place_of(f, n[(k + 1) % 3]), a), v3_zero());
    cg_vec3 in = v3_sub(place_of(f, n[(k + 2) % 3]), a);
    return v3_unit_or(v3_add_scaled(in, -v3_dot(in, along), along), v3_zero());
}

// What surrounds an edge or a node, seen along a direction.
typedef struct surroundings {
    cg_vec3 outward; // sum of the normals around it
    double steepest; // the largest n . m over the directions that lead away from it
    bool stands_out; // it is not flat
} surroundings;

static surroundings around_edge(const finding *f, int triangle, int k, cg_vec3 n)
{
    int twin = twin_of(f, triangle, k);
    cg_vec3 here = into_triangle(f, triangle, k);
    surroundings around = {normal_of(f, triangle), v3_dot(n, here), true};
    if (twin >= 0) {
        cg_vec3 there = into_triangle(f, twin / 3, twin % 3);
        around.outward = v3_add(around.outward, normal_of(f, twin / 3));
        around.steepest = fmax(around.steepest, v3_dot(n, there));
        // Both lean away from the outward direction by half of the fold.
        cg_vec3 out = v3_unit_or(around.outward, v3_zero());
        double fold = v3_dot(out, v3_add(here, there));
        around.stands_out = f->surface->is_solid ? fold < -CG_SKIN_FLAT : fabs(fold) > CG_SKIN_FLAT;
    }
    return around;
}

static surroundings around_node(const finding *f, int node, cg_vec3 n)
{
    const cg_sphere_tree *tree = f->surface->tree;
    surroundings around = {v3_zero(), -1, false};
    double sum = 0;
    int edges = 0;
    for (int at = tree->first_corner[node]; at >= 0; at = tree->next_corner[at]) {
        around.outward = v3_add(around.outward, normal_of(f, at / 3));
        for (int k = 1; k < 3; k++) {
            cg_vec3 other = place_of(f, tree->corners[at / 3][(at % 3 + k) % 3]);
            double lean = v3_dot(n, v3_unit_or(v3_sub(other, place_of(f, node)), v3_zero()));
            around.steepest = fmax(around.steepest, lean);
            sum += lean;
            edges++;
        }
    }
    around.stands_out = sum < -0.5 * CG_SKIN_FLAT * edges;
    return around;
}

// The triangle that a node belongs to, as 3 triangle + corner.
static int first_corner_at(const finding *f, int node)
{
    const cg_sphere_tree *tree = f->surface->tree;
    int first = tree->first_corner[node];
    for (int at = first; at >= 0; at = tree->next_corner[at]) {
        first = at < first ? at : first;
    }
    return first;
}

// An edge is looked at from the triangle that it belongs to.
static bool owns_edge(const finding *f, int triangle, int k)
{
    const int *n = corners_of(f, triangle);
    return n[k] < n[(k + 1) % 3] || twin_of(f, triangle, k) < 0;
}

static bool is_out(const finding *f, cg_vec3 normal, cg_vec3 outward)
{
    return !f->surface->is_solid || v3_dot(normal, outward) > 0;
}

// Keeps the contacts of a segment in the order of features; one that is known already is not added.
static void add_contact(finding *f, const cg_skin_contact *contact)
{
    cg_skin_contact_list *found = f->found;
    int at = found->count;
    for (; at > f->first && found->items[at - 1].feature >= contact->feature; at--) {
        if (found->items[at - 1].feature == contact->feature) {
            return;
        }
    }
    if (found->count == found->capacity) {
        found->lost++;
        return;
    }
    for (int k = found->count++; k > at; k--) {
        found->items[k] = found->items[k - 1];
    }
    found->items[at] = *contact;
}

// Vertices

// The corner that a point of a triangle is at, or 3 + the corner from which the edge starts that it is on, or 6.
static int part_of_triangle(const double weights[3])
{
    for (int k = 0; k < 3; k++) {
        if (weights[k] > 1 - END) {
            return k;
        }
    }
    for (int k = 0; k < 3; k++) {
        if (weights[(k + 2) % 3] < END) {
            return 3 + k;
        }
    }
    return 6;
}

// True when the place counts as one of a vertex: on a face, or where the surface is flat. `triangle` becomes the one
// that it belongs to.
static bool is_vertex_place(const finding *f, int *triangle, double weights[3], cg_vec3 n, cg_vec3 *outward)
{
    int part = part_of_triangle(weights);
    if (part == 6) {
        *outward = normal_of(f, *triangle);
        return true;
    }
    if (part >= 3) {
        if (!owns_edge(f, *triangle, part - 3)) {
            return false;
        }
        surroundings around = around_edge(f, *triangle, part - 3, n);
        *outward = around.outward;
        return !around.stands_out && around.steepest <= END;
    }
    int node = corners_of(f, *triangle)[part], owner = first_corner_at(f, node);
    surroundings around = around_node(f, node, n);
    *outward = around.outward;
    *triangle = owner / 3;
    for (int k = 0; k < 3; k++) {
        weights[k] = k == owner % 3;
    }
    return !around.stands_out && around.steepest <= END;
}

static void look_at_vertex(finding *f, const cg_skin_pair *pair, bool is_last)
{
    const cg_chain *chain = &f->chains[pair->chain];
    cg_vec3 x = chain->points[pair->segment + is_last];
    const int *n = corners_of(f, pair->triangle);
    const cg_vec3 corners[3] = {place_of(f, n[0]), place_of(f, n[1]), place_of(f, n[2])};
    cg_triangle_closest at = cg_closest_point_triangle(x, corners);
    double distance = sqrt(at.squared_distance);
    if (!(distance - chain->radius < f->reach * cg_skin_counted(chain->radius))) {
        return;
    }
    cg_vec3 face = v3_unit_or(triangle_normal(corners), v3_zero()), outward;
    cg_vec3 normal = distance > TOUCHING * chain->radius ? v3_scale(1 / distance, v3_sub(x, at.on_triangle)) : face;
    int triangle = pair->triangle;
    if (!is_vertex_place(f, &triangle, at.weights, normal, &outward) || !is_out(f, normal, outward)) {
        return;
    }
    add_contact(f, &(cg_skin_contact){.chain = pair->chain,
                                      .segment = pair->segment,
                                      .t = is_last,
                                      .feature = 8 * triangle + (is_last ? CG_SKIN_LAST_FACE : CG_SKIN_FACE),
                                      .weights = {at.weights[0], at.weights[1], at.weights[2]},
                                      .point = x,
                                      .surface = at.on_triangle,
                                      .normal = normal,
                                      .gap = distance - chain->radius});
}

// Segments

// True when no other segment that can touch begins where this one ends.
static bool is_last_seen(const cg_chain *chain, int segment)
{
    return segment + 2 == chain->count || is_hidden(chain, segment + 1);
}

// True when the distance is least there along the chain.
static bool is_least_along(const cg_chain *chain, int segment, double t, cg_vec3 normal)
{
    if (t <= END) {
        return segment == 0 || is_hidden(chain, segment - 1);
    }
    if (t < 1 - END || is_last_seen(chain, segment)) {
        return true;
    }
    return v3_dot(normal, v3_sub(chain->points[segment + 2], chain->points[segment + 1])) >= 0;
}

// Names the place and says whether it counts: least over the surface, standing out or held, on the right side.
static bool is_edge_place(const finding *f, cg_skin_contact *contact, int triangle, int k, double along)
{
    bool is_node = along < END || along > 1 - END;
    int corner = is_node ? (along < 0.5 ? k : (k + 1) % 3) : k, node = corners_of(f, triangle)[corner];
    int owner = is_node ? first_corner_at(f, node) : 3 * triangle + k;
    contact->feature = 8 * (owner / 3) + (is_node ? CG_SKIN_NODE : CG_SKIN_EDGE) + owner % 3;
    bool is_held =
        f->memory && f->memory->carried(f->memory->context, contact->chain, contact->segment, contact->feature);
    surroundings around =
        is_node ? around_node(f, node, contact->normal) : around_edge(f, triangle, k, contact->normal);
    for (int c = 0; c < 3; c++) {
        contact->weights[c] = is_node ? c == owner % 3 : (c == k ? 1 - along : (c == (k + 1) % 3 ? along : 0));
    }
    return around.steepest <= (is_held ? CG_SKIN_HOLD : END) && (is_held || around.stands_out) &&
           is_out(f, contact->normal, around.outward);
}

static void look_at_edge(finding *f, const cg_skin_pair *pair, int k)
{
    const cg_chain *chain = &f->chains[pair->chain];
    const cg_vec3 *ends = chain->points + pair->segment;
    const int *n = corners_of(f, pair->triangle);
    cg_closest at = cg_closest_segments(ends[0], ends[1], place_of(f, n[k]), place_of(f, n[(k + 1) % 3]));
    double most = chain->radius + f->reach * cg_skin_counted(chain->radius);
    if (!(at.squared_distance < most * most)) {
        return;
    }
    double distance = sqrt(at.squared_distance);
    if (distance < TOUCHING * chain->radius) {
        return; // no direction to be had
    }
    cg_skin_contact contact = {.chain = pair->chain,
                               .segment = pair->segment,
                               .t = at.s,
                               .point = at.a,
                               .surface = at.b,
                               .normal = v3_scale(1 / distance, v3_sub(at.a, at.b)),
                               .gap = distance - chain->radius};
    if (is_least_along(chain, pair->segment, at.s, contact.normal) &&
        is_edge_place(f, &contact, pair->triangle, k, at.t)) {
        add_contact(f, &contact);
    }
}

// Whether segment and triangle can be near enough, by the boxes around them: lists reach much farther than contacts do.
static bool can_touch(const finding *f, const cg_skin_pair *pair)
{
    const cg_chain *chain = &f->chains[pair->chain];
    const int *n = corners_of(f, pair->triangle);
    const cg_vec3 corners[3] = {place_of(f, n[0]), place_of(f, n[1]), place_of(f, n[2])};
    double most = chain->radius + f->reach * cg_skin_counted(chain->radius);
    cg_box box = box_of(corners, 3), around = box_grown(box_of(chain->points + pair->segment, 2), (1 + 1e-9) * most);
    return boxes_meet(&box, &around);
}

static void look_at_pair(finding *f, const cg_skin_pair *pair)
{
    look_at_vertex(f, pair, false);
    if (is_last_seen(&f->chains[pair->chain], pair->segment)) {
        look_at_vertex(f, pair, true);
    }
    for (int k = 0; k < 3; k++) {
        if (owns_edge(f, pair->triangle, k)) {
            look_at_edge(f, pair, k);
        }
    }
}

bool cg_skin_contacts_find(const cg_skin_surface *surface, const cg_chain *chains, const cg_skin_pairs *pairs,
                           double moved, double reach, const cg_skin_memory *memory, cg_skin_contact_list *found)
{
    finding f = {surface, chains, memory, reach, found, 0};
    found->count = found->lost = 0;
    for (int i = 0; i < pairs->count; i++) {
        const cg_skin_pair *pair = &pairs->items[i], *last = i > 0 ? pair - 1 : NULL;
        if (!last || last->chain != pair->chain || last->segment != pair->segment) {
            f.first = found->count;
        }
        double radius = chains[pair->chain].radius;
        if (pair->distance - moved < radius + reach * cg_skin_counted(radius) &&
            !is_hidden(&chains[pair->chain], pair->segment) && can_touch(&f, pair)) {
            look_at_pair(&f, pair);
        }
    }
    return found->lost == 0;
}
