// A task done by a script: begun, run to its end, recorded and scored.
#ifndef CATGUT_TRAINING_TRIAL_H
#define CATGUT_TRAINING_TRIAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "catgut/script.h"
#include "catgut/task.h"
#include "support/record_file.h"
#include "support/scene_names.h"

// Zero-initialise; fill in what is asked for; give back with cg_trial_end.
typedef struct cg_trial {
    const char *task_word;   // a file, or a name
    const char *script_word; // NULL: the expert's
    uint64_t seed;
    const char *record; // where to write the recording; NULL: it is kept in memory alone
    bool force;         // write over what is no recording

    char task_path[CG_MOST_PATH], script_path[CG_MOST_PATH];
    char name[80]; // of the task
    cg_task *task;
    cg_scene *scene;
    cg_session *session;
    cg_attempt *attempt;
    cg_record_writer writer;
    cg_recorder_def to_file;
    unsigned char *bytes; // the recording
    size_t size, room;
    cg_attempt_state state;
    cg_script_state script;
    bool interrupted;
    cg_measures measures;
    cg_score score;
} cg_trial;

// Reads task, scene and script. On failure a sentence goes to `err`.
bool cg_trial_load(cg_trial *trial, FILE *err);
// Begins, after cg_trial_load.
bool cg_trial_begin(cg_trial *trial, FILE *err);
// Steps until the task or the script is over; the steps of the script go to `told`, if not NULL.
void cg_trial_run(cg_trial *trial, FILE *told);
// Ends the recording and scores it.
bool cg_trial_score(cg_trial *trial, FILE *err);
void cg_trial_end(cg_trial *trial);

#endif
