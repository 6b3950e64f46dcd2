// A mesh: its memory, its builders, and the lists that say what touches a node.
#include "geometry/mesh.h"

#include <string.h>

#include "base/status.h"
#include "base/vec3.h"
#include "geometry/mesh_parts.h"

const int cg_mesh_cell_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
const int cg_mesh_cell_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

// --- memory ---

void cg_mesh_lay_out(cg_mesh *mesh, cg_arena *arena, const cg_mesh_limits *limits)
{
    cg_allocator allocator = mesh->allocator;
    *mesh = (cg_mesh){.limits = *limits, .allocator = allocator, .topology_version = 1};
    mesh->home = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    mesh->position = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    mesh->mass = cg_arena_push_array(arena, double, limits->nodes);
    mesh->fixed = cg_arena_push_array(arena, bool, limits->nodes);
    mesh->links = cg_arena_push_array(arena, cg_mesh_link, limits->links);
    mesh->cells = cg_arena_push_array(arena, cg_mesh_cell, limits->cells);
    mesh->triangles = cg_arena_push_array(arena, cg_mesh_triangle, limits->triangles);
    mesh->edits = cg_arena_push_array(arena, cg_mesh_edit, limits->edits);
    mesh->first_link = cg_arena_push_array(arena, int, limits->nodes);
    mesh->first_cell = cg_arena_push_array(arena, int, limits->nodes);
    mesh->first_triangle = cg_arena_push_array(arena, int, limits->nodes);
    mesh->next_link = cg_arena_push_array(arena, int, 2 * (size_t)limits->links);
    mesh->next_cell = cg_arena_push_array(arena, int, 4 * (size_t)limits->cells);
    mesh->next_triangle = cg_arena_push_array(arena, int, 3 * (size_t)limits->triangles);
    mesh->node_work = cg_arena_push_array(arena, int, limits->nodes);
    mesh->node_beyond = cg_arena_push_array(arena, unsigned char, limits->nodes);
    mesh->cell_work = cg_arena_push_array(arena, int, limits->cells);
    mesh->cell_label = cg_arena_push_array(arena, int, limits->cells);
    mesh->triangle_work = cg_arena_push_array(arena, int, limits->triangles);
    mesh->triangle_label = cg_arena_push_array(arena, int, limits->triangles);
}

static bool is_in_range(int count, int low)
{
    return count >= low && count <= CG_MESH_MOST;
}

cg_status cg_mesh_create(const cg_allocator *allocator, const cg_mesh_limits *limits, cg_mesh **mesh)
{
    *mesh = NULL;
    if (!is_in_range(limits->nodes, 0) || !is_in_range(limits->links, 0) || !is_in_range(limits->cells, 0) ||
        !is_in_range(limits->triangles, 0) || !is_in_range(limits->edits, 1)) {
        return cg_error(CG_BAD_INPUT, "limits of a mesh must be 0 (edits: 1) to %d", CG_MESH_MOST);
    }
    cg_mesh shape = {.allocator = *allocator};
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_arena_push_array(&arena, cg_mesh, 1);
    cg_mesh_lay_out(&shape, &arena, limits);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(allocator, bytes);
    if (memory == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a mesh of %d nodes", limits->nodes);
    }
    cg_arena_init(&arena, memory, bytes);
    cg_mesh *made = cg_arena_push_array(&arena, cg_mesh, 1);
    made->allocator = *allocator;
    cg_mesh_lay_out(made, &arena, limits);
    *mesh = made;
    return cg_ok();
}

void cg_mesh_destroy(cg_mesh *mesh)
{
    if (mesh != NULL) {
        cg_allocator allocator = mesh->allocator;
        cg_memory_give(&allocator, mesh);
    }
}

static void copy_log(cg_mesh *mesh, const cg_mesh *source)
{
    uint64_t kept = source->edit_count;
    kept = kept < (uint64_t)source->limits.edits ? kept : (uint64_t)source->limits.edits;
    kept = kept < (uint64_t)mesh->limits.edits ? kept : (uint64_t)mesh->limits.edits;
    for (uint64_t i = source->edit_count - kept; i < source->edit_count; i++) {
        mesh->edits[i % (uint64_t)mesh->limits.edits] = source->edits[i % (uint64_t)source->limits.edits];
    }
    mesh->edit_count = source->edit_count;
}

