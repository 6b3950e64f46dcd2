#include "support/special.h"

#include <math.h>
#include <stddef.h>

double cg_elliptic_k(double k)
{
    // K = pi / (2 agm(1, k')), and the arithmetic-geometric mean doubles its digits with every turn.
    double a = 1, b = sqrt((1 - k) * (1 + k));
    for (int i = 0; i < 40 && fabs(a - b) > 1e-16 * a; i++) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return CG_PI / (a + b);
}

double cg_elliptic_e(double k)
{
    // E = K (1 - sum 2^(n-1) c_n^2) with c_0 = k and c_(n+1) = (a_n - b_n) / 2.
    double a = 1, b = sqrt((1 - k) * (1 + k));
    double sum = k * k / 2, weight = 1;
    for (int i = 0; i < 40 && fabs(a - b) > 1e-16 * a; i++) {
        double c = (a - b) / 2;
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
        sum += weight * c * c;
        weight *= 2;
    }
    return CG_PI / (a + b) * (1 - sum);
}

// Carlson's symmetric integrals by duplication: the arguments are drawn together until a short series is exact.
static double carlson_rf(double x, double y, double z)
{
    double mean = (x + y + z) / 3;
    while (fmax(fmax(fabs(x - mean), fabs(y - mean)), fabs(z - mean)) > 1e-3 * mean) {
        double shift = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        x = (x + shift) / 4;
        y = (y + shift) / 4;
        z = (z + shift) / 4;
        mean = (x + y + z) / 3;
    }
    double u = 1 - x / mean, v = 1 - y / mean, w = -(u + v);
    double e2 = u * v - w * w, e3 = u * v * w;
    return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / sqrt(mean);
}

static double carlson_rd(double x, double y, double z)
{
    double sum = 0, factor = 1;
    double mean = (x + y + 3 * z) / 5;
    while (fmax(fmax(fabs(x - mean), fabs(y - mean)), fabs(z - mean)) > 1e-3 * mean) {
        double shift = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        sum += factor / (sqrt(z) * (z + shift));
        factor /= 4;
        x = (x + shift) / 4;
        y = (y + shift) / 4;
        z = (z + shift) / 4;
        mean = (x + y + 3 * z) / 5;
    }
    double u = (mean - x) / mean, v = (mean - y) / mean, w = -(u + v) / 3;
    double e2 = u * v - 6 * w * w;
    double e3 = (3 * u * v - 8 * w * w) * w;
    double e4 = 3 * (u * v - w * w) * w * w;
    double e5 = u * v * w * w * w;
    double series = 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26;
    return 3 * sum + factor * series / (mean * sqrt(mean));
}

double cg_elliptic_f_incomplete(double phi, double k)
{
    double s = sin(phi), c = cos(phi);
    return s * carlson_rf(c * c, (1 - k * s) * (1 + k * s), 1);
}

double cg_elliptic_e_incomplete(double phi, double k)
{
    double s = sin(phi), c = cos(phi);
    double q = (1 - k * s) * (1 + k * s);
    return s * carlson_rf(c * c, q, 1) - k * k * s * s * s / 3 * carlson_rd(c * c, q, 1);
}

double cg_find_root(double (*f)(double x, const void *context), const void *context, double low, double high)
{
    // Plain halving: sure, and fast enough for what is solved once.
    double at_low = f(low, context);
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        if (middle == low || middle == high) {
            break;
        }
        double value = f(middle, context);
        if ((value < 0) == (at_low < 0)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

static double tan_minus_x(double x, const void *unused)
{
    (void)unused;
    return sin(x) - x * cos(x);
}

double cg_root_of_tan_x_equals_x(void)
{
    return cg_find_root(tan_minus_x, NULL, CG_PI, 1.5 * CG_PI);
}

static double clamped_free_bar(double x, const void *unused)
{
    (void)unused;
    return cos(x) * cosh(x) + 1;
}

double cg_root_of_clamped_free_bar(void)
{
    return cg_find_root(clamped_free_bar, NULL, 1, 3);
}

// Sideways slope at the foot of a column whose top is upright-free: theta'' = -b u theta, u from the top,
// theta(0) = 1, theta'(0) = 0, as a power series in b u^3.
static double column_slope_at_foot(double b, const void *unused)
{
    (void)unused;
    double term = 1, sum = 1;
    for (int k = 0; k < 60; k++) {
        term *= -b / ((3 * k + 3) * (3 * k + 2));
        sum += term;
    }
    return sum;
}

double cg_heavy_column_load(void)
{
    return cg_find_root(column_slope_at_foot, NULL, 1, 12);
}

static double bessel_j0(double x, const void *unused)
{
    (void)unused;
    double term = 1, sum = 1;
    for (int k = 1; k < 60; k++) {
        term *= -x * x / 4 / ((double)k * k);
        sum += term;
    }
    return sum;
}

double cg_bessel_j0_zero(int n)
{
    // Zeros lie close to (n - 1/4) pi, well inside a bracket of a quarter period to each side.
    double guess = (n - 0.25) * CG_PI;
    return cg_find_root(bessel_j0, NULL, guess - CG_PI / 4, guess + CG_PI / 4);
}

double cg_laguerre(int degree, double x)
{
    double before = 0, value = 1;
    for (int k = 0; k < degree; k++) {
        double next = ((2 * k + 1 - x) * value - k * before) / (k + 1);
        before = value;
        value = next;
    }
    return value;
}

static double laguerre_at(double x, const void *degree)
{
    return cg_laguerre(*(const int *)degree, x);
}

double cg_laguerre_zero(int degree, int n)
{
    // No two zeros are nearer than the first is to 0, which is about 5.78 / (4 degree + 2).
    double stride = 1.0 / (4 * degree + 2);
    double low = 0;
    int found = 0;
    for (;;) {
        double high = low + stride;
        if ((cg_laguerre(degree, low) < 0) != (cg_laguerre(degree, high) < 0) && ++found == n) {
            return cg_find_root(laguerre_at, &degree, low, high);
        }
        low = high;
    }
}
