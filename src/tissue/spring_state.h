// Two springs at once: lengths, pulls. springs.h has the formulas. For those files alone that walk springs.
#ifndef CATGUT_TISSUE_SPRING_STATE_H
#define CATGUT_TISSUE_SPRING_STATE_H

#include <math.h>

#include "tissue/springs.h"

// A spring shorter than this share of its rest length has no direction; its force fades there instead of spinning.
#define CG_COLLAPSED_SPRING 1e-6

// Two springs of a node: the vectors to their other ends, and what follows from their lengths.
typedef struct cg_spring_state {
    lanes xy[2], z[2]; // of each
    lanes x, y, w;     // of both, w along z
    lanes longer;      // than at rest [m]
    lanes inverse;     // of the length
    lanes pull;        // [N] over the length
    lanes square;      // curve (l - r)^2 where it is stretched
} cg_spring_state;

static inline lanes cg_widen(cg_float2 v)
{
    return __builtin_convertvector(v, lanes);
}

static inline lanes cg_roots(lanes v)
{
    return (lanes){sqrt(v[0]), sqrt(v[1])};
}

static inline cg_spring_state cg_stretch(const cg_wide *place, cg_wide here, const cg_spring_pair *p,
                                         const int other[2])
{
    cg_wide a = place[other[0]], b = place[other[1]];
    cg_spring_state s;
    s.xy[0] = a.xy - here.xy;
    s.z[0] = a.z - here.z;
    s.xy[1] = b.xy - here.xy;
    s.z[1] = b.z - here.z;
    s.x = __builtin_shufflevector(s.xy[0], s.xy[1], 0, 2);
    s.y = __builtin_shufflevector(s.xy[0], s.xy[1], 1, 3);
    s.w = __builtin_shufflevector(s.z[0], s.z[1], 0, 2);
    lanes length = cg_roots(s.x * s.x + s.y * s.y + s.w * s.w);
    s.longer = length - p->rest;
    s.inverse = 1.0 / lanes_max(length, CG_COLLAPSED_SPRING * p->rest);
    lanes stretched = lanes_max(s.longer, lanes_both(0));
    s.square = cg_widen(p->curve) * stretched * stretched;
    s.pull = p->stiffness * s.longer * (1.0 + s.square) * s.inverse;
    return s;
}

static inline cg_float2 cg_narrow(lanes v)
{
    return __builtin_convertvector(v, cg_float2);
}

#endif
