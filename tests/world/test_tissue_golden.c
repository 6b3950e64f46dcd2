// label: golden
// Tissue moves by the same bits with every compiler and optimisation level. A change of these numbers needs its reason
// in the commit.
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

static cg_world *make_world(const cg_tissue_def *def, cg_hand_id *hand, cg_vec3 at)
{
    cg_world *world;
    cg_world_def world_def = cg_world_def_default();
    world_def.max_contacts = 0;
    cg_tissue_id tissue;
    cg_hand_def hand_def = cg_hand_def_default();
    hand_def.pose.position = at;
    hand_def.max_force = 2;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    CHECK_STR(cg_world_add_tissue(world, def, &tissue).message, "");
    CHECK_STR(cg_world_add_hand(world, &hand_def, hand).message, "");
    CHECK_STR(cg_hand_close(world, *hand).message, "");
    CHECK(cg_hand_get_state(world, *hand).node_count > 0);
    return world;
}

// Pulls, holds and lets go; a hash after each.
static void pull_and_look(const cg_tissue_def *def, cg_vec3 from, cg_vec3 to)
{
    cg_hand_id hand;
    cg_world *world = make_world(def, &hand, from);
    cg_hand_move(world, hand, (cg_transform){to, {0, 0, 0.1, 1}}, 0.05);
    for (int part = 0; part < 3; part++) {
        for (int step = 0; step < 60; step++) {
            cg_world_step(world);
        }
        CHECK_GOLDEN(cg_world_state_hash(world));
        if (part == 1) {
            cg_hand_open(world, hand);
        }
    }
    CHECK_INT(cg_world_get_stats(world).recovered_tissue_steps, 0);
    cg_world_destroy(world);
}

TEST(a_pad_with_a_wound)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(20e-3, 16e-3, 0);
    def.layers[0] = (cg_tissue_layer){2e-3, {.young = 300e3, .density = 1100, .stiffening = 10}};
    def.layers[1] = (cg_tissue_layer){4e-3, {.young = 20e3, .density = 950}};
    def.layer_count = 2;
    def.wound = CG_WOUND_ELLIPSE;
    def.wound_length = 10e-3;
    def.wound_width = 2e-3;
    def.wound_depth = 4e-3;
    def.tension = 0.1;
    def.fix_rim = true;
    pull_and_look(&def, v3(0, 2e-3, 1e-3), v3(1e-3, 4e-3, 6e-3));
}

TEST(a_severed_vessel)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_VESSEL;
    def.radius = 4e-3;
    def.wall = 1e-3;
    def.length = 24e-3;
    def.gap = 3e-3;
    def.spacing = 1.5e-3;
    def.fix_rim = true;
    pull_and_look(&def, v3(3e-3, 0, 4e-3), v3(-1e-3, 1e-3, 6e-3));
}

TEST(a_sheet)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_GRID;
    def.model = CG_TISSUE_SHEET;
    def.size = v3(30e-3, 30e-3, 0);
    def.layers[0].thickness = 0.5e-3;
    pull_and_look(&def, v3(0, 0, 1e-3), v3(0, 5e-3, 10e-3));
}
