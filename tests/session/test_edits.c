// Operations that change what is there: cut, separate, merge and set_state. They do what their calls do, are recorded
// and replayed to the bit, can be written as inputs, and views show the tissues that they make.
#include <stdio.h>

#include "catgut/script.h"
#include "catgut/view.h"
#include "operation/fields.h"
#include "session_rig.h"
#include "world/world.h"

// A pad that is cut through in the middle and then separated; a thread above it. A blade from beneath it to above.
static const char SCENE[] =
    "{\"duration\": \"0.06 s\", \"gravity\": [0, 0, 0], \"max_contacts\": 40,"
    "\"threads\": [{\"name\": \"thread\", \"shape\": {\"line\": {\"from\": [\"-4 mm\", 0, \"9 mm\"], \"to\": [\"4 mm\","
    " 0, \"9 mm\"]}}, \"vertices\": 9}],"
    "\"tissues\": [{\"name\": \"pad\", \"pad\": {\"length\": \"12 mm\", \"width\": \"8 mm\"}, \"spacing\": \"2 mm\","
    " \"layers\": [{\"thickness\": \"3 mm\"}], \"fix_bottom\": false}]";
static const char INPUTS[] =
    ", \"inputs\": ["
    "{\"at\": \"10 ms\", \"cut\": {\"tissue\": \"pad\", \"from\": [\"0.3 mm\", \"-6 mm\", \"1 mm\"], \"to\": [\"0.3 "
    "mm\", \"6 mm\", \"1 mm\"], \"from_down\": [0, 0, \"-6 mm\"], \"to_down\": [0, 0, \"-6 mm\"]}},"
    "{\"at\": \"20 ms\", \"separate\": {\"tissue\": \"pad\", \"node\": 0}},"
    "{\"at\": \"25 ms\", \"set_state\": {\"thread\": \"thread\", \"vertex\": -1, \"position\": [\"4 mm\", \"1 mm\", "
    "\"9 "
    "mm\"], \"velocity\": [0, 0, \"0.1 m/s\"]}}]";

static const cg_operation CUT = {
    .kind = CG_OPERATION_cut, .as.cut = {0, {0.3e-3, -6e-3, 1e-3}, {0.3e-3, 6e-3, 1e-3}, {0, 0, -6e-3}, {0, 0, -6e-3}}};
static const cg_operation SEPARATE = {.kind = CG_OPERATION_separate, .as.separate = {0, 0}};

static const char *scene_text(bool has_inputs)
{
    static char text[4096];
    snprintf(text, sizeof text, "%s%s}", SCENE, has_inputs ? INPUTS : "");
    return text;
}

TEST(cuts_and_pieces_are_those_of_the_calls)
{
    cg_scene *scene = rig_scene(scene_text(false));
    cg_world *worlds[2];
    CHECK_STR(cg_scene_build(scene, NULL, &worlds[0]).message, "");
    CHECK_STR(cg_scene_build(scene, NULL, &worlds[1]).message, "");
    cg_tissue_id pad = cg_operation_tissue(worlds[1], 0), piece;
    CHECK_INT(cg_operation_apply(worlds[0], &SEPARATE).code, CG_BAD_INPUT); // in one piece
    CHECK_STR(cg_operation_apply(worlds[0], &CUT).message, "");
    const cg_vec3 path[2] = {CUT.as.cut.from, CUT.as.cut.to}, down[2] = {CUT.as.cut.from_down, CUT.as.cut.to_down};
    CHECK_STR(cg_tissue_cut(worlds[1], pad, path, down, 2, NULL).message, "");
    CHECK_INT(cg_tissue_piece_count(worlds[0], cg_operation_tissue(worlds[0], 0)), 2);
    CHECK_HASH(cg_world_state_hash(worlds[0]), cg_world_state_hash(worlds[1]));
    CHECK_STR(cg_operation_apply(worlds[0], &SEPARATE).message, "");
    CHECK_STR(cg_world_separate_tissue(worlds[1], pad, 0, &piece).message, "");
    for (int i = 0; i < 20; i++) {
        cg_world_step(worlds[0]);
        cg_world_step(worlds[1]);
    }
    CHECK(cg_tissue_is_valid(worlds[0], cg_operation_tissue(worlds[0], 1)));
    CHECK_HASH(cg_world_state_hash(worlds[0]), cg_world_state_hash(worlds[1]));
    cg_world_destroy(worlds[0]);
    cg_world_destroy(worlds[1]);
    cg_scene_free(scene);
}

