// Single items that come, change and go, with the log. A removed item leaves its number to the last one.
#include "base/vec3.h"
#include "geometry/mesh_edit.h"
#include "geometry/mesh_parts.h"

void cg_mesh_log(cg_mesh *mesh, cg_mesh_edit_kind kind, int item, int from)
{
    mesh->edits[mesh->edit_count % (uint64_t)mesh->limits.edits] =
        (cg_mesh_edit){.kind = kind, .item = item, .from = {from, -1, -1}, .version = mesh->topology_version};
    mesh->edit_count++;
}

static void follow_node(const cg_mesh_edit *edit, int *node)
{
    if (edit->kind == CG_EDIT_NODE_REMOVED && *node == edit->item) {
        *node = -1;
    } else if ((edit->kind == CG_EDIT_NODE_MOVED || edit->kind == CG_EDIT_NODES_MERGED) && *node == edit->from[0]) {
        *node = edit->item;
    }
}

bool cg_mesh_follow_nodes(const cg_mesh *mesh, uint64_t from, int *nodes, int count)
{
    uint64_t kept = (uint64_t)mesh->limits.edits;
    if (from > mesh->edit_count || mesh->edit_count - from > kept) {
        return false;
    }
    for (uint64_t k = from; k < mesh->edit_count; k++) {
        const cg_mesh_edit *edit = &mesh->edits[k % kept];
        if (edit->kind <= CG_EDIT_NODES_MERGED) {
            for (int i = 0; i < count; i++) {
                follow_node(edit, &nodes[i]);
            }
        }
    }
    return true;
}

// --- what comes ---

int cg_mesh_new_node(cg_mesh *mesh, const int from[3], const double weights[3])
{
    cg_vec3 home = v3_zero(), position = v3_zero();
    bool is_fixed = from[0] >= 0;
    for (int i = 0; i < 3; i++) {
        if (from[i] >= 0) {
            home = v3_add_scaled(home, weights[i], mesh->home[from[i]]);
            position = v3_add_scaled(position, weights[i], mesh->position[from[i]]);
            is_fixed = is_fixed && mesh->fixed[from[i]];
        }
    }
    int node = cg_mesh_add_node(mesh, home);
    mesh->position[node] = position;
    mesh->fixed[node] = is_fixed;
    cg_mesh_log(mesh, CG_EDIT_NODE_ADDED, node, -1);
    cg_mesh_edit *edit = &mesh->edits[(mesh->edit_count - 1) % (uint64_t)mesh->limits.edits];
    for (int i = 0; i < 3; i++) {
        edit->from[i] = from[i];
        edit->weights[i] = weights[i];
    }
    return node;
}

int cg_mesh_new_link(cg_mesh *mesh, int a, int b, cg_mesh_link_kind kind)
{
    int before = mesh->link_count, link = cg_mesh_add_link(mesh, a, b, kind);
    if (mesh->link_count > before) {
        cg_mesh_log(mesh, CG_EDIT_LINK_ADDED, link, -1);
    }
    return link;
}

int cg_mesh_new_cell(cg_mesh *mesh, const cg_mesh_cell *cell, int from)
{
    for (int edge = 0; edge < 6; edge++) {
        cg_mesh_new_link(mesh, cell->nodes[cg_mesh_cell_edges[edge][0]], cell->nodes[cg_mesh_cell_edges[edge][1]],
                         CG_LINK_STRETCH);
    }
    int made = cg_mesh_add_cell(mesh, cell->nodes, cell->share, cell->mass, cell->layer);
    cg_mesh_log(mesh, CG_EDIT_CELL_ADDED, made, from);
    return made;
}

int cg_mesh_new_triangle(cg_mesh *mesh, const cg_mesh_triangle *triangle, int from)
{
    for (int corner = 0; corner < 3; corner++) {
        cg_mesh_new_link(mesh, triangle->nodes[corner], triangle->nodes[(corner + 1) % 3], CG_LINK_STRETCH);
    }
    int made = cg_mesh_add_triangle(mesh, triangle->nodes, triangle->cell, triangle->mass, triangle->side);
    cg_mesh_log(mesh, CG_EDIT_TRIANGLE_ADDED, made, from);
    return made;
}

// --- what changes ---

void cg_mesh_set_link_ends(cg_mesh *mesh, int link, int a, int b)
{
    cg_mesh_link *item = &mesh->links[link];
    for (int end = 0; end < 2; end++) {
        cg_mesh_leave(mesh->first_link, mesh->next_link, item->ends[end], 2 * link + end);
    }
    item->ends[0] = a < b ? a : b;
    item->ends[1] = a < b ? b : a;
    for (int end = 0; end < 2; end++) {
        cg_mesh_enter(mesh->first_link, mesh->next_link, item->ends[end], 2 * link + end);
    }
}

void cg_mesh_set_cell_node(cg_mesh *mesh, int cell, int corner, int node)
{
    cg_mesh_leave(mesh->first_cell, mesh->next_cell, mesh->cells[cell].nodes[corner], 4 * cell + corner);
    mesh->cells[cell].nodes[corner] = node;
    cg_mesh_enter(mesh->first_cell, mesh->next_cell, node, 4 * cell + corner);
}

void cg_mesh_set_triangle_node(cg_mesh *mesh, int triangle, int corner, int node)
{
    cg_mesh_leave(mesh->first_triangle, mesh->next_triangle, mesh->triangles[triangle].nodes[corner],
                  3 * triangle + corner);
    mesh->triangles[triangle].nodes[corner] = node;
    cg_mesh_enter(mesh->first_triangle, mesh->next_triangle, node, 3 * triangle + corner);
}

