// Training for the server: what tasks there are and how people fare with them as JSON, attempts begun, scored and noted
// in the logbook. Files are read anew each time, so a task that somebody edits is the new one at once.
#ifndef CATGUT_TRAINING_SERVICE_H
#define CATGUT_TRAINING_SERVICE_H

#include "host.h"
#include "support/serve_files.h"
#include "training/log_page.h"
#include "training/task_files.h"

// Who does the expert's scripts, and the scripts that fail, in the logbook; no person has these names.
#define CG_EXPERT_NAME "expert"
#define CG_EXAMPLES_NAME "examples"

enum { CG_MOST_TRAINEE = 100 }; // bytes of a name

// What the last recording that was told measured (tell_attempt.c).
typedef struct cg_last_result cg_last_result;

// Zero-initialise; `files` and `logbook` (NULL: the usual one) are filled in by whoever makes it.
typedef struct cg_training_service {
    cg_serve_files *files;
    const char *logbook;

    cg_last_result *last; // NULL: none yet

    // Of the attempt that is under way.
    cg_log_page page;
    cg_task *task;
    char name[80], scene_name[256], trainee[CG_MOST_TRAINEE + 1];
    char script_path[CG_MOST_PATH];
    char *script;
    size_t script_size;
} cg_training_service;

// What the host calls; the service must outlive it.
cg_host_training cg_training_service_table(cg_training_service *service);
// Ends it; an attempt that is under way counts as interrupted.
void cg_training_service_end(cg_training_service *service);

// Finds and reads the task of a plain name. False, with a sentence.
bool cg_training_task(const char *name, char path[CG_MOST_PATH], cg_task **task, char *why);
// An attempt of the logbook by its number. The texts are copies.
typedef struct cg_noted_attempt {
    int64_t id, seed, started;
    char trainee[CG_MOST_TRAINEE + 1], task[80], state[16], recording[CG_LOGBOOK_PATH + 64];
    double points, most, seconds;
    bool passed;
} cg_noted_attempt;
// False, with a sentence, when there is none.
bool cg_training_find(const cg_training_service *service, uint64_t number, cg_noted_attempt *found, char *why);
// Opens the logbook to look at it.
bool cg_training_open_book(const cg_training_service *service, cg_logbook **book, char *why);

// tell.c: the texts that are told, to be freed.
char *cg_training_tell(void *service, const cg_wire_ask_training *asked, size_t *size, char *why);

#endif
