// Pieces that hang together, meshes put together, nodes merged.
#include <string.h>

#include "base/status.h"
#include "base/vec3.h"
#include "geometry/mesh_edit.h"
#include "geometry/mesh_parts.h"

// --- pieces ---

static int root_of(int *parent, int node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

// The root of a piece is its first node; so pieces are numbered when their roots are passed.
int cg_mesh_find_pieces(const cg_mesh *mesh, int *piece)
{
    for (int node = 0; node < mesh->node_count; node++) {
        piece[node] = node;
    }
    for (int link = 0; link < mesh->link_count; link++) {
        const int *ends = mesh->links[link].ends;
        if (piece[ends[0]] == piece[ends[1]]) {
            continue; // most are
        }
        int a = root_of(piece, ends[0]), b = root_of(piece, ends[1]);
        piece[a > b ? a : b] = a > b ? b : a;
    }
    // Parents come before their children: one pass makes every entry its root, a second one its number.
    for (int node = 0; node < mesh->node_count; node++) {
        piece[node] = piece[piece[node]];
    }
    int count = 0;
    for (int node = 0; node < mesh->node_count; node++) {
        // A root is numbered with count, as -1 - count, so that it is told from a node that still names its root.
        piece[node] = piece[node] == node ? -1 - count++ : piece[piece[node]];
    }
    for (int node = 0; node < mesh->node_count; node++) {
        piece[node] = -1 - piece[node];
    }
    return count;
}

// --- copies ---

// node_work of the source is 1 for the nodes to copy.
static cg_status check_room(const cg_mesh *into, const cg_mesh *source)
{
    const int *wanted = source->node_work;
    int nodes = into->node_count, links = into->link_count, cells = into->cell_count, triangles = into->triangle_count;
    for (int node = 0; node < source->node_count; node++) {
        nodes += wanted[node];
    }
    for (int link = 0; link < source->link_count; link++) {
        links += wanted[source->links[link].ends[0]];
    }
    for (int cell = 0; cell < source->cell_count; cell++) {
        cells += wanted[source->cells[cell].nodes[0]];
    }
    for (int triangle = 0; triangle < source->triangle_count; triangle++) {
        triangles += wanted[source->triangles[triangle].nodes[0]];
    }
    if (nodes > into->limits.nodes || links > into->limits.links || cells > into->limits.cells ||
        triangles > into->limits.triangles) {
        return cg_error(CG_FULL, "no room for a piece of a mesh");
    }
    if (into->triangle_count > 0 && source->triangle_count > 0 && (into->cell_count > 0) != (source->cell_count > 0)) {
        return cg_error(CG_BAD_INPUT, "a skin and a volume do not go into one mesh");
    }
    return cg_ok();
}

static void copy_links(cg_mesh *into, const cg_mesh *source, const int *number)
{
    for (int link = 0; link < source->link_count; link++) {
        cg_mesh_link item = source->links[link];
        if (number[item.ends[0]] >= 0) {
            int made = cg_mesh_new_link(into, number[item.ends[0]], number[item.ends[1]], item.kind);
            item.ends[0] = into->links[made].ends[0];
            item.ends[1] = into->links[made].ends[1];
            into->links[made] = item;
        }
    }
}

static void copy_items(cg_mesh *into, const cg_mesh *source, const int *number)
{
    for (int cell = 0; cell < source->cell_count; cell++) {
        cg_mesh_cell item = source->cells[cell];
        source->cell_work[cell] = -1;
        if (number[item.nodes[0]] >= 0) {
            for (int corner = 0; corner < 4; corner++) {
                item.nodes[corner] = number[item.nodes[corner]];
            }
            source->cell_work[cell] = cg_mesh_new_cell(into, &item, -1);
        }
    }
    for (int triangle = 0; triangle < source->triangle_count; triangle++) {
        cg_mesh_triangle item = source->triangles[triangle];
        if (number[item.nodes[0]] >= 0) {
            for (int corner = 0; corner < 3; corner++) {
                item.nodes[corner] = number[item.nodes[corner]];
            }
            item.cell = item.cell >= 0 ? source->cell_work[item.cell] : -1;
            cg_mesh_new_triangle(into, &item, -1);
        }
    }
}

// Copies the wanted nodes and all at them; node_work of the source becomes their new number, -1 for the others. Numbers
// ascend as the old ones did, so sums are gathered in the same order and stay the same.
static void copy_wanted(cg_mesh *into, const cg_mesh *source)
{
    int *number = source->node_work;
    into->topology_version++;
    for (int node = 0; node < source->node_count; node++) {
        if (number[node] == 1) {
            number[node] = cg_mesh_new_node(into, (int[3]){-1, -1, -1}, (double[3]){0, 0, 0});
            into->home[number[node]] = source->home[node];
            into->position[number[node]] = source->position[node];
            into->mass[number[node]] = source->mass[node];
            into->fixed[number[node]] = source->fixed[node];
        } else {
            number[node] = -1;
        }
    }
    copy_links(into, source, number);
    copy_items(into, source, number);
}

cg_status cg_mesh_append(cg_mesh *mesh, const cg_mesh *other)
{
    if (mesh == other) {
        return cg_error(CG_BAD_INPUT, "a mesh is not appended to itself");
    }
    for (int node = 0; node < other->node_count; node++) {
        other->node_work[node] = 1;
    }
    cg_status status = check_room(mesh, other);
    if (status.code == CG_OK) {
        copy_wanted(mesh, other);
        mesh->removed_mass += other->removed_mass;
    }
    return status;
}

cg_status cg_mesh_take_piece(cg_mesh *mesh, int node, cg_mesh *into)
{
    if (mesh == into || node < 0 || node >= mesh->node_count) {
        return cg_error(CG_BAD_INPUT, "there is no node %d, or no other mesh to move its piece to", node);
    }
    int *piece = mesh->node_work;
    cg_mesh_find_pieces(mesh, piece);
    int wanted = piece[node];
    for (int i = 0; i < mesh->node_count; i++) {
        piece[i] = piece[i] == wanted;
    }
    cg_status status = check_room(into, mesh);
    if (status.code != CG_OK) {
        return status;
    }
    copy_wanted(into, mesh);
    mesh->topology_version++;
    for (int triangle = mesh->triangle_count - 1; triangle >= 0; triangle--) {
        if (piece[mesh->triangles[triangle].nodes[0]] >= 0) {
            cg_mesh_drop_triangle(mesh, triangle);
        }
    }
    for (int cell = mesh->cell_count - 1; cell >= 0; cell--) {
        if (piece[mesh->cells[cell].nodes[0]] >= 0) {
            cg_mesh_drop_cell(mesh, cell);
        }
    }
    for (int link = mesh->link_count - 1; link >= 0; link--) {
        if (piece[mesh->links[link].ends[0]] >= 0) {
            cg_mesh_drop_link(mesh, link);
        }
    }
    for (int i = mesh->node_count - 1; i >= 0; i--) {
        if (piece[i] >= 0) {
            cg_mesh_drop_node(mesh, i);
        }
    }
    return status;
}

bool cg_mesh_settle_home(cg_mesh *mesh)
{
    for (int cell = 0; cell < mesh->cell_count; cell++) {
        if (!(cg_mesh_cell_volume(mesh, cell, mesh->position) > 0)) {
            return false;
        }
    }
    memcpy(mesh->home, mesh->position, (size_t)mesh->node_count * sizeof *mesh->home);
    return true;
}
