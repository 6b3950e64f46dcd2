// What a session keeps of the last minutes: it can be had at any time as a recording that begins in the middle of the
// world, and replays to the bit from there.
#include <stdlib.h>

#include "session/session_rig.h"

// A thread of 40 mm that swings from a clamp.
static const char SCENE[] =
    "{\"threads\": [{\"name\": \"cord\", \"radius\": \"0.5 mm\", \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": "
    "[\"40 mm\", 0, 0]}}, \"vertices\": 11, \"start\": \"clamped\"}], \"shapes\": [{\"name\": \"ball\", \"sphere\": "
    "{\"radius\": \"3 mm\"}, \"position\": [\"20 mm\", 0, \"-60 mm\"]}]}";

typedef struct kept_bytes {
    unsigned char *bytes;
    size_t size;
} kept_bytes;

static bool keep(void *context, const void *bytes, size_t size)
{
    kept_bytes *kept = context;
    kept->bytes = realloc(kept->bytes, size);
    kept->size = size;
    memcpy(kept->bytes, bytes, size);
    return true;
}

static void steps(cg_session *session, int count)
{
    for (int i = 0; i < count; i++) {
        cg_session_step(session);
    }
}

static void move_ball(cg_session *session, double height)
{
    cg_operation move = {.kind = CG_OPERATION_move_shape};
    move.as.move_shape = (cg_operation_move_shape){.shape = 0, .position = {0.02, 0, height}, .rotation = {0, 0, 0, 1}};
    CHECK_STR(cg_session_apply(session, &move).message, "");
}

static cg_past_def usual(double seconds, size_t most_bytes)
{
    return (cg_past_def){.seconds = seconds, .most_bytes = most_bytes};
}

// Runs a recording again from its beginning and compares every hash. Returns the step it begins at.
static uint64_t check_replay(const kept_bytes *kept, uint64_t last)
{
    cg_recording *recording;
    cg_scene *scene;
    cg_scene_error error;
    CHECK_STR(cg_recording_open(kept->bytes, kept->size, NULL, NULL, &recording).message, "");
    CHECK_STR(cg_recording_damage(recording), "");
    CHECK_INT((long long)cg_recording_step_count(recording), (long long)last);
    CHECK_STR(cg_recording_scene(recording, NULL, &scene, &error).message, "");
    cg_session *session = rig_session(scene, NULL);
    uint64_t first, step, hash;
    size_t next = 0, next_hash = 0;
    CHECK(cg_recording_hash(recording, 0, &first, &hash));
    CHECK_STR(cg_session_jump(session, recording, first, &next).message, "");
    CHECK_INT((long long)cg_session_get_stats(session).steps, (long long)first);
    for (uint64_t now = first; now <= last; now++) {
        cg_operation operation;
        if (cg_recording_hash(recording, next_hash, &step, &hash) && step == now) {
            CHECK(cg_world_state_hash(cg_session_world(session)) == hash);
            next_hash++;
        }
        while (cg_recording_operation(recording, next, &operation) && operation.step == now) {
            cg_session_apply(session, &operation);
            next++;
        }
        cg_session_step(session);
    }
    CHECK_INT((long long)next_hash, (long long)cg_recording_hash_count(recording));
    cg_session_destroy(session);
    cg_scene_free(scene);
    cg_recording_close(recording);
    return first;
}

