// Scripts: what is refused and where, and what hands do. What they should do is worked out here by hand.
#include <math.h>
#include <stdio.h>

#include "alloc_count.h"
#include "catgut/script.h"
#include "session/session_rig.h"

// A thread of 40 mm, held at its start so that it stays where it is, without gravity; two hands; a ball.
static const char SCENE[] =
    "{\"gravity\": [0, 0, 0], \"max_contacts\": 20, \"threads\": [{\"name\": \"cord\", \"radius\": \"0.5 mm\", "
    "\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"40 mm\", 0, 0]}}, \"vertices\": 21, \"start\": "
    "\"clamped\"}, "
    "{\"name\": \"other\", \"shape\": {\"line\": {\"from\": [0, 1, 0], \"to\": [\"40 mm\", 1, 0]}}, \"vertices\": 5}], "
    "\"shapes\": [{\"name\": \"ball\", \"sphere\": {\"radius\": \"3 mm\"}, \"position\": [\"20 mm\", 0, \"-6 mm\"]}], "
    "\"hands\": [{\"name\": \"left\", \"position\": [0, 0, \"10 mm\"]}, {\"name\": \"right\", \"position\": [\"40 "
    "mm\", "
    "0, \"10 mm\"], \"hook\": {\"length\": 0}}]}";

typedef struct script_rig {
    cg_scene *scene;
    cg_session *session;
} script_rig;

static script_rig rig_start(const char *script)
{
    script_rig rig = {.scene = rig_scene(SCENE)};
    rig.session = rig_session(rig.scene, NULL);
    cg_scene_error error;
    CHECK_STR(cg_session_run_script(rig.session, script, strlen(script), "s", &error).message, "");
    return rig;
}

static void rig_end(script_rig *rig)
{
    cg_session_destroy(rig->session);
    cg_scene_free(rig->scene);
}

static void rig_steps(script_rig *rig, int steps)
{
    for (int i = 0; i < steps; i++) {
        cg_session_step(rig->session);
    }
}

static cg_hand_state rig_hand(const script_rig *rig, int hand)
{
    return cg_hand_get_state(cg_session_world(rig->session), cg_session_hand(rig->session, hand));
}

static cg_vec3 rig_command(const script_rig *rig, int hand)
{
    return rig_hand(rig, hand).command.position;
}

static void check_command(const script_rig *rig, int hand, double x, double y, double z)
{
    cg_vec3 at = rig_command(rig, hand);
    CHECK_NEAR(at.x, x, 1e-9);
    CHECK_NEAR(at.y, y, 1e-9);
    CHECK_NEAR(at.z, z, 1e-9);
}

// Runs to the end of the script; returns the steps that it took.
static int rig_finish(script_rig *rig, cg_script_phase expected)
{
    int steps = 0;
    while (cg_session_get_script(rig->session).phase == CG_SCRIPT_RUNNING && steps < 20000) {
        cg_session_step(rig->session);
        steps++;
    }
    cg_script_state state = cg_session_get_script(rig->session);
    if (!CHECK_INT(state.phase, expected)) {
        printf("    %d:%d: %s\n", state.error.line, state.error.column, state.error.message);
    }
    return steps;
}

TEST(a_move_goes_gently_and_arrives_in_its_time)
{
    script_rig rig = rig_start("left move to (10, 20, 30) mm in 0.1 s");
    rig_steps(&rig, 25);
    double e = 0.25, s = e * e * (3 - 2 * e);
    check_command(&rig, 0, 0.01 * s, 0.02 * s, 0.01 + 0.02 * s);
    rig_steps(&rig, 75);
    check_command(&rig, 0, 0.01, 0.02, 0.03);
    CHECK_INT(cg_session_get_script(rig.session).phase, CG_SCRIPT_RUNNING);
    rig_steps(&rig, 1);
    CHECK_INT(cg_session_get_script(rig.session).phase, CG_SCRIPT_DONE);
    CHECK_INT(cg_session_get_stats(rig.session).applied, 100);
    rig_end(&rig);
}

