// Splits of edges and triangles.
//
// The edge ab of a cell abcd gets the node m at the share t from a. The parts are amcd (t of the mass) and mbcd. Shares
// of stiffness: ab becomes k/t and k/(1-t), springs in a row; cd goes t and 1-t to the parts. With these alone a strain
// of the whole costs exactly what it did, but m could move across ab for nothing. So the new edge mc takes the part
// SPREAD of what ac and bc have, more from the nearer one: with r = SPREAD (1-t) k_ac and s = SPREAD t k_bc,
//
//     k_ac - r,   k_bc - s,   k_mc = (r L_ac^2 + s L_bc^2) / L_mc^2.
//
// The energy of a swelling e is half of e^2 times the sum of k L^2: it stays the same. A triangle of a skin is split
// the same way, by the links' own parts; a link between two triangles gives half as much for each.
//
// A triangle abc split at m with the weights w, with d behind it: the part without a has w_a of the mass. m takes
// SPREAD of ab, bc, ca in equal parts for their two ends, and for md from ad, bd, cd by weight.
#include <math.h>

#include "base/status.h"
#include "base/vec3.h"
#include "geometry/mesh_edit.h"
#include "geometry/mesh_parts.h"

// How much of its neighbours' stiffness a new edge takes. More makes strains other than swelling cost more or less than
// they did, less lets the new node give way.
#define SPREAD 0.2

#define LEAST_SHARE 0.001

static double squared_length(const cg_mesh *mesh, int a, int b)
{
    cg_vec3 d = v3_sub(mesh->home[b], mesh->home[a]);
    return v3_dot(d, d);
}

// Which edge of a cell joins two corners.
static int edge_between(int p, int q)
{
    static const int edges[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};
    return edges[p][q];
}

static int corner_of(const int *nodes, int count, int node)
{
    for (int corner = 0; corner < count; corner++) {
        if (nodes[corner] == node) {
            return corner;
        }
    }
    return -1;
}

// --- new links ---

// The new link has natural length, strength and stiffening as the old ones have, by weight: their natural length over
// their length, strength over stiffness and length.
struct likeness {
    double rest, strength, stiffening, weight;
};

static void liken(struct likeness *to, const cg_mesh *mesh, int a, int b, double weight)
{
    const cg_mesh_link *link = &mesh->links[cg_mesh_find_link(mesh, a, b)];
    to->rest += weight * link->rest / v3_distance(mesh->home[a], mesh->home[b]);
    to->strength += link->stiffness > 0 ? weight * link->strength / (link->stiffness * link->rest) : 0;
    to->stiffening += weight * link->stiffening;
    to->weight += weight;
}

static int add_likened(cg_mesh *mesh, int a, int b, const struct likeness *like)
{
    int link = cg_mesh_new_link(mesh, a, b, CG_LINK_STRETCH);
    mesh->links[link].rest = v3_distance(mesh->home[a], mesh->home[b]) * like->rest / like->weight;
    mesh->links[link].stiffening = like->stiffening / like->weight;
    // strength for a stiffness of 1 N/m; multiplied when the stiffness is known
    mesh->links[link].strength = like->strength / like->weight * mesh->links[link].rest;
    return link;
}

static void finish_new_links(cg_mesh *mesh, int node)
{
    for (int at = mesh->first_link[node]; at >= 0; at = mesh->next_link[at]) {
        cg_mesh_link *link = &mesh->links[at / 2];
        if (link->stiffness == 0) {
            link->stiffness = cg_mesh_gathered_stiffness(mesh, at / 2);
            link->strength *= link->stiffness;
        }
    }
}

static int triangles_at_edge(const cg_mesh *mesh, int a, int b)
{
    int count = 0;
    for (int at = mesh->first_triangle[a]; at >= 0; at = mesh->next_triangle[at]) {
        count += corner_of(mesh->triangles[at / 3].nodes, 3, b) >= 0;
    }
    return count;
}

// --- an edge ---

struct edge_split {
    int a, b, node;
    double t;
    int cells, triangles; // how many are around the edge; which ones is in cell_work and triangle_work
    int ring;             // nodes that get a new link
};

static void find_around(cg_mesh *mesh, struct edge_split *split)
{
    for (int at = mesh->first_cell[split->a]; at >= 0; at = mesh->next_cell[at]) {
        if (corner_of(mesh->cells[at / 4].nodes, 4, split->b) >= 0) {
            mesh->cell_work[split->cells++] = at / 4;
        }
    }
    for (int at = mesh->first_triangle[split->a]; at >= 0; at = mesh->next_triangle[at]) {
        if (corner_of(mesh->triangles[at / 3].nodes, 3, split->b) >= 0) {
            mesh->triangle_work[split->triangles++] = at / 3;
        }
    }
}

