// A shape between tissue and thread: what a thread stops, the tissue must not walk into.
#include <math.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

static const double RADIUS = 3e-3; // [m] of the ball

static void move_ball(cg_world *world, cg_shape_id ball, double z)
{
    CHECK_STR(cg_shape_move(world, ball, (cg_transform){v3(0, 0, z), quat_identity()}).message, "");
}

static double height(const cg_world *world, cg_shape_id ball)
{
    return cg_shape_get_pose(world, ball).position.z;
}

// A thread along x over the top of the ball, every vertex of it held: nothing gets past it.
static void add_bar(cg_world *world, double z)
{
    enum { COUNT = 21 };
    cg_vec3 points[COUNT];
    for (int i = 0; i < COUNT; i++) {
        points[i] = v3(1e-3 * (i - COUNT / 2), 0, z);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = COUNT;
    def.positions = points;
    cg_thread_id thread;
    CHECK_STR(cg_world_add_thread(world, &def, &thread).message, "");
    for (int i = 0; i < COUNT; i++) {
        CHECK_STR(cg_thread_hold(world, thread, i, points[i]).message, "");
    }
}

// A ball that dents a pad is told to leave, and the pad springs after it; but a bar is right above it. Tissue moves
// before the threads stop the ball: it has to go back along its motion then, or it would be inside the ball.
TEST(tissue_does_not_follow_a_shape_that_threads_stop)
{
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 60;
    def.time_step = 5e-3;
    def.gravity = v3_zero();
    cg_world *world;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    cg_tissue_def pad = cg_tissue_def_default();
    pad.size = v3(20e-3, 20e-3, 0);
    cg_tissue_id tissue;
    CHECK_STR(cg_world_add_tissue(world, &pad, &tissue).message, "");
    cg_shape_def sphere = cg_shape_def_default();
    sphere.shape = (cg_shape){.kind = CG_SHAPE_SPHERE, .radius = RADIUS};
    sphere.pose.position = v3(0, 0, RADIUS + 0.2e-3);
    cg_shape_id ball;
    CHECK_STR(cg_world_add_shape(world, &sphere, &ball).message, "");
    for (int i = 0; i < 200; i++) {
        move_ball(world, ball, sphere.pose.position.z - 1.4e-3 * fmin(1, i / 100.0));
        cg_world_step(world);
    }
    double pressed = height(world, ball), radius = cg_thread_def_default().radius;
    CHECK(pressed < RADIUS - 1e-3);
    add_bar(world, pressed + RADIUS + radius + 20e-6);
    double least = INFINITY, most_way = 0;
    for (int i = 0; i < 20; i++) {
        move_ball(world, ball, pressed + 5e-3);
        cg_world_step(world);
        cg_vec3 centre = cg_shape_get_pose(world, ball).position;
        int triangle;
        double weights[3];
        least = fmin(least, cg_tissue_nearest(world, tissue, centre, &triangle, weights) - RADIUS);
        most_way = fmax(most_way, height(world, ball) - pressed);
    }
    CHECK(most_way < 60e-6); // the bar gives way by a part of its thickness at most
    CHECK(least > 0);
    cg_world_destroy(world);
}
