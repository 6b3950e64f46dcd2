// Whether something passed through something between two states of a world. Nothing here is shared with the step: what
// it knows are the polylines before and after, each point of which goes straight from the one to the other.
//
// Two segments that move so are in one plane where the cubic det(b - a, d - c, c - a)(t) is zero. They pass through
// each other where they meet there within both their lengths, in one sense or the other; what passes and comes back in
// the same step has not passed. So senses are added over all pairs of segments of two lines. Within a step what is in
// contact does not go straight: where a line ends nearer than it went, it may have slid around its end, which is no
// passing.
#ifndef CATGUT_LAB_CROSSING_H
#define CATGUT_LAB_CROSSING_H

#include "catgut/math.h"

// A polyline, before and after, with as many points in both.
typedef struct cg_moving_line {
    const cg_vec3 *before, *after;
    const double *arc; // [m] of each point from the first
    int count;
} cg_moving_line;

// How often `a` has passed through `b`, without sign. A line and itself: b.before == a.before; neighbours are left out.
int cg_count_crossings(cg_moving_line a, cg_moving_line b);

// A thread has other vertices after than before where its spacing follows. Its points before and after at all rest arc
// lengths where either has a vertex, and these: `before`, `after` and `arcs` have room for count_before + count_after
// points. `rest` are rest lengths of segments. Returns how many points, 0 when the thread is not as long as it was: it
// was cut.
int cg_match_points(const cg_vec3 *points_before, const double *rest_before, int count_before,
                    const cg_vec3 *points_after, const double *rest_after, int count_after, cg_vec3 *before,
                    cg_vec3 *after, double *arcs);

#endif
