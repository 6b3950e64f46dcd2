// Gmsh, versions 1, 2 and 4.1. Text:
//
//     $NOD, count, lines of number x y z, $ENDNOD                                 version 1
//     $ELM, count, lines of number type physical elementary corners nodes, $ENDELM
//     $MeshFormat, 2.2 0 8, $EndMeshFormat                                        version 2
//     $Nodes as in 1; $Elements: number type tags..., the first tag physical, nodes
//     4.1: $Entities gives the physical group of each volume; nodes and elements come in blocks, one an entity
//
// Binary files (2 and 4.1: "2.2 1 8") have the same headings; behind "$MeshFormat" stands a one, which tells the order
// of bytes. In 4.1 counts are 8 bytes and numbers of entities 4. Version 4.0 has another order and is refused.
#include <string.h>

#include "base/memory.h"
#include "mesh_files/volume_parts.h"

// Nodes of an element, by the number of its type; 0: none of Gmsh's.
static const int node_counts[] = {0,  2,  3,  4,  4, 8, 6, 5,  3,  6,  9, 10, 27, 18, 14, 1, 8, 20, 15, 13, 9, 10,
                                  12, 15, 15, 21, 4, 5, 6, 20, 35, 56, 0, 0,  0,  0,  0,  0, 0, 0,  0,  0,  0, 0};
enum {
    TYPE_COUNT = sizeof node_counts / sizeof *node_counts,
    MOST_NODES = 56,
    TRIANGLE = 2,
    QUAD = 3,
    TETRAHEDRON = 4,
    TRIANGLE_6 = 9,
    TETRAHEDRON_10 = 11,
    TETRAHEDRON_20 = 29,
    TETRAHEDRON_56 = 31
};

struct gmsh {
    cg_volume_draft *draft;
    cg_stream stream;
    double version;
    int word;                // bytes of a count: 8, or 4 before version 4
    cg_number_table regions; // of the volumes of version 4, by their numbers
};

static bool fail(struct gmsh *gmsh, const char *sentence)
{
    cg_file_place place = cg_stream_place(&gmsh->stream);
    return cg_scene_error_at(gmsh->draft->error, place.line, place.column, "%s", sentence);
}

static bool whole(struct gmsh *gmsh, int bytes, const char *expected, int64_t *value)
{
    return cg_stream_whole(&gmsh->stream, bytes, true, expected, value);
}

// --- the head ---

static bool read_format(struct gmsh *gmsh)
{
    cg_stream *stream = &gmsh->stream;
    gmsh->version = 1;
    if (!cg_stream_seek(stream, "$MeshFormat")) {
        gmsh->word = 4;
        return true;
    }
    int64_t is_binary, size;
    cg_stream_word(stream);
    cg_word version = cg_cursor_next_word(&stream->cursor);
    if (!cg_word_number(&version, stream->error, "the version of the format", &gmsh->version) ||
        !whole(gmsh, 4, "0 for text or 1 for binary", &is_binary) || !whole(gmsh, 4, "the size of a number", &size)) {
        return false;
    }
    bool is_known = (gmsh->version >= 2 && gmsh->version < 3) || (gmsh->version >= 4.1 && gmsh->version < 4.2);
    if (!is_known || size != 8) {
        return cg_scene_error_at(stream->error, version.line, version.column,
                                 "found version %g with numbers of %lld bytes; expected 1, 2.x or 4.1 with 8 bytes",
                                 gmsh->version, (long long)size);
    }
    gmsh->word = gmsh->version >= 4 ? 8 : 4;
    if (is_binary != 0) {
        cg_cursor_skip_line(&stream->cursor);
        if (cg_stream_left(stream) < 4) {
            return fail(gmsh, "found the end; expected the bytes that tell their order");
        }
        const unsigned char *one = (const unsigned char *)stream->cursor.at;
        stream->is_big = cg_whole_of_bytes(one, 4, true) == 1;
        if (!stream->is_big && cg_whole_of_bytes(one, 4, false) != 1) {
            return fail(gmsh, "found bytes that are no 1; expected the number that tells their order");
        }
        stream->cursor.at += 4;
        stream->is_binary = true;
    }
    return true;
}

