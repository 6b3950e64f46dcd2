// label: slow
// Tangles, yanks and threads that were begun inside each other: the work of a step is bounded, whatever happens, and
// nothing stays frozen once it is let be. Work is counted, never timed; `catgut bench knots/ball` and `knots/yanked`
// print the times.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/tangle_rig.h"
#include "harness.h"
#include "world/world.h"

// A pass that was begun within the bound has its friction problem, which is taken in, and whose last factor is made
// whole.
static const double MOST_WORK = 1.15 * (double)(CG_TOUCH_MOST_WORK + CG_TOUCH_PROBLEM_WORK);

// What a run of steps was like.
typedef struct run {
    double work;        // the most of a step
    int still, longest; // steps in a row that moved nothing: the present ones, and the most
} run;

static void note_step(run *r, const cg_world *world, double moved)
{
    r->work = fmax(r->work, (double)world->touches.stats.work);
    r->still = moved > 0 ? 0 : r->still + 1;
    r->longest = r->still > r->longest ? r->still : r->longest;
}

TEST(a_shaken_ball_ends_its_steps)
{
    if (test_is_sanitized()) {
        test_skip("too slow under a sanitizer");
        return;
    }
    cg_tangle *ball = calloc(1, sizeof *ball);
    if (!CHECK(ball != NULL) || !CHECK(cg_tangle_open_ball(ball))) {
        free(ball);
        return;
    }
    run shaken = {0}, left = {0};
    for (int step = 0; step < test_count(60, 20000); step++) {
        cg_tangle_shake(ball);
        cg_tangle_step(ball);
        note_step(&shaken, ball->world, cg_tangle_least_move(ball));
    }
    CHECK(shaken.work > (double)CG_TOUCH_MOST_WORK / 2); // it was hard
    CHECK(shaken.work < MOST_WORK);
    CHECK(shaken.longest <= 20);
    CHECK(cg_tangle_overlap(ball) < 0.3); // no pair was frozen
    for (int step = 0; step < test_count(40, 1000); step++) {
        cg_tangle_step(ball);
        note_step(&left, ball->world, cg_tangle_least_move(ball));
    }
    CHECK(left.work < MOST_WORK);
    CHECK(left.longest <= 20);
    CHECK(cg_tangle_overlap(ball) < 0.3);
    CHECK_INT(cg_world_get_stats(ball->world).recovered_steps, 0);
    cg_tangle_close(ball);
    free(ball);
}

// Once they stood still for ever: pairs that may not come nearer had no contact that would part them.
TEST(threads_begun_inside_each_other_part)
{
    cg_tangle *pair = calloc(1, sizeof *pair);
    if (!CHECK(pair != NULL) || !CHECK(cg_tangle_open_inside(pair))) {
        free(pair);
        return;
    }
    CHECK(cg_tangle_overlap(pair) > 0.8);
    run r = {0};
    for (int step = 0; step < 60; step++) {
        cg_tangle_step(pair);
        note_step(&r, pair->world, cg_tangle_least_move(pair));
    }
    CHECK(r.work < MOST_WORK);
    CHECK(r.longest <= 5);
    CHECK(cg_tangle_overlap(pair) < 0.02);
    cg_tangle_close(pair);
    free(pair);
}

// The free tails of two threads swing across each other, and can then be closed in ways that give another knot: all but
// 8 mm of each is left out.
static bool tell(const cg_knot_rig *rig, cg_knot_report *name)
{
    cg_knot_thread threads[2] = {{0}};
    int count = rig->curve.thread_count;
    for (int t = 0; t < count; t++) {
        int left_out = count == 2 ? (int)((rig->setup.curve.tail - 8e-3) / rig->setup.curve.spacing) : 0;
        threads[t].points = cg_knot_rig_points(rig, t);
        threads[t].count = cg_knot_rig_point_count(rig, t) - left_out;
        threads[t].pull = count == 2 ? CG_KNOT_PULL_FIRST : CG_KNOT_PULL_UNKNOWN;
        CHECK(count == 1 || !(rig->curve.pulled[0].last || rig->curve.pulled[1].last));
    }
    return cg_knot_identify(threads, count, NULL, name).code == CG_OK;
}

static void yank(cg_curve_kind kind, int threads, double speed)
{
    cg_knot_setup setup = cg_yank_setup(kind, threads);
    cg_knot_rig rig;
    cg_knot_report before, after;
    if (CHECK(cg_knot_rig_open(&rig, &setup, NULL)) && CHECK(tell(&rig, &before))) {
        CHECK_STR(before.common, kind == CG_CURVE_REEF ? "square" : "overhand");
        run pulled = {0}, relented = {0};
        for (int step = 1; step <= 1500; step++) {
            bool pulls = cg_yank(&rig, speed, step);
            cg_knot_rig_step(&rig);
            note_step(pulls ? &pulled : &relented, rig.world, rig.last_move);
        }
        CHECK(fmax(pulled.work, relented.work) < MOST_WORK);
        CHECK(relented.longest <= 20);
        CHECK(tell(&rig, &after));
        CHECK_STR(after.name, before.name);
    }
    cg_knot_rig_close(&rig);
}

TEST(yanked_knots_go_on_and_stay_what_they_are)
{
    if (test_is_sanitized()) {
        test_skip("too slow under a sanitizer");
        return;
    }
    for (int fast = test_is_full() ? 0 : 1; fast < 2; fast++) {
        yank(CG_CURVE_OVERHAND, 1, fast ? 10 : 1);
        yank(CG_CURVE_REEF, 1, fast ? 10 : 1);
        yank(CG_CURVE_REEF, 2, fast ? 10 : 1);
    }
}
