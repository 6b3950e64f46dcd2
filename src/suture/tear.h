// Threads that tear the tissue they go through. docs/tearing.md has the law and its sources.
//
// A bite is a straight span of thread inside a tissue, with an anchor (thread/slide.h) at each end. What the thread
// does to both anchors together, across the span, is what the bite pulls with: what only squeezes the tissue between
// them tears nothing. The tissue bears, along the span of length L,
//
//     F = integral over L of min(R sqrt(e / e0), S e)
//
// with the way e from each place of the span to the surface ahead of it, R the tear resistance of the layer there (that
// at e0 = 5 mm) and S its strength. The square root is Griffith's scaling: elastic energy that a tear sets free goes
// with F^2 / e, what it takes goes with the length. S e is the plug between thread and edge, sheared off on both sides
// at half the strength, which counts within a fraction of a millimetre only.
//
// A bite that pulls with F tears: the span goes on at a speed, across itself, towards the pull, and the tissue behind
// it is cut along the strip that it sweeps. The tear stops when the pull has fallen to a share of what would begin it.
// Both anchors go along, each on the surface that it is on; when nothing of the tissue is left before them the thread
// is free.
//
// All of it is measured at home, the shape that the tissue was made in: there a place stays where it is.
#ifndef CATGUT_SUTURE_TEAR_H
#define CATGUT_SUTURE_TEAR_H

#include "base/archive.h"
#include "thread/thread.h"
#include "tissue/tissue.h"

// The span of a bite at home, from its first hole to its second.
typedef struct cg_span {
    cg_vec3 ends[2]; // [m]
} cg_span;

// Spans that are remembered: a face of the mesh is parted once all of it lies in one strip.
#define CG_TEAR_MOST 14

// A tear of one bite: state.
typedef struct cg_tear {
    bool is_used;
    bool is_running;
    int count, fixed;            // spans, none at first; and how many of them were cut already
    cg_span track[CG_TEAR_MOST]; // the way of the span, the last one being where it is
    int parted;                  // nodes of the mesh, so far
    double length;               // [m] so far, of the middle of the span
    double area;                 // [m2] that the span has swept
    int full;                    // parts that the mesh had when it had no room for the next cut; 0: it had
} cg_tear;

// A bite as it is now.
typedef struct cg_pulled_bite {
    cg_span home;
    cg_vec3 pull; // [N] of the thread on the tissue, across the span
    double force; // [N] its size
    cg_vec3 way;  // unit: towards the pull, across the span, at home
} cg_pulled_bite;

// What a bite has ahead of it.
typedef struct cg_tear_ahead {
    double force;    // [N] that it takes to tear; HUGE_VAL: it never tears
    double farthest; // [m] way to the surface, of the place of the span that is farthest from it
    double mean;     // [m] the same, of all places
} cg_tear_ahead;

// What became of a bite.
typedef enum cg_tear_outcome {
    CG_TEAR_GOES_ON, // `holes` is where the thread goes through the surface now
    CG_TEAR_THROUGH, // nothing of the tissue is left before it
    CG_TEAR_PIERCED, // a hole was none of the nodes of its skin and is one now, that of `holes`; the other has triangle
                     // -1, and nothing is torn yet
    CG_TEAR_STUCK    // the mesh has no room for the cut: the bite stays, and what of the cut was made
} cg_tear_outcome;

// Whether any bite in a tissue can tear.
bool cg_tear_is_possible(const cg_tissue *tissue);
// The bite between anchor k of a thread and the next one, both in this tissue; false when there is none, since the
// thread is outside between them, or when it does not pull.
bool cg_tear_find_bite(const cg_thread *thread, const cg_tissue *tissue, int k, cg_pulled_bite *bite);
cg_tear_ahead cg_tear_look_ahead(const cg_tissue *tissue, const cg_pulled_bite *bite);
// Whether the bite tears in this step, and then what it has ahead of it; `tear` may be NULL.
bool cg_tear_begins(const cg_tear *tear, const cg_tissue *tissue, const cg_pulled_bite *bite, cg_tear_ahead *ahead);
// Goes on for a step of this length [s]; a bite shorter than `least` [m] is through. `holes` are those of the bite.
cg_tear_outcome cg_tear_go_on(cg_tear *tear, cg_tissue *tissue, const cg_pulled_bite *bite, const cg_tear_ahead *ahead,
                              double time_step, double least, cg_mesh_point holes[2]);
// The same in a skin (tear_skin.c).
cg_tear_outcome cg_tear_skin_go_on(cg_tear *tear, cg_tissue *tissue, const cg_pulled_bite *bite,
                                   const cg_tear_ahead *ahead, double time_step, cg_mesh_point holes[2]);
// What it takes a way in the world to at home, at a point of a skin; and where the surface of that looks.
cg_vec3 cg_tear_skin_way(const cg_mesh *mesh, int triangle, cg_vec3 way);
cg_vec3 cg_tear_skin_normal(const cg_tissue *tissue, const cg_mesh_point *point, cg_vec3 direction);
// Parts of a mesh, by which it is known to have changed.
int cg_tear_parts_of(const cg_mesh *mesh);
// [m] How far the middle of a span is from that of another; the span so much farther on.
double cg_tear_way_between(const cg_span *from, const cg_span *to);
cg_span cg_tear_shift(const cg_span *span, cg_vec3 way);
// [m/s] of a tear that runs. Fast beside hands, and slow beside waves in tissue: the pull can follow it.
#define CG_TEAR_SPEED 0.25
// Whether the mesh had no room for it, and is as it was then.
bool cg_tear_is_stuck(const cg_tear *tear, const cg_tissue *tissue);
// Home of the tissue is elsewhere now: the way of the span begins anew.
void cg_tear_forget_way(cg_tear *tear);
// Whether there can be such a tear.
bool cg_tear_is_sound(const cg_tear *tear);
void cg_tear_visit_state(cg_archive *archive, cg_tear *tear);

#endif
