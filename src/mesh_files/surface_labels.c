// Label maps: a number for each point of a grid, as programs of segmentation write them. What has a label becomes a
// closed surface, so that it can be filled.
//
// NRRD (data in the same file): "NRRD0004", lines "key: value", a blank line, numbers: raw, gzip or text.
// NIfTI-1: a head of 348 bytes, whose first number tells the order of bytes; the whole may be packed by gzip (.nii.gz).
// MetaImage (.mha): lines "Key = value", the last one ElementDataFile = LOCAL, then numbers, packed by zlib or not.
//
// Surface nets: a vertex in each cube of eight points of which some are inside, in the middle of the edges that leave;
// a quadrilateral for each edge between two points of which one is inside. Beyond the grid all is outside, so it is
// closed.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "mesh_files/inflate.h"
#include "mesh_files/volume_parts.h"

enum { MOST_POINTS = 1 << 28, MOST_HEAD = 1 << 16 };

struct labels {
    cg_surface_draft *draft;
    int n[3];
    cg_vec3 origin, step[3]; // of the first point, from point to point along the three directions
    int bytes;               // of a number
    bool is_real, is_signed, is_big;
    const unsigned char *data;
    unsigned char *unpacked; // NULL: the data are part of the file
    const char *text;        // numbers as text, where they are
    size_t left;             // bytes of data or text
};

static bool fail(const struct labels *map, const char *sentence)
{
    return cg_scene_error_at(map->draft->error, 1, 1, "%s", sentence);
}

static bool set_type(struct labels *map, const char *name)
{
    static const struct {
        const char *names;
        int bytes;
        bool is_real, is_signed;
    } types[] = {{" uchar, unsigned char, uint8, uint8_t, MET_UCHAR,", 1, false, false},
                 {" char, signed char, int8, int8_t, MET_CHAR,", 1, false, true},
                 {" short, int16, int16_t, signed short, MET_SHORT,", 2, false, true},
                 {" ushort, unsigned short, uint16, uint16_t, MET_USHORT,", 2, false, false},
                 {" int, int32, int32_t, signed int, MET_INT,", 4, false, true},
                 {" uint, unsigned int, uint32, uint32_t, MET_UINT,", 4, false, false},
                 {" float, MET_FLOAT,", 4, true, true},
                 {" double, MET_DOUBLE,", 8, true, true}};
    char wanted[64];
    snprintf(wanted, sizeof wanted, " %.40s,", name);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strstr(types[i].names, wanted) != NULL) {
            map->bytes = types[i].bytes;
            map->is_real = types[i].is_real;
            map->is_signed = types[i].is_signed;
            return true;
        }
    }
    return cg_scene_error_at(map->draft->error, 1, 1,
                             "found numbers of type \"%.30s\"; expected one such as uchar or short", name);
}

static bool check_size(struct labels *map)
{
    double points = 1;
    for (int k = 0; k < 3; k++) {
        points *= map->n[k] + 1.0; // cubes between and around them
        if (map->n[k] < 1 || !(points <= MOST_POINTS)) {
            return cg_scene_error_at(map->draft->error, 1, 1,
                                     "found a grid of %d x %d x %d points; expected at most %d", map->n[0], map->n[1],
                                     map->n[2], MOST_POINTS);
        }
    }
    double det = v3_dot(v3_cross(map->step[0], map->step[1]), map->step[2]);
    return (det != 0 && det - det == 0) || fail(map, "found directions of a grid that are flat; expected three");
}

// Data of `size` bytes, packed by one of the two or not.
static bool take_data(struct labels *map, const unsigned char *data, size_t size, const char *packed)
{
    size_t wanted = (size_t)map->n[0] * (size_t)map->n[1] * (size_t)map->n[2] * (size_t)map->bytes;
    map->data = data;
    map->left = size;
    if (packed != NULL) {
        // what is packed is at most 1032 times as long
        map->unpacked = wanted / 1032 > size ? NULL : cg_memory_take(&map->draft->def->allocator, wanted);
        if (map->unpacked == NULL) {
            return fail(map, "found packed numbers that are too few for the grid, or no memory for them");
        }
        bool is_gzip = strcmp(packed, "gzip") == 0;
        const char *fault = is_gzip ? cg_inflate_gzip(data, size, map->unpacked, wanted)
                                    : cg_inflate_zlib(data, size, map->unpacked, wanted);
        if (fault != NULL) {
            return cg_scene_error_at(map->draft->error, 1, 1, "found %s; expected the numbers of a grid", fault);
        }
        map->data = map->unpacked;
        map->left = wanted;
    }
    return map->left >= wanted || fail(map, "found fewer numbers than the grid has points");
}

