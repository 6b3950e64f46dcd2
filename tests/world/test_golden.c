// label: golden
// The same bits from every compiler and optimisation level. A change of these numbers needs its reason in the commit.
#include "world_rig.h"

static void run_and_look(cg_world_def def)
{
    world_rig rig = rig_create(def);
    for (int part = 0; part < 3; part++) {
        for (int step = 0; step < 70; step++) {
            rig_step(&rig);
        }
        CHECK_GOLDEN(cg_world_state_hash(rig.world));
    }
    CHECK_INT(cg_world_get_stats(rig.world).recovered_steps, 0);
    cg_world_destroy(rig.world);
}

TEST(default_passes)
{
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 0;
    run_and_look(def);
}

TEST(passes_with_line_search)
{
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 0;
    def.newton_passes = 5;
    def.newton_tolerance = 1e-9;
    def.line_search = true;
    run_and_look(def);
}
