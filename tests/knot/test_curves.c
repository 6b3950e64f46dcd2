// Knot curves are the knots they claim to be, keep their distance and are smooth.
#include <stdlib.h>

#include "harness.h"
#include "knot/curves.h"
#include "knot/determinant.h"

enum { ROOM = 20000 };

static cg_vec3 points[ROOM];

static uint64_t determinant_of(const cg_vec3 *first, int count)
{
    uint64_t determinant = 0;
    cg_status status = cg_knot_determinant(first, count, NULL, &determinant);
    CHECK_STR(status.message, "");
    return determinant;
}

// The smallest distance between strands, point by point: points 1.5 times as far apart along the thread as across.
static double brute_force_gap(const cg_curve *curve)
{
    int count = curve->point_count[0] + curve->point_count[1];
    double least = 1e9;
    for (int i = 0; i < count; i++) {
        double along = 0;
        for (int j = i + 1; j < count; j++) {
            along += j == curve->point_count[0] ? 1e9 : v3_distance(points[j - 1], points[j]);
            double across = v3_distance(points[i], points[j]);
            if (along >= 1.5 * across && across < least) {
                least = across;
            }
        }
    }
    return least;
}

static double tightest_bend(const cg_vec3 *p, int count)
{
    double least = 1e9;
    for (int i = 1; i + 1 < count; i++) {
        cg_vec3 u = v3_sub(p[i], p[i - 1]), v = v3_sub(p[i + 1], p[i]);
        double length = v3_length(u), turn = v3_length(v3_sub(v3_scale(1 / v3_length(v), v), v3_scale(1 / length, u)));
        if (turn > 1e-9 && length / turn < least) {
            least = length / turn;
        }
    }
    return least;
}

static void check_spacing(const cg_vec3 *p, int count, double spacing)
{
    double least = 1e9, most = 0;
    for (int i = 1; i < count; i++) {
        double length = v3_distance(p[i - 1], p[i]);
        least = length < least ? length : least;
        most = length > most ? length : most;
    }
    CHECK(least > 0.97 * spacing && most < 1.01 * spacing);
}

typedef struct expectation {
    cg_curve_kind kind;
    int threads;
    int determinant; // of one thread, or of both joined at their pulled ends
} expectation;

TEST(every_kind_is_its_knot_and_fits_its_thread)
{
    static const expectation list[] = {
        {CG_CURVE_OVERHAND, 1, 3}, {CG_CURVE_FIGURE_EIGHT, 1, 5}, {CG_CURVE_REEF, 1, 9},    {CG_CURVE_GRANNY, 1, 9},
        {CG_CURVE_SURGEON, 1, 45}, {CG_CURVE_SLIP, 1, 9},         {CG_CURVE_REEF, 2, 1},    {CG_CURVE_GRANNY, 2, 1},
        {CG_CURVE_THIEF, 2, 1},    {CG_CURVE_GRIEF, 2, 1},        {CG_CURVE_SURGEON, 2, 1},
    };
    for (int i = 0; i < (int)(sizeof list / sizeof list[0]); i++) {
        for (int mirror = 0; mirror < 2; mirror++) {
            cg_curve_def def = cg_curve_def_default();
            def.kind = list[i].kind;
            def.thread_count = list[i].threads;
            def.mirror = mirror;
            def.tail = 5e-3;
            cg_curve curve, counted;
            CHECK_STR(cg_curve_make(&def, points, ROOM, &curve).message, "");
            CHECK_INT(cg_curve_make(&def, NULL, 0, &counted).code, CG_OK);
            CHECK_INT(counted.point_count[0], curve.point_count[0]);
            CHECK_INT(curve.thread_count, list[i].threads);
            CHECK_NEAR(brute_force_gap(&curve), 6 * def.radius, 0.03 * def.radius);
            for (int k = 0; k < list[i].threads; k++) {
                const cg_vec3 *thread = points + (k ? curve.point_count[0] : 0);
                CHECK_INT(determinant_of(thread, curve.point_count[k]), list[i].determinant);
                check_spacing(thread, curve.point_count[k], def.spacing);
                CHECK(tightest_bend(thread, curve.point_count[k]) > 2.1 * def.radius);
            }
        }
    }
}

// Two threads joined far away at their standing ends, the first points of both: the same as one thread with a loop.
static uint64_t joined_determinant(const cg_curve *curve)
{
    static cg_vec3 joined[2 * ROOM];
    int n = 0;
    for (int i = curve->point_count[0] - 1; i >= 0; i--) {
        joined[n++] = points[i];
    }
    joined[n++] = v3(-0.05, 0.1, 0);
    joined[n++] = v3(0.05, 0.1, 0);
    for (int i = 0; i < curve->point_count[1]; i++) {
        joined[n++] = points[curve->point_count[0] + i];
    }
    return determinant_of(joined, n);
}

