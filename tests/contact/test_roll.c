// Friction that turns threads: cylinders that roll, plates and posts that roll a thread, the torque it takes.
#include <math.h>
#include <stdlib.h>

#include "base/quat.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "thread/roll.h"
#include "world/world.h"

static cg_world *make_world(bool friction_torque, double time_step, cg_vec3 gravity)
{
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 200;
    def.friction_torque = friction_torque;
    def.time_step = time_step;
    def.gravity = gravity;
    cg_world *world = NULL;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    return world;
}

static cg_thread_id add_line(cg_world *world, cg_thread_def def, int count, cg_vec3 from, cg_vec3 step)
{
    cg_thread_id id;
    cg_vec3 points[100];
    for (int i = 0; i < count; i++) {
        points[i] = v3_add_scaled(from, i, step);
    }
    def.vertex_count = count;
    def.positions = points;
    CHECK_STR(cg_world_add_thread(world, &def, &id).message, "");
    return id;
}

static double turn_of(const cg_world *world, cg_thread_id id, int segments, int segment)
{
    double turns[100] = {0};
    CHECK_STR(cg_thread_turns(world, id, turns, segments).message, "");
    return turns[segment];
}

// A solid cylinder rolls down a slope with 2/3 of g sin(angle) and keeps its energy. Friction on the centre line, which
// cannot turn it, holds it where it is.
TEST(a_thread_rolls_down_a_slope_like_a_cylinder)
{
    for (int torque = 0; torque < 2; torque++) {
        double angle = 0.2, mu = 0.3, time = 0.1, step = 0.25e-3;
        cg_world *world = make_world(torque, step, v3(0, 0, -9.81));
        cg_shape_def slope = cg_shape_def_default();
        slope.pose.rotation = quat_from_axis_angle(v3(0, 1, 0), angle);
        slope.friction = mu;
        cg_shape_id shape;
        cg_thread_def def = cg_thread_def_default();
        def.friction = mu;
        def.drag = 0;
        CHECK_STR(cg_world_add_shape(world, &slope, &shape).message, "");
        cg_vec3 down = v3(cos(angle), 0, -sin(angle)), up = v3(sin(angle), 0, cos(angle));
        cg_thread_id id = add_line(world, def, 21, v3_scale(def.radius, up), v3(0, 1e-3, 0));
        double gravity_energy = cg_thread_get_energy(world, id).gravity;
        for (int i = 0; i < (int)(time / step); i++) {
            cg_world_step(world);
        }
        double rolled = v3_dot(cg_thread_positions(world, id, NULL)[10], down);
        double free = 0.5 * 9.81 * sin(angle) * time * time;
        CHECK_NEAR(rolled, torque ? 2.0 / 3.0 * free : 0, 0.01 * free);
        if (torque) {
            cg_thread_energy energy = cg_thread_get_energy(world, id);
            CHECK_NEAR(fabs(turn_of(world, id, 20, 10)), rolled / def.radius, 1e-3 * rolled / def.radius);
            CHECK_NEAR(energy.kinetic / (gravity_energy - energy.gravity), 1, 0.01);
        }
        cg_world_destroy(world);
    }
}

static cg_shape_id add_plate(cg_world *world, cg_vec3 at, cg_vec3 half_extents)
{
    cg_shape_def def = cg_shape_def_default();
    cg_shape_id id;
    def.shape = (cg_shape){.kind = CG_SHAPE_BOX, .half_extents = half_extents};
    def.pose.position = at;
    def.friction = 0.4;
    CHECK_STR(cg_world_add_shape(world, &def, &id).message, "");
    return id;
}

static void slide_plate(cg_world *world, cg_shape_id id, cg_vec3 by)
{
    cg_transform pose = cg_shape_get_pose(world, id);
    pose.position = v3_add(pose.position, by);
    CHECK_STR(cg_shape_move(world, id, pose).message, "");
}

