#include "catgut/catgut.h"

#include <math.h>
#include <string.h>

#include "alloc_count.h"
#include "world_rig.h"

// Threads alone: those of the rig lie across each other, and with contacts there is no line search.
static cg_world_def alone(void)
{
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 0;
    return def;
}

static cg_world_def searching(void)
{
    cg_world_def def = alone();
    def.newton_passes = 4;
    def.newton_tolerance = 1e-9;
    def.line_search = true;
    return def;
}

TEST(snapshot_then_continue_agrees)
{
    for (int searches = 0; searches < 2; searches++) {
        world_rig rig = rig_create(searches ? searching() : alone());
        for (int step = 0; step < 90; step++) {
            rig_step(&rig);
        }
        // Pushes that wait for the next step are part of the state.
        cg_thread_push_vertex(rig.world, rig.threads[3], 5, v3(0, 1e-3, 0));
        size_t size = cg_world_snapshot_size(rig.world);
        void *bytes = malloc(size);
        CHECK_INT(cg_world_snapshot(rig.world, bytes, size).code, CG_OK);
        uint64_t at_snapshot = cg_world_state_hash(rig.world), after[60];
        for (int step = 0; step < 60; step++) {
            rig_step(&rig);
            after[step] = cg_world_state_hash(rig.world);
        }
        CHECK(after[59] != at_snapshot);
        CHECK_STR(cg_world_restore(rig.world, bytes, size).message, "");
        CHECK_HASH(cg_world_state_hash(rig.world), at_snapshot);
        for (int step = 0; step < 60; step++) {
            rig_step(&rig);
            CHECK_HASH(cg_world_state_hash(rig.world), after[step]);
        }
        // Into a second world made alike.
        world_rig twin = rig_create(searches ? searching() : alone());
        CHECK_STR(cg_world_restore(twin.world, bytes, size).message, "");
        for (int step = 0; step < 60; step++) {
            rig_step(&twin);
        }
        CHECK_HASH(cg_world_state_hash(twin.world), after[59]);
        free(bytes);
        cg_world_destroy(twin.world);
        cg_world_destroy(rig.world);
    }
}

TEST(damaged_snapshots_are_refused_and_change_nothing)
{
    world_rig rig = rig_create(alone());
    rig_step(&rig);
    size_t size = cg_world_snapshot_size(rig.world);
    unsigned char *bytes = malloc(size), *damaged = malloc(size);
    CHECK_INT(cg_world_snapshot(rig.world, bytes, size).code, CG_OK);
    CHECK(cg_world_snapshot(rig.world, damaged, size - 1).code != CG_OK);
    rig_step(&rig);
    uint64_t hash = cg_world_state_hash(rig.world), random = 4;
    for (int n = 0; n < 300; n++) {
        size_t at = (size_t)test_random(&random, 0, (double)size);
        memcpy(damaged, bytes, size);
        damaged[at] ^= (unsigned char)(1 << test_random_int(&random, 0, 7));
        CHECK(cg_world_restore(rig.world, damaged, size).code != CG_OK);
        CHECK(cg_world_restore(rig.world, bytes, at).code != CG_OK);
    }
    CHECK_HASH(cg_world_state_hash(rig.world), hash);
    cg_world_remove_thread(rig.world, rig.threads[2]);
    CHECK_INT(cg_world_restore(rig.world, bytes, size).code, CG_MISMATCH);
    free(bytes);
    free(damaged);
    cg_world_destroy(rig.world);
}

TEST(no_allocation_inside_the_step)
{
    if (!test_allocations_counted()) {
        test_skip("the sanitizer has its own allocator");
        return;
    }
    for (int searches = 0; searches < 2; searches++) {
        world_rig rig = rig_create(searches ? searching() : alone());
        for (int step = 0; step < 150; step++) {
            long before = test_allocations();
            rig_step(&rig);
            cg_world_state_hash(rig.world);
            CHECK_INT(test_allocations() - before, 0);
        }
        cg_world_destroy(rig.world);
    }
}

static int blocks_out;

