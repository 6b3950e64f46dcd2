// What the methods of the broad phase share; for the files of the broad phase only.
#ifndef CATGUT_COLLIDE_BROAD_WORK_H
#define CATGUT_COLLIDE_BROAD_WORK_H

#include "collide/broad.h"
#include "collide/runs.h"

// Two slots (collide/runs.h), a < b.
typedef struct cg_slot_pair {
    int a, b;
} cg_slot_pair;

// Slots in the order of their lower ends along an axis.
typedef struct cg_sweep {
    int *order, *spare; // slots; `order` is kept from call to call
    int count;
    float *low, *high;   // ends along the axis, by slot and then in order
    float *low_by_place; //
    float *high_by_place;
    cg_spheres sorted; // the spheres in order
} cg_sweep;

typedef struct cg_box {
    float low[3], high[3];
} cg_box;

// Boxes over runs: node 1 is the root, node n has the children 2 n and 2 n + 1, run r is node leaf_count + r.
typedef struct cg_box_tree {
    cg_box *boxes;
    int leaf_count; // a power of two
} cg_box_tree;

// A slot filed under one cube.
typedef struct cg_cube_entry {
    int slot;
    int cube[3];
    int next; // in the same row of the table, or -1
} cg_cube_entry;

typedef struct cg_cube_table {
    int *heads; // per row: first entry, or -1
    int rows;
    cg_cube_entry *entries;
    cg_box *boxes; // per slot
} cg_cube_table;

typedef struct cg_broad_work {
    cg_runs runs;
    cg_slot_pair *found;
    int *first_of; // per slot: where its pairs begin in the sorted list
    cg_sweep sweep;
    cg_box_tree tree;
    cg_cube_table table;

    // Of the call under way.
    const cg_chain *chains;
    const cg_neighbour_rule *rule;
    double reach;
    int found_count, found_capacity, lost;
    long close;
} cg_broad_work;

// The last word on slots a < b: kept when they are no neighbours and near enough by true distance.
void cg_broad_visit(void *work, int a, int b);

void cg_sweep_layout(cg_sweep *sweep, int slots, cg_arena *arena);
void cg_box_tree_layout(cg_box_tree *tree, int runs, cg_arena *arena);
void cg_cube_table_layout(cg_cube_table *table, int slots, cg_arena *arena);

// Each visits all pairs of slots that may be near, and returns the number of comparisons.
long cg_sweep_visit(cg_broad_work *work);
long cg_box_tree_visit(cg_broad_work *work);
long cg_cube_table_visit(cg_broad_work *work);

// True when slots a < b are near along one chain.
static inline bool slots_are_near_by_arc(const cg_runs *runs, int a, int b)
{
    return b < runs->first_far[a] && slot_chain(runs, a) == slot_chain(runs, b);
}

static inline bool slot_is_empty(const cg_runs *runs, int slot)
{
    return runs->slots.x[slot] != runs->slots.x[slot];
}

#endif
