// catgut progress: what trainees did, and how they get better.
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app.h"
#include "support/arguments.h"
#include "support/cell.h"
#include "support/json.h"
#include "support/multiples.h"
#include "support/origin.h"
#include "support/out_file.h"
#include "support/plot_files.h"
#include "training/curves.h"
#include "training/logbook.h"
#include "training/report.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_progress = {
    .name = "progress",
    .usage = "[--trainee NAME] [--task TASK] [--logbook FILE] [--csv FILE] [--plot FILE] [--force] [--json]",
    .summary = "show what trainees did and how they get better",
    .help = "Reads the logbook that \"catgut try --trainee NAME\" writes. For each trainee and task: how many\n"
            "attempts, how many passed, points of the first, the best and the last, and the learning curve; with\n"
            "--task every attempt. Nothing leaves the machine.\n\n"
            "  --trainee NAME  this trainee alone\n"
            "  --task TASK     this task alone\n"
            "  --logbook FILE  the logbook; default catgut/progress.db in $XDG_DATA_HOME or ~/.local/share\n"
            "  --csv FILE      write a table: one line an attempt, one column a measure, in SI units\n"
            "  --plot FILE     write the learning curves as a picture (SVG)\n"
            "  --force         let these write over files that are not ours\n"
            "  --json          print one JSON object\n\n"
            "Example:\n"
            "  catgut try square-knot --trainee ann; catgut progress --trainee ann --task square-knot\n",
    .run = run,
};

// The words of the command line.
typedef struct choices {
    const char *trainee, *task, *logbook, *csv, *plot;
    bool force, as_json;
    int word_count; // of the command line
    char *const *words;
} choices;

// Words

static void print_date(int64_t when, FILE *out)
{
    time_t seconds = (time_t)when;
    struct tm parts;
    char text[32] = "?";
    if (localtime_r(&seconds, &parts) != NULL) {
        strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
    }
    fprintf(out, "%s", text);
}

static void print_attempt(const cg_curve_attempt *attempt, FILE *out)
{
    fprintf(out, "    %5lld  ", (long long)attempt->id);
    print_date(attempt->started, out);
    if (attempt->finished) {
        fprintf(out, "  %5.1f of %.4g  %-10s %6.1f s%s%s\n", attempt->points, attempt->most,
                attempt->passed ? "passed" : "not passed", attempt->seconds, attempt->worst[0] != '\0' ? "  mind " : "",
                attempt->worst);
    } else {
        fprintf(out, "  %s\n", attempt->running ? "under way" : "interrupted");
    }
}

static void print_curve(const cg_curve_group *group, bool with_attempts, FILE *out)
{
    cg_curve_summary summary = cg_curve_summarise(group);
    fprintf(out, "  %-18s %d attempt%s, %d passed", group->task, group->count, group->count == 1 ? "" : "s",
            summary.passed);
    if (summary.finished > 0) {
        fprintf(out, "; points: first %.0f %%, best %.0f %%, last %.0f %%; time: first %.1f s, last %.1f s",
                100 * summary.first, 100 * summary.best, 100 * summary.last, summary.first_seconds,
                summary.last_seconds);
    }
    if (summary.finished < group->count) {
        fprintf(out, "; %d not finished", group->count - summary.finished);
    }
    fputc('\n', out);
    for (int i = 0; with_attempts && i < group->count; i++) {
        print_attempt(&group->attempts[i], out);
    }
}

static void print_words(const cg_curves *curves, const choices *choice, FILE *out)
{
    const char *trainee = "";
    if (curves->count == 0) {
        fputs("no attempts yet; \"catgut try TASK --trainee NAME\" makes one\n", out);
    }
    for (int i = 0; i < curves->count; i++) {
        if (strcmp(trainee, curves->groups[i].trainee) != 0) {
            trainee = curves->groups[i].trainee;
            fprintf(out, "%s\n", trainee);
        }
        print_curve(&curves->groups[i], choice->task != NULL, out);
    }
}

static void print_json(const cg_curves *curves, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_name(&json, "curves");
    cg_json_begin_array(&json);
    for (int i = 0; i < curves->count; i++) {
        const cg_curve_group *group = &curves->groups[i];
        cg_json_begin_object(&json);
        cg_json_string_member(&json, "trainee", group->trainee);
        cg_json_string_member(&json, "task", group->task);
        cg_json_name(&json, "attempts");
        cg_json_begin_array(&json);
        for (int k = 0; k < group->count; k++) {
            const cg_curve_attempt *attempt = &group->attempts[k];
            cg_json_begin_line_object(&json);
            cg_json_number_member(&json, "id", (double)attempt->id);
            cg_json_number_member(&json, "started", (double)attempt->started);
            cg_json_string_member(&json, "state", cg_curve_state(attempt));
            if (attempt->finished) {
                cg_json_number_member(&json, "points", attempt->points);
                cg_json_number_member(&json, "most", attempt->most);
                cg_json_boolean_member(&json, "passed", attempt->passed);
                cg_json_number_member(&json, "seconds", attempt->seconds);
                cg_json_string_member(&json, "worst", attempt->worst[0] != '\0' ? attempt->worst : NULL);
            }
            cg_json_end_object(&json);
        }
        cg_json_end_array(&json);
        cg_json_end_object(&json);
    }
    cg_json_end_array(&json);
    cg_json_end_object(&json);
}

