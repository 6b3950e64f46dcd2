// A hot tip: what it burns away by its power, what it only chars, and that nothing else is lost.
#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "tool/burn.h"
#include "world/world.h"

static const double STEP = 1e-3;

static cg_tissue *make(cg_tissue_shape shape, double spacing)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = shape;
    def.model = shape == CG_TISSUE_GRID ? CG_TISSUE_SHEET : CG_TISSUE_LATTICE;
    def.size = v3(16e-3, 12e-3, 4e-3);
    def.layers[0].thickness = shape == CG_TISSUE_GRID ? 1e-3 : 4e-3;
    def.spacing = spacing;
    def.max_nodes = 6000;
    cg_allocator allocator = cg_memory_default();
    cg_tissue *tissue = NULL;
    CHECK_STR(cg_tissue_create(&def, &allocator, &tissue).message, "");
    return tissue;
}

static double most_char(const cg_tissue *tissue)
{
    double most = 0;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        most = fmax(most, cg_burn_char(tissue, i));
    }
    return most;
}

// In the long run the power turns to steam what its heat can; mass that is gone is accounted for.
TEST(a_tip_burns_away_what_its_power_can)
{
    cg_tissue *pad = make(CG_TISSUE_BOX, 1e-3);
    double mass = cg_mesh_total_mass(pad->mesh), heat = 0, gone = 0;
    for (int k = 0; k < 1500; k++) {
        double x = -4e-3 + 8e-3 * k / 1500; // 5 mm/s
        cg_burn burn = {{x, 0, 0}, {x + 8e-3 / 1500, 0, 0}, 1.2e-3, 60};
        cg_burn_result result;
        cg_burn_step(pad, &burn, STEP, &result);
        heat += result.heat;
        gone += result.mass;
        if (result.removed > 0) {
            CHECK_STR(cg_mesh_validate(pad->mesh).message, "");
            CHECK_NEAR(cg_mesh_total_mass(pad->mesh) + pad->mesh->removed_mass, mass, 1e-12 * mass);
        }
        cg_tissue_step(pad, STEP, v3_zero());
    }
    CHECK(heat > 60 && heat <= 60 * 1.5 * (1 + 1e-9)); // over a hole it heats nothing
    CHECK_NEAR(gone, pad->mesh->removed_mass, 1e-15);
    // a part of the heat has only charred what is still there
    CHECK(gone > 0.4 * heat / 2.5e6 && gone < 1.0 * heat / 2.5e6);
    CHECK_INT(pad->stats.recovered_steps, 0);
    cg_tissue_destroy(pad);
}

// Two pads side by side, the tip between them, nearer to the first: each gets its part of the power, together all of
// it.
TEST(a_tip_shares_its_power_among_the_tissues_that_it_is_near_to)
{
    cg_world_def world_def = cg_world_def_default();
    cg_world *world;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    cg_tissue_id pads[2];
    double taken[2] = {0, 0};
    cg_burn burn = {{-0.1e-3, 0, 0}, {-0.1e-3, 0, 0}, 1.5e-3, 30};
    for (int k = 0; k < 2; k++) {
        cg_tissue_def def = cg_tissue_def_default();
        def.size = v3(10e-3, 10e-3, 0);
        def.pose.position = v3(k == 0 ? -5.2e-3 : 5.2e-3, 0, 0);
        CHECK_STR(cg_world_add_tissue(world, &def, &pads[k]).message, "");
    }
    cg_burn_result result = cg_world_sweep_hook(world, &burn);
    CHECK_INT(result.removed, 0);
    CHECK_NEAR(result.heat, 30 * world_def.time_step, 1e-12);
    for (int k = 0; k < 2; k++) {
        const cg_tissue *tissue = cg_world_find_tissue(world, pads[k]);
        for (int i = 0; i < tissue->mesh->node_count; i++) {
            taken[k] += tissue->heat[i] * tissue->mesh->mass[i];
        }
    }
    CHECK(taken[0] > taken[1] && taken[1] > 0);
    CHECK_NEAR(taken[0] + taken[1], 30 * world_def.time_step, 1e-12);
    // Near none it heats none.
    burn.before = burn.after = v3(0, 0, 1);
    CHECK(cg_world_sweep_hook(world, &burn).heat == 0);
    cg_world_destroy(world);
}

