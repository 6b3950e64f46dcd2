// The arrays of a tissue's springs from its mesh: links sorted by node, neighbours of each node, cells with their
// volumes.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "tissue/springs.h"

// K of a squeezed cell (volume.c) over the modulus of the springs around it, whose bulk modulus is 1/1.5 of that. With
// 1/2, and 0.4 for the share, hands of 5 N pressed the corner of a soft pad in for good, once in a thousand times.
static const double SQUEEZE_FIRMNESS = 1.0;
// A cell whose least height is below this share of its longest edge can lose its volume while no edge changes by the
// share that marks a node (force.c).
static const double FLAT_SHARE = 0.36;
// Each node may have up to three more than its links.
static size_t most_fours(const cg_mesh_limits *limits)
{
    return ((size_t)limits->links + 3 * (size_t)limits->nodes) / 4 + 1;
}

static void lay_out_solver(cg_springs *springs, cg_arena *arena, const cg_mesh_limits *limits)
{
    size_t nodes = (size_t)limits->nodes, links = (size_t)limits->links, cells = (size_t)limits->cells;
    springs->matrix = cg_arena_push_array(arena, cg_float4, 4 * most_fours(limits));
    springs->slope = cg_arena_push_array(arena, cg_spring_slope, most_fours(limits));
    springs->ground = cg_arena_push_array(arena, float, nodes + 1);
    springs->diagonal = cg_arena_push_array(arena, cg_float4, 2 * nodes + 2);
    springs->straight = cg_arena_push_array(arena, cg_float4, nodes + 1);
    springs->crossed = cg_arena_push_array(arena, cg_float4, nodes + 1);
    springs->squeezed = cg_arena_push_array(arena, cg_squeezed, cells);
    springs->bent_room = (int)links;
    springs->bent = cg_arena_push_array(arena, cg_bent, links);
    springs->swell = cg_arena_push_array(arena, cg_float4, nodes);
    springs->move = cg_arena_push_array(arena, cg_float4, nodes + 1);
    springs->residual = cg_arena_push_array(arena, cg_float4, nodes + 1);
    springs->first_residual = cg_arena_push_array(arena, cg_float4, nodes + 1);
    springs->ahead = cg_arena_push_array(arena, cg_float4, nodes + 1);
    springs->response = cg_arena_push_array(arena, cg_float4, nodes + 1);
    springs->coast = cg_arena_push_array(arena, cg_float4, nodes + 1);
    springs->coast_response = cg_arena_push_array(arena, cg_float4, nodes + 1);
    springs->flight = cg_arena_push_array(arena, cg_flight, nodes);
}

static void lay_out_order(cg_springs *springs, cg_arena *arena, const cg_mesh_limits *limits)
{
    size_t nodes = (size_t)limits->nodes, pairs = (size_t)limits->links + nodes / 2 + 1;
    springs->diagonal = cg_arena_push_array(arena, cg_float4, 2 * nodes);
    springs->level = cg_arena_push_array(arena, int, nodes);
    springs->is_seed = cg_arena_push_array(arena, unsigned char, nodes);
    springs->first_around = cg_arena_push_array(arena, int, nodes + 1);
    springs->around = cg_arena_push_array(arena, cg_spring_pair, pairs);
    springs->around_node = cg_arena_push_array(arena, int, 2 * pairs);
}

