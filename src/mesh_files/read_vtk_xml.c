// VTK's XML: unstructured grids (.vtu) and polygons (.vtp).
//
//     <VTKFile type byte_order header_type compressor> <UnstructuredGrid> <Piece NumberOfPoints NumberOfCells>
//     <Points> <DataArray>, <Cells> <DataArray Name="connectivity">, "offsets", "types", <CellData> ...
//     <PolyData> <Piece> <Points>, <Polys> connectivity and offsets, <Strips>
//     <AppendedData encoding="raw" or "base64"> _ bytes
//
// Numbers of an array are text ("ascii"), base64 ("binary"), or at an offset in the appended part ("appended"). Packed
// or not, bytes begin with a head of 4 or 8 bytes a number: how many bytes there are; packed by zlib: blocks, bytes of
// a block, bytes of the last one if that is shorter, packed bytes of each.
#include <string.h>

#include "base/memory.h"
#include "mesh_files/inflate.h"
#include "mesh_files/volume_parts.h"

enum { MOST_BYTES = 1 << 30 };

// Arrays of a piece that count.
enum { POINTS, CONNECTIVITY, OFFSETS, TYPES, REGIONS, POLYS, POLY_OFFSETS, STRIPS, STRIP_OFFSETS, ARRAY_COUNT };

struct array {
    double *values;
    int64_t count;
    cg_file_place place;
};

struct xml {
    cg_volume_draft *draft;
    cg_cursor cursor;
    bool is_big, is_zlib;
    int head_bytes;
    const char *appended, *end; // NULL: none
    bool is_raw;
    cg_word section; // that arrays are in
    int64_t point_count;
    struct array arrays[ARRAY_COUNT];
};

struct tag {
    cg_word name;
    const char *attributes, *end;
    bool closes, is_empty;
};

static bool fail(struct xml *xml, cg_file_place place, const char *sentence)
{
    return cg_scene_error_at(xml->draft->error, place.line, place.column, "%s", sentence);
}

static cg_file_place here(const struct xml *xml)
{
    return (cg_file_place){xml->cursor.line, cg_cursor_column(&xml->cursor)};
}

// --- tags ---

// The next tag; false at the end of the text. Comments and declarations are passed over.
static bool next_tag(struct xml *xml, struct tag *tag)
{
    cg_cursor *cursor = &xml->cursor;
    while (cursor->at < cursor->end) {
        if (*cursor->at != '<') {
            cg_cursor_step(cursor);
            continue;
        }
        bool is_comment = cursor->end - cursor->at >= 4 && memcmp(cursor->at, "<!--", 4) == 0;
        cg_cursor_step(cursor);
        tag->closes = cursor->at < cursor->end && *cursor->at == '/';
        if (tag->closes) {
            cg_cursor_step(cursor);
        }
        tag->name = (cg_word){.text = cursor->at, .line = cursor->line, .column = cg_cursor_column(cursor)};
        while (cursor->at < cursor->end && *cursor->at != '>' && *cursor->at != ' ' && *cursor->at != '/' &&
               *cursor->at != '\n' && *cursor->at != '\r' && *cursor->at != '\t') {
            cg_cursor_step(cursor);
        }
        tag->name.length = (size_t)(cursor->at - tag->name.text);
        tag->attributes = cursor->at;
        while (cursor->at < cursor->end &&
               (*cursor->at != '>' || (is_comment && memcmp(cursor->at - 2, "--", 2) != 0))) {
            cg_cursor_step(cursor);
        }
        tag->end = cursor->at;
        if (cursor->at == cursor->end) {
            return false;
        }
        tag->is_empty = tag->end[-1] == '/';
        cg_cursor_step(cursor);
        if (tag->name.length > 0 && tag->name.text[0] != '?' && tag->name.text[0] != '!') {
            return true;
        }
    }
    return false;
}

// The value of an attribute, without its quotes; of length 0 where there is none.
static cg_word attribute(const struct tag *tag, const char *name)
{
    cg_word none = {.text = tag->attributes, .line = tag->name.line, .column = tag->name.column};
    size_t length = strlen(name);
    for (const char *p = tag->attributes; p + length + 2 < tag->end; p++) {
        bool begins = p[0] == ' ' || p[0] == '\n' || p[0] == '\t' || p[0] == '\r';
        if (!begins || memcmp(p + 1, name, length) != 0) {
            continue;
        }
        const char *q = p + 1 + length;
        while (q < tag->end && (*q == ' ' || *q == '=')) {
            q++;
        }
        if (q < tag->end && (*q == '"' || *q == '\'') && q > p + 1 + length) {
            const char *close = memchr(q + 1, *q, (size_t)(tag->end - q - 1));
            none.text = q + 1;
            none.length = close == NULL ? 0 : (size_t)(close - q - 1);
            return none;
        }
    }
    return none;
}

