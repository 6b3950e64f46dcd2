// Tools with jaws: what they press with, what they hold, where it slips, and that nothing passes them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/transform.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "tool/jaws.h"

static const double GRIP = 5, JAW_FRICTION = 0.5, FRICTION = 0.2; // [N], 1, 1
static const double NEEDLE_RADIUS = 0.3e-3;                       // [m]

typedef struct rig {
    cg_world *world;
    cg_hand_id hand;
    cg_rigid_id needle;
    cg_thread_id thread;
} rig;

static rig make_rig(cg_hand_tool tool, double time_step)
{
    rig r = {0};
    cg_world_def def = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    def.time_step = time_step;
    def.gravity = v3_zero();
    hand.tool = tool;
    hand.grasp = CG_GRASP_JAWS;
    hand.grip = GRIP;
    hand.jaw_friction = JAW_FRICTION;
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    CHECK_STR(cg_world_add_hand(r.world, &hand, &r.hand).message, "");
    return r;
}

// A straight needle along x, between the jaws.
static void add_needle(rig *r, cg_vec3 middle)
{
    cg_rigid_part rod = {{.kind = CG_SHAPE_CAPSULE, .radius = NEEDLE_RADIUS, .half_length = 8e-3},
                         transform_identity()};
    cg_rigid_def def = cg_rigid_def_default();
    rod.pose.rotation = quat_between(v3(0, 0, 1), v3(1, 0, 0));
    def.parts = &rod;
    def.part_count = 1;
    def.mass = 60e-6;
    def.friction = FRICTION;
    def.pose.position = middle;
    CHECK_STR(cg_world_add_rigid(r->world, &def, &r->needle).message, "");
}

