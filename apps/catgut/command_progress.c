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
#include "support/json.h"
#include "support/out_file.h"
#include "support/plot.h"
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

// A text between quotes, as tables want it; one that a spreadsheet would compute gets a quote in front.
static void print_cell(const char *text, FILE *out)
{
    fputc('"', out);
    if (text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL) {
        fputc('\'', out);
    }
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, out);
    }
    fputc('"', out);
}

static bool write_table(const cg_curves *curves, cg_logbook *book, FILE *out, char why[CG_LOGBOOK_WHY])
{
    fputs("attempt,trainee,task,seed,started,state,points,most,passed", out);
    for (int i = 0; i < CG_MEASURE_COUNT; i++) {
        fprintf(out, ",%s", cg_measure_get_info(i)->name);
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
            print_cell(group->trainee, out);
            fputc(',', out);
            print_cell(group->task, out);
            fprintf(out, ",%lld,%lld,%s", (long long)attempt->seed, (long long)attempt->started,
                    cg_curve_state(attempt));
            if (attempt->finished) {
                fprintf(out, ",%.17g,%.17g,%d", attempt->points, attempt->most, attempt->passed);
            } else {
                fputs(",,,", out);
            }
            for (int m = 0; m < CG_MEASURE_COUNT; m++) {
                fprintf(out, measures.of[m].known ? ",%.17g" : ",", measures.of[m].value);
            }
            fputc('\n', out);
        }
    }
    return true;
}

static void draw_curves(const cg_curves *curves, FILE *out)
{
    cg_plot plot = cg_plot_make("Learning curves", "attempt", "points [% of all]");
    plot.from_zero = true;
    for (int i = 0; i < curves->count && i < CG_PLOT_MAX_SERIES; i++) {
        const cg_curve_group *group = &curves->groups[i];
        char label[72];
        snprintf(label, sizeof label, "%.30s: %.38s", group->trainee, group->task);
        int series = cg_plot_add_series(&plot, CG_SERIES_LINE, (cg_hue)(i % CG_HUE_COUNT), label), number = 0;
        for (int k = 0; k < group->count; k++) {
            if (group->attempts[k].finished) {
                cg_plot_add_point(&plot, series, ++number, 100 * group->attempts[k].points / group->attempts[k].most);
            }
        }
    }
    cg_plot_write(&plot, out);
    cg_plot_free(&plot);
}

static bool write_file(const char *path, cg_out_kind kind, const cg_curves *curves, cg_logbook *book, bool force,
                       FILE *err)
{
    cg_out_file file = {0};
    char why[CG_OUT_WHY_BYTES] = "", unread[CG_LOGBOOK_WHY];
    if (path == NULL) {
        return true;
    }
    if (!cg_out_open(&file, path, kind, force, why)) {
        fprintf(err, "catgut progress: %s: %s\n", path, why);
        return false;
    }
    if (kind == CG_OUT_SVG) {
        draw_curves(curves, file.file);
    } else if (!write_table(curves, book, file.file, unread)) {
        cg_out_abandon(&file, false);
        fprintf(err, "catgut progress: %s\n", unread);
        return false;
    }
    if (ferror(file.file) || !cg_out_finish(&file)) {
        cg_out_abandon(&file, false);
        fprintf(err, "catgut progress: %s could not be written\n", path);
        return false;
    }
    return true;
}

// The command

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
    good = good && write_file(choice->csv, CG_OUT_CSV, &curves, book, choice->force, err) &&
           write_file(choice->plot, CG_OUT_SVG, &curves, book, choice->force, err);
    cg_curves_free(&curves);
    cg_logbook_close(book);
    return good ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    choices choice = {0};
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