void cg_springs_lay_out(cg_springs *springs, cg_arena *arena, const cg_mesh_limits *limits, cg_springs_need need)
{
    size_t nodes = (size_t)limits->nodes, links = (size_t)limits->links;
    *springs = (cg_springs){0};
    springs->row_node = cg_arena_push_array(arena, int, nodes);
    springs->first_four = cg_arena_push_array(arena, int, nodes + 1);
    springs->last_spring = cg_arena_push_array(arena, int, nodes);
    springs->fours = cg_arena_push_array(arena, cg_spring_four, most_fours(limits));
    springs->end = cg_arena_push_array(arena, uint32_t, 4 * most_fours(limits));
    springs->first_neighbour = cg_arena_push_array(arena, int, nodes + 1);
    springs->neighbours = cg_arena_push_array(arena, cg_neighbour, 2 * links);
    springs->cells = cg_arena_push_array(arena, cg_packed_cell, limits->cells);
    springs->cell_share = cg_arena_push(arena, (size_t)limits->cells, sizeof *springs->cell_share);
    springs->made_at = cg_arena_push_array(arena, cg_vec3, nodes);
    springs->first_cell = cg_arena_push_array(arena, int, nodes + 1);
    springs->cell_at = cg_arena_push_array(arena, int, 4 * (size_t)limits->cells);
    springs->flat = cg_arena_push_array(arena, int, limits->cells);
    springs->home_stiffness = cg_arena_push_array(arena, double, nodes);
    springs->own_stiffness = cg_arena_push_array(arena, double, nodes);
    springs->place = cg_arena_push_array(arena, cg_wide, nodes);
    springs->force = cg_arena_push_array(arena, cg_wide, nodes);
    springs->strained = cg_arena_push_array(arena, unsigned char, nodes);
    springs->marked = cg_arena_push_array(arena, int, nodes);
    springs->order = cg_arena_push_array(arena, int, nodes);
    if (need == CG_SPRINGS_NEED_MATRIX) {
        lay_out_solver(springs, arena, limits);
    } else if (need == CG_SPRINGS_NEED_ORDER) {
        lay_out_order(springs, arena, limits);
    } else {
        for (int k = 0; k < 4; k++) {
            springs->saved[k] = cg_arena_push_array(arena, cg_vec3, nodes);
        }
    }
}

// Counts of neighbours become places where they begin.
static void begin_neighbours(cg_springs *springs, const cg_mesh *mesh)
{
    int *first = springs->first_neighbour;
    for (int i = 0; i <= mesh->node_count; i++) {
        first[i] = 0;
    }
    for (int k = 0; k < mesh->link_count; k++) {
        first[mesh->links[k].ends[0] + 1]++;
        first[mesh->links[k].ends[1] + 1]++;
    }
    for (int i = 0; i < mesh->node_count; i++) {
        first[i + 1] += first[i];
    }
}

static void put_neighbour(cg_springs *springs, int *fill, int node, int other, const cg_mesh_link *link, int number)
{
    springs->neighbours[fill[node]++] = (cg_neighbour){.rest = link->rest,
                                                       .stiffness = link->stiffness,
                                                       .curve = link->stiffening / (link->rest * link->rest),
                                                       .node = other,
                                                       .link = number};
}

static void sort_neighbours(cg_neighbour *n, int count)
{
    for (int i = 1; i < count; i++) {
        cg_neighbour moving = n[i];
        int at = i;
        for (; at > 0 && n[at - 1].node > moving.node; at--) {
            n[at] = n[at - 1];
        }
        n[at] = moving;
    }
}

static void list_neighbours(cg_springs *springs, const cg_mesh *mesh)
{
    int *fill = springs->order; // free outside a step
    begin_neighbours(springs, mesh);
    for (int i = 0; i < mesh->node_count; i++) {
        fill[i] = springs->first_neighbour[i];
    }
    springs->shortest = mesh->link_count > 0 ? mesh->links[0].rest : 0;
    for (int k = 0; k < mesh->link_count; k++) {
        const cg_mesh_link *link = &mesh->links[k];
        put_neighbour(springs, fill, link->ends[0], link->ends[1], link, k);
        put_neighbour(springs, fill, link->ends[1], link->ends[0], link, k);
        springs->shortest = link->rest < springs->shortest ? link->rest : springs->shortest;
    }
    for (int i = 0; i < mesh->node_count; i++) {
        int first = springs->first_neighbour[i];
        sort_neighbours(springs->neighbours + first, springs->first_neighbour[i + 1] - first);
    }
}

// Writes a spring into a lane of a four; without one, a spring that does nothing.
static void put_spring(cg_springs *springs, int spring, int other, const cg_neighbour *n, double made)
{
    cg_spring_four *four = &springs->fours[spring / 4];
    int lane = spring % 4;
    four->rest[lane] = n != NULL ? n->rest : 1;
    four->stiffness[lane] = n != NULL ? n->stiffness : 0;
    four->curve[lane] = n != NULL ? (float)n->curve : 0;
    four->made[lane] = (float)made;
    springs->end[spring] = cg_end_of(other);
}

// The same for the quasi-static solver.
static void put_around(cg_springs *springs, int spring, int other, const cg_neighbour *n)
{
    cg_spring_pair *pair = &springs->around[spring / 2];
    int lane = spring % 2;
    pair->rest[lane] = n != NULL ? n->rest : 1;
    pair->stiffness[lane] = n != NULL ? n->stiffness : 0;
    pair->curve[lane] = n != NULL ? (float)n->curve : 0;
    springs->around_node[spring] = other;
}

