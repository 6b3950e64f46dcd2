// The JSON schema and the reader agree. A small validator of the part of JSON Schema that we write judges the same
// texts as the reader: whatever the reader accepts, the schema accepts; what the reader refuses, the schema refuses
// too, except for what no schema can say (units, paths, geometry), which is listed here.
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/scene.h"
#include "harness.h"
#include "scene/constraint_specs.h"
#include "scene/fields.h"
#include "scene/json.h"
#include "scene/specs.h"

// Texts

typedef struct text_buffer {
    char *text;
    size_t size, capacity;
} text_buffer;

static void append(void *context, const char *text, size_t size)
{
    text_buffer *buffer = context;
    if (buffer->size + size + 1 > buffer->capacity) {
        buffer->capacity = 2 * (buffer->size + size + 1);
        buffer->text = realloc(buffer->text, buffer->capacity);
    }
    memcpy(buffer->text + buffer->size, text, size);
    buffer->size += size;
    buffer->text[buffer->size] = '\0';
}

static cg_json_tree *parse(const char *text)
{
    cg_json_tree *tree;
    cg_scene_error error;
    if (cg_json_tree_read(text, strlen(text), "text", NULL, &tree, &error) != CG_OK) {
        printf("%d:%d: %s\n", error.line, error.column, error.message);
    }
    return tree;
}

// The validator

static const cg_json_value *schema_root;

static bool validate(const cg_json_value *schema, const cg_json_value *value);

static const cg_json_value *resolve(const char *reference)
{
    static const char start[] = "#/definitions/";
    CHECK(strncmp(reference, start, sizeof start - 1) == 0);
    const cg_json_value *found = cg_json_find(cg_json_find(schema_root, "definitions"), reference + sizeof start - 1);
    CHECK(found != NULL);
    return found;
}

static bool has_type(const char *type, const cg_json_value *value)
{
    static const char *const names[] = {"null", "boolean", "number", "string", "array", "object"};
    bool whole = value->kind == CG_JSON_NUMBER && floor(value->as.number) == value->as.number;
    return strcmp(type, "integer") == 0 ? whole : strcmp(type, names[value->kind]) == 0;
}

static bool matches(const char *pattern, const char *text)
{
    regex_t expression;
    if (!CHECK_INT(regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB), 0)) {
        return false;
    }
    bool found = regexec(&expression, text, 0, NULL, 0) == 0;
    regfree(&expression);
    return found;
}

static bool in_enum(const cg_json_value *list, const cg_json_value *value)
{
    for (int i = 0; value->kind == CG_JSON_STRING && i < list->count; i++) {
        if (strcmp(list->as.items[i]->as.string, value->as.string) == 0) {
            return true;
        }
    }
    return false;
}

static int count_valid(const cg_json_value *schemas, const cg_json_value *value)
{
    int count = 0;
    for (int i = 0; i < schemas->count; i++) {
        count += validate(schemas->as.items[i], value);
    }
    return count;
}

static bool has_required(const cg_json_value *names, const cg_json_value *value)
{
    for (int i = 0; value->kind == CG_JSON_OBJECT && i < names->count; i++) {
        if (cg_json_find(value, names->as.items[i]->as.string) == NULL) {
            return false;
        }
    }
    return true;
}

static bool all_items(const cg_json_value *schema, const cg_json_value *value)
{
    for (int i = 0; value->kind == CG_JSON_ARRAY && i < value->count; i++) {
        if (!validate(schema, value->as.items[i])) {
            return false;
        }
    }
    return true;
}

static bool all_properties(const cg_json_value *properties, const cg_json_value *value)
{
    for (int i = 0; value->kind == CG_JSON_OBJECT && i < value->count; i++) {
        const cg_json_value *schema = cg_json_find(properties, value->as.items[i]->name);
        if (schema == NULL || !validate(schema, value->as.items[i])) { // all our objects refuse other names
            return false;
        }
    }
    return true;
}