// To what stands behind a heading.
static bool enter(struct gmsh *gmsh, const char *heading)
{
    if (!cg_stream_seek(&gmsh->stream, heading)) {
        cg_file_place place = cg_stream_place(&gmsh->stream);
        return cg_scene_error_at(gmsh->draft->error, place.line, place.column,
                                 "found no %s after this place; expected it", heading);
    }
    cg_cursor_skip_line(&gmsh->stream.cursor);
    return true;
}

// --- versions 1 and 2 ---

static bool read_nodes(struct gmsh *gmsh)
{
    int64_t count;
    cg_file_place place = cg_stream_place(&gmsh->stream);
    bool was_binary = gmsh->stream.is_binary;
    gmsh->stream.is_binary = false; // the count is text
    if (!whole(gmsh, 4, "the number of nodes", &count)) {
        return false;
    }
    gmsh->stream.is_binary = was_binary;
    if (was_binary) {
        cg_cursor_skip_line(&gmsh->stream.cursor);
    }
    if (!cg_volume_expect(gmsh->draft, count, was_binary ? 28 : 8, cg_stream_left(&gmsh->stream) + 1, "nodes", place)) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t number;
        cg_vec3 point;
        if (!whole(gmsh, 4, "the number of a node", &number)) {
            return false;
        }
        place = cg_stream_place(&gmsh->stream);
        if (!cg_stream_point(&gmsh->stream, 8, &point) || !cg_volume_add_numbered(gmsh->draft, number, point, place)) {
            return false;
        }
    }
    return true;
}

static bool check_type(struct gmsh *gmsh, int64_t type)
{
    if (type >= 1 && type < TYPE_COUNT && node_counts[type] > 0) {
        return true;
    }
    cg_file_place place = cg_stream_place(&gmsh->stream);
    return cg_scene_error_at(gmsh->draft->error, place.line, place.column,
                             "found an element of type %lld; expected 1 to 31, as Gmsh numbers them", (long long)type);
}

// The nodes of one element, and what it is.
static bool read_element(struct gmsh *gmsh, int type, int bytes, int region)
{
    cg_volume_draft *draft = gmsh->draft;
    int64_t number;
    int corners[MOST_NODES];
    bool is_cell = type == TETRAHEDRON || type == TETRAHEDRON_10 || (type >= TETRAHEDRON_20 && type <= TETRAHEDRON_56);
    bool is_face = type == TRIANGLE || type == QUAD || type == TRIANGLE_6;
    for (int k = 0; k < node_counts[type]; k++) {
        if (!whole(gmsh, bytes, "the number of a node", &number)) {
            return false;
        }
        bool is_corner = (is_cell && k < 4) || (is_face && k < (type == QUAD ? 4 : 3));
        if (is_corner && !cg_volume_find_point(draft, number, cg_stream_place(&gmsh->stream), &corners[k])) {
            return false;
        }
    }
    if (is_cell) {
        draft->quadratic_cells += type != TETRAHEDRON;
        return cg_volume_add_cell(draft, corners, region);
    }
    if (is_face) {
        return cg_volume_add_polygon(draft, corners, type == QUAD ? 4 : 3, cg_stream_place(&gmsh->stream));
    }
    draft->other_items++;
    return true;
}

static int as_region(int64_t number)
{
    return number > 0 && number <= INT32_MAX ? (int)number : 0;
}

// A line of version 1 or 2.
static bool read_element_line(struct gmsh *gmsh)
{
    int64_t number, type, tags = 2, tag, region = 0;
    if (!whole(gmsh, 4, "the number of an element", &number) || !whole(gmsh, 4, "the type of an element", &type) ||
        !check_type(gmsh, type)) {
        return false;
    }
    if (gmsh->version < 2) {
        int64_t nodes;
        if (!whole(gmsh, 4, "a physical group", &region) || !whole(gmsh, 4, "a region", &tag) ||
            !whole(gmsh, 4, "the number of nodes", &nodes)) {
            return false;
        }
        if (nodes != node_counts[type]) {
            return fail(gmsh, "found another number of nodes than the type of the element has");
        }
        return read_element(gmsh, (int)type, 4, as_region(region));
    }
    if (!whole(gmsh, 4, "the number of tags", &tags)) {
        return false;
    }
    for (int64_t k = 0; k < tags; k++) {
        if (!whole(gmsh, 4, "a tag", &tag)) {
            return false;
        }
        region = k == 0 ? tag : region;
    }
    return read_element(gmsh, (int)type, 4, as_region(region));
}

