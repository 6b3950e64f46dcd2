// The text is read twice by the same code: first only to check and to measure, then, with the memory at hand, to build.
// So the tree needs one block, and a hostile text costs no memory before it is refused.
#include "scene/json.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"

struct cg_json_tree {
    cg_allocator allocator;
    const cg_json_value *root;
};

typedef struct parser {
    const char *at, *end;
    const char *line_start;
    int line, depth;
    bool building;
    cg_json_value *values;       // room for value_count of the first reading
    const cg_json_value **links; // items and sorted members
    char *text;                  // strings
    int value_count;
    size_t link_count, text_size;
    cg_scene_error *error;
} parser;

static int column_of(const parser *p, const char *at)
{
    return (int)(at - p->line_start) + 1;
}

// What stands at a place, for messages.
static const char *describe(const parser *p, const char *at, char *text, size_t room)
{
    if (at >= p->end) {
        snprintf(text, room, "the end of the text");
    } else if (*at == '\n' || *at == '\r') {
        snprintf(text, room, "the end of the line");
    } else if (*at > ' ' && *at <= '~') {
        snprintf(text, room, "'%c'", *at);
    } else {
        snprintf(text, room, "the byte 0x%02X", (unsigned)(unsigned char)*at);
    }
    return text;
}

static bool found_instead(const parser *p, const char *expected)
{
    char text[32];
    return cg_scene_error_at(p->error, p->line, column_of(p, p->at), "found %s; expected %s",
                             describe(p, p->at, text, sizeof text), expected);
}

// Characters

static bool step_character(parser *p)
{
    int length = cg_utf8_length(p->at, p->end);
    if (length == 0) {
        return found_instead(p, "text in UTF-8");
    }
    if (*p->at == '\n') {
        p->line++;
        p->line_start = p->at + 1;
    }
    p->at += length;
    return true;
}

static bool skip_comment(parser *p)
{
    int line = p->line, column = column_of(p, p->at);
    bool block = p->end - p->at >= 2 && p->at[1] == '*';
    if (!block && !(p->end - p->at >= 2 && p->at[1] == '/')) {
        p->at++;
        return found_instead(p, "a second '/' or a '*', as in // and /* comments */");
    }
    p->at += 2;
    while (p->at < p->end) {
        if (!block && *p->at == '\n') {
            return true;
        }
        if (block && p->end - p->at >= 2 && p->at[0] == '*' && p->at[1] == '/') {
            p->at += 2;
            return true;
        }
        if (!step_character(p)) {
            return false;
        }
    }
    return block ? cg_scene_error_at(p->error, line, column, "found a comment without an end; expected */") : true;
}

static bool skip_space(parser *p)
{
    while (p->at < p->end) {
        char c = *p->at;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            if (!step_character(p)) {
                return false;
            }
        } else if (c == '/') {
            if (!skip_comment(p)) {
                return false;
            }
        } else {
            return true;
        }
    }
    return true;
}

// Strings

static void put_byte(parser *p, unsigned byte)
{
    if (p->building) {
        p->text[p->text_size] = (char)byte;
    }
    p->text_size++;
}

static void put_code_point(parser *p, unsigned code)
{
    if (code < 0x80) {
        put_byte(p, code);
    } else if (code < 0x800) {
        put_byte(p, 0xC0 | code >> 6);
        put_byte(p, 0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put_byte(p, 0xE0 | code >> 12);
        put_byte(p, 0x80 | (code >> 6 & 0x3F));
        put_byte(p, 0x80 | (code & 0x3F));
    } else {
        put_byte(p, 0xF0 | code >> 18);
        put_byte(p, 0x80 | (code >> 12 & 0x3F));
        put_byte(p, 0x80 | (code >> 6 & 0x3F));
        put_byte(p, 0x80 | (code & 0x3F));
    }
}

// Four hexadecimal digits behind "\u".
static bool read_hex(parser *p, unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, p->at++) {
        char c = p->at < p->end ? *p->at : '\0';
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        digit = c >= 'A' && c <= 'F' ? c - 'A' + 10 : digit;
        if (digit < 0) {
            return found_instead(p, "four hexadecimal digits behind \\u");
        }
        *code = *code << 4 | (unsigned)digit;
    }
    return true;
}

