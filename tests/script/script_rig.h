// Scripts of the shipped scenes, and these scenes with some of their words changed.
#ifndef CATGUT_TESTS_SCRIPT_RIG_H
#define CATGUT_TESTS_SCRIPT_RIG_H

#include <stdio.h>
#include <string.h>

#include "catgut/catgut.h"
#include "session/session_rig.h"
#include "support/scene_files.h"

#define SCENES CATGUT_SOURCE_DIR "/scenes/"

static inline char *rig_text(const char *path, size_t *size)
{
    char why[128];
    char *text = cg_file_read(path, 1 << 20, size, why, sizeof why);
    if (!CHECK(text != NULL)) {
        exit(1);
    }
    return text;
}

// The scene of a file with other words in place of some of it.
static inline cg_scene *rig_scene_with(const char *path, const char *words, const char *others)
{
    size_t size;
    char *text = rig_text(path, &size), changed[8192];
    char *at = strstr(text, words);
    CHECK(at != NULL && size + strlen(others) < sizeof changed);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, others, at + strlen(words));
    free(text);
    return rig_scene(changed);
}

// Runs a script of the shipped ones to its end, good or bad, or for so many steps.
static inline void rig_run(cg_session *session, const char *script, int most_steps)
{
    char path[512];
    size_t size;
    cg_scene_error error;
    snprintf(path, sizeof path, SCENES "scripts/%s.script", script);
    char *text = rig_text(path, &size);
    CHECK_STR(cg_session_run_script(session, text, size, script, &error).message, "");
    free(text);
    for (int n = 0; cg_session_get_script(session).phase == CG_SCRIPT_RUNNING && n < most_steps; n++) {
        cg_session_step(session);
    }
}

// The same, and the end must be a good one.
static inline void rig_play(cg_session *session, const char *script, int most_steps)
{
    rig_run(session, script, most_steps);
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
    CHECK_STR(cg_session_get_script(session).error.message, "");
}

// Goes on until the script comes to a step; false when it ends before, or is not there after so many.
static inline bool rig_play_to(cg_session *session, const char *step, int most_steps)
{
    for (int n = 0; n < most_steps; n++) {
        cg_script_state script = cg_session_get_script(session);
        if (script.phase != CG_SCRIPT_RUNNING || strcmp(script.name, step) == 0) {
            CHECK_STR(script.error.message, "");
            return strcmp(script.name, step) == 0;
        }
        cg_session_step(session);
    }
    return false;
}

// The common name of the knot in the first thread.
static inline const char *rig_knot(const cg_session *session, cg_knot_report *report)
{
    int count;
    const cg_vec3 *points = cg_thread_positions(cg_session_world(session), cg_session_thread(session, 0), &count);
    cg_knot_thread thread = {.points = points, .count = count};
    *report = (cg_knot_report){.name = ""};
    CHECK_INT(cg_knot_identify(&thread, 1, NULL, report).code, CG_OK);
    return report->common;
}

static inline void rig_check_knot(const cg_session *session, const char *knot)
{
    cg_knot_report report;
    CHECK_STR(rig_knot(session, &report), knot);
}

#endif