// Every throw is one more summand of the knot, so determinants multiply: 3 for a single throw, 5 for a double one.
TEST(knots_have_the_throws_that_are_asked_for)
{
    static const cg_curve_kind kinds[3] = {CG_CURVE_REEF, CG_CURVE_GRANNY, CG_CURVE_SURGEON};
    for (int i = 0; i < 3; i++) {
        int determinant = kinds[i] == CG_CURVE_SURGEON ? 5 : 3;
        for (int throws = 1; throws <= 6; throws++, determinant *= 3) {
            cg_curve_def def = cg_curve_def_default();
            def.kind = kinds[i];
            def.throws = throws;
            def.spacing = 2 * def.radius;
            def.tail = 5e-3;
            cg_curve curve;
            CHECK_STR(cg_curve_make(&def, points, ROOM, &curve).message, "");
            CHECK_INT(determinant_of(points, curve.point_count[0]), determinant);
            def.thread_count = 2;
            CHECK_STR(cg_curve_make(&def, points, ROOM, &curve).message, "");
            CHECK_INT(joined_determinant(&curve), determinant);
            CHECK_NEAR(brute_force_gap(&curve), 6 * def.radius, 0.1 * def.radius);
        }
    }
    cg_curve_def bad = cg_curve_def_default();
    bad.kind = CG_CURVE_REEF;
    cg_curve curve;
    bad.throws = 7;
    CHECK_INT(cg_curve_make(&bad, NULL, 0, &curve).code, CG_BAD_INPUT);
    bad.throws = -1;
    CHECK_INT(cg_curve_make(&bad, NULL, 0, &curve).code, CG_BAD_INPUT);
    bad.kind = CG_CURVE_SLIP;
    bad.throws = 2;
    CHECK_INT(cg_curve_make(&bad, NULL, 0, &curve).code, CG_BAD_INPUT);
}

TEST(two_threads_wind_as_often_as_their_throws_say)
{
    // Throws of one sense add up: both threads of a granny, closed at infinity, link three times (six half turns);
    // those of a reef not at all.
    static const struct {
        cg_curve_kind kind;
        int linking, determinant;
    } list[] = {{CG_CURVE_REEF, 0, 9}, {CG_CURVE_GRANNY, -3, 9}, {CG_CURVE_THIEF, 0, 9}, {CG_CURVE_GRIEF, -3, 9}};
    for (int i = 0; i < 4; i++) {
        for (int mirror = 0; mirror < 2; mirror++) {
            cg_curve_def def = cg_curve_def_default();
            def.kind = list[i].kind;
            def.thread_count = 2;
            def.mirror = mirror;
            cg_curve curve;
            CHECK_INT(cg_curve_make(&def, points, ROOM, &curve).code, CG_OK);
            int linking = 99;
            cg_point_chain first = {points, curve.point_count[0], false};
            cg_point_chain second = {points + curve.point_count[0], curve.point_count[1], false};
            CHECK_INT(cg_knot_linking(first, second, NULL, &linking).code, CG_OK);
            CHECK_INT(linking, mirror ? -list[i].linking : list[i].linking);
            CHECK_INT(joined_determinant(&curve), list[i].determinant);
        }
    }
    cg_curve_def def = cg_curve_def_default();
    def.kind = CG_CURVE_SURGEON;
    def.thread_count = 2;
    cg_curve curve;
    CHECK_INT(cg_curve_make(&def, points, ROOM, &curve).code, CG_OK);
    CHECK_INT(joined_determinant(&curve), 45);
}

static int sum_of_signs(const cg_vec3 *p, int count, cg_vec3 direction)
{
    cg_arena arena;
    cg_picture picture;
    static _Alignas(64) unsigned char memory[1 << 22];
    cg_arena_init(&arena, memory, sizeof memory);
    cg_picture_layout(&picture, count + 4, 200, 1, &arena);
    cg_point_chain chain = {p, count, false};
    if (!CHECK_INT(cg_picture_draw(&picture, &chain, 1, direction), CG_PICTURE_CLEAR)) {
        return 0;
    }
    int sum = 0;
    for (int i = 0; i < picture.crossing_count; i++) {
        sum += picture.sign[i];
    }
    return sum;
}

TEST(an_overhand_knot_is_right_handed_and_its_mirror_left_handed)
{
    for (int mirror = 0; mirror < 2; mirror++) {
        cg_curve_def def = cg_curve_def_default();
        def.mirror = mirror;
        cg_curve curve;
        CHECK_INT(cg_curve_make(&def, points, ROOM, &curve).code, CG_OK);
        CHECK_INT(sum_of_signs(points, curve.point_count[0], v3(0.01, 0.02, 1)), mirror ? -3 : 3);
    }
}

