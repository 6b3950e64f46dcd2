// STL. Binary: 80 bytes of anything, the number of facets in 4 bytes, then 50 bytes a facet: normal and three points as
// floats of 4 bytes, and 2 bytes of anything; lowest byte first. Text:
//
//     solid NAME
//       facet normal 0 0 1
//         outer loop
//           vertex 0 0 0 (three times)
//         endloop
//       endfacet
//     endsolid NAME
//
// Binary files may begin with "solid" too: a size that fits the number of facets tells. Normals are not looked at; the
// order of the points says what is outside.
#include <stdint.h>
#include <string.h>

#include "mesh_files/surface_parts.h"

enum { HEADER = 84, FACET = 50 };

// --- binary ---

static uint32_t word_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static double float_at(const unsigned char *bytes)
{
    uint32_t bits = word_at(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool is_binary(const unsigned char *bytes, size_t size)
{
    return size >= HEADER && (size - HEADER) / FACET == word_at(bytes + 80) && (size - HEADER) % FACET == 0;
}

bool cg_surface_is_stl(const void *bytes, size_t size)
{
    cg_cursor cursor = {.at = bytes, .end = (const char *)bytes + size, .line_start = bytes, .line = 1};
    cg_word word = cg_cursor_next_word(&cursor);
    bool is_solid = cg_word_is(&word, "solid");
    for (int words = 0; is_solid && words < 100 && word.length > 0; words++) { // a name of some words comes before
        word = cg_cursor_next_word(&cursor);
        if (cg_word_is(&word, "facet") || cg_word_is(&word, "endsolid")) {
            return true;
        }
    }
    return is_binary(bytes, size);
}

static bool read_binary(cg_surface_draft *draft, const unsigned char *bytes, size_t size)
{
    for (size_t at = HEADER; at < size; at += FACET) {
        int corners[3];
        for (int i = 0; i < 3; i++) {
            const unsigned char *p = bytes + at + 12 + 12 * i;
            corners[i] = draft->point_count;
            if (!cg_surface_add_point(draft, (cg_vec3){float_at(p), float_at(p + 4), float_at(p + 8)}, 1,
                                      (int)(p - bytes) + 1)) {
                return false;
            }
        }
        if (!cg_surface_add_polygon(draft, corners, 3, false, 1, (int)at + 1)) {
            return false;
        }
    }
    return true;
}

// --- text ---

static bool expect(cg_surface_draft *draft, cg_cursor *cursor, const char *text)
{
    cg_word word = cg_cursor_next_word(cursor);
    char expected[48] = "\"";
    strcat(strcat(expected, text), "\"");
    return cg_word_is(&word, text) || cg_word_unexpected(&word, draft->error, expected);
}

static bool read_three(cg_surface_draft *draft, cg_cursor *cursor, const char *expected, double x[3])
{
    for (int i = 0; i < 3; i++) {
        cg_word word = cg_cursor_next_word(cursor);
        if (!cg_word_number(&word, draft->error, expected, &x[i])) {
            return false;
        }
    }
    return true;
}

static bool read_facet(cg_surface_draft *draft, cg_cursor *cursor, const cg_word *keyword)
{
    double x[3];
    int corners[3];
    if (!expect(draft, cursor, "normal")) {
        return false;
    }
    // Programs write "nan" for the normal of a facet without area: any three words will do.
    for (int i = 0; i < 3; i++) {
        cg_word word = cg_cursor_next_word(cursor);
        if (word.length == 0 || cg_word_is(&word, "outer")) {
            return cg_word_unexpected(&word, draft->error, "a normal of three numbers");
        }
    }
    if (!expect(draft, cursor, "outer") || !expect(draft, cursor, "loop")) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (!expect(draft, cursor, "vertex")) {
            return false;
        }
        int line = cursor->line, column = cg_cursor_column(cursor);
        corners[i] = draft->point_count;
        if (!read_three(draft, cursor, "a coordinate: vertex x y z", x) ||
            !cg_surface_add_point(draft, (cg_vec3){x[0], x[1], x[2]}, line, column)) {
            return false;
        }
    }
    return expect(draft, cursor, "endloop") && expect(draft, cursor, "endfacet") &&
           cg_surface_add_polygon(draft, corners, 3, false, keyword->line, keyword->column);
}

static bool read_text(cg_surface_draft *draft, const char *text, size_t size)
{
    cg_cursor cursor = {.at = text, .end = text + size, .line_start = text, .line = 1};
    cg_word word = cg_cursor_next_word(&cursor);
    if (!cg_word_is(&word, "solid")) {
        return cg_word_unexpected(&word, draft->error,
                                  "\"solid\", or a binary file of 84 bytes and 50 more for each facet");
    }
    cg_cursor_skip_line(&cursor);
    bool is_open = true;
    for (word = cg_cursor_next_word(&cursor); word.length > 0; word = cg_cursor_next_word(&cursor)) {
        if (is_open && cg_word_is(&word, "facet")) {
            if (!read_facet(draft, &cursor, &word)) {
                return false;
            }
        } else if (cg_word_is(&word, is_open ? "endsolid" : "solid")) {
            is_open = !is_open;
            cg_cursor_skip_line(&cursor);
        } else {
            break;
        }
    }
    return !is_open && word.length == 0
               ? true
               : cg_word_unexpected(&word, draft->error,
                                    is_open ? "\"facet\" or \"endsolid\"" : "\"solid\" or the end");
}

bool cg_surface_read_stl(cg_surface_draft *draft, const char *bytes, size_t size)
{
    const unsigned char *data = (const unsigned char *)bytes;
    return is_binary(data, size) ? read_binary(draft, data, size) : read_text(draft, bytes, size);
}
