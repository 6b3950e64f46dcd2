// A script hands a needle from one driver to the other, by jaws and friction alone; frames show the tools, and a
// recording has their openings.
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "record/hand_items.h"
#include "support/scene_files.h"

#define SCENES CATGUT_SOURCE_DIR "/scenes/"

typedef struct rig {
    cg_scene *scene;
    cg_session *session;
} rig;

static rig begin(void)
{
    rig r = {0};
    cg_scene_error error;
    CHECK(cg_scene_load(SCENES "handover.json", &r.scene, &error));
    cg_session_def def = cg_session_def_default();
    CHECK_STR(cg_session_create(&def, r.scene, &r.session, &error).message, "");
    return r;
}

static void end(rig *r)
{
    cg_session_destroy(r->session);
    cg_scene_free(r->scene);
}

static cg_status run_script(rig *r, const char *text, cg_scene_error *error)
{
    return cg_session_run_script(r->session, text, strlen(text), "a.script", error);
}

static void step(rig *r, int steps)
{
    for (int i = 0; i < steps; i++) {
        cg_session_step(r->session);
    }
}

// By a script of the scene, to its end: each says what it expects.
static void play(const char *path)
{
    rig r = begin();
    char why[128];
    size_t size;
    cg_scene_error error;
    char *text = cg_file_read(path, 1 << 20, &size, why, sizeof why);
    if (CHECK(text != NULL)) {
        CHECK_STR(run_script(&r, text, &error).message, "");
    }
    free(text);
    for (int i = 0; i < 8000 && cg_session_get_script(r.session).phase == CG_SCRIPT_RUNNING; i++) {
        step(&r, 1);
    }
    CHECK_STR(cg_session_get_script(r.session).error.message, "");
    CHECK_INT(cg_session_get_script(r.session).phase, CG_SCRIPT_DONE);
    CHECK_INT(cg_world_get_stats(cg_session_world(r.session)).unfinished_steps, 0);
    end(&r);
}

TEST(a_needle_is_handed_over)
{
    play(SCENES "scripts/handover.script");
}

TEST(a_needle_is_dropped_and_picked_up_again)
{
    play(SCENES "scripts/dropped-needle.script");
}

TEST(scripts_set_jaws)
{
    rig r = begin();
    cg_scene_error error;
    CHECK_STR(run_script(&r, "left jaws to 25 % with 2 N; right jaws to 0\nwait 0.3 s", &error).message, "");
    step(&r, 300);
    const cg_world *world = cg_session_world(r.session);
    CHECK_NEAR(cg_hand_get_state(world, cg_session_hand(r.session, 0)).opening, 0.25, 1e-3);
    CHECK_NEAR(cg_hand_get_state(world, cg_session_hand(r.session, 1)).opening, 0, 1e-3);
    CHECK(cg_hand_get_state(world, cg_session_hand(r.session, 1)).is_latched);
    CHECK_INT(run_script(&r, "left jaws to 2", &error).code, CG_BAD_INPUT);
    CHECK(strstr(error.message, "expected 0 to 1") != NULL);
    CHECK_INT(run_script(&r, "left move to middle of body \"pin\" in 1 s", &error).code, CG_BAD_INPUT);
    CHECK(strstr(error.message, "needle") != NULL || strstr(error.message, "no body") != NULL);
    end(&r);
}

// What a recording has of a tool: opening, forces and ratchet, as floats.
TEST(recorded_hands_have_their_openings)
{
    rig r = begin();
    cg_scene_error error;
    CHECK_STR(run_script(&r, "left jaws to 50 %; right close\nwait 0.3 s", &error).message, "");
    step(&r, 300);
    unsigned char bytes[CG_HANDS_MOST_BYTES];
    cg_byte_sink sink = cg_write_to(bytes, sizeof bytes);
    cg_hands_write(&sink, 7, cg_session_world(r.session));
    CHECK(sink.good);
    cg_recorded_hand hands[CG_RECORDED_MOST_HANDS];
    cg_byte_source source = cg_read_from(bytes, sizeof bytes - sink.left);
    uint64_t at;
    int count;
    CHECK(cg_hands_read(&source, &at, hands, &count));
    CHECK_INT(count, 2);
    CHECK(hands[0].state.has_jaws && hands[1].state.has_jaws && hands[1].state.is_latched);
    CHECK_NEAR(hands[0].state.opening, 0.5, 1e-3);
    CHECK_NEAR(hands[1].state.opening, 0, 1e-3);
    end(&r);
}

// The parts of a tool from its opening alone are those that the world has.
TEST(parts_follow_from_pose_and_opening)
{
    rig r = begin();
    cg_scene_error error;
    CHECK_STR(
        run_script(&r, "left jaws to 30 %; right turn 40 deg about (1, 0, 0) in 0.2 s\nwait 0.3 s", &error).message,
        "");
    step(&r, 500);
    const cg_world *world = cg_session_world(r.session);
    for (int h = 0; h < 2; h++) {
        cg_hand_id id = cg_session_hand(r.session, h);
        cg_hand_state state = cg_hand_get_state(world, id);
        cg_rigid_part parts[CG_TOOL_MOST_PARTS], part;
        int jaws[CG_TOOL_MOST_PARTS], jaw;
        int count = cg_tool_get_parts(state.tool, CG_GRASP_JAWS, state.pose, state.opening, parts, jaws);
        CHECK_INT(count, cg_hand_get_part_count(world, id));
        for (int i = 0; i < count; i++) {
            CHECK(cg_hand_get_part(world, id, i, &part, &jaw));
            CHECK_INT(jaw, jaws[i]);
            CHECK_NEAR(v3_distance(part.pose.position, parts[i].pose.position), 0, 1e-6);
        }
    }
    end(&r);
}