TEST(pulled_ends_lead_away_from_the_knot)
{
    for (int kind = CG_CURVE_OVERHAND; kind < CG_CURVE_KIND_COUNT; kind++) {
        for (int threads = 1; threads <= 2; threads++) {
            cg_curve_def def = cg_curve_def_default();
            def.kind = (cg_curve_kind)kind;
            def.thread_count = threads;
            cg_curve curve;
            if (cg_curve_make(&def, points, ROOM, &curve).code != CG_OK) {
                continue;
            }
            for (int i = 0; i < 2; i++) {
                cg_curve_end end = curve.pulled[i];
                int start = end.thread ? curve.point_count[0] : 0, last = start + curve.point_count[end.thread] - 1;
                cg_vec3 tip = points[end.last ? last : start], before = points[end.last ? last - 1 : start + 1];
                cg_vec3 way = v3_unit_or(v3_sub(tip, before), v3_zero());
                CHECK_NEAR(v3_distance(way, curve.pull[i]), 0, 1e-9);
            }
            // Every end is pulled or a tail.
            if (threads == 2) {
                int seen = 0;
                for (int i = 0; i < 2; i++) {
                    seen |= 1 << (2 * curve.pulled[i].thread + curve.pulled[i].last);
                    seen |= 1 << (2 * curve.tails[i].thread + curve.tails[i].last);
                }
                CHECK_INT(seen, 15);
            }
        }
    }
}

TEST(a_larger_loop_and_gap_are_made_as_asked)
{
    cg_curve_def def = cg_curve_def_default();
    def.kind = CG_CURVE_REEF;
    def.loop_radius = 10e-3;
    def.gap = 5 * def.radius;
    cg_curve curve;
    CHECK_INT(cg_curve_make(&def, points, ROOM, &curve).code, CG_OK);
    CHECK_NEAR(brute_force_gap(&curve), def.gap, 0.03 * def.radius);
    double top = 0;
    for (int i = 0; i < curve.point_count[0]; i++) {
        top = points[i].y > top ? points[i].y : top;
    }
    CHECK_NEAR(top, 14.2e-3 + 2.9 * curve.scale, 0.3e-3);
    CHECK_INT(determinant_of(points, curve.point_count[0]), 9);
}

TEST(definitions_without_sense_are_refused)
{
    cg_curve curve;
    cg_curve_def good = cg_curve_def_default();
    for (int i = 0; i < 9; i++) {
        cg_curve_def def = good;
        def.radius = i == 0 ? 0 : (i == 1 ? NAN : def.radius);
        def.spacing = i == 2 ? -1 : (i == 3 ? 1e-300 : def.spacing);
        def.tail = i == 4 ? INFINITY : def.tail;
        def.gap = i == 5 ? 1e-9 : 0;
        def.thread_count = i == 6 ? 2 : (i == 7 ? 0 : 1);
        def.kind = i == 8 ? (cg_curve_kind)77 : def.kind;
        cg_status status = cg_curve_make(&def, points, ROOM, &curve);
        CHECK_INT(status.code, CG_BAD_INPUT);
        CHECK(status.message[0] != 0);
    }
    CHECK_INT(cg_curve_make(&good, points, 10, &curve).code, CG_FULL);
    static const signed char two_rings[] = {1, 1}, bad_letter[] = {1, 3};
    CHECK_INT(cg_curve_make_braid(&good, two_rings, 2, 2, points, ROOM, &curve).code, CG_BAD_INPUT);
    CHECK_INT(cg_curve_make_braid(&good, bad_letter, 2, 3, points, ROOM, &curve).code, CG_BAD_INPUT);
}

TEST(torus_braids_have_their_determinants)
{
    // Closed braids of two strands with an odd number n of letters: determinant n.
    signed char letters[64];
    for (int n = 3; n <= 21; n += 2) {
        for (int i = 0; i < n; i++) {
            letters[i] = 1;
        }
        cg_curve_def def = cg_curve_def_default();
        cg_curve curve;
        CHECK_STR(cg_curve_make_braid(&def, letters, n, 2, points, ROOM, &curve).message, "");
        CHECK_INT(determinant_of(points, curve.point_count[0]), n);
        CHECK_INT(sum_of_signs(points, curve.point_count[0], v3(0.01, 0.02, 1)), n);
        CHECK_NEAR(brute_force_gap(&curve), 6 * def.radius, 0.05 * def.radius);
    }
    // Three strands, alternating: determinants 5, 16 is a link of three, 45, 121, ... (Lucas numbers less 2).
    static const int expected[] = {0, 0, 5, 0, 45, 121, 0, 841};
    for (int pairs = 2; pairs <= 7; pairs++) {
        for (int i = 0; i < pairs; i++) {
            letters[2 * i] = 1;
            letters[2 * i + 1] = -2;
        }
        cg_curve_def def = cg_curve_def_default();
        cg_curve curve;
        cg_status status = cg_curve_make_braid(&def, letters, 2 * pairs, 3, points, ROOM, &curve);
        CHECK_INT(status.code == CG_OK, expected[pairs] != 0);
        if (status.code == CG_OK) {
            CHECK_INT(determinant_of(points, curve.point_count[0]), expected[pairs]);
        }
    }
}