static int link_count_of(const cg_springs *springs, int node)
{
    return springs->first_neighbour[node + 1] - springs->first_neighbour[node];
}

static bool owns(const cg_springs *springs, int node, int other)
{
    int own = link_count_of(springs, node), others = link_count_of(springs, other);
    return own > others || (own == others && node < other);
}

// Rows of springs, four at a time.
static void list_rows(cg_springs *springs, const cg_mesh *mesh)
{
    int spring = 0, row = 0;
    for (int i = 0; i < springs->node_count; i++) {
        int first = spring;
        for (int at = springs->first_neighbour[i]; at < springs->first_neighbour[i + 1]; at++) {
            const cg_neighbour *n = &springs->neighbours[at];
            if (owns(springs, i, n->node)) {
                put_spring(springs, spring++, n->node, n, v3_distance(mesh->home[i], mesh->home[n->node]));
            }
        }
        springs->last_spring[row] = (spring + 1) / 2 * 2;
        while (spring % 4 != 0) {
            put_spring(springs, spring++, i, NULL, 0); // of no length, as it is made: it is never strained
        }
        if (spring > first) {
            springs->row_node[row] = i;
            springs->first_four[row++] = first / 4;
        }
    }
    springs->first_four[row] = spring / 4;
    springs->row_count = row;
}

void cg_springs_list_around(cg_springs *springs)
{
    int spring = 0;
    for (int k = 0; k < springs->node_count; k++) {
        int i = springs->order[k];
        springs->first_around[k] = spring / 2;
        for (int at = springs->first_neighbour[i]; at < springs->first_neighbour[i + 1]; at++) {
            const cg_neighbour *n = &springs->neighbours[at];
            put_around(springs, spring++, n->node, n);
        }
        if (spring % 2 != 0) {
            put_around(springs, spring++, i, NULL);
        }
    }
    springs->first_around[springs->node_count] = spring / 2;
}

static void sum_stiffness(cg_springs *springs, double home)
{
    for (int i = 0; i < springs->node_count; i++) {
        double sum = 0;
        for (int at = springs->first_neighbour[i]; at < springs->first_neighbour[i + 1]; at++) {
            sum += springs->neighbours[at].stiffness;
        }
        springs->own_stiffness[i] = sum;
        springs->home_stiffness[i] = home * sum;
    }
}

// Of a cell at home: its volume, and whether it is flat.
static double measure_cell(const cg_mesh_cell *cell, const cg_vec3 *home, bool *is_flat)
{
    cg_vec3 a = v3_sub(home[cell->nodes[1]], home[cell->nodes[0]]);
    cg_vec3 b = v3_sub(home[cell->nodes[2]], home[cell->nodes[0]]);
    cg_vec3 c = v3_sub(home[cell->nodes[3]], home[cell->nodes[0]]);
    double six = v3_dot(v3_cross(a, b), c);
    cg_vec3 faces[4] = {v3_cross(a, b), v3_cross(b, c), v3_cross(c, a), v3_cross(v3_sub(b, a), v3_sub(c, a))};
    double widest = 0, longest = 0;
    for (int k = 0; k < 4; k++) {
        double area = v3_dot(faces[k], faces[k]);
        widest = area > widest ? area : widest;
    }
    cg_vec3 edges[6] = {a, b, c, v3_sub(b, a), v3_sub(c, a), v3_sub(c, b)};
    for (int k = 0; k < 6; k++) {
        double square = v3_dot(edges[k], edges[k]);
        longest = square > longest ? square : longest;
    }
    double least_height = widest > 0 ? six / sqrt(widest) : 0;
    *is_flat = !(least_height * least_height > FLAT_SHARE * FLAT_SHARE * longest);
    return six / 6;
}

// Marks nodes that are not made where the last compilation found one of their number.
static unsigned char *mark_new_homes(cg_springs *springs, const cg_mesh *mesh)
{
    unsigned char *is_new = springs->strained; // free outside a step
    for (int i = 0; i < mesh->node_count; i++) {
        is_new[i] = i >= springs->made_count || memcmp(&springs->made_at[i], &mesh->home[i], sizeof *mesh->home) != 0;
        springs->made_at[i] = mesh->home[i];
    }
    springs->made_count = mesh->node_count;
    return is_new;
}