TEST(what_just_happened_replays_to_the_bit_from_the_middle_of_a_world)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    kept_bytes kept = {0};
    steps(session, 50);
    cg_past_def def = usual(1000, 1 << 24);
    CHECK_STR(cg_session_keep_past(session, &def).message, "");
    steps(session, 100);
    move_ball(session, -0.03);
    steps(session, 1100);
    CHECK(cg_session_write_past(session, keep, &kept));
    CHECK_INT((long long)check_replay(&kept, 1250), 50);
    // and once more: it went on keeping
    steps(session, 40);
    CHECK(cg_session_write_past(session, keep, &kept));
    CHECK_INT((long long)check_replay(&kept, 1290), 1250);
    free(kept.bytes);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(at_least_half_of_the_time_is_kept_and_never_more_than_all_of_it)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    double span = 200 * cg_session_time_step(session);
    cg_past_def def = usual(span, 1 << 24);
    CHECK_STR(cg_session_keep_past(session, &def).message, "");
    steps(session, 120);
    for (int i = 0; i < 500; i++) {
        steps(session, 1);
        double kept = cg_session_past_seconds(session);
        CHECK(kept > 0.49 * span && kept < 1.01 * span);
    }
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(little_memory_keeps_less_and_a_state_that_is_gone_back_to_begins_anew)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_session_state *state;
    kept_bytes kept = {0};
    CHECK_INT(cg_session_write_past(session, keep, &kept), false);
    cg_past_def def = usual(1000, 60000);
    CHECK_STR(cg_session_keep_past(session, &def).message, "");
    steps(session, 20);
    CHECK_STR(cg_session_keep(session, &state).message, "");
    steps(session, 30000);
    CHECK(cg_session_write_past(session, keep, &kept));
    CHECK(kept.size <= 60000);
    CHECK(check_replay(&kept, 30020) > 20);
    CHECK_STR(cg_session_return(session, state).message, "");
    CHECK_INT(cg_session_past_seconds(session) == 0, true);
    steps(session, 30);
    CHECK(cg_session_write_past(session, keep, &kept));
    CHECK_INT((long long)check_replay(&kept, 50), 20);
    cg_session_state_free(state);
    free(kept.bytes);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// Steps with so much to note that it is written after few of them.
static void talk(cg_session *session, int count)
{
    char text[201] = "";
    memset(text, 'a', 200);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 20; k++) {
            cg_session_note(session, text);
        }
        cg_session_step(session);
    }
}

// Every beginning costs a whole state: with room for one and little more it would begin again in step after step.
TEST(too_little_memory_for_a_second_is_given_up)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    kept_bytes kept = {0};
    cg_past_def def = usual(1000, 1 << 24);
    CHECK_STR(cg_session_keep_past(session, &def).message, "");
    steps(session, 1);
    CHECK(cg_session_write_past(session, keep, &kept));
    def.most_bytes = kept.size;
    CHECK_STR(cg_session_keep_past(session, &def).message, "");
    steps(session, 1);
    CHECK(cg_session_past_seconds(session) > 0); // it has begun
    talk(session, 500);
    CHECK(cg_session_past_seconds(session) == 0);
    talk(session, 5);
    CHECK(cg_session_past_seconds(session) == 0); // and never again
    CHECK(!cg_session_write_past(session, keep, &kept));
    free(kept.bytes);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(what_is_noted_is_kept_too)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    kept_bytes kept = {0};
    cg_past_def def = usual(1000, 1 << 24);
    CHECK_STR(cg_session_keep_past(session, &def).message, "");
    steps(session, 10);
    cg_session_note(session, "task untie seed 3");
    steps(session, 10);
    CHECK(cg_session_write_past(session, keep, &kept));
    cg_recording *recording;
    uint64_t step = 0;
    const char *text = "";
    CHECK_STR(cg_recording_open(kept.bytes, kept.size, NULL, NULL, &recording).message, "");
    CHECK(cg_recording_event(recording, 0, &step, &text));
    CHECK_STR(text, "task untie seed 3");
    CHECK_INT((long long)step, 10);
    cg_recording_close(recording);
    free(kept.bytes);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// So that nothing need be let go for a return that is refused.
TEST(a_state_that_cannot_be_gone_back_to_is_told_beforehand)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_session_state *state;
    CHECK_STR(cg_session_keep(session, &state).message, "");
    steps(session, 10);
    uint64_t hash = cg_world_state_hash(cg_session_world(session));
    CHECK_STR(cg_session_check_return(session, state).message, "");
    CHECK(cg_world_state_hash(cg_session_world(session)) == hash);
    cg_operation removal = {.kind = CG_OPERATION_remove_thread, .as.remove_thread = {.thread = 0}};
    CHECK_STR(cg_session_apply(session, &removal).message, "");
    cg_status told = cg_session_check_return(session, state), status = cg_session_return(session, state);
    CHECK(told.code != CG_OK && told.message[0] != '\0');
    CHECK_STR(told.message, status.message);
    cg_session_state_free(state);
    cg_session_destroy(session);
    cg_scene_free(scene);
}