TEST(a_tip_that_passes_quickly_only_chars)
{
    cg_tissue *pad = make(CG_TISSUE_PAD, 1.5e-3);
    double mass = cg_mesh_total_mass(pad->mesh);
    for (int k = 0; k < 100; k++) { // 160 mm/s
        cg_burn burn = {{-8e-3 + 16e-5 * k, 0, 0}, {-8e-3 + 16e-5 * (k + 1), 0, 0}, 1e-3, 30};
        cg_burn_result result;
        cg_burn_step(pad, &burn, STEP, &result);
        CHECK_INT(result.removed, 0);
    }
    double most = most_char(pad);
    CHECK(most > 0.01 && most < 0.9);
    CHECK_NEAR(cg_mesh_total_mass(pad->mesh), mass, 0);
    // and far away it brings nothing
    cg_burn away = {{0, 0, 20e-3}, {1e-3, 0, 20e-3}, 1e-3, 30}, bad = {{NAN, 0, 0}, {0, 0, 0}, 1e-3, 30};
    cg_burn_result result;
    cg_burn_step(pad, &away, STEP, &result);
    CHECK(result.heat == 0);
    cg_burn_step(pad, &bad, STEP, &result);
    CHECK(result.heat == 0 && most_char(pad) == most);
    cg_tissue_destroy(pad);
}

// Burnt through along a line, a sheet falls into two; small pieces vanish; however long it burns, something stays.
TEST(a_sheet_is_burnt_through_and_does_not_vanish)
{
    cg_tissue *sheet = make(CG_TISSUE_GRID, 1e-3);
    double mass = cg_mesh_total_mass(sheet->mesh);
    cg_burn_result result;
    for (int k = 0; k < 400; k++) {
        double y = -7e-3 + 14e-3 * k / 400;
        cg_burn burn = {{0.4e-3, y, 0}, {0.4e-3, y + 14e-3 / 400, 0}, 1e-3, 500};
        cg_burn_step(sheet, &burn, STEP, &result);
    }
    CHECK_STR(cg_mesh_validate(sheet->mesh).message, "");
    CHECK_INT(cg_tissue_find_pieces(sheet), 2);
    cg_burn all = {{-8e-3, 0, 0}, {8e-3, 0, 0}, 20e-3, 1e6};
    for (int k = 0; k < 50; k++) {
        cg_burn_step(sheet, &all, 0.01, &result);
        CHECK_STR(cg_mesh_validate(sheet->mesh).message, "");
        cg_tissue_step(sheet, STEP, v3_zero());
    }
    CHECK(sheet->mesh->triangle_count >= 6);
    CHECK_NEAR(cg_mesh_total_mass(sheet->mesh) + sheet->mesh->removed_mass, mass, 1e-12 * mass);
    cg_tissue_destroy(sheet);
}

// Heat is state: a world that is restored has it, and one that was never heated has the hash that it had.
TEST(char_is_kept_in_snapshots_and_by_nodes)
{
    cg_world_def def = cg_world_def_default();
    cg_world *world;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    cg_tissue_def pad_def = cg_tissue_def_default();
    cg_tissue_id pad;
    CHECK_STR(cg_world_add_tissue(world, &pad_def, &pad).message, "");
    cg_tissue *tissue = cg_world_find_tissue(world, pad);
    size_t size = cg_world_snapshot_size(world);
    cg_burn burn = {{0, 0, 0}, {0, 0, 0}, 2e-3, 30};
    cg_burn_result result;
    for (int k = 0; k < 2000; k++) {
        cg_burn_step(tissue, &burn, STEP, &result);
    }
    CHECK(cg_tissue_get_summary(world, pad).removed_mass > 0);
    size_t heated = cg_world_snapshot_size(world);
    CHECK(heated > size);
    unsigned char *bytes = malloc(heated);
    CHECK_STR(cg_world_snapshot(world, bytes, heated).message, "");
    uint64_t hash = cg_world_state_hash(world);
    double most = most_char(tissue);
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        tissue->heat[i] = 0;
    }
    CHECK(cg_world_state_hash(world) != hash);
    CHECK_STR(cg_world_restore(world, bytes, heated).message, "");
    CHECK(cg_world_state_hash(world) == hash && most_char(tissue) == most && most > 0);
    CHECK(cg_tissue_char(world, pad, -1) == 0 && cg_tissue_char(world, (cg_tissue_id){9, 9}, 0) == 0);
    free(bytes);
    cg_world_destroy(world);
}
