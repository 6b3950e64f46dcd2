// Closest points with triangles against the definition: all candidates (corners, edges, insides) with 113 bits, and a
// nested search that knows nothing but weights. Intersections against whole numbers, where every sign is exact.
#include "geometry/triangle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/quat.h"
#include "harness.h"

// Twice the digits of a double, so that needles of any thinness are no trouble.
__extension__ typedef __float128 quad;

typedef struct big3 {
    quad x, y, z;
} big3;

static big3 big(cg_vec3 a)
{
    return (big3){a.x, a.y, a.z};
}

static big3 big_sub(big3 a, big3 b)
{
    return (big3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static big3 big_add_scaled(big3 a, quad s, big3 b)
{
    return (big3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static quad big_dot(big3 a, big3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static big3 big_cross(big3 a, big3 b)
{
    return (big3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static quad smaller(quad a, quad b)
{
    return a < b ? a : b;
}

static quad big_distance(big3 a, big3 b)
{
    return sqrtl((long double)big_dot(big_sub(a, b), big_sub(a, b)));
}

static quad point_segment(big3 p, big3 a, big3 b)
{
    big3 u = big_sub(b, a);
    quad uu = big_dot(u, u), t = uu > 0 ? big_dot(big_sub(p, a), u) / uu : 0;
    t = t < 0 ? 0 : (t > 1 ? 1 : t);
    return big_distance(p, big_add_scaled(a, t, u));
}

// Both projections of each line on the other, and the four ends.
static quad segment_segment(big3 a, big3 b, big3 c, big3 d)
{
    quad best = smaller(smaller(point_segment(a, c, d), point_segment(b, c, d)),
                        smaller(point_segment(c, a, b), point_segment(d, a, b)));
    big3 u = big_sub(b, a), v = big_sub(d, c), w = big_sub(c, a), n = big_cross(u, v);
    quad nn = big_dot(n, n);
    if (nn > 0) {
        quad s = big_dot(big_cross(w, v), n) / nn, t = big_dot(big_cross(w, u), n) / nn;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
            best = smaller(best, big_distance(big_add_scaled(a, s, u), big_add_scaled(c, t, v)));
        }
    }
    return best;
}

// By the 2 x 2 equations of the two edges at a corner, unlike the code.
static quad point_triangle(big3 p, const big3 t[3])
{
    quad best =
        smaller(smaller(point_segment(p, t[0], t[1]), point_segment(p, t[1], t[2])), point_segment(p, t[2], t[0]));
    big3 u = big_sub(t[1], t[0]), v = big_sub(t[2], t[0]), w = big_sub(p, t[0]);
    quad uu = big_dot(u, u), vv = big_dot(v, v), uv = big_dot(u, v), det = uu * vv - uv * uv;
    if (det > 0) {
        quad r = (big_dot(u, w) * vv - big_dot(v, w) * uv) / det;
        quad s = (big_dot(v, w) * uu - big_dot(u, w) * uv) / det;
        if (r >= 0 && s >= 0 && r + s <= 1) {
            best = smaller(best, big_distance(p, big_add_scaled(big_add_scaled(t[0], r, u), s, v)));
        }
    }
    return best;
}

// True when the segment passes through: the point where it meets the plane is inside.
static bool passes_through(big3 a, big3 b, const big3 t[3])
{
    big3 u = big_sub(t[1], t[0]), v = big_sub(t[2], t[0]), n = big_cross(u, v);
    quad ha = big_dot(n, big_sub(a, t[0])), hb = big_dot(n, big_sub(b, t[0]));
    if (ha * hb > 0 || ha == hb) {
        return false;
    }
    big3 p = big_sub(big_add_scaled(a, ha / (ha - hb), big_sub(b, a)), t[0]);
    quad uu = big_dot(u, u), vv = big_dot(v, v), uv = big_dot(u, v), det = uu * vv - uv * uv;
    quad r = (big_dot(u, p) * vv - big_dot(v, p) * uv) / det;
    quad s = (big_dot(v, p) * uu - big_dot(u, p) * uv) / det;
    return det > 0 && r >= 0 && s >= 0 && r + s <= 1;
}

static quad segment_triangle(big3 a, big3 b, const big3 t[3])
{
    if (passes_through(a, b, t)) {
        return 0;
    }
    quad best = smaller(point_triangle(a, t), point_triangle(b, t));
    for (int k = 0; k < 3; k++) {
        best = smaller(best, segment_segment(a, b, t[k], t[(k + 1) % 3]));
    }
    return best;
}

static quad triangle_triangle(const big3 a[3], const big3 b[3])
{
    quad best = INFINITY;
    for (int k = 0; k < 3; k++) {
        best = smaller(best, segment_triangle(a[k], a[(k + 1) % 3], b));
        best = smaller(best, segment_triangle(b[k], b[(k + 1) % 3], a));
    }
    return best;
}

static cg_vec3 random_point(uint64_t *state, double size)
{
    double x = test_random(state, -size, size), y = test_random(state, -size, size);
    return v3(x, y, test_random(state, -size, size));
}

// On the line or in the plane of what is there, off by `off`.
static cg_vec3 mixed(uint64_t *state, const cg_vec3 *of, int count, double off)
{
    cg_vec3 sum = v3_zero();
    double left = 1;
    for (int k = 0; k < count; k++) {
        double share = k == count - 1 ? left : test_random(state, -1, 1.5);
        left -= share;
        sum = v3_add_scaled(sum, share, of[k]);
    }
    return v3_add(sum, random_point(state, off));
}

enum { KINDS = 12 };

// Two triangles of all kinds; the first two corners of the first are also the segment, its first the point.
static void make_case(uint64_t *state, int kind, cg_vec3 a[3], cg_vec3 b[3])
{
    for (int k = 0; k < 3; k++) {
        a[k] = random_point(state, 1);
        b[k] = random_point(state, 1);
    }
    double off = pow(10, test_random(state, -17, -1));
    switch (kind) {
    case 1: // in one plane, up to rounding or a little off
        for (int k = 0; k < 3; k++) {
            a[k] = mixed(state, b, 3, off);
        }
        break;
    case 2: // parallel planes
        for (int k = 0; k < 3; k++) {
            a[k] = v3_add(mixed(state, b, 3, 0), v3(0.1, 0.2, -0.15));
        }
        break;
    case 3: // a needle, of any thinness
        b[2] = mixed(state, b, 2, off);
        break;
    case 4: // two needles
        b[2] = mixed(state, b, 2, off);
        a[2] = mixed(state, a, 2, off);
        break;
    case 5: // without area
        b[2] = mixed(state, b, 2, 0);
        break;
    case 6: // an edge without length
        b[2] = b[test_random_int(state, 0, 1)];
        a[1] = test_random_int(state, 0, 1) ? a[0] : a[1];
        break;
    case 7: // points
        b[1] = b[2] = b[0];
        a[1] = a[2] = test_random_int(state, 0, 1) ? a[0] : a[2];
        break;
    case 8: // a shared corner, or a shared edge
        a[0] = b[0];
        a[1] = test_random_int(state, 0, 1) ? b[1] : a[1];
        break;
    case 9: // a corner on an edge, or in the inside
        a[0] = mixed(state, b, test_random_int(state, 2, 3), 0);
        break;
    case 10: // small and close to each other
        for (int k = 0; k < 3; k++) {
            a[k] = v3_scale(0.05, a[k]);
            b[k] = v3_scale(0.05, b[k]);
        }
        break;
    case 11: // an edge along an edge, short edge beside long ones
        a[0] = mixed(state, b, 2, off);
        a[1] = mixed(state, b, 2, off);
        b[2] = v3_add_scaled(b[0], off, random_point(state, 1));
        break;
    default:
        break;
    }
}

static bool are_weights_of(const double weights[3], const cg_vec3 t[3], cg_vec3 point)
{
    bool good = weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0;
    good &= fabs(weights[0] + weights[1] + weights[2] - 1) < 1e-14;
    return good && v3_distance(triangle_point(t, weights), point) < 1e-14;
}

static const double TOLERANCE = 1e-12;

static bool check_answer(const cg_triangle_closest *found, const cg_vec3 t[3], double expected)
{
    bool good = CHECK_NEAR(sqrt(found->squared_distance), expected, TOLERANCE);
    good &= CHECK_NEAR(v3_distance(found->point, found->on_triangle), expected, TOLERANCE);
    return good & CHECK(are_weights_of(found->weights, t, found->on_triangle));
}

TEST(distances_agree_with_all_candidates_in_quadruple_precision)
{
    uint64_t state = 91;
    int count = test_count(test_is_sanitized() ? 1200 : 6000, 200000);
    for (int i = 0; i < count; i++) {
        cg_vec3 a[3], b[3];
        make_case(&state, i % KINDS, a, b);
        big3 big_a[3] = {big(a[0]), big(a[1]), big(a[2])}, big_b[3] = {big(b[0]), big(b[1]), big(b[2])};

        cg_triangle_closest of_point = cg_closest_point_triangle(a[0], b);
        bool good = check_answer(&of_point, b, (double)point_triangle(big_a[0], big_b));
        good &= CHECK(memcmp(&of_point.point, &a[0], sizeof a[0]) == 0);

        cg_triangle_closest of_segment = cg_closest_segment_triangle(a[0], a[1], b);
        good &= check_answer(&of_segment, b, (double)segment_triangle(big_a[0], big_a[1], big_b));
        cg_vec3 at = v3_add_scaled(v3_scale(1 - of_segment.t, a[0]), of_segment.t, a[1]);
        good &= CHECK(of_segment.t >= 0 && of_segment.t <= 1);
        good &= CHECK_NEAR(v3_distance(at, of_segment.point), 0, TOLERANCE);

        cg_triangle_closest of_two = cg_closest_triangles(a, b);
        double expected = (double)triangle_triangle(big_a, big_b);
        good &= check_answer(&of_two, b, expected);
        good &= CHECK(are_weights_of(of_two.own_weights, a, of_two.point) || expected == 0 ||
                      v3_distance(triangle_point(a, of_two.own_weights), of_two.point) < TOLERANCE);
        cg_triangle_closest back = cg_closest_triangles(b, a);
        good &= CHECK_NEAR(sqrt(back.squared_distance), sqrt(of_two.squared_distance), TOLERANCE);
        if (!good) {
            printf("case %d of kind %d\n", i, i % KINDS);
            break;
        }
    }
}

// Smallest distance from a point of the triangle to p by shrinking the patch of weights around the best: no algebra.
static double search_point(cg_vec3 p, const cg_vec3 t[3])
{
    double best = INFINITY, r = 0, s = 0, size = 1;
    for (int round = 0; round < 40; round++) {
        double r0 = r, s0 = s;
        for (int i = -4; i <= 4; i++) {
            for (int j = -4; j <= 4; j++) {
                double x = fmin(fmax(r0 + 0.25 * size * i, 0), 1), y = fmin(fmax(s0 + 0.25 * size * j, 0), 1);
                y = fmin(y, 1 - x);
                double weights[3] = {1 - x - y, x, y}, d = v3_distance(p, triangle_point(t, weights));
                if (d < best) {
                    best = d;
                    r = x;
                    s = y;
                }
            }
        }
        size *= 0.6;
    }
    return best;
}

TEST(a_search_over_weights_finds_nothing_nearer)
{
    uint64_t state = 92;
    for (int i = 0; i < test_count(400, 10000); i++) {
        cg_vec3 a[3], b[3];
        make_case(&state, i % 2 ? 0 : 10, a, b);
        double found = sqrt(cg_closest_point_triangle(a[0], b).squared_distance), searched = search_point(a[0], b);
        CHECK_NEAR(found, searched, 1e-4 * searched + 1e-9);
        CHECK(found <= searched + 1e-14);
        double two = sqrt(cg_closest_triangles(a, b).squared_distance);
        for (int k = 0; k < 6; k++) {
            double w = test_random(&state, 0, 1), u = test_random(&state, 0, 1 - w);
            double weights[3] = {w, u, 1 - w - u};
            cg_vec3 p = triangle_point(a, weights);
            CHECK(two <= sqrt(cg_closest_point_triangle(p, b).squared_distance) + 1e-14);
        }
    }
}

TEST(triangles_that_are_said_to_be_apart_are)
{
    uint64_t state = 93;
    int said = 0, count = test_count(60000, 1000000);
    for (int i = 0; i < count; i++) {
        cg_vec3 a[3], b[3];
        make_case(&state, i % KINDS, a, b);
        double distance = sqrt(cg_closest_triangles(a, b).squared_distance);
        double limit = test_random_int(&state, 0, 2) ? distance * test_random(&state, 0, 1.2) : 0;
        if (cg_triangles_are_apart(a, b, limit)) {
            said++;
            CHECK(distance >= limit - 1e-15);
        }
    }
    CHECK(said > count / 20);
}

// Whole numbers

typedef struct whole {
    int64_t x, y, z;
} whole;

static whole whole_sub(whole a, whole b)
{
    return (whole){a.x - b.x, a.y - b.y, a.z - b.z};
}

static int64_t whole_det(whole a, whole b, whole c)
{
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

// A different way: two convex sets are disjoint exactly when a plane separates them strictly, and for triangles (also
// flat ones) it can be found among few directions: the normals, the products of two edges, and, where all is in one
// plane or on one line, edges and what is across them.
static bool separates(whole n, const whole a[3], const whole b[3])
{
    int64_t a_low = INT64_MAX, a_high = INT64_MIN, b_low = INT64_MAX, b_high = INT64_MIN;
    for (int k = 0; k < 3; k++) {
        int64_t p = n.x * a[k].x + n.y * a[k].y + n.z * a[k].z, q = n.x * b[k].x + n.y * b[k].y + n.z * b[k].z;
        a_low = p < a_low ? p : a_low;
        a_high = p > a_high ? p : a_high;
        b_low = q < b_low ? q : b_low;
        b_high = q > b_high ? q : b_high;
    }
    return a_high < b_low || b_high < a_low;
}

static whole whole_cross(whole a, whole b)
{
    return (whole){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static bool whole_triangles_meet(const whole a[3], const whole b[3])
{
    // All differences of corners, between the two as well.
    whole ways[64];
    int count = 0;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < i; j++) {
            ways[count++] = whole_sub(i < 3 ? a[i] : b[i - 3], j < 3 ? a[j] : b[j - 3]);
        }
    }
    for (int i = 0; i < count; i++) {
        if (separates(ways[i], a, b)) {
            return false;
        }
        for (int j = 0; j < i; j++) {
            whole n = whole_cross(ways[i], ways[j]);
            if (separates(n, a, b)) {
                return false;
            }
            // Across an edge within a plane.
            for (int k = 0; k < count && (n.x != 0 || n.y != 0 || n.z != 0); k++) {
                if (whole_det(ways[i], ways[j], ways[k]) == 0 && separates(whole_cross(n, ways[k]), a, b)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static whole random_whole(uint64_t *state, int size)
{
    int x = test_random_int(state, -size, size), y = test_random_int(state, -size, size);
    return (whole){x, y, test_random_int(state, -size, size)};
}

TEST(triangles_of_whole_numbers_meet_exactly)
{
    uint64_t state = 94;
    int met = 0, count = test_count(8000, 400000);
    for (int i = 0; i < count; i++) {
        whole a[3], b[3];
        int size = test_random_int(&state, 1, 6);
        for (int k = 0; k < 3; k++) {
            a[k] = random_whole(&state, size);
            b[k] = random_whole(&state, size);
            if (i % 3 == 0) { // all in one plane
                a[k].z = a[k].x + a[k].y;
                b[k].z = b[k].x + b[k].y;
            }
        }
        if (i % 5 == 0) { // no area
            a[2] = (whole){2 * a[1].x - a[0].x, 2 * a[1].y - a[0].y, 2 * a[1].z - a[0].z};
        }
        if (i % 7 == 0) {
            b[2] = i % 2 ? b[1] : (whole){2 * b[1].x - b[0].x, 2 * b[1].y - b[0].y, 2 * b[1].z - b[0].z};
        }
        if (i % 35 == 0 && i % 2 == 0) { // all on one line
            b[0] = (whole){3 * a[1].x - 2 * a[0].x, 3 * a[1].y - 2 * a[0].y, 3 * a[1].z - 2 * a[0].z};
            b[1] = test_random_int(&state, 0, 1) ? a[1] : b[0];
            b[2] = b[0];
        }
        cg_vec3 p[3], q[3];
        for (int k = 0; k < 3; k++) {
            p[k] = v3((double)a[k].x, (double)a[k].y, (double)a[k].z);
            q[k] = v3((double)b[k].x, (double)b[k].y, (double)b[k].z);
        }
        bool expected = whole_triangles_meet(a, b);
        met += expected;
        bool good = CHECK_INT(cg_triangles_meet(p, q), expected);
        good &= CHECK_INT(cg_triangles_meet(q, p), expected);
        // And the distance knows it too.
        double distance = sqrt(cg_closest_triangles(p, q).squared_distance);
        good &= CHECK(expected ? distance < 1e-13 : distance > 1e-4);
        good &= CHECK(!expected || !cg_triangles_are_apart(p, q, 0));
        if (!good) {
            printf("case %d\n", i);
            break;
        }
    }
    CHECK(met > count / 10 && met < count);
}

// Turned, the same triangles have corners that are only nearly on lines and planes: by rounding they may miss where
// they touched, but what is clear stays as it was.
TEST(turned_triangles_meet_when_they_clearly_do)
{
    uint64_t state = 95;
    int met = 0, count = test_count(60000, 3000000);
    cg_quat turn = quat_normalise(quat(0.3, -0.5, 0.2, 0.9));
    for (int i = 0; i < count; i++) {
        cg_vec3 p[3], q[3], turned_p[3], turned_q[3];
        for (int k = 0; k < 3; k++) {
            whole a = random_whole(&state, 3), b = random_whole(&state, 3);
            a.z = i % 2 ? a.z : 0;
            b.z = i % 4 ? b.z : 0;
            p[k] = v3((double)a.x, (double)a.y, (double)a.z);
            q[k] = v3((double)b.x, (double)b.y, (double)b.z);
            turned_p[k] = quat_rotate(turn, p[k]);
            turned_q[k] = quat_rotate(turn, q[k]);
        }
        bool meet = cg_triangles_meet(p, q), turned_meet = cg_triangles_meet(turned_p, turned_q);
        if (!meet) {
            CHECK(!turned_meet || sqrt(cg_closest_triangles(p, q).squared_distance) < 1e-9);
            continue;
        }
        // Still meeting when pushed any way a little: clear.
        bool is_clear = true;
        for (int k = 0; k < 6 && is_clear; k++) {
            double push = k % 2 ? 0.01 : -0.01;
            cg_vec3 away = v3(k / 2 == 0 ? push : 0, k / 2 == 1 ? push : 0, k / 2 == 2 ? push : 0);
            cg_vec3 pushed[3] = {v3_add(q[0], away), v3_add(q[1], away), v3_add(q[2], away)};
            is_clear = cg_triangles_meet(p, pushed);
        }
        met += is_clear;
        CHECK(!is_clear || turned_meet);
    }
    CHECK(met > count / 20);
}
