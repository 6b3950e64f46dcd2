// catgut pull: loads the knot at the end of a recording until it slips, breaks or holds.
#include <stdbool.h>
#include <string.h>

#include "app.h"
#include "catgut/session.h"
#include "support/arguments.h"
#include "support/json.h"
#include "support/progress.h"
#include "support/record_file.h"
#include "support/record_session.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_pull = {
    .name = "pull",
    .usage = "FILE [--thread NAME] [--json]",
    .summary = "load the knot of a recording until it slips, breaks or holds",
    .help =
        "FILE is a snapshot or recording of \"catgut run\". The knot as it is at the end is loaded on a copy: taken "
        "by\n"
        "the two legs of its loop, or by the longer ends of two threads, and drawn apart at 40 mm/s, until it has\n"
        "slipped by 1.8 mm (16 radii of a thread thicker than 3-0), the thread breaks, or it has borne what such a\n"
        "thread bears in a knot. Exit codes: 0 it held, or its thread broke; 1 it slipped, or there is no knot;\n"
        "2 the file cannot be read.\n\n"
        "  --thread NAME  the knot in this thread; without it in the first one, or in both where there are two\n"
        "  --json         print one JSON object: outcome, force [N], slip [m], knot, throws, ...\n\n"
        "Example:\n"
        "  catgut run cord --script square --snapshot tied.cgr && catgut pull tied.cgr\n",
    .run = run,
};

typedef struct test {
    cg_record_reader reader;
    cg_scene *scene;
    cg_session *session;
    cg_pull_result result;
} test;

static int find_thread(const test *self, const char *name, const char *path, FILE *err)
{
    int count = cg_scene_thread_count(self->scene);
    for (int i = 0; i < count; i++) {
        if (strcmp(cg_scene_thread_name(self->scene, i), name) == 0) {
            return i;
        }
    }
    fprintf(err, "%s: found no thread \"%s\"; it has %d\n", path, name, count);
    return -1;
}

static bool pull(test *self, const char *path, const char *name, FILE *err)
{
    if (!cg_record_reader_open(&self->reader, path, err)) {
        return false;
    }
    cg_status status = cg_recording_check_versions(self->reader.recording);
    if (status.code != CG_OK) {
        fprintf(err, "%s: %s\n", path, status.message);
        return false;
    }
    if (!cg_record_session_build(self->reader.recording, path, &self->scene, &self->session, err) ||
        !cg_record_session_go_to(self->session, self->reader.recording, cg_recording_step_count(self->reader.recording),
                                 path, err)) {
        return false;
    }
    int thread = name[0] != '\0' ? find_thread(self, name, path, err) : -1;
    if (name[0] != '\0' && thread < 0) {
        return false;
    }
    status = cg_session_pull_test(self->session, thread, &self->result);
    if (status.code != CG_OK) {
        fprintf(err, "%s: %s\n", path, status.message);
    }
    return status.code == CG_OK;
}

static void print_json(const cg_pull_result *result, const char *path, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_string_member(&json, "file", path);
    cg_json_string_member(&json, "outcome", cg_pull_outcome_word(result->outcome));
    cg_json_number_member(&json, "force", cg_pull_holding_force(result));
    cg_json_number_member(&json, "slip", result->slip);
    cg_json_number_member(&json, "seconds", result->seconds);
    cg_json_string_member(&json, "knot", result->knot.name);
    cg_json_string_member(&json, "common", result->knot.common);
    cg_json_string_member(&json, "throws", result->knot.throws_text);
    cg_json_boolean_member(&json, "certain", result->knot.certain);
    cg_json_end_object(&json);
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    bool as_json = false;
    const char *path = NULL, *thread = "";
    const cg_option options[] = {{.name = "--thread", .value = &thread}, {.name = "--json", .flag = &as_json}};
    cg_arguments arguments = {.command = "pull", .options = options, .option_count = 2, .max_words = 1, .words = &path};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (arguments.word_count == 0) {
        fputs("catgut pull: a FILE to read is needed\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    test self = {0};
    bool good = pull(&self, path, thread, err);
    if (good && as_json) {
        print_json(&self.result, path, out);
    } else if (good) {
        char text[256];
        cg_pull_tell(&self.result, text, sizeof text);
        fprintf(out, "%s: %s\n", path, text);
    }
    cg_session_destroy(self.session);
    cg_scene_free(self.scene);
    cg_record_reader_close(&self.reader);
    bool bore = self.result.outcome == CG_PULL_HELD || self.result.outcome == CG_PULL_BROKE;
    return !good ? CG_EXIT_BAD_INPUT : bore ? CG_EXIT_DONE : CG_EXIT_BAD_RESULT;
}
