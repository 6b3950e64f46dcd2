// A lattice from the tetrahedra of a caller: of a file, or of a filled surface.
//
// All six edges of a cell get the same stiffness, 6 E V over the sum of the squares of their lengths. A cell's energy
// under the strain that changes all lengths by the share e is then e^2 k sum L^2 / 2 = 3 E V e^2, what an isotropic
// body of Poisson's ratio 1/4 has; on the inner lattice of a filling (edges h and 0.866 h) it is isotropic, elsewhere
// nearly. It is positive whatever the cell is like, and each cell owns its shares, so that cuts need nothing new.
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/vec3.h"
#include "catgut/volume.h"
#include "tissue/make_parts.h"

// Nodes of an edge or face, in ascending order; an edge has -1 for the third.
struct key {
    int nodes[3];
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    for (int k = 0; k < 3; k++) {
        if (x->nodes[k] != y->nodes[k]) {
            return x->nodes[k] < y->nodes[k] ? -1 : 1;
        }
    }
    return 0;
}

static struct key key_of(int a, int b, int c)
{
    struct key key = {{a < b ? a : b, a < b ? b : a, c}};
    for (int k = 2; c >= 0 && k > 0 && key.nodes[k] < key.nodes[k - 1]; k--) {
        int swapped = key.nodes[k];
        key.nodes[k] = key.nodes[k - 1];
        key.nodes[k - 1] = swapped;
    }
    return key;
}

