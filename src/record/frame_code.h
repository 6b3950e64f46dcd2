// The shapes of threads as whole numbers in byte planes, made so that a general codec squeezes them well.
//
// A coordinate x [m] becomes the whole number q = x / 2^exponent, rounded: an error of at most half of 2^exponent. From
// q is taken that of the frame before (0 for the first of a block), and from this difference that of the vertex before,
// since neighbours move alike. What is left, r, is small; its sign goes into the lowest bit (r >= 0: 2 r, r < 0:
// -2 r - 1), and its lowest bytes of all coordinates stand together in one plane, then the second bytes, and so on.
// High planes that are zero can be left out. All differences are modulo 2^32, so nothing can overflow.
#ifndef CATGUT_RECORD_FRAME_CODE_H
#define CATGUT_RECORD_FRAME_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catgut/math.h"

enum {
    CG_FRAME_FINEST = -27,  // exponent tried first: 7.5 nm, coordinates up to 16 m
    CG_FRAME_COARSEST = 40, // no position that a world accepts needs more
    CG_FRAME_PLANES = 4
};

// Rounds the coordinates of `count` points to whole numbers; false when one of them is too large for the exponent or
// not finite.
bool cg_frame_quantise(const cg_vec3 *points, size_t count, int exponent, int32_t *numbers);

// What is left of the frame `now` after the frame `before` (NULL: of zeros), signs folded. Returns all of it or-ed
// together, which tells how many planes it needs.
uint32_t cg_frame_residuals(const int32_t *now, const int32_t *before, size_t number_count, uint32_t *residuals);
// Planes that numbers need which are at most `bits` when or-ed together, 0 to 4.
int cg_frame_planes_for(uint32_t bits);
// Byte p of residual i goes to planes[p * plane_size + i].
void cg_frame_write_planes(const uint32_t *residuals, size_t number_count, unsigned char *planes, size_t plane_size,
                           int plane_count);
// The reverse: makes the frame after `numbers` from `plane_count` planes and puts it in their place.
void cg_frame_read_planes(int32_t *numbers, size_t number_count, const unsigned char *planes, size_t plane_size,
                          int plane_count);

// 2 to the power of an exponent from -1000 to 1000.
double cg_frame_quantum(int exponent);

#endif
