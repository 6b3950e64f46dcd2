// Scissors in a session: a script closes them on a thread, and its part is there under its name; the same again leads
// to the same bits.
#include <string.h>

#include "catgut/script.h"
#include "script_rig.h"

static const char SCENE[] =
    "{\"gravity\": [0, 0, 0], \"max_contacts\": 200, \"threads\": [{\"name\": \"cord\", \"suture\": \"3-0 nylon\", "
    "\"cuts\": 1, \"shape\": {\"line\": {\"from\": [\"-15 mm\", 0, 0], \"to\": [\"15 mm\", 0, 0]}}, \"vertices\": 61, "
    "\"start\": \"clamped\", \"finish\": \"clamped\"}], \"hands\": [{\"name\": \"right\", \"tool\": \"scissors\", "
    "\"position\": [\"5 mm\", 0, 0]}]}";

static uint64_t cut_by_script(void)
{
    static const char script[] = "right jaws to 0 % with 6 N\nwait 0.15 s";
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_scene_error error;
    CHECK_STR(cg_session_run_script(session, script, strlen(script), "a.script", &error).message, "");
    const cg_world *world = cg_session_world(session);
    CHECK_INT(cg_thread_get_summary(world, cg_session_thread(session, 1)).vertex_count, 0);
    for (int i = 0; i < 150; i++) {
        cg_session_step(session);
    }
    CHECK_NEAR(cg_thread_get_summary(world, cg_session_thread(session, 0)).rest_length, 20e-3, 1e-3);
    CHECK_NEAR(cg_thread_get_summary(world, cg_session_thread(session, 1)).rest_length, 10e-3, 1e-3);
    uint64_t hash = cg_world_state_hash(world);
    cg_session_destroy(session);
    cg_scene_free(scene);
    return hash;
}

TEST(a_script_cuts_a_thread_twice_alike)
{
    uint64_t hash = cut_by_script();
    CHECK_HASH(cut_by_script(), hash);
}

// The shipped script turns the blades square to the second end. Without that the end slants across them the way that
// they do not shear: its stump, half a millimetre long, stands between both edges and bears all that they press with.
TEST(the_stump_of_a_slanting_thread_is_not_wedged_between_the_blades)
{
    static const char turn[] = " turning -43 deg about (1, 0, 0)";
    cg_scene_error error;
    cg_scene *scene = NULL;
    size_t size;
    char *script = rig_text(SCENES "scripts/scissors.script", &size), *at = strstr(script, turn);
    if (!CHECK(at != NULL) || !CHECK(cg_scene_load(SCENES "scissors.json", &scene, &error))) {
        return;
    }
    memmove(at, at + sizeof turn - 1, strlen(at + sizeof turn - 1) + 1);
    cg_session *session = rig_session(scene, NULL);
    const cg_world *world = cg_session_world(session);
    CHECK_STR(cg_session_run_script(session, script, strlen(script), "slanting", &error).message, "");
    while (cg_session_get_script(session).phase == CG_SCRIPT_RUNNING) {
        cg_session_step(session);
    }
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
    CHECK(cg_thread_get_summary(world, cg_session_thread(session, 2)).vertex_count > 0); // both ends are off
    cg_world_stats stats = cg_world_get_stats(world);
    KNOWN_FAULT("547 of 2901 steps end unfinished, while the blades press the stump with 8 N");
    CHECK(50 * stats.unfinished_steps <= stats.step_count);
    free(script);
    cg_session_destroy(session);
    cg_scene_free(scene);
}
