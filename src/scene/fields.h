// What a scene may hold, as data: one table of fields per type of object. The reader, the JSON schema for editors and
// the tables of docs/scene-format.md are all made from it, so they cannot disagree.
#ifndef CATGUT_SCENE_FIELDS_H
#define CATGUT_SCENE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scene/json.h"

// How a field is written, and what the reader puts at its offset.
typedef enum cg_scene_kind {
    CG_SCENE_QUANTITY,       // a number or "number unit"; double
    CG_SCENE_INTEGER,        // a whole number; int
    CG_SCENE_FLAG,           // true or false; bool
    CG_SCENE_TEXT,           // a string; const char *
    CG_SCENE_VECTOR,         // [x, y, z] of quantities; cg_vec3
    CG_SCENE_WORD,           // one of `words`; int, its place among them
    CG_SCENE_OBJECT,         // an object of `type`; const cg_json_value *, to be read by that type
    CG_SCENE_WORD_OR_OBJECT, // one of `words` or an object of `type`; cg_scene_choice
    CG_SCENE_OBJECTS,        // an array of objects of `type`; const cg_json_value *
    CG_SCENE_POINTS,         // an array of vectors; const cg_json_value *
    CG_SCENE_TEXTS,          // an array of strings; const cg_json_value *
    CG_SCENE_INPUTS          // an array that the session reads; const cg_json_value *
} cg_scene_kind;

// A word, or an object when `object` is not NULL.
typedef struct cg_scene_choice {
    int word;
    const cg_json_value *object;
} cg_scene_choice;

typedef struct cg_scene_type cg_scene_type;

typedef struct cg_scene_field {
    const char *name;
    cg_scene_kind kind;
    size_t offset;    // in the struct that the type is read into
    const char *unit; // SI unit of a quantity or of the parts of a vector; "" for a pure number, NULL for other kinds
    double low,
        high;       // range: of a quantity [SI], an integer, each part of a vector, bytes of a text, items of an array
    bool above_low; // `low` itself is outside the range
    bool required;  // must be given
    const char *preset;       // the value that is taken when the field is not given, as it would be written; NULL: none
    const char *const *words; // of CG_SCENE_WORD and CG_SCENE_WORD_OR_OBJECT, ended by NULL
    const char *listed;       // where docs/scene-format.md finds the list of words; NULL: it has the words themselves
    const cg_scene_type *type; // of objects
    const char *text;          // what it is, for people
} cg_scene_field;

enum { CG_SCENE_EXCLUSIVE_PAIRS = 3 };

struct cg_scene_type {
    const char *name;
    const char *text;
    const cg_scene_field *fields;
    int field_count;                                    // at most 64
    bool exactly_one;                                   // one member, no more and no less
    const char *exclusive[CG_SCENE_EXCLUSIVE_PAIRS][2]; // of which at most one may be given; the rest NULL
    const char *one_of[8];                              // fields of which exactly one must be given, ended by NULL
};

// Reads an object into a struct that holds the presets already. Bit i of *given says whether field i was there.
bool cg_scene_read_fields(const cg_scene_type *type, const cg_json_value *object, void *into, uint64_t *given,
                          cg_scene_error *error);
// The number of a field by its name; the name must be one of the type.
int cg_scene_field_index(const cg_scene_type *type, const char *name);
// True when the field of that name was given.
bool cg_scene_is_given(const cg_scene_type *type, uint64_t given, const char *name);

// All types, the outermost first.
extern const cg_scene_type *const cg_scene_types[];
extern const int cg_scene_type_count;

#endif
