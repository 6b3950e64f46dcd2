// Long work: a line that tells how far it is, for people who watch, and an end in good order when it is interrupted.
#ifndef CATGUT_SUPPORT_PROGRESS_H
#define CATGUT_SUPPORT_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

// [s] of a clock that only goes forward.
double cg_wall_clock(void);

// A line on a terminal that is rewritten a few times a second, once the work has lasted a second.
typedef struct cg_progress {
    FILE *err;  // NULL: nobody watches
    bool shown; // the line is there
    double begun, next;
} cg_progress;

// Starts; the line appears only when `err` is the standard error and a terminal.
cg_progress cg_progress_begin(FILE *err);
// Shows "DONE s of TOTAL s simulated" when it is time to. `done` and `total` are in simulated seconds.
void cg_progress_show(cg_progress *progress, double done, double total);
// Wipes the line.
void cg_progress_end(cg_progress *progress);

// From here on Ctrl-C (SIGINT) and SIGTERM only set a flag. A second one ends the program at once.
void cg_interrupts_begin(void);
bool cg_was_interrupted(void);
// The signals do what they did before.
void cg_interrupts_end(void);

#endif
