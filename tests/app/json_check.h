// A small reader of JSON for tests: checks the grammar and finds values by path. Written apart from the program's
// writer.
#ifndef CATGUT_TESTS_APP_JSON_CHECK_H
#define CATGUT_TESTS_APP_JSON_CHECK_H

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline const char *json_space(const char *at)
{
    return at + strspn(at, " \t\n\r");
}

// Each returns where the value ends, or NULL when it is malformed.
static inline const char *json_value(const char *at, int depth);

static inline const char *json_string(const char *at)
{
    if (*at++ != '"') {
        return NULL;
    }
    while (*at != '"') {
        if ((unsigned char)*at < 0x20) {
            return NULL;
        }
        if (*at == '\\') {
            at++;
            if (*at == 'u') {
                for (int i = 1; i <= 4; i++) {
                    if (!isxdigit((unsigned char)at[i])) {
                        return NULL;
                    }
                }
                at += 4;
            } else if (*at == '\0' || !strchr("\"\\/bfnrt", *at)) {
                return NULL;
            }
        }
        at++;
    }
    return at + 1;
}

static inline const char *json_number(const char *at)
{
    const char *start = at;
    at += *at == '-';
    size_t digits = strspn(at, "0123456789");
    if (digits == 0 || (digits > 1 && *at == '0')) {
        return NULL;
    }
    at += digits;
    if (*at == '.') {
        digits = strspn(++at, "0123456789");
        if (digits == 0) {
            return NULL;
        }
        at += digits;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        digits = strspn(at, "0123456789");
        if (digits == 0) {
            return NULL;
        }
        at += digits;
    }
    return at == start ? NULL : at;
}

static inline const char *json_list(const char *at, char close, int depth)
{
    at = json_space(at + 1);
    if (*at == close) {
        return at + 1;
    }
    for (;;) {
        if (close == '}') {
            at = json_string(at);
            at = at ? json_space(at) : NULL;
            if (!at || *at != ':') {
                return NULL;
            }
            at++;
        }
        at = json_value(at, depth + 1);
        if (!at) {
            return NULL;
        }
        at = json_space(at);
        if (*at == close) {
            return at + 1;
        }
        if (*at != ',') {
            return NULL;
        }
        at = json_space(at + 1);
    }
}

static inline const char *json_value(const char *at, int depth)
{
    at = json_space(at);
    if (depth > 32) {
        return NULL;
    }
    switch (*at) {
    case '{':
        return json_list(at, '}', depth);
    case '[':
        return json_list(at, ']', depth);
    case '"':
        return json_string(at);
    case 't':
        return strncmp(at, "true", 4) == 0 ? at + 4 : NULL;
    case 'f':
        return strncmp(at, "false", 5) == 0 ? at + 5 : NULL;
    case 'n':
        return strncmp(at, "null", 4) == 0 ? at + 4 : NULL;
    default:
        return json_number(at);
    }
}

// True when the text is exactly one JSON value.
static inline bool json_is_valid(const char *text)
{
    const char *end = json_value(text, 0);
    return end && *json_space(end) == '\0';
}

// The member `name` of the object at `object`, or NULL.
static inline const char *json_member(const char *object, const char *name)
{
    const char *at = object ? json_space(object) : NULL;
    if (!at || *at != '{') {
        return NULL;
    }
    at = json_space(at + 1);
    while (*at == '"') {
        const char *end = json_string(at);
        bool found = (size_t)(end - at) == strlen(name) + 2 && strncmp(at + 1, name, strlen(name)) == 0;
        at = json_space(json_space(end) + 1);
        if (found) {
            return at;
        }
        at = json_space(json_value(at, 0));
        at = *at == ',' ? json_space(at + 1) : at;
    }
    return NULL;
}

// Item `index` of the array at `array`, or NULL.
static inline const char *json_item(const char *array, int index)
{
    const char *at = array ? json_space(array) : NULL;
    if (!at || *at != '[') {
        return NULL;
    }
    at = json_space(at + 1);
    for (int i = 0; *at != ']'; i++) {
        if (i == index) {
            return at;
        }
        at = json_space(json_value(at, 0));
        at = *at == ',' ? json_space(at + 1) : at;
    }
    return NULL;
}

static inline int json_count(const char *array)
{
    int count = 0;
    while (json_item(array, count)) {
        count++;
    }
    return count;
}

// True when the string at `at` is exactly `text` (which needs no escapes).
static inline bool json_is_string(const char *at, const char *text)
{
    size_t length = strlen(text);
    return at && at[0] == '"' && strncmp(at + 1, text, length) == 0 && at[length + 1] == '"';
}

#endif
