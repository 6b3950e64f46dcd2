// Legacy VTK: four lines of head (version, title, ASCII or BINARY, DATASET ...), then sections by keyword. Binary
// numbers have their highest byte first. Of UNSTRUCTURED_GRID and POLYDATA the sections
//
//     POINTS n type, numbers
//     CELLS n size, lists of count and nodes          or, from version 5 on, CELLS n m, OFFSETS type, n numbers,
//     CELL_TYPES n, numbers                           CONNECTIVITY type, m numbers (n is one more than the cells)
//     POLYGONS and TRIANGLE_STRIPS in the same two ways
//     CELL_DATA n, then SCALARS name type [components], LOOKUP_TABLE name, or FIELD name n with arrays
//
// count; the first field of one whole number a cell is the region. All else is passed over.
#include <string.h>

#include "mesh_files/volume_parts.h"

enum { MOST_CORNERS = CG_SURFACE_CORNERS };

// Lists of nodes: in the old way or by offsets.
struct lists {
    bool is_there, has_offsets;
    int64_t count;
    int bytes[2]; // of an offset, of a node
    cg_stream offsets, nodes;
};

struct vtk {
    cg_volume_draft *draft;
    cg_stream stream;
    bool is_grid, is_binary;
    struct lists cells, polygons, strips;
    bool has_types, has_regions;
    int64_t type_count, region_count;
    cg_stream types, regions;
    int region_bytes;
};

static bool fail_at(const struct vtk *vtk, const cg_word *word, const char *expected)
{
    return cg_word_unexpected(word, vtk->draft->error, expected);
}

// Bytes of a number of this type; 0: none that is known. Whole types are told.
static int size_of_type(const cg_word *word, bool *is_whole)
{
    static const struct {
        const char *name;
        int bytes;
        bool is_whole;
    } types[] = {{"float", 4, false},        {"double", 8, false},        {"int", 4, true},
                 {"unsigned_int", 4, true},  {"long", 8, true},           {"unsigned_long", 8, true},
                 {"short", 2, true},         {"unsigned_short", 2, true}, {"char", 1, true},
                 {"unsigned_char", 1, true}, {"vtkIdType", 4, true},      {"vtktypeint64", 8, true},
                 {"vtktypeint32", 4, true},  {"signed_char", 1, true},    {"vtktypeuint64", 8, true}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (cg_word_is(word, types[i].name)) {
            *is_whole = types[i].is_whole;
            return types[i].bytes;
        }
    }
    return 0;
}

// Numbers begin behind the line of the heading.
static void enter_numbers(struct vtk *vtk)
{
    if (vtk->is_binary) {
        while (vtk->stream.cursor.at < vtk->stream.cursor.end && *vtk->stream.cursor.at != '\n') {
            vtk->stream.cursor.at++;
        }
        vtk->stream.cursor.at += vtk->stream.cursor.at < vtk->stream.cursor.end;
    }
    vtk->stream.is_binary = vtk->is_binary;
}

static bool pass_numbers(struct vtk *vtk, int64_t count, int bytes)
{
    cg_file_place place = cg_stream_place(&vtk->stream);
    if (!cg_volume_expect(vtk->draft, count, vtk->is_binary ? bytes : 1, cg_stream_left(&vtk->stream) + 1, "numbers",
                          place)) {
        return false;
    }
    if (vtk->is_binary) {
        if (!cg_stream_skip(&vtk->stream, (size_t)count * (size_t)bytes, "numbers")) {
            return false;
        }
    } else {
        for (int64_t i = 0; i < count; i++) {
            cg_word word = cg_cursor_next_word(&vtk->stream.cursor);
            if (word.length == 0) {
                return fail_at(vtk, &word, "a number");
            }
        }
    }
    vtk->stream.is_binary = false;
    return true;
}

static bool whole_word(struct vtk *vtk, const char *expected, int64_t *value)
{
    cg_word word = cg_stream_word(&vtk->stream);
    return cg_word_whole(&word, vtk->draft->error, expected, value);
}

