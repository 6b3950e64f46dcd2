// Reads timed inputs. The text is untrusted: every complaint has a place, says what was found and what was expected.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/status.h"
#include "operation/fields.h"
#include "operation/inputs.h"
#include "scene/specs.h"
#include "scene/units.h"

// The name of a thread, a rigid shape, a hand or a tissue, and its place in the world.
typedef struct named_thing {
    const char *name;
    int place;
} named_thing;

// All threads, all rigid shapes, all hands or all tissues.
typedef struct name_list {
    const char *what;     // "thread"
    const char *expected; // "the name of a thread"
    named_thing *things;  // by name
    const char **names;   // in order of places
    int count;
} name_list;

// What reading needs to know.
typedef struct input_reader {
    const cg_scene *scene;
    const cg_world *world;
    name_list threads, shapes, hands, tissues;
    cg_scene_error *error;
} input_reader;

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const named_thing *)a)->name, ((const named_thing *)b)->name);
}

// A suggestion for a misspelt word: ` did you mean "..."?` or nothing.
static const char *suggestion(char *text, size_t room, const char *word, const char *const *candidates, int count)
{
    const char *nearest = cg_nearest_word(word, candidates, count);
    text[0] = '\0';
    if (nearest != NULL) {
        snprintf(text, room, "; did you mean \"%s\"?", nearest);
    }
    return text;
}

static bool wrong_kind(input_reader *reader, const cg_json_value *value, const char *expected)
{
    return cg_error_at_value(reader->error, value, "found %s; expected %s", cg_json_kind_name(value->kind), expected);
}

// Ranges of numbers, and of each part of a vector, by the name of the field; what the world itself would refuse later.
static bool check_range(input_reader *reader, const cg_json_value *value, const char *name, const char *unit,
                        double number)
{
    static const struct {
        const char *name;
        double low, high;
    } ranges[] = {{"fraction", 0, 1},     {"mass", 0, 1e6},       {"time_step", 1e-7, 0.1}, {"tolerance", 0, 1},
                  {"turn", -1e6, 1e6},    {"target", -5e5, 5e5},  {"position", -5e5, 5e5},  {"direction", -5e11, 5e11},
                  {"gravity", -5e5, 5e5}, {"force", -5e11, 5e11}, {"moment", -5e11, 5e11},  {"time", 0, 1000},
                  {"up", -5e5, 5e5},      {"friction", 0, 100}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (strcmp(name, ranges[i].name) == 0 && !(number >= ranges[i].low && number <= ranges[i].high)) {
            return cg_error_at_value(reader->error, value, "%s is %g%s%s; expected %g to %g", name, number,
                                     unit[0] != '\0' ? " " : "", unit, ranges[i].low, ranges[i].high);
        }
    }
    return true;
}

static bool read_name(input_reader *reader, const cg_json_value *value, const name_list *list, int *place)
{
    if (value->kind != CG_JSON_STRING) {
        return wrong_kind(reader, value, list->expected);
    }
    named_thing wanted = {.name = value->as.string};
    const named_thing *found = bsearch(&wanted, list->things, (size_t)list->count, sizeof wanted, compare_names);
    if (found == NULL) {
        char hint[160];
        suggestion(hint, sizeof hint, wanted.name, list->names, list->count);
        return cg_error_at_value(reader->error, value, "there is no %s \"%s\" in the scene%s", list->what, wanted.name,
                                 hint);
    }
    *place = found->place;
    return true;
}

// How many of what a whole number names the thread or tissue in that place has; -1 when it names none of these.
static int count_named(const input_reader *reader, const char *name, int place)
{
    int count = 0;
    if (strcmp(name, "vertex") == 0 || strcmp(name, "segment") == 0) {
        cg_thread_positions(reader->world, cg_operation_thread(reader->world, place), &count);
        return count - (name[0] == 's');
    }
    cg_tissue_id tissue = cg_operation_tissue(reader->world, place);
    if (strcmp(name, "node") == 0) {
        cg_tissue_positions(reader->world, tissue, &count);
        return count;
    }
    return strcmp(name, "triangle") == 0 ? cg_tissue_triangle_count(reader->world, tissue) : -1;
}

// A vertex, segment, node or triangle; negative ones count from the end. Other whole numbers are counts of passes.
static bool read_integer(input_reader *reader, const cg_json_value *value, const char *name, int place, int *number)
{
    int count = count_named(reader, name, place);
    if (count < 0) {
        return cg_json_integer(value, 1, 100, number, reader->error);
    }
    if (!cg_json_integer(value, -count, count - 1, number, reader->error)) {
        return false;
    }
    *number += *number < 0 ? count : 0;
    return true;
}

