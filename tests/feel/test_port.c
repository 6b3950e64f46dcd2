// A port and what it is made of, against closed forms.
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/transform.h"
#include "feel/law.h"
#include "feel/stage.h"

static stage over_floor(cg_device_kind kind, int slow)
{
    cg_feel_def def = cg_feel_def_default(kind);
    stage s = stage_open(&def, 0, v3(0, 0, 2e-3));
    s.floor = 1e9;
    s.slow = slow;
    return s;
}

static void rest(stage *s, cg_vec3 wanted, int milliseconds)
{
    for (int i = 0; i < milliseconds; i++) {
        stage_play(s, wanted);
    }
}

// [N/m] of a rigid floor, by the force at the motors at two depths.
static double felt_stiffness(cg_device_kind kind, int slow)
{
    stage s = over_floor(kind, slow);
    rest(&s, v3(0, 0, -1.5e-3), 3000);
    cg_practice_state shallow = cg_practice_get_state(s.practice);
    rest(&s, v3(0, 0, -3e-3), 3000);
    cg_practice_state deep = cg_practice_get_state(s.practice);
    stage_close(&s);
    CHECK(deep.motors.z > shallow.motors.z && shallow.motors.z > 0.1);
    return (deep.motors.z - shallow.motors.z) / (shallow.position.z - deep.position.z);
}

TEST(a_wall_is_stiff_though_the_world_is_slow)
{
    for (int slow = 1; slow <= 20; slow += 19) {
        CHECK(felt_stiffness(CG_DEVICE_OMNI, slow) >= 300);
        CHECK(felt_stiffness(CG_DEVICE_DESKTOP, slow) >= 300);
        CHECK(felt_stiffness(CG_DEVICE_TOUCH, slow) >= 200);
    }
}

// Without delay at least half of what is recommended, with one b / (T/2 + d) or less.
TEST(stiffness_is_limited_by_delay)
{
    static const double RECOMMENDED[] = {700, 400, 1000, 700, 700};
    for (int kind = 0; kind < CG_DEVICE_COUNT; kind++) {
        cg_device_def device = cg_device_get((cg_device_kind)kind);
        CHECK(device.max_stiffness == RECOMMENDED[kind]);
        CHECK(cg_device_stiffness(&device, 1e-3, 0) >= 0.5 * RECOMMENDED[kind]);
        CHECK(cg_device_stiffness(&device, 1e-3, 0) * 0.5e-3 <= device.damping);
        CHECK(cg_device_stiffness(&device, 1e-3, 0.01) * 10.5e-3 <= device.damping);
        CHECK(cg_device_stiffness(&device, 2e-3, 0) * 1e-3 <= device.damping);
        CHECK(cg_device_stiffness(&device, 1e-4, 0) <= device.max_stiffness);
    }
}

TEST(names)
{
    cg_device_kind kind = CG_DEVICE_OMNI;
    CHECK(cg_device_find("lapie", &kind));
    CHECK_INT(kind, CG_DEVICE_LAPIE);
    CHECK(!cg_device_find("falcon", &kind));
    CHECK_STR(cg_device_get((cg_device_kind)99).name, "omni");
    CHECK(strstr(cg_device_get(CG_DEVICE_VLI).source, "Omni") != NULL);
}

// Unplugged in the middle of a pull: the motors are slack within 10 ms, and so is what the port would send; plugged in
// again it pulls as before.
TEST(unplugged_and_plugged_in_again)
{
    stage s = over_floor(CG_DEVICE_OMNI, 1);
    rest(&s, v3(0, 0, -3e-3), 2000);
    double before = cg_practice_get_state(s.practice).motors.z;
    CHECK(before > 0.3);
    s.unplugged = true;
    rest(&s, v3(0, 0, -3e-3), 10);
    CHECK(v3_length(cg_practice_get_state(s.practice).motors) == 0);
    CHECK(v3_length(cg_feel_get_state(s.feel, 0).force) == 0);
    CHECK(!cg_feel_get_state(s.feel, 0).present);
    rest(&s, v3(0, 0, -3e-3), 500);
    s.unplugged = false;
    rest(&s, v3(0, 0, -3e-3), 1);
    CHECK(cg_feel_get_state(s.feel, 0).present);
    CHECK(cg_practice_get_state(s.practice).motors.z < 0.1 * before); // gently
    rest(&s, v3(0, 0, 5e-3), 1000);
    rest(&s, v3(0, 0, -3e-3), 3000);
    cg_practice_state again = cg_practice_get_state(s.practice);
    CHECK_NEAR(again.motors.z, -560 * again.position.z, 0.05 * before);
    CHECK(again.motors.z > 0.8 * before); // friction keeps it a little elsewhere
    stage_close(&s);
}

