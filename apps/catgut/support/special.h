// Special functions and roots that the closed forms of rod mechanics are made of.
#ifndef CATGUT_SUPPORT_SPECIAL_H
#define CATGUT_SUPPORT_SPECIAL_H

#define CG_PI 3.14159265358979323846

// Complete elliptic integrals of the first and second kind for modulus k, 0 <= k < 1 (k, not m = k^2).
double cg_elliptic_k(double k);
double cg_elliptic_e(double k);
// Incomplete ones up to the angle phi, 0 <= phi <= pi/2.
double cg_elliptic_f_incomplete(double phi, double k);
double cg_elliptic_e_incomplete(double phi, double k);

// A zero of f in [low, high], where f changes its sign, to the last bits.
double cg_find_root(double (*f)(double x, const void *context), const void *context, double low, double high);

// Smallest positive x with tan x = x: 4.493409. Clamped-hinged buckling and clamped buckling by torque.
double cg_root_of_tan_x_equals_x(void);
// Smallest positive x with cos x cosh x = -1: 1.875104. First bending frequency of a clamped-free bar is x^2.
double cg_root_of_clamped_free_bar(void);
// w L^3 / B at which an upright column buckles under its own weight: 7.837347.
double cg_heavy_column_load(void);
// The n-th positive zero of the Bessel function J0, n = 1 to 4.
double cg_bessel_j0_zero(int n);
// Value of the Laguerre polynomial of the given degree.
double cg_laguerre(int degree, double x);
// Its n-th smallest zero, 1 <= n <= degree.
double cg_laguerre_zero(int degree, int n);

#endif
