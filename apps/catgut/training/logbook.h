// The logbook: one SQLite file with trainees, their attempts, what was measured, and where the recordings are.
//
// It is made on first use and brought to the present version when an older one is opened; a newer one is refused. What
// was finished is on the disk when the call returns. A program that is killed leaves its attempt as it was begun;
// whoever opens the logbook next marks it interrupted. To know that nobody works on an attempt any more, its program
// holds a lock on the byte of its number in a file beside the logbook: the system lets go of it whatever way the
// program ends.
#ifndef CATGUT_TRAINING_LOGBOOK_H
#define CATGUT_TRAINING_LOGBOOK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "catgut/task.h"

typedef struct cg_logbook cg_logbook;

enum { CG_LOGBOOK_VERSION = 2, CG_LOGBOOK_WHY = 256, CG_LOGBOOK_PATH = 4096 };

// An attempt as it stands in the logbook. Texts live until the next attempt is told.
typedef struct cg_logged {
    int64_t id;
    const char *trainee, *task, *state; // "running", "finished" or "interrupted"
    int64_t seed;
    int64_t started; // [s] since 1970
    double seconds;  // simulated, of a finished one
    double points, most;
    bool passed;
    const char *worst;     // the measure that cost most; NULL: none
    const char *recording; // NULL: none
} cg_logged;

// Where the logbook is when nobody says otherwise: catgut/progress.db in $XDG_DATA_HOME or ~/.local/share. False when
// neither is known.
bool cg_logbook_usual_path(char path[CG_LOGBOOK_PATH]);
// Opens a logbook, or makes it with the folders above. False, with a sentence in `why`, when it cannot be used.
bool cg_logbook_open(const char *path, cg_logbook **book, char why[CG_LOGBOOK_WHY]);
// Closes it; an attempt that is not finished counts as interrupted from now on. NULL is allowed.
void cg_logbook_close(cg_logbook *book);

// Begins an attempt; one at a time. The trainee is added when new.
bool cg_logbook_begin(cg_logbook *book, const char *trainee, const char *task, uint64_t seed, int64_t *attempt,
                      char why[CG_LOGBOOK_WHY]);
// Finishes it with its score, its measures and the place of its recording (NULL: none), all or nothing.
bool cg_logbook_finish(cg_logbook *book, int64_t attempt, const cg_score *score, const cg_measures *measures,
                       const char *recording, char why[CG_LOGBOOK_WHY]);

// Tells attempts in the order in which they began; NULL for any trainee or task. Ends early when `heed` returns false.
bool cg_logbook_each(cg_logbook *book, const char *trainee, const char *task,
                     bool (*heed)(void *context, const cg_logged *attempt), void *context, char why[CG_LOGBOOK_WHY]);
// The measures of an attempt; those that are not known, or that a newer program has, are left out. False, with a
// sentence, when they cannot be read.
bool cg_logbook_measures(cg_logbook *book, int64_t attempt, cg_measures *measures, char why[CG_LOGBOOK_WHY]);
// SQLite's own check of the whole file; for tests.
bool cg_logbook_is_sound(cg_logbook *book);

#endif