static bool read_unicode_escape(parser *p)
{
    int column = column_of(p, p->at - 2);
    unsigned code, low;
    if (!read_hex(p, &code)) {
        return false;
    }
    if (code >= 0xD800 && code < 0xDC00 && p->end - p->at >= 2 && p->at[0] == '\\' && p->at[1] == 'u') {
        p->at += 2;
        if (!read_hex(p, &low)) {
            return false;
        }
        if (low < 0xDC00 || low > 0xDFFF) {
            return cg_scene_error_at(p->error, p->line, column,
                                     "found half a pair of surrogates; expected a whole one");
        }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code >= 0xD800 && code <= 0xDFFF) {
        return cg_scene_error_at(p->error, p->line, column, "found half a pair of surrogates; expected a whole one");
    }
    if (code == 0) {
        return cg_scene_error_at(p->error, p->line, column, "found the character \\u0000; expected any other");
    }
    put_code_point(p, code);
    return true;
}

static bool read_escape(parser *p)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    p->at++;
    const char *letter = p->at < p->end && *p->at != '\0' ? strchr(letters, *p->at) : NULL;
    if (letter != NULL) {
        put_byte(p, (unsigned char)meanings[letter - letters]);
        p->at++;
        return true;
    }
    if (p->at < p->end && *p->at == 'u') {
        p->at++;
        return read_unicode_escape(p);
    }
    return found_instead(p, "one of \" \\ / b f n r t u behind the backslash");
}

// Reads the string at p->at, which is a quotation mark.
static bool read_string(parser *p, const char **text, int *count)
{
    int line = p->line, column = column_of(p, p->at);
    size_t start = p->text_size;
    for (p->at++; p->at < p->end && *p->at != '"' && *p->at != '\n' && *p->at != '\r';) {
        if (*p->at == '\\') {
            if (!read_escape(p)) {
                return false;
            }
            continue;
        }
        int length = cg_utf8_length(p->at, p->end);
        if (length == 0) {
            return found_instead(p, "text in UTF-8");
        }
        if ((unsigned char)*p->at < ' ') {
            return found_instead(p, "no control character in a string");
        }
        for (int i = 0; i < length; i++) {
            put_byte(p, (unsigned char)p->at[i]);
        }
        p->at += length;
    }
    if (p->at >= p->end || *p->at != '"') {
        return cg_scene_error_at(p->error, line, column,
                                 "found a string without an end; expected a closing \" in the same line");
    }
    p->at++;
    *text = p->building ? p->text + start : "";
    *count = (int)(p->text_size - start);
    put_byte(p, 0);
    return true;
}

// Numbers and words

static bool complain_of_number(parser *p, cg_number_form form)
{
    static const char *const sentences[] = {
        [CG_NUMBER_ABSENT] = "found '-' without a number; expected digits",
        [CG_NUMBER_LEADING_ZERO] = "found a number that begins with 0; expected it without the leading zero",
        [CG_NUMBER_POINT] = "found a point without digits on both sides; expected a number such as 0.5 or 1.0",
        [CG_NUMBER_BARE_EXPONENT] = "found an exponent without digits; expected a number such as 1e-3",
        [CG_NUMBER_TOO_LONG] = "found a number of more than 400 characters; expected fewer",
    };
    return cg_scene_error_at(p->error, p->line, column_of(p, p->at), "%s", sentences[form]);
}

static bool read_number(parser *p, cg_json_value *value)
{
    size_t length;
    cg_number_form form = cg_number_scan(p->at, (size_t)(p->end - p->at), &length);
    if (form != CG_NUMBER_FINE) {
        return complain_of_number(p, form);
    }
    value->kind = CG_JSON_NUMBER;
    // While measuring the digits are not worth rounding.
    if (p->building && !cg_number_value(p->at, length, 0, &value->as.number)) {
        return cg_scene_error_at(p->error, p->line, column_of(p, p->at), "found %.*s; expected a number below 1.8e308",
                                 length > 40 ? 40 : (int)length, p->at);
    }
    p->at += length;
    return true;
}

static bool is_word_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool read_word(parser *p, cg_json_value *value)
{
    int length = 0;
    while (length < p->end - p->at && length < 40 && is_word_character(p->at[length])) {
        length++;
    }
    if (length == 4 && memcmp(p->at, "null", 4) == 0) {
        value->kind = CG_JSON_NULL;
    } else if ((length == 4 && memcmp(p->at, "true", 4) == 0) || (length == 5 && memcmp(p->at, "false", 5) == 0)) {
        value->kind = CG_JSON_BOOLEAN;
        value->as.boolean = length == 4;
    } else {
        return cg_scene_error_at(p->error, p->line, column_of(p, p->at),
                                 "found %.*s; expected a value: a number, true, false, null, or text in \"quotes\"",
                                 length, p->at);
    }
    p->at += length;
    return true;
}

// Objects and arrays

