// Hands against closed forms: the damped oscillator, weights, springs in a row; and what they refuse.
#include <math.h>

#include "alloc_count.h"
#include "base/quat.h"
#include "hand_rig.h"

// m x'' = k (c - x) + d (c' - x') with a step of c by 1 at time 0 and critical damping: 1 - (1 - w t) exp(-w t).
TEST(an_open_hand_follows_its_command_like_a_damped_oscillator)
{
    cg_world_def world = cg_world_def_default();
    world.time_step = 2e-5;
    cg_hand_def def = cg_hand_def_default();
    def.damping = 2 * sqrt(def.stiffness * def.mass);
    def.max_force = 1e6;
    cg_thread_def thread = cg_thread_def_default();
    hand_rig rig = rig_create(&world, &def, &thread);
    double w = sqrt(def.stiffness / def.mass), before = rig_state(&rig, 0).pose.position.y;
    rig_move(&rig, 0, v3(0, before + 1e-3, 0), 0);
    for (int step = 1; step <= 1500; step++) {
        cg_world_step(rig.world);
        double t = world.time_step * step;
        CHECK_NEAR(rig_state(&rig, 0).pose.position.y, 1e-3 * (1 - (1 - w * t) * exp(-w * t)), 6e-6);
    }
    cg_world_destroy(rig.world);
}

TEST(a_command_far_away_accelerates_a_hand_by_its_greatest_force)
{
    hand_rig rig = rig_usual();
    cg_hand_def def = cg_hand_def_default();
    rig_move(&rig, 0, v3(-100, 0, 0), 0);
    cg_world_step(rig.world); // in this step the command jumps, and the damper pulls too; limited all the same
    rig_run(&rig, 49);
    double h = 1e-3, expected = -def.max_force / def.mass * h * h * 50 * 51 / 2;
    CHECK_NEAR(rig_state(&rig, 0).pose.position.x, expected, 0.01 * fabs(expected));
    cg_world_destroy(rig.world);
}

TEST(poses_at_any_rate_give_an_even_command)
{
    hand_rig rig = rig_usual();
    for (int k = 1; k <= 10; k++) { // 16 ms apart
        rig_move(&rig, 1, v3(0.06, 1e-3 * k, 0), 16e-3);
        for (int step = 1; step <= 16; step++) {
            cg_world_step(rig.world);
            CHECK_NEAR(rig_state(&rig, 1).command.position.y, 1e-3 * (k - 1 + step / 16.0), 1e-12);
        }
    }
    // The hand keeps up with an even motion without a lag, but for the start.
    CHECK(rig_state(&rig, 1).lag < 2e-5);
    cg_world_destroy(rig.world);
}

TEST(a_hand_feels_the_weight_of_what_hangs_from_it)
{
    cg_thread_def thread = cg_thread_def_default();
    cg_world_def world = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    thread.drag = 50;
    hand_rig rig = rig_create(&world, &hand, &thread);
    rig_close(&rig, 0);
    CHECK_INT(rig_state(&rig, 0).first_vertex, 0);
    CHECK_INT(rig_state(&rig, 0).vertex_count, 3); // the end and 2 mm
    rig_run(&rig, 3000);
    double weight = CG_PI * thread.radius * thread.radius * thread.density * 60e-3 * 9.81;
    cg_hand_state state = rig_state(&rig, 0);
    CHECK_NEAR(state.force.z, -weight, 1e-4 * weight);
    CHECK_NEAR(state.force.x, 0, 1e-4 * weight);
    // The moment of the weight about the hand: where the middle of the mass hangs.
    int count;
    const cg_vec3 *x = cg_thread_positions(rig.world, rig.thread, &count);
    double moment = 0, mass = weight / 9.81 / 60;
    for (int i = 0; i < count; i++) {
        moment += mass * (i == 0 || i == count - 1 ? 0.5 : 1) * 9.81 * (x[i].x - state.pose.position.x);
    }
    CHECK_NEAR(state.torque.y, moment, 1e-3 * moment);
    cg_world_destroy(rig.world);
}

