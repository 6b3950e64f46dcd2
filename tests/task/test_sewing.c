// What is seen of needles and stitches: made-up moments of which every number is known.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quat.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "geometry/mesh.h"
#include "harness.h"
#include "task/watch.h"
#include "task/wound.h"

static const cg_allocator MEMORY = {0};
static const double RADIUS = 10e-3;

typedef struct rig {
    cg_watch watch;
    cg_moment moment;
    cg_measures measures;
} rig;

// A half circle of 10 mm with its tip at (10, 0, 0) mm and going down, and two drivers.
static rig *start(const cg_goal *goal)
{
    rig *r = calloc(1, sizeof *r);
    cg_watch_begin(&r->watch, goal, 1, &MEMORY);
    r->moment.hand_count = 2;
    r->moment.hands[1].hand = 1;
    r->moment.sewing.known = true;
    r->moment.sewing.needle_count = 1;
    r->moment.sewing.needles[0] =
        (cg_seen_needle){.is = {.radius = RADIUS, .arc = CG_PI}, .pose = {.rotation = quat_identity()}};
    cg_watch_see(&r->watch, &r->moment);
    return r;
}

static void see(rig *r)
{
    r->moment.time += 0.01;
    cg_watch_see(&r->watch, &r->moment);
}

static cg_seen_needle *needle_of(rig *r)
{
    return &r->moment.sewing.needles[0];
}

// The needle has one hole more, at its tip.
static cg_recorded_hole *pierce(rig *r, cg_vec3 home, cg_vec3 normal, int side, bool inward)
{
    cg_recorded_hole *hole = &r->moment.sewing.holes[r->moment.sewing.hole_count++];
    *hole = (cg_recorded_hole){.side = side, .home = home, .normal = normal, .inward = inward};
    needle_of(r)->is.is_inside = inward;
    return hole;
}

static const cg_measured *measured(rig *r, cg_measure which)
{
    cg_watch_measure(&r->watch, &r->measures);
    return &r->measures.of[which];
}

static double value(rig *r, cg_measure which)
{
    CHECK(measured(r, which)->known);
    return r->measures.of[which].value;
}

static double second(rig *r, cg_measure which)
{
    return measured(r, which)->at;
}

static void finish(rig *r)
{
    cg_watch_end(&r->watch);
    free(r);
}

TEST(angles_are_those_between_needle_and_surface)
{
    rig *r = start(NULL);
    pierce(r, v3(0.01, 0, 0), v3(0, 0, 1), CG_SIDE_TOP, true); // straight down
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_entry_angle), CG_PI / 2, 1e-12);
    CHECK(!measured(r, CG_MEASURE_exit_angle)->known);
    // Out through a surface that leans by 30 degrees, then in where the needle, which has turned by 50, meets one that
    // lies flat, at 20 degrees from its tip: there it leans by 30.
    double sine, cosine;
    cg_sincos(CG_PI / 6, &sine, &cosine);
    pierce(r, v3(0.01, 0, -0.002), v3(sine, 0, -cosine), CG_SIDE_GROOVE, false);
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_exit_angle), CG_PI / 3, 1e-12);
    needle_of(r)->pose.rotation = quat_from_axis_angle(v3(0, 1, 0), CG_PI * 50 / 180);
    pierce(r, v3(0.005, 0, -0.008), v3(0, 0, 1), CG_SIDE_GROOVE, true)->arc = RADIUS * CG_PI * 20 / 180;
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_entry_angle), CG_PI * 60 / 180, 1e-9);
    CHECK_NEAR(second(r, CG_MEASURE_entry_angle), 0.03, 1e-12);
    // A hole that stays is one bite, however long.
    see(r);
    CHECK_INT(r->watch.sewing.bite_count, 3);
    finish(r);
}