static bool validate_keyword(const cg_json_value *rule, const cg_json_value *value)
{
    const char *word = rule->name;
    bool number = value->kind == CG_JSON_NUMBER, string = value->kind == CG_JSON_STRING;
    bool array = value->kind == CG_JSON_ARRAY, object = value->kind == CG_JSON_OBJECT;
    static const char *const silent[] = {"$schema", "title", "description", "default", "definitions"};
    for (int i = 0; i < 5; i++) {
        if (strcmp(word, silent[i]) == 0) {
            return true;
        }
    }
#define KEYWORD(name, condition)                                                                                       \
    if (strcmp(word, name) == 0) {                                                                                     \
        return condition;                                                                                              \
    }
    KEYWORD("$ref", validate(resolve(rule->as.string), value))
    KEYWORD("type", has_type(rule->as.string, value))
    KEYWORD("enum", in_enum(rule, value))
    KEYWORD("anyOf", count_valid(rule, value) > 0)
    KEYWORD("oneOf", count_valid(rule, value) == 1)
    KEYWORD("allOf", count_valid(rule, value) == rule->count)
    KEYWORD("not", !validate(rule, value))
    KEYWORD("minimum", !number || value->as.number >= rule->as.number)
    KEYWORD("exclusiveMinimum", !number || value->as.number > rule->as.number)
    KEYWORD("maximum", !number || value->as.number <= rule->as.number)
    KEYWORD("minLength", !string || value->count >= rule->as.number)
    KEYWORD("maxLength", !string || value->count <= rule->as.number)
    KEYWORD("pattern", !string || matches(rule->as.string, value->as.string))
    KEYWORD("minItems", !array || value->count >= rule->as.number)
    KEYWORD("maxItems", !array || value->count <= rule->as.number)
    KEYWORD("items", all_items(rule, value))
    KEYWORD("minProperties", !object || value->count >= rule->as.number)
    KEYWORD("maxProperties", !object || value->count <= rule->as.number)
    KEYWORD("properties", all_properties(rule, value))
    KEYWORD("additionalProperties", rule->kind == CG_JSON_BOOLEAN && !rule->as.boolean)
    KEYWORD("required", has_required(rule, value))
    printf("the schema uses \"%s\"\n", word);
    return CHECK(false);
}

static bool validate(const cg_json_value *schema, const cg_json_value *value)
{
    for (int i = 0; i < schema->count; i++) {
        if (!validate_keyword(schema->as.items[i], value)) {
            return false;
        }
    }
    return true;
}

// The judgement

// Sentences of the reader about what a schema cannot say.
static const char *const beyond_schema[] = {
    "; expected a tenth of the radius or more",
    "expected a velocity",
    "expected a turning velocity",
    "; expected a length such",
    "; expected a time such",
    "; expected a mass such",
    "; expected an angle such",
    "; expected a force such",
    "; expected a pressure such",
    "; expected a density such",
    "; expected a rate such",
    "; expected a velocity such",
    "; expected a turning velocity such",
    "; expected a number such",
    "; expected an acceleration such",
    "; expected a bending stiffness such",
    "; expected a stiffness such",
    "; expected a compliance such",
    "; expected a damping such",
    "; expected a stiffness against turning such",
    "; expected a damping against turning such",
    "; expected a momentum such",
    "; expected a moment such",
    "; expected a power such",
    "; expected a mass per length such", // units
    "m apart; expected",
    "a direction without length",
    "found an edge",
    "in a scene",
    "of a thread of",
    "a drag above 0",
    "needs one above 0",
    "which is tied in one thread",
    "a knot in two threads",
    "or a diameter of the thread",
    "expected a shorter one",
    "found a slit that gapes",
    "of it",
    "expected none: it opens",
    "found tissue that cannot be made",
    "expected a file that ends in",
    "the one for this shape",
    "as only a pad or volume has more",
    "below fine", // geometry and rules between fields
    "not in the catalogue",
    "found a swage on what is no needle",
    "found no thread",
    "found a mesh that is no needle",
    "there is no such file",
    "found the path",
    "control character",
    "expected the path",
    "with this \"model\" of a thread",
    "expected the name of a",
    "neither breaking_force nor suture",
    "springs or links that breaks",
    "with memory",
    "found a packet_radius",
    "with a \"slip\" that does not know it",
};

static bool is_beyond_schema(const char *message)
{
    for (size_t i = 0; i < sizeof beyond_schema / sizeof beyond_schema[0]; i++) {
        if (strstr(message, beyond_schema[i]) != NULL) {
            return true;
        }
    }
    return false;
}

typedef struct tally {
    int both_accept, both_refuse, beyond;
} tally;

