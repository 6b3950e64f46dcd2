// What fell off a pad and falls on, ever faster, is nothing to those that are still there.
#include <string.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "world/world.h"

enum { VERTICES = 20 };

typedef struct rig {
    cg_world *world;
    cg_tissue_id pad;
    cg_rigid_id rod;
} rig;

static cg_rigid_id add_rod(rig *r, cg_vec3 place, cg_vec3 velocity)
{
    cg_rigid_part part = {{.kind = CG_SHAPE_CAPSULE, .radius = 0.5e-3, .half_length = 5e-3},
                          {v3_zero(), quat_between(v3(0, 0, 1), v3(1, 0.3, 0))}};
    cg_rigid_def def = cg_rigid_def_default();
    cg_rigid_id id;
    def.parts = &part;
    def.part_count = 1;
    def.mass = 50e-6;
    def.pose.position = place;
    def.velocity = velocity;
    CHECK_STR(cg_world_add_rigid(r->world, &def, &id).message, "");
    return id;
}

static void add_thread(rig *r, cg_vec3 place, cg_vec3 velocity)
{
    cg_thread_def def = cg_thread_def_default();
    cg_vec3 points[VERTICES];
    cg_thread_id id;
    for (int i = 0; i < VERTICES; i++) {
        points[i] = v3_add(place, v3(1e-3 * i, 0, 0));
    }
    def.vertex_count = VERTICES;
    def.positions = points;
    CHECK_STR(cg_world_add_thread(r->world, &def, &id).message, "");
    for (int i = 0; i < VERTICES; i++) {
        cg_world_find_thread(r->world, id)->velocity[i] = velocity;
    }
}

// A rod and a thread over a pad; far below it, as fast as that, another of each.
static rig make_rig(double speed)
{
    rig r;
    cg_world_def def = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    pad.size = v3(30e-3, 20e-3, 0);
    pad.layers[0].thickness = 6e-3;
    pad.spacing = 3e-3;
    CHECK_STR(cg_world_add_tissue(r.world, &pad, &r.pad).message, "");
    r.rod = add_rod(&r, v3(0, 0, 1.5e-3), v3(0, 0, -0.3));
    add_thread(&r, v3(-9e-3, 5e-3, 1e-3), v3_zero());
    add_rod(&r, v3(0, 0, -10), v3(0, 0, -speed));
    add_thread(&r, v3(0, 0, -20), v3(0, 0, -speed));
    return r;
}

// Pairs that are looked at for the tissue.
static int pairs_of(const rig *r)
{
    return r->world->touches.cast.skins[0]->pairs.count;
}

TEST(a_pad_moves_as_if_nothing_were_falling_far_below_it)
{
    rig slow = make_rig(0), fast = make_rig(150);
    int count, most[2] = {0};
    double lowest = 0;
    for (int step = 0; step < 100; step++) {
        cg_world_step(slow.world);
        cg_world_step(fast.world);
        const cg_vec3 *one = cg_tissue_positions(slow.world, slow.pad, &count);
        const cg_vec3 *other = cg_tissue_positions(fast.world, fast.pad, NULL);
        CHECK(memcmp(one, other, sizeof *one * (size_t)count) == 0);
        cg_rigid_info a, b;
        CHECK(cg_rigid_get_info(slow.world, slow.rod, &a) && cg_rigid_get_info(fast.world, fast.rod, &b));
        CHECK(memcmp(&a.centre, &b.centre, sizeof a.centre) == 0);
        lowest = a.centre.z;
        most[0] = pairs_of(&slow) > most[0] ? pairs_of(&slow) : most[0];
        most[1] = pairs_of(&fast) > most[1] ? pairs_of(&fast) : most[1];
    }
    CHECK_INT(cg_world_get_stats(fast.world).unfinished_steps, 0);
    CHECK(most[0] > 0 && most[1] <= most[0]); // not all triangles, as within reach of what is so fast
    CHECK(lowest < 1e-3);                     // it lies on the pad
    cg_world_destroy(slow.world);
    cg_world_destroy(fast.world);
}
