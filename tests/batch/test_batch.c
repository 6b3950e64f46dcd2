// Many worlds at once: the bits of each are those of a world alone, whoever runs the pieces; a reset and a kept state
// leave nothing behind; what is observed is what the world says.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catgut/catgut.h>
#include <catgut/workers_batch.h>

#include "harness.h"

enum { WORLDS = 5, ROUNDS = 4, STEPS = 7, MOST_WIDTH = 64, HANDS = 2 };

static const char SCENE[] =
    "{'hands': [{'name': 'left', 'position': [0, 0, '20 mm']}, "
    "{'name': 'right', 'tool': 'needle_driver', 'position': ['40 mm', 0, '30 mm']}], "
    "'shapes': [{'half_space': {}}], "
    "'threads': [{'radius': '0.2 mm', 'shape': {'line': {'from': ['-10 mm', 0, '20 mm'], 'to': ['20 mm', 0, '20 "
    "mm']}}, "
    "'vertices': 31, 'start': 'pinned'}], "
    "'bodies': [{'name': 'needle', 'arc': {'radius': '8 mm', 'thickness': '0.6 mm', 'angle': '180 deg'}, 'mass': '40 "
    "mg', "
    "'position': ['60 mm', 0, '0.3 mm'], 'rotation': {'axis': [1, 0, 0], 'angle': '-90 deg'}}]}";

