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

TEST(default_passes)
{
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 0;
    run_and_compare(def, (const uint64_t[3]){0x84d20463f0405638, 0x20052ef19d1b34cc, 0x0bb0fbfeffcfc50a});
}

TEST(passes_with_line_search)
{
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 0;
    def.newton_passes = 5;
    def.newton_tolerance = 1e-9;
    def.line_search = true;
    run_and_compare(def, (const uint64_t[3]){0x673498447b296ff1, 0x4ede8cc9131529d9, 0x491d71b87777d1cf});
}
