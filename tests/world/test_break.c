// Threads that break: by a straight pull, earlier where they are bent, not at all by default; parts, data, state, heap.
#include <math.h>
#include <stdlib.h>

#include "alloc_count.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "thread/strength.h"
#include "world/world.h"

enum { VERTICES = 41 };
static const double STRENGTH = 30, SPACING = 1e-3; // [N], [m]

typedef struct rig {
    cg_world *world;
    cg_thread_id thread;
    double way; // [m] that its end was drawn
} rig;

// A straight thread along x, its ends pinned, with room for `parts`.
static rig new_rig(double breaking_force, int parts)
{
    rig r = {0};
    cg_world_def world = cg_world_def_default();
    world.gravity = v3_zero();
    CHECK_STR(cg_world_create(&world, &r.world).message, "");
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        points[i] = v3(SPACING * i, 0, 0);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = VERTICES;
    def.positions = points;
    def.breaking_force = breaking_force;
    def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_PINNED;
    CHECK_STR(cg_world_add_thread(r.world, &def, &r.thread).message, "");
    CHECK_STR(cg_world_reserve_parts(r.world, r.thread, parts).message, "");
    return r;
}

// Draws the end on by 10 um, while the thread is whole, and makes a step; how many threads broke in it.
static int draw(rig *r, const cg_thread_break **breaks)
{
    r->way += 1e-5;
    cg_end_hold hold = {.kind = CG_END_PINNED, .position = v3(SPACING * (VERTICES - 1) + r->way, 0, 0)};
    if (cg_world_count_threads(r->world) == 1) {
        CHECK_STR(cg_thread_set_end(r->world, r->thread, CG_FINISH, &hold).message, "");
    }
    cg_world_step(r->world);
    return cg_world_breaks(r->world, breaks);
}

static double mass_of(const rig *r)
{
    double sum = 0;
    for (const cg_thread_slot *s = cg_world_first_thread(r->world); s != NULL; s = cg_world_next_thread(r->world, s)) {
        for (int i = 0; i < s->thread->vertex_count; i++) {
            sum += s->thread->mass[i];
        }
    }
    return sum;
}

TEST(a_section_bears_what_its_stress_adds_up_to)
{
    // The stress is 1 on one side of a chord of the unit circle and -1 on the other: strips across it.
    for (int k = 1; k < 10; k++) {
        double chord = -1 + 0.1 * k, pull = 0, moment = 0; // pressure beyond it, towards -1
        enum { STRIPS = 200000 };
        for (int i = 0; i < STRIPS; i++) {
            double y = -1 + 2.0 * (i + 0.5) / STRIPS, area = 2 * sqrt(1 - y * y) * 2 / STRIPS;
            double stress = y < chord ? -1 : 1;
            pull += stress * area;
            moment += stress * y * area;
        }
        CHECK_NEAR(cg_strength_left(moment / (4.0 / 3)), pull / CG_PI, 1e-5);
    }
    CHECK_NEAR(cg_strength_left(0), 1, 0);
    CHECK_NEAR(cg_strength_left(1), 0, 0);
}

TEST(a_bend_takes_of_the_strength_until_it_yields)
{
    rig r = new_rig(STRENGTH, 1);
    cg_thread *thread = cg_world_find_thread(r.world, r.thread);
    double least = cg_strength_left(thread->yield_share), before = 0;
    for (int k = 0; k <= 10; k++) {
        double angle = 0.1 * k;
        thread->shape.tangent[20] = v3(cg_cos(angle), cg_sin(angle), 0);
        thread->shape.length[19] = thread->shape.length[20] = 1.1 * SPACING;
        cg_section_load load = cg_thread_section_load(thread, 20);
        double share = 0.1 * thread->stretch_stiffness / STRENGTH;
        CHECK(load.use >= before);
        CHECK(load.use >= share * (1 - 1e-12) && load.use <= share / least * (1 + 1e-12));
        double elastic = thread->bend_stiffness * 2 * cg_sin(0.5 * angle) / SPACING;
        double yields = thread->yield_share * 4 * thread->radius * STRENGTH / (3 * CG_PI);
        CHECK_NEAR(load.moment, fmin(elastic, yields), 1e-12 * yields);
        before = load.use;
    }
    CHECK_NEAR(cg_thread_safe_pull(thread), least * STRENGTH, 1e-12);
    cg_world_destroy(r.world);
}

