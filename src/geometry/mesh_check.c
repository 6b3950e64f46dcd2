// What must hold in a mesh (the numbered list in mesh.h), checked item by item.
#include <math.h>

#include "base/status.h"
#include "base/vec3.h"
#include "geometry/mesh.h"
#include "geometry/mesh_parts.h"

static cg_status fault(const char *what, int item, const char *rule)
{
    return cg_error(CG_BAD_INPUT, "%s %d: %s", what, item, rule);
}

static bool are_different(const int *nodes, int count, int node_count)
{
    for (int i = 0; i < count; i++) {
        if (nodes[i] < 0 || nodes[i] >= node_count) {
            return false;
        }
        for (int j = 0; j < i; j++) {
            if (nodes[i] == nodes[j]) {
                return false;
            }
        }
    }
    return true;
}

static bool agree(double stored, double gathered)
{
    return fabs(stored - gathered) <= 1e-12 * fabs(gathered);
}

// --- 1: counts, numbers, indices ---

static cg_status check_indices(const cg_mesh *mesh)
{
    const cg_mesh_limits *limits = &mesh->limits;
    if (mesh->node_count < 0 || mesh->node_count > limits->nodes || mesh->link_count < 0 ||
        mesh->link_count > limits->links || mesh->cell_count < 0 || mesh->cell_count > limits->cells ||
        mesh->triangle_count < 0 || mesh->triangle_count > limits->triangles) {
        return cg_error(CG_BAD_INPUT, "a count of the mesh is out of its limits");
    }
    for (int node = 0; node < mesh->node_count; node++) {
        if (!v3_is_finite(mesh->home[node]) || !v3_is_finite(mesh->position[node]) || !isfinite(mesh->mass[node])) {
            return fault("node", node, "a number is not finite");
        }
    }
    for (int link = 0; link < mesh->link_count; link++) {
        const cg_mesh_link *item = &mesh->links[link];
        if (!are_different(item->ends, 2, mesh->node_count) || item->ends[0] > item->ends[1]) {
            return fault("link", link, "its ends are not two nodes in order");
        }
        if (!(item->rest > 0) || !(item->own >= 0) || !(item->strength >= 0) || !(item->stiffening >= 0) ||
            !(item->rest + item->own + item->strength + item->stiffening < (double)INFINITY)) {
            return fault("link", link, "a length, stiffness or strength is negative or not finite");
        }
    }
    for (int cell = 0; cell < mesh->cell_count; cell++) {
        const cg_mesh_cell *item = &mesh->cells[cell];
        if (!are_different(item->nodes, 4, mesh->node_count) || item->layer < 0) {
            return fault("cell", cell, "its corners are not four nodes");
        }
        double sum = item->mass;
        for (int edge = 0; edge < 6; edge++) {
            if (!(item->share[edge] >= 0)) {
                return fault("cell", cell, "a share is negative");
            }
            sum += item->share[edge];
        }
        if (!(item->mass > 0) || !isfinite(sum)) {
            return fault("cell", cell, "mass or share is not positive and finite");
        }
    }
    for (int triangle = 0; triangle < mesh->triangle_count; triangle++) {
        const cg_mesh_triangle *item = &mesh->triangles[triangle];
        if (!are_different(item->nodes, 3, mesh->node_count) || item->cell < -1 || item->cell >= mesh->cell_count) {
            return fault("triangle", triangle, "its corners are not three nodes, or its cell is none");
        }
        if (item->cell >= 0 ? item->mass != 0 : !(item->mass > 0 && isfinite(item->mass))) {
            return fault("triangle", triangle, "only the triangles of a skin have mass");
        }
        if ((item->cell >= 0) != (mesh->cell_count > 0)) {
            return fault("triangle", triangle, "all triangles are on cells, or none");
        }
    }
    return cg_ok();
}

// --- 2: lists ---

// Every place of every item stands in the list of its node, the lists ascend, and they have no other places.
static bool lists_are_right(const int *first, const int *next, int nodes, int places, const cg_mesh *mesh,
                            int (*node_of)(const cg_mesh *mesh, int place))
{
    long long found = 0;
    for (int node = 0; node < nodes; node++) {
        for (int at = first[node], before = -1; at >= 0; before = at, at = next[at]) {
            if (at <= before || at >= places || node_of(mesh, at) != node) {
                return false;
            }
            found++;
        }
    }
    return found == places;
}

static int node_of_link(const cg_mesh *mesh, int place)
{
    return mesh->links[place / 2].ends[place % 2];
}

static int node_of_cell(const cg_mesh *mesh, int place)
{
    return mesh->cells[place / 4].nodes[place % 4];
}

static int node_of_triangle(const cg_mesh *mesh, int place)
{
    return mesh->triangles[place / 3].nodes[place % 3];
}

static cg_status check_lists(const cg_mesh *mesh)
{
    int nodes = mesh->node_count;
    if (!lists_are_right(mesh->first_link, mesh->next_link, nodes, 2 * mesh->link_count, mesh, node_of_link) ||
        !lists_are_right(mesh->first_cell, mesh->next_cell, nodes, 4 * mesh->cell_count, mesh, node_of_cell) ||
        !lists_are_right(mesh->first_triangle, mesh->next_triangle, nodes, 3 * mesh->triangle_count, mesh,
                         node_of_triangle)) {
        return cg_error(CG_BAD_INPUT, "the lists of what touches a node are not those of the items");
    }
    return cg_ok();
}

