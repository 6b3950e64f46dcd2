// From pairs to contacts: where two chains, or a chain and a rigid shape, are nearest, and in which direction.
//
// Every pair has its closest points. Two threads that cross are near each other in a handful of pairs, and only the
// one in the middle matters: a contact is kept when the distance has a relaxed local minimum there, along both chains.
// Where the closest point of a pair is the end of segment i, the distance may go on falling on segment i + 1. It falls
// per metre by the slope  -dD/ds = +-n . t  (n unit from a to b, t the neighbour's direction), and the contact is
// handed to the neighbour when that slope is above a tolerance:
//
//     tolerance = clamp(turn_share * (turn_a + turn_b), least_slope, most_slope),
//
// turn_a and turn_b being the angles (as chords) by which the chains turn at the vertices concerned. The corners of a
// polygon with segments l on a curve of radius rho turn by l / rho: so much the direction is uncertain. A stiff thread
// that runs along another hardly turns, and short segments hardly turn; a fixed tolerance would keep all their pairs.
// A neighbour that is left out by the neighbour rule takes nothing over, or nobody would.
//
// What is then still closer together than `spacing` radii along both chains is thinned, the nearest first: one place
// seen from several segments that share a corner, and line contacts of segments much shorter than the thread is thick.
//
// Threads that nestle along a curve, or run nearly parallel, are near each other in many pairs that differ by little,
// and which of them are minima, or the nearest, changes with every motion. So what carries a force is kept: it may have
// a steeper slope (`hold`), it comes before nearer ones when contacts are thinned, and two that both carry may be
// closer together (`close`).
#ifndef CATGUT_COLLIDE_CONTACTS_H
#define CATGUT_COLLIDE_CONTACTS_H

#include "base/arena.h"
#include "collide/broad.h"
#include "collide/chains.h"
#include "collide/near.h"
#include "geometry/shape.h"

// Two chains near each other.
typedef struct cg_contact {
    cg_segment_pair pair;
    double s, t;              // closest points on segment a and segment b, in [0, 1]
    cg_vec3 point_a, point_b; // [m] those points, on the axes
    double distance;          // [m] of the axes
    double gap;               // [m] distance less both radii: negative when they overlap
    cg_vec3 normal;           // unit, from a to b
    bool carries;             // said by the owner of the list: it is worth keeping (see cg_contacts_find)
} cg_contact;

typedef struct cg_contact_list {
    cg_contact *items;
    int count;
    int capacity;
    int lost; // contacts that found no room
} cg_contact_list;

// A chain near a rigid shape.
typedef struct cg_shape_contact {
    int shape;          // number in the array of shapes
    int chain, segment; // a vertex i is (segment i, t 0), the last one (segment count - 2, t 1)
    double t;           // in [0, 1]
    cg_vec3 point;      // [m] on the axis
    cg_vec3 surface;    // [m] on the shape
    double distance;    // [m] of the axis to the surface, signed
    double gap;         // [m] distance less the radius
    cg_vec3 normal;     // unit, out of the shape
} cg_shape_contact;

typedef struct cg_shape_contact_list {
    cg_shape_contact *items;
    int count;
    int capacity;
    int lost;
} cg_shape_contact_list;

// A rigid shape where it stands.
typedef struct cg_placed_shape {
    cg_shape shape;
    cg_transform pose;
} cg_placed_shape;

typedef struct cg_contact_rule {
    cg_neighbour_rule neighbours; // the same as the broad phase was given
    double turn_share;            // share of the turn that is tolerated as a slope
    double least_slope;           // the tolerance is never below this
    double most_slope;            // and never above this; with least_slope 2 every pair is kept
    double spacing;               // [radii, of the thinner chain] 0: nothing is thinned
    double hold;                  // at least 1: slopes tolerated at a contact that carries, in tolerances
    double close;                 // [radii] spacing of contacts that carry, and of those with shapes
} cg_contact_rule;

// Straight and short segments: 0.02 keeps the number of passes low (below it contacts hop from pair to pair); coarse
// corners: 0.2 is where a stiff sliding knot begins to keep hundreds of pairs. Contacts nearer than half a radius are
// nearly redundant, and the friction problem of a tight knot is solved in a sixth of the time without them; at a whole
// radius there are too few to hold a granny knot.
static inline cg_contact_rule contact_rule_default(void)
{
    return (cg_contact_rule){{CG_EXCLUDED_ARC, CG_STRAIGHTNESS}, 0.25, 0.02, 0.2, 0.5, 1.5, 0.25};
}

// A ball around some vertices of a chain.
typedef struct cg_run_ball {
    cg_vec3 centre; // [m]
    double radius;
} cg_run_ball;

enum { CG_BLOCK_OF_BALLS = 8 };

// Memory that the reduction needs.
typedef struct cg_contact_finder {
    int capacity; // contacts before thinning
    int most_balls;
    cg_run_ball *balls;  // around runs of the chains that are compared with shapes
    cg_run_ball *blocks; // around eight of these, one after the other
    double *key;         // per contact: what they are sorted by
    int *order, *spare;
    bool *dropped;
} cg_contact_finder;

void cg_contact_list_layout(cg_contact_list *list, int capacity, cg_arena *arena);
void cg_shape_contact_list_layout(cg_shape_contact_list *list, int capacity, cg_arena *arena);
// For lists of up to `capacity` contacts.
void cg_contact_finder_layout(cg_contact_finder *finder, int capacity, cg_arena *arena);

// Puts the numbers 0 .. count - 1 into finder->order, smallest key first, equals in the order of their numbers.
void cg_contact_finder_sort(cg_contact_finder *finder, int count);

// The contact of one pair, not reduced. `last` is the normal it had before, or zero: it decides the direction where the
// closest points coincide.
cg_contact cg_contact_of_pair(const cg_chain *chains, const cg_segment_pair *pair, cg_vec3 last);

// Replaces `found` by the reduced contacts of sorted pairs. `last` (may be NULL) holds the contacts of before, in
// order: where closest points coincide, the direction continues that of the same pair or of one beside it; and pairs
// that carry there are kept rather than others. False when the list is too small; the nearest contacts are then not
// necessarily among those kept.
bool cg_contacts_find(cg_contact_finder *finder, const cg_contact_rule *rule, const cg_chain *chains,
                      const cg_pair_list *pairs, const cg_contact_list *last, cg_contact_list *found);

// The same from pairs that are close, whatever is in line.
bool cg_contacts_find_close(cg_contact_finder *finder, const cg_contact_rule *rule, const cg_chain *chains,
                            const cg_near *near, const cg_contact_list *last, cg_contact_list *found);

// Replaces `found` by the reduced contacts of all chains with all shapes, axis nearer to the surface than radius plus
// reach, in the order (shape, chain, segment, t). Corners of the chain count as well as segments, so that a segment
// flat on a surface has a contact at both ends.
bool cg_shape_contacts_find(cg_contact_finder *finder, const cg_contact_rule *rule, const cg_chain *chains, int count,
                            const cg_placed_shape *shapes, int shape_count, double reach, cg_shape_contact_list *found);

#endif
