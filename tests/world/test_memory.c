// label: golden
// Threads with memory in a world: what they keep when they are let go, energy, state, heap.
#include <math.h>
#include <stdlib.h>

#include "alloc_count.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "world/world.h"

enum { VERTICES = 41 };
static const double LENGTH = 1e-4, YIELD_CURVATURE = 100; // [m] of segments, [1/m] at which it yields

typedef struct rig {
    cg_world *world;
    cg_thread_id thread;
} rig;

static void arc(cg_vec3 *points, double curvature)
{
    points[0] = v3_zero();
    for (int i = 1; i < VERTICES; i++) {
        double angle = curvature * LENGTH * (i - 1);
        points[i] = v3_add_scaled(points[i - 1], LENGTH, v3(cg_cos(angle), cg_sin(angle), 0));
    }
}

// A thread that starts with a curvature, and has memory or not.
static rig new_rig(double curvature, double yield_curvature)
{
    rig r = {0};
    cg_vec3 points[VERTICES];
    cg_world_def world = cg_world_def_default();
    world.gravity = v3_zero();
    world.max_contacts = 0;
    CHECK_STR(cg_world_create(&world, &r.world).message, "");
    arc(points, curvature);
    cg_thread_def def = cg_thread_def_default();
    double r2 = def.radius * def.radius;
    def.vertex_count = VERTICES;
    def.positions = points;
    def.yield_moment = yield_curvature * def.youngs_modulus * 0.25 * CG_PI * r2 * r2;
    CHECK_STR(cg_world_add_thread(r.world, &def, &r.thread).message, "");
    return r;
}

static cg_thread *thread_of(const rig *r)
{
    return cg_world_find_thread(r->world, r->thread);
}

// Holds every vertex on an arc.
static void bend(const rig *r, double curvature)
{
    cg_vec3 points[VERTICES];
    arc(points, curvature);
    for (int i = 0; i < VERTICES; i++) {
        CHECK_STR(cg_thread_hold(r->world, r->thread, i, points[i]).message, "");
    }
}

static void let_go(const rig *r)
{
    for (int i = 0; i < VERTICES; i++) {
        CHECK_STR(cg_thread_release(r->world, r->thread, i).message, "");
    }
}

static void step(const rig *r, int count)
{
    for (int i = 0; i < count; i++) {
        cg_world_step(r->world);
    }
}

// [1/m] of the present shape.
static double curvature_at(const rig *r, int joint)
{
    const cg_vec3 *tangent = &thread_of(r)->shape.tangent[joint - 1];
    return 2 * cg_asin(0.5 * v3_distance(tangent[0], tangent[1])) / LENGTH;
}

// Bent from straight in small steps, so that it yields in each of them, and let go.
TEST(a_thread_that_is_bent_and_let_go_keeps_its_set)
{
    const double curvatures[] = {0.9, 1.2, 2, 5};
    for (int k = 0; k < 4; k++) {
        rig r = new_rig(0, YIELD_CURVATURE);
        double curvature = curvatures[k] * YIELD_CURVATURE, set = fmax(0, curvature - YIELD_CURVATURE);
        for (int i = 1; i <= 50; i++) {
            bend(&r, curvature * i / 50);
            step(&r, 1);
        }
        CHECK_NEAR(curvature_at(&r, 20), curvature, 1e-6 * curvature);
        let_go(&r);
        step(&r, 300);
        for (int j = 1; j < VERTICES - 1; j++) {
            CHECK_NEAR(curvature_at(&r, j), set, 1e-3 * YIELD_CURVATURE);
        }
        cg_world_destroy(r.world);
    }
}

TEST(without_memory_it_springs_back)
{
    rig r = new_rig(5 * YIELD_CURVATURE, 0);
    CHECK(!thread_of(&r)->has_rest_shape);
    step(&r, 300);
    CHECK_NEAR(curvature_at(&r, 20), 0, 1e-3 * YIELD_CURVATURE);
    cg_world_destroy(r.world);
}

// Thrown and bent at random: what it has of energy only falls, while it flies and yields.
TEST(a_thread_that_yields_in_flight_wins_no_energy)
{
    uint64_t random = 5;
    int yields = 0;
    for (int k = 0; k < 10; k++) {
        rig r = new_rig(test_random(&random, 2, 8) * YIELD_CURVATURE, YIELD_CURVATURE);
        cg_thread *thread = thread_of(&r);
        thread->drag = 0;
        r.world->def.time_step = 1e-6; // a longer step would let it spring straight before it can yield
        for (int i = 0; i < VERTICES; i++) {
            cg_vec3 *v = &thread->velocity[i];
            *v = v3(test_random(&random, -1, 1), test_random(&random, -1, 1), test_random(&random, -1, 1));
        }
        double before = cg_thread_total_energy(thread, v3_zero());
        for (int i = 0; i < 100; i++) {
            cg_vec3 rest = thread->rest_ahead[20];
            step(&r, 1);
            double energy = cg_thread_total_energy(thread, v3_zero());
            CHECK(energy <= before * (1 + 1e-7));
            yields += v3_distance(rest, thread->rest_ahead[20]) > 0;
            before = energy;
        }
        cg_world_destroy(r.world);
    }
    CHECK(yields >= 10);
}

