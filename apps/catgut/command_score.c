// catgut score: measures a recording and scores it by its task.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "catgut/task.h"
#include "support/arguments.h"
#include "support/json.h"
#include "support/record_file.h"
#include "support/scene_files.h"
#include "support/scene_names.h"
#include "training/report.h"
#include "training/task_files.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_score = {
    .name = "score",
    .usage = "FILE [--task TASK] [--json]",
    .summary = "score a recording: points, what cost them and when, and advice",
    .help = "FILE is a recording. Its frames and events are measured, never its physics run again, so recordings of\n"
            "older programs are scored like those of today. The task is the one that the recording names (\"catgut\n"
            "try\" and the page record it); without any only measures are printed. Exit codes: 0 passed, or there is\n"
            "no task; 1 not passed; 2 it cannot be read.\n\n"
            "  --task TASK    score by this task: a file, or a name (\"catgut list tasks\")\n"
            "  --json         print one JSON object with all measures\n\n"
            "Example:\n"
            "  catgut try square-knot --record tie.cgr; catgut score tie.cgr\n",
    .run = run,
};

typedef struct scoring {
    cg_record_reader reader;
    cg_recorded_attempt attempt;
    cg_task *task; // NULL: none
    cg_measures measures;
    cg_score score;
} scoring;

// A recording may come from anyone: what it names is looked for among the tasks, not opened wherever it says.
static bool is_plain_name(const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        if (*at == '/' || (unsigned char)*at < ' ' || *at == 0x7f) {
            return false;
        }
    }
    return name[0] != '.';
}

// The task that was asked for, or that the recording names.
static bool find_task(scoring *self, const char *path_of_recording, const char *word, FILE *err)
{
    const char *name = word != NULL ? word : self->attempt.task;
    char path[CG_MOST_PATH];
    cg_scene_error error;
    if (name[0] == '\0') {
        return true;
    }
    if (word == NULL && !is_plain_name(name)) {
        fprintf(err, "%s: it names its task by a path, expected a plain name; --task names one\n", path_of_recording);
        return false;
    }
    if (!cg_find_named(name, CG_NAMED_TASK, path, &error) || !cg_task_load(path, &self->task, &error)) {
        cg_scene_error_print(&error, err);
        return false;
    }
    return true;
}

static void print_json(const scoring *self, const char *path, const char *task, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_string_member(&json, "file", path);
    cg_json_string_member(&json, "task", self->task != NULL ? task : NULL);
    cg_json_number_member(&json, "seed", (double)self->attempt.seed);
    cg_json_boolean_member(&json, "over", self->measures.is_over);
    cg_json_boolean_member(&json, "reached", self->attempt.reached);
    if (self->task != NULL) {
        cg_score_json(&json, &self->score);
    }
    cg_measures_json(&json, &self->measures);
    cg_json_end_object(&json);
}

static void print_words(const scoring *self, const char *path, FILE *out)
{
    if (self->task == NULL) {
        fprintf(out, "%s: it names no task; what was measured:\n", path);
        cg_measures_print(&self->measures, out);
    } else {
        fprintf(out, "%s: %s\n", path, cg_task_title(self->task));
        cg_score_print(&self->score, &self->measures, out);
    }
}

static int score_file(scoring *self, const char *path, const char *word, bool as_json, FILE *out, FILE *err)
{
    if (!cg_record_reader_open(&self->reader, path, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    const char *damage = cg_recording_damage(self->reader.recording);
    if (damage[0] != '\0') {
        fprintf(err, "%s: damaged %s; what can be read is scored\n", path, damage);
    }
    self->attempt = cg_recording_attempt(self->reader.recording);
    if (!find_task(self, path, word, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (self->task != NULL && self->attempt.rules != 0 && self->attempt.rules != cg_task_rules(self->task)) {
        fprintf(err, "%s: the task was edited since; it is scored by its present rules\n", path);
    }
    cg_status status = cg_measure_recording(self->reader.recording, self->task, NULL, &self->measures);
    if (status.code != CG_OK) {
        fprintf(err, "%s: %s\n", path, status.message);
        return CG_EXIT_BAD_INPUT;
    }
    if (self->task != NULL) {
        self->score = cg_task_score(self->task, &self->measures);
    }
    if (as_json) {
        print_json(self, path, word != NULL ? word : self->attempt.task, out);
    } else {
        print_words(self, path, out);
    }
    return self->task == NULL || self->score.passed ? CG_EXIT_DONE : CG_EXIT_BAD_RESULT;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    bool as_json = false;
    const char *path = NULL, *task = NULL;
    const cg_option options[] = {{.name = "--task", .value = &task}, {.name = "--json", .flag = &as_json}};
    cg_arguments arguments = {
        .command = "score", .options = options, .option_count = 2, .max_words = 1, .words = &path};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (!path) {
        fputs("catgut score: name a recording\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    scoring *self = calloc(1, sizeof *self);
    if (!self) {
        fputs("catgut score: no memory left\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    int code = score_file(self, path, task, as_json, out, err);
    cg_task_free(self->task);
    cg_record_reader_close(&self->reader);
    free(self);
    return code;
}