#define COPY(array, count) memcpy(mesh->array, source->array, (size_t)(count) * sizeof *mesh->array)

bool cg_mesh_copy(cg_mesh *mesh, const cg_mesh *source)
{
    if (source->node_count > mesh->limits.nodes || source->link_count > mesh->limits.links ||
        source->cell_count > mesh->limits.cells || source->triangle_count > mesh->limits.triangles) {
        return false;
    }
    mesh->node_count = source->node_count;
    mesh->link_count = source->link_count;
    mesh->cell_count = source->cell_count;
    mesh->triangle_count = source->triangle_count;
    COPY(home, source->node_count);
    COPY(position, source->node_count);
    COPY(mass, source->node_count);
    COPY(fixed, source->node_count);
    COPY(links, source->link_count);
    COPY(cells, source->cell_count);
    COPY(triangles, source->triangle_count);
    COPY(first_link, source->node_count);
    COPY(first_cell, source->node_count);
    COPY(first_triangle, source->node_count);
    COPY(next_link, 2 * source->link_count);
    COPY(next_cell, 4 * source->cell_count);
    COPY(next_triangle, 3 * source->triangle_count);
    copy_log(mesh, source);
    mesh->topology_version = source->topology_version;
    mesh->removed_mass = source->removed_mass;
    return true;
}

const char *cg_mesh_side_name(int side)
{
    static const char *const names[CG_SIDE_COUNT] = {"top", "bottom", "rim", "groove", "outer", "inner"};
    return side >= 0 && side < CG_SIDE_COUNT ? names[side] : NULL;
}

// --- lists of places ---

void cg_mesh_enter(int *first, int *next, int node, int place)
{
    int *link = &first[node];
    while (*link >= 0 && *link < place) {
        link = &next[*link];
    }
    next[place] = *link;
    *link = place;
}

void cg_mesh_leave(int *first, int *next, int node, int place)
{
    int *link = &first[node];
    while (*link != place) {
        link = &next[*link];
    }
    *link = next[place];
}

// Backwards, so that each place comes to the front of its list.
void cg_mesh_make_lists(cg_mesh *mesh)
{
    for (int node = 0; node < mesh->node_count; node++) {
        mesh->first_link[node] = mesh->first_cell[node] = mesh->first_triangle[node] = -1;
    }
    for (int place = 2 * mesh->link_count - 1; place >= 0; place--) {
        int node = mesh->links[place / 2].ends[place % 2];
        mesh->next_link[place] = mesh->first_link[node];
        mesh->first_link[node] = place;
    }
    for (int place = 4 * mesh->cell_count - 1; place >= 0; place--) {
        int node = mesh->cells[place / 4].nodes[place % 4];
        mesh->next_cell[place] = mesh->first_cell[node];
        mesh->first_cell[node] = place;
    }
    for (int place = 3 * mesh->triangle_count - 1; place >= 0; place--) {
        int node = mesh->triangles[place / 3].nodes[place % 3];
        mesh->next_triangle[place] = mesh->first_triangle[node];
        mesh->first_triangle[node] = place;
    }
}

// --- builders ---

int cg_mesh_add_node(cg_mesh *mesh, cg_vec3 home)
{
    if (mesh->node_count >= mesh->limits.nodes) {
        return -1;
    }
    int node = mesh->node_count++;
    mesh->home[node] = mesh->position[node] = home;
    mesh->mass[node] = 0;
    mesh->fixed[node] = false;
    mesh->first_link[node] = mesh->first_cell[node] = mesh->first_triangle[node] = -1;
    return node;
}

int cg_mesh_add_link(cg_mesh *mesh, int a, int b, cg_mesh_link_kind kind)
{
    int link = cg_mesh_find_link(mesh, a, b);
    if (link >= 0 || mesh->link_count >= mesh->limits.links) {
        return link;
    }
    link = mesh->link_count++;
    mesh->links[link] = (cg_mesh_link){
        .ends = {a < b ? a : b, a < b ? b : a}, .rest = v3_distance(mesh->home[a], mesh->home[b]), .kind = kind};
    for (int end = 0; end < 2; end++) {
        cg_mesh_enter(mesh->first_link, mesh->next_link, mesh->links[link].ends[end], 2 * link + end);
    }
    return link;
}

