// label: slow
// Hands that carry a scalpel or a hook: what they feel and do, and that nothing they cut away leaves somebody behind.
#include <math.h>
#include <stdlib.h>

#include "alloc_count.h"
#include "base/quat.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

typedef struct rig {
    cg_world *world;
    cg_tissue_id tissue;
    cg_hand_id hand;
} rig;

static cg_tissue_def pad_def(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(20e-3, 14e-3, 0);
    def.layers[0].thickness = 4e-3;
    def.tension = 0.1;
    def.fix_rim = true;
    def.fix_bottom = false;
    def.max_nodes = 4000;
    return def;
}

static rig begin_with(cg_tissue_def def, cg_hand_tool tool, cg_vec3 place, int contacts)
{
    rig r;
    cg_world_def world = cg_world_def_default();
    world.gravity = v3_zero();
    world.max_contacts = contacts;
    CHECK_STR(cg_world_create(&world, &r.world).message, "");
    CHECK_STR(cg_world_add_tissue(r.world, &def, &r.tissue).message, "");
    cg_hand_def hand = cg_hand_def_default();
    hand.tool = tool;
    hand.blade_width = hand.hook_length = 0; // edge and tip alone; those with bodies are in test_solid.c
    hand.pose.position = place;
    CHECK_STR(cg_world_add_hand(r.world, &hand, &r.hand).message, "");
    return r;
}

static rig begin(cg_tissue_def def, cg_hand_tool tool, cg_vec3 place)
{
    return begin_with(def, tool, place, 50);
}

static void go(const rig *r, cg_vec3 place, double time)
{
    CHECK_STR(cg_hand_move(r->world, r->hand, (cg_transform){place, quat_identity()}, time).message, "");
}

static void run(const rig *r, int steps)
{
    for (int step = 0; step < steps; step++) {
        cg_world_step(r->world);
    }
}

static cg_hand_state state_of(const rig *r)
{
    return cg_hand_get_state(r->world, r->hand);
}

// Lowered beside the pad or into it, and drawn along x at 50 mm/s.
static void start_cut(const rig *r, double from, double depth)
{
    go(r, v3(from, 0.2e-3, -depth), 0.05);
    CHECK_STR(cg_hand_close(r->world, r->hand).message, "");
    run(r, 80);
    go(r, v3(from + 10e-3, 0.2e-3, -depth), 0.2);
}

TEST(a_scalpel_cuts_while_it_is_closed_and_feels_the_toughness)
{
    cg_tissue_def def = pad_def();
    rig r = begin(def, CG_TOOL_SCALPEL, v3(-6e-3, 0.2e-3, 3e-3));
    uint64_t topology = cg_tissue_topology_version(r.world, r.tissue);
    // Open, it passes.
    go(&r, v3(-6e-3, 0.2e-3, -2e-3), 0.05);
    run(&r, 80);
    go(&r, v3(-3e-3, 0.2e-3, -2e-3), 0.05);
    run(&r, 80);
    CHECK(cg_tissue_topology_version(r.world, r.tissue) == topology && v3_length(state_of(&r).force) == 0);
    start_cut(&r, -6e-3, 2e-3);
    double strongest = 0;
    for (int step = 0; step < 260; step++) {
        run(&r, 1);
        cg_hand_state s = state_of(&r);
        strongest = fmax(strongest, -s.force.x);
        CHECK(s.edge_inside < 2.6e-3);
    }
    double toughness = def.layers[0].material.toughness;
    CHECK_NEAR(strongest, toughness * 2e-3, 0.25 * toughness * 2e-3);
    CHECK(state_of(&r).cut_area > 0.55 * 10e-3 * 2e-3 && state_of(&r).cut_area < 1.1 * 10e-3 * 2e-3);
    CHECK(cg_tissue_topology_version(r.world, r.tissue) != topology);
    go(&r, v3(4e-3, 0.2e-3, 6e-3), 0.05);
    run(&r, 300);
    CHECK(v3_length(state_of(&r).force) == 0 && state_of(&r).edge_inside == 0);
    CHECK_INT(cg_tissue_piece_count(r.world, r.tissue), 1);
    CHECK_INT(cg_world_get_stats(r.world).recovered_tissue_steps, 0);
    // The lips stand apart: the pad was held under tension.
    int count;
    const cg_vec3 *x = cg_tissue_positions(r.world, r.tissue, &count), *home = cg_tissue_homes(r.world, r.tissue, NULL);
    double widest = 0;
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            widest = v3_distance(home[i], home[j]) < 1e-12 ? fmax(widest, v3_distance(x[i], x[j])) : widest;
        }
    }
    CHECK(widest > 0.2e-3);
    cg_world_destroy(r.world);
}