// A row of set_state leaves a thread as cg_thread_set_state does, whatever it was before.
TEST(every_vertex_put_somewhere_is_the_whole_state)
{
    static const char text[] =
        "{\"threads\": [{\"shape\": {\"helix\": {\"radius\": \"4 mm\", \"pitch\": \"3 mm\", \"turns\": 1.5}}, "
        "\"vertices\": 9, \"rest\": \"as placed\", \"start\": \"clamped\"}]}";
    cg_scene *scene = rig_scene(text);
    cg_world *worlds[2];
    cg_vec3 positions[9], velocities[9];
    uint64_t seed = 5;
    for (int w = 0; w < 2; w++) {
        CHECK_STR(cg_scene_build(scene, NULL, &worlds[w]).message, "");
        for (int i = 0; i < 10; i++) {
            cg_world_step(worlds[w]);
        }
    }
    for (int i = 0; i < 9; i++) {
        positions[i] = v3(1e-3 * i, test_random(&seed, -1e-3, 1e-3), test_random(&seed, -1e-3, 1e-3));
        velocities[i] = v3(test_random(&seed, -1, 1), 0, 0.1);
        cg_operation set = {.kind = CG_OPERATION_set_state, .as.set_state = {0, i, positions[i], velocities[i]}};
        CHECK_STR(cg_operation_apply(worlds[0], &set).message, "");
    }
    CHECK_STR(cg_thread_set_state(worlds[1], cg_operation_thread(worlds[1], 0), positions, velocities).message, "");
    CHECK_HASH(cg_world_state_hash(worlds[0]), cg_world_state_hash(worlds[1]));
    cg_operation bad = {.kind = CG_OPERATION_set_state, .as.set_state = {0, 9, {0, 0, 0}, {0, 0, 0}}};
    CHECK_INT(cg_operation_apply(worlds[0], &bad).code, CG_BAD_INPUT);
    bad.as.set_state = (cg_operation_set_state){0, 1, {1e9, 0, 0}, {0, 0, 0}};
    CHECK_INT(cg_operation_apply(worlds[0], &bad).code, CG_BAD_INPUT);
    CHECK_HASH(cg_world_state_hash(worlds[0]), cg_world_state_hash(worlds[1]));
    cg_world_destroy(worlds[0]);
    cg_world_destroy(worlds[1]);
    cg_scene_free(scene);
}

// Sends the fixed end of the right half of a vessel along x.
static void push_right_half(cg_world *world, cg_tissue_id vessel, double way)
{
    int count;
    const cg_vec3 *x = cg_tissue_positions(world, vessel, &count), *home = cg_tissue_homes(world, vessel, NULL);
    for (int i = 0; i < count; i++) {
        if (home[i].x > 0 && cg_tissue_is_fixed(world, vessel, i)) {
            cg_operation move = {.kind = CG_OPERATION_move_node, .as.move_node = {0, i, v3_add(x[i], v3(way, 0, 0))}};
            CHECK_STR(cg_operation_apply(world, &move).message, "");
        }
    }
}

