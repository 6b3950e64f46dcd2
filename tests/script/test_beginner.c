// What beginners do wrong, as scripts: each expects what must go wrong, and goes on as it says. Recordings tell of it.
#include <stdlib.h>

#include "catgut/catgut.h"
#include "session/session_rig.h"
#include "support/scene_files.h"

#define SCENES CATGUT_SOURCE_DIR "/scenes/"
enum { LONGEST = 14000 };

typedef struct outcome {
    int tears, breaks; // steps with a tear that ran, threads that broke
    double torn, area; // [m], [m2]
    char told[160];    // the last event of the recording that is none of the script
    uint64_t told_at;  // step
    uint64_t last;     // step in which something gave way
} outcome;

static unsigned char recorded[24 << 20];
static rig_bytes memory = {.bytes = recorded, .room = sizeof recorded};

static void read_told(cg_session *session, outcome *seen)
{
    cg_recording *recording = NULL;
    CHECK_STR(cg_session_end_recording(session).message, "");
    CHECK_STR(cg_recording_open(memory.bytes, memory.size, NULL, NULL, &recording).message, "");
    for (size_t i = 0; i < cg_recording_event_count(recording); i++) {
        const char *text;
        uint64_t step;
        if (cg_recording_event(recording, i, &step, &text) && strncmp(text, "step ", 5) != 0) {
            snprintf(seen->told, sizeof seen->told, "%s", text);
            seen->told_at = step;
        }
    }
    cg_recording_close(recording);
}

static outcome play(const char *scene_path, const char *script)
{
    outcome seen = {0};
    cg_scene *scene = NULL;
    cg_session *session = NULL;
    cg_scene_error error;
    cg_session_def def = cg_session_def_default();
    char why[128], path[256];
    size_t size;
    snprintf(path, sizeof path, SCENES "scripts/%s.script", script);
    char *text = cg_file_read(path, 1 << 20, &size, why, sizeof why);
    if (!CHECK(cg_scene_load(scene_path, &scene, &error)) || !CHECK(text != NULL) ||
        !CHECK_STR(cg_session_create(&def, scene, &session, &error).message, "") ||
        !CHECK_STR(cg_session_run_script(session, text, size, script, &error).message, "")) {
        return seen;
    }
    const cg_world *world = cg_session_world(session);
    cg_recorder_def recorder = rig_recorder_def(&memory);
    memory.size = 0;
    CHECK_STR(cg_session_record(session, &recorder).message, "");
    for (int k = 0; k < LONGEST && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING; k++) {
        const cg_tissue_tear *tears;
        const cg_thread_break *breaks;
        cg_session_step(session);
        seen.tears += cg_world_tears(world, &tears) > 0;
        seen.breaks += cg_world_breaks(world, &breaks);
        seen.last = cg_world_tears(world, &tears) + cg_world_breaks(world, &breaks) > 0 ? (uint64_t)k + 1 : seen.last;
    }
    CHECK_STR(cg_session_get_script(session).error.message, "");
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
    CHECK(cg_tissue_get_torn(world, cg_session_tissue(session, 0), &seen.torn, &seen.area));
    read_told(session, &seen);
    free(text);
    cg_session_destroy(session);
    cg_scene_free(scene);
    return seen;
}

TEST(a_bite_too_near_the_edge_tears_out)
{
    outcome seen = play(SCENES "beginner.json", "too-near");
    char told[160];
    CHECK(seen.tears > 0 && seen.torn > 1e-3 && seen.torn < 5e-3);
    CHECK_INT(seen.breaks, 0);
    snprintf(told, sizeof told, "torn out: thread 0 of tissue 0; so far %.5g mm, %.5g mm2", 1e3 * seen.torn,
             1e6 * seen.area);
    CHECK_STR(seen.told, told);
    CHECK_INT((int)seen.told_at, (int)seen.last);
}

TEST(a_thread_that_is_drawn_too_hard_breaks)
{
    outcome seen = play(SCENES "beginner.json", "too-hard");
    CHECK_INT(seen.tears, 0);
    CHECK(seen.breaks > 0);
    CHECK(strstr(seen.told, "broke: thread 1 at 0.") == seen.told);
    CHECK_INT((int)seen.told_at, (int)seen.last);
}

// By the step between the lips that the script expects, half of which the even stitch leaves. 30 s of a core.
TEST(uneven_bites_leave_a_step)
{
    if (!test_is_full()) {
        test_skip("a whole stitch: CATGUT_FULL=1");
        return;
    }
    outcome seen = play(SCENES "one-stitch.json", "uneven-bites");
    CHECK_INT(seen.tears, 0);
    CHECK_INT(seen.breaks, 0);
}
