// label: golden
// Bodies in snapshots, hashes and steps that take no memory.
#include <stdlib.h>

#include "alloc_count.h"
#include "find/skin_rows.h"
#include "geometry/shape.h"
#include "rigid_rig.h"
#include "world/world.h"

static void add_thread(cg_world *world)
{
    enum { VERTICES = 41 };
    cg_vec3 points[VERTICES];
    cg_thread_def thread = cg_thread_def_default();
    for (int i = 0; i < VERTICES; i++) {
        points[i] = v3(0.001 * (i - 20), 0.001, 0.002);
    }
    thread.positions = points;
    thread.vertex_count = VERTICES;
    cg_thread_id id;
    CHECK_STR(cg_world_add_thread(world, &thread, &id).message, "");
}

// A needle and a box fall on a thread and a table.
static cg_world *busy_world(bool with_thread, cg_rigid_id *needle)
{
    cg_world *world = make_world(1e-3, v3(0, 0, -9.81));
    add_shape(world, shape_half_space(), transform_identity(), 0.3);
    if (with_thread) {
        add_thread(world);
    }
    cg_rigid_part parts[ARC_PARTS];
    cg_rigid_def def = cg_rigid_def_default();
    arc_parts(parts, 0.008, 0.0003);
    def.mass = 40e-6;
    def.pose = (cg_transform){v3(0, 0, 0.006), quat_normalise(quat(0.6, 0.1, 0, 1))};
    *needle = add_body(world, def, parts, ARC_PARTS);
    cg_rigid_part box = box_part(0.003, 0.002, 0.001);
    def.mass = 1e-4;
    def.pose.position = v3(0.002, 0.001, 0.014);
    add_body(world, def, &box, 1);
    return world;
}

TEST(a_world_with_bodies_goes_on_from_a_snapshot_to_the_bit)
{
    cg_rigid_id needle;
    cg_world *world = busy_world(true, &needle);
    for (int step = 0; step < 60; step++) {
        cg_world_step(world);
    }
    size_t size = cg_world_snapshot_size(world);
    void *bytes = malloc(size);
    CHECK_INT(cg_world_snapshot(world, bytes, size).code, CG_OK);
    uint64_t then = cg_world_state_hash(world);
    for (int step = 0; step < 60; step++) {
        cg_world_step(world);
    }
    uint64_t later = cg_world_state_hash(world);
    CHECK(later != then);
    CHECK_INT(cg_world_restore(world, bytes, size).code, CG_OK);
    CHECK(cg_world_state_hash(world) == then);
    for (int step = 0; step < 60; step++) {
        cg_world_step(world);
    }
    CHECK_HASH(cg_world_state_hash(world), later);
    // Another world of the same bodies can take it too; one without them cannot.
    cg_rigid_id other_needle;
    cg_world *other = busy_world(true, &other_needle);
    CHECK_INT(cg_world_restore(other, bytes, size).code, CG_OK);
    CHECK(cg_world_state_hash(other) == then);
    CHECK_INT(cg_world_remove_rigid(other, other_needle).code, CG_OK);
    uint64_t fewer = cg_world_state_hash(other);
    cg_status status = cg_world_restore(other, bytes, size);
    CHECK_INT(status.code, CG_MISMATCH);
    CHECK_STR(status.message, "the saved state has 2 rigid bodies of the world, the present one has 1");
    CHECK(cg_world_state_hash(other) == fewer);
    cg_world_destroy(other);
    free(bytes);
    cg_world_destroy(world);
}

// Where a step is taken back, a body keeps that share of its spin; the way that is walked is that of the whole step.
TEST(a_body_that_is_taken_back_keeps_its_share_of_the_spin)
{
    cg_world *world = make_world(1e-3, v3_zero());
    cg_rigid_def def = cg_rigid_def_default();
    cg_rigid_part box = box_part(0.003, 0.002, 0.001);
    def.pose.position = v3(0, 0, 0.1);
    def.spin = v3(0, 0, 100);
    add_thread(world);
    add_body(world, def, &box, 1);
    cg_world_step(world);
    cg_rigid *body = cg_pool_first(&world->rigids);
    CHECK_NEAR(cg_touch_whole_share(&world->touches), 1, 0);
    cg_quat walked = cg_moving_shape_pose(&world->touches.cast.moving[0], 1).rotation;
    CHECK_NEAR(fabs(quat_dot(walked, body->now.rotation)), 1, 1e-12);
    body->way = v3(0, 0, 1e-3); // as of a last pass that had little left
    cg_touch_whole_share(&world->touches);
    walked = cg_moving_shape_pose(&world->touches.cast.moving[0], 1).rotation;
    CHECK_NEAR(fabs(quat_dot(walked, body->now.rotation)), 1, 1e-12);
    cg_touch_take_share(&world->touches, 0.25);
    cg_rigid_finish_step(body);
    CHECK_NEAR(cg_rigid_spin(body).z, 25, 0.1);
    cg_world_destroy(world);
}

