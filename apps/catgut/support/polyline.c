#define _POSIX_C_SOURCE 200809L

#include "support/polyline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The file being read, for messages, and what has been read.
typedef struct reader {
    FILE *in, *err;
    const char *name;
    int line_number;
    cg_polylines *found;
    int point_capacity, start_capacity;
    int open_points; // points of the thread that is being read
    int open_line;   // where it began
} reader;

static bool complain(const reader *r, int line, int column, const char *found, int found_length, const char *expected)
{
    fprintf(r->err, "%s:%d:%d: found ", r->name, line, column);
    if (found_length < 0) {
        fputs(found, r->err);
    } else {
        // A file may hold anything: show printable characters only, and not too many.
        fputc('"', r->err);
        for (int i = 0; i < found_length && i < 40; i++) {
            fputc(found[i] >= ' ' && found[i] <= '~' ? found[i] : '?', r->err);
        }
        fputs(found_length > 40 ? "...\"" : "\"", r->err);
    }
    fprintf(r->err, ", expected %s\n", expected);
    return false;
}

static bool out_of_memory(const reader *r)
{
    return complain(r, r->line_number, 1, "no memory left", -1, "a smaller file");
}

static bool grow_points(reader *r)
{
    if (r->found->point_count < r->point_capacity) {
        return true;
    }
    int capacity = r->point_capacity ? 2 * r->point_capacity : 256;
    cg_vec3 *larger = realloc(r->found->points, (size_t)capacity * sizeof *larger);
    if (!larger) {
        return out_of_memory(r);
    }
    r->found->points = larger;
    r->point_capacity = capacity;
    return true;
}

// Keeps the place where a thread begins; there is always room for the closing number after the last one.
static bool grow_starts(reader *r)
{
    if (r->found->thread_count + 2 < r->start_capacity) {
        return true;
    }
    int capacity = r->start_capacity ? 2 * r->start_capacity : 16;
    int *larger = realloc(r->found->starts, (size_t)capacity * sizeof *larger);
    if (!larger) {
        return out_of_memory(r);
    }
    r->found->starts = larger;
    r->start_capacity = capacity;
    return true;
}

static bool close_thread(reader *r)
{
    if (r->open_points == 0) {
        return true;
    }
    if (r->open_points == 1) {
        return complain(r, r->open_line, 1, "a thread of one point", -1, "two points or more");
    }
    if (r->found->thread_count == CG_POLYLINE_MAX_THREADS) {
        return complain(r, r->open_line, 1, "one thread more", -1, "at most 10000 threads in a file");
    }
    if (!grow_starts(r)) {
        return false;
    }
    r->found->starts[r->found->thread_count++] = r->found->point_count - r->open_points;
    r->open_points = 0;
    return true;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static int word_length(const char *word)
{
    int length = 0;
    while (word[length] && !is_space(word[length]) && word[length] != '#') {
        length++;
    }
    return length;
}

// Reads the word at text[*at] as a coordinate and moves *at behind it.
static bool read_coordinate(const reader *r, const char *text, int *at, const char *wanted, double *value)
{
    const char *word = text + *at;
    int length = word_length(word);
    int column = *at + 1;
    if (length == 0) {
        return complain(r, r->line_number, column, "the end of the line", -1, wanted);
    }
    char *rest;
    *value = strtod(word, &rest);
    // strtod also takes "nan", "inf" and hexadecimal; a coordinate is a plain decimal number.
    bool plain = strspn(word, "0123456789+-.eE") >= (size_t)length;
    if (!plain || rest != word + length) {
        return complain(r, r->line_number, column, word, length, wanted);
    }
    if (!(fabs(*value) <= CG_POLYLINE_MAX_COORDINATE)) {
        return complain(r, r->line_number, column, word, length, "a coordinate of at most 1e6 m");
    }
    *at += length;
    return true;
}

static void skip_space(const char *text, int *at)
{
    while (is_space(text[*at])) {
        *at += 1;
    }
}

static bool read_point(reader *r, const char *text, int at)
{
    static const char *const wanted[3] = {
        "the x coordinate, a finite number of metres",
        "the y coordinate, a finite number of metres",
        "the z coordinate, a finite number of metres",
    };
    double values[3];
    for (int i = 0; i < 3; i++) {
        skip_space(text, &at);
        if (!read_coordinate(r, text, &at, wanted[i], &values[i])) {
            return false;
        }
    }
    skip_space(text, &at);
    if (text[at] && text[at] != '#') {
        return complain(r, r->line_number, at + 1, text + at, word_length(text + at), "the end of the line");
    }
    if (r->found->point_count == CG_POLYLINE_MAX_POINTS) {
        return complain(r, r->line_number, 1, "one point more", -1, "at most 1000000 points in a file");
    }
    if (!grow_points(r)) {
        return false;
    }
    if (r->open_points == 0) {
        r->open_line = r->line_number;
    }
    r->found->points[r->found->point_count++] = (cg_vec3){values[0], values[1], values[2]};
    r->open_points++;
    return true;
}

// One line without its end. A comment alone on its line does not end a thread; an empty line does.
static bool read_line(reader *r, const char *text, int length)
{
    int at = 0;
    if (memchr(text, '\0', (size_t)length)) {
        return complain(r, r->line_number, (int)strlen(text) + 1, "a zero byte", -1, "text");
    }
    skip_space(text, &at);
    if (text[at] == '\0') {
        return close_thread(r);
    }
    return text[at] == '#' ? true : read_point(r, text, at);
}

static bool read_all(reader *r)
{
    static char text[CG_POLYLINE_MAX_LINE + 1];
    int c = fgetc(r->in);
    while (c != EOF) {
        int length = 0;
        r->line_number++;
        while (c != EOF && c != '\n') {
            if (length == CG_POLYLINE_MAX_LINE) {
                return complain(r, r->line_number, length + 1, "a longer line", -1, "at most 4096 bytes in a line");
            }
            text[length++] = (char)c;
            c = fgetc(r->in);
        }
        text[length] = '\0';
        if (!read_line(r, text, length)) {
            return false;
        }
        c = c == EOF ? EOF : fgetc(r->in);
    }
    if (ferror(r->in)) {
        return complain(r, r->line_number + 1, 1, "an error of the file system", -1, "more text");
    }
    if (!close_thread(r)) {
        return false;
    }
    if (r->found->thread_count == 0) {
        return complain(r, r->line_number + 1, 1, "the end of the file", -1, "a point: x y z");
    }
    r->found->starts[r->found->thread_count] = r->found->point_count;
    return true;
}

bool cg_polylines_read(FILE *in, const char *name, cg_polylines *polylines, FILE *err)
{
    *polylines = (cg_polylines){0};
    reader r = {.in = in, .err = err, .name = name, .found = polylines};
    if (!read_all(&r)) {
        cg_polylines_free(polylines);
        return false;
    }
    return true;
}

void cg_polylines_free(cg_polylines *polylines)
{
    free(polylines->points);
    free(polylines->starts);
    *polylines = (cg_polylines){0};
}
