// Recordings: what is written is read again, in whatever state the bytes are.
#include <math.h>

#include "alloc_count.h"
#include "base/bytes.h"
#include "record/chunk.h"
#include "session/session_rig.h"

static cg_recording *open_recording(const rig_bytes *bytes)
{
    cg_recording *recording;
    cg_status status = cg_recording_open(bytes->bytes, bytes->size, &RIG_CODEC, NULL, &recording);
    if (!CHECK_STR(status.message, "")) {
        exit(1);
    }
    return recording;
}

// Runs the operations of a recording again and compares every hash. The session's own way to do it is in the program.
static int replay(const cg_recording *recording)
{
    cg_scene *scene;
    cg_scene_error error;
    CHECK_STR(cg_recording_scene(recording, NULL, &scene, &error).message, "");
    cg_world *world;
    CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
    size_t next_operation = 0, next_hash = 0;
    int agreeing = 0;
    for (uint64_t step = 0; step <= cg_recording_step_count(recording); step++) {
        uint64_t hash_step, hash;
        while (cg_recording_hash(recording, next_hash, &hash_step, &hash) && hash_step == step) {
            next_hash++;
            agreeing += CHECK_HASH(cg_world_state_hash(world), hash);
        }
        cg_operation operation;
        while (cg_recording_operation(recording, next_operation, &operation) && operation.step == step) {
            next_operation++;
            CHECK_STR(cg_operation_apply(world, &operation).message, "");
        }
        cg_world_step(world);
    }
    CHECK_INT(next_hash, cg_recording_hash_count(recording));
    CHECK_INT(next_operation, cg_recording_operation_count(recording));
    cg_world_destroy(world);
    cg_scene_free(scene);
    return agreeing;
}

TEST(a_replay_agrees_hash_by_hash)
{
    static const cg_codec codecs[2] = {{0}, {.id = 77, .squeeze = rig_squeeze, .expand = rig_expand}};
    for (int c = 0; c < 2; c++) {
        rig_bytes bytes = rig_record(RIG_SCENE, NULL, 150, 4, codecs[c]);
        cg_recording *recording = open_recording(&bytes);
        CHECK_STR(cg_recording_damage(recording), "");
        CHECK_INT(cg_recording_step_count(recording), 150);
        CHECK_INT(cg_recording_hash_count(recording), 39); // step 0, every fourth, and the last
        CHECK_INT(cg_recording_frame_count(recording), 39);
        CHECK_INT(cg_recording_operation_count(recording), 100 + 1 + 40 + 20 + 1 + 1);
        CHECK_INT(replay(recording), 39);
        cg_recording_close(recording);
        free(bytes.bytes);
    }
}

TEST(the_head_says_what_was_recorded)
{
    rig_bytes bytes = rig_record(RIG_SCENE, NULL, 10, 4, (cg_codec){0});
    cg_recording *recording = open_recording(&bytes);
    cg_recording_info info = cg_recording_get_info(recording);
    CHECK_STR(info.program, "rig 1");
    CHECK_NEAR(info.time_step, 1e-3, 0);
    CHECK_INT(info.frame_every, 4);
    CHECK_INT(info.key_every, 16);
    CHECK_INT(info.thread_count, 3);
    cg_recorded_thread thread;
    CHECK(cg_recording_thread(recording, 1, &thread));
    CHECK_STR(thread.name, "turned");
    CHECK_INT(thread.vertex_count, 17);
    CHECK_NEAR(thread.radius, 0.11e-3, 0);
    CHECK(!cg_recording_thread(recording, 3, &thread) && !cg_recording_thread(recording, -1, &thread));
    cg_recording_close(recording);
    free(bytes.bytes);
}

// Every coordinate of every thread within the error that the frame states, and a float's rounding.
static void compare_frame(const cg_world *world, const cg_session *session, const cg_recorded_frame *frame)
{
    for (int t = 0; t < frame->thread_count; t++) {
        int count;
        const cg_vec3 *points = cg_thread_positions(world, cg_session_thread(session, t), &count);
        if (!CHECK_INT(frame->vertex_counts[t], count)) {
            return;
        }
        const double *coordinates = points != NULL ? &points->x : NULL;
        for (int i = 0; i < 3 * count; i++) {
            double allowed = frame->error + ldexp(fabs(coordinates[i]) + frame->error, -24);
            if (!CHECK_NEAR(frame->vertices[t][i], coordinates[i], allowed)) {
                return;
            }
        }
    }
}