// Tissue that is there is looked at for threads: without one, bodies beside it go as they would without it.
TEST(a_body_beside_tissue_falls_without_a_thread)
{
    cg_vec3 ends[2];
    for (int k = 0; k < 2; k++) {
        cg_world *world = make_world(1e-3, v3(0, 0, -9.81));
        cg_rigid_def def = cg_rigid_def_default();
        cg_rigid_part box = box_part(0.003, 0.002, 0.001);
        cg_tissue_def pad = cg_tissue_def_default();
        cg_tissue_id tissue;
        def.pose.position = v3(0.2, 0, 0.02);
        cg_rigid_id id = add_body(world, def, &box, 1);
        add_shape(world, shape_half_space(), transform_identity(), 0.3);
        if (k == 1) {
            pad.pose.position = v3(0, 0, 0.2);
            CHECK_STR(cg_world_add_tissue(world, &pad, &tissue).message, "");
        }
        for (int step = 0; step < 100; step++) {
            cg_world_step(world);
        }
        CHECK(k == 0 || !cg_world_first_tissue(world)->skin->has_pairs); // its step never began
        ends[k] = info_of(world, id).centre;
        cg_world_destroy(world);
    }
    CHECK(ends[0].z < 0.002);
    CHECK(v3_distance(ends[0], ends[1]) == 0);
}

// A state from a file has no body where, or as fast as, none can be.
TEST(bodies_beyond_all_bounds_are_refused)
{
    cg_rigid_id needle;
    for (int k = 0; k < 6; k++) {
        cg_world *liar = busy_world(false, &needle), *honest = busy_world(false, &needle);
        cg_rigid *body = cg_pool_first(&liar->rigids);
        cg_vec3 *numbers[] = {&body->velocity, &body->momentum,     &body->push,
                              &body->moment,   &body->now.position, &body->velocity};
        *numbers[k] = v3(0, k == 5 ? 1e3 : 1e40, 0); // the last one is not beyond them
        size_t size = cg_world_snapshot_size(liar);
        void *bytes = malloc(size);
        CHECK_STR(cg_world_snapshot(liar, bytes, size).message, "");
        CHECK_INT(cg_world_restore(honest, bytes, size).code, k == 5 ? CG_OK : CG_BAD_INPUT);
        free(bytes);
        cg_world_destroy(liar);
        cg_world_destroy(honest);
    }
}

// Every state that a world comes to can be loaded again.
TEST(bodies_pushed_beyond_all_bounds_can_go_on)
{
    cg_world *world = make_world(1e-3, v3_zero());
    cg_rigid_def def = cg_rigid_def_default();
    cg_rigid_part box = box_part(0.003, 0.002, 0.001);
    def.mass = 1e-9;
    cg_rigid_id id = add_body(world, def, &box, 1);
    const cg_rigid *body = cg_pool_first(&world->rigids);
    int refused = 0;
    for (int step = 0; step < 40; step++) {
        CHECK_STR(cg_rigid_push(world, id, v3(step % 3 == 0 ? -1e9 : 1e9, 0, 0), v3(0, 1e6, 0)).message, "");
        cg_world_step(world);
        refused += body->refused;
        size_t size = cg_world_snapshot_size(world);
        void *bytes = malloc(size);
        CHECK_STR(cg_world_snapshot(world, bytes, size).message, "");
        CHECK_STR(cg_world_restore(world, bytes, size).message, "");
        free(bytes);
    }
    CHECK(refused > 0);
    cg_world_destroy(world);
}

TEST(the_state_of_a_body_is_all_in_the_hash)
{
    cg_rigid_id needle;
    cg_world *world = busy_world(true, &needle);
    uint64_t before = cg_world_state_hash(world);
    CHECK_INT(cg_rigid_push(world, needle, v3(1e-6, 0, 0), v3(0, 0, 0)).code, CG_OK);
    CHECK(cg_world_state_hash(world) != before);
    cg_world_destroy(world);
}

TEST(a_step_with_bodies_takes_no_memory)
{
    cg_rigid_id needle;
    cg_world *world = busy_world(true, &needle);
    long taken = test_allocations();
    for (int step = 0; step < 100; step++) {
        cg_world_step(world);
    }
    CHECK_INT(test_allocations() - taken, 0);
    cg_world_destroy(world);
}

TEST(contacts_name_bodies)
{
    cg_rigid_id needle;
    cg_world *world = busy_world(true, &needle);
    int with_shape = 0, with_thread = 0;
    for (int step = 0; step < 300; step++) {
        cg_world_step(world);
        cg_contact_info contact;
        for (int i = 0; cg_world_get_contact(world, i, &contact); i++) {
            bool is_needle = contact.bodies[0].index == needle.index;
            with_shape += is_needle && contact.shape.index != 0;
            with_thread += contact.threads[0].index != 0 && contact.bodies[1].index != 0;
            CHECK(contact.bodies[0].index != 0 || contact.threads[0].index != 0);
        }
    }
    CHECK(with_shape > 0 && with_thread > 0);
    cg_world_destroy(world);
}

// A change here changes worlds with bodies: say why in the commit.
TEST(bodies_move_by_these_bits)
{
    cg_rigid_id needle;
    cg_world *world = busy_world(false, &needle);
    for (int step = 0; step < 200; step++) {
        cg_world_step(world);
    }
    CHECK_GOLDEN(cg_world_state_hash(world));
    cg_world_destroy(world);
}
