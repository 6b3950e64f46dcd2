// The tail of a thread across the jaws of forceps: its rods share their force, and a pull askew, far below what
// friction holds, neither turns it nor draws it out. Where one pair of rods has all the force the tail turns about it
// (laws/pinch.h).
#include <math.h>

#include "base/transform.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

static const double GRIP = 10, JAW_FRICTION = 0.15, FRICTION = 0.2; // [N], 1, 1
static const double SPACING = 0.25e-3, BEFORE = 40e-3, TAIL = 2e-3; // [m] of thread before the jaws and behind them
static const double PULL = 0.4;                                     // [N] of the hand at most
enum { RODS = 3 };                                                  // of a jaw: two rails and the arm

typedef struct rig {
    cg_world *world;
    cg_hand_id hand;
    cg_thread_id thread;
} rig;

// Across the open jaws, 2 mm before their middle, pinned at its start.
static void add_thread(rig *r, double diameter, double angle)
{
    enum { VERTICES = 169 };
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        double arc = SPACING * i - BEFORE;
        points[i] = v3(cos(angle) * arc, 0, sin(angle) * arc - 2e-3);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = VERTICES;
    def.positions = points;
    def.radius = 0.5 * diameter;
    def.youngs_modulus = 2.5e9;
    def.friction = FRICTION;
    def.drag = 10;
    CHECK_NEAR(SPACING * (VERTICES - 1), BEFORE + TAIL, 1e-9);
    CHECK_STR(cg_world_add_thread(r->world, &def, &r->thread).message, "");
    cg_end_hold hold = {.kind = CG_END_PINNED, .position = points[0]};
    CHECK_STR(cg_thread_set_end(r->world, r->thread, CG_START, &hold).message, "");
}

static void run(const rig *r, int steps)
{
    for (int i = 0; i < steps; i++) {
        cg_world_step(r->world);
    }
}

static rig closed_on(double diameter, double angle, double grip)
{
    rig r = {0};
    cg_world_def world = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    world.gravity = v3_zero();
    hand.tool = CG_TOOL_FORCEPS;
    hand.grip = grip;
    hand.jaw_friction = JAW_FRICTION;
    hand.max_force = PULL;
    CHECK_STR(cg_world_create(&world, &r.world).message, "");
    CHECK_STR(cg_world_add_hand(r.world, &hand, &r.hand).message, "");
    add_thread(&r, diameter, angle);
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    run(&r, 200);
    return r;
}

// [N] of each rod of the first jaw on the thread.
static void find_shares(const rig *r, double share[RODS])
{
    cg_contact_info contact;
    share[0] = share[1] = share[2] = 0;
    for (int i = 0; cg_world_get_contact(r->world, i, &contact); i++) {
        if (contact.jaw == 1) {
            share[contact.segments[1]] += v3_dot(contact.force, contact.normal);
        }
    }
}

// No rod has less than a fifth of the whole.
static void check_shares(const rig *r)
{
    double share[RODS];
    find_shares(r, share);
    for (int k = 0; k < RODS; k++) {
        CHECK(share[k] > 0.2 * GRIP);
    }
    CHECK_NEAR(share[0] + share[1] + share[2], GRIP, 0.1 * GRIP);
}

// Where the end of the thread is for who holds it.
static cg_vec3 end_in_jaws(const rig *r)
{
    int count;
    const cg_vec3 *points = cg_thread_positions(r->world, r->thread, &count);
    return transform_point_back(cg_hand_get_state(r->world, r->hand).pose, points[count - 1]);
}

// A bend about the closed jaws, 10 mm behind their middle: its legs lie along both of them towards the tips.
static void add_bend(rig *r)
{
    enum { VERTICES = 201 };
    static const double HALF = 1.6e-3, BEHIND = 10e-3; // [m] of the bend, and where it is
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        double arc = SPACING * (i - (VERTICES - 1) / 2), leg = fabs(arc) - 0.5 * CG_PI * HALF;
        double turn = leg > 0 ? (arc > 0 ? 0.5 : -0.5) * CG_PI : arc / HALF;
        points[i] = v3(HALF * cos(turn), HALF * sin(turn), leg > 0 ? BEHIND - leg : BEHIND);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = VERTICES;
    def.positions = points;
    def.radius = 0.1e-3;
    def.friction = FRICTION;
    def.drag = 10;
    CHECK_STR(cg_world_add_thread(r->world, &def, &r->thread).message, "");
}