static bool read_word(input_reader *reader, const cg_json_value *value, const char *const *words, int count,
                      const char *expected, int *choice)
{
    if (value->kind != CG_JSON_STRING) {
        return wrong_kind(reader, value, expected);
    }
    for (int i = 0; i < count; i++) {
        if (strcmp(value->as.string, words[i]) == 0) {
            *choice = i;
            return true;
        }
    }
    char hint[80];
    suggestion(hint, sizeof hint, value->as.string, words, count);
    return cg_error_at_value(reader->error, value, "found \"%s\"; expected %s%s", value->as.string, expected, hint);
}

static bool read_end(input_reader *reader, const cg_json_value *value, cg_end *end)
{
    const char *words[] = {cg_end_word(CG_START), cg_end_word(CG_FINISH)};
    int choice = 0;
    bool good = read_word(reader, value, words, 2, "\"start\" or \"finish\"", &choice);
    *end = (cg_end)choice;
    return good;
}

static bool read_end_kind(input_reader *reader, const cg_json_value *value, cg_end_kind *kind)
{
    const char *words[] = {cg_end_kind_word(CG_END_FREE), cg_end_kind_word(CG_END_PINNED),
                           cg_end_kind_word(CG_END_CLAMPED)};
    int choice = 0;
    bool good = read_word(reader, value, words, 3, "\"free\", \"pinned\" or \"clamped\"", &choice);
    *kind = (cg_end_kind)choice;
    return good;
}

static bool read_tool(input_reader *reader, const cg_json_value *value, cg_hand_tool *tool)
{
    const char *words[CG_TOOL_COUNT];
    for (int i = 0; i < CG_TOOL_COUNT; i++) {
        words[i] = cg_tool_word((cg_hand_tool)i);
    }
    int choice = 0;
    char list[CG_TOOL_LIST_MOST];
    bool good = read_word(reader, value, words, CG_TOOL_COUNT, cg_tool_list("\"", list), &choice);
    *tool = (cg_hand_tool)choice;
    return good;
}

static bool read_vector(input_reader *reader, const cg_json_value *value, const cg_operation_field *field,
                        cg_vec3 *vector)
{
    return cg_json_vector(value, field->unit, vector, reader->error) &&
           check_range(reader, value->as.items[0], field->name, field->unit, vector->x) &&
           check_range(reader, value->as.items[1], field->name, field->unit, vector->y) &&
           check_range(reader, value->as.items[2], field->name, field->unit, vector->z);
}

// Reads a field into its place. Threads and tissues come first in every operation, so `place` is known when a vertex or
// a node is read.
static bool read_field(input_reader *reader, const cg_json_value *value, const cg_operation_field *field, void *into,
                       int *place)
{
    switch (field->kind) {
    case CG_FIELD_thread:
    case CG_FIELD_tissue:
        *place = -1;
        if (!read_name(reader, value, field->kind == CG_FIELD_thread ? &reader->threads : &reader->tissues, place)) {
            return false;
        }
        *(int *)into = *place;
        return true;
    case CG_FIELD_shape:
        return read_name(reader, value, &reader->shapes, into);
    case CG_FIELD_hand:
        return read_name(reader, value, &reader->hands, into);
    case CG_FIELD_integer:
        return read_integer(reader, value, field->name, *place, into);
    case CG_FIELD_number:
        return cg_json_quantity(value, field->unit, into, reader->error) &&
               check_range(reader, value, field->name, field->unit, *(double *)into);
    case CG_FIELD_flag:
        if (value->kind != CG_JSON_BOOLEAN) {
            return wrong_kind(reader, value, "true or false");
        }
        *(bool *)into = value->as.boolean;
        return true;
    case CG_FIELD_vector:
        return read_vector(reader, value, field, into);
    case CG_FIELD_rotation:
        return cg_scene_read_rotation(value, into, reader->error);
    case CG_FIELD_end:
        return read_end(reader, value, into);
    case CG_FIELD_end_kind:
        return read_end_kind(reader, value, into);
    case CG_FIELD_tool:
        return read_tool(reader, value, into);
    }
    return false;
}

enum { MOST_FIELDS = 16 };

