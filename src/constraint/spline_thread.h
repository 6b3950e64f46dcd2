// The spline thread: a uniform cubic B-spline with four unknowns a control point (x, y, z, theta), straight at rest.
//
// Energies, per span of u in [0, 1], p' = dp/du, l = L / spans the length of a span at rest:
//
//     stretch  EA/2 integral (|p'|/l - 1)^2 l du
//     bend     EI/2 integral |p' x p''|^2 / |p'|^6 l du        (the curvature squared)
//     twist    GJ/2 integral (T/l)^2 l du,   T = theta' + m
//
// m is the twist of the frame that theta is measured from. That frame is carried along in time by the smallest rotation
// of the tangent, as the Kirchhoff thread's is (docs/thread.md), so it exists where the thread is straight. With t0,
// t0' and m0 those of the beginning of the step and t, t' the present ones,
//
//     m = m0 + (t x t0) . (t0' + t') / (1 + t0 . t).
//
// T is the twist of the material whatever frame it is measured from: where the thread bends it equals theta' + tau of
// the Frenet frame. The carried frame does not spin about the tangent, so theta' in time is the spin of the material.
//
// Kinetic energy: rho A / 2 integral |dp/dt|^2 l du + rho Jp / 2 integral (dtheta/dt)^2 l du, Jp = pi r^4 / 2; the
// integrals of products of weights are exact.
//
// Damping is Rayleigh's: -(alpha M + beta K0) v with K0 the stiffness at the beginning of the step, so that its
// derivatives are exact without third derivatives of the energy.
//
// Quadrature: bend and twist by Gauss points in each span. Stretch by one point in the middle of a span, two in the
// first and in the last: N - 1 in all for N control points. More would stiffen a slender thread that bends (membrane
// locking: a stretch point all but takes an unknown away, and a curve in a plane has 2 N), fewer would leave motions
// along a straight thread without any force (it has N unknowns, one of them the motion as a whole).
#ifndef CATGUT_CONSTRAINT_SPLINE_THREAD_H
#define CATGUT_CONSTRAINT_SPLINE_THREAD_H

#include "base/memory.h"
#include "catgut/status.h"
#include "constraint/element.h"

enum { CG_SPLINE_BEND_POINTS = 3, CG_SPLINE_UNKNOWNS = 4, CG_SPLINE_SPAN_UNKNOWNS = 16 };

typedef struct cg_spline_def {
    int control_count;        // 4 or more
    double length;            // [m] at rest
    double radius;            // [m]
    double density;           // [kg/m3]
    double young, poisson;    // [Pa], of the material
    double bend_share;        // bending stiffness, of that of a solid rod
    double twist_stiffness;   // GJ [N m2]; 0: from poisson and bend_share
    double mass_damping;      // Rayleigh's alpha [1/s]
    double stiffness_damping; // Rayleigh's beta [s]
    const cg_vec3 *controls;  // [m] NULL: straight from the origin along x
} cg_spline_def;

// 0.2 m of 3-0 nylon, 20 control points, no damping.
cg_spline_def cg_spline_def_default(void);

// What is known at a Gauss point from the beginning of the step: unit tangent, its derivative by u, twist of the frame.
typedef struct cg_spline_frame {
    cg_vec3 tangent, turn;
    double twist;
} cg_spline_frame;

typedef struct cg_spline {
    int control_count, span_count;
    double span_length;       // [m] at rest: |p'|
    double radius;            // [m]
    double line_density;      // [kg/m]
    double spin_inertia;      // [kg m] about the axis, per length
    double stretch;           // EA [N]
    double bend, twist;       // EI, GJ [N m2]
    double mass_damping;      // [1/s]
    double stiffness_damping; // [s]
    cg_vec3 *start;           // [m] control points in the beginning
    cg_spline_frame *frames;  // CG_SPLINE_BEND_POINTS a span
    double *begin_stiffness;  // 16 x 16 a span: K0
    cg_allocator allocator;
} cg_spline;

cg_status cg_spline_init(cg_spline *spline, const cg_spline_def *def, const cg_allocator *allocator);
void cg_spline_free(cg_spline *spline);

// Energy of a span [J], without gravity. x: its 16 unknowns.
double cg_spline_energy(const cg_spline *spline, int span, const double *x);

// The answer of a span (element.h).
void cg_spline_forces(const cg_spline *spline, int span, const cg_element_state *state, const cg_element_wish *wish,
                      cg_element_answer *answer);

// Twist of the material [rad/m] at a Gauss point.
double cg_spline_twist_rate(const cg_spline *spline, int span, int point, const double *x);

// Notes the stiffness of a span at the beginning of a step (nothing where there is no damping by it), and carries its
// frames over to the shape x at the end of one.
void cg_spline_begin_span(cg_spline *spline, int span, const double *x);
void cg_spline_end_span(cg_spline *spline, int span, const double *x);

// Where Gauss point `point` lies in its span, and its share of the length.
double cg_spline_gauss_place(int point);
// The place in a span, nearest to t, where the stretch is looked at: elsewhere it swings about what the force knows.
double cg_spline_stretch_place(const cg_spline *spline, int span, double t);

#endif
