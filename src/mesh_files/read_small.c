// Three formats of plain text.
//
// Medit (.mesh): keywords with a count and lines: Vertices (x y z reference), Triangles, Quadrilaterals, Tetrahedra
// (nodes from 1, reference), and others that are passed over; "#" begins a comment.
//
// TetGen: the .node file has "points dimension attributes markers" and lines of number x y z ...; the .ele file
// "cells nodes attributes" and lines of number, nodes, attributes, the first of which is the region. Numbers begin at 0
// or 1. "#" begins a comment.
//
// Abaqus and CalculiX (.inp): *NODE with lines of number, x, y, z; *ELEMENT, TYPE=C3D4, ELSET=name with lines of
// number, nodes. C3D10 and the like count by their corners; of a set of elements the region is its number in the order
// they come. Lines of "**" are comments; a line that ends in a comma goes on.
#include <string.h>

#include "mesh_files/volume_parts.h"

// --- Medit ---

static cg_word next_uncommented(cg_cursor *cursor)
{
    cg_word word = cg_cursor_next_word(cursor);
    while (word.length > 0 && word.text[0] == '#') {
        cursor->at = word.text; // a comment ends with its line, in which the word may be anywhere
        cg_cursor_skip_line(cursor);
        word = cg_cursor_next_word(cursor);
    }
    return word;
}

static bool next_whole(cg_cursor *cursor, cg_volume_draft *draft, const char *expected, int64_t *value,
                       cg_file_place *place)
{
    cg_word word = next_uncommented(cursor);
    *place = (cg_file_place){word.line, word.column};
    return cg_word_whole(&word, draft->error, expected, value);
}

static bool next_point(cg_cursor *cursor, cg_volume_draft *draft, cg_vec3 *point, cg_file_place *place)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        cg_word word = next_uncommented(cursor);
        *place = k == 0 ? (cg_file_place){word.line, word.column} : *place;
        if (!cg_word_number(&word, draft->error, "a coordinate", &x[k])) {
            return false;
        }
    }
    *point = (cg_vec3){x[0], x[1], x[2]};
    return true;
}

static bool medit_vertices(cg_cursor *cursor, cg_volume_draft *draft, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        cg_vec3 point;
        int64_t reference;
        cg_file_place place, ignored;
        if (!next_point(cursor, draft, &point, &place) ||
            !next_whole(cursor, draft, "the reference of a vertex", &reference, &ignored) ||
            !cg_volume_add_point(draft, point, place)) {
            return false;
        }
    }
    return true;
}

static bool medit_items(cg_cursor *cursor, cg_volume_draft *draft, int64_t count, int corners)
{
    for (int64_t i = 0; i < count; i++) {
        int points[4] = {0};
        int64_t number, reference;
        cg_file_place place = {1, 1};
        for (int k = 0; k < corners; k++) {
            if (!next_whole(cursor, draft, "the number of a vertex", &number, &place)) {
                return false;
            }
            if (number < 1 || number > draft->point_count) {
                return cg_scene_error_at(draft->error, place.line, place.column, "found vertex %lld; expected 1 to %d",
                                         (long long)number, draft->point_count);
            }
            points[k] = (int)number - 1;
        }
        if (!next_whole(cursor, draft, "the reference of an element", &reference, &place)) {
            return false;
        }
        int region = reference > 0 && reference < INT32_MAX ? (int)reference : 0;
        bool is_cell = corners == 4;
        if (is_cell ? !cg_volume_add_cell(draft, points, region) : !cg_volume_add_polygon(draft, points, 3, place)) {
            return false;
        }
    }
    return true;
}

