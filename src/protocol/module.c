// The protocol for browsers and node: a module made from the lists of messages and operations. Its runtime walks the
// same tables as protocol.c does. Types stand between \1 and \2 (CG_MODULE_TYPE), so that one text is TypeScript with
// them and JavaScript without.
#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "catgut/protocol.h"
#include "protocol/forms.h"

#define TYPE CG_MODULE_TYPE

// The fields of all operations in order, with their kinds as words: a kind that is new in operations.def needs nothing
// here as long as it is a place or a whole number of 4 bytes.
typedef struct operation_field {
    const char *operation, *kind, *name, *unit, *text;
} operation_field;

static const operation_field operation_fields[] = {
#define CG_OPERATION(name, text) {#name, NULL, NULL, NULL, text},
#define CG_FIELD(operation, kind, name, unit, text) {#operation, #kind, #name, unit, text},
#define CG_OPERATION_END(name)
#include "catgut/operations.def"
#undef CG_OPERATION
#undef CG_FIELD
#undef CG_OPERATION_END
};
enum { OPERATION_FIELD_COUNT = sizeof operation_fields / sizeof operation_fields[0] };

// Where the module goes.
typedef struct module_writer {
    bool typed;
    cg_scene_write write;
    void *context;
} module_writer;

// Writes a text, with or without its types.
static void put(const module_writer *out, const char *text)
{
    while (*text != '\0') {
        size_t plain = strcspn(text, "\1\2");
        out->write(out->context, text, plain);
        text += plain;
        if (*text == '\1') {
            size_t type = strcspn(++text, "\2");
            if (out->typed) {
                out->write(out->context, text, type);
            }
            text += type;
        }
        text += *text != '\0';
    }
}

__attribute__((format(printf, 2, 3))) static void put_format(const module_writer *out, const char *format, ...)
{
    char text[1024]; // longer than any line that is made from the tables
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    put(out, text);
}

// thread_state to ThreadState.
static void make_type_name(const char *name, char type[64])
{
    size_t used = 0;
    bool upper = true;
    for (; *name != '\0' && used < 63; name++) {
        if (*name == '_') {
            upper = true;
            continue;
        }
        type[used++] = (char)(upper && *name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name);
        upper = false;
    }
    type[used] = '\0';
}

static void put_choices(const module_writer *out)
{
    const cg_wire_choice *choice;
    const char *set = "";
    for (int i = 0; (choice = cg_wire_choice_at(i)) != NULL; i++) {
        if (strcmp(choice->set, set) != 0) {
            char type[64];
            make_type_name(choice->set, type);
            put_format(out, "%sexport const %s = {\n", *set != '\0' ? "}" TYPE(" as const") ";\n\n" : "", type);
            set = choice->set;
        }
        put_format(out, "    /** %s */\n    %s: %d,\n", choice->text, choice->name, choice->number);
    }
    put(out, "}" TYPE(" as const") ";\n");
}

// For the page: what its buttons, keys and help say of each tool.
static void put_tools(const module_writer *out)
{
    static const char *const tools[][6] = {
#define CG_TOOL(name, NAME, number, what, message, does, close, open, key, drawing)                                    \
    [number] = {#name, does, close, open, key, drawing},
#include "catgut/tools.def"
#undef CG_TOOL
    };
    put(out, "\n/** The tools of hands in the order of their numbers. */\nexport const TOOLS = [\n");
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        const char *const *tool = tools[i];
        put_format(out, "    {\n        name: \"%s\",\n        does: \"%s\",\n        close: \"%s\",\n", tool[0],
                   tool[1], tool[2]);
        put_format(out, "        open: \"%s\",\n        key: \"%s\",\n        drawing:\n            ", tool[3],
                   tool[4]);
        put_format(out, "\"%s\",\n    },\n", tool[5]);
    }
    put(out, "]" TYPE(" as const") ";\n");
}

static void put_member_type(const module_writer *out, const cg_wire_member *member)
{
    static const char *const types[] = {
        [CG_VALUE_vec3] = "Vec3",       [CG_VALUE_quat] = "Quat",           [CG_VALUE_text] = "string",
        [CG_VALUE_rest] = "Uint8Array", [CG_VALUE_floats] = "Float32Array", [CG_VALUE_list] = NULL};
    char part[64];
    const char *type = types[member->kind];
    if (member->kind == CG_VALUE_list) {
        make_type_name(cg_wire_form_at(member->part)->name, part);
        put_format(out, "    %s: %s[];\n", member->name, part);
        return;
    }
    put_format(out, "    %s: %s;\n", member->name, type != NULL ? type : "number");
}

