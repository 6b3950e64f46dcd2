// VRML 1.0 and 97: the faces of IndexedFaceSet nodes, moved by the transforms around them.
//
// Both are trees of nodes, `Type { fields and nodes }`, with lists in brackets; commas are blanks, # begins a comment.
// In 1.0 a node changes what comes after it (Coordinate3, the transforms, ShapeHints), until a Separator ends. In 97 a
// Transform holds its children, and a face set its points. One walk serves both: nodes that are known do their part,
// the inside of all others is looked through for such. Fields may come after the nodes they act on; so a node's own
// fields are read before its inside is walked. DEF gives a node a name, USE walks that node again, in its new place.
// Names of parts of a surface ("top", "groove") say what faces in such a node belong to.
//
// What a file can ask for is bounded: how deep nodes stand in each other, how many names there are, and how many bytes
// are read in all, again and again by USE.
#include <string.h>

#include "base/hash.h"
#include "base/mat3.h"
#include "base/memory.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "mesh_files/surface_parts.h"

enum { MOST_DEPTH = 100, MOST_NAMES = 4096, NAME_SLOTS = 8192 };

struct affine {
    cg_mat3 turn;
    cg_vec3 shift;
};

// What a node finds when it is reached.
struct state {
    struct affine place;
    cg_cursor points;  // the list of points that a face set uses
    bool has_points;   //
    bool is_clockwise; // faces are seen from behind
};

struct name {
    const char *text;
    size_t length;
    cg_cursor node;
};

struct reader {
    cg_surface_draft *draft;
    cg_cursor cursor;
    struct state state;
    struct name *names; // by hash, open addressing
    int name_count;
    int depth;
    bool is_first_version;
    size_t bytes_left;
};

// --- words ---

static bool is_special(char c)
{
    return c == '{' || c == '}' || c == '[' || c == ']';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == '\f' || c == '\v';
}

static void skip_blanks(cg_cursor *cursor)
{
    while (cursor->at < cursor->end && (is_blank(*cursor->at) || *cursor->at == '#')) {
        bool is_comment = *cursor->at == '#';
        int line = cursor->line;
        do {
            cg_cursor_step(cursor);
        } while (is_comment && cursor->at < cursor->end && cursor->line == line);
    }
}

static void skip_string(cg_cursor *cursor)
{
    cg_cursor_step(cursor);
    while (cursor->at < cursor->end && *cursor->at != '"') {
        if (*cursor->at == '\\' && cursor->end - cursor->at > 1) {
            cg_cursor_step(cursor);
        }
        cg_cursor_step(cursor);
    }
    if (cursor->at < cursor->end) {
        cg_cursor_step(cursor);
    }
}

// A brace, a bracket, a string or a run of anything else; of length 0 at the end, or when too much was read.
static cg_word next_word(struct reader *reader)
{
    cg_cursor *cursor = &reader->cursor;
    const char *start = cursor->at;
    skip_blanks(cursor);
    cg_word word = {.text = cursor->at, .line = cursor->line, .column = cg_cursor_column(cursor)};
    if (cursor->at < cursor->end && is_special(*cursor->at)) {
        cg_cursor_step(cursor);
    } else if (cursor->at < cursor->end && *cursor->at == '"') {
        skip_string(cursor);
    } else {
        while (cursor->at < cursor->end && !is_blank(*cursor->at) && !is_special(*cursor->at) && *cursor->at != '"' &&
               *cursor->at != '#') {
            cg_cursor_step(cursor);
        }
    }
    word.length = (size_t)(cursor->at - word.text);
    size_t read = (size_t)(cursor->at - start);
    reader->bytes_left = read < reader->bytes_left ? reader->bytes_left - read : 0;
    word.length = reader->bytes_left > 0 ? word.length : 0;
    return word;
}

static cg_word peek_word(struct reader *reader)
{
    cg_cursor cursor = reader->cursor;
    cg_word word = next_word(reader);
    reader->cursor = cursor;
    return word;
}

static bool is_char(const cg_word *word, char c)
{
    return word->length == 1 && word->text[0] == c;
}

static bool unexpected(struct reader *reader, const cg_word *word, const char *expected)
{
    if (reader->bytes_left == 0) {
        return cg_scene_error_at(reader->draft->error, word->line, word->column,
                                 "found nodes that USE repeats too often; expected a file that unfolds to less");
    }
    return cg_word_unexpected(word, reader->draft->error, expected);
}