static int64_t count_attribute(const struct tag *tag, const char *name, int64_t otherwise)
{
    cg_word word = attribute(tag, name);
    cg_scene_error ignored;
    int64_t value;
    return word.length > 0 && cg_word_whole(&word, &ignored, "", &value) && value >= 0 ? value : otherwise;
}

// --- bytes of an array ---

// Where an array's bytes come from.
struct source {
    const char *text, *end;
    bool is_raw;
};

// The first `wanted` bytes, into memory to be given back; NULL with an error.
static unsigned char *load(struct xml *xml, const struct source *source, size_t wanted, cg_file_place place)
{
    size_t most = (size_t)(source->end - source->text);
    unsigned char *bytes = NULL;
    if (wanted > most) {
        fail(xml, place, "found an array whose bytes end too soon");
        return NULL;
    }
    bytes = cg_memory_take(&xml->draft->def->allocator, wanted);
    if (bytes == NULL) {
        xml->draft->is_out_of_memory = true;
        fail(xml, place, "no memory for the bytes of an array");
        return NULL;
    }
    if (source->is_raw) {
        memcpy(bytes, source->text, wanted);
    } else if (cg_base64_decode(source->text, source->end, bytes, wanted) != wanted) {
        cg_memory_give(&xml->draft->def->allocator, bytes);
        fail(xml, place, "found an array whose base64 text ends too soon");
        return NULL;
    }
    return bytes;
}

static bool head_number(struct xml *xml, const struct source *source, int index, uint64_t *value, cg_file_place place)
{
    size_t size = (size_t)xml->head_bytes;
    unsigned char *bytes = load(xml, source, size * (size_t)(index + 1), place);
    if (bytes == NULL) {
        return false;
    }
    *value = cg_whole_of_bytes(bytes + size * (size_t)index, xml->head_bytes, xml->is_big);
    cg_memory_give(&xml->draft->def->allocator, bytes);
    return true;
}

static bool unpack_blocks(struct xml *xml, const unsigned char *packed, const uint64_t head[3], unsigned char *bytes,
                          cg_file_place place)
{
    size_t size = (size_t)xml->head_bytes;
    const unsigned char *from = packed + size * (size_t)(3 + head[0]);
    for (uint64_t block = 0; block < head[0]; block++) {
        bool is_short = block + 1 == head[0] && head[2] > 0;
        uint64_t packed_size = cg_whole_of_bytes(packed + size * (size_t)(3 + block), xml->head_bytes, xml->is_big);
        size_t made = (size_t)(is_short ? head[2] : head[1]);
        const char *fault = cg_inflate_zlib(from, (size_t)packed_size, bytes, made);
        if (fault != NULL) {
            return cg_scene_error_at(xml->draft->error, place.line, place.column, "found %s; expected an array", fault);
        }
        from += packed_size;
        bytes += made;
    }
    return true;
}

// All bytes of an array that is packed by zlib.
static unsigned char *load_packed(struct xml *xml, const struct source *source, size_t *count, cg_file_place place)
{
    const cg_allocator *allocator = &xml->draft->def->allocator;
    uint64_t head[3], total = 0;
    size_t size = (size_t)xml->head_bytes;
    for (int k = 0; k < 3; k++) {
        if (!head_number(xml, source, k, &head[k], place)) {
            return NULL;
        }
    }
    uint64_t most = (uint64_t)(source->end - source->text);
    if (head[0] > most / size || head[1] > MOST_BYTES || head[2] > head[1] || head[0] * head[1] > MOST_BYTES) {
        fail(xml, place, "found the head of a packed array with impossible sizes");
        return NULL;
    }
    unsigned char *sizes = load(xml, source, size * (size_t)(3 + head[0]), place);
    for (uint64_t block = 0; sizes != NULL && block < head[0] && total <= most; block++) {
        uint64_t one = cg_whole_of_bytes(sizes + size * (size_t)(3 + block), xml->head_bytes, xml->is_big);
        total += one <= most ? one : most + 1;
    }
    cg_memory_give(allocator, sizes);
    unsigned char *packed =
        sizes == NULL ? NULL : load(xml, source, size * (size_t)(3 + head[0]) + (size_t)total, place);
    if (packed == NULL) {
        return NULL;
    }
    *count = head[0] == 0 ? 0 : (size_t)((head[0] - (head[2] > 0)) * head[1] + head[2]);
    unsigned char *bytes = cg_memory_take(allocator, *count);
    if (bytes == NULL) {
        xml->draft->is_out_of_memory = true;
        fail(xml, place, "no memory for the bytes of an array");
    } else if (!unpack_blocks(xml, packed, head, bytes, place)) {
        cg_memory_give(allocator, bytes);
        bytes = NULL;
    }
    cg_memory_give(allocator, packed);
    return bytes;
}

