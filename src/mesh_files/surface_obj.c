// Wavefront OBJ: one statement a line, a backslash at its end joins the next. v x y z and f with 3 or more corners
// count, and g or o with the name of a part of the surface; a corner is a number of a point from 1, or back from the
// last one with -1, and may go on with /texture/normal.
#include <string.h>

#include "base/nearest.h"
#include "mesh_files/surface_parts.h"

// What a program may write that has no meaning here.
static const char *const passed_over[] = {"vt",   "vn",         "vp",        "s",      "mg",    "usemtl",   "mtllib",
                                          "l",    "p",          "usemap",    "maplib", "bevel", "c_interp", "d_interp",
                                          "lod",  "shadow_obj", "trace_obj", "cstype", "deg",   "bmat",     "step",
                                          "curv", "curv2",      "surf",      "parm",   "trim",  "hole",     "scrv",
                                          "sp",   "end",        "con",       "ctech",  "stech", "call",     "csh"};

enum { PASSED_OVER_COUNT = sizeof passed_over / sizeof *passed_over };

// Some programs end their text with a zero byte.
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\0';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

// The next word of the statement; of length 0 at its end.
static cg_word next_word(cg_cursor *cursor)
{
    for (;;) {
        if (cursor->at < cursor->end && is_blank(*cursor->at)) {
            cg_cursor_step(cursor);
        } else if (cursor->end - cursor->at >= 2 && cursor->at[0] == '\\' && is_line_end(cursor->at[1])) {
            cg_cursor_step(cursor);
            cg_cursor_step(cursor);
        } else {
            break;
        }
    }
    cg_word word = {.text = cursor->at, .line = cursor->line, .column = cg_cursor_column(cursor)};
    while (cursor->at < cursor->end && !is_blank(*cursor->at) && !is_line_end(*cursor->at) && *cursor->at != '#' &&
           !(*cursor->at == '\\' && cursor->end - cursor->at >= 2 && is_line_end(cursor->at[1]))) {
        cg_cursor_step(cursor);
    }
    word.length = (size_t)(cursor->at - word.text);
    return word;
}

static void skip_line(cg_cursor *cursor)
{
    while (cursor->at < cursor->end && !is_line_end(*cursor->at)) {
        bool is_joined = *cursor->at == '\\' && cursor->end - cursor->at >= 2 && is_line_end(cursor->at[1]);
        cg_cursor_step(cursor);
        if (is_joined) {
            cg_cursor_step(cursor);
        }
    }
    if (cursor->at < cursor->end) {
        cg_cursor_step(cursor);
    }
}

static bool read_point(cg_surface_draft *draft, cg_cursor *cursor)
{
    double x[3];
    cg_word first = next_word(cursor), word = first;
    for (int i = 0; i < 3; i++, word = i < 3 ? next_word(cursor) : word) {
        if (!cg_word_number(&word, draft->error, "a coordinate: v x y z", &x[i])) {
            return false;
        }
    }
    return cg_surface_add_point(draft, (cg_vec3){x[0], x[1], x[2]}, first.line, first.column);
}

// The number of the point before the first slash.
static bool read_corner(cg_surface_draft *draft, const cg_word *word, int *corner)
{
    cg_word number = *word;
    const char *slash = memchr(word->text, '/', word->length);
    number.length = slash != NULL ? (size_t)(slash - word->text) : word->length;
    int index;
    if (number.length == 0 || !cg_word_int(&number, draft->error, "the number of a point", &index)) {
        return cg_word_unexpected(word, draft->error, "the number of a point");
    }
    *corner = index < 0 ? draft->point_count + index : index - 1;
    if (*corner < 0 || *corner >= draft->point_count) {
        return cg_scene_error_at(draft->error, word->line, word->column,
                                 "found point %d; expected 1 to %d, or -1 to -%d, of the points so far", index,
                                 draft->point_count, draft->point_count);
    }
    return true;
}

static bool read_face(cg_surface_draft *draft, cg_cursor *cursor, const cg_word *keyword)
{
    int corners[CG_SURFACE_CORNERS], count = 0;
    for (cg_word word = next_word(cursor); word.length > 0; word = next_word(cursor)) {
        if (count == CG_SURFACE_CORNERS) {
            return cg_scene_error_at(draft->error, word.line, word.column,
                                     "found a face of more than %d corners; expected fewer", CG_SURFACE_CORNERS);
        }
        if (!read_corner(draft, &word, &corners[count++])) {
            return false;
        }
    }
    if (count < 3) {
        return cg_scene_error_at(draft->error, keyword->line, keyword->column,
                                 "found a face of %d corner%s; expected 3 or more", count, count == 1 ? "" : "s");
    }
    return cg_surface_add_polygon(draft, corners, count, false, keyword->line, keyword->column);
}

static bool is_passed_over(const cg_word *word)
{
    for (int i = 0; i < PASSED_OVER_COUNT; i++) {
        if (cg_word_is(word, passed_over[i])) {
            return true;
        }
    }
    return false;
}

static bool complain(cg_surface_draft *draft, const cg_word *word)
{
    char copy[41];
    size_t length = word->length < sizeof copy - 1 ? word->length : sizeof copy - 1;
    memcpy(copy, word->text, length);
    copy[length] = '\0';
    const char *meant = cg_nearest_word(copy, passed_over, PASSED_OVER_COUNT);
    char expected[96] = "a statement of OBJ, such as v, f, vn or usemtl";
    if (meant != NULL && strlen(meant) > 2) {
        strcpy(expected, "a statement of OBJ; did you mean \"");
        strcat(strcat(expected, meant), "\"?");
    }
    return cg_word_unexpected(word, draft->error, expected);
}

bool cg_surface_read_obj(cg_surface_draft *draft, const char *text, size_t size)
{
    cg_cursor cursor = {.at = text, .end = text + size, .line_start = text, .line = 1};
    while (cursor.at < cursor.end) {
        cg_word word = next_word(&cursor);
        bool good = true;
        if (cg_word_is(&word, "v")) {
            good = read_point(draft, &cursor);
        } else if (cg_word_is(&word, "f") || cg_word_is(&word, "fo")) {
            good = read_face(draft, &cursor, &word);
        } else if (cg_word_is(&word, "g") || cg_word_is(&word, "o")) {
            cg_word name = next_word(&cursor);
            draft->side = cg_surface_side_of(&name);
        } else if (word.length > 0 && !is_passed_over(&word)) {
            good = complain(draft, &word);
        }
        if (!good) {
            return false;
        }
        skip_line(&cursor);
    }
    return true;
}