// Files

enum { TABLE_COLUMNS = 10 + CG_MEASURE_COUNT };

static void table_columns(cg_column columns[TABLE_COLUMNS])
{
    static const cg_column first[] = {
        {"attempt", "integer", NULL, "its number in the logbook"},
        {"trainee", "string", NULL, "name; with ' in front where a spreadsheet would compute it"},
        {"task", "string", NULL, "name of the task"},
        {"seed", "integer", NULL, "of what is drawn in the task"},
        {"started", "string", NULL, "when, in UTC as ISO 8601"},
        {"state", "string", NULL, "finished, interrupted or under way"},
        {"points", "number", "1", "empty when it was not finished"},
        {"most", "number", "1", "points that could be had"},
        {"passed", "boolean", NULL, "1: passed"},
        {"worst", "string", NULL, "the criterion that lost most points"},
    };
    memcpy(columns, first, sizeof first);
    for (int i = 0; i < CG_MEASURE_COUNT; i++) {
        const cg_measure_info *info = cg_measure_get_info(i);
        const char *unit = info->unit && info->unit[0] != '\0' ? info->unit : NULL;
        columns[10 + i] = (cg_column){info->name, "number", unit, info->text};
    }
}

static bool write_table(const cg_curves *curves, cg_logbook *book, FILE *out, char why[CG_LOGBOOK_WHY])
{
    cg_column columns[TABLE_COLUMNS];
    table_columns(columns);
    for (int i = 0; i < TABLE_COLUMNS; i++) {
        fprintf(out, i > 0 ? ",%s" : "%s", columns[i].name);
    }
    fputc('\n', out);
    for (int i = 0; i < curves->count; i++) {
        const cg_curve_group *group = &curves->groups[i];
        for (int k = 0; k < group->count; k++) {
            const cg_curve_attempt *attempt = &group->attempts[k];
            cg_measures measures;
            if (!cg_logbook_measures(book, attempt->id, &measures, why)) {
                return false;
            }
            fprintf(out, "%lld,", (long long)attempt->id);
            cg_cell_write(group->trainee, out);
            fputc(',', out);
            cg_cell_write(group->task, out);
            char started[32];
            cg_time_text((time_t)attempt->started, started);
            fprintf(out, ",%lld,%s,%s", (long long)attempt->seed, started, cg_curve_state(attempt));
            if (attempt->finished) {
                fprintf(out, ",%.17g,%.17g,%d,", attempt->points, attempt->most, attempt->passed);
                cg_cell_write(attempt->worst, out);
            } else {
                fputs(",,,,", out);
            }
            for (int m = 0; m < CG_MEASURE_COUNT; m++) {
                fprintf(out, measures.of[m].known ? ",%.17g" : ",", measures.of[m].value);
            }
            fputc('\n', out);
        }
    }
    return true;
}

// The curve of a trainee at a task: points of each finished attempt [% of all].
static void add_curve(cg_plot *plot, const cg_curve_group *group, int place)
{
    char label[72];
    snprintf(label, sizeof label, "%.30s: %.38s", group->trainee, group->task);
    int series = cg_plot_add_series(plot, CG_SERIES_LINE, (cg_hue)(place % CG_HUE_COUNT), label), number = 0;
    for (int k = 0; k < group->count; k++) {
        if (group->attempts[k].finished) {
            cg_plot_add_point(plot, series, ++number, 100 * group->attempts[k].points / group->attempts[k].most);
        }
    }
}

// As many curves as can be told apart by their colours are one plot; more are small plots beside each other.
static void draw_small_plots(const void *context, FILE *out)
{
    const cg_curves *curves = context;
    cg_small_plot *plots = calloc((size_t)curves->count, sizeof *plots);
    cg_plot like = cg_plot_make("Learning curves", "attempt", "points [% of all]");
    for (int i = 0; plots && i < curves->count; i++) {
        const cg_curve_group *group = &curves->groups[i];
        plots[i].points = calloc((size_t)group->count + 1, sizeof *plots[i].points);
        snprintf(plots[i].label, sizeof plots[i].label, "%.40s", group->trainee);
        snprintf(plots[i].note, sizeof plots[i].note, "%.40s", group->task);
        for (int k = 0; k < group->count && plots[i].points; k++) {
            if (group->attempts[k].finished) {
                plots[i].points[plots[i].count][0] = plots[i].count + 1;
                plots[i].points[plots[i].count++][1] = 100 * group->attempts[k].points / group->attempts[k].most;
            }
        }
    }
    if (plots) {
        cg_multiples_write(&like, plots, curves->count, 100, out);
    }
    for (int i = 0; plots && i < curves->count; i++) {
        free(plots[i].points);
    }
    free(plots);
}