static bool complain_unknown_field(input_reader *reader, const cg_json_value *member, const cg_operation_form *form)
{
    const char *names[MOST_FIELDS];
    int count = form->field_count < MOST_FIELDS ? form->field_count : MOST_FIELDS;
    for (int i = 0; i < count; i++) {
        names[i] = form->fields[i].name;
    }
    char hint[80];
    suggestion(hint, sizeof hint, member->name, names, count);
    return cg_error_at_name(reader->error, member, "%s has no field \"%s\"%s", form->name, member->name, hint);
}

// Fields of set_end and the moves that are left out keep what they are (a time is 0); everywhere else a missing field
// is a mistake.
static bool may_be_left_out(cg_operation_kind kind, const cg_operation_field *field)
{
    return (kind == CG_OPERATION_set_end && field->kind != CG_FIELD_thread && field->kind != CG_FIELD_end) ||
           (kind == CG_OPERATION_move_shape && field->kind != CG_FIELD_shape) ||
           (kind == CG_OPERATION_move_hand && field->kind != CG_FIELD_hand) || kind == CG_OPERATION_move_camera;
}

static bool read_operation(input_reader *reader, const cg_json_value *object, cg_operation_kind kind, cg_input *input)
{
    const cg_operation_form *form = cg_operation_form_of(kind);
    if (object->kind != CG_JSON_OBJECT) {
        return wrong_kind(reader, object, "an object with the fields of the operation");
    }
    input->operation.kind = kind;
    int place = -1, found = 0;
    for (int i = 0; i < form->field_count; i++) {
        const cg_operation_field *field = &form->fields[i];
        const cg_json_value *value = cg_json_find(object, field->name);
        if (value != NULL) {
            input->given |= (uint64_t)1 << i;
            found++;
            if (!read_field(reader, value, field, cg_operation_field_at(&input->operation, field), &place)) {
                return false;
            }
        }
    }
    for (int i = 0; i < object->count && found < object->count; i++) {
        const cg_json_value *member = object->as.items[i];
        bool known = false;
        for (int f = 0; f < form->field_count; f++) {
            known = known || strcmp(member->name, form->fields[f].name) == 0;
        }
        if (!known) {
            return complain_unknown_field(reader, member, form);
        }
    }
    for (int i = 0; i < form->field_count; i++) {
        if ((input->given >> i & 1) == 0 && !may_be_left_out(kind, &form->fields[i])) {
            return cg_error_at_value(reader->error, object, "%s lacks its field \"%s\" (%s)", form->name,
                                     form->fields[i].name, form->fields[i].text);
        }
    }
    return true;
}

static bool read_time(input_reader *reader, const cg_json_value *value, double *time)
{
    if (!cg_json_quantity(value, "s", time, reader->error)) {
        return false;
    }
    if (!(*time >= 0 && *time <= 1e9)) {
        return cg_error_at_value(reader->error, value, "a time of %g s; expected 0 to 1e9", *time);
    }
    return true;
}

static bool read_span(input_reader *reader, const cg_json_value *from, const cg_json_value *to, cg_input *input)
{
    if (!read_time(reader, from, &input->from) || !read_time(reader, to, &input->to)) {
        return false;
    }
    if (!(input->to > input->from)) {
        return cg_error_at_value(reader->error, to, "it ends at %g s; expected a time after its start at %g s",
                                 input->to, input->from);
    }
    return true;
}

// Reads the times and finds out how the input acts.
static bool read_timing(input_reader *reader, const cg_json_value *object, cg_input *input)
{
    const cg_json_value *at = cg_json_find(object, "at"), *from = cg_json_find(object, "from");
    const cg_json_value *to = cg_json_find(object, "to"), *during = cg_json_find(object, "during");
    if ((at != NULL) + (from != NULL || to != NULL) + (during != NULL) != 1) {
        return cg_error_at_value(reader->error, object,
                                 "expected a time: one of \"at\", \"from\" with \"to\", or \"during\"");
    }
    if (at != NULL) {
        input->timing = CG_INPUT_AT;
        bool good = read_time(reader, at, &input->from);
        input->to = input->from;
        return good;
    }
    if (during != NULL) {
        input->timing = CG_INPUT_DURING;
        if (during->kind != CG_JSON_ARRAY || during->count != 2) {
            return cg_error_at_value(reader->error, during, "expected two times, [\"0 s\", \"1 s\"]");
        }
        return read_span(reader, during->as.items[0], during->as.items[1], input);
    }
    if (from == NULL || to == NULL) {
        return cg_error_at_value(reader->error, object, "\"from\" and \"to\" come together; \"%s\" is missing",
                                 from == NULL ? "from" : "to");
    }
    input->timing = CG_INPUT_RAMP;
    return read_span(reader, from, to, input);
}

