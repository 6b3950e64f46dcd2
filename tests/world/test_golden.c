// label: golden
// The same bits from every compiler and optimisation level. A change of these numbers needs its reason in the commit.
#include "world_rig.h"

static void run_and_compare(cg_world_def def, const uint64_t expected[3])
{
    world_rig rig = rig_create(def);
    for (int part = 0; part < 3; part++) {
        for (int step = 0; step < 70; step++) {
            rig_step(&rig);
        }
        CHECK_HASH(cg_world_state_hash(rig.world), expected[part]);
    }
    CHECK_INT(cg_world_get_stats(rig.world).recovered_steps, 0);
    cg_world_destroy(rig.world);
}

TEST(one_pass)
{
    run_and_compare(cg_world_def_default(),
                    (const uint64_t[3]){0xb0bc42f01ef67c4f, 0x8ac1760967da8b9e, 0xd756b74b0520b7d0});
}

TEST(passes_with_line_search)
{
    cg_world_def def = cg_world_def_default();
    def.newton_passes = 5;
    def.newton_tolerance = 1e-9;
    def.line_search = true;
    run_and_compare(def, (const uint64_t[3]){0xc9394ff93ca8204d, 0x7ba334864e625d69, 0xa2d2f9eceae1ec5e});
}
