// What has come to touch and is bound.
//
// Cut surface is the side "groove" of a mesh: the ends of a severed vessel, the lips of a wound, what a blade laid
// open. A node of it is bound to the nearest triangle of cut surface that faces it, within reach. Candidates, node and
// triangle, are listed by a tree of spheres with some margin and stay listed until a node has used up half of it; the
// last word has the true distance, so what is found does not depend on when the list was made.
#include <math.h>

#include "base/vec3.h"
#include "geometry/triangle.h"
#include "laws/bond.h"

// [thickness] A node that is nearer than this is bound. Contact is silent from 1 on.
static const double REACH = 1.25;
// [thickness] Candidates are listed when they are nearer than this much beyond.
static const double MARGIN = 2;
// Two surfaces face each other when the product of their unit normals is below this.
static const double FACING = -0.5;

// k over the stiffness of the tissue. Softer: one sees bonds stretch. Stiffer, from 0.4 on: nodes with few links swing.
static const double FIRMNESS = 0.25;
// Triangles of a surface that meet in a node, on average.
static const double TRIANGLES_AT_NODE = 6;

static double mean_thickness(const cg_bond_set *a, const cg_bond_set *b)
{
    return 0.5 * (a->thickness + b->thickness);
}

// Lists triangles and nodes. A node that is no part of the cut surface has nothing to be ready for.
static void list_items(cg_bond_set *set)
{
    const cg_mesh *mesh = set->tissue->mesh;
    int *is_cut = set->bond_of;
    set->cut_count = set->cut_node_count = 0;
    for (int i = 0; i < mesh->node_count; i++) {
        is_cut[i] = 0;
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        const cg_mesh_triangle *item = &mesh->triangles[t];
        if (item->side == CG_SIDE_GROOVE) {
            for (int k = 0; k < 3; k++) {
                set->cut[set->cut_count].nodes[k] = item->nodes[k];
                is_cut[item->nodes[k]] = 1;
            }
            set->cut_triangles[set->cut_count++] = t;
        }
    }
    for (int i = 0; i < mesh->node_count; i++) {
        set->is_ready[i] = set->is_ready[i] && is_cut[i];
        if (is_cut[i]) {
            set->cut_nodes[set->cut_node_count++] = i;
        }
    }
}

bool cg_bond_list_cut(cg_bond_set *set)
{
    const cg_mesh *mesh = set->tissue->mesh;
    if (set->version != mesh->topology_version) {
        list_items(set);
        cg_triangle_source source = {set->cut, sizeof set->cut[0], set->cut_count, mesh->position, mesh->node_count};
        bool is_built = set->cut_count > 0 && cg_sphere_tree_build(&set->tree, &source);
        set->cut_count = is_built ? set->cut_count : 0;
        set->version = mesh->topology_version;
        set->is_listed = false;
        return false;
    }
    return true;
}

// True when no node has gone far enough for an unlisted pair to touch.
static bool is_list_good(const cg_bond_set *set)
{
    double most = 0.5 * MARGIN * set->thickness;
    for (int i = 0; i < set->cut_node_count && set->is_listed; i++) {
        cg_vec3 way = v3_sub(set->tissue->mesh->position[set->cut_nodes[i]], set->since[i]);
        if (!(v3_dot(way, way) < most * most)) {
            return false;
        }
    }
    return set->is_listed;
}

static void list_near(cg_bond_set *set, const cg_bond_set *other, int node)
{
    cg_vec3 x = set->tissue->mesh->position[node];
    const cg_vec3 ends[2] = {x, x};
    // Half the margin is for each of the two surfaces, as each measures it.
    double most = set->thickness > other->thickness ? set->thickness : other->thickness;
    cg_sphere_tree_find_near(&other->tree, ends, NULL, (REACH + MARGIN) * most, &set->near);
    for (int k = 0; k < set->near.count && set->candidate_count < set->candidate_capacity; k++) {
        const int *corners = other->cut[set->near.items[k].a].nodes;
        if (other != set || (corners[0] != node && corners[1] != node && corners[2] != node)) {
            int triangle = other->cut_triangles[set->near.items[k].a];
            set->candidates[set->candidate_count++] = (cg_bond_candidate){node, other->place, triangle};
        }
    }
}