TEST(a_needle_that_turns_about_its_middle_follows_its_arc)
{
    rig *r = start(NULL);
    pierce(r, v3(0.01, 0, 0), v3(0, 0, 1), CG_SIDE_TOP, true);
    for (int i = 1; i <= 20; i++) {
        needle_of(r)->pose.rotation = quat_from_axis_angle(v3(0, 1, 0), 0.1 * i);
        see(r);
    }
    CHECK_NEAR(value(r, CG_MEASURE_arc_deviation), 0, 1e-12);
    needle_of(r)->pose.position = v3(0, 3e-4, 0); // pushed aside, across its circle
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_arc_deviation), 3e-4, 1e-12);
    CHECK_NEAR(second(r, CG_MEASURE_arc_deviation), 0.21, 1e-12);
    needle_of(r)->is.is_inside = false; // outside it may go anywhere
    needle_of(r)->pose.position = v3(0, 0.05, 0);
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_arc_deviation), 3e-4, 1e-12);
    finish(r);
}

static void hold(rig *r, uint32_t hands, int moments)
{
    needle_of(r)->held_by = hands;
    r->moment.hands[0].state.closed = hands & 1;
    r->moment.hands[1].state.closed = hands >> 1 & 1;
    for (int i = 0; i < moments; i++) {
        see(r);
    }
}

TEST(regrasps_and_drops)
{
    rig *r = start(NULL);
    hold(r, 1, 10);
    CHECK_NEAR(value(r, CG_MEASURE_regrasps), 0, 0);
    needle_of(r)->held_by = 0; // jaws that are closed lose it for 0.1 s
    for (int i = 0; i < 10; i++) {
        see(r);
    }
    hold(r, 1, 10);
    CHECK_NEAR(value(r, CG_MEASURE_regrasps), 0, 0);
    hold(r, 3, 5); // passed on
    hold(r, 2, 5);
    CHECK_NEAR(value(r, CG_MEASURE_regrasps), 1, 0);
    CHECK_NEAR(second(r, CG_MEASURE_regrasps), 0.31, 1e-9);
    pierce(r, v3(0.01, 0, 0), v3(0, 0, 1), CG_SIDE_TOP, true);
    hold(r, 0, 10); // tissue holds it
    hold(r, 1, 10);
    CHECK_NEAR(value(r, CG_MEASURE_regrasps), 2, 0);
    CHECK_NEAR(value(r, CG_MEASURE_needle_drops), 0, 0);
    r->moment.sewing.hole_count = 0;
    hold(r, 0, 10); // nothing does, from 0.61 s on
    CHECK_NEAR(value(r, CG_MEASURE_needle_drops), 0, 0);
    hold(r, 2, 10);
    CHECK_NEAR(value(r, CG_MEASURE_needle_drops), 1, 0);
    CHECK_NEAR(second(r, CG_MEASURE_needle_drops), 0.61, 1e-9);
    finish(r);
}

// A flat pad of skin at z = 0 with a wound along x from y = -1 to 1 mm whose lips go straight down: made of one
// triangle of skin and one of the wound on each side.
typedef struct flat_pad {
    float homes[8][3], now[8][3];
    int32_t corners[4][3];
    unsigned char sides[4];
    cg_recorded_surface surface;
} flat_pad;

static void make_pad(flat_pad *pad)
{
    static const float homes[8][3] = {{-0.02f, 0.001f, 0},  {0.02f, 0.001f, 0},  {0, 0.02f, 0},  {0, 0.001f, -0.01f},
                                      {-0.02f, -0.001f, 0}, {0.02f, -0.001f, 0}, {0, -0.02f, 0}, {0, -0.001f, -0.01f}};
    static const int32_t corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {5, 4, 6}, {4, 5, 7}}; // seen from outside
    memcpy(pad->homes, homes, sizeof homes);
    memcpy(pad->now, homes, sizeof homes);
    memcpy(pad->corners, corners, sizeof corners);
    memcpy(pad->sides, (unsigned char[4]){CG_SIDE_TOP, CG_SIDE_GROOVE, CG_SIDE_TOP, CG_SIDE_GROOVE}, 4);
    pad->surface = (cg_recorded_surface){.node_count = 8,
                                         .homes = &pad->homes[0][0],
                                         .triangle_count = 4,
                                         .corners = &pad->corners[0][0],
                                         .sides = pad->sides};
}

