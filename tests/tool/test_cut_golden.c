// label: golden
// A blade, a call and a hot tip through a pad that is pressed, in a world: the same bits with every compiler, and
// nothing taken from the heap.
#include "alloc_count.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "world/world.h"

TEST(cuts_and_burns_make_the_same_bits_and_take_no_memory)
{
    cg_world_def world_def = cg_world_def_default();
    world_def.max_contacts = 50;
    cg_world *world = NULL;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(16e-3, 10e-3, 0);
    def.layers[0].thickness = 4e-3;
    def.fix_rim = true;
    def.fix_bottom = false;
    def.tension = 0.1;
    def.max_nodes = 2000;
    cg_tissue_id pad;
    CHECK_STR(cg_world_add_tissue(world, &def, &pad).message, "");
    cg_shape_def ball = cg_shape_def_default();
    ball.shape = (cg_shape){.kind = CG_SHAPE_SPHERE, .radius = 1.5e-3};
    ball.pose.position = v3(3e-3, -2e-3, 1.3e-3);
    cg_shape_id id;
    CHECK_STR(cg_world_add_shape(world, &ball, &id).message, "");

    cg_blade blade;
    cg_edge edge = {{-5e-3, 0.4e-3, -2.3e-3}, {-5e-3, 0.2e-3, 5e-3}};
    cg_vec3 path[3] = {{-3e-3, -6e-3, 1e-3}, {-2.2e-3, 0, 1e-3}, {-2.6e-3, 6e-3, 1e-3}};
    cg_vec3 down[3] = {{0, 0, -3e-3}, {0.1e-3, 0, -3.3e-3}, {0, 0, -3e-3}};
    cg_blade_begin(&blade);
    long before = test_allocations();
    for (int step = 0; step < 120; step++) {
        cg_edge after = {v3_add(edge.tip, v3(80e-6, 5e-6, 0)), v3_add(edge.heel, v3(80e-6, 9e-6, 0))};
        cg_burn burn = {{6e-3, 2e-3, 0}, {6e-3, 2.1e-3, 0}, 1e-3, 900};
        cg_world_step(world);
        cg_world_sweep_blade(world, &blade, edge, after);
        cg_world_sweep_hook(world, &burn);
        edge = after;
        if (step == 60) {
            CHECK_STR(cg_tissue_cut(world, pad, path, down, 3, NULL).message, "");
        }
    }
    cg_world_end_blade(world, &blade);
    if (test_allocations_counted()) {
        CHECK_INT(test_allocations() - before, 0);
    }
    cg_tissue_summary summary = cg_tissue_get_summary(world, pad);
    CHECK(blade.area > 9e-6 && summary.removed_mass > 0);
    CHECK_STR(cg_mesh_validate(cg_world_find_tissue(world, pad)->mesh).message, "");
    CHECK_GOLDEN(cg_world_state_hash(world));
    cg_world_destroy(world);
}
