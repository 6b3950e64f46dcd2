// Two doubles that are worked on together.
//
// A chain of blocks is eliminated from both ends at once: lane 0 walks from the start, lane 1 from the finish, and both
// do the same arithmetic. Every x86-64 (and WebAssembly) has registers for it, and each lane rounds as a lone double
// would, so the result does not depend on the machine.
#ifndef CATGUT_LINALG_LANES_H
#define CATGUT_LINALG_LANES_H

#include <stdint.h>

typedef double lanes __attribute__((vector_size(16)));
typedef int64_t lane_bits __attribute__((vector_size(16)));

static inline lanes lanes_of(double start, double finish)
{
    return (lanes){start, finish};
}

static inline lanes lanes_both(double value)
{
    return (lanes){value, value};
}

// The larger of a and b in each lane; b where a is not a number.
static inline lanes lanes_max(lanes a, lanes b)
{
    lane_bits above = (lane_bits)(a > b);
    return (lanes)((above & (lane_bits)a) | (~above & (lane_bits)b));
}

#endif