// A thread between a pinned end and a hand that is told to be 1 m away: the pull is the hand's most, and so is the
// tension; a fine thread is not stretched by more than 15 %.
static void pull_hard(double radius, double most)
{
    cg_thread_def thread = cg_thread_def_default();
    cg_world_def world = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    world.gravity = v3_zero();
    thread.ends[CG_START].kind = CG_END_PINNED;
    thread.radius = radius;
    thread.drag = 100;
    hand_rig rig = rig_create(&world, &hand, &thread);
    rig_close(&rig, 1);
    rig_move(&rig, 1, v3(1, 0, 0), 0.1);
    rig_run(&rig, 800);
    cg_thread_summary summary = cg_thread_get_summary(rig.world, rig.thread);
    CHECK_NEAR(rig_state(&rig, 1).force.x, -most, 1e-3 * most);
    CHECK_NEAR(cg_thread_hold_force(rig.world, rig.thread, 0).x, -most, 1e-3 * most);
    CHECK_NEAR(summary.max_tension, most, 1e-2 * most);
    CHECK(rig_state(&rig, 1).lag > 0.9);
    cg_world_destroy(rig.world);
}

TEST(a_hand_pulls_no_more_than_it_may)
{
    double area = CG_PI * 0.11e-3 * 0.11e-3, fine = CG_PI * 0.0125e-3 * 0.0125e-3;
    CHECK(0.15 * 2.5e9 * area > 10);
    pull_hard(0.11e-3, 10);
    pull_hard(0.0125e-3, 0.15 * 2.5e9 * fine);
}

// Springs in a row: hand, thread, wall.
TEST(a_hand_that_pulls_a_taut_thread_lags_by_its_spring)
{
    cg_thread_def thread = cg_thread_def_default();
    cg_world_def world = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    hand.jaw_length = 0;
    world.gravity = v3_zero();
    thread.ends[CG_START].kind = CG_END_PINNED;
    thread.drag = 100;
    hand_rig rig = rig_create(&world, &hand, &thread);
    rig_close(&rig, 1);
    rig_move(&rig, 1, v3(0.064, 0, 0), 0.05);
    rig_run(&rig, 800);
    // The hand holds the last two vertices, its middle at 59.5 mm; the springs of both share its pull.
    double area = CG_PI * thread.radius * thread.radius, stretch = thread.youngs_modulus * area / 59e-3;
    double force = 4e-3 / (1 / hand.stiffness + 1 / stretch);
    CHECK_INT(rig_state(&rig, 1).vertex_count, 2);
    CHECK_NEAR(rig_state(&rig, 1).force.x, -force, 0.01 * force);
    CHECK_NEAR(rig_state(&rig, 1).lag, force / hand.stiffness, 0.01 * force / hand.stiffness);
    cg_world_destroy(rig.world);
}

TEST(a_turned_hand_turns_the_thread_it_holds)
{
    cg_thread_def thread = cg_thread_def_default();
    cg_world_def world = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    world.gravity = v3_zero();
    thread.drag = 100;
    hand_rig rig = rig_create(&world, &hand, &thread);
    rig_close(&rig, 1);
    cg_transform turned = {v3(0.06, 0, 0), quat_from_axis_angle(v3(0, 0, 1), 1.2)};
    CHECK_INT(cg_hand_move(rig.world, rig.hands[1], turned, 0.3).code, CG_OK);
    rig_run(&rig, 1500);
    const cg_vec3 *x = cg_thread_positions(rig.world, rig.thread, NULL);
    cg_vec3 direction = v3_unit_or(v3_sub(x[60], x[58]), v3(1, 0, 0));
    CHECK_NEAR(direction.x, cos(1.2), 5e-3);
    CHECK_NEAR(direction.y, sin(1.2), 5e-3);
    CHECK_NEAR(quat_dot(rig_state(&rig, 1).pose.rotation, turned.rotation), 1, 1e-4);
    cg_world_destroy(rig.world);
}

