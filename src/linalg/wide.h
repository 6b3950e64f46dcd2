// Loops that work on four doubles at a time where the machine can.
//
// Such a loop is compiled twice: for every x86-64 machine, and for those with AVX2; which one runs is asked at each
// call, which costs a comparison. Both round each entry alike (nothing is contracted or summed in another order), so
// the bits do not depend on it. CATGUT_PLAIN_DENSE leaves the first alone.
#ifndef CATGUT_LINALG_WIDE_H
#define CATGUT_LINALG_WIDE_H

// Two or four doubles of a row, which may start anywhere. Four at a time are done two by two where the machine cannot.
typedef double pair_of_doubles __attribute__((vector_size(16), aligned(8), may_alias));
typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));
#define PAIR(place) (*(const pair_of_doubles *)(place))
#define QUAD(place) (*(const quad *)(place))
#define QUAD_OUT(place) (*(quad *)(place))

#if defined(__x86_64__) && !defined(CATGUT_PLAIN_DENSE)
#define WIDE __attribute__((target("avx2")))
#define HAS_WIDE __builtin_cpu_supports("avx2")
#else
#define WIDE
#define HAS_WIDE 0
#endif

// A loop that is written once and compiled into both.
#define ROWS static inline __attribute__((always_inline))

// The function `public_name` from the loop `name`; for one that tells true or false, CHOOSE_TEST.
#define CHOOSE(linkage, public_name, name, parameters, arguments)                                                      \
    WIDE static void name##_wide parameters                                                                            \
    {                                                                                                                  \
        name arguments;                                                                                                \
    }                                                                                                                  \
    linkage void public_name parameters                                                                                \
    {                                                                                                                  \
        if (HAS_WIDE) {                                                                                                \
            name##_wide arguments;                                                                                     \
        } else {                                                                                                       \
            name arguments;                                                                                            \
        }                                                                                                              \
    }
#define CHOOSE_TEST(linkage, public_name, name, parameters, arguments)                                                 \
    WIDE static bool name##_wide parameters                                                                            \
    {                                                                                                                  \
        return name arguments;                                                                                         \
    }                                                                                                                  \
    linkage bool public_name parameters                                                                                \
    {                                                                                                                  \
        return HAS_WIDE ? name##_wide arguments : name arguments;                                                      \
    }

#endif
