// A thread of some 500 vertices through four holes in a pad of some 2,800 nodes: one end led to and fro at 20 mm/s, the
// other drawn by a force, so that thread slides through all of the holes; and at rest, the wound drawn together.
//
//   stitch/drawn/8_anchors, 12_anchors  the thread goes over the wound again, as a running suture, with two or three
//                                       stitches
#include <stdio.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "bench/bench.h"
#include "catgut/catgut.h"

enum { HOLES = 4, MOST_STITCHES = 3, MOST_POINTS = 700 };
static const double SPACING = 0.4e-3, STEP = 1e-3, SPEED = 20e-3, WAY = 10e-3, PULL = 0.6, END = 95e-3; // [m], [s], [N]
static const double APART = 4e-3;                                                                       // [m]

typedef struct stitch_bench {
    cg_world *world;
    cg_thread_id thread;
    cg_tissue_id pad;
    cg_vec3 out[2]; // directions of the ends
    cg_vec3 end;    // where the one that is led begins
    bool is_drawn;
    int steps;
} stitch_bench;

static void release(void *state)
{
    stitch_bench *b = state;
    if (b) {
        cg_world_destroy(b->world);
    }
    free(b);
}

static double sample(void *state)
{
    stitch_bench *b = state;
    int there = (int)(WAY / (SPEED * STEP)), count, at = b->steps++ % (2 * there);
    cg_thread_positions(b->world, b->thread, &count);
    cg_thread_push_vertex(b->world, b->thread, 0, v3_scale(PULL, b->out[0]));
    if (b->is_drawn) {
        double way = SPEED * STEP * (at < there ? at : 2 * there - at);
        cg_thread_hold(b->world, b->thread, count - 1, v3_add_scaled(b->end, way, b->out[1]));
    } else {
        cg_thread_push_vertex(b->world, b->thread, count - 1, v3_scale(PULL, b->out[1]));
    }
    double begun = cg_thread_cpu_seconds();
    cg_world_step(b->world);
    return cg_thread_cpu_seconds() - begun;
}

static int lay_points(const cg_vec3 *corners, int count, cg_vec3 *points)
{
    int n = 0;
    for (int k = 0; k + 1 < count; k++) {
        cg_vec3 way = v3_sub(corners[k + 1], corners[k]);
        int parts = (int)(v3_length(way) / SPACING) + 1;
        for (int i = 0; i < parts && n + 1 < MOST_POINTS; i++) {
            points[n++] = v3_add_scaled(corners[k], (double)i / parts, way);
        }
    }
    points[n++] = corners[count - 1];
    return n;
}

static bool add_pad(stitch_bench *b)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(50e-3, 40e-3, 0);
    def.layers[0].thickness = 8e-3;
    def.layers[0].material.young = 100e3;
    def.wound = CG_WOUND_ELLIPSE;
    def.wound_length = 26e-3;
    def.wound_width = 4e-3;
    def.wound_depth = 6e-3;
    def.fix_rim = true;
    return cg_world_add_tissue(b->world, &def, &b->pad).code == CG_OK;
}

// The holes of stitches beside each other, and which of the spans behind them lie loose on the skin.
static void lay_holes(int stitches, cg_vec3 *holes, bool *loose)
{
    static const cg_vec3 one[HOLES] = {{0, -5e-3, 0}, {0, -2e-3, -2e-3}, {0, 2e-3, -2e-3}, {0, 5e-3, 0}};
    for (int i = 0; i < stitches * HOLES; i++) {
        double along = APART * (i / HOLES - 0.5 * (stitches - 1));
        holes[i] = v3_add(one[i % HOLES], v3(along, 0, 0));
        loose[i] = i % HOLES == HOLES - 1;
    }
}

static bool add_thread(stitch_bench *b, int stitches)
{
    static cg_vec3 points[MOST_POINTS];
    cg_vec3 corners[MOST_STITCHES * HOLES + 2];
    bool loose[MOST_STITCHES * HOLES];
    int holes = stitches * HOLES;
    lay_holes(stitches, corners + 1, loose);
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? 1 : -1;
        b->out[side] = v3_unit_or(v3(-0.02 * sign, 0.6 * sign, 0.8), v3_zero());
        corners[side * (holes + 1)] = v3_add_scaled(corners[side == 0 ? 1 : holes], END, b->out[side]);
    }
    b->end = corners[holes + 1];
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = lay_points(corners, holes + 2, points);
    def.positions = points;
    def.drag = 30;
    def.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    cg_stitch_def stitch = cg_stitch_def_default();
    bool made = cg_world_add_thread(b->world, &def, &b->thread).code == CG_OK;
    stitch.thread = b->thread;
    stitch.tissue = b->pad;
    stitch.points = corners + 1;
    stitch.loose = loose;
    stitch.point_count = holes;
    return made && cg_world_add_stitch(b->world, &stitch).code == CG_OK;
}

static stitch_bench *make(bool is_drawn, int stitches)
{
    stitch_bench *b = calloc(1, sizeof *b);
    cg_world_def def = cg_world_def_default();
    def.time_step = STEP;
    def.gravity = v3_zero();
    if (b == NULL || cg_world_create(&def, &b->world).code != CG_OK || !add_pad(b) || !add_thread(b, stitches)) {
        release(b);
        return NULL;
    }
    b->is_drawn = is_drawn;
    for (int step = 0; step < 300; step++) {
        sample(b);
    }
    return b;
}

static void add(cg_bench *bench, const char *name, bool is_drawn, int stitches)
{
    cg_subject subject = {.sample = sample, .release = release, .vertices = 500};
    snprintf(subject.name, sizeof subject.name, "stitch/%s", name);
    if (!cg_bench_wants(bench, subject.name)) {
        return;
    }
    subject.state = make(is_drawn, stitches);
    if (!subject.state) {
        cg_bench_fail(bench, subject.name, "the world could not be made");
        return;
    }
    cg_bench_add(bench, subject);
}

void cg_bench_add_stitch(cg_bench *bench)
{
    add(bench, "drawn", true, 1);
    add(bench, "drawn/8_anchors", true, 2);
    add(bench, "drawn/12_anchors", true, 3);
    add(bench, "rests", false, 1);
}
