// Rigid bodies in recordings: where they were at every frame, and how a view shows them.
#include <math.h>

#include "catgut/rigid.h"
#include "catgut/view.h"
#include "session/session_rig.h"
#include "world/world.h"

// A bent rod falls past nothing.
static const char SCENE[] =
    "{\"bodies\": [{\"name\": \"needle\", \"arc\": {\"radius\": \"8 mm\", \"thickness\": \"0.6 mm\"}, \"mass\": \"40 "
    "mg\", \"position\": [0, 0, \"12 mm\"], \"spin\": [\"4 rad/s\", \"10 rad/s\", 0]}]}";

static void shown(cg_session_view *view, const cg_recorded_frame *frame, cg_vec3 *first)
{
    cg_message message;
    cg_status status = frame != NULL ? cg_view_recorded(view, frame, &message) : cg_view_frame(view, &message);
    CHECK_STR(status.message, "");
    const cg_wire_shape_state *parts = message.as.frame.shapes.items;
    CHECK(message.as.frame.shapes.count >= 4);
    *first = (cg_vec3){parts[0].position.x, parts[0].position.y, parts[0].position.z};
}

TEST(bodies_are_where_they_were_at_every_frame)
{
    rig_bytes memory = rig_bytes_make(1 << 20);
    enum { FRAMES = 10, EVERY = 16 };
    cg_vec3 seen[FRAMES + 1];
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_session_view *view;
    CHECK_STR(cg_view_create(session, scene, NULL, &view).message, "");
    cg_recorder_def def = rig_recorder_def(&memory);
    CHECK_STR(cg_session_record(session, &def).message, "");
    for (int frame = 0; frame <= FRAMES; frame++) {
        shown(view, NULL, &seen[frame]);
        for (int i = 0; i < EVERY && frame < FRAMES; i++) {
            cg_session_step(session);
        }
    }
    CHECK(v3_distance(seen[0], seen[FRAMES]) > 0.01);
    CHECK_STR(cg_session_end_recording(session).message, "");
    cg_view_destroy(view);
    cg_session_destroy(session);

    // Watched in a world that stands at its beginning.
    cg_recording *recording;
    CHECK_STR(cg_recording_open(memory.bytes, memory.size, NULL, NULL, &recording).message, "");
    CHECK_STR(cg_recording_damage(recording), "");
    session = rig_session(scene, NULL);
    CHECK_STR(cg_view_create(session, scene, NULL, &view).message, "");
    CHECK_INT((long long)cg_recording_frame_count(recording), FRAMES + 1);
    for (int index = FRAMES; index >= 0; index--) {
        cg_recorded_frame frame;
        cg_vec3 now;
        CHECK_STR(cg_recording_frame(recording, (size_t)index, &frame).message, "");
        CHECK_INT(frame.body_count, 1);
        shown(view, &frame, &now);
        CHECK_NEAR(v3_distance(now, seen[index]), 0, 1e-7);
    }
    cg_view_destroy(view);
    cg_session_destroy(session);
    cg_recording_close(recording);
    free(memory.bytes);
    cg_scene_free(scene);
}
