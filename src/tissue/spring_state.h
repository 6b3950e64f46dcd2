// Several springs at once: lengths, pulls. springs.h has the formulas. For those files alone that walk springs.
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

// The same of four springs of a row.
typedef struct cg_four_state {
    cg_double4 to[4];   // of each: x, y, z, 0 from the node of the row to its other end
    cg_double4 length;  // [m] of all
    cg_double4 longer;  // than at rest [m]
    cg_double4 inverse; // of the length
    cg_double4 pull;    // [N] over the length
    cg_double4 square;  // curve (l - r)^2 where it is stretched
} cg_four_state;

#define CG_WIDE_AT(array, node) (*(const cg_double4 *)&(array)[node])

// Squares of lengths: x^2 + y^2 of two vectors beside each other, z^2 + 0 behind them; then both together.
#define CG_SQUARES_OF_TWO(a, b)                                                                                        \
    (__builtin_shufflevector((a) * (a), (b) * (b), 0, 4, 2, 6) +                                                       \
     __builtin_shufflevector((a) * (a), (b) * (b), 1, 5, 3, 7))

CG_WIDE_BODY void cg_stretch_four(cg_four_state *s, const cg_wide *place, const cg_double4 *here,
                                  const cg_spring_four *p, const uint32_t end[4])
{
    for (int k = 0; k < 4; k++) {
        s->to[k] = CG_DOUBLE4_AT(place, end[k]) - *here;
    }
    cg_double4 low = CG_SQUARES_OF_TWO(s->to[0], s->to[1]), high = CG_SQUARES_OF_TWO(s->to[2], s->to[3]);
    cg_double4 square = __builtin_shufflevector(low, high, 0, 1, 4, 5) + __builtin_shufflevector(low, high, 2, 3, 6, 7);
    cg_double4 least = CG_COLLAPSED_SPRING * p->rest;
    least *= least;
    cg_bits4 above = (cg_bits4)(square > least);
    // The root and the division do not wait for each other.
    s->length = (cg_double4){sqrt(square[0]), sqrt(square[1]), sqrt(square[2]), sqrt(square[3])};
    s->inverse = s->length * (1.0 / (cg_double4)((above & (cg_bits4)square) | (~above & (cg_bits4)least)));
    s->longer = s->length - p->rest;
    cg_double4 stretched = (cg_double4)((cg_bits4)(s->longer > 0.0) & (cg_bits4)s->longer);
    s->square = __builtin_convertvector(p->curve, cg_double4) * stretched * stretched;
    s->pull = p->stiffness * s->longer * (1.0 + s->square) * s->inverse;
}

static inline cg_float2 cg_narrow(lanes v)
{
    return __builtin_convertvector(v, cg_float2);
}

// Pulls the other ends towards the node of the row, and adds to the force on it.
CG_WIDE_BODY void cg_pull_ends(cg_wide *force, const cg_four_state *s, const uint32_t end[4], cg_double4 *sum)
{
    for (int k = 0; k < 4; k++) {
        cg_double4 pull = s->pull[k] * s->to[k];
        *sum += pull;
        CG_DOUBLE4_AT(force, end[k]) -= pull;
    }
}

// A node is marked when a spring of it has become longer or shorter than it was made by more than this share. Cells
// that are not flat (compile.c) keep 0.62 of their volume or more while their edges change less.
#define CG_MARK_SHARE 0.055

// Adds to `beyond`, in the lane of each spring, whether it has changed its length by more than the share that marks.
CG_WIDE_BODY void cg_look_at_strain(const cg_four_state *s, const cg_spring_four *p, cg_bits4 *beyond)
{
    cg_double4 made = __builtin_convertvector(p->made, cg_double4), most = CG_MARK_SHARE * made;
    cg_double4 away = s->length - made;
    *beyond |= (cg_bits4)(away * away > most * most);
}

#endif
