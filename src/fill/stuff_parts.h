// What the two halves of isosurface stuffing share: cuts are found in stuff.c, cells made in stencil.c.
#ifndef CATGUT_FILL_STUFF_PARTS_H
#define CATGUT_FILL_STUFF_PARTS_H

#include "fill/fill_parts.h"

struct cg_stuff_cut {
    cg_vec3 place;
    bool is_piece; // by the border of the piece, not by the surface
    int node;      // of the cells that come out; -1: none yet
};

// A point of the lattice with an edge that is cut.
struct cg_stuff_point {
    int at[4];
    int sign; // 1 inside, -1 outside, 0 on the surface
    bool has_distance, is_piece;
    double distance; // [m] from the surface
    cg_vec3 place;
    int cuts[14]; // by direction; -1: none
};

struct cg_stuff {
    const cg_allocator *allocator;
    const cg_fill_tree *tree;
    const cg_fill_def *def;
    cg_fill_lattice lattice;
    signed char *inside; // of each point: inside the surface and the piece
    int *point_of;       // of each point: its number among those with cuts; -1: none
    int *node_of;        // of each point: the node that it became, plus one; 0: none yet
    struct cg_stuff_point *points;
    int point_count, point_room;
    struct cg_stuff_cut *cuts;
    int cut_count, cut_room;
    cg_fill_cells *out;
};

void cg_stuff_neighbour(const int at[4], int direction, int other[4]);
// Fills the part of a tetrahedron of the lattice that is inside.
void cg_stuff_cell(struct cg_stuff *s, const int corners[4][4]);

#endif
