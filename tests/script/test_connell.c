// label: slow
// Three bites of a Connell suture on bowel, by tools and contacts alone. By default until the driver has the needle;
// with CATGUT_FULL=1 until both ends are drawn, at three steps: the script itself looks at the gap where the thread
// crosses.
#include "script_rig.h"

enum { HAS_NEEDLE = 820, LONGEST = 70000 };

// The holes of a bite are on one lip, those of the next on the other.
static void check_sides(const cg_session *session)
{
    cg_anchor anchor;
    for (int k = 0; cg_world_get_anchor(cg_session_world(session), k, &anchor); k++) {
        bool is_second_bite = k / 4 == 1; // each goes through two surfaces twice
        CHECK(is_second_bite ? anchor.position.x < 0 : anchor.position.x > 0);
    }
}

static void sew(const char *time_step, int most_steps)
{
    char words[64];
    snprintf(words, sizeof words, "\"time_step\": \"%s\", \"gravity\"", time_step);
    cg_scene *scene = rig_scene_with(SCENES "connell.json", "\"gravity\"", words);
    cg_session *session = rig_session(scene, NULL);
    rig_run(session, "connell", most_steps);
    CHECK_STR(cg_session_get_script(session).error.message, "");
    const cg_world *world = cg_session_world(session);
    if (test_is_full()) {
        CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
        CHECK_INT(cg_world_anchor_count(world), 12);
        check_sides(session);
    } else {
        CHECK_STR(cg_session_get_script(session).name, "turn"); // it expects the needle between the jaws before
    }
    CHECK(100 * cg_world_get_stats(world).unfinished_steps <= cg_world_get_stats(world).step_count);
    CHECK_INT((int)cg_world_get_stats(world).lost_contacts, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(three_bites_of_a_connell_suture_draw_the_lips_together)
{
    sew("1 ms", test_is_full() ? LONGEST : HAS_NEEDLE);
    if (test_is_full()) {
        sew("0.5 ms", LONGEST);
        sew("2 ms", LONGEST);
    }
}
