// What the readers of volumes share: where points, cells and triangles are gathered, and a stream over numbers in text
// or bytes.
#ifndef CATGUT_MESH_FILES_VOLUME_PARTS_H
#define CATGUT_MESH_FILES_VOLUME_PARTS_H

#include <stdint.h>

#include "catgut/volume.h"
#include "mesh_files/surface_parts.h"

// A table of whole numbers by hash: from the numbers of a file to places in an array.
typedef struct cg_number_table {
    int64_t *keys;
    int *values; // plus one; 0: empty
    size_t room, count;
} cg_number_table;

// What a file holds while it is read.
typedef struct cg_volume_draft {
    const cg_surface_def *def;
    cg_scene_error *error;
    cg_vec3 *points;
    int point_count, point_room;
    cg_number_table numbers; // of points, where the file has them
    int (*cells)[4];
    int *regions;
    int cell_count, cell_room;
    int (*triangles)[3];
    int triangle_count, triangle_room;
    int quadratic_cells, other_items;
    bool is_out_of_memory;
} cg_volume_draft;

// Where something of the file is, for errors.
typedef struct cg_file_place {
    int line, column;
} cg_file_place;

// All return false after filling the error.
bool cg_volume_add_point(cg_volume_draft *draft, cg_vec3 point, cg_file_place place);
// A point by its number in the file, which must be new.
bool cg_volume_add_numbered(cg_volume_draft *draft, int64_t number, cg_vec3 point, cg_file_place place);
// The place of the point with this number.
bool cg_volume_find_point(cg_volume_draft *draft, int64_t number, cg_file_place place, int *point);
// Places of points must be those of the draft.
bool cg_volume_add_cell(cg_volume_draft *draft, const int points[4], int region);
// A polygon, cut into triangles; two corners or fewer are another item.
bool cg_volume_add_polygon(cg_volume_draft *draft, const int *points, int count, cg_file_place place);
// Room for so many cells that come, which the file says before they are there: refused where the limit is lower.
bool cg_volume_expect(cg_volume_draft *draft, int64_t count, int64_t least_bytes, size_t left, const char *what,
                      cg_file_place place);
// Twice the room of an array, up to `most`.
bool cg_volume_grow(cg_volume_draft *draft, void **items, size_t size, int count, int *room, int most);
void cg_volume_draft_clear(cg_volume_draft *draft);

// Numbers, as words of a text or as bytes.
typedef struct cg_stream {
    cg_cursor cursor;
    const char *begin; // of the file
    bool is_binary;
    bool is_big; // the highest byte comes first
    cg_scene_error *error;
} cg_stream;

cg_stream cg_stream_of(const void *bytes, size_t size, cg_scene_error *error);
cg_file_place cg_stream_place(const cg_stream *stream);
size_t cg_stream_left(const cg_stream *stream);
// A whole number: a word, or so many bytes (1 to 8, with a sign where `is_signed`).
bool cg_stream_whole(cg_stream *stream, int bytes, bool is_signed, const char *expected, int64_t *value);
// A number: a word, or 4 or 8 bytes.
bool cg_stream_real(cg_stream *stream, int bytes, const char *expected, double *value);
bool cg_stream_point(cg_stream *stream, int bytes, cg_vec3 *point);
// Goes past so many bytes.
bool cg_stream_skip(cg_stream *stream, size_t bytes, const char *expected);
// A word of text, whatever the numbers are written in, and whether it is this one.
cg_word cg_stream_word(cg_stream *stream);
// To a line that begins with this word, from here on or from the beginning; false, and no error, where there is none.
bool cg_stream_seek(cg_stream *stream, const char *word);
// A whole number of a word: 64 bits.
bool cg_word_whole(const cg_word *word, cg_scene_error *error, const char *expected, int64_t *value);
double cg_real_of_bytes(const unsigned char *bytes, int size, bool is_big);
uint64_t cg_whole_of_bytes(const unsigned char *bytes, int size, bool is_big);

// The readers.
bool cg_volume_read_gmsh(cg_volume_draft *draft, const void *bytes, size_t size);
bool cg_volume_read_vtk(cg_volume_draft *draft, const void *bytes, size_t size);
bool cg_volume_read_vtk_xml(cg_volume_draft *draft, const void *bytes, size_t size);
bool cg_volume_read_medit(cg_volume_draft *draft, const void *bytes, size_t size);
bool cg_volume_read_tetgen(cg_volume_draft *draft, const void *bytes, size_t size);
bool cg_volume_read_abaqus(cg_volume_draft *draft, const void *bytes, size_t size);

// Cells of VTK by the number of their type: both its legacy files and its XML have them. `corners` are places of
// points.
bool cg_volume_add_vtk_cell(cg_volume_draft *draft, int64_t type, const int *corners, int count, int region,
                            cg_file_place place);

// True for the formats that the readers above are of.
bool cg_surface_format_has_cells(cg_surface_format format);
// The draft of a file of such a format, without its points that nothing uses and the like.
bool cg_volume_read_draft(cg_volume_draft *draft, const void *bytes, size_t size);
// A volume of a draft that has cells.
cg_status cg_volume_of_draft(cg_volume_draft *draft, cg_volume **volume);
// What a surface takes of a file with cells or triangles.
bool cg_surface_take_volume(cg_surface_draft *surface, const void *bytes, size_t size);

#endif