static int missing_links(const cg_mesh *mesh, const int *nodes, const int (*edges)[2], int count)
{
    int missing = 0;
    for (int edge = 0; edge < count; edge++) {
        missing += cg_mesh_find_link(mesh, nodes[edges[edge][0]], nodes[edges[edge][1]]) < 0;
    }
    return missing;
}

int cg_mesh_add_cell(cg_mesh *mesh, const int nodes[4], const double share[6], double mass, int layer)
{
    if (mesh->cell_count >= mesh->limits.cells ||
        mesh->link_count + missing_links(mesh, nodes, cg_mesh_cell_edges, 6) > mesh->limits.links) {
        return -1;
    }
    int cell = mesh->cell_count++;
    cg_mesh_cell *made = &mesh->cells[cell];
    *made = (cg_mesh_cell){.mass = mass, .layer = layer};
    memcpy(made->nodes, nodes, sizeof made->nodes);
    memcpy(made->share, share, sizeof made->share);
    for (int edge = 0; edge < 6; edge++) {
        cg_mesh_add_link(mesh, nodes[cg_mesh_cell_edges[edge][0]], nodes[cg_mesh_cell_edges[edge][1]], CG_LINK_STRETCH);
    }
    for (int corner = 0; corner < 4; corner++) {
        cg_mesh_enter(mesh->first_cell, mesh->next_cell, nodes[corner], 4 * cell + corner);
    }
    return cell;
}