TEST(a_straight_pull_breaks_a_thread_at_its_strength)
{
    rig r = new_rig(STRENGTH, 3);
    const cg_thread_break *breaks;
    double before = mass_of(&r);
    int steps = 0;
    while (draw(&r, &breaks) == 0 && steps < 2000) {
        steps++;
    }
    CHECK_INT(cg_world_breaks(r.world, &breaks), 1);
    CHECK_NEAR(breaks[0].tension / STRENGTH, 1, 0.02);
    CHECK_NEAR(breaks[0].moment, 0, 1e-9);
    CHECK(breaks[0].arc > 0 && breaks[0].arc < SPACING * (VERTICES - 1));
    CHECK(cg_thread_is_valid(r.world, breaks[0].thread) && cg_thread_is_valid(r.world, breaks[0].part));
    CHECK_NEAR(mass_of(&r) / before, 1, 1e-12);
    for (int i = 0; i < 500; i++) { // both spring back, and break no more
        cg_world_step(r.world);
        CHECK_INT(cg_world_breaks(r.world, &breaks), 0);
    }
    CHECK_INT(cg_world_count_threads(r.world), 2);
    CHECK_INT(cg_world_get_stats(r.world).recovered_steps, 0);
    cg_world_destroy(r.world);
}

TEST(without_a_breaking_force_or_a_part_a_thread_holds)
{
    for (int k = 0; k < 2; k++) {
        rig r = new_rig(k == 0 ? 0 : STRENGTH, k == 0 ? 1 : 0);
        const cg_thread_break *breaks;
        for (int i = 0; i < 1900; i++) {
            CHECK_INT(draw(&r, &breaks), 0);
        }
        CHECK(cg_thread_get_summary(r.world, r.thread).max_tension > 1.2 * STRENGTH);
        cg_world_destroy(r.world);
    }
}

TEST(a_break_takes_no_memory_and_comes_again_to_the_bit)
{
    rig r = new_rig(STRENGTH, 1);
    const cg_thread_break *breaks;
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    uint64_t hashes[2];
    for (int i = 0; i < 1000; i++) {
        CHECK_INT(draw(&r, &breaks), 0);
    }
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    double way = r.way;
    for (int turn = 0; turn < 2; turn++) {
        r.way = way;
        CHECK_STR(cg_world_restore(r.world, bytes, size).message, "");
        long before = test_allocations();
        int broken = 0;
        for (int i = 0; i < 500; i++) {
            broken += draw(&r, &breaks);
        }
        CHECK_INT(test_allocations() - before, 0);
        CHECK_INT(broken, 1);
        hashes[turn] = cg_world_state_hash(r.world);
    }
    CHECK(hashes[0] == hashes[1]);
    free(bytes);
    cg_world_destroy(r.world);
}

TEST(bad_strengths_are_refused)
{
    rig r = new_rig(0, 0);
    const cg_vec3 points[2] = {{0, 0, 0}, {1, 0, 0}};
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = 2;
    def.positions = points;
    def.breaking_force = -1;
    CHECK_INT(cg_world_add_thread(r.world, &def, &r.thread).code, CG_BAD_INPUT);
    def.breaking_force = 1;
    def.yield_share = 0.95;
    CHECK_INT(cg_world_add_thread(r.world, &def, &r.thread).code, CG_BAD_INPUT);
    cg_world_destroy(r.world);
}
