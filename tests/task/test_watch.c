// What is seen of hands: made-up moments of which every number is known.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "harness.h"
#include "knot/curves.h"
#include "task/knots.h"
#include "task/watch.h"

static const cg_allocator MEMORY = {0};

// A watch, and the moment that comes next.
typedef struct rig {
    cg_watch watch;
    cg_moment moment;
    cg_measures measures;
} rig;

static rig *start(const cg_goal *goal, int hands)
{
    rig *r = calloc(1, sizeof *r);
    cg_watch_begin(&r->watch, goal, 1, &MEMORY);
    r->moment.hand_count = hands;
    for (int i = 0; i < hands; i++) {
        r->moment.hands[i].hand = i;
    }
    cg_watch_see(&r->watch, &r->moment);
    return r;
}

// One moment more, 10 ms later.
static void see(rig *r)
{
    r->moment.time += 0.01;
    cg_watch_see(&r->watch, &r->moment);
}

// A hand goes somewhere evenly in so many moments.
static void go(rig *r, int hand, cg_vec3 to, int moments)
{
    cg_vec3 *tip = &r->moment.hands[hand].state.pose.position, from = *tip;
    for (int i = 1; i <= moments; i++) {
        *tip = v3_add_scaled(from, (double)i / moments, v3_sub(to, from));
        see(r);
    }
}

static void rest(rig *r, int moments)
{
    for (int i = 0; i < moments; i++) {
        see(r);
    }
}

static void hold(rig *r, int hand, int thread, bool closed)
{
    r->moment.hands[hand].state.thread.index = (uint32_t)thread;
    r->moment.hands[hand].state.closed = closed;
}

static double value(rig *r, cg_measure which)
{
    cg_watch_measure(&r->watch, &r->measures);
    CHECK(r->measures.of[which].known);
    return r->measures.of[which].value;
}

static double second(rig *r, cg_measure which)
{
    cg_watch_measure(&r->watch, &r->measures);
    return r->measures.of[which].at;
}

static void finish(rig *r)
{
    cg_watch_end(&r->watch);
    free(r);
}

TEST(time_ways_and_idleness)
{
    rig *r = start(NULL, 2);
    rest(r, 50);                   // 0.5 s before anything moves do not count
    go(r, 0, v3(0.03, 0, 0), 100); // 3 cm/s
    rest(r, 20);                   // 0.2 s
    go(r, 0, v3(0.03, 0.04, 0), 100);
    rest(r, 40); // 0.4 s, the longest rest
    go(r, 1, v3(0, 0, 0.035), 100);
    CHECK_NEAR(value(r, CG_MEASURE_time), 3.6, 1e-9);
    CHECK_NEAR(value(r, CG_MEASURE_path_length), 0.105, 1e-12);
    CHECK_NEAR(value(r, CG_MEASURE_idle_time), 0.6, 1e-9);
    CHECK_NEAR(second(r, CG_MEASURE_idle_time), 2.7, 1e-9);
    CHECK_NEAR(value(r, CG_MEASURE_movements), 3, 0);
    CHECK_NEAR(value(r, CG_MEASURE_hand_balance), 0.5, 1e-12);
    CHECK_NEAR(value(r, CG_MEASURE_economy), (0.05 + 0.035) / 0.105, 1e-12); // round a corner of 3 and 4 instead of 5
    CHECK(value(r, CG_MEASURE_sparc) < -1.4);
    CHECK(value(r, CG_MEASURE_jerk) < -5);
    finish(r);
}

TEST(a_grasp_at_the_corner_makes_it_two_straight_ways)
{
    rig *r = start(NULL, 1);
    go(r, 0, v3(0.03, 0, 0), 100);
    hold(r, 0, 1, true);
    see(r);
    go(r, 0, v3(0.03, 0.04, 0), 100);
    CHECK_NEAR(value(r, CG_MEASURE_economy), 1, 1e-12);
    CHECK_NEAR(value(r, CG_MEASURE_grasps), 1, 0);
    CHECK_NEAR(value(r, CG_MEASURE_missed_grasps), 0, 0);
    finish(r);
}

TEST(a_grasp_of_nothing_is_missed)
{
    rig *r = start(NULL, 1);
    go(r, 0, v3(0.03, 0, 0), 30);
    hold(r, 0, 0, true);
    see(r);
    rest(r, 5);
    CHECK_NEAR(value(r, CG_MEASURE_missed_grasps), 1, 0);
    CHECK_NEAR(second(r, CG_MEASURE_missed_grasps), 0.31, 1e-9);
    hold(r, 0, 0, false);
    see(r);
    r->moment.hands[0].state.tool = CG_TOOL_SCALPEL; // which cuts when it closes
    hold(r, 0, 0, true);
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_missed_grasps), 1, 0);
    finish(r);
}