// Counts the nodes around the edge once each: those linked with both ends that an item around the edge has.
static bool is_in_ring(const cg_mesh *mesh, const struct edge_split *split, int node)
{
    for (int i = 0; i < split->cells; i++) {
        if (corner_of(mesh->cells[mesh->cell_work[i]].nodes, 4, node) >= 0) {
            return true;
        }
    }
    for (int i = 0; i < split->triangles; i++) {
        if (corner_of(mesh->triangles[mesh->triangle_work[i]].nodes, 3, node) >= 0) {
            return true;
        }
    }
    return false;
}

static int other_end(const cg_mesh *mesh, int place)
{
    return mesh->links[place / 2].ends[1 - place % 2];
}

// Not so flat that rounding could turn the part `share` of it over.
static bool is_splittable(const cg_mesh *mesh, int cell, double share)
{
    const int *nodes = mesh->cells[cell].nodes;
    double size = 0;
    for (int edge = 0; edge < 6; edge++) {
        size += squared_length(mesh, nodes[cg_mesh_cell_edges[edge][0]], nodes[cg_mesh_cell_edges[edge][1]]);
    }
    double rounding = 1e-13 * size * (v3_length(mesh->home[nodes[0]]) + sqrt(size));
    return cg_mesh_cell_volume(mesh, cell, mesh->home) * share > rounding;
}

static cg_status check_edge(const cg_mesh *mesh, struct edge_split *split)
{
    for (int at = mesh->first_link[split->a]; at >= 0; at = mesh->next_link[at]) {
        int node = other_end(mesh, at);
        split->ring += node != split->b && is_in_ring(mesh, split, node);
    }
    if (split->cells + split->triangles == 0) {
        return cg_error(CG_BAD_INPUT, "no cell and no triangle has the edge from node %d to %d", split->a, split->b);
    }
    if (mesh->node_count + 1 > mesh->limits.nodes || mesh->link_count + 1 + split->ring > mesh->limits.links ||
        mesh->cell_count + split->cells > mesh->limits.cells ||
        mesh->triangle_count + split->triangles > mesh->limits.triangles) {
        return cg_error(CG_FULL, "no room to split an edge");
    }
    for (int i = 0; i < split->cells; i++) {
        if (!is_splittable(mesh, mesh->cell_work[i], split->t < 0.5 ? split->t : 1 - split->t)) {
            return cg_error(CG_BAD_INPUT, "cell %d is too flat to be split", mesh->cell_work[i]);
        }
    }
    return cg_ok();
}

// The stiffness that the links to ring node c have in a cell or of their own: what a and b keep, and what m gets.
struct spread {
    double a, b, m;
};

static struct spread spread_of(const cg_mesh *mesh, const struct edge_split *split, int c, double k_a, double k_b,
                               double portion)
{
    double r = portion * (1 - split->t) * k_a, s = portion * split->t * k_b;
    double moment = r * squared_length(mesh, split->a, c) + s * squared_length(mesh, split->b, c);
    return (struct spread){k_a - r, k_b - s, moment / squared_length(mesh, split->node, c)};
}

static void split_cell(cg_mesh *mesh, const struct edge_split *split, int cell)
{
    cg_mesh_cell old = mesh->cells[cell], rest = old;
    double t = split->t;
    int i = corner_of(old.nodes, 4, split->a), j = corner_of(old.nodes, 4, split->b);
    double *near = mesh->cells[cell].share, *far = rest.share;
    near[edge_between(i, j)] = old.share[edge_between(i, j)] / t;
    far[edge_between(i, j)] = old.share[edge_between(i, j)] / (1 - t);
    for (int c = 0; c < 4; c++) {
        if (c != i && c != j) {
            struct spread k = spread_of(mesh, split, old.nodes[c], old.share[edge_between(i, c)],
                                        old.share[edge_between(j, c)], SPREAD);
            near[edge_between(i, c)] = k.a;
            near[edge_between(j, c)] = k.m * t;
            far[edge_between(j, c)] = k.b;
            far[edge_between(i, c)] = k.m * (1 - t);
            for (int d = c + 1; d < 4; d++) {
                if (d != i && d != j) {
                    near[edge_between(c, d)] = old.share[edge_between(c, d)] * t;
                    far[edge_between(c, d)] = old.share[edge_between(c, d)] * (1 - t);
                }
            }
        }
    }
    mesh->cells[cell].mass = old.mass * t;
    rest.mass = old.mass - mesh->cells[cell].mass;
    rest.nodes[i] = split->node;
    cg_mesh_set_cell_node(mesh, cell, j, split->node);
    cg_mesh_rename_cell_of_triangles(mesh, cg_mesh_new_cell(mesh, &rest, cell), cell);
}