static void *counting_allocate(void *context, size_t bytes)
{
    int *left = context;
    if ((*left)-- <= 0) {
        return NULL;
    }
    blocks_out++;
    return malloc(bytes);
}

static void counting_release(void *context, void *memory)
{
    (void)context;
    blocks_out -= memory != NULL;
    free(memory);
}

TEST(out_of_memory_is_reported_and_leaks_nothing)
{
    cg_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    for (int room = 0; room <= 4; room++) {
        int left = room;
        cg_world_def def = alone();
        def.allocator = (cg_allocator){counting_allocate, counting_release, &left};
        cg_world *world = NULL;
        cg_status status = cg_world_create(&def, &world);
        CHECK_INT(status.code, room < 2 ? CG_OUT_OF_MEMORY : CG_OK);
        if (world != NULL) {
            cg_thread_def thread = cg_thread_def_default();
            thread.vertex_count = 3;
            thread.positions = points;
            cg_thread_id id;
            status = cg_world_add_thread(world, &thread, &id);
            CHECK_INT(status.code, room < 4 ? CG_OUT_OF_MEMORY : CG_OK);
            CHECK(cg_thread_is_valid(world, id) == (room == 4));
        }
        cg_world_destroy(world);
        CHECK_INT(blocks_out, 0);
    }
}

static double ticks;

static double ticking_clock(void)
{
    return ticks += 1.0;
}

TEST(every_stage_is_timed)
{
    cg_world_def def = alone();
    def.newton_passes = 1; // stages are repeated from pass to pass
    world_rig silent = rig_create(def);
    def.clock = ticking_clock;
    world_rig rig = rig_create(def);
    rig_step(&rig);
    rig_step(&silent);
    cg_world_stats stats = cg_world_get_stats(rig.world);
    for (int stage = 0; stage < CG_STAGE_COUNT; stage++) {
        // Without contacts there is nothing to find and nothing to limit.
        bool idle = stage == CG_STAGE_FIND || stage == CG_STAGE_LIMIT;
        CHECK_NEAR(stats.stage_seconds[stage], idle ? 0.0 : 1.0, 0);
        CHECK(strlen(cg_stage_name((cg_stage)stage)) > 0);
    }
    CHECK_HASH(cg_world_state_hash(rig.world), cg_world_state_hash(silent.world));
    cg_world_destroy(rig.world);
    cg_world_destroy(silent.world);
}

TEST(handles_are_checked)
{
    world_rig rig = rig_create(alone());
    cg_thread_id gone = rig.threads[1], never = {0, 0};
    CHECK(cg_thread_is_valid(rig.world, gone));
    CHECK_INT(cg_world_remove_thread(rig.world, gone).code, CG_OK);
    CHECK(!cg_thread_is_valid(rig.world, gone));
    CHECK(!cg_thread_is_valid(rig.world, never));
    CHECK_INT(cg_world_remove_thread(rig.world, gone).code, CG_BAD_HANDLE);
    CHECK_INT(cg_thread_push_vertex(rig.world, gone, 0, v3_zero()).code, CG_BAD_HANDLE);
    CHECK(cg_thread_positions(rig.world, gone, NULL) == NULL);
    CHECK_INT(cg_thread_get_summary(rig.world, gone).vertex_count, 0);
    cg_thread_id fresh;
    cg_vec3 points[2] = {{0, 0, 0}, {1, 0, 0}};
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = 2;
    def.positions = points;
    CHECK_INT(cg_world_add_thread(rig.world, &def, &fresh).code, CG_OK);
    CHECK(!cg_thread_is_valid(rig.world, gone));
    cg_world_step(rig.world);
    cg_world_destroy(rig.world);
}

TEST(the_pool_refuses_when_full)
{
    cg_world_def def = alone();
    def.max_threads = 1;
    cg_world *world = NULL;
    cg_thread_id a, b;
    cg_vec3 points[2] = {{0, 0, 0}, {1, 0, 0}};
    cg_thread_def thread = cg_thread_def_default();
    thread.vertex_count = 2;
    thread.positions = points;
    CHECK_INT(cg_world_create(&def, &world).code, CG_OK);
    CHECK_INT(cg_world_add_thread(world, &thread, &a).code, CG_OK);
    CHECK_INT(cg_world_add_thread(world, &thread, &b).code, CG_FULL);
    CHECK(!cg_thread_is_valid(world, b));
    cg_world_destroy(world);
}

