// Scripts: a small language for hands, run through the same operations as a person's (docs/scripts.md).
//
//     step "take the thread": "The right hand takes the thread near its end."
//     right move to end of thread in 0.3 s
//     right close
//     wait until force of right above 0.2 N, at most 2 s
//
// A script sees the world as it is in each step: places on a thread move with it. It belongs to a session and acts at
// the start of each of its steps; what it does is recorded as operations, the names of its steps as events.
#ifndef CATGUT_SCRIPT_H
#define CATGUT_SCRIPT_H

#include "catgut/api.h"
#include "catgut/scene.h"
#include "catgut/session.h"
#include "catgut/status.h"

CG_API_BEGIN

// How a script fares.
typedef enum cg_script_phase {
    CG_SCRIPT_NONE,    // there is none
    CG_SCRIPT_RUNNING, // it acts
    CG_SCRIPT_DONE,    // it came to its end
    CG_SCRIPT_STOPPED, // it was ended from outside
    CG_SCRIPT_FAILED   // it cannot go on; `error` says why
} cg_script_phase;

// Where a script is.
typedef struct cg_script_state {
    cg_script_phase phase; // how it fares
    int step;              // number of the step, from 1; 0 before the first
    int step_count;        // steps of the script; a repeated one counts once
    char name[80];         // of the step; may be empty
    char text[256];        // what the step explains; may be empty
    int line;              // of the script, from 1, that it is at
    cg_scene_error error;  // when it failed: place and reason, the name of the step in it
} cg_script_state;

// Checks a script. With a scene the names in it are checked too; NULL: any name will do. `name` is what errors call it,
// `allocator` NULL is malloc. CG_BAD_INPUT with *error filled when it is wrong.
cg_status cg_script_check(const char *text, size_t size, const char *name, const cg_scene *scene,
                          const cg_allocator *allocator, cg_scene_error *error);

// Reads a script and starts it with the next step of the session; the one that runs is stopped. On failure *error says
// where, and nothing changes. The text is not kept.
cg_status cg_session_run_script(cg_session *session, const char *text, size_t size, const char *name,
                                cg_scene_error *error);
// Marks that a session can have.
enum { CG_SESSION_MOST_MARKS = 64 };
// Sets the places that scripts read from now on call `mark 1`, `mark 2`, ...: a task puts them where its targets are.
cg_status cg_session_set_marks(cg_session *session, const cg_vec3 *points, int count);
// Ends the script; hands stay where they are and hold what they hold.
void cg_session_stop_script(cg_session *session);
// Where the script is.
cg_script_state cg_session_get_script(const cg_session *session);

CG_API_END

#endif
