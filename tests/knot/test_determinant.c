// Determinant and linking number do not depend on how a thread lies, and bad input is told.
#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "harness.h"
#include "knot/curves.h"
#include "knot/determinant.h"

enum { ROOM = 6000 };

static cg_vec3 points[ROOM], moved[ROOM];

static void torus_knot(int p, int q, int count, cg_vec3 *to)
{
    for (int i = 0; i < count; i++) {
        double t = 2 * CG_PI * i / count, r = 2 + cos(q * t);
        to[i] = v3(r * cos(p * t), r * sin(p * t), sin(q * t));
    }
}

TEST(closed_torus_knots)
{
    // |Alexander(-1)| of the torus knot (p, q): 1 when both are odd, else the odd one of the two.
    static const int list[][3] = {{2, 3, 3}, {2, 5, 5}, {2, 9, 9}, {3, 4, 3},
                                  {3, 5, 1}, {4, 5, 5}, {5, 7, 1}, {1, 5, 1}};
    for (int i = 0; i < 8; i++) {
        torus_knot(list[i][0], list[i][1], 400, points);
        uint64_t determinant = 0;
        CHECK_STR(cg_knot_determinant_closed(points, 400, NULL, &determinant).message, "");
        CHECK_INT(determinant, list[i][2]);
    }
}

static void turn_and_stretch(const cg_vec3 *from, int count, cg_vec3 *to, uint64_t *state)
{
    cg_vec3 columns[3];
    double volume;
    do {
        for (int i = 0; i < 3; i++) {
            columns[i] = v3(test_random(state, -1, 1), test_random(state, -1, 1), test_random(state, -1, 1));
        }
        volume = v3_dot(columns[0], v3_cross(columns[1], columns[2]));
    } while (fabs(volume) < 0.1);
    for (int i = 0; i < count; i++) {
        cg_vec3 p = v3_scale(from[i].x, columns[0]);
        p = v3_add_scaled(p, from[i].y, columns[1]);
        to[i] = v3_add_scaled(p, from[i].z, columns[2]);
    }
}

TEST(turned_and_stretched_knots_keep_their_determinant)
{
    static const int expected[] = {1, 3, 5, 9, 9, 0, 0, 45, 9};
    uint64_t state = 5;
    for (int kind = 0; kind < CG_CURVE_KIND_COUNT; kind++) {
        cg_curve_def def = cg_curve_def_default();
        def.kind = (cg_curve_kind)kind;
        def.spacing *= 3;
        cg_curve curve;
        if (cg_curve_make(&def, points, ROOM, &curve).code != CG_OK) {
            continue;
        }
        for (int round = 0; round < test_count(10, 200); round++) {
            turn_and_stretch(points, curve.point_count[0], moved, &state);
            uint64_t determinant = 0;
            CHECK_STR(cg_knot_determinant(moved, curve.point_count[0], NULL, &determinant).message, "");
            CHECK_INT(determinant, expected[kind]);
        }
    }
}

// The Gauss integral of two closed polygons, summed segment by segment as solid angles: an oracle without projection.
static double gauss_linking(const cg_vec3 *a, int n, const cg_vec3 *b, int m)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            cg_vec3 r[4] = {v3_sub(b[j], a[i]), v3_sub(b[j], a[(i + 1) % n]), v3_sub(b[(j + 1) % m], a[(i + 1) % n]),
                            v3_sub(b[(j + 1) % m], a[i])};
            double angle = 0;
            for (int k = 0; k < 2; k++) {
                // Two triangles seen from the origin.
                cg_vec3 x = r[0], y = r[k + 1], z = r[k + 2];
                double lx = v3_length(x), ly = v3_length(y), lz = v3_length(z);
                angle += 2 * atan2(v3_dot(x, v3_cross(y, z)),
                                   lx * ly * lz + v3_dot(x, y) * lz + v3_dot(y, z) * lx + v3_dot(z, x) * ly);
            }
            sum += angle;
        }
    }
    return sum / (4 * CG_PI);
}

