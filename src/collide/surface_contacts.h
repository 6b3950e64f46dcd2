// Where moving rigid shapes come near a surface that deforms: for each triangle concerned the closest points, the
// normal and the gap now, and how much of the motion to come is safe by true distance. What contact of tissue with
// tools is made from; no physics.
//
// The surface has a thickness d, as a chain has a radius: distances D are from the triangles to the surface of the
// shape, and negative inside it. The nodes move by the displacements of the tree (cg_sphere_tree_set_moves; none: they
// stand), the shapes from one pose to the other, as in collide/safe_motion.h, with the same thresholds:
//
//     D >= (keep + give) d               keep d
//     freeze d <= D < (keep + give) d    D - give d
//     D < freeze d                       D: no further approach at all
//
// A triangle is a candidate when its distance now, less the farthest that any of its corners can go in the axes of the
// shape during the motion, is within d + reach. The place of a point of the triangle in those axes is a mean of the
// places of the corners at every moment, so no point goes farther than they do: nothing is missed at any speed.
// For each candidate the motion is walked by true distance; the bounds are those of a segment, with three corners.
#ifndef CATGUT_COLLIDE_SURFACE_CONTACTS_H
#define CATGUT_COLLIDE_SURFACE_CONTACTS_H

#include "collide/safe_motion.h"
#include "collide/sphere_tree.h"

typedef struct cg_surface_contact {
    int shape;         // number in the array of shapes
    int triangle;      // of the tree
    double weights[3]; // of its corners: where the point is
    cg_vec3 point;     // [m] on the triangle
    cg_vec3 surface;   // [m] on the shape
    cg_vec3 normal;    // unit, out of the shape
    double distance;   // [m] signed, now
    double gap;        // [m] distance less the thickness
    double safe;       // share of the motion up to which this triangle and shape keep their threshold, in [0, 1]
    double threshold;  // [m] that threshold, for the distance
} cg_surface_contact;

typedef struct cg_surface_contact_list {
    cg_surface_contact *items; // in the order of (shape, triangle)
    int count;
    int capacity;
    int lost;        // candidates that found no room
    double fraction; // share of the motion that is safe for all of them together
    int frozen;      // candidates below freeze d
    int cut_off;     // walks that ran out of looks
    long looks;      // distances computed along the motion
    long spheres;    // compared

    cg_triangle_list candidates; // of one shape, while it is looked at
} cg_surface_contact_list;

// For up to `capacity` contacts. The arena may be measuring.
void cg_surface_contact_list_layout(cg_surface_contact_list *list, int capacity, cg_arena *arena);

// Replaces the list by all candidates of all shapes. `thickness` [m] above 0, `reach` [m] at least 0. Of the rule,
// keep, give, freeze and max_looks count. False when the list is too small: the fraction is then 0, because not every
// motion was looked at.
bool cg_surface_contacts_find(const cg_sphere_tree *tree, double thickness, const cg_motion_rule *rule,
                              const cg_moving_shape *shapes, int shape_count, double reach,
                              cg_surface_contact_list *found);

// Walks the contacts of a list again, with other motions of the shapes and of the nodes (`moves` [m]) than they were
// found with; nothing else may have changed. What is safe holds for the listed triangles alone.
void cg_surface_contacts_walk(const cg_sphere_tree *tree, double thickness, const cg_motion_rule *rule,
                              const cg_moving_shape *shapes, const cg_vec3 *moves, cg_surface_contact_list *found);

// The signed distance of a triangle of the tree to a shape when a share `time` of the motion is done [m].
double cg_surface_distance_at(const cg_sphere_tree *tree, int triangle, const cg_moving_shape *shape, double time);

#endif