// A hole at a place of the skin or lip, as weights of its triangle.
static void pierce_pad(rig *r, const flat_pad *pad, int triangle, double a, double b, bool inward)
{
    cg_vec3 home = v3_zero();
    double weights[3] = {a, b, 1 - a - b};
    for (int k = 0; k < 3; k++) {
        const float *x = pad->homes[pad->corners[triangle][k]];
        home = v3_add_scaled(home, weights[k], v3((double)x[0], (double)x[1], (double)x[2]));
    }
    cg_recorded_hole *hole = pierce(r, home, v3(0, 0, 1), pad->sides[triangle], inward);
    hole->triangle = triangle;
    memcpy(hole->weights, weights, sizeof weights);
    see(r);
}

TEST(bites_are_measured_from_the_edge)
{
    flat_pad pad;
    rig *r = start(NULL);
    make_pad(&pad);
    r->moment.sewing.surfaces = &pad.surface;
    r->moment.sewing.surface_count = 1;
    pierce_pad(r, &pad, 0, 0.4, 0.4, true);     // y = 1 + 0.2 * 19 = 4.8 mm: 3.8 mm from the edge
    pierce_pad(r, &pad, 1, 0.375, 0.25, false); // 2.5 mm deep
    pierce_pad(r, &pad, 3, 0.35, 0.35, true);   // 3 mm deep
    pierce_pad(r, &pad, 2, 0.45, 0.45, false);  // 1.9 mm from the edge
    CHECK_NEAR(value(r, CG_MEASURE_bite_width), 1.9e-3, 1e-8);
    CHECK_NEAR(second(r, CG_MEASURE_bite_width), 0.04, 1e-12);
    CHECK_NEAR(value(r, CG_MEASURE_bite_depth), 2.5e-3, 1e-8);
    CHECK_NEAR(value(r, CG_MEASURE_bite_asymmetry), 1.9e-3, 1e-8);
    finish(r);
}

static cg_goal stitch_goal(void)
{
    cg_goal goal = {.kind = CG_GOAL_STITCH};
    goal.stitch.marks[0] = v3(0, 0.005, 0);
    goal.stitch.marks[1] = v3(0, -0.005, 0);
    goal.stitch.mark_count = 2;
    goal.stitch.size = 1e-3;
    goal.stitch.has_wound = true;
    goal.stitch.wound[0] = v3(-0.004, 0, 0);
    goal.stitch.wound[1] = v3(0.004, 0, 0);
    goal.stitch.depth = 3e-3;
    return goal;
}

TEST(marks_that_are_met_and_missed)
{
    cg_goal goal = stitch_goal();
    rig *r = start(&goal);
    CHECK_NEAR(value(r, CG_MEASURE_targets_reached), 0, 0);
    CHECK(!measured(r, CG_MEASURE_mark_deviation)->known);
    pierce(r, v3(0.003, 0.005, 0), v3(0, 0, 1), CG_SIDE_TOP, true); // 3 mm off
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_misses), 1, 0);
    r->moment.sewing.hole_count = 0; // given up: drawn back by its point
    needle_of(r)->is.is_inside = false;
    see(r);
    pierce(r, v3(0, 0.0056, 0), v3(0, 0, 1), CG_SIDE_TOP, true);
    see(r);
    pierce(r, v3(0, 0.001, -0.003), v3(0, -1, 0), CG_SIDE_GROOVE, false); // a lip is no place for marks
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_targets_reached), 0.5, 0);
    CHECK(!cg_watch_is_reached(&r->watch));
    pierce(r, v3(0.0003, -0.0054, 0), v3(0, 0, 1), CG_SIDE_TOP, false);
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_targets_reached), 1, 0);
    CHECK_NEAR(value(r, CG_MEASURE_mark_deviation), 6e-4, 1e-12);
    CHECK_NEAR(second(r, CG_MEASURE_mark_deviation), 0.03, 1e-12);
    CHECK_NEAR(value(r, CG_MEASURE_misses), 1, 0);
    CHECK(cg_watch_is_reached(&r->watch));
    goal.stitch.out = true;
    CHECK(!cg_watch_is_reached(&r->watch));
    r->moment.sewing.hole_count = 0; // drawn through
    for (int i = 0; i < r->watch.sewing.bite_count; i++) {
        r->watch.sewing.bites[i].hole.arc = 0.9 * CG_PI * RADIUS;
    }
    see(r);
    CHECK(cg_watch_is_reached(&r->watch));
    goal.stitch.holes = 2;
    CHECK(!cg_watch_is_reached(&r->watch));
    finish(r);
}

