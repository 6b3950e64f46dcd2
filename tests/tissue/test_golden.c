// label: golden
// The same bits of tissue from every compiler and optimisation level. A change of these numbers needs its reason in the
// commit.
#include "base/vec3.h"
#include "harness.h"
#include "tissue/tissue.h"

static uint64_t hash_of(cg_tissue *tissue)
{
    cg_archive archive = cg_archive_to_hash();
    cg_archive_begin(&archive, 1);
    cg_tissue_visit_state(&archive, tissue);
    CHECK(cg_archive_end(&archive).code == CG_OK);
    return cg_archive_hash(&archive);
}

// A hand goes up and aside at 0.2 m/s with a few nodes near the middle, for 40 steps; then it lets go, for 20.
static uint64_t handle(const cg_tissue_def *def, bool pierce)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue *tissue = NULL;
    CHECK_STR(cg_tissue_create(def, &allocator, &tissue).message, "");
    if (tissue == NULL) {
        return 0;
    }
    int node = 0;
    for (int i = 1; i < tissue->mesh->node_count; i++) {
        bool nearer = v3_length(tissue->mesh->home[i]) < v3_length(tissue->mesh->home[node]);
        node = nearer && !tissue->mesh->fixed[i] ? i : node;
    }
    cg_tissue_pierce_node(tissue, node, pierce);
    cg_tissue_hold hold = {.count = 1, .nodes = {node}, .stiffness = 500, .damping = 0.5, .most_force = 1};
    cg_vec3 start = tissue->mesh->position[node], speed = v3(0.05, 0.1, 0.15);
    for (int step = 1; step <= 60; step++) {
        hold.targets[0] = v3_add_scaled(start, step * 1e-3, speed);
        hold.speeds[0] = speed;
        cg_tissue_grip grip = cg_tissue_grip_of(tissue, &hold, 1e-3);
        tissue->grips = step <= 40 ? &grip : NULL;
        cg_tissue_step(tissue, 1e-3, v3(0, 0, -9.81));
        tissue->grips = NULL;
    }
    CHECK(v3_distance(tissue->mesh->position[node], tissue->mesh->home[node]) > 1e-6);
    CHECK_INT(tissue->stats.recovered_steps, 0);
    uint64_t hash = hash_of(tissue);
    cg_tissue_destroy(tissue);
    return hash;
}

static cg_tissue_def wounded_pad(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(20e-3, 16e-3, 0);
    def.layers[0] = (cg_tissue_layer){4e-3, {.young = 50e3, .density = 1100, .stiffening = 2}};
    def.wound = CG_WOUND_STRAIGHT;
    def.wound_length = 12e-3;
    def.wound_depth = 4e-3;
    def.tension = 0.1;
    def.fix_bottom = false;
    return def;
}

TEST(a_pad_with_a_wound)
{
    cg_tissue_def def = wounded_pad();
    CHECK_GOLDEN(handle(&def, false));
}

TEST(a_vessel_that_keeps_its_volume)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_VESSEL;
    def.radius = 4e-3;
    def.wall = 1.5e-3;
    def.length = 16e-3;
    def.fix_rim = true;
    def.fix_bottom = false;
    def.pressure = 1e5;
    CHECK_GOLDEN(handle(&def, false));
}

TEST(a_sheet_that_is_pierced)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_GRID;
    def.model = CG_TISSUE_SHEET;
    def.size = v3(20e-3, 16e-3, 0);
    def.layers[0].thickness = 1e-3;
    def.most_stretch = 1.05;
    def.fix_rim = true;
    def.fix_bottom = false;
    CHECK_GOLDEN(handle(&def, true));
}

TEST(other_ways_to_move)
{
    cg_tissue_def def = wounded_pad();
    def.solver = CG_TISSUE_QUASI_STATIC;
    CHECK_GOLDEN(handle(&def, false));
    def.solver = CG_TISSUE_RUNGE_KUTTA;
    def.iterations = 40;
    def.damping = 1e-4; // an explicit step cannot bear more
    CHECK_GOLDEN(handle(&def, false));
}