TEST(lines_follow_each_other_and_actions_of_a_line_go_together)
{
    script_rig rig = rig_start("left move by (0, 10, 0) mm in 20 ms; \n"
                               "    right move by (0, 0, -1 ) cm in 40 ms # as one line\n\n"
                               "left move by (0, 10, 0) mm in 20 ms\nwait 10 ms\nright move to left + (1, 0, 0) mm - "
                               "(0, 1, 0) mm in 0 s\n");
    rig_steps(&rig, 40);
    check_command(&rig, 0, 0, 0.01, 0.01);
    check_command(&rig, 1, 0.04, 0, 0);
    rig_steps(&rig, 20);
    check_command(&rig, 0, 0, 0.02, 0.01);
    check_command(&rig, 1, 0.04, 0, 0);
    rig_steps(&rig, 10);
    cg_vec3 left = rig_hand(&rig, 0).pose.position; // where the hand is, not where it is told to be
    rig_steps(&rig, 1);
    check_command(&rig, 1, left.x + 1e-3, left.y - 1e-3, left.z);
    CHECK_INT(rig_finish(&rig, CG_SCRIPT_DONE), 1);
    rig_end(&rig);
}

TEST(places_on_a_thread_a_shape_and_a_hand)
{
    static const struct {
        const char *place;
        double x, y, z;
    } cases[] = {{"start of thread", 0, 0, 0},
                 {"middle of thread", 0.02, 0, 0},
                 {"end of thread \"cord\"", 0.04, 0, 0},
                 {"0.3 of thread", 0.012, 0, 0},
                 {"30 % of thread", 0.012, 0, 0},
                 {"7 mm along thread", 0.007, 0, 0},
                 {"-7 mm along thread", 0.033, 0, 0},
                 {"90 mm along thread", 0.04, 0, 0},
                 {"-2 radii along thread", 0.039, 0, 0},
                 {"0.25 lengths along thread", 0.01, 0, 0},
                 {"start of thread \"other\"", 0, 1, 0},
                 {"shape \"ball\" + (0, 0, 4) radii", 0.02, 0, -0.004},
                 {"hand \"right\" - (1, 2, 3) mm", 0.039, -0.002, 0.007},
                 {"(-1, 0.5, 2) cm", -0.01, 0.005, 0.02}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char script[128];
        snprintf(script, sizeof script, "left move to %s in 5 ms", cases[i].place);
        script_rig rig = rig_start(script);
        rig_finish(&rig, CG_SCRIPT_DONE);
        check_command(&rig, 0, cases[i].x, cases[i].y, cases[i].z);
        rig_end(&rig);
    }
}

// A half circle of 21.8 mm has a radius of 21.8 / pi mm. Bodies before the first needle do not count.
TEST(lengths_may_be_counted_in_radii_of_the_needle)
{
    static const char scene[] =
        "{\"max_contacts\": 20, \"bodies\": [{\"parts\": [{\"sphere\": {\"radius\": \"1 mm\"}}], "
        "\"position\": [1, 0, 0]}, {\"needle\": \"round 22\"}, {\"needle\": \"BV-1\", "
        "\"position\": [2, 0, 0]}], \"hands\": [{\"name\": \"left\"}]}";
    static const char script[] = "left move to (1, 0, -2) mm + (0, -0.5, 2) needle_radii in 5 ms";
    script_rig rig = {.scene = rig_scene(scene)};
    rig.session = rig_session(rig.scene, NULL);
    cg_scene_error error;
    CHECK_STR(cg_session_run_script(rig.session, script, strlen(script), "s", &error).message, "");
    rig_finish(&rig, CG_SCRIPT_DONE);
    double radius = 21.8e-3 / acos(-1);
    check_command(&rig, 0, 1e-3, -0.5 * radius, -2e-3 + 2 * radius);
    CHECK_NEAR(cg_scene_needle_radius(rig.scene, 0), 0, 0);
    CHECK_NEAR(cg_scene_needle_radius(rig.scene, 1), radius, 1e-12);
    CHECK_NEAR(cg_scene_needle_radius(rig.scene, 3), 0, 0);
    CHECK_NEAR(cg_scene_needle_radius(rig.scene, -1), 0, 0);
    rig_end(&rig);
    CHECK_INT(cg_script_check(script, strlen(script), "s", NULL, NULL, &error).code, CG_OK); // any scene may come
}