TEST(a_thread_is_dropped_when_it_must_be_taken_again)
{
    rig *r = start(NULL, 2);
    hold(r, 0, 2, true);
    rest(r, 10);
    hold(r, 1, 2, true); // the other hand has it too: handed over
    rest(r, 10);
    hold(r, 0, 0, false);
    rest(r, 10);
    CHECK_NEAR(value(r, CG_MEASURE_thread_drops), 0, 0);
    hold(r, 1, 0, false); // 0.31 s: nobody has it
    rest(r, 10);
    CHECK_NEAR(value(r, CG_MEASURE_thread_drops), 0, 0); // let go for good so far
    hold(r, 0, 2, true);
    rest(r, 10);
    CHECK_NEAR(value(r, CG_MEASURE_thread_drops), 1, 0);
    CHECK_NEAR(second(r, CG_MEASURE_thread_drops), 0.31, 1e-9);
    finish(r);
}

static bool is_known(rig *r, cg_measure which)
{
    cg_watch_measure(&r->watch, &r->measures);
    return r->measures.of[which].known;
}

TEST(what_jaws_hold_is_not_known)
{
    static const cg_measure of_grips[] = {CG_MEASURE_grasps, CG_MEASURE_missed_grasps, CG_MEASURE_thread_drops,
                                          CG_MEASURE_tissue_slips, CG_MEASURE_economy};
    rig *r = start(NULL, 2);
    cg_hand_state *jaws = &r->moment.hands[0].state;
    go(r, 0, v3(0.03, 0, 0), 30);
    for (int i = 0; i < 5; i++) {
        CHECK(is_known(r, of_grips[i]));
    }
    jaws->has_jaws = true;
    hold(r, 0, 0, true); // closes, on a needle or on nothing
    rest(r, 5);
    for (int i = 0; i < 5; i++) {
        CHECK(!is_known(r, of_grips[i]));
    }
    CHECK(is_known(r, CG_MEASURE_path_length));
    finish(r);
}

TEST(jaws_that_press_have_let_nothing_go)
{
    rig *r = start(NULL, 2);
    cg_hand_state *jaws = &r->moment.hands[1].state;
    jaws->has_jaws = true;
    see(r);
    CHECK(cg_watch_is_let_go(&r->watch));
    jaws->jaw_forces[0] = 2; // leans on something with one jaw
    see(r);
    CHECK(cg_watch_is_let_go(&r->watch));
    jaws->jaw_forces[1] = 2;
    see(r);
    CHECK(!cg_watch_is_let_go(&r->watch));
    jaws->jaw_forces[0] = jaws->jaw_forces[1] = 0;
    see(r);
    CHECK(cg_watch_is_let_go(&r->watch));
    hold(r, 0, 1, true);
    see(r);
    CHECK(!cg_watch_is_let_go(&r->watch));
    finish(r);
}

TEST(the_peak_of_force_has_its_second)
{
    rig *r = start(NULL, 1);
    rest(r, 10);
    r->moment.hands[0].state.force = v3(0.3, 0, -0.4);
    see(r);
    r->moment.hands[0].state.force = v3(0.1, 0, 0);
    r->moment.hands[0].state.has_slipped = true;
    rest(r, 10);
    CHECK_NEAR(value(r, CG_MEASURE_peak_force), 0.5, 1e-15);
    CHECK_NEAR(second(r, CG_MEASURE_peak_force), 0.11, 1e-9);
    CHECK_NEAR(value(r, CG_MEASURE_tissue_slips), 1, 0);
    finish(r);
}

static cg_goal ball_goal(int count)
{
    return (cg_goal){.kind = CG_GOAL_TARGETS,
                     .targets = {.radius = 0.03, .count = count, .size = 0.003, .facing = {0, 0, 1}, .spread = 1.2}};
}

TEST(targets_are_gone_when_touched_and_the_clock_runs_between)
{
    cg_goal goal = ball_goal(3);
    rig *r = start(&goal, 1);
    const cg_vec3 *targets = r->watch.targets;
    go(r, 0, v3(0, 0, 0.08), 100); // the clock does not run yet
    r->moment.hands[0].state.pose.position = v3(0, 0, 0.08);
    r->watch.hands[0].inside = false;
    r->watch.misses.count = 0; // it began inside the ball
    for (int i = 0; i < 3; i++) {
        CHECK(!cg_watch_is_reached(&r->watch));
        go(r, 0, targets[i], 100);
        go(r, 0, v3_scale(2, targets[i]), 50);
    }
    CHECK(cg_watch_is_reached(&r->watch));
    CHECK_NEAR(value(r, CG_MEASURE_targets_reached), 1, 0);
    CHECK_NEAR(value(r, CG_MEASURE_misses), 0, 0);
    // from the moment at which the first was touched to the last, not quite 3 s: the way out and in, twice
    double time = value(r, CG_MEASURE_time);
    CHECK(time > 2.7 && time <= 3.01);
    CHECK_NEAR(r->measures.begin, r->watch.first_touch, 0);
    CHECK(value(r, CG_MEASURE_path_length) < 0.5);
    finish(r);
}

