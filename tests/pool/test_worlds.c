// Two worlds that two threads step at the same time: the library keeps nothing between worlds, so each has the bits
// that it has alone. Under ThreadSanitizer (scripts/test-all, preset tsan) nothing of the one is seen by the other.
#include <pthread.h>

#include "catgut/catgut.h"
#include "harness.h"

enum { STEPS = 1000, VERTICES = 31 };

static cg_vec3 at(double x, double y, double z)
{
    return (cg_vec3){x, y, z};
}

static void add_thread(cg_world *world, cg_vec3 from, cg_vec3 along)
{
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        points[i] = at(from.x + i * along.x, from.y + i * along.y, from.z + i * along.z);
    }
    cg_thread_def thread = cg_thread_def_default();
    cg_thread_id id;
    thread.positions = points;
    thread.vertex_count = VERTICES;
    CHECK_STR(cg_world_add_thread(world, &thread, &id).message, "");
}

// Two threads that cross fall on a ball and on the ground; a second ball lies on a pad of tissue. Worlds of other
// numbers have other places.
static cg_world *make_world(int number)
{
    const cg_quat upright = {.w = 1};
    double shift = 0.2e-3 * number;
    cg_world *world = NULL;
    cg_world_def def = cg_world_def_default();
    if (!CHECK_STR(cg_world_create(&def, &world).message, "")) {
        return NULL;
    }
    cg_shape_def ground = {
        .shape = {.kind = CG_SHAPE_HALF_SPACE}, .pose = {at(0, 0, -10e-3), upright}, .friction = 0.3};
    cg_shape_id shape;
    CHECK_STR(cg_world_add_shape(world, &ground, &shape).message, "");
    cg_rigid_part part = {.shape = {.kind = CG_SHAPE_SPHERE, .radius = 2e-3}, .pose = {at(0, 0, 0), upright}};
    cg_rigid_def ball = cg_rigid_def_default();
    ball.parts = &part;
    ball.part_count = 1;
    ball.mass = 1e-3;
    const cg_vec3 places[2] = {at(0.1 + shift, 0, -7.9e-3), at(shift, 0, 2.05e-3)};
    for (int i = 0; i < 2; i++) {
        cg_rigid_id id;
        ball.pose.position = places[i];
        CHECK_STR(cg_world_add_rigid(world, &ball, &id).message, "");
    }
    cg_tissue_def pad = cg_tissue_def_default();
    cg_tissue_id tissue;
    pad.size = at(12e-3, 12e-3, 0);
    pad.layers[0].thickness = 4e-3;
    pad.fix_bottom = true;
    CHECK_STR(cg_world_add_tissue(world, &pad, &tissue).message, "");
    add_thread(world, at(0.1 - 7.5e-3, 0, -5.6e-3), at(0.5e-3, 0, 0));
    add_thread(world, at(0.1 + shift, -7.5e-3, -5.0e-3), at(0, 0.5e-3, 0));
    return world;
}

static void *step(void *world)
{
    for (int i = 0; i < STEPS; i++) {
        cg_world_step(world);
    }
    return NULL;
}

TEST(two_worlds_in_two_threads_have_the_bits_that_they_have_alone)
{
    uint64_t alone[2] = {0};
    for (int i = 0; i < 2; i++) {
        cg_world *world = make_world(i);
        if (!CHECK(world != NULL)) {
            return;
        }
        step(world);
        alone[i] = cg_world_state_hash(world);
        CHECK(cg_world_contact_count(world) > 0);
        cg_world_destroy(world);
    }
    CHECK(alone[0] != alone[1]);
    cg_world *worlds[2] = {make_world(0), make_world(1)};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, step, worlds[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        CHECK_HASH(cg_world_state_hash(worlds[i]), alone[i]);
        cg_world_destroy(worlds[i]);
    }
}
