// What the parts of filling share: a surface put right, a tree over its triangles, a lattice, and the cells that come
// out.
#ifndef CATGUT_FILL_FILL_PARTS_H
#define CATGUT_FILL_FILL_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "catgut/fill.h"

// A surface whose doubled triangles are gone and whose parts are seen from outside.
typedef struct cg_fill_shape {
    const cg_allocator *allocator;
    cg_vec3 *points;
    int point_count;
    int (*triangles)[3];
    int triangle_count;
    int doubled, turned, turned_parts;
    int solids;          // closed parts that are no cavities
    int open_edges;      // of one triangle, or of more than two
    double volume, area; // [m3] signed sum, [m2]
    cg_vec3 low, high;
} cg_fill_shape;

// False: no memory. An empty shape has no triangles.
bool cg_fill_clean(const cg_surface *surface, const cg_allocator *allocator, cg_fill_shape *shape);
void cg_fill_shape_clear(cg_fill_shape *shape);

// A tree of boxes over triangles. What is far away counts by two terms of its winding number.
typedef struct cg_fill_box {
    cg_vec3 low, high;
    cg_vec3 middle, area; // weighted by area; sum of the normals by area
    double moments[3][3]; // sum of area_i (middle of the triangle - middle)_j
    double radius;        // about the middle
    int first, count;     // of the order
    int right;            // the second half; the first one follows; 0: a leaf
} cg_fill_box;

typedef struct cg_fill_tree {
    const cg_fill_shape *shape;
    cg_fill_box *boxes;
    int *order;
    int box_count;
} cg_fill_tree;

bool cg_fill_tree_make(const cg_fill_shape *shape, cg_fill_tree *tree);
void cg_fill_tree_clear(cg_fill_tree *tree);
// [m2] square of the distance to the nearest triangle, if that is below `limit`; else limit.
double cg_fill_nearest(const cg_fill_tree *tree, cg_vec3 p, double limit);
// How often the triangles wind around a point: 1 inside, 0 outside of a sound surface.
double cg_fill_winding(const cg_fill_tree *tree, cg_vec3 p);
// How far along a ray the first triangle behind `from` is crossed; below 0: none.
double cg_fill_ray(const cg_fill_tree *tree, cg_vec3 origin, cg_vec3 direction, double from);
// Its share of the full sphere of a triangle seen from p.
double cg_fill_solid_angle(cg_vec3 p, cg_vec3 a, cg_vec3 b, cg_vec3 c);

// Two cubic grids of spacing h, the second half a spacing further along all axes. A point is (grid, i, j, k).
typedef struct cg_fill_lattice {
    int n[3];
    cg_vec3 origin;
    double h;
    signed char *inside; // of each point: 1 inside the surface
    int undecided;
} cg_fill_lattice;

static inline int cg_fill_point(const cg_fill_lattice *lattice, const int at[4])
{
    return ((at[0] * lattice->n[2] + at[3]) * lattice->n[1] + at[2]) * lattice->n[0] + at[1];
}

static inline cg_vec3 cg_fill_place(const cg_fill_lattice *lattice, const int at[4])
{
    double shift = 0.5 * at[0], h = lattice->h;
    return (cg_vec3){lattice->origin.x + h * (at[1] + shift), lattice->origin.y + h * (at[2] + shift),
                     lattice->origin.z + h * (at[3] + shift)};
}

// Which points are inside. False: no memory.
bool cg_fill_signs(const cg_fill_tree *tree, cg_fill_lattice *lattice);

// Cells that come out.
typedef struct cg_fill_cells {
    const cg_allocator *allocator;
    cg_vec3 *nodes;
    bool *cut; // of each node: where a piece was cut off
    int node_count, node_room;
    int (*cells)[4];
    int cell_count, cell_room;
    double inside_volume; // [m3] of what was to be filled, as the lattice counts it
    int undecided, left_out_parts, large_parts, split_hinges, hinges;
    bool is_out_of_memory;
} cg_fill_cells;

// Fills with the spacing h. False: no memory. cells->cell_count may be 0.
bool cg_fill_stuff(const cg_fill_tree *tree, const cg_fill_def *def, double h, cg_fill_cells *cells);
int cg_fill_add_node(cg_fill_cells *cells, cg_vec3 place, bool cut);
void cg_fill_add_cell(cg_fill_cells *cells, int a, int b, int c, int d);
void cg_fill_cells_clear(cg_fill_cells *cells);
// Points that a lattice of this spacing has.
double cg_fill_lattice_points(const cg_fill_shape *shape, const cg_fill_def *def, double h);
// Crumbs are left out, nodes where the outside touches itself split; what is left is counted. False: no memory.
bool cg_fill_tidy(cg_fill_cells *cells);

// The piece: whether a point is in it, and how far along the way from p, which is inside, to q its border comes (2: not
// before q).
bool cg_fill_is_in_piece(const cg_fill_def *def, cg_vec3 p);
double cg_fill_leave_piece(const cg_fill_def *def, cg_vec3 p, cg_vec3 q);

#endif
