// Bonds when meshes change: numbers follow the log, places are found again, nodes that are bound become one.
#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "geometry/triangle.h"
#include "laws/bond.h"

// [thickness] A place that is farther from all cut surface after an edit is gone.
static const double SAME_PLACE = 0.1;
// [shortest link] Nodes of bonds that are farther apart do not lie on each other and are not merged.
static const double MOST_MERGED = 0.5;

// Ascending order of nodes, after numbers have changed.
static void sort(cg_bond_set *set)
{
    for (int i = 1; i < set->count; i++) {
        cg_bond bond = set->bonds[i];
        int at = i;
        for (; at > 0 && set->bonds[at - 1].node > bond.node; at--) {
            set->bonds[at] = set->bonds[at - 1];
        }
        set->bonds[at] = bond;
    }
}

static void take_triangle(cg_bond *bond, const cg_mesh *mesh, int triangle, const double weights[3])
{
    bond->triangle = triangle;
    for (int k = 0; k < 3; k++) {
        bond->corners[k] = mesh->triangles[triangle].nodes[k];
        bond->weights[k] = weights[k];
    }
}

// The triangle that has the corners of a bond, in whatever order; false: none.
static bool find_same(cg_bond *bond, const cg_mesh *mesh)
{
    int triangle = cg_mesh_find_triangle(mesh, bond->corners);
    if (triangle < 0) {
        return false;
    }
    double weights[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            weights[k] += mesh->triangles[triangle].nodes[k] == bond->corners[i] ? bond->weights[i] : 0;
        }
    }
    take_triangle(bond, mesh, triangle, weights);
    return true;
}

// The cut surface where the place of a bond was: its triangle was split.
static bool find_place(cg_bond *bond, const cg_bond_set *other, bool is_own)
{
    const cg_mesh *mesh = other->tissue->mesh;
    const cg_vec3 *x = mesh->position;
    const cg_vec3 corners[3] = {x[bond->corners[0]], x[bond->corners[1]], x[bond->corners[2]]};
    cg_vec3 place = triangle_point(corners, bond->weights), normal = triangle_normal(corners);
    double most = SAME_PLACE * other->thickness, nearest = most * most;
    cg_bond found = *bond;
    bool is_found = false;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const cg_mesh_triangle *item = &mesh->triangles[t];
        const int *c = item->nodes;
        if (item->side != CG_SIDE_GROOVE ||
            (is_own && (c[0] == bond->node || c[1] == bond->node || c[2] == bond->node))) {
            continue;
        }
        const cg_vec3 there[3] = {x[c[0]], x[c[1]], x[c[2]]};
        cg_triangle_closest closest = cg_closest_point_triangle(place, there);
        if (closest.squared_distance < nearest && v3_dot(triangle_normal(there), normal) > 0) {
            nearest = closest.squared_distance;
            take_triangle(&found, mesh, t, closest.weights);
            is_found = true;
        }
    }
    *bond = found;
    return is_found;
}

static bool are_there(const int *nodes, int count, int node_count)
{
    for (int k = 0; k < count; k++) {
        if (nodes[k] < 0 || nodes[k] >= node_count) {
            return false;
        }
    }
    return true;
}

static bool follow_bond(const cg_bond_set *set, const cg_bond_set *edited, uint64_t from, cg_bond *bond)
{
    const cg_mesh *mesh = edited->tissue->mesh;
    bool is_own = bond->other == set->place;
    if (set == edited &&
        !(cg_mesh_follow_nodes(mesh, from, &bond->node, 1) && are_there(&bond->node, 1, mesh->node_count))) {
        return false;
    }
    if (bond->other != edited->place) {
        return true;
    }
    if (!cg_mesh_follow_nodes(mesh, from, bond->corners, 3) || !are_there(bond->corners, 3, mesh->node_count)) {
        return false;
    }
    for (int k = 0; k < 3 && is_own; k++) {
        if (bond->corners[k] == bond->node) { // merged
            return false;
        }
    }
    return find_same(bond, mesh) || find_place(bond, edited, is_own);
}

// Nodes that come are not ready; when it is not known which did, none is.
static void follow_ready(cg_bond_set *set, uint64_t from, bool is_lost)
{
    const cg_mesh *mesh = set->tissue->mesh;
    for (int i = 0; i < mesh->limits.nodes && is_lost; i++) {
        set->is_ready[i] = false;
    }
    for (uint64_t k = from; k < mesh->edit_count && !is_lost; k++) {
        const cg_mesh_edit *edit = &mesh->edits[k % (uint64_t)mesh->limits.edits];
        if (edit->kind == CG_EDIT_NODE_ADDED) {
            set->is_ready[edit->item] = false;
        } else if (edit->kind == CG_EDIT_NODE_MOVED) {
            set->is_ready[edit->item] = set->is_ready[edit->from[0]];
        }
    }
}