// --- what goes ---

void cg_mesh_drop_link(cg_mesh *mesh, int link)
{
    int last = mesh->link_count - 1;
    for (int end = 0; end < 2; end++) {
        cg_mesh_leave(mesh->first_link, mesh->next_link, mesh->links[link].ends[end], 2 * link + end);
    }
    cg_mesh_log(mesh, CG_EDIT_LINK_REMOVED, link, -1);
    if (link != last) {
        for (int end = 0; end < 2; end++) {
            int node = mesh->links[last].ends[end];
            cg_mesh_leave(mesh->first_link, mesh->next_link, node, 2 * last + end);
            cg_mesh_enter(mesh->first_link, mesh->next_link, node, 2 * link + end);
        }
        mesh->links[link] = mesh->links[last];
        cg_mesh_log(mesh, CG_EDIT_LINK_MOVED, link, last);
    }
    mesh->link_count--;
}

void cg_mesh_drop_triangle(cg_mesh *mesh, int triangle)
{
    int last = mesh->triangle_count - 1;
    for (int corner = 0; corner < 3; corner++) {
        cg_mesh_leave(mesh->first_triangle, mesh->next_triangle, mesh->triangles[triangle].nodes[corner],
                      3 * triangle + corner);
    }
    cg_mesh_log(mesh, CG_EDIT_TRIANGLE_REMOVED, triangle, -1);
    if (triangle != last) {
        for (int corner = 0; corner < 3; corner++) {
            int node = mesh->triangles[last].nodes[corner];
            cg_mesh_leave(mesh->first_triangle, mesh->next_triangle, node, 3 * last + corner);
            cg_mesh_enter(mesh->first_triangle, mesh->next_triangle, node, 3 * triangle + corner);
        }
        mesh->triangles[triangle] = mesh->triangles[last];
        cg_mesh_log(mesh, CG_EDIT_TRIANGLE_MOVED, triangle, last);
    }
    mesh->triangle_count--;
}

void cg_mesh_rename_cell_of_triangles(cg_mesh *mesh, int cell, int from)
{
    for (int face = 0; face < 4; face++) {
        int nodes[3];
        cg_mesh_face_nodes(mesh, cell, face, nodes);
        int triangle = cg_mesh_find_triangle(mesh, nodes);
        if (triangle >= 0 && mesh->triangles[triangle].cell == from) {
            mesh->triangles[triangle].cell = cell;
        }
    }
}

void cg_mesh_drop_cell(cg_mesh *mesh, int cell)
{
    int last = mesh->cell_count - 1;
    for (int corner = 0; corner < 4; corner++) {
        cg_mesh_leave(mesh->first_cell, mesh->next_cell, mesh->cells[cell].nodes[corner], 4 * cell + corner);
    }
    cg_mesh_log(mesh, CG_EDIT_CELL_REMOVED, cell, -1);
    if (cell != last) {
        for (int corner = 0; corner < 4; corner++) {
            int node = mesh->cells[last].nodes[corner];
            cg_mesh_leave(mesh->first_cell, mesh->next_cell, node, 4 * last + corner);
            cg_mesh_enter(mesh->first_cell, mesh->next_cell, node, 4 * cell + corner);
        }
        mesh->cells[cell] = mesh->cells[last];
        cg_mesh_rename_cell_of_triangles(mesh, cell, last);
        cg_mesh_log(mesh, CG_EDIT_CELL_MOVED, cell, last);
    }
    mesh->cell_count--;
}

// Gives a node without items another number, with everything at it.
static void rename_node(cg_mesh *mesh, int node, int from)
{
    mesh->home[node] = mesh->home[from];
    mesh->position[node] = mesh->position[from];
    mesh->mass[node] = mesh->mass[from];
    mesh->fixed[node] = mesh->fixed[from];
    while (mesh->first_link[from] >= 0) {
        int link = mesh->first_link[from] / 2;
        const int *ends = mesh->links[link].ends;
        cg_mesh_set_link_ends(mesh, link, node, ends[0] == from ? ends[1] : ends[0]);
    }
    for (int at = mesh->first_cell[from]; at >= 0; at = mesh->next_cell[at]) {
        mesh->cells[at / 4].nodes[at % 4] = node;
    }
    for (int at = mesh->first_triangle[from]; at >= 0; at = mesh->next_triangle[at]) {
        mesh->triangles[at / 3].nodes[at % 3] = node;
    }
    mesh->first_cell[node] = mesh->first_cell[from];
    mesh->first_triangle[node] = mesh->first_triangle[from];
}

void cg_mesh_drop_node(cg_mesh *mesh, int node)
{
    int last = mesh->node_count - 1;
    cg_mesh_log(mesh, CG_EDIT_NODE_REMOVED, node, -1);
    if (node != last) {
        rename_node(mesh, node, last);
        cg_mesh_log(mesh, CG_EDIT_NODE_MOVED, node, last);
    }
    mesh->node_count--;
}

// --- what follows ---

void cg_mesh_refresh_link(cg_mesh *mesh, int link)
{
    cg_mesh_link *item = &mesh->links[link];
    double before = item->stiffness;
    item->stiffness = cg_mesh_gathered_stiffness(mesh, link);
    if (before > 0) {
        item->strength *= item->stiffness / before; // it stands for as much less material
    }
}

void cg_mesh_refresh_node(cg_mesh *mesh, int node)
{
    mesh->mass[node] = cg_mesh_gathered_mass(mesh, node);
    for (int at = mesh->first_link[node]; at >= 0; at = mesh->next_link[at]) {
        cg_mesh_refresh_link(mesh, at / 2);
    }
}
