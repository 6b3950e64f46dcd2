// A thread wound twice around the shaft of a needle driver, as for the first throw of an instrument tie, and pulled:
// the pull is exp(mu phi) times what holds the other end back, and the hand that carries the driver feels both.
#include <math.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_wrap = {
    .name = "wrap",
    .summary = "a thread twice around the shaft of a needle driver in a hand, pulled",
    .source = "Euler 1769, Eytelwein 1808: F = F0 exp(mu phi)",
    .run = run,
};

enum { MOST_VERTICES = 400, STEPS = 800, HALF = STEPS / 2 };
static const double SHAFT_RADIUS = 2.5e-3, SHAFT_FRICTION = 0.2;                    // [m]
static const double TAIL = 15e-3, SPACING = 0.4e-3, PITCH = 1.2e-3, HEIGHT = 50e-3; // [m]
static const double HELD_BACK = 0.05, SPEED = 0.02, TURNS = 2, TIME_STEP = 0.5e-3;  // [N], [m/s], [s]

typedef struct rig {
    cg_world *world;
    cg_hand_id hand;
    cg_thread_id thread;
    int count;
} rig;

// Up to the shaft along y, around it, and away along y.
static int lay(double distance, cg_vec3 *points)
{
    int count = 0, tail = (int)(TAIL / SPACING), wrap = (int)(2 * CG_PI * TURNS * distance / SPACING);
    for (int i = -tail; i <= wrap + tail; i++) {
        int around = i < 0 ? 0 : i > wrap ? wrap : i;
        double angle = 2 * CG_PI * TURNS * around / wrap, beyond = SPACING * (i - around);
        double rise = PITCH * angle / (2 * CG_PI);
        points[count++] = vec(distance * cos(angle) - sin(angle) * beyond, distance * sin(angle) + cos(angle) * beyond,
                              HEIGHT + rise);
    }
    return count;
}

static bool build(rig *r, double friction)
{
    cg_vec3 points[MOST_VERTICES];
    cg_world_def world = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    cg_thread_def thread = cg_thread_def_default();
    world.gravity = vec(0, 0, 0);
    world.time_step = TIME_STEP;
    hand.tool = CG_TOOL_NEEDLE_DRIVER;
    hand.rod_friction = SHAFT_FRICTION;
    hand.turn_stiffness = 5; // a firm wrist: the pull acts 5 cm behind the jaws
    hand.max_torque = 1;
    thread.friction = friction * friction / SHAFT_FRICTION;
    thread.bend_stiffness = 1e-12;
    thread.drag = 300;
    r->count = lay(SHAFT_RADIUS + thread.radius, points);
    thread.vertex_count = r->count;
    thread.positions = points;
    return cg_world_create(&world, &r->world).code == CG_OK &&
           cg_world_add_hand(r->world, &hand, &r->hand).code == CG_OK &&
           cg_world_add_thread(r->world, &thread, &r->thread).code == CG_OK;
}

// [m] How far the thread is from the axis of the shaft, less what it should be; the least.
static double depth(const rig *r)
{
    cg_rigid_part shaft;
    double least = 1, radius = cg_thread_def_default().radius;
    const cg_vec3 *x = cg_thread_positions(r->world, r->thread, NULL);
    cg_hand_get_part(r->world, r->hand, 0, &shaft, NULL);
    cg_quat q = shaft.pose.rotation; // the axis is z of the part
    cg_vec3 axis = vec(2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y));
    for (int i = 0; i < r->count; i++) {
        cg_vec3 arm = vec_sub(x[i], shaft.pose.position);
        arm = vec_sub(arm, vec_scale(vec_dot(arm, axis), axis));
        least = fmin(least, vec_length(arm) - SHAFT_RADIUS - radius);
    }
    return -least / (2 * radius);
}

static void pull(cg_report *report, double friction)
{
    rig r = {0};
    if (!build(&r, friction)) {
        cg_report_trouble(report, "the world could not be built");
        cg_world_destroy(r.world);
        return;
    }
    cg_vec3 end = cg_thread_positions(r.world, r.thread, NULL)[r.count - 1];
    double pulled = 0, felt = 0, deepest = 0;
    for (int step = 0; step < STEPS; step++) {
        cg_thread_push_vertex(r.world, r.thread, 0, vec(0, -HELD_BACK, 0));
        cg_thread_hold(r.world, r.thread, r.count - 1, vec_add(end, vec(0, SPEED * TIME_STEP * (step + 1), 0)));
        cg_world_step(r.world);
        deepest = fmax(deepest, depth(&r));
        if (step >= HALF) {
            pulled += cg_thread_hold_force(r.world, r.thread, r.count - 1).y / (STEPS - HALF);
            felt += cg_hand_get_state(r.world, r.hand).force.y / (STEPS - HALF);
        }
    }
    double ratio = exp(friction * 2 * CG_PI * TURNS);
    cg_report_check(report, ratio, pulled / HELD_BACK, 0.03, "1", "pull ratio, two turns, mu %g", friction);
    cg_report_check(report, pulled - HELD_BACK, felt, 0.03, "N", "what the hand feels, mu %g", friction);
    cg_report_check(report, 0, deepest, 0.05, "1", "deepest in the shaft, diameters of the thread, mu %g", friction);
    cg_report_check(report, 0, (double)cg_world_get_stats(r.world).unfinished_steps / STEPS, 0.01, "1",
                    "of all steps, unfinished, mu %g", friction);
    cg_world_destroy(r.world);
}

static void run(cg_report *report)
{
    pull(report, 0.1);
    pull(report, 0.2);
}