// Bent a little between a plate below and two above that go the other way, a thread rolls on the spot by speed / radius
// and no plate feels a drag.
TEST(plates_that_move_apart_roll_a_thread_without_slip)
{
    cg_world *world = make_world(true, 1e-3, v3_zero());
    cg_thread_def def = cg_thread_def_default();
    def.friction = 0.4;
    double r = def.radius, speed = 0.02;
    cg_thread_id id = add_line(world, def, 41, v3(-0.01, 0, 0), v3(0.5e-3, 0, 0));
    cg_shape_id plates[3] = {add_plate(world, v3(0, 0, -r - 1.01e-3), v3(2e-3, 20e-3, 1e-3)),
                             add_plate(world, v3(-7e-3, 0, r + 1.01e-3), v3(1.5e-3, 20e-3, 1e-3)),
                             add_plate(world, v3(7e-3, 0, r + 1.01e-3), v3(1.5e-3, 20e-3, 1e-3))};
    for (int step = 0; step < 60; step++) {
        for (int k = 1; k < 3; k++) {
            slide_plate(world, plates[k], v3(0, 0, -1e-6));
        }
        cg_world_step(world);
    }
    double start = turn_of(world, id, 40, 20), pressed = 0;
    for (int step = 0; step < 150; step++) {
        for (int k = 0; k < 3; k++) {
            slide_plate(world, plates[k], v3(0, (k == 0 ? 1 : -1) * speed * 1e-3, 0));
        }
        cg_world_step(world);
    }
    for (int i = 0; i < 40; i++) {
        // The thread turns about its tangent by the right hand: the plate below goes along y, the axis is x.
        CHECK_NEAR(turn_of(world, id, 40, i) - start, speed * 0.15 / r, 0.01 * speed * 0.15 / r);
        CHECK_NEAR(cg_thread_positions(world, id, NULL)[i].y, 0, 0.1 * r);
    }
    for (int k = 0; k < 3; k++) {
        cg_vec3 force, torque;
        CHECK_INT(cg_shape_get_load(world, plates[k], &force, &torque).code, CG_OK);
        CHECK(fabs(force.y) < 0.02 * fabs(force.z));
        pressed += fabs(force.z);
    }
    CHECK(pressed > 1e-3);
    cg_world_destroy(world);
}

// A post that turns beside a thread turns it the other way, faster by the ratio of the radii; a thread that friction
// cannot turn is carried off instead.
TEST(a_turning_post_rolls_the_thread_that_leans_on_it)
{
    for (int torque = 0; torque < 2; torque++) {
        cg_world *world = make_world(torque, 1e-3, v3_zero());
        cg_shape_def post = cg_shape_def_default();
        cg_shape_id shape;
        post.shape = (cg_shape){.kind = CG_SHAPE_CAPSULE, .radius = 2e-3, .half_length = 0.02};
        post.friction = 0.4;
        CHECK_STR(cg_world_add_shape(world, &post, &shape).message, "");
        cg_thread_def def = cg_thread_def_default();
        def.friction = 0.4;
        cg_thread_id id = add_line(world, def, 21, v3(2e-3 + def.radius, 0, -5e-3), v3(0, 0, 0.5e-3));
        double angle = 0, rate = 5;
        for (int step = 0; step < 100; step++) {
            angle += rate * 1e-3 * fmin(1, (step + 1) / 50.0); // gently: friction has to start the turning
            cg_transform pose = {{0, 0, 0}, quat_from_axis_angle(v3(0, 0, 1), angle)};
            CHECK_STR(cg_shape_move(world, shape, pose).message, "");
            for (int i = 0; i < 21; i++) {
                cg_vec3 out = cg_thread_positions(world, id, NULL)[i];
                cg_thread_push_vertex(world, id, i, v3_scale(-1e-7, v3_unit_or(v3(out.x, out.y, 0), v3(1, 0, 0))));
            }
            cg_world_step(world);
        }
        cg_vec3 at = cg_thread_positions(world, id, NULL)[10];
        double round = atan2(at.y, at.x), ratio = 2e-3 / def.radius; // the thread also goes round the post
        if (torque) {
            double want = -(angle - round) * ratio + round;
            CHECK_NEAR(turn_of(world, id, 20, 10), want, 0.01 * fabs(want));
            CHECK(round > 0 && round < 0.4 * angle);
        } else {
            double want = angle * 2e-3 / (2e-3 + def.radius); // its axis goes as fast as the post's surface
            CHECK_NEAR(round, want, 0.01 * want);
        }
        cg_world_destroy(world);
    }
}

