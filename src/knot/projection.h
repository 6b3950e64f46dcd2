// A picture of threads from one direction: which strand passes over which, in the order one meets them.
//
// Chains of points are looked at along a direction, from a viewer infinitely far away. Two segments whose pictures
// cross make a crossing; the one nearer to the viewer is over. The sign of a crossing is that of (over x under) .
// direction: +1 for a right-handed one.
//
// Open chains are closed at the viewer: from the last point straight to the viewer, there, above all threads, over to
// the first point, and straight down to it. In the picture that is a line from the last point to the first (with one
// bend, so that it does not lie upon a straight thread) which passes over everything. Closing lines of later chains lie
// above those of earlier ones. A closed chain (its last point is followed by its first one) is closed by a plain
// segment instead.
//
// A picture is useless when something in it is too near to call: a vertex upon another strand, two strands that run
// along each other, two strands at the same height where they cross. Then the answer is CG_PICTURE_UNCLEAR and another
// direction should be tried. "Too near" is 1e-9 of the extent of the picture: far above rounding (1e-15), and so small
// that a random direction is nearly never refused unless threads do touch. Where points were moved beforehand `margin`
// is added to it.
#ifndef CATGUT_KNOT_PROJECTION_H
#define CATGUT_KNOT_PROJECTION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec3.h"

// A chain of points.
typedef struct cg_point_chain {
    const cg_vec3 *points;
    int count;   // 2 or more for an open chain, 3 or more for a closed one
    bool closed; // the last point is followed by the first
} cg_point_chain;

// One meeting of a strand with a crossing. Every crossing is met twice, once over and once under.
typedef struct cg_pass {
    int crossing; // which
    bool over;    // on the strand nearer to the viewer
    int segment;  // of all chains counted through; the closing ones come last in their chain
    double along; // where on the segment, in (0, 1)
} cg_pass;

// A picture: its passes in the order of walking along each chain, one chain after the other.
typedef struct cg_picture {
    int chain_count, crossing_count;
    cg_pass *passes;   // 2 crossing_count
    signed char *sign; // per crossing, +1 or -1
    int *first_pass;   // per chain, and one more at the end
    int crossing_room; // most crossings that fit
    int segment_room;  // most segments that fit: one more than points for an open chain
    int chain_room;    // most chains that fit
    double margin;     // [m] what is nearer is too near to call, too; 0 unless set
    struct flat *flat; // work: the segments of the picture, closing lines among them
    int *order;        // work: the segments sorted by where they begin
    int *spare_order;  // work of sorting
} cg_picture;

typedef enum cg_picture_answer {
    CG_PICTURE_CLEAR,
    CG_PICTURE_UNCLEAR,  // something is too near to call: look from elsewhere
    CG_PICTURE_TOO_LARGE // more segments or crossings than there is room for
} cg_picture_answer;

// Takes the arrays of a picture from an arena.
void cg_picture_layout(cg_picture *picture, int segment_room, int crossing_room, int chain_room, cg_arena *arena);

// Draws the chains as seen against `direction` (it points from the threads to the viewer; any length but zero). All
// coordinates must be finite. Allocates nothing.
cg_picture_answer cg_picture_draw(cg_picture *picture, const cg_point_chain *chains, int chain_count,
                                  cg_vec3 direction);

// A fixed list of directions, spread over the sphere without an end and never along an axis: number `index`, 0 and up.
cg_vec3 cg_picture_direction(int index);

#endif
