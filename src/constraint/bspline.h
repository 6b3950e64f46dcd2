// Uniform cubic B-splines: N control points, spans 0 to N - 4; span k is blended from the control points k to k + 3.
//
// The parametric abscissa u goes from 3 to N; span k holds u in [3 + k, 4 + k). A knot belongs to the span that begins
// there, the last one to the last span. Beyond the ends the polynomial of the outermost span goes on, so that a Newton
// iteration may look past them.
#ifndef CATGUT_CONSTRAINT_BSPLINE_H
#define CATGUT_CONSTRAINT_BSPLINE_H

#define CG_BSPLINE_FIRST 3.0 // the abscissa of the beginning

static inline int cg_bspline_spans(int control_count)
{
    return control_count - 3;
}

static inline double cg_bspline_last(int control_count)
{
    return control_count;
}

// The span of u, and where u lies in it: in [0, 1], outside of it beyond the ends.
static inline int cg_bspline_span(int control_count, double u, double *local)
{
    int last = cg_bspline_spans(control_count) - 1;
    double from = u - CG_BSPLINE_FIRST;
    int span = from >= last ? last : (from > 0 ? (int)from : 0);
    *local = from - span;
    return span;
}

// The four weights at t in a span, and their derivatives by u: weights[order][control point], orders 0 to 3.
static inline void cg_bspline_weights(double t, double weights[4][4])
{
    double r = 1 - t, tt = t * t;
    weights[0][0] = r * r * r / 6;
    weights[0][1] = (4 - 6 * tt + 3 * tt * t) / 6;
    weights[0][2] = (1 + 3 * t + 3 * tt - 3 * tt * t) / 6;
    weights[0][3] = tt * t / 6;
    weights[1][0] = -r * r / 2;
    weights[1][1] = 1.5 * tt - 2 * t;
    weights[1][2] = 0.5 + t - 1.5 * tt;
    weights[1][3] = tt / 2;
    weights[2][0] = r;
    weights[2][1] = 3 * t - 2;
    weights[2][2] = 1 - 3 * t;
    weights[2][3] = t;
    weights[3][0] = -1;
    weights[3][1] = 3;
    weights[3][2] = -3;
    weights[3][3] = 1;
}

#endif