// Binary elements of version 2 come in blocks of one type.
static bool read_element_block(struct gmsh *gmsh, int64_t *left)
{
    int64_t type, count, tags, tag, number, region;
    if (!whole(gmsh, 4, "the type of elements", &type) || !check_type(gmsh, type) ||
        !whole(gmsh, 4, "the number of elements", &count) || !whole(gmsh, 4, "the number of tags", &tags)) {
        return false;
    }
    if (count < 1 || count > *left || tags < 0 || tags > 1000) {
        return fail(gmsh, "found a block with more elements or tags than there can be");
    }
    for (int64_t i = 0; i < count; i++) {
        region = 0;
        if (!whole(gmsh, 4, "the number of an element", &number)) {
            return false;
        }
        for (int64_t k = 0; k < tags; k++) {
            if (!whole(gmsh, 4, "a tag", &tag)) {
                return false;
            }
            region = k == 0 ? tag : region;
        }
        if (!read_element(gmsh, (int)type, 4, as_region(region))) {
            return false;
        }
    }
    *left -= count;
    return true;
}

static bool read_elements(struct gmsh *gmsh)
{
    int64_t count;
    bool is_binary = gmsh->stream.is_binary;
    cg_file_place place = cg_stream_place(&gmsh->stream);
    gmsh->stream.is_binary = false;
    if (!whole(gmsh, 4, "the number of elements", &count)) {
        return false;
    }
    gmsh->stream.is_binary = is_binary;
    if (is_binary) {
        cg_cursor_skip_line(&gmsh->stream.cursor);
    }
    if (!cg_volume_expect(gmsh->draft, count, 8, cg_stream_left(&gmsh->stream) + 1, "elements", place)) {
        return false;
    }
    while (count > 0) {
        if (is_binary ? !read_element_block(gmsh, &count) : !read_element_line(gmsh)) {
            return false;
        }
        count -= !is_binary;
    }
    return true;
}

// --- version 4.1 ---

static bool note_region(struct gmsh *gmsh, int64_t volume, int64_t region)
{
    // Few: a plain list.
    cg_number_table *table = &gmsh->regions;
    const cg_allocator *allocator = &gmsh->draft->def->allocator;
    if (table->count == table->room) {
        size_t room = table->room == 0 ? 16 : 2 * table->room;
        if (!cg_memory_grow(allocator, (void **)&table->keys, table->count * sizeof *table->keys,
                            room * sizeof *table->keys) ||
            !cg_memory_grow(allocator, (void **)&table->values, table->count * sizeof *table->values,
                            room * sizeof *table->values)) {
            gmsh->draft->is_out_of_memory = true;
            return fail(gmsh, "no memory for the regions of a mesh");
        }
        table->room = room;
    }
    table->keys[table->count] = volume;
    table->values[table->count++] = as_region(region);
    return true;
}

static int region_of(const struct gmsh *gmsh, int64_t volume)
{
    for (size_t i = 0; i < gmsh->regions.count; i++) {
        if (gmsh->regions.keys[i] == volume) {
            return gmsh->regions.values[i];
        }
    }
    return 0;
}

static bool read_entity(struct gmsh *gmsh, int dimension)
{
    int64_t number, count, group, first = 0;
    double ignored;
    if (!whole(gmsh, 4, "the number of an entity", &number)) {
        return false;
    }
    for (int k = 0; k < (dimension == 0 ? 3 : 6); k++) {
        if (!cg_stream_real(&gmsh->stream, 8, "a coordinate of an entity", &ignored)) {
            return false;
        }
    }
    for (int list = 0; list < (dimension == 0 ? 1 : 2); list++) { // groups, then what bounds it
        if (!whole(gmsh, 8, "the length of a list of an entity", &count)) {
            return false;
        }
        for (int64_t k = 0; k < count; k++) {
            if (!whole(gmsh, 4, "a number of a list of an entity", &group)) {
                return false;
            }
            first = list == 0 && k == 0 ? group : first;
        }
    }
    return dimension < 3 || note_region(gmsh, number, first);
}

