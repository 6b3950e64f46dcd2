// A mesh of soft tissue: what is connected with what. Nodes, links between two of them, tetrahedral cells, and the
// triangles of the surface; a skin or a sheet has no cells.
//
// The mesh knows shapes, masses and the constants of its links; forces belong to src/tissue. All edits keep what
// cg_mesh_validate checks, keep the mass, write to the log and raise topology_version; one that finds no room, or would
// break a rule, changes nothing and says so. Memory is taken once, for as much as the mesh may ever have.
//
// Numbers stay while nothing is removed: an edit appends; a removal moves the last item to the free place (the log
// says so).
#ifndef CATGUT_GEOMETRY_MESH_H
#define CATGUT_GEOMETRY_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "catgut/math.h"
#include "catgut/status.h"

// What part of the surface a triangle belongs to.
typedef enum cg_mesh_side {
    CG_SIDE_TOP,    // of a pad; of a sheet its front
    CG_SIDE_BOTTOM, // of a pad; of a sheet its back
    CG_SIDE_RIM,    // around a pad, at the ends of a vessel
    CG_SIDE_GROOVE, // the lips of a wound, and what a blade laid open
    CG_SIDE_OUTER,  // of a vessel
    CG_SIDE_INNER,  // of a vessel
    CG_SIDE_COUNT
} cg_mesh_side;

// What kind of spring a link is; the constants of each kind are the tissue's.
typedef enum cg_mesh_link_kind {
    CG_LINK_STRETCH, // an edge of a cell or of a triangle
    CG_LINK_SHEAR,   // a second diagonal
    CG_LINK_BEND,    // over one node, of a sheet
    CG_LINK_KIND_COUNT
} cg_mesh_link_kind;

typedef struct cg_mesh_link {
    int ends[2];            // nodes, the smaller first
    double rest;            // [m] length without force
    double stiffness;       // [N/m] own part and the parts of all cells around it
    double own;             // [N/m] part that no cell gives
    double strength;        // [N] pull that breaks it; 0: unbreakable
    cg_mesh_link_kind kind; // what kind of spring
} cg_mesh_link;

typedef struct cg_mesh_cell {
    int nodes[4];      // right-handed: (n1 - n0) x (n2 - n0) . (n3 - n0) > 0 at rest
    double share[6];   // [N/m] what the cell adds to its edges 01 02 03 12 13 23
    double mass;       // [kg] a quarter goes to each node
    int layer;         // which layer of a pad or hull of a vessel, from 0
} cg_mesh_cell;

typedef struct cg_mesh_triangle {
    int nodes[3];      // counter-clockwise seen from outside
    int cell;          // the cell that it bounds; -1 of a skin or sheet
    double mass;       // [kg] of a skin or sheet, a third to each node; 0 where a cell has it
    cg_mesh_side side; // which part of the surface
} cg_mesh_triangle;

// What an edit did, in order. Whoever keeps numbers of nodes, links, cells or triangles follows it.
typedef enum cg_mesh_edit_kind {
    CG_EDIT_NODE_ADDED,       // item: new node; on the nodes `from` with weights that sum to 1
    CG_EDIT_NODE_MOVED,       // item: where it is now; from[0]: where it was
    CG_EDIT_NODE_REMOVED,     // item
    CG_EDIT_NODES_MERGED,     // item: the one that stays; from[0]: the one that goes (its removal follows)
    CG_EDIT_LINK_ADDED,       // item
    CG_EDIT_LINK_MOVED,       // item: where it is now; from[0]: where it was
    CG_EDIT_LINK_REMOVED,     // item
    CG_EDIT_CELL_ADDED,       // item; from[0]: the cell that it is a part of, -1: none
    CG_EDIT_CELL_MOVED,       // item: where it is now; from[0]: where it was
    CG_EDIT_CELL_REMOVED,     // item
    CG_EDIT_TRIANGLE_ADDED,   // item; from[0]: the triangle that it is a part of, -1: new surface
    CG_EDIT_TRIANGLE_MOVED,   // item: where it is now; from[0]: where it was
    CG_EDIT_TRIANGLE_REMOVED, // item
    CG_EDIT_KIND_COUNT
} cg_mesh_edit_kind;

typedef struct cg_mesh_edit {
    cg_mesh_edit_kind kind;
    int item;
    int from[3];
    double weights[3];
    uint64_t version; // of the topology after this edit
} cg_mesh_edit;

// The most of everything that a mesh may ever have.
typedef struct cg_mesh_limits {
    int nodes;
    int links;
    int cells;
    int triangles;
    int edits; // entries of the log that are kept; older ones are forgotten (edit_count goes on counting)
} cg_mesh_limits;

typedef struct cg_mesh {
    cg_mesh_limits limits;
    int node_count, link_count, cell_count, triangle_count;
    cg_vec3 *home;     // [m] of each node: the shape it was made in
    cg_vec3 *position; // [m] of each node now
    double *mass;      // [kg] of each node, gathered from cells and triangles
    bool *fixed;       // of each node: it does not move by itself
    cg_mesh_link *links;
    cg_mesh_cell *cells;
    cg_mesh_triangle *triangles;
    cg_mesh_edit *edits; // a ring: entry i of all is edits[i % limits.edits]
    uint64_t edit_count; // of all edits ever
    uint64_t topology_version;
} cg_mesh;

// A point of the surface: on a triangle, as weights of its three nodes (sum 1).
typedef struct cg_mesh_point {
    int triangle;
    double weights[3];
} cg_mesh_point;

#endif
