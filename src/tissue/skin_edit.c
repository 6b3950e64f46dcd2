// Holes and tears in a skin, as mass-spring trainers make them (VTE 3.3, 3.4, B.1.1).
//
// Where a skin is pierced the triangle is split in three at the hole, and each side of it in two: the new node of a
// side lies at 3/8 of its two ends and 1/8 of the two nodes opposite, the edge mask of Loop, which draws it away from
// the hole, so that no triangle is too thin. A side between two parts of the surface, such as a top and a groove, stays
// an edge: its new node is in the middle. New edges have 0.9 of their length as the natural one and the stiffness k
// l_max / l, from k to 4 k, with k and l_max those that the skin was made with.
#include <math.h>

#include "base/vec3.h"
#include "geometry/triangle.h"
#include "tissue/tissue.h"

static const double NATURAL = 0.9;
// [weight] A hole is a node when it is as near to it, and no nearer to a side than this.
static const double AT_NODE = 0.9, FROM_SIDE = 0.08;
// [weight] Rounding of a point that is a node.
static const double IS_NODE = 1 - 1e-6;
// How many times a tear is tried, farther each time: where it would end the walls of its groove may be no triangles.
enum { MOST_TRIES = 4 };
static const double FARTHER = 1.4;

static cg_mesh_wall wall_of(const cg_tissue *tissue)
{
    return (cg_mesh_wall){NATURAL, tissue->firmness, tissue->longest};
}

// --- nodes and points ---

bool cg_tissue_is_node_weight(double weight)
{
    return weight >= IS_NODE;
}

int cg_tissue_node_of_point(const cg_tissue *tissue, const cg_mesh_point *point)
{
    for (int k = 0; k < 3; k++) {
        if (cg_tissue_is_node_weight(point->weights[k])) {
            return tissue->mesh->triangles[point->triangle].nodes[k];
        }
    }
    return -1;
}

cg_mesh_point cg_tissue_point_of_node(const cg_tissue *tissue, int node, cg_vec3 direction)
{
    const cg_mesh *mesh = tissue->mesh;
    cg_mesh_point best = {.triangle = -1};
    double most = -HUGE_VAL;
    for (int at = mesh->first_triangle[node]; at >= 0; at = mesh->next_triangle[at]) {
        const int *n = mesh->triangles[at / 3].nodes;
        const cg_vec3 corners[3] = {mesh->home[n[0]], mesh->home[n[1]], mesh->home[n[2]]};
        double looks = v3_dot(direction, v3_unit_or(triangle_normal(corners), v3_zero()));
        if (looks > most) {
            most = looks;
            best = (cg_mesh_point){.triangle = at / 3};
            best.weights[at % 3] = 1;
        }
    }
    return best;
}

bool cg_tissue_follow_node_point(const cg_tissue *tissue, const cg_mesh_numbers *numbers, cg_mesh_point *point)
{
    const cg_vec3 *home = tissue->mesh->home;
    const int *n = numbers->corner_now[point->triangle];
    int node = -1;
    for (int k = 0; k < 3; k++) {
        node = cg_tissue_is_node_weight(point->weights[k]) ? n[k] : node;
    }
    if (node < 0 || tissue->mesh->first_triangle[node] < 0) {
        return false;
    }
    cg_vec3 outside = v3_zero();
    if (n[0] >= 0 && n[1] >= 0 && n[2] >= 0) {
        const cg_vec3 corners[3] = {home[n[0]], home[n[1]], home[n[2]]};
        outside = triangle_normal(corners);
    }
    *point = cg_tissue_point_of_node(tissue, node, outside);
    return true;
}

// --- holes ---

static cg_vec3 mask_of(const cg_vec3 *places, int a, int b, int c, int d)
{
    cg_vec3 ends = v3_add(places[a], places[b]), others = v3_add(places[c], places[d]);
    return v3_add(v3_scale(3.0 / 8, ends), v3_scale(1.0 / 8, others));
}

