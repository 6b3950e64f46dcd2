// Scissors in a session: a script closes them on a thread, and its part is there under its name; the same again leads
// to the same bits.
#include <string.h>

#include "catgut/script.h"
#include "session/session_rig.h"

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