// Lets both judge a text of one line.
static void judge(const char *text, tally *counts)
{
    cg_scene *scene;
    cg_scene_error error;
    bool reader_accepts = cg_scene_read(text, strlen(text), "t", NULL, NULL, &scene, &error).code == CG_OK;
    cg_json_tree *tree = parse(text);
    bool schema_accepts = validate(schema_root, cg_json_root(tree));
    cg_json_tree_free(tree);
    cg_scene_free(scene);
    counts->both_accept += reader_accepts && schema_accepts;
    counts->both_refuse += !reader_accepts && !schema_accepts;
    if (reader_accepts == schema_accepts) {
        CHECK(true);
        return;
    }
    // A range that a quantity with a unit breaks: the schema sees only that there is a string.
    const char *at = text + error.column - 1;
    bool range_of_text = *at == '"' && strstr(error.message, " = ") != NULL;
    counts->beyond++;
    if (!CHECK(!reader_accepts && (is_beyond_schema(error.message) || range_of_text))) {
        printf("%s\n  the reader %s, the schema %s it: %s\n", text, reader_accepts ? "accepts" : "refuses",
               schema_accepts ? "accepts" : "refuses", error.message);
    }
}

// Variations

#define SHAPE "\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0.1, 0, 0]}}"

// A thread, a body and a tissue, and constraints that name them.
#define JOINED                                                                                                         \
    "{\"threads\": [{\"name\": \"t\", " SHAPE "}], \"bodies\": [{\"name\": \"b\", \"parts\": "                         \
    "[{\"sphere\": {\"radius\": 1}}]}], \"tissues\": [{\"name\": \"s\", \"pad\": {}}], \"constraints\": {"