// --- heads of text ---

// The value behind "key: " or "Key = " at the beginning of a line of the head, into `value`; false: there is none.
static bool find_value(const char *head, size_t size, const char *key, char *value, size_t room)
{
    size_t length = strlen(key);
    for (size_t at = 0; at + length < size; at++) {
        if ((at > 0 && head[at - 1] != '\n') || memcmp(head + at, key, length) != 0) {
            continue;
        }
        size_t from = at + length, to, kept;
        while (from < size && (head[from] == ' ' || head[from] == ':' || head[from] == '=')) {
            from++;
        }
        for (to = from; to < size && head[to] != '\n' && head[to] != '\r'; to++) {
        }
        kept = to - from < room - 1 ? to - from : room - 1;
        memcpy(value, head + from, kept);
        value[kept] = '\0';
        return true;
    }
    return false;
}

// Numbers of a value, whatever stands between them; how many.
static int numbers_of(const char *value, double *numbers, int most)
{
    int count = 0;
    cg_scene_error ignored;
    while (count < most) {
        value += strcspn(value, "+-.0123456789");
        cg_word word = {.text = value, .length = strspn(value, "+-.0123456789eE")};
        if (word.length == 0 || !cg_word_number(&word, &ignored, "", &numbers[count])) {
            return count;
        }
        value += word.length;
        count++;
    }
    return count;
}

static bool take_sizes(struct labels *map, const char *value)
{
    double sizes[3];
    if (numbers_of(value, sizes, 3) != 3) {
        return fail(map, "found no three sizes of a grid; expected three");
    }
    for (int k = 0; k < 3; k++) {
        map->n[k] = sizes[k] >= 1 && sizes[k] <= MOST_POINTS ? (int)sizes[k] : 0;
    }
    return true;
}