static bool expect_char(struct reader *reader, char c, const char *expected)
{
    cg_word word = next_word(reader);
    return is_char(&word, c) || unexpected(reader, &word, expected);
}

// Goes past the brace or bracket that closes the one just read, and all that is in between.
static bool skip_block(struct reader *reader)
{
    for (int open = 1; open > 0;) {
        cg_word word = next_word(reader);
        if (word.length == 0) {
            return unexpected(reader, &word, "\"}\" or \"]\"");
        }
        open += is_char(&word, '{') || is_char(&word, '[');
        open -= is_char(&word, '}') || is_char(&word, ']');
    }
    return true;
}

// The next word among the fields of a node, past what stands in braces and brackets; "}" at its end.
static bool next_field(struct reader *reader, cg_word *word)
{
    for (;;) {
        *word = next_word(reader);
        if (word->length == 0) {
            return unexpected(reader, word, "\"}\"");
        }
        if (!is_char(word, '{') && !is_char(word, '[')) {
            return true;
        }
        if (!skip_block(reader)) {
            return false;
        }
    }
}

static bool read_numbers(struct reader *reader, double *values, int count, const char *expected)
{
    for (int i = 0; i < count; i++) {
        cg_word word = next_word(reader);
        if (word.length == 0) {
            return unexpected(reader, &word, expected);
        }
        if (!cg_word_number(&word, reader->draft->error, expected, &values[i])) {
            return false;
        }
    }
    return true;
}

// --- transforms ---

static struct affine after(struct affine outer, struct affine inner)
{
    return (struct affine){m3_multiply(outer.turn, inner.turn), v3_add(m3_apply(outer.turn, inner.shift), outer.shift)};
}

static struct affine shift_by(double sign, const double x[3])
{
    return (struct affine){m3_identity(), v3(sign * x[0], sign * x[1], sign * x[2])};
}

// About an axis, by an angle; no turn where the axis has no direction.
static struct affine turn_by(double sign, const double r[4])
{
    cg_vec3 axis = v3_unit_or(v3(r[0], r[1], r[2]), v3_zero());
    double sine, cosine;
    cg_sincos(sign * r[3], &sine, &cosine);
    if (v3_dot(axis, axis) == 0) {
        return (struct affine){m3_identity(), v3_zero()};
    }
    cg_mat3 turn = m3_add(m3_scale(cosine, m3_identity()),
                          m3_add(m3_scale(1 - cosine, m3_outer(axis, axis)), m3_scale(sine, m3_cross(axis))));
    return (struct affine){turn, v3_zero()};
}

// The fields of all nodes that move what is below or behind them.
struct move {
    double translation[3], rotation[4], scale[3], scale_orientation[4], center[3], matrix[16];
    bool has_matrix;
};

static struct affine affine_of(const struct move *m)
{
    if (m->has_matrix) { // points are rows, multiplied from the left
        const double *a = m->matrix;
        return (struct affine){m3_from_columns(v3(a[0], a[1], a[2]), v3(a[4], a[5], a[6]), v3(a[8], a[9], a[10])),
                               v3(a[12], a[13], a[14])};
    }
    struct affine scale = {m3_diagonal(m->scale[0], m->scale[1], m->scale[2]), v3_zero()};
    struct affine all = after(shift_by(1, m->translation), shift_by(1, m->center));
    all = after(after(all, turn_by(1, m->rotation)), turn_by(1, m->scale_orientation));
    all = after(after(all, scale), turn_by(-1, m->scale_orientation));
    return after(all, shift_by(-1, m->center));
}

static bool read_move_field(struct reader *reader, const cg_word *word, struct move *move)
{
    bool is_point = cg_word_is(word, "translation"), is_center = cg_word_is(word, "center");
    if (is_point || is_center) {
        return read_numbers(reader, is_point ? move->translation : move->center, 3, "a place of three numbers");
    }
    if (cg_word_is(word, "scale") || cg_word_is(word, "scaleFactor")) {
        return read_numbers(reader, move->scale, 3, "a scale of three numbers");
    }
    if (cg_word_is(word, "rotation")) {
        return read_numbers(reader, move->rotation, 4, "a rotation: an axis and an angle, four numbers");
    }
    if (cg_word_is(word, "scaleOrientation")) {
        return read_numbers(reader, move->scale_orientation, 4, "a rotation: an axis and an angle, four numbers");
    }
    if (cg_word_is(word, "matrix")) {
        move->has_matrix = true;
        return read_numbers(reader, move->matrix, 16, "a matrix of 16 numbers");
    }
    return true;
}

