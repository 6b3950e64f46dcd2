#include <math.h>

#include "harness.h"
#include "support/statistics.h"

TEST(quantiles_of_sorted_numbers)
{
    double values[] = {5, 1, 4, 2, 3};
    cg_sort_numbers(values, 5);
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(values[i], i + 1, 0);
    }
    CHECK_NEAR(cg_sorted_quantile(values, 5, 0), 1, 0);
    CHECK_NEAR(cg_sorted_quantile(values, 5, 0.5), 3, 0);
    CHECK_NEAR(cg_sorted_quantile(values, 5, 1), 5, 0);
    CHECK_NEAR(cg_sorted_quantile(values, 5, 0.125), 1.5, 1e-15);
    CHECK_NEAR(cg_sorted_quantile(values, 4, 0.5), 2.5, 1e-15);
    CHECK(isnan(cg_sorted_quantile(values, 0, 0.5)));
}

TEST(line_and_power_fits)
{
    double x[] = {1, 2, 4, 8}, line[4], power[4];
    for (int i = 0; i < 4; i++) {
        line[i] = 3 - 0.5 * x[i];
        power[i] = 7 * pow(x[i], 1.8);
    }
    cg_line_fit fit = cg_fit_line(x, line, 4);
    CHECK_NEAR(fit.offset, 3, 1e-13);
    CHECK_NEAR(fit.slope, -0.5, 1e-13);
    CHECK_NEAR(cg_fit_power(x, power, 4), 1.8, 1e-13);
    // Least squares, not just any line: for these the normal equations give slope 1/2 and offset 1/6.
    double a[] = {0, 1, 2}, b[] = {0, 1, 1};
    fit = cg_fit_line(a, b, 3);
    CHECK_NEAR(fit.slope, 0.5, 1e-14);
    CHECK_NEAR(fit.offset, 1.0 / 6, 1e-14);
}

TEST(zero_of_a_fitted_parabola)
{
    double x[] = {9.1, 9.6, 10, 10.2, 10.7}, curved[5], straight[5], lifted[5];
    for (int i = 0; i < 5; i++) {
        curved[i] = 0.3 * (x[i] - 10.05) * (x[i] - 25);
        straight[i] = 2 * (x[i] - 9.97);
        lifted[i] = (x[i] - 10) * (x[i] - 10) + 1;
    }
    CHECK_NEAR(cg_fit_zero(x, curved, 5, 10), 10.05, 1e-9);
    CHECK_NEAR(cg_fit_zero(x, straight, 5, 10), 9.97, 1e-9);
    CHECK(isnan(cg_fit_zero(x, lifted, 5, 10)));
}
