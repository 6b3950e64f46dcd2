// A thread that moves as mechanics says where the answer is simple, through the public interface.
#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

typedef struct rig {
    cg_world *world;
    cg_thread_id id;
} rig;

static rig make_rig(cg_world_def world, cg_thread_def thread, int count, double spacing, cg_vec3 along)
{
    rig r = {0};
    cg_vec3 *points = malloc(sizeof *points * (size_t)count);
    for (int i = 0; i < count; i++) {
        points[i] = v3_scale(spacing * i, along);
    }
    thread.vertex_count = count;
    thread.positions = points;
    CHECK_STR(cg_world_create(&world, &r.world).message, "");
    CHECK_STR(cg_world_add_thread(r.world, &thread, &r.id).message, "");
    free(points);
    return r;
}

// As g t^2 / 2, to second order in the step, every vertex alike. (Implicit Euler would fall by h g t / 2 too far.)
TEST(a_free_thread_falls_as_a_stone)
{
    cg_thread_def thread = cg_thread_def_default();
    thread.drag = 0;
    rig r = make_rig(cg_world_def_default(), thread, 33, 1e-3, v3(0.6, 0.8, 0));
    for (int step = 0; step < 100; step++) {
        cg_world_step(r.world);
    }
    int count;
    const cg_vec3 *x = cg_thread_positions(r.world, r.id, &count);
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(x[i].z, -0.5 * 9.81 * 0.01, 5e-5);
        CHECK_NEAR(x[i].z, x[0].z, 1e-9);
        CHECK_NEAR(x[i].x, 0.6e-3 * i, 1e-10);
    }
    CHECK_NEAR(cg_world_time(r.world), 0.1, 1e-12);
    cg_world_destroy(r.world);
}

TEST(drag_gives_the_terminal_speed)
{
    cg_thread_def thread = cg_thread_def_default();
    thread.drag = 100;
    rig r = make_rig(cg_world_def_default(), thread, 20, 1e-3, v3(1, 0, 0));
    for (int step = 0; step < 400; step++) {
        cg_world_step(r.world);
    }
    CHECK_NEAR(cg_thread_velocities(r.world, r.id, NULL)[7].z, -0.0981, 1e-6);
    cg_world_destroy(r.world);
}

// What the holds carry is the weight of the thread and what hangs on it.
TEST(holds_feel_the_weight)
{
    cg_thread_def thread = cg_thread_def_default();
    thread.ends[CG_START].kind = CG_END_PINNED;
    thread.drag = 200;
    rig r = make_rig(cg_world_def_default(), thread, 50, 2e-3, v3(0, 0, -1));
    cg_thread_set_added_mass(r.world, r.id, 49, 2e-3);
    for (int step = 0; step < 3000; step++) {
        cg_thread_push_segment(r.world, r.id, 20, 0.25, v3(0, 0, -0.01));
        cg_world_step(r.world);
    }
    double own = 1140 * CG_PI * 0.11e-3 * 0.11e-3 * 0.098;
    CHECK_NEAR(cg_thread_hold_force(r.world, r.id, 0).z, (own + 2e-3) * 9.81 + 0.01, 1e-7);
    CHECK_NEAR(cg_thread_hold_force(r.world, r.id, 1).z, 0, 0);
    cg_thread_summary summary = cg_thread_get_summary(r.world, r.id);
    CHECK_NEAR(summary.max_tension, (own + 2e-3) * 9.81 + 0.01, 1e-5);
    CHECK_NEAR(summary.rest_length, 0.098, 1e-12);
    cg_world_destroy(r.world);
}

TEST(held_vertices_reach_their_targets_exactly)
{
    cg_thread_def thread = cg_thread_def_default();
    for (int searches = 0; searches < 2; searches++) {
        cg_world_def world = cg_world_def_default();
        world.line_search = searches;
        world.newton_passes = 3;
        rig r = make_rig(world, thread, 30, 1e-3, v3(1, 0, 0));
        for (int step = 0; step < 200; step++) {
            cg_vec3 a = v3(0.001 * cg_sin(0.1 * step), 0, 1e-5 * step), b = v3(0.02, 1e-5 * step, 0),
                    c = v3(0.021, 0, 0);
            cg_thread_hold(r.world, r.id, 0, a);
            cg_thread_hold(r.world, r.id, 20, b);
            cg_thread_hold(r.world, r.id, 21, c);
            cg_world_step(r.world);
            const cg_vec3 *x = cg_thread_positions(r.world, r.id, NULL);
            CHECK_NEAR(v3_distance(x[0], a), 0, 0);
            CHECK_NEAR(v3_distance(x[20], b), 0, 0);
            CHECK_NEAR(v3_distance(x[21], c), 0, 0);
        }
        cg_world_destroy(r.world);
    }
}

