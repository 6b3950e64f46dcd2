// The tables of fields written out: as a JSON schema (draft 7) for editors, and as Markdown for people.
//
// The schema says all that the reader checks, except what a schema cannot say: the units and the range of a quantity
// that is written as text, and rules between fields far apart (unique names, paths, limits of the whole scene).
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "catgut/scene.h"
#include "scene/fields.h"
#include "scene/units.h"

typedef struct writer {
    cg_scene_write write;
    void *context;
} writer;

static void put(const writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(const writer *w, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t size = length < 0 ? 0 : (size_t)length;
    w->write(w->context, text, size < sizeof text ? size : sizeof text - 1);
}

// The schema

// A number of a text: as JSON has it, then something that is no part of it.
static const char quantity_pattern[] = "^ *-?(0|[1-9][0-9]*)(\\\\.[0-9]+)?([eE][-+]?[0-9]+)? *(1/|[^ 0-9.eE+-]).*$";

static void put_string(const writer *w, const char *text)
{
    put(w, "\"");
    for (const char *c = text; *c != '\0'; c++) {
        put(w, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    put(w, "\"");
}

// The name of a type without its article: "rigid shape".
static const char *plain_name(const cg_scene_type *type)
{
    const char *space = strchr(type->name, ' ');
    return space != NULL ? space + 1 : type->name;
}

// The same as one word, as schemas and links need it: "rigid-shape".
static void put_key(const writer *w, const cg_scene_type *type)
{
    for (const char *c = plain_name(type); *c != '\0'; c++) {
        put(w, "%c", *c == ' ' ? '-' : *c);
    }
}

static void put_reference(const writer *w, const cg_scene_type *type)
{
    put(w, "{\"$ref\": \"#/definitions/");
    put_key(w, type);
    put(w, "\"}");
}

// A link to the table of a type.
static void put_link(const writer *w, const cg_scene_type *type)
{
    put(w, "[%s](#", type->name);
    put_key(w, type);
    put(w, ")");
}

static void put_quantity(const writer *w, double low, double high, bool above_low)
{
    put(w, "{\"anyOf\": [{\"type\": \"number\", \"%s\": %.15g, \"maximum\": %.15g}, ",
        above_low ? "exclusiveMinimum" : "minimum", low, high);
    put(w, "{\"type\": \"string\", \"pattern\": \"%s\"}]}", quantity_pattern);
}

static void put_vector(const writer *w, double low, double high)
{
    put(w, "{\"type\": \"array\", \"minItems\": 3, \"maxItems\": 3, \"items\": ");
    put_quantity(w, low, high, false);
    put(w, "}");
}

static void put_words(const writer *w, const char *const *words)
{
    put(w, "{\"enum\": [");
    for (int i = 0; words[i] != NULL; i++) {
        put(w, i > 0 ? ", \"%s\"" : "\"%s\"", words[i]);
    }
    put(w, "]}");
}

static void put_array_start(const writer *w, const cg_scene_field *field)
{
    put(w, "{\"type\": \"array\", \"minItems\": %.15g, \"maxItems\": %.15g", field->low, field->high);
}

// The schema of what a field may hold, without its description.
static void put_value_schema(const writer *w, const cg_scene_field *field)
{
    switch (field->kind) {
    case CG_SCENE_QUANTITY:
        put_quantity(w, field->low, field->high, field->above_low);
        break;
    case CG_SCENE_INTEGER:
        put(w, "{\"type\": \"integer\", \"minimum\": %.15g, \"maximum\": %.15g}", field->low, field->high);
        break;
    case CG_SCENE_FLAG:
        put(w, "{\"type\": \"boolean\"}");
        break;
    case CG_SCENE_TEXT:
        put(w, "{\"type\": \"string\", \"minLength\": %.15g, \"maxLength\": %.15g}", field->low, field->high);
        break;
    case CG_SCENE_VECTOR:
        put_vector(w, field->low, field->high);
        break;
    case CG_SCENE_WORD:
        put_words(w, field->words);
        break;
    case CG_SCENE_OBJECT:
        put_reference(w, field->type);
        break;
    case CG_SCENE_WORD_OR_OBJECT:
        put(w, "{\"anyOf\": [");
        put_words(w, field->words);
        put(w, ", ");
        put_reference(w, field->type);
        put(w, "]}");
        break;
    case CG_SCENE_OBJECTS:
        put_array_start(w, field);
        put(w, ", \"items\": ");
        put_reference(w, field->type);
        put(w, "}");
        break;
    case CG_SCENE_POINTS:
        put_array_start(w, field);
        put(w, ", \"items\": ");
        put_vector(w, -1e5, 1e5);
        put(w, "}");
        break;
    case CG_SCENE_TEXTS:
        put_array_start(w, field);
        put(w, ", \"items\": {\"type\": \"string\"}}");
        break;
    case CG_SCENE_INPUTS:
        put_array_start(w, field);
        put(w, "}");
        break;
    }
}

static void put_property(const writer *w, const cg_scene_field *field, const char *indent)
{
    put(w, "%s    \"%s\": {\"description\": ", indent, field->name);
    put_string(w, field->text);
    if (field->preset != NULL) {
        put(w, ", \"default\": %s", field->preset);
    }
    put(w, ", \"allOf\": [");
    put_value_schema(w, field);
    put(w, "]}");
}

static void put_rules(const writer *w, const cg_scene_type *type, const char *indent)
{
    int required = 0;
    for (int i = 0; i < type->field_count; i++) {
        if (type->fields[i].required) {
            put(w, required++ == 0 ? ",\n%s\"required\": [\"%s\"" : "%.0s, \"%s\"", indent, type->fields[i].name);
        }
    }
    put(w, required > 0 ? "]" : "");
    if (type->exactly_one) {
        put(w, ",\n%s\"minProperties\": 1, \"maxProperties\": 1", indent);
    }
    for (int i = 0; type->one_of[i] != NULL; i++) {
        put(w, i == 0 ? ",\n%s\"oneOf\": [" : "%.0s, ", indent);
        put(w, "{\"required\": [\"%s\"]}", type->one_of[i]);
    }
    put(w, type->one_of[0] != NULL ? "]" : "");
    int pairs = 0;
    for (; pairs < CG_SCENE_EXCLUSIVE_PAIRS && type->exclusive[pairs][0] != NULL; pairs++) {
        put(w, pairs == 0 ? ",\n%s\"allOf\": [" : "%.0s, ", indent);
        put(w, "{\"not\": {\"required\": [\"%s\", \"%s\"]}}", type->exclusive[pairs][0], type->exclusive[pairs][1]);
    }
    put(w, pairs > 0 ? "]" : "");
}

// The members of the schema of a type, without its braces.
static void put_type_schema(const writer *w, const cg_scene_type *type, const char *indent)
{
    put(w, "%s\"description\": ", indent);
    put_string(w, type->text);
    put(w, ",\n%s\"type\": \"object\",\n%s\"additionalProperties\": false,\n%s\"properties\": {\n", indent, indent,
        indent);
    for (int i = 0; i < type->field_count; i++) {
        put_property(w, &type->fields[i], indent);
        put(w, i + 1 < type->field_count ? ",\n" : "\n");
    }
    put(w, "%s}", indent);
    put_rules(w, type, indent);
}

void cg_scene_write_schema(cg_scene_write write, void *context)
{
    const writer w = {write, context};
    put(&w, "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n  \"title\": \"catgut scene\",\n");
    put_type_schema(&w, cg_scene_types[0], "  ");
    put(&w, ",\n  \"definitions\": {\n");
    for (int i = 1; i < cg_scene_type_count; i++) {
        put(&w, "    \"");
        put_key(&w, cg_scene_types[i]);
        put(&w, "\": {\n");
        put_type_schema(&w, cg_scene_types[i], "      ");
        put(&w, "\n    }%s\n", i + 1 < cg_scene_type_count ? "," : "");
    }
    put(&w, "  }\n}\n");
}

// The tables

static void put_range(const writer *w, const cg_scene_field *field)
{
    const char *space = field->unit != NULL && field->unit[0] != '\0' ? " " : "";
    if (field->low == -field->high) {
        put(w, ", up to +-%.9g%s%s", field->high, space, field->unit != NULL ? field->unit : "");
    } else {
        put(w, field->above_low ? ", above %.9g to %.9g%s%s" : ", %.9g to %.9g%s%s", field->low, field->high, space,
            field->unit != NULL ? field->unit : "");
    }
}

static void put_word_list(const writer *w, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++) {
        put(w, i > 0 ? ", `\"%s\"`" : "`\"%s\"`", words[i]);
    }
}

static void put_words_or_link(const writer *w, const cg_scene_field *field)
{
    if (field->listed != NULL) {
        put(w, "one of [these](%s)", field->listed);
    } else {
        put_word_list(w, field->words);
    }
}

static void put_kind(const writer *w, const cg_scene_field *field)
{
    switch (field->kind) {
    case CG_SCENE_QUANTITY:
        put(w, "%s", cg_units_name(field->unit));
        put_range(w, field);
        break;
    case CG_SCENE_VECTOR:
        put(w, "three of: %s", cg_units_name(field->unit));
        put_range(w, field);
        break;
    case CG_SCENE_INTEGER:
        put(w, "a whole number, %.15g to %.15g", field->low, field->high);
        break;
    case CG_SCENE_FLAG:
        put(w, "`true` or `false`");
        break;
    case CG_SCENE_TEXT:
        put(w, "text, %.15g to %.15g bytes", field->low, field->high);
        break;
    case CG_SCENE_WORD:
        put_words_or_link(w, field);
        break;
    case CG_SCENE_WORD_OR_OBJECT:
        put_words_or_link(w, field);
        put(w, " or ");
        put_link(w, field->type);
        break;
    case CG_SCENE_OBJECT:
        put_link(w, field->type);
        break;
    case CG_SCENE_OBJECTS:
        put(w, "an array of ");
        put_link(w, field->type);
        put(w, ", at most %.15g", field->high);
        break;
    case CG_SCENE_POINTS:
        put(w, "an array of points `[x, y, z]`, %.15g to %.15g", field->low, field->high);
        break;
    case CG_SCENE_TEXTS:
        put(w, "an array of paths, at most %.15g", field->high);
        break;
    case CG_SCENE_INPUTS:
        put(w, "an array");
        break;
    }
}

static void put_table(const writer *w, const cg_scene_type *type)
{
    put(w, "\n| field | value | when not given | what it is |\n|---|---|---|---|\n");
    for (int i = 0; i < type->field_count; i++) {
        const cg_scene_field *field = &type->fields[i];
        put(w, "| `%s` | ", field->name);
        put_kind(w, field);
        const char *quote = field->preset != NULL ? "`" : "";
        put(w, " | %s%s%s | %s |\n", quote,
            field->preset != NULL ? field->preset : (field->required ? "**needed**" : ""), quote, field->text);
    }
    for (int i = 0; i < CG_SCENE_EXCLUSIVE_PAIRS && type->exclusive[i][0] != NULL; i++) {
        put(w, "%sNot both of `%s` and `%s`.\n", i == 0 ? "\n" : "", type->exclusive[i][0], type->exclusive[i][1]);
    }
    for (int i = 0; type->one_of[i] != NULL; i++) {
        put(w, i == 0 ? "\nExactly one of `%s`" : ", `%s`", type->one_of[i]);
    }
    put(w, type->one_of[0] != NULL ? ".\n" : "");
}

void cg_scene_write_format(cg_scene_write write, void *context)
{
    const writer w = {write, context};
    for (int t = 0; t < cg_scene_type_count; t++) {
        const cg_scene_type *type = cg_scene_types[t];
        put(&w, "%s### %s\n%s\n", t > 0 ? "\n" : "", plain_name(type), type->text);
        if (type->field_count > 0) {
            put_table(&w, type);
        }
    }
}