static const char REMOVING[] = "[{\"at\": \"33 ms\", \"remove_thread\": {\"thread\": \"turned\"}},\n"
                               " {\"from\": \"40 ms\", \"to\": \"60 ms\", \"hold\": {\"thread\": \"hanging\", "
                               "\"vertex\": 3, \"target\": [40, 0, 0]}},\n"
                               " {\"at\": \"70 ms\", \"release\": {\"thread\": \"hanging\", \"vertex\": 3}}]";

TEST(frames_are_within_their_error)
{
    enum { STEPS = 130, EVERY = 1 };
    static const char scene_text[] =
        "{\"threads\": [{\"name\": \"hanging\", \"shape\": {\"line\": {\"from\": [0, 0, 0], "
        "\"to\": [1, 0, 0]}}, \"vertices\": 5}, {\"name\": \"turned\", \"shape\": {\"line\": "
        "{\"from\": [0, 0, 1], \"to\": [0, 1, 1]}}, \"vertices\": 4}]}";
    rig_bytes bytes = rig_record(scene_text, REMOVING, STEPS, EVERY, RIG_CODEC);
    cg_recording *recording = open_recording(&bytes);
    cg_scene *scene = rig_scene(scene_text);
    cg_session *session = rig_session(scene, REMOVING);
    CHECK_INT(cg_recording_frame_count(recording), STEPS + 1);
    double largest = 0, smallest = 1;
    for (size_t f = 0; f <= STEPS; f++) {
        cg_recorded_frame frame;
        CHECK_STR(cg_recording_frame(recording, f, &frame).message, "");
        CHECK_INT(frame.step, f);
        CHECK_NEAR(frame.time, 1e-3 * (double)f, 1e-12);
        CHECK_INT(frame.vertex_counts[1], f < 34 ? 4 : 0);
        compare_frame(cg_session_world(session), session, &frame);
        largest = fmax(largest, frame.error);
        smallest = fmin(smallest, frame.error);
        cg_session_step(session);
    }
    CHECK_NEAR(smallest, ldexp(1, -28), 0);
    CHECK(largest > smallest); // 40 m away the steps are coarser
    cg_recorded_frame frame;
    CHECK_INT(cg_recording_frame(recording, STEPS + 1, &frame).code, CG_BAD_INPUT);
    cg_session_destroy(session);
    cg_scene_free(scene);
    cg_recording_close(recording);
    free(bytes.bytes);
}

// A thread whose spacing follows, held at a vertex that is named as it is at the start: others come before it.
static const char FOLLOWING[] =
    "{\"threads\": [{\"name\": \"soft\", \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"80 mm\", 0, "
    "0]}},\n"
    " \"vertices\": 17, \"bend_stiffness\": \"5e-10 N m2\", \"start\": \"clamped\",\n"
    " \"follow\": {\"fine\": \"0.2 mm\", \"coarse\": \"5 mm\", \"max_vertices\": 300}},\n"
    " {\"name\": \"fixed\", \"shape\": {\"line\": {\"from\": [0, 1, 0], \"to\": [\"80 mm\", 1, 0]}}, \"vertices\": "
    "9}],\n"
    " \"inputs\": [{\"from\": \"100 ms\", \"to\": \"200 ms\", \"hold\": {\"thread\": \"soft\", \"vertex\": 12, "
    "\"target\": [\"30 mm\", 0, 0]}},\n"
    " {\"at\": \"150 ms\", \"remove_thread\": {\"thread\": \"fixed\"}}]}";

