// How smooth a movement was, from its speed at equal intervals.
//
// Spectral arc length (SPARC, Balasubramanian et al. 2015): with V(f) the amplitude spectrum of the speed over its
// value at 0, zero-padded to 2^(ceil(log2 n) + 4) samples, and f_c the last frequency up to 10 Hz at which V is 0.05 or
// more,
//     SPARC = - sum over bins up to f_c of sqrt((df / f_c)^2 + dV^2).
// Log dimensionless jerk, with duration D, peak speed v and jerk j, the second difference of speed:
//     LDLJ = - ln(D^3 / v^2 * integral of j^2 dt).
// Both are negative; nearer to 0 is smoother.
#ifndef CATGUT_TASK_SMOOTHNESS_H
#define CATGUT_TASK_SMOOTHNESS_H

#include <stdbool.h>

#include "catgut/world.h"

// SPARC of `count` speeds [m/s] that are `interval` [s] apart. False when there are fewer than 3 or none moves, or no
// memory. The same bits with every compiler.
bool cg_sparc(const double *speed, int count, double interval, const cg_allocator *allocator, double *sparc);
// LDLJ of the same.
bool cg_log_jerk(const double *speed, int count, double interval, double *log_jerk);

// The discrete Fourier transform of `count` complex numbers in place, real and imaginary parts alternating; `count` is
// a power of two. `turns` holds count / 2 of cos and -sin of 2 pi k / count, as cg_fourier_turns makes them.
void cg_fourier(double *numbers, int count, const double *turns);
void cg_fourier_turns(double *turns, int count);

#endif