TEST(a_few_lost_samples_are_not_felt)
{
    stage s = over_floor(CG_DEVICE_OMNI, 1);
    rest(&s, v3(0, 0, -3e-3), 2000);
    double before = cg_practice_get_state(s.practice).motors.z;
    s.unplugged = true;
    rest(&s, v3(0, 0, -3e-3), 3);
    s.unplugged = false;
    rest(&s, v3(0, 0, -3e-3), 2);
    CHECK_NEAR(cg_practice_get_state(s.practice).motors.z, before, 0.02 * before);
    stage_close(&s);
}

// Pressed with all might: the greatest force at first, the lasting one in the end.
TEST(motors_do_not_burn)
{
    stage s = over_floor(CG_DEVICE_OMNI, 1);
    rest(&s, v3(0, 0, 2e-3), 300);
    rest(&s, v3(0, 0, -14e-3), 500);
    CHECK(cg_practice_get_state(s.practice).motors.z > 2.5);
    double squares = 0;
    for (int i = 0; i < 60000; i++) {
        stage_play(&s, v3(0, 0, -14e-3));
        double force = cg_practice_get_state(s.practice).motors.z;
        CHECK(force <= 3.3);
        squares += i >= 40000 ? force * force / 20000 : 0;
    }
    CHECK(sqrt(squares) < 0.88 * 1.1);
    stage_close(&s);
}

TEST(free_air_is_free)
{
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_DESKTOP);
    stage s = stage_open(&def, 0, v3_zero());
    for (int i = 0; i < 2000; i++) {
        stage_play(&s, v3(10e-3 * (i / 200 % 2), 0, 0));
        CHECK(v3_length(cg_practice_get_state(s.practice).motors) == 0);
    }
    stage_close(&s);
}

// The numbers of the seed: k_h 1200, forces scaled by 0.003, at most 3.3 N: 1200 0.003 newtons a metre of a wall.
TEST(scale_and_cap_of_the_seed)
{
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
    cg_feel *feel;
    def.hand_stiffness = 1200;
    def.force_scale = 0.003;
    def.force_cap = 3.3;
    CHECK_STR(cg_feel_create(&def, 1, &feel).message, "");
    cg_vec3 place = v3_zero(), force = v3_zero();
    for (int i = 0; i <= 1000; i++) {
        place = v3(-1e-4 * i, 0, 0); // a decimetre deep
        cg_feel_news news = {.position = place, .force = v3(1200 * 1e-4 * i, 0, 0)};
        cg_feel_tell(feel, 0, &news);
        force = cg_feel_step(feel, 0, &place).force;
    }
    CHECK_NEAR(force.x, 0.003 * 1200 * 0.1, 0.003);
    CHECK_NEAR(cg_feel_get_state(feel, 0).stiffness, 3.6, 0.1);
    cg_feel_destroy(feel);
}