typedef void (*spoiler)(cg_thread_def *def);

#define SPOIL(name, statement)                                                                                         \
    static void name(cg_thread_def *d)                                                                                 \
    {                                                                                                                  \
        statement;                                                                                                     \
    }
SPOIL(one_vertex, d->vertex_count = 1)
SPOIL(no_points, d->positions = NULL)
SPOIL(zero_radius, d->radius = 0)
SPOIL(nan_radius, d->radius = NAN)
SPOIL(negative_modulus, d->youngs_modulus = -5)
SPOIL(infinite_modulus, d->youngs_modulus = INFINITY)
SPOIL(bad_poisson, d->poisson_ratio = 0.6)
SPOIL(nan_density, d->density = NAN)
SPOIL(negative_bend, d->bend_stiffness = -2)
SPOIL(zero_stretch, d->stretch_stiffness = 0)
SPOIL(nan_twist, d->twist_stiffness = NAN)
SPOIL(negative_drag, d->drag = -1)
SPOIL(nan_damping, d->damping_time = NAN)
SPOIL(dragless_low_mass, d->inertia = CG_LOW_MASS; d->drag = 0)
SPOIL(unknown_end, d->ends[1].kind = (cg_end_kind)9)
SPOIL(nan_direction, d->ends[0].direction.x = NAN)
SPOIL(zero_mass, d->linear_density = 0)

TEST(bad_definitions_are_refused_with_a_reason)
{
    static const spoiler spoilers[] = {
        one_vertex,  no_points,         zero_radius,   nan_radius,    negative_modulus, infinite_modulus,
        bad_poisson, nan_density,       negative_bend, zero_stretch,  nan_twist,        negative_drag,
        nan_damping, dragless_low_mass, unknown_end,   nan_direction, zero_mass};
    cg_world *world = NULL;
    cg_world_def world_def = alone();
    CHECK_INT(cg_world_create(&world_def, &world).code, CG_OK);
    cg_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, broken[3] = {{0, 0, 0}, {1, NAN, 0}, {2, 0, 0}};
    cg_vec3 coincident[3] = {{0, 0, 0}, {0, 0, 0}, {2, 0, 0}};
    double lengths[2] = {1, -1};
    cg_thread_def good = cg_thread_def_default();
    cg_thread_id id;
    good.vertex_count = 3;
    good.positions = points;
    for (size_t n = 0; n < sizeof spoilers / sizeof *spoilers; n++) {
        cg_thread_def def = good;
        spoilers[n](&def);
        cg_status status = cg_world_add_thread(world, &def, &id);
        CHECK_INT(status.code, CG_BAD_INPUT);
        CHECK(strlen(status.message) > 10);
    }
    const cg_vec3 *bad_points[] = {broken, coincident};
    for (int n = 0; n < 2; n++) {
        cg_thread_def def = good;
        def.positions = bad_points[n];
        CHECK_INT(cg_world_add_thread(world, &def, &id).code, CG_BAD_INPUT);
    }
    cg_thread_def def = good;
    def.rest_lengths = lengths;
    CHECK_INT(cg_world_add_thread(world, &def, &id).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_add_thread(world, &good, &id).code, CG_OK);
    CHECK_INT(cg_thread_push_vertex(world, id, 3, v3_zero()).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_push_vertex(world, id, -1, v3_zero()).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_push_vertex(world, id, 0, v3(NAN, 0, 0)).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_push_segment(world, id, 2, 0.5, v3_zero()).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_push_segment(world, id, 1, 1.5, v3_zero()).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_hold(world, id, 1, v3(0, INFINITY, 0)).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_set_added_mass(world, id, 1, -1).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_set_friction(world, id, -1).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_set_time_step(world, 0).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_set_newton(world, 0, 0, false).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_set_gravity(world, v3(0, NAN, 0)).code, CG_BAD_INPUT);
    cg_world_step(world);
    cg_world_destroy(world);
}

