// What the files of the sphere tree share; for them only.
#ifndef CATGUT_COLLIDE_SPHERE_TREE_PARTS_H
#define CATGUT_COLLIDE_SPHERE_TREE_PARTS_H

#include "collide/sphere_tree.h"

// A part of the new tree that is still to be cut: `count` old slots in `order` from `first` on go below sphere `node`.
typedef struct cg_tree_range {
    int node, first, count;
} cg_tree_range;

enum { CG_TREE_LEVELS = 32 };

// A build under way. Triangles are named by the slots they have now: those stay while numbers of triangles change.
typedef struct cg_tree_plan {
    bool is_active;
    int slot_count;     // of the new tree
    int *order, *spare; // old slots
    uint32_t *key;      // per old slot: place along the side that is being cut
    float (*centre)[3]; // per old slot
    int *new_slot;      // per old slot; -1: none
    cg_tree_range waiting[CG_TREE_LEVELS + 1];
    int waiting_count;
} cg_tree_plan;

// The sphere of a leaf from the fitted places of its corners.
cg_tree_sphere cg_tree_leaf(const cg_sphere_tree *tree, int triangle);
cg_tree_sphere cg_tree_around(const cg_tree_sphere *a, const cg_tree_sphere *b);
// Fits a leaf, or a sphere above two others.
void cg_tree_fit(cg_sphere_tree *tree, int node);
void cg_tree_fit_all(cg_sphere_tree *tree);
void cg_tree_mark(cg_sphere_tree *tree, int triangle);
void cg_tree_clear_marks(cg_sphere_tree *tree);
// Makes the lists of corners at nodes anew.
void cg_tree_link_corners(cg_sphere_tree *tree);

void cg_tree_plan_layout(cg_tree_plan *plan, int slots, cg_arena *arena);
// The smallest number of slots for so many triangles: room to spare where more may come.
int cg_tree_slots_for(const cg_sphere_tree *tree, int triangles);

static inline bool is_up_to_date(const cg_sphere_tree *tree)
{
    return tree->marked_count == 0 && !tree->is_all_marked;
}

#endif