static bool read_entities(struct gmsh *gmsh)
{
    int64_t counts[4];
    for (int dimension = 0; dimension < 4; dimension++) {
        if (!whole(gmsh, 8, "the number of entities", &counts[dimension])) {
            return false;
        }
    }
    for (int dimension = 0; dimension < 4; dimension++) {
        for (int64_t i = 0; i < counts[dimension]; i++) {
            if (!read_entity(gmsh, dimension)) {
                return false;
            }
        }
    }
    return true;
}

// Numbers of the nodes of a block come before their places.
static bool read_node_block(struct gmsh *gmsh)
{
    int64_t dimension, entity, is_parametric, count, number;
    if (!whole(gmsh, 4, "the dimension of an entity", &dimension) || !whole(gmsh, 4, "an entity", &entity) ||
        !whole(gmsh, 4, "0 or 1", &is_parametric) || !whole(gmsh, 8, "the number of nodes", &count)) {
        return false;
    }
    cg_file_place place = cg_stream_place(&gmsh->stream);
    if (!cg_volume_expect(gmsh->draft, count, gmsh->stream.is_binary ? 32 : 8, cg_stream_left(&gmsh->stream) + 1,
                          "nodes", place)) {
        return false;
    }
    cg_stream numbers = gmsh->stream;
    for (int64_t i = 0; i < count; i++) {
        if (!whole(gmsh, 8, "the number of a node", &number)) {
            return false;
        }
    }
    for (int64_t i = 0; i < count; i++) {
        cg_vec3 point;
        double ignored;
        place = cg_stream_place(&gmsh->stream);
        if (!cg_stream_whole(&numbers, 8, true, "the number of a node", &number) ||
            !cg_stream_point(&gmsh->stream, 8, &point) || !cg_volume_add_numbered(gmsh->draft, number, point, place)) {
            return false;
        }
        for (int64_t k = 0; is_parametric != 0 && k < dimension && k < 3; k++) {
            if (!cg_stream_real(&gmsh->stream, 8, "a parameter of a node", &ignored)) {
                return false;
            }
        }
    }
    return true;
}

static bool read_new_element_block(struct gmsh *gmsh)
{
    int64_t dimension, entity, type, count, number;
    if (!whole(gmsh, 4, "the dimension of an entity", &dimension) || !whole(gmsh, 4, "an entity", &entity) ||
        !whole(gmsh, 4, "the type of elements", &type) || !whole(gmsh, 8, "the number of elements", &count) ||
        !check_type(gmsh, type)) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        if (!whole(gmsh, 8, "the number of an element", &number) ||
            !read_element(gmsh, (int)type, 8, dimension == 3 ? region_of(gmsh, entity) : 0)) {
            return false;
        }
    }
    return true;
}

static bool read_blocks(struct gmsh *gmsh, bool (*read)(struct gmsh *gmsh))
{
    int64_t head[4]; // blocks, items, least and greatest number
    for (int k = 0; k < 4; k++) {
        if (!whole(gmsh, 8, "a number of the head of a section", &head[k])) {
            return false;
        }
    }
    for (int64_t i = 0; i < head[0]; i++) {
        if (!read(gmsh)) {
            return false;
        }
    }
    return true;
}

static bool read_version_4(struct gmsh *gmsh)
{
    cg_stream start = gmsh->stream;
    if (cg_stream_seek(&gmsh->stream, "$Entities")) {
        cg_cursor_skip_line(&gmsh->stream.cursor);
        if (!read_entities(gmsh)) {
            return false;
        }
    } else {
        gmsh->stream = start;
    }
    return enter(gmsh, "$Nodes") && read_blocks(gmsh, read_node_block) && enter(gmsh, "$Elements") &&
           read_blocks(gmsh, read_new_element_block);
}

bool cg_volume_read_gmsh(cg_volume_draft *draft, const void *bytes, size_t size)
{
    struct gmsh gmsh = {.draft = draft, .stream = cg_stream_of(bytes, size, draft->error)};
    if (!read_format(&gmsh)) {
        return false;
    }
    bool is_first = gmsh.version < 2;
    bool good = gmsh.version >= 4 ? read_version_4(&gmsh)
                                  : enter(&gmsh, is_first ? "$NOD" : "$Nodes") && read_nodes(&gmsh) &&
                                        enter(&gmsh, is_first ? "$ELM" : "$Elements") && read_elements(&gmsh);
    cg_memory_give(&draft->def->allocator, gmsh.regions.keys);
    cg_memory_give(&draft->def->allocator, gmsh.regions.values);
    return good;
}
