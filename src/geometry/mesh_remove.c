// Cells, triangles and links that are removed, and what that leaves behind.
//
// The numbers to go are marked and removed from the highest down: the last item, which gets the free number, is then
// never one that is still to go.
#include "base/status.h"
#include "geometry/mesh_edit.h"
#include "geometry/mesh_parts.h"

static cg_status mark(int *marks, int total, const int *items, int count, const char *what)
{
    for (int item = 0; item < total; item++) {
        marks[item] = 0;
    }
    for (int i = 0; i < count; i++) {
        if (items[i] < 0 || items[i] >= total) {
            return cg_error(CG_BAD_INPUT, "there is no %s %d", what, items[i]);
        }
        marks[items[i]] = 1;
    }
    return cg_ok();
}

static void clear_node_marks(cg_mesh *mesh)
{
    for (int node = 0; node < mesh->node_count; node++) {
        mesh->node_work[node] = 0;
    }
}

// A link stays while an item has both its ends; a second diagonal or bend link while it leads into something at both.
static bool is_link_kept(const cg_mesh *mesh, int link)
{
    const cg_mesh_link *item = &mesh->links[link];
    int a = item->ends[0], b = item->ends[1];
    return cg_mesh_have_item(mesh, a, b) ||
           (item->kind != CG_LINK_STRETCH && cg_mesh_leads_inside(mesh, a, mesh->home[b]) &&
            cg_mesh_leads_inside(mesh, b, mesh->home[a]));
}

static void drop_links_of(cg_mesh *mesh, int node)
{
    int at = mesh->first_link[node];
    while (at >= 0) {
        if (is_link_kept(mesh, at / 2)) {
            at = mesh->next_link[at];
        } else {
            cg_mesh_drop_link(mesh, at / 2); // the last link may come into this list
            at = mesh->first_link[node];
        }
    }
}

// All marked nodes: links that lost everything go, the surface is closed, parts that only touch are parted, empty nodes
// go.
static void tidy(cg_mesh *mesh)
{
    int count = mesh->node_count, parted = 0;
    for (int node = 0; node < count; node++) {
        if (mesh->node_work[node] == 1) {
            drop_links_of(mesh, node);
            cg_mesh_close_surface(mesh, node);
        }
    }
    for (int node = 0; node < count; node++) {
        if (mesh->node_work[node] == 1) {
            cg_mesh_part_node(mesh, node, false, &parted); // touching in a node is allowed: no room, no parting
            cg_mesh_refresh_node(mesh, node);
        }
    }
    for (int node = count - 1; node >= 0; node--) {
        if (mesh->node_work[node] == 1 && mesh->first_link[node] < 0) {
            cg_mesh_drop_node(mesh, node);
        }
    }
}

// How many triangles come to light less those that go.
static int new_triangles(const cg_mesh *mesh, int cell)
{
    int count = 0;
    for (int face = 0; face < 4; face++) {
        int nodes[3];
        cg_mesh_face_nodes(mesh, cell, face, nodes);
        int neighbour = cg_mesh_find_cell(mesh, nodes, cell);
        count += neighbour < 0 ? -1 : (mesh->cell_work[neighbour] == 0 ? 1 : 0);
    }
    return count;
}

static void remove_cell(cg_mesh *mesh, int cell)
{
    for (int face = 0; face < 4; face++) {
        int nodes[3];
        cg_mesh_face_nodes(mesh, cell, face, nodes);
        int triangle = cg_mesh_find_triangle(mesh, nodes);
        if (triangle >= 0) {
            cg_mesh_drop_triangle(mesh, triangle);
        }
    }
    for (int corner = 0; corner < 4; corner++) {
        mesh->node_work[mesh->cells[cell].nodes[corner]] = 1;
    }
    mesh->removed_mass += mesh->cells[cell].mass;
    cg_mesh_drop_cell(mesh, cell);
}

cg_status cg_mesh_remove_cells(cg_mesh *mesh, const int *cells, int count)
{
    cg_status status = mark(mesh->cell_work, mesh->cell_count, cells, count, "cell");
    if (status.code != CG_OK) {
        return status;
    }
    int more = 0;
    for (int cell = 0; cell < mesh->cell_count; cell++) {
        more += mesh->cell_work[cell] == 1 ? new_triangles(mesh, cell) : 0;
    }
    if (mesh->triangle_count + more > mesh->limits.triangles) {
        return cg_error(CG_FULL, "no room for the surface of what is left");
    }
    mesh->topology_version++;
    clear_node_marks(mesh);
    for (int cell = mesh->cell_count - 1; cell >= 0; cell--) {
        if (mesh->cell_work[cell] == 1) {
            remove_cell(mesh, cell);
        }
    }
    tidy(mesh);
    return status;
}

cg_status cg_mesh_remove_triangles(cg_mesh *mesh, const int *triangles, int count)
{
    if (mesh->cell_count > 0) {
        return cg_error(CG_BAD_INPUT, "triangles of a volume go with their cells");
    }
    cg_status status = mark(mesh->triangle_work, mesh->triangle_count, triangles, count, "triangle");
    if (status.code != CG_OK) {
        return status;
    }
    mesh->topology_version++;
    clear_node_marks(mesh);
    for (int triangle = mesh->triangle_count - 1; triangle >= 0; triangle--) {
        if (mesh->triangle_work[triangle] == 1) {
            for (int corner = 0; corner < 3; corner++) {
                mesh->node_work[mesh->triangles[triangle].nodes[corner]] = 1;
            }
            mesh->removed_mass += mesh->triangles[triangle].mass;
            cg_mesh_drop_triangle(mesh, triangle);
        }
    }
    tidy(mesh);
    return status;
}

static bool joins(const int *nodes, int count, const int ends[2])
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        found += nodes[i] == ends[0] || nodes[i] == ends[1];
    }
    return found == 2;
}

cg_status cg_mesh_remove_link(cg_mesh *mesh, int link)
{
    if (link < 0 || link >= mesh->link_count) {
        return cg_error(CG_BAD_INPUT, "there is no link %d", link);
    }
    const int *ends = mesh->links[link].ends;
    bool has_cells = mesh->cell_count > 0;
    int *around = has_cells ? mesh->cell_label : mesh->triangle_label, count = 0;
    if (has_cells) {
        for (int at = mesh->first_cell[ends[0]]; at >= 0; at = mesh->next_cell[at]) {
            if (joins(mesh->cells[at / 4].nodes, 4, ends)) {
                around[count++] = at / 4;
            }
        }
    } else {
        for (int at = mesh->first_triangle[ends[0]]; at >= 0; at = mesh->next_triangle[at]) {
            if (joins(mesh->triangles[at / 3].nodes, 3, ends)) {
                around[count++] = at / 3;
            }
        }
    }
    if (count == 0) {
        mesh->topology_version++;
        cg_mesh_drop_link(mesh, link);
        return cg_ok();
    }
    return has_cells ? cg_mesh_remove_cells(mesh, around, count) : cg_mesh_remove_triangles(mesh, around, count);
}