static char *read_text(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    char *text = malloc(1 << 20);
    *size = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

static cg_scene *read_scene(const char *text, size_t size)
{
    cg_scene *scene = NULL;
    cg_scene_error error;
    cg_status status = cg_scene_read(text, size, "test", NULL, NULL, &scene, &error);
    CHECK(status.code == CG_OK);
    return scene;
}

static cg_scene *usual_scene(void)
{
    char text[sizeof SCENE];
    memcpy(text, SCENE, sizeof SCENE);
    for (size_t i = 0; i < sizeof SCENE; i++) { // JSON has double quotes, C strings are easier to read without
        text[i] = text[i] == '\'' ? '"' : text[i];
    }
    return read_scene(text, sizeof SCENE - 1);
}

static const cg_observed OBSERVED[] = {
    {.what = CG_OBSERVE_hand_pose, .place = 1},       {.what = CG_OBSERVE_hand_opening, .place = 0},
    {.what = CG_OBSERVE_hand_holds, .place = 0},      {.what = CG_OBSERVE_thread_points, .count = 5},
    {.what = CG_OBSERVE_body_pose, .place = 0},       {.what = CG_OBSERVE_time},
    {.what = CG_OBSERVE_thread_tensions, .count = 3},
};
enum { OBSERVED_COUNT = sizeof OBSERVED / sizeof OBSERVED[0], WIDTH = 9 + 1 + 3 + 15 + 9 + 1 + 3 };

static cg_worlds_def usual_def(const cg_scene *scene)
{
    cg_worlds_def def = cg_worlds_def_default();
    def.scene = scene;
    def.world_count = WORLDS;
    def.steps = STEPS;
    def.observed = OBSERVED;
    def.observed_count = OBSERVED_COUNT;
    return def;
}

static cg_worlds *make(const cg_worlds_def *def)
{
    cg_worlds *batch = NULL;
    cg_status status = cg_worlds_create(def, &batch);
    CHECK(status.code == CG_OK);
    return batch;
}

// What the hands of a world do in a round: each world something else, the left hand closes on its way.
static void tell(int world, int round, double action[CG_WORLDS_ACTION * HANDS])
{
    const double left[CG_WORLDS_ACTION] = {0.001 * world, 0.0005 * round, 0.02, 1, 0, 0, 0, 1, 0, round < 1 ? 1 : 0};
    const double right[CG_WORLDS_ACTION] = {0.04, 0.0003 * world * round, 0.03, 1, 0.01 * world, 0, 0, 1,
                                            0.1,  0.25 * (world % 3)};
    memcpy(action, left, sizeof left);
    memcpy(action + CG_WORLDS_ACTION, right, sizeof right);
}

static void tell_all(int round, double *actions)
{
    for (int i = 0; i < WORLDS; i++) {
        tell(i, round, actions + (size_t)i * CG_WORLDS_ACTION * HANDS);
    }
}

static uint64_t hash_of(const cg_worlds *batch, int world)
{
    return cg_world_state_hash(cg_session_world(cg_worlds_session(batch, world)));
}

// The same world alone, by a session and its own operations. The rotations of `tell` are turned into quaternions by
// hand.
static uint64_t hash_alone(const cg_scene *scene, int world, int rounds)
{
    cg_worlds_def def = usual_def(scene);
    def.world_count = 1;
    cg_worlds *batch = make(&def);
    double action[CG_WORLDS_ACTION * HANDS];
    for (int round = 0; round < rounds; round++) {
        tell(world, round, action);
        CHECK(cg_worlds_step(batch, NULL, action, NULL, NULL).code == CG_OK);
    }
    uint64_t hash = hash_of(batch, 0);
    cg_worlds_destroy(batch);
    return hash;
}

static void run_rounds(cg_worlds *batch, int from, int to, const bool *mask, double *observations)
{
    double actions[WORLDS * CG_WORLDS_ACTION * HANDS];
    for (int round = from; round < to; round++) {
        tell_all(round, actions);
        CHECK(cg_worlds_step(batch, mask, actions, observations, NULL).code == CG_OK);
    }
}

TEST(worlds_have_the_bits_of_a_world_alone_for_any_number_of_threads)
{
    cg_scene *scene = usual_scene();
    uint64_t alone[WORLDS];
    for (int i = 0; i < WORLDS; i++) {
        alone[i] = hash_alone(scene, i, ROUNDS);
        CHECK(i == 0 || alone[i] != alone[i - 1]);
    }
    for (int threads = -1; threads <= 3; threads++) {
        cg_workers *workers = NULL;
        cg_workers_batch *runs = NULL;
        cg_worlds_def def = usual_def(scene);
        if (threads >= 0) {
            CHECK(cg_workers_create(threads, &workers) && cg_workers_batch_create(workers, WORLDS, &runs));
            def.runner = cg_workers_batch_runner(runs);
        }
        cg_worlds *batch = make(&def);
        run_rounds(batch, 0, ROUNDS, NULL, NULL);
        for (int i = 0; i < WORLDS; i++) {
            CHECK(hash_of(batch, i) == alone[i]);
        }
        cg_worlds_destroy(batch);
        cg_workers_batch_destroy(runs);
        if (workers != NULL) {
            cg_workers_destroy(workers);
        }
    }
    cg_scene_free(scene);
}

// A session with operations written out: what an action means.
TEST(an_action_is_operations_of_the_hands)
{
    cg_scene *scene = usual_scene();
    cg_session_def session_def = cg_session_def_default();
    cg_session *session;
    cg_scene_error error;
    CHECK(cg_session_create(&session_def, scene, &session, &error).code == CG_OK);
    double time = STEPS * cg_session_time_step(session), half = sqrt(0.5);
    const cg_operation told[] = {
        {.kind = CG_OPERATION_move_hand,
         .as.move_hand = {.hand = 0, .position = {0, 0.001, 0.02}, .rotation = {0, 0, half, half}, .time = time}},
        {.kind = CG_OPERATION_close_hand, .as.close_hand = {.hand = 0}},
        {.kind = CG_OPERATION_move_hand,
         .as.move_hand = {.hand = 1, .position = {0.04, 0, 0.03}, .rotation = {0, 0, 0, 1}, .time = time}},
        {.kind = CG_OPERATION_set_jaws, .as.set_jaws = {.hand = 1, .opening = 0.25}},
    };
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        CHECK(cg_session_apply(session, &told[i]).code == CG_OK);
    }
    for (int i = 0; i < STEPS; i++) {
        cg_session_step(session);
    }
    cg_worlds_def def = usual_def(scene);
    def.world_count = 1;
    cg_worlds *batch = make(&def);
    CHECK(cg_worlds_action_width(batch) == CG_WORLDS_ACTION * HANDS);
    // a quarter turn about z: columns y and -x
    const double action[CG_WORLDS_ACTION * HANDS] = {0,    0.001, 0.02, 0, 2, 0, -1, 5, 0, 0,
                                                     0.04, 0,     0.03, 1, 0, 0, 0,  1, 0, 0.25};
    double row[MOST_WIDTH];
    CHECK(cg_worlds_step(batch, NULL, action, row, NULL).code == CG_OK);
    cg_hand_state hand = cg_hand_get_state(cg_session_world(session), cg_session_hand(session, 0));
    cg_hand_state same = cg_hand_get_state(cg_session_world(cg_worlds_session(batch, 0)),
                                           cg_session_hand(cg_worlds_session(batch, 0), 0));
    CHECK(hand.closed && hand.vertex_count > 1 && same.vertex_count == hand.vertex_count);
    CHECK_NEAR(same.pose.rotation.z, hand.pose.rotation.z, 1e-12);
    CHECK_NEAR(same.pose.position.y, hand.pose.position.y, 1e-12);
    CHECK_NEAR(row[9], 0, 0);  // the left hand is closed
    CHECK_NEAR(row[10], 1, 0); // and holds the thread
    cg_worlds_destroy(batch);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(a_masked_reset_leaves_nothing_behind_and_touches_no_other_world)
{
    cg_scene *scene = usual_scene();
    cg_worlds_def def = usual_def(scene);
    cg_worlds *batch = make(&def);
    uint64_t fresh = hash_of(batch, 0), others[WORLDS];
    run_rounds(batch, 0, 2, NULL, NULL);
    for (int i = 0; i < WORLDS; i++) {
        others[i] = hash_of(batch, i);
    }
    const bool mask[WORLDS] = {false, true, false, true, false};
    double rows[WORLDS * WIDTH];
    for (int i = 0; i < WORLDS * WIDTH; i++) {
        rows[i] = 77;
    }
    CHECK(cg_worlds_reset(batch, mask, NULL, rows).code == CG_OK);
    for (int i = 0; i < WORLDS; i++) {
        CHECK(hash_of(batch, i) == (mask[i] ? fresh : others[i]));
        CHECK((rows[i * WIDTH] == 77) == !mask[i]);
    }
    // Its future is that of a new world, too.
    run_rounds(batch, 0, ROUNDS, mask, NULL);
    CHECK(hash_of(batch, 1) == hash_alone(scene, 1, ROUNDS) && hash_of(batch, 3) == hash_alone(scene, 3, ROUNDS));
    CHECK(hash_of(batch, 0) == others[0]);
    cg_worlds_destroy(batch);
    cg_scene_free(scene);
}

TEST(what_is_sent_comes_back_once_with_the_bits_of_a_step)
{
    cg_scene *scene = usual_scene();
    for (int threads = 0; threads <= 2; threads++) {
        cg_workers *workers = NULL;
        cg_workers_batch *runs = NULL;
        CHECK(cg_workers_create(threads, &workers) && cg_workers_batch_create(workers, WORLDS, &runs));
        cg_worlds_def def = usual_def(scene), plain = def;
        def.runner = cg_workers_batch_runner(runs);
        cg_worlds *batch = make(&def), *twin = make(&plain);
        double actions[WORLDS * CG_WORLDS_ACTION * HANDS], rows[WORLDS * WIDTH], told[WORLDS * WIDTH];
        const int all[WORLDS] = {4, 2, 0, 1, 3};
        int got[WORLDS], times[WORLDS] = {0};
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < WORLDS; i++) {
                tell(all[i], round, actions + (size_t)i * CG_WORLDS_ACTION * HANDS);
            }
            CHECK(cg_worlds_send(batch, all, WORLDS, actions).code == CG_OK);
            CHECK(cg_worlds_send(batch, all, 1, actions).code == CG_BAD_INPUT);
            run_rounds(twin, round, round + 1, NULL, told);
            int received = cg_worlds_receive(batch, 2, got, rows, NULL);
            CHECK(received == 2);
            received += cg_worlds_receive(batch, WORLDS, got + 2, rows + 2 * WIDTH, NULL);
            CHECK(received == WORLDS);
            for (int i = 0; i < WORLDS; i++) {
                times[got[i]]++;
                CHECK(memcmp(rows + i * WIDTH, told + got[i] * WIDTH, WIDTH * sizeof *rows) == 0);
            }
        }
        for (int i = 0; i < WORLDS; i++) {
            CHECK(times[i] == 3 && hash_of(batch, i) == hash_of(twin, i));
        }
        tell_all(0, actions);
        CHECK(cg_worlds_send(batch, all, 2, actions).code == CG_OK); // not received: the end waits for it
        cg_worlds_destroy(batch);
        cg_worlds_destroy(twin);
        cg_workers_batch_destroy(runs);
        cg_workers_destroy(workers);
    }
    cg_scene_free(scene);
}

