// Polynomials that tell knots apart, from a diagram.
//
// Jones. Every crossing is replaced by two ways to join its four half-edges without crossing, weighted A and 1/A; a
// closed loop counts -A^2 - A^-2. The sum over all choices, times (-A^3)^-w with w the sum of the signs, does not
// change when the thread moves; with t = A^-4 it is the Jones polynomial. Crossings are added one after the other: what
// is kept is a sum over the ways in which the open ends of the part so far are joined in pairs, so the cost grows with
// the number of open ends and not with 2^crossings. Sums are taken modulo 2^64, far above any coefficient that can
// occur here. For links only crossings of a thread with itself count in w: the result then does not depend on the
// directions of the threads. (It differs from the usual polynomial by a power of t.)
//
// Alexander. The matrix of knot/determinant.h with t in place of -1, evaluated modulo a prime at as many t as the
// polynomial has coefficients, and interpolated. Made symmetric, with a positive value at 1.
#ifndef CATGUT_KNOT_POLYNOMIAL_H
#define CATGUT_KNOT_POLYNOMIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "knot/diagram.h"

enum {
    CG_POLYNOMIAL_MAX_CROSSINGS = 32, // in a diagram that is to be named
    CG_POLYNOMIAL_ROOM = 96           // coefficients
};

// A sum of coefficient[i] t^(low + i), i from 0 to count - 1, first and last not zero; count is 0 for zero. For links t
// stands for the square root of the usual t.
typedef struct cg_polynomial {
    int low, count;
    long long coefficient[CG_POLYNOMIAL_ROOM];
} cg_polynomial;

// Work space of the functions below. No two calls may share one at the same time.
typedef struct cg_polynomial_work {
    uint64_t *keys[2];  // per state: the pairing of open ends
    int64_t *values[2]; // per state: a polynomial in A
    int *slots;         // hash table of states
    uint64_t *matrix;   // for Alexander
    int *arc;           // per half-edge
} cg_polynomial_work;

void cg_polynomial_layout(cg_polynomial_work *work, cg_arena *arena);

// The Jones polynomial. False when the diagram has too many crossings or open ends on the way.
bool cg_polynomial_jones(const cg_diagram *diagram, cg_polynomial_work *work, cg_polynomial *jones);

// The Alexander polynomial of a diagram of one closed thread: coefficient[i] of t^(low + i), low = -(count - 1) / 2.
bool cg_polynomial_alexander(const cg_diagram *diagram, cg_polynomial_work *work, cg_polynomial *alexander);

bool cg_polynomial_equal(const cg_polynomial *a, const cg_polynomial *b);
// With 1/t for t: the Jones polynomial of the mirror image.
void cg_polynomial_reverse(const cg_polynomial *a, cg_polynomial *reversed);
// False when it does not fit.
bool cg_polynomial_multiply(const cg_polynomial *a, const cg_polynomial *b, cg_polynomial *product);
// At t = -1, without its sign.
uint64_t cg_polynomial_size_at_minus_one(const cg_polynomial *a);

#endif