// A plate drags the middle of a clamped thread sideways by F. The torque in the thread jumps by r F there, and the
// material has turned as a rod does that is held at both ends.
TEST(friction_across_a_thread_twists_it_by_force_times_radius)
{
    cg_world *world = make_world(true, 1e-3, v3_zero());
    cg_thread_def def = cg_thread_def_default();
    def.friction = 0.4;
    def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_CLAMPED;
    def.drag = 200;
    double r = def.radius;
    cg_thread_id id = add_line(world, def, 41, v3(-0.01, 0, 0), v3(0.5e-3, 0, 0));
    cg_shape_id plate = add_plate(world, v3(0, 0, -r - 1e-3), v3(0.4e-3, 20e-3, 1e-3));
    for (int step = 0; step < 400; step++) {
        if (step < 200) {
            slide_plate(world, plate, step < 100 ? v3(0, 0, 0.1e-6) : v3(0, 0.02e-6, 0));
        }
        cg_world_step(world);
    }
    cg_vec3 force, moment;
    double torques[41];
    CHECK_INT(cg_shape_get_load(world, plate, &force, &moment).code, CG_OK);
    CHECK_STR(cg_thread_torques(world, id, torques, 41).message, "");
    CHECK(fabs(force.y) > 1e-6 && fabs(force.y) < 0.3 * fabs(force.z));
    CHECK_NEAR(torques[5] - torques[35], -r * force.y, 0.002 * r * fabs(force.y));
    CHECK_NEAR(torques[5], -torques[35], 0.03 * fabs(torques[5])); // one touch, half a segment off the middle
    double shear = def.youngs_modulus / (2 * (1 + def.poisson_ratio)), twist = shear * CG_PI * pow(r, 4) / 2;
    double want = torques[5] / twist * 5.25e-3; // up to the middle of that segment
    CHECK_NEAR(turn_of(world, id, 40, 10), want, 0.02 * fabs(want));
    cg_world_destroy(world);
}

static cg_vec3 angular_momentum(const cg_world *world)
{
    cg_vec3 sum = v3_zero();
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        const cg_thread *thread = s->thread;
        for (int i = 0; i < thread->vertex_count; i++) {
            cg_vec3 momentum = v3_scale(thread->mass[i], thread->velocity[i]);
            sum = v3_add(sum, v3_cross(thread->shape.position[i], momentum));
        }
        for (int i = 0; thread->rolling && i < thread->segment_count; i++) {
            sum = v3_add_scaled(sum, cg_roll_inertia(thread, i) * thread->spin[i], thread->shape.tangent[i]);
        }
    }
    return sum;
}

// Two threads side by side graze each other in free flight. What the axes lose of angular momentum goes into spin; when
// friction acts on the axes alone it is simply lost.
TEST(a_grazing_collision_keeps_angular_momentum)
{
    for (int torque = 0; torque < 2; torque++) {
        double step = 2e-5;
        cg_world *world = make_world(torque, step, v3_zero());
        cg_thread_def def = cg_thread_def_default();
        def.friction = 0.4;
        def.drag = 0;
        cg_vec3 points[2][11], velocity[2][11];
        cg_thread_id ids[2];
        for (int t = 0; t < 2; t++) {
            double side = t == 0 ? 1 : -1;
            ids[t] = add_line(world, def, 11, v3(0, 0, side * 1.05 * def.radius), v3(0.5e-3, 0, 0));
            for (int i = 0; i < 11; i++) {
                points[t][i] = cg_thread_positions(world, ids[t], NULL)[i];
                velocity[t][i] = v3(0, side * 0.05, -side * 0.02);
            }
            CHECK_STR(cg_thread_set_state(world, ids[t], points[t], velocity[t]).message, "");
        }
        double before = angular_momentum(world).x;
        for (int i = 0; i < 25; i++) {
            cg_world_step(world);
        }
        double change = (angular_momentum(world).x - before) / before;
        cg_vec3 apart =
            v3_sub(cg_thread_positions(world, ids[0], NULL)[5], cg_thread_positions(world, ids[1], NULL)[5]);
        cg_vec3 speed =
            v3_sub(cg_thread_velocities(world, ids[0], NULL)[5], cg_thread_velocities(world, ids[1], NULL)[5]);
        CHECK_NEAR(v3_length(apart), 2 * def.radius, 0.02 * def.radius);
        CHECK(v3_dot(speed, apart) > -1e-3 * v3_length(apart)); // they have met
        CHECK(torque ? fabs(change) < 0.02 : fabs(change) > 0.05);
        if (torque) {
            CHECK(fabs(turn_of(world, ids[0], 10, 5)) > 0.01);
            CHECK_NEAR(turn_of(world, ids[0], 10, 5), turn_of(world, ids[1], 10, 5), 1e-6);
        }
        cg_world_destroy(world);
    }
}

