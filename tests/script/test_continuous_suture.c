// label: slow
// Three bites of a simple continuous suture with a knot at both ends, by tools and contacts alone. By default until the
// driver has the needle; with CATGUT_FULL=1 until everything is cut and let go of: the script itself looks at the gaps
// and at the throws of both knots two seconds later.
#include "script_rig.h"

enum { HAS_NEEDLE = 1000, LONGEST = 160000 };

TEST(a_continuous_suture_is_tied_at_both_ends)
{
    cg_scene *scene = NULL;
    cg_scene_error error;
    if (!CHECK(cg_scene_load(SCENES "continuous-suture.json", &scene, &error))) {
        return;
    }
    cg_session *session = rig_session(scene, NULL);
    rig_run(session, "continuous-suture", test_is_full() ? LONGEST : HAS_NEEDLE);
    CHECK_STR(cg_session_get_script(session).error.message, "");
    const cg_world *world = cg_session_world(session);
    if (test_is_full()) {
        CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
        CHECK_INT(cg_world_anchor_count(world), 12);
    } else {
        CHECK_STR(cg_session_get_script(session).name, "first stitch, turn"); // it expects the needle before
    }
    cg_world_stats stats = cg_world_get_stats(world);
    CHECK(25 * stats.unfinished_steps < stats.step_count); // turns hang on jaws and on the end of the loop
    CHECK_INT((int)stats.lost_contacts, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}
