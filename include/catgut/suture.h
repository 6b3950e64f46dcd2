// Stitches: a thread that goes through tissue, is held there and slides with friction. See docs/suturing.md.
#ifndef CATGUT_SUTURE_H
#define CATGUT_SUTURE_H

#include <stdbool.h>

#include "catgut/api.h"
#include "catgut/math.h"
#include "catgut/rigid.h"
#include "catgut/thread.h"
#include "catgut/tissue.h"
#include "catgut/world.h"

CG_API_BEGIN

// Most anchors of one thread.
#define CG_STITCH_MOST_POINTS 24

// A thread that is laid through a tissue. Start from cg_stitch_def_default. Arrays are copied.
typedef struct cg_stitch_def {
    cg_thread_id thread;   // one whose spacing follows, so that vertices come and go where it slides
    cg_tissue_id tissue;   // moved by the implicit solver
    const cg_vec3 *points; // [m] where the thread goes through the surface, in its order; each on the surface within
                           // 1 mm, and the thread near to it
    const bool *loose;     // per point, for the span to the next one: it hangs or lies outside as any thread does, and
                           // does not go straight through tissue or across a wound; NULL: all are straight
    int point_count;       // 1 to CG_STITCH_MOST_POINTS, with those that the thread has already
    double friction;       // coefficient between thread and tissue, 0 to 10
    double grip;           // [N] 0 or more: what it takes to slide where the thread is not bent round anything
} cg_stitch_def;

// Friction 0.15, no grip, all spans straight.
cg_stitch_def cg_stitch_def_default(void);

// Where a thread goes through the surface of a tissue.
typedef struct cg_anchor {
    cg_thread_id thread; // that goes through
    cg_tissue_id tissue; // what it goes through
    int triangle;        // of the surface of the tissue
    double weights[3];   // of its corners, sum 1
    cg_vec3 position;    // [m] of the hole
    double offset;       // [m] of the thread from the hole: 0 at rest
    int vertex;          // of the thread; another one when vertices come or go
    double arc;          // [m] rest length of the thread from its start to here
    double tension[2];   // [N] of the thread before and behind, 0 or more
    double wrap;         // [rad] by which the thread turns here
    double slip;         // [m] of thread that went from before to behind in the last step
    cg_vec3 force;       // [N] of the thread on the tissue
    bool straight_on;    // the span to the next anchor goes straight to it
} cg_anchor;

// How far a wound gapes in a plane across it; see cg_tissue_wound_gap.
typedef struct cg_wound_gap {
    bool is_there; // both lips cross the plane
    double least;  // [m] between the lips, down to the depth that was asked for
    double top;    // [m] between the edges of the lips at the top of the skin; -1: one of them does not cross
    double step;   // [m] by which one of these edges is higher than the other, 0 or more; -1 likewise
    bool has_rise; // the skin beside both of them crosses, too
    double rise;   // [m] by how much they are higher than the skin 5 mm beside them, in the mean: above 0 they are
                   // everted, below 0 turned in; 0 when it is not known
} cg_wound_gap;

// Lays a thread through a tissue where it lies: from now on it is held at the points, and slides through them. The
// world must have contacts. Between steps only.
cg_status cg_world_add_stitch(cg_world *world, const cg_stitch_def *def);

// All anchors: thread by thread in order of creation, along each of them. One is gone when an end of the thread has
// slid out of it.
int cg_world_anchor_count(const cg_world *world);
// The anchor of that number; false when there is none.
bool cg_world_get_anchor(const cg_world *world, int index, cg_anchor *anchor);

// On which side of the surfaces that it goes through a part of a thread is.
typedef enum cg_thread_side {
    CG_SIDE_OUTSIDE, // of all tissues
    CG_SIDE_INSIDE,  // of the tissue that the last anchor leads into
    CG_SIDE_HOLE     // at an anchor, in the surface
} cg_thread_side;
// The side of a vertex, by the parity of the anchors: no place is looked at. Outside for a bad id or number.
cg_thread_side cg_thread_get_side(const cg_world *world, cg_thread_id id, int vertex);
// The same of a segment, which is between two vertices and at no hole.
cg_thread_side cg_thread_get_segment_side(const cg_world *world, cg_thread_id id, int segment);