int cg_mesh_add_triangle(cg_mesh *mesh, const int nodes[3], int cell, double mass, cg_mesh_side side)
{
    static const int edges[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    if (mesh->triangle_count >= mesh->limits.triangles ||
        mesh->link_count + missing_links(mesh, nodes, edges, 3) > mesh->limits.links) {
        return -1;
    }
    int triangle = mesh->triangle_count++;
    mesh->triangles[triangle] =
        (cg_mesh_triangle){.nodes = {nodes[0], nodes[1], nodes[2]}, .cell = cell, .mass = mass, .side = side};
    for (int corner = 0; corner < 3; corner++) {
        cg_mesh_add_link(mesh, nodes[edges[corner][0]], nodes[edges[corner][1]], CG_LINK_STRETCH);
        cg_mesh_enter(mesh->first_triangle, mesh->next_triangle, nodes[corner], 3 * triangle + corner);
    }
    return triangle;
}

bool cg_mesh_add_surface(cg_mesh *mesh, cg_mesh_side (*side)(const cg_mesh *mesh, const int nodes[3], void *context),
                         void *context)
{
    for (int cell = 0; cell < mesh->cell_count; cell++) {
        for (int face = 0; face < 4; face++) {
            int nodes[3];
            cg_mesh_face_nodes(mesh, cell, face, nodes);
            if (cg_mesh_find_cell(mesh, nodes, cell) < 0 &&
                cg_mesh_add_triangle(mesh, nodes, cell, 0, side(mesh, nodes, context)) < 0) {
                return false;
            }
        }
    }
    return true;
}

void cg_mesh_finish(cg_mesh *mesh)
{
    for (int link = 0; link < mesh->link_count; link++) {
        mesh->links[link].stiffness = cg_mesh_gathered_stiffness(mesh, link);
    }
    for (int node = 0; node < mesh->node_count; node++) {
        mesh->mass[node] = cg_mesh_gathered_mass(mesh, node);
    }
    mesh->edit_count = 0;
    mesh->topology_version = 1;
    mesh->removed_mass = 0;
}

// --- questions ---

int cg_mesh_find_link(const cg_mesh *mesh, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    for (int at = mesh->first_link[low]; at >= 0; at = mesh->next_link[at]) {
        const int *ends = mesh->links[at / 2].ends;
        if (ends[0] == low && ends[1] == high) {
            return at / 2;
        }
    }
    return -1;
}

static bool has_node(const int *nodes, int count, int node)
{
    for (int i = 0; i < count; i++) {
        if (nodes[i] == node) {
            return true;
        }
    }
    return false;
}

int cg_mesh_find_cell(const cg_mesh *mesh, const int nodes[3], int but)
{
    for (int at = mesh->first_cell[nodes[0]]; at >= 0; at = mesh->next_cell[at]) {
        const int *corners = mesh->cells[at / 4].nodes;
        if (at / 4 != but && has_node(corners, 4, nodes[1]) && has_node(corners, 4, nodes[2])) {
            return at / 4;
        }
    }
    return -1;
}

int cg_mesh_find_triangle(const cg_mesh *mesh, const int nodes[3])
{
    for (int at = mesh->first_triangle[nodes[0]]; at >= 0; at = mesh->next_triangle[at]) {
        const int *corners = mesh->triangles[at / 3].nodes;
        if (has_node(corners, 3, nodes[1]) && has_node(corners, 3, nodes[2])) {
            return at / 3;
        }
    }
    return -1;
}

int cg_mesh_triangle_across(const cg_mesh *mesh, int a, int b)
{
    for (int at = mesh->first_triangle[b]; at >= 0; at = mesh->next_triangle[at]) {
        if (mesh->triangles[at / 3].nodes[(at % 3 + 1) % 3] == a) {
            return at / 3;
        }
    }
    return -1;
}

void cg_mesh_face_nodes(const cg_mesh *mesh, int cell, int face, int nodes[3])
{
    for (int corner = 0; corner < 3; corner++) {
        nodes[corner] = mesh->cells[cell].nodes[cg_mesh_cell_faces[face][corner]];
    }
}

double cg_mesh_cell_volume(const cg_mesh *mesh, int cell, const cg_vec3 *positions)
{
    const int *nodes = mesh->cells[cell].nodes;
    cg_vec3 origin = positions[nodes[0]];
    cg_vec3 normal = v3_cross(v3_sub(positions[nodes[1]], origin), v3_sub(positions[nodes[2]], origin));
    return v3_dot(normal, v3_sub(positions[nodes[3]], origin)) / 6;
}

bool cg_mesh_is_in_cell(const cg_mesh *mesh, int cell, cg_vec3 place, double weights[4])
{
    const int *n = mesh->cells[cell].nodes;
    cg_vec3 o = mesh->position[n[0]], a = v3_sub(mesh->position[n[1]], o), b = v3_sub(mesh->position[n[2]], o),
            c = v3_sub(mesh->position[n[3]], o), p = v3_sub(place, o);
    double volume = v3_dot(v3_cross(a, b), c);
    if (!(volume > 0)) {
        return false;
    }
    weights[1] = v3_dot(v3_cross(p, b), c) / volume;
    weights[2] = v3_dot(v3_cross(a, p), c) / volume;
    weights[3] = v3_dot(v3_cross(a, b), p) / volume;
    weights[0] = 1 - weights[1] - weights[2] - weights[3];
    return weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0 && weights[3] >= 0;
}

double cg_mesh_gathered_stiffness(const cg_mesh *mesh, int link)
{
    const cg_mesh_link *item = &mesh->links[link];
    double sum = item->own;
    for (int at = mesh->first_cell[item->ends[0]]; at >= 0; at = mesh->next_cell[at]) {
        const cg_mesh_cell *cell = &mesh->cells[at / 4];
        for (int edge = 0; edge < 6; edge++) {
            int a = cell->nodes[cg_mesh_cell_edges[edge][0]], b = cell->nodes[cg_mesh_cell_edges[edge][1]];
            if ((a == item->ends[0] && b == item->ends[1]) || (a == item->ends[1] && b == item->ends[0])) {
                sum += cell->share[edge];
            }
        }
    }
    return sum;
}

double cg_mesh_gathered_mass(const cg_mesh *mesh, int node)
{
    double sum = 0;
    for (int at = mesh->first_cell[node]; at >= 0; at = mesh->next_cell[at]) {
        sum += mesh->cells[at / 4].mass / 4;
    }
    for (int at = mesh->first_triangle[node]; at >= 0; at = mesh->next_triangle[at]) {
        sum += mesh->triangles[at / 3].mass / 3;
    }
    return sum;
}

double cg_mesh_total_mass(const cg_mesh *mesh)
{
    double sum = 0;
    for (int node = 0; node < mesh->node_count; node++) {
        sum += mesh->mass[node];
    }
    return sum;
}