TEST(rollouts_are_the_steps_that_a_world_makes_from_there)
{
    enum { STATES = 7, LENGTH = 3 };
    cg_scene *scene = usual_scene();
    cg_worlds_def def = usual_def(scene);
    cg_worlds *batch = make(&def);
    cg_worlds_state *states[STATES];
    static double actions[STATES * LENGTH * CG_WORLDS_ACTION * HANDS], rows[STATES * LENGTH * WIDTH];
    double row[WIDTH];
    run_rounds(batch, 0, 1, NULL, NULL);
    for (int i = 0; i < STATES; i++) {
        CHECK(cg_worlds_keep(batch, i % WORLDS, &states[i]).code == CG_OK);
        for (int k = 0; k < LENGTH; k++) {
            tell(i, k, actions + (i * LENGTH + k) * CG_WORLDS_ACTION * HANDS);
        }
    }
    const cg_worlds_state *const *from = (const cg_worlds_state *const *)states;
    CHECK(cg_worlds_rollout(batch, from, STATES, actions, LENGTH, rows, NULL).code == CG_OK);
    def.world_count = 1;
    cg_worlds *alone = make(&def);
    for (int i = 0; i < STATES; i++) {
        CHECK(cg_worlds_return(alone, 0, states[i]).code == CG_OK);
        for (int k = 0; k < LENGTH; k++) {
            int at = i * LENGTH + k;
            CHECK(cg_worlds_step(alone, NULL, actions + at * CG_WORLDS_ACTION * HANDS, row, NULL).code == CG_OK);
            CHECK(memcmp(row, rows + at * WIDTH, sizeof row) == 0);
        }
        cg_worlds_state_free(states[i]);
    }
    cg_worlds_destroy(alone);
    cg_worlds_destroy(batch);
    cg_scene_free(scene);
}