// Where an object of a type stands in a scene, and the members it needs.
static const struct place {
    const cg_scene_type *type;
    const char *before, *after;
    const char *needed[3][2];
} places[] = {
    {&cg_type_scene, "{", "}", {{NULL}}},
    {&cg_type_newton, "{\"newton\": {", "}}", {{NULL}}},
    {&cg_type_follow, "{\"threads\": [{" SHAPE ", \"vertices\": 2, \"follow\": {", "}}]}", {{NULL}}},
    {&cg_type_springs, "{\"threads\": [{" SHAPE ", \"model\": \"mass-spring\", \"springs\": {", "}}]}", {{NULL}}},
    {&cg_type_links, "{\"threads\": [{" SHAPE ", \"model\": \"chain\", \"links\": {", "}}]}", {{NULL}}},
    {&cg_type_thread, "{\"threads\": [{", "}]}", {{"shape", "{\"line\": {\"from\": [0, 0, 0], \"to\": [0.1, 0, 0]}}"}}},
    {&cg_type_shape, "{\"threads\": [{\"shape\": {", "}}]}", {{NULL}}},
    {&cg_type_shape, "{\"threads\": [{" SHAPE ", \"rest\": {", "}}]}", {{NULL}}},
    {&cg_type_line, "{\"threads\": [{\"shape\": {\"line\": {", "}}}]}", {{"from", "[0, 0, 0]"}, {"to", "[1, 1, 1]"}}},
    {&cg_type_circle, "{\"threads\": [{\"shape\": {\"circle\": {", "}}}]}", {{"radius", "1"}}},
    {&cg_type_helix,
     "{\"threads\": [{\"shape\": {\"helix\": {",
     "}}}]}",
     {{"radius", "1"}, {"pitch", "1"}, {"turns", "1"}}},
    {&cg_type_knot, "{\"threads\": [{\"shape\": {\"knot\": {", "}}}]}", {{"kind", "\"reef\""}}},
    {&cg_type_rotation,
     "{\"threads\": [{\"vertices\": 9, \"shape\": {\"knot\": {\"kind\": \"overhand\", \"rotation\": {",
     "}}}}]}",
     {{"axis", "[0, 1, 0]"}, {"angle", "1"}}},
    {&cg_type_rigid, "{\"shapes\": [{", "}]}", {{"half_space", "{}"}}},
    {&cg_type_rigid, "{\"shapes\": [{", "}]}", {{NULL}}},
    {&cg_type_rotation, "{\"shapes\": [{\"box\": {\"half_extents\": [1, 2, 3]}, \"rotation\": {", "}}]}", {{NULL}}},
    {&cg_type_body, "{\"bodies\": [{", "}]}", {{"arc", "{\"radius\": 0.01, \"thickness\": 0.001}"}}},
    {&cg_type_body, "{\"bodies\": [{", "}]}", {{NULL}}},
    {&cg_type_body, "{\"bodies\": [{", "}]}", {{"needle", "\"RB-1\""}}},
    {&cg_type_swage,
     "{\"threads\": [{\"name\": \"t\", " SHAPE ", \"vertices\": 2}], \"bodies\": [{\"needle\": \"RB-1\", \"swage\": {",
     "}}]}",
     {{"thread", "\"t\""}}},
    {&cg_type_part, "{\"bodies\": [{\"parts\": [{", "}]}]}", {{"sphere", "{\"radius\": 1}"}}},
    {&cg_type_arc, "{\"bodies\": [{\"arc\": {", "}}]}", {{"radius", "0.01"}, {"thickness", "0.001"}}},
    {&cg_type_sphere, "{\"shapes\": [{\"sphere\": {", "}}]}", {{"radius", "1"}}},
    {&cg_type_capsule, "{\"shapes\": [{\"capsule\": {", "}}]}", {{"radius", "1"}, {"half_length", "0"}}},
    {&cg_type_half_space, "{\"shapes\": [{\"half_space\": {", "}}]}", {{NULL}}},
    {&cg_type_box, "{\"shapes\": [{\"box\": {", "}}]}", {{"half_extents", "[1, 1, 1]"}}},
    {&cg_type_hand, "{\"hands\": [{", "}]}", {{NULL}}},
    {&cg_type_probe, "{\"hands\": [{\"probe\": {", "}}]}", {{NULL}}},
    {&cg_type_scalpel, "{\"hands\": [{\"scalpel\": {", "}}]}", {{NULL}}},
    {&cg_type_hook, "{\"hands\": [{\"hook\": {", "}}]}", {{NULL}}},
    {&cg_type_tissue, "{\"tissues\": [{", "}]}", {{"pad", "{}"}}},
    {&cg_type_tissue, "{\"tissues\": [{", "}]}", {{NULL}}},
    {&cg_type_layer, "{\"tissues\": [{\"pad\": {}, \"layers\": [{", "}]}]}", {{NULL}}},
    {&cg_type_pad, "{\"tissues\": [{\"pad\": {", "}}]}", {{NULL}}},
    {&cg_type_wound,
     "{\"tissues\": [{\"pad\": {\"wound\": {",
     "}}}]}",
     {{"kind", "\"straight\""}, {"length", "0.01"}, {"depth", "0.01"}}},
    {&cg_type_vessel,
     "{\"tissues\": [{\"spacing\": 0.1, \"vessel\": {",
     "}}]}",
     {{"radius", "1"}, {"wall", "0.1"}, {"length", "1"}}},
    {&cg_type_lattice, "{\"tissues\": [{\"spacing\": 0.1, \"box\": {", "}}]}", {{"size", "[1, 1, 1]"}}},
    {&cg_type_grid, "{\"tissues\": [{\"spacing\": 0.1, \"grid\": {", "}}]}", {{"length", "1"}, {"width", "1"}}},
    {&cg_type_mesh, "{\"tissues\": [{\"mesh\": {", "}}]}", {{"file", "\"a.obj\""}}},
    {&cg_type_volume, "{\"tissues\": [{\"volume\": {", "}}]}", {{"file", "\"a.obj\""}}},
    {&cg_type_held,
     "{\"tissues\": [{\"volume\": {\"file\": \"a.obj\", \"held\": {",
     "}}}]}",
     {{"low", "[0, 0, 0]"}, {"high", "[1, 1, 1]"}}},
    {&cg_type_fill, "{\"tissues\": [{\"fill\": {", "}}]}", {{"file", "\"a.obj\""}, {"unit", "1"}}},
    {&cg_type_piece,
     "{\"tissues\": [{\"fill\": {\"file\": \"a.obj\", \"unit\": 1, \"piece\": {",
     "}}}]}",
     {{"centre", "[0, 0, 0]"}, {"radius", "1"}}},
    {&cg_type_end, "{\"threads\": [{" SHAPE ", \"start\": {", "}}]}", {{"clamped", "{}"}}},
    {&cg_type_clamp, "{\"threads\": [{" SHAPE ", \"finish\": {\"clamped\": {", "}}}]}", {{NULL}}},
    {&cg_type_mass, "{\"threads\": [{" SHAPE ", \"masses\": [{", "}]}]}", {{"vertex", "1"}, {"mass", "1"}}},
    {&cg_type_constraints, "{\"constraints\": {", "}}", {{NULL}}},
    {&cg_type_solver, "{\"constraints\": {\"solver\": {", "}}}", {{NULL}}},
    {&cg_type_spline, JOINED "\"splines\": [{", "}]}}", {{"thread", "\"t\""}, {"control_points", "20"}}},
    {&cg_type_joint, JOINED "\"joints\": [{", "}]}}", {{"kind", "\"point\""}, {"between", "[{\"thread\": \"t\"}]"}}},
    {&cg_type_site, JOINED "\"joints\": [{\"kind\": \"point\", \"between\": [{", "}]}]}}", {{"body", "\"b\""}}},
    {&cg_type_site, JOINED "\"joints\": [{\"kind\": \"point\", \"between\": [{", "}]}]}}", {{NULL}}},
    {&cg_type_touching, JOINED "\"contacts\": [{", "}]}}", {{"first", "\"t\""}, {"second", "\"t\""}}},
    {&cg_type_stitch,
     "{\"threads\": [{\"name\": \"t\", " SHAPE "}], \"tissues\": [{\"name\": \"s\", \"pad\": {}}], \"stitches\": [{",
     "}]}",
     {{"thread", "\"t\""}, {"tissue", "\"s\""}, {"points", "[[0, 0, 0], [1, 0, 0]]"}}},
    {&cg_type_move,
     "{\"threads\": [{\"name\": \"t\", " SHAPE "}], \"shapes\": [{\"name\": \"s\", \"half_space\": {}}], \"moves\": [{",
     "}]}",
     {{NULL}}},
    {&cg_type_adhesion,
     "{\"threads\": [{\"name\": \"t\", " SHAPE "}], \"tissues\": [{\"name\": \"s\", \"pad\": {}}], \"adhesions\": [{",
     "}]}",
     {{"thread", "\"t\""}, {"tissue", "\"s\""}}},
    {&cg_type_sewing,
     JOINED "\"stitches\": [{",
     "}]}}",
     {{"thread", "\"t\""}, {"tissue", "\"s\""}, {"threshold", "1"}}},
    {&cg_type_stitch,
     "{\"threads\": [{\"name\": \"t\", " SHAPE ", \"vertices\": 2}], \"tissues\": [{\"name\": \"s\", \"pad\": {}}], "
     "\"stitches\": [{",
     "}]}",
     {{"thread", "\"t\""}, {"tissue", "\"s\""}, {"points", "[[0, 0, 0]]"}}},
};
enum { PLACE_COUNT = sizeof places / sizeof places[0] };

