// Tools through a port: the shaft passes it whatever the hand is told and touches; roll and insertion are free.
#include <math.h>

#include "base/transform.h"
#include "base/trig.h"
#include "catgut/catgut.h"
#include "harness.h"

static const cg_vec3 PORT = {20e-3, -10e-3, 120e-3};

typedef struct rig {
    cg_world *world;
    cg_hand_id hand;
} rig;

static rig make_rig(cg_hand_tool tool)
{
    rig r = {0};
    cg_world_def def = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    def.gravity = v3_zero();
    hand.tool = tool;
    hand.grasp = CG_GRASP_JAWS;
    hand.has_port = true;
    hand.port = PORT;
    hand.pose.position = v3(0, 0, 10e-3);
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    CHECK_STR(cg_world_add_hand(r.world, &hand, &r.hand).message, "");
    return r;
}

// [m] How far the line of the shaft is from the port.
static double miss(const rig *r)
{
    cg_hand_state state = cg_hand_get_state(r->world, r->hand);
    cg_vec3 shaft = transform_vector(state.pose, v3(0, 0, 1)), way = v3_sub(PORT, state.pose.position);
    CHECK_NEAR(state.insertion, v3_length(way), 1e-12);
    CHECK(v3_dot(shaft, way) > 0);
    return v3_length(v3_cross(shaft, way));
}

static double run(const rig *r, int steps)
{
    double most = 0;
    for (int i = 0; i < steps; i++) {
        cg_world_step(r->world);
        most = fmax(most, miss(r));
    }
    return most;
}

static void tell(const rig *r, cg_vec3 place, cg_quat turn, double time)
{
    CHECK_STR(cg_hand_move(r->world, r->hand, (cg_transform){place, turn}, time).message, "");
}

TEST(the_shaft_passes_the_port)
{
    const cg_hand_tool tools[] = {CG_TOOL_NEEDLE_DRIVER, CG_TOOL_FORCEPS, CG_TOOL_SCISSORS, CG_TOOL_GRASPER};
    uint64_t random = 3;
    for (int k = 0; k < 4; k++) {
        rig r = make_rig(tools[k]);
        CHECK(miss(&r) < 1e-9);
        for (int i = 0; i < 20; i++) { // some 0.1 to 0.3 m/s, any turn
            cg_vec3 place = v3(test_random(&random, -20e-3, 20e-3), test_random(&random, -20e-3, 20e-3),
                               test_random(&random, 0, 30e-3));
            cg_quat turn = quat_from_axis_angle(v3_unit_or(place, v3(1, 0, 0)), test_random(&random, -1, 1));
            tell(&r, place, turn, 0.15);
            CHECK(run(&r, 150) < 0.1e-3);
        }
        CHECK(run(&r, 200) < 0.1e-3);
        CHECK(miss(&r) < 1e-6); // at rest
        cg_world_destroy(r.world);
    }
}

// Along the shaft: how the tool is rolled is what it is told, and the tip goes where it is told.
TEST(roll_and_insertion_are_free)
{
    rig r = make_rig(CG_TOOL_NEEDLE_DRIVER);
    cg_quat start = cg_hand_get_state(r.world, r.hand).pose.rotation;
    cg_vec3 shaft = quat_rotate(start, v3(0, 0, 1)), tip = v3_add_scaled(PORT, -90e-3, shaft);
    tell(&r, tip, quat_multiply(quat_from_axis_angle(shaft, 1.2), start), 0.2);
    run(&r, 500);
    cg_hand_state state = cg_hand_get_state(r.world, r.hand);
    CHECK_NEAR(state.insertion, 90e-3, 1e-6);
    cg_vec3 before = quat_rotate(start, v3(1, 0, 0)), now = transform_vector(state.pose, v3(1, 0, 0));
    CHECK_NEAR(v3_dot(v3_cross(before, now), shaft), cg_sin(1.2), 1e-4);
    cg_world_destroy(r.world);
}

// A tool that is pushed aside at its tip turns about the port, and does not leave it.
TEST(what_pushes_the_tip_does_not_move_the_port)
{
    rig r = make_rig(CG_TOOL_NEEDLE_DRIVER);
    cg_shape_def block = cg_shape_def_default();
    cg_shape_id id;
    block.shape = (cg_shape){.kind = CG_SHAPE_BOX, .half_extents = {5e-3, 30e-3, 30e-3}};
    block.pose.position = v3(15e-3, 0, 0);
    CHECK_STR(cg_world_add_shape(r.world, &block, &id).message, "");
    tell(&r, v3(15e-3, 0, 10e-3), quat_identity(), 0.2);
    CHECK(run(&r, 800) < 0.2e-3);
    cg_hand_state state = cg_hand_get_state(r.world, r.hand);
    CHECK(state.lag > 3e-3 && state.force.x < -1);
    CHECK(miss(&r) < 1e-6);
    cg_world_destroy(r.world);
}

TEST(a_scope_looks_along_the_shaft_and_aside)
{
    rig r = make_rig(CG_TOOL_FORCEPS);
    cg_camera straight, angled;
    CHECK(cg_hand_get_scope(r.world, r.hand, 0, 50e-3, &straight));
    CHECK(cg_hand_get_scope(r.world, r.hand, CG_PI / 6, 50e-3, &angled));
    cg_vec3 tip = straight.position, ahead = v3_scale(20, v3_sub(straight.target, tip));
    cg_vec3 aside = v3_scale(20, v3_sub(angled.target, tip));
    CHECK_NEAR(v3_dot(ahead, v3_unit_or(v3_sub(tip, PORT), v3_zero())), 1, 1e-12);
    CHECK_NEAR(v3_dot(ahead, aside), cg_cos(CG_PI / 6), 1e-12);
    CHECK_NEAR(v3_dot(angled.up, aside), 0, 1e-12);
    CHECK_NEAR(v3_dot(straight.up, ahead), 0, 1e-12);
    // Rolled half around, it sees the other side.
    cg_quat start = cg_hand_get_state(r.world, r.hand).pose.rotation;
    tell(&r, tip, quat_multiply(quat_from_axis_angle(ahead, CG_PI), start), 0.3);
    run(&r, 800);
    cg_camera rolled;
    CHECK(cg_hand_get_scope(r.world, r.hand, CG_PI / 6, 50e-3, &rolled));
    CHECK_NEAR(v3_dot(v3_scale(20, v3_sub(rolled.target, rolled.position)), aside), cg_cos(CG_PI / 3), 1e-3);
    CHECK(!cg_hand_get_scope(r.world, (cg_hand_id){9, 9}, 0, 1, &rolled));
    CHECK(!cg_hand_get_scope(r.world, r.hand, NAN, 1, &rolled));
    cg_world_destroy(r.world);
}

TEST(a_port_far_away_is_refused)
{
    rig r = make_rig(CG_TOOL_FORCEPS);
    cg_hand_def hand = cg_hand_def_default();
    cg_hand_id id;
    hand.has_port = true;
    hand.port = v3(NAN, 0, 0);
    CHECK_INT(cg_world_add_hand(r.world, &hand, &id).code, CG_BAD_INPUT);
    cg_world_destroy(r.world);
}
