// What scripts see of tools: places in their axes, what is between their jaws and not around them; and what is tried
// again when it fails.
#include <math.h>
#include <stdio.h>

#include "catgut/script.h"
#include "session/session_rig.h"

// A thread of 40 mm along x, a driver above its middle that stands upright and opens along y, and a hand.
static const char SCENE[] =
    "{\"gravity\": [0, 0, 0], \"max_contacts\": 60, \"threads\": [{\"suture\": \"3-0 nylon\", \"spacing\": \"1 mm\", "
    "\"drag\": 10, \"shape\": {\"line\": {\"from\": [\"-20 mm\", 0, 0], \"to\": [\"20 mm\", 0, 0]}}, \"start\": "
    "\"clamped\"}], \"hands\": [{\"name\": \"right\", \"tool\": \"forceps\", \"position\": [0, 0, \"12 mm\"], "
    "\"rotation\": {\"axis\": [0, 0, 1], \"angle\": \"90 deg\"}}, {\"name\": \"left\", \"position\": [\"20 mm\", 0, "
    "\"10 mm\"]}]}";

typedef struct sight_rig {
    cg_scene *scene;
    cg_session *session;
} sight_rig;

static void run(sight_rig *rig, const char *script, cg_script_phase expected)
{
    cg_scene_error error;
    CHECK_STR(cg_session_run_script(rig->session, script, strlen(script), "s", &error).message, "");
    for (int i = 0; i < 5000 && cg_session_get_script(rig->session).phase == CG_SCRIPT_RUNNING; i++) {
        cg_session_step(rig->session);
    }
    cg_script_state state = cg_session_get_script(rig->session);
    if (!CHECK_INT(state.phase, expected)) {
        printf("    %d:%d: %s\n", state.error.line, state.error.column, state.error.message);
    }
}

static sight_rig start(const char *scene)
{
    sight_rig rig = {.scene = rig_scene(scene)};
    rig.session = rig_session(rig.scene, NULL);
    return rig;
}

static void end(sight_rig *rig)
{
    cg_session_destroy(rig->session);
    cg_scene_free(rig->scene);
}

static cg_hand_state hand(const sight_rig *rig, int index)
{
    return cg_hand_get_state(cg_session_world(rig->session), cg_session_hand(rig->session, index));
}

TEST(places_in_the_axes_of_a_tool)
{
    sight_rig rig = start(SCENE);
    // Turned by a quarter about z, x of the tool is y of the world; the middle of its jaws is 12 mm up.
    run(&rig, "left move to right + (3, 0, 1) mm of right + (0, 0, 2) mm - (1, 0, 0) mm of right in 10 ms",
        CG_SCRIPT_DONE);
    cg_vec3 at = hand(&rig, 1).command.position;
    CHECK_NEAR(at.x, 0, 1e-5);
    CHECK_NEAR(at.y, 2e-3, 1e-5);
    CHECK_NEAR(at.z, 15e-3, 1e-5);
    end(&rig);
}

TEST(what_is_between_jaws_is_held_and_what_lies_against_them_is_not)
{
    sight_rig rig = start("{\"gravity\": [0, 0, 0], \"max_contacts\": 60, \"threads\": [{\"suture\": \"3-0 nylon\", "
                          "\"spacing\": \"1 mm\", \"drag\": 10, \"shape\": {\"line\": {\"from\": [\"-20 mm\", 0, 0], "
                          "\"to\": [\"20 mm\", 0, 0]}}, \"start\": \"clamped\"}], \"hands\": [{\"name\": \"right\", "
                          "\"tool\": \"forceps\", \"position\": [0, 0, \"12 mm\"]}, {\"name\": \"left\"}]}");
    run(&rig,
        "expect opening of right above 90 %\nright move to middle of thread in 0.1 s\nwait 50 ms\nright jaws to 0 with "
        "2 N\nwait 0.2 s\nexpect opening of right below 10 %\nexpect right holds thread\nright open\nwait 0.15 s\n"
        "expect right holds nothing",
        CG_SCRIPT_DONE);
    end(&rig);
}

