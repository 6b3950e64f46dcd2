// Closest points against two independent computations: nested interval search on the convex distance (no algebra at
// all), and all candidates (lines, ends) in long double.
#include "geometry/closest.h"

#include <math.h>

#include "harness.h"

static cg_vec3 random_point(uint64_t *state, double size)
{
    double x = test_random(state, -size, size), y = test_random(state, -size, size);
    return v3(x, y, test_random(state, -size, size));
}

// Smallest distance of a point to a segment by shrinking the interval around the smallest of nine samples.
static double search_point(cg_vec3 p, cg_vec3 a, cg_vec3 b)
{
    double low = 0, high = 1, best = INFINITY, best_t = 0;
    for (int round = 0; round < 17; round++) {
        double step = (high - low) / 8;
        for (int i = 0; i <= 8; i++) {
            double t = low + i * step, d = v3_distance(p, v3_add(v3_scale(1 - t, a), v3_scale(t, b)));
            if (d < best) {
                best = d;
                best_t = t;
            }
        }
        low = fmax(0, best_t - step);
        high = fmin(1, best_t + step);
    }
    return best;
}

static double search_segments(const cg_vec3 p[4])
{
    double low = 0, high = 1, best = INFINITY, best_s = 0;
    for (int round = 0; round < 17; round++) {
        double step = (high - low) / 8;
        for (int i = 0; i <= 8; i++) {
            double s = low + i * step;
            double d = search_point(v3_add(v3_scale(1 - s, p[0]), v3_scale(s, p[1])), p[2], p[3]);
            if (d < best) {
                best = d;
                best_s = s;
            }
        }
        low = fmax(0, best_s - step);
        high = fmin(1, best_s + step);
    }
    return best;
}

typedef struct big3 {
    long double x, y, z;
} big3;

