#include "support/json.h"

#include <assert.h>
#include <math.h>

cg_json cg_json_start(FILE *out)
{
    return (cg_json){.out = out};
}

static void line_break(cg_json *json)
{
    if (json->one_line[json->depth]) {
        return;
    }
    fputc('\n', json->out);
    for (int i = 0; i < json->depth; i++) {
        fputs("  ", json->out);
    }
}

// Everything that stands before a value or a name: the comma and the new line.
static void before_item(cg_json *json)
{
    if (json->after_name) {
        json->after_name = false;
        return;
    }
    if (json->depth == 0) {
        return;
    }
    if (json->has_member[json->depth]) {
        fputs(json->one_line[json->depth] ? ", " : ",", json->out);
    }
    json->has_member[json->depth] = true;
    line_break(json);
}

static void begin(cg_json *json, char bracket, bool one_line)
{
    before_item(json);
    fputc(bracket, json->out);
    assert(json->depth + 1 < CG_JSON_MAX_DEPTH);
    bool inside_line = json->one_line[json->depth];
    json->depth++;
    json->has_member[json->depth] = false;
    json->one_line[json->depth] = one_line || inside_line;
}

static void end(cg_json *json, char bracket)
{
    assert(json->depth > 0);
    bool broken = json->has_member[json->depth] && !json->one_line[json->depth];
    json->depth--;
    if (broken) {
        line_break(json);
    }
    fputc(bracket, json->out);
    if (json->depth == 0) {
        fputc('\n', json->out);
    }
}

void cg_json_begin_object(cg_json *json)
{
    begin(json, '{', false);
}

void cg_json_begin_line_object(cg_json *json)
{
    begin(json, '{', true);
}

void cg_json_end_object(cg_json *json)
{
    end(json, '}');
}

void cg_json_begin_array(cg_json *json)
{
    begin(json, '[', false);
}

void cg_json_end_array(cg_json *json)
{
    end(json, ']');
}

// Bytes of the well-formed UTF-8 character at `text`, or 0. Overlong forms and surrogates are not well formed.
static int utf8_length(const unsigned char *text)
{
    unsigned char first = text[0];
    int length = first < 0x80 ? 1 : first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : 4;
    if ((first >= 0x80 && first < 0xC2) || first > 0xF4) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (first == 0xE0 && text[1] < 0xA0) || (first == 0xF0 && text[1] < 0x90);
    bool surrogate = first == 0xED && text[1] > 0x9F;
    bool too_large = first == 0xF4 && text[1] > 0x8F;
    return overlong || surrogate || too_large ? 0 : length;
}

static void write_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        int length = utf8_length(at);
        if (length == 0) {
            fputs("\\ufffd", out);
            at++;
        } else if (*at == '"' || *at == '\\') {
            fprintf(out, "\\%c", *at++);
        } else if (*at == '\n') {
            fputs("\\n", out);
            at++;
        } else if (*at == '\t') {
            fputs("\\t", out);
            at++;
        } else if (*at < 0x20 || *at == 0x7F) {
            fprintf(out, "\\u%04x", *at++);
        } else {
            fwrite(at, 1, (size_t)length, out);
            at += length;
        }
    }
    fputc('"', out);
}

void cg_json_name(cg_json *json, const char *name)
{
    before_item(json);
    write_quoted(json->out, name);
    fputs(": ", json->out);
    json->after_name = true;
}

void cg_json_string(cg_json *json, const char *text)
{
    before_item(json);
    if (text) {
        write_quoted(json->out, text);
    } else {
        fputs("null", json->out);
    }
}

void cg_json_number(cg_json *json, double value)
{
    before_item(json);
    if (isfinite(value)) {
        fprintf(json->out, "%.17g", value);
    } else {
        fputs("null", json->out);
    }
}

void cg_json_boolean(cg_json *json, bool value)
{
    before_item(json);
    fputs(value ? "true" : "false", json->out);
}

void cg_json_string_member(cg_json *json, const char *name, const char *text)
{
    cg_json_name(json, name);
    cg_json_string(json, text);
}

void cg_json_number_member(cg_json *json, const char *name, double value)
{
    cg_json_name(json, name);
    cg_json_number(json, value);
}

void cg_json_boolean_member(cg_json *json, const char *name, bool value)
{
    cg_json_name(json, name);
    cg_json_boolean(json, value);
}
