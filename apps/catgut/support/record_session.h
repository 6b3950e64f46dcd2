// A recording brought back to life: its scene built again, in a session without the scene's own inputs.
#ifndef CATGUT_SUPPORT_RECORD_SESSION_H
#define CATGUT_SUPPORT_RECORD_SESSION_H

#include <stdbool.h>
#include <stdio.h>

#include "catgut/session.h"

// A sentence that begins with the path goes to `err` when it cannot be built. Destroy the session and free the scene in
// any case.
bool cg_record_session_build(const cg_recording *recording, const char *path, cg_scene **scene, cg_session **session,
                             FILE *err);
// Brings such a session to where its recording was when it had made so many steps, applying what was done meanwhile. A
// sentence that begins with the path goes to `err` when that is not to be had; also when it is interrupted.
bool cg_record_session_go_to(cg_session *session, cg_recording *recording, uint64_t step, const char *path, FILE *err);

#endif