TEST(circles_turns_and_drifts)
{
    // A quarter from (0, 0, 10) about y through (0, 0, 0): towards +x, as the right hand's rule says.
    script_rig rig =
        rig_start("left circle 90 deg around (0, 0, 0) mm about (0, 1, 0) moving (0, 4, 0) mm turning 180 "
                  "deg about (0, 0, 2) in 20 ms\nleft turn 90 deg about (0, 0, 1) in 10 ms\nleft turn back "
                  "in 10 ms");
    rig_steps(&rig, 20);
    check_command(&rig, 0, 0.01, 0.004, 0);
    CHECK_NEAR(fabs(rig_hand(&rig, 0).command.rotation.z), 1, 1e-9);
    rig_steps(&rig, 10);
    CHECK_NEAR(fabs(rig_hand(&rig, 0).command.rotation.z), sqrt(0.5), 1e-9);
    rig_steps(&rig, 10);
    CHECK_NEAR(fabs(rig_hand(&rig, 0).command.rotation.w), 1, 1e-9);
    check_command(&rig, 0, 0.01, 0.004, 0);
    rig_end(&rig);
}

// The tool of a hand that is not turned points along -z: clockwise, as its holder sees it, is from -x to +y.
TEST(a_hand_winds_around_the_tool_of_another)
{
    script_rig rig = rig_start("left wrap 90 deg around right at 20 mm to 5 mm ahead in 0.1 s\n"
                               "left wrap -180 deg around right in 0.1 s\n"
                               "left wrap 360 deg around right to 3 mm behind in 0.1 s");
    rig_steps(&rig, 50);
    check_command(&rig, 0, 0.04 - 0.03 * sqrt(0.5), 0.03 * sqrt(0.5), 0.0075);
    rig_steps(&rig, 50);
    check_command(&rig, 0, 0.04, 0.02, 0.005);
    rig_steps(&rig, 100);
    check_command(&rig, 0, 0.04, -0.02, 0.005);
    rig_finish(&rig, CG_SCRIPT_DONE);
    check_command(&rig, 0, 0.04, -0.02, 0.013);
    rig_end(&rig);
}

TEST(a_hand_moves_along_the_axes_of_a_tool_as_they_were_when_it_began)
{
    script_rig rig =
        rig_start("right turn 90 deg about (1, 0, 0) in 0.1 s\nwait 1 s\n"
                  "left move by (1, 0, 5) mm of right in 0.1 s; right turn 90 deg about (1, 0, 0) in 0.1 s");
    rig_finish(&rig, CG_SCRIPT_DONE);
    cg_vec3 at = rig_command(&rig, 0);
    CHECK_NEAR(at.x, 0.001, 1e-6);
    CHECK_NEAR(at.y, -0.005, 1e-6);
    CHECK_NEAR(at.z, 0.01, 1e-6);
    rig_end(&rig);
}

TEST(hands_close_pull_until_a_force_and_open)
{
    script_rig rig = rig_start("step \"take\": \"The right hand takes the end.\"\n"
                               "right move to end of thread in 50 ms\nwait 50 ms\nright close\n"
                               "step \"pull\"\n"
                               "right move by (50, 0, 0) mm in 1 s until force of right above 0.5 N\n"
                               "wait until lag of right above 0.1 mm\n"
                               "right open\n");
    rig_steps(&rig, 10);
    cg_script_state state = cg_session_get_script(rig.session);
    CHECK_INT(state.step, 1);
    CHECK_INT(state.step_count, 2);
    CHECK_STR(state.name, "take");
    CHECK_STR(state.text, "The right hand takes the end.");
    CHECK_INT(state.line, 2);
    double strongest = 0;
    while (cg_session_get_script(rig.session).phase == CG_SCRIPT_RUNNING) {
        double force = v3_length(rig_hand(&rig, 1).force);
        strongest = force > strongest ? force : strongest;
        rig_steps(&rig, 1);
    }
    CHECK(strongest > 0.5 && strongest < 0.7); // it stopped soon after
    CHECK(rig_command(&rig, 1).x < 0.06);
    CHECK(!rig_hand(&rig, 1).closed);
    CHECK_STR(cg_session_get_script(rig.session).name, "pull");
    rig_end(&rig);
}

