// Force propagation along a grasped thread (VTE 4.2). A straight thread of springs is pulled at its middle, and what a
// hand pulls with goes on from vertex to vertex only where segments are at their limits:
//
//     A   all within: the force stays where it is
//     B   one hand, segments stretched beyond: the part along them goes on to the end, the part across stays
//     C   two hands: the same twice, once from each
//
// Then hands jump about at random, and no segment leaves its limits.
#include <stdio.h>

#include "base/vec3.h"
#include "experiments/cord_rig.h"
#include "thread/model.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_propagation = {
    .name = "propagation",
    .summary = "what a hand pulls with goes on along a thread where segments are at their limits",
    .source = "VTE 4.2, (4.1) and (4.2), conditions A, B and C",
    .run = run,
};

enum { POINTS = 30, HAND = 20, OTHER = 8, PULLS = 2000, ALL_PULLS = 10000 };
static const double LENGTH = 0.5 / (POINTS - 1);
static const cg_length_limits LIMITS = {0.9 * 0.5 / (POINTS - 1), 1.1 * 0.5 / (POINTS - 1), NULL};

// Of the random pulls, in rest lengths: so near that hands of 1200 N/m reach them again and again.
static const double SHORTEST = 0.97, LONGEST = 1.03;

typedef struct state {
    cg_vec3 position[POINTS], expected[POINTS], force[POINTS];
} state;

// Straight along x, and expected to be `stretch` times as long on either side of what holds still.
static state lay(double stretch)
{
    state s = {0};
    for (int i = 0; i < POINTS; i++) {
        s.position[i] = v3(LENGTH * i, 0, 0);
        s.expected[i] = v3(LENGTH * stretch * i, 0, 0);
    }
    return s;
}

static cg_vec3 sum_of(const state *s)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < POINTS; i++) {
        sum = v3_add(sum, s->force[i]);
    }
    return sum;
}

static int pass(state *s, int vertex, int step, cg_vec3 pull)
{
    return cg_propagate_force(&LIMITS, POINTS, s->position, s->expected, vertex, step, pull, s->force);
}

static void report_conditions(cg_report *report)
{
    const cg_vec3 pull = v3(40, 9, 0);
    state a = lay(1.02), b = lay(1.2), c = lay(1.2);
    int passed = pass(&a, HAND, -1, pull);
    cg_report_check(report, 0, passed, 0, "1", "A: within the limits: segments that the force passes");
    cg_report_check(report, v3_length(pull), v3_length(a.force[HAND]), 1e-12, "N", "A: force that stays at the hand");
    passed = pass(&b, HAND, -1, pull);
    cg_report_check(report, HAND, passed, 0, "1", "B: one hand, beyond the limits: segments that the force passes");
    cg_report_check(report, pull.y, b.force[HAND].y, 1e-12, "N", "B: across the segment stays at the hand, (4.2)");
    cg_report_check(report, pull.x, b.force[0].x, 1e-12, "N", "B: along it arrives at the end, (4.1)");
    cg_report_check(report, 0, v3_distance(sum_of(&b), pull), 1e-12, "N", "B: nothing is lost");
    passed = pass(&c, HAND, -1, pull) + pass(&c, OTHER, 1, v3(-25, 0, 3));
    cg_report_check(report, HAND + POINTS - 1 - OTHER, passed, 0, "1", "C: two hands, twice: segments that are passed");
    cg_report_check(report, 0, v3_distance(sum_of(&c), v3(15, 9, 3)), 1e-12, "N", "C: nothing is lost");
}

static cg_world *make_world(cg_thread_id *thread, cg_hand_id hands[2], cg_report *report)
{
    cg_vec3 points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3(LENGTH * i, 0, 0);
    }
    cg_thread_def def = cg_cord_def(points, POINTS, 0);
    def.drag = 10;
    def.springs.shortest = SHORTEST;
    def.springs.longest = LONGEST;
    cg_world *world = cg_cord_world(&def, v3_zero(), false, thread, report);
    for (int h = 0; world != NULL && h < 2; h++) {
        hands[h] = cg_cord_take(world, points[h == 0 ? OTHER : HAND], 1e4, report);
    }
    return world;
}

// Numbers between -1 and 1, always the same.
static double next(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*random / 9223372036854775808.0;
}

static void report_pulls(cg_report *report)
{
    cg_thread_id thread;
    cg_hand_id hands[2];
    uint64_t random = 1;
    cg_world *world = make_world(&thread, hands, report);
    double least = 1, most = 1;
    int pulls = report->thorough ? ALL_PULLS : PULLS;
    for (int k = 0; world != NULL && k < pulls; k++) {
        cg_vec3 to = v3(0.8 * next(&random), 0.8 * next(&random), 0.8 * next(&random));
        cg_hand_move(world, hands[k % 2], (cg_transform){to, {0, 0, 0, 1}}, 0);
        cg_world_step(world);
        const cg_vec3 *x = cg_thread_positions(world, thread, NULL);
        for (int i = 0; i + 1 < POINTS; i++) {
            double length = v3_distance(x[i], x[i + 1]) / LENGTH;
            least = fmin(least, length);
            most = fmax(most, length);
        }
    }
    if (world != NULL) {
        cg_report_check(report, 1, most <= LONGEST, 0, "1", "%d random pulls: no segment above l_max 1.03 (%.6f)",
                        pulls, most);
        cg_report_check(report, 1, least >= SHORTEST, 0, "1", "%d random pulls: none below l_min 0.97 (%.6f)", pulls,
                        least);
        cg_report_check(report, 1, most > LONGEST - 1e-6 && least < SHORTEST + 1e-6, 0, "1", "and both were reached");
    }
    cg_world_destroy(world);
}

static void run(cg_report *report)
{
    report_conditions(report);
    report_pulls(report);
}
