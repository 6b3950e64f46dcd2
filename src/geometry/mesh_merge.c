// Two nodes become one.
#include "base/status.h"
#include "base/vec3.h"
#include "geometry/mesh_edit.h"
#include "geometry/mesh_parts.h"

static bool has(const int *nodes, int count, int node)
{
    for (int i = 0; i < count; i++) {
        if (nodes[i] == node) {
            return true;
        }
    }
    return false;
}

// The volume at home of a cell at a node when that node were elsewhere.
static double volume_with(const cg_mesh *mesh, int cell, int node, cg_vec3 place)
{
    cg_vec3 at[4];
    for (int corner = 0; corner < 4; corner++) {
        int n = mesh->cells[cell].nodes[corner];
        at[corner] = n == node ? place : mesh->home[n];
    }
    return v3_dot(v3_cross(v3_sub(at[1], at[0]), v3_sub(at[2], at[0])), v3_sub(at[3], at[0])) / 6;
}

static bool stays_right_handed(const cg_mesh *mesh, int node, cg_vec3 place)
{
    for (int at = mesh->first_cell[node]; at >= 0; at = mesh->next_cell[at]) {
        // not flat either: a tenth of the volume must be left
        if (!(volume_with(mesh, at / 4, node, place) > 0.1 * cg_mesh_cell_volume(mesh, at / 4, mesh->home))) {
            return false;
        }
    }
    return true;
}

// +1 when the triangle passes from x to y, -1 the other way round, 0 when it has not both.
static int direction(const cg_mesh_triangle *triangle, int x, int y)
{
    for (int i = 0; i < 3; i++) {
        if (triangle->nodes[i] == x && has(triangle->nodes, 3, y)) {
            return triangle->nodes[(i + 1) % 3] == y ? 1 : -1;
        }
    }
    return 0;
}

// Of a volume: every face of b that a has too, with the same two other nodes, must be a surface of both, seen from
// opposite sides.
static bool faces_fit(const cg_mesh *mesh, int a, int b)
{
    for (int at = mesh->first_cell[b]; at >= 0; at = mesh->next_cell[at]) {
        for (int face = 0; face < 4; face++) {
            int nodes[3], others[2], count = 0;
            cg_mesh_face_nodes(mesh, at / 4, face, nodes);
            if (!has(nodes, 3, b)) {
                continue;
            }
            for (int i = 0; i < 3; i++) {
                if (nodes[i] != b) {
                    others[count++] = nodes[i];
                }
            }
            int same[3] = {a, others[0], others[1]};
            if (cg_mesh_find_cell(mesh, same, -1) < 0) {
                continue;
            }
            int ours = cg_mesh_find_triangle(mesh, nodes), theirs = cg_mesh_find_triangle(mesh, same);
            if (ours < 0 || theirs < 0 ||
                direction(&mesh->triangles[ours], others[0], others[1]) ==
                    direction(&mesh->triangles[theirs], others[0], others[1])) {
                return false;
            }
        }
    }
    return true;
}

// Of a skin: no edge may be passed twice in the same direction, and no two triangles may cover each other.
static bool edges_fit(const cg_mesh *mesh, int a, int b)
{
    for (int at = mesh->first_triangle[b]; at >= 0; at = mesh->next_triangle[at]) {
        const int *ours = mesh->triangles[at / 3].nodes;
        int next = ours[(at % 3 + 1) % 3], last = ours[(at % 3 + 2) % 3];
        for (int other = mesh->first_triangle[a]; other >= 0; other = mesh->next_triangle[other]) {
            const int *theirs = mesh->triangles[other / 3].nodes;
            int their_next = theirs[(other % 3 + 1) % 3], their_last = theirs[(other % 3 + 2) % 3];
            if (next == their_next || last == their_last || (next == their_last && last == their_next)) {
                return false;
            }
        }
    }
    return true;
}

