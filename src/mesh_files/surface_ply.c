// PLY: a head in text, then elements in its order, in text or bytes of either order.
//
//     ply
//     format ascii 1.0 (or binary_little_endian, binary_big_endian)
//     element vertex 8
//     property float x (y, z; others are passed over)
//     element face 6
//     property list uchar int vertex_indices (or vertex_index)
//     end_header
#include <string.h>

#include "mesh_files/volume_parts.h"

enum { MOST_PROPERTIES = 64, MOST_ELEMENTS = 16 };

struct property {
    int bytes, count_bytes; // of a number; of the length of a list, 0: no list
    bool is_real, is_signed, counts_signed;
    int axis; // 0 to 2: a coordinate; -1: none
    bool is_corners;
};

struct element {
    int64_t count;
    bool is_vertex, is_face;
    int first, properties;
};

struct ply {
    cg_surface_draft *draft;
    cg_stream stream;
    struct property properties[MOST_PROPERTIES];
    struct element elements[MOST_ELEMENTS];
    int property_count, element_count;
};

static bool type_of(const cg_word *word, int *bytes, bool *is_real, bool *is_signed)
{
    static const struct {
        const char *names[2];
        int bytes;
        bool is_real, is_signed;
    } types[] = {{{"char", "int8"}, 1, false, true},    {{"uchar", "uint8"}, 1, false, false},
                 {{"short", "int16"}, 2, false, true},  {{"ushort", "uint16"}, 2, false, false},
                 {{"int", "int32"}, 4, false, true},    {{"uint", "uint32"}, 4, false, false},
                 {{"float", "float32"}, 4, true, true}, {{"double", "float64"}, 8, true, true}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (cg_word_is(word, types[i].names[0]) || cg_word_is(word, types[i].names[1])) {
            *bytes = types[i].bytes;
            *is_real = types[i].is_real;
            *is_signed = types[i].is_signed;
            return true;
        }
    }
    return false;
}

static bool read_property(struct ply *ply)
{
    bool ignored;
    struct property property = {.axis = -1};
    cg_word word = cg_stream_word(&ply->stream);
    if (ply->property_count == MOST_PROPERTIES || ply->element_count == 0) {
        return cg_word_unexpected(&word, ply->draft->error, "an element before, and at most 64 properties");
    }
    if (cg_word_is(&word, "list")) {
        word = cg_stream_word(&ply->stream);
        if (!type_of(&word, &property.count_bytes, &ignored, &property.counts_signed) || ignored) {
            return cg_word_unexpected(&word, ply->draft->error, "a type of whole numbers");
        }
        word = cg_stream_word(&ply->stream);
    }
    if (!type_of(&word, &property.bytes, &property.is_real, &property.is_signed)) {
        return cg_word_unexpected(&word, ply->draft->error, "a type of numbers, such as float or int");
    }
    word = cg_stream_word(&ply->stream);
    bool is_list = property.count_bytes > 0;
    if (!is_list && word.length == 1 && word.text[0] >= 'x' && word.text[0] <= 'z') {
        property.axis = word.text[0] - 'x';
    }
    property.is_corners = is_list && (cg_word_is(&word, "vertex_indices") || cg_word_is(&word, "vertex_index"));
    ply->properties[ply->property_count++] = property;
    ply->elements[ply->element_count - 1].properties++;
    return true;
}

static bool read_element(struct ply *ply)
{
    cg_word name = cg_stream_word(&ply->stream), count = cg_stream_word(&ply->stream);
    if (ply->element_count == MOST_ELEMENTS) {
        return cg_word_unexpected(&name, ply->draft->error, "at most 16 elements");
    }
    struct element *element = &ply->elements[ply->element_count++];
    *element = (struct element){
        .is_vertex = cg_word_is(&name, "vertex"), .is_face = cg_word_is(&name, "face"), .first = ply->property_count};
    return cg_word_whole(&count, ply->draft->error, "the number of elements", &element->count);
}

