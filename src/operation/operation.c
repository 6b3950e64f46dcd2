// Operations: their table of fields, their bytes, and what they do.
//
// An operation as bytes: kind (2 bytes), step (8 bytes), then its fields in the order of operations.def. A thread, a
// shape, a hand, a tissue and an integer take 4 bytes, a number 8, a vector 3 times 8, a rotation 4 times 8 (x, y, z,
// w), a flag, an end, an end_kind and a tool 1. Lowest byte first.
#include "catgut/operation.h"

#include <assert.h>
#include <stdio.h>

#include "base/bytes.h"
#include "base/status.h"
#include "base/vec3.h"
#include "operation/fields.h"
#include "scene/specs.h"
#include "world/world.h"

// The fields of each operation: fields_of_hold and so on.
#define CG_OPERATION(name, text) static const cg_operation_field fields_of_##name[] = {
#define CG_FIELD(operation, kind, name, unit, text)                                                                    \
    {CG_FIELD_##kind, #name, unit, text, offsetof(cg_operation, as.operation.name)},
#define CG_OPERATION_END(name)                                                                                         \
    }                                                                                                                  \
    ;
#include "catgut/operations.def"
#undef CG_OPERATION
#undef CG_FIELD
#undef CG_OPERATION_END

static const cg_operation_form forms[CG_OPERATION_COUNT] = {
#define CG_OPERATION(name, text)                                                                                       \
    {#name, text, fields_of_##name, (int)(sizeof fields_of_##name / sizeof fields_of_##name[0])},
#define CG_FIELD(operation, kind, name, unit, text)
#define CG_OPERATION_END(name)
#include "catgut/operations.def"
#undef CG_OPERATION
#undef CG_FIELD
#undef CG_OPERATION_END
};

const cg_operation_form *cg_operation_form_of(cg_operation_kind kind)
{
    return (unsigned)kind < CG_OPERATION_COUNT ? &forms[kind] : NULL;
}

const char *cg_operation_name(cg_operation_kind kind)
{
    return (unsigned)kind < CG_OPERATION_COUNT ? forms[kind].name : NULL;
}

void *cg_operation_field_at(cg_operation *operation, const cg_operation_field *field)
{
    assert(field->offset < sizeof *operation);
    return (char *)operation + field->offset;
}

const char *cg_end_word(cg_end end)
{
    return end == CG_START ? "start" : end == CG_FINISH ? "finish" : NULL;
}

const char *cg_end_kind_word(cg_end_kind kind)
{
    static const char *const words[] = {"free", "pinned", "clamped"};
    return (unsigned)kind <= CG_END_CLAMPED ? words[kind] : NULL;
}

const char *cg_tool_word(cg_hand_tool tool)
{
    return (unsigned)tool < CG_TOOL_COUNT ? cg_scene_tool_words[tool] : NULL;
}

const char *cg_tool_list(const char *quote, char text[CG_TOOL_LIST_MOST])
{
    assert(quote != NULL);
    size_t used = 0;
    for (int i = 0; i < CG_TOOL_COUNT && used < CG_TOOL_LIST_MOST; i++) {
        const char *before = i == 0 ? "" : i + 1 == CG_TOOL_COUNT ? " or " : ", ";
        used += (size_t)snprintf(text + used, CG_TOOL_LIST_MOST - used, "%s%s%s%s", before, quote,
                                 cg_tool_word((cg_hand_tool)i), quote);
    }
    return text;
}

static void encode_field(cg_byte_sink *sink, cg_field_kind kind, const void *field)
{
    switch (kind) {
    case CG_FIELD_thread:
    case CG_FIELD_shape:
    case CG_FIELD_hand:
    case CG_FIELD_tissue:
    case CG_FIELD_integer:
        cg_put_u32(sink, (uint32_t) * (const int *)field);
        break;
    case CG_FIELD_number:
        cg_put_double(sink, *(const double *)field);
        break;
    case CG_FIELD_flag:
        cg_put_u8(sink, *(const bool *)field);
        break;
    case CG_FIELD_vector: {
        const cg_vec3 *v = field;
        cg_put_double(sink, v->x);
        cg_put_double(sink, v->y);
        cg_put_double(sink, v->z);
        break;
    }
    case CG_FIELD_rotation: {
        const cg_quat *q = field;
        cg_put_double(sink, q->x);
        cg_put_double(sink, q->y);
        cg_put_double(sink, q->z);
        cg_put_double(sink, q->w);
        break;
    }
    case CG_FIELD_end:
        cg_put_u8(sink, (unsigned)*(const cg_end *)field);
        break;
    case CG_FIELD_end_kind:
        cg_put_u8(sink, (unsigned)*(const cg_end_kind *)field);
        break;
    case CG_FIELD_tool:
        cg_put_u8(sink, (unsigned)*(const cg_hand_tool *)field);
        break;
    }
}

size_t cg_operation_encode(const cg_operation *operation, void *bytes, size_t room)
{
    assert(bytes != NULL || room == 0);
    const cg_operation_form *form = cg_operation_form_of(operation->kind);
    if (form == NULL) {
        return 0;
    }
    cg_byte_sink sink = cg_write_to(bytes, room);
    cg_put_u16(&sink, (unsigned)operation->kind);
    cg_put_u64(&sink, operation->step);
    for (int i = 0; i < form->field_count; i++) {
        const cg_operation_field *field = &form->fields[i];
        encode_field(&sink, field->kind, (const char *)operation + field->offset);
    }
    return sink.good ? room - sink.left : 0;
}

// A byte that must be at most `most`.
static unsigned take_choice(cg_byte_source *source, unsigned most)
{
    unsigned value = cg_take_u8(source);
    source->good = source->good && value <= most;
    return source->good ? value : 0;
}

static double take_finite(cg_byte_source *source)
{
    double value = cg_take_double(source);
    source->good = source->good && value - value == 0;
    return value;
}

static void decode_field(cg_byte_source *source, cg_field_kind kind, void *field)
{
    switch (kind) {
    case CG_FIELD_thread:
    case CG_FIELD_shape:
    case CG_FIELD_hand:
    case CG_FIELD_tissue:
    case CG_FIELD_integer:
        *(int *)field = (int)(int32_t)cg_take_u32(source);
        break;
    case CG_FIELD_number:
        *(double *)field = take_finite(source);
        break;
    case CG_FIELD_flag:
        *(bool *)field = take_choice(source, 1) != 0;
        break;
    case CG_FIELD_vector: {
        cg_vec3 *v = field;
        v->x = take_finite(source);
        v->y = take_finite(source);
        v->z = take_finite(source);
        break;
    }
    case CG_FIELD_rotation: {
        cg_quat *q = field;
        q->x = take_finite(source);
        q->y = take_finite(source);
        q->z = take_finite(source);
        q->w = take_finite(source);
        break;
    }
    case CG_FIELD_end:
        *(cg_end *)field = (cg_end)take_choice(source, CG_FINISH);
        break;
    case CG_FIELD_end_kind:
        *(cg_end_kind *)field = (cg_end_kind)take_choice(source, CG_END_CLAMPED);
        break;
    case CG_FIELD_tool:
        *(cg_hand_tool *)field = (cg_hand_tool)take_choice(source, CG_TOOL_COUNT - 1);
        break;
    }
}

size_t cg_operation_decode(cg_operation *operation, const void *bytes, size_t size)
{
    assert(operation != NULL);
    memset(operation, 0, sizeof *operation);
    cg_byte_source source = cg_read_from(bytes, size);
    unsigned kind = cg_take_u16(&source);
    uint64_t step = cg_take_u64(&source);
    if (!source.good || kind >= CG_OPERATION_COUNT) {
        return 0;
    }
    operation->kind = (cg_operation_kind)kind;
    operation->step = step;
    for (int i = 0; i < forms[kind].field_count; i++) {
        const cg_operation_field *field = &forms[kind].fields[i];
        decode_field(&source, field->kind, cg_operation_field_at(operation, field));
    }
    if (!source.good) {
        memset(operation, 0, sizeof *operation);
        return 0;
    }
    return size - source.left;
}

// Threads of a scene get their places in the pool one after the other, and a place keeps its number when others go.
cg_thread_id cg_operation_thread(const cg_world *world, int place)
{
    if (place < 0 || place >= world->threads.capacity || !world->threads.places[place].is_taken) {
        return (cg_thread_id){0, 0};
    }
    cg_thread_id id = {(unsigned)place + 1, world->threads.places[place].generation};
    return cg_thread_is_valid(world, id) ? id : (cg_thread_id){0, 0}; // a part may not be there yet
}

cg_shape_id cg_operation_shape(const cg_world *world, int place)
{
    if (place < 0 || place >= world->shapes.capacity || !world->shapes.places[place].is_taken) {
        return (cg_shape_id){0, 0};
    }
    return (cg_shape_id){(unsigned)place + 1, world->shapes.places[place].generation};
}

cg_hand_id cg_operation_hand(const cg_world *world, int place)
{
    if (place < 0 || place >= world->hands.capacity || !world->hands.places[place].is_taken) {
        return (cg_hand_id){0, 0};
    }
    return (cg_hand_id){(unsigned)place + 1, world->hands.places[place].generation};
}

cg_tissue_id cg_operation_tissue(const cg_world *world, int place)
{
    if (place < 0 || place >= world->tissues.capacity || !world->tissues.places[place].is_taken) {
        return (cg_tissue_id){0, 0};
    }
    return (cg_tissue_id){(unsigned)place + 1, world->tissues.places[place].generation};
}

// Operations on a tissue all begin with it.
static cg_status apply_to_tissue(cg_world *world, int place, const cg_operation *operation)
{
    cg_tissue_id tissue = cg_operation_tissue(world, place);
    if (tissue.index == 0) {
        return cg_error(CG_BAD_HANDLE, "there is no tissue %d; it was removed or never was", place);
    }
    switch (operation->kind) {
    case CG_OPERATION_push_tissue: {
        const cg_operation_push_tissue *push = &operation->as.push_tissue;
        const double weights[3] = {push->weights.x, push->weights.y, push->weights.z};
        return cg_tissue_push(world, tissue, push->triangle, weights, push->force);
    }
    case CG_OPERATION_fix_node:
        return cg_tissue_fix(world, tissue, operation->as.fix_node.node, operation->as.fix_node.fixed);
    case CG_OPERATION_move_node:
        return cg_tissue_move_fixed(world, tissue, operation->as.move_node.node, operation->as.move_node.place);
    case CG_OPERATION_remove_tissue:
        return cg_world_remove_tissue(world, tissue);
    case CG_OPERATION_cut: {
        const cg_operation_cut *cut = &operation->as.cut;
        const cg_vec3 path[2] = {cut->from, cut->to}, down[2] = {cut->from_down, cut->to_down};
        return cg_tissue_cut(world, tissue, path, down, 2, NULL);
    }
    case CG_OPERATION_separate: {
        cg_tissue_id separated;
        return cg_world_separate_tissue(world, tissue, operation->as.separate.node, &separated);
    }
    case CG_OPERATION_merge:
        return cg_tissue_merge_bonds(world, tissue, NULL);
    default:
        return cg_error(CG_BAD_INPUT, "kind %d is no operation on a tissue", (int)operation->kind);
    }
}

// Operations on a hand all begin with it.
static cg_status apply_to_hand(cg_world *world, int place, const cg_operation *operation)
{
    cg_hand_id hand = cg_operation_hand(world, place);
    if (hand.index == 0) {
        return cg_error(CG_BAD_HANDLE, "there is no hand %d; it was removed or never was", place);
    }
    switch (operation->kind) {
    case CG_OPERATION_move_hand: {
        const cg_operation_move_hand *move = &operation->as.move_hand;
        return cg_hand_move(world, hand, (cg_transform){move->position, move->rotation}, move->time);
    }
    case CG_OPERATION_close_hand:
        return cg_hand_close(world, hand);
    case CG_OPERATION_open_hand:
        return cg_hand_open(world, hand);
    case CG_OPERATION_hand_tool:
        return cg_hand_set_tool(world, hand, operation->as.hand_tool.tool);
    case CG_OPERATION_set_jaws:
        return cg_hand_set_jaws(world, hand, operation->as.set_jaws.opening, operation->as.set_jaws.force);
    default:
        return cg_error(CG_BAD_INPUT, "kind %d is no operation on a hand", (int)operation->kind);
    }
}

static cg_status apply_move_camera(cg_world *world, const cg_operation_move_camera *move)
{
    cg_camera camera = {move->position, move->target, move->up};
    return cg_world_set_camera(world, &camera);
}

static cg_status apply_move_shape(cg_world *world, const cg_operation_move_shape *move)
{
    cg_shape_id shape = cg_operation_shape(world, move->shape);
    if (shape.index == 0) {
        return cg_error(CG_BAD_HANDLE, "there is no rigid shape %d; it was removed or never was", move->shape);
    }
    return cg_shape_move(world, shape, (cg_transform){move->position, move->rotation});
}

static cg_status apply_set_end(cg_world *world, cg_thread_id thread, const cg_operation_set_end *set)
{
    cg_end_hold hold = {.kind = set->kind, .position = set->position, .direction = set->direction, .turn = set->turn};
    return cg_thread_set_end(world, thread, set->end, &hold);
}

// Operations on a thread all begin with it.
static cg_status apply_to_thread(cg_world *world, cg_thread_id thread, const cg_operation *operation)
{
    switch (operation->kind) {
    case CG_OPERATION_push_vertex: {
        const cg_operation_push_vertex *push = &operation->as.push_vertex;
        return cg_thread_push_vertex(world, thread, push->vertex, push->force);
    }
    case CG_OPERATION_push_segment: {
        const cg_operation_push_segment *push = &operation->as.push_segment;
        return cg_thread_push_segment(world, thread, push->segment, push->fraction, push->force);
    }
    case CG_OPERATION_push_moment: {
        const cg_operation_push_moment *push = &operation->as.push_moment;
        return cg_thread_push_moment(world, thread, push->segment, push->moment);
    }
    case CG_OPERATION_hold:
        return cg_thread_hold(world, thread, operation->as.hold.vertex, operation->as.hold.target);
    case CG_OPERATION_release:
        return cg_thread_release(world, thread, operation->as.release.vertex);
    case CG_OPERATION_set_end:
        return apply_set_end(world, thread, &operation->as.set_end);
    case CG_OPERATION_set_added_mass: {
        const cg_operation_set_added_mass *set = &operation->as.set_added_mass;
        return cg_thread_set_added_mass(world, thread, set->vertex, set->mass);
    }
    case CG_OPERATION_set_friction:
        return cg_thread_set_friction(world, thread, operation->as.set_friction.friction);
    case CG_OPERATION_remove_thread:
        return cg_world_remove_thread(world, thread);
    case CG_OPERATION_cut_thread: {
        cg_thread_id part;
        return cg_world_cut_thread(world, thread, operation->as.cut_thread.arc, &part);
    }
    case CG_OPERATION_set_state: {
        const cg_operation_set_state *set = &operation->as.set_state;
        return cg_thread_set_vertex(world, thread, set->vertex, set->position, set->velocity);
    }
    default:
        return cg_error(CG_BAD_INPUT, "kind %d is no operation on a thread", (int)operation->kind);
    }
}

cg_status cg_operation_apply(cg_world *world, const cg_operation *operation)
{
    assert(operation != NULL);
    const cg_operation_form *form = cg_operation_form_of(operation->kind);
    if (form == NULL) {
        return cg_error(CG_BAD_INPUT, "kind %d is no operation", (int)operation->kind);
    }
    const void *first = (const char *)operation + form->fields[0].offset;
    if (form->fields[0].kind == CG_FIELD_tissue) {
        return apply_to_tissue(world, *(const int *)first, operation);
    }
    if (form->fields[0].kind == CG_FIELD_hand) {
        return apply_to_hand(world, *(const int *)first, operation);
    }
    if (form->fields[0].kind == CG_FIELD_thread) {
        int place = *(const int *)first;
        cg_thread_id thread = cg_operation_thread(world, place);
        if (thread.index == 0) {
            return cg_error(CG_BAD_HANDLE, "there is no thread %d; it was removed or never was", place);
        }
        return apply_to_thread(world, thread, operation);
    }
    switch (operation->kind) {
    case CG_OPERATION_set_gravity:
        return cg_world_set_gravity(world, operation->as.set_gravity.gravity);
    case CG_OPERATION_set_time_step:
        return cg_world_set_time_step(world, operation->as.set_time_step.time_step);
    case CG_OPERATION_set_newton: {
        const cg_operation_set_newton *set = &operation->as.set_newton;
        return cg_world_set_newton(world, set->passes, set->tolerance, set->line_search);
    }
    case CG_OPERATION_move_shape:
        return apply_move_shape(world, &operation->as.move_shape);
    case CG_OPERATION_move_camera:
        return apply_move_camera(world, &operation->as.move_camera);
    default:
        return cg_error(CG_BAD_INPUT, "kind %d is no operation on a world", (int)operation->kind);
    }
}
