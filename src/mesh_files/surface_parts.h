// What the readers of surfaces share: where triangles are gathered, and a cursor over text.
#ifndef CATGUT_MESH_FILES_SURFACE_PARTS_H
#define CATGUT_MESH_FILES_SURFACE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/errors.h"
#include "catgut/surface.h"

// Most corners of a polygon: cutting one up takes time that grows with their square.
enum { CG_SURFACE_CORNERS = 1000 };

// A surface while it is read. Points may be there many times; they are welded at the end.
typedef struct cg_surface_draft {
    const cg_surface_def *def;
    cg_scene_error *error;
    cg_vec3 *points;
    int point_count, point_room;
    int (*triangles)[3];
    int *sides; // of each triangle; as cg_surface
    int triangle_count, triangle_room;
    int side;              // of the faces that come
    bool is_out_of_memory; // the code of the failure
} cg_surface_draft;

// All return false after filling the error, which they place at the line and column.
bool cg_surface_add_point(cg_surface_draft *draft, cg_vec3 point, int line, int column);
// A polygon of points of the draft, 3 to CG_SURFACE_CORNERS, cut into triangles; `turned`: it is seen from behind.
bool cg_surface_add_polygon(cg_surface_draft *draft, const int *corners, int count, bool turned, int line, int column);

// The readers.
bool cg_surface_read_obj(cg_surface_draft *draft, const char *text, size_t size);
bool cg_surface_read_stl(cg_surface_draft *draft, const char *bytes, size_t size);
bool cg_surface_read_vrml(cg_surface_draft *draft, const char *text, size_t size);
bool cg_surface_read_labels(cg_surface_draft *draft, const void *bytes, size_t size);
bool cg_surface_read_ply(cg_surface_draft *draft, const void *bytes, size_t size);
// True for bytes that are STL, in text or not.
bool cg_surface_is_stl(const void *bytes, size_t size);

// Checks a definition, and tells the format of the bytes where it says that they do; an error is filled too.
cg_status cg_surface_check_def(cg_surface_def *def, const void *bytes, size_t size, cg_scene_error *error);
// Counts the edges of a surface by their kinds. False: no memory.
bool cg_surface_describe(cg_surface *surface);

// Cuts a polygon into count - 2 triangles by its ears; `corners` are changed.
void cg_surface_cut_ears(const cg_vec3 *points, int *corners, int count, int (*triangles)[3]);

// Where a reader of text is.
typedef struct cg_cursor {
    const char *at, *end, *line_start;
    int line;
} cg_cursor;

// A word of text: a run of characters that the format does not give a meaning of their own.
typedef struct cg_word {
    const char *text;
    size_t length; // 0: there is none
    int line, column;
} cg_word;

int cg_cursor_column(const cg_cursor *cursor);
// Goes past one character; lines end in LF, CR or CR LF.
void cg_cursor_step(cg_cursor *cursor);
// The next word between blanks, on this line or a later one.
cg_word cg_cursor_next_word(cg_cursor *cursor);
// To the beginning of the next line.
void cg_cursor_skip_line(cg_cursor *cursor);
// True when the word is this one, in any case.
bool cg_word_is(const cg_word *word, const char *text);
// The side that a group of this name is, in any case; -1: none.
int cg_surface_side_of(const cg_word *name);
// A number as people and programs write it: -1, +.5, 1.e-3. An error says what was expected in its place.
bool cg_word_number(const cg_word *word, cg_scene_error *error, const char *expected, double *value);
// A whole number.
bool cg_word_int(const cg_word *word, cg_scene_error *error, const char *expected, int *value);
// An error at a word: `found "..."; expected ...`, or that the text ends.
bool cg_word_unexpected(const cg_word *word, cg_scene_error *error, const char *expected);

#endif
