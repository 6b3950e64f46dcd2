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

#include "base/archive.h"
#include "base/arena.h"
#include "base/memory.h"
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

// How each is called; NULL for none.
const char *cg_mesh_side_name(int side);

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
    double stiffening;      // stretched by the strain e it pulls 1 + stiffening e^2 times as hard; 0: linear
    cg_mesh_link_kind kind; // what kind of spring
} cg_mesh_link;

typedef struct cg_mesh_cell {
    int nodes[4];    // right-handed: (n1 - n0) x (n2 - n0) . (n3 - n0) > 0 at rest
    double share[6]; // [N/m] what the cell adds to its edges 01 02 03 12 13 23
    double mass;     // [kg] a quarter goes to each node
    int layer;       // which layer of a pad or hull of a vessel, from 0
} cg_mesh_cell;

typedef struct cg_mesh_triangle {
    int nodes[3];      // counter-clockwise seen from outside
    int cell;          // the cell that it bounds; -1 of a skin or sheet
    double mass;       // [kg] of a skin or sheet, a third to each node; 0 where a cell has it
    cg_mesh_side side; // which part of the surface
} cg_mesh_triangle;

// What an edit did, in order. Whoever keeps numbers of nodes, links, cells or triangles follows it.
typedef enum cg_mesh_edit_kind {
    CG_EDIT_NODE_ADDED,     // item: new node; on the nodes `from` with weights that sum to 1
    CG_EDIT_NODE_MOVED,     // item: where it is now; from[0]: where it was
    CG_EDIT_NODE_REMOVED,   // item
    CG_EDIT_NODES_MERGED,   // item: the one that stays, now at the mean by weights[0]; from[0]: the one that goes, with
                            // weights[1] (its removal follows)
    CG_EDIT_LINK_ADDED,     // item
    CG_EDIT_LINK_MOVED,     // item: where it is now; from[0]: where it was
    CG_EDIT_LINK_REMOVED,   // item
    CG_EDIT_CELL_ADDED,     // item; from[0]: the cell that it is a part of, -1: none
    CG_EDIT_CELL_MOVED,     // item: where it is now; from[0]: where it was
    CG_EDIT_CELL_REMOVED,   // item
    CG_EDIT_TRIANGLE_ADDED, // item; from[0]: the triangle that it is a part of, -1: new surface
    CG_EDIT_TRIANGLE_MOVED, // item: where it is now; from[0]: where it was
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

// Where an item touches a node: item k with n nodes has the places n k, n k + 1, ... The places at a node are a list in
// ascending order, so the lists follow from the items alone, whatever the edits were that led to them:
//
//     for (int at = mesh->first_cell[node]; at >= 0; at = mesh->next_cell[at]) { cell at / 4, its corner at % 4 }
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
    double removed_mass; // [kg] that went with removed cells and triangles

    int *first_link, *first_cell, *first_triangle; // of each node: its first place, -1: none
    int *next_link, *next_cell, *next_triangle;    // of each place: the next one at the same node, -1: none
    cg_allocator allocator;                        // of a mesh of cg_mesh_create

    // For the edits, of no meaning between them.
    int *node_work, *cell_work, *cell_label, *triangle_work, *triangle_label;
    unsigned char *node_beyond; // of each node: the sides of a box that it lies beyond; for looks at the mesh as well
} cg_mesh;

// A point of the surface: on a triangle, as weights of its three nodes (sum 1).
typedef struct cg_mesh_point {
    int triangle;
    double weights[3];
} cg_mesh_point;

// Most that limits may ask for: what an int can count with room to spare.
#define CG_MESH_MOST 100000000

// The nodes of the edges of a cell in the order of its shares, and of its faces, counter-clockwise seen from outside.
extern const int cg_mesh_cell_edges[6][2];
extern const int cg_mesh_cell_faces[4][3];