TEST(vertices_that_come_and_go_are_recorded)
{
    enum { STEPS = 240, EVERY = 5 };
    rig_bytes bytes = rig_record(FOLLOWING, NULL, STEPS, EVERY, RIG_CODEC);
    cg_recording *recording = open_recording(&bytes);
    cg_scene *scene = rig_scene(FOLLOWING);
    cg_session *session = rig_session(scene, NULL);
    CHECK_STR(cg_recording_damage(recording), "");
    CHECK_INT(replay(recording), STEPS / EVERY + 1);
    cg_recorded_thread thread;
    CHECK(cg_recording_thread(recording, 0, &thread) && thread.vertex_count == 300);
    double arc = cg_thread_arcs(cg_session_world(session), cg_session_thread(session, 0), NULL)[12];
    int changes = 0, last = 17, held = -1;
    static int counts[STEPS / EVERY + 1];
    for (int f = 0; f <= STEPS / EVERY; f++) {
        cg_recorded_frame frame;
        CHECK_STR(cg_recording_frame(recording, (size_t)f, &frame).message, "");
        compare_frame(cg_session_world(session), session, &frame);
        changes += frame.vertex_counts[0] != last;
        last = counts[f] = frame.vertex_counts[0];
        for (int step = 0; step < EVERY && f < STEPS / EVERY; step++) {
            cg_session_step(session);
        }
    }
    CHECK(changes > 5);
    cg_thread_id id = cg_session_thread(session, 0);
    held = cg_thread_vertex_at(cg_session_world(session), id, arc);
    CHECK(held != 12);
    CHECK_NEAR(v3_distance(cg_thread_positions(cg_session_world(session), id, NULL)[held], v3(0.03, 0, 0)), 0, 1e-12);
    CHECK(v3_length(cg_thread_hold_force(cg_session_world(session), id, held)) > 0);
    for (int f = STEPS / EVERY; f >= 0; f -= 7) { // and in any order
        cg_recorded_frame frame;
        CHECK_STR(cg_recording_frame(recording, (size_t)f, &frame).message, "");
        CHECK_INT(frame.vertex_counts[0], counts[f]);
    }
    uint64_t step = 0, hash_step, hash;
    const void *key;
    size_t size;
    cg_world *world;
    CHECK_INT(cg_scene_build(scene, NULL, &world).code, CG_OK);
    CHECK(cg_recording_key(recording, 130, &step, &key, &size) && step == 120);
    CHECK_STR(cg_world_restore(world, key, size).message, "");
    CHECK(cg_recording_hash(recording, 120 / EVERY, &hash_step, &hash) && hash_step == 120);
    CHECK_HASH(cg_world_state_hash(world), hash);
    cg_world_destroy(world);
    cg_session_destroy(session);
    cg_scene_free(scene);
    cg_recording_close(recording);
    free(bytes.bytes);
}

TEST(frames_come_in_any_order)
{
    enum { COUNT = 151 };
    rig_bytes bytes = rig_record(RIG_SCENE, NULL, COUNT - 1, 1, RIG_CODEC);
    cg_recording *recording = open_recording(&bytes);
    static float last[COUNT];
    cg_recorded_frame frame;
    for (size_t f = 0; f < COUNT; f++) {
        cg_recording_frame(recording, f, &frame);
        last[f] = frame.vertices[2][3 * 12 + 2];
    }
    uint64_t random = 5;
    for (int i = 0; i < 500; i++) {
        int f = test_random_int(&random, 0, COUNT - 1);
        CHECK_STR(cg_recording_frame(recording, (size_t)f, &frame).message, "");
        CHECK(frame.vertices[2][3 * 12 + 2] == last[f] && frame.step == (uint64_t)f);
        cg_operation operation;
        int o = test_random_int(&random, 0, (int)cg_recording_operation_count(recording) - 1);
        CHECK(cg_recording_operation(recording, (size_t)o, &operation));
    }
    cg_recording_close(recording);
    free(bytes.bytes);
}

TEST(keys_are_states_to_start_from)
{
    rig_bytes bytes = rig_record(RIG_SCENE, NULL, 150, 4, RIG_CODEC);
    cg_recording *recording = open_recording(&bytes);
    cg_scene *scene = rig_scene(RIG_SCENE);
    cg_world *world;
    CHECK_INT(cg_scene_build(scene, NULL, &world).code, CG_OK);
    uint64_t step = 0;
    const void *key = NULL;
    size_t size = 0;
    CHECK(!cg_recording_key(recording, 15, &step, &key, &size));
    CHECK(cg_recording_key(recording, 31, &step, &key, &size));
    CHECK_INT(step, 16);
    CHECK(cg_recording_key(recording, 1000, &step, &key, &size));
    CHECK_INT(step, 144);
    CHECK(cg_recording_key(recording, 64, &step, &key, &size));
    CHECK_INT(step, 64);
    CHECK_STR(cg_world_restore(world, key, size).message, "");
    uint64_t hash_step, hash;
    CHECK(cg_recording_hash(recording, 16, &hash_step, &hash));
    CHECK_INT(hash_step, 64);
    CHECK_HASH(cg_world_state_hash(world), hash);
    cg_world_destroy(world);
    cg_scene_free(scene);
    cg_recording_close(recording);
    free(bytes.bytes);
}

