// Messages with random contents, made by the table of protocol.def.
#ifndef CATGUT_TESTS_WIRE_RANDOM_H
#define CATGUT_TESTS_WIRE_RANDOM_H

#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "protocol/forms.h"

// Memory of one message.
typedef struct wire_room {
    _Alignas(16) unsigned char bytes[1 << 16];
    size_t used;
} wire_room;

static void *wire_take(wire_room *room, size_t bytes)
{
    void *taken = room->bytes + room->used;
    room->used += (bytes + 15) / 16 * 16;
    if (room->used > sizeof room->bytes) {
        abort();
    }
    return taken;
}

static void wire_fill(wire_room *room, const cg_wire_form *form, void *to, uint64_t *seed);

static void wire_fill_floats(float *to, int count, uint64_t *seed)
{
    for (int i = 0; i < count; i++) {
        to[i] = (float)test_random(seed, -1e3, 1e3);
    }
}

static const char *wire_text(wire_room *room, uint64_t *seed)
{
    static const char *const words[] = {"", "thread", "\xc3\xa9t\xc3\xa9", "3_1#m3_1", "\xf0\x9f\xa7\xb5", "a b"};
    const char *word = words[test_random_int(seed, 0, 5)];
    return strcpy(wire_take(room, strlen(word) + 1), word);
}

static void wire_fill_member(wire_room *room, const cg_wire_member *member, void *to, uint64_t *seed)
{
    uint64_t bits = test_random_bits(seed);
    switch (member->kind) {
    case CG_VALUE_u8:
        memcpy(to, &bits, 1);
        break;
    case CG_VALUE_u16:
        memcpy(to, &bits, 2);
        break;
    case CG_VALUE_u32:
    case CG_VALUE_i32:
        memcpy(to, &bits, 4);
        break;
    case CG_VALUE_u64:
        *(uint64_t *)to = bits >> 11;
        break;
    case CG_VALUE_f32:
        wire_fill_floats(to, 1, seed);
        break;
    case CG_VALUE_f64:
        *(double *)to = test_random(seed, -1e9, 1e9);
        break;
    case CG_VALUE_vec3:
        wire_fill_floats(to, 3, seed);
        break;
    case CG_VALUE_quat:
        wire_fill_floats(to, 4, seed);
        break;
    case CG_VALUE_text:
        *(const char **)to = wire_text(room, seed);
        break;
    case CG_VALUE_floats: {
        int count = test_random_int(seed, 0, 9);
        float *items = wire_take(room, (size_t)count * sizeof *items);
        wire_fill_floats(items, count, seed);
        *(cg_value_floats *)to = (cg_value_floats){.items = items, .count = (uint32_t)count};
        break;
    }
    case CG_VALUE_rest: {
        int count = test_random_int(seed, 0, 30);
        unsigned char *items = wire_take(room, (size_t)count);
        memset(items, (int)(bits & 255), (size_t)count);
        *(cg_value_rest *)to = (cg_value_rest){.items = items, .count = (uint32_t)count};
        break;
    }
    case CG_VALUE_list: {
        int count = test_random_int(seed, 0, 3);
        const cg_wire_form *part = cg_wire_form_at(member->part);
        unsigned char *items = wire_take(room, (size_t)count * part->size);
        for (int i = 0; i < count; i++) {
            wire_fill(room, part, items + (size_t)i * part->size, seed);
        }
        *(cg_value_rest *)to = (cg_value_rest){.items = items, .count = (uint32_t)count};
        break;
    }
    }
}

// Fills a struct of the given form.
static void wire_fill(wire_room *room, const cg_wire_form *form, void *to, uint64_t *seed)
{
    for (int i = 0; i < form->member_count; i++) {
        wire_fill_member(room, &form->members[i], (char *)to + form->members[i].offset, seed);
    }
}

// A random message of a form.
static void wire_message(wire_room *room, const cg_wire_form *form, cg_message *message, uint64_t *seed)
{
    memset(message, 0, sizeof *message);
    room->used = 0;
    message->kind = (cg_message_kind)form->number;
    wire_fill(room, form, &message->as, seed);
}

#endif
