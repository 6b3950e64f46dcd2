// label: golden
// A change here changes worlds with needles on tissue or swaged to threads: say why in the commit.
#include "rigid_rig.h"

static cg_world *world_with_pad(void)
{
    cg_world *world = make_world(1e-3, v3(0, 0, -9.81));
    cg_tissue_def pad = cg_tissue_def_default();
    cg_tissue_id id;
    CHECK_STR(cg_world_add_tissue(world, &pad, &id).message, "");
    return world;
}

static cg_rigid_id add_needle(cg_world *world, cg_needle *needle, cg_vec3 position)
{
    cg_rigid_def def = cg_rigid_def_default();
    cg_rigid_id id;
    *needle = cg_needle_default();
    def.needle = needle;
    def.mass = 30e-6;
    def.pose.position = position;
    def.spin = v3(20, 10, 30);
    CHECK_STR(cg_world_add_rigid(world, &def, &id).message, "");
    return id;
}

TEST(a_needle_falls_on_a_pad_by_these_bits)
{
    cg_needle needle;
    cg_world *world = world_with_pad();
    add_needle(world, &needle, v3(0, 0, 8e-3));
    for (int step = 0; step < 200; step++) {
        cg_world_step(world);
    }
    CHECK_GOLDEN(cg_world_state_hash(world));
    cg_world_destroy(world);
}

TEST(a_needle_falls_on_a_pad_with_its_thread_by_these_bits)
{
    enum { POINTS = 31 };
    cg_needle needle;
    cg_world *world = world_with_pad();
    cg_rigid_id id = add_needle(world, &needle, v3(0, 0, 8e-3));
    cg_needle_state state;
    cg_thread_def def = cg_thread_def_default();
    cg_thread_id thread;
    cg_vec3 points[POINTS];
    CHECK(cg_rigid_get_needle_state(world, id, &state));
    for (int i = 0; i < POINTS; i++) {
        cg_vec3 along = v3_unit_or(v3(-1, 0.2, -0.1), v3_zero());
        points[i] = v3_add_scaled(state.end, 1e-3 * i, along);
    }
    def.positions = points;
    def.vertex_count = POINTS;
    CHECK_STR(cg_world_add_thread(world, &def, &thread).message, "");
    CHECK_STR(cg_thread_swage(world, thread, CG_START, id, cg_needle_place(&needle, needle.arc)).message, "");
    for (int step = 0; step < 200; step++) {
        cg_world_step(world);
    }
    CHECK_GOLDEN(cg_world_state_hash(world));
    cg_world_destroy(world);
}
