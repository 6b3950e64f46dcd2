// label: golden
#include "base/frame.h"

#include <math.h>

#include "base/hash.h"
#include "base/quat.h"
#include "harness.h"
#include "random_vectors.h"

// A unit vector `angle` away from the unit vector t, to some side.
static cg_vec3 leaning(cg_vec3 t, double angle, uint64_t *random)
{
    cg_vec3 v = random_unit(random);
    cg_vec3 side = v3_unit_or(v3_add_scaled(v, -v3_dot(v, t), t), v3_any_normal(t));
    return v3_unit_or(v3_add_scaled(v3_scale(cos(angle), t), sin(angle), side), t);
}

static void check_is_rotation(cg_vec3 from, cg_vec3 to, double tolerance, uint64_t *random)
{
    cg_vec3 u = random_vector(random), v = random_vector(random);
    cg_vec3 u_moved = parallel_transport(u, from, to), v_moved = parallel_transport(v, from, to);
    CHECK_NEAR(v3_length(u_moved), v3_length(u), tolerance);
    CHECK_NEAR(v3_dot(u_moved, v_moved), v3_dot(u, v), tolerance);
    CHECK_NEAR(v3_distance(parallel_transport(v3_cross(u, v), from, to), v3_cross(u_moved, v_moved)), 0, tolerance);
    CHECK_NEAR(v3_distance(parallel_transport(from, from, to), to), 0, tolerance);
    CHECK_NEAR(v3_distance(quat_rotate(quat_between(from, to), u), u_moved), 0, tolerance);
}

TEST(transport_is_a_rotation_that_takes_from_to_to)
{
    uint64_t random = 1;
    for (int trial = 0; trial < test_count(20000, 1000000); trial++) {
        cg_vec3 from = random_unit(&random);
        check_is_rotation(from, leaning(from, test_random(&random, 0, 2.5), &random), 2e-14, &random);
        check_is_rotation(from, leaning(from, ldexp(1, -test_random_int(&random, 1, 60)), &random), 1e-14, &random);
    }
}

// The axis of the smallest rotation stays, and what lies across turns by the angle between the directions.
TEST(transport_is_the_smallest_rotation)
{
    uint64_t random = 2;
    for (int trial = 0; trial < 20000; trial++) {
        cg_vec3 from = random_unit(&random);
        double angle = test_random(&random, 0.01, 3);
        cg_vec3 to = leaning(from, angle, &random);
        cg_vec3 axis = v3_unit_or(v3_cross(from, to), v3(0, 0, 0));
        CHECK_NEAR(v3_distance(parallel_transport(axis, from, to), axis), 0, 1e-14);
        cg_vec3 across = v3_cross(axis, from);
        CHECK_NEAR(signed_angle(across, parallel_transport(across, from, to), axis), angle, 1e-13);
    }
}

TEST(transport_between_equal_directions_changes_no_bit)
{
    uint64_t random = 3;
    for (int trial = 0; trial < 10000; trial++) {
        cg_vec3 t = random_unit(&random), v = random_vector(&random);
        cg_vec3 moved = parallel_transport(v, t, t);
        CHECK(moved.x == v.x && moved.y == v.y && moved.z == v.z);
    }
}

// From an angle of 3 to exactly pi, through the place where the definition changes.
TEST(transport_between_opposite_directions)
{
    uint64_t random = 4;
    for (int trial = 0; trial < test_count(20000, 1000000); trial++) {
        cg_vec3 from = random_unit(&random);
        double short_of = ldexp(test_random(&random, 0, 0.3), -test_random_int(&random, 0, 40));
        check_is_rotation(from, leaning(from, CG_PI - short_of, &random), 1e-10, &random);
        check_is_rotation(from, v3_neg(from), 1e-14, &random);
        cg_vec3 axis = v3_any_normal(from);
        CHECK_NEAR(v3_distance(parallel_transport(axis, from, v3_neg(from)), axis), 0, 3e-15);
    }
}

// A small change of `to` makes a small change of the result: at most the change divided by (1 + dot), and some.
TEST(transport_is_continuous)
{
    uint64_t random = 5;
    for (int trial = 0; trial < 20000; trial++) {
        cg_vec3 from = random_unit(&random), v = random_unit(&random);
        cg_vec3 to = leaning(from, test_random(&random, 0, 3), &random);
        cg_vec3 next = leaning(to, 1e-7, &random);
        double moved = v3_distance(parallel_transport(v, from, to), parallel_transport(v, from, next));
        double slope = 2 / sqrt(one_plus_dot(from, to));
        CHECK(moved <= 1e-7 * slope + 1e-13);
    }
}

