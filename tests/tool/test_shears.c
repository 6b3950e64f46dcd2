// Scissors: blades that close on a thread part it, where they close and with what they must.
#include <math.h>
#include <stdlib.h>

#include "base/transform.h"
#include "catgut/catgut.h"
#include "harness.h"

enum { VERTICES = 101, PARTS = 3 };
static const double SPACING = 0.5e-3; // [m]

typedef struct rig {
    cg_world *world;
    cg_hand_id hand;
    cg_thread_id thread;
} rig;

// A straight thread through the origin, held at both ends, and scissors about it.
static rig make_rig(double radius, cg_vec3 along, cg_vec3 middle, int parts)
{
    rig r = {0};
    cg_world_def def = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        points[i] = v3_add_scaled(middle, SPACING * (i - VERTICES / 2), along);
    }
    def.gravity = v3_zero();
    hand.tool = CG_TOOL_SCISSORS;
    thread.vertex_count = VERTICES;
    thread.positions = points;
    thread.radius = radius;
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    CHECK_STR(cg_world_add_hand(r.world, &hand, &r.hand).message, "");
    CHECK_STR(cg_world_add_thread(r.world, &thread, &r.thread).message, "");
    for (int end = 0; end < 2; end++) {
        cg_end_hold hold = {.kind = CG_END_CLAMPED, .position = points[end == 0 ? 0 : VERTICES - 1]};
        CHECK_STR(cg_thread_set_end(r.world, r.thread, (cg_end)end, &hold).message, "");
    }
    CHECK_STR(cg_world_reserve_parts(r.world, r.thread, parts).message, "");
    return r;
}

static void close_blades(const rig *r, double force, int steps)
{
    CHECK_STR(cg_hand_set_jaws(r->world, r->hand, 0, force).message, "");
    for (int i = 0; i < steps; i++) {
        cg_world_step(r->world);
    }
}

// The part that was cut off first: in the place that was reserved behind the thread.
static cg_thread_id part_of(const rig *r)
{
    return (cg_thread_id){r->thread.index + 1, 1};
}

static bool is_cut(const rig *r)
{
    return cg_thread_get_summary(r->world, part_of(r)).vertex_count > 0;
}

static double length_of(const rig *r, cg_thread_id id)
{
    return cg_thread_get_summary(r->world, id).rest_length;
}

TEST(closing_blades_part_threads)
{
    const double radii[] = {0.0125e-3, 0.05e-3, 0.11e-3, 0.25e-3};
    const cg_vec3 ways[] = {{1, 0, 0}, {0.9, 0.4359, 0}, {0.9, 0, 0.4359}, {0.8, -0.6, 0}};
    const double places[] = {0, 5e-3, -6e-3};
    for (int k = 0; k < 4 * 4 * 3; k += test_counts(1, 5, 1)) { // by 5 all of each are seen too
        double radius = radii[k % 4];
        rig r = make_rig(radius, ways[k / 4 % 4], v3(0, 0.3e-3, places[k / 16]), 1);
        close_blades(&r, 0, 200);
        CHECK(is_cut(&r));
        double first = length_of(&r, r.thread), second = length_of(&r, part_of(&r));
        CHECK(first + second < SPACING * (VERTICES - 1) - 2 * radius);
        CHECK_NEAR(first, 0.5 * SPACING * (VERTICES - 1), 1.5e-3);
        CHECK_NEAR(second, 0.5 * SPACING * (VERTICES - 1), 1.5e-3);
        // Edges meet at 0.1; stumps may jam between them.
        CHECK(cg_hand_get_state(r.world, r.hand).opening < 0.3);
        cg_world_destroy(r.world);
    }
}

// Toughness times diameter, 2 kJ/m2: with less than that the blades hold it.
TEST(blades_part_what_they_press_hard_enough)
{
    const double radii[] = {0.11e-3, 0.25e-3};
    for (int k = 0; k < 4; k++) {
        double radius = radii[k / 2], needed = 2e3 * 2 * radius;
        rig r = make_rig(radius, v3(1, 0, 0), v3_zero(), 1);
        close_blades(&r, k % 2 == 0 ? 0.85 * needed : 1.15 * needed, 300);
        CHECK_INT(is_cut(&r), k % 2);
        if (k % 2 == 0) { // it holds, and is not cut when it is let go
            cg_hand_state state = cg_hand_get_state(r.world, r.hand);
            CHECK_NEAR(state.jaw_forces[0], 0.85 * needed, 0.01 * needed);
            CHECK_STR(cg_hand_open(r.world, r.hand).message, "");
            for (int i = 0; i < 200; i++) {
                cg_world_step(r.world);
            }
            CHECK(!is_cut(&r));
            CHECK_NEAR(cg_hand_get_state(r.world, r.hand).opening, 1, 1e-3);
        }
        cg_world_destroy(r.world);
    }
}

