// label: golden
#include "base/trig.h"

#include <float.h>
#include <math.h>

#include "base/hash.h"
#include "harness.h"

// The oracle is the libm of the machine in long double, 64 bits of mantissa: its own error is 1/1000 ulp of a double.
_Static_assert(LDBL_MANT_DIG >= 64, "the oracle must be finer than a double");

// |actual - expected| in units of the last place of a double as large as `expected`.
static double ulps_off(double actual, long double expected)
{
    int exponent;
    frexpl(expected, &exponent);
    long double unit = ldexpl(1, exponent - 53 > -1074 ? exponent - 53 : -1074);
    return (double)(fabsl((long double)actual - expected) / unit);
}

static void keep_larger(double *worst, double value)
{
    *worst = value > *worst || value != value ? value : *worst;
}

// Steps of the last place, up or down.
static double nudged(double value, int steps)
{
    for (; steps > 0; steps--) {
        value = nextafter(value, (double)INFINITY);
    }
    for (; steps < 0; steps++) {
        value = nextafter(value, (double)-INFINITY);
    }
    return value;
}

static double random_of_any_size(uint64_t *random, int low_exponent, int high_exponent)
{
    double sign = test_random_int(random, 0, 1) == 1 ? 1 : -1;
    double mantissa = sign * test_random(random, 1, 2);
    return ldexp(mantissa, test_random_int(random, low_exponent, high_exponent));
}

static void keep_sine_and_cosine(double *worst, double angle)
{
    keep_larger(worst, ulps_off(cg_sin(angle), sinl(angle)));
    keep_larger(worst, ulps_off(cg_cos(angle), cosl(angle)));
}

TEST(sine_and_cosine_of_usual_angles)
{
    uint64_t random = 1;
    double worst = 0;
    for (int i = 0; i < test_count(100000, 20000000); i++) {
        keep_sine_and_cosine(&worst, test_random(&random, -1, 1));
        keep_sine_and_cosine(&worst, test_random(&random, -10, 10));
        keep_sine_and_cosine(&worst, test_random(&random, -1e6, 1e6));
    }
    CHECK(worst > 0.5); // the measure works
    CHECK_NEAR(worst, 0, 0.9);
}

TEST(sine_and_cosine_next_to_multiples_of_half_pi)
{
    uint64_t random = 2;
    double worst = 0;
    for (int turns = -640000; turns <= 640000; turns += test_count(11, 1)) {
        keep_sine_and_cosine(&worst, turns * CG_HALF_PI);
        keep_sine_and_cosine(&worst, nudged(turns * CG_HALF_PI, test_random_int(&random, -2, 2)));
        keep_sine_and_cosine(&worst, nudged((turns + 0.5) * CG_HALF_PI, test_random_int(&random, -2, 2)));
    }
    CHECK_NEAR(worst, 0, 0.9);
}

TEST(sine_and_cosine_of_any_size)
{
    uint64_t random = 3;
    double worst = 0;
    for (int i = 0; i < test_count(50000, 10000000); i++) {
        keep_sine_and_cosine(&worst, random_of_any_size(&random, -1022, 1023));
        keep_sine_and_cosine(&worst, random_of_any_size(&random, 15, 25)); // where the ways of reduction meet
    }
    // The doubles that come closest to a multiple of pi/2, 2^-61.5 to 2^-58.8 of a quarter turn away: the denominators
    // of the continued fractions of 2/pi times powers of two.
    const double closest[] = {0x1.6ac5b262ca1ffp+849, 0x1.b951f1572eba5p+23,  0x1.504cac51f1eafp+131,
                              0x1.e009c53148be1p+991, 0x1.4c96c11134d36p+577, 0x1.cfe482285f8edp+860};
    for (int i = 0; i < 6; i++) {
        keep_sine_and_cosine(&worst, closest[i]);
        keep_sine_and_cosine(&worst, -closest[i]);
    }
    const double edges[] = {DBL_MAX, DBL_MIN, 0x1p-1074, 0x1p-27, 0x1p+20, 0x1p+52, 0x1p+53, 0x1p+63, 0x1p+1023};
    for (int i = 0; i < 9; i++) {
        for (int steps = -2; steps <= (i == 0 ? 0 : 2); steps++) {
            keep_sine_and_cosine(&worst, nudged(edges[i], steps));
        }
    }
    CHECK_NEAR(worst, 0, 0.9);
}

