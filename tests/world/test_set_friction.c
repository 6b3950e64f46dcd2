// Friction that is changed while a world runs: it is felt, it is state, and threads whose friction nobody changes have
// the state they always had.
#include <math.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

enum { VERTICES = 11, ROOM = 1 << 16 };

// A thread that lies on a plane, with gravity 30 degrees off the normal; the plane's own friction is 1, and the mean of
// the two counts.
static cg_world *make_slope(double friction, cg_thread_id *thread)
{
    cg_world_def world_def = cg_world_def_default();
    world_def.max_contacts = 40;
    world_def.gravity = v3(9.81 * 0.5, 0, -9.81 * 0.8660254037844386);
    cg_world *world;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    cg_shape_def plane = cg_shape_def_default();
    plane.shape.kind = CG_SHAPE_HALF_SPACE;
    plane.friction = 1;
    cg_shape_id shape;
    CHECK_STR(cg_world_add_shape(world, &plane, &shape).message, "");
    cg_vec3 points[VERTICES];
    cg_thread_def def = cg_thread_def_default();
    for (int i = 0; i < VERTICES; i++) {
        points[i] = v3(0, 1e-3 * i, 1.001 * def.radius);
    }
    def.vertex_count = VERTICES;
    def.positions = points;
    def.friction = friction;
    def.drag = 0;
    CHECK_STR(cg_world_add_thread(world, &def, thread).message, "");
    return world;
}

static double place_of(const cg_world *world, cg_thread_id thread)
{
    return cg_thread_positions(world, thread, NULL)[VERTICES / 2].x;
}

static void step(cg_world *world, int count)
{
    for (int i = 0; i < count; i++) {
        cg_world_step(world);
    }
}

// tan 30 degrees is 0.577: it stands with 0.8 and slides with 0.2, by (sin - mu cos) g t^2 / 2.
TEST(a_thread_slides_when_friction_is_lowered)
{
    cg_thread_id thread;
    cg_world *world = make_slope(0.64, &thread);
    step(world, 100);
    double stood = place_of(world, thread);
    CHECK_NEAR(stood, 0, 2e-5);
    CHECK_NEAR(cg_thread_get_friction(world, thread), 0.64, 0);
    CHECK_STR(cg_thread_set_friction(world, thread, 0.04).message, "");
    step(world, 100);
    double expected = 0.5 * 9.81 * (0.5 - 0.2 * 0.8660254037844386) * 0.01;
    CHECK_NEAR((place_of(world, thread) - stood) / expected, 1, 0.03);
    cg_world_destroy(world);
}

TEST(friction_out_of_range_is_refused)
{
    cg_thread_id thread, none = {0, 0};
    cg_world *world = make_slope(0.3, &thread);
    uint64_t hash = cg_world_state_hash(world);
    CHECK_INT(cg_thread_set_friction(world, thread, -0.1).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_set_friction(world, thread, 101).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_set_friction(world, thread, NAN).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_set_friction(world, none, 0.1).code, CG_BAD_HANDLE);
    CHECK_NEAR(cg_thread_get_friction(world, none), 0, 0);
    CHECK_HASH(cg_world_state_hash(world), hash);
    cg_world_destroy(world);
}

TEST(changed_friction_is_state)
{
    static unsigned char before[ROOM], after[ROOM];
    cg_thread_id thread, twin_thread;
    cg_world *world = make_slope(0.64, &thread), *twin = make_slope(0.64, &twin_thread);
    step(world, 20);
    uint64_t first = cg_world_state_hash(world);
    size_t small = cg_world_snapshot_size(world);
    CHECK_STR(cg_world_snapshot(world, before, ROOM).message, "");
    cg_thread_set_friction(world, thread, 0.04);
    CHECK(cg_world_state_hash(world) != first);
    CHECK_INT(cg_world_snapshot_size(world), small);
    step(world, 10);
    CHECK_STR(cg_world_snapshot(world, after, ROOM).message, "");
    // A world that never heard of it goes on as the first one.
    CHECK_STR(cg_world_restore(twin, after, cg_world_snapshot_size(world)).message, "");
    CHECK_NEAR(cg_thread_get_friction(twin, twin_thread), 0.04, 0);
    step(world, 20);
    step(twin, 20);
    CHECK_HASH(cg_world_state_hash(twin), cg_world_state_hash(world));
    // And back to before the change.
    CHECK_STR(cg_world_restore(world, before, small).message, "");
    CHECK_NEAR(cg_thread_get_friction(world, thread), 0.64, 0);
    CHECK_HASH(cg_world_state_hash(world), first);
    // Set to what it was made with, it is the state of then.
    cg_thread_set_friction(world, thread, 0.04);
    cg_thread_set_friction(world, thread, 0.64);
    CHECK_HASH(cg_world_state_hash(world), first);
    cg_world_destroy(world);
    cg_world_destroy(twin);
}
