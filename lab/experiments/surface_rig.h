// The surfaces of the experiment and the bench of sphere trees, as in Brown et al., section 3.3: a flat grid, a ball,
// and dents. Looks inside the library: sphere trees have no public face.
#ifndef CATGUT_EXPERIMENTS_SURFACE_RIG_H
#define CATGUT_EXPERIMENTS_SURFACE_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "collide/sphere_tree.h"

typedef struct cg_surface_rig {
    int node_count, triangle_count;
    cg_vec3 *positions, *flat; // as it is, and as it was made
    int (*corners)[3];
    int *moved; // nodes of the last dents, each once
    bool *has_moved;
    int moved_count;
    cg_sphere_tree tree;
    void *memory;
} cg_surface_rig;

// n x n squares with `side` in all, in the plane z = 0 around the origin, each cut in two. False: no memory.
bool cg_surface_rig_grid(cg_surface_rig *rig, int n, double side);
// A ball about the origin of 2 (rings - 1) around triangles.
bool cg_surface_rig_ball(cg_surface_rig *rig, int rings, int around, double radius);
void cg_surface_rig_free(cg_surface_rig *rig);

// A dent or bump around a node taken at random: nodes within `reach` go along z by `depth`, the one in the middle most,
// the others by depth / (1 + distance), up or down. Begins a new list of moved nodes unless `goes_on`.
void cg_surface_rig_dent(cg_surface_rig *rig, double reach, double depth, bool goes_on, uint64_t *state);
// Back to how it was made; the tree is built anew.
void cg_surface_rig_reset(cg_surface_rig *rig);
// Marks the moved nodes and updates the tree. Returns the number of spheres fitted.
int cg_surface_rig_maintain(cg_surface_rig *rig);
// Triangles with a node that moved; those of slot s are told by `is_deformed[s]` when it is not NULL.
int cg_surface_rig_deformed(const cg_surface_rig *rig, bool *is_deformed);

// Uniform in [low, high).
double cg_surface_rig_random(uint64_t *state, double low, double high);

#endif
