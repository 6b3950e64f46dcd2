// A needle of 25 mm with a thread of 500 vertices goes through both lips of a wound in a pad of some 2,800 nodes, and
// its thread behind it: two entries, two exits and four handovers, over and over from the same snapshot. Two tools are
// there: forceps press on the skin beside the wound, and a driver waits above it.
//
//   stitch/pierced                    all of it
//   stitch/pierced/coarse_pad, fine_pad       with a pad of some 800 and 9,600 nodes
//   stitch/pierced/narrow_pad                 with one of 44 by 32 mm, some 2,100 nodes: its rim is nearer, so that the
//                                             wound is firmer and the last handover takes more passes
//   stitch/pierced/short_thread, long_thread  with 250 and 1,000 vertices
#include <stdio.h>
#include <stdlib.h>

#include "base/quat.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "bench/bench.h"
#include "catgut/catgut.h"

enum { VERTICES = 500, ROUND = 460, ANCHORS = 4 };
static const double STEP = 1e-3, SPEED = 100e-3, SPACING = 0.4e-3; // [s], [m/s] of the tip, [m] of the thread
static const double ARC = 8e-3, HEIGHT = 4.5e-3, SIDE = 2e-3;      // [m] of the needle, of its middle, along the wound
static const double MACHINE = 0.5;                                 // [kg] what turns the needle
static const double FORCE = 0.3, CUT = 0.08, DRAG = 15;            // [N], [N], [N/m] of the tissue

typedef struct pierce_bench {
    cg_world *world;
    cg_tissue_id pad;
    cg_rigid_id needle;
    cg_thread_id thread;
    cg_hand_id forceps, driver;
    int steps;
    unsigned char *start;
    size_t start_size;
} pierce_bench;

static void release(void *state)
{
    pierce_bench *b = state;
    if (b != NULL) {
        cg_world_destroy(b->world);
        free(b->start);
        free(b);
    }
}

// The needle lies in the plane across the wound and turns about the middle of its circle, the tip downwards first.
static cg_transform pose_at(int step)
{
    double turned = step * STEP * SPEED / ARC;
    cg_quat upright = quat_from_axis_angle(v3(0, 0, 1), 0.5 * CG_PI); // its plane: y and z
    cg_quat turn = quat_from_axis_angle(v3(-1, 0, 0), turned + 0.35);
    return (cg_transform){v3(SIDE, 0, HEIGHT), quat_multiply(turn, upright)};
}

static void drive(pierce_bench *b)
{
    cg_rigid_info info;
    cg_transform pose = pose_at(b->steps);
    cg_vec3 spin = v3(-SPEED / ARC, 0, 0);
    cg_rigid_get_info(b->world, b->needle, &info);
    cg_rigid_set_state(b->world, b->needle, pose, v3_cross(spin, v3_sub(info.centre, pose.position)), spin);
    b->steps++;
}

static double sample(void *state)
{
    pierce_bench *b = state;
    if (b->steps == ROUND) {
        cg_world_restore(b->world, b->start, b->start_size);
        b->steps = 0;
    }
    drive(b);
    double begun = cg_thread_cpu_seconds();
    cg_world_step(b->world);
    return cg_thread_cpu_seconds() - begun;
}

static bool add_pad(pierce_bench *b, cg_vec3 size, double spacing)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = size;
    def.layers[0].thickness = 8e-3;
    def.layers[0].material.young = 100e3;
    def.spacing = spacing;
    def.wound = CG_WOUND_ELLIPSE;
    def.wound_length = 26e-3;
    def.wound_width = 4e-3;
    def.wound_depth = 6e-3;
    def.fix_rim = true;
    def.friction = 0.3;
    def.pierce_force = FORCE;
    def.pierce_cut = CUT;
    def.pierce_drag = DRAG;
    return cg_world_add_tissue(b->world, &def, &b->pad).code == CG_OK;
}

static bool add_needle(pierce_bench *b)
{
    cg_rigid_def def = cg_rigid_def_default();
    cg_needle needle = cg_needle_default();
    needle.radius = ARC;
    def.needle = &needle;
    def.mass = MACHINE;
    def.pose = pose_at(0);
    return cg_world_add_rigid(b->world, &def, &b->needle).code == CG_OK;
}