TEST(torque_is_scaled_turned_and_capped)
{
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
    cg_feel *feel;
    def.device.max_torque = 0.188;
    def.torque_scale = 0.5;
    def.axes = quat_from_axis_angle(v3(0, 0, 1), 0.5 * CG_PI); // x of the device is y of the world
    CHECK_STR(cg_feel_create(&def, 1, &feel).message, "");
    cg_vec3 place = v3_zero();
    cg_feel_force out = {0};
    for (int i = 0; i < 400; i++) {
        cg_feel_news news = {.position = place, .torque = v3(0, i < 300 ? 0.2 : 2, 0)};
        cg_feel_tell(feel, 0, &news);
        cg_feel_turn(feel, 0, quat_identity());
        out = cg_feel_step(feel, 0, &place);
        if (i == 299) {
            CHECK_NEAR(out.torque.x, 0.1, 1e-6);
            CHECK_NEAR(out.torque.y, 0, 1e-6);
        }
    }
    CHECK_NEAR(v3_length(out.torque), 0.188, 1e-9);
    cg_feel_destroy(feel);
}

TEST(a_device_leads_its_hand)
{
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
    cg_feel *feel;
    def.motion_scale = 0.5;
    def.axes = quat_from_axis_angle(v3(0, 0, 1), 0.5 * CG_PI);
    CHECK_STR(cg_feel_create(&def, 1, &feel).message, "");
    cg_transform device = {v3(0.1, 0.2, 0.3), quat_from_axis_angle(v3(1, 0, 0), 0.4)};
    cg_transform hand = {v3(0, 0, 0.02), quat_from_axis_angle(v3(0, 1, 0), 0.7)};
    cg_feel_align(feel, 0, device, hand);
    cg_transform same = cg_feel_command(feel, 0, device);
    CHECK_NEAR(v3_distance(same.position, hand.position), 0, 1e-15);
    CHECK_NEAR(fabs(quat_dot(same.rotation, hand.rotation)), 1, 1e-12);
    device.position.x += 0.01;
    device.rotation = quat_multiply(quat_from_axis_angle(v3(1, 0, 0), 0.3), device.rotation);
    cg_transform moved = cg_feel_command(feel, 0, device);
    CHECK_NEAR(v3_distance(moved.position, v3(0, 0.005, 0.02)), 0, 1e-12);
    cg_quat wanted = quat_multiply(quat_from_axis_angle(v3(0, 1, 0), 0.3), hand.rotation);
    CHECK_NEAR(fabs(quat_dot(moved.rotation, wanted)), 1, 1e-12);
    cg_feel_destroy(feel);
}

// The world makes no steps any more: what it told last fades, of a floor and of something that is held.
TEST(a_law_without_news_fades)
{
    for (int holds = 0; holds < 2; holds++) {
        cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
        cg_feel *feel;
        cg_vec3 place = v3_zero(), force = v3_zero();
        CHECK_STR(cg_feel_create(&def, 1, &feel).message, "");
        for (int i = 0; i < 500; i++) {
            place = v3(0, 0, -1e-5 * (i < 200 ? i : 200));
            cg_feel_news news = {.position = place, .force = v3(0, 0, -1000 * place.z), .holds = holds != 0};
            force = cg_feel_step(feel, 0, &place).force;
            cg_feel_tell(feel, 0, &news);
        }
        CHECK(force.z > 0.9);
        for (int i = 0; i < 210; i++) {
            cg_vec3 before = force;
            force = cg_feel_step(feel, 0, &place).force;
            CHECK(i > 90 || force.z > 0.9);
            CHECK(fabs(force.z - before.z) < 0.05); // gently
        }
        CHECK_NEAR(force.z, 0, 0);
        cg_feel_destroy(feel);
    }
}

// A thread breaks, and the hand that drew on it leaps on: nothing holds it back. A law that kept its stiffness while it
// fades would, with 0.5 N.
TEST(what_is_gone_does_not_hold_a_hand_back)
{
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
    cg_feel *feel;
    cg_vec3 place = v3_zero(), force = v3_zero();
    CHECK_STR(cg_feel_create(&def, 1, &feel).message, "");
    for (int i = 0; i < 500; i++) {
        place = v3(4e-6 * i, 0, 0);
        cg_feel_news news = {.position = place, .force = v3(-1000 * place.x, 0, 0), .holds = true};
        force = cg_feel_step(feel, 0, &place).force;
        cg_feel_tell(feel, 0, &news);
    }
    CHECK(force.x < -0.8);
    for (int i = 0; i < 30; i++) {
        place.x += 0.3e-3;
        cg_feel_news news = {.position = place};
        cg_feel_tell(feel, 0, &news);
        force = cg_feel_step(feel, 0, &place).force;
        CHECK(i < 12 || force.x > -0.1);
    }
    CHECK_NEAR(v3_length(force), 0, 0);
    cg_feel_destroy(feel);
}

