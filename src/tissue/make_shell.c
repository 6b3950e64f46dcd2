// The surface of a pad, box or vessel as a skin: the triangles that bound its lattice, each on the side that it is on
// there (top, bottom, rim, groove), and nothing inside. That is the pre-wound skin of mass-spring trainers: what is
// inside is only told by the home springs of the nodes.
//
// Both faces of the tissue are skin, so each has half of its thickness: along the tissue they are as stiff and as heavy
// together as the layer would be.
#include "base/status.h"
#include "base/transform.h"
#include "base/vec3.h"
#include "tissue/make_parts.h"

// Nodes of the lattice that its surface uses are numbered in the order of their numbers there, plus one.
static int number_nodes(const cg_mesh *solid, int *numbers)
{
    int count = 0;
    for (int node = 0; node < solid->node_count; node++) {
        numbers[node] = solid->first_triangle[node] >= 0 ? ++count : 0;
    }
    return count;
}

static bool fill_shell(cg_mesh *mesh, const cg_tissue_def *def, const cg_mesh *solid, const int *numbers)
{
    const cg_make_membrane membrane = {def->layers[0].material, 0.5 * def->layers[0].thickness, def->pre_length};
    for (int node = 0; node < solid->node_count; node++) {
        if (numbers[node] > 0) {
            int made = cg_mesh_add_node(mesh, solid->home[node]);
            mesh->fixed[made] = solid->fixed[node];
        }
    }
    bool is_whole = true;
    for (int t = 0; t < solid->triangle_count && is_whole; t++) {
        const int *n = solid->triangles[t].nodes;
        const int nodes[3] = {numbers[n[0]] - 1, numbers[n[1]] - 1, numbers[n[2]] - 1};
        is_whole = cg_make_add_membrane(mesh, &membrane, nodes, solid->triangles[t].side);
    }
    return is_whole;
}

cg_status cg_make_shell(const cg_tissue_def *def, const cg_allocator *allocator, cg_make_solid *make, cg_mesh **mesh)
{
    cg_tissue_def unmoved = *def; // the pose comes at the end
    unmoved.pose = transform_identity();
    unmoved.max_nodes = 0;
    cg_mesh *solid;
    *mesh = NULL;
    cg_status status = make(&unmoved, allocator, &solid);
    if (status.code != CG_OK) {
        return status;
    }
    int nodes = number_nodes(solid, solid->node_work), triangles = solid->triangle_count;
    status = cg_make_room(def, allocator, nodes, 1.5 * triangles, 0, triangles, mesh);
    if (status.code == CG_OK) {
        status = cg_make_finish(def, fill_shell(*mesh, def, solid, solid->node_work), mesh);
    }
    cg_mesh_destroy(solid);
    return status;
}
