// Timed inputs: what they do step by step, and what is said of wrong ones.
#include <math.h>
#include <stdio.h>

#include "operation/fields.h"
#include "session/session_rig.h"

static const char TWO_THREADS[] =
    "{\"threads\": ["
    "{\"name\": \"left\", \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"2 cm\", 0, 0]}}, \"vertices\": 11, "
    "\"start\": \"clamped\", \"finish\": \"clamped\"},"
    "{\"name\": \"right\", \"shape\": {\"line\": {\"from\": [0, \"1 cm\", 0], \"to\": [\"2 cm\", \"1 cm\", 0]}}, "
    "\"vertices\": 6}]}";

TEST(a_ramp_of_a_hold_is_linear_in_time)
{
    cg_scene *scene = rig_scene(TWO_THREADS);
    cg_session *session =
        rig_session(scene, "[{\"from\": \"10 ms\", \"to\": \"50 ms\", \"hold\": {\"thread\": \"right\","
                           "\"vertex\": -1, \"target\": [\"3 cm\", \"2 cm\", \"4 cm\"]}},"
                           "{\"at\": 0, \"hold\": {\"thread\": \"right\", \"vertex\": 5, \"target\":"
                           "[\"2 cm\", \"1 cm\", 0]}}]");
    const cg_world *world = cg_session_world(session);
    for (int step = 1; step <= 80; step++) {
        cg_session_step(session);
        double share = step <= 10 ? 0 : step >= 50 ? 1 : (step - 10) / 40.0;
        cg_vec3 at = cg_thread_positions(world, cg_session_thread(session, 1), NULL)[5];
        CHECK_NEAR(at.x, 0.02 + 0.01 * share, 1e-12);
        CHECK_NEAR(at.y, 0.01 + 0.01 * share, 1e-12);
        CHECK_NEAR(at.z, 0.04 * share, 1e-12);
    }
    CHECK_INT(cg_session_get_stats(session).applied, 40 + 1);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(a_ramp_of_an_end_moves_only_what_is_given)
{
    cg_scene *scene = rig_scene(TWO_THREADS);
    cg_session *session = rig_session(
        scene,
        "[{\"from\": 0, \"to\": \"20 ms\", \"set_end\": {\"thread\": \"left\", \"end\": \"finish\", \"turn\": \"360 "
        "deg\"}},"
        "{\"at\": \"5 ms\", \"set_end\": {\"thread\": \"left\", \"end\": \"finish\", \"position\": [\"19 mm\", 0, 0]}},"
        "{\"at\": \"30 ms\", \"set_end\": {\"thread\": \"left\", \"end\": \"finish\", \"kind\": \"pinned\"}},"
        "{\"at\": \"30 ms\", \"set_end\": {\"thread\": \"right\", \"end\": \"start\", \"kind\": \"clamped\"}}]");
    const cg_world *world = cg_session_world(session);
    for (int step = 1; step <= 31; step++) {
        cg_end_hold before = cg_thread_get_end(world, cg_session_thread(session, 0), CG_FINISH);
        cg_vec3 free_end = cg_thread_positions(world, cg_session_thread(session, 1), NULL)[0];
        cg_session_step(session);
        cg_end_hold hold = cg_thread_get_end(world, cg_session_thread(session, 0), CG_FINISH);
        CHECK_NEAR(hold.turn, 2 * acos(-1.0) * (step < 20 ? step / 20.0 : 1), 1e-12);
        CHECK_NEAR(hold.position.x, step <= 5 ? 0.02 : 0.019, 0);
        CHECK_NEAR(v3_distance(hold.direction, before.direction), 0, 0);
        CHECK_INT(hold.kind, step <= 30 ? CG_END_CLAMPED : CG_END_PINNED);
        if (step == 31) { // a free end is clamped where it is
            cg_end_hold clamp = cg_thread_get_end(world, cg_session_thread(session, 1), CG_START);
            CHECK_INT(clamp.kind, CG_END_CLAMPED);
            CHECK_NEAR(v3_distance(clamp.position, free_end), 0, 0);
        }
    }
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// Force times time is momentum: without gravity and drag a free thread gains exactly what the pushes give.
TEST(a_push_lasts_as_long_as_it_says)
{
    static const char floating[] = "{\"gravity\": [0, 0, 0], \"threads\": [{\"name\": \"a\", \"drag\": 0, "
                                   "\"linear_density\": \"1 g/m\", \"shape\": "
                                   "{\"line\": {\"from\": [0, 0, 0], \"to\": [\"10 cm\", 0, 0]}}, \"vertices\": 11}]}";
    cg_scene *scene = rig_scene(floating);
    cg_session *session = rig_session(
        scene,
        "[{\"during\": [\"10 ms\", \"30 ms\"], \"push_segment\": {\"thread\": \"a\", \"segment\": -6, \"fraction\": "
        "0.25, \"force\": [0, 0, \"1 mN\"]}},"
        " {\"at\": \"40 ms\", \"push_vertex\": {\"thread\": \"a\", \"vertex\": 0, \"force\": [0, \"2 mN\", 0]}}]");
    for (int step = 0; step < 60; step++) {
        cg_session_step(session);
    }
    int count;
    const cg_vec3 *velocity = cg_thread_velocities(cg_session_world(session), cg_session_thread(session, 0), &count);
    cg_vec3 momentum = v3_zero();
    for (int i = 0; i < count; i++) { // half a segment's mass at each end
        momentum = v3_add_scaled(momentum, (i == 0 || i == count - 1 ? 0.5 : 1) * 1e-5, velocity[i]);
    }
    CHECK_NEAR(momentum.z, 1e-3 * 20e-3, 1e-12);
    CHECK_NEAR(momentum.y, 2e-3 * 1e-3, 1e-12);
    CHECK_INT(cg_session_get_stats(session).applied, 21);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(times_are_taken_to_the_nearest_step)
{
    cg_scene *scene = rig_scene(TWO_THREADS);
    static const double times[] = {0, 0.4e-3, 0.6e-3, 1e-3, 7.49e-3, 7.51e-3};
    static const int steps[] = {0, 0, 1, 1, 7, 8};
    for (int i = 0; i < 6; i++) {
        char text[200];
        snprintf(text, sizeof text, "[{\"at\": %.17g, \"release\": {\"thread\": \"left\", \"vertex\": 0}}]", times[i]);
        cg_session *session = rig_session(scene, text);
        for (int step = 0; step < 10; step++) {
            CHECK_INT(cg_session_get_stats(session).applied, step > steps[i]);
            cg_session_step(session);
        }
        cg_session_destroy(session);
    }
    cg_scene_free(scene);
}

// The long sum of steps must not lose or repeat one.
TEST(ramps_that_follow_each_other_leave_no_gap)
{
    cg_scene *scene = rig_scene(TWO_THREADS);
    char text[20000] = "[", *at = text + 1;
    enum { PARTS = 100 };
    for (int i = 0; i < PARTS; i++) {
        at += sprintf(at,
                      "{\"from\": \"%d ms\", \"to\": \"%d ms\", \"hold\": {\"thread\": \"left\", \"vertex\": 5, "
                      "\"target\": [\"1 cm\", 0, 0]}},",
                      7 * i, 7 * (i + 1));
    }
    strcpy(at, "]");
    cg_session *session = rig_session(scene, text);
    for (int step = 0; step < 7 * PARTS + 20; step++) {
        cg_session_step(session);
        CHECK_INT(cg_session_get_stats(session).applied, step < 7 * PARTS ? step + 1 : 7 * PARTS);
    }
    cg_session_destroy(session);
    cg_scene_free(scene);
}

static const char ROD[] = "{\"shapes\": [{\"name\": \"table\", \"half_space\": {}, \"position\": [0, 0, -1]},"
                          "{\"name\": \"rod\", \"capsule\": {\"radius\": \"2 mm\", \"half_length\": \"5 mm\"}, "
                          "\"position\": [0, 0, \"1 cm\"]}]}";

// A quarter turn about y while the rod goes along x, then along z alone.
TEST(a_ramp_of_a_shape_turns_evenly_and_moves_only_what_is_given)
{
    cg_scene *scene = rig_scene(ROD);
    cg_session *session = rig_session(
        scene,
        "[{\"from\": 0, \"to\": \"30 ms\", \"move_shape\": {\"shape\": \"rod\", \"position\": [\"3 cm\", 0, \"1 cm\"],"
        "\"rotation\": {\"axis\": [0, 2, 0], \"angle\": \"90 deg\"}}},"
        "{\"from\": \"40 ms\", \"to\": \"50 ms\", \"move_shape\": {\"shape\": \"rod\", \"position\": [\"3 cm\", 0, "
        "0]}},"
        "{\"at\": \"60 ms\", \"move_shape\": {\"shape\": \"table\", \"rotation\": {\"axis\": [0, 0, 1], \"angle\": "
        "1}}},"
        "{\"from\": \"60 ms\", \"to\": \"70 ms\", \"move_shape\": {\"shape\": \"rod\", \"rotation\": {\"axis\": [0, 1, "
        "0], "
        "\"angle\": 0}}}]");
    const cg_world *world = cg_session_world(session);
    for (int step = 1; step <= 75; step++) {
        cg_session_step(session);
        cg_transform pose = cg_shape_get_pose(world, cg_operation_shape(world, 1));
        double first = step < 30 ? step / 30.0 : 1, second = step < 40 ? 0 : step < 50 ? (step - 40) / 10.0 : 1;
        double back = step < 60 ? 1 : step < 70 ? (70 - step) / 10.0 : 0;
        CHECK_NEAR(v3_distance(pose.position, v3(0.03 * first, 0, 0.01 * (1 - second))), 0, 1e-15);
        CHECK_NEAR(pose.rotation.y, sin(first * back * acos(-1.0) / 4), 1e-14);
        CHECK_NEAR(pose.rotation.w, cos(first * back * acos(-1.0) / 4), 1e-14);
    }
    cg_transform table = cg_shape_get_pose(world, cg_operation_shape(world, 0));
    CHECK_NEAR(table.position.z, -1, 0); // as it was
    CHECK_NEAR(table.rotation.z, sin(0.5), 1e-15);
    CHECK_INT(cg_session_get_stats(session).applied, 30 + 10 + 1 + 10);
    CHECK_INT(cg_session_get_stats(session).refused, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// Three quarters of a turn about z are a quarter the other way round; from there to a turn about another axis it is the
// shorter way again.
TEST(a_ramp_of_a_shape_turns_the_shorter_way_round)
{
    cg_scene *scene = rig_scene(ROD);
    cg_session *session = rig_session(
        scene,
        "[{\"from\": 0, \"to\": \"20 ms\", \"move_shape\": {\"shape\": \"rod\", \"rotation\": {\"axis\": [0, 0, 1], "
        "\"angle\": \"270 deg\"}}},"
        "{\"from\": \"20 ms\", \"to\": \"40 ms\", \"move_shape\": {\"shape\": \"rod\", \"rotation\": {\"axis\": [0, 0, "
        "1], \"angle\": \"80 deg\"}}}]");
    const cg_world *world = cg_session_world(session);
    const double degree = acos(-1.0) / 180;
    for (int step = 1; step <= 40; step++) {
        cg_session_step(session);
        // from 0 to -90, then by 170 to 80 degrees
        double angle = step <= 20 ? -90 * step / 20.0 : -90 + 170 * (step - 20) / 20.0;
        cg_quat turned = cg_shape_get_pose(world, cg_operation_shape(world, 1)).rotation;
        double sign = turned.w < 0 ? -1 : 1; // both signs are the same rotation
        CHECK_NEAR(sign * turned.z, sin(0.5 * angle * degree), 1e-12);
        CHECK_NEAR(sign * turned.w, cos(0.5 * angle * degree), 1e-12);
    }
    cg_session_destroy(session);
    cg_scene_free(scene);
}

typedef struct mistake {
    const char *text, *place, *part;
} mistake;

static void judge_mistakes(const cg_scene *scene, const mistake *mistakes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cg_session_def def = cg_session_def_default();
        def.inputs = mistakes[i].text;
        def.inputs_size = strlen(mistakes[i].text);
        def.inputs_name = "my.json";
        cg_session *session;
        cg_scene_error error;
        CHECK_INT(cg_session_create(&def, scene, &session, &error).code, CG_BAD_INPUT);
        CHECK(session == NULL);
        char place[64];
        snprintf(place, sizeof place, "%d:%d", error.line, error.column);
        CHECK_STR(error.file, "my.json");
        bool right_place = CHECK_STR(place, mistakes[i].place);
        if (!CHECK(error.message[0] != '\0' && strstr(error.message, mistakes[i].part) != NULL) || !right_place) {
            printf("  for %s\n  said: %s\n", mistakes[i].text, error.message);
        }
    }
}

TEST(mistakes_get_a_place_and_a_hint)
{
    static const mistake mistakes[] = {
        {"", "1:1", ""},
        {"{}", "1:1", "expected an array of inputs"},
        {"[1]", "1:2", "expected an input"},
        {"[{\"at\": 0}]", "1:2", "without an operation"},
        {"[{\"release\": {\"thread\": \"left\", \"vertex\": 0}}]", "1:2", "expected a time"},
        {"[{\"at\": 0, \"from\": 0, \"to\": 1, \"release\": {\"thread\": \"left\", \"vertex\": 0}}]", "1:2", "a time"},
        {"[\n  {\"at\": 0, \"realease\": {}}\n]", "2:13", "did you mean \"release\"?"},
        {"[{\"ta\": 0, \"release\": {\"thread\": \"left\", \"vertex\": 0}}]", "1:3", "did you mean \"at\"?"},
        {"[{\"at\": 0, \"release\": {\"thread\": \"left\", \"vertx\": 0}}]", "1:42", "did you mean \"vertex\"?"},
        {"[{\"at\": 0, \"release\": {\"thread\": \"lefft\", \"vertex\": 0}}]", "1:34", "did you mean \"left\"?"},
        {"[{\"at\": 0, \"release\": {\"thread\": 0, \"vertex\": 0}}]", "1:34", "expected the name of a thread"},
        {"[{\"at\": 0, \"release\": {\"thread\": \"left\"}}]", "1:23", "lacks its field \"vertex\""},
        {"[{\"at\": 0, \"release\": {\"thread\": \"left\", \"vertex\": 11}}]", "1:52", "11"},
        {"[{\"at\": 0, \"release\": {\"thread\": \"left\", \"vertex\": -12}}]", "1:52", "-12"},
        {"[{\"at\": 0, \"release\": {\"thread\": \"left\", \"vertex\": 1.5}}]", "1:52", "1.5"},
        {"[{\"at\": 0, \"push_segment\": {\"thread\": \"left\", \"segment\": 10, \"fraction\": 0, \"force\": "
         "[0,0,0]}}]",
         "1:58", "10"},
        {"[{\"at\": 0, \"push_segment\": {\"thread\": \"left\", \"segment\": 1, \"fraction\": 2, \"force\": [0,0,0]}}]",
         "1:73", "expected 0 to 1"},
        {"[{\"at\": \"1 mm\", \"release\": {\"thread\": \"left\", \"vertex\": 0}}]", "1:9", "time"},
        {"[{\"at\": -1, \"release\": {\"thread\": \"left\", \"vertex\": 0}}]", "1:9", "expected 0 to 1e"},
        {"[{\"at\": 1e999, \"release\": {\"thread\": \"left\", \"vertex\": 0}}]", "1:9", ""},
        {"[{\"at\": NaN, \"release\": {\"thread\": \"left\", \"vertex\": 0}}]", "1:9", ""},
        {"[{\"from\": 0, \"release\": {\"thread\": \"left\", \"vertex\": 0}}]", "1:2", "\"to\" is missing"},
        {"[{\"from\": 1, \"to\": 1, \"hold\": {\"thread\": \"left\", \"vertex\": 0, \"target\": [0,0,0]}}]", "1:20",
         "after its start"},
        {"[{\"from\": 0, \"to\": 1, \"release\": {\"thread\": \"left\", \"vertex\": 0}}]", "1:23",
         "only hold, set_end and move_shape can"},
        {"[{\"from\": 0, \"to\": 1, \"push_vertex\": {\"thread\": \"left\", \"vertex\": 0, \"force\": [0,0,0]}}]",
         "1:23", "\"during\" repeats a push"},
        {"[{\"during\": [0, 1], \"hold\": {\"thread\": \"left\", \"vertex\": 0, \"target\": [0,0,0]}}]", "1:21",
         "make a ramp"},
        {"[{\"during\": [0], \"push_vertex\": {\"thread\": \"left\", \"vertex\": 0, \"force\": [0,0,0]}}]", "1:13",
         "two times"},
        {"[{\"at\": 0, \"hold\": {\"thread\": \"left\", \"vertex\": 0, \"target\": [0,0]}}]", "1:62", "expected three"},
        {"[{\"at\": 0, \"hold\": {\"thread\": \"left\", \"vertex\": 0, \"target\": [0,\"1 N\",0]}}]", "1:65", "length"},
        {"[{\"at\": 0, \"hold\": {\"thread\": \"left\", \"vertex\": 0, \"target\": [0,0,1e7]}}]", "1:67",
         "expected -5"},
        {"[{\"at\": 0, \"set_end\": {\"thread\": \"left\", \"end\": \"strat\"}}]", "1:49", "did you mean \"start\"?"},
        {"[{\"at\": 0, \"set_end\": {\"thread\": \"left\", \"end\": \"start\", \"kind\": \"clampd\"}}]", "1:66",
         "did you mean \"clamped\"?"},
        {"[{\"at\": 0, \"set_end\": {\"thread\": \"left\"}}]", "1:23", "lacks its field \"end\""},
        {"[{\"at\": 0, \"set_friction\": {\"thread\": \"left\", \"friction\": -1}}]", "1:59", "expected 0 to 100"},
        {"[{\"at\": 0, \"set_newton\": {\"passes\": 0, \"tolerance\": 0, \"line_search\": true}}]", "1:37", "0"},
        {"[{\"at\": 0, \"set_newton\": {\"passes\": 1, \"tolerance\": 0, \"line_search\": 1}}]", "1:71",
         "true or false"},
        {"[{\"at\": 0, \"set_time_step\": {\"time_step\": \"1 s\"}}]", "1:43", "expected 1e-07 to 0.1"},
        {"[{\"at\": 0, \"set_gravity\": 9.81}]", "1:27", "expected an object"},
        {"[{\"at\": 0, \"remove_thread\": {\"thread\": \"left\"}, \"release\": {}}]", "1:49", "a second operation"},
    };
    cg_scene *scene = rig_scene(TWO_THREADS);
    judge_mistakes(scene, mistakes, sizeof mistakes / sizeof mistakes[0]);
    cg_scene_free(scene);
}

TEST(mistakes_about_shapes_get_a_place_and_a_hint)
{
    static const mistake mistakes[] = {
        {"[{\"at\": 0, \"move_shape\": {\"shape\": \"rood\"}}]", "1:36", "there is no shape \"rood\""},
        {"[{\"at\": 0, \"move_shape\": {\"shape\": \"rood\"}}]", "1:36", "did you mean \"rod\"?"},
        {"[{\"at\": 0, \"move_shape\": {\"shape\": 1}}]", "1:36", "the name of a shape"},
        {"[{\"at\": 0, \"move_shape\": {\"position\": [0, 0, 0]}}]", "1:26", "lacks its field \"shape\""},
        {"[{\"at\": 0, \"move_shape\": {\"shape\": \"rod\", \"postion\": 1}}]", "1:43", "did you mean \"position\"?"},
        {"[{\"at\": 0, \"move_shape\": {\"shape\": \"rod\", \"position\": [0, 0, 1e7]}}]", "1:62", "expected -5"},
        {"[{\"at\": 0, \"move_shape\": {\"shape\": \"rod\", \"rotation\": 90}}]", "1:55", "an object (a rotation)"},
        {"[{\"at\": 0, \"move_shape\": {\"shape\": \"rod\", \"rotation\": {\"axis\": [0, 0, 0], \"angle\": 1}}}]",
         "1:64", "a direction without length"},
        {"[{\"during\": [0, 1], \"move_shape\": {\"shape\": \"rod\"}}]", "1:21", "make a ramp"},
        {"[{\"at\": 0, \"move_shap\": {\"shape\": \"rod\"}}]", "1:12", "did you mean \"move_shape\"?"},
    };
    cg_scene *scene = rig_scene(ROD);
    judge_mistakes(scene, mistakes, sizeof mistakes / sizeof mistakes[0]);
    cg_scene_free(scene);
}

TEST(a_mistake_in_the_inputs_of_a_scene_names_the_scene)
{
    cg_scene *scene = rig_scene("{\"inputs\": [\n{\"at\": 0, \"hodl\": {}}]}");
    cg_session_def def = cg_session_def_default();
    cg_session *session;
    cg_scene_error error;
    CHECK_INT(cg_session_create(&def, scene, &session, &error).code, CG_BAD_INPUT);
    CHECK_STR(error.file, "rig.json");
    CHECK_INT(error.line, 2);
    CHECK_INT(error.column, 11);
    def.skip_scene_inputs = true;
    CHECK_INT(cg_session_create(&def, scene, &session, &error).code, CG_OK);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

static void append_unit(char *line, size_t room, const cg_operation_field *field)
{
    static const char *const kinds[] = {[CG_FIELD_thread] = "name",
                                        [CG_FIELD_shape] = "name",
                                        [CG_FIELD_hand] = "name",
                                        [CG_FIELD_tissue] = "name",
                                        [CG_FIELD_rotation] = "{axis, angle}",
                                        [CG_FIELD_integer] = "whole number",
                                        [CG_FIELD_number] = "number",
                                        [CG_FIELD_flag] = "true or false",
                                        [CG_FIELD_vector] = "[x, y, z]",
                                        [CG_FIELD_end] = "start, finish",
                                        [CG_FIELD_end_kind] = "free, pinned, clamped",
                                        [CG_FIELD_tool] = "one of [these](tools.md#tools)"};
    const char *blank = field->unit[0] != '\0' ? " " : "";
    snprintf(line, room, "| | `%s` | %s%s%s | %s |\n", field->name, kinds[field->kind], blank, field->unit,
             field->text);
}

static char document[60000];

static bool read_document(void)
{
    FILE *file = fopen(CATGUT_SOURCE_DIR "/docs/inputs.md", "rb");
    if (!CHECK(file != NULL)) {
        return false;
    }
    document[fread(document, 1, sizeof document - 1, file)] = '\0';
    fclose(file);
    return true;
}

TEST(the_example_of_the_documentation_runs)
{
    if (!read_document()) {
        return;
    }
    char *begin = strstr(document, "```json\n"), *end = begin != NULL ? strstr(begin + 8, "```") : NULL;
    if (!CHECK(end != NULL)) {
        return;
    }
    *end = '\0';
    cg_scene *scene = rig_scene("{\"threads\": [{\"name\": \"thread\", \"shape\": {\"line\": {\"from\": [0, 0, 0], "
                                "\"to\": [\"10 cm\", 0, 0]}}, \"vertices\": 51, \"start\": \"clamped\"}]}");
    cg_session *session = rig_session(scene, begin + 8);
    for (int step = 0; step < 1200; step++) {
        cg_session_step(session);
    }
    CHECK_INT(cg_session_get_stats(session).applied, 500 + 1 + 1000 + 100);
    CHECK_INT(cg_session_get_stats(session).refused, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// The table of docs/inputs.md is the one of operations.def. A difference prints the table as it should be.
TEST(the_documentation_lists_every_operation)
{
    static char table[20000];
    strcpy(table, "| operation | field | value | what it is |\n|---|---|---|---|\n");
    for (int k = 0; k < CG_OPERATION_COUNT; k++) {
        const cg_operation_form *form = cg_operation_form_of((cg_operation_kind)k);
        char line[400];
        snprintf(line, sizeof line, "| `%s` | | | %s |\n", form->name, form->text);
        strcat(table, line);
        for (int f = 0; f < form->field_count; f++) {
            append_unit(line, sizeof line, &form->fields[f]);
            strcat(table, line);
        }
    }
    if (!read_document()) {
        return;
    }
    if (!CHECK(strstr(document, table) != NULL)) {
        printf("docs/inputs.md should have this table:\n%s", table);
    }
}
