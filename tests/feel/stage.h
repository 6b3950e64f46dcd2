// A small stage for tests of feel: a tool of 20 g that is led as a hand of a world is, between a floor, a wall and a
// tether, made in closed form and so fast that minutes can be played; and a person with a simulated device before it.
#ifndef CATGUT_TESTS_FEEL_STAGE_H
#define CATGUT_TESTS_FEEL_STAGE_H

#include <stddef.h>

#include "base/vec3.h"
#include "catgut/feel.h"
#include "harness.h"

typedef struct stage {
    cg_feel *feel;
    cg_practice *practice;
    cg_feel_def def;
    double floor; // [N/m] of what is below z = 0; 0: nothing
    double wall;  // [N/m] of what is beyond x = 10 mm
    double rope;  // [N/m] of a tether from the origin that is tight beyond y = 15 mm
    int slow;     // [ms] from one step of the world to the next
    double step;  // [s] that the world's step is
    cg_vec3 tool, velocity, command;
    cg_vec3 seen; // the sample that the last step had
    int time;     // [ms]
    bool unplugged;
} stage;

static inline stage stage_open(const cg_feel_def *def, double real_delay, cg_vec3 place)
{
    stage s = {.def = *def, .slow = 1, .step = 1e-3, .tool = place, .command = place, .seen = place};
    cg_practice_def practice = cg_practice_def_default();
    practice.device = def->device;
    practice.delay = real_delay;
    CHECK_STR(cg_feel_create(def, 1, &s.feel).message, "");
    CHECK_STR(cg_practice_create(&practice, place, &s.practice).message, "");
    cg_transform here = {place, {0, 0, 0, 1}};
    cg_feel_align(s.feel, 0, here, here);
    return s;
}

static inline void stage_close(stage *s)
{
    cg_feel_destroy(s->feel);
    cg_practice_destroy(s->practice);
}

// Implicit Euler of a mass on the spring and damper of the hand, along one axis, and a one-sided spring `k` beyond
// `edge` in the direction `side`. Returns the force of that.
static inline double stage_axis(const stage *s, double command, double before, double *at, double *speed, double k,
                                double edge, double side)
{
    const double mass = 20e-3, damping = 9, h = s->step;
    double a = mass / (h * h) + damping / h + s->def.hand_stiffness;
    double b = mass / (h * h) * *at + mass / h * *speed + damping / h * (*at + command - before) +
               s->def.hand_stiffness * command;
    double next = b / a, force = 0;
    if (k > 0 && side * (next - edge) > 0) {
        next = (b + k * edge) / (a + k);
        force = -k * (next - edge);
    }
    *speed = (next - *at) / h;
    *at = next;
    return force;
}

static inline void stage_world(stage *s)
{
    cg_transform wanted = cg_feel_command(s->feel, 0, (cg_transform){s->seen, {0, 0, 0, 1}});
    cg_vec3 c = wanted.position;
    cg_feel_news news = {.position = s->seen};
    news.force.x = stage_axis(s, c.x, s->command.x, &s->tool.x, &s->velocity.x, s->wall, 10e-3, 1);
    news.force.y = stage_axis(s, c.y, s->command.y, &s->tool.y, &s->velocity.y, s->rope, 15e-3, 1);
    news.force.z = stage_axis(s, c.z, s->command.z, &s->tool.z, &s->velocity.z, s->floor, 0, -1);
    s->command = c;
    cg_feel_tell(s->feel, 0, &news);
}

// A millisecond in which the person wants to be there.
static inline void stage_play(stage *s, cg_vec3 wanted)
{
    cg_vec3 sample = cg_practice_read(s->practice);
    if (!s->unplugged) {
        cg_practice_write(s->practice, cg_feel_step(s->feel, 0, &sample).force);
    } else {
        cg_feel_step(s->feel, 0, NULL);
    }
    if (s->time % s->slow == 0) {
        // What the step begins with is what was sampled now; what it tells comes at its end.
        stage_world(s);
        s->seen = sample;
    }
    cg_practice_step(s->practice, wanted);
    s->time++;
}

#endif
