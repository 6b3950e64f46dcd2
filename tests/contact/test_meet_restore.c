// label: slow
// A world that was taken back to a state goes on as the world that the state was taken from did, to the last bit: lists
// of what may touch, trees and islands must not depend on how a world came to its state.
#include <stdlib.h>

#include "base/quat.h"
#include "meet_rig.h"

enum { MOST_HANDS = 2, MOST_TISSUES = 2 };

typedef struct twin {
    cg_world *world;
    cg_tissue_id tissues[MOST_TISSUES];
    int tissue_count;
    cg_hand_id hands[MOST_HANDS];
    double lowest; // [m] where hands go
} twin;

typedef twin maker(void);

static void add_hands(twin *t, double apart, double height)
{
    for (int k = 0; k < MOST_HANDS; k++) {
        cg_hand_def def = cg_hand_def_default();
        def.pose.position = v3(0, k == 0 ? -apart : apart, height);
        def.max_force = 2;
        CHECK_STR(cg_world_add_hand(t->world, &def, &t->hands[k]).message, "");
        CHECK_STR(cg_hand_close(t->world, t->hands[k]).message, "");
    }
}

static twin make_slit(void)
{
    twin t = {.world = meet_world(v3_zero()), .tissue_count = 1, .lowest = -2e-3};
    cg_tissue_def pad = meet_pad(20e-3, 14e-3, 4e-3);
    pad.spacing = 2e-3;
    pad.fix_rim = true;
    pad.fix_bottom = false;
    pad.wound = CG_WOUND_STRAIGHT;
    pad.wound_length = 12e-3;
    pad.wound_depth = 3e-3;
    pad.max_nodes = 3000;
    t.tissues[0] = meet_add(t.world, &pad);
    add_hands(&t, 1.5e-3, 0.3e-3);
    return t;
}

static twin make_vessel(void)
{
    twin t = {.world = meet_world(v3_zero()), .tissue_count = 1, .lowest = -6e-3};
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_VESSEL;
    def.radius = 3e-3;
    def.wall = 0.8e-3;
    def.length = 14e-3;
    def.spacing = 1.5e-3;
    def.fix_rim = true;
    def.fix_bottom = false;
    t.tissues[0] = meet_add(t.world, &def);
    add_hands(&t, 1e-3, 2.9e-3);
    for (int k = 0; k < MOST_HANDS; k++) { // flat
        cg_transform low = {v3(0, k == 0 ? -1e-3 : 1e-3, -2e-3), quat_identity()};
        CHECK_STR(cg_hand_move(t.world, t.hands[k], low, 0.02).message, "");
    }
    return t;
}

// One pad over another: they touch, part, sleep and wake.
static twin make_pads(void)
{
    twin t = {.world = meet_world(v3(0, 0, -9.81)), .tissue_count = 2, .lowest = 2e-3};
    cg_tissue_def lower = meet_pad(14e-3, 12e-3, 4e-3), upper = meet_pad(9e-3, 7e-3, 3e-3);
    lower.spacing = upper.spacing = 2e-3;
    upper.fix_bottom = false;
    upper.pose.position = v3(0.3e-3, 0.2e-3, 3.4e-3);
    t.tissues[0] = meet_add(t.world, &lower);
    t.tissues[1] = meet_add(t.world, &upper);
    add_hands(&t, 2e-3, 3.6e-3);
    return t;
}

// The same order for a hand of both worlds.
static void command(twin twins[2], int hand, uint64_t *seed)
{
    int what = test_random_int(seed, 0, 9);
    cg_hand_state now = cg_hand_get_state(twins[0].world, twins[0].hands[hand]);
    cg_transform aim = {now.pose.position, quat_from_axis_angle(v3(1, 0, 0), test_random(seed, -0.5, 0.5))};
    aim.position.x += test_random(seed, -3e-3, 3e-3);
    aim.position.y = test_random(seed, -4e-3, 4e-3);
    aim.position.z = test_random(seed, twins[0].lowest, 4e-3);
    double time = test_random(seed, 0.005, 0.08);
    for (int k = 0; k < 2; k++) {
        if (what < 6) {
            CHECK_STR(cg_hand_move(twins[k].world, twins[k].hands[hand], aim, time).message, "");
        } else if (what < 9) {
            CHECK_STR(cg_hand_close(twins[k].world, twins[k].hands[hand]).message, "");
        } else {
            CHECK_STR(cg_hand_open(twins[k].world, twins[k].hands[hand]).message, "");
        }
    }
}

// A cut in both worlds, from above and not through.
static void cut(twin twins[2], uint64_t *seed)
{
    cg_vec3 path[2] = {v3(test_random(seed, -5e-3, 0), 0, 2e-3), v3(test_random(seed, 1e-3, 5e-3), 0, 2e-3)};
    path[0].y = test_random(seed, -3e-3, 3e-3);
    path[1].y = test_random(seed, -3e-3, 3e-3);
    double depth = test_random(seed, 2e-3, 5e-3);
    const cg_vec3 down[2] = {v3(0, 0, -depth), v3(0, 0, -depth)};
    cg_tissue_cut_result results[2];
    for (int k = 0; k < 2; k++) { // refused where there is no room
        results[k] = (cg_tissue_cut_result){0};
        cg_tissue_cut(twins[k].world, twins[k].tissues[0], path, down, 2, &results[k]);
    }
    CHECK_INT(results[0].pieces, results[1].pieces);
}

// The second world is taken to the state of the first, or the first to its own.
static void take_back(twin twins[2], bool is_own)
{
    size_t size = cg_world_snapshot_size(twins[0].world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(twins[0].world, bytes, size).message, "");
    CHECK_STR(cg_world_restore(twins[is_own ? 0 : 1].world, bytes, size).message, "");
    free(bytes);
}

// Returns in how many steps tissue touched tissue, or a hand.
static int run(maker *make, bool is_cut, uint64_t seed, int steps)
{
    twin twins[2] = {make(), make()};
    int touching = 0;
    for (int step = 0; step < steps; step++) {
        if (step % 12 == 0) {
            command(twins, test_random_int(&seed, 0, 1), &seed);
        }
        if (is_cut && step % 150 == 75) {
            cut(twins, &seed);
        }
        if (test_random_int(&seed, 0, 9) == 0) {
            take_back(twins, test_random_int(&seed, 0, 1) == 0);
        }
        cg_world_step(twins[0].world);
        cg_world_step(twins[1].world);
        touching += cg_tissue_contact_count(twins[0].world, twins[0].tissues[0]) > 0;
        if (!CHECK_HASH(cg_world_state_hash(twins[1].world), cg_world_state_hash(twins[0].world))) {
            break;
        }
    }
    cg_world_destroy(twins[0].world);
    cg_world_destroy(twins[1].world);
    return touching;
}

static void run_some(maker *make, bool is_cut)
{
    int runs = test_count(test_is_sanitized() ? 1 : 2, 20), steps = test_count(test_is_sanitized() ? 80 : 300, 3000);
    int touching = 0;
    for (int k = 0; k < runs; k++) {
        touching += run(make, is_cut, (uint64_t)k + 1, steps);
    }
    CHECK(touching > runs * steps / 8 || test_is_sanitized()); // short runs end before much touches
}

TEST(lips_go_on_as_they_did)
{
    run_some(make_slit, false);
}

TEST(lips_that_are_cut_go_on_as_they_did)
{
    run_some(make_slit, true);
}

TEST(a_vessel_goes_on_as_it_did)
{
    run_some(make_vessel, false);
}

TEST(pads_go_on_as_they_did)
{
    run_some(make_pads, false);
}
