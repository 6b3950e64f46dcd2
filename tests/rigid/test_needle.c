// Needles: points by their angle, gimbal angles, parts, mass, and what a world tells of them.
#include "base/mat3.h"
#include "rigid_rig.h"

static cg_needle random_needle(uint64_t *state)
{
    cg_needle needle = cg_needle_default();
    needle.arc = test_random(state, 0.3, 5.5);
    needle.radius = test_random(state, 2e-3, 2e-2);
    needle.diameter = test_random(state, 0.01, 0.1) * needle.radius;
    needle.point_length = test_random(state, 0, 0.5) * cg_needle_length(&needle);
    needle.pieces = test_random_int(state, 4, CG_RIGID_MOST_PARTS);
    return needle;
}

// OP = OT cos a + r sin a y, with y the part of OE across OT: (2.37), from tip and end alone.
TEST(points_are_found_by_their_angle)
{
    uint64_t state = 1;
    for (int round = 0; round < 500; round++) {
        cg_needle needle = random_needle(&state);
        needle.arc = test_random(&state, 0.3, 3.1); // beyond half a circle OT x OE points the other way
        cg_vec3 tip = cg_needle_place(&needle, 0), end = cg_needle_place(&needle, needle.arc);
        double r = needle.radius, angle = test_random(&state, 0, needle.arc);
        cg_vec3 y = v3_unit_or(v3_cross(v3_cross(tip, end), tip), v3_zero());
        cg_vec3 expected = v3_add_scaled(v3_scale(cos(angle), tip), r * sin(angle), y);
        CHECK(v3_distance(cg_needle_place(&needle, angle), expected) < 1e-14);
        CHECK_NEAR(cg_needle_angle(&needle, v3_scale(1.3, expected)), angle, 1e-12);
        // The tangent by differences.
        cg_vec3 ahead = cg_needle_place(&needle, angle + 1e-6), behind = cg_needle_place(&needle, angle - 1e-6);
        CHECK(v3_distance(v3_scale(1 / (2e-6 * r), v3_sub(ahead, behind)), cg_needle_tangent(&needle, angle)) < 1e-8);
    }
}

// The nearest angle against a search.
TEST(the_nearest_angle_is_the_nearest)
{
    uint64_t state = 2;
    for (int round = 0; round < 300; round++) {
        cg_needle needle = random_needle(&state);
        cg_vec3 point = random_vector(&state, 2 * needle.radius);
        double least = 1, found = v3_distance(point, cg_needle_place(&needle, cg_needle_angle(&needle, point)));
        for (int k = 0; k <= 2000; k++) {
            least = fmin(least, v3_distance(point, cg_needle_place(&needle, needle.arc * k / 2000)));
        }
        CHECK(found <= least + 1e-12 && found > least - 1e-3 * needle.radius);
    }
}

static cg_mat3 about(int axis, double angle)
{
    double c = cos(angle), s = sin(angle);
    cg_mat3 m = m3_identity();
    int i = (axis + 1) % 3, k = (axis + 2) % 3;
    m.m[i][i] = m.m[k][k] = c;
    m.m[i][k] = -s;
    m.m[k][i] = s;
    return m;
}

// (2.38): the product of three matrices, and back.
TEST(gimbal_angles_are_those_of_the_matrices)
{
    uint64_t state = 3;
    for (int round = 0; round < 500; round++) {
        double z = test_random(&state, -3.1, 3.1), x = test_random(&state, -1.57, 1.57);
        double y = test_random(&state, -3.1, 3.1), angles[3];
        x = round % 50 == 0 ? 0.5 * CG_PI : x;
        cg_mat3 expected = m3_multiply(about(1, y), m3_multiply(about(0, x), about(2, z)));
        cg_mat3 found = quat_to_mat3(cg_needle_gimbal(z, x, y));
        cg_needle_gimbal_angles(cg_needle_gimbal(z, x, y), angles);
        cg_mat3 again = quat_to_mat3(cg_needle_gimbal(angles[0], angles[1], angles[2]));
        for (int i = 0; i < 9; i++) {
            CHECK_NEAR(found.m[i / 3][i % 3], expected.m[i / 3][i % 3], 1e-14);
            CHECK_NEAR(again.m[i / 3][i % 3], expected.m[i / 3][i % 3], 1e-7); // locked at a right angle
        }
        if (round % 50 != 0) {
            CHECK_NEAR(angles[0], z, 1e-9);
            CHECK_NEAR(angles[1], x, 1e-9);
            CHECK_NEAR(angles[2], y, 1e-9);
        }
    }
}

