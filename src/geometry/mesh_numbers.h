// What became of the nodes and triangles of a mesh by its edits, for those who keep their numbers.
//
// The log of a mesh says which numbers moved. Triangles can change their nodes without one, so the nodes that each had
// are kept here as well: a triangle is the same when it has the same nodes, at the same corners.
#ifndef CATGUT_GEOMETRY_MESH_NUMBERS_H
#define CATGUT_GEOMETRY_MESH_NUMBERS_H

#include "base/arena.h"
#include "geometry/mesh.h"

typedef struct cg_mesh_numbers {
    int (*corners)[3];              // per triangle then: its nodes then
    int node_count, triangle_count; // of them now, "then" for the next edits
    int nodes_then;                 // of nodes before the edits that were followed last
    uint64_t version, version_then; // of the topology now, and before those edits
    int *node_now;                  // per node then: its number now; -1: it went
    int (*corner_now)[3];           // per triangle then: the numbers of its nodes now; -1: it went
    int *triangle_now;              // per triangle then: its number now; -1: it went or changed
    bool *is_touched;               // per node now: it came, or a triangle at it came, went or changed
    int *origin;                    // while they are worked out
} cg_mesh_numbers;

// Carves the arrays for a mesh with these limits from the arena, which may only measure.
void cg_mesh_numbers_layout(cg_mesh_numbers *numbers, const cg_mesh_limits *limits, cg_arena *arena);
// From now on "then" is how the mesh is now.
void cg_mesh_numbers_take(cg_mesh_numbers *numbers, const cg_mesh *mesh);
// Works out what the edits since `from`, all of which the log must have, did to what was there then; "then" becomes how
// the mesh is now, for the next call. False when the log names what there is no room for: it may come from a file.
bool cg_mesh_numbers_follow(cg_mesh_numbers *numbers, const cg_mesh *mesh, uint64_t from);

#endif
