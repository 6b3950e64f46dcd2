// Bodies that nothing touches: momentum, energy, fall, pushes.
#include "base/memory.h"
#include "rigid/rigid.h"
#include "rigid_rig.h"

static cg_rigid_id add_spinner(cg_world *world, cg_vec3 spin)
{
    cg_rigid_part parts[3] = {box_part(0.01, 0.006, 0.003), ball_part(0.004), capsule_part(0.002, 0.008)};
    parts[1].pose.position = v3(0.012, 0.004, 0.001);
    parts[2].pose = (cg_transform){v3(-0.006, -0.01, 0), quat_normalise(quat(0.4, 0.2, -0.1, 1))};
    cg_rigid_def def = cg_rigid_def_default();
    def.velocity = v3(0.1, -0.2, 0.3);
    def.spin = spin;
    return add_body(world, def, parts, 3);
}

TEST(a_body_that_tumbles_keeps_its_angular_momentum)
{
    const cg_vec3 spins[4] = {{0.1, 20, 0.1}, {30, 0.01, -3}, {5, 60, 40}, {1, 2, 3}};
    const double steps[3] = {0.5e-3, 1e-3, 5e-3};
    for (int i = 0; i < 12; i++) {
        cg_world *world = make_world(steps[i % 3], v3_zero());
        cg_rigid_id id = add_spinner(world, spins[i / 3]);
        cg_rigid_info first = info_of(world, id);
        double lowest = 2, highest = 0;
        for (int step = 0; step < (int)(10 / steps[i % 3]); step++) {
            cg_world_step(world);
            double energy = info_of(world, id).kinetic_energy / first.kinetic_energy;
            lowest = energy < lowest ? energy : lowest;
            highest = energy > highest ? energy : highest;
        }
        cg_rigid_info last = info_of(world, id);
        double momentum = v3_length(first.angular_momentum);
        CHECK(v3_distance(last.angular_momentum, first.angular_momentum) < 1e-12 * momentum);
        CHECK(highest - lowest < 1e-9);
        cg_world_destroy(world);
    }
}

// The axes of a free top go where finer steps lead, with the square of the step.
TEST(free_spin_is_of_second_order)
{
    cg_quat found[4];
    const double steps[4] = {2e-3, 1e-3, 0.5e-3, 0.0625e-3};
    for (int i = 0; i < 4; i++) {
        cg_world *world = make_world(steps[i], v3_zero());
        cg_rigid_id id = add_spinner(world, v3(3, 20, 5));
        for (int step = 0; step < (int)(0.3 / steps[i] + 0.5); step++) {
            cg_world_step(world);
        }
        found[i] = cg_rigid_get_pose(world, id).rotation;
        cg_world_destroy(world);
    }
    double error[3];
    for (int i = 0; i < 3; i++) {
        cg_quat off = quat_multiply(found[i], quat_conjugate(found[3]));
        error[i] = v3_length(v3(off.x, off.y, off.z));
    }
    CHECK(error[0] < 1e-2);
    CHECK_NEAR(error[0] / error[1], 4, 0.2);
    CHECK_NEAR(error[1] / error[2], 4, 0.2);
}

// A needle that spins fast about its axis and slowly across it: its axis goes round a cone, as that of a top does.
TEST(a_thin_body_that_spins_fast_goes_round_a_cone)
{
    const double steps[2] = {1e-3, 5e-3};
    for (int i = 0; i < 2; i++) {
        cg_world *world = make_world(steps[i], v3_zero());
        cg_rigid_part part = capsule_part(0.4e-3, 0.02);
        cg_rigid_def def = cg_rigid_def_default();
        def.spin = v3(0, 80, 3000);
        cg_rigid_id id = add_body(world, def, &part, 1);
        cg_rigid_info first = info_of(world, id);
        cg_vec3 axis = v3_unit_or(first.angular_momentum, v3(0, 0, 1));
        double along = v3_dot(axis, v3(0, 0, 1)), most = 0;
        for (int step = 0; step < 500; step++) {
            cg_world_step(world);
            cg_vec3 own = quat_rotate(cg_rigid_get_pose(world, id).rotation, v3(0, 0, 1));
            most = fmax(most, fabs(v3_dot(axis, own) - along));
        }
        CHECK(most < 1e-9);
        CHECK_NEAR(info_of(world, id).kinetic_energy, first.kinetic_energy, 1e-9 * first.kinetic_energy);
        cg_world_destroy(world);
    }
}

TEST(a_body_falls_as_it_should)
{
    cg_world *world = make_world(5e-3, v3(0, 0, -9.81));
    cg_rigid_id id = add_spinner(world, v3(1, 2, 3));
    cg_vec3 start = info_of(world, id).centre;
    for (int step = 0; step < 200; step++) {
        cg_world_step(world);
    }
    cg_rigid_info info = info_of(world, id);
    CHECK_NEAR(info.centre.z - start.z, 0.3 - 0.5 * 9.81, 1e-12);
    CHECK_NEAR(info.velocity.z, 0.3 - 9.81, 1e-12);
    cg_world_destroy(world);
}