// Reads the fields up to the end of the node.
static bool read_move(struct reader *reader, struct affine *place)
{
    struct move move = {.scale = {1, 1, 1}, .rotation = {0, 0, 1, 0}, .scale_orientation = {0, 0, 1, 0}};
    cg_word word;
    do {
        if (!next_field(reader, &word) || !read_move_field(reader, &word, &move)) {
            return false;
        }
    } while (!is_char(&word, '}'));
    *place = after(*place, affine_of(&move));
    return true;
}

// --- faces ---

// A list in brackets, or a single item without.
static bool begin_list(struct reader *reader)
{
    cg_word word = peek_word(reader);
    if (is_char(&word, '[')) {
        next_word(reader);
        return true;
    }
    return false;
}

static bool add_points(struct reader *reader, int *count)
{
    reader->cursor = reader->state.points;
    bool is_list = begin_list(reader);
    *count = 0;
    for (;;) {
        cg_word word = peek_word(reader);
        if (is_list ? is_char(&word, ']') : *count == 1) {
            return true;
        }
        double x[3];
        if (!read_numbers(reader, x, 3, is_list ? "a point of three numbers, or \"]\"" : "a point of three numbers")) {
            return false;
        }
        cg_vec3 at = v3_add(m3_apply(reader->state.place.turn, v3(x[0], x[1], x[2])), reader->state.place.shift);
        if (!cg_surface_add_point(reader->draft, at, word.line, word.column)) {
            return false;
        }
        ++*count;
    }
}

static bool add_face(struct reader *reader, const int *corners, int count, bool is_turned, const cg_word *word)
{
    if (count < 3) {
        return cg_scene_error_at(reader->draft->error, word->line, word->column,
                                 "found a face of %d corner%s; expected 3 or more", count, count == 1 ? "" : "s");
    }
    return cg_surface_add_polygon(reader->draft, corners, count, is_turned, word->line, word->column);
}

static bool add_faces(struct reader *reader, cg_cursor list, bool is_turned)
{
    int first = reader->draft->point_count, points, corners[CG_SURFACE_CORNERS], count = 0;
    if (!add_points(reader, &points)) {
        return false;
    }
    is_turned = is_turned != (m3_determinant(reader->state.place.turn) < 0);
    reader->cursor = list;
    if (!begin_list(reader)) {
        return true; // one number: no face
    }
    for (;;) {
        cg_word word = next_word(reader);
        int index = -1;
        bool is_end = is_char(&word, ']');
        if (word.length == 0 ||
            (!is_end && !cg_word_int(&word, reader->draft->error, "the number of a point, -1 or \"]\"", &index))) {
            return word.length > 0 ? false : unexpected(reader, &word, "the number of a point, -1 or \"]\"");
        }
        if (index < 0) {
            if (count > 0 && !add_face(reader, corners, count, is_turned, &word)) {
                return false;
            }
            count = 0;
        } else if (index >= points) {
            return cg_scene_error_at(reader->draft->error, word.line, word.column, "found point %d; expected 0 to %d",
                                     index, points - 1);
        } else if (count == CG_SURFACE_CORNERS) {
            return cg_scene_error_at(reader->draft->error, word.line, word.column,
                                     "found a face of more than %d corners; expected fewer", CG_SURFACE_CORNERS);
        } else {
            corners[count++] = first + index;
        }
        if (is_end) {
            return true;
        }
    }
}

static bool read_node(struct reader *reader, const cg_word *word);

// Behind the brace of a face set, up to its end.
static bool read_face_set(struct reader *reader, const cg_word *type)
{
    cg_cursor list = {0};
    bool is_turned = reader->state.is_clockwise;
    cg_word word;
    do {
        if (!next_field(reader, &word)) {
            return false;
        }
        if (cg_word_is(&word, "coordIndex")) {
            list = reader->cursor;
        } else if (cg_word_is(&word, "ccw")) {
            cg_word value = next_word(reader);
            is_turned = cg_word_is(&value, "FALSE");
        } else if (cg_word_is(&word, "coord")) {
            cg_word node = next_word(reader);
            if (!cg_word_is(&node, "NULL") && !read_node(reader, &node)) {
                return false;
            }
        }
    } while (!is_char(&word, '}'));
    if (list.at == NULL) {
        return true;
    }
    if (!reader->state.has_points) {
        return cg_scene_error_at(reader->draft->error, type->line, type->column,
                                 "found faces without points; expected %s",
                                 reader->is_first_version ? "a Coordinate3 before them" : "a Coordinate in them");
    }
    cg_cursor end = reader->cursor;
    bool good = add_faces(reader, list, is_turned);
    reader->cursor = end;
    return good;
}