TEST(a_tip_that_rushes_through_a_target_touches_it)
{
    cg_goal goal = ball_goal(1);
    rig *r = start(&goal, 1);
    cg_vec3 target = r->watch.targets[0];
    go(r, 0, v3_scale(1.5, target), 1);
    CHECK(cg_watch_is_reached(&r->watch)); // it was between two moments
    finish(r);
}

TEST(beside_the_targets_is_a_miss)
{
    cg_goal goal = ball_goal(2);
    rig *r = start(&goal, 1);
    r->watch.misses.count = 0;
    go(r, 0, v3(0, 0, -0.08), 100); // out at the back, where no targets are
    go(r, 0, v3(0, 0, -0.02), 100); // in again
    go(r, 0, v3(0, 0, -0.08), 100);
    CHECK_NEAR(value(r, CG_MEASURE_misses), 1, 0);
    CHECK_NEAR(r->measures.of[CG_MEASURE_targets_reached].value, 0, 0);
    CHECK(!r->measures.of[CG_MEASURE_time].known); // the clock never started
    finish(r);
}

TEST(targets_depend_on_the_seed_and_are_apart)
{
    cg_goal_targets goal = ball_goal(12).targets;
    cg_vec3 one[12], same[12], other[12];
    cg_targets_place(&goal, 7, one);
    cg_targets_place(&goal, 7, same);
    cg_targets_place(&goal, 8, other);
    CHECK(memcmp(one, same, sizeof one) == 0);
    CHECK(v3_distance(one[0], other[0]) > 1e-6);
    for (int i = 0; i < 12; i++) {
        CHECK_NEAR(v3_length(one[i]), 0.03, 1e-15);
        CHECK(one[i].z >= 0.03 * cos(1.2) - 1e-15);
        for (int k = 0; k < i; k++) {
            CHECK(v3_distance(one[i], one[k]) >= 4 * goal.size);
        }
    }
}

TEST(a_line_is_followed_and_left)
{
    cg_goal goal = {
        .kind = CG_GOAL_LINE,
        .line = {
            .points = {{0, 0, 0}, {0.04, 0, 0}, {0.04, 0.02, 0}}, .count = 3, .tolerance = 1e-3, .across = {0, 0, 1}}};
    rig *r = start(&goal, 1);
    r->moment.hands[0].state.closed = true;
    see(r);
    go(r, 0, v3(0.02, 0, -0.003), 50); // depth does not count
    CHECK_NEAR(value(r, CG_MEASURE_coverage), 0.35, 0.02);
    go(r, 0, v3(0.03, 0.0008, 0), 50);
    go(r, 0, v3(0.04, 0, 0), 50);
    CHECK(!cg_watch_is_reached(&r->watch));
    go(r, 0, v3(0.04, 0.02, 0), 50);
    CHECK(!cg_watch_is_reached(&r->watch)); // it draws still
    CHECK_NEAR(value(r, CG_MEASURE_coverage), 1, 0);
    CHECK_NEAR(value(r, CG_MEASURE_deviation), 0.0008, 1e-12);
    CHECK_NEAR(second(r, CG_MEASURE_deviation), 1.01, 1e-9);
    CHECK_NEAR(value(r, CG_MEASURE_mean_deviation), 0.0004 * 20 / 60, 5e-6);
    r->moment.hands[0].state.closed = false;
    see(r);
    CHECK(cg_watch_is_reached(&r->watch));
    go(r, 0, v3(1, 1, 1), 10); // open, it draws nothing
    CHECK_NEAR(value(r, CG_MEASURE_deviation), 0.0008, 1e-12);
    finish(r);
}

TEST(a_second_hand_retraces_the_first)
{
    cg_goal goal = {.kind = CG_GOAL_LINE, .line = {.retrace = true, .tolerance = 1e-3}};
    rig *r = start(&goal, 2);
    r->moment.hands[1].state.closed = true; // it leads, whichever hand it is
    see(r);
    go(r, 1, v3(0.02, 0, 0), 40);
    go(r, 1, v3(0.02, 0.02, 0), 40);
    r->moment.hands[1].state.closed = false;
    see(r);
    CHECK(!cg_watch_is_reached(&r->watch));
    CHECK_NEAR(value(r, CG_MEASURE_coverage), 0, 0);
    r->moment.hands[0].state.closed = true;
    see(r);
    go(r, 0, v3(0.02, 0, 0), 40);
    CHECK_NEAR(value(r, CG_MEASURE_coverage), 0.5, 0.03);
    go(r, 0, v3(0.0207, 0.01, 0), 40);
    go(r, 0, v3(0.02, 0.02, 0), 40);
    CHECK_NEAR(value(r, CG_MEASURE_deviation), 0.0007, 1e-9);
    r->moment.hands[0].state.closed = false;
    see(r);
    CHECK(cg_watch_is_reached(&r->watch));
    r->moment.hands[1].state.closed = true; // what the leader draws later measures nothing
    go(r, 1, v3(0.1, 0.1, 0), 20);
    CHECK_NEAR(value(r, CG_MEASURE_deviation), 0.0007, 1e-9);
    finish(r);
}