// A bite of a thread that tore its tissue further in the last step. A bite is what a straight span of thread goes
// through, from one anchor to the next; docs/tearing.md has the law.
typedef struct cg_tissue_tear {
    cg_thread_id thread; // that tears
    cg_tissue_id tissue; // what is torn
    cg_vec3 position;    // [m] where the middle of the span was, in the tissue
    cg_vec3 pull;        // [N] of the thread on the bite, across its span
    double bears;        // [N] that it took to begin
    double length;       // [m] of this tear so far, as the tissue was made
    double area;         // [m2] that it laid open so far, one side
    bool is_first;       // it began to run in this step
    bool is_through;     // it came to the edge: the thread is free of it
} cg_tissue_tear;
// How many bites tore in the last step, and which. The list is valid until the next step.
int cg_world_tears(const cg_world *world, const cg_tissue_tear **tears);
// How far threads have torn a tissue, all tears together [m], and what they laid open, one side [m2]. False when there
// is no such tissue.
bool cg_tissue_get_torn(const cg_world *world, cg_tissue_id id, double *length, double *area);

// A bite in a tissue that can tear, as the last step left it.
typedef struct cg_tissue_bite {
    cg_thread_id thread; // that goes through
    cg_tissue_id tissue; // what it goes through
    cg_vec3 position;    // [m] of the middle of the span, in the tissue
    cg_vec3 pull;        // [N] of the thread on the bite, across its span
    double bears;        // [N] of such a pull, before it tears
} cg_tissue_bite;
// The first bites of a world, `most` of them at most, in the order of anchors; returns how many. What does not pull is
// none, nor what goes through a layer that never tears. It costs a look at the surface and the cells for each.
int cg_world_get_bites(const cg_world *world, cg_tissue_bite *bites, int most);

// The wound of a tissue in the plane through `point` across `along`, which is the way of the wound. Its lips are looked
// at down to `depth` [m] below their edges: at the bottom of a wound they meet.
cg_wound_gap cg_tissue_wound_gap(const cg_world *world, cg_tissue_id id, cg_vec3 point, cg_vec3 along, double depth);

// A needle (catgut/needle.h) in tissues that can be pierced (pierce_force of cg_tissue_def).
typedef struct cg_piercing {
    bool is_inside;          // the tip is in a tissue
    int holes;               // in surfaces that the needle is in now, along it
    int points;              // of tissue that hold it, holes among them
    double depth;            // [m] of the needle that is inside
    double tip_force;        // [N] by which the tip pressed on a surface in the last step, against its way
    double cut_force;        // [N] by which the tissue resists the tip inside
    double drag_force;       // [N] by which it resists the shaft: sum along it, above 0 where it keeps it from going on
    uint64_t entries, exits; // surfaces that the tip has gone through, in and out, since it was last free
    uint64_t forced;         // of these, found behind the tip without a force above the threshold; and ends that came
                             // back out beside the hole of their thread
} cg_piercing;

// A hole that a needle goes through.
typedef struct cg_needle_hole {
    cg_tissue_id tissue; // whose surface
    int triangle;        // of it
    double weights[3];   // of its corners, sum 1
    cg_vec3 position;    // [m] of the hole
    double arc;          // [m] along the needle from its tip
    bool inward;         // towards the tip the needle is inside
    cg_vec3 force;       // [N] of the needle on the tissue at the hole
} cg_needle_hole;

// How a needle is in tissue; false when the body is no needle.
bool cg_rigid_get_piercing(const cg_world *world, cg_rigid_id id, cg_piercing *piercing);
// The hole of that number, from the end of the needle to its tip; false when there is none.
bool cg_rigid_get_hole(const cg_world *world, cg_rigid_id id, int index, cg_needle_hole *hole);
// Whether a place is inside a tissue with cells.
bool cg_tissue_is_inside(const cg_world *world, cg_tissue_id id, cg_vec3 place);

CG_API_END

#endif