static void put_interface(const module_writer *out, const cg_wire_form *form)
{
    char type[64];
    make_type_name(form->name, type);
    put_format(out, "\n/** %s */\nexport interface %s%s {\n", form->text, type, form->number != 0 ? "Message" : "");
    if (form->number != 0) {
        put_format(out, "    type: \"%s\";\n", form->name);
    }
    for (int i = 0; i < form->member_count; i++) {
        const cg_wire_member *member = &form->members[i];
        if (member->text[0] != '\0') {
            put_format(out, "    /** %s%s%s%s */\n", member->unit[0] != '\0' ? "[" : "", member->unit,
                       member->unit[0] != '\0' ? "] " : "", member->text);
        }
        put_member_type(out, member);
    }
    put(out, "}\n");
}

typedef enum direction { TO_SERVER, TO_CLIENT } direction;

// All messages of one direction as one type.
static void put_union(const module_writer *out, const char *name, direction way)
{
    const cg_wire_form *form;
    put_format(out, "\nexport type %s =", name);
    for (int i = 0; (form = cg_wire_form_at(i)) != NULL; i++) {
        if (form->number != 0 && (form->number > CG_MESSAGE_FROM_SERVER) == (way == TO_CLIENT)) {
            char type[64];
            make_type_name(form->name, type);
            put_format(out, "\n    | %sMessage", type);
        }
    }
    put(out, ";\n");
}

static const char *field_type(const char *kind)
{
    return strcmp(kind, "vector") == 0     ? "Vec3"
           : strcmp(kind, "rotation") == 0 ? "Quat"
           : strcmp(kind, "flag") == 0     ? "boolean"
           : strcmp(kind, "end") == 0      ? "\"start\" | \"finish\""
           : strcmp(kind, "end_kind") == 0 ? "\"free\" | \"pinned\" | \"clamped\""
           : strcmp(kind, "tool") == 0     ? "keyof typeof Tool"
                                           : "number";
}

static void put_operation_types(const module_writer *out)
{
    put(out, "\n/** step: steps made before it takes effect; 0: as soon as possible */\nexport type Operation =");
    for (int i = 0; i < OPERATION_FIELD_COUNT; i++) {
        const operation_field *field = &operation_fields[i];
        if (field->kind == NULL) {
            put_format(out, "%s\n    /** %s */\n    | { type: \"%s\"; step: number", i > 0 ? " }" : "", field->text,
                       field->operation);
        } else {
            put_format(out, "; %s: %s", field->name, field_type(field->kind));
        }
    }
    put(out, " };\n");
}

static void put_types(const module_writer *out)
{
    const cg_wire_form *form;
    put(out, "\nexport type Vec3 = [number, number, number];\n"
             "/** x y z w */\nexport type Quat = [number, number, number, number];\n");
    for (int i = 0; (form = cg_wire_form_at(i)) != NULL; i++) {
        put_interface(out, form);
    }
    put_union(out, "ClientMessage", TO_SERVER);
    put_union(out, "ServerMessage", TO_CLIENT);
    put(out, "\nexport type Message = ClientMessage | ServerMessage;\n");
    put_operation_types(out);
}

