// label: slow
// The shipped scripts tie their knot in the shipped suture also when its air is thinner, or its spacing follows it.
// With another drag the square script once tied nothing and ended well all the same: the scripts expect their knot now.
#include <stdio.h>
#include <string.h>

#include "catgut/catgut.h"
#include "session_rig.h"
#include "support/scene_files.h"

#define SCENES CATGUT_SOURCE_DIR "/scenes/"

static char *read_text(const char *path, size_t *size)
{
    char why[128];
    char *text = cg_file_read(path, 1 << 20, size, why, sizeof why);
    if (!CHECK(text != NULL)) {
        exit(1);
    }
    return text;
}

// The suture with other words in place of some of its file.
static cg_scene *suture_with(const char *words, const char *others)
{
    size_t size;
    char *text = read_text(SCENES "suture.json", &size), changed[8192];
    char *at = strstr(text, words);
    CHECK(at != NULL && size + strlen(others) < sizeof changed);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, others, at + strlen(words));
    free(text);
    return rig_scene(changed);
}

static void tie(cg_scene *scene, const char *script, double time_step, const char *knot)
{
    cg_session *session = rig_session(scene, NULL);
    cg_operation step = {.kind = CG_OPERATION_set_time_step, .as.set_time_step = {time_step}};
    CHECK_INT(cg_session_apply(session, &step).code, CG_OK);
    char path[512];
    size_t size;
    cg_scene_error error;
    snprintf(path, sizeof path, SCENES "scripts/%s.script", script);
    char *text = read_text(path, &size);
    CHECK_STR(cg_session_run_script(session, text, size, script, &error).message, "");
    free(text);
    for (int n = 0; cg_session_get_script(session).phase == CG_SCRIPT_RUNNING && n < 20000; n++) {
        cg_session_step(session);
    }
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
    CHECK_STR(cg_session_get_script(session).error.message, "");
    int count;
    cg_knot_thread thread = {.points =
                                 cg_thread_positions(cg_session_world(session), cg_session_thread(session, 0), &count)};
    thread.count = count;
    cg_knot_report report;
    CHECK_INT(cg_knot_identify(&thread, 1, NULL, &report).code, CG_OK);
    CHECK_STR(report.common, knot);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

static void tie_with(const char *words, const char *others)
{
    if (test_is_sanitized()) {
        test_skip("too slow with sanitizers");
        return;
    }
    if (test_is_full()) {
        tie(suture_with(words, others), "square", 1e-3, "square");
    }
    tie(suture_with(words, others), "overhand", 2e-3, "overhand");
}

TEST(a_quarter_of_the_drag)
{
    tie_with("\"drag\": 80", "\"drag\": 20");
}

TEST(half_of_the_drag)
{
    tie_with("\"drag\": 80", "\"drag\": 40");
}

TEST(spacing_that_follows)
{
    tie_with("\"spacing\": \"4 mm\"", "\"spacing\": \"4 mm\", \"follow\": {}");
}