// Momentum: the forces of the holds and gravity account for all of it, in a violent motion too.
TEST(inner_forces_cancel)
{
    cg_thread_def thread = cg_thread_def_default();
    thread.drag = 0;
    thread.damping_time = 1e-4;
    cg_world_def world = cg_world_def_default();
    world.newton_passes = 30;
    world.newton_tolerance = 1e-14;
    rig r = make_rig(world, thread, 40, 1e-3, v3(1, 0, 0));
    cg_vec3 x[40], v[40];
    uint64_t random = 5;
    double mass[40], own = 1140 * CG_PI * 0.11e-3 * 0.11e-3 * 1e-3;
    for (int i = 0; i < 40; i++) {
        x[i] = v3(1e-3 * i, 2e-3 * cg_sin(0.4 * i), 1e-3 * cg_cos(0.3 * i));
        v[i] = v3(test_random(&random, -0.1, 0.1), test_random(&random, -0.1, 0.1), test_random(&random, -0.1, 0.1));
        mass[i] = i == 0 || i == 39 ? 0.5 * own : own;
    }
    cg_thread_set_state(r.world, r.id, x, v);
    for (int step = 0; step < 50; step++) {
        cg_vec3 before = v3_zero(), after = v3_zero();
        const cg_vec3 *velocity = cg_thread_velocities(r.world, r.id, NULL);
        for (int i = 0; i < 40; i++) {
            before = v3_add_scaled(before, mass[i], velocity[i]);
        }
        cg_world_step(r.world);
        velocity = cg_thread_velocities(r.world, r.id, NULL);
        for (int i = 0; i < 40; i++) {
            after = v3_add_scaled(after, mass[i], velocity[i]);
        }
        cg_vec3 gained = v3_sub(after, before);
        CHECK_NEAR(gained.x, 0, 1e-12);
        CHECK_NEAR(gained.y, 0, 1e-12);
        CHECK_NEAR(gained.z, -9.81e-3 * own * 39, 1e-12);
    }
    cg_world_destroy(r.world);
}

// Turned by whole turns, the twist of a straight thread counts on: torque = GJ turn / L.
TEST(torque_counts_whole_turns)
{
    cg_thread_def thread = cg_thread_def_default();
    thread.twist_stiffness = 3e-7;
    thread.ends[CG_START].kind = CG_END_CLAMPED;
    thread.ends[CG_FINISH].kind = CG_END_CLAMPED;
    cg_world_def world = cg_world_def_default();
    world.gravity = v3_zero();
    rig r = make_rig(world, thread, 60, 1e-3, v3(0.36, 0.48, 0.8));
    double torques[60];
    for (int step = 0; step < 40; step++) {
        cg_end_hold hold = cg_thread_get_end(r.world, r.id, CG_FINISH);
        hold.turn += 1.0;
        cg_thread_set_end(r.world, r.id, CG_FINISH, &hold);
        CHECK_STR(cg_thread_torques(r.world, r.id, torques, 60).message, "");
        for (int j = 0; j < 60; j++) {
            CHECK_NEAR(torques[j], 3e-7 * hold.turn / 0.059, 1e-15);
        }
    }
    cg_thread_release(r.world, r.id, 59);
    CHECK_NEAR(cg_thread_get_summary(r.world, r.id).torque, 0, 0);
    cg_world_destroy(r.world);
}

// A thread put down in its rest shape, however that is turned in space, stays there; put down straight it curls up.
TEST(a_curved_thread_keeps_its_rest_shape)
{
    enum { N = 60 };
    cg_vec3 rest[N], placed[N];
    for (int i = 0; i < N; i++) {
        rest[i] = v3(0.01 * cg_cos(0.15 * i), 0.01 * cg_sin(0.15 * i), 0.0004 * i);
        placed[i] = v3(rest[i].y + 0.3, rest[i].z, rest[i].x);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = N;
    def.positions = placed;
    def.rest_shape = rest;
    cg_world_def world_def = cg_world_def_default();
    world_def.max_contacts = 0; // it turns through itself on its way
    world_def.gravity = v3_zero();
    cg_world *world = NULL;
    cg_thread_id id;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    CHECK_STR(cg_world_add_thread(world, &def, &id).message, "");
    for (int step = 0; step < 100; step++) {
        cg_world_step(world);
    }
    const cg_vec3 *x = cg_thread_positions(world, id, NULL);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(v3_distance(x[i], placed[i]), 0, 1e-9);
    }
    for (int i = 0; i < N; i++) {
        placed[i] = v3(0.001552 * i, 0, 0);
    }
    cg_thread_set_state(world, id, placed, NULL);
    for (int step = 0; step < 4000; step++) {
        cg_world_step(world);
    }
    x = cg_thread_positions(world, id, NULL);
    for (int gap = 5; gap < N; gap += 9) {
        CHECK_NEAR(v3_distance(x[gap], x[0]), v3_distance(rest[gap], rest[0]), 2e-5);
    }
    cg_world_destroy(world);
}
