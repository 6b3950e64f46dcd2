// What the problem of an island asks of a body: the same verbs of every kind (rows/body.h).
#ifndef CATGUT_LAWS_BODY_H
#define CATGUT_LAWS_BODY_H

#include "rows/touch.h"

// What a kind of body can do. Forces come in rounds: clear, push each of them, respond.
typedef struct cg_body_verbs {
    // True when the set has such a body with such a feature: a touch that was loaded may name any.
    bool (*is_there)(const cg_touch_set *set, int body, int feature);
    // [m] Motion of a site in the pass that is being solved, and in the passes of this step before it.
    cg_vec3 (*motion)(const cg_touch_set *set, const cg_site *site);
    cg_vec3 (*moved)(const cg_touch_set *set, const cg_site *site);
    // [m] By how much the motion of this pass can lead past the straight line that `motion` says. NULL: by nothing.
    double (*bend)(const cg_touch_set *set, const cg_site *site);
    // Takes the forces of touches off all bodies of the kind.
    void (*clear)(cg_touch_set *set);
    // Spreads a force [N] at a site over its body.
    void (*push)(cg_touch_set *set, const cg_site *site, cg_vec3 force);
    // Turns the forces into the motions of this pass.
    void (*respond)(cg_touch_set *set);
    // Adds J A^-1 J^T over all working touches to set->problem.coupling: for each body of the kind, how a force at one
    // touch moves the others. Threads, the first kind, write it over what is there.
    void (*couple)(cg_touch_set *set);
} cg_body_verbs;

extern const cg_body_verbs cg_thread_verbs; // body_thread.c
extern const cg_body_verbs cg_rigid_verbs;  // body_rigid.c
extern const cg_body_verbs cg_tissue_verbs; // body_tissue.c
// By kind.
extern const cg_body_verbs *const cg_body_kinds[CG_BODY_KINDS];

#endif
