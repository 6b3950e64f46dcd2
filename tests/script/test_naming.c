// label: slow
// A square knot tied around a post and pulled tight as a person does it on the page: from the second throw on it is
// square in every look, loose, while it is drawn up by the hands in turn, held tight, and relaxed. The live name,
// looked at as often as a server does, never says anything else either.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/catgut.h"
#include "harness.h"
#include "support/scene_files.h"

enum { MOST_POINTS = 400, LIVE_EVERY = 16, LOOK_EVERY = 10, MOST_STEPS = 12000 };

static cg_session *begin(cg_scene **scene)
{
    static const char *const path = CATGUT_SOURCE_DIR "/tests/script/practice-square.script";
    cg_scene_error error;
    cg_session *session = NULL;
    char why[128];
    size_t size;
    CHECK(cg_scene_load(CATGUT_SOURCE_DIR "/scenes/practice.json", scene, &error));
    cg_session_def def = cg_session_def_default();
    CHECK_STR(cg_session_create(&def, *scene, &session, &error).message, "");
    char *text = cg_file_read(path, 1 << 20, &size, why, sizeof why);
    if (CHECK(text != NULL)) {
        CHECK_STR(cg_session_run_script(session, text, size, "practice-square.script", &error).message, "");
    }
    free(text);
    return session;
}

TEST(tied_by_a_person_a_square_knot_is_square_in_every_look)
{
    if (test_is_sanitized()) {
        test_skip("too slow with sanitizers");
        return;
    }
    cg_scene *scene;
    cg_session *session = begin(&scene);
    cg_knot_tracker *tracker;
    CHECK_INT(cg_knot_tracker_create(MOST_POINTS, NULL, &tracker).code, CG_OK);
    int squares = 0, live_throws = 0, every = test_count(4, 1) * LOOK_EVERY;
    bool tied = false;
    for (int step = 1; cg_session_get_script(session).phase == CG_SCRIPT_RUNNING && step < MOST_STEPS; step++) {
        cg_session_step(session);
        cg_knot_thread thread = {0};
        thread.points = cg_thread_positions(cg_session_world(session), cg_session_thread(session, 0), &thread.count);
        cg_knot_report report;
        if (step % LIVE_EVERY == 0) {
            CHECK_INT(cg_knot_tracker_update(tracker, thread.points, thread.count, &report).code, CG_OK);
            tied = tied || strcmp(report.name, "3_1#m3_1") == 0;
            CHECK_STR(report.name, tied ? "3_1#m3_1" : strcmp(report.name, "0_1") == 0 ? "0_1" : "3_1");
            if (tied && report.throw_count > 0) {
                CHECK_STR(report.common, "square");
                CHECK_STR(report.throws_text, "1=1");
                live_throws++;
            }
        }
        if (tied && step % every == 0) {
            CHECK_INT(cg_knot_identify(&thread, 1, NULL, &report).code, CG_OK);
            CHECK_STR(report.common, "square");
            CHECK_STR(report.throws_text, "1=1");
            squares++;
        }
    }
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
    printf("%d looks at the square knot, %d live with throws\n", squares, live_throws);
    CHECK(squares > 50 && live_throws > 10);
    cg_knot_tracker_destroy(tracker);
    cg_session_destroy(session);
    cg_scene_free(scene);
}
