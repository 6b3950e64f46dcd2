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

enum { VERTICES = 500, PIECES = 16, FEWEST_AROUND = 40 };
static const double SPACING = 0.4e-3, STEP = 1e-3, HEIGHT = 25e-3, WAY = 5e-3; // [m], [s], [m], [m]
static const double ARC = 8e-3, NEEDLE_RADIUS = 0.3e-3, SHAFT = 2.5e-3;        // [m]

static const double MASS = 40e-6, GRAVITY = 9.81, SHAKE = 0.02; // [kg], [m/s2], [N]

typedef enum tools_case { LYING, HELD, WRAPPED } tools_case;

typedef struct tools_bench {
    cg_world *world;
    cg_thread_id thread;
    cg_rigid_id needle;
    cg_tissue_id pad;
    cg_hand_id hands[2];
    int shaken; // triangle of the pad, and where in it
    double weights[3];
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

static void pull_ends(tools_bench *b)
{
    if (b->which == WRAPPED) {
        cg_thread_push_vertex(b->world, b->thread, 0, v3(0, -0.05, 0));
        cg_thread_push_vertex(b->world, b->thread, VERTICES - 1, v3(0, 0.05, 0));
    }
}

// To and fro in a second, along x. The pad is shaken with it, away from all that lies on it, so that it moves.
static void lead(tools_bench *b)
{
    double sine, cosine;
    cg_sincos(2 * CG_PI * STEP * (b->steps++ % 1000), &sine, &cosine);
    cg_transform pose = {v3(WAY * sine, 0, HEIGHT), quat_identity()};
    cg_hand_move(b->world, b->hands[1], pose, 0);
    cg_tissue_push(b->world, b->pad, b->shaken, b->weights, v3(0, 0, SHAKE * sine));
    pull_ends(b);
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
    return cg_world_add_tissue(b->world, &def, &b->pad).code == CG_OK &&
           cg_tissue_nearest(b->world, b->pad, v3(-15e-3, 12e-3, 0), &b->shaken, b->weights) >= 0;
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
    def.mass = MASS;
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

// Whether the needle is where it should be, in both jaws of the driver or on the pad; and the thread around the shaft.
static bool is_in_place(const tools_bench *b)
{
    cg_hand_state driver = cg_hand_get_state(b->world, b->hands[1]);
    double height = cg_rigid_get_pose(b->world, b->needle).position.z;
    bool is_held = driver.jaw_forces[0] > 0 && driver.jaw_forces[1] > 0 && fabs(height - HEIGHT) < 2e-3;
    bool is_wound = cg_world_get_stats(b->world).working_contacts > FEWEST_AROUND;
    return b->which == LYING ? height < 2 * NEEDLE_RADIUS : is_held && (b->which == HELD || is_wound);
}

// The driver closes on the needle, whose weight is borne until both jaws press.
static void grasp(tools_bench *b)
{
    cg_hand_close(b->world, b->hands[1]);
    for (int step = 0; step < 400 && !is_in_place(b); step++) {
        cg_rigid_info needle;
        cg_rigid_get_info(b->world, b->needle, &needle);
        cg_rigid_push(b->world, b->needle, v3(0, 0, GRAVITY * MASS), needle.centre);
        pull_ends(b);
        cg_world_step(b->world);
    }
}

static tools_bench *make(tools_case which)
{
    tools_bench *b = calloc(1, sizeof *b);
    cg_world_def def = cg_world_def_default();
    def.time_step = STEP;
    def.gravity = v3(0, 0, -GRAVITY);
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
        grasp(b);
    }
    for (int step = 0; step < 400; step++) {
        sample(b);
    }
    if (!is_in_place(b)) {
        release(b);
        return NULL;
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
        cg_bench_fail(bench, subject.name, "the world could not be made, or its needle is not where it should be");
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
