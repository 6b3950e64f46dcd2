// A stitch by tools alone: a driver takes the needle through both lips of a wound, another draws it out with its
// thread, and the ends are pulled. By default until the needle is through both lips; with CATGUT_FULL=1 until the wound
// is closed.
#include <stdlib.h>
#include <string.h>

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
    for (int i = 0; i < (is_full ? 12000 : 1800) && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING; i++) {
        steps++;
        cg_session_step(session);
        CHECK(i > 1800 || cg_rigid_get_piercing(world, needle, &now));
        if (i == 300) {
            CHECK(gap_at(session, 0) > 3e-3);
        }
        if (i == 1799) {
            CHECK_INT((int)now.entries, 2);
            CHECK_INT((int)now.exits, 2);
            CHECK_INT((int)now.forced, 0);
            CHECK_INT((int)cg_world_get_stats(world).unfinished_steps, 0);
        }
    }
    CHECK(steps >= 1800); // an expectation of the script that is not met ends it before
    CHECK(cg_session_get_script(session).phase != CG_SCRIPT_FAILED);
    if (is_full) {
        check_closed(session);
    }
    free(text);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// Reads the scene with the needle as heavy as it is made, 44 mg.
static cg_scene *read_light_scene(void)
{
    static const char heavy[] = ", \"mass\": \"0.5 g\"";
    char why[128];
    size_t size;
    cg_scene *scene = NULL;
    cg_scene_error error;
    char *text = cg_file_read(SCENES "one-stitch.json", 1 << 20, &size, why, sizeof why);
    char *mass = text != NULL ? strstr(text, heavy) : NULL;
    if (CHECK(mass != NULL)) {
        memset(mass, ' ', sizeof heavy - 1);
        CHECK_STR(cg_scene_read(text, size, "one-stitch", NULL, NULL, &scene, &error).message, "");
    }
    free(text);
    return scene;
}

// The forces of the jaws turn with the needle and are more than its inertia resists; passes must not swing by them.
TEST(a_needle_of_its_true_mass_keeps_its_hold)
{
    cg_session *session = NULL;
    cg_scene_error error;
    cg_session_def def = cg_session_def_default();
    char why[128];
    size_t size;
    char *text = cg_file_read(SCENES "scripts/one-stitch.script", 1 << 20, &size, why, sizeof why);
    cg_scene *scene = read_light_scene();
    if (!CHECK(scene != NULL && text != NULL) ||
        !CHECK_STR(cg_session_create(&def, scene, &session, &error).message, "") ||
        !CHECK_STR(cg_session_run_script(session, text, size, "one-stitch.script", &error).message, "")) {
        return;
    }
    const cg_world *world = cg_session_world(session);
    cg_piercing now = {0};
    int lips = test_is_full() ? 2 : 1;
    for (int i = 0; i < (lips == 2 ? 1800 : 1200); i++) {
        cg_session_step(session);
    }
    CHECK(cg_rigid_get_piercing(world, (cg_rigid_id){1, 1}, &now));
    CHECK_INT((int)now.entries, lips);
    CHECK_INT((int)now.exits, lips);
    CHECK_INT((int)now.forced, 0);
    CHECK_INT((int)cg_world_get_stats(world).unfinished_steps, 0);
    free(text);
    cg_session_destroy(session);
    cg_scene_free(scene);
}