static void list_all(cg_bond_set *const *sets, int count)
{
    for (int i = 0; i < count; i++) {
        const cg_mesh *mesh = sets[i]->tissue->mesh;
        if (sets[i]->cut_count > 0) {
            cg_sphere_tree_mark_moved(&sets[i]->tree, mesh->position);
            cg_sphere_tree_update(&sets[i]->tree, mesh->position);
        }
    }
    for (int i = 0; i < count; i++) {
        cg_bond_set *set = sets[i];
        set->candidate_count = 0;
        for (int k = 0; k < set->cut_node_count; k++) {
            set->since[k] = set->tissue->mesh->position[set->cut_nodes[k]];
            for (int j = 0; j < count; j++) {
                if (sets[j]->cut_count > 0) {
                    list_near(set, sets[j], set->cut_nodes[k]);
                }
            }
        }
        set->is_listed = true;
    }
}

// Where a node touches.
typedef struct touch {
    double squared; // [m2] distance from the triangle; INFINITY: it does not
    int other, triangle;
    double height;     // [m] over its plane
    double weights[3]; // of its corners, of the foot on its plane
    double thickness;  // [m]
} touch;

static void look(const cg_bond_set *set, const cg_bond_set *other, const cg_bond_candidate *candidate, cg_vec3 facing,
                 touch *best)
{
    const cg_mesh *mesh = other->tissue->mesh;
    const int *c = mesh->triangles[candidate->triangle].nodes;
    const cg_vec3 corners[3] = {mesh->position[c[0]], mesh->position[c[1]], mesh->position[c[2]]};
    cg_vec3 x = set->tissue->mesh->position[candidate->node], normal = triangle_normal(corners);
    double twice = v3_length(normal), size = v3_length(facing), reach = REACH * mean_thickness(set, other);
    double squared = cg_closest_point_triangle(x, corners).squared_distance;
    if (!(squared < best->squared && squared <= reach * reach) || !(v3_dot(normal, facing) < FACING * twice * size)) {
        return;
    }
    normal = v3_scale(1 / twice, normal);
    *best = (touch){.squared = squared,
                    .other = other->place,
                    .triangle = candidate->triangle,
                    .height = v3_dot(normal, v3_sub(x, corners[0])),
                    .thickness = reach / REACH};
    for (int k = 0; k < 3; k++) {
        cg_vec3 edge = v3_sub(corners[(k + 2) % 3], corners[(k + 1) % 3]);
        cg_vec3 to = v3_sub(x, corners[(k + 1) % 3]);
        best->weights[k] = v3_dot(v3_cross(normal, edge), to) / twice;
    }
}

// The cut surface around a node.
typedef struct patch {
    double area;      // [m2] share of the node in it, as made
    double stiffness; // [N/m] of a bond for it
} patch;

// A triangle goes to its corners by their stiffness: that is how a lattice hands its pull to them. A bond is as stiff
// as the tissue is there, a node's worth of links for a node's worth of area.
static patch patch_at(const cg_tissue *tissue, int node)
{
    const cg_mesh *mesh = tissue->mesh;
    const double *stiffness = tissue->springs.own_stiffness;
    double around = 0, sum = 0;
    patch found = {0, 0};
    for (int at = mesh->first_triangle[node]; at >= 0; at = mesh->next_triangle[at]) {
        const cg_mesh_triangle *item = &mesh->triangles[at / 3];
        const int *n = item->nodes;
        const double k[3] = {stiffness[n[0]], stiffness[n[1]], stiffness[n[2]]};
        double squares = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
        if (item->side == CG_SIDE_GROOVE && squares > 0) {
            const cg_vec3 made[3] = {mesh->home[n[0]], mesh->home[n[1]], mesh->home[n[2]]};
            double area = 0.5 * v3_length(triangle_normal(made));
            found.area += area * stiffness[node] * stiffness[node] / squares;
            around += area;
            sum += (k[0] + k[1] + k[2]) / TRIANGLES_AT_NODE;
        }
    }
    found.stiffness = around > 0 ? found.area * sum / around : 0;
    return found;
}