// How many edges there are, and how many faces that one cell has. False: no memory.
static bool count_items(const cg_volume *volume, const cg_allocator *allocator, int *edges, int *faces)
{
    size_t count = 6 * (size_t)volume->cell_count;
    struct key *keys = cg_memory_take(allocator, count * sizeof *keys);
    if (keys == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const int *cell = volume->cells[i / 6], *edge = cg_mesh_cell_edges[i % 6];
        keys[i] = key_of(cell[edge[0]], cell[edge[1]], -1);
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    *edges = 0;
    for (size_t i = 0; i < count; i++) {
        *edges += i == 0 || compare_keys(&keys[i], &keys[i - 1]) != 0;
    }
    count = 4 * (size_t)volume->cell_count;
    for (size_t i = 0; i < count; i++) {
        const int *cell = volume->cells[i / 4], *face = cg_mesh_cell_faces[i % 4];
        keys[i] = key_of(cell[face[0]], cell[face[1]], cell[face[2]]);
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    *faces = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_before = i > 0 && compare_keys(&keys[i], &keys[i - 1]) == 0;
        bool is_behind = i + 1 < count && compare_keys(&keys[i], &keys[i + 1]) == 0;
        *faces += !is_before && !is_behind;
    }
    cg_memory_give(allocator, keys);
    return true;
}

static double six_volumes(const cg_volume *volume, int cell)
{
    const int *n = volume->cells[cell];
    cg_vec3 a = volume->nodes[n[0]];
    return v3_dot(v3_cross(v3_sub(volume->nodes[n[1]], a), v3_sub(volume->nodes[n[2]], a)),
                  v3_sub(volume->nodes[n[3]], a));
}

static cg_status check(const cg_volume *volume)
{
    if (volume == NULL || volume->nodes == NULL || volume->cells == NULL || volume->node_count < 4 ||
        volume->cell_count < 1) {
        return cg_error(CG_BAD_INPUT, "a volume needs nodes and cells");
    }
    if (volume->node_count > CG_MAKE_MOST_NODES || volume->cell_count > 8 * CG_MAKE_MOST_NODES) {
        return cg_error(CG_BAD_INPUT, "a volume of %d nodes and %d cells is too large: %d and %d are allowed",
                        volume->node_count, volume->cell_count, CG_MAKE_MOST_NODES, 8 * CG_MAKE_MOST_NODES);
    }
    for (int i = 0; i < volume->node_count; i++) {
        if (!(v3_dot(volume->nodes[i], volume->nodes[i]) <= 1e12)) {
            return cg_error(CG_BAD_INPUT, "node %d of a volume is not within 1e6 m of the origin", i);
        }
    }
    for (int i = 0; i < 4 * volume->cell_count; i++) {
        if (volume->cells[i / 4][i % 4] < 0 || volume->cells[i / 4][i % 4] >= volume->node_count) {
            return cg_error(CG_BAD_INPUT, "cell %d of a volume has node %d; there are 0 to %d", i / 4,
                            volume->cells[i / 4][i % 4], volume->node_count - 1);
        }
    }
    for (int i = 0; i < volume->cell_count; i++) {
        if (!(six_volumes(volume, i) > 0)) {
            return cg_error(CG_BAD_INPUT, "cell %d of a volume is flat or left-handed", i);
        }
    }
    return cg_ok();
}

// The layer that is for this region; the first one where none is.
static int layer_of(const cg_tissue_def *def, int region)
{
    for (int layer = 0; layer < def->layer_count; layer++) {
        if (def->layer_regions[layer] == region) {
            return layer;
        }
    }
    return 0;
}

static bool add_cell(cg_mesh *mesh, const cg_tissue_def *def, int cell)
{
    const cg_volume *volume = def->volume;
    int layer = layer_of(def, volume->regions != NULL ? volume->regions[cell] : 0);
    const cg_tissue_material *material = &def->layers[layer].material;
    const int *n = volume->cells[cell];
    double size = six_volumes(volume, cell) / 6, squares = 0, share[6];
    for (int edge = 0; edge < 6; edge++) {
        cg_vec3 apart =
            v3_sub(volume->nodes[n[cg_mesh_cell_edges[edge][1]]], volume->nodes[n[cg_mesh_cell_edges[edge][0]]]);
        squares += v3_dot(apart, apart);
    }
    for (int edge = 0; edge < 6; edge++) {
        share[edge] = 6 * material->young * size / squares;
    }
    return cg_mesh_add_cell(mesh, n, share, material->density * size, layer) >= 0;
}

// Where a piece was cut off is its bottom.
static cg_mesh_side side_of(const cg_mesh *mesh, const int nodes[3], void *context)
{
    const bool *cut = context;
    (void)mesh;
    return cut != NULL && cut[nodes[0]] && cut[nodes[1]] && cut[nodes[2]] ? CG_SIDE_BOTTOM : CG_SIDE_TOP;
}

static bool fill_mesh(cg_mesh *mesh, const cg_tissue_def *def)
{
    const cg_volume *volume = def->volume;
    for (int i = 0; i < volume->node_count; i++) {
        int node = cg_mesh_add_node(mesh, volume->nodes[i]);
        mesh->fixed[node] = def->fix_bottom && volume->cut != NULL && volume->cut[i];
    }
    for (int i = 0; i < volume->cell_count; i++) {
        if (!add_cell(mesh, def, i)) {
            return false;
        }
    }
    return cg_mesh_add_surface(mesh, side_of, volume->cut);
}

cg_status cg_make_volume(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh)
{
    int edges = 0, faces = 0;
    *mesh = NULL;
    cg_status status = check(def->volume);
    if (status.code != CG_OK) {
        return status;
    }
    if (!count_items(def->volume, allocator, &edges, &faces)) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a volume");
    }
    status = cg_make_room(def, allocator, def->volume->node_count, edges, def->volume->cell_count, faces, mesh);
    if (status.code != CG_OK) {
        return status;
    }
    status = cg_make_finish(def, fill_mesh(*mesh, def), mesh);
    if (status.code != CG_OK) {
        return status;
    }
    status = cg_mesh_validate(*mesh);
    if (status.code != CG_OK) { // faces of three cells, nodes without a cell
        cg_mesh_destroy(*mesh);
        *mesh = NULL;
        return cg_error(CG_BAD_INPUT, "no tissue can be made of the volume: %s", status.message);
    }
    return status;
}
