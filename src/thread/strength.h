// How much of its strength a section of a thread uses, by pull and bending together.
//
// A round section of radius r that yields everywhere at a stress s bears the pull F = s pi r^2 alone, or the moment
// M = 4/3 r^3 s = 4 r F / (3 pi) alone (the fully plastic moment). Of both together it bears what lies under the curve
//
//     n = N / F = 1 - (2 a - sin 2a) / pi,     m = M / M_F = sin^3 a,     0 <= a <= pi / 2,
//
// a giving the chord between the part under pull and that under pressure. F is the breaking force here.
//
// The moment of a section is EI times its curvature while it is elastic; where it yields it grows no more. So m is at
// most the stress at which it yields over that at which it breaks, `yield_share`. That is what lets a knot be tight:
// the bend of two radii in it would be half again as long on its outside as a thread can be drawn, if a section could
// only stretch. With a share of 0.5 a sharp bend leaves 72 % of the straight strength, with 0.2 90 %, with 0.69 60 %.
#ifndef CATGUT_THREAD_STRENGTH_H
#define CATGUT_THREAD_STRENGTH_H

#include "thread/thread.h"

typedef struct cg_section_load {
    double tension; // [N] the larger one of the two segments at a joint
    double moment;  // [N m] no more than it has when it yields; of a thread with memory without the bend at rest
    double use;     // tension over the one that it bears with this moment; it breaks at 1
} cg_section_load;

// [N m] at which a round section yields: `yield_share` of the moment that it bears when it yields everywhere at the
// stress at which it breaks.
double cg_strength_yield_moment(double radius, double breaking_force, double yield_share);
// n for m, both 0 to 1.
double cg_strength_left(double moment_share);
// At an inner vertex of a Kirchhoff thread with a breaking force.
cg_section_load cg_thread_section_load(const cg_thread *thread, int vertex);
// [N] a pull below which no section breaks, however bent.
double cg_thread_safe_pull(const cg_thread *thread);

#endif
