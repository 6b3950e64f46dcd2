#include "training/trial.h"

#include <stdlib.h>
#include <string.h>

#include "support/package.h"
#include "support/progress.h"
#include "support/scene_files.h"
#include "support/zstd_codec.h"
#include "training/task_files.h"

enum { MOST_SCRIPT_BYTES = 1024 * 1024 };

// Keeps the bytes of the recording, and hands them on to the file if there is one.
static bool keep_bytes(void *context, const void *bytes, size_t size)
{
    cg_trial *trial = context;
    if (trial->record != NULL && !trial->to_file.write(trial->to_file.context, bytes, size)) {
        return false;
    }
    if (trial->size + size > trial->room) {
        size_t room = 2 * trial->room + size + 65536;
        unsigned char *larger = realloc(trial->bytes, room);
        if (larger == NULL) {
            return false;
        }
        trial->bytes = larger;
        trial->room = room;
    }
    memcpy(trial->bytes + trial->size, bytes, size);
    trial->size += size;
    return true;
}

bool cg_trial_load(cg_trial *trial, FILE *err)
{
    cg_scene_error error = {0};
    bool good = cg_find_named(trial->task_word, CG_NAMED_TASK, trial->task_path, &error) &&
                cg_task_load(trial->task_path, &trial->task, &error);
    const char *script = good && trial->script_word == NULL ? cg_task_expert(trial->task) : trial->script_word;
    if (good && script == NULL) {
        cg_scene_error_set(&error, trial->task_path, "it names no expert script; --script says which to run");
        good = false;
    }
    good = good && cg_task_script(trial->task_path, script, trial->script_path, &error) &&
           cg_task_load_scene(trial->task, trial->seed, &trial->scene, &error);
    if (!good) {
        cg_scene_error_print(&error, err);
        return false;
    }
    cg_task_name(trial->task_path, trial->name, sizeof trial->name);
    return true;
}

static bool start_recording(cg_trial *trial, FILE *err)
{
    if (trial->record != NULL && !cg_package_may_write(trial->record, trial->force, err)) {
        trial->record = NULL;
        return false;
    }
    if (trial->record != NULL && !cg_record_writer_open(&trial->writer, trial->record, trial->force, err)) {
        trial->record = NULL;
        return false;
    }
    trial->to_file = cg_record_writer_def(&trial->writer);
    cg_recorder_def def = trial->to_file;
    def.write = keep_bytes;
    def.context = trial;
    cg_status status = cg_session_record(trial->session, &def);
    if (status.code != CG_OK) {
        fprintf(err, "%s: %s\n", trial->task_path, status.message);
    }
    return status.code == CG_OK;
}

static bool start_script(cg_trial *trial, FILE *err)
{
    cg_scene_error error = {0};
    char why[128];
    size_t size;
    char *text = cg_file_read(trial->script_path, MOST_SCRIPT_BYTES, &size, why, sizeof why);
    bool good = text != NULL;
    if (!good) {
        cg_scene_error_set(&error, trial->script_path, why);
    } else {
        good = cg_session_run_script(trial->session, text, size, trial->script_path, &error).code == CG_OK;
    }
    free(text);
    if (!good) {
        cg_scene_error_print(&error, err);
    }
    return good;
}

bool cg_trial_begin(cg_trial *trial, FILE *err)
{
    cg_session_def def = cg_session_def_default();
    cg_scene_error error = {0};
    cg_status status = cg_session_create(&def, trial->scene, &trial->session, &error);
    if (status.code == CG_OK && !start_recording(trial, err)) {
        return false;
    }
    if (status.code == CG_OK) {
        status = cg_attempt_create(trial->task, trial->name, trial->seed, trial->session, NULL, &trial->attempt);
    }
    if (status.code != CG_OK) {
        fprintf(err, "%s: %s\n", trial->task_path, status.message);
        return false;
    }
    return start_script(trial, err);
}

void cg_trial_run(cg_trial *trial, FILE *told)
{
    int step = 0;
    const cg_world *world = cg_session_world(trial->session);
    do {
        double time = cg_world_time(world);
        cg_session_step(trial->session);
        trial->state = cg_attempt_look(trial->attempt);
        trial->script = cg_session_get_script(trial->session);
        if (trial->script.step != step && told != NULL) {
            fprintf(told, "  %6.2f s  %s%s%s\n", time, trial->script.name, trial->script.text[0] != '\0' ? ": " : "",
                    trial->script.text);
        }
        step = trial->script.step;
        trial->interrupted = cg_was_interrupted();
    } while (!trial->state.over && !trial->interrupted && trial->script.phase == CG_SCRIPT_RUNNING);
}

// Says beside the recording what it is of.
static bool pack(const cg_trial *trial, FILE *err)
{
    char seed[24];
    const char *words[] = {trial->task_path, trial->script_path};
    cg_package *package = cg_package_begin("try", 2, (char *const *)(uintptr_t)words);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)trial->seed);
    cg_package_source(package, "task", trial->task_path);
    cg_package_source(package, "script", trial->script_path);
    cg_package_fact(package, "seed", seed);
    cg_package_file(package, trial->record, "a recording", NULL, 0);
    bool good = cg_package_write(package, trial->record, trial->force, err);
    cg_package_free(package);
    return good;
}

bool cg_trial_score(cg_trial *trial, FILE *err)
{
    cg_codec codec = cg_zstd_reader();
    cg_recording *recording = NULL;
    cg_status ended = cg_session_end_recording(trial->session);
    if (trial->record != NULL && (!cg_record_writer_close(&trial->writer, ended, err) || !pack(trial, err))) {
        return false;
    }
    cg_status status = ended;
    if (status.code == CG_OK) {
        status = cg_recording_open(trial->bytes, trial->size, &codec, NULL, &recording);
    }
    if (status.code == CG_OK) {
        status = cg_measure_recording(recording, trial->task, NULL, &trial->measures);
    }
    cg_recording_close(recording);
    if (status.code != CG_OK) {
        fprintf(err, "%s: %s\n", trial->task_path, status.message);
        return false;
    }
    trial->score = cg_task_score(trial->task, &trial->measures);
    return true;
}

void cg_trial_end(cg_trial *trial)
{
    cg_attempt_destroy(trial->attempt);
    cg_session_destroy(trial->session);
    cg_scene_free(trial->scene);
    cg_task_free(trial->task);
    cg_record_writer_abandon(&trial->writer);
    free(trial->bytes);
}