// The side from a to b of a triangle that was split at `hole`. The new node stays on the side, as it lies now, while
// something is near.
static bool split_side(cg_mesh *mesh, int a, int b, int hole, cg_mesh_side side, bool is_crowded, int *node)
{
    int other = cg_mesh_triangle_across(mesh, a, b);
    bool is_smooth = other >= 0 && mesh->triangles[other].side == side;
    int d = is_smooth ? mesh->triangles[other].nodes[0] + mesh->triangles[other].nodes[1] +
                            mesh->triangles[other].nodes[2] - a - b
                      : -1;
    if (cg_mesh_split_edge(mesh, a, b, 0.5, node).code != CG_OK) {
        return false;
    }
    if (is_smooth && !mesh->fixed[*node]) {
        mesh->home[*node] = mask_of(mesh->home, a, b, hole, d);
        if (!is_crowded) {
            mesh->position[*node] = mask_of(mesh->position, a, b, hole, d);
        }
    }
    return true;
}

static void set_new_edges(const cg_tissue *tissue, int node)
{
    const cg_mesh_wall wall = wall_of(tissue);
    cg_mesh *mesh = tissue->mesh;
    for (int at = mesh->first_link[node]; at >= 0; at = mesh->next_link[at]) {
        cg_mesh_link *link = &mesh->links[at / 2];
        double length = v3_distance(mesh->home[link->ends[0]], mesh->home[link->ends[1]]);
        double before = link->stiffness;
        link->rest = NATURAL * length;
        link->own = link->stiffness = cg_mesh_wall_stiffness(&wall, length);
        link->strength *= before > 0 ? link->stiffness / before : 1;
    }
}

static bool has_room_for_hole(const cg_mesh *mesh)
{
    return mesh->node_count + 4 <= mesh->limits.nodes && mesh->link_count + 12 <= mesh->limits.links &&
           mesh->triangle_count + 8 <= mesh->limits.triangles;
}

static void keep_from_sides(cg_mesh_point *point)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        point->weights[k] = fmax(point->weights[k], FROM_SIDE);
        sum += point->weights[k];
    }
    for (int k = 0; k < 3; k++) {
        point->weights[k] /= sum;
    }
}

// Splits the triangle and its sides. False when the mesh is full, and what was done then stays.
static bool split_around(cg_tissue *tissue, const cg_mesh_point *point, bool is_crowded, cg_skin_hole *hole)
{
    cg_mesh *mesh = tissue->mesh;
    const cg_mesh_triangle pierced = mesh->triangles[point->triangle];
    int node, sides[3] = {-1, -1, -1};
    cg_mesh_patch_note(mesh, point->triangle, &hole->patch);
    bool is_split = cg_mesh_split_triangle(mesh, *point, &node).code == CG_OK;
    for (int k = 0; k < 3 && is_split; k++) {
        is_split =
            split_side(mesh, pierced.nodes[k], pierced.nodes[(k + 1) % 3], node, pierced.side, is_crowded, &sides[k]);
    }
    for (int k = 0; k < 4 && is_split; k++) {
        set_new_edges(tissue, k < 3 ? sides[k] : node);
    }
    if (is_split) {
        cg_mesh_patch_split(mesh, node, sides, &hole->patch);
    }
    return is_split;
}

bool cg_tissue_pierce_skin(cg_tissue *tissue, cg_mesh_point *point, bool is_crowded)
{
    cg_mesh *mesh = tissue->mesh;
    const cg_mesh_triangle pierced = mesh->triangles[point->triangle];
    const cg_vec3 corners[3] = {mesh->home[pierced.nodes[0]], mesh->home[pierced.nodes[1]],
                                mesh->home[pierced.nodes[2]]};
    cg_vec3 outside = v3_unit_or(triangle_normal(corners), v3_zero());
    cg_skin_hole hole = cg_tissue_hole_at(-1);
    for (int k = 0; k < 3; k++) {
        hole = point->weights[k] >= AT_NODE ? cg_tissue_hole_at(pierced.nodes[k]) : hole;
    }
    if (hole.patch.nodes[CG_PATCH_HOLE] < 0) {
        if (!has_room_for_hole(mesh)) {
            return false;
        }
        cg_tissue_adapt(tissue);
        keep_from_sides(point);
        hole.is_split = split_around(tissue, point, is_crowded, &hole);
        cg_tissue_adapt(tissue);
        if (!hole.is_split) {
            return false;
        }
    }
    cg_tissue_pierce_node(tissue, hole.patch.nodes[CG_PATCH_HOLE], true);
    cg_tissue_note_hole(tissue, &hole);
    *point = cg_tissue_point_of_node(tissue, hole.patch.nodes[CG_PATCH_HOLE], outside);
    return true;
}