static bool comes_before(const cg_json_value *a, const cg_json_value *b)
{
    int order = strcmp(a->name, b->name);
    return order < 0 || (order == 0 && a < b); // values lie in memory in the order of the text
}

static void sift_down(const cg_json_value **heap, int root, int count)
{
    for (int child = 2 * root + 1; child < count; child = 2 * root + 1) {
        child += child + 1 < count && comes_before(heap[child], heap[child + 1]);
        if (!comes_before(heap[root], heap[child])) {
            return;
        }
        const cg_json_value *swapped = heap[root];
        heap[root] = heap[child];
        heap[child] = swapped;
        root = child;
    }
}

// Heap sort: n log n for every input, in place.
static void sort_members(const cg_json_value **members, int count)
{
    for (int i = count / 2 - 1; i >= 0; i--) {
        sift_down(members, i, count);
    }
    for (int i = count - 1; i > 0; i--) {
        const cg_json_value *swapped = members[0];
        members[0] = members[i];
        members[i] = swapped;
        sift_down(members, 0, i);
    }
}

// Sorts the members and refuses a name that occurs twice: the first such name in the text.
static bool order_members(parser *p, cg_json_value *object, const cg_json_value **sorted)
{
    const cg_json_value *again = NULL, *first = NULL;
    sort_members(sorted, object->count);
    for (int i = 1; i < object->count; i++) {
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0 && (again == NULL || sorted[i] < again)) {
            again = sorted[i];
            first = sorted[i - 1];
        }
    }
    object->sorted = sorted;
    return again == NULL ||
           cg_error_at_name(p->error, again,
                            "found \"%.60s\" a second time; expected each name once (it is in line %d)", again->name,
                            first->name_line);
}

// Gives a finished container its table of items, made from the chain of its children.
static bool close_container(parser *p, cg_json_value *container, const cg_json_value *first)
{
    size_t tables = container->kind == CG_JSON_OBJECT ? 2 : 1, count = (size_t)container->count;
    if (p->building) {
        const cg_json_value **items = p->links + p->link_count;
        for (size_t i = 0; i < count; i++, first = first->next) {
            items[i] = first;
        }
        container->as.items = items;
        if (tables == 2 && count > 0) {
            memcpy(items + count, items, count * sizeof *items);
            if (!order_members(p, container, items + count)) {
                return false;
            }
        }
    }
    p->link_count += tables * count;
    return true;
}

static bool read_value(parser *p, cg_json_value *scratch, cg_json_value **out);

static bool read_member_name(parser *p, cg_json_value *name)
{
    if (p->at >= p->end || *p->at != '"') {
        return found_instead(p, "a name in quotes, or }");
    }
    name->name_line = p->line;
    name->name_column = column_of(p, p->at);
    int length;
    if (!read_string(p, &name->name, &length) || !skip_space(p)) {
        return false;
    }
    if (p->at >= p->end || *p->at != ':') {
        return found_instead(p, "a colon behind the name");
    }
    p->at++;
    return skip_space(p);
}

static bool read_items(parser *p, cg_json_value *container, const cg_json_value **first)
{
    bool object = container->kind == CG_JSON_OBJECT;
    char closing = object ? '}' : ']';
    cg_json_value *last = NULL;
    p->at++;
    for (;;) {
        if (!skip_space(p)) {
            return false;
        }
        if (p->at < p->end && *p->at == closing) {
            p->at++;
            return true;
        }
        cg_json_value scratch = {0}, *item;
        if ((object && !read_member_name(p, &scratch)) || !read_value(p, &scratch, &item) || !skip_space(p)) {
            return false;
        }
        if (object && container->count == CG_JSON_TREE_MEMBERS) {
            return cg_scene_error_at(p->error, scratch.name_line, scratch.name_column,
                                     "found one name more; expected at most %d in an object", CG_JSON_TREE_MEMBERS);
        }
        container->count++;
        if (p->building) {
            *(last != NULL ? &last->next : first) = item;
            last = item;
        }
        if (p->at < p->end && *p->at == ',') {
            p->at++;
        } else if (p->at >= p->end || *p->at != closing) {
            return found_instead(p, object ? "a comma or }" : "a comma or ]");
        }
    }
}

static bool read_container(parser *p, cg_json_value *container)
{
    if (p->depth == CG_JSON_TREE_DEPTH) {
        return found_instead(p, "objects and arrays at most 64 deep");
    }
    p->depth++;
    container->kind = *p->at == '{' ? CG_JSON_OBJECT : CG_JSON_ARRAY;
    const cg_json_value *first = NULL;
    bool fine = read_items(p, container, &first) && close_container(p, container, first);
    p->depth--;
    return fine;
}