TEST(who_holds_what_is_cut_away_goes_along)
{
    cg_tissue_def def = pad_def();
    def.fix_rim = false;
    def.tension = 0;
    def.spacing = 2.5e-3;
    rig r = begin(def, CG_TOOL_SCALPEL, v3(-16e-3, 0.2e-3, 3e-3));
    int count;
    const cg_vec3 *home = cg_tissue_homes(r.world, r.tissue, &count);
    for (int i = 0; i < count; i++) {
        if (home[i].y < -6.9e-3) { // one side stays
            CHECK_STR(cg_tissue_fix(r.world, r.tissue, i, true).message, "");
        }
    }
    cg_hand_def other = cg_hand_def_default();
    other.pose.position = v3(0, 5e-3, 0.5e-3);
    cg_hand_id holder, near;
    CHECK_STR(cg_world_add_hand(r.world, &other, &holder).message, "");
    other.pose.position = v3(0, 0.5e-3, 0.5e-3); // a patch that the blade goes through
    CHECK_STR(cg_world_add_hand(r.world, &other, &near).message, "");
    CHECK_STR(cg_hand_close(r.world, holder).message, "");
    CHECK_STR(cg_hand_close(r.world, near).message, "");
    go(&r, v3(-16e-3, 0.2e-3, -6e-3), 0.05);
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    run(&r, 80);
    go(&r, v3(16e-3, 0.2e-3, -6e-3), 0.5);
    run(&r, 700);
    CHECK_STR(cg_hand_open(r.world, r.hand).message, "");
    CHECK_INT(cg_tissue_piece_count(r.world, r.tissue), 2);
    CHECK(cg_hand_get_state(r.world, holder).node_count > 0);
    // The piece that is held becomes a tissue of its own, and follows the hand.
    int node = -1;
    const cg_vec3 *x = cg_tissue_positions(r.world, r.tissue, &count);
    for (int i = 0; i < count; i++) {
        node = x[i].y > 6e-3 ? i : node;
    }
    cg_tissue_id piece;
    CHECK_STR(cg_world_separate_tissue(r.world, r.tissue, node, &piece).message, "");
    CHECK(cg_hand_get_state(r.world, holder).tissue.index == piece.index);
    CHECK_STR(cg_hand_open(r.world, near).message, "");
    CHECK_STR(cg_hand_move(r.world, holder, (cg_transform){v3(0, 15e-3, 10e-3), quat_identity()}, 0.2).message, "");
    run(&r, 400);
    CHECK(cg_hand_get_state(r.world, holder).node_count > 0);
    CHECK_NEAR(cg_hand_get_state(r.world, holder).pose.position.y, 15e-3, 1e-3);
    CHECK_STR(cg_world_remove_tissue(r.world, piece).message, "");
    CHECK_INT(cg_hand_get_state(r.world, holder).node_count, 0);
    run(&r, 10);
    CHECK_INT(cg_world_get_stats(r.world).recovered_tissue_steps, 0);
    cg_world_destroy(r.world);
}