static bool read_points(struct vtk *vtk)
{
    int64_t count;
    bool is_whole = true;
    if (!whole_word(vtk, "the number of points", &count)) {
        return false;
    }
    cg_word type = cg_stream_word(&vtk->stream);
    int bytes = size_of_type(&type, &is_whole);
    if (bytes == 0 || is_whole) {
        return fail_at(vtk, &type, "\"float\" or \"double\"");
    }
    enter_numbers(vtk);
    cg_file_place place = cg_stream_place(&vtk->stream);
    if (!cg_volume_expect(vtk->draft, count, vtk->is_binary ? 3 * bytes : 6, cg_stream_left(&vtk->stream) + 1, "points",
                          place)) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        cg_vec3 point;
        place = cg_stream_place(&vtk->stream);
        if (!cg_stream_point(&vtk->stream, bytes, &point) || !cg_volume_add_point(vtk->draft, point, place)) {
            return false;
        }
    }
    vtk->stream.is_binary = false;
    return true;
}

// "OFFSETS type", numbers
static bool note_array(struct vtk *vtk, const char *name, int64_t count, int *bytes, cg_stream *numbers)
{
    bool is_whole = false;
    cg_word word = cg_stream_word(&vtk->stream);
    if (!cg_word_is(&word, name)) {
        char expected[32] = "\"";
        return fail_at(vtk, &word, strcat(strcat(expected, name), "\""));
    }
    cg_word type = cg_stream_word(&vtk->stream);
    *bytes = size_of_type(&type, &is_whole);
    if (*bytes == 0 || !is_whole) {
        return fail_at(vtk, &type, "a type of whole numbers");
    }
    enter_numbers(vtk);
    *numbers = vtk->stream;
    return pass_numbers(vtk, count, *bytes);
}

static bool note_lists(struct vtk *vtk, struct lists *lists)
{
    int64_t count, size;
    if (!whole_word(vtk, "the number of cells", &count) || !whole_word(vtk, "the number of numbers", &size)) {
        return false;
    }
    cg_stream here = vtk->stream;
    cg_word word = cg_stream_word(&here);
    *lists =
        (struct lists){.is_there = true, .has_offsets = cg_word_is(&word, "OFFSETS"), .count = count, .bytes = {4, 4}};
    if (!lists->has_offsets) {
        enter_numbers(vtk);
        lists->nodes = vtk->stream;
        return pass_numbers(vtk, size, 4);
    }
    lists->count = count > 0 ? count - 1 : 0;
    return note_array(vtk, "OFFSETS", count, &lists->bytes[0], &lists->offsets) &&
           note_array(vtk, "CONNECTIVITY", size, &lists->bytes[1], &lists->nodes);
}

static bool note_types(struct vtk *vtk)
{
    if (!whole_word(vtk, "the number of cells", &vtk->type_count)) {
        return false;
    }
    vtk->has_types = true;
    enter_numbers(vtk);
    vtk->types = vtk->stream;
    return pass_numbers(vtk, vtk->type_count, 4);
}

// --- fields of cells ---

static bool note_field(struct vtk *vtk, const cg_word *type, int64_t components, int64_t count)
{
    bool is_whole = false;
    int bytes = size_of_type(type, &is_whole);
    if (bytes == 0) {
        return fail_at(vtk, type, "a type of numbers, such as float or int");
    }
    if (components < 0 || components > 1000 || count < 0 || count > INT32_MAX) {
        return fail_at(vtk, type, "fewer numbers before this");
    }
    enter_numbers(vtk);
    if (is_whole && components == 1 && !vtk->has_regions) {
        vtk->has_regions = true;
        vtk->region_count = count;
        vtk->region_bytes = bytes;
        vtk->regions = vtk->stream;
    }
    return pass_numbers(vtk, components * count, bytes);
}

static bool read_scalars(struct vtk *vtk, int64_t count)
{
    int64_t components = 1;
    cg_stream_word(&vtk->stream); // the name
    cg_word type = cg_stream_word(&vtk->stream);
    cg_stream here = vtk->stream;
    cg_word word = cg_stream_word(&here);
    if (!cg_word_is(&word, "LOOKUP_TABLE")) {
        if (!whole_word(vtk, "the number of components or LOOKUP_TABLE", &components)) {
            return false;
        }
        here = vtk->stream;
        word = cg_stream_word(&here);
    }
    if (cg_word_is(&word, "LOOKUP_TABLE")) {
        cg_stream_word(&here);
        vtk->stream = here;
    }
    return note_field(vtk, &type, components, count);
}

static bool read_fields(struct vtk *vtk)
{
    int64_t arrays, components, count;
    cg_stream_word(&vtk->stream); // the name
    if (!whole_word(vtk, "the number of arrays", &arrays)) {
        return false;
    }
    for (int64_t i = 0; i < arrays; i++) {
        cg_stream_word(&vtk->stream); // the name
        if (!whole_word(vtk, "the number of components", &components) ||
            !whole_word(vtk, "the number of cells", &count)) {
            return false;
        }
        cg_word type = cg_stream_word(&vtk->stream);
        if (!note_field(vtk, &type, components, count)) {
            return false;
        }
    }
    return true;
}

