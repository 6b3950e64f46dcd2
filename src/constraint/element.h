// What all bodies have in common: they are made of elements, each with a few unknowns, and an element answers one
// question: what force f(x, v, a) acts along its unknowns, the inertia included (d'Alembert: f = 0 is the equation of
// motion), and how does it change with a, v and x?
#ifndef CATGUT_CONSTRAINT_ELEMENT_H
#define CATGUT_CONSTRAINT_ELEMENT_H

#include "catgut/math.h"

// The most unknowns of an element: four control points of a spline.
enum { CG_ELEMENT_MOST = 16 };

// The state of an element's own unknowns: place, velocity, acceleration.
typedef struct cg_element_state {
    double x[CG_ELEMENT_MOST], v[CG_ELEMENT_MOST], a[CG_ELEMENT_MOST];
} cg_element_state;

// What is asked for: matrix += mass M + damping D + stiffness K with M = -df/da, D = -df/dv, K = -df/dx.
// A step of backward Euler wants (1, h, h^2), a projection (1, 0, 0).
typedef struct cg_element_wish {
    double mass, damping, stiffness;
    cg_vec3 gravity; // [m/s2]
} cg_element_wish;

// The answer; the caller zeroes it, of the matrix the rows that the element has. Rows are CG_ELEMENT_MOST apart.
typedef struct cg_element_answer {
    double f[CG_ELEMENT_MOST];
    double matrix[CG_ELEMENT_MOST * CG_ELEMENT_MOST];
} cg_element_answer;

#endif
