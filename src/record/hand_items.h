// What hands did at one moment, as bytes of a recording: step (8), how many hands (1), and of each its place (1), its
// tool (1), closed, slipping and slipped out (1 bit each), thread and tissue it holds (4 each, -1: none), first vertex
// and number of vertices (4 each), and as floats position, rotation, where it was told to be, force, torque, slip
// speed, grip and length of the edge that is in tissue. Bit 3 is set for a tool with jaws, bit 4 while its ratchet
// holds; then three floats follow: the opening, and what each jaw presses with.
//
// And where rigid bodies were: step (8), how many (2), and of each its place (2), and as floats position and rotation.
#ifndef CATGUT_RECORD_HAND_ITEMS_H
#define CATGUT_RECORD_HAND_ITEMS_H

#include "base/bytes.h"
#include "record/chunk.h"

enum {
    CG_HAND_FLOATS = 3 + 4 + 3 + 3 + 3 + 1 + 1 + 1,
    CG_JAW_FLOATS = 3,
    CG_HAND_BYTES = 3 + 4 * 4 + 4 * CG_HAND_FLOATS, // without jaws
    CG_HANDS_MOST_BYTES = 9 + CG_RECORDED_MOST_HANDS * (CG_HAND_BYTES + 4 * CG_JAW_FLOATS),
    CG_BODIES_MOST_BYTES = 10 + CG_RECORDED_MOST_BODIES * (2 + 7 * 4)
};

// How many hands of the world are written.
int cg_hands_count(const cg_world *world);
// Writes all hands of the world; there is room for CG_HANDS_MOST_BYTES.
void cg_hands_write(cg_byte_sink *sink, uint64_t step, const cg_world *world);
// Reads them into `hands`, which has room for CG_RECORDED_MOST_HANDS; NULL only checks. False when they are none.
bool cg_hands_read(cg_byte_source *source, uint64_t *step, cg_recorded_hand *hands, int *count);

// The same of rigid bodies, with room for CG_BODIES_MOST_BYTES and CG_RECORDED_MOST_BODIES.
int cg_bodies_count(const cg_world *world);
void cg_bodies_write(cg_byte_sink *sink, uint64_t step, const cg_world *world);
bool cg_bodies_read(cg_byte_source *source, uint64_t *step, cg_recorded_body *bodies, int *count);

#endif