static unsigned char *load_plain(struct xml *xml, const struct source *source, size_t *count, cg_file_place place)
{
    uint64_t size;
    if (!head_number(xml, source, 0, &size, place)) {
        return NULL;
    }
    if (size > MOST_BYTES) {
        fail(xml, place, "found an array of more than a gigabyte");
        return NULL;
    }
    unsigned char *bytes = load(xml, source, (size_t)size + (size_t)xml->head_bytes, place);
    if (bytes != NULL) {
        memmove(bytes, bytes + xml->head_bytes, (size_t)size);
        *count = (size_t)size;
    }
    return bytes;
}

// --- numbers of an array ---

static bool keep_bytes(struct xml *xml, struct array *array, const struct source *source, const cg_word *type,
                       cg_file_place place)
{
    static const struct {
        const char *name;
        int bytes;
        bool is_real, is_signed;
    } types[] = {{"Float32", 4, true, true}, {"Float64", 8, true, true},  {"Int8", 1, false, true},
                 {"UInt8", 1, false, false}, {"Int16", 2, false, true},   {"UInt16", 2, false, false},
                 {"Int32", 4, false, true},  {"UInt32", 4, false, false}, {"Int64", 8, false, true},
                 {"UInt64", 8, false, true}};
    size_t kind = 0, size = 0;
    while (kind < sizeof types / sizeof *types && !cg_word_is(type, types[kind].name)) {
        kind++;
    }
    if (kind == sizeof types / sizeof *types) {
        return cg_word_unexpected(type, xml->draft->error, "a type of numbers, such as Float32 or Int64");
    }
    unsigned char *bytes =
        xml->is_zlib ? load_packed(xml, source, &size, place) : load_plain(xml, source, &size, place);
    if (bytes == NULL) {
        return false;
    }
    array->count = (int64_t)(size / (size_t)types[kind].bytes);
    array->values = cg_memory_take(&xml->draft->def->allocator, (size_t)array->count * sizeof *array->values);
    cg_stream stream = cg_stream_of(bytes, size, xml->draft->error);
    stream.is_binary = true;
    stream.is_big = xml->is_big;
    for (int64_t i = 0; array->values != NULL && i < array->count; i++) {
        int64_t value;
        if (types[kind].is_real) {
            cg_stream_real(&stream, types[kind].bytes, "", &array->values[i]);
        } else if (cg_stream_whole(&stream, types[kind].bytes, types[kind].is_signed, "", &value)) {
            array->values[i] = (double)value;
        }
    }
    cg_memory_give(&xml->draft->def->allocator, bytes);
    xml->draft->is_out_of_memory = array->values == NULL;
    return array->values != NULL || fail(xml, place, "no memory for the numbers of an array");
}

static bool keep_text(struct xml *xml, struct array *array)
{
    const cg_allocator *allocator = &xml->draft->def->allocator;
    size_t room = 0;
    for (;;) {
        cg_cursor ahead = xml->cursor;
        cg_word word = cg_cursor_next_word(&ahead);
        const char *bracket = memchr(word.text, '<', word.length);
        if (bracket != NULL) {
            word.length = (size_t)(bracket - word.text);
        }
        if (word.length == 0) {
            return true;
        }
        if ((size_t)array->count == room) {
            room = room == 0 ? 256 : 2 * room;
            if (!cg_memory_grow(allocator, (void **)&array->values, (size_t)array->count * sizeof *array->values,
                                room * sizeof *array->values)) {
                xml->draft->is_out_of_memory = true;
                return fail(xml, array->place, "no memory for the numbers of an array");
            }
        }
        if (!cg_word_number(&word, xml->draft->error, "a number", &array->values[array->count])) {
            return false;
        }
        array->count++;
        if (bracket != NULL) {
            ahead.at = bracket;
        }
        xml->cursor = ahead;
    }
}

