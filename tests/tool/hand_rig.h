// A world with one straight thread along x and hands, for the tests of hands.
#ifndef CATGUT_TESTS_HAND_RIG_H
#define CATGUT_TESTS_HAND_RIG_H

#include <stdlib.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

enum { RIG_VERTICES = 61, RIG_HANDS = 2 };
static const double RIG_SPACING = 1e-3; // [m] the thread is 60 mm long

typedef struct hand_rig {
    cg_world *world;
    cg_thread_id thread;
    cg_hand_id hands[RIG_HANDS];
} hand_rig;

// Hands stand at both ends of the thread, open.
static inline hand_rig rig_create(const cg_world_def *world_def, const cg_hand_def *hand_def,
                                  const cg_thread_def *thread_def)
{
    hand_rig rig = {0};
    cg_vec3 points[RIG_VERTICES];
    cg_status status = cg_world_create(world_def, &rig.world);
    CHECK_STR(status.message, "");
    for (int i = 0; i < RIG_VERTICES; i++) {
        points[i] = v3(RIG_SPACING * i, 0, 0);
    }
    cg_thread_def thread = *thread_def;
    thread.vertex_count = RIG_VERTICES;
    thread.positions = points;
    status = cg_world_add_thread(rig.world, &thread, &rig.thread);
    CHECK_STR(status.message, "");
    for (int i = 0; i < RIG_HANDS; i++) {
        cg_hand_def hand = *hand_def;
        hand.pose.position = points[i == 0 ? 0 : RIG_VERTICES - 1];
        status = cg_world_add_hand(rig.world, &hand, &rig.hands[i]);
        CHECK_STR(status.message, "");
    }
    return rig;
}

static inline hand_rig rig_usual(void)
{
    cg_world_def world = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    cg_thread_def thread = cg_thread_def_default();
    return rig_create(&world, &hand, &thread);
}

static inline void rig_run(const hand_rig *rig, int steps)
{
    for (int step = 0; step < steps; step++) {
        cg_world_step(rig->world);
    }
}

static inline cg_hand_state rig_state(const hand_rig *rig, int hand)
{
    return cg_hand_get_state(rig->world, rig->hands[hand]);
}

static inline void rig_move(const hand_rig *rig, int hand, cg_vec3 position, double time)
{
    cg_transform pose = {position, {0, 0, 0, 1}};
    CHECK_STR(cg_hand_move(rig->world, rig->hands[hand], pose, time).message, "");
}

static inline void rig_close(const hand_rig *rig, int hand)
{
    CHECK_STR(cg_hand_close(rig->world, rig->hands[hand]).message, "");
}

#endif