// A bar of torsional stiffness GJ, clamped at one end and turned by a hand at the other.
TEST(a_hand_twists_a_thread_where_the_world_has_friction_torque)
{
    cg_thread_def thread = cg_thread_def_default();
    cg_world_def world = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    world.gravity = v3_zero();
    world.friction_torque = true;
    world.max_contacts = 20;
    thread.ends[CG_START].kind = CG_END_CLAMPED;
    thread.drag = 100;
    hand.stiffness = 1e5; // so that it does not give way sideways
    hand.turn_stiffness = 1;
    hand_rig rig = rig_create(&world, &hand, &thread);
    rig_close(&rig, 1);
    for (int part = 1; part <= 4; part++) { // a quarter of a turn each
        cg_transform pose = {v3(0.06, 0, 0), quat_from_axis_angle(v3(1, 0, 0), 0.5 * CG_PI * part)};
        CHECK_INT(cg_hand_move(rig.world, rig.hands[1], pose, 0.1).code, CG_OK);
        rig_run(&rig, 100);
    }
    rig_run(&rig, 300);
    double torques[RIG_VERTICES], r = thread.radius, shear = thread.youngs_modulus / (2 * (1 + thread.poisson_ratio));
    double expected = shear * CG_PI * r * r * r * r / 2 * 2 * CG_PI / 58e-3; // the hand holds the last 2 mm
    CHECK_INT(cg_thread_torques(rig.world, rig.thread, torques, RIG_VERTICES).code, CG_OK);
    CHECK_NEAR(torques[30], expected, 0.02 * expected);
    CHECK_NEAR(torques[10], expected, 0.02 * expected);
    cg_world_destroy(rig.world);
}

TEST(what_is_held_already_is_refused)
{
    hand_rig rig = rig_usual();
    rig_move(&rig, 0, v3(0.0301, 0, 0), 0.05);
    rig_move(&rig, 1, v3(0.0305, 0, 0.001), 0.05);
    CHECK_INT(cg_thread_hold(rig.world, rig.thread, 0, v3_zero()).code, CG_OK);
    CHECK_INT(cg_thread_hold(rig.world, rig.thread, 30, v3(0.03, 0, 0)).code, CG_OK);
    CHECK_INT(cg_thread_hold(rig.world, rig.thread, 60, v3(0.06, 0, 0)).code, CG_OK);
    rig_run(&rig, 200);
    CHECK_INT(cg_hand_close(rig.world, rig.hands[0]).code, CG_BAD_INPUT);
    CHECK(!rig_state(&rig, 0).closed);
    CHECK_INT(cg_thread_release(rig.world, rig.thread, 30).code, CG_OK);
    rig_close(&rig, 0);
    CHECK_INT(cg_hand_close(rig.world, rig.hands[1]).code, CG_BAD_INPUT);
    CHECK_INT(rig_state(&rig, 1).vertex_count, 0);
    // Five millimetres on there is room beside the other hand, and the two share no vertex.
    rig_move(&rig, 1, v3(0.0333, 0, 0), 0.05);
    rig_run(&rig, 200);
    rig_close(&rig, 1);
    cg_hand_state a = rig_state(&rig, 0), b = rig_state(&rig, 1);
    CHECK(a.vertex_count >= 2 && b.vertex_count >= 2);
    CHECK(a.first_vertex + a.vertex_count <= b.first_vertex);
    // A hand that closes on nothing holds nothing.
    CHECK_INT(cg_hand_open(rig.world, rig.hands[1]).code, CG_OK);
    rig_move(&rig, 1, v3(0.1, 0.1, 0), 0);
    rig_run(&rig, 200);
    rig_close(&rig, 1);
    CHECK(rig_state(&rig, 1).closed && rig_state(&rig, 1).vertex_count == 0 && rig_state(&rig, 1).thread.index == 0);
    cg_world_destroy(rig.world);
}