static const char *const values[] = {
    "null",
    "true",
    "false",
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "2.5",
    "0.05",
    "1e-12",
    "-1e-12",
    "1e5",
    "-1e5",
    "1e20",
    "100.5",
    "300000",
    "\"\"",
    "\"x\"",
    "\"1\"",
    "\"1 mm\"",
    "\"0.1mm\"",
    "\"-1 mm\"",
    "\"3 s\"",
    "\"1 ms\"",
    "\"5 %\"",
    "\"2 GPa\"",
    "\"1 N\"",
    "\"1 rad\"",
    "\"1 1/s\"",
    "\"1 mg/m\"",
    "\"1 g/cm3\"",
    "\"1 mN mm2\"",
    "\"2 g\"",
    "\"1e5\"",
    "\"1.5\"",
    "\"-\"",
    "\"1e\"",
    "\"- 1 m\"",
    "\"1 m/s2\"",
    "\"true\"",
    "\"low_mass\"",
    "\"straight\"",
    "\"as placed\"",
    "\"free\"",
    "\"pinned\"",
    "\"clamped\"",
    "\"3-0 nylon\"",
    "\"overhand\"",
    "\"slip\"",
    "\"straight\"",
    "\"a.json\"",
    "[]",
    "[0]",
    "[0, 0]",
    "[0, 0, 1]",
    "[0, 0, \"1\"]",
    "[0, 0, null]",
    "[0, 0, 1e9]",
    "[0, 0, 0, 0]",
    "[\"1 mm\", 0, 0]",
    "[\"1 %\", 0, 0]",
    "[[0, 0, 0], [1, 0, 0]]",
    "[[0, 0, 0], [1, 0]]",
    "[[0, 0, 0], [1, 0, \"5 mm\"]]",
    "[[0, 0, 0]]",
    "[[0, 0, 0], [1e6, 0, 0]]",
    "[\"a\"]",
    "[3]",
    "[{}]",
    "[{\"vertex\": 0, \"mass\": 1}]",
    "[{\"vertex\": 0}]",
    "[{" SHAPE "}]",
    "{}",
    "{\"x\": 1}",
    "{\"clamped\": {}}",
    "{\"clamped\": {\"turn\": 1}}",
    "{\"turn\": 2}",
    "{\"passes\": 4}",
    "{\"passes\": 0}",
    "{\"line\": {\"from\": [0, 0, 0], \"to\": [1, 0, 0]}}",
    "{\"from\": [0, 0, 0], \"to\": [1, 0, 0]}",
    "{\"radius\": 1}",
    "{\"radius\": 1, \"pitch\": 1, \"turns\": 2}",
    "{\"circle\": {\"radius\": 2}}",
    "{\"circle\": {\"radius\": 0}}",
    "{\"kind\": \"overhand\"}",
    "{\"kind\": \"granny\", \"strand\": 2}",
    "{\"axis\": [0, 0, 1], \"angle\": \"90 deg\"}",
    "{\"axis\": [0, 0, 1]}",
    "{\"half_extents\": [1, 1, \"1 mm\"]}",
    "{\"half_extents\": [1, 1, 0]}",
    "{\"radius\": 1, \"half_length\": 2}",
    "[{\"half_space\": {}}]",
    "[{\"half_space\": {}, \"sphere\": {\"radius\": 1}}]",
    "[{\"friction\": 1}]",
};
enum { VALUE_COUNT = sizeof values / sizeof values[0] };

