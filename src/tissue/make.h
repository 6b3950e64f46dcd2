// Meshes of tissue from what a tissue is said to be: pad, vessel, box, grid, or the triangles of a caller.
#ifndef CATGUT_TISSUE_MAKE_H
#define CATGUT_TISSUE_MAKE_H

#include "base/memory.h"
#include "catgut/tissue.h"
#include "geometry/mesh.h"

// Most nodes that a tissue is made with.
#define CG_MAKE_MOST_NODES 1000000

// The mesh of a tissue, with room for the nodes that edits add; cg_mesh_destroy gives it back. CG_BAD_INPUT names the
// field that is wrong; *mesh is NULL then.
cg_status cg_make_mesh(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh);

// Limits of a mesh with so many of each and room for `more` nodes that edits add.
cg_mesh_limits cg_make_limits(double nodes, double links, double cells, double triangles, double more);

#endif
