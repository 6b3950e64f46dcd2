// Marks: places that a task sets, and scripts go to.
#include "catgut/script.h"
#include "session/session_rig.h"

static const char SCENE[] =
    "{\"gravity\": [0, 0, 0], \"hands\": [{\"name\": \"left\", \"position\": [0, 0, \"10 mm\"]}]}";

TEST(marks_are_places)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    const cg_vec3 marks[2] = {{0.01, 0.02, 0.03}, {0.04, 0.05, 0.06}};
    const char *script = "left move to mark 2 + (0, 0, 5) mm in 0.1 s", *missing = "left move to mark 3 in 0.1 s";
    cg_scene_error error;
    CHECK(cg_session_set_marks(session, marks, 2).code == CG_OK);
    CHECK(cg_session_set_marks(session, marks, CG_SESSION_MOST_MARKS + 1).code == CG_BAD_INPUT);
    CHECK(cg_session_run_script(session, missing, strlen(missing), "s", &error).code == CG_BAD_INPUT);
    CHECK_INT(error.column, 19);
    CHECK_STR(error.message, "found mark 3; expected a whole number, 1 to 2, the marks of the task");
    CHECK(cg_session_run_script(session, script, strlen(script), "s", &error).code == CG_OK);
    for (int i = 0; i < 150; i++) {
        cg_session_step(session);
    }
    cg_vec3 at = cg_hand_get_state(cg_session_world(session), cg_session_hand(session, 0)).command.position;
    CHECK_NEAR(at.x, 0.04, 1e-9);
    CHECK_NEAR(at.y, 0.05, 1e-9);
    CHECK_NEAR(at.z, 0.065, 1e-9);
    CHECK(cg_script_check(missing, strlen(missing), "s", scene, NULL, &error).code == CG_OK); // no task, no marks yet
    cg_session_destroy(session);
    cg_scene_free(scene);
}
