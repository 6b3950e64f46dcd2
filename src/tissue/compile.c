// The arrays of a tissue's springs from its mesh: links (links.c), cells with their volumes.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "tissue/links.h"

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
    springs->known = cg_arena_push_array(arena, cg_known_link, links);
    springs->cells = cg_arena_push_array(arena, cg_packed_cell, limits->cells);
    springs->cell_share = cg_arena_push(arena, (size_t)limits->cells, sizeof *springs->cell_share);
    springs->made_at = cg_arena_push_array(arena, cg_vec3, nodes);
    springs->first_cell = cg_arena_push_array(arena, int, nodes + 1);
    springs->row_springs = cg_arena_push_array(arena, int, nodes);
    springs->cell_at = cg_arena_push_array(arena, int, 4 * (size_t)limits->cells);
    springs->flat = cg_arena_push_array(arena, int, limits->cells);
    springs->home_stiffness = cg_arena_push_array(arena, double, nodes);
    springs->own_stiffness = cg_arena_push_array(arena, double, nodes);
    springs->place = cg_arena_push_array(arena, cg_wide, nodes);
    springs->force = cg_arena_push_array(arena, cg_wide, nodes);
    springs->strained = cg_arena_push_array(arena, unsigned char, nodes);
    springs->marked = cg_arena_push_array(arena, int, nodes);
    springs->order = cg_arena_push_array(arena, int, nodes + 1);
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

// Writes a spring into a lane of a pair; without one, a spring that does nothing.
static void put_around(cg_springs *springs, int spring, int other, const cg_neighbour *n)
{
    cg_spring_pair *pair = &springs->around[spring / 2];
    int lane = spring % 2;
    pair->rest[lane] = n != NULL ? n->rest : 1;
    pair->stiffness[lane] = n != NULL ? n->stiffness : 0;
    pair->curve[lane] = n != NULL ? (float)n->curve : 0;
    springs->around_node[spring] = other;
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

static bool has_same_nodes(const cg_springs *springs, int k, const cg_mesh_cell *cell)
{
    return memcmp(springs->cells[k].nodes, cell->nodes, sizeof cell->nodes) == 0;
}

// An edit changes a few cells: one with the same nodes and shares, made at the same places, is packed already.
static bool is_packed(const cg_springs *springs, int k, const cg_mesh_cell *cell)
{
    const int *nodes = cell->nodes;
    const unsigned char *marks = springs->strained;
    return has_same_nodes(springs, k, cell) &&
           !((marks[nodes[0]] | marks[nodes[1]] | marks[nodes[2]] | marks[nodes[3]]) & CG_NODE_MOVED) &&
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

static void mark_corners(cg_springs *springs, const int nodes[4])
{
    for (int corner = 0; corner < 4; corner++) {
        if (nodes[corner] < springs->node_count) {
            springs->strained[nodes[corner]] |= CG_NODE_RECELLED;
        }
    }
}

static void pack_cells(cg_springs *springs, const cg_mesh *mesh)
{
    int packed_count = springs->cell_count;
    springs->cell_count = mesh->cell_count;
    springs->flat_count = 0;
    for (int k = 0; k < mesh->cell_count; k++) {
        if (k >= packed_count || !is_packed(springs, k, &mesh->cells[k])) {
            if (k >= packed_count || !has_same_nodes(springs, k, &mesh->cells[k])) {
                mark_corners(springs, mesh->cells[k].nodes);
                mark_corners(springs, k < packed_count ? springs->cells[k].nodes : mesh->cells[k].nodes);
            }
            pack_cell(springs, k, &mesh->cells[k], mesh->home);
        }
        if (springs->cells[k].is_flat) {
            springs->flat[springs->flat_count++] = k;
        }
    }
    for (int k = mesh->cell_count; k < packed_count; k++) {
        mark_corners(springs, springs->cells[k].nodes);
    }
    for (int i = springs->celled_count; i < springs->node_count; i++) {
        springs->strained[i] |= CG_NODE_RECELLED;
    }
}

static bool is_recelled(const cg_springs *springs, int node)
{
    return springs->strained[node] & CG_NODE_RECELLED;
}

// Where the cells of each node begin.
static void place_cells(const cg_springs *springs, const cg_mesh *mesh, int *start)
{
    int next = 0;
    for (int i = 0; i < springs->node_count; i++) {
        start[i] = next;
        if (!is_recelled(springs, i)) {
            next += springs->first_cell[i + 1] - springs->first_cell[i];
            continue;
        }
        for (int at = mesh->first_cell[i]; at >= 0; at = mesh->next_cell[at]) {
            next++;
        }
    }
    start[springs->node_count] = next;
}

// Moves the cells of nodes that follow each other and have the same ones as before.
static void move_cells(cg_springs *springs, const int *start, int first, int end)
{
    int from = springs->first_cell[first], count = springs->first_cell[end] - from;
    memmove(springs->cell_at + start[first], springs->cell_at + from, (size_t)count * sizeof *springs->cell_at);
}

// Runs that go down are moved from the first on, those that go up from the last: none is written over before.
static void move_all_cells(cg_springs *springs, const int *start)
{
    const int *then = springs->first_cell;
    for (int i = 0, end; i < springs->node_count; i = end) {
        end = i + 1;
        if (!is_recelled(springs, i) && start[i] < then[i]) {
            while (end < springs->node_count && !is_recelled(springs, end)) {
                end++;
            }
            move_cells(springs, start, i, end);
        }
    }
    for (int end = springs->node_count, i; end > 0; end = i) {
        i = end - 1;
        if (!is_recelled(springs, i) && start[i] > then[i]) {
            while (i > 0 && !is_recelled(springs, i - 1)) {
                i--;
            }
            move_cells(springs, start, i, end);
        }
    }
}

// Cells of each node, by their numbers; those of nodes that have the same as before are moved.
static void list_cells(cg_springs *springs, const cg_mesh *mesh)
{
    int *start = springs->order; // free outside a step
    place_cells(springs, mesh, start);
    move_all_cells(springs, start);
    memcpy(springs->first_cell, start, ((size_t)springs->node_count + 1) * sizeof *start);
    for (int i = 0; i < springs->node_count; i++) {
        int *own = springs->cell_at + start[i], count = 0;
        for (int at = mesh->first_cell[i]; at >= 0 && is_recelled(springs, i); at = mesh->next_cell[at]) {
            int k = count++;
            for (; k > 0 && own[k - 1] > at / 4; k--) {
                own[k] = own[k - 1];
            }
            own[k] = at / 4;
        }
    }
    springs->celled_count = springs->node_count;
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
    cg_springs_list_links(springs, mesh);
    for (int i = 0; i < springs->node_count; i++) {
        springs->home_stiffness[i] = home * springs->own_stiffness[i];
    }
    springs->is_ordered = false;
    pack_cells(springs, mesh);
    list_cells(springs, mesh);
    springs->is_closed = surface_is_closed(mesh);
    springs->home_volume = springs->is_closed ? cg_surface_volume(mesh, mesh->home) : 0;
    springs->squeezed_count = 0;
    springs->bent_count = 0;
    springs->is_swelling = false;
    springs->marked_count = 0;
    memset(springs->strained, 0, (size_t)springs->node_count);
}
