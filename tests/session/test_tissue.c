// Tissue through a session: operations, recordings and what a view shows of it.
#include <math.h>
#include <stdio.h>

#include "catgut/catgut.h"
#include "session_rig.h"

static const char SCENE[] =
    "{\n"
    "  \"threads\": [{\"name\": \"thread\", \"shape\": {\"line\": {\"from\": [0, 0, \"2 cm\"], \"to\": [\"2 cm\", 0, "
    "\"2 "
    "cm\"]}},\n"
    "     \"vertices\": 5, \"start\": \"pinned\"}],\n"
    "  \"tissues\": [\n"
    "    {\"name\": \"pad\", \"pad\": {\"length\": \"20 mm\", \"width\": \"16 mm\", \"tension\": 0.1,\n"
    "       \"wound\": {\"kind\": \"straight\", \"length\": \"10 mm\", \"depth\": \"4 mm\"}},\n"
    "     \"layers\": [{\"thickness\": \"2 mm\"}, {\"thickness\": \"4 mm\", \"youngs_modulus\": \"20 kPa\"}],\n"
    "     \"fix_rim\": true},\n"
    "    {\"name\": \"sheet\", \"grid\": {\"length\": \"10 mm\", \"width\": \"10 mm\"}, \"position\": [0, \"3 cm\", "
    "0],\n"
    "     \"layers\": [{\"thickness\": \"1 mm\"}], \"rotation\": {\"axis\": [0, 0, 1], \"angle\": \"90 deg\"}},\n"
    "  ],\n"
    "  \"hands\": [{\"name\": \"hand\", \"position\": [0, \"2 mm\", \"1 mm\"], \"max_force\": \"2 N\"}],\n"
    "  \"inputs\": [\n"
    "    {\"at\": 0, \"close_hand\": {\"hand\": \"hand\"}},\n"
    "    {\"at\": 0, \"move_hand\": {\"hand\": \"hand\", \"position\": [0, \"4 mm\", \"5 mm\"], \"time\": \"50 "
    "ms\"}},\n"
    "    {\"at\": 0, \"fix_node\": {\"tissue\": \"sheet\", \"node\": -1, \"fixed\": true}},\n"
    "    {\"at\": \"10 ms\", \"move_node\": {\"tissue\": \"sheet\", \"node\": -1, \"place\": [\"1 cm\", \"4 cm\", "
    "0]}},\n"
    "    {\"during\": [\"5 ms\", \"20 ms\"], \"push_tissue\": {\"tissue\": \"pad\", \"triangle\": 0,\n"
    "       \"weights\": [0.5, 0.25, 0.25], \"force\": [0, 0, \"10 mN\"]}},\n"
    "    {\"at\": \"60 ms\", \"open_hand\": {\"hand\": \"hand\"}},\n"
    "  ],\n"
    "}\n";

TEST(inputs_that_name_tissue_are_checked)
{
    static const struct {
        const char *input, *part;
    } bad[] = {
        {"{\"at\": 0, \"fix_node\": {\"tissue\": \"pat\", \"node\": 0, \"fixed\": true}}", "did you mean \"pad\"?"},
        {"{\"at\": 0, \"fix_node\": {\"tissue\": \"pad\", \"node\": 100000, \"fixed\": true}}", "found 100000"},
        {"{\"at\": 0, \"fix_node\": {\"tissue\": \"pad\", \"fixed\": true}}", "lacks its field \"node\""},
        {"{\"at\": 0, \"push_tissue\": {\"tissue\": \"pad\", \"triangle\": -100000, \"weights\": [1, 0, 0], \"force\": "
         "[0, 0, 0]}}",
         "found -100000"},
        {"{\"at\": 0, \"move_node\": {\"tissue\": 3, \"node\": 0, \"place\": [0, 0, 0]}}", "the name of a tissue"},
    };
    cg_scene *scene = rig_scene(SCENE);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "[%s]", bad[i].input);
        cg_session_def def = cg_session_def_default();
        def.inputs = text;
        def.inputs_size = strlen(text);
        cg_session *session;
        cg_scene_error error;
        CHECK(cg_session_create(&def, scene, &session, &error).code == CG_BAD_INPUT);
        if (!CHECK(strstr(error.message, bad[i].part) != NULL)) {
            printf("%s\n", error.message);
        }
    }
    cg_scene_free(scene);
}

