// The natural logarithm with the same bits everywhere: only + - * / and integer operations, in a fixed order.
//
// Accuracy, in units of the last place of the true value, as measured by tests/base/test_logarithm.c: 1 ulp away from
// 1, 2 ulp near it.
#ifndef CATGUT_BASE_LOGARITHM_H
#define CATGUT_BASE_LOGARITHM_H

// NaN below 0 and for NaN, -infinity for 0.
double cg_log(double x);

#endif
