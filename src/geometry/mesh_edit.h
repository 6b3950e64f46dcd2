// Edits of a mesh: what is split, cut, removed, separated, merged. Each keeps what cg_mesh_validate checks and the mass
// (what is removed is added to removed_mass), raises topology_version once and writes to the log.
//
// CG_BAD_INPUT: the edit makes no sense, CG_FULL: there is no room; nothing has changed then, unless the edit says so.
// No edit takes memory.
//
// Stiffness. A part of a split edge is as much stiffer as it is shorter. A new edge across takes a part of what the
// edges beside it had (SPREAD in mesh_split.c), such that a swelling costs what it did before, and any other strain
// nearly so. Mass goes by volume or area.
#ifndef CATGUT_GEOMETRY_MESH_EDIT_H
#define CATGUT_GEOMETRY_MESH_EDIT_H

#include "geometry/mesh.h"

// Splits the edge from a to b, and all cells and triangles around it, at the share `t` of the way, 0.001 to 0.999. An
// item keeps its number for the part at a; the part at b is added. *node is the new node.
cg_status cg_mesh_split_edge(cg_mesh *mesh, int a, int b, double t, int *node);

// Splits a triangle of the surface, and the cell behind it, in three at a point with all weights 0.001 or more.
cg_status cg_mesh_split_triangle(cg_mesh *mesh, cg_mesh_point point, int *node);

// Usual `snap` of a blade: less makes thin cells, more a rough cut.
#define CG_MESH_SNAP 0.3

// What a blade sweeps: the strip between a path and the same path `down` below it.
typedef struct cg_mesh_blade {
    const cg_vec3 *path; // [m]
    const cg_vec3 *down; // [m] at each point of the path, from the edge that shows to the one that is deepest
    int count;           // of points, 2 or more
    bool at_home;        // places are those at home; else those of now
    double snap;         // 0 to 0.4: where an edge is crossed this near to a node, by share of its length, the cut
                         // passes through the node (CG_MESH_SNAP)
    double least; // [m] 0 or more: the same for nodes nearer than this to the crossing at home, or to the strip, so
                  // that no shorter edge and no flatter cell is made
    // Called between edits, before the log forgets what was not followed yet; NULL: nobody follows.
    void (*keep_up)(void *context);
    void *context;
} cg_mesh_blade;

// What a cut did.
typedef struct cg_mesh_cut_result {
    int splits;    // edges that were split
    int parted;    // nodes that are doubled now
    double area;   // [m2] at home, that came to light on each side; 0 of a skin
    double length; // [m] at home, of edges of a skin that were parted; 0 of a volume
} cg_mesh_cut_result;

// Cuts along a blade: edges that cross it are split there, then everything on both sides of the faces (of a skin: the
// edges) in the strip is parted. The ends of a path inside the mesh become the tip of the cut, at the last edge that is
// crossed. The same cut again does nothing, at home; so a cut can be made longer by a longer path. A full mesh ends the
// cut early: CG_FULL, all that was done stays, and the mesh is valid.
cg_status cg_mesh_cut(cg_mesh *mesh, const cg_mesh_blade *blade, cg_mesh_cut_result *result);

// Removes cells, or triangles of a skin, with the links and nodes that only they had. What is left gets its surface
// back, as groove; parts of it that would touch in a single node are parted there, while there is room.
cg_status cg_mesh_remove_cells(cg_mesh *mesh, const int *cells, int count);
cg_status cg_mesh_remove_triangles(cg_mesh *mesh, const int *triangles, int count);
// Removes a link with the cells around it, of a skin the triangles.
cg_status cg_mesh_remove_link(cg_mesh *mesh, int link);

// Follows the log from entry `from` on: numbers of nodes that someone keeps become what they are now, -1 for those that
// are gone. False, and nothing changed, when the log has forgotten that entry.
bool cg_mesh_follow_nodes(const cg_mesh *mesh, uint64_t from, int *nodes, int count);

// Writes to each node of `piece` which piece it belongs to, from 0 in the order of their first nodes. Returns how many
// pieces there are.
int cg_mesh_find_pieces(const cg_mesh *mesh, int *piece);
// Adds everything of `other` to the mesh; its nodes and links come after those of the mesh, in order.
cg_status cg_mesh_append(cg_mesh *mesh, const cg_mesh *other);
// Moves the piece that the node belongs to into another mesh, behind what that has. What is left keeps its masses and
// stiffnesses to the last bit.
cg_status cg_mesh_take_piece(cg_mesh *mesh, int node, cg_mesh *into);

// Merges node b into node a, which comes to rest between them by their masses; the links of both to a third node become
// one; faces of cells that meet vanish from the surface. The two must not be linked or have a cell in common, at home
// no cell may be turned over by it, and surfaces must meet outside to outside. The last node gets the number of b.
cg_status cg_mesh_merge_nodes(cg_mesh *mesh, int a, int b);
// Makes the shape of now the one at home, when no cell is inside out in it: after pieces have moved, before they are
// merged. Lengths of links stay. False: a cell is, nothing changed.
bool cg_mesh_settle_home(cg_mesh *mesh);

#endif
