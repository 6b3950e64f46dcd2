// The broad phase: all pairs of segments whose axes are nearer than the sum of their radii plus a reach.
//
// All methods give the same pairs in the same order; they differ in what they leave out before they look closely. The
// last word on a pair is always the true distance of its axes, computed the same way.
//   brute    every run of eight segments against every other by bounding spheres, then segment against segment
//   sweep    segments sorted along the widest axis, neighbours in that order compared; the order is kept from call to
//            call, because it hardly changes
//   tree     boxes over runs, boxes over pairs of boxes, ...: a tree that needs no building, only refitting
//   hash     the space cut into cubes, segments filed under a hash of every cube they meet: MicroSim 4.1.4
//
// A segment with a point that is not finite is in no pair.
#ifndef CATGUT_COLLIDE_BROAD_H
#define CATGUT_COLLIDE_BROAD_H

#include "base/arena.h"
#include "collide/chains.h"

typedef enum cg_broad_method {
    CG_BROAD_AUTO, // the one that is fastest for the number of segments
    CG_BROAD_BRUTE,
    CG_BROAD_SWEEP,
    CG_BROAD_TREE,
    CG_BROAD_HASH,
} cg_broad_method;

// Pairs found. The array belongs to whoever laid it out.
typedef struct cg_pair_list {
    cg_segment_pair *items;
    int count;
    int capacity;
    int lost; // pairs that found no room; 0 when all is well
} cg_pair_list;

typedef struct cg_broad {
    cg_broad_method method; // may be changed between calls
    cg_neighbour_rule rule; // may be changed between calls
    int segment_capacity, chain_capacity, pair_capacity;

    // Counters of the last call.
    long tests; // segments compared by their bounding spheres or boxes
    long close; // true distances computed

    struct cg_broad_work *work;
} cg_broad;

// Lays out a broad phase for up to `max_chains` chains with up to `max_segments` segments in all and up to `max_pairs`
// pairs, with CG_BROAD_AUTO and the default rule. The arena may be measuring.
void cg_broad_layout(cg_broad *broad, int max_chains, int max_segments, int max_pairs, cg_arena *arena);

// Lays out a list of up to `capacity` pairs.
void cg_pair_list_layout(cg_pair_list *list, int capacity, cg_arena *arena);

// Replaces the list by all pairs with distance < radius_a + radius_b + reach that are not neighbours. False when the
// list or the layout was too small: `lost` says how many pairs are missing, or is -1 when the chains do not fit at all
// (the list is then empty). `reach` [m] may be negative.
bool cg_broad_find(cg_broad *broad, const cg_chain *chains, int count, double reach, cg_pair_list *pairs);

#endif
