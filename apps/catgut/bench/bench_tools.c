// A needle, two tools with jaws, a thread of 500 vertices and a pad of some 2,000 nodes in one world: the needle lying
// on the pad with the tools above, held by a driver that moves it to and fro, and the thread wound twice around the
// shaft of that driver.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/quat.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "bench/bench.h"
#include "catgut/catgut.h"

enum { VERTICES = 500, PIECES = 16 };
static const double SPACING = 0.4e-3, STEP = 1e-3, HEIGHT = 25e-3, WAY = 5e-3; // [m], [s], [m], [m]
static const double ARC = 8e-3, NEEDLE_RADIUS = 0.3e-3, SHAFT = 2.5e-3;        // [m]

typedef enum tools_case { LYING, HELD, WRAPPED } tools_case;

typedef struct tools_bench {
    cg_world *world;
    cg_thread_id thread;
    cg_rigid_id needle;
    cg_tissue_id pad;
    cg_hand_id hands[2];
    tools_case which;
    int steps;
} tools_bench;

static void release(void *state)
{
    tools_bench *b = state;
    if (b != NULL) {
        cg_world_destroy(b->world);
        free(b);
    }
}

// To and fro in a second, along x.
static void lead(tools_bench *b)
{
    double sine, cosine;
    cg_sincos(2 * CG_PI * STEP * (b->steps++ % 1000), &sine, &cosine);
    cg_transform pose = {v3(WAY * sine, 0, HEIGHT), quat_identity()};
    cg_hand_move(b->world, b->hands[1], pose, 0);
    if (b->which == WRAPPED) {
        cg_thread_push_vertex(b->world, b->thread, 0, v3(0, -0.05, 0));
        cg_thread_push_vertex(b->world, b->thread, VERTICES - 1, v3(0, 0.05, 0));
    }
    const double corner[3] = {1, 0, 0}; // so that the pad never sleeps
    cg_tissue_push(b->world, b->pad, 0, corner, v3(0, 0, 1e-6));
}

static double sample(void *state)
{
    tools_bench *b = state;
    lead(b);
    double begun = cg_thread_cpu_seconds();
    cg_world_step(b->world);
    return cg_thread_cpu_seconds() - begun;
}

static bool add_pad(tools_bench *b)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(40e-3, 32e-3, 0);
    def.layers[0].thickness = 8e-3;
    def.friction = 0.3;
    return cg_world_add_tissue(b->world, &def, &b->pad).code == CG_OK;
}

// Flat, on the pad or between the jaws of the right tool.
static bool add_needle(tools_bench *b)
{
    cg_rigid_part parts[PIECES];
    cg_rigid_def def = cg_rigid_def_default();
    for (int i = 0; i < PIECES; i++) {
        double sine, cosine, half = ARC * tan(0.5 * CG_PI / PIECES);
        cg_sincos(CG_PI * (i + 0.5) / PIECES, &sine, &cosine);
        parts[i] =
            (cg_rigid_part){{.kind = CG_SHAPE_CAPSULE, .radius = NEEDLE_RADIUS, .half_length = half},
                            {v3_scale(ARC, v3(cosine, sine, 0)), quat_between(v3(0, 0, 1), v3(-sine, cosine, 0))}};
    }
    def.parts = parts;
    def.part_count = PIECES;
    def.mass = 40e-6;
    def.friction = 0.3;
    def.pose.position = b->which == LYING ? v3(0, 0, 1e-3) : v3(0, -ARC, HEIGHT);
    return cg_world_add_rigid(b->world, &def, &b->needle).code == CG_OK;
}

static bool add_hands(tools_bench *b)
{
    bool added = true;
    for (int i = 0; i < 2 && added; i++) {
        cg_hand_def hand = cg_hand_def_default();
        hand.tool = i == 0 ? CG_TOOL_FORCEPS : CG_TOOL_NEEDLE_DRIVER;
        hand.pose.position = i == 0 ? v3(-40e-3, 0, HEIGHT) : v3(0, 0, HEIGHT);
        added = cg_world_add_hand(b->world, &hand, &b->hands[i]).code == CG_OK;
    }
    return added;
}

// Straight over the pad, or around the shaft of the driver.
static bool add_thread(tools_bench *b)
{
    static cg_vec3 points[VERTICES];
    cg_thread_def def = cg_thread_def_default();
    double distance = SHAFT + def.radius;
    int turns = b->which == WRAPPED ? (int)(4 * CG_PI * distance / SPACING) : 0, first = (VERTICES - turns) / 2;
    for (int i = 0; i < VERTICES; i++) {
        int around = i < first ? 0 : i - first > turns ? turns : i - first;
        double beyond = SPACING * (i - first - around), angle = turns > 0 ? 4 * CG_PI * around / turns : 0, s, c;
        cg_sincos(angle, &s, &c);
        points[i] = turns > 0
                        ? v3(distance * c - s * beyond, distance * s + c * beyond, HEIGHT + 50e-3 + 0.2e-3 * angle)
                        : v3(10e-3, beyond, 1.02 * def.radius);
    }
    def.vertex_count = VERTICES;
    def.positions = points;
    def.friction = 0.2;
    return cg_world_add_thread(b->world, &def, &b->thread).code == CG_OK &&
           (turns > 0 || (cg_thread_hold(b->world, b->thread, 0, points[0]).code == CG_OK &&
                          cg_thread_hold(b->world, b->thread, VERTICES - 1, points[VERTICES - 1]).code == CG_OK));
}

static tools_bench *make(tools_case which)
{
    tools_bench *b = calloc(1, sizeof *b);
    cg_world_def def = cg_world_def_default();
    def.time_step = STEP;
    if (b == NULL) {
        return NULL;
    }
    b->which = which;
    if (cg_world_create(&def, &b->world).code != CG_OK || !add_pad(b) || !add_needle(b) || !add_hands(b) ||
        !add_thread(b)) {
        release(b);
        return NULL;
    }
    if (which != LYING) {
        cg_hand_close(b->world, b->hands[1]);
    }
    for (int step = 0; step < 400; step++) {
        sample(b);
    }
    return b;
}

static void add(cg_bench *bench, const char *name, tools_case which)
{
    cg_subject subject = {.sample = sample, .release = release, .vertices = VERTICES, .simulated = STEP};
    snprintf(subject.name, sizeof subject.name, "tools/%s", name);
    if (!cg_bench_wants(bench, subject.name)) {
        return;
    }
    subject.state = make(which);
    if (!subject.state) {
        cg_bench_fail(bench, subject.name, "the world could not be made");
        return;
    }
    cg_bench_add(bench, subject);
}

void cg_bench_add_tools(cg_bench *bench)
{
    add(bench, "lying", LYING);
    add(bench, "held", HELD);
    add(bench, "wrapped", WRAPPED);
}
