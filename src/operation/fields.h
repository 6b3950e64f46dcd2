// The list of operations as data: what input files, the documentation and the byte form are made from.
#ifndef CATGUT_OPERATION_FIELDS_H
#define CATGUT_OPERATION_FIELDS_H

#include "catgut/operation.h"

// The kinds of fields of operations.def.
typedef enum cg_field_kind {
    CG_FIELD_thread,
    CG_FIELD_shape,
    CG_FIELD_integer,
    CG_FIELD_number,
    CG_FIELD_flag,
    CG_FIELD_vector,
    CG_FIELD_rotation,
    CG_FIELD_end,
    CG_FIELD_end_kind,
    CG_FIELD_hand,
    CG_FIELD_tissue,
    CG_FIELD_tool
} cg_field_kind;

// One field of an operation.
typedef struct cg_operation_field {
    cg_field_kind kind;
    const char *name, *unit, *text;
    size_t offset; // of the field in cg_operation
} cg_operation_field;

// One operation.
typedef struct cg_operation_form {
    const char *name, *text;
    const cg_operation_field *fields;
    int field_count;
} cg_operation_form;

// The form of a kind; NULL for none.
const cg_operation_form *cg_operation_form_of(cg_operation_kind kind);
// Where a field of an operation is kept.
void *cg_operation_field_at(cg_operation *operation, const cg_operation_field *field);
// The thread in a place of the order of creation; a zero id when it was removed or never was.
cg_thread_id cg_operation_thread(const cg_world *world, int place);
// The same for a rigid shape.
cg_shape_id cg_operation_shape(const cg_world *world, int place);
// The same for a hand.
cg_hand_id cg_operation_hand(const cg_world *world, int place);
// The same for a tissue.
cg_tissue_id cg_operation_tissue(const cg_world *world, int place);
// The words for the ends (start, finish) and for the ways to hold one (free, pinned, clamped); NULL for none.
const char *cg_end_word(cg_end end);
const char *cg_end_kind_word(cg_end_kind kind);
const char *cg_tool_word(cg_hand_tool tool);
// All tools as a sentence has them, each between two of `quote`: "grasper", "probe" or "hook". Longest with its zero
// byte:
enum { CG_TOOL_LIST_MOST = 40 * CG_TOOL_COUNT };
const char *cg_tool_list(const char *quote, char text[CG_TOOL_LIST_MOST]);

#endif
