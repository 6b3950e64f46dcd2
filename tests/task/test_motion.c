// Measures of motion: each formula against values that are known otherwise.
// label: golden
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "harness.h"
#include "task/motion.h"
#include "task/smoothness.h"

static const cg_allocator MEMORY = {0};

// v = exp(-5 t^2) for t from -1 to 1 at 100 Hz: the published example of both measures of smoothness.
TEST(a_bell_has_the_published_smoothness)
{
    double speed[200], sparc = 0, jerk = 0;
    for (int i = 0; i < 200; i++) {
        double t = -1 + 0.01 * i;
        speed[i] = exp(-5 * t * t);
    }
    CHECK(cg_sparc(speed, 200, 0.01, &MEMORY, &sparc));
    CHECK(cg_log_jerk(speed, 200, 0.01, &jerk));
    CHECK_NEAR(sparc, -1.41403, 1e-5);
    CHECK_NEAR(jerk, -5.81636, 1e-5);
    CHECK_NEAR(-exp(-jerk), -335.74684, 1e-4);
}

// Speed of the movement of least jerk, 30 s^2 (1 - s)^2, from rest to rest.
static void least_jerk(double *speed, int count)
{
    for (int i = 0; i < count; i++) {
        double s = (double)i / (count - 1);
        speed[i] = 30 * s * s * (1 - s) * (1 - s);
    }
}

TEST(the_movement_of_least_jerk)
{
    double speed[402], sparc = 0, jerk = 0;
    least_jerk(speed, 201);
    CHECK(cg_sparc(speed, 201, 0.005, &MEMORY, &sparc));
    CHECK(cg_log_jerk(speed, 201, 0.005, &jerk));
    CHECK_NEAR(sparc, -1.40583, 1e-5);
    CHECK_NEAR(jerk, -5.312, 5e-4);
    least_jerk(speed + 201, 201); // two of them are less smooth than one
    CHECK(cg_sparc(speed, 402, 0.005, &MEMORY, &sparc));
    CHECK(cg_log_jerk(speed, 402, 0.005, &jerk));
    CHECK_NEAR(sparc, -2.259, 5e-4);
    CHECK_NEAR(jerk, -8.091, 5e-4);
}

TEST(smoothness_knows_neither_size_nor_pace)
{
    double speed[200], larger[200], one[2], other[2];
    least_jerk(speed, 200);
    for (int i = 0; i < 200; i++) {
        larger[i] = 7 * speed[i];
    }
    CHECK(cg_sparc(speed, 200, 0.005, &MEMORY, &one[0]) && cg_log_jerk(speed, 200, 0.005, &one[1]));
    CHECK(cg_sparc(larger, 200, 0.005, &MEMORY, &other[0]) && cg_log_jerk(larger, 200, 0.01, &other[1]));
    CHECK_NEAR(other[0], one[0], 1e-12);
    CHECK_NEAR(other[1], one[1], 1e-12);
}

TEST(no_motion_has_no_smoothness)
{
    double still[10] = {0}, value;
    CHECK(!cg_sparc(still, 10, 0.01, &MEMORY, &value));
    CHECK(!cg_log_jerk(still, 10, 0.01, &value));
    CHECK(!cg_sparc(still, 0, 0.01, &MEMORY, &value));
    double even[3] = {1, 1, 1}; // no jerk at all: nothing to take the logarithm of
    CHECK(!cg_log_jerk(even, 3, 0.01, &value));
}

TEST(the_transform_is_that_of_the_sum)
{
    enum { N = 64 };
    double numbers[2 * N], kept[2 * N], turns[N], worst = 0;
    uint64_t random = 3;
    for (int i = 0; i < 2 * N; i++) {
        kept[i] = numbers[i] = test_random(&random, -1, 1);
    }
    cg_fourier_turns(turns, N);
    cg_fourier(numbers, N, turns);
    for (int k = 0; k < N; k++) {
        double real = 0, imaginary = 0;
        for (int i = 0; i < N; i++) {
            double c = cos(2 * CG_PI * k * i / N), s = -sin(2 * CG_PI * k * i / N);
            real += kept[2 * i] * c - kept[2 * i + 1] * s;
            imaginary += kept[2 * i] * s + kept[2 * i + 1] * c;
        }
        worst = fmax(worst, fmax(fabs(real - numbers[2 * k]), fabs(imaginary - numbers[2 * k + 1])));
    }
    CHECK_NEAR(worst, 0, 1e-12);
}

TEST(the_same_bits_with_every_compiler)
{
    double speed[300], sparc = 0, jerk = 0;
    uint64_t random = 5;
    for (int i = 0; i < 300; i++) {
        speed[i] = test_random(&random, 0, 1);
    }
    CHECK(cg_sparc(speed, 300, 0.016, &MEMORY, &sparc) && cg_log_jerk(speed, 300, 0.016, &jerk));
    cg_hash hash = cg_hash_begin();
    cg_hash_add_double(&hash, sparc);
    cg_hash_add_double(&hash, jerk);
    CHECK_GOLDEN(cg_hash_end(&hash));
}

TEST(path_length_of_a_square)
{
    const cg_vec3 square[] = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {0, 0, 0}};
    CHECK_NEAR(cg_path_length(square, 5), 12, 1e-15);
    CHECK_NEAR(cg_path_length(square, 1), 0, 0);
}

// Points spread evenly in an ellipsoid, turned, have its volume.
TEST(working_volume_of_an_ellipsoid)
{
    enum { N = 200000 };
    cg_vec3 *points = malloc(N * sizeof *points);
    uint64_t random = 2;
    for (int i = 0; i < N;) {
        cg_vec3 p = v3(test_random(&random, -1, 1), test_random(&random, -1, 1), test_random(&random, -1, 1));
        if (v3_dot(p, p) <= 1) {
            double x = 0.01 * p.x, y = 0.02 * p.y, z = 0.05 * p.z;
            points[i++] = v3(0.6 * x - 0.8 * y + 5, 0.8 * x + 0.6 * y - 2, z);
        }
    }
    double expected = 4.0 / 3 * CG_PI * 0.01 * 0.02 * 0.05;
    CHECK_NEAR(cg_working_volume(points, N) / expected, 1, 0.01);
    CHECK_NEAR(cg_working_volume(points, 1), 0, 0);
    const cg_vec3 flat[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    CHECK_NEAR(cg_working_volume(flat, 4), 0, 1e-12);
    free(points);
}

TEST(movements_need_a_pause_between_them)
{
    // up, down to a creep that is no pause, up again, a pause, up
    const double speed[] = {0, 0.02, 0.05, 0.007, 0.05, 0.001, 0, 0.004, 0.03, 0};
    CHECK_INT(cg_movement_count(speed, 10), 2);
    CHECK_INT(cg_movement_count(speed, 1), 0);
}

TEST(distance_from_a_line)
{
    const cg_vec3 corner[] = {{0, 0, 0}, {4, 0, 0}, {4, 3, 0}};
    double along = -1;
    CHECK_NEAR(cg_line_distance(corner, 3, v3_zero(), v3(1, 0.5, 0), &along), 0.5, 1e-15);
    CHECK_NEAR(along, 1, 1e-15);
    CHECK_NEAR(cg_line_distance(corner, 3, v3_zero(), v3(7, 3, 4), &along), 5, 1e-15);
    CHECK_NEAR(along, 7, 1e-15);
    // depth does not count across the plane
    CHECK_NEAR(cg_line_distance(corner, 3, v3(0, 0, 1), v3(4.25, 2, -9), &along), 0.25, 1e-15);
    CHECK_NEAR(along, 6, 1e-15);
}
