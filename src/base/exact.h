// Refuses builds that would not give the bits of all others (docs/portability.md): better no library than one whose
// recordings replay nowhere else. cmake/exact.cmake has the flags that are needed; a build of one's own needs them too:
// -ffp-contract=off everywhere; for gcc on x86 -mno-fma -mno-fma4 -mno-avx512f behind any -march; on x86 of 32 bits
// -msse2 -mfpmath=sse; on s390x -fexcess-precision=fast.
#ifndef CATGUT_BASE_EXACT_H
#define CATGUT_BASE_EXACT_H

#include <float.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) ||                               \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "catgut computes the same bits everywhere: -ffast-math, -Ofast and what belongs to them would change them"
#endif

#if FLT_EVAL_METHOD != 0
#error "catgut needs float and double computed as such: -msse2 -mfpmath=sse on x86, -fexcess-precision=fast elsewhere"
#endif

// clang contracts only what -ffp-contract allows; gcc's vectorizer does not ask.
#if defined(__GNUC__) && !defined(__clang__) && (defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__))
#error "gcc would fuse a*b+c whatever -ffp-contract says: -mno-fma -mno-fma4 -mno-avx512f behind -march"
#endif

_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024,
               "float and double are those of IEEE 754");

#endif