TEST(stitches_are_spaced_along_the_wound)
{
    cg_goal goal = stitch_goal();
    rig *r = start(&goal);
    static const double places[3] = {0, 0.011, 0.005}; // not in order
    for (int i = 0; i < 3; i++) {
        pierce(r, v3(places[i] - 0.001, 0.005, 0), v3(0, 0, 1), CG_SIDE_TOP, true);
        see(r);
        pierce(r, v3(places[i] + 0.001, -0.005, 0), v3(0, 0, 1), CG_SIDE_TOP, false);
        see(r);
    }
    CHECK_NEAR(value(r, CG_MEASURE_stitch_spacing), 0.006, 1e-12);
    finish(r);
}

TEST(the_force_of_a_thread_on_its_holes)
{
    rig *r = start(NULL);
    r->moment.sewing.hole_count = 1;
    r->moment.sewing.holes[0] = (cg_recorded_hole){.is_of_thread = true, .force = v3(0, 3, 4), .tension = {2, 1.5}};
    see(r);
    r->moment.sewing.holes[0].force = v3(0, 0, 1);
    r->moment.sewing.holes[0].tension[0] = 0.5;
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_anchor_force), 5, 1e-12);
    CHECK_NEAR(second(r, CG_MEASURE_anchor_force), 0.01, 1e-12);
    CHECK_NEAR(value(r, CG_MEASURE_stitch_tension), 1.5, 1e-12);
    CHECK_INT(r->watch.sewing.anchor_count, 1);
    finish(r);
}

static cg_wound_state look(const flat_pad *pad, const cg_goal *goal)
{
    const int count = 8;
    const float *nodes = &pad->now[0][0];
    cg_recorded_frame frame = {.tissue_count = 1, .node_counts = &count, .nodes = &nodes, .surfaces = &pad->surface};
    cg_wound_state state;
    CHECK_INT(cg_wound_look(&frame, &goal->stitch, &MEMORY, &state).code, CG_OK);
    return state;
}

TEST(a_wound_is_as_open_and_as_uneven_as_its_lips)
{
    flat_pad pad;
    cg_goal goal = stitch_goal();
    make_pad(&pad);
    cg_wound_state state = look(&pad, &goal);
    CHECK(state.is_there);
    CHECK_NEAR(state.gap, 2e-3, 1e-8);
    CHECK_NEAR(state.step, 0, 1e-9);
    for (int i = 0; i < 4; i++) { // one side nearer and higher
        pad.now[i][1] -= 0.0015f;
        pad.now[i][2] += 0.0004f;
    }
    state = look(&pad, &goal);
    CHECK_NEAR(state.gap, 0.5e-3, 1e-8);
    CHECK_NEAR(state.step, 0.4e-3, 1e-8);
    for (int i = 4; i < 8; i++) {
        pad.sides[i / 2] = CG_SIDE_TOP; // one lip is missing
    }
    pad.sides[3] = CG_SIDE_BOTTOM;
    CHECK(!look(&pad, &goal).is_there);
}

