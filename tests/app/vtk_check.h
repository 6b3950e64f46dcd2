// A reader of VTK XML PolyData and of collections for tests, written from the description of the format and apart from
// the program's writer: it goes by what the file says (offsets, counts, types), not by how the writer lays it out.
#ifndef CATGUT_TESTS_APP_VTK_CHECK_H
#define CATGUT_TESTS_APP_VTK_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml_check.h"

enum { VTK_MAX_VALUES = 4096, VTK_MAX_ARRAYS = 12 };

typedef struct vtk_array {
    char name[32], type[16];
    int components, count; // count of all values
    double values[VTK_MAX_VALUES];
} vtk_array;

typedef struct vtk_piece {
    int points, lines, polys;
    double time;
    vtk_array coordinates, connectivity, offsets;
    vtk_array corners, ends; // connectivity and offsets of polygons
    vtk_array data[VTK_MAX_ARRAYS];
    int data_count;
    const char *fault; // NULL when all is well
} vtk_piece;

// The value of an attribute of the tag that begins at `tag`; empty when there is none.
static inline const char *vtk_attribute(const char *tag, const char *name, char value[64])
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, " %s=\"", name);
    const char *end = strchr(tag, '>'), *at = strstr(tag, wanted);
    value[0] = '\0';
    if (at && end && at < end) {
        at += strlen(wanted);
        size_t length = strcspn(at, "\"");
        if (length < 64) {
            memcpy(value, at, length);
            value[length] = '\0';
        }
    }
    return value;
}

static inline uint64_t vtk_bits(const unsigned char *at, int bytes)
{
    uint64_t bits = 0;
    for (int i = bytes - 1; i >= 0; i--) {
        bits = bits << 8 | at[i];
    }
    return bits;
}

static inline int vtk_width(const char *type)
{
    return strcmp(type, "Float64") == 0 || strcmp(type, "Int64") == 0   ? 8
           : strcmp(type, "Float32") == 0 || strcmp(type, "Int32") == 0 ? 4
                                                                        : 0;
}