TEST(a_snapshot_is_read_alone)
{
    cg_scene *scene = rig_scene(RIG_SCENE);
    cg_session *session = rig_session(scene, NULL);
    for (int step = 0; step < 85; step++) {
        cg_session_step(session);
    }
    const cg_world *world = cg_session_world(session);
    rig_bytes bytes = rig_bytes_make(1 << 20);
    cg_recorder_def def = rig_recorder_def(&bytes);
    def.codec = RIG_CODEC;
    CHECK_STR(cg_recorder_snapshot(&def, scene, world).message, "");

    cg_recording *recording = open_recording(&bytes);
    CHECK_STR(cg_recording_damage(recording), "");
    CHECK_INT(cg_recording_frame_count(recording), 1);
    cg_recorded_frame frame;
    CHECK_STR(cg_recording_frame(recording, 0, &frame).message, "");
    CHECK_INT(frame.step, 85);
    CHECK(frame.time == cg_world_time(world));
    for (int t = 0; t < 3; t++) {
        int count;
        const cg_vec3 *points = cg_thread_positions(world, cg_session_thread(session, t), &count);
        CHECK_INT(frame.vertex_counts[t], count);
        for (int i = 0; i < count; i++) {
            CHECK_NEAR((double)frame.vertices[t][3 * i], points[i].x, frame.error + 1e-7 * fabs(points[i].x));
        }
    }
    // A world built from nothing but these bytes goes on as the first one does.
    cg_scene *copy;
    cg_scene_error error;
    CHECK_STR(cg_recording_scene(recording, NULL, &copy, &error).message, "");
    cg_session_def session_def = cg_session_def_default();
    cg_session *second;
    session_def.skip_scene_inputs = true;
    CHECK_STR(cg_session_create(&session_def, copy, &second, &error).message, "");
    uint64_t step = 0;
    const void *key = NULL;
    size_t size = 0;
    CHECK(cg_recording_key(recording, 85, &step, &key, &size));
    CHECK_INT(step, 85);
    CHECK_STR(cg_session_restore(second, key, size).message, "");
    CHECK_HASH(cg_world_state_hash(cg_session_world(second)), cg_world_state_hash(world));

    bytes.size = 0;
    bytes.room = 2000; // not enough
    CHECK_INT(cg_recorder_snapshot(&def, scene, world).code, CG_FULL);
    cg_session_destroy(second);
    cg_scene_free(copy);
    cg_recording_close(recording);
    cg_session_destroy(session);
    cg_scene_free(scene);
    free(bytes.bytes);
}

TEST(noting_a_step_allocates_nothing)
{
    if (!test_allocations_counted()) {
        test_skip("allocations are not counted here");
        return;
    }
    rig_bytes bytes = rig_bytes_make(16 << 20);
    cg_scene *scene = rig_scene(RIG_SCENE);
    cg_session *session = rig_session(scene, REMOVING);
    cg_recorder_def def = rig_recorder_def(&bytes);
    def.frame_every = def.hash_every = 1;
    def.key_every = 50;
    def.codec = RIG_CODEC;
    CHECK_INT(cg_session_record(session, &def).code, CG_OK);
    cg_operation late = {.kind = CG_OPERATION_release, .step = 5, .as.release = {0, 400}};
    CHECK_INT(cg_session_submit(session, &late).code, CG_OK); // refused later, with a message
    long before = test_allocations();
    for (int step = 0; step < 400; step++) {
        cg_session_step(session);
    }
    CHECK_INT(test_allocations() - before, 0);
    CHECK(cg_session_get_stats(session).refused > 0);
    CHECK_STR(cg_session_end_recording(session).message, "");
    CHECK(bytes.size > 10000);
    cg_session_destroy(session);
    cg_scene_free(scene);
    free(bytes.bytes);
}

