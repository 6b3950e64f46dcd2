// Contacts of threads without compliance (Shi 2008, 2.1.2 and 4.3): springs and chains against themselves, each other,
// Kirchhoff threads, which stand meanwhile, and rigid parts.
//
//     look       a tree of spheres for each thread, built bottom-up; two copies of it are walked from the top, and
//                pairs of segments nearer than 2 r and a reach are listed. Neighbours along a thread are left out by
//                the rule of all finders (collide/chains.h). The list reaches a little farther than is asked for, and
//                serves until something has moved by half of that: pairs too many change nothing.
//     part       pairs below 2 r are moved apart by r - d/2 + eps/2 each, their ends get the impulses (4.3) to (4.7)
//                of the repulsion (2.9), and kinetic friction (2.11) against the way they slide.
//
// What is held, and what is of another kind, does not move: then the other side goes the whole way. Friction never
// turns a slide round: below that it holds. Nothing here prevents a motion that is too long: the world's safe motion
// does (world/models.c).
#ifndef CATGUT_LAWS_BEADS_H
#define CATGUT_LAWS_BEADS_H

#include "base/arena.h"
#include "collide/contacts.h"
#include "thread/model.h"

typedef struct cg_bead_sphere {
    cg_vec3 centre;
    double radius;
} cg_bead_sphere;

// What a contact did in the last part.
typedef struct cg_bead_touch {
    cg_segment_pair pair; // of threads; with a part of a rigid body chain_b is -1 and segment_b its number
    double overlap;       // [m] before it was moved apart
    cg_vec3 normal;       // unit, towards side a
    double repulsion;     // [N] on side a along the normal, by (4.3): what its ends got together
    double friction;      // [N]
    bool slides;          // friction has its full size
} cg_bead_touch;

typedef struct cg_beads {
    int most_threads, most_segments, most_pairs;
    cg_thread **threads; // of the world, in its order
    int thread_count;
    int *root;               // per thread: its tree's first place
    cg_bead_sphere *spheres; // leaves of a thread, then level by level
    cg_segment_pair *pairs;
    double *gaps; // [m] per pair: how far from touching it was seen
    int pair_count;
    cg_bead_touch *touches; // of the last part with a time
    int touch_count;
    int lost; // pairs or touches that found no room
    // Of the last look: how far it reached [radii], below 0 without one that may be used again, and what it saw.
    double reach;
    int *seen_vertices; // per thread
    cg_vec3 *seen;      // vertices of all threads
} cg_beads;

void cg_beads_layout(cg_beads *beads, int threads, int segments, int pairs, cg_arena *arena);

// Lists the pairs nearer than touching and `reach` radii; of Kirchhoff threads among themselves none.
void cg_beads_look(cg_beads *beads, double reach);

// Moves listed pairs apart that overlap, and gives them the impulses of so many seconds; 0: none. `only` NULL: all
// threads of springs; else the pairs of that chain, which gets no impulse. Returns how many overlapped.
int cg_beads_part(cg_beads *beads, const cg_thread *only, double time);

// The same for a thread at rigid parts. `velocity` is that of the part's surface [m/s].
typedef struct cg_bead_wall {
    const cg_shape_contact *contact;
    cg_vec3 velocity;
    double friction; // coefficient
} cg_bead_wall;
bool cg_beads_part_wall(cg_beads *beads, cg_thread *thread, const cg_bead_wall *wall, double time);

#endif
