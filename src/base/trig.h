// Trigonometry with the same bits everywhere: only + - * /, sqrt and integer operations, in a fixed order.
//
// The libm of one machine may round sin or atan2 differently from that of another; what enters a step must not.
// All functions return NaN for NaN, keep the sign of a zero where the true function does, and need no particular
// range of arguments. Accuracy, in units of the last place of the true value, as measured by tests/base/test_trig.c:
//
//     cg_sin, cg_cos     0.9 ulp, for every finite argument however large; NaN for an infinity
//     cg_atan2, cg_atan  1.6 ulp; every case of zeros and infinities as in IEEE 754
//     cg_asin, cg_acos   2.5 ulp; NaN outside [-1, 1]
#ifndef CATGUT_BASE_TRIG_H
#define CATGUT_BASE_TRIG_H

// The double nearest to pi, and to pi / 2.
#define CG_PI 3.14159265358979323846
#define CG_HALF_PI 1.57079632679489661923

double cg_sin(double angle);
double cg_cos(double angle);
// Both at little more than the cost of one, with the same bits as cg_sin and cg_cos.
void cg_sincos(double angle, double *sine, double *cosine);

// The angle of the point (x, y), in [-pi, pi].
double cg_atan2(double y, double x);
double cg_atan(double ratio);
// In [-pi / 2, pi / 2].
double cg_asin(double sine);
// In [0, pi].
double cg_acos(double cosine);

// e^x, to 1 ulp; infinite above 709.78, 0 below -708.
double cg_exp(double x);

#endif
