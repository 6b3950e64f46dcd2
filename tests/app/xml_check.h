// A small judge of XML: tags balance, attributes are quoted and not repeated, reserved characters are escaped. Written
// apart from the program's writer, so that it can disagree with it.
#ifndef CATGUT_TESTS_APP_XML_CHECK_H
#define CATGUT_TESTS_APP_XML_CHECK_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static inline bool xml_is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == ':' || c == '-' || c == '.';
}

static inline bool xml_is_entity(const char *at)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (int i = 0; i < 5; i++) {
        if (strncmp(at, known[i], strlen(known[i])) == 0) {
            return true;
        }
    }
    return false;
}

// Reads the attributes at *at up to the end of the tag; NULL when all is well.
static inline const char *xml_attributes(const char **at)
{
    char seen[16][32];
    int count = 0;
    for (;;) {
        const char *before = *at;
        *at += strspn(*at, " \t\n\r");
        if (**at == '>' || **at == '/' || **at == '?') {
            return NULL;
        }
        if (*at == before) {
            return "no blank before an attribute";
        }
        const char *name = *at;
        while (xml_is_name(**at)) {
            *at += 1;
        }
        size_t length = (size_t)(*at - name);
        if (length == 0 || length > 31 || count == 16) {
            return "no attribute name";
        }
        memcpy(seen[count], name, length);
        seen[count][length] = '\0';
        for (int i = 0; i < count; i++) {
            if (strcmp(seen[i], seen[count]) == 0) {
                return "an attribute twice";
            }
        }
        count++;
        if (strncmp(*at, "=\"", 2) != 0) {
            return "an attribute without a quoted value";
        }
        for (*at += 2; **at != '"'; *at += 1) {
            if (**at == '\0' || **at == '<' || (**at == '&' && !xml_is_entity(*at))) {
                return "a bad character in a value";
            }
            if (strncmp(*at, "nan", 3) == 0 || strncmp(*at, "inf", 3) == 0) {
                return "a number that is not finite";
            }
        }
        *at += 1;
    }
}

// What is open while a text is read.
typedef struct xml_state {
    char open[64][32];
    int depth, elements, roots;
} xml_state;

// Reads the declaration at *at, if there is one.
static inline const char *xml_declaration(const char **at)
{
    if (strncmp(*at, "<?xml", 5) != 0) {
        return NULL;
    }
    *at += 5;
    if (xml_attributes(at) || strncmp(*at, "?>", 2) != 0) {
        return "a bad declaration";
    }
    *at += 2;
    return NULL;
}

static inline const char *xml_character(const xml_state *state, const char *at)
{
    bool blank = isspace((unsigned char)*at);
    if (*at == '>' || (*at == '&' && !xml_is_entity(at)) || (state->depth == 0 && !blank)) {
        return "a bad character in text";
    }
    return (unsigned char)*at < 0x20 && !blank ? "a control character" : NULL;
}

static inline const char *xml_closing(xml_state *state, const char *name, size_t length)
{
    if (state->depth == 0) {
        return "a closing tag without an opening one";
    }
    const char *open = state->open[--state->depth];
    return strlen(open) == length && strncmp(open, name, length) == 0 ? NULL : "a closing tag that does not match";
}

static inline const char *xml_opening(xml_state *state, const char *name, size_t length, const char **at)
{
    const char *fault = xml_attributes(at);
    if (fault) {
        return fault;
    }
    state->elements++;
    state->roots += state->depth == 0;
    if (**at == '/') {
        *at += 1;
    } else if (state->depth == 64) {
        return "too deep";
    } else {
        memcpy(state->open[state->depth], name, length);
        state->open[state->depth++][length] = '\0';
    }
    return NULL;
}

// Passes over the comment at *at.
static inline const char *xml_comment(const char **at)
{
    const char *dashes = strstr(*at + 4, "--");
    if (!dashes || dashes[2] != '>') {
        return "a bad comment";
    }
    *at = dashes + 3;
    return NULL;
}

// Reads the tag at *at.
static inline const char *xml_tag(xml_state *state, const char **at)
{
    bool closing = (*at)[1] == '/';
    const char *name = *at + 1 + closing;
    size_t length = 0;
    while (xml_is_name(name[length])) {
        length++;
    }
    if (length == 0 || length > 31) {
        return "no tag name";
    }
    *at = name + length;
    const char *fault = closing ? xml_closing(state, name, length) : xml_opening(state, name, length, at);
    if (fault) {
        return fault;
    }
    if (**at != '>') {
        return "a tag without its end";
    }
    *at += 1;
    return NULL;
}

// NULL when the text is well formed, else what is wrong. `elements` may be NULL.
static inline const char *xml_fault(const char *text, int *elements)
{
    xml_state state = {.depth = 0};
    const char *at = text, *fault = xml_declaration(&at);
    while (!fault && *at) {
        if (strncmp(at, "<!--", 4) == 0) {
            fault = xml_comment(&at);
        } else if (*at == '<') {
            fault = xml_tag(&state, &at);
        } else {
            fault = xml_character(&state, at);
            at++;
        }
    }
    if (elements) {
        *elements = state.elements;
    }
    return fault ? fault : state.depth != 0 ? "a tag left open" : state.roots != 1 ? "not exactly one root" : NULL;
}

#endif