// The skin of each side is one plane from the edge to 19 mm beside it: lifted by 1.9 mm, an edge is 0.5 mm above the
// skin 5 mm beside it.
TEST(edges_are_everted_by_their_height_above_the_skin_beside_them)
{
    flat_pad pad;
    cg_goal goal = stitch_goal();
    make_pad(&pad);
    cg_wound_state state = look(&pad, &goal);
    CHECK(state.has_rise);
    CHECK_NEAR(state.rise, 0, 1e-9);
    pad.now[0][2] = pad.now[1][2] = pad.now[4][2] = pad.now[5][2] = 0.0019f;
    state = look(&pad, &goal);
    CHECK(state.has_rise);
    CHECK_NEAR(state.rise, 0.5e-3, 1e-8);
    pad.now[0][2] = pad.now[1][2] = pad.now[4][2] = pad.now[5][2] = -0.0038f; // turned in
    CHECK_NEAR(look(&pad, &goal).rise, -1e-3, 1e-8);
    pad.now[2][1] = 0.004f; // the skin of one side ends 3 mm beside the edge
    state = look(&pad, &goal);
    CHECK(!state.has_rise && state.step >= 0);
}

// Each of the two triangles of the skin has 380 mm2. As wound they are the two sides of a tear of that area.
TEST(tissue_torn_is_what_became_wound)
{
    flat_pad pad;
    rig *r = start(NULL);
    CHECK(!measured(r, CG_MEASURE_tissue_torn)->known); // surfaces were not seen
    make_pad(&pad);
    r->moment.sewing.surfaces = &pad.surface;
    r->moment.sewing.surface_count = 1;
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_tissue_torn), 0, 0);
    CHECK_NEAR(second(r, CG_MEASURE_tissue_torn), -1, 0);
    pad.surface.version++;
    pad.sides[0] = pad.sides[2] = CG_SIDE_GROOVE;
    see(r);
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_tissue_torn), 380e-6, 1e-10);
    CHECK_NEAR(second(r, CG_MEASURE_tissue_torn), 0.02, 1e-12);
    r->moment.sewing.cuts = true; // by a blade, perhaps
    see(r);
    CHECK(!measured(r, CG_MEASURE_tissue_torn)->known);
    finish(r);
}

// A pad parts along its wound: each half keeps a lip, so nothing is torn. Then both get a side of a tear.
TEST(tissue_that_is_torn_off_counts_with_what_it_was_torn_from)
{
    flat_pad pads[2];
    cg_recorded_surface surfaces[2];
    rig *r = start(NULL);
    make_pad(&pads[0]);
    make_pad(&pads[1]);
    surfaces[0] = pads[0].surface;
    surfaces[1] = (cg_recorded_surface){0}; // not there yet
    r->moment.sewing.surfaces = surfaces;
    r->moment.sewing.surface_count = 2;
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_tissue_torn), 0, 0);
    surfaces[1] = pads[1].surface; // nothing is torn: each has one of the lips
    surfaces[0].version++;
    pads[0].sides[3] = CG_SIDE_TOP;
    pads[1].sides[1] = CG_SIDE_TOP;
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_tissue_torn), 0, 0);
    CHECK_NEAR(second(r, CG_MEASURE_tissue_torn), -1, 0);
    surfaces[0].version++;
    surfaces[1].version++;
    pads[0].sides[0] = pads[1].sides[2] = CG_SIDE_GROOVE; // both sides of a tear
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_tissue_torn), 380e-6, 1e-10);
    CHECK_NEAR(second(r, CG_MEASURE_tissue_torn), 0.03, 1e-12);
    finish(r);
}

static bool cuts_with(cg_hand_tool tool, bool is_closed, double edge_inside)
{
    cg_recorded_hand hand = {.state = {.tool = tool, .closed = is_closed, .edge_inside = edge_inside}};
    cg_recorded_frame frame = {.hand_count = 1, .hands = &hand};
    cg_moment *moment = calloc(1, sizeof *moment);
    cg_moment_of_frame(moment, &frame, false);
    bool cuts = moment->sewing.cuts;
    free(moment);
    return cuts;
}

