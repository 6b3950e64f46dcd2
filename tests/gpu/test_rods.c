// Kirchhoff threads of batches beside those of worlds, and beside themselves in other orders.
#include "gpu/setup.h"

#include <catgut/catgut.h>

#include "harness.h"

#define CHECK_OK(call) CHECK_STR((call).message, "")

static cg_vec3 *step_batch(const cg_gpu_setup *setup, int worlds, int read, int steps, uint64_t order, int lanes)
{
    cg_gpu *gpu;
    cg_batch *batch;
    CHECK_OK(cg_gpu_open(&(cg_gpu_def){.order = order, .lanes = lanes}, &gpu));
    CHECK_OK(cg_setup_batch(gpu, setup, CG_GPU_RODS, worlds, false, &batch));
    CHECK_OK(cg_batch_step(batch, steps));
    cg_vec3 *places = calloc((size_t)setup->nodes, sizeof *places);
    CHECK_OK(cg_batch_read(batch, read, 1, places, NULL));
    cg_batch_destroy(batch);
    cg_gpu_close(gpu);
    return places;
}

// The same thread in a world of the library, pushed at its end in every step: it goes to first order, as ours.
static cg_world *make_world(const cg_gpu_setup *setup, cg_thread_id *thread)
{
    const cg_rod_law *law = &setup->law.rod;
    cg_world_def def = cg_world_def_default();
    def.time_step = law->step;
    def.gravity = law->gravity;
    def.max_contacts = 0;
    cg_world *world;
    CHECK_OK(cg_world_create(&def, &world));
    cg_thread_def rod = cg_thread_def_default();
    rod.vertex_count = law->vertices;
    rod.positions = setup->places;
    double lengths[256];
    for (int i = 0; i + 1 < law->vertices; i++) {
        lengths[i] = law->length;
    }
    rod.rest_lengths = lengths;
    rod.radius = 0.15e-3;
    rod.stretch_stiffness = law->stretch;
    rod.bend_stiffness = law->bend;
    rod.twist_stiffness = 0;
    rod.linear_density = law->mass / law->length;
    rod.drag = law->drag;
    rod.damping_time = 0;
    rod.ends[CG_START].kind = law->is_held ? CG_END_PINNED : CG_END_FREE;
    CHECK_OK(cg_world_add_thread(world, &rod, thread));
    return world;
}

static void check_beside_library(cg_gpu_setup *setup)
{
    enum { STEPS = 100 };
    cg_thread_id thread;
    cg_world *world = make_world(setup, &thread);
    cg_vec3 *ours = step_batch(setup, 1, 0, STEPS, 0, 1);
    for (int step = 0; step < STEPS; step++) {
        CHECK_OK(cg_thread_push_vertex(world, thread, setup->nodes - 1, setup->law.rod.push));
        cg_world_step(world);
    }
    const cg_vec3 *theirs = cg_thread_positions(world, thread, NULL);
    double apart = 0, moved = 0;
    for (int i = 0; i < setup->nodes; i++) {
        apart = fmax(apart, v3_distance(ours[i], theirs[i]));
        moved = fmax(moved, v3_distance(setup->places[i], theirs[i]));
    }
    printf("after %d steps %.3g m apart, moved %.3g m\n", STEPS, apart, moved);
    CHECK(moved > 0.01);
    CHECK(apart < 1e-6);
    free(ours);
    cg_world_destroy(world);
}

TEST(a_rod_moves_as_a_thread_of_a_world)
{
    static const int sizes[] = {40, 41, 200};
    for (int k = 0; k < 3; k++) {
        cg_gpu_setup setup;
        CHECK_OK(cg_setup_rod(sizes[k], 12, false, 0.001, &setup));
        for (int i = 0; i < sizes[k]; i++) { // not straight, so that everything acts
            double along = i / (double)sizes[k];
            setup.places[i].z += 0.003 * along * along;
            setup.places[i].y += 0.004 * along * (1 - along);
        }
        check_beside_library(&setup);
        cg_setup_free(&setup);
    }
}

TEST(rods_in_any_order_and_number_give_the_same_bits)
{
    cg_gpu_setup setup;
    CHECK_OK(cg_setup_rod(37, 3, false, 0.001, &setup));
    size_t bytes = (size_t)setup.nodes * sizeof(cg_vec3);
    cg_vec3 *alone = step_batch(&setup, 1, 0, 60, 0, 1);
    CHECK(v3_distance(alone[36], setup.places[36]) > 1e-3);
    static const int sizes[] = {1, 7, 33, 70}, lanes[] = {1, 2, 64, 13, 100};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        int worlds = sizes[seed % 4];
        cg_vec3 *other = step_batch(&setup, worlds, worlds - 1, 60, 31 * seed, lanes[seed % 5]);
        CHECK_INT(memcmp(alone, other, bytes), 0);
        free(other);
    }
    free(alone);
    cg_setup_free(&setup);
}

TEST(a_rod_that_nothing_holds_falls)
{
    cg_gpu_setup setup;
    CHECK_OK(cg_setup_rod(20, 2, true, 0.001, &setup));
    setup.law.rod.is_held = 0;
    setup.law.rod.push = v3_zero();
    setup.law.rod.drag = 0;
    cg_vec3 *end = step_batch(&setup, 1, 0, 100, 0, 1);
    for (int i = 0; i < 20; i++) {
        // implicit Euler: g h^2 n (n + 1) / 2
        CHECK_NEAR(end[i].z, -9.81 * 1e-6 * 5050, 1e-12);
        CHECK_NEAR(end[i].x, setup.places[i].x, 1e-12);
    }
    free(end);
    cg_setup_free(&setup);
}

TEST(passes_are_counted_and_end_where_the_motion_converged)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        cg_gpu_setup setup;
        cg_gpu *gpu;
        cg_batch *batch;
        double all = 0, most = 0;
        CHECK_OK(cg_setup_rod(40, 12, fixed != 0, 0.001, &setup));
        CHECK_OK(cg_gpu_open(&(cg_gpu_def){0}, &gpu));
        CHECK_OK(cg_setup_batch(gpu, &setup, CG_GPU_RODS, 3, false, &batch));
        CHECK_OK(cg_batch_step(batch, 100));
        CHECK_OK(cg_batch_passes(batch, 2, &all, &most));
        CHECK(fixed ? all == 1200 && most == 12 : all >= 100 && most < 12 && all < 600);
        CHECK_INT(cg_batch_passes(batch, 3, &all, &most).code, CG_BAD_INPUT);
        cg_batch_destroy(batch);
        cg_gpu_close(gpu);
        cg_setup_free(&setup);
    }
}
