// The end of a needle that goes back inside a tissue, to the hole that its thread has.
//
// Points of a channel that the end of a needle has passed are gone, so on its way back nothing would hold it beside
// them, and it would come out of the surface anywhere. Instead
//
//     lead    the end gets points of the tissue as the tip does on its way in, each a little nearer to the way on which
//             the arc of the needle leads through the hole: the thread lies in the track, and the blunt end follows it
//     out     an end that came out beside the hole all the same has torn it open up to there: the hole is where the
//             needle goes through the surface
#ifndef CATGUT_SUTURE_WAY_BACK_H
#define CATGUT_SUTURE_WAY_BACK_H

#include "find/channel.h"

// Adds a point at the end of the needle where there is none for long before it. True when there is one more.
bool cg_way_back_lead(const cg_touch_set *set, cg_channel *channel, const cg_channel_point *hole);
// True when the end, which was inside, is farther than `clear` [m] out of the tissue that `hole` leads into. The hole
// is where the needle goes through the surface then, behind all points of the channel.
bool cg_way_back_is_out(const cg_touch_set *set, const cg_channel *channel, double clear, cg_channel_point *hole);

#endif
