// What the generators share: room for a mesh, a cube of a lattice, materials.
#ifndef CATGUT_TISSUE_MAKE_PARTS_H
#define CATGUT_TISSUE_MAKE_PARTS_H

#include "tissue/make.h"

cg_status cg_make_pad(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh);
cg_status cg_make_box(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh);
cg_status cg_make_vessel(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh);
cg_status cg_make_grid(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh);
cg_status cg_make_skin(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh);
cg_status cg_make_volume(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh);

// The surface of what another one makes, as a skin (make_shell.c).
typedef cg_status cg_make_solid(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh);
cg_status cg_make_shell(const cg_tissue_def *def, const cg_allocator *allocator, cg_make_solid *make, cg_mesh **mesh);

// What the triangles of a skin are made of; the natural length of an edge is a share of that at home.
typedef struct cg_make_membrane {
    cg_tissue_material material;
    double thickness; // [m]
    double natural;
} cg_make_membrane;

// Adds a triangle with its mass and what it gives its edges. False: no room.
bool cg_make_add_membrane(cg_mesh *mesh, const cg_make_membrane *membrane, const int nodes[3], cg_mesh_side side);

// A mesh with room for these counts, and for as many nodes more as the def asks for with what edits add to each.
cg_status cg_make_room(const cg_tissue_def *def, const cg_allocator *allocator, double nodes, double links,
                       double cells, double triangles, cg_mesh **mesh);
// How many steps of about `spacing` make `length`: 1 or more, CG_MAKE_MOST_NODES at most.
int cg_make_steps(double length, double spacing);

// The least stiffness of a link along an axis: as a share of mu times the size of a box, of mu of a quad.
#define CG_MAKE_LEAST_AXIS 0.05

// [N/m] Of all springs of a cloth, as a share of Young's modulus times thickness: those of a grid of squares along an
// axis, and of the one diagonal that a quad of a cloth has.
#define CG_MAKE_CLOTH_SHARE 0.75

// A cube of a lattice, to be cut into five tetrahedra.
typedef struct cg_make_cube {
    int corner[8]; // nodes; bits 0, 1, 2 of the number say on which side along the three directions
    int parity;    // 0 or 1, of the sum of the cube's three numbers in the lattice: neighbours differ
    int layer;
    const cg_tissue_material *material;
    bool crossed; // with the second diagonal of each face, as a link of its own
} cg_make_cube;

// Adds the five cells with their links; sizes and mass follow from the nodes at home. False: no room.
bool cg_make_add_cube(cg_mesh *mesh, const cg_make_cube *cube);

// [N/m] of the links of a box of a x b x c with Young's modulus `young` when both diagonals of every face are there:
// along the three directions, and of a diagonal across each of them (0: in the plane of b and c). Never negative.
void cg_make_cube_stiffness(const double size[3], double young, double axis[3], double diagonal[3]);

// When all is there: masses, stiffness, strength and stiffening of the links from the materials of the layers, then the
// pose. Where the mesh found no room (`is_whole` false) it is given back.
cg_status cg_make_finish(const cg_tissue_def *def, bool is_whole, cg_mesh **mesh);

#endif