// The tables as the runtime walks them: [name, kind] of each member, a list being ["threads", ["thread_state"]].
static void put_forms(const module_writer *out)
{
    const cg_wire_form *form;
    put(out, "\nconst FORMS" TYPE(": Record<string, Member[]>") " = {\n");
    for (int i = 0; (form = cg_wire_form_at(i)) != NULL; i++) {
        put_format(out, "    %s: [\n", form->name);
        for (int m = 0; m < form->member_count; m++) {
            const cg_wire_member *member = &form->members[m];
            if (member->kind == CG_VALUE_list) {
                put_format(out, "        [\"%s\", [\"%s\"]],\n", member->name, cg_wire_form_at(member->part)->name);
            } else {
                put_format(out, "        [\"%s\", \"%s\"],\n", member->name, cg_value_kind_name(member->kind));
            }
        }
        put(out, "    ],\n");
    }
    put(out, "};\n\nexport const NUMBERS" TYPE(": Record<string, number>") " = {\n");
    for (int i = 0; (form = cg_wire_form_at(i)) != NULL; i++) {
        if (form->number != 0) {
            put_format(out, "    %s: %d,\n", form->name, form->number);
        }
    }
    put(out, "};\n\n// In the order of their numbers.\nconst OPERATIONS" TYPE(": [string, Member[]][]") " = [\n");
    for (int i = 0; i < OPERATION_FIELD_COUNT; i++) {
        const operation_field *field = &operation_fields[i];
        if (field->kind == NULL) {
            put_format(out, "%s    [\n        \"%s\",\n        [\n", i > 0 ? "        ],\n    ],\n" : "",
                       field->operation);
        } else {
            put_format(out, "            [\"%s\", \"%s\"],\n", field->name, field->kind);
        }
    }
    put(out, "        ],\n    ],\n];\n");
}

void cg_protocol_write_module(bool typed, cg_scene_write write, void *context)
{
    assert(write != NULL);
    const module_writer out = {.typed = typed, .write = write, .context = context};
    put_format(&out,
               "// Made by \"catgut check --protocol-%s\" from protocol.def, operations.def and tools.def; not to be "
               "edited.\n",
               typed ? "ts" : "js");
    put_format(&out, "// docs/protocol.md explains it.\n\nexport const PROTOCOL_VERSION = %d;\n", CG_PROTOCOL_VERSION);
    put_format(&out, "export const PROTOCOL_NAME = \"%s\";\n\n", CG_PROTOCOL_NAME);
    put_choices(&out);
    put_tools(&out);
    if (typed) {
        put_types(&out);
    }
    put_forms(&out);
    for (int i = 0; cg_protocol_runtime[i] != NULL; i++) {
        put(&out, cg_protocol_runtime[i]);
    }
}

// The tables of the documentation

static void put_form_table(const module_writer *out, const cg_wire_form *form)
{
    if (form->number != 0) {
        put_format(out, "| %d | **`%s`** | | %s |\n", form->number, form->name, form->text);
    } else {
        put_format(out, "| | **`%s`** | | %s |\n", form->name, form->text);
    }
    for (int i = form->number != 0; i < form->member_count; i++) {
        const cg_wire_member *member = &form->members[i];
        const char *part = member->kind == CG_VALUE_list ? cg_wire_form_at(member->part)->name : NULL;
        put_format(out, "| | `%s` | %s%s%s%s | %s |\n", member->name, part != NULL ? "list of " : "",
                   part != NULL ? part : cg_value_kind_name(member->kind), member->unit[0] != '\0' ? ", " : "",
                   member->unit, member->text);
    }
}

static void put_form_tables(const module_writer *out, const char *title, int lowest, int highest)
{
    const cg_wire_form *form;
    put_format(out, "\n### %s\n| number | name | kind | what it is |\n|---|---|---|---|\n", title);
    for (int i = 0; (form = cg_wire_form_at(i)) != NULL; i++) {
        if (form->number >= lowest && form->number <= highest) {
            put_form_table(out, form);
        }
    }
}

void cg_protocol_write_tables(cg_scene_write write, void *context)
{
    assert(write != NULL);
    const module_writer out = {.write = write, .context = context};
    put_form_tables(&out, "To the server", 1, CG_MESSAGE_FROM_SERVER);
    put_form_tables(&out, "To the client", CG_MESSAGE_FROM_SERVER + 1, INT_MAX);
    put_form_tables(&out, "Parts", 0, 0);
    put(&out, "\n### Choices\n| set | name | number | what it means |\n|---|---|---|---|\n");
    const cg_wire_choice *choice;
    const char *set = "";
    for (int i = 0; (choice = cg_wire_choice_at(i)) != NULL; i++) {
        bool first = strcmp(choice->set, set) != 0;
        set = choice->set;
        if (strcmp(set, "tool") == 0) { // tools.def is listed in one document alone
            put(&out, first ? "| `tool` | | | what a hand carries: [tools.md](tools.md#tools) has them |\n" : "");
            continue;
        }
        put_format(&out, "| %s%s%s | %s | %d | %s |\n", first ? "`" : "", first ? set : "", first ? "`" : "",
                   choice->name, choice->number, choice->text);
    }
}
