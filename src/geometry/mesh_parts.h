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

// An entry of the log, with one number that it came from.
void cg_mesh_log(cg_mesh *mesh, cg_mesh_edit_kind kind, int item, int from);

// New items, logged; there must be room. A node lies on others by weights; -1 in `from` is none.
int cg_mesh_new_node(cg_mesh *mesh, const int from[3], const double weights[3]);
int cg_mesh_new_link(cg_mesh *mesh, int a, int b, cg_mesh_link_kind kind);
int cg_mesh_new_cell(cg_mesh *mesh, const cg_mesh_cell *cell, int from);
int cg_mesh_new_triangle(cg_mesh *mesh, const cg_mesh_triangle *triangle, int from);

// Items that get another node.
void cg_mesh_set_link_ends(cg_mesh *mesh, int link, int a, int b);
void cg_mesh_set_cell_node(cg_mesh *mesh, int cell, int corner, int node);
void cg_mesh_set_triangle_node(cg_mesh *mesh, int triangle, int corner, int node);

// Items that go, logged; the last one gets their number. A node must have no items any more.
void cg_mesh_drop_link(cg_mesh *mesh, int link);
void cg_mesh_drop_cell(cg_mesh *mesh, int cell);
void cg_mesh_drop_triangle(cg_mesh *mesh, int triangle);
void cg_mesh_drop_node(cg_mesh *mesh, int node);

// Triangles on the faces of `cell` that name the cell `from` name `cell` instead.
void cg_mesh_rename_cell_of_triangles(cg_mesh *mesh, int cell, int from);

// Gathers the stiffness of a link anew, its strength following; or the mass of a node and all its links.
void cg_mesh_refresh_link(cg_mesh *mesh, int link);
void cg_mesh_refresh_node(cg_mesh *mesh, int node);

// Parting. The star of a node is its cells, of a skin its triangles. Two of them are joined when they share a face (an
// edge) at the node, unless a blade passes there: with `is_cut`, all nodes of the face have node_work 1 and the two
// items have different sides (1, 2), in cell_work or triangle_work; node_work of other nodes is 0, or 1 more than the
// side on which they are. A node whose star falls apart is doubled; each part gets
// its own links, and what came to light its triangles. New nodes get node_work 1. *parted counts them. CG_FULL: nothing
// has changed.
cg_status cg_mesh_part_node(cg_mesh *mesh, int node, bool is_cut, int *parted);

// True when a link from the node to a place at home begins inside one of its cells or triangles.
bool cg_mesh_leads_inside(const cg_mesh *mesh, int node, cg_vec3 place);
// False when two nodes are known to be on different sides of the blade.
bool cg_mesh_may_join(const cg_mesh *mesh, int a, int b);
// Adds the triangles that are missing on cells of the node, as groove.
void cg_mesh_close_surface(cg_mesh *mesh, int node);
// True when a cell or triangle has both nodes.
bool cg_mesh_have_item(const cg_mesh *mesh, int a, int b);

#endif