// By both of its ends, each with PULL at most, across the jaws as much as towards the tips.
static void draw_bend(const rig *r)
{
    int count;
    const cg_vec3 *points = cg_thread_positions(r->world, r->thread, &count);
    const cg_vec3 ends[] = {points[0], points[count - 1]};
    for (int k = 0; k < 2; k++) {
        cg_hand_id hand;
        cg_hand_def def = cg_hand_def_default();
        def.pose.position = ends[k];
        def.max_force = PULL;
        def.turn_stiffness = 0;
        CHECK_STR(cg_world_add_hand(r->world, &def, &hand).message, "");
        CHECK_STR(cg_hand_close(r->world, hand).message, "");
        cg_transform goal = def.pose;
        goal.position = v3_add(goal.position, v3(-30e-3, 0, -30e-3));
        CHECK_STR(cg_hand_move(r->world, hand, goal, 0.6).message, "");
    }
    run(r, 800);
}

// [m] The farthest back that any of the thread is.
static double farthest_back(const rig *r)
{
    int count;
    const cg_vec3 *points = cg_thread_positions(r->world, r->thread, &count);
    double most = points[0].z;
    for (int i = 1; i < count; i++) {
        most = fmax(most, points[i].z);
    }
    return most;
}

// With rails that end behind the jaws the bend catches on their ends.
TEST(a_bend_about_closed_jaws_is_drawn_off_their_tips)
{
    static const cg_hand_tool tools[] = {CG_TOOL_FORCEPS, CG_TOOL_NEEDLE_DRIVER};
    for (int k = 0; k < 2; k++) {
        rig r = {0};
        cg_world_def world = cg_world_def_default();
        cg_hand_def hand = cg_hand_def_default();
        world.gravity = v3_zero();
        hand.tool = tools[k];
        hand.jaw_friction = JAW_FRICTION;
        CHECK_STR(cg_world_create(&world, &r.world).message, "");
        CHECK_STR(cg_world_add_hand(r.world, &hand, &r.hand).message, "");
        CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
        run(&r, 200);
        add_bend(&r);
        draw_bend(&r);
        CHECK(farthest_back(&r) < -4e-3);
        CHECK_INT(cg_world_get_stats(r.world).unfinished_steps, 0);
        cg_world_destroy(r.world);
    }
}

TEST(a_tail_that_is_pulled_askew_stays)
{
    static const double diameters[] = {0.125e-3, 0.225e-3}, angles[] = {0, 0.4, -0.4};
    static const cg_vec3 goals[] = {{-10e-3, 0, 60e-3}, {-10e-3, 10e-3, -60e-3}, {20e-3, 0, 20e-3}};
    for (int k = 0; k < test_count(3, 18); k++) {
        rig r = closed_on(diameters[k % 2], angles[k % 3], GRIP);
        check_shares(&r);
        cg_vec3 before = end_in_jaws(&r);
        cg_transform goal = {goals[(k + k / 6) % 3], quat_identity()};
        CHECK_STR(cg_hand_move(r.world, r.hand, goal, 0.5).message, "");
        run(&r, 1000);
        CHECK(v3_length(cg_thread_hold_force(r.world, r.thread, 0)) > 0.5 * PULL);
        CHECK(v3_length(v3_sub(end_in_jaws(&r), before)) < 0.1e-3);
        check_shares(&r);
        CHECK_INT(cg_world_get_stats(r.world).unfinished_steps, 0);
        cg_world_destroy(r.world);
    }
}

// Where a thread that gives way came to rest deeper in the rails than anything may come nearer, jaws and thread stood
// still for good.
TEST(jaws_that_press_a_thin_thread_hard_go_on)
{
    static const double diameters[] = {0.07e-3, 0.125e-3, 0.125e-3}, grips[] = {20, 20, 40}; // [m], [N]
    for (int k = 0; k < 3; k++) {
        rig r = closed_on(diameters[k], 0.4, grips[k]);
        cg_vec3 before = end_in_jaws(&r);
        uint64_t unfinished = cg_world_get_stats(r.world).unfinished_steps;
        cg_transform goal = {v3(-10e-3, 5e-3, 10e-3), quat_identity()};
        CHECK_STR(cg_hand_move(r.world, r.hand, goal, 0.2).message, "");
        run(&r, 300);
        CHECK(v3_length(v3_sub(cg_hand_get_state(r.world, r.hand).pose.position, goal.position)) < 0.5e-3);
        CHECK(v3_length(v3_sub(end_in_jaws(&r), before)) < 0.2e-3);
        CHECK_INT(cg_world_get_stats(r.world).unfinished_steps - unfinished, 0);
        cg_world_destroy(r.world);
    }
}
