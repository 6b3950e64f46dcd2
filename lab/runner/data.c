#include "runner/data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runner/data_plot.h"
#include "runner/study.h"

// Whether all numbers that a row says are there: one whose "published" is null in this case is left out.
static bool is_wanted(cg_study *study, const cg_json_value *row)
{
    const cg_json_value *when = cg_study_find(row, "when");
    double value = when ? cg_study_value(study, when) : 1;
    return !isnan(value) && value != 0;
}

static void add_rows(cg_study *study)
{
    const cg_json_value *rows = cg_study_find(study->root, "rows");
    for (int i = 0; rows && i < rows->count && cg_study_is_well(study); i++) {
        const cg_json_value *row = rows->as.items[i], *name = cg_study_find(row, "name"),
                            *unit = cg_study_find(row, "unit");
        char words[240];
        if (!is_wanted(study, row)) {
            continue;
        }
        cg_quantity quantity = {.published = cg_study_member(study, row, "published", CG_UNPUBLISHED),
                                .expected = cg_study_member(study, row, "expected", NAN),
                                .measured = cg_study_member(study, row, "measured", NAN),
                                .tolerance = cg_study_member(study, row, "tolerance", NAN),
                                .unit = unit && unit->kind == CG_JSON_STRING ? unit->as.string : "1"};
        cg_study_words(study, name && name->kind == CG_JSON_STRING ? name->as.string : "?", words, sizeof words);
        cg_report_add(study->report, quantity, "%s", words);
        // The unit is read after the text is gone, so it is one of a closed list.
        cg_quantity *kept = &study->report->quantities[study->report->quantity_count - 1];
        static const char *const units[] = {"1",   "m",   "mm", "um",  "N", "s",      "ms",    "Hz",
                                            "rad", "deg", "L",  "w L", "%", "% of L", "B/L^2", "turns"};
        kept->unit = NULL;
        for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
            kept->unit = strcmp(units[k], quantity.unit) == 0 ? units[k] : kept->unit;
        }
        if (!kept->unit) {
            kept->unit = "1";
            cg_report_trouble(study->report, "%s:%d: the unit \"%s\" is not known", study->file, row->line,
                              quantity.unit);
        }
    }
}

static void one_case(cg_study *study, bool is_rehearsal)
{
    cg_study_let(study, cg_study_find(study->root, "each"));
    if (is_rehearsal) {
        cg_data_plot_add(study, CG_DATA_BEFORE);
        return;
    }
    if (cg_study_run(study)) {
        cg_study_let(study, cg_study_find(study->root, "result"));
        add_rows(study);
        cg_data_plot_add(study, CG_DATA_CASE);
        cg_data_plot_add(study, CG_DATA_POINT);
    }
    cg_study_end(study);
}

// A row of a sweep: the columns have one value each for it.
static bool set_columns(cg_study *study, const cg_json_value *sweep, int row)
{
    for (int i = 0; i < sweep->count; i++) {
        const cg_json_value *column = sweep->as.items[i];
        if (column->kind != CG_JSON_ARRAY || column->count != sweep->as.items[0]->count) {
            cg_report_trouble(study->report, "%s:%d: the columns of a sweep are as long as each other", study->file,
                              column->line);
            return false;
        }
        cg_names_set(&study->names, column->name, cg_study_value(study, column->as.items[row]));
    }
    return true;
}

// All rows of this sweep and of those inside of it; each makes a case.
static void all_cases(cg_study *study, int depth, bool is_rehearsal, int *number)
{
    const cg_json_value *sweeps = cg_study_find(study->root, "sweep");
    if (!sweeps || depth == sweeps->count) {
        cg_names_set(&study->names, "case", (*number)++);
        one_case(study, is_rehearsal);
        return;
    }
    const cg_json_value *sweep = sweeps->as.items[depth];
    int rows = sweep->count > 0 ? sweep->as.items[0]->count : 0;
    for (int row = 0; row < rows && cg_study_is_well(study) && set_columns(study, sweep, row); row++) {
        all_cases(study, depth + 1, is_rehearsal, number);
    }
}

static void plot_step(cg_study *study, void *context)
{
    (void)context;
    cg_data_plot_add(study, CG_DATA_STEPS);
}

// What a file may have; anything else is a mistake of whoever wrote it.
static bool check_members(cg_study *study)
{
    static const char *const known[] = {"summary", "source", "about", "let",    "sweep", "each", "scene",
                                        "drive",   "until",  "watch", "result", "rows",  "plot"};
    for (int i = 0; i < study->root->count; i++) {
        const cg_json_value *member = study->root->as.items[i];
        bool is_known = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            is_known = is_known || strcmp(known[k], member->name) == 0;
        }
        if (!is_known) {
            cg_report_trouble(study->report, "%s:%d: an experiment has no \"%s\"", study->file, member->line,
                              member->name);
        }
    }
    return cg_study_is_well(study);
}

void cg_data_run(const char *text, size_t size, const char *file, cg_report *report)
{
    cg_study study;
    cg_json_tree *tree = NULL;
    cg_scene_error error = {{0}, 0, 0, {0}};
    if (cg_json_tree_read(text, size, file, NULL, &tree, &error) != CG_OK) {
        cg_report_trouble(report, "%s:%d:%d: %s", file, error.line, error.column, error.message);
        return;
    }
    cg_study_begin(&study, file, cg_json_root(tree), report);
    study.before_step = plot_step;
    if (study.root->kind == CG_JSON_OBJECT && check_members(&study)) {
        int number = 0;
        cg_names_set(&study.names, "thorough", report->thorough);
        cg_study_let(&study, cg_study_find(study.root, "let"));
        cg_data_plot_begin(&study);
        all_cases(&study, 0, true, &number);
        number = 0;
        all_cases(&study, 0, false, &number);
    } else {
        cg_report_trouble(report, "%s: expected an object", file);
    }
    cg_json_tree_free(tree);
}
