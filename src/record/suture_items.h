// Needles, the holes that they and threads go through, and what jaws hold at one moment, as bytes of a recording: step
// (8); how many needles (1), and of each its place among the bodies (2), whether its tip is inside (1), and as floats
// radius, arc, depth and force at its tip; how many holes (2), and of each 1 for one of a thread and 2 for one that
// leads inwards (1), side of the surface (1), place of its thread or needle, place of its tissue (2 each), triangle
// (4), and as floats three weights, home, normal there, arc, force and two tensions; how many jaws hold something (1),
// and of each its hand (1), thread, tissue and body (4 each, -1: none).
#ifndef CATGUT_RECORD_SUTURE_ITEMS_H
#define CATGUT_RECORD_SUTURE_ITEMS_H

#include "base/bytes.h"
#include "record/chunk.h"

enum {
    CG_NEEDLE_BYTES = 2 + 1 + 4 * 4,
    CG_HOLE_BYTES = 1 + 1 + 2 + 2 + 4 + 4 * (3 + 3 + 3 + 1 + 3 + 2),
    CG_GRIP_BYTES = 1 + 3 * 4,
    CG_SUTURES_MOST_BYTES = 8 + 1 + CG_RECORDED_MOST_NEEDLES * CG_NEEDLE_BYTES + 2 +
                            CG_RECORDED_MOST_HOLES * CG_HOLE_BYTES + 1 + CG_RECORDED_MOST_HANDS * CG_GRIP_BYTES
};

typedef struct cg_suture_item {
    cg_recorded_needle needles[CG_RECORDED_MOST_NEEDLES];
    cg_recorded_hole holes[CG_RECORDED_MOST_HOLES];
    cg_recorded_grip grips[CG_RECORDED_MOST_HANDS];
    int needle_count, hole_count, grip_count;
} cg_suture_item;

// What both jaws of a hand's tool press on, from within.
cg_recorded_grip cg_jaws_grip(const cg_world *world, int hand);

// True in a world with tissue or rigid bodies: such a one has an item for each frame.
bool cg_sutures_are_there(const cg_world *world);
// Writes them; there is room for CG_SUTURES_MOST_BYTES.
void cg_sutures_write(cg_byte_sink *sink, uint64_t step, const cg_world *world);
// Writes one that was taken.
void cg_sutures_put(cg_byte_sink *sink, uint64_t step, const cg_suture_item *item);
// Takes all of a world, as they are written.
void cg_sutures_take(const cg_world *world, cg_suture_item *item);
// Reads an item; NULL only checks. False when it is none.
bool cg_sutures_read(cg_byte_source *source, uint64_t *step, cg_suture_item *item);

#endif