// A scene with an object whose members are those it needs, except `left_out`, and then `added`.
static void compose(const struct place *place, const char *left_out, const char *added, char *text, size_t room)
{
    int used = snprintf(text, room, "%s", place->before);
    const char *comma = "";
    for (int i = 0; i < 3 && place->needed[i][0] != NULL; i++) {
        if (left_out == NULL || strcmp(place->needed[i][0], left_out) != 0) {
            used += snprintf(text + used, room - (size_t)used, "%s\"%s\": %s", comma, place->needed[i][0],
                             place->needed[i][1]);
            comma = ", ";
        }
    }
    snprintf(text + used, room - (size_t)used, "%s%s%s", added[0] != '\0' ? comma : "", added, place->after);
}

static void judge_field(const struct place *place, const cg_scene_field *field, tally *counts)
{
    char text[1024], member[700];
    for (int v = 0; v < VALUE_COUNT; v++) {
        snprintf(member, sizeof member, "\"%s\": %s", field->name, values[v]);
        compose(place, field->name, member, text, sizeof text);
        judge(text, counts);
    }
    const double low = field->low, high = field->high;
    const double numbers[] = {low,
                              high,
                              nextafter(low, -INFINITY),
                              nextafter(low, INFINITY),
                              nextafter(high, INFINITY),
                              nextafter(high, -INFINITY),
                              low - 1,
                              high + 1,
                              0.5 * (low + high)};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        static const char *const forms[] = {"\"%s\": %.17g", "\"%s\": [%.17g, 0, 1]", "\"%s\": [0, 0, %.17g]"};
        for (int f = 0; f < 3; f++) {
            if (f == 0 && field->kind == CG_SCENE_INTEGER && fabs(numbers[i]) > 1000) {
                continue; // a thread of that many vertices is read in other tests
            }
            snprintf(member, sizeof member, forms[f], field->name, numbers[i]);
            compose(place, field->name, member, text, sizeof text);
            judge(text, counts);
        }
    }
    for (int length = 0; length <= 201; length += length < 59 ? 59 : length < 62 ? 1 : 46) {
        snprintf(member, sizeof member, "\"%s\": \"%0*d\"", field->name, length, 1);
        compose(place, field->name, member, text, sizeof text);
        judge(text, counts);
    }
}

