// What a view keeps of a tissue: its surface, and where the nodes of the surface are.
#ifndef CATGUT_SESSION_VIEW_TISSUE_H
#define CATGUT_SESSION_VIEW_TISSUE_H

#include "catgut/protocol.h"
#include "catgut/tissue.h"
#include "catgut/world.h"

typedef struct cg_viewed_tissue {
    float layers[CG_TISSUE_MOST_LAYERS];
    cg_wire_surface_node *nodes;  // of the surface, by their numbers in the tissue
    cg_wire_triangle *triangles;  // corners are places in `nodes`
    float *positions;             // x y z of each node of the surface
    int *places;                  // per node of the tissue: its place in `nodes`, -1: inside
    int node_room, triangle_room; // of these arrays
    int total, count, triangle_count;
    uint64_t edits; // of the tissue in the world, when its surface was looked at
    bool known;
    uint32_t topology_version; // as it is told to clients
    bool changed;              // the surface was not told yet
} cg_viewed_tissue;

void cg_viewed_tissue_free(cg_viewed_tissue *viewed, const cg_allocator *allocator);
// Looks at the surface again when it changed. False when there is no such tissue, or no memory.
bool cg_viewed_tissue_update(cg_viewed_tissue *viewed, const cg_allocator *allocator, const cg_world *world,
                             cg_tissue_id id);
// What the scene says of a tissue.
cg_wire_tissue_info cg_viewed_tissue_info(cg_viewed_tissue *viewed, const cg_world *world, cg_tissue_id id,
                                          const char *name, int place);
// Positions of the surface, from those of all nodes; either the world's or those of a recording, x y z of each. The
// other is NULL.
cg_wire_tissue_state cg_viewed_tissue_state(cg_viewed_tissue *viewed, int place, const cg_vec3 *points,
                                            const float *recorded);

#endif
