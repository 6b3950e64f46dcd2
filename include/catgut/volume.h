// Volumes of tetrahedra from mesh files: Gmsh 1, 2 and 4.1 (text and binary), VTK (legacy text and binary, XML with its
// text, base64, appended and zlib forms), Medit, TetGen and Abaqus, read from bytes in memory; and written as Gmsh 2.2.
//
// A volume is shape alone: nodes, cells and one number of a region for each. What is not a tetrahedron is counted and
// left out; cells that are turned inside out are turned, flat ones and points that nothing uses left out. A file is
// untrusted: what is wrong with it comes back with line and column.
#ifndef CATGUT_VOLUME_H
#define CATGUT_VOLUME_H

#include <stddef.h>

#include "catgut/api.h"
#include "catgut/math.h"
#include "catgut/scene.h"
#include "catgut/status.h"
#include "catgut/surface.h"
#include "catgut/world.h"

CG_API_BEGIN

// A volume of tetrahedra.
typedef struct cg_volume {
    cg_vec3 *nodes;      // [m]
    int node_count;      // all of them used by a cell
    int (*cells)[4];     // nodes, right-handed: (n1 - n0) x (n2 - n0) . (n3 - n0) > 0
    int cell_count;      // 1 or more
    int *regions;        // of each cell the number that the file gives its material or group; 0: none
    bool *cut;           // of each node of a filled piece: it lies where the piece was cut off; NULL: no piece
    int turned_cells;    // of the file that were left-handed
    int flat_cells;      // of the file without volume, left out
    int quadratic_cells; // of the file with nodes on their edges, which are left out
    int other_items;     // of the file that are no tetrahedra (hexahedra, and surfaces, lines and points beside cells)
    int unused_points;   // of the file
    int crowded_faces;   // that three cells or more have, or two on the same side: no tissue can be made of such cells
    double least_angle;  // [rad] between two faces of a cell, the smallest of all
    double most_angle;   // [rad] and the largest; a regular tetrahedron has 1.231
    cg_allocator allocator; // that it came from
} cg_volume;

// Reads a volume. `name` is what errors call the file. On failure *volume is NULL and *error (which may be NULL) says
// what was found, what was expected and where; in binary parts the column is the byte of the file, from 1. Give what
// was read back with cg_volume_free.
cg_status cg_volume_read(const void *bytes, size_t size, const char *name, const cg_surface_def *def,
                         cg_volume **volume, cg_scene_error *error);
// Gives a volume back. NULL is allowed.
void cg_volume_free(cg_volume *volume);

// The faces that only one cell has, seen from outside, to be given back with cg_surface_free.
cg_status cg_volume_outside(const cg_volume *volume, cg_surface **surface);

// The volume as a file of Gmsh 2.2 in text: coordinates in units of `unit` [m], to the last bit for 1; regions as
// numbers of groups. *text ends in a zero byte, which *size does not count; give it back with cg_volume_free_text while
// the volume is there.
cg_status cg_volume_write(const cg_volume *volume, double unit, char **text, size_t *size);
// Gives a text back. NULL is allowed.
void cg_volume_free_text(const cg_volume *volume, char *text);

CG_API_END

#endif