// Over the section of a thread of 0.5 mm radius a megapascal is 0.785 N.
TEST(a_force_may_be_counted_by_the_section_of_the_thread)
{
    script_rig rig = rig_start("right move to end of thread in 50 ms\nwait 50 ms\nright close\n"
                               "right move by (50, 0, 0) mm in 1 s until force of right above 0.6 MPa\n");
    double strongest = 0;
    while (cg_session_get_script(rig.session).phase == CG_SCRIPT_RUNNING) {
        rig_steps(&rig, 1);
        strongest = fmax(strongest, v3_length(rig_hand(&rig, 1).force));
    }
    CHECK(strongest > 0.6 * 0.785 && strongest < 0.8 * 0.785);
    CHECK(rig_command(&rig, 1).x < 0.06);
    rig_end(&rig);
}

TEST(a_hand_takes_tools)
{
    script_rig rig = rig_start("right move to end of thread in 50 ms\nwait 50 ms\nright close\nwait 1 ms\n"
                               "right take hook\nwait 1 ms\nright close\nwait 1 ms\nright take grasper\n");
    rig_steps(&rig, 101);
    CHECK(rig_hand(&rig, 1).closed && rig_hand(&rig, 1).vertex_count > 0);
    rig_steps(&rig, 1);
    CHECK_INT(rig_hand(&rig, 1).tool, CG_TOOL_HOOK);
    CHECK(!rig_hand(&rig, 1).closed && rig_hand(&rig, 1).vertex_count == 0);
    rig_steps(&rig, 1); // a hook that is closed holds nothing, and that is no failure
    CHECK(rig_hand(&rig, 1).closed && rig_hand(&rig, 1).vertex_count == 0);
    rig_steps(&rig, 2);
    CHECK_INT(rig_hand(&rig, 1).tool, CG_TOOL_GRASPER);
    CHECK_INT(cg_session_get_script(rig.session).phase, CG_SCRIPT_DONE);
    rig_end(&rig);
}

TEST(waits_see_touches_and_distances)
{
    script_rig rig =
        rig_start("right move to end of thread in 50 ms\nwait 50 ms\nright close\n"
                  "wait until thread leaves shape \"ball\"\n"
                  "right move by (-10, 0, -12) mm in 0.2 s until thread touches shape \"ball\"\n"
                  "wait until thread touches shape \"ball\", at most 1 s\n"
                  "wait until distance from right to shape \"ball\" above 30 mm, at most 20 ms or go on\n");
    rig_finish(&rig, CG_SCRIPT_DONE);
    cg_contact_info contact;
    bool touching = false;
    for (int i = 0; cg_world_get_contact(cg_session_world(rig.session), i, &contact); i++) {
        touching = touching || contact.shape.index != 0;
    }
    CHECK(touching);
    rig_end(&rig);
}

TEST(repeats_end_by_count_or_by_condition)
{
    script_rig rig =
        rig_start("repeat 3 times\n  left move by (1, 0, 0) mm in 2 ms\n  repeat 2 times\n    right move by "
                  "(0, 1, 0) mm in 1 ms\n  end\nend\n"
                  "repeat 100 times until distance from left to (0, 0, 0) mm above 30 mm\n"
                  "  left move by (0, 0, 5) mm in 30 ms\nend");
    rig_steps(&rig, 12);
    check_command(&rig, 0, 0.003, 0, 0.01);
    check_command(&rig, 1, 0.04, 0.006, 0.01);
    rig_finish(&rig, CG_SCRIPT_DONE);
    CHECK(rig_command(&rig, 0).z > 0.029 && rig_command(&rig, 0).z < 0.041);
    rig_end(&rig);
}