static bool is_push(cg_operation_kind kind)
{
    return kind == CG_OPERATION_push_vertex || kind == CG_OPERATION_push_segment || kind == CG_OPERATION_push_moment ||
           kind == CG_OPERATION_push_tissue;
}

static bool is_motion(cg_operation_kind kind)
{
    return kind == CG_OPERATION_hold || kind == CG_OPERATION_set_end || kind == CG_OPERATION_move_shape;
}

static bool check_timing(input_reader *reader, const cg_json_value *member, const cg_input *input)
{
    cg_operation_kind kind = input->operation.kind;
    if (input->timing == CG_INPUT_RAMP && !is_motion(kind)) {
        return cg_error_at_name(reader->error, member,
                                "%s cannot go \"from\" ... \"to\"; only hold, set_end and move_shape can%s",
                                member->name,
                                is_push(kind)                    ? "; \"during\" repeats a push"
                                : kind == CG_OPERATION_move_hand ? "; move_hand has a \"time\""
                                                                 : "");
    }
    if (input->timing == CG_INPUT_DURING && !is_push(kind)) {
        return cg_error_at_name(reader->error, member, "%s cannot be \"during\"; only pushes can%s", member->name,
                                is_motion(kind) ? "; \"from\" and \"to\" make a ramp" : "; write \"at\"");
    }
    return true;
}

static bool is_time_name(const char *name)
{
    return strcmp(name, "at") == 0 || strcmp(name, "from") == 0 || strcmp(name, "to") == 0 ||
           strcmp(name, "during") == 0;
}

static bool complain_unknown_member(input_reader *reader, const cg_json_value *member)
{
    const char *names[CG_OPERATION_COUNT + 4] = {"at", "from", "to", "during"};
    for (int k = 0; k < CG_OPERATION_COUNT; k++) {
        names[4 + k] = cg_operation_name((cg_operation_kind)k);
    }
    char hint[80];
    suggestion(hint, sizeof hint, member->name, names, CG_OPERATION_COUNT + 4);
    return cg_error_at_name(reader->error, member, "there is no operation \"%s\"%s", member->name, hint);
}

static bool read_input(input_reader *reader, const cg_json_value *object, cg_input *input)
{
    if (object->kind != CG_JSON_OBJECT) {
        return wrong_kind(reader, object, "an input such as {\"at\": \"0.5 s\", \"release\": {...}}");
    }
    const cg_json_value *operation = NULL;
    cg_operation_kind kind = CG_OPERATION_COUNT;
    for (int i = 0; i < object->count; i++) {
        const cg_json_value *member = object->as.items[i];
        if (is_time_name(member->name)) {
            continue;
        }
        cg_operation_kind this_kind = CG_OPERATION_COUNT;
        for (int k = 0; k < CG_OPERATION_COUNT; k++) {
            this_kind =
                strcmp(member->name, cg_operation_name((cg_operation_kind)k)) == 0 ? (cg_operation_kind)k : this_kind;
        }
        if (this_kind == CG_OPERATION_COUNT) {
            return complain_unknown_member(reader, member);
        }
        if (operation != NULL) {
            return cg_error_at_name(reader->error, member,
                                    "a second operation; an input has one (\"%s\" is there already)", operation->name);
        }
        operation = member;
        kind = this_kind;
    }
    if (operation == NULL) {
        return cg_error_at_value(reader->error, object, "an input without an operation; expected one such as \"hold\"");
    }
    return read_timing(reader, object, input) && read_operation(reader, operation, kind, input) &&
           check_timing(reader, operation, input);
}

// Order of start, then of writing: the place in the list breaks ties.
static int compare_starts(const void *a, const void *b)
{
    const cg_input *x = a, *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return x->operation.step < y->operation.step ? -1 : x->operation.step > y->operation.step;
}

static bool read_list(input_reader *reader, const cg_json_value *list, cg_inputs *inputs)
{
    for (int i = 0; i < list->count; i++) {
        inputs->items[i].operation.step = (uint64_t)i; // for sorting; the session gives it its step later
        if (!read_input(reader, list->as.items[i], &inputs->items[i])) {
            return false;
        }
        cg_input_note_arc(&inputs->items[i], reader->world);
    }
    qsort(inputs->items, (size_t)list->count, sizeof inputs->items[0], compare_starts);
    return true;
}

