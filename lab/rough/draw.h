// Numbers drawn from a seed, the same on every machine.
#ifndef CATGUT_LAB_DRAW_H
#define CATGUT_LAB_DRAW_H

#include <stdint.h>

typedef struct cg_draw {
    uint64_t state;
} cg_draw;

// A row of numbers of its own for each number of a seed: all bits of both decide where it begins.
static inline cg_draw cg_draw_begin(uint64_t seed, int number)
{
    uint64_t x = seed * 1000003u + (uint64_t)number;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (cg_draw){x ^ (x >> 31)};
}

// Uniform in [low, high).
static inline double cg_draw_between(cg_draw *draw, double low, double high)
{
    draw->state = draw->state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(draw->state >> 11) * 0x1p-53;
}

// 0 to count - 1.
static inline int cg_draw_below(cg_draw *draw, int count)
{
    return (int)cg_draw_between(draw, 0, count);
}

#endif