bool cg_volume_read_medit(cg_volume_draft *draft, const void *bytes, size_t size)
{
    cg_cursor cursor = cg_stream_of(bytes, size, draft->error).cursor;
    for (;;) {
        int64_t count;
        cg_file_place place;
        cg_word word = next_uncommented(&cursor);
        if (word.length == 0 || cg_word_is(&word, "End")) {
            return true;
        }
        bool is_dimension = cg_word_is(&word, "Dimension"), is_version = cg_word_is(&word, "MeshVersionFormatted");
        bool is_vertices = cg_word_is(&word, "Vertices"), is_cells = cg_word_is(&word, "Tetrahedra");
        bool is_triangles = cg_word_is(&word, "Triangles");
        if (!(is_dimension || is_version || is_vertices || is_cells || is_triangles)) {
            continue; // another section: its numbers are words that are no keyword
        }
        if (!next_whole(&cursor, draft, "a number", &count, &place)) {
            return false;
        }
        if (is_dimension && count != 3) {
            return cg_scene_error_at(draft->error, place.line, place.column, "found dimension %lld; expected 3",
                                     (long long)count);
        }
        if (is_version || is_dimension) {
            continue;
        }
        if (!cg_volume_expect(draft, count, 8, (size_t)(cursor.end - cursor.at) + 8, "items", place) ||
            (is_vertices ? !medit_vertices(&cursor, draft, count)
                         : !medit_items(&cursor, draft, count, is_cells ? 4 : 3))) {
            return false;
        }
    }
}

// --- TetGen ---

// The whole numbers of the first line; those that are not there are 0.
static bool tetgen_head(cg_cursor *cursor, cg_volume_draft *draft, int64_t head[4])
{
    cg_word word = next_uncommented(cursor);
    int line = word.line;
    for (int k = 0; k < 4; k++) {
        if (k > 0) {
            cg_cursor ahead = *cursor;
            word = cg_cursor_next_word(&ahead);
            if (word.line != line || word.length == 0 || word.text[0] == '#') {
                break;
            }
            *cursor = ahead;
        }
        if (!cg_word_whole(&word, draft->error, "a whole number", &head[k])) {
            return false;
        }
    }
    cg_cursor_skip_line(cursor);
    return true;
}

static bool tetgen_nodes(cg_volume_draft *draft)
{
    const cg_surface_def *def = draft->def;
    cg_cursor cursor = cg_stream_of(def->beside, def->beside_size, draft->error).cursor;
    int64_t head[4] = {0}, number;
    if (!tetgen_head(&cursor, draft, head)) {
        return false;
    }
    if (head[1] != 3 || !cg_volume_expect(draft, head[0], 8, def->beside_size, "points", (cg_file_place){1, 1})) {
        return head[1] == 3 ? false
                            : cg_scene_error_at(draft->error, 1, 1,
                                                "found points of %lld dimensions in the .node file; expected 3",
                                                (long long)head[1]);
    }
    for (int64_t i = 0; i < head[0]; i++) {
        cg_vec3 point;
        cg_file_place place;
        if (!next_whole(&cursor, draft, "the number of a point of the .node file", &number, &place) ||
            !next_point(&cursor, draft, &point, &place) || !cg_volume_add_numbered(draft, number, point, place)) {
            return false;
        }
        cg_cursor_skip_line(&cursor);
    }
    return true;
}

bool cg_volume_read_tetgen(cg_volume_draft *draft, const void *bytes, size_t size)
{
    if (draft->def->beside == NULL) {
        return cg_scene_error_at(
            draft->error, 1, 1,
            "found the cells of a TetGen mesh alone; expected a .node file of the same name beside it");
    }
    cg_cursor cursor = cg_stream_of(bytes, size, draft->error).cursor;
    int64_t head[4] = {0}, number;
    if (!tetgen_nodes(draft) || !tetgen_head(&cursor, draft, head)) {
        return false;
    }
    if (head[1] != 4 && head[1] != 10) {
        return cg_scene_error_at(draft->error, 1, 1, "found cells of %lld nodes; expected 4 or 10", (long long)head[1]);
    }
    if (!cg_volume_expect(draft, head[0], 10, size, "cells", (cg_file_place){1, 1})) {
        return false;
    }
    for (int64_t i = 0; i < head[0]; i++) {
        int points[4];
        double region = 0;
        cg_file_place place;
        if (!next_whole(&cursor, draft, "the number of a cell", &number, &place)) {
            return false;
        }
        for (int k = 0; k < head[1]; k++) {
            if (!next_whole(&cursor, draft, "the number of a point", &number, &place) ||
                (k < 4 && !cg_volume_find_point(draft, number, place, &points[k]))) {
                return false;
            }
        }
        if (head[2] > 0) {
            cg_word word = next_uncommented(&cursor);
            if (!cg_word_number(&word, draft->error, "the attribute of a cell", &region)) {
                return false;
            }
        }
        draft->quadratic_cells += head[1] == 10;
        if (!cg_volume_add_cell(draft, points, region > 0 && region < 1e9 ? (int)region : 0)) {
            return false;
        }
        cg_cursor_skip_line(&cursor);
    }
    return true;
}

