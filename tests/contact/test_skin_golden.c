// label: golden
// A thread drawn over a pad: the same bits from every compiler and optimisation level. A change of the hash needs its
// reason in the commit.
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

enum { POINTS = 41 };

TEST(a_thread_drawn_over_a_pad)
{
    cg_world_def world_def = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_world *world;
    cg_tissue_id tissue;
    cg_thread_id id;
    cg_vec3 points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3(0.3e-3, 0.4e-3 * i, 0.12e-3);
    }
    pad.size = v3(12e-3, 16e-3, 0);
    pad.layers[0].material.young = 50e3;
    thread.vertex_count = POINTS;
    thread.positions = points;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    CHECK_STR(cg_world_add_tissue(world, &pad, &tissue).message, "");
    CHECK_STR(cg_world_add_thread(world, &thread, &id).message, "");
    for (int k = 0; k < 120; k++) {
        cg_thread_hold(world, id, 0, v3_add(points[0], v3(0.02e-3 * k, 0, -0.005e-3 * k)));
        cg_world_step(world);
    }
    CHECK(cg_world_get_stats(world).working_contacts > 0);
    CHECK_GOLDEN(cg_world_state_hash(world));
    cg_world_destroy(world);
}