// A thread that is pushed by closed scissors, by their backs, or lies behind the blades is not between them.
TEST(only_edges_cut)
{
    const cg_vec3 places[] = {{0, 8e-3, 0}, {0, 0, -12e-3}, {0, 1e-3, 9e-3}};
    for (int k = 0; k < 3; k++) {
        rig r = make_rig(0.11e-3, v3(1, 0, 0), places[k], 1);
        close_blades(&r, 0, 200);
        cg_transform pose = {v3(places[k].x, 1.2 * places[k].y, 1.5 * places[k].z), quat_identity()};
        pose.position = k == 2 ? v3_zero() : pose.position;
        CHECK_STR(cg_hand_move(r.world, r.hand, pose, 0.1).message, "");
        close_blades(&r, 0, 300);
        CHECK(!is_cut(&r));
        cg_world_destroy(r.world);
    }
}

// A thread that no part was reserved for cannot be cut; what has parts is cut as often as it has.
TEST(cuts_end_with_the_parts_that_are_kept)
{
    rig whole = make_rig(0.11e-3, v3(1, 0, 0), v3_zero(), 0);
    close_blades(&whole, 0, 200);
    CHECK_NEAR(length_of(&whole, whole.thread), SPACING * (VERTICES - 1), 1e-9);
    cg_world_destroy(whole.world);
    rig r = make_rig(0.11e-3, v3(1, 0, 0), v3_zero(), PARTS);
    for (int k = 0; k < PARTS + 1; k++) {
        // They open when they are away: what was cut lies beside them.
        const cg_vec3 way[] = {{-4e-3 * k + 4e-3, 0, 25e-3}, {-4e-3 * k, 0, 25e-3}, {-4e-3 * k, 0, 0}};
        for (int i = 0; i < 3; i++) {
            cg_transform pose = {way[i], quat_identity()};
            CHECK_STR(cg_hand_move(r.world, r.hand, pose, 0.05).message, "");
            CHECK_STR(i == 1 ? cg_hand_open(r.world, r.hand).message : "", "");
            for (int step = 0; step < 150; step++) {
                cg_world_step(r.world);
            }
        }
        close_blades(&r, 0, 200);
        for (unsigned i = 0; i < PARTS; i++) {
            int count = cg_thread_get_summary(r.world, (cg_thread_id){r.thread.index + 1 + i, 1}).vertex_count;
            CHECK_INT(count > 0, (int)i <= k);
        }
    }
    cg_world_destroy(r.world);
}

// Before, at and after the cut: a state leads to the same bits again, in the same world and in another.
TEST(states_about_a_cut_are_taken_back)
{
    cg_vec3 along = v3(1, 0, 0), middle = v3(0, 0.5e-3, 1e-3);
    rig r = make_rig(0.11e-3, along, middle, 1), other = make_rig(0.11e-3, along, middle, 1);
    close_blades(&r, 0, 60);
    size_t size = cg_world_snapshot_size(r.world);
    void *before = malloc(size);
    CHECK(!is_cut(&r));
    CHECK_STR(cg_world_snapshot(r.world, before, size).message, "");
    int steps = 0;
    for (; steps < 200 && !is_cut(&r); steps++) {
        cg_world_step(r.world);
    }
    CHECK(is_cut(&r));
    size_t cut_size = cg_world_snapshot_size(r.world);
    void *at = malloc(cut_size);
    CHECK_STR(cg_world_snapshot(r.world, at, cut_size).message, "");
    close_blades(&r, 0, 50);
    uint64_t hash = cg_world_state_hash(r.world);
    for (int k = 0; k < 4; k++) {
        rig *w = k % 2 == 0 ? &other : &r;
        CHECK_STR(cg_world_restore(w->world, k < 2 ? before : at, k < 2 ? size : cut_size).message, "");
        CHECK_INT(is_cut(w), k / 2);
        close_blades(w, 0, 50 + (k < 2 ? steps : 0));
        CHECK_HASH(cg_world_state_hash(w->world), hash);
    }
    free(before);
    free(at);
    cg_world_destroy(r.world);
    cg_world_destroy(other.world);
}
