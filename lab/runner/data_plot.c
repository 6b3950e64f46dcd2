#include "runner/data_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runner/template.h"

static const char *const moments[] = {"first", "before", "case", "point", "steps"};
static const char *const kinds[] = {"line", "dashes", "points", "rings"};
static const char *const hues[] = {"ink", "blue", "vermilion", "green", "purple", "orange", "sky"};

// The place of a word in a list, or `otherwise` when it is not given; a word that is not there is trouble.
static int choice(cg_study *study, const cg_json_value *object, const char *name, const char *const *words, int count,
                  int otherwise)
{
    const cg_json_value *value = cg_study_find(object, name);
    for (int i = 0; value && value->kind == CG_JSON_STRING && i < count; i++) {
        if (strcmp(words[i], value->as.string) == 0) {
            return i;
        }
    }
    if (value) {
        cg_report_trouble(study->report, "%s:%d: \"%s\" has no such choice", study->file, value->line, name);
    }
    return otherwise;
}

static const char *text_of(const cg_json_value *object, const char *name)
{
    const cg_json_value *value = cg_study_find(object, name);
    return value && value->kind == CG_JSON_STRING ? value->as.string : "";
}

static const cg_json_value *series_list(const cg_study *study)
{
    return cg_study_find(cg_study_find(study->root, "plot"), "series");
}

// Starts a series. A hue may be that of the case: {"hue": "case"}. A label that is there already is left out.
static int start_series(cg_study *study, const cg_json_value *rule)
{
    cg_plot *plot = &study->report->plots[0];
    char label[72];
    const double *number = cg_names_find(&study->names, "case");
    cg_study_words(study, text_of(rule, "label"), label, sizeof label);
    for (int i = 0; i < plot->series_count; i++) {
        if (strcmp(plot->series[i].label, label) == 0) {
            label[0] = '\0';
        }
    }
    int hue = strcmp(text_of(rule, "hue"), "case") == 0 ? 1 + (int)(number ? *number : 0) % (CG_HUE_COUNT - 1)
                                                        : choice(study, rule, "hue", hues, CG_HUE_COUNT, CG_INK);
    return cg_plot_add_series(plot, (cg_series_kind)choice(study, rule, "kind", kinds, 4, CG_SERIES_POINTS),
                              (cg_hue)hue, label);
}

static void add_point(cg_study *study, const cg_json_value *rule, int series)
{
    const cg_json_value *point = cg_study_find(rule, "point");
    if (!point || point->kind != CG_JSON_ARRAY || point->count != 2) {
        cg_report_trouble(study->report, "%s:%d: a series needs \"point\": [x, y]", study->file, rule->line);
        return;
    }
    double x = cg_study_value(study, point->as.items[0]), y = cg_study_value(study, point->as.items[1]);
    cg_plot_add_point(&study->report->plots[0], series, x, y);
}

static void add_points(cg_study *study, const cg_json_value *rule, int series)
{
    const char *name;
    double from, to, by;
    if (!cg_template_loop(study, rule, &name, &from, &to, &by)) {
        add_point(study, rule, series);
        return;
    }
    for (int round = 0; from + round * by <= to && cg_study_is_well(study); round++) {
        cg_names_set(&study->names, name, from + round * by);
        add_point(study, rule, series);
    }
}

void cg_data_plot_begin(cg_study *study)
{
    const cg_json_value *rule = cg_study_find(study->root, "plot");
    if (!rule) {
        return;
    }
    int number = cg_report_add_plot(study->report, text_of(rule, "title"), text_of(rule, "x"), text_of(rule, "y"));
    cg_plot *plot = &study->report->plots[number];
    snprintf(plot->subtitle, sizeof plot->subtitle, "%s", text_of(rule, "subtitle"));
    plot->log_x = cg_study_member(study, rule, "log_x", 0) != 0;
    plot->log_y = cg_study_member(study, rule, "log_y", 0) != 0;
    plot->same_scale = cg_study_member(study, rule, "same_scale", 0) != 0;
    plot->from_zero = cg_study_member(study, rule, "from_zero", 0) != 0;
    cg_data_plot_add(study, CG_DATA_FIRST);
}

// Which series of the plot a rule of one series for all cases has: the one that it began at the first case.
static int series_of(cg_study *study, const cg_json_value *rule, int place)
{
    char name[CG_FORMULA_NAME];
    snprintf(name, sizeof name, "series %d", place); // no formula can say a name with a space
    const double *known = cg_names_find(&study->names, name);
    int series = known ? (int)*known : start_series(study, rule);
    cg_names_set(&study->names, name, series);
    return series;
}

void cg_data_plot_add(cg_study *study, cg_data_moment moment)
{
    const cg_json_value *list = series_list(study);
    for (int i = 0; list && i < list->count && cg_study_is_well(study); i++) {
        const cg_json_value *rule = list->as.items[i];
        if (choice(study, rule, "at", moments, 5, CG_DATA_POINT) != (int)moment ||
            cg_study_member(study, rule, "when", 1) == 0) {
            continue;
        }
        if (moment == CG_DATA_STEPS && fmod(study->step, cg_study_member(study, rule, "every", 1)) != 0) {
            continue;
        }
        bool is_one = moment == CG_DATA_POINT || moment == CG_DATA_STEPS;
        add_points(study, rule, is_one ? series_of(study, rule, i) : start_series(study, rule));
    }
}
