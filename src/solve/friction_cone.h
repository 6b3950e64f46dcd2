// The second-order cone |t| <= first of three numbers, and the Nesterov-Todd scaling of a contact by which the
// interior-point method sees it (friction_interior.c has the formulas). Only for src/solve.
#ifndef CATGUT_SOLVE_FRICTION_CONE_H
#define CATGUT_SOLVE_FRICTION_CONE_H

#include <math.h>

#include "solve/friction_linear.h"

static inline double cg_cone_tangent(const double *v)
{
    return sqrt(v[1] * v[1] + v[2] * v[2]);
}

// |v|_J^2, in a form that does not cancel.
static inline double cg_cone_determinant(const double *v)
{
    double t = cg_cone_tangent(v);
    return (v[0] - t) * (v[0] + t);
}

// The scaling of one contact: H = theta (2 g g' - J), and W = sqrt(theta) (2 v v' - J) with W W = H.
static inline cg_friction_scaling cg_cone_scaling(const double *x, const double *z)
{
    double by_x = 1 / sqrt(cg_cone_determinant(x)), by_z = 1 / sqrt(cg_cone_determinant(z));
    double along = by_x * by_z * (x[0] * z[0] + x[1] * z[1] + x[2] * z[2]);
    double half = 0.5 / sqrt(0.5 * (1 + along));
    cg_friction_scaling s = {.theta = by_x / by_z, .inverse_det = by_x * by_x};
    s.g[0] = half * (by_z * z[0] + by_x * x[0]);
    s.g[1] = half * (by_z * z[1] - by_x * x[1]);
    s.g[2] = half * (by_z * z[2] - by_x * x[2]);
    double by_v = 1 / sqrt(2 * (s.g[0] + 1));
    s.root = sqrt(s.theta);
    s.v[0] = by_v * (s.g[0] + 1);
    s.v[1] = by_v * s.g[1];
    s.v[2] = by_v * s.g[2];
    return s;
}

// out = factor (2 d d' - J) u: H with d = g and theta; W with v and its root.
static inline void cg_cone_scale_by(double factor, const double *d, const double *u, double *out)
{
    double dot = 2 * (d[0] * u[0] + d[1] * u[1] + d[2] * u[2]);
    out[0] = factor * (dot * d[0] - u[0]);
    out[1] = factor * (dot * d[1] + u[1]);
    out[2] = factor * (dot * d[2] + u[2]);
}

// W^-1 u = J W J u / theta.
static inline void cg_cone_scale_back(const cg_friction_scaling *s, const double *u, double *out)
{
    double turned[3] = {u[0], -u[1], -u[2]};
    cg_cone_scale_by(1 / s->root, s->v, turned, out);
    out[1] = -out[1];
    out[2] = -out[2];
}

// The product of W dx and W^-1 dz that the linear equations left out, divided by W x, and brought back by W.
static inline void cg_cone_left_out(const cg_friction_scaling *s, const double *x, const double *dx, const double *dz,
                                    double *out)
{
    double a[3], b[3], l[3], y[3];
    cg_cone_scale_by(s->root, s->v, dx, a);
    cg_cone_scale_back(s, dz, b);
    cg_cone_scale_by(s->root, s->v, x, l);
    double p[3] = {a[0] * b[0] + (a[1] * b[1] + a[2] * b[2]), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
    y[0] = (l[0] * p[0] - (l[1] * p[1] + l[2] * p[2])) / cg_cone_determinant(l);
    y[1] = (p[1] - y[0] * l[1]) / l[0];
    y[2] = (p[2] - y[0] * l[2]) / l[0];
    cg_cone_scale_by(s->root, s->v, y, out);
}

// Length at which v + length dv leaves the cone, at most `most`.
static inline double cg_cone_way_out(const double *v, const double *dv, double most)
{
    double a = dv[0] * dv[0] - (dv[1] * dv[1] + dv[2] * dv[2]);
    double b = v[0] * dv[0] - (v[1] * dv[1] + v[2] * dv[2]);
    double c = cg_cone_determinant(v);
    double way = most;
    if (dv[0] < 0 && -v[0] / dv[0] < way) {
        way = -v[0] / dv[0];
    }
    double under = b * b - a * c;
    if (under >= 0) { // roots of a t^2 + 2 b t + c
        double q = -(b + (b > 0 ? sqrt(under) : -sqrt(under)));
        double first = a != 0 ? q / a : -1, second = q != 0 ? c / q : -1;
        way = first > 0 && first < way ? first : way;
        way = second > 0 && second < way ? second : way;
    }
    return way;
}

#endif