// Carves the arrays of an empty mesh from the arena, which may only measure. Limits are 0 to CG_MESH_MOST, edits 1 or
// more.
void cg_mesh_lay_out(cg_mesh *mesh, cg_arena *arena, const cg_mesh_limits *limits);
// An empty mesh with its own memory.
cg_status cg_mesh_create(const cg_allocator *allocator, const cg_mesh_limits *limits, cg_mesh **mesh);
// Gives a mesh of cg_mesh_create back; NULL is allowed.
void cg_mesh_destroy(cg_mesh *mesh);
// Makes `mesh` equal to `source`, log and all. Its own limits stay; false, and nothing changes, when they do not reach.
bool cg_mesh_copy(cg_mesh *mesh, const cg_mesh *source);

// Building. Each returns the number of the new item, or -1 where there is no room and nothing was added. Cells and
// triangles bring the links of their edges along. When all is there, cg_mesh_finish.
int cg_mesh_add_node(cg_mesh *mesh, cg_vec3 home);
// The link of two different nodes: the one that is there, or a new one at its length at home without stiffness.
int cg_mesh_add_link(cg_mesh *mesh, int a, int b, cg_mesh_link_kind kind);
// The nodes must be right-handed at home.
int cg_mesh_add_cell(cg_mesh *mesh, const int nodes[4], const double share[6], double mass, int layer);
int cg_mesh_add_triangle(cg_mesh *mesh, const int nodes[3], int cell, double mass, cg_mesh_side side);
// A triangle on every face that only one cell has; `side` says which part of the surface it is. False: no room.
bool cg_mesh_add_surface(cg_mesh *mesh, cg_mesh_side (*side)(const cg_mesh *mesh, const int nodes[3], void *context),
                         void *context);
// Gathers masses and stiffnesses, forgets the log, and begins with topology_version 1.
void cg_mesh_finish(cg_mesh *mesh);

// The link of two nodes; -1: none.
int cg_mesh_find_link(const cg_mesh *mesh, int a, int b);
// A cell with these three nodes, other than `but`; -1: none.
int cg_mesh_find_cell(const cg_mesh *mesh, const int nodes[3], int but);
// The triangle with these three nodes in any order; -1: none.
int cg_mesh_find_triangle(const cg_mesh *mesh, const int nodes[3]);
// The triangle on the other side of an edge, seen from one that goes from a to b; -1: none.
int cg_mesh_triangle_across(const cg_mesh *mesh, int a, int b);
// [m3] volume of a cell in the given positions of the nodes, negative when it is turned inside out.
double cg_mesh_cell_volume(const cg_mesh *mesh, int cell, const cg_vec3 *positions);
// Weights of a place in a cell; false when it is outside, or the cell is flat or turned over.
bool cg_mesh_is_in_cell(const cg_mesh *mesh, int cell, cg_vec3 place, double weights[4]);
// [kg] of all nodes.
double cg_mesh_total_mass(const cg_mesh *mesh);

// Checks everything that must hold; CG_BAD_INPUT with a sentence about the first thing that does not.
//  1. Counts are within the limits; every number is finite; every index names something; no item has a node twice.
//  2. The lists of places are those that follow from the items.
//  3. No two links have the same ends, and ends are in order; all edges of cells and triangles have a link. A link has
//  a
//     rest length above 0 and no negative stiffness; stiffness is its own and the shares of its cells.
//  4. A cell is right-handed at home, has a positive mass and no negative share. A face belongs to one cell or two, on
//     opposite sides.
//  5. In a mesh with cells the triangles are exactly the faces of one cell, seen from outside; so each edge of the
//     surface is passed as often in one direction as in the other. Without cells each edge is passed once at most in
//     each direction.
//  6. The mass of a node is a quarter of its cells' and a third of its triangles'. Cells and triangles of a skin have
//     mass; a triangle on a cell has none.
//  7. Every node has a link.
cg_status cg_mesh_validate(const cg_mesh *mesh);

// The state of a mesh, for snapshots and hashes. A load refuses what cg_mesh_validate would not accept by index; lists
// are made anew.
void cg_mesh_visit_state(cg_mesh *mesh, cg_archive *archive);

#endif