// A thread with a turn in it, into which closed jaws go down; drawn tight it presses on both of them from outside.
TEST(what_is_wound_around_jaws_is_counted_and_not_held)
{
    sight_rig rig = start(
        "{\"gravity\": [0, 0, 0], \"max_contacts\": 60, \"threads\": [{\"suture\": \"3-0 nylon\", \"spacing\": \"0.5 "
        "mm\", \"drag\": 100, \"rest\": \"as placed\", \"shape\": {\"points\": [[\"-15 mm\", \"-2 mm\", 0], [\"2 mm\", "
        "\"-2 mm\", 0], [\"2 mm\", \"2 mm\", \"0.5 mm\"], [\"-2 mm\", \"2 mm\", \"1 mm\"], [\"-2 mm\", \"-2 mm\", "
        "\"1.5 "
        "mm\"], [\"15 mm\", \"-2 mm\", \"2 mm\"]]}, \"start\": \"clamped\"}], \"hands\": [{\"name\": \"right\", "
        "\"tool\": \"forceps\", \"position\": [0, 0, \"25 mm\"]}, {\"name\": \"left\", \"position\": [\"15 mm\", "
        "\"-2 mm\", \"2 mm\"]}]}");
    run(&rig,
        "left close; right close\nwait 0.15 s\nexpect turns of thread around right below 0.01\n"
        "right move to (0, 0, 0) mm in 0.2 s\nexpect turns of thread around right above 1.2\n"
        "expect turns of thread around right below 1.6\n"
        "left move by (20, 0, 0) mm in 0.4 s until force of left above 0.3 N\nwait 0.1 s\n"
        "expect force of left above 0.1 N\nexpect right holds nothing",
        CG_SCRIPT_DONE);
    end(&rig);
}

// A grasper without jaws takes a needle too; that is not nothing.
TEST(a_hand_that_closes_on_a_needle_has_closed_on_something)
{
    sight_rig rig = start("{\"gravity\": [0, 0, 0], \"max_contacts\": 20, \"bodies\": [{\"name\": \"needle\", "
                          "\"needle\": \"round 22\"}], "
                          "\"hands\": [{\"name\": \"left\", \"position\": [\"30 mm\", 0, 0], \"reach\": \"1 mm\"}]}");
    run(&rig, "left move to 0.85 of body \"needle\" in 40 ms\nwait 40 ms\nleft close\nexpect left holds body",
        CG_SCRIPT_DONE);
    run(&rig, "left open\nleft move by (0, 0, 40) mm in 40 ms\nwait 40 ms\nleft close", CG_SCRIPT_FAILED);
    end(&rig);
}

TEST(what_fails_is_tried_again_and_then_given_up)
{
    sight_rig rig = start(SCENE);
    // The first time the hand is too far above the end of the thread, the second time it reaches it.
    run(&rig,
        "left move to end of thread + (0, 0, 9) mm in 20 ms\ntry 3 times: \"the end was missed\"\n"
        "  left open\n  repeat 2 times\n    left move by (0, 0, -1.5) mm in 20 ms\n  end\n  wait 40 ms\n  left close\n"
        "  expect left holds thread\nend\nleft open",
        CG_SCRIPT_DONE);
    CHECK_NEAR(hand(&rig, 1).command.position.z, 3e-3, 1e-4);
    run(&rig, "left move by (0, 0, 30) mm in 20 ms\nstep \"take\"\ntry 2 times\n  wait 30 ms\n  left close\nend",
        CG_SCRIPT_FAILED);
    cg_script_state state = cg_session_get_script(rig.session);
    CHECK_INT(state.error.line, 5);
    CHECK(strstr(state.error.message, "step \"take\": the hand closed on nothing") != NULL);
    run(&rig, "try 2 times\nwait 1 ms\nend\nexpect left holds thread", CG_SCRIPT_FAILED); // behind its end
    run(&rig, "try 1000 times\nexpect left holds thread\nend", CG_SCRIPT_FAILED);
    run(&rig, "repeat 2 times\ntry 2 times: \"x\"\nexpect left holds nothing\nend\nend", CG_SCRIPT_DONE);
    end(&rig);
}

#define MAKING_GOOD(place)                                                                                             \
    "left move to (0, 0, 20) mm in 5 ms\ntry 4 times: \"x\"\n  left move by (1, 0, 0) mm in 5 ms\n  wait 30 ms\n"      \
    "  expect distance from left to " place " mm below 0.3 mm\nagain\n  repeat 2 times\n"                              \
    "    left move by (0, 0, 1) mm in 5 ms\n  end\nend\nleft move by (0, 1, 0) mm in 5 ms"

