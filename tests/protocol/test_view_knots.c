// What the page calls the knots of two threads: tied to each other they have one name, from the first look on.
#include <string.h>

#include "catgut/catgut.h"
#include "catgut/view.h"
#include "harness.h"
#include "support/scene_files.h"

static void check_names(const char *file, const char *common)
{
    cg_scene_error error;
    cg_scene *scene;
    cg_session *session = NULL;
    cg_session_view *view = NULL;
    CHECK(cg_scene_load(file, &scene, &error));
    cg_session_def def = cg_session_def_default();
    CHECK_STR(cg_session_create(&def, scene, &session, &error).message, "");
    CHECK_STR(cg_view_create(session, scene, NULL, &view).message, "");
    for (int look = 0; look < 3; look++) {
        cg_message message;
        cg_view_name_knots(view, NULL);
        CHECK_STR(cg_view_frame(view, &message).message, "");
        const cg_wire_knot_state *knots = message.as.frame.knots.items;
        CHECK_INT(message.as.frame.knots.count, 2);
        CHECK_STR(knots[0].common, common);
        CHECK_STR(knots[1].common, common);
        for (int step = 0; step < 10; step++) {
            cg_session_step(session);
        }
    }
    cg_view_destroy(view);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(two_threads_that_are_tied_to_each_other_have_one_name_at_once)
{
    check_names(CATGUT_SOURCE_DIR "/scenes/reef.json", "square");
    check_names(CATGUT_SOURCE_DIR "/scenes/granny.json", "granny");
}

TEST(threads_that_only_lie_there_have_no_knot)
{
    check_names(CATGUT_SOURCE_DIR "/scenes/two-threads.json", "no knot");
}
