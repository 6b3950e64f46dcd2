// Bodies that lie, slide and are stacked.
#include "geometry/shape.h"
#include "rigid_rig.h"

// Falls from a little above, then lies still though nothing sleeps, and what it lies on carries its weight.
static void check_rest(cg_world *world, cg_rigid_id id, cg_shape_id ground, double seconds, double time_step)
{
    int settling = (int)(seconds / time_step);
    double most = 0;
    for (int step = 0; step < settling; step++) {
        cg_world_step(world);
    }
    for (int step = 0; step < 200; step++) {
        double moved = motion_of_step(world, id);
        most = moved > most ? moved : most;
    }
    cg_vec3 force, torque;
    cg_rigid_info info = info_of(world, id);
    CHECK(most < 1e-9);
    CHECK(cg_shape_get_load(world, ground, &force, &torque).code == CG_OK);
    CHECK(v3_distance(force, v3(0, 0, -9.81 * info.mass)) < 1e-6 * 9.81 * info.mass);
    CHECK(v3_distance(info.force, v3_neg(force)) < 1e-12 * 9.81 * info.mass);
}

static int make_kind(int kind, cg_rigid_part parts[ARC_PARTS], cg_rigid_def *def)
{
    *def = cg_rigid_def_default();
    def->mass = 60e-6;
    def->pose.rotation = quat_normalise(quat(0.2, -0.1, 0.05, 1));
    switch (kind) {
    case 0:
        parts[0] = box_part(0.006, 0.004, 0.002);
        return 1;
    case 1:
        parts[0] = capsule_part(0.001, 0.006);
        def->pose.rotation = quat_normalise(quat(0.6, 0.1, 0, 1));
        return 1;
    case 2:
        arc_parts(parts, 0.008, 0.0003);
        return ARC_PARTS;
    default:
        parts[0] = box_part(0.004, 0.004, 0.001);
        parts[1] = box_part(0.001, 0.001, 0.005);
        parts[1].pose.position = v3(0.002, 0.001, 0.004);
        return 2;
    }
}

TEST(bodies_lie_still_on_a_plane)
{
    for (int i = 0; i < 8; i++) {
        double time_step = i % 2 == 0 ? 1e-3 : 5e-3;
        cg_world *world = make_world(time_step, v3(0, 0, -9.81));
        cg_shape_id ground = add_shape(world, shape_half_space(), transform_identity(), 0.3);
        cg_rigid_part parts[ARC_PARTS];
        cg_rigid_def def;
        int count = make_kind(i / 2, parts, &def);
        def.pose.position = v3(0, 0, 0.012);
        check_rest(world, add_body(world, def, parts, count), ground, 1.5, time_step);
        CHECK_INT(cg_world_get_stats(world).unfinished_steps, 0);
        cg_world_destroy(world);
    }
}

TEST(bodies_lie_still_on_a_block)
{
    for (int i = 0; i < 8; i++) {
        double time_step = i % 2 == 0 ? 1e-3 : 5e-3;
        cg_world *world = make_world(time_step, v3(0, 0, -9.81));
        cg_transform pose = {v3(0, 0, -0.005), quat_identity()};
        double half = i / 2 == 2 ? 0.015 : 0.005; // an arc would hang over a narrow one, and swing
        cg_shape_id ground = add_shape(world, shape_box(v3(half, 0.02, 0.005)), pose, 0.3);
        cg_rigid_part parts[ARC_PARTS];
        cg_rigid_def def;
        int count = make_kind(i / 2, parts, &def);
        def.pose.position = v3(0, 0, 0.012);
        check_rest(world, add_body(world, def, parts, count), ground, 1.5, time_step);
        cg_world_destroy(world);
    }
}

// A bar across a narrow block, and one across two rods.
TEST(a_bar_lies_across)
{
    for (int i = 0; i < 4; i++) {
        double time_step = i % 2 == 0 ? 1e-3 : 5e-3;
        cg_world *world = make_world(time_step, v3(0, 0, -9.81));
        cg_transform beside = {v3(0.004, 0, -0.001), quat_normalise(quat(1, 0, 0, 1))};
        cg_shape_id ground = add_shape(world, shape_capsule(0.001, 0.01), beside, 0.3);
        beside.position.x = -0.005;
        cg_shape_id other = add_shape(world, shape_capsule(0.001, 0.01), beside, 0.3);
        cg_rigid_part bar = i < 2 ? capsule_part(0.0005, 0.01) : box_part(0.001, 0.0006, 0.01);
        cg_rigid_def def = cg_rigid_def_default();
        def.pose = (cg_transform){v3(0.001, 0, 0.003), quat_normalise(quat(0, 1, 0, 1))};
        cg_rigid_id id = add_body(world, def, &bar, 1);
        double most = 0;
        for (int step = 0; step < (int)(1.5 / time_step); step++) {
            most = motion_of_step(world, id);
        }
        cg_vec3 first, second;
        CHECK(most < 1e-9);
        CHECK_INT(cg_shape_get_load(world, ground, &first, NULL).code, CG_OK);
        CHECK_INT(cg_shape_get_load(world, other, &second, NULL).code, CG_OK);
        double weight = 9.81 * 1e-3;
        CHECK_NEAR(first.z + second.z, -weight, 1e-6 * weight);
        CHECK(first.z < -0.1 * weight && second.z < -0.1 * weight);
        cg_world_destroy(world);
    }
}

