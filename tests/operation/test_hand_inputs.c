// Hands of scenes, and the operations and inputs that move them and the camera.
#include <math.h>
#include <stdio.h>

#include "operation/fields.h"
#include "session/session_rig.h"

#define THREAD                                                                                                         \
    "\"gravity\": [0, 0, 0], \"threads\": [{\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"40 mm\", 0, 0]}}, " \
    "\"vertices\": 21}]"

static cg_hand_state hand_of(const cg_session *session, int place)
{
    return cg_hand_get_state(cg_session_world(session), cg_session_hand(session, place));
}

static void run_steps(cg_session *session, int steps)
{
    for (int i = 0; i < steps; i++) {
        cg_session_step(session);
    }
}

TEST(a_scene_has_the_hands_it_names_or_two)
{
    cg_scene *scene = rig_scene("{" THREAD "}");
    cg_session *session = rig_session(scene, NULL);
    CHECK_INT(cg_scene_hand_count(scene), 2);
    CHECK_STR(cg_scene_hand_name(scene, 0), "left");
    CHECK_STR(cg_scene_hand_name(scene, 1), "right");
    CHECK(cg_scene_hand_name(scene, 2) == NULL);
    CHECK_NEAR(hand_of(session, 1).pose.position.x, 0.04, 0);
    CHECK_INT(cg_session_hand(session, 2).index, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
    scene = rig_scene("{" THREAD ", \"hands\": []}");
    CHECK_INT(cg_scene_hand_count(scene), 0);
    cg_scene_free(scene);
    scene =
        rig_scene("{" THREAD ", \"hands\": [{}, {\"name\": \"my hand\", \"position\": [0, 0, \"1 cm\"], \"rotation\": "
                  "{\"axis\": [0, 0, 1], \"angle\": \"180 deg\"}}]}");
    session = rig_session(scene, NULL);
    CHECK_STR(cg_scene_hand_name(scene, 0), "hand-1");
    CHECK_STR(cg_scene_hand_name(scene, 1), "my hand");
    CHECK_NEAR(hand_of(session, 1).pose.position.z, 0.01, 0);
    CHECK_NEAR(hand_of(session, 1).pose.rotation.z, 1, 1e-15);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(mistakes_about_hands_get_a_place)
{
    static const struct {
        const char *hands, *place, *words;
    } cases[] = {
        {"[{\"name\": \"a\"}, {\"name\": \"a\"}]", "1:36", "a second hand named \"a\""},
        {"[{\"mass\": 0}]", "1:21", "expected"},
        {"[{\"reach\": \"3 s\"}]", "1:22", "a length"},
        {"[{\"max_forc\": 1}]", "1:13", "did you mean \"max_force\"?"},
        {"[{\"tool\": \"scalpell\"}]", "1:21", "did you mean \"scalpel\"?"},
        {"[{\"grip\": -1}]", "1:21", "expected"},
        {"[{\"probe\": {\"radius\": 0}}]", "1:33", "expected"},
        {"[{\"scalpel\": {\"edge\": [0, 0, 0]}}]", "1:33", "an edge 0 m long"},
        {"[{\"hook\": {\"power\": \"1 N\"}}]", "1:31", "a power"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200], place[32];
        cg_scene *scene;
        cg_scene_error error;
        snprintf(text, sizeof text, "{\"hands\": %s}", cases[i].hands);
        CHECK_INT(cg_scene_read(text, strlen(text), "t", NULL, NULL, &scene, &error).code, CG_BAD_INPUT);
        snprintf(place, sizeof place, "%d:%d", error.line, error.column);
        CHECK_STR(place, cases[i].place);
        if (!CHECK(strstr(error.message, cases[i].words) != NULL)) {
            printf("    %s\n", error.message);
        }
    }
}

TEST(inputs_move_close_and_open_hands_and_keep_what_is_not_given)
{
    cg_scene *scene = rig_scene(
        "{" THREAD ", \"hands\": [{\"name\": \"left\", \"position\": [\"20 mm\", 0, 0], \"jaw_length\": \"5 mm\"}]}");
    cg_session *session = rig_session(
        scene, "[{\"at\": \"10 ms\", \"close_hand\": {\"hand\": \"left\"}},"
               "{\"at\": \"20 ms\", \"move_hand\": {\"hand\": \"left\", \"position\": [\"20 mm\", 0, \"8 mm\"], "
               "\"time\": \"40 ms\"}},"
               "{\"at\": \"70 ms\", \"move_hand\": {\"hand\": \"left\", \"rotation\": {\"axis\": [0, 0, 1], "
               "\"angle\": \"1 rad\"}}},"
               "{\"at\": \"90 ms\", \"open_hand\": {\"hand\": \"left\"}}]");
    run_steps(session, 11);
    CHECK(hand_of(session, 0).closed && hand_of(session, 0).vertex_count == 3); // 2 mm apart, in a jaw of 5 mm
    run_steps(session, 29);                                                     // 20 of the 40 steps of the way
    CHECK_NEAR(hand_of(session, 0).command.position.z, 4e-3, 1e-12);
    run_steps(session, 40);
    CHECK_NEAR(hand_of(session, 0).command.position.z, 8e-3, 1e-12);
    CHECK_NEAR(hand_of(session, 0).command.rotation.z, sin(0.5), 1e-12);
    run_steps(session, 20);
    CHECK(!hand_of(session, 0).closed && hand_of(session, 0).vertex_count == 0);
    // What it held went along.
    int count;
    const cg_vec3 *x = cg_thread_positions(cg_session_world(session), cg_session_thread(session, 0), &count);
    CHECK(x[10].z > 5e-3);
    CHECK_INT(cg_session_get_stats(session).refused, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(a_hand_of_a_scene_has_its_tools_and_inputs_change_them)
{
    cg_scene *scene = rig_scene(
        "{" THREAD ", \"hands\": [{\"name\": \"left\", \"position\": [\"20 mm\", 0, 0], \"grip\": \"2 N\", "
        "\"jaw_friction\": 0.5, \"probe\": {\"radius\": \"1 mm\", \"length\": \"5 cm\", \"friction\": 0.1}, "
        "\"scalpel\": {\"edge\": [\"1 mm\", 0, \"5 mm\"], \"width\": \"2 mm\"}, \"hook\": {\"radius\": \"1 mm\", "
        "\"power\": \"20 W\", \"length\": 0}}, {\"tool\": \"scalpel\", \"position\": [0, \"50 mm\", 0]}]}");
    cg_session *session = rig_session(scene, "[{\"at\": 0, \"close_hand\": {\"hand\": \"left\"}},"
                                             "{\"at\": \"2 ms\", \"hand_tool\": {\"hand\": \"left\", \"tool\": "
                                             "\"hook\"}}]");
    cg_hand_def def;
    CHECK(cg_hand_get_def(cg_session_world(session), cg_session_hand(session, 0), &def));
    CHECK_NEAR(def.grip, 2, 0);
    CHECK_NEAR(def.jaw_friction, 0.5, 0);
    CHECK_NEAR(def.rod_radius, 1e-3, 1e-18);
    CHECK_NEAR(def.rod_length, 0.05, 1e-16);
    CHECK_NEAR(def.rod_friction, 0.1, 0);
    CHECK_NEAR(def.edge.x, 1e-3, 1e-18);
    CHECK_NEAR(def.edge.z, 5e-3, 1e-17);
    CHECK_NEAR(def.hook_radius, 1e-3, 1e-18);
    CHECK_NEAR(def.hook_power, 20, 0);
    CHECK_NEAR(def.blade_width, 2e-3, 1e-18);
    CHECK(def.hook_length == 0);
    CHECK_INT(hand_of(session, 0).tool, CG_TOOL_GRASPER);
    CHECK_INT(hand_of(session, 1).tool, CG_TOOL_SCALPEL);
    run_steps(session, 2);
    CHECK(hand_of(session, 0).closed && hand_of(session, 0).vertex_count > 0);
    run_steps(session, 1);
    CHECK_INT(hand_of(session, 0).tool, CG_TOOL_HOOK);
    CHECK(!hand_of(session, 0).closed && hand_of(session, 0).vertex_count == 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(a_camera_keeps_what_is_not_given)
{
    cg_scene *scene = rig_scene("{" THREAD "}");
    cg_session *session =
        rig_session(scene, "[{\"at\": 0, \"move_camera\": {\"position\": [0, \"-20 cm\", 0]}}, {\"at\": \"1 ms\", "
                           "\"move_camera\": {\"target\": [0, 0, \"1 cm\"]}}, {\"at\": \"2 ms\", \"move_camera\": "
                           "{\"up\": [0, 1, 0], \"position\": [0, \"-1 cm\", \"1 cm\"]}}]");
    run_steps(session, 5);
    cg_camera camera = cg_world_get_camera(cg_session_world(session));
    CHECK_NEAR(camera.position.y, -0.2, 0);
    CHECK_NEAR(camera.target.z, 0.01, 0);
    CHECK_NEAR(camera.up.z, 1, 0); // the last one would look along its own up
    CHECK_INT(cg_session_get_stats(session).refused, 1);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(operations_on_hands_that_are_not_there_are_refused)
{
    cg_scene *scene = rig_scene("{" THREAD "}");
    cg_session *session = rig_session(scene, NULL);
    uint64_t hash = cg_world_state_hash(cg_session_world(session));
    cg_operation operations[] = {
        {.kind = CG_OPERATION_close_hand, .as.close_hand = {2}},
        {.kind = CG_OPERATION_open_hand, .as.open_hand = {-1}},
        {.kind = CG_OPERATION_move_hand, .as.move_hand = {7, {0, 0, 0}, {0, 0, 0, 1}, 0}},
        {.kind = CG_OPERATION_move_hand, .as.move_hand = {0, {0, 0, 0}, {0, 0, 0, 0}, 0}},
        {.kind = CG_OPERATION_move_hand, .as.move_hand = {0, {0, 0, 0}, {0, 0, 0, 1}, 1e9}},
        {.kind = CG_OPERATION_hand_tool, .as.hand_tool = {2, CG_TOOL_PROBE}},
        {.kind = CG_OPERATION_hand_tool, .as.hand_tool = {0, CG_TOOL_COUNT}},
    };
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        CHECK(cg_session_apply(session, &operations[i]).code != CG_OK);
    }
    CHECK_HASH(cg_world_state_hash(cg_session_world(session)), hash);
    cg_session_destroy(session);
    cg_scene_free(scene);
}
