// The cubic test against sampling: the sign of the volume of the four ends, watched in small steps of time.
#include "collide/crossing.h"

#include <stdio.h>

#include "geometry/closest.h"
#include "tangle.h"

static cg_vec3 end_at(const cg_moving_segment *m, int end, double time)
{
    return v3_add(v3_scale(1 - time, m->start[end]), v3_scale(time, m->end[end]));
}

static double distance_at(const cg_moving_segment *a, const cg_moving_segment *b, double time)
{
    return sqrt(cg_closest_segments(end_at(a, 0, time), end_at(a, 1, time), end_at(b, 0, time), end_at(b, 1, time))
                    .squared_distance);
}

// Volume of the tetrahedron of the four ends: changes its sign when the lines pass each other.
static double volume_at(const cg_moving_segment *a, const cg_moving_segment *b, double time)
{
    cg_vec3 o = end_at(a, 0, time), u = v3_sub(end_at(a, 1, time), o);
    return v3_dot(v3_cross(u, v3_sub(end_at(b, 0, time), o)), v3_sub(end_at(b, 1, time), o));
}

// Counts the moments at which the segments meet: bisects every change of sign between two samples. `margin` is set to
// the least distance at a change that was not a meeting: small where the answer hangs on rounding.
static int count_by_sampling(const cg_moving_segment *a, const cg_moving_segment *b, int samples, double *margin)
{
    int count = 0;
    double before = volume_at(a, b, 0);
    for (int k = 1; k <= samples; k++) {
        double low = (k - 1) / (double)samples, high = k / (double)samples, after = volume_at(a, b, high);
        if ((before < 0) != (after < 0)) {
            for (int i = 0; i < 60; i++) {
                double middle = 0.5 * (low + high);
                if ((volume_at(a, b, middle) < 0) == (before < 0)) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            double distance = distance_at(a, b, low);
            count += distance < 1e-9;
            *margin = distance < 1e-9 ? *margin : fmin(*margin, distance);
        }
        before = after;
    }
    return count;
}

static cg_moving_segment random_motion(uint64_t *state, double speed)
{
    cg_moving_segment m;
    cg_vec3 shift = random_vec3(state, speed);
    for (int k = 0; k < 2; k++) {
        m.start[k] = random_vec3(state, 1);
        m.end[k] = v3_add(v3_add(m.start[k], shift), random_vec3(state, 0.3 * speed));
    }
    return m;
}

TEST(passing_segments_are_found_where_sampling_finds_them)
{
    uint64_t state = 81;
    int count = test_count(10000, 100000), meetings = 0, twice = 0;
    for (int i = 0; i < count; i++) {
        cg_moving_segment a = random_motion(&state, pow(10, test_random(&state, -2, 1)));
        cg_moving_segment b = random_motion(&state, 1);
        double margin = 1;
        int expected = count_by_sampling(&a, &b, 100, &margin);
        cg_crossing found = cg_crossing_find(&a, &b, 1e-9);
        if (found.count > expected) {
            expected = count_by_sampling(&a, &b, 20000, &margin); // two changes between two samples
        }
        if (margin < 1e-7) {
            continue;
        }
        if (!CHECK_INT(found.count, expected)) {
            printf("motion %d\n", i);
            return;
        }
        for (int k = 0; k < found.count; k++) {
            CHECK_NEAR(distance_at(&a, &b, found.times[k]), 0, 1e-9);
            CHECK(found.times[k] >= 0 && found.times[k] <= 1 && (k == 0 || found.times[k] > found.times[k - 1]));
        }
        meetings += found.count > 0;
        twice += found.count > 1;
    }
    CHECK(meetings > count / 20);
    CHECK(twice > 0);
}

TEST(a_meeting_that_is_made_is_found)
{
    uint64_t state = 82;
    for (int i = 0; i < test_count(5000, 50000); i++) {
        // Two segments through one point at the time T, moved there and on from two random places.
        double time = test_random(&state, 0.05, 0.95), s = test_random(&state, 0.05, 0.95);
        double t = test_random(&state, 0.05, 0.95);
        cg_vec3 u = random_unit(&state), v = random_unit(&state);
        cg_vec3 there[4] = {v3_scale(-s, u), v3_scale(1 - s, u), v3_scale(-t, v), v3_scale(1 - t, v)};
        cg_vec3 speed_a = random_vec3(&state, 5), speed_b = random_vec3(&state, 5);
        if (fabs(v3_dot(v3_cross(u, v), v3_sub(speed_a, speed_b))) < 1e-3) {
            continue;
        }
        cg_moving_segment a, b;
        for (int k = 0; k < 2; k++) {
            a.start[k] = v3_add_scaled(there[k], -time, speed_a);
            a.end[k] = v3_add_scaled(there[k], 1 - time, speed_a);
            b.start[k] = v3_add_scaled(there[2 + k], -time, speed_b);
            b.end[k] = v3_add_scaled(there[2 + k], 1 - time, speed_b);
        }
        cg_crossing found = cg_crossing_find(&a, &b, 1e-9);
        CHECK_INT(found.count, 1);
        CHECK_NEAR(found.times[0], time, 1e-10);
    }
}

TEST(roots_of_cubics_that_are_known)
{
    uint64_t state = 83;
    for (int i = 0; i < test_count(10000, 100000); i++) {
        double r[3], scale = pow(10, test_random(&state, -20, 5));
        for (int k = 0; k < 3; k++) {
            r[k] = test_random(&state, -1, 2);
        }
        // (t - r0)(t - r1)(t - r2) in the Bernstein basis: blossom at 000, 001, 011, 111.
        double c[4];
        for (int k = 0; k < 4; k++) {
            double sum = 0;
            static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
            for (int p = 0; p < 6; p++) {
                double product = 1;
                for (int q = 0; q < 3; q++) {
                    product *= (orders[p][q] < k ? 1 : 0) - r[q];
                }
                sum += product / 6;
            }
            c[k] = scale * sum;
        }
        double roots[3];
        int count = cg_bernstein_cubic_roots(c, roots), expected = 0;
        bool is_clear = true;
        for (int k = 0; k < 3; k++) {
            expected += r[k] >= 0 && r[k] <= 1;
            is_clear &= fabs(r[k]) > 1e-3 && fabs(r[k] - 1) > 1e-3 && fabs(r[k] - r[(k + 1) % 3]) > 1e-3;
        }
        if (!is_clear) {
            continue;
        }
        CHECK_INT(count, expected);
        for (int k = 0; k < count; k++) {
            double nearest = fmin(fabs(roots[k] - r[0]), fmin(fabs(roots[k] - r[1]), fabs(roots[k] - r[2])));
            CHECK_NEAR(nearest, 0, 1e-9);
        }
    }
    const double zero[4] = {0, 0, 0, 0}, touching[4] = {1, 0, 0, 1}, ends[4] = {0, 1, 1, 0};
    double roots[3];
    CHECK_INT(cg_bernstein_cubic_roots(zero, roots), 0);
    CHECK_INT(cg_bernstein_cubic_roots(touching, roots), 0);
    CHECK_INT(cg_bernstein_cubic_roots(ends, roots), 2);
    CHECK(roots[0] == 0 && roots[1] == 1);
}

TEST(segments_without_length_or_motion)
{
    cg_moving_segment still = {{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 0, 0}}};
    cg_moving_segment other = {{{0.5, 1, 1}, {0.5, -1, 1}}, {{0.5, 1, 1}, {0.5, -1, 1}}};
    CHECK_INT(cg_crossing_find(&still, &other, 1e-9).count, 0);
    for (int k = 0; k < 2; k++) {
        other.end[k].z = -3;
    }
    cg_crossing found = cg_crossing_find(&still, &other, 1e-9);
    CHECK_INT(found.count, 1);
    CHECK_NEAR(found.times[0], 0.25, 1e-15);
    other.start[1] = other.start[0];
    other.end[1] = other.end[0];
    CHECK_INT(cg_crossing_find(&still, &other, 1e-9).count, 0);
}