// An edit changes a few cells: one with the same nodes and shares, made at the same places, is packed already.
static bool is_packed(const cg_springs *springs, int k, const cg_mesh_cell *cell, const unsigned char *is_new)
{
    const int *nodes = cell->nodes;
    return memcmp(springs->cells[k].nodes, nodes, sizeof cell->nodes) == 0 &&
           !(is_new[nodes[0]] | is_new[nodes[1]] | is_new[nodes[2]] | is_new[nodes[3]]) &&
           memcmp(springs->cell_share[k], cell->share, sizeof cell->share) == 0;
}

// For an isotropic lattice with Poisson's ratio 1/4 the sum of k r^2 over the volume is six times Young's modulus.
static void pack_cell(cg_springs *springs, int k, const cg_mesh_cell *cell, const cg_vec3 *home)
{
    cg_packed_cell *packed = &springs->cells[k];
    double volume = measure_cell(cell, home, &packed->is_flat), sum = 0;
    for (int edge = 0; edge < 6; edge++) {
        cg_vec3 a = home[cell->nodes[cg_mesh_cell_edges[edge][0]]], b = home[cell->nodes[cg_mesh_cell_edges[edge][1]]];
        cg_vec3 d = v3_sub(b, a);
        sum += cell->share[edge] * v3_dot(d, d);
    }
    memcpy(packed->nodes, cell->nodes, sizeof packed->nodes);
    memcpy(springs->cell_share[k], cell->share, sizeof cell->share);
    packed->volume = (float)volume;
    packed->stiffness = volume > 0 ? (float)(SQUEEZE_FIRMNESS * sum / (6 * volume)) : 0;
}

static void pack_cells(cg_springs *springs, const cg_mesh *mesh)
{
    const unsigned char *is_new = mark_new_homes(springs, mesh);
    int packed_count = springs->cell_count;
    springs->cell_count = mesh->cell_count;
    springs->flat_count = 0;
    for (int k = 0; k < mesh->cell_count; k++) {
        if (k >= packed_count || !is_packed(springs, k, &mesh->cells[k], is_new)) {
            pack_cell(springs, k, &mesh->cells[k], mesh->home);
        }
        if (springs->cells[k].is_flat) {
            springs->flat[springs->flat_count++] = k;
        }
    }
}

// Cells of each node, by their numbers.
static void list_cells(cg_springs *springs)
{
    int *first = springs->first_cell, *fill = springs->order; // free outside a step
    for (int i = 0; i <= springs->node_count; i++) {
        first[i] = 0;
    }
    for (int k = 0; k < springs->cell_count; k++) {
        for (int corner = 0; corner < 4; corner++) {
            first[springs->cells[k].nodes[corner] + 1]++;
        }
    }
    for (int i = 0; i < springs->node_count; i++) {
        first[i + 1] += first[i];
        fill[i] = first[i];
    }
    for (int k = 0; k < springs->cell_count; k++) {
        for (int corner = 0; corner < 4; corner++) {
            springs->cell_at[fill[springs->cells[k].nodes[corner]]++] = k;
        }
    }
}

static bool has_edge(const cg_mesh *mesh, int from, int to)
{
    for (int at = mesh->first_triangle[from]; at >= 0; at = mesh->next_triangle[at]) {
        const int *nodes = mesh->triangles[at / 3].nodes;
        if (nodes[(at % 3 + 1) % 3] == to) {
            return true;
        }
    }
    return false;
}

// A surface has an inside when each of its edges is passed in both directions; that of cells always is.
static bool surface_is_closed(const cg_mesh *mesh)
{
    for (int t = 0; t < mesh->triangle_count && mesh->cell_count == 0; t++) {
        const int *nodes = mesh->triangles[t].nodes;
        for (int corner = 0; corner < 3; corner++) {
            if (!has_edge(mesh, nodes[(corner + 1) % 3], nodes[corner])) {
                return false;
            }
        }
    }
    return mesh->triangle_count > 0;
}

void cg_springs_compile(cg_springs *springs, const cg_mesh *mesh, double home)
{
    springs->node_count = mesh->node_count;
    list_neighbours(springs, mesh);
    list_rows(springs, mesh);
    springs->is_ordered = false;
    sum_stiffness(springs, home);
    pack_cells(springs, mesh);
    list_cells(springs);
    springs->is_closed = surface_is_closed(mesh);
    springs->home_volume = springs->is_closed ? cg_surface_volume(mesh, mesh->home) : 0;
    springs->squeezed_count = 0;
    springs->bent_count = 0;
    springs->is_swelling = false;
    springs->marked_count = 0;
    memset(springs->strained, 0, (size_t)springs->node_count);
}
