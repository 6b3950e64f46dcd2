// Medians, quantiles and least-squares fits.
#ifndef CATGUT_SUPPORT_STATISTICS_H
#define CATGUT_SUPPORT_STATISTICS_H

// Sorts in place, smallest first.
void cg_sort_numbers(double *values, int count);
// The value below which the given share (0 to 1) of the sorted values lies, interpolated. NaN when there are none.
double cg_sorted_quantile(const double *sorted, int count, double share);

// A straight line y = offset + slope x.
typedef struct cg_line_fit {
    double offset, slope;
} cg_line_fit;

// The line of least squares; at least two different x.
cg_line_fit cg_fit_line(const double *x, const double *y, int count);
// The power p of y = c x^p, as the slope of the logarithms; x and y above 0.
double cg_fit_power(const double *x, const double *y, int count);
// The zero nearest to `near` of the parabola of least squares; at least three different x. NaN when it has none.
double cg_fit_zero(const double *x, const double *y, int count, double near);

#endif