// --- tears ---

// From the end of one way, which begins at the first node, back to it, and on along the other: one way from end to end.
static bool join_ways(const cg_mesh_way ways[2], bool is_met, cg_mesh_way *way)
{
    way->count = 0;
    for (int i = ways[0].count - 1; i >= 0; i--) {
        way->nodes[way->count++] = ways[0].nodes[i];
    }
    for (int i = 0; i < ways[1].count - is_met && way->count < CG_WAY_MOST; i++) {
        way->nodes[way->count++] = ways[1].nodes[i];
    }
    return way->count < CG_WAY_MOST;
}

// Both ways ahead, through to where they meet if the tissue ends before them.
static cg_walk_end walk_both(cg_mesh *mesh, const cg_mesh_section *section, const int nodes[2], cg_mesh_way ways[2],
                             bool *is_met)
{
    cg_walk_end ends[2];
    bool turns = false;
    *is_met = false;
    for (int k = 0; k < 2; k++) {
        ways[k] = (cg_mesh_way){.count = 1, .nodes = {nodes[k]}};
        ends[k] = cg_mesh_walk_ahead(mesh, section, &ways[k]);
        turns = turns || ends[k] == CG_WALK_TURNED;
    }
    if (ends[0] == CG_WALK_LOST || ends[1] == CG_WALK_LOST) {
        return CG_WALK_LOST;
    }
    if (turns || ways[0].nodes[ways[0].count - 1] == ways[1].nodes[ways[1].count - 1]) {
        *is_met = true;
        return cg_mesh_walk_to(mesh, section, ways[0].nodes[ways[0].count - 1], &ways[1]);
    }
    return CG_WALK_ARRIVED;
}

static cg_skin_tear try_to_tear(cg_tissue *tissue, const cg_mesh_section *section, int nodes[2])
{
    cg_mesh *mesh = tissue->mesh;
    const cg_mesh_wall wall = wall_of(tissue);
    cg_mesh_way ways[2], way;
    bool is_met, is_begun = cg_mesh_find_link(mesh, nodes[0], nodes[1]) >= 0;
    if (walk_both(mesh, section, nodes, ways, &is_met) == CG_WALK_LOST || !join_ways(ways, is_met, &way)) {
        return CG_SKIN_HOLDS;
    }
    // A way that meets itself goes around, from the second node over both ways to the first.
    int seam = ways[0].count - 1;
    if (is_met) {
        cg_mesh_way round = {.count = way.count};
        for (int i = 0; i < way.count; i++) {
            round.nodes[i] = way.nodes[(seam + 1 + i) % way.count];
        }
        way = round;
        seam = -1;
    }
    if (!cg_mesh_open_way(mesh, &way, seam, is_met && is_begun, section, &wall)) {
        return CG_SKIN_HOLDS;
    }
    for (int k = 0; k < 2; k++) {
        nodes[k] = is_met ? -1 : ways[k].nodes[ways[k].count - 1];
    }
    return is_met ? CG_SKIN_TORN_OUT : CG_SKIN_TORN;
}

cg_skin_tear cg_tissue_tear_skin(cg_tissue *tissue, const cg_mesh_section *section, int nodes[2])
{
    cg_mesh_section now = *section;
    const int from[2] = {nodes[0], nodes[1]};
    cg_skin_tear outcome = CG_SKIN_HOLDS;
    cg_tissue_adapt(tissue);
    for (int k = 0; k < MOST_TRIES && outcome == CG_SKIN_HOLDS; k++) {
        outcome = try_to_tear(tissue, &now, nodes);
        now.advance *= FARTHER;
    }
    cg_tissue_adapt(tissue);
    for (int k = 0; k < 2 && outcome != CG_SKIN_HOLDS; k++) {
        cg_tissue_pierce_node(tissue, from[k], false);
        if (nodes[k] >= 0) {
            cg_tissue_pierce_node(tissue, nodes[k], true);
        }
    }
    return outcome;
}
