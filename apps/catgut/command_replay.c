// catgut replay: runs a recording again and compares every state hash.
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

const cg_command cg_command_replay = {
    .name = "replay",
    .usage = "FILE [--from STEP] [--json]",
    .summary = "run a recording again and compare every state hash",
    .help =
        "FILE is a recording of \"catgut run --record\". Its scene is built again, its operations are applied again,\n"
        "and the state is compared wherever the recording has a hash; of a snapshot the one state that it holds. Exit "
        "codes: 0 all agree; 1 one differs, the\n"
        "file is damaged and only a part of it could be replayed, or it is of a program whose motion was another;\n"
        "2 it cannot be read at all.\n\n"
        "  --from STEP    start at the last whole state in the recording at or before this step\n"
        "  --json         print one JSON object\n\n"
        "Example:\n"
        "  catgut run scenes/swing.json --record swing.cgr && catgut replay swing.cgr\n",
    .run = run,
};

// A replay under way, and what came of it.
typedef struct replay {
    cg_record_reader reader;
    cg_scene *scene;
    cg_session *session;
    uint64_t from;       // step asked for
    uint64_t started_at; // step that it began with
    size_t next_operation, next_hash;
    uint64_t compared;     // hashes that agree
    uint64_t last_agreed;  // steps made when the last of them was taken
    uint64_t differing_at; // steps made at the first that differs
    bool differs, interrupted;
    cg_status refusal; // why an operation of the recording was not accepted
    double wall_seconds;
} replay;

static bool start(replay *self, const char *path, FILE *err)
{
    cg_recording *recording = self->reader.recording;
    uint64_t first = cg_record_reader_first_step(&self->reader); // a snapshot has nothing before it
    self->from = self->from > first ? self->from : first;
    cg_status status = cg_session_jump(self->session, recording, self->from, &self->next_operation);
    if (status.code != CG_OK) {
        fprintf(err, "%s: the state before step %llu does not fit: %s\n", path, (unsigned long long)self->from,
                status.message);
        return false;
    }
    self->started_at = cg_session_get_stats(self->session).steps;
    uint64_t step, hash;
    while (cg_recording_hash(recording, self->next_hash, &step, &hash) && step < self->started_at) {
        self->next_hash++;
    }
    return true;
}

// Compares the hashes taken when `step` steps were made. False at the first that differs.
static bool compare(replay *self, uint64_t step)
{
    uint64_t hash_step, hash;
    while (cg_recording_hash(self->reader.recording, self->next_hash, &hash_step, &hash) && hash_step == step) {
        self->next_hash++;
        if (cg_world_state_hash(cg_session_world(self->session)) != hash) {
            self->differs = true;
            self->differing_at = step;
            return false;
        }
        self->compared++;
        self->last_agreed = step;
    }
    return true;
}

// Applies the operations before a step. An operation that took effect once and does not now is a difference.
static bool apply(replay *self, uint64_t step)
{
    cg_operation operation;
    while (cg_recording_operation(self->reader.recording, self->next_operation, &operation) && operation.step == step) {
        self->next_operation++;
        self->refusal = cg_session_apply(self->session, &operation);
        if (self->refusal.code != CG_OK) {
            self->differs = true;
            self->differing_at = step;
            return false;
        }
    }
    return true;
}

static void run_again(replay *self, FILE *err)
{
    uint64_t total = cg_recording_step_count(self->reader.recording);
    double time_step = cg_recording_get_info(self->reader.recording).time_step;
    cg_progress progress = cg_progress_begin(err);
    double begun = cg_wall_clock();
    bool going = compare(self, self->started_at);
    for (uint64_t step = self->started_at; step < total && going && !self->interrupted; step++) {
        going = apply(self, step);
        if (going) {
            cg_session_step(self->session);
            going = compare(self, step + 1);
        }
        cg_progress_show(&progress, (double)(step - self->started_at) * time_step,
                         (double)(total - self->started_at) * time_step);
        self->interrupted = cg_was_interrupted();
    }
    cg_progress_end(&progress);
    self->wall_seconds = cg_wall_clock() - begun;
}

static bool agrees(const replay *self)
{
    return !self->differs && !self->interrupted && self->compared > 0;
}

