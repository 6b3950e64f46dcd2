// label: golden
// The same bits with every compiler and at every level of optimisation: a probe pressed into a pad, drawn along and
// lifted, and a block that turns on it.
#include "base/quat.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "geometry/shape.h"
#include "harness.h"

static uint64_t hash_of_run(cg_shape shape)
{
    cg_world *world;
    cg_world_def world_def = cg_world_def_default();
    world_def.max_contacts = 50;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    cg_tissue_def pad = cg_tissue_def_default();
    pad.size = v3(16e-3, 12e-3, 0);
    pad.layers[0].thickness = 4e-3;
    cg_tissue_id tissue;
    CHECK_STR(cg_world_add_tissue(world, &pad, &tissue).message, "");
    cg_shape_def def = cg_shape_def_default();
    def.shape = shape;
    def.pose.position = v3(-2e-3, 0, 4e-3);
    cg_shape_id id;
    CHECK_STR(cg_world_add_shape(world, &def, &id).message, "");
    for (int step = 0; step < 120; step++) {
        cg_transform pose = {v3(-2e-3, 0, 4e-3), {0, 0, 0, 1}};
        pose.position.z -= step < 40 ? 0.06e-3 * step : (step < 90 ? 2.4e-3 : 2.4e-3 - 0.1e-3 * (step - 90));
        pose.position.x += step < 40 ? 0 : 0.05e-3 * (step - 40);
        pose.rotation = quat_normalise(quat(0.1, 0.002 * step, 0.004 * step, 1));
        CHECK_STR(cg_shape_move(world, id, pose).message, "");
        cg_world_step(world);
    }
    uint64_t hash = cg_world_state_hash(world);
    cg_world_destroy(world);
    return hash;
}

TEST(a_ball)
{
    CHECK_GOLDEN(hash_of_run(shape_sphere(3e-3)));
}

TEST(a_block)
{
    CHECK_GOLDEN(hash_of_run(shape_box(v3(2e-3, 1e-3, 2e-3))));
}
