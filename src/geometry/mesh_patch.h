// What a skin was like around a triangle before a hole was made in it, so that the hole can heal: the mesh is then as
// it was, to the last bit.
//
// A hole splits a triangle in three and each of its sides in two, so the triangles beyond the sides as well
// (tissue/skin_edit.c). That changes
//
//     the triangle and up to three beyond its sides      12 triangles where 4 were
//     its three sides                                    15 links where 3 were
//     the up to six other sides of the triangles beyond  which lose a little of their stiffness
//
// and nothing else. Items are known by their nodes, whose numbers follow the log of the mesh (cg_mesh_follow_nodes).
#ifndef CATGUT_GEOMETRY_MESH_PATCH_H
#define CATGUT_GEOMETRY_MESH_PATCH_H

#include "geometry/mesh.h"

// Nodes of a patch, in this order: the corners of the triangle; those beyond the side from each corner to the next
// (-1: none); what was added, the hole and the middle of each side (-1: not yet).
enum { CG_PATCH_CORNER = 0, CG_PATCH_BEYOND = 3, CG_PATCH_HOLE = 6, CG_PATCH_MIDDLE = 7, CG_PATCH_NODES = 10 };
// Links: the sides, and from the node beyond each to its first and second corner.
enum { CG_PATCH_SIDE = 0, CG_PATCH_OUTER = 3, CG_PATCH_LINKS = 9 };

typedef struct cg_mesh_patch {
    int nodes[CG_PATCH_NODES];
    int corner_beyond[3];                // which corner of the triangle beyond a side is the node beyond
    double masses[4];                    // [kg] of the triangle, and of those beyond its sides
    cg_mesh_link before[CG_PATCH_LINKS]; // what links were like; ends mean nothing
    cg_mesh_link after[CG_PATCH_LINKS];  // and what the outer ones are like with the hole
} cg_mesh_patch;

// Before the triangle is split; its mesh has no cells.
void cg_mesh_patch_note(const cg_mesh *mesh, int triangle, cg_mesh_patch *patch);
// Once it is: the hole and the middles of the sides, the first of which is on the side from the first corner.
void cg_mesh_patch_split(const cg_mesh *mesh, int hole, const int middles[3], cg_mesh_patch *patch);
// Whether the mesh around the hole is what the split made of it.
bool cg_mesh_patch_is_whole(const cg_mesh *mesh, const cg_mesh_patch *patch);
// Undoes the split, if so: the nodes that were added go. False, and nothing has changed, when it is something else.
bool cg_mesh_patch_undo(cg_mesh *mesh, const cg_mesh_patch *patch);
// The triangles that the split made, two at each corner and then two beyond each side; -1 where there is none. Returns
// false when others are missing.
enum { CG_PATCH_TRIANGLES = 12 };
bool cg_mesh_patch_triangles(const cg_mesh *mesh, const cg_mesh_patch *patch, int triangles[CG_PATCH_TRIANGLES]);
// Whether a mesh could have such a patch: a state that was loaded may be anything.
bool cg_mesh_patch_is_sound(const cg_mesh *mesh, const cg_mesh_patch *patch);
void cg_mesh_patch_visit(cg_archive *archive, cg_mesh_patch *patch, int most_nodes);

#endif
