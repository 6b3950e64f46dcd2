// A closed skin is opened along a way: split where a plane goes through it, parted there, and given the two walls of a
// groove, so that it is closed again. The subdivision of Shi's tears (VTE 3.4.1): the way begins and ends at a vertex,
// crosses edges between them, and is found at home.
#ifndef CATGUT_GEOMETRY_MESH_OPEN_H
#define CATGUT_GEOMETRY_MESH_OPEN_H

#include "geometry/mesh.h"

// Most nodes of a way.
#define CG_WAY_MOST 96

// Nodes that edges of triangles join, one after the other.
typedef struct cg_mesh_way {
    int count;
    int nodes[CG_WAY_MOST];
} cg_mesh_way;

// Where ways are: all in a plane, ahead of a line in it.
typedef struct cg_mesh_section {
    cg_vec3 start;  // [m] a place at home...
    cg_vec3 along;  // unit: ...of that line
    cg_vec3 ahead;  // unit, across it
    double advance; // [m] how far ahead of it a way goes
} cg_mesh_section;

// How a way ended.
typedef enum cg_walk_end {
    CG_WALK_ARRIVED, // so far ahead, or at the node that it was to find
    CG_WALK_TURNED,  // the surface turns back: the tissue ends there
    CG_WALK_LOST     // the skin is open there, the mesh is full, or the way is too long
} cg_walk_end;

// Goes on from the last node of a way, which has one or more, by two edges at least; edges that are crossed are split.
cg_walk_end cg_mesh_walk_ahead(cg_mesh *mesh, const cg_mesh_section *section, cg_mesh_way *way);
// Goes on, behind where the surface turns too, until it comes to `node`, which becomes its last.
cg_walk_end cg_mesh_walk_to(cg_mesh *mesh, const cg_mesh_section *section, int node, cg_mesh_way *way);

// What the walls of a groove are made of: links of the natural length `natural` of that at home, with the stiffness
// k l_max / l, from k to 4 k.
typedef struct cg_mesh_wall {
    double natural;
    double stiffness; // [N/m] k
    double longest;   // [m] l_max
} cg_mesh_wall;

// [N/m] of a link of that length by this rule.
double cg_mesh_wall_stiffness(const cg_mesh_wall *wall, double length);

// Parts the skin along a way of three nodes or more, and closes it by two walls between both parts of the way and the
// line from its last node to its first. A way `is_round` when that line is an edge that is parted too. Nodes from
// `seam` to seam + 1 of a way that is not need not be linked: the wall is. Mass goes from the triangles at the lips to
// the walls. False, and nothing has changed, when that cannot be.
bool cg_mesh_open_way(cg_mesh *mesh, const cg_mesh_way *way, int seam, bool is_round, const cg_mesh_section *section,
                      const cg_mesh_wall *wall);

#endif
