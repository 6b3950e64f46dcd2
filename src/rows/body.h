// Bodies and their sites, as contacts see them.
//
// Whatever moves or stands in the way is a body: thread, rigid or tissue. A touch joins two sites, points of two
// bodies. The solver asks nothing else of a body than the verbs of laws/body.h, so it is the same for every pair of
// kinds, and there is one list of touches. Kinds and numbers are packed in the `chain` of a pair (collide/chains.h),
// which thereby is the key by which a touch is found again in the next pass or step, and the order of the list. Bodies
// that forces move, threads and then free rigid ones, are also counted through as movers: for islands, and for who is
// done.
//
// A new kind of body needs:
//   1. its place in cg_body_kind, at the end, its number of bodies in the set, and a search that adds touches of its
//      sites (find/search.c);
//   2. a table of the verbs, in a file of its own (laws/body_thread.c, laws/body_rigid.c, laws/body_tissue.c), listed
//   in cg_body_kinds.
// Side 0 of a touch is a body that forces move; side 1 may be of any kind.
#ifndef CATGUT_ROWS_BODY_H
#define CATGUT_ROWS_BODY_H

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

#endif