TEST(the_schema_and_the_reader_agree_on_every_field)
{
    text_buffer schema = {0};
    cg_scene_write_schema(append, &schema);
    cg_json_tree *tree = parse(schema.text);
    if (!CHECK(tree != NULL)) {
        return;
    }
    schema_root = cg_json_root(tree);
    tally counts = {0};
    char text[1024], member[256];
    for (int t = 0; t < cg_scene_type_count; t++) {
        bool has_place = false;
        for (int p = 0; p < PLACE_COUNT; p++) {
            has_place = has_place || places[p].type == cg_scene_types[t];
        }
        CHECK(has_place); // no type is left out
    }
    for (int p = 0; p < PLACE_COUNT; p++) {
        const struct place *place = &places[p];
        compose(place, NULL, "", text, sizeof text);
        judge(text, &counts);
        compose(place, NULL, "\"unheard_of\": 1", text, sizeof text);
        judge(text, &counts);
        for (int f = 0; f < place->type->field_count; f++) {
            const cg_scene_field *field = &place->type->fields[f];
            judge_field(place, field, &counts);
            compose(place, field->name, "", text, sizeof text); // without it
            judge(text, &counts);
            if (field->preset != NULL) {
                snprintf(member, sizeof member, "\"%s\": %s", field->name, field->preset);
                compose(place, field->name, member, text, sizeof text);
                judge(text, &counts);
            }
        }
    }
    printf("%d accepted by both, %d refused by both, %d beyond the schema\n", counts.both_accept, counts.both_refuse,
           counts.beyond);
    CHECK(counts.both_accept > 500 && counts.both_refuse > 3000);
    cg_json_tree_free(tree);
    free(schema.text);
}

TEST(the_schema_and_the_reader_agree_on_rules_between_fields)
{
    static const char *const texts[] = {
        "{\"threads\": [{" SHAPE ", \"radius\": 1e-4}]}",
        "{\"threads\": [{" SHAPE ", \"radius\": 1e-4, \"diameter\": 1e-4}]}",
        "{\"threads\": [{" SHAPE ", \"vertices\": 4}]}",
        "{\"threads\": [{" SHAPE ", \"vertices\": 4, \"spacing\": 1}]}",
        "{\"threads\": [{" SHAPE ", \"vertices\": 4, \"radius\": 1e-4}]}",
        "{\"threads\": [{\"shape\": {\"circle\": {\"radius\": 2}, \"helix\": {\"radius\": 1}}}]}",
        "{\"threads\": [{\"shape\": {\"circle\": {\"radius\": 1}}}]}",
        "{\"shapes\": [{\"half_space\": {}}, {\"sphere\": {\"radius\": 1}}]}",
        "{\"shapes\": [{\"half_space\": {}, \"sphere\": {\"radius\": 1}}]}",
        "{\"shapes\": [{\"name\": \"nothing\"}]}",
        "[]",
        "3",
        "null",
        "\"\"",
    };
    text_buffer schema = {0};
    cg_scene_write_schema(append, &schema);
    cg_json_tree *tree = parse(schema.text);
    schema_root = cg_json_root(tree);
    tally counts = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        judge(texts[i], &counts);
    }
    CHECK_INT(counts.beyond, 0);
    CHECK_INT(counts.both_accept, 5);
    cg_json_tree_free(tree);
    free(schema.text);
}

// Documents

static char *read_document(const char *path)
{
    text_buffer buffer = {0};
    char piece[4096], full[1024];
    snprintf(full, sizeof full, "%s/%s", CATGUT_SOURCE_DIR, path);
    FILE *file = fopen(full, "rb");
    if (!CHECK(file != NULL)) {
        return NULL;
    }
    for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;) {
        append(&buffer, piece, got);
    }
    fclose(file);
    return buffer.text;
}

TEST(the_committed_schema_is_the_one_that_is_printed)
{
    char *document = read_document("docs/scene.schema.json");
    text_buffer schema = {0};
    cg_scene_write_schema(append, &schema);
    // On a difference: catgut check --schema > docs/scene.schema.json
    CHECK(document != NULL && strcmp(document, schema.text) == 0);
    free(document);
    free(schema.text);
}

TEST(the_tables_of_the_manual_are_those_that_are_printed)
{
    static const char heading[] = "\n## All fields\n";
    char *document = read_document("docs/scene-format.md");
    text_buffer format = {0};
    cg_scene_write_format(append, &format);
    char *tables = document != NULL ? strstr(document, heading) : NULL;
    // On a difference: replace what stands behind "## All fields" by the output of catgut check --format
    if (CHECK(tables != NULL)) {
        CHECK(strcmp(tables + sizeof heading, format.text) == 0);
    }
    free(document);
    free(format.text);
}
