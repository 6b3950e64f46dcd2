// The state hash of a thread that is teased away from tissue: the same bits with every compiler and preset.
// label: golden
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

static cg_world *make_world(cg_hand_id *hand)
{
    cg_vec3 positions[16];
    cg_world *world = NULL;
    cg_world_def world_def = cg_world_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_hand_def hand_def = cg_hand_def_default();
    cg_adhesion_def adhesion = cg_adhesion_def_default();
    for (int i = 0; i < 16; i++) {
        positions[i] = v3(-8e-3 + 1e-3 * i, 0.3e-3, 0.6e-3);
    }
    world_def.max_contacts = 60;
    thread.vertex_count = 16;
    thread.positions = positions;
    thread.radius = 0.3e-3;
    thread.youngs_modulus = 50e6;
    thread.bend_stiffness = 5e-9;
    pad.size = v3(20e-3, 8e-3, 0);
    pad.spacing = 4e-3;
    hand_def.pose.position = positions[0];
    hand_def.jaw_length = 0;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    CHECK_STR(cg_world_add_thread(world, &thread, &adhesion.thread).message, "");
    CHECK_STR(cg_world_add_tissue(world, &pad, &adhesion.tissue).message, "");
    CHECK_STR(cg_world_add_hand(world, &hand_def, hand).message, "");
    CHECK_STR(cg_hand_close(world, *hand).message, "");
    adhesion.from = 4.5e-3;
    CHECK_STR(cg_world_add_adhesion(world, &adhesion).message, "");
    return world;
}

TEST(a_thread_that_is_teased_away)
{
    cg_hand_id hand;
    cg_world *world = make_world(&hand);
    cg_transform pose = cg_hand_get_state(world, hand).pose;
    int before = cg_world_adhesion_count(world);
    pose.position = v3(2e-3, 0.3e-3, 12e-3);
    CHECK_STR(cg_hand_move(world, hand, pose, 0.2).message, "");
    for (int i = 0; i < 300; i++) {
        cg_world_step(world);
    }
    CHECK_INT(cg_world_adhesion_count(world), before - 6);
    CHECK_GOLDEN(cg_world_state_hash(world));
    cg_world_destroy(world);
}
