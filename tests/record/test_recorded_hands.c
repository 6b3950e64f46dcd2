// What hands did is in recordings, frame by frame, and nothing of it is believed when it is read.
#include <math.h>
#include <string.h>

#include "harness.h"
#include "record/hand_items.h"
#include "session/session_rig.h"

static const char scene_text[] =
    "{\"threads\": [{\"name\": \"a\", \"radius\": 0.0005, \"youngs_modulus\": 1e7, \"density\": 1000, \"vertices\": "
    "21, "
    "\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0.06, 0, 0]}}, \"start\": \"pinned\"}], "
    "\"hands\": [{\"name\": \"left\", \"position\": [0.06, 0, 0]}, {\"name\": \"right\", \"position\": [0, 0.05, 0]}], "
    "\"inputs\": [{\"at\": 0, \"close_hand\": {\"hand\": \"left\"}}, "
    "{\"at\": 0.001, \"move_hand\": {\"hand\": \"left\", \"position\": [0.09, 0, 0], \"time\": 0.02}}]}";

static const char bare_text[] = "{\"threads\": [{\"vertices\": 5, \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": "
                                "[0.02, 0, 0]}}}], \"hands\": []}";

enum { STEPS = 200, EVERY = 8 };

static void check_vec3(cg_vec3 found, cg_vec3 wanted, double tolerance)
{
    CHECK_NEAR(found.x, wanted.x, tolerance);
    CHECK_NEAR(found.y, wanted.y, tolerance);
    CHECK_NEAR(found.z, wanted.z, tolerance);
}

TEST(frames_hold_what_the_hands_did)
{
    rig_bytes bytes = rig_record(scene_text, NULL, STEPS, EVERY, (cg_codec){0});
    cg_recording *recording;
    CHECK_INT(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).code, CG_OK);
    CHECK_STR(cg_recording_damage(recording), "");
    cg_scene *scene = rig_scene(scene_text);
    cg_session *session = rig_session(scene, NULL);
    int looked_at = 0;
    double strongest = 0;
    for (int step = 0; step <= STEPS; step++) {
        cg_recorded_frame frame;
        if (step % EVERY == 0) {
            CHECK_INT(cg_recording_frame(recording, (size_t)(step / EVERY), &frame).code, CG_OK);
            CHECK_INT((int)frame.step, step);
            CHECK_INT(frame.hand_count, 2);
            for (int i = 0; i < frame.hand_count; i++) {
                cg_hand_state now = cg_hand_get_state(cg_session_world(session), cg_session_hand(session, i));
                const cg_hand_state *then = &frame.hands[i].state;
                CHECK_INT(frame.hands[i].hand, i);
                CHECK_INT(then->closed, now.closed);
                CHECK_INT((int)then->thread.index, (int)now.thread.index);
                CHECK_INT(then->vertex_count, now.vertex_count);
                check_vec3(then->pose.position, now.pose.position, 1e-8);
                check_vec3(then->command.position, now.command.position, 1e-8);
                check_vec3(then->force, now.force, 1e-6 * (1 + fabs(now.force.x)));
                strongest = fmax(strongest, fabs(then->force.x));
                looked_at++;
            }
        }
        cg_session_step(session);
    }
    CHECK_INT(looked_at, 2 * (STEPS / EVERY + 1));
    CHECK(strongest > 1); // a thread 60 mm long is pulled 30 mm farther
    cg_session_destroy(session);
    cg_scene_free(scene);
    cg_recording_close(recording);
    free(bytes.bytes);
}

TEST(a_scene_without_hands_has_none_of_it)
{
    rig_bytes bytes = rig_record(bare_text, NULL, 20, 2, (cg_codec){0});
    cg_recording *recording;
    cg_recorded_frame frame;
    CHECK_INT(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).code, CG_OK);
    CHECK_INT(cg_recording_frame(recording, 3, &frame).code, CG_OK);
    CHECK_INT(frame.hand_count, -1);
    cg_recording_close(recording);
    free(bytes.bytes);
}

// Every byte in turn is set to something else: what is read stays within its bounds, or is refused.
TEST(forged_hands_are_refused_or_harmless)
{
    cg_scene *scene = rig_scene(scene_text);
    cg_session *session = rig_session(scene, NULL);
    unsigned char honest[CG_HANDS_MOST_BYTES], forged[CG_HANDS_MOST_BYTES];
    cg_byte_sink sink = cg_write_to(honest, sizeof honest);
    cg_hands_write(&sink, 7, cg_session_world(session));
    size_t size = sizeof honest - sink.left;
    CHECK_INT((int)size, 9 + 2 * CG_HAND_BYTES);
    int refused = 0;
    for (size_t at = 0; at < size; at++) {
        static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
        for (size_t v = 0; v < sizeof values; v++) {
            cg_recorded_hand hands[CG_RECORDED_MOST_HANDS];
            uint64_t step;
            int count;
            memcpy(forged, honest, size);
            forged[at] = values[v];
            cg_byte_source source = cg_read_from(forged, size);
            bool good = cg_hands_read(&source, &step, hands, &count);
            refused += !good;
            for (int i = 0; i < count && good; i++) {
                CHECK(hands[i].hand >= 0 && hands[i].hand < CG_RECORDED_MOST_HANDS);
                CHECK(hands[i].state.tool < CG_TOOL_COUNT);
                CHECK(hands[i].state.thread.index <= CG_RECORDED_MOST_THREADS);
                CHECK(isfinite(hands[i].state.pose.position.x) && isfinite(hands[i].state.force.z));
            }
        }
    }
    CHECK(refused > 50);
    cg_byte_source cut = cg_read_from(honest, size - 1);
    uint64_t step;
    int count;
    CHECK(!cg_hands_read(&cut, &step, NULL, &count));
    cg_session_destroy(session);
    cg_scene_free(scene);
}