TEST(a_hand_lets_go_of_a_thread_that_is_removed_or_put_elsewhere)
{
    hand_rig rig = rig_usual();
    rig_close(&rig, 0);
    rig_close(&rig, 1);
    rig_run(&rig, 10);
    cg_vec3 points[RIG_VERTICES];
    for (int i = 0; i < RIG_VERTICES; i++) {
        points[i] = v3(0, 1e-3 * i, 0);
    }
    CHECK_INT(cg_thread_set_state(rig.world, rig.thread, points, NULL).code, CG_OK);
    CHECK_INT(rig_state(&rig, 0).vertex_count, 0);
    CHECK(rig_state(&rig, 0).closed);
    CHECK_INT(cg_hand_open(rig.world, rig.hands[0]).code, CG_OK);
    rig_close(&rig, 0);
    CHECK(rig_state(&rig, 0).vertex_count > 0);
    CHECK_INT(cg_world_remove_thread(rig.world, rig.thread).code, CG_OK);
    rig_run(&rig, 10);
    CHECK_INT(rig_state(&rig, 0).vertex_count, 0);
    CHECK_NEAR(v3_length(rig_state(&rig, 0).force), 0, 0);
    CHECK_INT(cg_world_remove_hand(rig.world, rig.hands[0]).code, CG_OK);
    CHECK_INT(cg_world_remove_hand(rig.world, rig.hands[0]).code, CG_BAD_HANDLE);
    CHECK(!cg_hand_is_valid(rig.world, rig.hands[0]));
    CHECK_INT(cg_hand_close(rig.world, rig.hands[0]).code, CG_BAD_HANDLE);
    rig_run(&rig, 10);
    cg_world_destroy(rig.world);
}

TEST(bad_hands_and_poses_are_refused)
{
    hand_rig rig = rig_usual();
    cg_transform pose = {v3(0, 0, 0), {0, 0, 0, 1}}, none = {v3(0, 0, 0), {0, 0, 0, 0}},
                 lost = {v3(NAN, 0, 0), {0, 0, 0, 1}};
    CHECK_INT(cg_hand_move(rig.world, rig.hands[0], none, 0).code, CG_BAD_INPUT);
    CHECK_INT(cg_hand_move(rig.world, rig.hands[0], lost, 0).code, CG_BAD_INPUT);
    CHECK_INT(cg_hand_move(rig.world, rig.hands[0], pose, -1).code, CG_BAD_INPUT);
    CHECK_INT(cg_hand_move(rig.world, rig.hands[0], pose, NAN).code, CG_BAD_INPUT);
    CHECK_INT(cg_hand_move(rig.world, (cg_hand_id){9, 1}, pose, 0).code, CG_BAD_HANDLE);
    CHECK_INT(cg_hand_get_state(rig.world, (cg_hand_id){0, 0}).vertex_count, 0);
    cg_hand_def def = cg_hand_def_default();
    cg_hand_id id;
    def.mass = 0;
    CHECK_INT(cg_world_add_hand(rig.world, &def, &id).code, CG_BAD_INPUT);
    def = cg_hand_def_default();
    def.reach = NAN;
    CHECK_INT(cg_world_add_hand(rig.world, &def, &id).code, CG_BAD_INPUT);
    def = cg_hand_def_default();
    for (int i = RIG_HANDS; i < 8; i++) {
        CHECK_INT(cg_world_add_hand(rig.world, &def, &id).code, CG_OK);
    }
    CHECK_INT(cg_world_add_hand(rig.world, &def, &id).code, CG_FULL);
    cg_world_destroy(rig.world);
}

TEST(a_camera_needs_a_view)
{
    hand_rig rig = rig_usual();
    cg_camera camera = {v3(1, 2, 3), v3(0, 0, 1), v3(0, 1, 0)}, blind = {v3(1, 2, 3), v3(1, 2, 3), v3(0, 1, 0)};
    uint64_t hash = cg_world_state_hash(rig.world);
    CHECK_INT(cg_world_set_camera(rig.world, &camera).code, CG_OK);
    CHECK_INT(cg_world_set_camera(rig.world, &blind).code, CG_BAD_INPUT);
    blind = (cg_camera){v3(0, 0, 3), v3(0, 0, 0), v3(0, 0, 1)};
    CHECK_INT(cg_world_set_camera(rig.world, &blind).code, CG_BAD_INPUT);
    blind.up.x = INFINITY;
    CHECK_INT(cg_world_set_camera(rig.world, &blind).code, CG_BAD_INPUT);
    CHECK_NEAR(cg_world_get_camera(rig.world).position.y, 2, 0);
    CHECK_HASH(cg_world_state_hash(rig.world), hash);
    cg_world_destroy(rig.world);
}