static bool read_by_kind(parser *p, cg_json_value *value)
{
    char c = p->at < p->end ? *p->at : '\0';
    if (c == '{' || c == '[') {
        return read_container(p, value);
    }
    if (c == '"') {
        value->kind = CG_JSON_STRING;
        return read_string(p, &value->as.string, &value->count);
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        return read_number(p, value);
    }
    if (c == '.') {
        return complain_of_number(p, CG_NUMBER_POINT);
    }
    if (is_word_character(c)) {
        return read_word(p, value);
    }
    return found_instead(p, c == '+'    ? "a number without a plus sign"
                            : c == '\'' ? "text in \"double quotes\""
                                        : "a value");
}

// Reads the value at p->at. `scratch` holds its name; while measuring it holds the value too.
static bool read_value(parser *p, cg_json_value *scratch, cg_json_value **out)
{
    if (p->value_count == CG_JSON_TREE_VALUES) {
        return found_instead(p, "at most 1000000 values in a text");
    }
    cg_json_value *value = scratch;
    if (p->building) {
        value = &p->values[p->value_count];
        *value = *scratch;
    }
    p->value_count++;
    value->line = p->line;
    value->column = column_of(p, p->at);
    *out = value;
    return read_by_kind(p, value);
}

static bool read_text(parser *p, const char *text, size_t size, cg_json_value **root)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    p->at = text;
    p->end = text + size;
    p->line_start = text;
    p->line = 1;
    if (size >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        p->at += 3;
        p->line_start += 3;
    }
    cg_json_value scratch = {0};
    if (!skip_space(p) || !read_value(p, &scratch, root) || !skip_space(p)) {
        return false;
    }
    return p->at == p->end || found_instead(p, "nothing more behind the end of the value");
}

static void lay_out(cg_arena *arena, const parser *measured, cg_json_tree **tree, parser *p)
{
    *tree = cg_arena_push_array(arena, cg_json_tree, 1);
    p->values = cg_arena_push_array(arena, cg_json_value, measured->value_count);
    p->links = cg_arena_push_array(arena, const cg_json_value *, measured->link_count);
    p->text = cg_arena_push_array(arena, char, measured->text_size);
}

cg_code cg_json_tree_read(const char *text, size_t size, const char *name, const cg_allocator *allocator,
                          cg_json_tree **tree, cg_scene_error *error)
{
    *tree = NULL;
    cg_scene_error_file(error, name);
    if (size > CG_JSON_TREE_BYTES) {
        cg_scene_error_at(error, 1, 1, "found a text of %zu bytes; expected at most %d", size, CG_JSON_TREE_BYTES);
        return CG_BAD_INPUT;
    }
    cg_allocator chosen = allocator != NULL ? *allocator : cg_memory_default();
    cg_json_value *root;
    parser measured = {.error = error};
    if (!read_text(&measured, text, size, &root)) {
        return CG_BAD_INPUT;
    }
    parser builder = {.error = error, .building = true};
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&arena, &measured, tree, &builder);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(&chosen, bytes);
    if (memory == NULL) {
        cg_scene_error_at(error, 1, 1, "no memory for a text of %zu bytes", size);
        return CG_OUT_OF_MEMORY;
    }
    cg_arena_init(&arena, memory, bytes);
    lay_out(&arena, &measured, tree, &builder);
    if (!read_text(&builder, text, size, &root)) {
        cg_memory_give(&chosen, memory);
        *tree = NULL;
        return CG_BAD_INPUT;
    }
    (*tree)->allocator = chosen;
    (*tree)->root = root;
    return CG_OK;
}

// Looking at the tree

void cg_json_tree_free(cg_json_tree *tree)
{
    if (tree != NULL) {
        cg_allocator allocator = tree->allocator;
        cg_memory_give(&allocator, tree); // the tree is the first piece of its block
    }
}

const cg_json_value *cg_json_root(const cg_json_tree *tree)
{
    return tree->root;
}

const cg_json_value *cg_json_find(const cg_json_value *object, const char *name)
{
    int low = 0, high = object->kind == CG_JSON_OBJECT ? object->count : 0;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(object->sorted[middle]->name, name);
        if (order == 0) {
            return object->sorted[middle];
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

const char *cg_json_kind_name(cg_json_kind kind)
{
    static const char *const names[] = {
        [CG_JSON_NULL] = "null",       [CG_JSON_BOOLEAN] = "true or false", [CG_JSON_NUMBER] = "a number",
        [CG_JSON_STRING] = "a string", [CG_JSON_ARRAY] = "an array",        [CG_JSON_OBJECT] = "an object",
    };
    return names[kind];
}