TEST(a_push_away_from_the_centre_turns_a_body)
{
    cg_world *world = make_world(1e-3, v3_zero());
    cg_rigid_part ball = ball_part(0.01);
    cg_rigid_def def = cg_rigid_def_default();
    def.mass = 0.002;
    cg_rigid_id id = add_body(world, def, &ball, 1);
    for (int step = 0; step < 10; step++) {
        cg_vec3 centre = info_of(world, id).centre;
        CHECK_INT(cg_rigid_push(world, id, v3(0, 0.01, 0), v3_add(centre, v3(0.01, 0, 0))).code, CG_OK);
        cg_world_step(world);
    }
    cg_world_step(world);
    cg_rigid_info info = info_of(world, id);
    CHECK_NEAR(info.velocity.y, 0.01 * 0.01 / 0.002, 1e-12);
    CHECK_NEAR(info.angular_momentum.z, 0.01 * 0.01 * 0.01, 1e-15);
    CHECK_NEAR(info.spin.z, 1e-6 / (0.4 * 0.002 * 1e-4), 1e-9);
    cg_world_destroy(world);
}

TEST(a_driven_body_goes_where_it_is_told)
{
    for (int contacts = 0; contacts <= 100; contacts += 100) {
        cg_world_def world_def = cg_world_def_default();
        world_def.max_contacts = contacts;
        cg_world *world = NULL;
        CHECK_STR(cg_world_create(&world_def, &world).message, "");
        cg_rigid_part parts[2] = {ball_part(0.01), ball_part(0.005)};
        parts[1].pose.position = v3(0.02, 0, 0);
        cg_rigid_def def = cg_rigid_def_default();
        def.motion = CG_RIGID_DRIVEN;
        cg_rigid_id id = add_body(world, def, parts, 2);
        cg_transform goal = {v3(0.001, 0.002, 0.003), quat_normalise(quat(0, 0, 0.01, 1))};
        CHECK_INT(cg_rigid_move(world, id, goal).code, CG_OK);
        cg_world_step(world);
        CHECK(v3_distance(cg_rigid_get_pose(world, id).position, goal.position) < 1e-15);
        CHECK_INT(cg_rigid_push(world, id, v3(1, 0, 0), v3_zero()).code, CG_BAD_INPUT);
        cg_world_destroy(world);
    }
}

// A thin rod, which something pushes.
static bool init_pushed_rod(cg_rigid *body, cg_vec3 spin, double time_step)
{
    cg_rigid_part part = capsule_part(0.3e-3, 3e-3);
    cg_rigid_def def = cg_rigid_def_default();
    cg_allocator allocator = cg_memory_default();
    def.parts = &part;
    def.part_count = 1;
    def.mass = 50e-6;
    def.spin = spin;
    if (!CHECK_STR(cg_rigid_init(body, &def, &allocator).message, "")) {
        return false;
    }
    cg_rigid_begin_step(body, time_step, v3_zero());
    body->is_pushed = true;
    return true;
}

// What is walked along is what is made: a target elsewhere could lie beyond a wall.
TEST(a_braked_body_ends_where_its_way_leads)
{
    cg_rigid body;
    if (!init_pushed_rod(&body, v3(0, 400, 0), 5e-3)) {
        return;
    }
    cg_rigid_begin_pass(&body);
    CHECK_NEAR(body.brake, 2, 1e-9);
    body.torque = v3(0, 1e-5, 1e-9);
    cg_rigid_respond(&body);
    CHECK(v3_length(body.way) > 1);
    cg_transform target = body.target;
    cg_rigid_move_share(&body, 1 - 1e-9);
    cg_vec3 tip = v3(0, 0, 3e-3);
    CHECK(v3_distance(transform_point(target, tip), transform_point(body.now, tip)) < 1e-9);
    cg_rigid_clear(&body);
}

// So does a needle in tissue, which a force at its tip would turn round many times; it turns by a radian at most.
TEST(a_needle_in_tissue_ends_where_its_way_leads)
{
    const double torques[3] = {2e-3, 1e-2, 5e-2}; // [N m]
    for (int i = 0; i < 3; i++) {
        cg_rigid body;
        if (!init_pushed_rod(&body, v3_zero(), 0.25e-3)) {
            return;
        }
        body.in_tissue = true;
        CHECK_NEAR(cg_rigid_slowness(&body), 1, 0);
        body.torque = v3(0, torques[i], 1e-3 * torques[i]);
        cg_rigid_respond(&body);
        cg_transform target = body.target;
        cg_vec3 tip = v3(3e-3, 1e-3, 0);
        CHECK(i == 0 ? v3_length(body.way) > 0.3 && v3_length(body.way) < 0.9 : v3_length(body.way) > 1 - 1e-9);
        CHECK(v3_length(body.way) < 1 + 1e-9);
        CHECK_INT(body.arrived, i == 0);
        cg_rigid_move_share(&body, 1 - 1e-9); // as the walk does
        CHECK(v3_distance(transform_point(target, tip), transform_point(body.now, tip)) < 1e-9);
        cg_rigid_clear(&body);
    }
}

// About no axis of its own: were its angular momentum kept while it turns, its energy would grow.
TEST(a_braked_body_wins_no_energy_by_its_turn)
{
    for (int i = 0; i < 12; i++) {
        cg_rigid body;
        double sine, cosine, spin = 200 * (1.05 + 0.3 * (i % 3));
        cg_sincos(0.1 + 0.3 * (i / 3), &sine, &cosine);
        if (!init_pushed_rod(&body, v3(0, spin * sine, spin * cosine), 5e-3)) {
            return;
        }
        double before = cg_rigid_kinetic_energy(&body);
        for (int pass = 0; pass < 1 + i % 4; pass++) {
            cg_rigid_begin_pass(&body);
            cg_rigid_respond(&body);
            cg_rigid_move_share(&body, 1);
        }
        cg_rigid_finish_step(&body);
        CHECK(body.brake > 1);
        CHECK(cg_rigid_kinetic_energy(&body) < before);
        CHECK(cg_rigid_kinetic_energy(&body) > 0.1 * before);
        cg_rigid_clear(&body);
    }
}