static void split_triangle_of_edge(cg_mesh *mesh, const struct edge_split *split, int triangle)
{
    cg_mesh_triangle rest = mesh->triangles[triangle];
    int i = corner_of(rest.nodes, 3, split->a), j = corner_of(rest.nodes, 3, split->b);
    int third = rest.nodes[3 - i - j];
    mesh->triangles[triangle].mass *= split->t;
    rest.mass -= mesh->triangles[triangle].mass;
    rest.nodes[i] = split->node;
    if (rest.cell >= 0) {
        // The cells are split already: that of the part at b has m, b and the third node.
        int far[3] = {split->node, split->b, third};
        rest.cell = cg_mesh_find_cell(mesh, far, -1);
    } else {
        cg_mesh_link *to_a = &mesh->links[cg_mesh_find_link(mesh, split->a, third)];
        cg_mesh_link *to_b = &mesh->links[cg_mesh_find_link(mesh, split->b, third)];
        // half of each link when another triangle is beside it
        double k_a = to_a->own / triangles_at_edge(mesh, split->a, third);
        double k_b = to_b->own / triangles_at_edge(mesh, split->b, third);
        struct spread k = spread_of(mesh, split, third, k_a, k_b, SPREAD);
        to_a->own -= k_a - k.a;
        to_b->own -= k_b - k.b;
        mesh->links[cg_mesh_find_link(mesh, split->node, third)].own += k.m;
    }
    cg_mesh_set_triangle_node(mesh, triangle, j, split->node);
    cg_mesh_new_triangle(mesh, &rest, triangle);
}

static void split_link(cg_mesh *mesh, const struct edge_split *split)
{
    int link = cg_mesh_find_link(mesh, split->a, split->b);
    cg_mesh_link *near = &mesh->links[link];
    int added = cg_mesh_new_link(mesh, split->node, split->b, near->kind);
    cg_mesh_link *far = &mesh->links[added];
    far->rest = near->rest * (1 - split->t);
    far->own = near->own / (1 - split->t);
    far->strength = near->strength;
    far->stiffening = near->stiffening;
    far->stiffness = near->stiffness / (1 - split->t);
    near->rest *= split->t;
    near->own /= split->t;
    near->stiffness /= split->t;
    cg_mesh_set_link_ends(mesh, link, split->a, split->node);
}

// The links from m to the ring, before anything is split: the ring is what the items around the edge have.
static void link_ring(cg_mesh *mesh, const struct edge_split *split)
{
    for (int at = mesh->first_link[split->a]; at >= 0; at = mesh->next_link[at]) {
        int node = other_end(mesh, at);
        if (node != split->b && node != split->node && is_in_ring(mesh, split, node)) {
            struct likeness like = {0};
            liken(&like, mesh, split->a, node, 1 - split->t);
            liken(&like, mesh, split->b, node, split->t);
            add_likened(mesh, split->node, node, &like);
        }
    }
}

cg_status cg_mesh_split_edge(cg_mesh *mesh, int a, int b, double t, int *node)
{
    *node = -1;
    if (a < 0 || b < 0 || a >= mesh->node_count || b >= mesh->node_count || a == b ||
        cg_mesh_find_link(mesh, a, b) < 0) {
        return cg_error(CG_BAD_INPUT, "nodes %d and %d are not linked", a, b);
    }
    if (!(t >= LEAST_SHARE && t <= 1 - LEAST_SHARE)) {
        return cg_error(CG_BAD_INPUT, "an edge is split between %g and %g of its length", LEAST_SHARE, 1 - LEAST_SHARE);
    }
    struct edge_split split = {.a = a, .b = b, .t = t};
    find_around(mesh, &split);
    cg_status status = check_edge(mesh, &split);
    if (status.code != CG_OK) {
        return status;
    }
    mesh->topology_version++;
    split.node = cg_mesh_new_node(mesh, (int[3]){a, b, -1}, (double[3]){1 - t, t, 0});
    link_ring(mesh, &split);
    split_link(mesh, &split);
    for (int i = 0; i < split.cells; i++) {
        split_cell(mesh, &split, mesh->cell_work[i]);
    }
    for (int i = 0; i < split.triangles; i++) {
        split_triangle_of_edge(mesh, &split, mesh->triangle_work[i]);
    }
    finish_new_links(mesh, split.node);
    for (int at = mesh->first_link[split.node]; at >= 0; at = mesh->next_link[at]) {
        cg_mesh_refresh_node(mesh, other_end(mesh, at));
    }
    cg_mesh_refresh_node(mesh, split.node);
    *node = split.node;
    return status;
}