// Around a spherical triangle a transported direction turns by the area that the triangle encloses.
TEST(transport_around_an_octant_turns_by_its_area)
{
    cg_vec3 x = v3(1, 0, 0), y = v3(0, 1, 0), z = v3(0, 0, 1);
    cg_vec3 v = parallel_transport(parallel_transport(parallel_transport(y, x, y), y, z), z, x);
    CHECK_NEAR(signed_angle(y, v, x), CG_HALF_PI, 1e-15);

    // A circle at height cos(tilt), in small steps: area 2 pi (1 - cos tilt).
    const double tilt = 0.4;
    enum { STEPS = 4000 };
    cg_vec3 start = v3(sin(tilt), 0, cos(tilt)), direction = v3(0, 1, 0), from = start;
    for (int i = 1; i <= STEPS; i++) {
        double angle = i == STEPS ? 0 : 2 * CG_PI * i / STEPS;
        cg_vec3 to = v3(sin(tilt) * cos(angle), sin(tilt) * sin(angle), cos(tilt));
        direction = parallel_transport(direction, from, to);
        from = to;
    }
    CHECK_NEAR(signed_angle(v3(0, 1, 0), direction, start), 2 * CG_PI * (1 - cos(tilt)), 2e-6);
}

TEST(signed_angles)
{
    uint64_t random = 6;
    for (int trial = 0; trial < 20000; trial++) {
        cg_vec3 axis = random_unit(&random);
        cg_vec3 from = v3_scale(test_random(&random, 0.1, 10), v3_any_normal(axis));
        double angle = test_random(&random, -3.14, 3.14);
        cg_vec3 to = v3_scale(test_random(&random, 0.1, 10), quat_rotate(quat_from_axis_angle(axis, angle), from));
        CHECK_NEAR(signed_angle(from, to, axis), angle, 1e-14);
        CHECK_NEAR(signed_angle(to, from, axis), -angle, 1e-14);
        CHECK_NEAR(signed_angle(from, to, v3_neg(axis)), -angle, 1e-14);
    }
}

TEST(a_half_turn_is_plus_pi)
{
    const double tiny[] = {0.0, -0.0, 1e-300, -1e-300, -1e-17};
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(signed_angle(v3(1, 0, 0), v3(-1, tiny[i], 0), v3(0, 0, 1)), CG_PI, 0);
        CHECK_NEAR(signed_angle(v3(1, 0, 0), v3(-1, tiny[i], 0), v3(0, 0, -1)), CG_PI, 0);
    }
    CHECK(signed_angle(v3(1, 0, 0), v3(-1, -1e-15, 0), v3(0, 0, 1)) < -3.1);
    CHECK_NEAR(signed_angle(v3_zero(), v3(1, 0, 0), v3(0, 0, 1)), 0, 0);
    CHECK_NEAR(signed_angle(v3_zero(), v3_zero(), v3(0, 0, 1)), 0, 0);
}

// The same bits for every compiler: a frame carried along a path made by our own arithmetic.
TEST(golden_bits)
{
    uint64_t random = 7;
    cg_hash hash = cg_hash_begin();
    cg_vec3 from = v3(0, 0, 1), v = v3(1, 0, 0);
    for (int i = 0; i < 10000; i++) {
        cg_vec3 to = v3_unit_or(v3_add_scaled(from, i % 7 == 0 ? 3 : 0.3, random_vector(&random)), from);
        v = parallel_transport(v, from, i % 1000 == 999 ? v3_neg(from) : to);
        from = i % 1000 == 999 ? v3_neg(from) : to;
        v = v3_unit_or(v3_add_scaled(v, -v3_dot(v, from), from), v3_any_normal(from));
        cg_quat q = quat_from_axis_angle(from, 0.01 * i);
        cg_vec3 turned = quat_rotate(q, v);
        const double values[] = {v.x, v.y, v.z, q.w, turned.x, signed_angle(v, turned, from)};
        cg_hash_add_doubles(&hash, values, 6);
    }
    CHECK_GOLDEN(cg_hash_end(&hash));
}
