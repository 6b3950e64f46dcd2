// Operations: changes of a world as data, so that they can be recorded, replayed, sent and written in files.
#ifndef CATGUT_OPERATION_H
#define CATGUT_OPERATION_H

#include <stddef.h>
#include <stdint.h>

#include "catgut/api.h"
#include "catgut/hand.h"
#include "catgut/status.h"
#include "catgut/tissue.h"
#include "catgut/world.h"

CG_API_BEGIN

// The operations of operations.def, in its order.
typedef enum cg_operation_kind {
#define CG_OPERATION(name, text) CG_OPERATION_##name,
#define CG_FIELD(operation, kind, name, unit, text)
#define CG_OPERATION_END(name)
#include "catgut/operations.def"
#undef CG_OPERATION
#undef CG_FIELD
#undef CG_OPERATION_END
    CG_OPERATION_COUNT // how many kinds there are
} cg_operation_kind;

// How a kind of field is kept in memory.
typedef int cg_field_thread;           // place of the thread in the order of creation, from 0
typedef int cg_field_shape;            // the same for a rigid shape
typedef int cg_field_hand;             // the same for a hand
typedef int cg_field_tissue;           // the same for a tissue
typedef int cg_field_integer;          // a whole number
typedef double cg_field_number;        // a number in SI units
typedef bool cg_field_flag;            // yes or no
typedef cg_vec3 cg_field_vector;       // a vector in SI units
typedef cg_quat cg_field_rotation;     // a rotation; need not have unit length
typedef cg_end cg_field_end;           // an end of a thread
typedef cg_end_kind cg_field_end_kind; // how an end is held
typedef cg_hand_tool cg_field_tool;    // what a hand carries

// One struct per operation, cg_operation_hold and so on, with its fields.
#define CG_OPERATION(name, text) typedef struct cg_operation_##name {
#define CG_FIELD(operation, kind, name, unit, text) cg_field_##kind name;
#define CG_OPERATION_END(name)                                                                                         \
    }                                                                                                                  \
    cg_operation_##name;
#include "catgut/operations.def"
#undef CG_OPERATION
#undef CG_FIELD
#undef CG_OPERATION_END

// Any operation, with the step it applies to: it takes effect before the world's step of that number, the first being
// 0.
typedef struct cg_operation {
    uint64_t step;          // steps made before it takes effect
    cg_operation_kind kind; // which member of `as` is meant
    union {
#define CG_OPERATION(name, text) cg_operation_##name name;
#define CG_FIELD(operation, kind, name, unit, text)
#define CG_OPERATION_END(name)
#include "catgut/operations.def"
#undef CG_OPERATION
#undef CG_FIELD
#undef CG_OPERATION_END
    } as; // the fields
} cg_operation;

// No operation takes more bytes than this.
#define CG_OPERATION_MOST_BYTES 128

// Does to the world what the operation says. `step` is not looked at. A refused operation changes nothing.
cg_status cg_operation_apply(cg_world *world, const cg_operation *operation);
// The name of a kind, as in operations.def; NULL for none.
const char *cg_operation_name(cg_operation_kind kind);
// Writes an operation as bytes, the same on every machine (docs/recording.md). Returns how many; 0 when there is no
// room or the kind is none.
size_t cg_operation_encode(const cg_operation *operation, void *bytes, size_t room);
// Reads one operation from the front of `bytes`. Returns how many bytes it took; 0 when they are no operation: too few,
// an unknown kind, a number that is not finite, a choice out of range. *operation is then all zero.
size_t cg_operation_decode(cg_operation *operation, const void *bytes, size_t size);

CG_API_END
#endif
