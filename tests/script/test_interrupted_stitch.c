// label: slow
// A stitch that is tied over its wound, by tools and contacts alone. By default until the driver has the needle; with
// CATGUT_FULL=1 until the thread is through both lips, which are pushed together, wound twice around forceps, its tail
// drawn through the turns, the throw drawn down, three single throws tied upon it, each the other way than the one
// before, the skin let go of and both ends cut; the script itself looks at the gap and loads the knot two seconds
// later. Other needles are picked up, and with CATGUT_FULL=1 driven through both lips.
#include "script_rig.h"

enum { HAS_NEEDLE = 820, LONGEST = 80000 };

static int holes(const cg_session *session)
{
    return cg_world_anchor_count(cg_session_world(session));
}

// How many pieces the thread of the scene is in.
static int parts(const cg_session *session)
{
    enum { MOST = 3 }; // the scene keeps room for two cuts
    int count = 0;
    for (int place = 0; place < MOST; place++) {
        count += cg_thread_is_valid(cg_session_world(session), cg_session_thread(session, place));
    }
    return count;
}

// Through the whole script, looking at the knot on the way. Steps that could not be made whole are below a share of
// all.
static void tie(cg_session *session, double most_unfinished)
{
    cg_knot_report knot;
    CHECK(rig_play_to(session, "lay the tail", LONGEST));
    CHECK_INT(holes(session), 4);
    CHECK(rig_play_to(session, "other side again", LONGEST)); // the lips met
    rig_knot(session, &knot);
    CHECK_STR(knot.name, "m5_1");
    CHECK(rig_play_to(session, "other side a third time", LONGEST)); // the hand has the tail, or it says why not
    rig_knot(session, &knot);
    CHECK_STR(knot.throws_text, "2=1");
    CHECK(rig_play_to(session, "other side a fourth time", LONGEST));
    rig_knot(session, &knot);
    CHECK_STR(knot.throws_text, "2=1=1");
    CHECK(rig_play_to(session, "cut the tail", LONGEST));
    rig_knot(session, &knot);
    CHECK_STR(knot.throws_text, "2=1=1=1");
    CHECK_INT(parts(session), 1);
    rig_play_to(session, "", LONGEST); // to its end: the wound is closed, and stays so
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
    CHECK_INT(parts(session), 3);
    CHECK_INT(holes(session), 4);
    cg_pull_result pull;
    CHECK_INT(cg_session_pull_test(session, 0, &pull).code, CG_OK);
    CHECK_STR(pull.knot.throws_text, "2=1=1=1");
    CHECK(cg_pull_holding_force(&pull) > 2);
    cg_world_stats stats = cg_world_get_stats(cg_session_world(session)); // throws come down in jerks
    CHECK((double)stats.unfinished_steps < most_unfinished * (double)stats.step_count);
}

// Plays until the driver has the needle, or all of it.
static void play(cg_scene *scene, bool is_whole, double most_unfinished)
{
    cg_session *session = rig_session(scene, NULL);
    rig_run(session, "interrupted-stitch", HAS_NEEDLE);
    CHECK_STR(cg_session_get_script(session).error.message, "");
    CHECK_STR(cg_session_get_script(session).name, "turn"); // it expects the needle between the jaws before
    if (is_whole) {
        tie(session, most_unfinished);
    }
    CHECK_INT((int)cg_world_get_stats(cg_session_world(session)).lost_contacts, 0);
    CHECK_INT((int)cg_session_get_stats(session).refused, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(a_stitch_is_tied_over_its_wound)
{
    cg_scene *scene = NULL;
    cg_scene_error error;
    if (CHECK(cg_scene_load(SCENES "interrupted-stitch.json", &scene, &error))) {
        play(scene, test_is_full(), 0.01);
    }
}

// The scene has vertices 2.2 radii apart in the knot, which is twice as fast.
TEST(and_with_vertices_a_radius_apart)
{
    play(rig_scene_with(SCENES "interrupted-stitch.json", "\"fine\": \"0.25 mm\"", "\"fine\": \"0.1125 mm\""),
         test_is_full(), 0.04);
}

// The same script drives a smaller and a larger needle: the bite is said in radii of it.
TEST(other_needles_take_the_same_script)
{
    static const char *const needles[] = {"\"round 18\"", "\"round 26\""};
    for (int i = 0; i < 2; i++) {
        cg_scene *scene = rig_scene_with(SCENES "interrupted-stitch.json", "\"round 22\"", needles[i]);
        cg_session *session = rig_session(scene, NULL);
        rig_run(session, "interrupted-stitch", HAS_NEEDLE);
        CHECK_STR(cg_session_get_script(session).error.message, "");
        CHECK_STR(cg_session_get_script(session).name, "turn");
        if (test_is_full()) {
            CHECK(rig_play_to(session, "lay the tail", LONGEST));
            CHECK_INT(holes(session), 4);
        }
        cg_session_destroy(session);
        cg_scene_free(scene);
    }
}
