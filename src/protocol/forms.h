// The list of messages as data: what the byte form, the TypeScript and the documentation are made from.
#ifndef CATGUT_PROTOCOL_FORMS_H
#define CATGUT_PROTOCOL_FORMS_H

#include "catgut/protocol.h"

// The kinds of members of protocol.def, and a list of parts.
typedef enum cg_value_kind {
    CG_VALUE_u8,
    CG_VALUE_u16,
    CG_VALUE_u32,
    CG_VALUE_u64,
    CG_VALUE_i32,
    CG_VALUE_f32,
    CG_VALUE_f64,
    CG_VALUE_vec3,
    CG_VALUE_quat,
    CG_VALUE_text,
    CG_VALUE_floats,
    CG_VALUE_rest,
    CG_VALUE_list
} cg_value_kind;

// One member.
typedef struct cg_wire_member {
    cg_value_kind kind;
    const char *name, *unit, *text;
    size_t offset; // in its struct
    int part;      // of a list: the place of its form, else -1
} cg_wire_member;

// One part or message.
typedef struct cg_wire_form {
    const char *name, *text;
    int number;                    // of a message; 0 for a part
    size_t size;                   // of its struct
    const cg_wire_member *members; // of a message the first is its request
    int member_count;
} cg_wire_form;

// One number with a meaning.
typedef struct cg_wire_choice {
    const char *set, *name, *text;
    int number;
} cg_wire_choice;

// Forms in the order of protocol.def: parts before the messages that use them; NULL for a bad place.
const cg_wire_form *cg_wire_form_at(int place);
// Choices in the order of protocol.def, those of a set together; NULL for a bad place.
const cg_wire_choice *cg_wire_choice_at(int place);
// The kind as protocol.def writes it; "list" for a list.
const char *cg_value_kind_name(cg_value_kind kind);

// A piece of the module that TypeScript has and JavaScript has not.
#define CG_MODULE_TYPE(text) "\1" text "\2"
// The part of the module that is the same whatever the messages are, text by text; ends with NULL.
extern const char *const cg_protocol_runtime[];

#endif