TEST(linking_agrees_with_the_gauss_integral)
{
    uint64_t state = 11;
    int seen = 0;
    for (int round = 0; round < test_count(200, 2000); round++) {
        cg_vec3 a[12], b[12];
        for (int i = 0; i < 12; i++) {
            a[i] = v3(test_random(&state, -1, 1), test_random(&state, -1, 1), test_random(&state, -1, 1));
            b[i] = v3(test_random(&state, -1, 1), test_random(&state, -1, 1), test_random(&state, -1, 1));
        }
        int linking = 99;
        CHECK_STR(cg_knot_linking((cg_point_chain){a, 12, true}, (cg_point_chain){b, 12, true}, NULL, &linking).message,
                  "");
        double exact = gauss_linking(a, 12, b, 12);
        // The sign of the integral as written is opposite: fixed by two rings below.
        CHECK_NEAR(fabs(exact), abs(linking), 1e-6);
        seen |= linking != 0;
    }
    CHECK(seen);
    cg_vec3 ring[40], other[40];
    for (int i = 0; i < 40; i++) {
        double t = 2 * CG_PI * i / 40;
        ring[i] = v3(cos(t), sin(t), 0);
        other[i] = v3(1 + cos(t), 0, sin(t));
    }
    int linking = 0;
    CHECK_INT(cg_knot_linking((cg_point_chain){ring, 40, true}, (cg_point_chain){other, 40, true}, NULL, &linking).code,
              CG_OK);
    // `other` goes down through the disk of the first ring at x = 0 where its angle is pi: d/dt sin = -1.
    CHECK_INT(linking, -1);
}

TEST(degenerate_threads)
{
    uint64_t determinant = 0;
    cg_vec3 line[50];
    for (int i = 0; i < 50; i++) {
        line[i] = v3(0.01 * i, 0, 0);
    }
    CHECK_STR(cg_knot_determinant(line, 50, NULL, &determinant).message, "");
    CHECK_INT(determinant, 1);
    CHECK_INT(cg_knot_determinant(line, 2, NULL, &determinant).code, CG_OK);
    CHECK_INT(determinant, 1);
    CHECK_INT(cg_knot_determinant(line, 1, NULL, &determinant).code, CG_BAD_INPUT);
    line[20].y = NAN;
    CHECK_INT(cg_knot_determinant(line, 50, NULL, &determinant).code, CG_BAD_INPUT);
    // A thread that truly passes through itself has no knot: refused, not guessed.
    cg_vec3 crossed[] = {v3(-1, 0, 0), v3(1, 0, 0), v3(1, 1, 0), v3(0, 1, 0), v3(0, -1, 0)};
    CHECK_INT(cg_knot_determinant(crossed, 5, NULL, &determinant).code, CG_BAD_INPUT);
}

TEST(a_determinant_beyond_sixty_two_bits_is_said_to_be_huge)
{
    // Closed braid (1 -2)^n has determinant L(2n) - 2 with Lucas numbers: 4.2e12 for n = 30 (a link), and here one knot
    // after another on one thread multiplies determinants: 45^k.
    cg_curve_def def = cg_curve_def_default();
    signed char letters[8] = {1, -2, 1, -2, 1, -2, 1, -2};
    def.spacing *= 4;
    def.tail = 1e-3;
    cg_curve curve;
    CHECK_STR(cg_curve_make_braid(&def, letters, 8, 3, points, ROOM, &curve).message, "");
    int n = curve.point_count[0], total = 0;
    double width = points[n - 1].x - points[0].x;
    uint64_t expected = 1;
    for (int knots = 1; knots <= 12 && total + n <= ROOM; knots++) {
        for (int i = 0; i < n; i++) {
            moved[total++] = v3_add(points[i], v3((knots - 1) * (width + 1e-4), 0, 0));
        }
        expected *= 45;
        uint64_t determinant = 0;
        CHECK_STR(cg_knot_determinant(moved, total, NULL, &determinant).message, "");
        CHECK(determinant == (knots <= 11 ? expected : CG_DETERMINANT_HUGE));
    }
}