// --- Abaqus ---

enum { MOST_SETS = 256 };

struct abaqus {
    cg_volume_draft *draft;
    cg_cursor cursor;
    cg_word sets[MOST_SETS]; // names of sets of elements
    int set_count;
};

static bool is_word_end(char c)
{
    return c == ',' || c == '\n' || c == '\r' || c == '=';
}

// The next piece between commas of a line, without blanks around it; of length 0 at the end of the line.
static cg_word next_piece(cg_cursor *cursor)
{
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t' || *cursor->at == ',')) {
        cursor->at++;
    }
    cg_word word = {.text = cursor->at, .line = cursor->line, .column = cg_cursor_column(cursor)};
    while (cursor->at < cursor->end && !is_word_end(*cursor->at)) {
        cursor->at++;
    }
    word.length = (size_t)(cursor->at - word.text);
    while (word.length > 0 && (word.text[word.length - 1] == ' ' || word.text[word.length - 1] == '\t' ||
                               word.text[word.length - 1] == '\0')) {
        word.length--;
    }
    return word;
}

// The value of "name=value" among the rest of a line of a keyword; of length 0 where there is none.
static cg_word parameter(cg_cursor cursor, const char *name)
{
    for (;;) {
        cg_word word = next_piece(&cursor);
        bool has_value = cursor.at < cursor.end && *cursor.at == '=';
        if (word.length == 0 && !has_value) {
            return word;
        }
        if (has_value) {
            cursor.at++;
            cg_word value = next_piece(&cursor);
            if (cg_word_is(&word, name)) {
                return value;
            }
        }
    }
}

// Blank lines and comments are not lines of data.
static bool is_data(struct abaqus *a)
{
    for (;;) {
        cg_cursor ahead = a->cursor;
        while (ahead.at < ahead.end && (*ahead.at == ' ' || *ahead.at == '\t' || *ahead.at == '\0')) {
            ahead.at++;
        }
        if (ahead.at == ahead.end) {
            a->cursor = ahead;
            return false;
        }
        bool is_comment = ahead.end - ahead.at >= 2 && ahead.at[0] == '*' && ahead.at[1] == '*';
        if (*ahead.at == '*' && !is_comment) {
            return false;
        }
        if (!is_comment && *ahead.at != '\n' && *ahead.at != '\r') {
            return true;
        }
        cg_cursor_skip_line(&a->cursor);
    }
}

// A piece of a list that may go on in the next line.
static cg_word next_of_list(struct abaqus *a)
{
    cg_word word = next_piece(&a->cursor);
    while (word.length == 0 && a->cursor.at < a->cursor.end) {
        cg_cursor_skip_line(&a->cursor);
        if (!is_data(a)) {
            break;
        }
        word = next_piece(&a->cursor);
    }
    return word;
}

static bool abaqus_nodes(struct abaqus *a)
{
    while (is_data(a)) {
        int64_t number;
        double x[3];
        cg_word word = next_piece(&a->cursor);
        cg_file_place place = {word.line, word.column};
        if (!cg_word_whole(&word, a->draft->error, "the number of a node", &number)) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            word = next_piece(&a->cursor);
            if (!cg_word_number(&word, a->draft->error, "a coordinate", &x[k])) {
                return false;
            }
        }
        if (!cg_volume_add_numbered(a->draft, number, (cg_vec3){x[0], x[1], x[2]}, place)) {
            return false;
        }
        cg_cursor_skip_line(&a->cursor);
    }
    return true;
}