// --- a triangle ---

struct point_split {
    int nodes[3]; // of the triangle
    int back;     // the fourth node of its cell, -1: none
    double weights[3];
    int node;
};

// What m takes from the sides of the triangle, k of each in order (01, 12, 20): moments for the links to its corners,
// and what is left of the sides.
static void take_from_sides(const cg_mesh *mesh, const struct point_split *split, double k[3], double to_corner[3])
{
    double moment[3] = {0, 0, 0};
    for (int side = 0; side < 3; side++) {
        int next = (side + 1) % 3;
        double taken = SPREAD / 3 * k[side];
        double half = taken * squared_length(mesh, split->nodes[side], split->nodes[next]) / 2;
        k[side] -= taken;
        moment[side] += half;
        moment[next] += half;
    }
    for (int corner = 0; corner < 3; corner++) {
        to_corner[corner] = moment[corner] / squared_length(mesh, split->nodes[corner], split->node);
    }
}

// The same for the edges to the back; returns what the link from m to it gets.
static double take_from_back(const cg_mesh *mesh, const struct point_split *split, double k[3])
{
    double moment = 0;
    for (int corner = 0; corner < 3; corner++) {
        double taken = SPREAD * split->weights[corner] * k[corner];
        k[corner] -= taken;
        moment += taken * squared_length(mesh, split->nodes[corner], split->back);
    }
    return moment / squared_length(mesh, split->node, split->back);
}

static void split_cell_in_three(cg_mesh *mesh, const struct point_split *split, int cell, int parts[3])
{
    cg_mesh_cell old = mesh->cells[cell];
    const double *w = split->weights;
    int at[3], back = corner_of(old.nodes, 4, split->back);
    double side[3], behind[3], to_corner[3];
    for (int i = 0; i < 3; i++) {
        at[i] = corner_of(old.nodes, 4, split->nodes[i]);
    }
    for (int i = 0; i < 3; i++) {
        side[i] = old.share[edge_between(at[i], at[(i + 1) % 3])];
        behind[i] = old.share[edge_between(at[i], back)];
    }
    take_from_sides(mesh, split, side, to_corner);
    double to_back = take_from_back(mesh, split, behind);
    double left = old.mass;
    // Part i has m in place of corner i, and w_i of the whole; the others are j and k.
    for (int i = 2; i >= 0; i--) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        cg_mesh_cell part = old;
        part.nodes[at[i]] = split->node;
        part.mass = i == 0 ? left : old.mass * w[i];
        left -= part.mass;
        part.share[edge_between(at[j], at[k])] = side[j];
        part.share[edge_between(at[j], back)] = behind[j] * w[i] / (w[i] + w[k]);
        part.share[edge_between(at[k], back)] = behind[k] * w[i] / (w[i] + w[j]);
        part.share[edge_between(at[i], at[j])] = to_corner[j] * w[i] / (w[i] + w[k]);
        part.share[edge_between(at[i], at[k])] = to_corner[k] * w[i] / (w[i] + w[j]);
        part.share[edge_between(at[i], back)] = to_back * w[i];
        if (i > 0) {
            parts[i] = cg_mesh_new_cell(mesh, &part, cell);
            cg_mesh_rename_cell_of_triangles(mesh, parts[i], cell);
        } else {
            cg_mesh_set_cell_node(mesh, cell, at[0], split->node);
            mesh->cells[cell] = part;
            parts[0] = cell;
        }
    }
}

static void spread_own(cg_mesh *mesh, const struct point_split *split)
{
    double k[3], left[3], to_corner[3];
    cg_mesh_link *sides[3];
    for (int i = 0; i < 3; i++) {
        int a = split->nodes[i], b = split->nodes[(i + 1) % 3];
        sides[i] = &mesh->links[cg_mesh_find_link(mesh, a, b)];
        left[i] = k[i] = sides[i]->own / triangles_at_edge(mesh, a, b);
    }
    take_from_sides(mesh, split, left, to_corner);
    for (int i = 0; i < 3; i++) {
        sides[i]->own -= k[i] - left[i];
        mesh->links[cg_mesh_find_link(mesh, split->node, split->nodes[i])].own += to_corner[i];
    }
}

