// Rigid convex parts against each other: where they touch, and how much of a motion is safe.
//
// A part is seen in two ways: as a solid that geometry/shape.h measures distances to, and as its rods, segments with a
// thickness. The rod of a sphere is its centre, that of a capsule its axis. A box is a little round at its edges, by
// CG_BOX_ROUNDING of its smallest half extent: its solid is a smaller box, its core, with a skin that thick, and its
// twelve rods are the edges of that core. Rods have the radius by which contacts of the part are measured.
//
// Whatever two convex parts do to each other, one of them does it with a corner or an edge; so the corners and the
// nearest inner points of the rods of one against the solid of the other, both ways, are all places where they touch.
#ifndef CATGUT_COLLIDE_PARTS_H
#define CATGUT_COLLIDE_PARTS_H

#include "collide/contacts.h"
#include "collide/walk.h"
#include "geometry/cover.h"

#define CG_BOX_ROUNDING 0.05

typedef struct cg_rods {
    double radius; // [m]
    int corner_count, edge_count;
    cg_vec3 corners[8];         // in the axes of the part
    unsigned char edges[12][2]; // corners; that of a sphere has the same one twice
} cg_rods;

// Of any shape but a half space.
cg_rods cg_rods_of(const cg_shape *shape);
// [m] Their radius alone; infinite for a half space.
double cg_rod_radius(const cg_shape *shape);
// The solid of a shape: its core, and the skin [m] on it.
cg_shape cg_core_of(const cg_shape *shape, double *skin);

// Which feature of a part a contact is at: its surface, one of eight corners, one of twelve edges, or the far end of
// the piece by which an edge lies flat.
enum { CG_PLACE_SURFACE, CG_PLACE_FIRST_CORNER, CG_PLACE_FIRST_EDGE = 9, CG_PLACE_COUNT = 33 };

typedef struct cg_part_contact {
    int place[2];     // of part a and of part b: one of them is a corner or an edge, the other its surface
    cg_vec3 point[2]; // [m] on the surface of each
    cg_vec3 normal;   // unit, from b to a
    double gap;       // [m] negative: they overlap
} cg_part_contact;

// The most that two parts can have.
enum { CG_MOST_PART_CONTACTS = 64 };

// Finds the places where part a and part b (which may be a half space) are nearer than `reach`; returns how many.
int cg_part_contacts_find(const cg_placed_shape *a, const cg_placed_shape *b, double reach,
                          cg_part_contact found[CG_MOST_PART_CONTACTS]);

// What parts of different bodies did to a motion.
typedef struct cg_part_motion {
    double fraction; // that is safe
    int frozen;      // pairs that were not allowed to come nearer
    int looks;
} cg_part_motion;

// A part on its way: what does not depend on the other one.
typedef struct cg_part_way {
    cg_shape_motion motion;
    cg_cover start; // of the part where it begins
    double size;    // [m] no point of it is farther from its middle
    double reach;   // [m] and none of its axis from the middle of its body
    double radius;  // [m] of its rods
} cg_part_way;

// Points to `moving`.
cg_part_way cg_part_way_of(const cg_moving_shape *moving);

// The largest fraction of the motions, up to the one given, on which the two parts stay apart, in the sense of
// collide/safe_motion.h with d the smaller radius of their rods.
void cg_part_motion_limit(const cg_part_way *a, const cg_part_way *b, const cg_motion_rule *rule,
                          cg_part_motion *motion);

#endif