// From the end of the needle away over the pad.
static bool add_thread(pierce_bench *b, int vertices)
{
    cg_vec3 *points = malloc(sizeof *points * (size_t)vertices);
    cg_thread_def def = cg_thread_def_default();
    cg_needle_state state;
    cg_needle needle;
    cg_rigid_get_needle_state(b->world, b->needle, &state);
    cg_rigid_get_needle(b->world, b->needle, &needle);
    cg_vec3 way = v3_unit_or(v3(0, -0.8, 0.6), v3_zero());
    for (int i = 0; points != NULL && i < vertices; i++) {
        points[i] = v3_add_scaled(state.end, SPACING * i, way);
    }
    def.vertex_count = vertices;
    def.positions = points;
    def.friction = 0.1;
    def.drag = 10;
    def.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    bool made =
        points != NULL && cg_world_add_thread(b->world, &def, &b->thread).code == CG_OK &&
        cg_thread_swage(b->world, b->thread, CG_START, b->needle, cg_needle_place(&needle, needle.arc)).code == CG_OK;
    free(points);
    return made;
}

// Forceps on the skin 8 mm beside the wound, and a driver above it all.
static bool add_tools(pierce_bench *b)
{
    cg_hand_def forceps = cg_hand_def_default(), driver = cg_hand_def_default();
    forceps.tool = CG_TOOL_FORCEPS;
    forceps.pose.position = v3(-12e-3, 10e-3, 15e-3);
    forceps.max_force = 0.5;
    driver.tool = CG_TOOL_NEEDLE_DRIVER;
    driver.pose.position = v3(20e-3, 10e-3, 30e-3);
    return cg_world_add_hand(b->world, &forceps, &b->forceps).code == CG_OK &&
           cg_world_add_hand(b->world, &driver, &b->driver).code == CG_OK;
}

// The world as it is when a round begins.
static bool settle(pierce_bench *b)
{
    cg_transform press = {v3(-12e-3, 10e-3, 2e-3), quat_identity()};
    cg_hand_close(b->world, b->forceps);
    cg_hand_move(b->world, b->forceps, press, 0.1);
    for (int step = 0; step < 300; step++) {
        drive(b);
        b->steps = 0;
        cg_world_step(b->world);
    }
    b->start_size = cg_world_snapshot_size(b->world);
    b->start = malloc(b->start_size);
    return b->start != NULL && cg_world_snapshot(b->world, b->start, b->start_size).code == CG_OK;
}

// A round that is not what it is said to be is no row.
static bool pierces(pierce_bench *b)
{
    cg_piercing now = {0};
    uint64_t entries = 0, exits = 0;
    for (int step = 0; step < ROUND; step++) {
        sample(b);
        cg_rigid_get_piercing(b->world, b->needle, &now);
        entries = now.entries > entries ? now.entries : entries;
        exits = now.exits > exits ? now.exits : exits;
    }
    return entries == 2 && exits == 2 && cg_world_anchor_count(b->world) == ANCHORS;
}

static pierce_bench *make(cg_vec3 size, double spacing, int vertices)
{
    pierce_bench *b = calloc(1, sizeof *b);
    cg_world_def def = cg_world_def_default();
    def.time_step = STEP;
    def.gravity = v3_zero();
    def.max_contacts = 400;
    if (b == NULL || cg_world_create(&def, &b->world).code != CG_OK || !add_pad(b, size, spacing) || !add_needle(b) ||
        !add_thread(b, vertices) || !add_tools(b) || !settle(b) || !pierces(b)) {
        release(b);
        return NULL;
    }
    return b;
}

static void add(cg_bench *bench, const char *name, cg_vec3 size, double spacing, int vertices)
{
    cg_subject subject = {.sample = sample, .release = release, .vertices = vertices, .least = ROUND};
    snprintf(subject.name, sizeof subject.name, "stitch/%s", name);
    if (!cg_bench_wants(bench, subject.name)) {
        return;
    }
    subject.state = make(size, spacing, vertices);
    if (!subject.state) {
        cg_bench_fail(bench, subject.name, "the needle did not go through both lips");
        return;
    }
    cg_bench_add(bench, subject);
}

void cg_bench_add_pierce(cg_bench *bench)
{
    cg_vec3 wide = v3(50e-3, 40e-3, 0), narrow = v3(44e-3, 32e-3, 0);
    add(bench, "pierced", wide, 2e-3, VERTICES);
    add(bench, "pierced/narrow_pad", narrow, 2e-3, VERTICES);
    add(bench, "pierced/coarse_pad", wide, 3e-3, VERTICES);
    add(bench, "pierced/fine_pad", wide, 1.25e-3, VERTICES);
    add(bench, "pierced/short_thread", wide, 2e-3, VERTICES / 2);
    add(bench, "pierced/long_thread", wide, 2e-3, 2 * VERTICES);
}
