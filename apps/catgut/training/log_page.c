#define _POSIX_C_SOURCE 200809L

#include "training/log_page.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "support/folder.h"

bool cg_log_page_find(cg_log_page *page, char why[CG_LOGBOOK_WHY])
{
    if (page->logbook != NULL) {
        snprintf(page->path, sizeof page->path, "%s", page->logbook);
        if (strlen(page->logbook) < sizeof page->path) {
            return true;
        }
        snprintf(why, CG_LOGBOOK_WHY, "found a path of %zu bytes, expected fewer than %zu", strlen(page->logbook),
                 sizeof page->path);
        return false;
    }
    if (!cg_logbook_usual_path(page->path)) {
        snprintf(why, CG_LOGBOOK_WHY, "no place for it is known; --logbook names one");
        return false;
    }
    return true;
}

// A recording of its own, in the logbook's own folder beside it. One that is there is of a logbook that is gone, whose
// numbers come again.
static bool choose_recording(cg_log_page *page, char *why)
{
    snprintf(page->recording, sizeof page->recording, "%s.recordings", page->path);
    if (!cg_make_folder(page->recording)) {
        snprintf(why, CG_LOGBOOK_WHY, "the folder of its recordings cannot be made: %s", strerror(errno));
        return false;
    }
    snprintf(page->recording, sizeof page->recording, "%s.recordings/attempt-%06lld.cgr", page->path,
             (long long)page->attempt);
    for (int again = 2; access(page->recording, F_OK) == 0; again++) {
        snprintf(page->recording, sizeof page->recording, "%s.recordings/attempt-%06lld-%d.cgr", page->path,
                 (long long)page->attempt, again);
    }
    return true;
}

bool cg_log_page_begin(cg_log_page *page, const char *task, uint64_t seed, bool wants_recording,
                       char why[CG_LOGBOOK_WHY])
{
    return cg_log_page_find(page, why) && cg_logbook_open(page->path, &page->book, why) &&
           cg_logbook_begin(page->book, page->trainee, task, seed, &page->attempt, why) &&
           (!wants_recording || choose_recording(page, why));
}

void cg_log_page_end(cg_log_page *page)
{
    cg_logbook_close(page->book);
    page->book = NULL;
}