// Where nothing touches, both ways to twist come to the same rest: a rod that is bent and turned at its clamps.
TEST(a_twisted_rod_settles_as_without_friction_torque)
{
    cg_vec3 middle[2];
    double torques[2][31];
    for (int torque = 0; torque < 2; torque++) {
        cg_world *world = make_world(torque, 1e-3, v3_zero());
        cg_thread_def def = cg_thread_def_default();
        def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_CLAMPED;
        def.drag = 200;
        cg_thread_id id = add_line(world, def, 31, v3_zero(), v3(1e-3, 0, 0));
        cg_end_hold hold = cg_thread_get_end(world, id, CG_FINISH);
        for (int step = 0; step < 1500; step++) {
            double share = fmin(1, step / 500.0);
            hold.position = v3(0.03 - 0.006 * share, 0.004 * share, 0);
            hold.direction = v3(cos(0.5 * share), 0, sin(0.5 * share));
            hold.turn = 4 * share;
            CHECK_STR(cg_thread_set_end(world, id, CG_FINISH, &hold).message, "");
            cg_world_step(world);
        }
        middle[torque] = cg_thread_positions(world, id, NULL)[15];
        CHECK_STR(cg_thread_torques(world, id, torques[torque], 31).message, "");
        cg_world_destroy(world);
    }
    CHECK_NEAR(v3_distance(middle[0], middle[1]), 0, 1e-7);
    for (int i = 0; i < 31; i++) {
        CHECK_NEAR(torques[1][i], torques[0][15], 1e-4 * fabs(torques[0][15]));
    }
}

// A hand that holds two neighbouring vertices does not let the thread turn between them: one end is rolled, the torque
// stands between the two.
TEST(a_held_segment_does_not_turn)
{
    cg_world *world = make_world(true, 1e-3, v3(0, 0, -9.81));
    cg_thread_def def = cg_thread_def_default();
    def.friction = 0.4;
    cg_thread_id id = add_line(world, def, 41, v3(-0.02, 0, def.radius), v3(1e-3, 0, 0));
    cg_shape_id plate = add_plate(world, v3(0, 0, -1e-3), v3(15e-3, 20e-3, 1e-3));
    const cg_vec3 *x = cg_thread_positions(world, id, NULL);
    CHECK_STR(cg_thread_hold(world, id, 0, x[0]).message, "");
    CHECK_STR(cg_thread_hold(world, id, 1, x[1]).message, "");
    for (int step = 0; step < 200; step++) {
        slide_plate(world, plate, v3(0, 0.5e-6, 0));
        cg_world_step(world);
    }
    double torques[41];
    CHECK_STR(cg_thread_torques(world, id, torques, 41).message, "");
    CHECK_NEAR(turn_of(world, id, 40, 0), 0, 1e-9);
    CHECK(fabs(turn_of(world, id, 40, 30)) > 1e-5);
    CHECK(torques[3] > 3e-10 && torques[3] < 8e-10);             // about radius times friction times weight
    CHECK_NEAR(torques[4], torques[2], 1e-3 * fabs(torques[2])); // nothing touches there
    cg_world_destroy(world);
}
