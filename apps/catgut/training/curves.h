// Learning curves: the attempts of a logbook by trainee and task.
#ifndef CATGUT_TRAINING_CURVES_H
#define CATGUT_TRAINING_CURVES_H

#include <stdbool.h>
#include <stdint.h>

#include "training/logbook.h"

typedef struct cg_curve_attempt {
    int64_t id, seed, started;
    bool finished, running, passed;
    double points, most, seconds;
    char worst[32]; // the measure that cost most; empty: none
} cg_curve_attempt;

// One trainee at one task, in the order of the attempts.
typedef struct cg_curve_group {
    char trainee[128], task[80];
    cg_curve_attempt *attempts;
    int count, room;
} cg_curve_group;

// All of them by trainee, then by task. Zero-initialise.
typedef struct cg_curves {
    cg_curve_group *groups;
    int count, room;
    bool failed; // no memory
} cg_curves;

// Of the attempts that were finished.
typedef struct cg_curve_summary {
    int finished, passed;
    double first, best, last;           // share of all points
    double first_seconds, last_seconds; // [s]
} cg_curve_summary;

// Reads those of a trainee and a task, or of all where that is NULL.
bool cg_curves_read(cg_curves *curves, cg_logbook *book, const char *trainee, const char *task,
                    char why[CG_LOGBOOK_WHY]);
void cg_curves_free(cg_curves *curves);
cg_curve_summary cg_curve_summarise(const cg_curve_group *group);
// "finished", "running" or "interrupted".
const char *cg_curve_state(const cg_curve_attempt *attempt);

#endif
