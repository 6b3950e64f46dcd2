#include "runner/template.h"

#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 100000 }; // of a loop

bool cg_template_loop(cg_study *study, const cg_json_value *object, const char **name, double *from, double *to,
                      double *by)
{
    const cg_json_value *loop = cg_study_find(object, "for");
    const cg_json_value *bounds = loop && loop->kind == CG_JSON_OBJECT && loop->count == 1 ? loop->as.items[0] : NULL;
    if (!loop) {
        return false;
    }
    if (!bounds || bounds->kind != CG_JSON_ARRAY || bounds->count < 2 || bounds->count > 3) {
        cg_report_trouble(study->report, "%s:%d: expected {\"name\": [from, to]} or [from, to, by]", study->file,
                          loop->line);
        return false;
    }
    *name = bounds->name;
    *from = cg_study_value(study, bounds->as.items[0]);
    *to = cg_study_value(study, bounds->as.items[1]);
    *by = bounds->count == 3 ? cg_study_value(study, bounds->as.items[2]) : 1;
    if (!(*by > 0 && (*to - *from) / *by < MOST_ROUNDS)) {
        cg_report_trouble(study->report, "%s:%d: a loop from %g to %g by %g", study->file, loop->line, *from, *to, *by);
        return false;
    }
    return true;
}

static void write_text(const char *string, cg_text *text)
{
    cg_text_add(text, "\"");
    for (const char *c = string; *c; c++) {
        if (*c == '"' || *c == '\\') {
            cg_text_add(text, "\\%c", *c);
        } else if ((unsigned char)*c < 0x20) {
            cg_text_add(text, "\\u%04x", (unsigned)*c);
        } else {
            cg_text_add(text, "%c", *c);
        }
    }
    cg_text_add(text, "\"");
}

// The elements of a loop, with a comma before each but the first of the array.
static void write_loop(cg_study *study, const cg_json_value *object, bool *is_first, cg_text *text)
{
    const char *name;
    double from, to, by;
    const cg_json_value *make = cg_study_find(object, "make");
    if (!cg_template_loop(study, object, &name, &from, &to, &by) || !make) {
        cg_report_trouble(study->report, "%s:%d: a loop without \"make\"", study->file, object->line);
        return;
    }
    for (int round = 0; from + round * by <= to && cg_study_is_well(study); round++) {
        cg_names_set(&study->names, name, from + round * by);
        cg_study_let(study, cg_study_find(object, "with"));
        cg_text_add(text, *is_first ? "" : ", ");
        cg_template_write(study, make, text);
        *is_first = false;
    }
}

static void write_items(cg_study *study, const cg_json_value *value, cg_text *text)
{
    bool is_object = value->kind == CG_JSON_OBJECT, is_first = true;
    cg_text_add(text, is_object ? "{" : "[");
    for (int i = 0; i < value->count; i++) {
        const cg_json_value *item = value->as.items[i];
        if (!is_object && item->kind == CG_JSON_OBJECT && cg_study_find(item, "for")) {
            write_loop(study, item, &is_first, text);
            continue;
        }
        cg_text_add(text, is_first ? "" : ", ");
        if (is_object) {
            write_text(item->name, text);
            cg_text_add(text, ": ");
        }
        cg_template_write(study, item, text);
        is_first = false;
    }
    cg_text_add(text, is_object ? "}" : "]");
}

void cg_template_write(cg_study *study, const cg_json_value *value, cg_text *text)
{
    switch (value->kind) {
    case CG_JSON_NULL:
        cg_text_add(text, "null");
        break;
    case CG_JSON_BOOLEAN:
        cg_text_add(text, value->as.boolean ? "true" : "false");
        break;
    case CG_JSON_NUMBER:
        cg_text_add(text, "%.17g", value->as.number);
        break;
    case CG_JSON_STRING:
        if (value->as.string[0] == '=') {
            double number = cg_study_value(study, value);
            cg_text_add(text, "%.17g", isfinite(number) ? number : 0);
        } else {
            write_text(value->as.string, text);
        }
        break;
    default:
        write_items(study, value, text);
        break;
    }
}