TEST(a_recording_holds_the_nodes_and_is_replayed_to_the_bit)
{
    enum { STEPS = 96, EVERY = 16 };
    rig_bytes bytes = rig_record(SCENE, NULL, STEPS, EVERY, (cg_codec){0});
    cg_recording *recording;
    CHECK_STR(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).message, "");
    CHECK_STR(cg_recording_damage(recording), "");
    cg_recording_info info = cg_recording_get_info(recording);
    cg_recorded_tissue tissue;
    CHECK_INT(info.tissue_count, 2);
    CHECK(cg_recording_tissue(recording, 1, &tissue) && !cg_recording_tissue(recording, 2, &tissue));
    CHECK_STR(tissue.name, "sheet");
    cg_scene *scene;
    cg_scene_error error;
    CHECK_STR(cg_recording_scene(recording, NULL, &scene, &error).message, "");
    cg_session_def def = cg_session_def_default();
    def.skip_scene_inputs = true;
    cg_session *session;
    CHECK_STR(cg_session_create(&def, scene, &session, &error).message, "");
    size_t next = 0;
    for (uint64_t step = 0; step <= STEPS; step++) {
        if (step % EVERY == 0) {
            cg_recorded_frame frame;
            uint64_t at, hash;
            CHECK_STR(cg_recording_frame(recording, (size_t)step / EVERY, &frame).message, "");
            CHECK(cg_recording_hash(recording, (size_t)step / EVERY, &at, &hash) && at == step && frame.step == step);
            CHECK_HASH(cg_world_state_hash(cg_session_world(session)), hash);
            for (int t = 0; t < 2; t++) {
                int count;
                const cg_vec3 *now =
                    cg_tissue_positions(cg_session_world(session), cg_session_tissue(session, t), &count);
                CHECK_INT(frame.node_counts[t], count);
                double worst = 0;
                for (int i = 0; i < count; i++) {
                    worst = fmax(worst, fabs((double)frame.nodes[t][3 * i + 2] - now[i].z));
                }
                CHECK(worst <= frame.error + 1e-8);
            }
        }
        cg_operation operation;
        while (cg_recording_operation(recording, next, &operation) && operation.step <= step) {
            CHECK_STR(cg_session_apply(session, &operation).message, "");
            next++;
        }
        cg_session_step(session);
    }
    CHECK(next >= 20);
    cg_session_destroy(session);
    cg_scene_free(scene);
    cg_recording_close(recording);
    free(bytes.bytes);
}

