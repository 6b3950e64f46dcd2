// A scalpel parts threads and bonds.
#include <math.h>
#include <stdlib.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "world/world.h"

enum { VERTICES = 81 };
static const double SPACING = 0.5e-3; // [m]

typedef struct rig {
    cg_world *world;
    cg_hand_id hand;
    cg_thread_id threads[2];
} rig;

static void add_hand(rig *r, cg_vec3 place)
{
    cg_hand_def hand = cg_hand_def_default();
    hand.tool = CG_TOOL_SCALPEL;
    hand.edge = v3(0, 0, 10e-3);
    hand.blade_width = 0; // the edge alone
    hand.pose.position = place;
    CHECK_STR(cg_world_add_hand(r->world, &hand, &r->hand).message, "");
}

// Threads along x, one above the other, held at both ends; the edge stands before them.
static rig make_rig(int parts)
{
    rig r = {0};
    cg_world_def def = cg_world_def_default();
    def.gravity = v3_zero();
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    for (int t = 0; t < 2; t++) {
        cg_thread_def thread = cg_thread_def_default();
        cg_vec3 points[VERTICES];
        for (int i = 0; i < VERTICES; i++) {
            points[i] = v3(SPACING * (i - VERTICES / 2), 0, 3e-3 * t);
        }
        thread.vertex_count = VERTICES;
        thread.positions = points;
        thread.ends[CG_START].kind = thread.ends[CG_FINISH].kind = CG_END_PINNED;
        CHECK_STR(cg_world_add_thread(r.world, &thread, &r.threads[t]).message, "");
        CHECK_STR(cg_world_reserve_parts(r.world, r.threads[t], parts).message, "");
    }
    add_hand(&r, v3(4.1e-3, -5e-3, -3e-3));
    return r;
}

static void draw_edge(const rig *r, double to, double time)
{
    CHECK_STR(cg_hand_move(r->world, r->hand, (cg_transform){v3(4.1e-3, to, -3e-3), quat_identity()}, time).message,
              "");
    for (int k = 0; k < (int)(time * 1e3) + 50; k++) {
        cg_world_step(r->world);
    }
}

static double length_of(const rig *r, cg_thread_id id)
{
    const cg_thread *thread = cg_world_find_thread(r->world, id);
    return thread != NULL ? thread->arc[thread->vertex_count - 1] : 0;
}

TEST(a_closed_scalpel_parts_the_threads_that_it_passes_through)
{
    static const double times[2] = {0.5, 0.004}; // [s] slow, and some millimetres a step
    for (int k = 0; k < 2; k++) {
        rig r = make_rig(1);
        double whole = length_of(&r, r.threads[0]);
        draw_edge(&r, 5e-3, times[k]); // open: it passes
        CHECK_INT(cg_world_count_threads(r.world), 2);
        draw_edge(&r, -5e-3, times[k]);
        CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
        draw_edge(&r, -1e-3, times[k]); // near, not through
        CHECK_INT(cg_world_count_threads(r.world), 2);
        draw_edge(&r, 5e-3, times[k]);
        CHECK_INT(cg_world_count_threads(r.world), 4);
        for (int t = 0; t < 2; t++) {
            CHECK_NEAR(length_of(&r, r.threads[t]), whole / 2 + 4.1e-3, 0.5e-3);
        }
        cg_world_destroy(r.world);
    }
}

TEST(a_thread_without_parts_stays_whole)
{
    rig r = make_rig(0);
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    draw_edge(&r, 5e-3, 0.1);
    CHECK_INT(cg_world_count_threads(r.world), 2);
    cg_world_destroy(r.world);
}

