#include "sweep/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A text that grows.
typedef struct json_paper {
    char *text;
    size_t size, room;
    bool failed;
} json_paper;

static void put(json_paper *paper, const char *text, size_t size)
{
    if (paper->failed) {
        return;
    }
    if (paper->size + size + 1 > paper->room) {
        size_t room = 2 * paper->room + size + 4096;
        char *larger = realloc(paper->text, room);
        if (larger == NULL) {
            paper->failed = true;
            return;
        }
        paper->text = larger;
        paper->room = room;
    }
    memcpy(paper->text + paper->size, text, size);
    paper->size += size;
    paper->text[paper->size] = '\0';
}

static void put_word(json_paper *paper, const char *word)
{
    put(paper, word, strlen(word));
}

static void put_string(json_paper *paper, const char *text)
{
    put_word(paper, "\"");
    for (const char *c = text; *c != '\0'; c++) {
        char escaped[8];
        if (*c == '"' || *c == '\\') {
            snprintf(escaped, sizeof escaped, "\\%c", *c);
            put_word(paper, escaped);
        } else if ((unsigned char)*c < 0x20) {
            snprintf(escaped, sizeof escaped, "\\u%04x", *c);
            put_word(paper, escaped);
        } else {
            put(paper, c, 1);
        }
    }
    put_word(paper, "\"");
}

// What is set, and how far into each pointer one has come; NULL: it leads elsewhere.
typedef struct setting {
    const char *const *values;
    const char *rest[64];
    bool *found;
    int count;
} setting;

// Whether the first part of a pointer, behind its '/', is this name; *rest becomes what is behind it.
static bool steps_to(const char *pointer, const char *name, const char **rest)
{
    const char *p = pointer;
    if (p == NULL || *p != '/') {
        return false;
    }
    for (p++; *p != '\0' && *p != '/'; p++, name++) {
        char c = *p;
        if (c == '~' && (p[1] == '0' || p[1] == '1')) {
            c = p[1] == '0' ? '~' : '/';
            p++;
        }
        if (*name != c) {
            return false;
        }
    }
    *rest = p;
    return *name == '\0';
}

static void put_value(json_paper *paper, const cg_json_value *value, const setting *set);

// The value of a member or element, or what is set there.
static void put_inside(json_paper *paper, const cg_json_value *value, const char *name, const setting *set)
{
    setting inside = {.values = set->values, .found = set->found, .count = set->count};
    for (int i = 0; i < set->count; i++) {
        const char *rest;
        if (!steps_to(set->rest[i], name, &rest)) {
            continue;
        }
        if (*rest == '\0') {
            set->found[i] = true;
            put_word(paper, set->values[i]);
            return;
        }
        inside.rest[i] = rest;
    }
    put_value(paper, value, &inside);
}

// Members that an object does not have yet: pointers that end here.
static void put_new_members(json_paper *paper, const cg_json_value *value, const setting *set, bool first)
{
    for (int i = 0; i < set->count; i++) {
        const char *at = set->rest[i];
        if (at == NULL || *at != '/' || strchr(at + 1, '/') != NULL || set->found[i]) {
            continue;
        }
        char name[128];
        size_t length = 0;
        for (const char *p = at + 1; *p != '\0' && length + 1 < sizeof name; p++) {
            bool escaped = *p == '~' && (p[1] == '0' || p[1] == '1');
            name[length++] = escaped ? (p[1] == '0' ? '~' : '/') : *p;
            p += escaped;
        }
        name[length] = '\0';
        if (cg_json_find(value, name) == NULL) {
            put_word(paper, first ? "" : ", ");
            put_string(paper, name);
            put_word(paper, ": ");
            put_word(paper, set->values[i]);
            set->found[i] = true;
            first = false;
        }
    }
}

static void put_object(json_paper *paper, const cg_json_value *value, const setting *set)
{
    put_word(paper, "{");
    for (int i = 0; i < value->count; i++) {
        put_word(paper, i > 0 ? ", " : "");
        put_string(paper, value->as.items[i]->name);
        put_word(paper, ": ");
        put_inside(paper, value->as.items[i], value->as.items[i]->name, set);
    }
    put_new_members(paper, value, set, value->count == 0);
    put_word(paper, "}");
}

static void put_value(json_paper *paper, const cg_json_value *value, const setting *set)
{
    char number[40];
    switch (value->kind) {
    case CG_JSON_NULL:
        put_word(paper, "null");
        break;
    case CG_JSON_BOOLEAN:
        put_word(paper, value->as.boolean ? "true" : "false");
        break;
    case CG_JSON_NUMBER:
        snprintf(number, sizeof number, "%.15g", value->as.number);
        if (strtod(number, NULL) != value->as.number) {
            snprintf(number, sizeof number, "%.17g", value->as.number);
        }
        put_word(paper, number);
        break;
    case CG_JSON_STRING:
        put_string(paper, value->as.string);
        break;
    case CG_JSON_ARRAY:
        put_word(paper, "[");
        for (int i = 0; i < value->count; i++) {
            put_word(paper, i > 0 ? ", " : "");
            snprintf(number, sizeof number, "%d", i);
            put_inside(paper, value->as.items[i], number, set);
        }
        put_word(paper, "]");
        break;
    case CG_JSON_OBJECT:
        put_object(paper, value, set);
        break;
    }
}

bool cg_json_print(const cg_json_value *value, char *text, size_t room)
{
    json_paper paper = {0};
    const setting nothing = {0};
    put_value(&paper, value, &nothing);
    bool fits = !paper.failed && paper.size < room;
    if (fits) {
        memcpy(text, paper.text, paper.size + 1);
    }
    free(paper.text);
    return fits;
}

char *cg_json_set(const cg_json_value *root, const char *const *pointers, const char *const *values, int count,
                  size_t *size, int *bad)
{
    bool found[64] = {false};
    setting set = {.values = values, .found = found, .count = count < 64 ? count : 64};
    json_paper paper = {0};
    for (int i = 0; i < set.count; i++) {
        set.rest[i] = pointers[i];
    }
    put_value(&paper, root, &set);
    *bad = -1;
    for (int i = set.count - 1; i >= 0; i--) {
        *bad = found[i] ? *bad : i;
    }
    if (*bad >= 0 || paper.failed) {
        free(paper.text);
        return NULL;
    }
    *size = paper.size;
    return paper.text;
}

uint64_t cg_text_mix(uint64_t key, const char *text, size_t size)
{
    key ^= UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) { // FNV-1a
        key = (key ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    return key;
}