TEST(sine_and_cosine_of_special_values)
{
    CHECK(cg_sin(0.0) == 0 && !signbit(cg_sin(0.0)));
    CHECK(cg_sin(-0.0) == 0 && signbit(cg_sin(-0.0)));
    CHECK(cg_cos(0.0) == 1 && cg_cos(-0.0) == 1);
    CHECK(cg_sin(0x1p-1074) == 0x1p-1074);
    const double bad[] = {(double)INFINITY, (double)-INFINITY, (double)NAN};
    for (int i = 0; i < 3; i++) {
        double sine = 0, cosine = 0;
        cg_sincos(bad[i], &sine, &cosine);
        CHECK(isnan(cg_sin(bad[i])) && isnan(cg_cos(bad[i])) && isnan(sine) && isnan(cosine));
    }
}

// Identities that do not need an oracle, and that the three functions agree to the bit.
TEST(sine_and_cosine_belong_together)
{
    uint64_t random = 4;
    double worst_circle = 0, worst_double = 0;
    bool agree = true, odd_and_even = true;
    for (int i = 0; i < test_count(50000, 5000000); i++) {
        double x = random_of_any_size(&random, -30, i % 2 == 0 ? 4 : 1023);
        double sine, cosine;
        cg_sincos(x, &sine, &cosine);
        agree = agree && sine == cg_sin(x) && cosine == cg_cos(x);
        odd_and_even = odd_and_even && cg_sin(-x) == -sine && cg_cos(-x) == cosine;
        keep_larger(&worst_circle, fabs(sine * sine + cosine * cosine - 1));
        if (fabs(x) < 1e300) {
            keep_larger(&worst_double, fabs(cg_sin(2 * x) - 2 * sine * cosine));
        }
    }
    CHECK(agree);
    CHECK(odd_and_even);
    CHECK_NEAR(worst_circle, 0, 4e-16);
    CHECK_NEAR(worst_double, 0, 8e-16);
}

static void keep_atan2(double *worst, double y, double x)
{
    keep_larger(worst, ulps_off(cg_atan2(y, x), atan2l(y, x)));
}

// y and x with exponents from low to high; drawn one by one, because the order of arguments is up to the compiler.
static void keep_random_atan2(double *worst, uint64_t *random, int low, int high)
{
    double y = random_of_any_size(random, low, high);
    double x = random_of_any_size(random, low, high);
    keep_atan2(worst, y, x);
}

TEST(arc_tangent_against_the_oracle)
{
    uint64_t random = 5;
    double worst = 0;
    for (int i = 0; i < test_count(100000, 20000000); i++) {
        keep_random_atan2(&worst, &random, -3, 3);
        keep_random_atan2(&worst, &random, -30, 30);
        double ratio = random_of_any_size(&random, -40, 40);
        keep_larger(&worst, ulps_off(cg_atan(ratio), atanl(ratio)));
    }
    CHECK(worst > 0.5);
    CHECK_NEAR(worst, 0, 1.6);
}

TEST(arc_tangent_at_the_ends_of_the_range)
{
    uint64_t random = 8;
    double worst = 0;
    for (int i = 0; i < test_count(50000, 5000000); i++) {
        keep_random_atan2(&worst, &random, -1074, 1023);
        int size = test_random_int(&random, -1070, 1020);
        keep_random_atan2(&worst, &random, size - 4, size + 3);
        keep_random_atan2(&worst, &random, 1010, 1023);
        keep_random_atan2(&worst, &random, -1074, -1060);
    }
    CHECK_NEAR(worst, 0, 1.6);
}

// Where the interval of the table changes, and along the axes and diagonals.
TEST(arc_tangent_at_the_seams)
{
    double worst = 0;
    for (int eighth = -80; eighth <= 80; eighth++) {
        for (int steps = -4; steps <= 4; steps++) {
            double y = nudged(eighth / 8.0, steps), seam = nudged((eighth + 0.625) / 8.0, steps);
            keep_atan2(&worst, y, 1);
            keep_atan2(&worst, y, -1);
            keep_atan2(&worst, 1, y);
            keep_atan2(&worst, -1, y);
            keep_atan2(&worst, seam, 1);
            keep_atan2(&worst, -1, seam);
        }
    }
    CHECK_NEAR(worst, 0, 1.6);
}