TEST(observations_are_what_the_world_says)
{
    cg_scene *scene = usual_scene();
    cg_worlds_def def = usual_def(scene);
    cg_worlds *batch = make(&def);
    double rows[WORLDS * WIDTH];
    CHECK(cg_worlds_observation_width(batch) == WIDTH);
    run_rounds(batch, 0, 2, NULL, rows);
    for (int i = 0; i < WORLDS; i++) {
        const double *row = rows + i * WIDTH;
        cg_session *session = cg_worlds_session(batch, i);
        const cg_world *world = cg_session_world(session);
        cg_hand_state hand = cg_hand_get_state(world, cg_session_hand(session, 1));
        CHECK(row[0] == hand.pose.position.x && row[2] == hand.pose.position.z);
        // The first column of the rotation turns the x axis: its angle is twice that of the quaternion.
        double angle = 2 * atan2(hand.pose.rotation.z, hand.pose.rotation.w);
        CHECK_NEAR(atan2(row[4], row[3]), angle, 2e-2); // but for the small tilt that it is told
        int count;
        cg_thread_id id = cg_session_thread(session, 0);
        const cg_vec3 *points = cg_thread_positions(world, id, &count);
        CHECK(row[13] == points[0].x && fabs(row[13 + 12] - points[count - 1].x) < 1e-15);
        CHECK_NEAR(row[13 + 6], points[15].x, 1e-12); // the middle of 31 vertices at even lengths
        CHECK_NEAR(row[13 + 15 + 9], cg_world_time(world), 0);
        double tensions[30];
        CHECK(cg_thread_tensions(world, id, tensions, 30).code == CG_OK);
        CHECK(row[WIDTH - 3] == tensions[0] && row[WIDTH - 1] == tensions[29]);
    }
    cg_worlds_destroy(batch);
    cg_scene_free(scene);
}