static bool take_names(name_list *list, const cg_allocator *allocator, const cg_scene *scene,
                       const char *(*name_of)(const cg_scene *, int))
{
    size_t count = (size_t)list->count;
    list->things = cg_memory_take(allocator, count * sizeof *list->things);
    list->names = cg_memory_take(allocator, count * sizeof *list->names);
    if (list->things == NULL || list->names == NULL) {
        return false;
    }
    for (int i = 0; i < list->count; i++) {
        list->names[i] = name_of(scene, i);
        list->things[i] = (named_thing){.name = list->names[i], .place = i};
    }
    qsort(list->things, count, sizeof list->things[0], compare_names);
    return true;
}

static void give_names(name_list *list, const cg_allocator *allocator)
{
    cg_memory_give(allocator, list->things);
    cg_memory_give(allocator, list->names);
}

static cg_status take_memory(input_reader *reader, const cg_allocator *allocator, int count, cg_inputs **out)
{
    cg_inputs *inputs = cg_memory_take(allocator, sizeof *inputs);
    cg_input *items = cg_memory_take(allocator, (size_t)count * sizeof *items);
    int *active = cg_memory_take(allocator, (size_t)count * sizeof *active);
    bool named = take_names(&reader->threads, allocator, reader->scene, cg_scene_thread_name) &&
                 take_names(&reader->shapes, allocator, reader->scene, cg_scene_shape_name) &&
                 take_names(&reader->hands, allocator, reader->scene, cg_scene_hand_name) &&
                 take_names(&reader->tissues, allocator, reader->scene, cg_scene_tissue_name);
    if (inputs == NULL || items == NULL || active == NULL || !named) {
        cg_memory_give(allocator, inputs);
        cg_memory_give(allocator, items);
        cg_memory_give(allocator, active);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for %d inputs", count);
    }
    *inputs = (cg_inputs){.allocator = *allocator, .items = items, .active = active, .count = count};
    *out = inputs;
    return cg_ok();
}

cg_status cg_inputs_read(const cg_json_value *list, const cg_scene *scene, const cg_world *world,
                         const cg_allocator *allocator, cg_inputs **out, cg_scene_error *error)
{
    assert(out != NULL);
    *out = NULL;
    input_reader reader = {.scene = scene,
                           .world = world,
                           .threads = {"thread", "the name of a thread", .count = cg_scene_thread_count(scene)},
                           .shapes = {"shape", "the name of a shape", .count = cg_scene_shape_count(scene)},
                           .hands = {"hand", "the name of a hand", .count = cg_scene_hand_count(scene)},
                           .tissues = {"tissue", "the name of a tissue", .count = cg_scene_tissue_count(scene)},
                           .error = error};
    if (list->kind != CG_JSON_ARRAY) {
        wrong_kind(&reader, list, "an array of inputs");
        return cg_error(CG_BAD_INPUT, "%.180s", error->message);
    }
    if (list->count == 0) {
        return cg_ok();
    }
    cg_inputs *inputs = NULL;
    cg_status status = take_memory(&reader, allocator, list->count, &inputs);
    if (status.code == CG_OK && !read_list(&reader, list, inputs)) {
        status = cg_error(CG_BAD_INPUT, "%.180s", error->message);
        cg_inputs_free(inputs);
        inputs = NULL;
    }
    give_names(&reader.threads, allocator);
    give_names(&reader.shapes, allocator);
    give_names(&reader.hands, allocator);
    give_names(&reader.tissues, allocator);
    *out = inputs;
    return status;
}

void cg_inputs_free(cg_inputs *inputs)
{
    if (inputs == NULL) {
        return;
    }
    cg_allocator allocator = inputs->allocator;
    cg_memory_give(&allocator, inputs->items);
    cg_memory_give(&allocator, inputs->active);
    cg_memory_give(&allocator, inputs);
}

cg_inputs *cg_inputs_copy(const cg_inputs *inputs)
{
    const cg_allocator *allocator = &inputs->allocator;
    size_t item_bytes = (size_t)inputs->count * sizeof *inputs->items;
    size_t active_bytes = (size_t)inputs->count * sizeof *inputs->active;
    cg_inputs *copy = cg_memory_take(allocator, sizeof *copy);
    cg_input *items = cg_memory_take(allocator, item_bytes);
    int *active = cg_memory_take(allocator, active_bytes);
    if (copy == NULL || items == NULL || active == NULL) {
        cg_memory_give(allocator, copy);
        cg_memory_give(allocator, items);
        cg_memory_give(allocator, active);
        return NULL;
    }
    *copy = *inputs;
    copy->items = items;
    copy->active = active;
    memcpy(items, inputs->items, item_bytes);
    memcpy(active, inputs->active, active_bytes);
    return copy;
}
