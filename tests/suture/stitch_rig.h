// A pad with a wound, and a thread through both of its lips.
#ifndef CATGUT_TESTS_SUTURE_STITCH_RIG_H
#define CATGUT_TESTS_SUTURE_STITCH_RIG_H

#include <math.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "tear_rig.h"

enum { MOST_POINTS = 400, HOLES = 4 };
static const double SPACING = 0.5e-3, WIDTH = 4e-3, BITE = 3e-3, DEPTH = 2e-3, END = 25e-3;

typedef struct rig {
    cg_world *world;
    cg_tissue_id pad;
    cg_thread_id thread;
    cg_vec3 out[2];
} rig;

// The thread has memory from a yield moment [N m] above 0.
static inline bool make_rig_of(rig *r, double young, double yield_moment, cg_slip_law law)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_vec3 points[MOST_POINTS], corners[HOLES + 2];
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? 1 : -1;
        r->out[side] = v3_unit_or(v3(-0.04 * sign, sign, 0.4), v3_zero());
        corners[side == 0 ? 1 : HOLES] = v3(0, -sign * (WIDTH / 2 + BITE), 0);
        corners[side == 0 ? 2 : HOLES - 1] = v3(0, -sign * WIDTH / 2, -DEPTH);
    }
    corners[0] = v3_add_scaled(corners[1], END, r->out[0]);
    corners[HOLES + 1] = v3_add_scaled(corners[HOLES], END, r->out[1]);
    world.gravity = v3_zero();
    pad.size = v3(30e-3, 28e-3, 0);
    pad.layers[0].thickness = 6e-3;
    pad.layers[0].material.young = young;
    pad.wound = CG_WOUND_ELLIPSE;
    pad.wound_length = 18e-3;
    pad.wound_width = WIDTH;
    pad.wound_depth = 4e-3;
    pad.fix_rim = true;
    thread.vertex_count = rig_lay_points(corners, HOLES + 2, SPACING, points);
    thread.positions = points;
    thread.drag = 100;
    thread.yield_moment = yield_moment;
    thread.slip.law = law;
    thread.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    cg_stitch_def stitch = cg_stitch_def_default();
    stitch.points = corners + 1;
    stitch.point_count = HOLES;
    if (!CHECK_STR(cg_world_create(&world, &r->world).message, "") ||
        !CHECK_STR(cg_world_add_tissue(r->world, &pad, &r->pad).message, "") ||
        !CHECK_STR(cg_world_add_thread(r->world, &thread, &r->thread).message, "")) {
        return false;
    }
    stitch.thread = r->thread;
    stitch.tissue = r->pad;
    return CHECK_STR(cg_world_add_stitch(r->world, &stitch).message, "");
}

static inline bool make_rig_with_memory(rig *r, double young, double yield_moment)
{
    return make_rig_of(r, young, yield_moment, CG_SLIP_CAPSTAN);
}

static inline bool make_rig(rig *r, double young)
{
    return make_rig_with_memory(r, young, 0);
}

static inline void step_with(rig *r, cg_vec3 before, cg_vec3 behind)
{
    int count;
    cg_thread_positions(r->world, r->thread, &count);
    cg_thread_push_vertex(r->world, r->thread, 0, before);
    cg_thread_push_vertex(r->world, r->thread, count - 1, behind);
    cg_world_step(r->world);
}

// A pull upwards, now and then none.
static inline cg_vec3 any_pull(uint64_t *random, double most)
{
    double force = test_random(random, 0, 1) < 0.3 ? 0 : test_random(random, 0, most);
    cg_vec3 way = v3(test_random(random, -1, 1), test_random(random, -1, 1), test_random(random, 0.2, 1));
    return v3_scale(force, v3_unit_or(way, v3(0, 0, 1)));
}

#endif