// What a view tells, checked against the world.
TEST(a_view_tells_the_surface_and_where_it_is)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    const cg_world *world = cg_session_world(session);
    cg_session_view *view;
    CHECK_STR(cg_view_create(session, scene, NULL, &view).message, "");
    cg_message message;
    cg_view_scene(view, &message);
    CHECK_INT(message.as.scene.tissues.count, 8); // places: pieces may become tissues of their own
    CHECK_STR(message.as.scene.tissues.items[0].name, "pad");
    CHECK_INT(message.as.scene.tissues.items[0].layers.count, 2);
    CHECK_NEAR((double)message.as.scene.tissues.items[0].layers.items[1], 4e-3, 1e-8);
    CHECK_INT(message.as.scene.tissues.items[1].shape, CG_CHOICE_tissue_shape_grid);
    CHECK_INT(cg_view_changed_tissue(view, 0), 0);
    CHECK(!cg_view_surface(view, 2, &message) && !cg_view_surface(view, -1, &message));
    CHECK(cg_view_surface(view, 0, &message));
    CHECK_INT(cg_view_changed_tissue(view, 0), 1);
    const cg_wire_surface surface = message.as.surface;
    cg_tissue_id pad = cg_session_tissue(session, 0);
    CHECK_INT(surface.triangles.count, cg_tissue_triangle_count(world, pad));
    int total;
    const cg_vec3 *homes = cg_tissue_homes(world, pad, &total);
    CHECK(surface.nodes.count > 50 && (int)surface.nodes.count < total); // nodes inside are left out
    for (uint32_t t = 0; t < surface.triangles.count; t++) {
        int nodes[3], side;
        cg_tissue_get_triangle(world, pad, (int)t, nodes, &side);
        const cg_wire_triangle *told = &surface.triangles.items[t];
        CHECK(told->a < surface.nodes.count && (int)surface.nodes.items[told->a].node == nodes[0]);
        CHECK(told->c < surface.nodes.count && (int)surface.nodes.items[told->c].node == nodes[2]);
        CHECK_INT(told->side, side);
    }
    const cg_wire_surface_node *some = &surface.nodes.items[surface.nodes.count / 2];
    CHECK_NEAR((double)some->home.y, homes[some->node].y, 1e-8);
    for (int step = 0; step < 40; step++) {
        cg_session_step(session);
    }
    uint32_t node = some->node, place = surface.nodes.count / 2;
    CHECK_STR(cg_view_frame(view, &message).message, "");
    const cg_wire_tissue_state *state = &message.as.frame.tissues.items[0];
    CHECK_INT(message.as.frame.tissues.count, 2);
    CHECK_INT(state->positions.count, 3 * surface.nodes.count);
    CHECK_INT(state->topology_version, surface.topology_version);
    CHECK_NEAR((double)state->positions.items[3 * place + 1], cg_tissue_positions(world, pad, NULL)[node].y, 1e-8);
    CHECK_INT(message.as.frame.hands.items[0].tissue, 0);
    CHECK_INT(message.as.frame.hands.items[0].thread, -1);
    // A removed tissue is left out; the other keeps its place.
    CHECK_STR(cg_session_apply(session, &(cg_operation){.kind = CG_OPERATION_remove_tissue}).message, "");
    CHECK_STR(cg_view_frame(view, &message).message, "");
    CHECK_INT(message.as.frame.tissues.count, 1);
    CHECK_INT(message.as.frame.tissues.items[0].tissue, 1);
    CHECK_INT(message.as.frame.hands.items[0].tissue, -1);
    cg_view_destroy(view);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(a_recording_is_joined_after_tissue_was_removed)
{
    static const char removing[] = "[{\"at\": \"30 ms\", \"remove_tissue\": {\"tissue\": \"sheet\"}}]";
    rig_bytes bytes = rig_record(SCENE, removing, 64, 8, (cg_codec){0});
    cg_recording *recording;
    CHECK_STR(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).message, "");
    cg_scene *scene = rig_scene(SCENE);
    cg_session_def def = cg_session_def_default();
    def.skip_scene_inputs = true;
    cg_session *session;
    cg_scene_error error;
    CHECK_STR(cg_session_create(&def, scene, &session, &error).message, "");
    size_t next;
    CHECK_STR(cg_session_jump(session, recording, 60, &next).message, "");
    CHECK(next > 0);
    CHECK(!cg_tissue_is_valid(cg_session_world(session), cg_session_tissue(session, 1)));
    cg_session_destroy(session);
    cg_scene_free(scene);
    cg_recording_close(recording);
    free(bytes.bytes);
}

TEST(a_view_shows_tissue_as_it_was_recorded)
{
    rig_bytes bytes = rig_record(SCENE, NULL, 64, 16, (cg_codec){0});
    cg_recording *recording;
    CHECK_STR(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).message, "");
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL); // stays at its start
    cg_session_view *view;
    CHECK_STR(cg_view_create(session, scene, NULL, &view).message, "");
    cg_message surface, message;
    CHECK(cg_view_surface(view, 0, &surface));
    cg_recorded_frame frame;
    CHECK_STR(cg_recording_frame(recording, 4, &frame).message, "");
    CHECK_STR(cg_view_recorded(view, &frame, &message).message, "");
    CHECK_INT(message.as.frame.tissues.count, 2);
    const cg_wire_tissue_state *state = &message.as.frame.tissues.items[0];
    CHECK_INT(state->topology_version, surface.as.surface.topology_version);
    double moved = 0;
    for (uint32_t i = 0; i < surface.as.surface.nodes.count; i++) {
        uint32_t node = surface.as.surface.nodes.items[i].node;
        for (uint32_t k = 0; k < 3; k++) {
            CHECK(state->positions.items[3 * i + k] == frame.nodes[0][3 * node + k]);
        }
        const cg_vec3 *start = cg_tissue_positions(cg_session_world(session), cg_session_tissue(session, 0), NULL);
        moved = fmax(moved, fabs((double)state->positions.items[3 * i + 2] - start[node].z));
    }
    CHECK(moved > 5e-4); // it was pulled
    cg_view_destroy(view);
    cg_session_destroy(session);
    cg_scene_free(scene);
    cg_recording_close(recording);
    free(bytes.bytes);
}
