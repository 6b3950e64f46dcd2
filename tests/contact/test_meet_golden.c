// label: golden
// The same bits with every compiler and at every level of optimisation: two pads that are pressed together and slid,
// the lower one with a slit that is pressed open.
#include "meet_rig.h"

TEST(two_pads_and_a_slit)
{
    cg_world *world = meet_world(v3(0, 0, -9.81));
    cg_tissue_def lower = meet_pad(12e-3, 10e-3, 4e-3), upper = meet_pad(6e-3, 4e-3, 2e-3);
    lower.wound = CG_WOUND_STRAIGHT;
    lower.wound_length = 6e-3;
    lower.wound_depth = 3e-3;
    upper.fix_bottom = false;
    upper.pose.position = v3(0.3e-3, 0.2e-3, 2.3e-3);
    cg_tissue_id ids[2] = {meet_add(world, &lower), meet_add(world, &upper)};
    int count;
    const cg_vec3 *home = cg_tissue_homes(world, ids[1], &count);
    for (int step = 0; step < 80; step++) {
        for (int i = 0; i < count; i++) {
            if (home[i].z > 2.3e-3 - 1e-9) {
                CHECK_STR(cg_tissue_fix(world, ids[1], i, true).message, "");
                cg_vec3 down = v3(step > 40 ? 0.05e-3 * (step - 40) : 0, 0, -0.02e-3 * (step < 50 ? step : 50));
                CHECK_STR(cg_tissue_move_fixed(world, ids[1], i, v3_add(home[i], down)).message, "");
            }
        }
        cg_world_step(world);
    }
    CHECK(cg_tissue_contact_count(world, ids[0]) > 10);
    CHECK_INT(meet_crossings(world, ids, 2), 0);
    CHECK_GOLDEN(cg_world_state_hash(world));
    cg_world_destroy(world);
}