static bool read_head(struct ply *ply)
{
    cg_stream_word(&ply->stream); // ply
    for (;;) {
        cg_word word = cg_stream_word(&ply->stream);
        bool good = true;
        if (cg_word_is(&word, "format")) {
            word = cg_stream_word(&ply->stream);
            bool is_little = cg_word_is(&word, "binary_little_endian");
            ply->stream.is_big = cg_word_is(&word, "binary_big_endian");
            ply->stream.is_binary = is_little || ply->stream.is_big;
            good = ply->stream.is_binary || cg_word_is(&word, "ascii") ||
                   cg_word_unexpected(&word, ply->draft->error, "ascii, binary_little_endian or binary_big_endian");
            cg_cursor_skip_line(&ply->stream.cursor);
        } else if (cg_word_is(&word, "element")) {
            good = read_element(ply);
        } else if (cg_word_is(&word, "property")) {
            good = read_property(ply);
        } else if (cg_word_is(&word, "end_header")) {
            cg_cursor_skip_line(&ply->stream.cursor);
            return true;
        } else if (cg_word_is(&word, "comment") || cg_word_is(&word, "obj_info")) {
            cg_cursor_skip_line(&ply->stream.cursor);
        } else {
            good = cg_word_unexpected(&word, ply->draft->error, "element, property or end_header");
        }
        if (!good) {
            return false;
        }
    }
}

static bool number(struct ply *ply, int bytes, bool is_real, bool is_signed, double *value)
{
    int64_t whole = 0;
    if (is_real || !ply->stream.is_binary) {
        return cg_stream_real(&ply->stream, bytes, "a number", value);
    }
    bool good = cg_stream_whole(&ply->stream, bytes, is_signed, "a whole number", &whole);
    *value = (double)whole;
    return good;
}

static bool read_list(struct ply *ply, const struct property *property, const struct element *element)
{
    int corners[CG_SURFACE_CORNERS];
    double count, value;
    cg_file_place place = cg_stream_place(&ply->stream);
    if (!number(ply, property->count_bytes, false, property->counts_signed, &count)) {
        return false;
    }
    bool is_face = element->is_face && property->is_corners;
    if (!(count >= 0 && count <= (is_face ? CG_SURFACE_CORNERS : 1e9))) {
        return cg_scene_error_at(ply->draft->error, place.line, place.column,
                                 "found a list of %g numbers; expected 0 to %d", count, CG_SURFACE_CORNERS);
    }
    for (int k = 0; k < count; k++) {
        if (!number(ply, property->bytes, property->is_real, property->is_signed, &value)) {
            return false;
        }
        if (is_face && !(value >= 0 && value < ply->draft->point_count)) {
            return cg_scene_error_at(ply->draft->error, place.line, place.column, "found vertex %g; expected 0 to %d",
                                     value, ply->draft->point_count - 1);
        }
        if (is_face) {
            corners[k] = (int)value;
        }
    }
    return !is_face || count < 3 ||
           cg_surface_add_polygon(ply->draft, corners, (int)count, false, place.line, place.column);
}

static bool read_item(struct ply *ply, const struct element *element)
{
    double x[3] = {0};
    cg_file_place place = cg_stream_place(&ply->stream);
    for (int k = 0; k < element->properties; k++) {
        const struct property *property = &ply->properties[element->first + k];
        double value;
        if (property->count_bytes > 0) {
            if (!read_list(ply, property, element)) {
                return false;
            }
        } else if (!number(ply, property->bytes, property->is_real, property->is_signed, &value)) {
            return false;
        } else if (property->axis >= 0) {
            x[property->axis] = value;
        }
    }
    return !element->is_vertex ||
           cg_surface_add_point(ply->draft, (cg_vec3){x[0], x[1], x[2]}, place.line, place.column);
}

bool cg_surface_read_ply(cg_surface_draft *draft, const void *bytes, size_t size)
{
    struct ply ply = {.draft = draft, .stream = cg_stream_of(bytes, size, draft->error)};
    if (!read_head(&ply)) {
        return false;
    }
    for (int i = 0; i < ply.element_count; i++) {
        const struct element *element = &ply.elements[i];
        if (element->count < 0 || (element->properties == 0 && element->count > 0)) {
            return cg_scene_error_at(draft->error, 1, 1, "found an element without properties; expected some");
        }
        for (int64_t k = 0; k < element->count; k++) {
            if (!read_item(&ply, element)) {
                return false;
            }
        }
    }
    return true;
}