// Nodes of both surfaces are bound, each for its around.
static cg_bond make_bond(const cg_bond_set *set, const cg_bond_set *other, int node, const touch *at, patch around)
{
    const int *c = other->tissue->mesh->triangles[at->triangle].nodes;
    double weaker = set->strength < other->strength ? set->strength : other->strength;
    double most = REACH * at->thickness;
    double rest = at->height < at->thickness ? at->thickness : (at->height > most ? most : at->height);
    return (cg_bond){.node = node,
                     .other = at->other,
                     .triangle = at->triangle,
                     .corners = {c[0], c[1], c[2]},
                     .weights = {at->weights[0], at->weights[1], at->weights[2]},
                     .rest = rest,
                     .area = 0.5 * around.area,
                     .law = {.strength = 0.5 * around.area * weaker, .stiffness = 0.5 * FIRMNESS * around.stiffness}};
}

static void insert(cg_bond_set *set, const cg_bond *bond)
{
    int at = set->count++;
    for (; at > 0 && set->bonds[at - 1].node > bond->node; at--) {
        set->bonds[at] = set->bonds[at - 1];
    }
    set->bonds[at] = *bond;
}

// Looks at one node, whose candidates begin at *next.
static bool bind_node(cg_bond_set *set, int node, int *next, bool is_bound)
{
    touch best = {.squared = INFINITY};
    bool has_candidates = *next < set->candidate_count && set->candidates[*next].node == node;
    cg_vec3 facing = has_candidates && !is_bound ? cg_bond_cut_normal(set->tissue->mesh, node) : v3_zero();
    for (; *next < set->candidate_count && set->candidates[*next].node == node; ++*next) {
        const cg_bond_candidate *candidate = &set->candidates[*next];
        if (!is_bound) {
            look(set, cg_bond_set_at(set->sets, set->set_count, candidate->other), candidate, facing, &best);
        }
    }
    if (is_bound || !(best.squared < INFINITY)) {
        set->is_ready[node] = !is_bound;
        return false;
    }
    patch around = patch_at(set->tissue, node);
    if (!set->is_ready[node] || !(around.stiffness > 0)) {
        return false;
    }
    cg_bond bond = make_bond(set, cg_bond_set_at(set->sets, set->set_count, best.other), node, &best, around);
    insert(set, &bond);
    cg_tissue_wake(set->tissue);
    return true;
}

static int bind(cg_bond_set *set)
{
    int made = 0, next = 0, bond = 0;
    for (int k = 0; k < set->cut_node_count; k++) {
        int node = set->cut_nodes[k];
        while (bond < set->count && set->bonds[bond].node < node) {
            bond++;
        }
        made += bind_node(set, node, &next, bond < set->count && set->bonds[bond].node == node);
    }
    return made;
}

int cg_bond_find(cg_bond_set *const *sets, int count)
{
    bool is_good = true, is_awake = false;
    int made = 0;
    for (int i = 0; i < count; i++) {
        is_awake = is_awake || !sets[i]->tissue->asleep || !sets[i]->is_listed;
    }
    for (int i = 0; i < count && is_awake; i++) {
        bool is_same = cg_bond_list_cut(sets[i]);
        is_good = is_same && is_list_good(sets[i]) && is_good;
    }
    if (!is_good) {
        list_all(sets, count);
    }
    for (int i = 0; i < count && is_awake; i++) {
        made += bind(sets[i]);
    }
    return made;
}