static inline double vtk_value(const unsigned char *at, const char *type)
{
    uint64_t bits = vtk_bits(at, vtk_width(type));
    if (strcmp(type, "Float32") == 0) {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    if (strcmp(type, "Float64") == 0) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    return strcmp(type, "Int32") == 0 ? (double)(int32_t)(uint32_t)bits : (double)(int64_t)bits;
}

// Reads the appended array that a DataArray tag describes. NULL when all is well.
static inline const char *vtk_read_array(const char *tag, const char *appended, const char *end, vtk_array *array)
{
    char word[64];
    snprintf(array->name, sizeof array->name, "%.31s", vtk_attribute(tag, "Name", word));
    snprintf(array->type, sizeof array->type, "%.15s", vtk_attribute(tag, "type", word));
    array->components = atoi(vtk_attribute(tag, "NumberOfComponents", word));
    if (strcmp(vtk_attribute(tag, "format", word), "appended") != 0) {
        return "an array that is not appended";
    }
    long offset = atol(vtk_attribute(tag, "offset", word));
    int width = vtk_width(array->type);
    if (width == 0 || array->components < 1 || offset < 0 || offset + 8 > end - appended) {
        return "an array of unknown type or place";
    }
    const unsigned char *at = (const unsigned char *)appended + offset;
    uint64_t bytes = vtk_bits(at, 8);
    if (bytes % (uint64_t)(width * array->components) != 0 || bytes > (uint64_t)(end - appended - offset - 8) ||
        bytes / (uint64_t)width > VTK_MAX_VALUES) {
        return "an array that does not fit";
    }
    array->count = (int)(bytes / (uint64_t)width);
    for (int i = 0; i < array->count; i++) {
        array->values[i] = vtk_value(at + 8 + i * width, array->type);
    }
    return NULL;
}

// All arrays between an opening tag and its closing tag.
static inline int vtk_read_arrays(const char *head, const char *section, const char *appended, const char *end,
                                  vtk_array *arrays, int room, const char **fault)
{
    char open[32], close[32];
    snprintf(open, sizeof open, "<%s", section);
    snprintf(close, sizeof close, "</%s>", section);
    const char *from = strstr(head, open), *to = from ? strstr(from, close) : NULL;
    int count = 0;
    if (!to) {
        *fault = "a missing section";
        return 0;
    }
    for (const char *tag = strstr(from, "<DataArray"); tag && tag < to; tag = strstr(tag + 1, "<DataArray")) {
        if (count == room) {
            *fault = "too many arrays";
            return count;
        }
        const char *wrong = vtk_read_array(tag, appended, end, &arrays[count++]);
        *fault = *fault ? *fault : wrong;
    }
    return count;
}

// The head is XML; the bytes behind the mark are not. Puts them apart, and returns the head with a closed tag.
static inline char *vtk_split(const char *bytes, size_t size, const char **appended, const char **end)
{
    static const char opening[] = "<AppendedData encoding=\"raw\">", closing[] = "</AppendedData>\n</VTKFile>\n";
    const char *from = NULL;
    for (size_t i = 0; i + sizeof opening <= size && !from; i++) {
        from = memcmp(bytes + i, opening, sizeof opening - 1) == 0 ? bytes + i : NULL;
    }
    if (!from || size < sizeof closing || memcmp(bytes + size - sizeof closing + 1, closing, sizeof closing - 1) != 0) {
        return NULL;
    }
    const char *mark = from + sizeof opening - 1;
    mark += *mark == '\n';
    if (*mark != '_') {
        return NULL;
    }
    *appended = mark + 1;
    *end = bytes + size - (sizeof closing - 1);
    size_t length = (size_t)(from - bytes);
    char *head = malloc(length + sizeof "</VTKFile>");
    memcpy(head, bytes, length);
    strcpy(head + length, "</VTKFile>");
    return head;
}

static inline void vtk_judge(vtk_piece *piece, const char *head)
{
    char word[64];
    const char *file = strstr(head, "<VTKFile"), *tag = strstr(head, "<Piece");
    if (xml_fault(head, NULL)) {
        piece->fault = xml_fault(head, NULL);
    } else if (!file || strcmp(vtk_attribute(file, "type", word), "PolyData") != 0 ||
               strcmp(vtk_attribute(file, "byte_order", word), "LittleEndian") != 0 ||
               strcmp(vtk_attribute(file, "header_type", word), "UInt64") != 0) {
        piece->fault = "not a PolyData file";
    } else if (!tag) {
        piece->fault = "no piece";
    } else {
        piece->points = atoi(vtk_attribute(tag, "NumberOfPoints", word));
        piece->lines = atoi(vtk_attribute(tag, "NumberOfLines", word));
        piece->polys = atoi(vtk_attribute(tag, "NumberOfPolys", word));
        const char *time = strstr(head, "Name=\"TimeValue\"");
        time = time ? strchr(time, '>') : NULL;
        piece->time = time ? atof(time + 1) : -1;
    }
}

// Counts, connectivity and offsets agree with each other.
static inline const char *vtk_consistency(const vtk_piece *piece)
{
    if (piece->coordinates.components != 3 || piece->coordinates.count != 3 * piece->points) {
        return "not as many coordinates as points";
    }
    if (piece->offsets.count != piece->lines) {
        return "not as many offsets as lines";
    }
    double before = 0;
    for (int i = 0; i < piece->lines; i++) {
        if (piece->offsets.values[i] < before + 2) {
            return "a line of less than two points";
        }
        before = piece->offsets.values[i];
    }
    if (before != piece->connectivity.count) {
        return "the last offset is not the end of the connectivity";
    }
    for (int i = 0; i < piece->connectivity.count; i++) {
        if (piece->connectivity.values[i] < 0 || piece->connectivity.values[i] >= piece->points) {
            return "a line through a point that is not there";
        }
    }
    if (piece->ends.count != piece->polys || piece->corners.count != 3 * piece->polys) {
        return "not as many triangles as polygons";
    }
    for (int i = 0; i < piece->corners.count; i++) {
        if (piece->corners.values[i] < 0 || piece->corners.values[i] >= piece->points ||
            piece->ends.values[i / 3] != 3 * (i / 3) + 3) {
            return "a triangle that is none";
        }
    }
    for (int i = 0; i < piece->data_count; i++) {
        if (piece->data[i].count != piece->points * piece->data[i].components) {
            return "not as many data as points";
        }
    }
    return NULL;
}

// Reads a file of `size` bytes; piece->fault says what is wrong with it.
static inline void vtk_read(const char *bytes, size_t size, vtk_piece *piece)
{
    const char *appended, *end;
    memset(piece, 0, sizeof *piece);
    char *head = vtk_split(bytes, size, &appended, &end);
    if (!head) {
        piece->fault = "no appended data, or a cut file";
        return;
    }
    vtk_judge(piece, head);
    if (!piece->fault) {
        vtk_array lines[2] = {0}, polys[2] = {0};
        vtk_read_arrays(head, "Points", appended, end, &piece->coordinates, 1, &piece->fault);
        vtk_read_arrays(head, "Lines", appended, end, lines, 2, &piece->fault);
        if (piece->polys > 0) {
            vtk_read_arrays(head, "Polys", appended, end, polys, 2, &piece->fault);
        }
        piece->corners = strcmp(polys[0].name, "connectivity") == 0 ? polys[0] : polys[1];
        piece->ends = strcmp(polys[0].name, "connectivity") == 0 ? polys[1] : polys[0];
        piece->data_count =
            vtk_read_arrays(head, "PointData", appended, end, piece->data, VTK_MAX_ARRAYS, &piece->fault);
        for (int i = 0; i < 2; i++) {
            if (strcmp(lines[i].name, "connectivity") == 0) {
                piece->connectivity = lines[i];
            } else if (strcmp(lines[i].name, "offsets") == 0) {
                piece->offsets = lines[i];
            }
        }
        piece->fault = piece->fault ? piece->fault : vtk_consistency(piece);
    }
    free(head);
}

static inline const vtk_array *vtk_data(const vtk_piece *piece, const char *name)
{
    for (int i = 0; i < piece->data_count; i++) {
        if (strcmp(piece->data[i].name, name) == 0) {
            return &piece->data[i];
        }
    }
    return NULL;
}

#endif
