#include "scene/fields.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "catgut/math.h"
#include "scene/units.h"

enum { MOST_FIELDS = 64 };

int cg_scene_field_index(const cg_scene_type *type, const char *name)
{
    for (int i = 0; i < type->field_count; i++) {
        if (strcmp(type->fields[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

bool cg_scene_is_given(const cg_scene_type *type, uint64_t given, const char *name)
{
    int index = cg_scene_field_index(type, name);
    assert(index >= 0);
    return (given >> index & 1) != 0;
}

static bool unknown_name(const cg_scene_type *type, const cg_json_value *member, cg_scene_error *error)
{
    const char *names[MOST_FIELDS];
    for (int i = 0; i < type->field_count; i++) {
        names[i] = type->fields[i].name;
    }
    const char *nearest = cg_nearest_word(member->name, names, type->field_count);
    if (nearest != NULL) {
        return cg_error_at_name(error, member, "found \"%.60s\", which is no field of %s; did you mean \"%s\"?",
                                member->name, type->name, nearest);
    }
    char list[200] = "none";
    size_t used = 0;
    for (int i = 0; i < type->field_count && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, i > 0 ? ", %s" : "%s", names[i]);
    }
    return cg_error_at_name(error, member, "found \"%.60s\", which is no field of %s; expected %s", member->name,
                            type->name, list);
}

static bool in_range(const cg_scene_field *field, double value)
{
    return (field->above_low ? value > field->low : value >= field->low) && value <= field->high;
}

static bool out_of_range(const cg_scene_field *field, const cg_json_value *at, double value, cg_scene_error *error)
{
    const char *space = field->unit[0] != '\0' ? " " : "";
    return cg_error_at_value(error, at, "found %s = %.9g%s%s; expected %s %.9g and at most %.9g%s%s", field->name,
                             value, space, field->unit, field->above_low ? "above" : "at least", field->low,
                             field->high, space, field->unit);
}

static bool read_quantity(const cg_scene_field *field, const cg_json_value *value, double *into, cg_scene_error *error)
{
    return cg_json_quantity(value, field->unit, into, error) &&
           (in_range(field, *into) || out_of_range(field, value, *into, error));
}

static bool read_vector(const cg_scene_field *field, const cg_json_value *value, cg_vec3 *into, cg_scene_error *error)
{
    if (!cg_json_vector(value, field->unit, into, error)) {
        return false;
    }
    const double parts[3] = {into->x, into->y, into->z};
    for (int i = 0; i < 3; i++) {
        if (!in_range(field, parts[i])) {
            return out_of_range(field, value->as.items[i], parts[i], error);
        }
    }
    return true;
}

static bool read_text(const cg_scene_field *field, const cg_json_value *value, const char **into, cg_scene_error *error)
{
    if (value->kind != CG_JSON_STRING) {
        return cg_error_at_value(error, value, "found %s; expected a string", cg_json_kind_name(value->kind));
    }
    if (!in_range(field, value->count)) {
        return cg_error_at_value(error, value, "found a string of %d bytes; expected %g to %g", value->count,
                                 field->low, field->high);
    }
    *into = value->as.string;
    return true;
}

static bool unknown_word(const cg_scene_field *field, const cg_json_value *value, cg_scene_error *error)
{
    char list[160] = "";
    size_t used = 0;
    int count = 0;
    for (; field->words[count] != NULL && used < sizeof list; count++) {
        const char *between = count == 0 ? "" : field->words[count + 1] == NULL && field->type == NULL ? " or " : ", ";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%s\"", between, field->words[count]);
    }
    if (used >= sizeof list) { // more than there is room for: whole words, and that there are others
        char *end = strrchr(list, ',');
        snprintf(end, sizeof list - (size_t)(end - list), ", ...");
        while (field->words[count] != NULL) {
            count++;
        }
    } else if (field->type != NULL) {
        snprintf(list + used, sizeof list - used, " or an object (%s)", field->type->name);
    }
    if (value->kind != CG_JSON_STRING) {
        return cg_error_at_value(error, value, "found %s; expected %s", cg_json_kind_name(value->kind), list);
    }
    const char *nearest = cg_nearest_word(value->as.string, field->words, count);
    if (nearest != NULL) {
        return cg_error_at_value(error, value, "found \"%.60s\"; did you mean \"%s\"? expected %s", value->as.string,
                                 nearest, list);
    }
    return cg_error_at_value(error, value, "found \"%.60s\"; expected %s", value->as.string, list);
}

static bool read_word(const cg_scene_field *field, const cg_json_value *value, int *into, cg_scene_error *error)
{
    for (int i = 0; value->kind == CG_JSON_STRING && field->words[i] != NULL; i++) {
        if (strcmp(field->words[i], value->as.string) == 0) {
            *into = i;
            return true;
        }
    }
    return unknown_word(field, value, error);
}

static bool read_choice(const cg_scene_field *field, const cg_json_value *value, cg_scene_choice *into,
                        cg_scene_error *error)
{
    *into = (cg_scene_choice){0};
    if (value->kind == CG_JSON_OBJECT) {
        into->object = value;
        return true;
    }
    return read_word(field, value, &into->word, error);
}

static bool read_compound(const cg_scene_field *field, const cg_json_value *value, const cg_json_value **into,
                          cg_scene_error *error)
{
    *into = value;
    if (field->kind == CG_SCENE_OBJECT) {
        return value->kind == CG_JSON_OBJECT || cg_error_at_value(error, value, "found %s; expected an object (%s)",
                                                                  cg_json_kind_name(value->kind), field->type->name);
    }
    if (value->kind != CG_JSON_ARRAY) {
        return cg_error_at_value(error, value, "found %s; expected an array", cg_json_kind_name(value->kind));
    }
    return in_range(field, value->count) || cg_error_at_value(error, value, "found an array of %d; expected %g to %g",
                                                              value->count, field->low, field->high);
}

static bool read_flag(const cg_json_value *value, bool *into, cg_scene_error *error)
{
    if (value->kind != CG_JSON_BOOLEAN) {
        return cg_error_at_value(error, value, "found %s; expected true or false", cg_json_kind_name(value->kind));
    }
    *into = value->as.boolean;
    return true;
}

static bool read_field(const cg_scene_field *field, const cg_json_value *value, void *into, cg_scene_error *error)
{
    void *place = (char *)into + field->offset;
    switch (field->kind) {
    case CG_SCENE_QUANTITY:
        return read_quantity(field, value, place, error);
    case CG_SCENE_INTEGER:
        return cg_json_integer(value, (int)field->low, (int)field->high, place, error);
    case CG_SCENE_FLAG:
        return read_flag(value, place, error);
    case CG_SCENE_TEXT:
        return read_text(field, value, place, error);
    case CG_SCENE_VECTOR:
        return read_vector(field, value, place, error);
    case CG_SCENE_WORD:
        return read_word(field, value, place, error);
    case CG_SCENE_WORD_OR_OBJECT:
        return read_choice(field, value, place, error);
    default:
        return read_compound(field, value, place, error);
    }
}

// Of the fields in one_of there must be exactly one.
static bool check_one_of(const cg_scene_type *type, const cg_json_value *object, uint64_t given, cg_scene_error *error)
{
    char list[160] = "";
    size_t used = 0;
    const char *first = NULL;
    for (int i = 0; type->one_of[i] != NULL; i++) {
        const char *name = type->one_of[i];
        if (cg_scene_is_given(type, given, name)) {
            if (first != NULL) {
                return cg_error_at_name(error, cg_json_find(object, name),
                                        "found both \"%s\" and \"%s\"; expected one of them", first, name);
            }
            first = name;
        }
        const char *between = i == 0 ? "" : type->one_of[i + 1] == NULL ? " or " : ", ";
        used += used < sizeof list ? (size_t)snprintf(list + used, sizeof list - used, "%s\"%s\"", between, name) : 0;
    }
    return first != NULL ||
           cg_error_at_value(error, object, "found %s without its kind; expected one of %s", type->name, list);
}

// Fields that must be there, and fields that shut each other out.
static bool check_presence(const cg_scene_type *type, const cg_json_value *object, uint64_t given,
                           cg_scene_error *error)
{
    if (type->exactly_one && object->count != 1) {
        return cg_error_at_value(error, object, "found %d fields in %s; expected exactly one of %s, %s, ...",
                                 object->count, type->name, type->fields[0].name, type->fields[1].name);
    }
    for (int i = 0; i < type->field_count; i++) {
        if (type->fields[i].required && (given >> i & 1) == 0) {
            return cg_error_at_value(error, object, "found %s without \"%s\"; expected it: %s", type->name,
                                     type->fields[i].name, type->fields[i].text);
        }
    }
    if (type->one_of[0] != NULL && !check_one_of(type, object, given, error)) {
        return false;
    }
    for (int i = 0; i < CG_SCENE_EXCLUSIVE_PAIRS && type->exclusive[i][0] != NULL; i++) {
        const char *a = type->exclusive[i][0], *b = type->exclusive[i][1];
        if (cg_scene_is_given(type, given, a) && cg_scene_is_given(type, given, b)) {
            return cg_error_at_name(error, cg_json_find(object, b),
                                    "found both \"%s\" and \"%s\"; expected one of them", a, b);
        }
    }
    return true;
}

bool cg_scene_read_fields(const cg_scene_type *type, const cg_json_value *object, void *into, uint64_t *given,
                          cg_scene_error *error)
{
    assert(type->field_count <= MOST_FIELDS);
    *given = 0;
    if (object->kind != CG_JSON_OBJECT) {
        return cg_error_at_value(error, object, "found %s; expected an object (%s)", cg_json_kind_name(object->kind),
                                 type->name);
    }
    for (int i = 0; i < object->count; i++) {
        const cg_json_value *member = object->as.items[i];
        int index = cg_scene_field_index(type, member->name);
        if (index < 0) {
            return unknown_name(type, member, error);
        }
        if (!read_field(&type->fields[index], member, into, error)) {
            return false;
        }
        *given |= (uint64_t)1 << index;
    }
    return check_presence(type, object, *given, error);
}
