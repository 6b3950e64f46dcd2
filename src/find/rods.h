// Touches of free rigid bodies with tissues: the rods of their parts are chains behind those of the threads
// (collide/rod_chains.h), so that finding is the same for both; what differs is here.
#ifndef CATGUT_FIND_RODS_H
#define CATGUT_FIND_RODS_H

#include "find/skin.h"

// [m] How far a point of a rod is expected to go in a step, at most, with some radii to spare.
double cg_touch_rod_lead(const cg_touch_set *set, int rod, double time_step, double haste, double spare);
// [m] How far a point of a rod can go in the motions of set->cast.moving; the farthest of those that are not clear of a
// tissue; and how far one is from the start of the step after this pass.
double cg_touch_rod_way(const cg_touch_set *set, int rod);
double cg_touch_rods_way(const cg_touch_set *set, const cg_skin *skin);
double cg_touch_rods_longest(const cg_touch_set *set);

// The key of a touch of a segment of a rod at a feature of a tissue.
cg_segment_pair cg_touch_rod_pair(const cg_touch_set *set, int chain, int segment, int tissue_chain, int feature);
// Adds a touch of a rod with a tissue, unless another rod has that place.
void cg_touch_add_rod(cg_touch_set *set, int skin, const cg_skin_contact *contact);

// The share of the motions of set->cast.moving and of the nodes that is safe, up to `limit`.
double cg_touch_rods_share(cg_touch_set *set, cg_skin *skin, double limit);

#endif
