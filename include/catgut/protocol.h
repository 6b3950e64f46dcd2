// Messages between a server that runs a session and its clients: bytes in and out, no sockets. docs/protocol.md
// explains them, protocol.def lists them.
//
//     cg_message hello = {.kind = CG_MESSAGE_hello, .as.hello = {.request = 1, .version = CG_PROTOCOL_VERSION}};
//     size_t size = cg_message_encode(&hello, bytes, sizeof bytes);
//
//     cg_message message;
//     if (cg_message_decode(&message, bytes, size, room, sizeof room) && message.kind == CG_MESSAGE_frame) {
//         printf("step %llu\n", (unsigned long long)message.as.frame.step);
//     }
#ifndef CATGUT_PROTOCOL_H
#define CATGUT_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catgut/api.h"
#include "catgut/operation.h"
#include "catgut/scene.h"

CG_API_BEGIN

// The version that hello and welcome carry.
#define CG_PROTOCOL_VERSION 8
// The name of the WebSocket's subprotocol, which ends in the version.
#define CG_PROTOCOL_NAME "catgut." CG_PROTOCOL_TEXT(CG_PROTOCOL_VERSION)
// The text of a number that has a name.
#define CG_PROTOCOL_TEXT(number) CG_PROTOCOL_QUOTE(number)
// The text of what stands there.
#define CG_PROTOCOL_QUOTE(number) #number

// Limits of what is sent.
enum {
    CG_PROTOCOL_MOST_OPERATIONS = 64,          // in one operate
    CG_PROTOCOL_MOST_CLIENT_BYTES = 256 * 1024 // of a message to the server
};

// How a kind of member is kept in memory.
typedef uint8_t cg_value_u8;       // a whole number, 0 to 255
typedef uint16_t cg_value_u16;     // a whole number, 0 to 65535
typedef uint32_t cg_value_u32;     // a whole number, 0 to 4294967295
typedef uint64_t cg_value_u64;     // a whole number below 2^53
typedef int32_t cg_value_i32;      // a whole number, may be negative
typedef float cg_value_f32;        // a finite number
typedef double cg_value_f64;       // a finite number
typedef const char *cg_value_text; // UTF-8, ends with a zero byte; NULL is written as empty; at most 65535 bytes

// Three numbers, for looking at.
typedef struct cg_value_vec3 {
    float x, y, z; // along each axis
} cg_value_vec3;

// A rotation, for looking at.
typedef struct cg_value_quat {
    float x, y, z, w; // as in cg_quat
} cg_value_quat;

// Any number of numbers.
typedef struct cg_value_floats {
    const float *items; // finite
    uint32_t count;     // of items
} cg_value_floats;

// Bytes up to the end of a message.
typedef struct cg_value_rest {
    const void *items; // bytes
    uint32_t count;    // of them
} cg_value_rest;

// One struct per part and message, cg_wire_frame and so on, with its members. Messages begin with their request; a list
// has items and their count.
#define CG_CHOICE(set, name, number, text)
#define CG_PART(name, text)                                                                                            \
    typedef struct cg_wire_##name cg_wire_##name;                                                                      \
    struct cg_wire_##name {
#define CG_MESSAGE(number, name, text)                                                                                 \
    typedef struct cg_wire_##name cg_wire_##name;                                                                      \
    struct cg_wire_##name {                                                                                            \
        uint32_t request;
#define CG_MEMBER(owner, kind, name, unit, text) cg_value_##kind name;
#define CG_LIST(owner, part, name, text)                                                                               \
    struct {                                                                                                           \
        const cg_wire_##part *items;                                                                                   \
        uint32_t count;                                                                                                \
    } name;
#define CG_END(name)                                                                                                   \
    }                                                                                                                  \
    ;
#include "catgut/protocol.def"
#undef CG_CHOICE
#undef CG_PART
#undef CG_MESSAGE
#undef CG_MEMBER
#undef CG_LIST
#undef CG_END

// The messages of protocol.def by their numbers.
typedef enum cg_message_kind {
    CG_MESSAGE_none = 0, // no message
#define CG_CHOICE(set, name, number, text)
#define CG_PART(name, text)
#define CG_MESSAGE(number, name, text) CG_MESSAGE_##name = number,
#define CG_MEMBER(owner, kind, name, unit, text)
#define CG_LIST(owner, part, name, text)
#define CG_END(name)
#include "catgut/protocol.def"
#undef CG_CHOICE
#undef CG_MESSAGE
    CG_MESSAGE_FROM_SERVER = 128 // numbers above this one go to the client
} cg_message_kind;

// The choices of protocol.def: CG_CHOICE_mode_running and so on.
typedef enum cg_choice {
#define CG_CHOICE(set, name, number, text) CG_CHOICE_##set##_##name = number,
#define CG_MESSAGE(number, name, text)
#include "catgut/protocol.def"
#undef CG_CHOICE
#undef CG_MESSAGE
    CG_CHOICE_NONE = 255 // no choice
} cg_choice;

// Any message.
typedef struct cg_message {
    cg_message_kind kind; // which member of `as` is meant
    union {
        uint32_t request; // the first member of all of them: the number of the request, or of the one answered; 0: none
#define CG_CHOICE(set, name, number, text)
#define CG_MESSAGE(number, name, text) cg_wire_##name name;
#include "catgut/protocol.def"
#undef CG_CHOICE
#undef CG_PART
#undef CG_MESSAGE
#undef CG_MEMBER
#undef CG_LIST
#undef CG_END
    } as; // its members
} cg_message;

// Writes a message. Returns its bytes; 0 when there is no room for it or the kind is none.
size_t cg_message_encode(const cg_message *message, void *bytes, size_t room);
// Reads a message. Texts and rest point into `bytes`; lists and floats are put into `room`, which must be aligned for
// any type and is not needed for messages to the server. False when the bytes are no message, hold a number that is not
// finite or text that is not UTF-8, have something left over, or do not fit into the room: *message is then all zero.
bool cg_message_decode(cg_message *message, const void *bytes, size_t size, void *room, size_t room_size);
// The name of a kind, as in protocol.def; NULL for none.
const char *cg_message_name(cg_message_kind kind);
// Changes what a written frame says to one client: the members acknowledged and missed. The bytes must be a frame.
void cg_frame_address(void *frame, uint32_t acknowledged, uint32_t missed);

// Writes a module that reads and writes all messages and operations: TypeScript, or JavaScript when not `typed`.
void cg_protocol_write_module(bool typed, cg_scene_write write, void *context);
// Writes the tables of messages as Markdown, as they stand in docs/protocol.md.
void cg_protocol_write_tables(cg_scene_write write, void *context);

CG_API_END
#endif
