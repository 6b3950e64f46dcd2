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
                    (const uint64_t[3]){0x47b2b57a22712fd9, 0xd918200b6dda5ae4, 0x7eb02c024a3b2c01});
}

TEST(passes_with_line_search)
{
    cg_world_def def = cg_world_def_default();
    def.newton_passes = 5;
    def.newton_tolerance = 1e-9;
    def.line_search = true;
    run_and_compare(def, (const uint64_t[3]){0x262671762ade345b, 0x32d84ef1874b4c03, 0xcd30936c74d338d6});
}
