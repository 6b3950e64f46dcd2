#include "support/serve_desks.h"

#include <stdlib.h>

bool cg_desks_open(void *context, int session, cg_host_files *files, cg_host_training *training)
{
    cg_desks *desks = context;
    cg_desk *desk = calloc(1, sizeof *desk);
    if (desk == NULL) {
        return false;
    }
    cg_serve_files_copy(&desk->files, &desks->files, session);
    desk->training = (cg_training_service){.files = &desk->files, .logbook = desks->logbook};
    *files = cg_serve_files_table(&desk->files);
    *training = cg_training_service_table(&desk->training);
    if (session == 1) {
        desk->files.record = desks->record; // once
        desks->record = NULL;
    }
    desks->desks[session] = desk;
    return true;
}

void cg_desks_close(void *context, int session)
{
    cg_desks *desks = context;
    cg_desk *desk = desks->desks[session];
    desks->desks[session] = NULL;
    if (desk != NULL) {
        cg_training_service_end(&desk->training);
        cg_serve_files_end(&desk->files);
        free(desk);
    }
}
