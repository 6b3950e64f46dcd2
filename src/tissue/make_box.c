// The box lattice of Stanford: nodes on a grid, linked along the axes and by both diagonals of every face. The cells
// inside give the mass; with n nodes along each side there are 3 n^2 (n - 1) links along the axes and 6 n (n - 1)^2
// diagonals: 66,120 at 20 x 20 x 20 nodes. It lies with its top at z = 0, its middle above the origin.
#include "base/status.h"
#include "base/vec3.h"
#include "tissue/make_parts.h"

struct box {
    int cubes[3]; // along x, y, z
};

static int node_at(const struct box *box, int i, int j, int k)
{
    return (k * (box->cubes[1] + 1) + j) * (box->cubes[0] + 1) + i;
}

static cg_mesh_side side_of(const cg_mesh *mesh, const int nodes[3], void *context)
{
    (void)mesh;
    const struct box *box = context;
    int layer = (box->cubes[0] + 1) * (box->cubes[1] + 1);
    bool is_top = true, is_bottom = true;
    for (int corner = 0; corner < 3; corner++) {
        is_top = is_top && nodes[corner] / layer == box->cubes[2];
        is_bottom = is_bottom && nodes[corner] / layer == 0;
    }
    return is_top ? CG_SIDE_TOP : (is_bottom ? CG_SIDE_BOTTOM : CG_SIDE_RIM);
}

static cg_status room_for(const cg_tissue_def *def, const cg_allocator *allocator, const struct box *box,
                          cg_mesh **mesh)
{
    double x = box->cubes[0], y = box->cubes[1], z = box->cubes[2];
    double nodes = (x + 1) * (y + 1) * (z + 1);
    double along = x * (y + 1) * (z + 1) + (x + 1) * y * (z + 1) + (x + 1) * (y + 1) * z;
    double faces = x * y * (z + 1) + x * (y + 1) * z + (x + 1) * y * z;
    return cg_make_room(def, allocator, nodes, along + 2 * faces, 5 * x * y * z, 4 * (x * y + y * z + z * x), mesh);
}

static bool fill(cg_mesh *mesh, const cg_tissue_def *def, struct box *box)
{
    const int *n = box->cubes;
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++) {
            for (int i = 0; i <= n[0]; i++) {
                int node = cg_mesh_add_node(mesh, v3(def->size.x * ((double)i / n[0] - 0.5),
                                                     def->size.y * ((double)j / n[1] - 0.5),
                                                     def->size.z * ((double)k / n[2] - 1)));
                mesh->fixed[node] = def->fix_bottom && k == 0;
            }
        }
    }
    for (int at = 0; at < n[0] * n[1] * n[2]; at++) {
        int i = at % n[0], j = at / n[0] % n[1], k = at / n[0] / n[1];
        cg_make_cube cube = {.parity = (i + j + k) % 2, .material = &def->layers[0].material, .crossed = true};
        for (int corner = 0; corner < 8; corner++) {
            cube.corner[corner] = node_at(box, i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2));
        }
        if (!cg_make_add_cube(mesh, &cube)) {
            return false;
        }
    }
    return cg_mesh_add_surface(mesh, side_of, box);
}

cg_status cg_make_box(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh)
{
    struct box box = {{cg_make_steps(def->size.x, def->spacing), cg_make_steps(def->size.y, def->spacing),
                       cg_make_steps(def->size.z, def->spacing)}};
    cg_status status = room_for(def, allocator, &box, mesh);
    if (status.code != CG_OK) {
        return status;
    }
    return cg_make_finish(def, fill(*mesh, def, &box), mesh);
}