// A clamp that lets go takes the twist with it, in every step from then on and in a world that goes on from there.
TEST(a_twist_that_was_let_go_is_forgotten)
{
    static unsigned char bytes[1 << 16];
    cg_vec3 points[9];
    cg_world_def world_def = alone();
    cg_world *worlds[2];
    cg_thread_id id;
    for (int i = 0; i < 9; i++) {
        points[i] = v3(0.005 * i, 0, 0);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = 9;
    def.positions = points;
    def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_CLAMPED;
    for (int k = 0; k < 2; k++) {
        CHECK_STR(cg_world_create(&world_def, &worlds[k]).message, "");
        CHECK_STR(cg_world_add_thread(worlds[k], &def, &id).message, "");
    }
    cg_end_hold hold = cg_thread_get_end(worlds[0], id, CG_FINISH);
    hold.turn = 2;
    cg_thread_set_end(worlds[0], id, CG_FINISH, &hold);
    for (int step = 0; step < 5; step++) {
        cg_world_step(worlds[0]);
    }
    CHECK(cg_thread_get_summary(worlds[0], id).torque > 1e-6);
    cg_thread_release(worlds[0], id, 8);
    size_t size = cg_world_snapshot_size(worlds[0]);
    CHECK(size <= sizeof bytes && cg_world_snapshot(worlds[0], bytes, size).code == CG_OK);
    CHECK_STR(cg_world_restore(worlds[1], bytes, size).message, "");
    for (int step = 0; step < 5; step++) {
        for (int k = 0; k < 2; k++) {
            cg_world_step(worlds[k]);
            CHECK(cg_thread_get_summary(worlds[k], id).torque == 0);
        }
        CHECK_HASH(cg_world_state_hash(worlds[1]), cg_world_state_hash(worlds[0]));
    }
    cg_world_destroy(worlds[0]);
    cg_world_destroy(worlds[1]);
}

// A straight thread of n segments, clamped at both ends and turned by an angle at one: the twist is even, and between
// the middles of the first and the last segment lie (n - 1) / n of the length.
TEST(material_turns_evenly_between_two_clamps)
{
    enum { SEGMENTS = 8 };
    cg_vec3 points[SEGMENTS + 1];
    for (int i = 0; i <= SEGMENTS; i++) {
        points[i] = v3(0.01 * i, 0, 0);
    }
    cg_world_def world_def = alone();
    world_def.gravity = v3(0, 0, 0);
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = SEGMENTS + 1;
    def.positions = points;
    def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_CLAMPED;
    cg_world *world;
    cg_thread_id thread;
    CHECK_INT(cg_world_create(&world_def, &world).code, CG_OK);
    CHECK_INT(cg_world_add_thread(world, &def, &thread).code, CG_OK);
    cg_vec3 before, after;
    double twist[SEGMENTS];
    CHECK(cg_thread_get_material(world, thread, &before, twist, SEGMENTS));
    CHECK_NEAR(twist[SEGMENTS - 1], 0, 1e-12);
    cg_end_hold hold = cg_thread_get_end(world, thread, CG_START);
    hold.turn = 1.25;
    CHECK_INT(cg_thread_set_end(world, thread, CG_START, &hold).code, CG_OK);
    cg_world_step(world);
    CHECK(cg_thread_get_material(world, thread, &after, twist, SEGMENTS));
    for (int i = 0; i < SEGMENTS; i++) {
        CHECK_NEAR(twist[i], -1.25 * i / SEGMENTS, 1e-9);
    }
    // the middle of the first segment turned by all but half a segment's share, about x
    double turned = 1.25 * (1 - 0.5 / SEGMENTS);
    CHECK_NEAR(v3_length(after), 1, 1e-12);
    CHECK_NEAR(v3_dot(after, before), cos(turned), 1e-9);
    CHECK_NEAR(v3_cross(before, after).x, sin(turned), 1e-9);
    CHECK(!cg_thread_get_material(world, thread, &after, twist, SEGMENTS + 1));
    cg_world_destroy(world);
}
