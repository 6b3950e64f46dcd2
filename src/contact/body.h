// Bodies and their sites, as contacts see them.
//
// Whatever moves or stands in the way is a body: thread, rigid or tissue. A touch joins two sites, points of two
// bodies. The solver asks nothing else of a body than the verbs below, so it is the same for every pair of kinds, and
// there is one list of touches. Kinds and numbers are packed in the `chain` of a pair (collide/chains.h), which thereby
// is the key by which a touch is found again in the next pass or step, and the order of the list. Bodies that forces
// move, threads and then free rigid ones, are also counted through as movers: for islands, and for who is done.
//
// A new kind of body needs:
//   1. its place in cg_body_kind, at the end, its number of bodies in the set, and a search that adds touches of its
//      sites (touch_find.c);
//   2. a table of the verbs, in a file of its own (body_thread.c, body_rigid.c, body_tissue.c), listed in
//   cg_body_kinds.
// Side 0 of a touch is a body that forces move; side 1 may be of any kind.
#ifndef CATGUT_CONTACT_BODY_H
#define CATGUT_CONTACT_BODY_H

#include "base/vec3.h"
#include "catgut/rigid.h"

typedef enum cg_body_kind { CG_BODY_THREAD, CG_BODY_RIGID, CG_BODY_TISSUE, CG_BODY_KINDS } cg_body_kind;

// Bodies of a kind that fit between its first chain and that of the next.
enum { CG_CHAINS_OF_KIND = 1 << 20 };

static inline int cg_chain_of(cg_body_kind kind, int body)
{
    return (int)kind * CG_CHAINS_OF_KIND + body;
}

static inline cg_body_kind cg_chain_kind(int chain)
{
    return (cg_body_kind)((unsigned)chain / CG_CHAINS_OF_KIND);
}

static inline int cg_chain_body(int chain)
{
    return (int)((unsigned)chain % CG_CHAINS_OF_KIND);
}

// A point of a body.
typedef struct cg_site {
    cg_body_kind kind;
    int body;              // its number among its kind in the set
    int feature;           // segment of a thread; of a rigid body its part and the place on it, see cg_part_feature; of
                           // a tissue see collide/skin_contacts.h
    double fraction;       // on the segment
    const double *weights; // of the corners of the triangle of a tissue
    cg_vec3 point;         // [m] on the axis of a thread, on the surface of a rigid body or tissue
} cg_site;

// The feature of a place (collide/parts.h) on a part: the part alone where it is the surface.
static inline int cg_part_feature(int part, int place)
{
    return part + CG_RIGID_MOST_PARTS * place;
}

static inline int cg_feature_part(int feature)
{
    return (int)((unsigned)feature % CG_RIGID_MOST_PARTS);
}

struct cg_touch_set;

// What a kind of body can do. Forces come in rounds: clear, push each of them, respond.
typedef struct cg_body_verbs {
    // True when the set has such a body with such a feature: a touch that was loaded may name any.
    bool (*is_there)(const struct cg_touch_set *set, int body, int feature);
    // [m] Motion of a site in the pass that is being solved, and in the passes of this step before it.
    cg_vec3 (*motion)(const struct cg_touch_set *set, const cg_site *site);
    cg_vec3 (*moved)(const struct cg_touch_set *set, const cg_site *site);
    // [m] By how much the motion of this pass can lead past the straight line that `motion` says. NULL: by nothing.
    double (*bend)(const struct cg_touch_set *set, const cg_site *site);
    // Takes the forces of touches off all bodies of the kind.
    void (*clear)(struct cg_touch_set *set);
    // Spreads a force [N] at a site over its body.
    void (*push)(struct cg_touch_set *set, const cg_site *site, cg_vec3 force);
    // Turns the forces into the motions of this pass.
    void (*respond)(struct cg_touch_set *set);
    // Adds J A^-1 J^T over all working touches to set->coupling: for each body of the kind, how a force at one touch
    // moves the others. Threads, the first kind, write it over what is there.
    void (*couple)(struct cg_touch_set *set);
} cg_body_verbs;

extern const cg_body_verbs cg_thread_verbs; // body_thread.c
extern const cg_body_verbs cg_rigid_verbs;  // body_rigid.c
extern const cg_body_verbs cg_tissue_verbs; // body_tissue.c

// By kind.
extern const cg_body_verbs *const cg_body_kinds[CG_BODY_KINDS];

#endif
