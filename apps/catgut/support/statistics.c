#include "support/statistics.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

void cg_sort_numbers(double *values, int count)
{
    if (count > 0) {
        qsort(values, (size_t)count, sizeof *values, compare_numbers);
    }
}

double cg_sorted_quantile(const double *sorted, int count, double share)
{
    if (count == 0) {
        return NAN;
    }
    double place = share * (count - 1);
    int below = (int)place;
    if (below >= count - 1) {
        return sorted[count - 1];
    }
    double fraction = place - below;
    return sorted[below] * (1 - fraction) + sorted[below + 1] * fraction;
}

cg_line_fit cg_fit_line(const double *x, const double *y, int count)
{
    double mean_x = 0, mean_y = 0;
    for (int i = 0; i < count; i++) {
        mean_x += x[i] / count;
        mean_y += y[i] / count;
    }
    double xx = 0, xy = 0;
    for (int i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    double slope = xy / xx;
    return (cg_line_fit){.offset = mean_y - slope * mean_x, .slope = slope};
}

double cg_fit_power(const double *x, const double *y, int count)
{
    double mean_x = 0, mean_y = 0;
    for (int i = 0; i < count; i++) {
        mean_x += log(x[i]) / count;
        mean_y += log(y[i]) / count;
    }
    double xx = 0, xy = 0;
    for (int i = 0; i < count; i++) {
        xx += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
        xy += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
    }
    return xy / xx;
}

// Coefficients c of the parabola c0 + c1 u + c2 u^2 of least squares, by the normal equations and Cramer's rule.
static void fit_parabola(const double *u, const double *y, int count, double c[3])
{
    double s[5] = {0}, r[3] = {0};
    for (int i = 0; i < count; i++) {
        double power = 1;
        for (int k = 0; k < 5; k++) {
            s[k] += power;
            if (k < 3) {
                r[k] += power * y[i];
            }
            power *= u[i];
        }
    }
    double m00 = s[2] * s[4] - s[3] * s[3];
    double m01 = s[1] * s[4] - s[2] * s[3];
    double m02 = s[1] * s[3] - s[2] * s[2];
    double m11 = s[0] * s[4] - s[2] * s[2];
    double m12 = s[0] * s[3] - s[1] * s[2];
    double m22 = s[0] * s[2] - s[1] * s[1];
    double determinant = s[0] * m00 - s[1] * m01 + s[2] * m02;
    c[0] = (r[0] * m00 - r[1] * m01 + r[2] * m02) / determinant;
    c[1] = (-r[0] * m01 + r[1] * m11 - r[2] * m12) / determinant;
    c[2] = (r[0] * m02 - r[1] * m12 + r[2] * m22) / determinant;
}

double cg_fit_zero(const double *x, const double *y, int count, double near)
{
    // Measured from `near` and in units of the spread, so that the normal equations stay well conditioned.
    enum { MOST = 64 };
    double u[MOST];
    double spread = 0;
    count = count < MOST ? count : MOST;
    for (int i = 0; i < count; i++) {
        spread = fmax(spread, fabs(x[i] - near));
    }
    for (int i = 0; i < count; i++) {
        u[i] = (x[i] - near) / spread;
    }
    double c[3];
    fit_parabola(u, y, count, c);
    double inside = c[1] * c[1] - 4 * c[0] * c[2];
    if (!(inside >= 0)) {
        return NAN;
    }
    // The root of smaller size, written so that nothing cancels and a straight line (c2 = 0) needs no special case.
    double root = -2 * c[0] / (c[1] + copysign(sqrt(inside), c[1]));
    return near + spread * root;
}