static void print_json(const replay *self, const char *path, FILE *out)
{
    const cg_recording *recording = self->reader.recording;
    const char *damage = cg_recording_damage(recording);
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_string_member(&json, "file", path);
    cg_json_string_member(&json, "program", cg_recording_get_info(recording).program);
    cg_json_boolean_member(&json, "agrees", agrees(self));
    cg_json_boolean_member(&json, "whole", damage[0] == '\0');
    cg_json_string_member(&json, "damage", damage[0] != '\0' ? damage : NULL);
    cg_json_number_member(&json, "steps", (double)cg_recording_step_count(recording));
    cg_json_number_member(&json, "started_at", (double)self->started_at);
    cg_json_number_member(&json, "operations", (double)cg_recording_operation_count(recording));
    cg_json_number_member(&json, "frames", (double)cg_recording_frame_count(recording));
    cg_json_number_member(&json, "events", (double)cg_recording_event_count(recording));
    cg_json_number_member(&json, "hashes", (double)cg_recording_hash_count(recording));
    cg_json_number_member(&json, "hashes_agreeing", (double)self->compared);
    cg_json_name(&json, "first_difference");
    if (self->differs) {
        cg_json_number(&json, (double)self->differing_at);
    } else {
        cg_json_string(&json, NULL);
    }
    cg_json_number_member(&json, "wall_seconds", self->wall_seconds);
    cg_json_end_object(&json);
}

static void print_summary(const replay *self, const char *path, FILE *out)
{
    const cg_recording *recording = self->reader.recording;
    unsigned long long steps = cg_recording_step_count(recording), compared = self->compared;
    unsigned long long at = self->differing_at, agreed = self->last_agreed;
    if (self->refusal.code != CG_OK) {
        fprintf(out, "%s: differs: an operation before step %llu is refused now: %s\n", path, at,
                self->refusal.message);
    } else if (self->differs && compared > 0) {
        fprintf(out, "%s: differs at step %llu; the last state that agrees is that of step %llu\n", path, at, agreed);
    } else if (self->differs) {
        fprintf(out, "%s: differs at step %llu, the first one that was compared\n", path, at);
    } else if (self->interrupted) {
        fprintf(out, "%s: interrupted; %llu state hashes agree so far\n", path, compared);
    } else if (compared == 0) {
        fprintf(out, "%s: nothing to compare\n", path);
    } else {
        fprintf(out, "%s: agrees: %llu state hashes over %llu steps%s\n", path, compared,
                steps - (unsigned long long)self->started_at,
                cg_recording_damage(recording)[0] != '\0' ? ", as far as it can be read" : "");
    }
}

static int replay_file(replay *self, const char *path, bool as_json, FILE *out, FILE *err)
{
    if (!cg_record_reader_open(&self->reader, path, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    const cg_recording *recording = self->reader.recording;
    const char *damage = cg_recording_damage(recording);
    unsigned long long steps = cg_recording_step_count(recording);
    if (damage[0] != '\0') {
        fprintf(err, "%s: damaged %s; %llu steps can be read\n", path, damage, steps);
    }
    if (self->from > steps) {
        fprintf(err, "catgut replay: found --from %llu, expected at most %llu, the steps of the recording\n",
                (unsigned long long)self->from, steps);
        return CG_EXIT_BAD_INPUT;
    }
    cg_status versions = cg_recording_check_versions(recording);
    if (versions.code != CG_OK) {
        fprintf(err, "%s: %s\n", path, versions.message);
        return CG_EXIT_BAD_RESULT;
    }
    if (!cg_record_session_build(recording, path, &self->scene, &self->session, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (!start(self, path, err)) {
        return CG_EXIT_BAD_RESULT;
    }
    run_again(self, err);
    (as_json ? print_json : print_summary)(self, path, out);
    return agrees(self) && damage[0] == '\0' ? CG_EXIT_DONE : CG_EXIT_BAD_RESULT;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    bool as_json = false;
    const char *path = NULL, *from = NULL;
    double from_step = 0;
    const cg_option options[] = {{.name = "--from", .value = &from}, {.name = "--json", .flag = &as_json}};
    cg_arguments arguments = {
        .command = "replay", .options = options, .option_count = 2, .max_words = 1, .words = &path};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (!path) {
        fputs("catgut replay: name a recording\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    if (from && (!cg_read_number(from, &from_step) || !(from_step >= 0 && from_step <= 1e15) ||
                 from_step != (double)(uint64_t)from_step)) {
        fprintf(err, "catgut replay: found --from \"%s\", expected a step, 0 or more\n", from);
        return CG_EXIT_BAD_INPUT;
    }
    replay self = {.from = (uint64_t)from_step};
    cg_interrupts_begin();
    int code = replay_file(&self, path, as_json, out, err);
    cg_interrupts_end();
    cg_session_destroy(self.session);
    cg_scene_free(self.scene);
    cg_record_reader_close(&self.reader);
    return code;
}
