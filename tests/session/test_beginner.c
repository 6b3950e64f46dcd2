// What beginners do wrong, as scripts: each expects what must go wrong, and goes on as it says.
#include <stdlib.h>

#include "catgut/catgut.h"
#include "harness.h"
#include "support/scene_files.h"

#define SCENES CATGUT_SOURCE_DIR "/scenes/"
enum { LONGEST = 3000 };

typedef struct outcome {
    int tears, breaks; // steps with a tear that ran, threads that broke
    double torn;       // [m]
} outcome;

static outcome play(const char *script)
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
    if (!CHECK(cg_scene_load(SCENES "beginner.json", &scene, &error)) || !CHECK(text != NULL) ||
        !CHECK_STR(cg_session_create(&def, scene, &session, &error).message, "") ||
        !CHECK_STR(cg_session_run_script(session, text, size, script, &error).message, "")) {
        return seen;
    }
    const cg_world *world = cg_session_world(session);
    for (int k = 0; k < LONGEST && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING; k++) {
        const cg_tissue_tear *tears;
        const cg_thread_break *breaks;
        cg_session_step(session);
        seen.tears += cg_world_tears(world, &tears) > 0;
        seen.breaks += cg_world_breaks(world, &breaks);
    }
    CHECK_STR(cg_session_get_script(session).error.message, "");
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
    seen.torn = cg_tissue_get_summary(world, cg_session_tissue(session, 0)).torn_length;
    free(text);
    cg_session_destroy(session);
    cg_scene_free(scene);
    return seen;
}

TEST(a_bite_too_near_the_edge_tears_out)
{
    outcome seen = play("too-near");
    CHECK(seen.tears > 0 && seen.torn > 1e-3 && seen.torn < 5e-3);
    CHECK_INT(seen.breaks, 0);
}

TEST(a_thread_that_is_drawn_too_hard_breaks)
{
    outcome seen = play("too-hard");
    CHECK_INT(seen.tears, 0);
    CHECK(seen.breaks > 0);
}