static long double big_dot(big3 a, big3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static big3 big_from_to(cg_vec3 a, cg_vec3 b)
{
    return (big3){(long double)b.x - a.x, (long double)b.y - a.y, (long double)b.z - a.z};
}

static big3 big_cross(big3 a, big3 b)
{
    return (big3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static long double big_point_distance(cg_vec3 p, cg_vec3 a, cg_vec3 b)
{
    big3 u = big_from_to(a, b), w = big_from_to(a, p);
    long double uu = big_dot(u, u), t = uu > 0 ? big_dot(u, w) / uu : 0;
    t = t < 0 ? 0 : (t > 1 ? 1 : t);
    big3 r = {w.x - t * u.x, w.y - t * u.y, w.z - t * u.z};
    return sqrtl(big_dot(r, r));
}

// The best of the four ends against the other segment, and of the two lines where they pass inside both.
static long double candidates_distance(const cg_vec3 p[4])
{
    long double best = big_point_distance(p[0], p[2], p[3]);
    best = fminl(best, big_point_distance(p[1], p[2], p[3]));
    best = fminl(best, big_point_distance(p[2], p[0], p[1]));
    best = fminl(best, big_point_distance(p[3], p[0], p[1]));
    big3 u = big_from_to(p[0], p[1]), v = big_from_to(p[2], p[3]), w = big_from_to(p[0], p[2]), n = big_cross(u, v);
    long double nn = big_dot(n, n);
    if (nn > 0) {
        long double s = big_dot(big_cross(w, v), n) / nn, t = big_dot(big_cross(w, u), n) / nn;
        if (s > 0 && s < 1 && t > 0 && t < 1) {
            big3 r = {w.x + t * v.x - s * u.x, w.y + t * v.y - s * u.y, w.z + t * v.z - s * u.z};
            best = fminl(best, sqrtl(big_dot(r, r)));
        }
    }
    return best;
}

// Segments of all kinds: any, nearly parallel, parallel, in one line, touching, crossing, without length.
static void make_case(uint64_t *state, int kind, cg_vec3 p[4])
{
    for (int i = 0; i < 4; i++) {
        p[i] = random_point(state, 1);
    }
    cg_vec3 u = v3_sub(p[1], p[0]);
    double angle = pow(10, test_random(state, -17, -1));
    switch (kind) {
    case 1: // nearly parallel, at any angle down to rounding
        p[3] = v3_add(v3_add_scaled(p[2], test_random(state, -2, 2), u), v3_scale(angle, random_point(state, 1)));
        break;
    case 2: // parallel
        p[3] = v3_add_scaled(p[2], test_random(state, -2, 2), u);
        break;
    case 3: // in one line, overlapping or not
        p[2] = v3_add_scaled(p[0], test_random(state, -2, 2), u);
        p[3] = v3_add_scaled(p[0], test_random(state, -2, 2), u);
        break;
    case 4: // sharing an end
        p[2] = p[test_random_int(state, 0, 1)];
        break;
    case 5: // an end on the other segment
        p[2] = v3_add_scaled(p[0], test_random(state, 0, 1), u);
        break;
    case 6: // crossing inside both
        p[2] = v3_add_scaled(p[0], test_random(state, 0, 1), u);
        p[3] = v3_add_scaled(p[2], -test_random(state, 0, 2), v3_sub(p[3], p[2]));
        p[2] = v3_add_scaled(p[2], -test_random(state, 0, 2), v3_sub(p[3], p[2]));
        break;
    case 7: // one without length
        p[1] = p[0];
        break;
    case 8: // both without length
        p[1] = p[0];
        p[3] = p[2];
        break;
    case 9: // very different lengths
        p[3] = v3_add(p[2], v3_scale(angle, random_point(state, 1)));
        break;
    case 10: // the same segment, or turned round
        p[2] = p[test_random_int(state, 0, 1)];
        p[3] = v3_sub(v3_add(p[0], p[1]), p[2]);
        break;
    default:
        break;
    }
}

enum { KINDS = 11 };

static bool check_case(const cg_vec3 p[4], double scale, double expected, double tolerance)
{
    cg_closest found = cg_closest_segments(p[0], p[1], p[2], p[3]);
    bool good = CHECK(found.s >= 0 && found.s <= 1 && found.t >= 0 && found.t <= 1);
    good &= CHECK_NEAR(sqrt(found.squared_distance), expected, tolerance * scale);
    // The points are where the parameters say.
    cg_vec3 a = v3_add(v3_scale(1 - found.s, p[0]), v3_scale(found.s, p[1]));
    cg_vec3 b = v3_add(v3_scale(1 - found.t, p[2]), v3_scale(found.t, p[3]));
    good &= CHECK_NEAR(v3_distance(a, found.a), 0, 1e-15 * scale);
    good &= CHECK_NEAR(v3_distance(b, found.b), 0, 1e-15 * scale);
    return good;
}

TEST(segments_agree_with_all_candidates)
{
    uint64_t state = 41;
    int count = test_count(22000, 2200000);
    for (int i = 0; i < count; i++) {
        cg_vec3 p[4];
        make_case(&state, i % KINDS, p);
        double scale = pow(10, test_random_int(&state, -8, 3)), size = 0;
        for (int k = 0; k < 4; k++) {
            p[k] = v3_scale(scale, p[k]);
            size = fmax(size, v3_length(p[k]));
        }
        // Segments within 1e-12 of parallel count as parallel.
        double tolerance = i % KINDS == 1 ? 2e-12 : 1e-14;
        if (!check_case(p, size, (double)candidates_distance(p), tolerance)) {
            return;
        }
    }
}

TEST(segments_agree_with_a_search)
{
    uint64_t state = 42;
    int count = test_count(550, 22000);
    for (int i = 0; i < count; i++) {
        cg_vec3 p[4];
        make_case(&state, i % KINDS, p);
        if (!check_case(p, 1, search_segments(p), 1e-9)) {
            return;
        }
    }
}

TEST(swapping_segments_or_their_ends_changes_nothing)
{
    uint64_t state = 43;
    for (int i = 0; i < test_count(11000, 110000); i++) {
        cg_vec3 p[4];
        make_case(&state, i % KINDS, p);
        double d = sqrt(cg_closest_segments(p[0], p[1], p[2], p[3]).squared_distance);
        CHECK_NEAR(sqrt(cg_closest_segments(p[2], p[3], p[0], p[1]).squared_distance), d, 1e-14);
        CHECK_NEAR(sqrt(cg_closest_segments(p[1], p[0], p[2], p[3]).squared_distance), d, 1e-14);
        CHECK_NEAR(sqrt(cg_closest_segments(p[0], p[1], p[3], p[2]).squared_distance), d, 1e-14);
    }
}

TEST(parallel_segments_meet_in_the_middle_of_their_overlap)
{
    cg_closest found = cg_closest_segments(v3(0, 0, 0), v3(4, 0, 0), v3(1, 1, 0), v3(3, 1, 0));
    CHECK_NEAR(found.s, 0.5, 1e-15);
    CHECK_NEAR(found.t, 0.5, 1e-15);
    found = cg_closest_segments(v3(0, 0, 0), v3(4, 0, 0), v3(8, 1, 0), v3(2, 1, 0));
    CHECK_NEAR(found.s, 0.75, 1e-15);
    CHECK_NEAR(found.t, 5.0 / 6, 1e-15);
    found = cg_closest_segments(v3(0, 0, 0), v3(1, 0, 0), v3(2, 0, 1), v3(3, 0, 1));
    CHECK_NEAR(found.s, 1, 0);
    CHECK_NEAR(found.t, 0, 0);
}

TEST(ends_are_given_exactly)
{
    cg_vec3 a0 = v3(0.1, 0.2, 0.3), a1 = v3(0.7, 0.1, 0.4), b0 = v3(2, 2, 2), b1 = v3(3.3, 2.7, 1.9);
    cg_closest found = cg_closest_segments(a0, a1, b0, b1);
    CHECK(found.s == 1 && found.t == 0);
    CHECK(found.a.x == a1.x && found.a.y == a1.y && found.a.z == a1.z);
    CHECK(found.b.x == b0.x && found.b.y == b0.y && found.b.z == b0.z);
}

TEST(point_and_segment)
{
    uint64_t state = 44;
    for (int i = 0; i < test_count(10000, 100000); i++) {
        cg_vec3 p = random_point(&state, 1), a = random_point(&state, 1), b = random_point(&state, 1), closest;
        if (i % 10 == 0) {
            b = a;
        } else if (i % 10 == 1) {
            p = v3_add_scaled(a, test_random(&state, -1, 2), v3_sub(b, a));
        }
        double t = cg_closest_on_segment(p, a, b, &closest);
        CHECK(t >= 0 && t <= 1);
        CHECK_NEAR(v3_distance(p, closest), (double)big_point_distance(p, a, b), 1e-14);
        CHECK_NEAR(v3_distance(p, closest), search_point(p, a, b), 1e-9);
    }
}