static void check_failure(const char *script, int line, int column, const char *words)
{
    script_rig rig = rig_start(script);
    rig_finish(&rig, CG_SCRIPT_FAILED);
    cg_scene_error error = cg_session_get_script(rig.session).error;
    CHECK_STR(error.file, "s");
    CHECK_INT(error.line, line);
    CHECK_INT(error.column, column);
    if (!CHECK(strstr(error.message, words) != NULL)) {
        printf("    %s\n", error.message);
    }
    rig_steps(&rig, 10); // the world goes on
    rig_end(&rig);
}

TEST(a_script_that_cannot_go_on_says_where_and_in_which_step)
{
    check_failure("step \"grab\"\n left close", 2, 2, "step \"grab\": the hand closed on nothing");
    check_failure("step \"wait\"\nwait until force of left above 1 N, at most 5 ms", 2, 1, "step \"wait\": it waited");
    check_failure("repeat 1000 times\nrepeat 1000 times\nend\nend", 2, 1, "without any time passing");
    check_failure("right move to end of thread + (1, 0, 0) mm in 50 ms\nleft move to end of thread in 50 ms\nwait 50 "
                  "ms\nright close; left close",
                  4, 14, "held there already");
}

TEST(an_expectation_that_is_not_met_ends_the_script)
{
    check_failure("expect knot overhand in thread", 1, 1, "found the knot 0_1 (no knot); expected overhand");
    check_failure("step \"look\"\nexpect knot \"3_1\" in thread \"cord\"", 2, 1, "step \"look\": found the knot 0_1");
    check_failure("expect left holds thread", 1, 1, "what it expects here is not so");
    check_failure("right move to end of thread in 50 ms\nwait 50 ms\nright close\nexpect right holds nothing", 4, 1,
                  "is not so");
    check_failure("expect force of left above 1 N", 1, 1, "found a force of 0 N; expected above 1 N");
    check_failure("expect distance from left to right below 1 mm", 1, 1, "mm; expected below 1 mm");
    check_failure("expect turns of thread around left above 2", 1, 1, "expected above 2");
    check_failure("wait until lag of left above 2 mm, at most 5 ms", 1, 1,
                  "it waited for 0.005 s, and found a lag of 0 mm; expected above 2 mm");
}

TEST(expectations_that_are_met_let_the_script_go_on)
{
    script_rig rig = rig_start("expect knot \"no knot\" in thread\nexpect knot \"0_1\" in thread \"other\"\n"
                               "expect left holds nothing\nexpect thread leaves itself\n"
                               "right move to end of thread in 50 ms\nwait 50 ms\nright close\n"
                               "wait until right holds thread, at most 1 ms\nexpect right holds thread\n"
                               "right open\nexpect hand \"right\" holds nothing");
    rig_finish(&rig, CG_SCRIPT_DONE);
    rig_end(&rig);
}

#define KNOT(kind)                                                                                                     \
    "{\"suture\": \"3-0 silk\", \"spacing\": \"0.4 mm\", \"shape\": {\"knot\": {\"kind\": " kind                       \
    ", \"tail\": \"12 mm\", \"gap\": \"0.44 mm\"}}}"

// Scenes whose threads are tied when they begin; of two threads the knot between them is meant.
TEST(knots_are_told_by_their_names)
{
    static const struct {
        const char *threads, *good, *bad;
    } cases[] = {{KNOT("\"overhand\""), "expect knot overhand", "expect knot figure-eight"},
                 {KNOT("\"figure-eight\""), "expect knot \"4_1\"", "expect knot \"no knot\""},
                 {KNOT("\"reef\", \"strand\": 1") ", " KNOT("\"reef\", \"strand\": 2"), "expect knot square",
                  "expect knot granny"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "{\"max_contacts\": 60, \"threads\": [%s], \"hands\": [{}]}", cases[i].threads);
        script_rig rig = {.scene = rig_scene(text)};
        rig.session = rig_session(rig.scene, NULL);
        cg_scene_error error;
        CHECK_STR(cg_session_run_script(rig.session, cases[i].good, strlen(cases[i].good), "s", &error).message, "");
        rig_finish(&rig, CG_SCRIPT_DONE);
        CHECK_STR(cg_session_run_script(rig.session, cases[i].bad, strlen(cases[i].bad), "s", &error).message, "");
        rig_finish(&rig, CG_SCRIPT_FAILED);
        rig_end(&rig);
    }
}