// A thread along x through the jaws, pinned at its start.
static void add_thread(rig *r, double radius)
{
    enum { VERTICES = 101 };
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        points[i] = v3(0.5e-3 * (i - 40), 0, 0);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = VERTICES;
    def.positions = points;
    def.radius = radius;
    def.friction = FRICTION;
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

static cg_hand_state state_of(const rig *r)
{
    return cg_hand_get_state(r->world, r->hand);
}

static void set_jaws(const rig *r, double opening, double force)
{
    CHECK_STR(cg_hand_set_jaws(r->world, r->hand, opening, force).message, "");
}

static void move_hand(const rig *r, cg_vec3 position, double time)
{
    cg_transform pose = {position, quat_identity()};
    CHECK_STR(cg_hand_move(r->world, r->hand, pose, time).message, "");
}

// The sum of the forces along their normals that the list of contacts has for a jaw.
static double normal_force(const rig *r, int jaw)
{
    double sum = 0;
    cg_contact_info contact;
    for (int i = 0; cg_world_get_contact(r->world, i, &contact); i++) {
        if (contact.hand.index == r->hand.index && contact.jaw == jaw) {
            sum += v3_dot(contact.force, contact.normal);
        }
    }
    return sum;
}

static double friction_limit(const rig *r)
{
    return sqrt(FRICTION * JAW_FRICTION) * (normal_force(r, 1) + normal_force(r, 2));
}

static const cg_hand_tool WITH_JAWS[] = {CG_TOOL_GRASPER, CG_TOOL_NEEDLE_DRIVER, CG_TOOL_FORCEPS};

TEST(jaws_press_with_their_force)
{
    for (int k = 0; k < 3; k++) {
        rig r = make_rig(WITH_JAWS[k], 1e-3);
        add_needle(&r, v3_zero());
        CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
        run(&r, 400);
        cg_hand_state state = state_of(&r);
        for (int jaw = 0; jaw < 2; jaw++) {
            CHECK_NEAR(state.jaw_forces[jaw], GRIP, 1e-6 * GRIP);
            CHECK_NEAR(normal_force(&r, jaw + 1), GRIP, 1e-3 * GRIP); // the faces stand at an angle
        }
        CHECK_NEAR(v3_length(state.force), 0, 1e-6);
        cg_world_destroy(r.world);
    }
}

// A finer thread, or a smaller opening, is held with no less: the force is what was asked for.
TEST(force_is_what_was_asked_for)
{
    const double radii[] = {0.0125e-3, 0.25e-3}, forces[] = {0.05, 0.5};
    for (int k = 0; k < 4; k++) {
        rig r = make_rig(CG_TOOL_NEEDLE_DRIVER, 1e-3);
        add_thread(&r, radii[k / 2]);
        set_jaws(&r, 0, forces[k % 2]);
        run(&r, 400);
        CHECK_NEAR(normal_force(&r, 1), forces[k % 2], 2e-3 * forces[k % 2]);
        CHECK_NEAR(normal_force(&r, 2), forces[k % 2], 2e-3 * forces[k % 2]);
        cg_world_destroy(r.world);
    }
}

TEST(empty_jaws_go_where_they_are_told)
{
    const double openings[] = {0, 0.75, 1, 0.25};
    for (int k = 0; k < 3; k++) {
        rig r = make_rig(WITH_JAWS[k], 1e-3);
        for (int i = 0; i < 4; i++) {
            set_jaws(&r, openings[i], 0);
            run(&r, 300);
            CHECK_NEAR(state_of(&r).opening, openings[i], 1e-6);
            CHECK(state_of(&r).closed == (openings[i] == 0));
        }
        cg_world_destroy(r.world);
    }
}

// The pull at which the needle begins to slide, found by raising it slowly. Then it flies off: a needle is light.
TEST(needle_slips_at_twice_mu_n)
{
    for (int k = 0; k < 3; k++) {
        rig r = make_rig(WITH_JAWS[k], 1e-3);
        add_needle(&r, v3_zero());
        CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
        run(&r, 300);
        double pull = 0, slip = 0, limit = 0;
        for (int i = 0; i < 4000 && slip < 0.1e-3; i++) {
            limit = friction_limit(&r);
            pull = 1e-3 * i;
            cg_vec3 at = cg_rigid_get_pose(r.world, r.needle).position;
            CHECK(cg_rigid_push(r.world, r.needle, v3(pull, 0, 0), at).code == CG_OK);
            cg_world_step(r.world);
            slip = cg_rigid_get_pose(r.world, r.needle).position.x - state_of(&r).pose.position.x;
        }
        CHECK_NEAR(pull, limit, 0.02 * pull);
        CHECK_NEAR(pull, 2 * sqrt(FRICTION * JAW_FRICTION) * GRIP, 0.02 * pull);
        cg_world_destroy(r.world);
    }
}

// A thread that is drawn through the jaws pulls with the friction of both, at the hold of its end and at the hand.
TEST(thread_slips_at_twice_mu_n)
{
    const double radii[] = {0.025e-3, 0.1e-3, 0.25e-3}, grips[] = {0.2, 5, 5};
    for (int k = 0; k < 3; k++) {
        rig r = make_rig(CG_TOOL_NEEDLE_DRIVER, 1e-3);
        add_thread(&r, radii[k]);
        set_jaws(&r, 0, grips[k]);
        run(&r, 200);
        move_hand(&r, v3(10e-3, 0, 0), 1);
        double held = 0, felt = 0, limit = 0;
        for (int i = 0; i < 1000; i++) {
            cg_world_step(r.world);
            if (i >= 600) {
                held += v3_length(cg_thread_hold_force(r.world, r.thread, 0)) / 400;
                felt += v3_length(state_of(&r).force) / 400;
                limit += friction_limit(&r) / 400;
            }
        }
        CHECK_NEAR(held, limit, 0.01 * limit);
        CHECK_NEAR(felt, limit, 0.01 * limit);
        CHECK_NEAR(limit, 2 * sqrt(FRICTION * JAW_FRICTION) * grips[k], 0.02 * limit);
        CHECK_INT(cg_world_get_stats(r.world).unfinished_steps, 0);
        cg_world_destroy(r.world);
    }
}

// What is held goes along, and is let go when the jaws open.
TEST(needle_is_carried_and_let_go)
{
    for (int k = 0; k < 3; k++) {
        rig r = make_rig(WITH_JAWS[k], 1e-3);
        add_needle(&r, v3_zero());
        CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
        run(&r, 300);
        cg_transform goal = {v3(20e-3, 10e-3, 30e-3), quat_from_axis_angle(v3(0, 0, 1), 1)};
        CHECK_STR(cg_hand_move(r.world, r.hand, goal, 0.5).message, "");
        run(&r, 1000);
        cg_transform needle = cg_rigid_get_pose(r.world, r.needle), hand = state_of(&r).pose;
        CHECK_NEAR(v3_distance(needle.position, goal.position), 0, 0.1e-3);
        CHECK_NEAR(fabs(quat_dot(needle.rotation, hand.rotation)), 1, 1e-3);
        CHECK_STR(cg_hand_open(r.world, r.hand).message, "");
        run(&r, 300);
        move_hand(&r, v3(20e-3, 10e-3, 60e-3), 0.3);
        run(&r, 600);
        CHECK(v3_distance(cg_rigid_get_pose(r.world, r.needle).position, state_of(&r).pose.position) > 20e-3);
        cg_world_destroy(r.world);
    }
}

// The highest point of a tissue [m].
static double top_of(const cg_world *world, cg_tissue_id tissue)
{
    int count;
    double top = -1;
    const cg_vec3 *x = cg_tissue_positions(world, tissue, &count);
    for (int i = 0; i < count; i++) {
        top = fmax(top, x[i].z);
    }
    return top;
}

// A lip of soft skin, its foot fixed, is taken at its top, drawn up by jaws and friction alone, and springs back.
TEST(a_lip_of_tissue_is_pinched_and_lifted)
{
    for (int k = 0; k < 3; k++) {
        rig r = make_rig(WITH_JAWS[k], 1e-3);
        cg_tissue_def def = cg_tissue_def_default();
        cg_tissue_id lip;
        def.size = v3(20e-3, 4e-3, 0);
        def.layers[0].thickness = 6e-3;
        def.layers[0].material.young = 200e3;
        def.spacing = 2e-3;
        def.friction = 0.5;
        CHECK_STR(cg_hand_open(r.world, r.hand).message, "");
        move_hand(&r, v3(0, 0, 20e-3), 0);
        run(&r, 100);
        CHECK_STR(cg_world_add_tissue(r.world, &def, &lip).message, "");
        move_hand(&r, v3(0, 0, 1e-3), 0.1);
        run(&r, 150);
        CHECK_NEAR(top_of(r.world, lip), 0, 1e-5);
        set_jaws(&r, 0, 1);
        run(&r, 200);
        move_hand(&r, v3(0, 0, 2.2e-3), 0.2);
        run(&r, 300);
        CHECK(top_of(r.world, lip) > 0.5e-3);
        CHECK(state_of(&r).force.z < -0.05);
        CHECK_NEAR(cg_tissue_get_summary(r.world, lip).reaction.z, -state_of(&r).force.z, 0.02);
        CHECK(normal_force(&r, 1) > 0.3 && normal_force(&r, 2) > 0.3);
        set_jaws(&r, 1, 0);
        run(&r, 200);
        move_hand(&r, v3(0, 0, 20e-3), 0.2);
        run(&r, 400);
        CHECK_NEAR(top_of(r.world, lip), 0, 0.05e-3);
        CHECK_NEAR(v3_length(state_of(&r).force), 0, 1e-9);
        cg_world_destroy(r.world);
    }
}

TEST(ratchet_keeps_a_driver_closed)
{
    for (int k = 0; k < 2; k++) {
        rig r = make_rig(k == 0 ? CG_TOOL_NEEDLE_DRIVER : CG_TOOL_FORCEPS, 1e-3);
        set_jaws(&r, 0, 0);
        run(&r, 200);
        CHECK(state_of(&r).is_latched == (k == 0));
        set_jaws(&r, 0.3, 0);
        run(&r, 200);
        CHECK_NEAR(state_of(&r).opening, k == 0 ? 0 : 0.3, 0.02);
        set_jaws(&r, 0.6, 0);
        run(&r, 200);
        CHECK_NEAR(state_of(&r).opening, 0.6, 0.02);
        CHECK(!state_of(&r).is_latched);
        cg_world_destroy(r.world);
    }
}

// A hand that feels nothing goes as one without a body does.
TEST(free_tool_moves_as_a_hand)
{
    rig with = make_rig(CG_TOOL_FORCEPS, 1e-3), without = make_rig(CG_TOOL_HOOK, 1e-3);
    move_hand(&with, v3(30e-3, 5e-3, 0), 0.1);
    move_hand(&without, v3(30e-3, 5e-3, 0), 0.1);
    for (int i = 0; i < 200; i++) {
        run(&with, 1);
        run(&without, 1);
        CHECK_NEAR(v3_distance(state_of(&with).pose.position, state_of(&without).pose.position), 0, 1e-12);
    }
    cg_world_destroy(with.world);
    cg_world_destroy(without.world);
}

// A push on a closed tool is felt by its hand as a spring feels it.
TEST(hand_feels_what_the_tool_carries)
{
    rig r = make_rig(CG_TOOL_NEEDLE_DRIVER, 1e-3);
    add_needle(&r, v3_zero());
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    run(&r, 300);
    for (int i = 0; i < 500; i++) {
        cg_vec3 at = cg_rigid_get_pose(r.world, r.needle).position;
        CHECK(cg_rigid_push(r.world, r.needle, v3(0.5, 0, 1), at).code == CG_OK);
        cg_world_step(r.world);
    }
    cg_hand_state state = state_of(&r);
    CHECK_NEAR(state.force.x, 0.5, 1e-6);
    CHECK_NEAR(state.force.z, 1, 1e-6);
    CHECK_NEAR(state.lag, sqrt(1.25) / cg_hand_def_default().stiffness, 1e-6);
    cg_world_destroy(r.world);
}

// What a force at a point of a jaw does to all seven unknowns: the step is linear in it.
TEST(drive_gives_way_as_it_says)
{
    cg_jaws *jaws = calloc(1, sizeof *jaws);
    cg_hand_def def = cg_hand_def_default();
    cg_transform frame = {v3(1e-3, 2e-3, 3e-3), quat_from_axis_angle(v3(0.6, 0, 0.8), 0.7)};
    for (int k = 0; k < 3; k++) {
        cg_jaws_make(jaws, cg_jaws_shape_of(WITH_JAWS[k], CG_GRASP_JAWS), &def, frame);
        cg_drive *drive = &jaws->drive;
        cg_drive_begin_step(drive);
        drive->give = 1e-5;
        drive->turn_give = 2;
        drive->open.give = 0.3;
        for (int body = 0; body < CG_DRIVE_BODIES; body++) {
            cg_vec3 point = v3_add(drive->bodies[body]->now.position, v3(0.3e-3, 0.2e-3, -1e-3)),
                    force = v3(1e-4, -2e-4, 3e-4);
            for (int i = 0; i < CG_DRIVE_BODIES; i++) {
                cg_rigid *here = drive->bodies[i];
                here->force = i == body ? force : v3_zero();
                here->torque = i == body ? v3_cross(v3_sub(point, here->now.position), force) : v3_zero();
            }
            cg_drive_respond(drive);
            cg_vec3 arm = v3_sub(point, frame.position), opens = cg_drive_opens(drive, body, point);
            cg_vec3 expected = v3_scale(drive->give, force);
            expected = v3_add_scaled(expected, drive->turn_give, v3_cross(v3_cross(arm, force), arm));
            expected = v3_add_scaled(expected, drive->open.give * v3_dot(opens, force), opens);
            cg_vec3 moved = cg_rigid_motion_at(drive->bodies[body], point);
            CHECK_NEAR(v3_distance(moved, expected), 0, 1e-4 * v3_length(expected));
        }
        for (int i = 0; i < CG_DRIVE_BODIES; i++) {
            drive->bodies[i]->now = drive->bodies[i]->target;
        }
    }
    free(jaws);
}

// And the opening moves a point as it says, in finite differences.
TEST(opening_moves_points_as_it_says)
{
    const double opening = 0.2, small = 1e-5;
    cg_jaws *jaws = calloc(1, sizeof *jaws);
    cg_hand_def def = cg_hand_def_default();
    cg_transform frame = {v3(1e-3, 2e-3, 3e-3), quat_from_axis_angle(v3(0.6, 0, 0.8), 0.7)};
    for (int straight = 0; straight < 2; straight++) {
        cg_jaws_shape shape = *cg_jaws_shape_of(CG_TOOL_NEEDLE_DRIVER, CG_GRASP_JAWS);
        shape.hinge = straight ? 0 : shape.hinge;
        cg_jaws_make(jaws, &shape, &def, frame);
        cg_drive_put(&jaws->drive, frame, opening);
        CHECK_NEAR(cg_drive_opening(&jaws->drive), opening, 1e-12);
        CHECK_NEAR(v3_distance(cg_drive_frame(&jaws->drive).position, frame.position), 0, 1e-12);
        for (int body = 0; body < CG_DRIVE_BODIES; body++) {
            cg_vec3 local = v3(0.5e-3, 0.3e-3, -2e-3);
            cg_vec3 more = transform_point(cg_drive_place(&jaws->drive, body, frame, opening + small), local);
            cg_vec3 less = transform_point(cg_drive_place(&jaws->drive, body, frame, opening - small), local);
            cg_vec3 point = transform_point(jaws->bodies[body].now, local);
            cg_vec3 slope = v3_scale(0.5 / small, v3_sub(more, less));
            CHECK_NEAR(v3_distance(slope, cg_drive_opens(&jaws->drive, body, point)), 0, 1e-8);
        }
    }
    free(jaws);
}

// A state in the middle of holding and slipping leads to the same bits again, whatever the hand carried meanwhile.
TEST(states_are_taken_back_with_every_tool)
{
    rig r = make_rig(CG_TOOL_NEEDLE_DRIVER, 1e-3);
    add_thread(&r, 0.1e-3);
    set_jaws(&r, 0, 0.5);
    run(&r, 150);
    move_hand(&r, v3(5e-3, 1e-3, 2e-3), 0.2);
    run(&r, 100);
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    CHECK(normal_force(&r, 1) > 0.1);
    run(&r, 100);
    uint64_t hash = cg_world_state_hash(r.world);
    for (int tool = 0; tool < CG_TOOL_COUNT; tool++) {
        cg_hand_set_tool(r.world, r.hand, (cg_hand_tool)tool); // refused where the thread is
        run(&r, 3);
        CHECK_STR(cg_world_restore(r.world, bytes, size).message, "");
        CHECK_INT(state_of(&r).tool, CG_TOOL_NEEDLE_DRIVER);
        CHECK(state_of(&r).is_latched);
        run(&r, 100);
        CHECK_HASH(cg_world_state_hash(r.world), hash);
    }
    // A world that was made anew takes it too.
    rig other = make_rig(CG_TOOL_NEEDLE_DRIVER, 1e-3);
    add_thread(&other, 0.1e-3);
    CHECK_STR(cg_world_restore(other.world, bytes, size).message, "");
    run(&other, 100);
    CHECK_HASH(cg_world_state_hash(other.world), hash);
    free(bytes);
    cg_world_destroy(r.world);
    cg_world_destroy(other.world);
}

// Bytes that were changed are refused or make a world that still steps.
TEST(forged_states_do_no_harm)
{
    rig r = make_rig(CG_TOOL_FORCEPS, 1e-3);
    add_needle(&r, v3_zero());
    set_jaws(&r, 0, 0);
    run(&r, 100);
    size_t size = cg_world_snapshot_size(r.world);
    unsigned char *bytes = malloc(size), *forged = malloc(size);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    uint64_t random = 5;
    for (int i = 0; i < test_count(300, 20000); i++) {
        memcpy(forged, bytes, size);
        for (int k = 0; k < 4; k++) {
            forged[test_random_int(&random, 0, (int)size - 1)] = (unsigned char)test_random_int(&random, 0, 255);
        }
        cg_world_restore(r.world, forged, size);
        run(&r, 1);
        CHECK(v3_is_finite(state_of(&r).pose.position));
        CHECK_STR(cg_world_restore(r.world, bytes, size).message, "");
    }
    free(bytes);
    free(forged);
    cg_world_destroy(r.world);
}

TEST(bad_calls_are_refused)
{
    rig r = make_rig(CG_TOOL_FORCEPS, 1e-3);
    CHECK_INT(cg_hand_set_jaws(r.world, r.hand, -0.1, 0).code, CG_BAD_INPUT);
    CHECK_INT(cg_hand_set_jaws(r.world, r.hand, NAN, 0).code, CG_BAD_INPUT);
    CHECK_INT(cg_hand_set_jaws(r.world, r.hand, 0.5, -1).code, CG_BAD_INPUT);
    CHECK_INT(cg_hand_set_jaws(r.world, (cg_hand_id){7, 7}, 0.5, 1).code, CG_BAD_HANDLE);
    CHECK_INT(cg_hand_get_part_count(r.world, r.hand), 7);
    CHECK_STR(cg_hand_set_tool(r.world, r.hand, CG_TOOL_HOOK).message, "");
    CHECK_INT(cg_hand_set_jaws(r.world, r.hand, 0.5, 0).code, CG_BAD_INPUT);
    CHECK_INT(cg_hand_get_part_count(r.world, r.hand), 4);
    add_needle(&r, v3(0, 4.5e-3, 0)); // where a jaw of the grasper would be
    cg_status status = cg_hand_set_tool(r.world, r.hand, CG_TOOL_GRASPER);
    CHECK_STR(status.message, "a body is where the tool would be; expected a free place");
    CHECK_STR(cg_world_remove_hand(r.world, r.hand).message, "");
    run(&r, 3);
    cg_world_destroy(r.world);
}