// In the middle of a cut.
TEST(tissue_and_tools_may_go_while_a_blade_is_inside)
{
    for (int k = 0; k < 4; k++) {
        rig r = begin(pad_def(), CG_TOOL_SCALPEL, v3(-6e-3, 0.2e-3, 3e-3));
        start_cut(&r, -6e-3, 2e-3);
        run(&r, 110);
        CHECK(state_of(&r).edge_inside > 1e-3);
        if (k == 0) {
            CHECK_STR(cg_world_remove_tissue(r.world, r.tissue).message, "");
        } else if (k == 1) {
            CHECK_STR(cg_hand_set_tool(r.world, r.hand, CG_TOOL_HOOK).message, "");
        } else if (k == 2) {
            CHECK_STR(cg_world_remove_hand(r.world, r.hand).message, "");
        } else {
            CHECK_STR(cg_hand_open(r.world, r.hand).message, "");
        }
        CHECK(v3_length(state_of(&r).force) == 0 && state_of(&r).edge_inside == 0);
        run(&r, 100);
        CHECK_INT(cg_world_get_stats(r.world).recovered_tissue_steps, 0);
        cg_world_destroy(r.world);
    }
}

TEST(a_state_is_taken_back_in_the_middle_of_a_cut)
{
    rig r = begin(pad_def(), CG_TOOL_GRASPER, v3(-6e-3, 0.2e-3, 3e-3));
    size_t start_size = cg_world_snapshot_size(r.world);
    void *start = malloc(start_size);
    CHECK_STR(cg_world_snapshot(r.world, start, start_size).message, "");
    CHECK_STR(cg_hand_set_tool(r.world, r.hand, CG_TOOL_SCALPEL).message, "");
    start_cut(&r, -6e-3, 2e-3);
    run(&r, 100);
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    run(&r, 100);
    uint64_t hash = cg_world_state_hash(r.world);
    double area = state_of(&r).cut_area;
    CHECK_STR(cg_world_restore(r.world, bytes, size).message, "");
    run(&r, 100);
    CHECK_HASH(cg_world_state_hash(r.world), hash);
    CHECK_STR(cg_hand_set_tool(r.world, r.hand, CG_TOOL_GRASPER).message, "");
    run(&r, 5);
    CHECK_STR(cg_world_restore(r.world, bytes, size).message, "");
    CHECK_INT(state_of(&r).tool, CG_TOOL_SCALPEL);
    run(&r, 100);
    CHECK_HASH(cg_world_state_hash(r.world), hash);
    CHECK_NEAR(state_of(&r).cut_area, area, 0);
    // A state from before the scalpel was taken tells of no cut.
    CHECK_STR(cg_world_restore(r.world, start, start_size).message, "");
    CHECK(state_of(&r).tool == CG_TOOL_GRASPER && state_of(&r).cut_area == 0 && state_of(&r).edge_inside == 0);
    free(start);
    free(bytes);
    cg_world_destroy(r.world);
}

TEST(a_hook_burns_while_it_is_closed)
{
    cg_tissue_def def = pad_def();
    def.tension = 0;
    rig r = begin(def, CG_TOOL_HOOK, v3(0, 0, 0));
    run(&r, 100);
    double mass = cg_tissue_get_summary(r.world, r.tissue).mass;
    CHECK(cg_tissue_get_summary(r.world, r.tissue).removed_mass == 0);
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    run(&r, 1500);
    cg_tissue_summary summary = cg_tissue_get_summary(r.world, r.tissue);
    CHECK(summary.removed_mass > 0 && summary.removed_mass < 1.5 * 30 / 2.5e6); // 30 W for 1.5 s
    CHECK_NEAR(summary.mass + summary.removed_mass, mass, 1e-12 * mass);
    CHECK_STR(cg_hand_open(r.world, r.hand).message, "");
    run(&r, 200);
    CHECK_NEAR(cg_tissue_get_summary(r.world, r.tissue).removed_mass, summary.removed_mass, 0);
    cg_world_destroy(r.world);
}