// Parts follow the circle end to end; their radius is that of the wire behind the point, and smaller before.
TEST(parts_follow_the_arc)
{
    uint64_t state = 4;
    for (int round = 0; round < 300; round++) {
        cg_needle needle = random_needle(&state);
        cg_rigid_part parts[CG_RIGID_MOST_PARTS];
        int count = cg_needle_parts(&needle, parts);
        CHECK_INT(count, needle.pieces);
        double bulge = needle.radius * (1 / cos(0.5 * needle.arc / count) - 1), thinner = 0;
        cg_vec3 last = cg_needle_place(&needle, 0);
        for (int i = 0; i < count; i++) {
            cg_vec3 half = v3(0, 0, parts[i].shape.half_length);
            CHECK(v3_distance(transform_point(parts[i].pose, v3_neg(half)), last) < (i == 0 ? bulge : 0) + 1e-12);
            last = transform_point(parts[i].pose, half);
            CHECK_NEAR(v3_length(parts[i].pose.position), needle.radius, 1e-12);
            CHECK(parts[i].shape.radius >= thinner && parts[i].shape.radius <= 0.5 * needle.diameter * (1 + 1e-12));
            thinner = parts[i].shape.radius;
        }
        CHECK(v3_distance(last, cg_needle_place(&needle, needle.arc)) < bulge + 1e-12);
    }
}

TEST(the_mass_is_that_of_the_wire)
{
    cg_needle needle = cg_needle_default();
    needle.point_length = 0;
    double rod = 7900 * CG_PI * 0.3e-3 * 0.3e-3 * 17e-3;
    CHECK_NEAR(cg_needle_mass(&needle, 7900), rod, 1e-12 * rod);
    needle.point_length = 17e-3; // all of it a cone, cut off at a fifth: sums over slices
    double sum = 0;
    for (int i = 0; i < 10000; i++) {
        double r = 0.3e-3 * (0.2 + 0.8 * (i + 0.5) / 10000);
        sum += 7900 * CG_PI * r * r * 17e-3 / 10000;
    }
    CHECK_NEAR(cg_needle_mass(&needle, 7900), sum, 1e-6 * rod);
}

TEST(a_world_knows_its_needles)
{
    cg_world *world = make_world(1e-3, v3_zero());
    cg_needle needle = cg_needle_default(), found;
    cg_needle_state state;
    cg_rigid_part part = ball_part(1e-3);
    cg_rigid_def def = cg_rigid_def_default();
    def.pose = (cg_transform){v3(1e-3, 2e-3, 3e-3), quat_normalise(quat(0.1, 0.3, -0.2, 1))};
    cg_rigid_id ball = add_body(world, def, &part, 1), id;
    def.needle = &needle;
    CHECK_STR(cg_world_add_rigid(world, &def, &id).message, "");
    CHECK(!cg_rigid_get_needle(world, ball, &found) && !cg_rigid_get_needle_state(world, ball, &state));
    CHECK(cg_rigid_get_needle(world, id, &found) && found.radius == needle.radius);
    CHECK_INT(cg_rigid_get_part_count(world, id), needle.pieces);
    CHECK(cg_rigid_get_needle_state(world, id, &state));
    CHECK(v3_distance(state.end, transform_point(def.pose, cg_needle_place(&needle, needle.arc))) < 1e-12);
    CHECK(v3_distance(state.centre, def.pose.position) < 1e-12);
    CHECK_NEAR(v3_distance(state.tip, state.centre), needle.radius, 1e-5);
    // It pierces by turning about its axis.
    cg_vec3 turns = v3_cross(state.axis, v3_sub(state.tip, state.centre));
    CHECK(v3_dot(turns, state.tip_direction) > 0.99 * needle.radius);
    CHECK(v3_dot(v3_cross(state.axis, v3_sub(state.end, state.centre)), state.end_direction) < -0.99 * needle.radius);
    def.parts = &part;
    def.part_count = 1;
    CHECK_INT(cg_world_add_rigid(world, &def, &id).code, CG_BAD_INPUT);
    def.parts = NULL;
    needle.diameter = 2 * needle.radius;
    CHECK_INT(cg_world_add_rigid(world, &def, &id).code, CG_BAD_INPUT);
    cg_world_destroy(world);
}

