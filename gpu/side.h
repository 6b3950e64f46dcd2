// What a source needs to be compiled for a processor and for a graphics processor alike. Included before all others of
// the kernels.
//
// nvcc takes a function for one of the host unless it is told otherwise. The library's small functions are all
// `static inline`, so here that word says the other thing too; the standard headers, which use it as well, come first.
//
// With CG_GPU_FLOAT a source is compiled for single precision: `double` is float then, and what a number written with a
// point makes double comes back to it, which compilers would warn of. Kernels have no such numbers where time counts.
#ifndef CATGUT_GPU_SIDE_H
#define CATGUT_GPU_SIDE_H

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A number of a definition, whatever the precision of the kernels.
typedef double cg_gpu_number;

#ifdef __CUDACC__
#define _Static_assert static_assert
#define inline __host__ __device__ inline
#endif
#ifdef CG_GPU_FLOAT
#ifndef __CUDACC__
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wkeyword-macro"
#endif
#define sqrt sqrtf
#define fabs fabsf
#endif
#define double float
#endif

#endif