TEST(a_place_that_is_gone_ends_the_script)
{
    script_rig rig = rig_start("wait 5 ms\nright move to end of thread in 1 s");
    rig_steps(&rig, 20);
    cg_operation remove = {.kind = CG_OPERATION_remove_thread};
    CHECK_INT(cg_session_apply(rig.session, &remove).code, CG_OK);
    rig_finish(&rig, CG_SCRIPT_FAILED);
    CHECK(strstr(cg_session_get_script(rig.session).error.message, "is gone") != NULL);
    rig_end(&rig);
}

TEST(a_script_is_stopped_and_replaced)
{
    script_rig rig = rig_start("left move by (1, 0, 0) m in 1 s");
    cg_scene_error error;
    rig_steps(&rig, 10);
    CHECK_INT(cg_session_run_script(rig.session, "nobody", 6, "t", &error).code, CG_BAD_INPUT);
    CHECK_INT(cg_session_get_script(rig.session).phase, CG_SCRIPT_RUNNING);
    CHECK_INT(cg_session_run_script(rig.session, "left open", 9, "t", &error).code, CG_OK);
    rig_finish(&rig, CG_SCRIPT_DONE);
    cg_vec3 command = rig_command(&rig, 0);
    CHECK(command.x > 0 && command.x < 0.1);
    CHECK_INT(cg_session_run_script(rig.session, "wait 1 s", 8, "t", &error).code, CG_OK);
    cg_session_stop_script(rig.session);
    CHECK_INT(cg_session_get_script(rig.session).phase, CG_SCRIPT_STOPPED);
    rig_steps(&rig, 2);
    rig_end(&rig);
}

TEST(a_step_with_a_script_takes_no_memory)
{
    script_rig rig =
        rig_start("right move to end of thread in 20 ms\nwait 20 ms\nright close\nrepeat 5 times\nleft circle "
                  "1 rad around right about (1, 0, 0) in 10 ms; right move by (0, 0, 1) mm in 5 ms\nend");
    long before = test_allocations();
    rig_steps(&rig, 120);
    CHECK_INT(test_allocations() - before, 0);
    CHECK_INT(cg_session_get_script(rig.session).phase, CG_SCRIPT_DONE);
    rig_end(&rig);
}