// All pairs of special values: bit for bit what IEEE 754 and the C standard ask, which libm gives.
TEST(arc_tangent_of_special_values)
{
    const double values[] = {0.0,       -0.0,       1.0,     -1.0,    (double)INFINITY, (double)-INFINITY,
                             0x1p-1074, -0x1p-1074, DBL_MAX, -DBL_MAX};
    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 10; j++) {
            double actual = cg_atan2(values[i], values[j]), expected = (double)atan2l(values[i], values[j]);
            CHECK_NEAR(actual, expected, 0);
            CHECK(!signbit(actual) == !signbit(expected));
        }
        CHECK(isnan(cg_atan2(values[i], (double)NAN)) && isnan(cg_atan2((double)NAN, values[i])));
    }
    CHECK(cg_atan2(0.0, -0.0) == CG_PI && cg_atan2(-0.0, -0.0) == -CG_PI);
    CHECK(cg_atan((double)-INFINITY) == -CG_HALF_PI);
}

TEST(arc_sine_and_arc_cosine)
{
    uint64_t random = 6;
    double worst = 0;
    for (int i = 0; i < test_count(75000, 20000000); i++) {
        double near_one = 1 - 0.5 * fabs(random_of_any_size(&random, -52, 0));
        double even = test_random(&random, -1, 1);
        double values[] = {even, near_one, -near_one, random_of_any_size(&random, -60, -1)};
        for (int j = 0; j < 4; j++) {
            keep_larger(&worst, ulps_off(cg_asin(values[j]), asinl(values[j])));
            keep_larger(&worst, ulps_off(cg_acos(values[j]), acosl(values[j])));
        }
    }
    CHECK_NEAR(worst, 0, 2.5);
    CHECK(cg_acos(1) == 0 && cg_acos(-1) == CG_PI && cg_acos(0) == CG_HALF_PI);
    CHECK(cg_asin(1) == CG_HALF_PI && cg_asin(-1) == -CG_HALF_PI && signbit(cg_asin(-0.0)));
    const double bad[] = {nudged(1, 1), nudged(-1, -1), 2, (double)INFINITY, (double)-INFINITY, (double)NAN};
    for (int i = 0; i < 6; i++) {
        CHECK(isnan(cg_asin(bad[i])) && isnan(cg_acos(bad[i])));
    }
}

TEST(inverses_lead_back)
{
    uint64_t random = 7;
    double worst_angle = 0, worst_value = 0;
    for (int i = 0; i < test_count(50000, 5000000); i++) {
        double angle = test_random(&random, -CG_PI, CG_PI), value = test_random(&random, -1, 1);
        keep_larger(&worst_angle, fabs(cg_atan2(cg_sin(angle), cg_cos(angle)) - angle));
        keep_larger(&worst_value, fabs(cg_cos(cg_acos(value)) - value));
        keep_larger(&worst_value, fabs(cg_sin(cg_asin(value)) - value));
        keep_larger(&worst_value, fabs(cg_asin(value) + cg_acos(value) - CG_HALF_PI));
    }
    CHECK_NEAR(worst_angle, 0, 1e-15);
    CHECK_NEAR(worst_value, 0, 1e-15);
}

// The same bits for every compiler and every level of optimisation. The arguments are made of integers only.
TEST(golden_bits)
{
    cg_hash hash = cg_hash_begin();
    uint64_t random = 42;
    for (int i = 0; i < 100000; i++) {
        double x = (double)(int64_t)(test_random_bits(&random) >> 11) * 0x1p-51 - 2;
        double y = (double)(int64_t)(test_random_bits(&random) >> 11) * 0x1p-51 - 2;
        double large = ldexp(x, i % 1000);
        double sine, cosine;
        cg_sincos(4 * x, &sine, &cosine);
        cg_hash_add_double(&hash, sine);
        cg_hash_add_double(&hash, cosine);
        cg_hash_add_double(&hash, cg_sin(large));
        cg_hash_add_double(&hash, cg_cos(large));
        cg_hash_add_double(&hash, cg_atan2(y, x));
        cg_hash_add_double(&hash, cg_atan2(large, y));
        cg_hash_add_double(&hash, cg_asin(0.5 * x));
        cg_hash_add_double(&hash, cg_acos(0.5 * y));
    }
    CHECK_GOLDEN(cg_hash_end(&hash));
}