// What stands behind `again` makes good what failed, once between two tries: not when all went well, not after the
// last. The hand counts: along x the tries, along z what was made good.
TEST(what_failed_is_made_good_before_it_is_tried_again)
{
    sight_rig rig = start(SCENE);
    run(&rig, MAKING_GOOD("(3, 0, 24)"), CG_SCRIPT_DONE); // at the third try
    CHECK_NEAR(v3_distance(hand(&rig, 1).command.position, v3(3e-3, 1e-3, 24e-3)), 0, 1e-9);
    run(&rig, MAKING_GOOD("(9, 0, 24)"), CG_SCRIPT_FAILED); // never
    CHECK_NEAR(v3_distance(hand(&rig, 1).command.position, v3(4e-3, 0, 26e-3)), 0, 1e-9);
    // What cannot be made good has failed, unless something is tried around it.
    run(&rig, "try 5 times\nexpect left holds thread\nagain\nexpect left holds thread\nend", CG_SCRIPT_FAILED);
    CHECK_INT(cg_session_get_script(rig.session).error.line, 4);
    run(&rig,
        "left move to (0, 0, 20) mm in 5 ms\ntry 3 times\n  left move by (1, 0, 0) mm in 5 ms\n  try 2 times\n"
        "    expect left holds thread\n  again\n    expect left holds thread\n  end\nend",
        CG_SCRIPT_FAILED);
    CHECK_NEAR(hand(&rig, 1).command.position.x, 3e-3, 1e-9);
    end(&rig);
}

// Where an inner `try` has been tried often enough the one around it begins anew, and the inner one with it.
TEST(what_fails_inside_is_tried_again_outside)
{
    sight_rig rig = start(SCENE);
    run(&rig, "left move to (0, 0, 20) mm in 5 ms", CG_SCRIPT_DONE);
    run(&rig,
        "try 2 times: \"outer\"\n  try 3 times: \"inner\"\n    left move by (0, 0, 1) mm in 5 ms\n"
        "    expect left holds thread\n  end\nend",
        CG_SCRIPT_FAILED);
    CHECK_NEAR(hand(&rig, 1).command.position.z, 26e-3, 1e-6);
    // The line that fails stands in the outer one alone: the inner one, which is over, is no way out.
    run(&rig,
        "try 2 times\n  try 3 times\n    left move by (0, 0, 1) mm in 5 ms\n  end\n  expect left holds thread\nend",
        CG_SCRIPT_FAILED);
    CHECK_NEAR(hand(&rig, 1).command.position.z, 28e-3, 1e-6);
    end(&rig);
}

#define KNOT(kind)                                                                                                     \
    "{\"max_contacts\": 60, \"threads\": [{\"suture\": \"3-0 silk\", \"spacing\": \"0.4 mm\", \"shape\": {\"knot\": "  \
    "{\"kind\": \"" kind "\", \"tail\": \"12 mm\", \"gap\": \"0.44 mm\"}}}], \"hands\": [{}]}"

TEST(throws_are_told_by_their_notation)
{
    sight_rig reef = start(KNOT("reef")), granny = start(KNOT("granny"));
    run(&reef, "expect throws \"1=1\" in thread", CG_SCRIPT_DONE);
    run(&granny, "expect throws \"1x1\"", CG_SCRIPT_DONE);
    run(&granny, "expect throws \"1=1\"", CG_SCRIPT_FAILED);
    CHECK(strstr(cg_session_get_script(granny.session).error.message, "found the throws 1x1") != NULL);
    end(&reef);
    end(&granny);
}

TEST(wounds_and_stitches_are_measured)
{
    sight_rig rig = start(
        "{\"gravity\": [0, 0, 0], \"tissues\": [{\"name\": \"pad\", \"pad\": {\"length\": \"26 mm\", \"width\": "
        "\"30 mm\", \"wound\": {\"kind\": \"ellipse\", \"length\": \"16 mm\", \"width\": \"4 mm\", \"depth\": \"4 "
        "mm\"}}, \"layers\": [{\"material\": \"skin\", \"thickness\": \"6 mm\"}], \"spacing\": \"3 mm\", "
        "\"fix_rim\": true}], \"hands\": [{\"name\": \"left\"}]}");
    run(&rig,
        "expect gap of tissue at (0, 0, 0) mm along (1, 0, 0) above 1 mm\n"
        "expect gap of tissue \"pad\" at (0, 0, 0) mm along (1, 0, 0) below 5 mm\n"
        "expect step of tissue at (0, 0, 0) mm along (1, 0, 0) below 1 um\n"
        "expect force of stitches below 1 mN",
        CG_SCRIPT_DONE);
    run(&rig, "expect gap of tissue at (0, 0, 0) mm along (1, 0, 0) below 1 mm", CG_SCRIPT_FAILED);
    run(&rig,
        "left move to (0, 2.5, 0) mm in 0.1 s\nleft close\nexpect left holds tissue\n"
        "left move by (0, 0, 3) mm in 0.2 s\n"
        "expect step of tissue at (0, 0, 0) mm along (1, 0, 0) above 0.5 mm",
        CG_SCRIPT_DONE);
    end(&rig);
}
