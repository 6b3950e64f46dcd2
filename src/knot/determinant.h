// Numbers that do not change while a thread moves without passing through itself: a cheap check that it has not.
//
// The determinant of a knot is |Alexander polynomial at -1|: 1 for a thread without a knot, 3 for an overhand knot, 5
// for a figure-eight, 9 for a reef or a granny knot. Open threads are closed at infinity (see knot/projection.h), so
// the ends should stick out of the knot. Different knots may have the same determinant; knots of the same kind never
// differ.
//
// From a picture with c crossings: every crossing gives a row with 2 for the arc that passes over and -1 for each of
// the two arcs that end there; the determinant of that matrix without one row and one column is the answer. It is
// computed modulo three primes below 2^31; the first two give 62 bits, the third tells when that was not enough.
#ifndef CATGUT_KNOT_DETERMINANT_H
#define CATGUT_KNOT_DETERMINANT_H

#include <stdint.h>

#include "base/vec3.h"
#include "catgut/status.h"
#include "catgut/world.h"
#include "knot/projection.h"

// A determinant that is larger than can be told.
#define CG_DETERMINANT_HUGE UINT64_MAX

// The determinant of the knot in an open thread of `count` points. `allocator` NULL is malloc; memory is given back.
// CG_BAD_INPUT when a number is not finite, there are fewer than 2 points, or the thread touches itself so that no
// direction shows what is over and what is under.
cg_status cg_knot_determinant(const cg_vec3 *points, int count, const cg_allocator *allocator, uint64_t *determinant);

// The same for a closed thread: the last point is followed by the first.
cg_status cg_knot_determinant_closed(const cg_vec3 *points, int count, const cg_allocator *allocator,
                                     uint64_t *determinant);

// How often two threads wind around each other: half the sum of the signs of their crossings. Open ends are closed at
// infinity; closed chains are taken as they are.
cg_status cg_knot_linking(cg_point_chain first, cg_point_chain second, const cg_allocator *allocator, int *linking);

// Of a picture of one chain. `work` has room for c rows of c + 1 numbers, c being the crossings.
uint64_t cg_picture_determinant(const cg_picture *picture, uint64_t *work);

#endif