TEST(a_line_that_is_too_short_counts_for_nothing)
{
    cg_goal goal = {.kind = CG_GOAL_LINE, .line = {.retrace = true, .least = 0.03, .tolerance = 1e-3}};
    rig *r = start(&goal, 2);
    for (int hand = 0; hand < 2; hand++) {
        r->moment.hands[hand].state.closed = true;
        see(r);
        go(r, hand, v3(0.02, 0, 0), 40);
        r->moment.hands[hand].state.closed = false;
        see(r);
    }
    CHECK_NEAR(value(r, CG_MEASURE_coverage), 0, 0);
    CHECK(!cg_watch_is_reached(&r->watch));
    finish(r);
}

TEST(items_belong_into_the_receptacle)
{
    cg_goal goal = {.kind = CG_GOAL_ITEMS, .items = {.position = {0.1, 0, 0}, .radius = 0.01, .height = 0.02}};
    rig *r = start(&goal, 1);
    r->moment.item_count = 2;
    hold(r, 0, 1, true);
    rest(r, 10);
    r->moment.items[0] = v3(0.12, 0, 0.01); // beside it
    rest(r, 10);
    hold(r, 0, 0, false); // 0.21 s
    rest(r, 10);
    hold(r, 0, 1, true);
    r->moment.items[0] = v3(0.1, 0, 0.05); // above it
    rest(r, 10);
    hold(r, 0, 0, false);
    see(r);
    r->moment.items[0] = v3(0.105, 0, 0.001); // it falls in
    rest(r, 10);
    CHECK_NEAR(value(r, CG_MEASURE_targets_reached), 0.5, 0);
    CHECK_NEAR(value(r, CG_MEASURE_misses), 1, 0);
    CHECK_NEAR(second(r, CG_MEASURE_misses), 0.21, 1e-9);
    CHECK(!cg_watch_is_reached(&r->watch));
    hold(r, 0, 2, true);
    rest(r, 2);
    hold(r, 0, 0, false);
    rest(r, 2);
    CHECK_NEAR(value(r, CG_MEASURE_misses), 2, 0); // the second lies where it was let go
    r->moment.items[1] = v3(0.1, 0.001, 0.002);
    see(r);
    CHECK(cg_watch_is_reached(&r->watch));
    CHECK_NEAR(value(r, CG_MEASURE_misses), 1, 0);
    cg_hand_state *jaws = &r->moment.hands[0].state;
    jaws->has_jaws = true;
    jaws->jaw_forces[0] = jaws->jaw_forces[1] = 1; // they may still hold one of them
    see(r);
    CHECK(!cg_watch_is_reached(&r->watch) && !is_known(r, CG_MEASURE_misses));
    jaws->jaw_forces[0] = jaws->jaw_forces[1] = 0;
    see(r);
    CHECK(cg_watch_is_reached(&r->watch));
    finish(r);
}

// Of a made knot with straight tails of 20 mm as much more than these can be cut off as its strands allow; 12 mm cut
// off one end are missing there and nowhere else.
TEST(tails_of_an_overhand_knot)
{
    enum { ROOM = 4000 };
    static cg_vec3 points[ROOM];
    cg_curve_def def = cg_curve_def_default();
    cg_curve curve;
    def.spacing = 2e-4;
    if (!CHECK(cg_curve_make(&def, points, ROOM, &curve).code == CG_OK)) {
        return;
    }
    int count = curve.point_count[0], off = 60;
    double whole[2] = {0, 0}, shorter[2] = {0, 0};
    CHECK(cg_knot_tails(points, count, &MEMORY, whole));
    CHECK(whole[0] > 20e-3 && whole[0] < 25e-3);
    CHECK_NEAR(whole[0], whole[1], 1e-3); // the knot is the same from both sides
    CHECK(cg_knot_tails(points + off, count - off, &MEMORY, shorter));
    CHECK_NEAR(shorter[0], whole[0] - 12e-3, 5e-4);
    CHECK_NEAR(shorter[1], whole[1], 5e-4);
    CHECK(!cg_knot_tails(points, 50, &MEMORY, whole)); // a straight piece has no knot
}