// Behind CELL_DATA; ends, without an error, at what is not known.
static bool read_cell_data(struct vtk *vtk)
{
    int64_t count;
    if (!whole_word(vtk, "the number of cells", &count)) {
        return false;
    }
    while (!vtk->has_regions) {
        cg_stream here = vtk->stream;
        cg_word word = cg_stream_word(&here);
        bool is_scalars = cg_word_is(&word, "SCALARS"), is_field = cg_word_is(&word, "FIELD");
        if (!is_scalars && !is_field) {
            return true;
        }
        vtk->stream = here;
        if (is_scalars ? !read_scalars(vtk, count) : !read_fields(vtk)) {
            return false;
        }
    }
    return true;
}

// --- head and sections ---

static bool read_head(struct vtk *vtk)
{
    cg_cursor_skip_line(&vtk->stream.cursor);
    cg_cursor_skip_line(&vtk->stream.cursor);
    cg_word word = cg_stream_word(&vtk->stream);
    vtk->is_binary = cg_word_is(&word, "BINARY");
    if (!vtk->is_binary && !cg_word_is(&word, "ASCII")) {
        return fail_at(vtk, &word, "ASCII or BINARY in the third line");
    }
    word = cg_stream_word(&vtk->stream);
    if (!cg_word_is(&word, "DATASET")) {
        return fail_at(vtk, &word, "DATASET");
    }
    word = cg_stream_word(&vtk->stream);
    vtk->is_grid = cg_word_is(&word, "UNSTRUCTURED_GRID");
    if (!vtk->is_grid && !cg_word_is(&word, "POLYDATA")) {
        return fail_at(vtk, &word, "UNSTRUCTURED_GRID or POLYDATA");
    }
    vtk->stream.is_big = true;
    return true;
}

static bool read_sections(struct vtk *vtk)
{
    for (;;) {
        cg_word word = cg_stream_word(&vtk->stream);
        bool good = true;
        if (word.length == 0 || cg_word_is(&word, "POINT_DATA")) {
            return true; // cells come before data of points, or have none
        } else if (cg_word_is(&word, "POINTS")) {
            good = read_points(vtk);
        } else if (cg_word_is(&word, "CELLS")) {
            good = note_lists(vtk, &vtk->cells);
        } else if (cg_word_is(&word, "CELL_TYPES")) {
            good = note_types(vtk);
        } else if (cg_word_is(&word, "POLYGONS")) {
            good = note_lists(vtk, &vtk->polygons);
        } else if (cg_word_is(&word, "TRIANGLE_STRIPS")) {
            good = note_lists(vtk, &vtk->strips);
        } else if (cg_word_is(&word, "VERTICES") || cg_word_is(&word, "LINES")) {
            struct lists passed;
            good = note_lists(vtk, &passed);
        } else if (cg_word_is(&word, "FIELD")) {
            bool has_regions = vtk->has_regions;
            good = read_fields(vtk);
            vtk->has_regions = has_regions; // of the whole file, not of its cells
        } else if (cg_word_is(&word, "CELL_DATA")) {
            return read_cell_data(vtk);
        } else if (cg_word_is(&word, "METADATA")) {
            cg_cursor_skip_line(&vtk->stream.cursor);
            while (cg_stream_left(&vtk->stream) > 0 && *vtk->stream.cursor.at != '\n' &&
                   *vtk->stream.cursor.at != '\r') {
                cg_cursor_skip_line(&vtk->stream.cursor);
            }
        } else {
            return fail_at(vtk, &word, "a section of VTK, such as POINTS, CELLS or POLYGONS");
        }
        if (!good) {
            return false;
        }
    }
}

