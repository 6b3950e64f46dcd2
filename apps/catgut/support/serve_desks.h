// What each session of the server needs of the disk and of the logbook, each its own: an attempt of one does not know
// of those of others.
#ifndef CATGUT_SUPPORT_SERVE_DESKS_H
#define CATGUT_SUPPORT_SERVE_DESKS_H

#include "serve.h"
#include "support/serve_files.h"
#include "training/service.h"

// One session's.
typedef struct cg_desk {
    cg_serve_files files;
    cg_training_service training;
} cg_desk;

// Zero-initialise.
typedef struct cg_desks {
    cg_serve_files files; // the scenes that all have
    const char *logbook;  // NULL: the usual one
    const char *record;   // the file that the first session records to from the start; NULL: none
    cg_desk *desks[CG_SERVE_MOST_SESSIONS + 1];
} cg_desks;

// For cg_serve_def.
bool cg_desks_open(void *desks, int session, cg_host_files *files, cg_host_training *training);
void cg_desks_close(void *desks, int session);

#endif