static bool read_coordinates(struct reader *reader)
{
    cg_word word;
    do {
        if (!next_field(reader, &word)) {
            return false;
        }
        if (cg_word_is(&word, "point")) {
            reader->state.points = reader->cursor;
            reader->state.has_points = true;
        }
    } while (!is_char(&word, '}'));
    return true;
}

static bool read_hints(struct reader *reader)
{
    cg_word word;
    do {
        if (!next_field(reader, &word)) {
            return false;
        }
        if (cg_word_is(&word, "vertexOrdering")) {
            cg_word value = next_word(reader);
            reader->state.is_clockwise = cg_word_is(&value, "CLOCKWISE");
        }
    } while (!is_char(&word, '}'));
    return true;
}

// --- names ---

static struct name *slot_of(struct reader *reader, const cg_word *word)
{
    cg_hash hash = cg_hash_begin();
    cg_hash_add_bytes(&hash, word->text, word->length);
    for (uint64_t at = cg_hash_end(&hash);; at++) {
        struct name *slot = &reader->names[at % NAME_SLOTS];
        if (slot->text == NULL || (slot->length == word->length && memcmp(slot->text, word->text, word->length) == 0)) {
            return slot;
        }
    }
}

static bool read_name(struct reader *reader, cg_word *name)
{
    *name = next_word(reader);
    return name->length > 0 && !is_special(name->text[0]) && name->text[0] != '"' ? true
                                                                                  : unexpected(reader, name, "a name");
}

// A node, or all that is in it, whose name says which part of the surface it is.
static bool read_named(struct reader *reader, const cg_word *name)
{
    int before = reader->draft->side, side = cg_surface_side_of(name);
    reader->draft->side = side >= 0 ? side : before;
    cg_word node = next_word(reader);
    bool good = read_node(reader, &node);
    reader->draft->side = before;
    return good;
}

static bool define(struct reader *reader)
{
    cg_word name;
    if (!read_name(reader, &name)) {
        return false;
    }
    struct name *slot = slot_of(reader, &name);
    if (slot->text == NULL && reader->name_count++ == MOST_NAMES) {
        return cg_scene_error_at(reader->draft->error, name.line, name.column,
                                 "found more than %d names; expected fewer", MOST_NAMES);
    }
    *slot = (struct name){name.text, name.length, reader->cursor};
    return read_named(reader, &name);
}

static bool use(struct reader *reader)
{
    cg_word name;
    if (!read_name(reader, &name)) {
        return false;
    }
    const struct name *slot = slot_of(reader, &name);
    if (slot->text == NULL) {
        return unexpected(reader, &name, "a name that DEF gave before");
    }
    cg_cursor back = reader->cursor;
    reader->cursor = slot->node;
    bool good = read_named(reader, &name);
    reader->cursor = back;
    return good;
}

// --- nodes ---

static bool go_deeper(struct reader *reader, const cg_word *word)
{
    return ++reader->depth <= MOST_DEPTH
               ? true
               : cg_scene_error_at(reader->draft->error, word->line, word->column,
                                   "found nodes in nodes, more than %d deep; expected fewer", MOST_DEPTH);
}

// The inside of a node or list up to `close`. At most `most` nodes of it count; the others are passed over.
static bool read_inside(struct reader *reader, char close, int *most)
{
    for (;;) {
        cg_word word = next_word(reader);
        if (word.length == 0) {
            return close == '\0' && reader->bytes_left > 0 ? true : unexpected(reader, &word, "\"}\" or \"]\"");
        }
        if (close != '\0' && is_char(&word, close)) {
            return true;
        }
        if (is_char(&word, '[')) {
            if (!go_deeper(reader, &word) || !read_inside(reader, ']', most)) {
                return false;
            }
            reader->depth--;
            continue;
        }
        if (is_special(word.text[0])) {
            return unexpected(reader, &word, close == ']' ? "\"]\"" : (close == '}' ? "\"}\"" : "a node"));
        }
        cg_word ahead = peek_word(reader);
        bool is_node = is_char(&ahead, '{') || cg_word_is(&word, "DEF") || cg_word_is(&word, "USE");
        if (cg_word_is(&word, "PROTO") || cg_word_is(&word, "EXTERNPROTO")) {
            return unexpected(reader, &word, "nodes without prototypes, as 3D programs export them");
        }
        if (!is_node && *most != 0 &&
            (cg_word_is(&word, "IndexedFaceSet") || cg_word_is(&word, "Coordinate3") ||
             cg_word_is(&word, "Separator"))) {
            return unexpected(reader, &ahead, "\"{\""); // types that stand for nothing else
        }
        if (is_node && *most == 0) {
            // DEF NAME Type and USE NAME end before a brace too
            if (is_char(&ahead, '{') && (next_word(reader), !skip_block(reader))) {
                return false;
            }
        } else if (is_node) {
            *most -= *most > 0;
            if (!read_node(reader, &word)) {
                return false;
            }
        }
    }
}