// The corners of the next list.
static bool next_list(struct vtk *vtk, struct lists *lists, int *corners, int *count)
{
    int64_t size, from, to, node;
    if (lists->has_offsets) {
        if (!cg_stream_whole(&lists->offsets, lists->bytes[0], true, "an offset", &from)) {
            return false;
        }
        cg_stream ahead = lists->offsets;
        if (!cg_stream_whole(&ahead, lists->bytes[0], true, "an offset", &to)) {
            return false;
        }
        size = to >= from && from >= 0 && to - from <= MOST_CORNERS ? to - from : -1;
    } else if (!cg_stream_whole(&lists->nodes, 4, true, "the number of corners of a cell", &size)) {
        return false;
    }
    cg_file_place place = cg_stream_place(&lists->nodes);
    if (size < 0 || size > MOST_CORNERS) {
        return cg_scene_error_at(vtk->draft->error, place.line, place.column,
                                 "found a cell of %lld corners; expected 0 to %d", (long long)size, MOST_CORNERS);
    }
    for (int k = 0; k < size; k++) {
        place = cg_stream_place(&lists->nodes);
        if (!cg_stream_whole(&lists->nodes, lists->bytes[1], true, "the number of a point", &node)) {
            return false;
        }
        if (node < 0 || node >= vtk->draft->point_count) {
            return cg_scene_error_at(vtk->draft->error, place.line, place.column, "found point %lld; expected 0 to %d",
                                     (long long)node, vtk->draft->point_count - 1);
        }
        corners[k] = (int)node;
    }
    *count = (int)size;
    return true;
}

bool cg_volume_add_vtk_cell(cg_volume_draft *draft, int64_t type, const int *corners, int count, int region,
                            cg_file_place place)
{
    enum {
        TRIANGLE = 5,
        STRIP = 6,
        POLYGON = 7,
        PIXEL = 8,
        QUAD = 9,
        TETRAHEDRON = 10,
        TRIANGLE_6 = 22,
        TETRAHEDRON_10 = 24,
        ANY_TETRAHEDRON = 71
    };
    if (type == TETRAHEDRON || type == TETRAHEDRON_10 || type == ANY_TETRAHEDRON) {
        if (count < 4 || (type == TETRAHEDRON && count != 4)) {
            return cg_scene_error_at(draft->error, place.line, place.column,
                                     "found a tetrahedron of %d corners; expected 4", count);
        }
        draft->quadratic_cells += count > 4;
        return cg_volume_add_cell(draft, corners, region);
    }
    if (type == TRIANGLE || type == POLYGON || type == QUAD || type == TRIANGLE_6) {
        return cg_volume_add_polygon(draft, corners, type == TRIANGLE_6 && count >= 3 ? 3 : count, place);
    }
    if (type == PIXEL && count == 4) {
        const int around[4] = {corners[0], corners[1], corners[3], corners[2]};
        return cg_volume_add_polygon(draft, around, 4, place);
    }
    for (int k = 0; type == STRIP && k + 2 < count; k++) {
        const int turned[3] = {corners[k], corners[k + 1 + k % 2], corners[k + 2 - k % 2]};
        if (!cg_volume_add_polygon(draft, turned, 3, place)) {
            return false;
        }
    }
    draft->other_items += type != STRIP;
    return true;
}

static bool add_lists(struct vtk *vtk, struct lists *lists, int type_of_all)
{
    int corners[MOST_CORNERS], count = 0;
    for (int64_t i = 0; lists->is_there && i < lists->count; i++) {
        int64_t type = type_of_all, region = 0;
        if (!next_list(vtk, lists, corners, &count) ||
            (type_of_all == 0 && !cg_stream_whole(&vtk->types, 4, true, "the type of a cell", &type)) ||
            (type_of_all == 0 && vtk->has_regions &&
             !cg_stream_whole(&vtk->regions, vtk->region_bytes, true, "the region of a cell", &region)) ||
            !cg_volume_add_vtk_cell(vtk->draft, type, corners, count,
                                    region >= 0 && region < INT32_MAX ? (int)region : 0,
                                    cg_stream_place(&lists->nodes))) {
            return false;
        }
    }
    return true;
}

bool cg_volume_read_vtk(cg_volume_draft *draft, const void *bytes, size_t size)
{
    struct vtk vtk = {.draft = draft, .stream = cg_stream_of(bytes, size, draft->error)};
    if (!read_head(&vtk) || !read_sections(&vtk)) {
        return false;
    }
    if (vtk.is_grid && (!vtk.cells.is_there || !vtk.has_types || vtk.type_count != vtk.cells.count)) {
        return cg_scene_error_at(draft->error, 1, 1,
                                 "found %lld cells and %lld types of cells; expected as many of both",
                                 (long long)vtk.cells.count, (long long)vtk.type_count);
    }
    vtk.has_regions = vtk.has_regions && vtk.region_count == vtk.cells.count;
    return vtk.is_grid ? add_lists(&vtk, &vtk.cells, 0)
                       : add_lists(&vtk, &vtk.polygons, 7) && add_lists(&vtk, &vtk.strips, 6);
}
