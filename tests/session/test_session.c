// A session: order of operations, refusals, its queue.
#include "operation/fields.h"
#include "session_rig.h"

static cg_operation gravity_at(uint64_t step, double z)
{
    return (cg_operation){.step = step, .kind = CG_OPERATION_set_gravity, .as.set_gravity = {{0, 0, z}}};
}

static const char FALLING[] =
    "{\"gravity\": [0, 0, 0], \"threads\": [{\"name\": \"a\", \"drag\": 0, \"shape\": {\"line\": "
    "{\"from\": [0, 0, 0], \"to\": [\"1 cm\", 0, 0]}}, \"vertices\": 3}]}";

static double fall_velocity(const cg_session *session)
{
    return cg_thread_velocities(cg_session_world(session), cg_session_thread(session, 0), NULL)[1].z;
}

// A free fall adds up the gravity of each step, so the velocity tells which operation acted in which step.
TEST(submitted_operations_act_in_their_steps_in_order)
{
    cg_scene *scene = rig_scene(FALLING);
    cg_session *session = rig_session(scene, NULL);
    cg_operation list[] = {gravity_at(3, 0), gravity_at(1, -1), gravity_at(2, -7), gravity_at(2, -2), gravity_at(9, 5)};
    for (int i = 0; i < 5; i++) {
        CHECK_INT(cg_session_submit(session, &list[i]).code, CG_OK);
    }
    CHECK_INT(cg_session_get_stats(session).waiting, 5);
    static const double sums[] = {0, -1e-3, -3e-3, -3e-3};
    for (int step = 0; step < 4; step++) {
        cg_session_step(session);
        CHECK_NEAR(fall_velocity(session), sums[step], 1e-15);
    }
    CHECK_INT(cg_session_get_stats(session).waiting, 1);
    CHECK_INT(cg_session_get_stats(session).applied, 4);
    CHECK_INT(cg_session_get_stats(session).refused, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(scene_then_file_then_submitted)
{
    static const char scene_text[] = "{\"gravity\": [0, 0, 0], \"threads\": [{\"name\": \"a\", \"drag\": 0, \"shape\": "
                                     "{\"line\": {\"from\": [0, 0, 0], "
                                     "\"to\": [\"1 cm\", 0, 0]}}, \"vertices\": 3}], \"inputs\": [{\"at\": 0, "
                                     "\"set_gravity\": {\"gravity\": [0, 0, 1]}},"
                                     "{\"at\": \"1 ms\", \"set_gravity\": {\"gravity\": [0, 0, 2]}}]}";
    cg_scene *scene = rig_scene(scene_text);
    cg_session *session = rig_session(scene, "[{\"at\": \"1 ms\", \"set_gravity\": {\"gravity\": [0, 0, 3]}},"
                                             "{\"at\": \"2 ms\", \"set_gravity\": {\"gravity\": [0, 0, 4]}}]");
    cg_operation submitted = gravity_at(2, 5);
    CHECK_INT(cg_session_submit(session, &submitted).code, CG_OK);
    static const double sums[] = {1e-3, 4e-3, 9e-3};
    for (int step = 0; step < 3; step++) {
        cg_session_step(session);
        CHECK_NEAR(fall_velocity(session), sums[step], 1e-15);
    }
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(refused_operations_are_counted_and_said)
{
    cg_scene *scene = rig_scene(FALLING);
    cg_session_def def = cg_session_def_default();
    def.queue_capacity = 2;
    cg_session *session;
    cg_scene_error error;
    CHECK_INT(cg_session_create(&def, scene, &session, &error).code, CG_OK);
    rig_bytes bytes = rig_bytes_make(1 << 16);
    cg_recorder_def recorder = rig_recorder_def(&bytes);
    CHECK_INT(cg_session_record(session, &recorder).code, CG_OK);
    CHECK_INT(cg_session_record(session, &recorder).code, CG_BAD_INPUT);
    cg_session_step(session);
    cg_operation late = gravity_at(0, 1), bad = {.step = 1, .kind = CG_OPERATION_release, .as.release = {0, 77}};
    CHECK_INT(cg_session_submit(session, &late).code, CG_BAD_INPUT);
    CHECK_INT(cg_session_submit(session, &bad).code, CG_OK);
    CHECK_INT(cg_session_submit(session, &bad).code, CG_OK);
    CHECK_INT(cg_session_submit(session, &bad).code, CG_FULL);
    uint64_t hash = cg_world_state_hash(cg_session_world(session));
    CHECK_INT(cg_session_apply(session, &bad).code, CG_BAD_INPUT);
    CHECK_HASH(cg_world_state_hash(cg_session_world(session)), hash);
    cg_session_step(session);
    CHECK_INT(cg_session_get_stats(session).refused, 5);
    CHECK_INT(cg_session_get_stats(session).applied, 0);
    cg_refusal refusal;
    CHECK(cg_session_refusal(session, 4, &refusal));
    CHECK_INT(refusal.kind, CG_OPERATION_release);
    CHECK_INT(refusal.step, 1);
    CHECK_STR(refusal.status.message, "vertex is 77; expected 0 to 2");
    CHECK(!cg_session_refusal(session, 5, &refusal) && !cg_session_refusal(session, -1, &refusal));
    CHECK_INT(cg_session_end_recording(session).code, CG_OK);
    cg_recording *recording;
    CHECK_INT(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).code, CG_OK);
    CHECK_INT(cg_recording_operation_count(recording), 0);
    CHECK_INT(cg_recording_event_count(recording), 5);
    uint64_t step;
    const char *text;
    CHECK(cg_recording_event(recording, 4, &step, &text));
    CHECK_STR(text, "refused release: vertex is 77; expected 0 to 2");
    CHECK_INT(step, 1);
    cg_recording_close(recording);
    cg_session_destroy(session);
    cg_scene_free(scene);
    free(bytes.bytes);
}

TEST(a_definition_out_of_range_is_refused)
{
    cg_scene *scene = rig_scene(FALLING);
    cg_session_def def = cg_session_def_default();
    cg_session *session;
    cg_scene_error error;
    def.queue_capacity = 0;
    CHECK_INT(cg_session_create(&def, scene, &session, &error).code, CG_BAD_INPUT);
    CHECK(session == NULL);
    def.queue_capacity = 1000001;
    CHECK_INT(cg_session_create(&def, scene, &session, &error).code, CG_BAD_INPUT);
    CHECK_STR(error.message, "");
    cg_scene_free(scene);
}

// Counts down, then gives nothing any more.
static void *scarce(void *context, size_t bytes)
{
    int *left = context;
    return (*left)-- > 0 ? malloc(bytes) : NULL;
}

static void give_back(void *context, void *memory)
{
    (void)context;
    free(memory);
}

TEST(without_memory_nothing_is_made_and_nothing_leaks)
{
    cg_scene *scene = rig_scene(RIG_SCENE);
    int failures = 0;
    for (int allowed = 0; allowed < 1000; allowed++) {
        int left = allowed;
        cg_session_def def = cg_session_def_default();
        def.allocator = (cg_allocator){.allocate = scarce, .release = give_back, .context = &left};
        def.inputs = "[{\"at\": 0, \"release\": {\"thread\": \"loose\", \"vertex\": 0}}]";
        def.inputs_size = strlen(def.inputs);
        cg_session *session;
        cg_scene_error error;
        cg_status status = cg_session_create(&def, scene, &session, &error);
        if (status.code == CG_OK) {
            cg_session_destroy(session);
            break;
        }
        failures++;
        CHECK_INT(status.code, CG_OUT_OF_MEMORY);
        CHECK(session == NULL);
    }
    CHECK(failures > 5 && failures < 1000);
    cg_scene_free(scene);
}

TEST(a_session_can_go_to_a_state)
{
    cg_scene *scene = rig_scene(FALLING);
    cg_session *session = rig_session(scene, NULL);
    cg_operation pull = gravity_at(0, -3);
    CHECK_INT(cg_session_apply(session, &pull).code, CG_OK);
    cg_session_step(session);
    size_t size = cg_world_snapshot_size(cg_session_world(session));
    void *state = malloc(size);
    CHECK_INT(cg_world_snapshot(cg_session_world(session), state, size).code, CG_OK);
    uint64_t hash = cg_world_state_hash(cg_session_world(session));
    cg_session_step(session);
    CHECK_INT(cg_session_restore(session, state, size).code, CG_OK);
    CHECK_HASH(cg_world_state_hash(cg_session_world(session)), hash);
    CHECK_INT(cg_session_get_stats(session).steps, 1);
    CHECK(cg_session_restore(session, state, size - 1).code != CG_OK);
    cg_session_destroy(session);
    session = rig_session(scene, "[{\"at\": 0, \"release\": {\"thread\": \"a\", \"vertex\": 0}}]");
    CHECK_INT(cg_session_restore(session, state, size).code, CG_BAD_INPUT);
    cg_session_destroy(session);
    cg_scene_free(scene);
    free(state);
}

static uint64_t hash_after(cg_session *session, int steps)
{
    for (int i = 0; i < steps; i++) {
        cg_session_step(session);
    }
    return cg_world_state_hash(cg_session_world(session));
}

// In the middle of ramps, with an operation that waits: what comes afterwards comes again.
TEST(a_kept_state_has_the_same_future)
{
    cg_scene *scene = rig_scene(RIG_SCENE);
    cg_session *session = rig_session(scene, NULL);
    hash_after(session, 40);
    cg_operation waiting = gravity_at(60, -1);
    CHECK_INT(cg_session_submit(session, &waiting).code, CG_OK);
    cg_session_state *state;
    CHECK_INT(cg_session_keep(session, &state).code, CG_OK);
    uint64_t at_80 = hash_after(session, 40), at_160 = hash_after(session, 80);
    for (int round = 0; round < 2; round++) {
        CHECK_INT(cg_session_return(session, state).code, CG_OK);
        CHECK_INT(cg_session_get_stats(session).steps, 40);
        CHECK_HASH(hash_after(session, 40), at_80);
        CHECK_HASH(hash_after(session, 80), at_160);
    }
    // a new session of the same scene can go there too
    cg_session *other = rig_session(scene, NULL);
    CHECK_INT(cg_session_return(other, state).code, CG_OK);
    CHECK_HASH(hash_after(other, 40), at_80);
    rig_bytes bytes = rig_bytes_make(1 << 20);
    cg_recorder_def def = cg_recorder_def_default();
    def.write = rig_write;
    def.context = &bytes;
    cg_session *recorded = rig_session(scene, NULL);
    CHECK_INT(cg_session_record(recorded, &def).code, CG_OK);
    CHECK_INT(cg_session_return(recorded, state).code, CG_BAD_INPUT);
    cg_session_destroy(recorded);
    cg_session_state_free(state);
    cg_session_destroy(other);
    cg_session_destroy(session);
    cg_scene_free(scene);
    free(bytes.bytes);
}
