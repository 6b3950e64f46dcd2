// label: golden
// Two hands fold a thread and draw it over itself: the same bits from every compiler and optimisation level. A change
// of these numbers needs its reason in the commit.
#include "base/quat.h"
#include "hand_rig.h"

TEST(hands_at_work)
{
    cg_world_def world = cg_world_def_default();
    world.max_contacts = 50;
    cg_hand_def hand = cg_hand_def_default();
    cg_thread_def thread = cg_thread_def_default();
    hand_rig rig = rig_create(&world, &hand, &thread);
    rig_close(&rig, 0);
    rig_close(&rig, 1);
    for (int part = 0; part < 3; part++) {
        cg_transform pose = {v3(0.02 - 0.02 * part, 0.01 * part - 0.01, 0.004),
                             quat_from_axis_angle(v3(0, 0, 1), 1.5 * part)};
        CHECK_INT(cg_hand_move(rig.world, rig.hands[1], pose, 0.15).code, CG_OK);
        rig_run(&rig, 150);
        CHECK_GOLDEN(cg_world_state_hash(rig.world));
    }
    CHECK_INT(cg_world_get_stats(rig.world).recovered_steps, 0);
    cg_world_destroy(rig.world);
}
