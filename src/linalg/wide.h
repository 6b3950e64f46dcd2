// Loops over registers of 256 bits, where the machine has them.
//
// Such a loop is written once, as a CG_WIDE_BODY over the vector types below, and compiled twice by CG_WIDE_PAIR: for
// every x86-64 machine, where the compiler does it two halves at a time, and for those with AVX2. Which one runs is
// asked at each call, which costs a comparison. Both do the same operations in the same order, nothing is contracted
// (AVX2 without FMA), so the bits do not depend on the machine. CATGUT_PLAIN leaves the first alone: a test that
// includes a source with it compares.
#ifndef CATGUT_LINALG_WIDE_H
#define CATGUT_LINALG_WIDE_H

#include <stdint.h>

typedef float cg_float8 __attribute__((vector_size(32), aligned(16), may_alias));
typedef double cg_double4 __attribute__((vector_size(32), aligned(16), may_alias));
typedef int32_t cg_int8 __attribute__((vector_size(32), aligned(16), may_alias));
typedef int64_t cg_bits4 __attribute__((vector_size(32), aligned(16), may_alias));

// Two or four doubles of a row, which may start anywhere.
typedef double pair_of_doubles __attribute__((vector_size(16), aligned(8), may_alias));
typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));
#define PAIR(place) (*(const pair_of_doubles *)(place))
#define QUAD(place) (*(const quad *)(place))
#define QUAD_OUT(place) (*(quad *)(place))

// Sums of the first three lanes (of each half), in each of these lanes; the order of the terms differs from lane to
// lane. The last lane is whatever it is.
#define CG_SUM3_OF_4(v) ((v) + __builtin_shufflevector(v, v, 1, 2, 0, 3) + __builtin_shufflevector(v, v, 2, 0, 1, 3))
#define CG_SUM3_OF_8(v)                                                                                                \
    ((v) + __builtin_shufflevector(v, v, 1, 2, 0, 3, 5, 6, 4, 7) +                                                     \
     __builtin_shufflevector(v, v, 2, 0, 1, 3, 6, 4, 5, 7))
// The larger of a and b in each lane; b where a is not a number.
#define CG_LARGER_OF_4(a, b)                                                                                           \
    ((cg_double4)(((cg_bits4)((a) > (b)) & (cg_bits4)(a)) | (~(cg_bits4)((a) > (b)) & (cg_bits4)(b))))
#define CG_LARGER_OF_8(a, b)                                                                                           \
    ((cg_float8)(((cg_int8)((a) > (b)) & (cg_int8)(a)) | (~(cg_int8)((a) > (b)) & (cg_int8)(b))))

#if defined(__x86_64__) && !defined(CATGUT_PLAIN)
#define CG_WIDE_TARGET __attribute__((target("avx2")))
#define CG_HAS_WIDE __builtin_cpu_supports("avx2")
#else
#define CG_WIDE_TARGET
#define CG_HAS_WIDE 0
#endif

#define CG_WIDE_BODY static inline __attribute__((always_inline))

// Makes the function `public_name` from the body `name`, with the same parameters, which returns nothing.
#define CG_WIDE_CHOOSE(linkage, public_name, name, parameters, arguments)                                              \
    CG_WIDE_TARGET static void name##_wide parameters                                                                  \
    {                                                                                                                  \
        name arguments;                                                                                                \
    }                                                                                                                  \
    linkage void public_name parameters                                                                                \
    {                                                                                                                  \
        if (CG_HAS_WIDE) {                                                                                             \
            name##_wide arguments;                                                                                     \
        } else {                                                                                                       \
            name arguments;                                                                                            \
        }                                                                                                              \
    }
// The same for a body that tells true or false.
#define CG_WIDE_CHOOSE_TEST(linkage, public_name, name, parameters, arguments)                                         \
    CG_WIDE_TARGET static bool name##_wide parameters                                                                  \
    {                                                                                                                  \
        return name arguments;                                                                                         \
    }                                                                                                                  \
    linkage bool public_name parameters                                                                                \
    {                                                                                                                  \
        return CG_HAS_WIDE ? name##_wide arguments : name arguments;                                                   \
    }
// The same with the body called `name##_body`.
#define CG_WIDE_PAIR(linkage, name, parameters, arguments)                                                             \
    CG_WIDE_CHOOSE(linkage, name, name##_body, parameters, arguments)

#endif
