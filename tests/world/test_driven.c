// What is led along by something that moves by itself.
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "catgut/rigid.h"
#include "harness.h"

// A free ball on a slab that is pushed along under it: the slab drives no thread, and there is none to ask.
TEST(a_ball_lies_on_a_slab_that_moves)
{
    cg_world_def def = cg_world_def_default();
    cg_world *world;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    static const cg_vec3 points[2] = {{0.5, 0, 0}, {0.51, 0, 0}};
    cg_thread_def thread = cg_thread_def_default();
    thread.vertex_count = 2;
    thread.positions = points;
    cg_thread_id far_away;
    CHECK_STR(cg_world_add_thread(world, &thread, &far_away).message, "");
    cg_shape_def slab = cg_shape_def_default();
    slab.shape = (cg_shape){.kind = CG_SHAPE_BOX, .half_extents = v3(0.05, 0.05, 0.005)};
    slab.pose.position = v3(0, 0, -0.005);
    slab.friction = 0.4;
    cg_shape_id floor;
    CHECK_STR(cg_world_add_shape(world, &slab, &floor).message, "");
    cg_rigid_part sphere = {.shape = {.kind = CG_SHAPE_SPHERE, .radius = 2e-3}, .pose = {.rotation = {0, 0, 0, 1}}};
    cg_rigid_def ball = cg_rigid_def_default();
    ball.parts = &sphere;
    ball.part_count = 1;
    ball.pose.position = v3(0, 0, 2e-3);
    cg_rigid_id id;
    CHECK_STR(cg_world_add_rigid(world, &ball, &id).message, "");
    for (int step = 0; step < 100; step++) {
        slab.pose.position.x += 1e-4;
        CHECK_STR(cg_shape_move(world, floor, slab.pose).message, "");
        cg_world_step(world);
    }
    cg_vec3 place = cg_rigid_get_pose(world, id).position;
    CHECK(place.z > 1.9e-3 && place.z < 2.1e-3);
    CHECK(place.x > 1e-4 && place.x < 1e-2); // friction takes it along
    cg_world_destroy(world);
}
