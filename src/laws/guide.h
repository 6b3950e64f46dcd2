// Needles in channels (find/channel.h), as rows of the problem of contacts. docs/suturing.md has the law.
//
// A channel is a list of points of tissue along the needle, from its end to its tip: holes in the surface, and points
// inside between them, each in material coordinates (nodes and weights), so that it goes with the tissue. At each of
// them there are
//
//     a guide    two equations across the needle, which hold either way: the point stays on the middle line. They are
//                taken out of the friction problem as those of joints are (joint.h).
//     a drag     one row along the needle: a force of at most `cap`, beside a given `bias`, that resists the motion
//                of the needle through the point. In the friction problem it is a contact whose normal force is known:
//                its normal row is cut off from all others and asks for just that force, with a coefficient of 1.
//
// At a tip that is inside there is a drag of what it takes to cut on, and touches with the surface ahead of it, from
// within. What of the needle is in its channel, or beside its mouth, touches no surface (`hidden`).
#ifndef CATGUT_LAWS_GUIDE_H
#define CATGUT_LAWS_GUIDE_H

#include "rows/touch.h"

// Between steps, when points may have gone: their rows go too, so that they are not in the state.
void cg_touch_drop_gone_rows(cg_touch_set *set);
// After a load, once channels are noted: rows that are there get the axes that are no state.
void cg_touch_find_row_axes(cg_touch_set *set);
// Adds the rows of this pass, at most as many as cg_touch_most_rows.
int cg_touch_most_rows(const cg_touch_set *set);
void cg_touch_find_channels(cg_touch_set *set);
// Once the coupling of a problem is filled: cuts off the rows that are none.
void cg_touch_mask_channels(cg_touch_set *set);
// Of a row in the problem, its motion (with what is to be undone) and the force to start with; false for others.
bool cg_touch_fill_channel(const cg_touch_set *set, int w, cg_vec3 move, cg_vec3 slip, double motion[3],
                           double force[3]);
// [radii] How far a guide is from its line after the motion of a pass.
double cg_touch_guide_missed(const cg_touch *touch, cg_vec3 move);

#endif