TEST(a_full_disk_ends_the_recording_not_the_session)
{
    rig_bytes bytes = rig_bytes_make(60000);
    cg_scene *scene = rig_scene(RIG_SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_recorder_def def = rig_recorder_def(&bytes);
    def.frame_every = 1;
    CHECK_INT(cg_session_record(session, &def).code, CG_OK);
    for (int step = 0; step < 500; step++) {
        cg_session_step(session);
    }
    CHECK_INT(cg_session_recording_status(session).code, CG_FULL);
    CHECK_INT(cg_session_end_recording(session).code, CG_FULL);
    CHECK_INT(cg_session_get_stats(session).steps, 500);
    cg_recording *recording = open_recording(&bytes);
    CHECK(cg_recording_damage(recording)[0] != '\0');
    CHECK_INT(cg_recording_step_count(recording) % 64, 63);
    cg_recording_close(recording);
    cg_session_destroy(session);
    cg_scene_free(scene);
    free(bytes.bytes);
}

TEST(a_recorder_refuses_what_it_cannot_do)
{
    rig_bytes bytes = rig_bytes_make(1000);
    cg_scene *scene = rig_scene(RIG_SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_recorder_def def = rig_recorder_def(&bytes);
    CHECK_INT(cg_session_record(session, &def).code, CG_FULL); // not even the head has room
    def.frame_every = 0;
    CHECK_INT(cg_session_record(session, &def).code, CG_BAD_INPUT);
    def = rig_recorder_def(&bytes);
    def.write = NULL;
    CHECK_INT(cg_session_record(session, &def).code, CG_BAD_INPUT);
    def = rig_recorder_def(&bytes);
    def.codec = (cg_codec){.id = 70000, .squeeze = rig_squeeze};
    CHECK_INT(cg_session_record(session, &def).code, CG_BAD_INPUT);
    def = rig_recorder_def(&bytes);
    cg_operation operation = {.kind = CG_OPERATION_set_gravity};
    CHECK_STR(cg_session_apply(session, &operation).message, "");
    CHECK_INT(cg_session_record(session, &def).code, CG_BAD_INPUT); // it would not be in the recording
    cg_session_destroy(session);
    cg_scene_free(scene);
    free(bytes.bytes);
}

TEST(a_recording_may_begin_in_the_middle)
{
    rig_bytes bytes = rig_bytes_make(4 << 20);
    cg_scene *scene = rig_scene(RIG_SCENE);
    cg_session *session = rig_session(scene, NULL);
    for (int step = 0; step < 60; step++) {
        cg_session_step(session);
    }
    cg_recorder_def def = rig_recorder_def(&bytes);
    CHECK_STR(cg_session_record(session, &def).message, "");
    for (int step = 0; step < 60; step++) {
        cg_session_step(session);
    }
    CHECK_STR(cg_session_end_recording(session).message, "");
    uint64_t started;
    CHECK(rig_replays(&bytes, 60, &started));
    CHECK_INT(started, 60);
    cg_session_destroy(session);
    cg_scene_free(scene);
    free(bytes.bytes);
}

TEST(events_and_long_texts)
{
    rig_bytes bytes = rig_bytes_make(1 << 20);
    cg_scene *scene = rig_scene(RIG_SCENE);
    cg_world *world;
    CHECK_INT(cg_scene_build(scene, NULL, &world).code, CG_OK);
    cg_recorder *recorder;
    cg_recorder_def def = rig_recorder_def(&bytes);
    CHECK_INT(cg_recorder_create(&def, scene, world, &recorder).code, CG_OK);
    char text[400];
    for (int i = 0; i < 200; i++) {
        text[2 * i] = '\xc3'; // an umlaut
        text[2 * i + 1] = '\xa4';
    }
    text[399] = '\0';
    for (int i = 0; i < 100; i++) {
        cg_world_step(world);
        cg_recorder_note_step(recorder, world);
        cg_recorder_note_event(recorder, i == 50 ? text : "");
    }
    CHECK_INT(cg_recorder_finish(recorder, world).code, CG_OK);
    cg_recording *recording = open_recording(&bytes);
    CHECK_STR(cg_recording_damage(recording), "");
    CHECK_INT(cg_recording_event_count(recording), 100);
    uint64_t step;
    const char *read;
    CHECK(cg_recording_event(recording, 50, &step, &read));
    CHECK_INT(step, 51);
    CHECK_INT(strlen(read), 254);
    CHECK(memcmp(read, text, 254) == 0);
    CHECK(cg_recording_event(recording, 7, &step, &read));
    CHECK_STR(read, "");
    CHECK(!cg_recording_event(recording, 100, &step, &read));
    cg_recording_close(recording);
    cg_world_destroy(world);
    cg_scene_free(scene);
    free(bytes.bytes);
}