TEST(an_instrument_goes_through_its_port)
{
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_VLI);
    cg_feel *feel;
    def.port = v3(0.01, -0.02, 0.15);
    CHECK_STR(cg_feel_create(&def, 1, &feel).message, "");
    uint64_t random = 5;
    for (int i = 0; i < 100; i++) {
        cg_transform device = {
            v3(test_random(&random, -0.05, 0.05), test_random(&random, -0.05, 0.05), test_random(&random, -0.05, 0.05)),
            quat_from_axis_angle(v3(0, 0, 1), test_random(&random, -3, 3))};
        cg_transform tool = cg_feel_command(feel, 0, device);
        cg_vec3 handle = quat_rotate(tool.rotation, v3(0, 0, 1));
        CHECK_NEAR(v3_length(v3_cross(handle, v3_sub(def.port, tool.position))), 0, 1e-12);
        CHECK(v3_dot(handle, v3_sub(def.port, tool.position)) > 0);
    }
    cg_feel_destroy(feel);
}

// One hand drags something along, which takes 1 N and 20 mm; the other, at rest, is then drawn with 2 N. Without the
// first there is no energy for that: only the allowance of 0.5 mJ, sqrt(2 k 0.5 mJ).
TEST(two_hands_share_one_account)
{
    cg_feel_def defs[2] = {cg_feel_def_default(CG_DEVICE_OMNI), cg_feel_def_default(CG_DEVICE_OMNI)};
    double felt[2];
    for (int dragged = 0; dragged < 2; dragged++) {
        cg_feel *feel;
        CHECK_STR(cg_feel_create(defs, 2, &feel).message, "");
        cg_vec3 still = v3_zero(), force = v3_zero();
        for (int i = 0; i < 2000; i++) {
            cg_vec3 pulling = v3(1e-5 * i * dragged, 0, 0);
            cg_feel_news one = {.position = pulling, .force = v3(-dragged, 0, 0)};
            cg_feel_news other = {.position = still, .force = v3(i < 1000 ? 0 : 2e-3 * (i - 1000), 0, 0)};
            cg_feel_tell(feel, 0, &one);
            cg_feel_step(feel, 0, &pulling);
            cg_feel_tell(feel, 1, &other);
            force = cg_feel_step(feel, 1, &still).force;
        }
        felt[dragged] = force.x;
        cg_feel_destroy(feel);
    }
    CHECK_NEAR(felt[0], sqrt(2 * 560 * 0.5e-3), 0.05);
    CHECK_NEAR(felt[1], 2 * 0.56, 0.02); // a device that bears 560 N/m where the hand has 1000
}

TEST(a_tracker_is_foreseen)
{
    cg_transform a = {v3(0, 0, 0), quat_identity()};
    cg_transform b = {v3(1e-3, 0, 0), quat_from_axis_angle(v3(0, 0, 1), 0.01)};
    cg_transform ahead = cg_feel_foresee(a, 1.00, b, 1.01, 1.015, 0.02);
    CHECK_NEAR(ahead.position.x, 1.5e-3, 1e-12);
    CHECK_NEAR(fabs(quat_dot(ahead.rotation, quat_from_axis_angle(v3(0, 0, 1), 0.015))), 1, 1e-9);
    CHECK_NEAR(cg_feel_foresee(a, 1.00, b, 1.01, 9, 0.02).position.x, 3e-3, 1e-12); // not for ever
    CHECK_NEAR(cg_feel_foresee(a, 1.00, b, 1.01, 1.005, 0.02).position.x, 1e-3, 0);
    CHECK_NEAR(cg_feel_foresee(a, 1.01, b, 1.01, 2, 0.02).position.x, 1e-3, 0);
}

