// label: golden
// The same bits with every compiler and at every level of optimisation: halves of a vessel that come together a little
// aside of each other, stick, are sheared, drawn apart and tear. Places and forces count, not the layout of the state.
#include "base/hash.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

static void move_right(cg_world *world, cg_tissue_id id, cg_vec3 by)
{
    int count;
    const cg_vec3 *x = cg_tissue_positions(world, id, &count), *home = cg_tissue_homes(world, id, NULL);
    for (int i = 0; i < count; i++) {
        if (home[i].x > 0 && cg_tissue_is_fixed(world, id, i)) {
            cg_tissue_move_fixed(world, id, i, v3_add(x[i], by));
        }
    }
    cg_world_step(world);
}

static void add(cg_hash *hash, const cg_world *world, cg_tissue_id id)
{
    int count;
    const cg_vec3 *x = cg_tissue_positions(world, id, &count);
    for (int i = 0; i < count; i++) {
        cg_hash_add_doubles(hash, (const double[]){x[i].x, x[i].y, x[i].z}, 3);
    }
    for (int i = 0; i < cg_tissue_bond_count(world, id); i++) {
        cg_tissue_bond bond;
        cg_tissue_get_bond(world, id, i, &bond);
        cg_hash_add_doubles(hash, (const double[]){bond.force.x, bond.force.y, bond.force.z, bond.damage}, 4);
    }
}

TEST(halves_that_stick_and_tear)
{
    cg_world *world;
    cg_world_def world_def = cg_world_def_default();
    world_def.max_contacts = 50;
    world_def.gravity = v3_zero();
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_VESSEL;
    def.radius = 4e-3;
    def.wall = 1e-3;
    def.length = 12e-3;
    def.gap = 1e-3;
    def.spacing = 1.5e-3;
    def.fix_rim = true;
    def.bond_strength = 5e3;
    cg_tissue_id id;
    CHECK_STR(cg_world_add_tissue(world, &def, &id).message, "");
    cg_hash hash = cg_hash_begin();
    for (int step = 0; step < 100; step++) { // to where contact is silent
        move_right(world, id, v3(step < 38 ? -0.02e-3 : 0, step < 10 ? 0.01e-3 : 0, 0));
    }
    CHECK(cg_tissue_bond_count(world, id) > 20);
    add(&hash, world, id);
    for (int step = 0; step < 80; step++) {
        move_right(world, id, v3(0.02e-3, step < 20 ? 0.01e-3 : 0, 0));
        if (step % 10 == 0) {
            add(&hash, world, id);
        }
    }
    CHECK(cg_world_get_stats(world).broken_bonds > 0);
    CHECK_GOLDEN(cg_hash_end(&hash));
    cg_world_destroy(world);
}