// A thread that goes down through a pad, and back over it in a loop: the edge is drawn along both.
TEST(a_crossing_in_tissue_does_not_shield_the_rest_of_the_thread)
{
    rig r = {0};
    cg_world_def def = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_stitch_def stitch = cg_stitch_def_default();
    cg_vec3 points[VERTICES], holes[2] = {v3(0, 0, 0), v3(3e-3, 0, 0)};
    def.gravity = v3_zero();
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    pad.size = v3(12e-3, 8e-3, 0);
    CHECK_STR(cg_world_add_tissue(r.world, &pad, &stitch.tissue).message, "");
    for (int i = 0; i < VERTICES; i++) { // in at the first hole, out at the second, and back above
        double arc = SPACING * (i - 20);
        points[i] = arc < 0      ? v3(arc, 0, 0.2e-3 - arc)
                    : arc < 3e-3 ? v3(arc, 0, 0)
                    : arc < 8e-3 ? v3(3e-3, 0, arc - 3e-3)
                                 : v3(11e-3 - arc, 0, 5e-3);
    }
    thread.vertex_count = VERTICES;
    thread.positions = points;
    thread.ends[CG_START].kind = thread.ends[CG_FINISH].kind = CG_END_PINNED;
    thread.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    CHECK_STR(cg_world_add_thread(r.world, &thread, &stitch.thread).message, "");
    CHECK_STR(cg_world_reserve_parts(r.world, stitch.thread, 2).message, "");
    stitch.points = holes;
    stitch.point_count = 2;
    CHECK_STR(cg_world_add_stitch(r.world, &stitch).message, "");
    add_hand(&r, v3(1.5e-3, -3e-3, -1e-3));
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    cg_hand_move(r.world, r.hand, (cg_transform){v3(1.5e-3, 3e-3, -1e-3), quat_identity()}, 2e-3);
    for (int k = 0; k < 8; k++) {
        cg_world_step(r.world);
    }
    CHECK_INT((int)cg_world_get_stats(r.world).unfinished_steps, 0);
    CHECK_INT(cg_world_anchor_count(r.world), 2);
    CHECK_INT(cg_world_count_threads(r.world), 2); // the loop above is parted, the bite is not
    cg_world_destroy(r.world);
}

// The halves of a severed vessel that were brought together stick; the blade goes down between them.
static cg_tissue_id add_stuck_vessel(rig *r)
{
    cg_tissue_def def = cg_tissue_def_default();
    cg_tissue_id vessel;
    def.shape = CG_TISSUE_VESSEL;
    def.radius = 4e-3;
    def.wall = 1e-3;
    def.length = 16e-3;
    def.gap = 2e-3;
    def.spacing = 1.5e-3;
    def.fix_rim = true;
    def.fix_bottom = false;
    def.bond_strength = 5e3;
    CHECK_STR(cg_world_add_tissue(r->world, &def, &vessel).message, "");
    for (int k = 0; k < 260; k++) {
        int count;
        const cg_vec3 *x = cg_tissue_positions(r->world, vessel, &count);
        const cg_vec3 *home = cg_tissue_homes(r->world, vessel, NULL);
        for (int i = 0; i < count && k < 200; i++) {
            if (home[i].x > 0 && cg_tissue_is_fixed(r->world, vessel, i)) {
                cg_tissue_move_fixed(r->world, vessel, i, v3_add(x[i], v3(-10e-6, 0, 0)));
            }
        }
        cg_world_step(r->world);
    }
    return vessel;
}

TEST(a_scalpel_that_passes_between_surfaces_that_stick_parts_them)
{
    rig r = {0};
    cg_world_def def = cg_world_def_default();
    def.gravity = v3_zero();
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    cg_tissue_id vessel = add_stuck_vessel(&r);
    int stuck = cg_tissue_bond_count(r.world, vessel);
    CHECK(stuck > 20);
    // Where they meet.
    double middle = 0;
    for (int k = 0; k < stuck; k++) {
        cg_tissue_bond bond;
        CHECK(cg_tissue_get_bond(r.world, vessel, k, &bond));
        middle += cg_tissue_positions(r.world, vessel, NULL)[bond.node].x / stuck;
    }
    add_hand(&r, v3(middle, -6e-3, -5e-3));
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    cg_world_step(r.world);
    CHECK_INT(cg_tissue_bond_count(r.world, vessel), stuck);
    cg_transform to = {v3(middle, 0, -5e-3), quat_identity()};
    CHECK_STR(cg_hand_move(r.world, r.hand, to, 0.05).message, "");
    for (int k = 0; k < 60; k++) {
        cg_world_step(r.world);
    }
    int half = cg_tissue_bond_count(r.world, vessel); // it went half way
    CHECK(half > 0.2 * stuck && half < 0.8 * stuck);
    to.position.y = 6e-3;
    CHECK_STR(cg_hand_move(r.world, r.hand, to, 0.05).message, "");
    for (int k = 0; k < 60; k++) {
        cg_world_step(r.world);
    }
    CHECK_INT(cg_tissue_bond_count(r.world, vessel), 0);
    cg_world_destroy(r.world);
}