// Which array of a piece it is; ARRAY_COUNT: none that counts.
static int array_of(const struct xml *xml, const struct tag *tag)
{
    cg_word name = attribute(tag, "Name"), components = attribute(tag, "NumberOfComponents");
    bool is_connectivity = cg_word_is(&name, "connectivity"), is_offsets = cg_word_is(&name, "offsets");
    if (cg_word_is(&xml->section, "Points")) {
        return POINTS;
    }
    if (cg_word_is(&xml->section, "Cells")) {
        return is_connectivity ? CONNECTIVITY
                               : (is_offsets ? OFFSETS : (cg_word_is(&name, "types") ? TYPES : ARRAY_COUNT));
    }
    if (cg_word_is(&xml->section, "Polys")) {
        return is_connectivity ? POLYS : (is_offsets ? POLY_OFFSETS : ARRAY_COUNT);
    }
    if (cg_word_is(&xml->section, "Strips")) {
        return is_connectivity ? STRIPS : (is_offsets ? STRIP_OFFSETS : ARRAY_COUNT);
    }
    cg_word type = attribute(tag, "type");
    bool is_whole = type.length > 0 && (type.text[0] == 'I' || type.text[0] == 'U');
    bool is_one = components.length == 0 || cg_word_is(&components, "1");
    return cg_word_is(&xml->section, "CellData") && is_whole && is_one && xml->arrays[REGIONS].values == NULL
               ? REGIONS
               : ARRAY_COUNT;
}

static bool read_array(struct xml *xml, const struct tag *tag)
{
    int which = array_of(xml, tag);
    if (which == ARRAY_COUNT || xml->arrays[which].values != NULL) {
        return true;
    }
    struct array *array = &xml->arrays[which];
    array->place = here(xml);
    cg_word format = attribute(tag, "format"), type = attribute(tag, "type");
    if (cg_word_is(&format, "ascii") || format.length == 0) {
        return keep_text(xml, array);
    }
    struct source source = {.text = xml->cursor.at, .end = xml->cursor.end, .is_raw = false};
    if (cg_word_is(&format, "appended")) {
        int64_t offset = count_attribute(tag, "offset", -1);
        if (xml->appended == NULL || offset < 0 || offset > xml->end - xml->appended) {
            return fail(xml, array->place, "found an array beyond the appended data; expected an offset in it");
        }
        source = (struct source){.text = xml->appended + offset, .end = xml->end, .is_raw = xml->is_raw};
    } else if (!cg_word_is(&format, "binary")) {
        return cg_word_unexpected(&format, xml->draft->error, "ascii, binary or appended");
    }
    return keep_bytes(xml, array, &source, &type, array->place);
}

// --- a piece ---

static void clear_arrays(struct xml *xml)
{
    for (int i = 0; i < ARRAY_COUNT; i++) {
        cg_memory_give(&xml->draft->def->allocator, xml->arrays[i].values);
        xml->arrays[i] = (struct array){.place = {1, 1}};
    }
}

static bool add_lists(struct xml *xml, int base, int nodes, int offsets, int type_of_all)
{
    const struct array *connectivity = &xml->arrays[nodes], *ends = &xml->arrays[offsets];
    const struct array *types = &xml->arrays[TYPES], *regions = &xml->arrays[REGIONS];
    int corners[CG_SURFACE_CORNERS], points = xml->draft->point_count - base;
    int64_t from = 0;
    if (type_of_all == 0 && types->count != ends->count) {
        return fail(xml, ends->place, "found another number of types than of cells; expected as many");
    }
    for (int64_t i = 0; i < ends->count; i++) {
        double end = ends->values[i];
        if (!(end >= (double)from && end <= (double)connectivity->count && end - (double)from <= CG_SURFACE_CORNERS)) {
            return fail(xml, ends->place, "found an offset that is beyond the nodes, or behind the one before");
        }
        int count = (int)(end - (double)from);
        for (int k = 0; k < count; k++) {
            double node = connectivity->values[from + k];
            if (!(node >= 0 && node < points)) {
                return cg_scene_error_at(xml->draft->error, connectivity->place.line, connectivity->place.column,
                                         "found point %g in cell %lld; expected 0 to %d", node, (long long)i,
                                         points - 1);
            }
            corners[k] = base + (int)node;
        }
        from = (int64_t)end;
        double region = type_of_all == 0 && i < regions->count ? regions->values[i] : 0;
        int64_t type = type_of_all;
        if (type_of_all == 0) { // what is no number of a type is no type that counts
            type = types->values[i] >= 0 && types->values[i] < 256 ? (int64_t)types->values[i] : 0;
        }
        if (!cg_volume_add_vtk_cell(xml->draft, type, corners, count, region > 0 && region < 1e9 ? (int)region : 0,
                                    connectivity->place)) {
            return false;
        }
    }
    return true;
}