// --- 3: links ---

static cg_status check_links(const cg_mesh *mesh)
{
    for (int link = 0; link < mesh->link_count; link++) {
        const cg_mesh_link *item = &mesh->links[link];
        // The list ascends: of two links with the same ends the first is found.
        if (cg_mesh_find_link(mesh, item->ends[0], item->ends[1]) != link) {
            return fault("link", link, "another link has the same ends");
        }
        if (!agree(item->stiffness, cg_mesh_gathered_stiffness(mesh, link))) {
            return fault("link", link, "its stiffness is not its own and that of its cells");
        }
    }
    return cg_ok();
}

// --- 4: cells ---

static bool sees_from_outside(const cg_mesh *mesh, int cell, const int nodes[3])
{
    for (int face = 0; face < 4; face++) {
        int corners[3];
        cg_mesh_face_nodes(mesh, cell, face, corners);
        for (int turn = 0; turn < 3; turn++) {
            if (nodes[0] == corners[turn] && nodes[1] == corners[(turn + 1) % 3] &&
                nodes[2] == corners[(turn + 2) % 3]) {
                return true;
            }
        }
    }
    return false;
}

static cg_status check_faces(const cg_mesh *mesh, int cell)
{
    for (int face = 0; face < 4; face++) {
        int nodes[3];
        cg_mesh_face_nodes(mesh, cell, face, nodes);
        int neighbours = 0, neighbour = -1;
        for (int at = mesh->first_cell[nodes[0]]; at >= 0; at = mesh->next_cell[at]) {
            int back[3] = {nodes[0], nodes[2], nodes[1]};
            if (at / 4 != cell && (sees_from_outside(mesh, at / 4, nodes) || sees_from_outside(mesh, at / 4, back))) {
                neighbour = at / 4;
                neighbours++;
            }
        }
        if (neighbours > 1 || (neighbours == 1 && sees_from_outside(mesh, neighbour, nodes))) {
            return fault("cell", cell, "a face has a third cell, or two on the same side");
        }
        int triangle = cg_mesh_find_triangle(mesh, nodes);
        if ((triangle >= 0) != (neighbours == 0) || (triangle >= 0 && mesh->triangles[triangle].cell != cell)) {
            return fault("cell", cell, "a face of one cell has no triangle, or one of two cells has one");
        }
    }
    return cg_ok();
}

static cg_status check_cells(const cg_mesh *mesh)
{
    for (int cell = 0; cell < mesh->cell_count; cell++) {
        if (!(cg_mesh_cell_volume(mesh, cell, mesh->home) > 0)) {
            return fault("cell", cell, "it is flat or left-handed at home");
        }
        for (int edge = 0; edge < 6; edge++) {
            const int *nodes = mesh->cells[cell].nodes;
            if (cg_mesh_find_link(mesh, nodes[cg_mesh_cell_edges[edge][0]], nodes[cg_mesh_cell_edges[edge][1]]) < 0) {
                return fault("cell", cell, "an edge has no link");
            }
        }
        cg_status status = check_faces(mesh, cell);
        if (status.code != CG_OK) {
            return status;
        }
    }
    return cg_ok();
}

// --- 5: triangles ---

static int passes(const cg_mesh *mesh, int from, int to)
{
    int count = 0;
    for (int at = mesh->first_triangle[from]; at >= 0; at = mesh->next_triangle[at]) {
        count += mesh->triangles[at / 3].nodes[(at % 3 + 1) % 3] == to;
    }
    return count;
}

static cg_status check_triangles(const cg_mesh *mesh)
{
    for (int triangle = 0; triangle < mesh->triangle_count; triangle++) {
        const cg_mesh_triangle *item = &mesh->triangles[triangle];
        if (cg_mesh_find_triangle(mesh, item->nodes) != triangle) {
            return fault("triangle", triangle, "another one has the same corners");
        }
        if (item->cell >= 0 && !sees_from_outside(mesh, item->cell, item->nodes)) {
            return fault("triangle", triangle, "it is no face of its cell seen from outside");
        }
        for (int corner = 0; corner < 3; corner++) {
            int a = item->nodes[corner], b = item->nodes[(corner + 1) % 3];
            if (cg_mesh_find_link(mesh, a, b) < 0) {
                return fault("triangle", triangle, "an edge has no link");
            }
            int there = passes(mesh, a, b), back = passes(mesh, b, a);
            if (item->cell >= 0 ? there != back : there > 1 || back > 1) {
                return fault("triangle", triangle, "an edge is passed too often in one direction");
            }
        }
    }
    return cg_ok();
}

// --- 6 and 7: nodes ---

static cg_status check_nodes(const cg_mesh *mesh)
{
    for (int node = 0; node < mesh->node_count; node++) {
        if (!agree(mesh->mass[node], cg_mesh_gathered_mass(mesh, node))) {
            return fault("node", node, "its mass is not that of its cells and triangles");
        }
        if (mesh->first_link[node] < 0) {
            return fault("node", node, "it has no link");
        }
    }
    return cg_ok();
}

cg_status cg_mesh_validate(const cg_mesh *mesh)
{
    static cg_status (*const checks[])(const cg_mesh *) = {check_indices, check_lists,     check_links,
                                                           check_cells,   check_triangles, check_nodes};
    cg_status status = cg_ok();
    for (size_t i = 0; i < sizeof checks / sizeof *checks && status.code == CG_OK; i++) {
        status = checks[i](mesh);
    }
    return status;
}