// The link of b becomes that of a, or goes into the one that a has. A spring beside a spring: stiffness and strength
// add, lengths are weighted by stiffness.
static void merge_link(cg_mesh *mesh, int link, int a, int b)
{
    cg_mesh_link *item = &mesh->links[link];
    int end = item->ends[0] == b ? item->ends[1] : item->ends[0];
    int twin = cg_mesh_find_link(mesh, a, end);
    if (twin < 0) {
        cg_mesh_set_link_ends(mesh, link, a, end);
        return;
    }
    cg_mesh_link *kept = &mesh->links[twin];
    double sum = kept->stiffness + item->stiffness;
    if (sum > 0) {
        kept->rest = (kept->stiffness * kept->rest + item->stiffness * item->rest) / sum;
        kept->stiffening = (kept->stiffness * kept->stiffening + item->stiffness * item->stiffening) / sum;
    }
    kept->stiffness = sum;
    kept->own += item->own;
    kept->strength += item->strength;
    kept->kind = item->kind < kept->kind ? item->kind : kept->kind; // an edge stays one
    cg_mesh_drop_link(mesh, link);
}

static void move_items(cg_mesh *mesh, int a, int b)
{
    while (mesh->first_cell[b] >= 0) {
        cg_mesh_set_cell_node(mesh, mesh->first_cell[b] / 4, mesh->first_cell[b] % 4, a);
    }
    while (mesh->first_triangle[b] >= 0) {
        cg_mesh_set_triangle_node(mesh, mesh->first_triangle[b] / 3, mesh->first_triangle[b] % 3, a);
    }
    while (mesh->first_link[b] >= 0) {
        merge_link(mesh, mesh->first_link[b] / 2, a, b);
    }
}

// Triangles at a node between two cells are no surface any more.
static void drop_inner_triangles(cg_mesh *mesh, int node)
{
    int at = mesh->first_triangle[node];
    while (at >= 0) {
        const cg_mesh_triangle *item = &mesh->triangles[at / 3];
        if (item->cell >= 0 && cg_mesh_find_cell(mesh, item->nodes, item->cell) >= 0) {
            cg_mesh_drop_triangle(mesh, at / 3); // the last one may come into this list
            at = mesh->first_triangle[node];
        } else {
            at = mesh->next_triangle[at];
        }
    }
}

cg_status cg_mesh_merge_nodes(cg_mesh *mesh, int a, int b)
{
    if (a < 0 || b < 0 || a >= mesh->node_count || b >= mesh->node_count || a == b) {
        return cg_error(CG_BAD_INPUT, "there are no two nodes %d and %d", a, b);
    }
    double share = mesh->mass[a] / (mesh->mass[a] + mesh->mass[b]);
    cg_vec3 home = v3_add(v3_scale(share, mesh->home[a]), v3_scale(1 - share, mesh->home[b]));
    if (cg_mesh_find_link(mesh, a, b) >= 0 || cg_mesh_have_item(mesh, a, b)) {
        return cg_error(CG_BAD_INPUT, "nodes %d and %d are linked", a, b);
    }
    if (!stays_right_handed(mesh, a, home) || !stays_right_handed(mesh, b, home)) {
        return cg_error(CG_BAD_INPUT, "nodes %d and %d are too far apart at home", a, b);
    }
    if (mesh->cell_count > 0 ? !faces_fit(mesh, a, b) : !edges_fit(mesh, a, b)) {
        return cg_error(CG_BAD_INPUT, "the surfaces at nodes %d and %d do not meet outside to outside", a, b);
    }
    mesh->topology_version++;
    cg_mesh_log(mesh, CG_EDIT_NODES_MERGED, a, b);
    cg_mesh_edit *edit = &mesh->edits[(mesh->edit_count - 1) % (uint64_t)mesh->limits.edits];
    edit->weights[0] = share;
    edit->weights[1] = 1 - share;
    mesh->home[a] = home;
    mesh->position[a] = v3_add(v3_scale(share, mesh->position[a]), v3_scale(1 - share, mesh->position[b]));
    mesh->fixed[a] = mesh->fixed[a] || mesh->fixed[b];
    move_items(mesh, a, b);
    drop_inner_triangles(mesh, a);
    cg_mesh_refresh_node(mesh, a);
    cg_mesh_drop_node(mesh, b);
    return cg_ok();
}
