// Surfaces from mesh files: OBJ, STL (text and binary), VRML 1.0 and VRML 97, PLY, and the triangles or the outside of
// the cells of what catgut/volume.h reads; from bytes in memory.
//
// Polygons become triangles, equal points become one node, triangles without area are left out; what remains is counted
// and described. A file is untrusted: what is wrong with it comes back with line and column, and what it may take is
// bounded.
#ifndef CATGUT_SURFACE_H
#define CATGUT_SURFACE_H

#include <stddef.h>

#include "catgut/api.h"
#include "catgut/math.h"
#include "catgut/scene.h"
#include "catgut/status.h"
#include "catgut/world.h"

CG_API_BEGIN

// How a surface is written down.
typedef enum cg_surface_format {
    CG_SURFACE_OBJ,  // points, faces and groups (g, o) of Wavefront OBJ; all else in it is passed over
    CG_SURFACE_STL,  // text or binary, told apart by what is in it; it has no groups
    CG_SURFACE_VRML, // 1.0 and 97: indexed face sets with their transforms, DEF and USE, whose names are groups
    CG_SURFACE_PLY,  // text and binary: vertices and faces
    // What can hold volumes too. As a surface the outside of its cells counts, or, without cells, its triangles.
    CG_SURFACE_GMSH,    // versions 1, 2 and 4.1, text and binary; physical groups are regions
    CG_SURFACE_VTK,     // legacy, text and binary: unstructured grids, polygons; the first cell field of whole numbers
                        // is the region
    CG_SURFACE_VTK_XML, // .vtu and .vtp: text, base64, appended, zlib
    CG_SURFACE_MEDIT,   // .mesh in text; references are regions
    CG_SURFACE_TETGEN,  // .ele, with its .node file beside it; attributes are regions
    CG_SURFACE_ABAQUS,  // .inp of Abaqus and CalculiX; sets of elements are regions, numbered as they come
    CG_SURFACE_LABELS,  // label maps of segmentations: NRRD, NIfTI-1 (.nii, .nii.gz), MetaImage (.mha)
    CG_SURFACE_TOLD     // by what the bytes are (cg_surface_format_of_bytes)
} cg_surface_format;

// How a surface is read. Start from cg_surface_def_default.
typedef struct cg_surface_def {
    cg_surface_format format; // of the bytes
    double scale;             // [m] of one unit of the file, 1e-9 to 1e9
    int max_nodes;            // 3 to 10000000; more points are refused
    int max_triangles;        // 1 to 20000000; more are refused; of cells too
    const void *beside;       // TetGen: bytes of the .node file that belongs to the .ele file; else NULL
    size_t beside_size;       // of them
    int label;                // label maps: only points of this label are inside; 0: of any
    cg_allocator allocator;   // zero: malloc and free
} cg_surface_def;

// OBJ in metres, up to a million nodes and two million triangles.
cg_surface_def cg_surface_def_default(void);

// The format that the ending of a name stands for (.obj, .stl, .wrl, .vrml, .ply, .msh, .vtk, .vtu, .vtp, .mesh, .ele,
// .inp, .nrrd, .nii, .gz, .mha, in any case); false when it is none.
bool cg_surface_format_of_name(const char *name, cg_surface_format *format);
// The format that bytes are in, by what is in them; false when they are none that is known.
bool cg_surface_format_of_bytes(const void *bytes, size_t size, cg_surface_format *format);
// "obj", "stl", "vrml", "ply", "gmsh", "vtk", "vtk-xml", "medit", "tetgen", "abaqus", "labels".
const char *cg_surface_format_name(cg_surface_format format);

// A surface that was read.
typedef struct cg_surface {
    cg_vec3 *nodes;         // [m]
    int node_count;         // all of them used by a triangle
    int (*triangles)[3];    // nodes, counter-clockwise seen from outside where the file keeps to that
    int triangle_count;     // 1 or more
    int *sides;             // of each triangle: the part of the surface that the file says by the name of a group
                            // ("top", "groove"; cg_tissue_side_name), -1: none
    int told_sides;         // triangles of which it says so
    int left_out;           // triangles of the file without area
    int open_edges;         // edges of one triangle: 0 for a closed surface
    int crowded_edges;      // edges of three triangles or more: no tissue can be made of such a surface
    int turned_edges;       // edges of two triangles that are not seen from the same side: neither of that
    cg_allocator allocator; // that it came from
} cg_surface;

// Reads a surface. `name` is what errors call the file. On failure *surface is NULL and *error (which may be NULL) says
// what was found, what was expected and where; for a binary file the column is the byte, from 1. Give what was read
// back with cg_surface_free.
cg_status cg_surface_read(const void *bytes, size_t size, const char *name, const cg_surface_def *def,
                          cg_surface **surface, cg_scene_error *error);
// Gives a surface back. NULL is allowed.
void cg_surface_free(cg_surface *surface);

CG_API_END

#endif