TEST(mistakes_get_a_place_and_a_hint)
{
    static const struct {
        const char *text;
        int line, column;
        const char *words;
    } cases[] = {
        {"lefft close", 1, 1, "there is no hand \"lefft\" in the scene; did you mean \"left\"?"},
        {"left", 1, 5, "found the end of the script; expected what the hand does"},
        {"\n\n  left clsoe", 3, 8, "did you mean \"close\"?"},
        {"left twirl", 1, 6, "expected move, circle, wrap, turn, close, open, take or jaws"},
        {"left wrap 90 deg around left in 1 s", 1, 25, "found the hand that goes around; expected another"},
        {"left wrap 90 deg around ball in 1 s", 1, 25, "there is no hand \"ball\""},
        {"left wrap 90 deg around right at -1 mm in 1 s", 1, 34, "expected more than 0"},
        {"left wrap 90 deg around right to 5 mm in 1 s", 1, 39, "expected \"ahead\""},
        {"left move by (1, 0, 0) mm of ball in 1 s", 1, 30, "there is no hand \"ball\""},
        {"left move up", 1, 11, "found \"up\"; expected \"to\" and a place"},
        {"left move to (1, 2) mm in 1 s", 1, 19, "found \")\"; expected \",\""},
        {"left move to (1, 2, 3) in 1 s", 1, 14, "found (1, 2, 3) without a unit; expected one behind it, such as mm"},
        {"left move to (0, 0, 0)", 1, 14, "found (0, 0, 0) without a unit"},
        {"left move to (1, 2, 3) needle_radii in 1 s", 1, 24, "found \"needle_radii\"; expected a unit such as mm"},
        {"left move to (1, 2, 3) s in 1 s", 1, 14, "a time; expected a length"},
        {"left move to (1, 2, 3) mm", 1, 26, "expected \"in\""},
        {"left move to (1, 2, 3) mm in 1 mm", 1, 30, "a length; expected a time"},
        {"left move to (1, 2, 3) mm in -1 s", 1, 30, "found -1 s; expected 0 to 1000 s"},
        {"left move to (1e9, 2, 3) mm in 1 s", 1, 14, "longer than 1000"},
        {"left move to end of rope in 1 s", 1, 21, "expected \"thread\""},
        {"left move to end of thread \"crod\" in 1 s", 1, 28, "did you mean \"cord\"?"},
        {"left move to 1.5 of thread in 1 s", 1, 14, "a share of the thread or body from 0 to 1"},
        {"left move to shape \"bal\" in 1 s", 1, 20, "there is no shape \"bal\" in the scene; did you mean \"ball\"?"},
        {"left move to shape ball in 1 s", 1, 20, "in quotes"},
        {"left circle 90 deg around left about (0, 0, 0) in 1 s", 1, 38, "a direction without length"},
        {"left take prob", 1, 11, "found \"prob\"; expected a tool: grasper, probe, scalpel, hook, needle_driver"},
        {"left close; left open", 1, 13, "the hand does something else in this line"},
        {"left close right close", 1, 12, "found \"right\"; expected the end of the line"},
        {"wait until", 1, 11, "expected a condition"},
        {"wait until force of left over 1 N", 1, 26, "\"above\" or \"below\""},
        {"wait until thread kisses itself", 1, 19, "\"touches\", \"leaves\" or \"is\""},
        {"wait until force of left above 1 N, at least 2 s", 1, 40, "expected \"most\""},
        {"expect", 1, 7, "expected a condition"},
        {"expect knot", 1, 12, "the name of a knot, such as overhand"},
        {"expect knot 3_1", 1, 13, "or \"3_1\""},
        {"expect knot overhand in cord", 1, 25, "expected \"thread\""},
        {"expect left has thread", 1, 13, "expected \"holds\""},
        {"expect left holds breath", 1, 19, "\"thread\", \"tissue\", \"body\" or \"nothing\""},
        {"repeat 0 times\nend", 1, 8, "expected a whole number, 1 to 1000"},
        {"repeat 2 times\nleft close", 1, 1, "a repeat without an end"},
        {"end", 1, 1, "the end of nothing; expected a repeat or try before it"},
        {"try 2 times\nleft close", 1, 1, "a try without an end"},
        {"try 0 times\nend", 1, 5, "expected a whole number, 1 to 1000"},
        {"try 2 times: again\nend", 1, 14, "why it is tried again, in quotes"},
        {"try twice\nend", 1, 5, "expected a number"},
        {"again", 1, 1, "\"again\" where nothing is tried"},
        {"try 2 times\nrepeat 2 times\nagain\nend\nend", 3, 1, "expected it once, between a try and its end"},
        {"try 2 times\nagain\nagain\nend", 3, 1, "expected it once, between a try and its end"},
        {"expect throws 1", 1, 15, "throws in quotes, such as \"1=1\""},
        {"expect gap of tissue at left along (1, 0, 0) below 1 mm", 1, 15, "no tissue: the scene has none"},
        {"expect opening of left over 10 %", 1, 24, "\"above\" or \"below\""},
        {"expect force of stitches above 1 mm", 1, 32, "a length; expected a force"},
        {"left move to 2 MPa along thread in 1 s", 1, 14, "expected a length"},
        {"expect tear of tissue above 1 mm", 1, 16, "no tissue: the scene has none"},
        {"expect holes of thread above 1 mm", 1, 30, "a length; expected a number"},
        {"expect thread is gone", 1, 18, "\"parted\" or \"whole\""},
        {"left move to right + (0, 0, 1) mm of thread in 1 s", 1, 38, "there is no hand \"thread\""},
        {"left move to right + (0, 0, 1) mm of left - (0, 0, 1) mm of right in 1 s", 1, 61, "of a second hand"},
        {"left jaws to 2 with 1 N", 1, 14, "found an opening of 2; expected 0 to 1"},
        {"step grab", 1, 6, "the name of the step in quotes"},
        {"step \"grab", 1, 6, "without its second quote"},
        {"step \"grab\": take it", 1, 14, "a sentence in quotes"},
        {"left move to (1, 2, @) mm in 1 s", 1, 21, "a character that no script has"},
        {"left move to (1, 2, .5) mm in 1 s", 1, 21, "a character that no script has"},
        {"left move to (1, 2, 1.) mm in 1 s", 1, 21, "something like a number"},
        {"\xff", 1, 1, "bytes that are no text"},
    };
    cg_scene *scene = rig_scene(SCENE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cg_scene_error error;
        cg_status status = cg_script_check(cases[i].text, strlen(cases[i].text), "a.script", scene, NULL, &error);
        bool placed = error.line == cases[i].line && error.column == cases[i].column;
        if (!CHECK_INT(status.code, CG_BAD_INPUT) || !CHECK(placed) || !CHECK(strstr(error.message, cases[i].words))) {
            printf("    %s\n    %d:%d: %s\n", cases[i].text, error.line, error.column, error.message);
        }
    }
    cg_scene_free(scene);
}