int cg_bond_follow_edits(cg_bond_set *set, const cg_bond_set *edited, uint64_t from, bool is_lost)
{
    int kept = 0, count = set->count;
    if (set == edited) {
        follow_ready(set, from, is_lost);
    }
    for (int i = 0; i < count; i++) {
        cg_bond *bond = &set->bonds[i];
        bool is_concerned = set == edited || bond->other == edited->place;
        if (!is_concerned || (!is_lost && follow_bond(set, edited, from, bond))) {
            set->bonds[kept++] = *bond;
        }
    }
    set->count = kept;
    sort(set);
    return count - kept;
}

int cg_bond_drop_other(cg_bond_set *set, int place)
{
    assert(place >= 0);
    int kept = 0, count = set->count;
    for (int i = 0; i < count; i++) {
        if (set->bonds[i].other != place) {
            set->bonds[kept++] = set->bonds[i];
        }
    }
    set->count = kept;
    if (kept < count) {
        cg_tissue_wake(set->tissue);
    }
    return count - kept;
}

// The numbers of the triangle of a bond after a piece has moved.
static bool renumber_triangle(cg_bond *bond, const cg_bond_set *to, const cg_bond_set *from, const int *number)
{
    bool goes = number[bond->corners[0]] < 0;
    for (int k = 0; k < 3; k++) {
        int now = number[bond->corners[k]];
        bond->corners[k] = goes ? -1 - now : now;
    }
    bond->other = goes ? to->place : from->place;
    return find_same(bond, (goes ? to : from)->tissue->mesh);
}

// In place: a node that stays has its number, or a lower one of a node that went.
static void move_ready(cg_bond_set *from, cg_bond_set *to, const int *number, int count)
{
    for (int i = 0; i < count; i++) {
        bool is_ready = from->is_ready[i];
        if (number[i] < 0) {
            to->is_ready[-1 - number[i]] = is_ready;
        } else {
            from->is_ready[number[i]] = is_ready;
        }
    }
}

int cg_bond_follow_piece(cg_bond_set *set, cg_bond_set *from, cg_bond_set *to, const int *number)
{
    assert(from != to);
    int kept = 0, count = set->count, lost = 0;
    for (int i = 0; i < count; i++) {
        cg_bond bond = set->bonds[i];
        if (bond.other == from->place && !renumber_triangle(&bond, to, from, number)) {
            lost++;
            continue;
        }
        if (set == from && number[bond.node] < 0) {
            bond.node = -1 - number[bond.node];
            to->bonds[to->count++] = bond;
            continue;
        }
        bond.node = set == from ? number[bond.node] : bond.node;
        set->bonds[kept++] = bond;
    }
    set->count = kept;
    if (set == from) {
        move_ready(from, to, number, from->tissue->mesh->node_count + to->tissue->mesh->node_count);
        sort(to);
    }
    sort(set);
    cg_bond_forget_lists(set);
    return lost;
}

// The node of the triangle that a bound node lies on; -1: none.
static int node_below(const cg_bond_set *set, const cg_bond *bond)
{
    int best = 0;
    for (int k = 1; k < 3; k++) {
        best = bond->weights[k] > bond->weights[best] ? k : best;
    }
    const cg_vec3 *x = set->tissue->mesh->position;
    double away = v3_distance(x[bond->node], x[bond->corners[best]]);
    return away <= MOST_MERGED * set->tissue->springs.shortest ? bond->corners[best] : -1;
}

static bool is_listed(const int *nodes, int count, int node)
{
    for (int i = 0; i < count; i++) {
        if (nodes[i] == node) {
            return true;
        }
    }
    return false;
}

// Pairs of nodes that lie on each other, each node once. Returns the number of nodes.
static int list_pairs(const cg_bond_set *set, int *nodes)
{
    int count = 0;
    for (int i = 0; i < set->count; i++) {
        const cg_bond *bond = &set->bonds[i];
        int below = bond->other == set->place ? node_below(set, bond) : -1;
        if (below >= 0 && !is_listed(nodes, count, bond->node) && !is_listed(nodes, count, below)) {
            nodes[count++] = bond->node;
            nodes[count++] = below;
        }
    }
    return count;
}

static void drop_bonds_of(cg_bond_set *set, int node)
{
    for (int i = 0; i < set->count; i++) {
        if (set->bonds[i].node == node) {
            bond_remove(set, i--);
        }
    }
}

int cg_bond_merge(cg_bond_set *set)
{
    cg_mesh *mesh = set->tissue->mesh;
    int *nodes = set->bond_of, count = list_pairs(set, nodes), merged = 0;
    if (count == 0 || !cg_mesh_settle_home(mesh)) {
        return 0;
    }
    for (int i = 0; i < count; i += 2) {
        uint64_t before = mesh->edit_count;
        int a = nodes[i] < nodes[i + 1] ? nodes[i] : nodes[i + 1], b = nodes[i] + nodes[i + 1] - a;
        if (a >= 0 && a != b && cg_mesh_merge_nodes(mesh, a, b).code == CG_OK) {
            drop_bonds_of(set, a);
            drop_bonds_of(set, b);
            cg_mesh_follow_nodes(mesh, before, nodes, count);
            cg_tissue_follow_edits(set->tissue); // and with it all bonds, before the log forgets
            merged++;
        }
    }
    cg_tissue_adapt(set->tissue);
    return merged;
}
