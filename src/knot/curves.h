// Knots to start a simulation from: open, smooth curves that no thread of the given radius overlaps.
//
// A throw (half knot) is two strands that wind around each other: 3 half turns for a single throw, 5 for a double one.
// Throws lie one below the other and are joined at the sides; above the first one a loop joins its two strands (one
// thread) or both go off to the sides (two threads):
//
//         ___                    A  ____   ____ B
//       /     \    loop               \./
//       \ _ _ /                  A's   X   first throw
//         \./                     ____/'\____
//          X    first throw      (  \  /     )
//        _/ \_                    \__\/_____/
//       (_   _)   sides               X   second throw
//         \ /                    A __/ \__ B
//          X    second throw
//         / \   ends
//
// Throws wound in opposite senses make a reef (square) knot, in the same sense a granny, however many there are. Tails
// of a reef knot lie on the same side of it; a thief is a reef knot, and a grief a granny, pulled by ends that lie
// across. In a slip knot one strand is straight and the other one winds around it.
//
// Curves are cubic B-splines, so bends change smoothly; the whole is scaled so that the centre lines of different
// strands come no nearer than the gap. The knot lies about the origin, near the plane z = 0, tails along x where
// possible.
#ifndef CATGUT_KNOT_CURVES_H
#define CATGUT_KNOT_CURVES_H

#include <stdbool.h>

#include "catgut/math.h"
#include "catgut/status.h"

typedef enum cg_curve_kind {
    CG_CURVE_STRAIGHT,     // no knot: a straight thread of length two tails
    CG_CURVE_OVERHAND,     // one throw in one thread (3_1)
    CG_CURVE_FIGURE_EIGHT, // one thread (4_1)
    CG_CURVE_REEF,         // two threads, or one: two throws of opposite sense
    CG_CURVE_GRANNY,       // two threads, or one: two throws of the same sense
    CG_CURVE_THIEF,        // two threads: a reef knot pulled across
    CG_CURVE_GRIEF,        // two threads: a granny pulled across
    CG_CURVE_SURGEON,      // two threads, or one: a double throw, then two single ones (2-1-1), senses alternating
    CG_CURVE_SLIP,         // one thread: two half hitches of opposite sense around its own straight strand
    CG_CURVE_KIND_COUNT
} cg_curve_kind;

typedef struct cg_curve_def {
    cg_curve_kind kind;
    int thread_count;   // 1 or 2, as the kind allows
    int throws;         // 1 to 6 of an overhand, reef, granny or surgeon's knot, a double one counted once; 0: as usual
    bool mirror;        // all senses turned round. Without it an overhand knot, and the first throw, is right-handed
    double radius;      // [m] of the thread
    double gap;         // [m] least distance between centre lines of strands; 0: six radii, 3 diameters
    double loop_radius; // [m] of the loop of one thread tied around something; 0 or too small: as small as is smooth
    double tail;        // [m] straight part at each end
    double free_tail;   // [m] the same at the ends of two threads that are not pulled; 0: as long as the others
    double spacing;     // [m] between points, along the curve; adjusted by less than half a segment in the whole length
} cg_curve_def;

// An end of a thread: its first point, or its last.
typedef struct cg_curve_end {
    int thread;
    bool last;
} cg_curve_end;

typedef struct cg_curve {
    int thread_count;
    int point_count[2];     // per thread; the points of the second follow those of the first
    cg_curve_end pulled[2]; // the ends a hand or load pulls at, apart from each other
    cg_vec3 pull[2];        // unit vectors: which way
    cg_curve_end tails[2];  // the two other ends of a knot in two threads; the pulled ends otherwise
    double gap;             // [m] what it came to
    double scale;           // [m] radius at which strands wind around each other
} cg_curve;

// Right-handed overhand knot of 3-0 thread, radius 0.11 mm, tails of 20 mm, points every radius.
cg_curve_def cg_curve_def_default(void);

// Fills `points`, at most `room`, and tells what they are. With `points` NULL only counts. CG_BAD_INPUT for a
// definition that makes no sense, CG_FULL when there are more points than room.
cg_status cg_curve_make(const cg_curve_def *def, cg_vec3 *points, int room, cg_curve *curve);

// Any knot, as the closure of a braid: letter +i winds strand i right-handed around strand i + 1, -i left-handed, i
// from 1 to strand_count - 1. The closed braid must be one knot; it is opened in its outermost strand. At most 64
// letters and 8 strands. def->kind and thread_count are not looked at.
cg_status cg_curve_make_braid(const cg_curve_def *def, const signed char *letters, int letter_count, int strand_count,
                              cg_vec3 *points, int room, cg_curve *curve);

// The name of a kind: "overhand", "figure-eight", ...
const char *cg_curve_kind_name(cg_curve_kind kind);

#endif