// Tools that are merely carried cut nothing, and scissors no tissue.
TEST(what_may_cut_tissue)
{
    CHECK(cuts_with(CG_TOOL_SCALPEL, true, 1e-3));
    CHECK(!cuts_with(CG_TOOL_SCALPEL, true, 0));
    CHECK(cuts_with(CG_TOOL_HOOK, true, 0));
    CHECK(!cuts_with(CG_TOOL_HOOK, false, 0));
    CHECK(!cuts_with(CG_TOOL_SCISSORS, false, 0) && !cuts_with(CG_TOOL_SCISSORS, true, 0));
}

// From 0.3 m away 16 degrees are 86 mm.
TEST(a_needle_out_of_the_picture_is_out_of_view)
{
    rig *r = start(NULL);
    see(r);
    CHECK(!measured(r, CG_MEASURE_out_of_view)->known); // where the camera is, nobody knows
    r->moment.sewing.has_camera = true;
    r->moment.sewing.camera = (cg_camera){v3(0, -0.3, 0), v3(0, 0, 0), v3(0, 0, 1)};
    needle_of(r)->pose.position = v3(75e-3, 0, 0); // its tip is 10 mm farther
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_out_of_view), 0, 0);
    needle_of(r)->pose.position = v3(77e-3, 0, 0);
    see(r);
    see(r);
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_out_of_view), 0.03, 1e-12);
    CHECK_NEAR(second(r, CG_MEASURE_out_of_view), 0.03, 1e-12);
    needle_of(r)->pose.position = v3(0, -0.4, 0); // behind it
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_out_of_view), 0.04, 1e-12);
    r->moment.sewing.camera.position = v3(0.4, -0.7, 0); // it is moved there
    r->moment.sewing.camera.target = v3(0, -0.4, 0);
    see(r);
    CHECK_NEAR(value(r, CG_MEASURE_out_of_view), 0.04, 1e-12);
    finish(r);
}

// 600 less 100 s, 10 a millimetre of 0.6 + 0.5 off the marks and of a gap of 1 mm, and the knot; 488 are 100.
TEST(the_score_of_fls_is_that_of_its_rules)
{
    cg_goal goal = stitch_goal();
    rig *r = start(&goal);
    pierce(r, v3(0, 0.0056, 0), v3(0, 0, 1), CG_SIDE_TOP, true);
    see(r);
    pierce(r, v3(0.0005, -0.005, 0), v3(0, 0, 1), CG_SIDE_TOP, false);
    see(r);
    cg_watch_measure(&r->watch, &r->measures);
    cg_sewing_measure_fls(&r->watch.sewing, &r->measures);
    CHECK(!r->measures.of[CG_MEASURE_fls_score].known); // neither wound nor knot was looked at
    cg_measure_set(&r->measures, CG_MEASURE_time, 100, -1);
    cg_measure_set(&r->measures, CG_MEASURE_wound_gap, 1e-3, -1);
    cg_measure_set(&r->measures, CG_MEASURE_knot_right, 1, -1);
    cg_sewing_measure_fls(&r->watch.sewing, &r->measures);
    CHECK_NEAR(r->measures.of[CG_MEASURE_fls_score].value, 100 * 479.0 / 488, 1e-9);
    cg_measure_set(&r->measures, CG_MEASURE_knot_right, 0, -1);
    cg_sewing_measure_fls(&r->watch.sewing, &r->measures);
    CHECK_NEAR(r->measures.of[CG_MEASURE_fls_score].value, 100 * 459.0 / 488, 1e-9);
    r->measures.knot.throw_count = 1;
    cg_sewing_measure_fls(&r->watch.sewing, &r->measures);
    CHECK_NEAR(r->measures.of[CG_MEASURE_fls_score].value, 100 * 469.0 / 488, 1e-9);
    r->watch.sewing.torn = true;
    cg_sewing_measure_fls(&r->watch.sewing, &r->measures);
    CHECK_NEAR(r->measures.of[CG_MEASURE_fls_score].value, 0, 0);
    finish(r);
}
