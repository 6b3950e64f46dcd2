// Writes JSON, one value after the other. Commas, indents and escapes are taken care of.
#ifndef CATGUT_SUPPORT_JSON_H
#define CATGUT_SUPPORT_JSON_H

#include <stdbool.h>
#include <stdio.h>

enum { CG_JSON_MAX_DEPTH = 16 };

// Where the writer stands. Make it with cg_json_start.
typedef struct cg_json {
    FILE *out;
    int depth;
    bool has_member[CG_JSON_MAX_DEPTH]; // the object or array at this depth already holds something
    bool one_line[CG_JSON_MAX_DEPTH];   // ... and is written without line breaks
    bool after_name;                    // a name was just written: its value follows on the same line
} cg_json;

cg_json cg_json_start(FILE *out);

void cg_json_begin_object(cg_json *json);
// As above, but the whole object stands on one line.
void cg_json_begin_line_object(cg_json *json);
void cg_json_end_object(cg_json *json);
void cg_json_begin_array(cg_json *json);
void cg_json_end_array(cg_json *json);

void cg_json_name(cg_json *json, const char *name);
// Bytes that are not UTF-8 come out as U+FFFD. NULL becomes null.
void cg_json_string(cg_json *json, const char *text);
// Seventeen digits, so that it reads back to the same bits; null when it is not finite.
void cg_json_number(cg_json *json, double value);
void cg_json_boolean(cg_json *json, bool value);

// A name and its value.
void cg_json_string_member(cg_json *json, const char *name, const char *text);
void cg_json_number_member(cg_json *json, const char *name, double value);
void cg_json_boolean_member(cg_json *json, const char *name, bool value);

#endif
