// How forces at some points of a chain move all the others: Q = J A^-1 J^T without any full column of the inverse.
//
// A point lies between two neighbouring vertices. A contact has one or two points on the chain (where the thread
// touches itself, with opposite signs) and three axes; J maps the motion of the chain to the relative motion of each
// contact along its axes. With A factored (linalg/band.h) and the core at or after the last point:
//   1. the selected inverse gives the columns of A^-1 for a point at its own two vertices;
//   2. from there a column goes on towards the start of the chain by x_i = -(L1_i^T x_{i+1} + L2_i^T x_{i+2}), all
//      columns together, in the direction in which they decay (the other direction blows rounding errors up); where
//      there is no point for a while, in one leap;
//   3. at each point that is passed, the row is read off; what is read is half of Q, the other half its transpose.
#ifndef CATGUT_LINALG_COUPLING_H
#define CATGUT_LINALG_COUPLING_H

#include <stdbool.h>

#include "base/arena.h"
#include "linalg/band.h"

// One point of one contact: near x_vertex + far x_{vertex + 1}. The weights carry the side's sign; a vertex that is
// held, and so moves by no force, has weight 0.
typedef struct cg_coupling_point {
    int vertex;
    int contact;
    double near, far;
} cg_coupling_point;

typedef struct cg_coupling_work {
    int most_contacts;
    cg_band_inverse_row *inverse; // per vertex
    double *rows;                 // four times three rows of 3 most_contacts values
    double *half;                 // the half of Q that is read off, in order of slots
    int *slot_of;                 // per contact: its place in the order in which columns start, or -1
    int *contact_of;              // per slot
    int slot_count;
    int *read_to; // per slot: how many slots its rows of `half` have been read for

    // What the last call was for, while factors stay as they are.
    bool keeps;
    const cg_band_factor *factor; // NULL: none
    int lowest;                   // the inverse is known from this vertex on
    cg_coupling_point *points;
    double *axes;
    int point_count, contact_count; // 0 points: only the inverse is known
} cg_coupling_work;

void cg_coupling_layout(cg_coupling_work *work, int most_vertices, int most_contacts, cg_arena *arena);

// From here on no factor changes, until it is ended: what a call has worked out serves the next one, if it is for the
// same chain, and all of it if it is for the same points and axes.
void cg_coupling_begin(cg_coupling_work *work);
void cg_coupling_end(cg_coupling_work *work);

// Adds the chain's share to `coupling`, 3 contact_count squared, row after row. `points` are sorted by vertex, highest
// first, none after factor->core_first. `axes` has nine values per contact: three unit vectors.
void cg_coupling_add(cg_coupling_work *work, const cg_band_factor *factor, const cg_coupling_point *points,
                     int point_count, const double *axes, int contact_count, double *coupling);
// The same; unless it is `kept`, what is there counts as 0, whatever it is. Without points nothing is done.
void cg_coupling_put(cg_coupling_work *work, const cg_band_factor *factor, const cg_coupling_point *points,
                     int point_count, const double *axes, int contact_count, double *coupling, bool kept);

#endif
