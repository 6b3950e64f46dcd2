// A person with a device, in simulated time: however the hand moves, and however late and seldom the world answers, no
// more energy comes out of the device than went in.
#include <math.h>

#include "base/trig.h"
#include "feel/stage.h"

typedef struct mover {
    uint64_t random;
    cg_vec3 goal, at;
    int left, time;
} mover;

// Jumps from place to place, on the floor, at the wall and at the tether too, rests there, and trembles at 8 Hz.
static cg_vec3 next_place(mover *m)
{
    if (m->left-- <= 0) {
        m->left = test_random_int(&m->random, 30, test_random_int(&m->random, 0, 4) == 0 ? 2500 : 500);
        m->goal = v3(test_random(&m->random, -20e-3, 25e-3), test_random(&m->random, -15e-3, 30e-3),
                     test_random(&m->random, -15e-3, 20e-3));
    }
    double s, c;
    m->time++;
    cg_sincos(2 * CG_PI * 8e-3 * (m->time % 125), &s, &c);
    m->at = v3_add_scaled(m->at, 0.02, v3_sub(m->goal, m->at));
    return v3_add_scaled(m->at, 0.5e-3 * s, v3(1, 1, 1));
}

static stage open_stage(const cg_feel_def *def, double delay, int slow)
{
    stage s = stage_open(def, delay, v3(0, 0, 5e-3));
    s.slow = slow;
    s.floor = 1e9;
    s.wall = 200;
    s.rope = 3000;
    return s;
}

// [J] the lowest of the port; the greatest force that was felt.
static double play(stage *s, uint64_t seed, int milliseconds, double *most)
{
    mover m = {.random = seed};
    *most = 0;
    for (int i = 0; i < milliseconds; i++) {
        stage_play(s, next_place(&m));
        double force = v3_length(cg_practice_get_state(s->practice).motors);
        *most = force > *most ? force : *most;
    }
    return cg_practice_get_state(s->practice).lowest;
}

static void check_passive(double friction_share)
{
    static const int DELAYS[] = {0, 1, 3, 10}, SLOW[] = {1, 20};
    int milliseconds = test_count(4000, 600000);
    for (int kind = 0; kind < CG_DEVICE_COUNT; kind++) {
        for (int i = 0; i < 8; i++) {
            cg_feel_def def = cg_feel_def_default((cg_device_kind)kind);
            def.delay = 1e-3 * DELAYS[i / 2];
            def.device.friction *= friction_share;
            stage s = open_stage(&def, def.delay, SLOW[i % 2]);
            double most, lowest = play(&s, (uint64_t)(8 * kind + i), milliseconds, &most);
            CHECK(lowest > -1e-3);
            CHECK(most > 0.1); // something was felt
            CHECK(most <= def.device.max_force * (1 + 1e-12));
            stage_close(&s);
        }
    }
}

TEST(every_device_with_every_delay)
{
    check_passive(1);
}

// What friction takes would hide a fault of the port.
TEST(devices_without_friction)
{
    check_passive(0);
}

// A resting hand in contact: nothing begins to swing. Energy is measured from when it came to rest.
TEST(a_hand_at_rest)
{
    for (int kind = 0; kind < CG_DEVICE_COUNT; kind++) {
        for (int delay = 0; delay <= 10; delay += 5) {
            cg_feel_def def = cg_feel_def_default((cg_device_kind)kind);
            def.delay = 1e-3 * delay;
            def.device.friction = 0;
            stage s = open_stage(&def, def.delay, 1);
            for (int i = 0; i < 1500; i++) {
                stage_play(&s, v3(0, 0, -4e-3));
            }
            cg_practice_state rest = cg_practice_get_state(s.practice);
            double least = rest.energy, low = rest.position.z, high = low;
            for (int i = 0; i < 3000; i++) {
                stage_play(&s, v3(0, 0, -4e-3));
                cg_practice_state now = cg_practice_get_state(s.practice);
                least = now.energy < least ? now.energy : least;
                low = now.position.z < low ? now.position.z : low;
                high = now.position.z > high ? now.position.z : high;
            }
            CHECK(least > rest.energy - 0.1e-3);
            CHECK(high - low < 5 * def.device.resolution); // a step of the encoder or two makes it swing that much
            stage_close(&s);
        }
    }
}

// The limit is what makes it so: a port that is told of ten times the damping, and of less delay than there is, drives
// the same device out of bounds.
TEST(a_stiffer_port_is_not_passive)
{
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
    cg_feel_def told = def;
    def.device.friction = told.device.friction = 0;
    told.device.damping *= 10;
    told.device.max_stiffness = 7000;
    told.hand_stiffness = def.hand_stiffness = 7000;
    stage s = open_stage(&def, 5e-3, 1);
    cg_feel_destroy(s.feel);
    CHECK_STR(cg_feel_create(&told, 1, &s.feel).message, "");
    cg_transform here = {v3(0, 0, 5e-3), {0, 0, 0, 1}};
    cg_feel_align(s.feel, 0, here, here);
    double most, lowest = play(&s, 3, 4000, &most);
    CHECK(lowest < -1e-3);
    stage_close(&s);
}

TEST(the_same_calls_give_the_same_bits)
{
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_TOUCH);
    cg_practice_state ends[2];
    for (int i = 0; i < 2; i++) {
        double most;
        stage s = open_stage(&def, 0, 5);
        play(&s, 11, 1000, &most);
        ends[i] = cg_practice_get_state(s.practice);
        stage_close(&s);
    }
    CHECK(ends[0].energy == ends[1].energy);
    CHECK(ends[0].position.x == ends[1].position.x && ends[0].push.z == ends[1].push.z);
}
