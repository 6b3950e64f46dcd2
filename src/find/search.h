// Searches among threads and rigid bodies: where they touch, how far they may go, and what edits make of their touches.
#ifndef CATGUT_FIND_SEARCH_H
#define CATGUT_FIND_SEARCH_H

#include "find/skin.h"
#include "geometry/box.h"

// search.c
// Adds the touches of threads with themselves and each other.
void cg_touch_find_between_threads(cg_touch_set *set, const cg_contact_rule *rule);
// Those of threads with parts of rigid bodies, and of free bodies with parts.
void cg_touch_find_at_parts(cg_touch_set *set, const cg_contact_rule *rule);
// A part, wherever it comes in its motion.
cg_box cg_touch_box_of_part(const cg_touch_set *set, int part);
// How many parts, in their order, are enough for what threads may meet within `reach` [m], where they are, or with
// their motions on all of their way: parts of free bodies come last, and those that are far are left out.
int cg_touch_near_parts(const cg_touch_set *set, double reach, bool moves);
// How much of their motions free bodies can make among rigid parts, up to `limit`.
double cg_touch_limit_parts(cg_touch_set *set, double limit);

// follow.c: for threads whose spacing follows, after a step
// Asks a thread for fine segments where it touches a thread with a gap below `reach` radii.
void cg_touch_ask_spacing(const cg_touch_set *set, int chain, double reach);
// Before vertices are put in or taken out: fractions become arc lengths. The set can do nothing else meanwhile.
void cg_touch_note_arcs(cg_touch_set *set);
// And after: segments and fractions again.
void cg_touch_find_arcs(cg_touch_set *set);
// The mesh of a tissue was edited: touches get the numbers that its triangles have now, and those of triangles that
// went or changed are dropped; without numbers, all of that tissue.
void cg_touch_renumber_skin(cg_touch_set *set, const cg_skin *skin, const cg_mesh_numbers *numbers);
// Takes back motions in thread->move, and the marks of those vertices, until the others are safe while shapes stand
// still. False when it gives up: then none may be made.
bool cg_touch_limit_shift(cg_touch_set *set);

#endif