static bool finish_piece(struct xml *xml)
{
    const struct array *points = &xml->arrays[POINTS];
    int base = xml->draft->point_count;
    if (points->count != 3 * xml->point_count) {
        return cg_scene_error_at(xml->draft->error, xml->section.line > 0 ? xml->section.line : 1, 1,
                                 "found %lld coordinates of %lld points; expected three each", (long long)points->count,
                                 (long long)xml->point_count);
    }
    for (int64_t i = 0; i < xml->point_count; i++) {
        const double *x = points->values + 3 * i;
        if (!cg_volume_add_point(xml->draft, (cg_vec3){x[0], x[1], x[2]}, points->place)) {
            return false;
        }
    }
    return add_lists(xml, base, CONNECTIVITY, OFFSETS, 0) && add_lists(xml, base, POLYS, POLY_OFFSETS, 7) &&
           add_lists(xml, base, STRIPS, STRIP_OFFSETS, 6);
}

// --- the file ---

static bool read_head(struct xml *xml, const struct tag *tag)
{
    cg_word order = attribute(tag, "byte_order"), head = attribute(tag, "header_type");
    cg_word compressor = attribute(tag, "compressor"), type = attribute(tag, "type");
    if (!cg_word_is(&type, "UnstructuredGrid") && !cg_word_is(&type, "PolyData")) {
        return cg_word_unexpected(&type, xml->draft->error, "a file of type UnstructuredGrid or PolyData");
    }
    xml->is_big = cg_word_is(&order, "BigEndian");
    xml->head_bytes = cg_word_is(&head, "UInt64") ? 8 : 4;
    xml->is_zlib = cg_word_is(&compressor, "vtkZLibDataCompressor");
    return xml->is_zlib || compressor.length == 0 ||
           cg_word_unexpected(&compressor, xml->draft->error, "no compressor, or vtkZLibDataCompressor");
}

// The appended part is behind all arrays that point into it.
static void find_appended(struct xml *xml, const char *text, size_t size)
{
    static const char name[] = "<AppendedData";
    for (const char *p = text; p + sizeof name < text + size; p++) {
        if (*p == '<' && memcmp(p, name, sizeof name - 1) == 0) {
            struct tag tag = {.attributes = p + sizeof name - 1};
            tag.end = memchr(p, '>', (size_t)(text + size - p));
            const char *mark = tag.end == NULL ? NULL : memchr(tag.end, '_', (size_t)(text + size - tag.end));
            if (mark != NULL) {
                cg_word encoding = attribute(&tag, "encoding");
                xml->is_raw = cg_word_is(&encoding, "raw");
                xml->appended = mark + 1;
                xml->end = text + size;
                xml->cursor.end = p; // tags end here
            }
            return;
        }
    }
}

bool cg_volume_read_vtk_xml(cg_volume_draft *draft, const void *bytes, size_t size)
{
    struct xml xml = {.draft = draft, .cursor = cg_stream_of(bytes, size, draft->error).cursor};
    struct tag tag;
    bool good = true, has_head = false;
    clear_arrays(&xml);
    find_appended(&xml, bytes, size);
    while (good && next_tag(&xml, &tag)) {
        if (cg_word_is(&tag.name, "VTKFile") && !tag.closes) {
            has_head = good = read_head(&xml, &tag);
        } else if (!has_head) {
            good = cg_word_unexpected(&tag.name, draft->error, "<VTKFile ...>");
        } else if (cg_word_is(&tag.name, "Piece")) {
            good = !tag.closes || finish_piece(&xml);
            clear_arrays(&xml);
            xml.point_count = count_attribute(&tag, "NumberOfPoints", 0);
        } else if (cg_word_is(&tag.name, "DataArray")) {
            good = tag.closes || read_array(&xml, &tag);
        } else if (!tag.closes) {
            xml.section = tag.name;
        }
    }
    clear_arrays(&xml);
    return good && (has_head || cg_scene_error_at(draft->error, 1, 1, "found no <VTKFile ...>; expected it"));
}
