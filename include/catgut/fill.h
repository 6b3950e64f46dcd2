// Filling a surface with tetrahedra: few cells of good shape, whatever the triangles are like.
//
// The surface may be open, doubled, turned inside out, in parts, or cross itself; what is inside is decided by counting
// crossings, and by winding numbers where those do not agree. Cells come from a lattice of two cubic grids whose border
// is moved to the surface (isosurface stuffing: Labelle and Shewchuk, 2007), so their outside lies within about half a
// spacing of it, and their angles between 10.7 and 164.8 degrees. What is thinner than 1.25 spacings is lost: such a
// filling is refused with the spacing that would do. The same surface gives the same bits.
#ifndef CATGUT_FILL_H
#define CATGUT_FILL_H

#include "catgut/api.h"
#include "catgut/math.h"
#include "catgut/status.h"
#include "catgut/surface.h"
#include "catgut/volume.h"

CG_API_BEGIN

// What of the inside is filled.
typedef enum cg_fill_piece {
    CG_FILL_ALL, // everything
    CG_FILL_BOX, // what is in a box along the axes
    CG_FILL_BALL // what is in a ball
} cg_fill_piece;

// How a surface is filled. Start from cg_fill_def_default.
typedef struct cg_fill_def {
    int nodes;              // wanted, within 3 % where that can be; 20 to 200000; 0: as the spacing says
    double spacing;         // [m] of the lattice; counts where nodes is 0
    cg_fill_piece piece;    // what of the inside
    cg_vec3 centre;         // [m] of the piece
    cg_vec3 half;           // [m] half the sides of a box
    double radius;          // [m] of a ball
    cg_allocator allocator; // zero: malloc and free
} cg_fill_def;

// 2,000 nodes, everything.
cg_fill_def cg_fill_def_default(void);

// What was found and what was made.
typedef struct cg_fill_report {
    cg_vec3 low, high;     // [m] box of the surface
    int doubled_triangles; // left out: there twice, or there from both sides
    int turned_triangles;  // turned, so that neighbours are seen from the same side
    int turned_parts;      // closed parts that were inside out
    int parts;             // of the surface that enclose something
    double thickness;      // [m] 5 % of the surface have less than this behind them
    double source_volume;  // [m3] of what was to be filled; counted on the lattice where the surface is open or cut
    double spacing;        // [m] of the lattice
    int tries;             // of spacings, until the number of nodes was right
    double volume;         // [m3] of the cells
    int undecided;         // points of the lattice where crossings did not agree and the winding number decided
    int left_out_parts;    // of the filling: crumbs of less than 1 % of the cells
    int split_hinges;      // nodes where the outside touched itself, now two
    double farthest;       // [m] of the surface from the cells' outside, of some 2,000 places
    double far_share;      // of the surface that is farther than one spacing
} cg_fill_report;

// Fills a surface. *report (may be NULL) is filled as far as it came. On failure *volume is NULL and the message says
// why, and which spacing would do where one would. Give the volume back with cg_volume_free.
cg_status cg_fill(const cg_surface *surface, const cg_fill_def *def, cg_volume **volume, cg_fill_report *report);

// What was found when tissue number `tissue` of a scene was filled; false when it is none that was.
bool cg_scene_tissue_fill(const cg_scene *scene, int tissue, cg_fill_report *report);

CG_API_END

#endif
