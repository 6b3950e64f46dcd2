// A cubic B-spline with equal knots over a list of control points: a curve whose direction and curvature are
// continuous.
//
// The curve does not pass through its control points; three of them on a line make it touch the middle one and run
// along the line there. It begins near the second control point and ends near the last but one.
#ifndef CATGUT_KNOT_SPLINE_H
#define CATGUT_KNOT_SPLINE_H

#include <stdbool.h>

#include "base/vec3.h"

enum { CG_SPLINE_ROOM = 640 };

typedef struct cg_spline {
    int count;
    bool overflowed; // more control points were added than there is room for
    cg_vec3 control[CG_SPLINE_ROOM];
} cg_spline;

void cg_spline_clear(cg_spline *spline);
void cg_spline_add(cg_spline *spline, cg_vec3 point);
// Turns the order of the control points round.
void cg_spline_reverse(cg_spline *spline);

// The curve at parameter u between 0 and cg_spline_end.
cg_vec3 cg_spline_point(const cg_spline *spline, double u);
double cg_spline_end(const cg_spline *spline);
double cg_spline_length(const cg_spline *spline);

// The least distance between strands: between points of two curves, or points of one curve that are at least 1.5 times
// as far apart along it as across. `second` may be the same as `first`.
double cg_spline_gap(const cg_spline *first, const cg_spline *second);

// Points along the curve scaled by `scale`, with straight pieces of the lengths `before` and `after` added at its ends,
// at equal distances near `spacing`. Writes at most `room` of them and returns how many there are.
int cg_spline_resample(const cg_spline *spline, double scale, double before, double after, double spacing,
                       cg_vec3 *points, int room);

#endif
