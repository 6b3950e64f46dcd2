// A hand of a real world, led by a simulated device in the hand of a simulated person, at 1 kHz.
#ifndef CATGUT_TESTS_FEEL_LOOP_H
#define CATGUT_TESTS_FEEL_LOOP_H

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

typedef struct loop {
    cg_world *world;
    cg_hand_id hand;
    cg_feel *feel;
    cg_practice *practice;
    int slow; // [ms] from one step of the world to the next
    int time; // [ms]
    cg_vec3 seen;
} loop;

static inline loop loop_open(cg_world *world, cg_hand_id hand, cg_device_kind kind)
{
    loop l = {.world = world, .hand = hand, .slow = 1};
    cg_hand_def def;
    cg_feel_def port = cg_feel_def_default(kind);
    cg_practice_def person = cg_practice_def_default();
    CHECK(cg_hand_get_def(world, hand, &def));
    port.hand_stiffness = def.stiffness;
    person.device = port.device;
    l.seen = def.pose.position;
    CHECK_STR(cg_feel_create(&port, 1, &l.feel).message, "");
    CHECK_STR(cg_practice_create(&person, def.pose.position, &l.practice).message, "");
    cg_feel_align(l.feel, 0, (cg_transform){def.pose.position, {0, 0, 0, 1}}, def.pose);
    return l;
}

static inline void loop_close(loop *l)
{
    cg_feel_destroy(l->feel);
    cg_practice_destroy(l->practice);
    cg_world_destroy(l->world);
}

static inline void loop_world(loop *l)
{
    cg_transform command = cg_feel_command(l->feel, 0, (cg_transform){l->seen, {0, 0, 0, 1}});
    // A step that comes late gets its way spread over a few: at once it would be a blow.
    CHECK_STR(cg_hand_move(l->world, l->hand, command, l->slow > 1 ? 4e-3 : 0).message, "");
    cg_world_step(l->world);
    cg_hand_state state = cg_hand_get_state(l->world, l->hand);
    cg_feel_news news = cg_feel_news_of(l->seen, &state);
    cg_feel_tell(l->feel, 0, &news);
}

// A millisecond in which the person wants to be there; returns the force at the motors.
static inline cg_vec3 loop_play(loop *l, cg_vec3 wanted)
{
    cg_vec3 sample = cg_practice_read(l->practice);
    cg_practice_write(l->practice, cg_feel_step(l->feel, 0, &sample).force);
    if (l->time % l->slow == 0) {
        loop_world(l);
        l->seen = sample;
    }
    cg_practice_step(l->practice, wanted);
    l->time++;
    return cg_practice_get_state(l->practice).motors;
}

#endif