TEST(bodies_lie_on_each_other)
{
    for (int i = 0; i < 2; i++) {
        double time_step = i == 0 ? 1e-3 : 5e-3;
        cg_world *world = make_world(time_step, v3(0, 0, -9.81));
        cg_shape_id ground = add_shape(world, shape_half_space(), transform_identity(), 0.4);
        cg_rigid_part box = box_part(0.005, 0.004, 0.003);
        cg_rigid_id ids[3];
        for (int k = 0; k < 3; k++) {
            cg_rigid_def def = cg_rigid_def_default();
            def.friction = 0.4;
            def.pose.position = v3(0.0005 * k, -0.0004 * k, 0.0035 + 0.0065 * k);
            ids[k] = add_body(world, def, &box, 1);
        }
        for (int step = 0; step < (int)(1.5 / time_step); step++) {
            cg_world_step(world);
        }
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(info_of(world, ids[k]).centre.z, 0.003 + 0.006 * k, 1e-6);
            CHECK(motion_of_step(world, ids[k]) < 1e-9);
        }
        cg_vec3 force;
        CHECK_INT(cg_shape_get_load(world, ground, &force, NULL).code, CG_OK);
        CHECK_NEAR(force.z, -3 * 9.81e-3, 1e-6 * 9.81e-3);
        cg_world_destroy(world);
    }
}

// How fast a body is after a while on a slope, by gravity that is tilted.
static double speed_on_slope(const cg_rigid_part *part, cg_transform pose, double slope, double time_step)
{
    cg_world *world = make_world(time_step, v3(9.81 * sin(slope), 0, -9.81 * cos(slope)));
    add_shape(world, shape_half_space(), transform_identity(), 0.3);
    cg_rigid_def def = cg_rigid_def_default();
    def.friction = 0.3;
    def.pose = pose;
    cg_rigid_id id = add_body(world, def, part, 1);
    for (int step = 0; step < (int)(0.4 / time_step + 0.5); step++) {
        cg_world_step(world);
    }
    double speed = info_of(world, id).velocity.x;
    cg_world_destroy(world);
    return speed;
}

TEST(a_body_slides_where_the_slope_passes_its_friction)
{
    const double angle = atan(0.3);
    cg_rigid_part box = box_part(0.01, 0.01, 0.002), bar = capsule_part(0.001, 0.01);
    cg_transform flat = {v3(0, 0, 0.002), quat_identity()};
    cg_transform along = {v3(0, 0, 0.001), quat_normalise(quat(0, 1, 0, 1))};
    for (int i = 0; i < 4; i++) {
        const cg_rigid_part *part = i < 2 ? &box : &bar;
        cg_transform pose = i < 2 ? flat : along;
        double time_step = i % 2 == 0 ? 1e-3 : 5e-3, steep = 1.01 * angle;
        CHECK(time_step * fabs(speed_on_slope(part, pose, 0.99 * angle, time_step)) < 1e-9);
        double expected = 0.4 * 9.81 * (sin(steep) - 0.3 * cos(steep));
        CHECK_NEAR(speed_on_slope(part, pose, steep, time_step), expected, 0.01 * expected);
        steep = 2 * angle;
        expected = 0.4 * 9.81 * (sin(steep) - 0.3 * cos(steep));
        CHECK_NEAR(speed_on_slope(part, pose, steep, time_step), expected, 1e-3 * expected);
    }
}

TEST(a_ball_rolls_down_a_slope)
{
    cg_rigid_part ball = ball_part(0.02);
    cg_transform pose = {v3(0, 0, 0.02), quat_identity()};
    for (int i = 0; i < 2; i++) {
        double expected = 0.4 * 9.81 * sin(0.2) * 5 / 7;
        CHECK_NEAR(speed_on_slope(&ball, pose, 0.2, i == 0 ? 1e-3 : 5e-3), expected, 0.01 * expected);
    }
}
