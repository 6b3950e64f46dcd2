// The surface of a tissue as others touch it: a tree of spheres around its triangles, and how thick it counts. Made for
// tissues of worlds with contacts; one that touches nothing has none.
//
// Thickness. A surface has a thickness from which on contacts push, and each node a share of it. The sides of a fresh
// cut lie on each other and begin with as little as they have room for: shares shrink at once, and grow back to the
// whole in a tenth of a second.
//
// The tree follows the nodes with some slack, block by block, by how far each block has travelled; who needs it to the
// last bit fits it first.
#ifndef CATGUT_TISSUE_SURFACE_H
#define CATGUT_TISSUE_SURFACE_H

#include "base/archive.h"
#include "collide/sphere_tree.h"
#include "tissue/tissue.h"

typedef struct cg_tissue_surface {
    cg_allocator allocator;
    void *memory;
    const cg_tissue *tissue;
    double friction;  // coefficient
    double thickness; // [m]

    // state
    double *growth;    // per node: share of the thickness that it has
    uint64_t followed; // edits that growth has followed
    bool is_known;     // what touched at the beginning was given its thickness

    // follows the mesh and its nodes
    bool is_grown; // all nodes have their thickness; false: perhaps
    cg_sphere_tree tree;
    bool has_tree;
    double *drift; // [m] per block of nodes: its travel (cg_tissue) at which one may have left its spheres
} cg_tissue_surface;

// Takes memory for a tissue. `friction` is its coefficient.
cg_status cg_tissue_surface_create(const cg_tissue *tissue, double friction, const cg_allocator *allocator,
                                   cg_tissue_surface **surface);
void cg_tissue_surface_destroy(cg_tissue_surface *surface);
void cg_tissue_surface_visit_state(cg_archive *archive, cg_tissue_surface *surface);

// The mesh was edited: shares follow its log.
void cg_tissue_surface_follow_edits(cg_tissue_surface *surface);
// A node has at most this share of the thickness.
void cg_tissue_surface_shrink(cg_tissue_surface *surface, int node, double share);
// All grow for this time [s].
void cg_tissue_surface_grow(cg_tissue_surface *surface, double time);
// [m] at a point of a triangle.
double cg_tissue_surface_thickness(const cg_tissue_surface *surface, int triangle, const double weights[3]);

// Brings the tree up to date; false when the tissue has no surface that fits.
bool cg_tissue_surface_follow_tree(cg_tissue_surface *surface);
// The same to the last bit: spheres and normals are those of the nodes as they are, however they came there.
bool cg_tissue_surface_fit_tree(cg_tissue_surface *surface);
// Brings it to other places of the nodes, as exactly, until it follows again.
void cg_tissue_surface_mark_tree(cg_tissue_surface *surface, const cg_vec3 *positions);

#endif
