// A small world with one thread of each kind, driven by a fixed script: for hashes, snapshots and the counting
// allocator.
#ifndef CATGUT_TESTS_WORLD_RIG_H
#define CATGUT_TESTS_WORLD_RIG_H

#include <stdlib.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

enum { RIG_THREADS = 6, RIG_VERTICES = 40 };

typedef struct world_rig {
    cg_world *world;
    cg_thread_id threads[RIG_THREADS];
} world_rig;

static inline void rig_helix(cg_vec3 *points, int count, double pitch)
{
    for (int i = 0; i < count; i++) {
        double angle = 0.2 * i;
        points[i] = v3(0.01 * cg_cos(angle), 0.01 * cg_sin(angle), pitch * i);
    }
}

static inline void rig_line(cg_vec3 *points, int count, double height)
{
    for (int i = 0; i < count; i++) {
        points[i] = v3(0.002 * i, 0, height);
    }
}

static inline void rig_add(world_rig *rig, int n, const cg_thread_def *def)
{
    cg_status status = cg_world_add_thread(rig->world, def, &rig->threads[n]);
    CHECK_STR(status.message, "");
}

// 0 hanging, 1 twisted between clamps, 2 curved at rest, 3 damped and graded, 4 low mass, 5 with coincident vertices
static inline world_rig rig_create(cg_world_def world_def)
{
    world_rig rig = {0};
    cg_vec3 points[RIG_VERTICES], rest[RIG_VERTICES];
    double lengths[RIG_VERTICES];
    cg_status status = cg_world_create(&world_def, &rig.world);
    CHECK_STR(status.message, "");
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = RIG_VERTICES;
    def.positions = points;
    rig_line(points, RIG_VERTICES, 0);
    def.ends[CG_START].kind = CG_END_CLAMPED;
    rig_add(&rig, 0, &def);
    cg_thread_def twisted = def;
    twisted.ends[CG_FINISH].kind = CG_END_CLAMPED;
    rig_add(&rig, 1, &twisted);
    cg_thread_def curved = def;
    rig_helix(rest, RIG_VERTICES, 0.0005);
    curved.rest_shape = rest;
    rig_add(&rig, 2, &curved);
    cg_thread_def damped = def;
    for (int i = 0; i < RIG_VERTICES; i++) {
        lengths[i] = 0.001 + 0.00005 * i;
    }
    damped.rest_lengths = lengths;
    damped.damping_time = 1e-3;
    rig_add(&rig, 3, &damped);
    cg_thread_def slow = def;
    slow.inertia = CG_LOW_MASS;
    slow.ends[CG_START].kind = CG_END_PINNED;
    rig_add(&rig, 4, &slow);
    cg_thread_def piled = def;
    piled.rest_lengths = lengths;
    for (int i = 10; i < 20; i++) {
        points[i] = points[9];
    }
    rig_add(&rig, 5, &piled);
    return rig;
}

// One step of the script: hands that move and turn, pushes, a hold that comes and goes.
static inline void rig_step(world_rig *rig)
{
    int step = (int)cg_world_get_stats(rig->world).step_count;
    cg_end_hold hold = cg_thread_get_end(rig->world, rig->threads[1], CG_FINISH);
    hold.turn = 0.05 * step;
    hold.position.x -= 2e-5;
    cg_thread_set_end(rig->world, rig->threads[1], CG_FINISH, &hold);
    cg_thread_push_vertex(rig->world, rig->threads[0], RIG_VERTICES - 1, v3(0, 1e-4, 0));
    cg_thread_push_segment(rig->world, rig->threads[3], 20, 0.3, v3(1e-4, 0, 1e-4));
    cg_thread_push_moment(rig->world, rig->threads[4], RIG_VERTICES - 2, v3(0, 1e-6, 0));
    if (step == 50) {
        cg_thread_hold(rig->world, rig->threads[2], 30, v3(0.03, 0.01, 0.02));
    }
    if (step == 120) {
        cg_thread_release(rig->world, rig->threads[2], 30);
        cg_thread_set_added_mass(rig->world, rig->threads[0], RIG_VERTICES - 1, 1e-4);
    }
    cg_world_step(rig->world);
}

#endif
