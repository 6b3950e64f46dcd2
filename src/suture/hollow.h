// Needles in a skin, which is a closed surface with nothing inside: what a place is to it, and its holes.
//
// A hole is a node where the skin was split for it (tissue/skin_edit.c), or a point of a triangle where there was no
// room for that.
#ifndef CATGUT_SUTURE_HOLLOW_H
#define CATGUT_SUTURE_HOLLOW_H

#include "find/channel.h"

static inline bool cg_is_hollow(const cg_mesh *mesh)
{
    return mesh->cell_count == 0;
}

// The point of the surface that is nearest to a place, and on which side of it that is.
typedef struct cg_hollow_place {
    cg_mesh_point point; // triangle -1: there is no surface
    bool is_inside;
} cg_hollow_place;

cg_hollow_place cg_hollow_nearest(const cg_mesh *mesh, cg_vec3 place);
bool cg_hollow_contains(const cg_mesh *mesh, cg_vec3 place);
// Whether the surface nearest to a place is that around a hole.
bool cg_hollow_is_at_hole(const cg_mesh *mesh, const cg_channel_point *hole, cg_vec3 place);
// The node that a hole is; -1: none.
int cg_hollow_node(const cg_tissue *tissue, const cg_channel_point *hole);
void cg_hollow_set(cg_channel_point *hole, const cg_mesh_point *point);
// The mesh was edited: a hole stays at its node, or where it was. False when that has gone.
bool cg_hollow_follow(const cg_tissue *tissue, const cg_mesh_numbers *numbers, cg_channel_point *hole);

#endif
