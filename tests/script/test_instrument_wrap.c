// A thread is wound around forceps by a hand, and the forceps reach through the turn and take the tail: by contacts and
// friction alone. Whether the turn is one that ties is asked of the namer: with the tail carried on along the tool, the
// way that the forceps would go back, the thread must be knotted, and it is not without.
#include <stdio.h>
#include <stdlib.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "support/scene_files.h"

#define SCENES CATGUT_SOURCE_DIR "/scenes/"
enum { MOST_POINTS = 400 };

static cg_session *begin(cg_scene **scene)
{
    cg_session *session = NULL;
    cg_scene_error error;
    char why[128];
    size_t size;
    CHECK(cg_scene_load(SCENES "instrument-wrap.json", scene, &error));
    cg_session_def def = cg_session_def_default();
    CHECK_STR(cg_session_create(&def, *scene, &session, &error).message, "");
    char *text = cg_file_read(SCENES "scripts/instrument-wrap.script", 1 << 20, &size, why, sizeof why);
    if (CHECK(text != NULL)) {
        CHECK_STR(cg_session_run_script(session, text, size, "instrument-wrap", &error).message, "");
    }
    free(text);
    return session;
}

// The common name of the thread, with `further` [m] of it behind its tail, along the shaft of the forceps.
static void name_with(const cg_session *session, double further, char common[40])
{
    const cg_world *world = cg_session_world(session);
    cg_hand_state right = cg_hand_get_state(world, cg_session_hand(session, 1));
    cg_vec3 points[MOST_POINTS], shaft = quat_rotate(right.pose.rotation, v3(0, 0, 1));
    int count;
    const cg_vec3 *x = cg_thread_positions(world, cg_session_thread(session, 0), &count);
    if (!CHECK(count + 2 <= MOST_POINTS)) {
        return;
    }
    for (int i = 0; i < count; i++) {
        points[i] = x[i];
    }
    if (further > 0) { // from within the jaws
        points[count++] = v3_add_scaled(right.pose.position, 1e-3, shaft);
        points[count++] = v3_add_scaled(right.pose.position, further, shaft);
    }
    cg_knot_thread thread = {.points = points, .count = count};
    cg_knot_report report = {.name = ""};
    CHECK_INT(cg_knot_identify(&thread, 1, NULL, &report).code, CG_OK);
    snprintf(common, 40, "%s", report.common);
}

TEST(forceps_reach_through_a_turn_and_take_the_tail)
{
    if (test_is_sanitized()) {
        test_skip("too slow with sanitizers");
        return;
    }
    cg_scene *scene;
    cg_session *session = begin(&scene);
    for (int i = 0; i < 4000 && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING; i++) {
        cg_session_step(session);
    }
    cg_script_state state = cg_session_get_script(session);
    CHECK_INT(state.phase, CG_SCRIPT_DONE);
    CHECK_STR(state.error.message, "");
    char common[40];
    name_with(session, 0, common);
    CHECK_STR(common, "no knot");
    name_with(session, 0.15, common);
    CHECK_STR(common, "overhand");
    cg_world_stats stats = cg_world_get_stats(cg_session_world(session));
    CHECK_INT(stats.lost_contacts, 0);
    CHECK_INT(stats.recovered_steps, 0);
    CHECK_INT(cg_session_get_stats(session).refused, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}
