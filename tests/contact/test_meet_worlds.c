// label: slow
// Tissues that touch tissue while worlds change around them: tissues that come later, sleepers that are struck, states
// that are restored into another world, more that is near than there is room for.
#include <stdlib.h>

#include "geometry/shape.h"
#include "meet_rig.h"

static void step(cg_world *world, int count)
{
    for (int i = 0; i < count; i++) {
        cg_world_step(world);
    }
}

// Makes the state of one world that of another one.
static void copy_state(const cg_world *from, cg_world *to)
{
    size_t size = cg_world_snapshot_size(from);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(from, bytes, size).message, "");
    CHECK_STR(cg_world_restore(to, bytes, size).message, "");
    CHECK_HASH(cg_world_state_hash(to), cg_world_state_hash(from));
    free(bytes);
}

static double lowest(const cg_world *world, cg_tissue_id tissue)
{
    int count;
    const cg_vec3 *x = cg_tissue_positions(world, tissue, &count);
    double low = x[0].z;
    for (int i = 1; i < count; i++) {
        low = fmin(low, x[i].z);
    }
    return low;
}

TEST(a_pad_that_comes_beside_a_sleeping_one_touches_it)
{
    cg_world *world = meet_world(v3(0, 0, -9.81));
    cg_tissue_def lower = meet_pad(12e-3, 10e-3, 4e-3), upper = meet_pad(8e-3, 8e-3, 3e-3);
    cg_tissue_id ids[2] = {meet_add(world, &lower)};
    step(world, 300);
    upper.fix_bottom = false;
    upper.pose.position = v3(0.3e-3, 0.2e-3, 3.1e-3);
    ids[1] = meet_add(world, &upper);
    step(world, 300);
    CHECK(cg_tissue_contact_count(world, ids[1]) > 0);
    CHECK(lowest(world, ids[1]) > -0.5e-3);
    CHECK_INT(meet_crossings(world, ids, 2), 0);
    cg_world_destroy(world);
}

static cg_world *blocks_on_a_pad_that_came_last(cg_tissue_id ids[3])
{
    cg_world *world = meet_world(v3(0, 0, -9.81));
    cg_tissue_def block = meet_pad(6e-3, 6e-3, 3e-3), pad = meet_pad(24e-3, 12e-3, 4e-3);
    block.fix_bottom = false;
    for (int k = 0; k < 2; k++) {
        block.pose.position = v3(k == 0 ? -6e-3 : 6e-3, 0, 3.3e-3);
        ids[k] = meet_add(world, &block);
    }
    ids[2] = meet_add(world, &pad);
    return world;
}

// An island is moved by its first tissue, whichever of them the world made first.
TEST(blocks_fall_on_a_pad_that_came_last)
{
    cg_tissue_id ids[3], others[3];
    cg_world *world = blocks_on_a_pad_that_came_last(ids), *other = blocks_on_a_pad_that_came_last(others);
    for (int i = 0; i < 60; i++) {
        copy_state(world, other);
        cg_world_step(world);
        cg_world_step(other);
        CHECK_HASH(cg_world_state_hash(other), cg_world_state_hash(world));
    }
    step(world, 200);
    CHECK(cg_tissue_contact_count(world, ids[0]) > 0 && cg_tissue_contact_count(world, ids[1]) > 0);
    CHECK_INT(meet_crossings(world, ids, 3), 0);
    cg_world_destroy(world);
    cg_world_destroy(other);
}

static cg_world *sheet_over_a_pad(cg_tissue_id ids[2], cg_shape_id *ball)
{
    cg_world *world = meet_world(v3_zero());
    cg_tissue_def pad = meet_pad(24e-3, 20e-3, 4e-3), sheet = cg_tissue_def_default();
    sheet.shape = CG_TISSUE_GRID;
    sheet.model = CG_TISSUE_SHEET;
    sheet.size = v3(20e-3, 16e-3, 0);
    sheet.spacing = 4e-3;
    sheet.layers[0].thickness = 0.5e-3;
    sheet.fix_bottom = false;
    sheet.pose.position = v3(0.3e-3, 0.2e-3, 0.25e-3);
    ids[0] = meet_add(world, &pad);
    ids[1] = meet_add(world, &sheet);
    cg_shape_def def = cg_shape_def_default();
    def.shape = shape_sphere(2e-3);
    def.pose.position = v3(0.1e-3, 0, 10e-3);
    CHECK_STR(cg_world_add_shape(world, &def, ball).message, "");
    return world;
}

