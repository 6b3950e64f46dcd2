// A scene as JSON that any reader takes: no comments, no commas at ends, and every field that is not given has the
// value that is taken for it.
//
// A field is left out where to give it would mean something else: beside one that shuts it out, of those of which one
// must be there, and where its value comes from something else that is given (a suture, a needle).
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "scene/fields.h"
#include "scene/reader.h"
#include "scene/tables.h"

typedef struct writer {
    cg_scene_write write;
    void *context;
    int depth;
} writer;

static void put(const writer *w, const char *text)
{
    w->write(w->context, text, strlen(text));
}

static void put_line(const writer *w)
{
    put(w, "\n");
    for (int i = 0; i < w->depth; i++) {
        put(w, "  ");
    }
}

static void put_string(const writer *w, const char *text)
{
    put(w, "\"");
    for (const char *at = text; *at; at++) {
        char piece[8] = {*at, '\0'};
        if (*at == '"' || *at == '\\') {
            snprintf(piece, sizeof piece, "\\%c", *at);
        } else if ((unsigned char)*at < 0x20) {
            snprintf(piece, sizeof piece, "\\u%04x", (unsigned)(unsigned char)*at);
        }
        put(w, piece);
    }
    put(w, "\"");
}

// As few digits as read back to the same value.
static void put_number(const writer *w, double value)
{
    char text[40];
    double back = value + 1;
    for (int digits = 15; digits <= 17 && back != value; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        sscanf(text, "%lf", &back);
    }
    put(w, text);
}

static void put_value(writer *w, const cg_json_value *value, const cg_scene_type *type);

// Fields whose value comes from another one where that is given.
static const struct {
    const char *field, *from;
} DERIVED[] = {{"radius", "suture"},   {"youngs_modulus", "suture"}, {"poisson_ratio", "suture"}, {"density", "suture"},
               {"friction", "suture"}, {"breaking_force", "suture"}, {"mass", "needle"},          {"mass", "arc"},
               {"mass", "needle_mesh"}};

static bool is_shut_out(const cg_scene_type *type, const cg_json_value *object, const char *name)
{
    for (int i = 0; type->one_of[i] != NULL; i++) {
        if (strcmp(type->one_of[i], name) == 0) {
            return true;
        }
    }
    for (int i = 0; i < CG_SCENE_EXCLUSIVE_PAIRS && type->exclusive[i][0] != NULL; i++) {
        const char *a = type->exclusive[i][0], *b = type->exclusive[i][1];
        const char *other = strcmp(a, name) == 0 ? b : strcmp(b, name) == 0 ? a : NULL;
        if (other != NULL && cg_json_find(object, other) != NULL) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof DERIVED / sizeof *DERIVED; i++) {
        if (strcmp(DERIVED[i].field, name) == 0 && cg_json_find(object, DERIVED[i].from) != NULL) {
            return true;
        }
    }
    bool of_material = cg_json_find(object, "material") != NULL && strcmp(name, "thickness") != 0;
    return type->exactly_one || of_material;
}

// Laws by which a thread slides know some of these each, and are told of no others.
static bool is_of_a_law(const char *name)
{
    return strncmp(name, "slip_", 5) == 0;
}

static void put_member(writer *w, const char *name, bool *any)
{
    if (*any) {
        put(w, ",");
    }
    *any = true;
    put_line(w);
    put_string(w, name);
    put(w, ": ");
}

static void put_object(writer *w, const cg_json_value *object, const cg_scene_type *type)
{
    bool any = false;
    put(w, "{");
    w->depth++;
    for (int i = 0; i < object->count; i++) {
        const cg_json_value *member = object->as.items[i];
        int field = type != NULL ? cg_scene_field_index(type, member->name) : -1;
        put_member(w, member->name, &any);
        put_value(w, member, field >= 0 ? type->fields[field].type : NULL);
    }
    for (int i = 0; type != NULL && i < type->field_count; i++) {
        const cg_scene_field *field = &type->fields[i];
        if (field->preset != NULL && cg_json_find(object, field->name) == NULL &&
            !is_shut_out(type, object, field->name) && !is_of_a_law(field->name)) {
            put_member(w, field->name, &any);
            put(w, field->preset);
        }
    }
    w->depth--;
    if (any) {
        put_line(w);
    }
    put(w, "}");
}

static bool is_plain(const cg_json_value *value)
{
    return value->kind != CG_JSON_OBJECT && value->kind != CG_JSON_ARRAY;
}

// Rows of plain values, as vectors are, stand in a line.
static void put_array(writer *w, const cg_json_value *array, const cg_scene_type *type)
{
    bool in_line = true;
    for (int i = 0; i < array->count; i++) {
        in_line = in_line && is_plain(array->as.items[i]);
    }
    put(w, "[");
    w->depth++;
    for (int i = 0; i < array->count; i++) {
        put(w, i == 0 ? "" : in_line ? ", " : ",");
        if (!in_line) {
            put_line(w);
        }
        put_value(w, array->as.items[i], type);
    }
    w->depth--;
    if (!in_line) {
        put_line(w);
    }
    put(w, "]");
}

static void put_value(writer *w, const cg_json_value *value, const cg_scene_type *type)
{
    switch (value->kind) {
    case CG_JSON_BOOLEAN:
        put(w, value->as.boolean ? "true" : "false");
        break;
    case CG_JSON_NUMBER:
        put_number(w, value->as.number);
        break;
    case CG_JSON_STRING:
        put_string(w, value->as.string);
        break;
    case CG_JSON_ARRAY:
        put_array(w, value, type);
        break;
    case CG_JSON_OBJECT:
        put_object(w, value, type);
        break;
    default:
        put(w, "null");
        break;
    }
}

void cg_scene_write_strict(const cg_scene *scene, cg_scene_write write, void *context)
{
    writer w = {.write = write, .context = context};
    put_value(&w, cg_json_root(scene->trees[0]), cg_scene_types[0]);
    put(&w, "\n");
}

cg_status cg_scene_write_plain(const char *text, size_t size, const char *name, cg_scene_write write, void *context,
                               cg_scene_error *error)
{
    cg_json_tree *tree;
    cg_code code = cg_json_tree_read(text, size, name, NULL, &tree, error);
    if (code != CG_OK) {
        return cg_error(code, "%s", error->message);
    }
    writer w = {.write = write, .context = context};
    put_value(&w, cg_json_root(tree), NULL);
    put(&w, "\n");
    cg_json_tree_free(tree);
    return cg_ok();
}
