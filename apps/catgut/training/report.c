#include "training/report.h"

#include <string.h>

#include "support/special.h"

static bool is_share(int measure)
{
    return measure == CG_MEASURE_economy || measure == CG_MEASURE_hand_balance ||
           measure == CG_MEASURE_targets_reached || measure == CG_MEASURE_coverage;
}

void cg_measured_say(int measure, double value, char *text, size_t room)
{
    const char *unit = cg_measure_get_info(measure)->unit;
    if (strcmp(unit, "rad") == 0) {
        snprintf(text, room, "%.3g deg", value * 180 / CG_PI);
    } else if (strcmp(unit, "m") == 0) {
        snprintf(text, room, value < 1 ? "%.3g mm" : "%.4g m", value < 1 ? 1e3 * value : value);
    } else if (strcmp(unit, "m2") == 0) {
        snprintf(text, room, "%.3g mm2", 1e6 * value);
    } else if (strcmp(unit, "m3") == 0) {
        snprintf(text, room, "%.3g cm3", 1e6 * value);
    } else if (is_share(measure)) {
        snprintf(text, room, "%.3g %%", 100 * value);
    } else if (measure == CG_MEASURE_knot_right) {
        snprintf(text, room, "%s", value > 0.5 ? "yes" : "no");
    } else {
        snprintf(text, room, "%.3g%s%s", value, unit[0] != '\0' ? " " : "", unit);
    }
}

static void say_line(const cg_measured *got, int measure, char value[32], char when[32])
{
    snprintf(value, 32, "not known");
    when[0] = '\0';
    if (got->known) {
        cg_measured_say(measure, got->value, value, 32);
    }
    if (got->known && got->at >= 0) {
        snprintf(when, 32, "at %.2f s", got->at);
    }
}

void cg_score_print(const cg_score *score, const cg_measures *measures, FILE *out)
{
    char value[32], when[32], advice[400];
    fprintf(out, "  %s: %.1f of %.4g points (%.4g needed)\n", score->passed ? "passed" : "not passed", score->points,
            score->most, score->pass_points);
    for (int i = 0; i < score->line_count; i++) {
        const cg_score_line *line = &score->lines[i];
        say_line(&line->got, line->measure, value, when);
        fprintf(out, "  %6.1f of %3.4g  %-16s %-11s %s%s\n", line->points, line->most,
                cg_measure_get_info(line->measure)->name, value, line->points < line->most ? when : "",
                line->failed ? "  must not be missing" : "");
    }
    if (measures->knot.name[0] != '\0') {
        fprintf(out, "  the knot: %s%s%s%s\n", measures->knot.name, measures->knot.common[0] != '\0' ? " (" : "",
                measures->knot.common, measures->knot.common[0] != '\0' ? ")" : "");
    }
    cg_score_advice(score, advice, sizeof advice);
    fprintf(out, "  %s\n", advice);
}

void cg_measures_print(const cg_measures *measures, FILE *out)
{
    char value[32], when[32];
    for (int i = 0; i < CG_MEASURE_COUNT; i++) {
        if (measures->of[i].known) {
            say_line(&measures->of[i], i, value, when);
            fprintf(out, "  %-16s %-11s %-12s %s\n", cg_measure_get_info(i)->name, value, when,
                    cg_measure_get_info(i)->text);
        }
    }
}

static void number_or_null(cg_json *json, const char *name, bool known, double value)
{
    cg_json_name(json, name);
    if (known) {
        cg_json_number(json, value);
    } else {
        cg_json_string(json, NULL);
    }
}

static void measured_json(cg_json *json, int measure, const cg_measured *got)
{
    cg_json_string_member(json, "measure", cg_measure_get_info(measure)->name);
    number_or_null(json, "value", got->known, got->value);
    cg_json_string_member(json, "unit", cg_measure_get_info(measure)->unit);
    number_or_null(json, "at", got->known && got->at >= 0, got->at);
}

void cg_score_json(cg_json *json, const cg_score *score)
{
    char advice[400];
    cg_score_advice(score, advice, sizeof advice);
    cg_json_number_member(json, "points", score->points);
    cg_json_number_member(json, "most", score->most);
    cg_json_number_member(json, "needed", score->pass_points);
    cg_json_boolean_member(json, "passed", score->passed);
    cg_json_string_member(json, "worst",
                          score->worst >= 0 ? cg_measure_get_info(score->lines[score->worst].measure)->name : NULL);
    cg_json_string_member(json, "advice", advice);
    cg_json_name(json, "rubric");
    cg_json_begin_array(json);
    for (int i = 0; i < score->line_count; i++) {
        const cg_score_line *line = &score->lines[i];
        cg_json_begin_line_object(json);
        measured_json(json, line->measure, &line->got);
        cg_json_number_member(json, "points", line->points);
        cg_json_number_member(json, "most", line->most);
        cg_json_boolean_member(json, "must", line->must);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

void cg_measures_json(cg_json *json, const cg_measures *measures)
{
    cg_json_string_member(json, "knot", measures->knot.name[0] != '\0' ? measures->knot.name : NULL);
    cg_json_name(json, "measures");
    cg_json_begin_array(json);
    for (int i = 0; i < CG_MEASURE_COUNT; i++) {
        if (measures->of[i].known) {
            cg_json_begin_line_object(json);
            measured_json(json, i, &measures->of[i]);
            cg_json_end_object(json);
        }
    }
    cg_json_end_array(json);
}