static void write_curve_rows(const void *context, FILE *out)
{
    const cg_curves *curves = context;
    fputs("series,kind,x,y\n", out);
    for (int i = 0; i < curves->count; i++) {
        cg_plot one = cg_plot_make("", "attempt", "points [% of all]");
        add_curve(&one, &curves->groups[i], i);
        cg_plot_write_rows(&one, out);
        cg_plot_free(&one);
    }
}

static bool save_plot(const char *path, const cg_curves *curves, bool force, cg_package *package, FILE *err)
{
    cg_plot plot = cg_plot_make("Learning curves", "attempt", "points [% of all]");
    bool good;
    plot.from_zero = plot.whole_x = true;
    if (curves->count <= CG_HUE_COUNT) {
        for (int i = 0; i < curves->count; i++) {
            add_curve(&plot, &curves->groups[i], i);
        }
        good = cg_plot_save(&plot, path, force, package, err);
    } else {
        good = cg_plot_save_drawn(&plot, path, force, package, draw_small_plots, write_curve_rows, curves, err);
    }
    cg_plot_free(&plot);
    return good;
}

static bool save_table(const char *path, const cg_curves *curves, cg_logbook *book, bool force, cg_package *package,
                       FILE *err)
{
    cg_out_file file = {0};
    cg_column columns[TABLE_COLUMNS];
    char why[CG_OUT_WHY_BYTES] = "", unread[CG_LOGBOOK_WHY];
    if (!cg_package_may_write(path, force, err)) {
        return false;
    }
    if (!cg_out_open(&file, path, CG_OUT_CSV, force, why)) {
        fprintf(err, "catgut progress: %s: %s\n", path, why);
        return false;
    }
    if (!write_table(curves, book, file.file, unread)) {
        cg_out_abandon(&file, false);
        fprintf(err, "catgut progress: %s\n", unread);
        return false;
    }
    if (ferror(file.file) || !cg_out_finish(&file)) {
        cg_out_abandon(&file, false);
        fprintf(err, "catgut progress: %s could not be written\n", path);
        return false;
    }
    table_columns(columns);
    cg_package_file(package, path, "one row an attempt, one column a measure", columns, TABLE_COLUMNS);
    return cg_package_write(package, path, force, err);
}

// A table and a picture, each with its package.
static bool write_files(const choices *choice, const cg_curves *curves, cg_logbook *book, FILE *err)
{
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        const char *path = i == 0 ? choice->csv : choice->plot;
        cg_package *package = cg_package_begin("progress", choice->word_count, choice->words);
        good = !path || (i == 0 ? save_table(path, curves, book, choice->force, package, err)
                                : save_plot(path, curves, choice->force, package, err));
        cg_package_free(package);
    }
    return good;
}

static int show(const choices *choice, const char *path, FILE *out, FILE *err)
{
    char why[CG_LOGBOOK_WHY];
    cg_logbook *book;
    cg_curves curves = {0};
    if (!cg_logbook_open(path, &book, why)) {
        fprintf(err, "%s: %s\n", path, why);
        return CG_EXIT_BAD_INPUT;
    }
    bool good = cg_curves_read(&curves, book, choice->trainee, choice->task, why);
    if (!good) {
        fprintf(err, "%s: %s\n", path, why);
    } else if (choice->as_json) {
        print_json(&curves, out);
    } else {
        print_words(&curves, choice, out);
    }
    good = good && write_files(choice, &curves, book, err);
    cg_curves_free(&curves);
    cg_logbook_close(book);
    return good ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    choices choice = {.word_count = count, .words = words};
    char path[CG_LOGBOOK_PATH];
    const cg_option options[] = {
        {.name = "--trainee", .value = &choice.trainee}, {.name = "--task", .value = &choice.task},
        {.name = "--logbook", .value = &choice.logbook}, {.name = "--csv", .value = &choice.csv},
        {.name = "--plot", .value = &choice.plot},       {.name = "--force", .flag = &choice.force},
        {.name = "--json", .flag = &choice.as_json}};
    cg_arguments arguments = {
        .command = "progress", .options = options, .option_count = sizeof options / sizeof options[0]};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (choice.logbook == NULL && !cg_logbook_usual_path(path)) {
        fputs("catgut progress: no place for a logbook is known; --logbook names one\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    if (choice.logbook != NULL && access(choice.logbook, F_OK) != 0) { // mistyped; opening it would make it
        fprintf(err, "%s: there is no logbook: %s\n", choice.logbook, strerror(errno));
        return CG_EXIT_BAD_INPUT;
    }
    return show(&choice, choice.logbook != NULL ? choice.logbook : path, out, err);
}
