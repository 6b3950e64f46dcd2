// One attempt in the logbook: the file is opened, the attempt begun, and a place for its recording found.
#ifndef CATGUT_TRAINING_LOG_PAGE_H
#define CATGUT_TRAINING_LOG_PAGE_H

#include "training/logbook.h"

// Zero-initialise and fill in the first two.
typedef struct cg_log_page {
    const char *trainee; // who attempts it
    const char *logbook; // the file; NULL: the usual one
    char path[CG_LOGBOOK_PATH];
    char recording[CG_LOGBOOK_PATH + 64]; // where it is to be written, if one was asked for
    cg_logbook *book;                     // open while the attempt is under way
    int64_t attempt;
} cg_log_page;

// Where the logbook is: the file that was named, or the usual one. False, with a sentence, when neither is known.
bool cg_log_page_find(cg_log_page *page, char why[CG_LOGBOOK_WHY]);
// Begins an attempt at a task.
bool cg_log_page_begin(cg_log_page *page, const char *task, uint64_t seed, bool wants_recording,
                       char why[CG_LOGBOOK_WHY]);
// Closes the logbook; an attempt that was not finished counts as interrupted.
void cg_log_page_end(cg_log_page *page);

#endif