TEST(limits_are_refused_with_a_place)
{
    size_t room = 300 * 1024;
    char *text = malloc(room);
    cg_scene_error error;
    size_t used = 0;
    for (int i = 0; i < 5000; i++) {
        used += (size_t)snprintf(text + used, room - used, "wait 1 s\n");
    }
    CHECK_INT(cg_script_check(text, used, "a", NULL, NULL, &error).code, CG_BAD_INPUT);
    CHECK_INT(error.line, 4097);
    memset(text, '\n', room);
    CHECK_INT(cg_script_check(text, room, "a", NULL, NULL, &error).code, CG_BAD_INPUT);
    CHECK_INT(cg_script_check(text, 1000, "a", NULL, NULL, &error).code, CG_OK);
    used = 0;
    for (int i = 0; i < 9; i++) {
        used += (size_t)snprintf(text + used, room - used, "repeat 2 times\n");
    }
    CHECK_INT(cg_script_check(text, used, "a", NULL, NULL, &error).code, CG_BAD_INPUT);
    CHECK_INT(error.line, 9);
    free(text);
}

TEST(the_camera_looks_from_place_to_place)
{
    script_rig rig = rig_start("look from (0, -100, 50) mm at end of thread + (0, 0, 2) mm\nwait 1 s");
    rig_steps(&rig, 2);
    cg_camera camera = cg_world_get_camera(cg_session_world(rig.session));
    CHECK_NEAR(camera.position.y, -0.1, 1e-12);
    CHECK_NEAR(camera.position.z, 0.05, 1e-12);
    CHECK_NEAR(camera.target.x, 0.04, 1e-6);
    CHECK_NEAR(camera.target.z, 0.002, 1e-6);
    rig_end(&rig);
}

TEST(a_camera_that_stands_on_what_it_looks_at_ends_the_script)
{
    script_rig rig = rig_start("step \"look\"\nlook from (0, 0, 1) mm at (0, 0, 1) mm\nwait 1 s");
    rig_steps(&rig, 2);
    cg_script_state state = cg_session_get_script(rig.session);
    CHECK_INT(state.phase, CG_SCRIPT_FAILED);
    CHECK_INT(state.error.line, 2);
    rig_end(&rig);
}