// Rings of points about the middle line, as a mesh has them, anywhere in space.
enum { RINGS = 60, SIDES = 8 };

static void mesh_needle(const cg_needle *needle, cg_transform pose, cg_vec3 points[RINGS * SIDES])
{
    for (int i = 0; i < RINGS; i++) {
        double angle = needle->arc * i / (RINGS - 1), along = angle * needle->radius;
        double share = along < needle->point_length ? along / needle->point_length : 1;
        double wire = 0.5 * needle->diameter * (0.2 + 0.8 * share);
        cg_vec3 middle = cg_needle_place(needle, angle), out = v3_scale(1 / needle->radius, middle);
        for (int k = 0; k < SIDES; k++) {
            double side = 2 * CG_PI * k / SIDES;
            cg_vec3 point = v3_add_scaled(v3_add_scaled(middle, wire * cos(side), out), wire * sin(side), v3(0, 1, 0));
            points[SIDES * i + k] = transform_point(pose, point);
        }
    }
}

TEST(a_mesh_of_a_needle_is_that_needle)
{
    uint64_t state = 6;
    for (int round = 0; round < 200; round++) {
        cg_needle needle = random_needle(&state), found;
        needle.arc = test_random(&state, 1.2, 4.5);
        needle.diameter = test_random(&state, 0.03, 0.12) * needle.radius;
        needle.point_length = test_random(&state, 0.1, 0.4) * cg_needle_length(&needle);
        cg_transform pose = {random_vector(&state, 0.1), random_rotation(&state)}, placed;
        cg_vec3 points[RINGS * SIDES];
        mesh_needle(&needle, pose, points);
        CHECK_STR(cg_needle_fit(points, RINGS * SIDES, &(cg_allocator){0}, &found, &placed).message, "");
        CHECK_NEAR(found.radius, needle.radius, 0.01 * needle.radius);
        CHECK_NEAR(found.arc, needle.arc, 0.02 * needle.arc);
        CHECK_NEAR(found.diameter, needle.diameter, 0.1 * needle.diameter);
        CHECK_NEAR(found.point_length, needle.point_length, 0.06 * cg_needle_length(&needle));
        for (int k = 0; k <= 4; k++) { // the whole middle line, tip first
            cg_vec3 expected = transform_point(pose, cg_needle_place(&needle, needle.arc * k / 4));
            cg_vec3 at = transform_point(placed, cg_needle_place(&found, found.arc * k / 4));
            CHECK(v3_distance(at, expected) < 0.02 * needle.radius);
        }
    }
    cg_needle none;
    cg_transform nowhere;
    cg_vec3 line[20];
    for (int i = 0; i < 20; i++) {
        line[i] = v3(0.001 * i, 0, 0);
    }
    CHECK_INT(cg_needle_fit(line, 20, &(cg_allocator){0}, &none, &nowhere).code, CG_BAD_INPUT);
    CHECK_INT(cg_needle_fit(line, 3, &(cg_allocator){0}, &none, &nowhere).code, CG_BAD_INPUT);
}