TEST(what_is_wrong_is_told_and_the_other_worlds_go_on)
{
    cg_scene *scene = usual_scene();
    cg_worlds_def def = usual_def(scene);
    cg_worlds *batch = make(&def);
    double actions[WORLDS * CG_WORLDS_ACTION * HANDS];
    tell_all(0, actions);
    actions[2 * CG_WORLDS_ACTION * HANDS + 9] = 1.5;
    cg_status status = cg_worlds_step(batch, NULL, actions, NULL, NULL);
    CHECK(status.code == CG_BAD_INPUT && strstr(status.message, "world 2: hand 0: found an opening of 1.5") != NULL);
    CHECK(cg_worlds_get_outcome(batch, 1).steps == STEPS && cg_worlds_get_outcome(batch, 4).steps == STEPS);
    CHECK(cg_worlds_get_outcome(batch, 2).steps == 0);
    actions[2 * CG_WORLDS_ACTION * HANDS + 9] = NAN;
    CHECK(cg_worlds_step(batch, NULL, actions, NULL, NULL).code == CG_BAD_INPUT);
    tell_all(0, actions);
    for (int k = 3; k < 6; k++) {
        actions[k] = 0; // columns that are no rotation
    }
    CHECK(strstr(cg_worlds_step(batch, NULL, actions, NULL, NULL).message, "no rotation") != NULL);
    CHECK(cg_worlds_session(batch, WORLDS) == NULL && cg_worlds_session(batch, -1) == NULL);
    cg_measures measures;
    CHECK(cg_worlds_measure(batch, 0, &measures).code == CG_BAD_INPUT);
    cg_worlds_destroy(batch);

    const cg_observed wrong = {.what = CG_OBSERVE_thread_points};
    def.observed = &wrong;
    def.observed_count = 1;
    CHECK(cg_worlds_create(&def, &batch).code == CG_BAD_INPUT && batch == NULL);
    def = usual_def(NULL);
    CHECK(cg_worlds_create(&def, &batch).code == CG_BAD_INPUT);
    cg_scene_free(scene);
}

// Attempts

static cg_task *read_task(const char *path)
{
    size_t size;
    char *text = read_text(path, &size);
    cg_task *task = NULL;
    cg_scene_error error;
    CHECK(cg_task_read(text, size, "task", NULL, &task, &error).code == CG_OK);
    free(text);
    return task;
}

static const cg_observed TARGETS[] = {{.what = CG_OBSERVE_targets, .count = 6}};

// The tip of the first probe goes to a target.
static void touch(cg_worlds *batch, int world, cg_vec3 place)
{
    double actions[2 * CG_WORLDS_ACTION * HANDS] = {0};
    for (int i = 0; i < 2 * HANDS; i++) {
        double *told = actions + i * CG_WORLDS_ACTION;
        bool leads = i == world * HANDS;
        told[0] = leads ? place.x : 0.2;
        told[1] = leads ? place.y : 0.1 * (i % HANDS);
        told[2] = leads ? place.z : 0.2;
        told[3] = told[7] = told[9] = 1;
    }
    const bool mask[2] = {world == 0, world == 1};
    CHECK(cg_worlds_step(batch, mask, actions, NULL, NULL).code == CG_OK);
    CHECK(cg_worlds_step(batch, mask, actions, NULL, NULL).code == CG_OK);
}

TEST(kept_states_hold_the_attempt)
{
    size_t size;
    char *text = read_text(CATGUT_SOURCE_DIR "/scenes/ball.json", &size);
    cg_scene *scene = read_scene(text, size);
    cg_task *task = read_task(CATGUT_SOURCE_DIR "/scenes/tasks/point-and-touch.json");
    cg_worlds_def def = cg_worlds_def_default();
    def.scene = scene;
    def.task = task;
    def.task_name = "point-and-touch";
    def.world_count = 2;
    def.steps = 160;
    def.observed = TARGETS;
    def.observed_count = 1;
    cg_worlds *batch = make(&def);
    CHECK(cg_worlds_action_width(batch) <= CG_WORLDS_ACTION * HANDS);
    double rows[2 * 24];
    const uint64_t seeds[2] = {3, 8};
    CHECK(cg_worlds_reset(batch, NULL, seeds, rows).code == CG_OK);
    cg_vec3 places[CG_TASK_MOST_TARGETS];
    CHECK(cg_task_targets(task, 8, places) == 6);
    CHECK(rows[24] == places[0].x && rows[23] == 0 && rows[0] != places[0].x);
    touch(batch, 1, places[0]);
    cg_worlds_state *state;
    uint64_t hash = hash_of(batch, 1);
    CHECK(cg_worlds_get_outcome(batch, 1).reached_targets == 1);
    CHECK(cg_worlds_keep(batch, 1, &state).code == CG_OK);
    touch(batch, 1, places[3]);
    CHECK(cg_worlds_get_outcome(batch, 1).reached_targets == 9);
    uint64_t later = hash_of(batch, 1);
    cg_measures then, again;
    CHECK(cg_worlds_measure(batch, 1, &then).code == CG_OK);
    CHECK(then.of[CG_MEASURE_targets_reached].known);
    CHECK_NEAR(then.of[CG_MEASURE_targets_reached].value, 2.0 / 6, 1e-15);

    // Also in the other world, which was under another seed.
    for (int world = 1; world >= 0; world--) {
        CHECK(cg_worlds_return(batch, world, state).code == CG_OK);
        CHECK(hash_of(batch, world) == hash && cg_worlds_get_outcome(batch, world).reached_targets == 1);
        touch(batch, world, places[3]);
        CHECK(hash_of(batch, world) == later && cg_worlds_get_outcome(batch, world).reached_targets == 9);
        CHECK(cg_worlds_seed(batch, world) == 8);
        CHECK(cg_worlds_measure(batch, world, &again).code == CG_OK);
        CHECK(memcmp(&again, &then, sizeof then) == 0);
    }
    // A reset forgets what was touched.
    CHECK(cg_worlds_reset(batch, NULL, NULL, NULL).code == CG_OK);
    CHECK(cg_worlds_get_outcome(batch, 0).reached_targets == 0 && cg_worlds_get_outcome(batch, 0).steps == 0);
    cg_worlds_state_free(state);
    cg_worlds_destroy(batch);
    cg_task_free(task);
    cg_scene_free(scene);
    free(text);
}

