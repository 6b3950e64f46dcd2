// The chain of links (Brown, Latombe, Montgomery: follow the leader): rigid links between nodes, without mass, bending
// or twist. Whatever is held leads, and each node follows its neighbour along the line between them. It says only where
// a thread goes: a cheap thread that looks right.
//
// Between two held nodes the links have to meet both ends: they follow from either side in turn, and Newton's method
// (one row a link, tridiagonal) makes them exact. Where there is no slack left the chain is straight, and the way that
// its ends lack is what pulls at those who hold them.
#ifndef CATGUT_THREAD_LINKS_H
#define CATGUT_THREAD_LINKS_H

#include <stdbool.h>

#include "catgut/math.h"

typedef struct cg_links {
    int nodes;
    double length;       // [m] of a link
    cg_vec3 *position;   // per node
    double *row, *slope; // per node, for work
    cg_vec3 *before;     // per node, for work
    cg_vec3 *kept;       // per node, for work of cg_links_mend alone
} cg_links;

// A node that something holds. They are given in order of nodes, each once.
typedef struct cg_link_hold {
    int node;
    cg_vec3 target;
    cg_vec3 lack; // [m] out: what is missing to the target, because the chain is taut
} cg_link_hold;

// Moves the held nodes to their targets in parts of at most `most_part` [m], and all others after them.
void cg_links_follow(cg_links *links, cg_link_hold *holds, int hold_count, double most_part);

// Makes all links exact where the held nodes are; those that ask for too much give way. Without any the middle leads.
void cg_links_mend(cg_links *links, const cg_link_hold *holds, int hold_count);

// The dynamic variant (Mueller, Kim, Chentanez): nodes fly under `acceleration`, then follow node 0, which is held at
// `target`; each gives a share `carry` (0 to 1) of its neighbour's correction back to its velocity. `velocity` is per
// node. Quick and stable, but momentum and energy are not kept.
void cg_links_fly(cg_links *links, cg_vec3 *velocity, cg_vec3 target, cg_vec3 acceleration, double carry,
                  double time_step);

// [m] The largest error of a link's length.
double cg_links_error(const cg_links *links);

#endif