// Bends it to and fro, so that it yields on both sides.
static void work(const rig *r, int from, int count)
{
    for (int i = from; i < from + count; i++) {
        bend(r, 4 * YIELD_CURVATURE * cg_sin(0.05 * i));
        step(r, 1);
    }
}

TEST(a_state_holds_the_set_and_a_step_takes_no_memory)
{
    rig r = new_rig(0, YIELD_CURVATURE), other = new_rig(0, YIELD_CURVATURE);
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    uint64_t hashes[3];
    work(&r, 0, 60);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    const rig *rigs[3] = {&r, &r, &other};
    for (int k = 0; k < 3; k++) {
        CHECK_STR(cg_world_restore(rigs[k]->world, bytes, size).message, "");
        long before = test_allocations();
        work(rigs[k], 60, 100);
        let_go(rigs[k]); // to where its set leads
        step(rigs[k], 50);
        CHECK_INT(test_allocations() - before, 0);
        hashes[k] = cg_world_state_hash(rigs[k]->world);
    }
    CHECK(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
    uint64_t hash = cg_world_state_hash(r.world);
    thread_of(&r)->rest_ahead[20].x += 1e-9; // the set is a part of the state
    CHECK(cg_world_state_hash(r.world) != hash);
    free(bytes);
    cg_world_destroy(r.world);
    cg_world_destroy(other.world);
}

// Both have a shape at rest, so that only memory tells them apart.
TEST(states_with_and_without_memory_do_not_fit_each_other)
{
    cg_world *worlds[2];
    void *bytes[2];
    size_t sizes[2];
    cg_vec3 points[VERTICES];
    arc(points, YIELD_CURVATURE);
    for (int k = 0; k < 2; k++) {
        cg_world_def world = cg_world_def_default();
        cg_thread_def def = cg_thread_def_default();
        cg_thread_id thread;
        def.vertex_count = VERTICES;
        def.positions = def.rest_shape = points;
        def.yield_moment = k == 0 ? 0 : 1e-5;
        CHECK_STR(cg_world_create(&world, &worlds[k]).message, "");
        CHECK_STR(cg_world_add_thread(worlds[k], &def, &thread).message, "");
        sizes[k] = cg_world_snapshot_size(worlds[k]);
        bytes[k] = malloc(sizes[k]);
        CHECK_STR(cg_world_snapshot(worlds[k], bytes[k], sizes[k]).message, "");
    }
    for (int k = 0; k < 2; k++) {
        CHECK_INT(cg_world_restore(worlds[k], bytes[1 - k], sizes[1 - k]).code, CG_MISMATCH);
        CHECK_STR(cg_world_restore(worlds[k], bytes[k], sizes[k]).message, "");
    }
    for (int k = 0; k < 2; k++) {
        free(bytes[k]);
        cg_world_destroy(worlds[k]);
    }
}

TEST(a_forged_set_is_refused)
{
    rig r = new_rig(0, YIELD_CURVATURE);
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    thread_of(&r)->rest_ahead[20] = v3(0, 0, 1e200);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    CHECK_INT(cg_world_restore(r.world, bytes, size).code, CG_BAD_INPUT);
    free(bytes);
    cg_world_destroy(r.world);
}

// Out of its plane too: pushed sideways while it swings, with a twist.
TEST(memory_has_the_same_bits_everywhere)
{
    rig r = new_rig(0, YIELD_CURVATURE);
    work(&r, 0, 100);
    let_go(&r);
    for (int i = 0; i < 100; i++) {
        cg_end_hold hold = {.kind = CG_END_CLAMPED, .position = v3_zero(), .turn = 0.02 * i};
        CHECK_STR(cg_thread_set_end(r.world, r.thread, CG_START, &hold).message, "");
        cg_thread_push_vertex(r.world, r.thread, VERTICES - 1, v3(0, 1e-2, 2e-2));
        step(&r, 1);
    }
    CHECK_GOLDEN(cg_world_state_hash(r.world));
    cg_world_destroy(r.world);
}