static void split_triangle_in_three(cg_mesh *mesh, const struct point_split *split, int triangle, const int parts[3])
{
    cg_mesh_triangle old = mesh->triangles[triangle];
    double left = old.mass;
    for (int i = 2; i >= 0; i--) {
        cg_mesh_triangle part = old;
        part.nodes[i] = split->node;
        part.cell = parts[i];
        part.mass = i == 0 ? left : old.mass * split->weights[i];
        left -= part.mass;
        if (i > 0) {
            cg_mesh_new_triangle(mesh, &part, triangle);
        } else {
            cg_mesh_set_triangle_node(mesh, triangle, 0, split->node);
            mesh->triangles[triangle] = part;
        }
    }
}

// Links from m to the corners are like the two sides there, the one to the back like the three that lead to it.
static void link_point(cg_mesh *mesh, const struct point_split *split)
{
    struct likeness to_back = {0};
    for (int i = 0; i < 3; i++) {
        struct likeness like = {0};
        liken(&like, mesh, split->nodes[i], split->nodes[(i + 1) % 3], 1);
        liken(&like, mesh, split->nodes[i], split->nodes[(i + 2) % 3], 1);
        add_likened(mesh, split->node, split->nodes[i], &like);
        if (split->back >= 0) {
            liken(&to_back, mesh, split->nodes[i], split->back, split->weights[i]);
        }
    }
    if (split->back >= 0) {
        add_likened(mesh, split->node, split->back, &to_back);
    }
}

static cg_status check_point(const cg_mesh *mesh, cg_mesh_point point)
{
    double sum = 0, least = 1;
    for (int i = 0; i < 3; i++) {
        sum += point.weights[i];
        least = point.weights[i] < least ? point.weights[i] : least;
    }
    if (point.triangle < 0 || point.triangle >= mesh->triangle_count) {
        return cg_error(CG_BAD_INPUT, "there is no triangle %d", point.triangle);
    }
    if (!(least >= LEAST_SHARE) || !(sum > 1 - 1e-9 && sum < 1 + 1e-9)) {
        return cg_error(CG_BAD_INPUT, "weights of a point inside a triangle are %g or more each and sum to 1",
                        LEAST_SHARE);
    }
    int cell = mesh->triangles[point.triangle].cell;
    if (mesh->node_count + 1 > mesh->limits.nodes || mesh->link_count + (cell >= 0 ? 4 : 3) > mesh->limits.links ||
        (cell >= 0 && mesh->cell_count + 2 > mesh->limits.cells) || mesh->triangle_count + 2 > mesh->limits.triangles) {
        return cg_error(CG_FULL, "no room to split a triangle");
    }
    if (cell >= 0 && !is_splittable(mesh, cell, least)) {
        return cg_error(CG_BAD_INPUT, "cell %d is too flat to be split", cell);
    }
    return cg_ok();
}

cg_status cg_mesh_split_triangle(cg_mesh *mesh, cg_mesh_point point, int *node)
{
    *node = -1;
    cg_status status = check_point(mesh, point);
    if (status.code != CG_OK) {
        return status;
    }
    const cg_mesh_triangle *triangle = &mesh->triangles[point.triangle];
    struct point_split split = {.back = -1};
    for (int i = 0; i < 3; i++) {
        split.nodes[i] = triangle->nodes[i];
        split.weights[i] = point.weights[i];
    }
    int cell = triangle->cell, parts[3] = {-1, -1, -1};
    for (int i = 0; cell >= 0 && i < 4; i++) {
        int corner = mesh->cells[cell].nodes[i];
        split.back = corner_of(split.nodes, 3, corner) < 0 ? corner : split.back;
    }
    mesh->topology_version++;
    split.node = cg_mesh_new_node(mesh, split.nodes, split.weights);
    link_point(mesh, &split);
    if (cell >= 0) {
        split_cell_in_three(mesh, &split, cell, parts);
    } else {
        spread_own(mesh, &split);
    }
    split_triangle_in_three(mesh, &split, point.triangle, parts);
    finish_new_links(mesh, split.node);
    for (int at = mesh->first_link[split.node]; at >= 0; at = mesh->next_link[at]) {
        cg_mesh_refresh_node(mesh, other_end(mesh, at));
    }
    cg_mesh_refresh_node(mesh, split.node);
    *node = split.node;
    return status;
}