// Both hands of a taut, stiff thread are thrown about; the force stays bounded, and when they are still all is still.
static void throw_about(double time_step, double radius, uint64_t seed)
{
    cg_thread_def thread = cg_thread_def_default();
    cg_world_def world = cg_world_def_default();
    world.max_contacts = 0; // thrown about so, it would be in knots
    cg_hand_def hand = cg_hand_def_default();
    world.time_step = time_step;
    thread.radius = radius;
    hand_rig rig = rig_create(&world, &hand, &thread);
    rig_close(&rig, 0);
    rig_close(&rig, 1);
    int steps = (int)(0.5 / time_step), every = (int)(0.02 / time_step);
    double fastest = 0;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; step % every == 0 && i < RIG_HANDS; i++) {
            double x = test_random(&seed, -0.1, 0.1), y = test_random(&seed, -0.1, 0.1),
                   z = test_random(&seed, -0.1, 0.1);
            double angle = test_random(&seed, -3, 3);
            cg_transform pose = {v3(x, y, z), quat_from_axis_angle(v3(0, 1, 0), angle)};
            CHECK_INT(cg_hand_move(rig.world, rig.hands[i], pose, 0).code, CG_OK);
        }
        cg_world_step(rig.world);
        double speed = v3_length(rig_state(&rig, 0).velocity);
        fastest = speed > fastest ? speed : fastest;
    }
    // 10 N on 20 g for half of the 20 ms between two throws is 5 m/s; rarely does one add to the last.
    CHECK(fastest < 20);
    rig_move(&rig, 0, v3(0, 0, 0), 0.1);
    rig_move(&rig, 1, v3(0.06, 0, 0), 0.1);
    rig_run(&rig, (int)(1 / time_step));
    CHECK(v3_length(rig_state(&rig, 0).velocity) < 1e-3);
    CHECK(rig_state(&rig, 0).lag < 1e-3 && rig_state(&rig, 1).lag < 1e-3);
    CHECK_INT(cg_world_get_stats(rig.world).recovered_steps, 0);
    cg_world_destroy(rig.world);
}

TEST(fast_hands_are_stable_at_all_steps)
{
    static const double time_steps[] = {0.25e-3, 1e-3, 5e-3}, radii[] = {0.0125e-3, 0.11e-3, 0.5e-3};
    for (int i = 0; i < 9; i++) {
        throw_about(time_steps[i % 3], radii[i / 3], (uint64_t)i + 1);
    }
}

TEST(a_snapshot_holds_the_hands_and_a_step_takes_no_memory)
{
    hand_rig rig = rig_usual();
    rig_close(&rig, 0);
    rig_close(&rig, 1);
    rig_move(&rig, 1, v3(0.03, 0, 0.02), 0.1);
    long allocations = test_allocations();
    rig_run(&rig, 50);
    CHECK_INT(test_allocations() - allocations, 0);
    size_t size = cg_world_snapshot_size(rig.world);
    void *bytes = malloc(size);
    CHECK_INT(cg_world_snapshot(rig.world, bytes, size).code, CG_OK);
    rig_run(&rig, 100);
    uint64_t hash = cg_world_state_hash(rig.world);
    CHECK_INT(cg_hand_open(rig.world, rig.hands[1]).code, CG_OK);
    rig_run(&rig, 10);
    CHECK_INT(cg_world_restore(rig.world, bytes, size).code, CG_OK);
    CHECK(rig_state(&rig, 1).vertex_count > 0);
    rig_run(&rig, 100);
    CHECK_HASH(cg_world_state_hash(rig.world), hash);
    // A world without hands is another one.
    CHECK_INT(cg_world_remove_hand(rig.world, rig.hands[0]).code, CG_OK);
    CHECK_INT(cg_world_restore(rig.world, bytes, size).code, CG_MISMATCH);
    CHECK_INT(cg_world_remove_hand(rig.world, rig.hands[1]).code, CG_OK);
    CHECK(cg_world_restore(rig.world, bytes, size).code != CG_OK);
    free(bytes);
    cg_world_destroy(rig.world);
}
