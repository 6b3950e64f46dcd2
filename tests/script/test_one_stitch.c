// A stitch by tools alone: a driver picks a needle of its true mass up and takes it through both lips of a wound,
// another draws it out with its thread, and the ends are pulled. By default until the needle is through both lips; with
// CATGUT_FULL=1 until the wound is closed.
#include <stdlib.h>

#include "catgut/catgut.h"
#include "harness.h"
#include "support/scene_files.h"

#define SCENES CATGUT_SOURCE_DIR "/scenes/"

static const cg_vec3 ALONG = {1, 0, 0};

static double gap_at(const cg_session *session, double x)
{
    const cg_world *world = cg_session_world(session);
    return cg_tissue_wound_gap(world, cg_session_tissue(session, 0), (cg_vec3){x, 0, 0}, ALONG, 3e-3).least;
}

static void check_closed(const cg_session *session)
{
    const cg_world *world = cg_session_world(session);
    cg_anchor anchor;
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
    CHECK_INT(cg_world_anchor_count(world), 4);
    for (int k = 0; cg_world_get_anchor(world, k, &anchor); k++) {
        CHECK(anchor.tension[0] > 0.3 && anchor.tension[0] < 3.3);
    }
    CHECK(gap_at(session, 0) < 1e-3);
    CHECK(gap_at(session, 2e-3) < 2e-3);
}

// By then the needle is through both lips, and before it the wound is open.
enum { THROUGH = 4000, OPEN = 2400, LONGEST = 14000 };

TEST(a_needle_sews)
{
    bool is_full = test_is_full();
    cg_scene *scene = NULL;
    cg_session *session = NULL;
    cg_scene_error error;
    cg_session_def def = cg_session_def_default();
    char why[128];
    size_t size;
    char *text = cg_file_read(SCENES "scripts/one-stitch.script", 1 << 20, &size, why, sizeof why);
    if (!CHECK(cg_scene_load(SCENES "one-stitch.json", &scene, &error)) || !CHECK(text != NULL) ||
        !CHECK_STR(cg_session_create(&def, scene, &session, &error).message, "") ||
        !CHECK_STR(cg_session_run_script(session, text, size, "one-stitch.script", &error).message, "")) {
        return;
    }
    const cg_world *world = cg_session_world(session);
    cg_rigid_id needle = {1, 1};
    cg_piercing now = {0};
    int steps = 0;
    for (int i = 0; i < (is_full ? LONGEST : THROUGH) && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING;
         i++) {
        steps++;
        cg_session_step(session);
        CHECK(i > THROUGH || cg_rigid_get_piercing(world, needle, &now));
        if (i == OPEN) {
            CHECK(gap_at(session, 0) > 3e-3);
        }
        if (i == THROUGH - 1) {
            CHECK_INT((int)now.entries, 2);
            CHECK_INT((int)now.exits, 2);
            CHECK_INT((int)now.forced, 0);
            CHECK_INT((int)cg_world_get_stats(world).unfinished_steps, 0);
        }
    }
    CHECK(steps >= THROUGH); // an expectation of the script that is not met ends it before
    CHECK(cg_session_get_script(session).phase != CG_SCRIPT_FAILED);
    if (is_full) {
        check_closed(session);
        CHECK(cg_world_get_stats(world).unfinished_steps < 10); // of 10,800
    }
    free(text);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// A driver holds a needle of 44 mg near its point, and a hand draws its thread about with all of its force.
static const char TUGGED[] =
    "{\"title\": \"Tugged\", \"gravity\": [0, 0, 0], \"max_contacts\": 100,"
    " \"threads\": [{\"name\": \"thread\", \"suture\": \"3-0 nylon\", \"spacing\": \"0.5 mm\", \"drag\": 10,"
    "   \"friction\": 0.1, \"follow\": {\"fine\": \"0.5 mm\", \"coarse\": \"0.5 mm\"},"
    "   \"shape\": {\"points\": [[0, \"-6.0095 mm\", \"8.28122 mm\"], [0, \"-60 mm\", \"20 mm\"]]}}],"
    " \"bodies\": [{\"name\": \"needle\", \"needle\": \"round 22\", \"friction\": 0.8,"
    "   \"swage\": {\"thread\": \"thread\", \"end\": \"start\"},"
    "   \"rotation\": {\"axis\": [-0.25056, 0.25056, 0.93511], \"angle\": \"93.8408 deg\"}}],"
    " \"hands\": [{\"name\": \"left\", \"tool\": \"needle_driver\", \"position\": [0, \"6.56 mm\", \"7.07 mm\"],"
    "   \"rotation\": {\"axis\": [0.16284, -0.97312, -0.16284], \"angle\": \"91.561 deg\"}, \"grip\": \"10 N\","
    "   \"max_force\": \"8 N\", \"stiffness\": \"3000 N/m\", \"turn_stiffness\": 0.5, \"max_torque\": 0.1},"
    "  {\"name\": \"tail\", \"position\": [0, \"-60 mm\", \"20 mm\"], \"max_force\": \"1.2 N\", \"reach\": \"2 mm\"}]}";
static const char TUG[] = "left close\n"
                          "wait 0.2 s\n"
                          "expect left holds body\n"
                          "tail close\n"
                          "tail move by (0, 3, 30) mm in 0.3 s\n"
                          "tail move by (0, -20, 30) mm in 0.3 s\n"
                          "tail move by (20, 20, 0) mm in 0.3 s\n"
                          "expect left holds body\n";

// The forces of the jaws turn with the needle and are more than its inertia resists; passes must not swing by them.
TEST(a_light_needle_is_tugged)
{
    cg_scene *scene = NULL;
    cg_session *session = NULL;
    cg_scene_error error;
    cg_session_def def = cg_session_def_default();
    if (!CHECK_STR(cg_scene_read(TUGGED, sizeof TUGGED - 1, "tugged", NULL, NULL, &scene, &error).message, "") ||
        !CHECK_STR(cg_session_create(&def, scene, &session, &error).message, "") ||
        !CHECK_STR(cg_session_run_script(session, TUG, sizeof TUG - 1, "tug.script", &error).message, "")) {
        return;
    }
    for (int i = 0; i < 1200 && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING; i++) {
        cg_session_step(session);
    }
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
    CHECK_INT((int)cg_world_get_stats(cg_session_world(session)).unfinished_steps, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}