// The ends of a severed vessel that were brought together and stick are one again.
TEST(merge_makes_one_of_what_sticks)
{
    static const char text[] =
        "{\"gravity\": [0, 0, 0], \"max_contacts\": 40, \"tissues\": [{\"vessel\": {\"length\": \"16 mm\", \"radius\": "
        "\"4 mm\", \"wall\": \"1 mm\", \"gap\": \"2 mm\"}, \"spacing\": \"1.5 mm\", \"fix_rim\": true, \"iterations\": "
        "30,"
        " \"bond_strength\": \"20 kPa\"}]}";
    cg_scene *scene = rig_scene(text);
    cg_world *world;
    CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
    const cg_operation merge = {.kind = CG_OPERATION_merge, .as.merge = {0}};
    cg_tissue_id vessel = cg_operation_tissue(world, 0);
    CHECK_INT(cg_operation_apply(world, &merge).code, CG_BAD_INPUT); // nothing sticks yet
    for (int i = 0; i < 185; i++) {
        push_right_half(world, vessel, -1e-5);
        cg_world_step(world);
    }
    for (int i = 0; i < 300; i++) {
        cg_world_step(world);
    }
    int before, after;
    cg_tissue_positions(world, vessel, &before);
    CHECK_INT(cg_tissue_piece_count(world, vessel), 2);
    CHECK_STR(cg_operation_apply(world, &merge).message, "");
    cg_tissue_positions(world, vessel, &after);
    CHECK(after < before);
    CHECK_INT(cg_tissue_piece_count(world, vessel), 1);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(recordings_hold_all_of_it)
{
    rig_bytes bytes = rig_record(scene_text(true), NULL, 60, 2, (cg_codec){0});
    uint64_t started;
    CHECK(rig_replays(&bytes, 0, &started) && started == 0);
    CHECK(rig_replays(&bytes, 17, &started) && started == 16);
    // A state behind the separation fits no new world: it goes on from one before.
    CHECK(rig_replays(&bytes, 50, &started) && started == 16);
    cg_recording *recording;
    CHECK_STR(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).message, "");
    CHECK_INT(cg_recording_operation_count(recording), 3);
    cg_recorded_frame frame;
    CHECK_STR(cg_recording_frame(recording, 0, &frame).message, "");
    int whole = frame.node_counts[0];
    CHECK_STR(cg_recording_frame(recording, cg_recording_frame_count(recording) - 1, &frame).message, "");
    CHECK(frame.tissue_count >= 2 && frame.node_counts[0] > 0 && frame.node_counts[1] > 0);
    CHECK(frame.node_counts[0] + frame.node_counts[1] > whole); // the lips of the cut
    cg_recording_close(recording);
    free(bytes.bytes);
}

TEST(views_show_tissues_that_come_later)
{
    cg_scene *scene = rig_scene(scene_text(false));
    cg_session *session = rig_session(scene, NULL);
    cg_session_view *view;
    CHECK_STR(cg_view_create(session, scene, NULL, &view).message, "");
    cg_message message;
    CHECK_STR(cg_session_apply(session, &CUT).message, "");
    CHECK_STR(cg_view_frame(view, &message).message, "");
    CHECK_INT(message.as.frame.tissues.count, 1);
    uint32_t whole = message.as.frame.tissues.items[0].positions.count;
    CHECK_STR(cg_session_apply(session, &SEPARATE).message, "");
    CHECK_STR(cg_view_frame(view, &message).message, "");
    CHECK_INT(message.as.frame.tissues.count, 2);
    const cg_wire_tissue_state *states = message.as.frame.tissues.items;
    CHECK(states[1].tissue == 1 && states[1].positions.count > 0);
    CHECK_INT(states[0].positions.count + states[1].positions.count, whole);
    CHECK_INT(cg_view_changed_tissue(view, 1), 1);
    CHECK(cg_view_surface(view, 1, &message));
    CHECK(message.as.surface.triangles.count > 0);
    // The scene tells of their places from the beginning.
    cg_view_scene(view, &message);
    CHECK(message.as.scene.tissues.count >= 2);
    CHECK_STR(message.as.scene.tissues.items[0].name, "pad");
    CHECK_STR(message.as.scene.tissues.items[1].name, "");
    cg_view_destroy(view);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(scripts_cut_and_separate)
{
    static const char script[] = "cut tissue from (0.3, -6, 1) mm to (0.3, 6, 1) mm down (0, 0, -6) mm\nwait 5 ms\n"
                                 "separate tissue \"pad\" at (5, 0, 0) mm\nwait 5 ms";
    static const char again[] = "separate tissue at (0, 0, 0) mm", merge[] = "merge tissue";
    cg_scene *scene = rig_scene(scene_text(false));
    cg_session *session = rig_session(scene, NULL);
    cg_scene_error error;
    CHECK_STR(cg_session_run_script(session, script, strlen(script), "s", &error).message, "");
    for (int i = 0; i < 20; i++) {
        cg_session_step(session);
    }
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
    int count;
    const cg_vec3 *piece = cg_tissue_positions(cg_session_world(session), cg_session_tissue(session, 1), &count);
    CHECK(count > 0 && piece != NULL && piece[0].x > 0); // the right one
    CHECK_STR(cg_session_run_script(session, again, strlen(again), "s", &error).message, "");
    cg_session_step(session);
    CHECK(strstr(cg_session_get_script(session).error.message, "in one piece") != NULL);
    CHECK_STR(cg_session_run_script(session, merge, strlen(merge), "s", &error).message, "");
    cg_session_step(session);
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_FAILED);
    cg_session_destroy(session);
    cg_scene_free(scene);
}
