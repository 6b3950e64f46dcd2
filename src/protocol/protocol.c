// Messages as bytes, by the table that protocol.def makes. A message is its number (2 bytes), then its members in
// order, the first being its request (4 bytes). docs/protocol.md has the bytes of every kind of member.
#include "catgut/protocol.h"

#include <assert.h>

#include "base/bytes.h"
#include "base/utf8.h"
#include "protocol/forms.h"
#include "record/head.h"

// Bytes of a frame before its two members that differ from client to client.
enum { FRAME_ACKNOWLEDGED_AT = 6, FRAME_MISSED_AT = 10 };

#define CG_CHOICE(choice_set, choice_name, choice_number, choice_text)                                                 \
    {.set = #choice_set, .name = #choice_name, .text = choice_text, .number = choice_number},
#define CG_PART(name, text)
#define CG_MESSAGE(number, name, text)
#define CG_MEMBER(owner, kind, name, unit, text)
#define CG_LIST(owner, part, name, text)
#define CG_END(name)
static const cg_wire_choice choices[] = {
#include "catgut/protocol.def"
};
#undef CG_CHOICE
#undef CG_PART
#undef CG_MESSAGE
#undef CG_MEMBER
#undef CG_LIST
#undef CG_END

// The place of each form in the table below.
enum {
#define CG_CHOICE(set, name, number, text)
#define CG_PART(name, text) FORM_##name,
#define CG_MESSAGE(number, name, text) FORM_##name,
#define CG_MEMBER(owner, kind, name, unit, text)
#define CG_LIST(owner, part, name, text)
#define CG_END(name)
#include "catgut/protocol.def"
#undef CG_PART
#undef CG_MESSAGE
#undef CG_MEMBER
#undef CG_LIST
#undef CG_END
    FORM_COUNT
};

// The members of each form: members_of_frame and so on.
#define CG_PART(name, text) static const cg_wire_member members_of_##name[] = {
#define CG_MESSAGE(number, name, text)                                                                                 \
    static const cg_wire_member members_of_##name[] = {                                                                \
        {CG_VALUE_u32, "request", "", "", offsetof(cg_wire_##name, request), -1},
#define CG_MEMBER(owner, kind, name, unit, text)                                                                       \
    {CG_VALUE_##kind, #name, unit, text, offsetof(cg_wire_##owner, name), -1},
#define CG_LIST(owner, part, name, text) {CG_VALUE_list, #name, "", text, offsetof(cg_wire_##owner, name), FORM_##part},
#define CG_END(name)                                                                                                   \
    }                                                                                                                  \
    ;
#include "catgut/protocol.def"
#undef CG_PART
#undef CG_MESSAGE
#undef CG_MEMBER
#undef CG_LIST
#undef CG_END

static const cg_wire_form forms[FORM_COUNT] = {
#define FORM(name, number, text)                                                                                       \
    {#name,                                                                                                            \
     text,                                                                                                             \
     number,                                                                                                           \
     sizeof(cg_wire_##name),                                                                                           \
     members_of_##name,                                                                                                \
     (int)(sizeof members_of_##name / sizeof members_of_##name[0])},
#define CG_PART(name, text) FORM(name, 0, text)
#define CG_MESSAGE(number, name, text) FORM(name, number, text)
#define CG_MEMBER(owner, kind, name, unit, text)
#define CG_LIST(owner, part, name, text)
#define CG_END(name)
#include "catgut/protocol.def"
#undef FORM
#undef CG_CHOICE
#undef CG_PART
#undef CG_MESSAGE
#undef CG_MEMBER
#undef CG_LIST
#undef CG_END
};

const cg_wire_form *cg_wire_form_at(int place)
{
    return place >= 0 && place < FORM_COUNT ? &forms[place] : NULL;
}

const cg_wire_choice *cg_wire_choice_at(int place)
{
    return place >= 0 && place < (int)(sizeof choices / sizeof choices[0]) ? &choices[place] : NULL;
}

const char *cg_value_kind_name(cg_value_kind kind)
{
    static const char *const names[] = {"u8",   "u16",  "u32",  "u64",    "i32",  "f32", "f64",
                                        "vec3", "quat", "text", "floats", "rest", "list"};
    return names[kind];
}

static const cg_wire_form *form_of(int number)
{
    for (int i = 0; i < FORM_COUNT; i++) {
        if (forms[i].number == number && number != 0) {
            return &forms[i];
        }
    }
    return NULL;
}

const char *cg_message_name(cg_message_kind kind)
{
    const cg_wire_form *form = form_of((int)kind);
    return form != NULL ? form->name : NULL;
}

void cg_frame_address(void *frame, uint32_t acknowledged, uint32_t missed)
{
    cg_byte_sink sink = cg_write_to((char *)frame + FRAME_ACKNOWLEDGED_AT, FRAME_MISSED_AT);
    cg_put_u32(&sink, acknowledged);
    cg_put_u32(&sink, missed);
}

// Writing

static void put_form(cg_byte_sink *sink, const cg_wire_form *form, const void *from);

static void put_float(cg_byte_sink *sink, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    cg_put_u32(sink, bits);
}

static void put_floats(cg_byte_sink *sink, const float *values, size_t count)
{
    for (size_t i = 0; i < count && sink->good; i++) {
        put_float(sink, values[i]);
    }
}

static void put_value(cg_byte_sink *sink, const cg_wire_member *member, const void *from)
{
    switch (member->kind) {
    case CG_VALUE_u8:
        cg_put_u8(sink, *(const uint8_t *)from);
        break;
    case CG_VALUE_u16:
        cg_put_u16(sink, *(const uint16_t *)from);
        break;
    case CG_VALUE_u32:
    case CG_VALUE_i32:
        cg_put_u32(sink, *(const uint32_t *)from);
        break;
    case CG_VALUE_u64:
        cg_put_u64(sink, *(const uint64_t *)from);
        break;
    case CG_VALUE_f32:
        put_floats(sink, from, 1);
        break;
    case CG_VALUE_f64:
        cg_put_double(sink, *(const double *)from);
        break;
    case CG_VALUE_vec3:
        put_floats(sink, from, 3);
        break;
    case CG_VALUE_quat:
        put_floats(sink, from, 4);
        break;
    case CG_VALUE_text: {
        const char *text = *(const char *const *)from;
        text = text != NULL ? text : "";
        cg_put_text(sink, text, cg_text_length(text, UINT16_MAX));
        break;
    }
    case CG_VALUE_floats: {
        const cg_value_floats *floats = from;
        cg_put_u32(sink, floats->count);
        put_floats(sink, floats->items, floats->count);
        break;
    }
    case CG_VALUE_rest:
        cg_put_bytes(sink, ((const cg_value_rest *)from)->items, ((const cg_value_rest *)from)->count);
        break;
    case CG_VALUE_list: {
        const cg_value_rest *list = from; // all lists are a pointer and a count
        cg_put_u32(sink, list->count);
        for (uint32_t i = 0; i < list->count && sink->good; i++) {
            put_form(sink, &forms[member->part], (const char *)list->items + i * forms[member->part].size);
        }
        break;
    }
    }
}

static void put_form(cg_byte_sink *sink, const cg_wire_form *form, const void *from)
{
    for (int i = 0; i < form->member_count; i++) {
        put_value(sink, &form->members[i], (const char *)from + form->members[i].offset);
    }
}

size_t cg_message_encode(const cg_message *message, void *bytes, size_t room)
{
    assert(bytes != NULL || room == 0);
    const cg_wire_form *form = form_of((int)message->kind);
    if (form == NULL) {
        return 0;
    }
    cg_byte_sink sink = cg_write_to(bytes, room);
    cg_put_u16(&sink, (unsigned)form->number);
    put_form(&sink, form, &message->as);
    return sink.good ? room - sink.left : 0;
}

// Reading

// Bytes to be read, and room for the lists in them.
typedef struct wire_reader {
    cg_byte_source source;
    unsigned char *room;
    size_t room_left;
} wire_reader;

static void take_form(wire_reader *reader, const cg_wire_form *form, void *to);

// Room for `count` things of `size` bytes; NULL, and the reader is no longer good, when there is not so much.
static void *take_room(wire_reader *reader, size_t count, size_t size)
{
    size_t bytes = (count * size + 7) / 8 * 8; // count is at most the bytes that were received, so nothing overflows
    if (!reader->source.good || bytes > reader->room_left) {
        reader->source.good = false;
        return NULL;
    }
    void *taken = reader->room;
    if (bytes > 0) { // there may be no room at all
        reader->room += bytes;
        reader->room_left -= bytes;
    }
    return taken;
}

static void take_floats(wire_reader *reader, float *to, size_t count)
{
    for (size_t i = 0; i < count && reader->source.good; i++) {
        uint32_t bits = cg_take_u32(&reader->source);
        memcpy(&to[i], &bits, sizeof bits);
        reader->source.good = reader->source.good && to[i] - to[i] == 0;
    }
}

static double take_finite(cg_byte_source *source)
{
    double value = cg_take_double(source);
    source->good = source->good && value - value == 0;
    return value;
}

static uint64_t take_counted(cg_byte_source *source)
{
    uint64_t value = cg_take_u64(source);
    source->good = source->good && value < (uint64_t)1 << 53;
    return value;
}

static const char *take_utf8(cg_byte_source *source)
{
    const char *text = cg_take_text(source);
    source->good = source->good && cg_utf8_is_valid(text, strlen(text));
    return text;
}

static void take_list(wire_reader *reader, const cg_wire_form *part, cg_value_rest *list)
{
    uint32_t count = cg_take_u32(&reader->source);
    if (count > reader->source.left) { // every part takes a byte or more
        reader->source.good = false;
        return;
    }
    unsigned char *items = take_room(reader, count, part->size);
    for (uint32_t i = 0; i < count && reader->source.good; i++) {
        memset(items + i * part->size, 0, part->size);
        take_form(reader, part, items + i * part->size);
    }
    *list = (cg_value_rest){.items = items, .count = count};
}

static void take_value(wire_reader *reader, const cg_wire_member *member, void *to)
{
    cg_byte_source *source = &reader->source;
    switch (member->kind) {
    case CG_VALUE_u8:
        *(uint8_t *)to = cg_take_u8(source);
        break;
    case CG_VALUE_u16:
        *(uint16_t *)to = cg_take_u16(source);
        break;
    case CG_VALUE_u32:
    case CG_VALUE_i32:
        *(uint32_t *)to = cg_take_u32(source);
        break;
    case CG_VALUE_u64:
        *(uint64_t *)to = take_counted(source);
        break;
    case CG_VALUE_f32:
        take_floats(reader, to, 1);
        break;
    case CG_VALUE_f64:
        *(double *)to = take_finite(source);
        break;
    case CG_VALUE_vec3:
        take_floats(reader, to, 3);
        break;
    case CG_VALUE_quat:
        take_floats(reader, to, 4);
        break;
    case CG_VALUE_text:
        *(const char **)to = take_utf8(source);
        break;
    case CG_VALUE_floats: {
        uint32_t count = cg_take_u32(source);
        source->good = source->good && count <= source->left / 4;
        float *items = take_room(reader, source->good ? count : 0, sizeof *items);
        take_floats(reader, items, count);
        *(cg_value_floats *)to = (cg_value_floats){.items = items, .count = count};
        break;
    }
    case CG_VALUE_rest: {
        uint32_t count = (uint32_t)source->left;
        *(cg_value_rest *)to = (cg_value_rest){.items = cg_take_bytes(source, count), .count = count};
        break;
    }
    case CG_VALUE_list:
        take_list(reader, &forms[member->part], to);
        break;
    }
}

static void take_form(wire_reader *reader, const cg_wire_form *form, void *to)
{
    for (int i = 0; i < form->member_count && reader->source.good; i++) {
        take_value(reader, &form->members[i], (char *)to + form->members[i].offset);
    }
}

bool cg_message_decode(cg_message *message, const void *bytes, size_t size, void *room, size_t room_size)
{
    assert(message != NULL);
    memset(message, 0, sizeof *message);
    wire_reader reader = {.source = cg_read_from(bytes, size), .room = room, .room_left = room_size};
    const cg_wire_form *form = form_of(cg_take_u16(&reader.source));
    if (form == NULL || size > UINT32_MAX) {
        return false;
    }
    take_form(&reader, form, &message->as);
    if (!reader.source.good || reader.source.left > 0) {
        memset(message, 0, sizeof *message);
        return false;
    }
    message->kind = (cg_message_kind)form->number;
    return true;
}
