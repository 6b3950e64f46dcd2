// Channels: where needles go through tissue, and what of them touches nothing there. Their rows: laws/guide.h.
//
// A channel is a list of points of tissue along the needle, from its end to its tip: holes in the surface, and points
// inside between them, each in material coordinates (nodes and weights), so that it goes with the tissue. What of the
// needle is in its channel, or beside its mouth, touches no surface (`hidden`).
#ifndef CATGUT_FIND_CHANNEL_H
#define CATGUT_FIND_CHANNEL_H

#include "base/pool.h"
#include "find/skin.h"

// A needle and its tip, in the world.
typedef struct cg_needle_place_now {
    const cg_needle *needle;
    cg_transform pose; // of the axes that it was made with
    cg_vec3 tip;       // [m] the middle of the first piece's end
    cg_vec3 ahead;     // unit, the way that it pierces
    double thin;       // [m] radius at the tip
} cg_needle_place_now;

cg_needle_place_now cg_channel_needle(const cg_rigid *body);
// [rad] The place along the needle that is nearest to a point [m].
double cg_channel_angle(const cg_needle_place_now *needle, cg_vec3 point);

// What share of the forces of a law a kind of point needs.
double cg_channel_ease(cg_needle_point point);

// Corners of a point and their weights; returns how many.
int cg_channel_corners(const cg_mesh *mesh, const cg_channel_point *point, int nodes[4]);
// [m] Where it is when nodes are at `positions`.
cg_vec3 cg_channel_place(const cg_mesh *mesh, const cg_vec3 *positions, const cg_channel_point *point);
// The number of a point among the deep points of its tissue.
int cg_channel_deep_number(const cg_touch_set *set, const cg_channel *channel, const cg_channel_point *point);
// True when the needle is inside the tissue between a point and the next one towards the tip; -1: from its end on.
bool cg_channel_is_inside(const cg_channel *channel, int point);

// Before the tissues of a step are looked at: tells them which nodes are held.
void cg_touch_note_channels(cg_touch_set *set);
// The coefficient between a rod and a tissue at a point [m] of its axis.
double cg_channel_friction(const cg_touch_set *set, const cg_touch_rod *rod, int skin, cg_vec3 point);

#endif