static bool put(void *context, const void *bytes, size_t count)
{
    return fwrite(bytes, 1, count, context) == count;
}

// What is measured while an attempt goes on is what its recording tells afterwards, but for single precision.
TEST(measures_of_now_are_those_of_the_recording)
{
    size_t size, script_size;
    char *text = read_text(CATGUT_SOURCE_DIR "/scenes/ball.json", &size);
    char *script = read_text(CATGUT_SOURCE_DIR "/scenes/tasks/touch-all.script", &script_size);
    cg_scene *scene = read_scene(text, size);
    cg_task *task = read_task(CATGUT_SOURCE_DIR "/scenes/tasks/point-and-touch.json");
    cg_session_def def = cg_session_def_default();
    cg_session *session;
    cg_scene_error error;
    CHECK(cg_session_create(&def, scene, &session, &error).code == CG_OK);
    FILE *file = tmpfile();
    CHECK(file != NULL);
    cg_recorder_def recorder = cg_recorder_def_default();
    recorder.write = put;
    recorder.context = file;
    CHECK(cg_session_record(session, &recorder).code == CG_OK);
    cg_attempt *attempt;
    CHECK(cg_attempt_create(task, "point-and-touch", 4, session, NULL, &attempt).code == CG_OK);
    CHECK(cg_session_run_script(session, script, script_size, "touch-all", &error).code == CG_OK);
    cg_measures now, told;
    while (!cg_attempt_look(attempt).over && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING) {
        cg_session_step(session);
        cg_attempt_look(attempt);
        cg_attempt_look(attempt); // to look twice at a moment changes nothing
    }
    CHECK(cg_attempt_measure(attempt, &now).code == CG_OK && now.is_over);
    CHECK(cg_session_end_recording(session).code == CG_OK);
    size_t bytes = (size_t)ftell(file);
    void *kept = malloc(bytes);
    rewind(file);
    CHECK(fread(kept, 1, bytes, file) == bytes);
    cg_recording *recording;
    CHECK(cg_recording_open(kept, bytes, NULL, NULL, &recording).code == CG_OK);
    CHECK(cg_measure_recording(recording, task, NULL, &told).code == CG_OK);
    int known = 0;
    for (int i = 0; i < CG_MEASURE_COUNT; i++) {
        CHECK(now.of[i].known == told.of[i].known);
        double value = told.of[i].value;
        CHECK_NEAR(now.of[i].value, value, 1e-3 * (fabs(value) + 1e-3));
        known += told.of[i].known;
    }
    CHECK(known >= 8);
    cg_recording_close(recording);
    cg_attempt_destroy(attempt);
    cg_session_destroy(session);
    cg_task_free(task);
    cg_scene_free(scene);
    fclose(file);
    free(kept);
    free(text);
    free(script);
}
