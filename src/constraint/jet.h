// A number on its way: its value and its first and second derivative in time. All inline.
//
// Constraints are written once, in jets. Along x(t) = x + v t + a t^2 / 2 the jet of g(x(t)) is (g, g', g''), and the
// jet of its gradient G gives every Jacobian that the solvers ask for:
//
//     dg/dx = dg'/dv = dg''/da = G,     dg'/dx = G',  dg''/dv = 2 G',     dg''/dx = G'',     g'' = G a + xi, xi = G' v.
#ifndef CATGUT_CONSTRAINT_JET_H
#define CATGUT_CONSTRAINT_JET_H

#include <math.h>

typedef struct cg_jet {
    double f, d, s; // value, first and second derivative
} cg_jet;

static inline cg_jet jet(double f, double d, double s)
{
    return (cg_jet){f, d, s};
}

static inline cg_jet jet_constant(double f)
{
    return jet(f, 0, 0);
}

static inline cg_jet jet_add(cg_jet a, cg_jet b)
{
    return jet(a.f + b.f, a.d + b.d, a.s + b.s);
}

static inline cg_jet jet_sub(cg_jet a, cg_jet b)
{
    return jet(a.f - b.f, a.d - b.d, a.s - b.s);
}

static inline cg_jet jet_scale(double c, cg_jet a)
{
    return jet(c * a.f, c * a.d, c * a.s);
}

static inline cg_jet jet_multiply(cg_jet a, cg_jet b)
{
    return jet(a.f * b.f, a.d * b.f + a.f * b.d, a.s * b.f + 2 * a.d * b.d + a.f * b.s);
}

// 1 / sqrt(a)
static inline cg_jet jet_inverse_root(cg_jet a)
{
    double r = 1 / sqrt(a.f), slope = -0.5 * r / a.f, bend = -1.5 * slope / a.f;
    return jet(r, slope * a.d, slope * a.s + bend * a.d * a.d);
}

static inline cg_jet jet_dot3(const cg_jet a[3], const cg_jet b[3])
{
    return jet_add(jet_add(jet_multiply(a[0], b[0]), jet_multiply(a[1], b[1])), jet_multiply(a[2], b[2]));
}

#endif
