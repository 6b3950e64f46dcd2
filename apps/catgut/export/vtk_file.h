// One file in VTK's XML formats: PolyData (.vtp: lines and triangles) or UnstructuredGrid (.vtu: tetrahedra), with
// arrays at points and cells and words about the whole. It needs nothing but the C library, so that whatever has nodes
// and cells can be written with it:
//
//     cg_vtk_file vtk = {.is_grid = true};
//     float *at = cg_vtk_floats(&vtk, CG_VTK_POINTS, "points", 3, nodes);
//     int32_t *corner = cg_vtk_integers(&vtk, CG_VTK_CELLS, "connectivity", 4 * cells);     then 4 indices a cell
//     float *strain = cg_vtk_floats(&vtk, CG_VTK_CELL_DATA, "strain", 1, cells);
//     fill what is not NULL, cg_vtk_write(&vtk, out), cg_vtk_free(&vtk)
//
// Cells are triangles in a .vtp and tetrahedra in a .vtu; their ends and types are made by cg_vtk_write. What is not
// known is not a number (NAN), which VTK leaves out of ranges.
#ifndef CATGUT_EXPORT_VTK_FILE_H
#define CATGUT_EXPORT_VTK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum cg_vtk_section {
    CG_VTK_POINTS,     // one array of 3 components
    CG_VTK_LINES,      // "connectivity" and "offsets" of polylines
    CG_VTK_CELLS,      // "connectivity" of triangles or tetrahedra
    CG_VTK_POINT_DATA, // as many as points
    CG_VTK_CELL_DATA,  // as many as lines and cells, those of lines first
    CG_VTK_FIELD_DATA  // of the whole file
} cg_vtk_section;

enum { CG_VTK_MOST_ARRAYS = 24, CG_VTK_MOST_TEXTS = 12 };

typedef struct cg_vtk_array {
    cg_vtk_section section;
    const char *name;
    const char *type; // of VTK
    int components;
    size_t count;       // of values
    unsigned char *raw; // values as the machine has them
} cg_vtk_array;

// Words of the whole file: one or a list.
typedef struct cg_vtk_text {
    const char *name;
    char *words; // each with its end
    size_t size, count;
} cg_vtk_text;

// Zero-initialise; names must stay until it is freed.
typedef struct cg_vtk_file {
    bool is_grid; // .vtu
    double time;  // [s]
    cg_vtk_array arrays[CG_VTK_MOST_ARRAYS];
    int array_count;
    cg_vtk_text texts[CG_VTK_MOST_TEXTS];
    int text_count;
    bool failed; // memory ran out
} cg_vtk_file;

// Adds an array and gives its values to be filled; NULL when memory ran out.
float *cg_vtk_floats(cg_vtk_file *vtk, cg_vtk_section section, const char *name, int components, size_t tuples);
int32_t *cg_vtk_integers(cg_vtk_file *vtk, cg_vtk_section section, const char *name, size_t count);
// Adds a word to a text of the whole file, which begins with its first word.
void cg_vtk_word(cg_vtk_file *vtk, const char *name, const char *word);
// Writes the file; false when memory ran out in making it.
bool cg_vtk_write(cg_vtk_file *vtk, FILE *out);
void cg_vtk_free(cg_vtk_file *vtk);

#endif
