// Needles that go through surfaces: what becomes of a channel (find/channel.h) when a step is made.
//
//     enter      the tip pressed on the surface harder than the tissue bears: a hole, and the tip is inside
//     advance    the tip goes on inside; behind it the channel gets points of the tissue that it went through
//     leave      it pressed from within: another hole, and the tip is outside
//     withdraw   the tip went back through its last hole or points: they are gone
//     pass       the end of the needle went through a point: that is behind it
//     hide       parts of the needle that are inside, or near the surface beside a hole, touch no surface
//
// A skin has nothing inside: its channel is its holes, and what it takes to cut on acts on the last of them
// (suture/hollow.h).
//
// Invariants (cg_pierce_is_sound)
//   1. points are in order along the needle; names are no two points'.
//   2. holes take turns: what one leads into the next one leads out of; the tip is where the last one leads.
#ifndef CATGUT_SUTURE_PIERCE_H
#define CATGUT_SUTURE_PIERCE_H

#include "find/channel.h"

// A channel has this many points along a whole needle, at most.
enum { CG_CHANNEL_SPACINGS = 10 };

// What a step did to a channel.
typedef struct cg_pierce_result {
    bool has_changed;        // points came, went, or the tip is in another cell
    bool has_made;           // a hole, the last point unless it has gone again
    bool has_passed;         // the end of the needle went through a hole
    cg_channel_point passed; // that one
    double tip_force;        // [N] by which the tip pressed on the surface, against its way
} cg_pierce_result;

// [N] that a tip pressed on surfaces by in the last step, against its way; the touch that bears most of it in *most,
// -1.
double cg_pierce_tip_force(const cg_touch_set *set, int rigid, bool is_inside, int *most);
// Follows the last step; a hole is passed when the end of the needle is `behind` [m] beyond it. `channel` has a needle
// that is not in any tissue when it has no points and nothing hidden.
cg_pierce_result cg_pierce_follow(const cg_touch_set *set, cg_channel *channel, double behind);
// A hole that was passed, or that the end of the needle has come back to, is its first point. False when there is no
// room.
bool cg_pierce_return(cg_channel *channel, cg_channel_point hole);
// The tip of a needle without points is on the side that a hole leads to.
void cg_pierce_put(const cg_mesh *mesh, cg_channel *channel, const cg_channel_point *hole);
// The tip, which is inside, has its cell anew, since the mesh was edited. False when nobody knows where it is.
bool cg_pierce_find_tip(const cg_mesh *mesh, cg_channel *channel, cg_vec3 tip);
// True when there is nothing left of it.
bool cg_pierce_is_over(const cg_channel *channel);
bool cg_pierce_is_sound(const cg_channel *channel);
// The point of the surface that is nearest to a place.
typedef struct cg_pierce_nearest {
    int triangle; // -1: there is no surface
    double weights[3];
    double distance; // [m]
    bool is_outside; // the place
} cg_pierce_nearest;

cg_pierce_nearest cg_pierce_find_nearest(const cg_mesh *mesh, cg_vec3 place);
// The point of the tissue at a place inside it, looked for from a cell on; false when it is outside.
bool cg_pierce_find_cell(const cg_mesh *mesh, int start, cg_vec3 place, int *cell, double weights[4]);

#endif