// What sleeps in a state is struck in the world that the state came from, and in another one.
TEST(what_sleeps_and_is_struck_is_not_passed)
{
    for (int fast = 0; fast < 2; fast++) {
        double speed = fast ? 1 : 0.3;
        cg_tissue_id ids[2], others[2];
        cg_shape_id ball, other_ball;
        cg_world *world = sheet_over_a_pad(ids, &ball), *other = sheet_over_a_pad(others, &other_ball);
        step(world, 50);
        copy_state(world, other);
        int crossings = 0;
        for (int i = 0; i < (int)(8.5 / speed) + 5; i++) {
            cg_transform pose = {v3(0.1e-3, 0, fmax(10e-3 - speed * 1e-3 * (i + 1), 1.5e-3)), {0, 0, 0, 1}};
            cg_shape_move(world, ball, pose);
            cg_shape_move(other, other_ball, pose);
            cg_world_step(world);
            cg_world_step(other);
            CHECK_HASH(cg_world_state_hash(other), cg_world_state_hash(world));
            crossings += i % 4 == 0 ? meet_crossings(other, others, 2) : 0;
        }
        CHECK(cg_tissue_contact_count(world, ids[1]) > 0);
        CHECK_INT(crossings, 0);
        cg_world_destroy(world);
        cg_world_destroy(other);
    }
}

static cg_world *pads_with_a_held_top(cg_tissue_id ids[2], int *top, int *count)
{
    cg_world *world = meet_world(v3(0, 0, -9.81));
    cg_tissue_def lower = meet_pad(16e-3, 12e-3, 4e-3), upper = meet_pad(10e-3, 8e-3, 4e-3);
    upper.fix_bottom = false;
    upper.pose.position = v3(0.3e-3, 0.2e-3, 4.5e-3);
    ids[0] = meet_add(world, &lower);
    ids[1] = meet_add(world, &upper);
    int nodes;
    const cg_vec3 *x = cg_tissue_positions(world, ids[1], &nodes);
    *count = 0;
    for (int i = 0; i < nodes; i++) {
        if (x[i].z > 4.5e-3 - 1e-9) {
            CHECK_STR(cg_tissue_fix(world, ids[1], i, true).message, "");
            top[(*count)++] = i;
        }
    }
    return world;
}

// A step does not depend on when lists of what is near were made.
TEST(restored_pads_go_on_with_the_same_bits_at_any_speed)
{
    enum { MOST = 400 };
    static const double speeds[3] = {0.1, 1, 3};
    for (int s = 0; s < 3; s++) {
        cg_tissue_id ids[2], others[2];
        int top[MOST], count;
        cg_world *world = pads_with_a_held_top(ids, top, &count), *other = pads_with_a_held_top(others, top, &count);
        const cg_vec3 *home = cg_tissue_homes(world, ids[1], NULL);
        uint64_t seed = 5;
        cg_vec3 shift = v3_zero(), aim = v3_zero();
        for (int i = 0; i < test_count(test_is_sanitized() ? 15 : 50, 2000); i++) {
            if (i % 25 == 0) {
                aim.x = test_random(&seed, -6e-3, 6e-3);
                aim.y = test_random(&seed, -5e-3, 5e-3);
                aim.z = test_random(&seed, -3e-3, 1e-3);
            }
            cg_vec3 way = v3_sub(aim, shift);
            double length = v3_length(way), most = speeds[s] * 1e-3;
            shift = length > most ? v3_add_scaled(shift, most / length, way) : aim;
            copy_state(world, other);
            for (int k = 0; k < count; k++) {
                cg_tissue_move_fixed(world, ids[1], top[k], v3_add(home[top[k]], shift));
                cg_tissue_move_fixed(other, others[1], top[k], v3_add(home[top[k]], shift));
            }
            cg_world_step(world);
            cg_world_step(other);
            CHECK_HASH(cg_world_state_hash(other), cg_world_state_hash(world));
        }
        CHECK_INT(meet_crossings(world, ids, 2), 0);
        cg_world_destroy(world);
        cg_world_destroy(other);
    }
}

// More is near than the lists have room for: nothing crosses, and nothing stands still for it.
TEST(a_stack_of_sheets_falls)
{
    enum { SHEETS = 4 };
    cg_world *world = meet_world(v3(0, 0, -9.81));
    cg_tissue_def sheet = cg_tissue_def_default();
    sheet.shape = CG_TISSUE_GRID;
    sheet.model = CG_TISSUE_SHEET;
    sheet.size = v3(20e-3, 16e-3, 0);
    sheet.layers[0].thickness = 0.5e-3;
    sheet.fix_bottom = false;
    sheet.drag = 0;
    cg_tissue_id ids[SHEETS];
    for (int k = 0; k < SHEETS; k++) {
        sheet.pose.position = v3(0.1e-3 * k, 0, 0.3e-3 * k);
        ids[k] = meet_add(world, &sheet);
    }
    step(world, 60);
    CHECK_NEAR(cg_tissue_velocities(world, ids[0], NULL)[0].z, -9.81 * 60e-3, 0.02);
    CHECK_INT(meet_crossings(world, ids, SHEETS), 0);
    cg_world_destroy(world);
}
