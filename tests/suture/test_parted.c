// A thread in a stitch that is cut: each part keeps its holes.
#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

enum { HOLES = 4, STITCHED = 121, PARTS = 3 };

typedef struct stitched {
    cg_world *world;
    cg_thread_id thread;
} stitched;

static cg_vec3 stitch_point(int k)
{
    return v3(-9e-3 + 6e-3 * k, 0, 0);
}

static stitched make_stitched(bool reserve_first)
{
    stitched r;
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_vec3 points[STITCHED], holes[HOLES];
    const bool loose[HOLES] = {false, true, false, false}; // in and out, over the surface, in and out
    for (int k = 0; k < HOLES; k++) {
        holes[k] = stitch_point(k);
    }
    for (int i = 0; i < STITCHED; i++) { // 42 mm along x in all, the middle arched over the surface
        double x = 0.5e-3 * (i - STITCHED / 2), out = fabs(x) - 9e-3;
        points[i] = v3(x, 0, out > 0 ? out : (fabs(x) < 3e-3 ? 1e-3 * (1 - x * x / 9e-6) : 0));
    }
    world.gravity = v3_zero();
    pad.size = v3(40e-3, 20e-3, 0);
    pad.layers[0].thickness = 6e-3;
    thread.vertex_count = STITCHED;
    thread.positions = points;
    thread.drag = 50;
    thread.spacing = (cg_spacing){.follow = true, .fine = 0.5e-3, .coarse = 0.5e-3};
    CHECK_STR(cg_world_create(&world, &r.world).message, "");
    cg_stitch_def stitch = cg_stitch_def_default();
    CHECK_STR(cg_world_add_tissue(r.world, &pad, &stitch.tissue).message, "");
    CHECK_STR(cg_world_add_thread(r.world, &thread, &r.thread).message, "");
    stitch.thread = r.thread;
    stitch.points = holes;
    stitch.loose = loose;
    stitch.point_count = HOLES;
    for (int i = 0; i < 2; i++) {
        if (reserve_first == (i == 0)) {
            CHECK_STR(cg_world_reserve_parts(r.world, r.thread, PARTS).message, "");
        } else {
            CHECK_STR(cg_world_add_stitch(r.world, &stitch).message, "");
        }
    }
    return r;
}

static double arc_of_hole(const stitched *r, int k)
{
    cg_anchor anchor = {0};
    CHECK(cg_world_get_anchor(r->world, k, &anchor));
    return anchor.arc;
}

static void check_holes(const stitched *r, const int *threads)
{
    CHECK_INT(cg_world_anchor_count(r->world), HOLES);
    for (int k = 0; k < HOLES; k++) { // listed by thread, each keeps its place
        cg_anchor anchor = {0};
        CHECK(cg_world_get_anchor(r->world, k, &anchor));
        CHECK_INT((int)anchor.thread.index, threads[k]);
        CHECK_NEAR(v3_distance(anchor.position, stitch_point(k)), 0, 0.3e-3);
        CHECK_NEAR(anchor.offset, 0, 0.1e-3);
        const cg_vec3 *x = cg_thread_positions(r->world, anchor.thread, NULL);
        CHECK_NEAR(v3_distance(x[anchor.vertex], anchor.position), 0, 0.1e-3);
    }
}

// Cut where it lies on the surface, and before its first and behind its last hole.
static void cut_all(stitched *r, cg_thread_id parts[PARTS])
{
    double over = 0.5 * (arc_of_hole(r, 1) + arc_of_hole(r, 2));
    CHECK_STR(cg_world_cut_thread(r->world, r->thread, over, &parts[0]).message, "");
    const int names[HOLES] = {(int)r->thread.index, (int)r->thread.index, (int)parts[0].index, (int)parts[0].index};
    check_holes(r, names);
    CHECK_STR(cg_world_cut_thread(r->world, parts[0], arc_of_hole(r, 3) + 5e-3, &parts[1]).message, "");
    check_holes(r, names);
    // The part behind the cut has the holes then, and comes last.
    CHECK_STR(cg_world_cut_thread(r->world, r->thread, arc_of_hole(r, 0) - 5e-3, &parts[2]).message, "");
    CHECK_INT(cg_world_anchor_count(r->world), HOLES);
    for (int k = 0; k < HOLES; k++) {
        cg_anchor anchor = {0};
        CHECK(cg_world_get_anchor(r->world, k, &anchor));
        CHECK_INT((int)anchor.thread.index, (int)parts[k < 2 ? 0 : 2].index);
        CHECK_NEAR(v3_distance(anchor.position, stitch_point((k + 2) % HOLES)), 0, 0.3e-3);
    }
}

static void run(const stitched *r, int steps)
{
    for (int i = 0; i < steps; i++) {
        cg_world_step(r->world);
    }
}

TEST(parts_of_a_stitched_thread_keep_their_holes)
{
    for (int order = 0; order < 2; order++) {
        stitched r = make_stitched(order == 0);
        cg_thread_id parts[PARTS];
        run(&r, 100);
        cut_all(&r, parts);
        run(&r, 200);
        CHECK_INT(cg_world_anchor_count(r.world), HOLES);
        CHECK_INT(cg_world_get_stats(r.world).recovered_steps, 0);
        cg_world_destroy(r.world);
    }
}

TEST(no_cut_in_tissue_or_at_a_hole)
{
    stitched r = make_stitched(true);
    cg_thread_id part;
    double hole = arc_of_hole(&r, 0), in = 0.5 * (hole + arc_of_hole(&r, 1));
    CHECK_INT(cg_world_cut_thread(r.world, r.thread, in, &part).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_cut_thread(r.world, r.thread, hole, &part).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_cut_thread(r.world, r.thread, hole - 0.2e-3, &part).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_anchor_count(r.world), HOLES);
    cg_world_destroy(r.world);
}

// A short end that is drawn comes out of its holes; the other part does not feel it.
TEST(a_part_is_drawn_out_and_the_other_stays)
{
    stitched r = make_stitched(true);
    cg_thread_id parts[PARTS];
    run(&r, 50);
    cut_all(&r, parts);
    for (int i = 0; i < 1500 && cg_world_anchor_count(r.world) > 2; i++) {
        int count = cg_thread_get_summary(r.world, parts[0]).vertex_count;
        cg_thread_push_vertex(r.world, parts[0], count - 1, v3(0.1, 0, 0.1));
        cg_world_step(r.world);
    }
    CHECK_INT(cg_world_anchor_count(r.world), 2);
    for (int k = 0; k < 2; k++) {
        cg_anchor anchor = {0};
        CHECK(cg_world_get_anchor(r.world, k, &anchor));
        CHECK_INT((int)anchor.thread.index, (int)parts[2].index);
    }
    cg_world_destroy(r.world);
}

TEST(states_of_cut_stitches_are_taken_back)
{
    stitched r = make_stitched(true), other = make_stitched(true);
    cg_thread_id parts[PARTS];
    run(&r, 50);
    cut_all(&r, parts);
    run(&r, 20);
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    run(&r, 50);
    uint64_t hash = cg_world_state_hash(r.world);
    for (int k = 0; k < 2; k++) {
        stitched *w = k == 0 ? &other : &r;
        CHECK_STR(cg_world_restore(w->world, bytes, size).message, "");
        run(w, 50);
        CHECK_HASH(cg_world_state_hash(w->world), hash);
    }
    free(bytes);
    cg_world_destroy(r.world);
    cg_world_destroy(other.world);
}