static bool read_nrrd(struct labels *map, const char *text, size_t size)
{
    char value[256];
    double x[9];
    size_t head = 0;
    while (head + 1 < size && head < MOST_HEAD && memcmp(text + head, "\n\n", 2) != 0 &&
           (head + 4 > size || memcmp(text + head, "\n\r\n", 3) != 0)) {
        head++;
    }
    size_t data = head + (head + 1 < size && text[head + 1] == '\r' ? 3 : 2);
    if (data > size || !find_value(text, head, "type", value, sizeof value)) {
        return fail(map, "found no head of NRRD that says a type and ends in a blank line");
    }
    if (!set_type(map, value)) {
        return false;
    }
    if (!find_value(text, head, "sizes", value, sizeof value) || !take_sizes(map, value)) {
        return fail(map, "found no three sizes of a grid; expected \"sizes: 64 64 64\"");
    }
    for (int k = 0; k < 3; k++) {
        map->step[k] = v3(k == 0, k == 1, k == 2);
    }
    if (find_value(text, head, "spacings", value, sizeof value) && numbers_of(value, x, 3) == 3) {
        map->step[0].x = x[0];
        map->step[1].y = x[1];
        map->step[2].z = x[2];
    }
    if (find_value(text, head, "space directions", value, sizeof value) && numbers_of(value, x, 9) == 9) {
        for (int k = 0; k < 3; k++) {
            map->step[k] = v3(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
        }
    }
    if (find_value(text, head, "space origin", value, sizeof value) && numbers_of(value, x, 3) == 3) {
        map->origin = v3(x[0], x[1], x[2]);
    }
    map->is_big = find_value(text, head, "endian", value, sizeof value) && strncmp(value, "big", 3) == 0;
    if (find_value(text, head, "data file", value, sizeof value)) {
        return fail(map, "found numbers in another file; expected them in this one (.nrrd)");
    }
    bool has_encoding = find_value(text, head, "encoding", value, sizeof value);
    bool is_gzip = has_encoding && (strncmp(value, "gz", 2) == 0);
    if (!check_size(map)) {
        return false;
    }
    if (has_encoding && (strcmp(value, "ascii") == 0 || strcmp(value, "text") == 0 || strcmp(value, "txt") == 0)) {
        map->text = text + data;
        map->left = size - data;
        return true;
    }
    return is_gzip || (has_encoding && strcmp(value, "raw") == 0)
               ? take_data(map, (const unsigned char *)text + data, size - data, is_gzip ? "gzip" : NULL)
               : fail(map, "found an encoding of NRRD that is none of raw, gzip and ascii");
}

static bool read_meta(struct labels *map, const char *text, size_t size)
{
    static const char last[] = "ElementDataFile";
    char value[256];
    double x[9];
    size_t head = 0;
    while (head + sizeof last < size && head < MOST_HEAD &&
           !((head == 0 || text[head - 1] == '\n') && memcmp(text + head, last, sizeof last - 1) == 0)) {
        head++;
    }
    const char *end = memchr(text + head, '\n', size - head);
    if (end == NULL || !find_value(text + head, size - head, last, value, sizeof value) ||
        strcmp(value, "LOCAL") != 0) {
        return fail(map, "found no \"ElementDataFile = LOCAL\"; expected the numbers in this file (.mha)");
    }
    if (!find_value(text, head, "ElementType", value, sizeof value)) {
        return fail(map, "found no ElementType; expected one such as MET_UCHAR");
    }
    if (!set_type(map, value)) {
        return false;
    }
    if (!find_value(text, head, "DimSize", value, sizeof value) || !take_sizes(map, value)) {
        return fail(map, "found no three sizes of a grid; expected \"DimSize = 64 64 64\"");
    }
    double spacing[3] = {1, 1, 1}, matrix[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (find_value(text, head, "ElementSpacing", value, sizeof value)) {
        numbers_of(value, spacing, 3);
    }
    if (find_value(text, head, "TransformMatrix", value, sizeof value) && numbers_of(value, x, 9) == 9) {
        memcpy(matrix, x, sizeof matrix);
    }
    for (int k = 0; k < 3; k++) {
        map->step[k] = v3_scale(spacing[k], v3(matrix[3 * k], matrix[3 * k + 1], matrix[3 * k + 2]));
    }
    if ((find_value(text, head, "Offset", value, sizeof value) ||
         find_value(text, head, "Position", value, sizeof value)) &&
        numbers_of(value, x, 3) == 3) {
        map->origin = v3(x[0], x[1], x[2]);
    }
    map->is_big = (find_value(text, head, "BinaryDataByteOrderMSB", value, sizeof value) ||
                   find_value(text, head, "ElementByteOrderMSB", value, sizeof value)) &&
                  value[0] == 'T';
    bool is_packed = find_value(text, head, "CompressedData ", value, sizeof value) && value[0] == 'T';
    const unsigned char *data = (const unsigned char *)end + 1;
    return check_size(map) &&
           take_data(map, data, (size_t)((const unsigned char *)text + size - data), is_packed ? "zlib" : NULL);
}

// --- NIfTI ---

static double real_at(const struct labels *map, const unsigned char *bytes, int at)
{
    return cg_real_of_bytes(bytes + at, 4, map->is_big);
}

static int whole_at(const struct labels *map, const unsigned char *bytes, int at)
{
    return (int)cg_whole_of_bytes(bytes + at, 2, map->is_big);
}

static bool read_nifti(struct labels *map, const unsigned char *bytes, size_t size)
{
    enum { HEAD = 352, DIM = 40, TYPE = 70, SPACING = 76, OFFSET = 108, SFORM = 254, ROWS = 280 };
    static const struct {
        int code;
        const char *name;
    } types[] = {{2, "uint8"},   {4, "int16"},  {8, "int32"},    {16, "float"},
                 {64, "double"}, {256, "int8"}, {512, "uint16"}, {768, "uint32"}};
    if (size < HEAD) {
        return fail(map, "found a head of NIfTI that ends too soon");
    }
    map->is_big = cg_whole_of_bytes(bytes, 4, true) == 348;
    const char *name = "none";
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        name = whole_at(map, bytes, TYPE) == types[i].code ? types[i].name : name;
    }
    if (!set_type(map, name)) {
        return false;
    }
    bool has_rows = whole_at(map, bytes, SFORM) > 0;
    double origin[3] = {0}, step[3][3] = {{0}};
    for (int k = 0; k < 3; k++) {
        map->n[k] = whole_at(map, bytes, DIM + 2 + 2 * k);
        for (int row = 0; row < 3; row++) {
            double spacing = real_at(map, bytes, SPACING + 4 + 4 * k);
            step[k][row] = has_rows ? real_at(map, bytes, ROWS + 16 * row + 4 * k) : (row == k ? spacing : 0);
        }
        origin[k] = has_rows ? real_at(map, bytes, ROWS + 16 * k + 12) : 0;
        map->step[k] = v3(step[k][0], step[k][1], step[k][2]);
    }
    map->origin = v3(origin[0], origin[1], origin[2]);
    double offset = real_at(map, bytes, OFFSET);
    if (!(offset >= HEAD && offset <= (double)size)) {
        return fail(map, "found numbers that begin beyond the file; expected a place behind the head");
    }
    return check_size(map) && take_data(map, bytes + (size_t)offset, size - (size_t)offset, NULL);
}

// A file that is packed as a whole.
static bool read_packed_nifti(struct labels *map, const unsigned char *bytes, size_t size)
{
    size_t whole = size < 18 ? 0 : (size_t)cg_whole_of_bytes(bytes + size - 4, 4, false);
    if (whole < 352 || whole / 1032 > size || whole > (size_t)INT32_MAX / 2) {
        return fail(map, "found packed bytes that are no label map");
    }
    unsigned char *head = cg_memory_take(&map->draft->def->allocator, whole);
    if (head == NULL) {
        map->draft->is_out_of_memory = true;
        return fail(map, "no memory for a label map");
    }
    map->unpacked = head;
    const char *fault = cg_inflate_gzip(bytes, size, head, whole);
    if (fault != NULL) {
        return cg_scene_error_at(map->draft->error, 1, 1, "found %s; expected a label map", fault);
    }
    bool is_nifti = memcmp(head + 344, "n+1", 4) == 0;
    return is_nifti ? read_nifti(map, head, whole) : fail(map, "found packed bytes that are no NIfTI-1 file");
}

// --- inside ---

// Whether each point has the label that is wanted, or any. Text is read here.
static unsigned char *find_inside(struct labels *map)
{
    size_t count = (size_t)map->n[0] * (size_t)map->n[1] * (size_t)map->n[2];
    unsigned char *inside = cg_memory_take(&map->draft->def->allocator, count);
    cg_stream stream =
        cg_stream_of(map->text != NULL ? map->text : (const char *)map->data, map->left, map->draft->error);
    stream.is_binary = map->text == NULL;
    stream.is_big = map->is_big;
    int wanted = map->draft->def->label;
    if (inside == NULL) {
        map->draft->is_out_of_memory = true;
        fail(map, "no memory for a label map");
    }
    for (size_t i = 0; inside != NULL && i < count; i++) {
        double value = 0;
        int64_t whole = 0;
        bool is_real = map->is_real || map->text != NULL;
        if (is_real ? !cg_stream_real(&stream, map->bytes, "a label", &value)
                    : !cg_stream_whole(&stream, map->bytes, map->is_signed, "a label", &whole)) {
            cg_memory_give(&map->draft->def->allocator, inside);
            return NULL;
        }
        value = is_real ? value : (double)whole;
        inside[i] = wanted != 0 ? fabs(value - wanted) < 0.5 : value >= 0.5;
    }
    return inside;
}

// --- surface nets ---

struct nets {
    const struct labels *map;
    const unsigned char *inside;
    int *vertices; // of each cube; plus one
    bool is_left;  // the three directions are left-handed
};

static bool is_inside(const struct nets *nets, const int at[3])
{
    const int *n = nets->map->n;
    for (int k = 0; k < 3; k++) {
        if (at[k] < 0 || at[k] >= n[k]) {
            return false;
        }
    }
    return nets->inside[((size_t)at[2] * (size_t)n[1] + (size_t)at[1]) * (size_t)n[0] + (size_t)at[0]] != 0;
}

static size_t cube_at(const struct nets *nets, const int at[3])
{
    const int *n = nets->map->n;
    return ((size_t)at[2] * (size_t)(n[1] + 1) + (size_t)at[1]) * (size_t)(n[0] + 1) + (size_t)at[0];
}

// The middle of the edges of a cube that leave what is inside, in points of the grid; false: none does.
static bool middle_of(const struct nets *nets, const int cube[3], double middle[3])
{
    bool corner[8];
    int edges = 0;
    for (int c = 0; c < 8; c++) {
        const int at[3] = {cube[0] - 1 + (c & 1), cube[1] - 1 + (c >> 1 & 1), cube[2] - 1 + (c >> 2)};
        corner[c] = is_inside(nets, at);
    }
    middle[0] = middle[1] = middle[2] = 0;
    for (int c = 0; c < 8; c++) {
        for (int axis = 0; axis < 3; axis++) {
            int other = c | 1 << axis;
            if (other == c || corner[c] == corner[other]) {
                continue;
            }
            for (int k = 0; k < 3; k++) {
                middle[k] += cube[k] - 1 + 0.5 * ((c >> k & 1) + (other >> k & 1));
            }
            edges++;
        }
    }
    for (int k = 0; k < 3 && edges > 0; k++) {
        middle[k] /= edges;
    }
    return edges > 0;
}

static bool add_vertices(struct nets *nets)
{
    const struct labels *map = nets->map;
    int cube[3];
    for (cube[2] = 0; cube[2] <= map->n[2]; cube[2]++) {
        for (cube[1] = 0; cube[1] <= map->n[1]; cube[1]++) {
            for (cube[0] = 0; cube[0] <= map->n[0]; cube[0]++) {
                double m[3];
                if (!middle_of(nets, cube, m)) {
                    continue;
                }
                cg_vec3 place = map->origin;
                for (int k = 0; k < 3; k++) {
                    place = v3_add_scaled(place, m[k], map->step[k]);
                }
                if (!cg_surface_add_point(map->draft, place, 1, 1)) {
                    return false;
                }
                nets->vertices[cube_at(nets, cube)] = map->draft->point_count;
            }
        }
    }
    return true;
}

// The face across the edge from a point to the next one along an axis, seen from outside.
static bool add_face(struct nets *nets, const int at[3], int axis)
{
    static const int ring[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    int next[3] = {at[0], at[1], at[2]}, corners[4], b = (axis + 1) % 3, c = (axis + 2) % 3;
    next[axis]++;
    bool from = is_inside(nets, at);
    if (from == is_inside(nets, next)) {
        return true;
    }
    for (int k = 0; k < 4; k++) {
        int cube[3];
        cube[axis] = at[axis] + 1;
        cube[b] = at[b] + ring[k][0];
        cube[c] = at[c] + ring[k][1];
        corners[k] = nets->vertices[cube_at(nets, cube)] - 1;
    }
    return cg_surface_add_polygon(nets->map->draft, corners, 4, from == nets->is_left, 1, 1);
}

static bool add_faces(struct nets *nets)
{
    const int *n = nets->map->n;
    int at[3];
    for (int axis = 0; axis < 3; axis++) {
        for (at[2] = axis == 2 ? -1 : 0; at[2] < n[2]; at[2]++) {
            for (at[1] = axis == 1 ? -1 : 0; at[1] < n[1]; at[1]++) {
                for (at[0] = axis == 0 ? -1 : 0; at[0] < n[0]; at[0]++) {
                    if (!add_face(nets, at, axis)) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

bool cg_surface_read_labels(cg_surface_draft *draft, const void *bytes, size_t size)
{
    struct labels map = {.draft = draft};
    const cg_allocator *allocator = &draft->def->allocator;
    const unsigned char *raw = bytes;
    bool is_gzip = size > 2 && raw[0] == 31 && raw[1] == 139, is_nrrd = size > 4 && memcmp(bytes, "NRRD", 4) == 0;
    bool is_nifti = size >= 348 && memcmp(raw + 344, "n+1", 4) == 0;
    bool good = is_gzip ? read_packed_nifti(&map, raw, size)
                        : (is_nrrd ? read_nrrd(&map, bytes, size)
                                   : (is_nifti ? read_nifti(&map, raw, size) : read_meta(&map, bytes, size)));
    struct nets nets = {.map = &map, .inside = NULL};
    unsigned char *inside = good ? find_inside(&map) : NULL;
    if (inside != NULL) {
        size_t cubes = (size_t)(map.n[0] + 1) * (size_t)(map.n[1] + 1) * (size_t)(map.n[2] + 1);
        nets.inside = inside;
        nets.is_left = v3_dot(v3_cross(map.step[0], map.step[1]), map.step[2]) < 0;
        nets.vertices = cg_memory_take(allocator, cubes * sizeof *nets.vertices);
        draft->is_out_of_memory = nets.vertices == NULL;
        good =
            nets.vertices != NULL ? add_vertices(&nets) && add_faces(&nets) : fail(&map, "no memory for a label map");
    }
    cg_memory_give(allocator, nets.vertices);
    cg_memory_give(allocator, inside);
    cg_memory_give(allocator, map.unpacked);
    return good && inside != NULL;
}