TEST(a_step_that_cuts_takes_no_memory)
{
    if (!test_allocations_counted()) {
        test_skip("the sanitizer has its own allocator");
        return;
    }
    rig r = begin(pad_def(), CG_TOOL_SCALPEL, v3(-6e-3, 0.2e-3, 3e-3));
    start_cut(&r, -6e-3, 2e-3);
    long before = test_allocations();
    run(&r, 150);
    CHECK_INT(test_allocations() - before, 0);
    CHECK(state_of(&r).cut_area > 0);
    cg_world_destroy(r.world);
}

// Two hands with any tool, closed and open, sent anywhere; states taken and taken back; tissue that comes apart.
TEST(hands_do_anything_in_any_order)
{
    int runs = test_count(test_is_sanitized() ? 1 : 3, 40), steps = test_count(test_is_sanitized() ? 150 : 400, 2000);
    for (int run_number = 0; run_number < runs; run_number++) {
        uint64_t seed = (uint64_t)run_number + 1;
        cg_tissue_def def = pad_def();
        def.spacing = 2.5e-3;
        int contacts = run_number % 2 == 0 ? 0 : 50;
        rig r = begin_with(def, CG_TOOL_SCALPEL, v3(0, 0, 5e-3), contacts);
        cg_hand_def other_def = cg_hand_def_default();
        other_def.pose.position = v3(3e-3, 0, 5e-3);
        cg_hand_id hands[2] = {r.hand};
        CHECK_STR(cg_world_add_hand(r.world, &other_def, &hands[1]).message, "");
        size_t size = 0;
        void *bytes = NULL;
        uint64_t later = 0;
        for (int step = 0; step < steps; step++) {
            cg_hand_id hand = hands[test_random_int(&seed, 0, 1)];
            int what = test_random_int(&seed, 0, 60);
            cg_vec3 place = v3(test_random(&seed, -12e-3, 12e-3), 0, 0);
            place.y = test_random(&seed, -9e-3, 9e-3);
            place.z = test_random(&seed, -6e-3, 6e-3);
            if (what < 4) {
                cg_quat turn = quat_from_axis_angle(v3(1, 0, 0), test_random(&seed, -1, 1));
                CHECK_STR(cg_hand_move(r.world, hand, (cg_transform){place, turn}, 0.05).message, "");
            } else if (what < 6) {
                CHECK_STR(cg_hand_close(r.world, hand).message, "");
            } else if (what == 6) {
                CHECK_STR(cg_hand_open(r.world, hand).message, "");
            } else if (what == 7) { // refused where there is no room
                cg_hand_set_tool(r.world, hand, (cg_hand_tool)test_random_int(&seed, 0, CG_TOOL_COUNT - 1));
            } else if (what == 8 && bytes == NULL) {
                size = cg_world_snapshot_size(r.world);
                bytes = malloc(size);
                CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
                run(&r, 5);
                later = cg_world_state_hash(r.world);
            } else if (what == 9 && bytes != NULL) {
                CHECK_STR(cg_world_restore(r.world, bytes, size).message, "");
                run(&r, 5);
                CHECK_HASH(cg_world_state_hash(r.world), later);
                free(bytes);
                bytes = NULL;
            }
            run(&r, 1);
            for (int k = 0; k < 2; k++) {
                cg_hand_state s = cg_hand_get_state(r.world, hands[k]);
                CHECK(v3_is_finite(s.pose.position) && v3_is_finite(s.force) && v3_length(s.pose.position) < 1);
            }
        }
        // Nothing is stuck: hands come away, and what is left of the pad is sound.
        for (int k = 0; k < 2; k++) {
            CHECK_STR(cg_hand_open(r.world, hands[k]).message, "");
            cg_vec3 out = v3(k == 0 ? -30e-3 : 30e-3, 0, 60e-3);
            CHECK_STR(cg_hand_move(r.world, hands[k], (cg_transform){out, quat_identity()}, 0.2).message, "");
        }
        run(&r, 600);
        CHECK_INT(cg_world_get_stats(r.world).recovered_tissue_steps, 0);
        for (int k = 0; k < 2; k++) {
            CHECK(cg_hand_get_state(r.world, hands[k]).lag < 1e-6);
        }
        free(bytes);
        cg_world_destroy(r.world);
    }
}
