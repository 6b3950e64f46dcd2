// Threads that stick to tissue: fibres between them, and their part in the world's step. docs/touching.md.
//
// A fibre goes from a vertex x of a thread to a place p on the surface of a tissue. It is as long as they are apart
// when it is made, g, and bears nothing while it is shorter. Longer, its opening is e = |x - p| - g, and it draws both
// towards each other, along d = (x - p) / |x - p|, with what the law of bonds (cohesion.h) says: until it gives. Pull
// and place are on one line, so there is no torque to make up for.
//
//     force of the thread's end    f = -F d             F = k e, k what is left of the stiffness in this step
//     its derivative by x          -(F / |x - p|) (1 - d d^T) - k d d^T        0 where e < 0
//
// What is left counts with the opening that velocities lead to: without this look ahead a fibre that is torn quickly
// would bear more than its strength. A slack one is left as it is.
//
// To the thread a fibre is a grip of one vertex (thread/grips.c), told anew before each pass. The tissue is foreseen as
// for touches (find/skin.h): p gives way by the force of the fibre by w C, one number for all directions here. In
// series with it the fibre is softer, and the passes bring right what that misses, as they do for anchors (tie.h).
#ifndef CATGUT_LAWS_FIBRE_H
#define CATGUT_LAWS_FIBRE_H

#include "base/pool.h"
#include "find/skin.h"
#include "laws/cohesion.h"

typedef struct cg_fibre {
    // state
    cg_handle thread, tissue; // in the world
    int vertex;
    int triangle;      // of the surface
    double weights[3]; // of its corners
    double rest;       // [m] g
    cg_cohesion law;
    double worst;  // [m] largest opening so far
    cg_vec3 force; // [N] on the vertex

    // within a step
    int chain, skin; // thread and tissue in the set
    double left;     // [N/m] k
    cg_vec3 coasts;  // [m] where the vertex would be by coasting
    cg_thread_grip grip;
} cg_fibre;

// A fibre drawn along `apart` [m], the vertex less the place.
typedef struct cg_fibre_pull {
    cg_vec3 axis;  // d
    double force;  // [N] F
    double across; // [N/m] F / |x - p|
} cg_fibre_pull;
cg_fibre_pull cg_fibre_pull_at(const cg_fibre *fibre, cg_vec3 apart);

// Before threads begin their step: how stiff fibres are in it, and whose grips they are. The set has them by now.
void cg_touch_begin_fibres(cg_touch_set *set, const cg_step_context *context);
// Whether a thread of the set has any.
bool cg_touch_has_fibres(const cg_touch_set *set, int thread);
// As their namesakes of ties.
void cg_touch_note_fibres(cg_touch_set *set);
void cg_touch_aim_fibres(cg_touch_set *set, const cg_step_context *context);
void cg_touch_push_fibres(cg_touch_set *set, int thread);
bool cg_touch_fibres_as_foreseen(cg_touch_set *set, int skin, double *work, double *load);
// When all motion of the step is made: notes the opening. False when the fibre has broken.
bool cg_fibre_note(const cg_touch_set *set, cg_fibre *fibre);

#endif
