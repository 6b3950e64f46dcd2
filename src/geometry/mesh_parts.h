// What the files of the mesh share among themselves.
#ifndef CATGUT_GEOMETRY_MESH_PARTS_H
#define CATGUT_GEOMETRY_MESH_PARTS_H

#include "geometry/mesh.h"

// Puts a place into the list of a node, or takes it out.
void cg_mesh_enter(int *first, int *next, int node, int place);
void cg_mesh_leave(int *first, int *next, int node, int place);
// Makes all lists anew from the items.
void cg_mesh_make_lists(cg_mesh *mesh);

// The nodes of a face of a cell, counter-clockwise seen from outside.
void cg_mesh_face_nodes(const cg_mesh *mesh, int cell, int face, int nodes[3]);
// [N/m] what own part and cells give a link, in the order of the cells; [kg] the same for the mass of a node.
double cg_mesh_gathered_stiffness(const cg_mesh *mesh, int link);
double cg_mesh_gathered_mass(const cg_mesh *mesh, int node);

#endif
