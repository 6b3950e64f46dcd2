// Special functions and roots against tables printed elsewhere and against plain numerical integration.
#include <math.h>

#include "harness.h"
#include "support/special.h"

// Simpson's rule: slow and simple.
static double integrate(double (*f)(double, double), double parameter, double from, double to)
{
    enum { STEPS = 2000 };
    double h = (to - from) / STEPS, sum = f(from, parameter) + f(to, parameter);
    for (int i = 1; i < STEPS; i++) {
        sum += (i % 2 ? 4 : 2) * f(from + i * h, parameter);
    }
    return sum * h / 3;
}

static double first_kind(double phi, double k)
{
    return 1 / sqrt(1 - k * k * sin(phi) * sin(phi));
}

static double second_kind(double phi, double k)
{
    return sqrt(1 - k * k * sin(phi) * sin(phi));
}

TEST(complete_elliptic_integrals_at_known_places)
{
    CHECK_NEAR(cg_elliptic_k(0), CG_PI / 2, 1e-15);
    CHECK_NEAR(cg_elliptic_e(0), CG_PI / 2, 1e-15);
    CHECK_NEAR(cg_elliptic_k(sqrt(0.5)), 1.8540746773013719, 1e-14);
    CHECK_NEAR(cg_elliptic_e(sqrt(0.5)), 1.3506438810476755, 1e-14);
    // Pendulum period ratios, physics.md 6.9.
    const double degrees[] = {10, 30, 45, 60, 90, 120, 150, 170};
    const double ratios[] = {1.00190719, 1.01740880, 1.03997334, 1.07318201,
                             1.18034060, 1.37288050, 1.76220373, 2.43936272};
    for (int i = 0; i < 8; i++) {
        CHECK_NEAR(2 / CG_PI * cg_elliptic_k(sin(degrees[i] * CG_PI / 360)), ratios[i], 6e-9);
    }
}

TEST(elliptic_integrals_agree_with_integration)
{
    for (double k = 0; k < 0.99; k += 0.07) {
        CHECK_NEAR(cg_elliptic_k(k), integrate(first_kind, k, 0, CG_PI / 2), 1e-10);
        CHECK_NEAR(cg_elliptic_e(k), integrate(second_kind, k, 0, CG_PI / 2), 1e-10);
        for (double phi = 0.1; phi < 1.6; phi += 0.3) {
            CHECK_NEAR(cg_elliptic_f_incomplete(phi, k), integrate(first_kind, k, 0, phi), 1e-10);
            CHECK_NEAR(cg_elliptic_e_incomplete(phi, k), integrate(second_kind, k, 0, phi), 1e-10);
        }
    }
}

TEST(complete_integrals_obey_legendre)
{
    for (double k = 0.05; k < 1; k += 0.1) {
        double other = sqrt(1 - k * k);
        double sum = cg_elliptic_e(k) * cg_elliptic_k(other) + cg_elliptic_e(other) * cg_elliptic_k(k) -
                     cg_elliptic_k(k) * cg_elliptic_k(other);
        CHECK_NEAR(sum, CG_PI / 2, 1e-13);
    }
}

TEST(roots_of_buckling_and_vibration)
{
    double x = cg_root_of_tan_x_equals_x();
    CHECK_NEAR(x, 4.493409, 5e-7);
    CHECK_NEAR(x * x, 20.190729, 5e-7);
    CHECK_NEAR(2 * x, 8.986819, 5e-7);
    CHECK_NEAR(tan(x), x, 1e-12);
    double bar = cg_root_of_clamped_free_bar();
    CHECK_NEAR(bar * bar, 3.516015, 5e-7);
    CHECK_NEAR(cg_heavy_column_load(), 7.837347, 5e-7);
    CHECK_NEAR(cg_heavy_column_load(), 9.0 / 4 * 1.866351 * 1.866351, 1e-5);
}

TEST(bessel_zeros)
{
    const double zeros[] = {2.404826, 5.520078, 8.653728, 11.791534};
    for (int n = 1; n <= 4; n++) {
        CHECK_NEAR(cg_bessel_j0_zero(n), zeros[n - 1], 5e-7);
    }
}

TEST(laguerre_zeros_of_the_hanging_chain)
{
    const int degrees[] = {1, 2, 3, 5, 10, 20, 50, 100};
    const double zeros[] = {1, 0.58578644, 0.41577456, 0.26356032, 0.13779347, 0.07053989, 0.02863052, 0.01438615};
    const double frequencies[] = {1, 1.082392, 1.116836, 1.147955, 1.173855, 1.187770, 1.196464, 1.199423};
    const double to_continuum[] = {0.831661, 0.900184, 0.928829, 0.954710, 0.976249, 0.987822, 0.995053, 0.997513};
    for (int i = 0; i < 8; i++) {
        double zero = cg_laguerre_zero(degrees[i], 1), frequency = sqrt(zero * degrees[i]);
        CHECK_NEAR(zero, zeros[i], 6e-9);
        CHECK_NEAR(frequency, frequencies[i], 6e-7);
        CHECK_NEAR(frequency / (cg_bessel_j0_zero(1) / 2), to_continuum[i], 6e-7);
        CHECK_NEAR(cg_laguerre(degrees[i], zero), 0, 1e-10);
    }
}

TEST(laguerre_zeros_are_all_found)
{
    // The zeros of a Laguerre polynomial add up to degree^2; their squares are known too (2 n^3 - n^2 for the sum).
    for (int degree = 1; degree <= 12; degree++) {
        double sum = 0, squares = 0, last = 0;
        for (int n = 1; n <= degree; n++) {
            double zero = cg_laguerre_zero(degree, n);
            CHECK(zero > last);
            last = zero;
            sum += zero;
            squares += zero * zero;
        }
        CHECK_NEAR(sum, degree * degree, 1e-9 * degree * degree);
        CHECK_NEAR(squares, 2.0 * degree * degree * degree - degree * degree, 1e-8 * squares);
    }
}