// The force of a law is the slope of its energy, below and above its cap, of both kinds.
TEST(a_law_has_an_energy)
{
    uint64_t random = 9;
    for (int i = 0; i < 400; i++) {
        cg_law law = {.origin = v3(1e-3, 0, 0),
                      .force = v3(test_random(&random, -2, 2), test_random(&random, -2, 2), 0.3),
                      .normal = v3(0.6, 0.8, 0),
                      .push = test_random(&random, -1, 2),
                      .stiffness = test_random(&random, 20, 900),
                      .cap = test_random(&random, 0.2, 3),
                      .holds = i % 2 == 0,
                      .is_there = true};
        cg_vec3 x = v3(test_random(&random, -5e-3, 5e-3), test_random(&random, -5e-3, 5e-3), 0);
        cg_vec3 step = v3(3e-8, -5e-8, 2e-8), other = v3_add_scaled(v3_zero(), 1, v3(0.01, 0.02, -0.01));
        double slope = cg_law_energy(&law, v3_add(x, step)) - cg_law_energy(&law, v3_sub(x, step));
        CHECK_NEAR(slope, -2 * v3_dot(cg_law_force(&law, x), step), 1e-10 * (1 + fabs(slope)));
        cg_law moved = cg_law_moved(&law, other);
        CHECK_NEAR(v3_distance(cg_law_force(&moved, x), cg_law_force(&law, x)), 0, 1e-12);
    }
}

TEST(bad_definitions)
{
    cg_feel *feel;
    cg_practice *practice;
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
    CHECK_INT(cg_feel_create(&def, 0, &feel).code, CG_BAD_INPUT);
    CHECK_INT(cg_feel_create(&def, CG_FEEL_MOST_PORTS + 1, &feel).code, CG_BAD_INPUT);
    def.period = NAN;
    CHECK_INT(cg_feel_create(&def, 1, &feel).code, CG_BAD_INPUT);
    def = cg_feel_def_default(CG_DEVICE_OMNI);
    def.delay = 0.06;
    CHECK_INT(cg_feel_create(&def, 1, &feel).code, CG_BAD_INPUT);
    def = cg_feel_def_default(CG_DEVICE_OMNI);
    def.force_scale = 0;
    CHECK_INT(cg_feel_create(&def, 1, &feel).code, CG_BAD_INPUT);
    def = cg_feel_def_default(CG_DEVICE_OMNI);
    def.device.lasting_force = 4;
    CHECK_INT(cg_feel_create(&def, 1, &feel).code, CG_BAD_INPUT);
    CHECK(feel == NULL);
    cg_practice_def person = cg_practice_def_default();
    person.hand_mass = 0;
    CHECK_INT(cg_practice_create(&person, v3_zero(), &practice).code, CG_BAD_INPUT);
}

// What is no number, and ports that are not there, change nothing.
TEST(bad_samples_and_news)
{
    stage s = over_floor(CG_DEVICE_OMNI, 1);
    rest(&s, v3(0, 0, -3e-3), 1500);
    cg_vec3 before = cg_feel_get_state(s.feel, 0).force, bad = v3(NAN, 0, INFINITY);
    cg_feel_news news = {.position = bad, .force = bad};
    cg_feel_tell(s.feel, 0, &news);
    cg_feel_tell(s.feel, 7, &news);
    CHECK(v3_distance(cg_feel_step(s.feel, 0, &bad).force, before) < 0.02);
    CHECK(v3_length(cg_feel_step(s.feel, -1, &before).force) == 0);
    CHECK(cg_feel_get_state(s.feel, 2).steps == 0);
    cg_practice_write(s.practice, bad);
    rest(&s, v3(0, 0, -3e-3), 100);
    CHECK(v3_is_finite(cg_practice_get_state(s.practice).position));
    stage_close(&s);
}