// Nodes and corners of an element; false when it is none that is looked at.
static bool kind_of(const cg_word *type, int *nodes, int *corners)
{
    static const struct {
        const char *name;
        int nodes, corners;
    } kinds[] = {{"C3D4", 4, 4},    {"C3D4H", 4, 4}, {"C3D10", 10, 4}, {"C3D10M", 10, 4}, {"C3D10H", 10, 4},
                 {"C3D10T", 10, 4}, {"S3", 3, 3},    {"S3R", 3, 3},    {"STRI3", 3, 3},   {"CPS3", 3, 3},
                 {"CPE3", 3, 3},    {"M3D3", 3, 3},  {"S4", 4, -4},    {"S4R", 4, -4}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (cg_word_is(type, kinds[i].name)) {
            *nodes = kinds[i].nodes;
            *corners = kinds[i].corners;
            return true;
        }
    }
    return false;
}

static bool set_number(struct abaqus *a, const cg_word *name, int *number)
{
    for (int i = 0; i < a->set_count; i++) {
        if (a->sets[i].length == name->length && memcmp(a->sets[i].text, name->text, name->length) == 0) {
            *number = i + 1;
            return true;
        }
    }
    if (a->set_count == MOST_SETS) {
        return cg_scene_error_at(a->draft->error, name->line, name->column,
                                 "found more than %d sets of elements; expected fewer", MOST_SETS);
    }
    a->sets[a->set_count++] = *name;
    *number = a->set_count;
    return true;
}

static bool abaqus_elements(struct abaqus *a, const cg_word *type, const cg_word *set)
{
    int nodes = 0, corners = 0, region = 0;
    bool is_known = kind_of(type, &nodes, &corners);
    if (is_known && corners == 4 && set->length > 0 && !set_number(a, set, &region)) {
        return false;
    }
    while (is_data(a)) {
        if (!is_known) {
            a->draft->other_items++;
            cg_cursor_skip_line(&a->cursor);
            continue;
        }
        int64_t number;
        int points[4] = {0};
        cg_word word = next_piece(&a->cursor);
        cg_file_place place = {word.line, word.column};
        if (!cg_word_whole(&word, a->draft->error, "the number of an element", &number)) {
            return false;
        }
        for (int k = 0; k < nodes; k++) {
            word = next_of_list(a);
            place = (cg_file_place){word.line, word.column};
            if (!cg_word_whole(&word, a->draft->error, "the number of a node", &number) ||
                (k < 4 && !cg_volume_find_point(a->draft, number, place, &points[k]))) {
                return false;
            }
        }
        a->draft->quadratic_cells += nodes == 10;
        if (corners == 4 ? !cg_volume_add_cell(a->draft, points, region)
                         : !cg_volume_add_polygon(a->draft, points, corners < 0 ? 4 : 3, place)) {
            return false;
        }
        cg_cursor_skip_line(&a->cursor);
    }
    return true;
}

bool cg_volume_read_abaqus(cg_volume_draft *draft, const void *bytes, size_t size)
{
    struct abaqus a = {.draft = draft, .cursor = cg_stream_of(bytes, size, draft->error).cursor};
    while (a.cursor.at < a.cursor.end) {
        if (is_data(&a)) { // of a keyword that is passed over
            cg_cursor_skip_line(&a.cursor);
            continue;
        }
        cg_word keyword = next_piece(&a.cursor);
        cg_word type = parameter(a.cursor, "TYPE"), set = parameter(a.cursor, "ELSET");
        cg_cursor_skip_line(&a.cursor);
        if (cg_word_is(&keyword, "*NODE") ? !abaqus_nodes(&a)
                                          : cg_word_is(&keyword, "*ELEMENT") && !abaqus_elements(&a, &type, &set)) {
            return false;
        }
    }
    return true;
}
