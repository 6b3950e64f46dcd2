// Reading JSON that people write: // and /* */ comments and trailing commas are allowed, everything else is as in RFC
// 8259, and every value knows its line and column. The text is untrusted.
//
// Refused, with a place: text that is not UTF-8, a name that occurs twice in an object, numbers that are not finite,
// the character U+0000, numbers of more than 400 characters, and texts beyond the limits below.
//
// The whole tree lives in one block of memory, strings too. Its values are plain structs to be read:
//
//     cg_scene_error error = {0};
//     cg_json_tree *tree;
//     if (cg_json_tree_read(text, size, "inputs.json", NULL, &tree, &error) != CG_OK) { ... error says where ... }
//     const cg_json_value *item = cg_json_find(cg_json_root(tree), "thread");
//     if (item != NULL && item->kind == CG_JSON_STRING) { use(item->as.string); }
//     for (int i = 0; i < list->count; i++) { use(list->as.items[i]); }        // elements, or members with their names
//     cg_json_tree_free(tree);
#ifndef CATGUT_SCENE_JSON_H
#define CATGUT_SCENE_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/errors.h"
#include "catgut/scene.h"

// What is accepted; more is refused before it costs anything.
enum {
    CG_JSON_TREE_BYTES = 8 * 1024 * 1024, // of text
    CG_JSON_TREE_VALUES = 1000000,        // numbers, strings, objects, ...
    CG_JSON_TREE_MEMBERS = 10000,         // of one object: sorting many more of them would take seconds
    CG_JSON_TREE_DEPTH = 64               // of objects and arrays inside each other
};

typedef enum cg_json_kind {
    CG_JSON_NULL,
    CG_JSON_BOOLEAN,
    CG_JSON_NUMBER,
    CG_JSON_STRING,
    CG_JSON_ARRAY,
    CG_JSON_OBJECT
} cg_json_kind;

typedef struct cg_json_value cg_json_value;

// A value of the tree. `line` and `column` count from 1; columns are bytes.
struct cg_json_value {
    cg_json_kind kind;
    int line, column;
    int name_line, name_column; // place of the name of a member
    int count;                  // elements of an array, members of an object, bytes of a string; else 0
    const char *name;           // of a member of an object; NULL for others
    union {
        bool boolean;
        double number;                     // finite
        const char *string;                // UTF-8, ends with a zero byte, holds no other
        const cg_json_value *const *items; // `count` elements or members, in the order of the text
    } as;
    const cg_json_value *const *sorted; // members of an object ordered by name
    const cg_json_value *next;          // the element or member behind this one; NULL for the last
};

typedef struct cg_json_tree cg_json_tree;

// Reads a text. `name` is what errors call it; `allocator` NULL is malloc. CG_OK, or CG_BAD_INPUT or CG_OUT_OF_MEMORY
// with *tree NULL and *error filled.
cg_code cg_json_tree_read(const char *text, size_t size, const char *name, const cg_allocator *allocator,
                          cg_json_tree **tree, cg_scene_error *error);
// Gives the tree back. NULL is allowed.
void cg_json_tree_free(cg_json_tree *tree);
// The outermost value.
const cg_json_value *cg_json_root(const cg_json_tree *tree);
// The member of that name; NULL when there is none or the value is no object.
const cg_json_value *cg_json_find(const cg_json_value *object, const char *name);
// "a number", "an object", ...: what a value is, for messages.
const char *cg_json_kind_name(cg_json_kind kind);

// An error at a value, or at the name of a member.
#define cg_error_at_value(error, value, ...) cg_scene_error_at((error), (value)->line, (value)->column, __VA_ARGS__)
#define cg_error_at_name(error, value, ...)                                                                            \
    cg_scene_error_at((error), (value)->name_line, (value)->name_column, __VA_ARGS__)

#endif
