// Torque at a device whose rotation has motors, in simulated time: a person turns it about all axes, against a world
// that holds its tool by a spring and answers late. However late that is, no more energy comes out than went in.
#include <math.h>

#include "base/quat.h"
#include "base/trig.h"
#include "catgut/feel.h"
#include "harness.h"

enum { MOST_DELAY = 20 };
static const double SPRING = 0.4; // [N m/rad] of the world

typedef struct handle {
    cg_feel *feel;
    int delay, slow;           // [ms] to the motors, and from one step of the world to the next
    cg_quat rotation;          // now
    cg_quat seen;              // of the sample that the next step has
    cg_vec3 queue[MOST_DELAY]; // torques on their way
    double energy, lowest;     // [J] that the person put in
    double greatest;           // [N m] that was felt
} handle;

static handle handle_open(int delay, int slow)
{
    handle h = {.delay = delay, .slow = slow, .rotation = quat_identity(), .seen = quat_identity()};
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
    def.device.max_torque = 0.188;
    def.delay = 1e-3 * delay;
    CHECK_STR(cg_feel_create(&def, 1, &h.feel).message, "");
    return h;
}

static cg_vec3 turn_between(cg_quat from, cg_quat to)
{
    cg_quat way = quat_multiply(to, quat_conjugate(from));
    return v3_scale(way.w < 0 ? -2 : 2, v3(way.x, way.y, way.z));
}

static void tell(handle *h)
{
    cg_feel_news news = {.torque = v3_scale(-SPRING, turn_between(quat_identity(), h->seen)), .holds = true};
    cg_feel_tell(h->feel, 0, &news);
    h->seen = h->rotation;
}

// Sways about all axes, faster and slower, and rests at times.
static cg_quat wanted(int time)
{
    double s[3], c, sway = 0.35;
    cg_sincos(2 * CG_PI * 1.3e-3 * time, &s[0], &c);
    cg_sincos(2 * CG_PI * 2.1e-3 * time, &s[1], &c);
    cg_sincos(2 * CG_PI * 0.7e-3 * time, &s[2], &c);
    return quat_from_vector(v3(sway * s[0], sway * s[1] * s[2], sway * s[2]));
}

// A millisecond. The torque at work meanwhile is the one that was sent `delay` before; with a guard it comes from the
// port, without one it is the world's.
static void play(handle *h, int time, bool guarded)
{
    cg_vec3 place = v3_zero();
    cg_feel_turn(h->feel, 0, h->rotation);
    cg_vec3 torque = cg_feel_step(h->feel, 0, &place).torque;
    if (!guarded) {
        torque = v3_scale(-SPRING, turn_between(quat_identity(), h->seen));
    }
    h->queue[time % MOST_DELAY] = torque;
    cg_vec3 works = h->queue[(time + MOST_DELAY - h->delay) % MOST_DELAY];
    if (time % h->slow == 0) {
        tell(h);
    }
    cg_quat next = wanted(time);
    h->energy -= v3_dot(works, turn_between(h->rotation, next));
    h->rotation = next;
    h->lowest = h->energy < h->lowest ? h->energy : h->lowest;
    h->greatest = v3_length(works) > h->greatest ? v3_length(works) : h->greatest;
}

static handle play_out(int delay, int slow, bool guarded, int milliseconds)
{
    handle h = handle_open(delay, slow);
    for (int i = 0; i < milliseconds; i++) {
        play(&h, i, guarded);
    }
    return h;
}

TEST(no_energy_comes_out_of_a_turn)
{
    static const int DELAYS[] = {0, 1, 3, 10}, SLOW[] = {1, 20};
    for (int i = 0; i < 8; i++) {
        handle h = play_out(DELAYS[i / 2], SLOW[i % 2], true, test_count(10000, 600000));
        CHECK(h.lowest > -1e-3);
        CHECK(h.greatest > 0.02 && h.greatest <= 0.188 * (1 + 1e-12));
        // What the port says of itself is what was measured.
        CHECK_NEAR(cg_feel_get_state(h.feel, 0).energy, h.energy, 2e-3);
        cg_feel_destroy(h.feel);
    }
}

// Without the account the same spring feeds the hand that turns it.
TEST(without_a_guard_energy_comes_out)
{
    handle h = play_out(10, 20, false, 10000);
    CHECK(h.lowest < -10e-3);
    cg_feel_destroy(h.feel);
}

// A hand that winds up a spring slowly feels nearly all of it: the guard takes only what would come out.
TEST(what_the_hand_puts_in_it_feels)
{
    handle h = handle_open(0, 1);
    for (int i = 0; i < 2000; i++) {
        cg_vec3 place = v3_zero();
        h.rotation = quat_from_vector(v3(0, 1.5e-4 * i, 0));
        cg_feel_turn(h.feel, 0, h.rotation);
        h.energy = cg_feel_step(h.feel, 0, &place).torque.y;
        tell(&h);
    }
    CHECK_NEAR(h.energy, -SPRING * 2 * sin(0.15), 0.01 * 0.12);
    cg_feel_destroy(h.feel);
}

TEST(who_does_not_say_how_it_is_turned_gets_no_torque)
{
    handle h = handle_open(0, 1);
    cg_vec3 place = v3_zero();
    cg_feel_news news = {.torque = v3(0.1, 0, 0)};
    cg_quat bad = {NAN, 0, 0, 1};
    for (int i = 0; i < 300; i++) {
        cg_feel_tell(h.feel, 0, &news);
        cg_feel_turn(h.feel, 0, bad);
        CHECK(v3_length(cg_feel_step(h.feel, 0, &place).torque) == 0);
    }
    for (int i = 0; i < 300; i++) {
        cg_feel_tell(h.feel, 0, &news);
        cg_feel_turn(h.feel, 0, quat_identity());
        cg_feel_step(h.feel, 0, &place);
    }
    cg_feel_turn(h.feel, 0, quat_identity());
    CHECK_NEAR(cg_feel_step(h.feel, 0, &place).torque.x, 0.1, 1e-9);
    for (int i = 0; i < 10; i++) { // unplugged
        cg_feel_tell(h.feel, 0, &news);
        CHECK(v3_length(cg_feel_step(h.feel, 0, NULL).torque) == 0 || i < 8);
    }
    cg_feel_destroy(h.feel);
}