static bool read_group(struct reader *reader, const cg_word *type)
{
    struct state before = reader->state;
    if (cg_word_is(type, "Transform")) {
        cg_cursor inside = reader->cursor;
        if (!read_move(reader, &reader->state.place)) {
            return false;
        }
        reader->cursor = inside;
    }
    int most = cg_word_is(type, "LOD") ? 1 : -1; // the first level is the finest
    bool good = read_inside(reader, '}', &most);
    if (!reader->is_first_version || cg_word_is(type, "Separator") || cg_word_is(type, "WWWAnchor")) {
        reader->state = before;
    } else if (cg_word_is(type, "TransformSeparator")) {
        reader->state.place = before.place;
    }
    return good;
}

static bool is_move_of_first_version(const cg_word *type)
{
    return cg_word_is(type, "Transform") || cg_word_is(type, "Translation") || cg_word_is(type, "Rotation") ||
           cg_word_is(type, "Scale") || cg_word_is(type, "MatrixTransform");
}

// `word` is the type of a node, DEF or USE.
static bool read_node(struct reader *reader, const cg_word *word)
{
    if (!go_deeper(reader, word)) {
        return false;
    }
    bool good;
    if (cg_word_is(word, "DEF")) {
        good = define(reader);
    } else if (cg_word_is(word, "USE")) {
        good = use(reader);
    } else if (word->length == 0 || is_special(word->text[0])) {
        good = unexpected(reader, word, "the type of a node");
    } else if (!expect_char(reader, '{', "\"{\"")) {
        good = false;
    } else if (cg_word_is(word, "IndexedFaceSet")) {
        good = read_face_set(reader, word);
    } else if (cg_word_is(word, reader->is_first_version ? "Coordinate3" : "Coordinate")) {
        good = read_coordinates(reader);
    } else if (reader->is_first_version && cg_word_is(word, "ShapeHints")) {
        good = read_hints(reader);
    } else if (reader->is_first_version && is_move_of_first_version(word)) {
        good = read_move(reader, &reader->state.place);
    } else {
        good = read_group(reader, word);
    }
    reader->depth--;
    return good;
}

static bool read_header(struct reader *reader)
{
    static const char *const headers[2] = {"#VRML V1.0 ascii", "#VRML V2.0 utf8"};
    cg_cursor *cursor = &reader->cursor;
    size_t size = (size_t)(cursor->end - cursor->at);
    for (int i = 0; i < 2; i++) {
        if (size >= strlen(headers[i]) && memcmp(cursor->at, headers[i], strlen(headers[i])) == 0) {
            reader->is_first_version = i == 0;
            return true;
        }
    }
    if (size >= 2 && memcmp(cursor->at, "\x1f\x8b", 2) == 0) {
        return cg_scene_error_at(reader->draft->error, 1, 1, "found a compressed file; expected it unpacked");
    }
    return cg_scene_error_at(reader->draft->error, 1, 1, "found another beginning; expected \"%s\" or \"%s\"",
                             headers[0], headers[1]);
}

bool cg_surface_read_vrml(cg_surface_draft *draft, const char *text, size_t size)
{
    struct reader reader = {.draft = draft,
                            .cursor = {.at = text, .end = text + size, .line_start = text, .line = 1},
                            .state = {.place = {m3_identity(), v3_zero()}},
                            .bytes_left = 100 * size + 20000000};
    if (!read_header(&reader)) {
        return false;
    }
    reader.names = cg_memory_take(&draft->def->allocator, NAME_SLOTS * sizeof *reader.names);
    if (reader.names == NULL) {
        draft->is_out_of_memory = true;
        return cg_scene_error_at(draft->error, 1, 1, "no memory for the names of the file");
    }
    int all = -1;
    bool good = read_inside(&reader, '\0', &all);
    cg_memory_give(&draft->def->allocator, reader.names);
    return good;
}
