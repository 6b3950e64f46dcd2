// catgut try: does a task with a script, and scores it.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "support/arguments.h"
#include "support/json.h"
#include "support/progress.h"
#include "support/scene_files.h"
#include "training/log_page.h"
#include "training/report.h"
#include "training/trial.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_try = {
    .name = "try",
    .usage = "TASK [--script SCRIPT] [--seed N] [--record FILE] [--force] [--trainee NAME] [--logbook FILE] [--json]",
    .summary = "do a training task with a script, and score it",
    .help =
        "TASK is a task file, or the name of a task (\"catgut list tasks\"). Its scene runs until the task is\n"
        "over, time has run out, or the script is over. docs/training.md explains tasks and scores. Exit codes:\n"
        "0 passed, 1 not passed, 2 bad input.\n\n"
        "  --script SCRIPT  what the hands do: a file, or a name; without it the expert's script\n"
        "  --seed N         chooses the places of targets and of what varies; default 1\n"
        "  --record FILE    write a recording, for \"catgut score\" and replay\n"
        "  --force          let --record write over a file that is no recording\n"
        "  --trainee NAME   note the attempt in the logbook, for \"catgut progress\"; without --record its recording\n"
        "                   lies beside the logbook\n"
        "  --logbook FILE   the logbook; default catgut/progress.db in $XDG_DATA_HOME or ~/.local/share\n"
        "  --json           print one JSON object\n\n"
        "Examples:\n"
        "  catgut try square-knot\n"
        "  catgut try point-and-touch --seed 7 --record touch.cgr\n",
    .run = run,
    .listed = "tasks",
};

static void print_json(const cg_trial *trial, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_string_member(&json, "task", trial->name);
    cg_json_string_member(&json, "script", trial->script_path);
    cg_json_number_member(&json, "seed", (double)trial->seed);
    cg_json_boolean_member(&json, "over", trial->state.over);
    cg_json_boolean_member(&json, "reached", trial->state.reached);
    cg_json_string_member(&json, "recording", trial->record);
    cg_score_json(&json, &trial->score);
    cg_measures_json(&json, &trial->measures);
    cg_json_end_object(&json);
}

static void print_words(const cg_trial *trial, FILE *out)
{
    fprintf(out, "%s: %s\n", trial->name, cg_task_title(trial->task));
    cg_score_print(&trial->score, &trial->measures, out);
    if (trial->record != NULL) {
        fprintf(out, "  recorded in %s\n", trial->record);
    }
}

// Notes the attempt in the logbook when a trainee is named.
static bool begin_page(cg_log_page *page, cg_trial *trial, FILE *err)
{
    char why[CG_LOGBOOK_WHY] = "";
    if (page->trainee == NULL) {
        return true;
    }
    if (!cg_log_page_begin(page, trial->name, trial->seed, trial->record == NULL, why)) {
        fprintf(err, "catgut try: the logbook %s: %s\n", page->path, why);
        return false;
    }
    trial->record = trial->record != NULL ? trial->record : page->recording;
    return true;
}

static bool finish_page(cg_log_page *page, const cg_trial *trial, FILE *err)
{
    char why[CG_LOGBOOK_WHY];
    if (page->book == NULL || trial->interrupted) { // what was interrupted stays unfinished
        return true;
    }
    if (!cg_logbook_finish(page->book, page->attempt, &trial->score, &trial->measures, trial->record, why)) {
        fprintf(err, "catgut try: the logbook %s: %s\n", page->path, why);
        return false;
    }
    return true;
}

static int try_task(cg_trial *trial, cg_log_page *page, bool as_json, FILE *out, FILE *err)
{
    if (!cg_trial_load(trial, err) || !begin_page(page, trial, err) || !cg_trial_begin(trial, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    cg_trial_run(trial, as_json ? NULL : out);
    if (trial->script.phase == CG_SCRIPT_FAILED) {
        cg_scene_error_print(&trial->script.error, err);
    }
    if (!cg_trial_score(trial, err) || !finish_page(page, trial, err)) {
        return CG_EXIT_BAD_RESULT;
    }
    (as_json ? print_json : print_words)(trial, out);
    return trial->score.passed ? CG_EXIT_DONE : CG_EXIT_BAD_RESULT;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    bool as_json = false;
    const char *seed = NULL;
    cg_log_page page = {0};
    cg_trial *trial = calloc(1, sizeof *trial);
    if (!trial) {
        fputs("catgut try: no memory left\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    const cg_option options[] = {{.name = "--script", .value = &trial->script_word},
                                 {.name = "--seed", .value = &seed},
                                 {.name = "--record", .value = &trial->record},
                                 {.name = "--force", .flag = &trial->force},
                                 {.name = "--trainee", .value = &page.trainee},
                                 {.name = "--logbook", .value = &page.logbook},
                                 {.name = "--json", .flag = &as_json}};
    cg_arguments arguments = {.command = "try",
                              .options = options,
                              .option_count = sizeof options / sizeof options[0],
                              .max_words = 1,
                              .words = &trial->task_word};
    int code = CG_EXIT_BAD_INPUT;
    if (cg_arguments_read(&arguments, count, words, err) && cg_read_seed(&arguments, seed, 1, &trial->seed, err)) {
        if (page.trainee != NULL && (page.trainee[0] == '\0' || strlen(page.trainee) > 100)) {
            fputs("catgut try: found a --trainee of no or more than 100 bytes, expected a name\n", err);
        } else if (trial->task_word == NULL) {
            fputs("catgut try: name a task; \"catgut list tasks\" shows those that are here\n", err);
        } else {
            cg_interrupts_begin();
            code = try_task(trial, &page, as_json, out, err);
            cg_interrupts_end();
        }
    }
    cg_trial_end(trial);
    cg_log_page_end(&page);
    free(trial);
    return code;
}
