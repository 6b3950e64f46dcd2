// What a view keeps of a tissue: its surface, and where the nodes of the surface are.
//
// A node of the surface has a place, in which frames have its position. Places stay as far as they can when the surface
// changes: a node that comes takes a free place or a new one, and places that stay free are filled from the end. So
// after a cut only a few places hold something else, and only those are told.
#ifndef CATGUT_PROTOCOL_VIEW_TISSUE_H
#define CATGUT_PROTOCOL_VIEW_TISSUE_H

#include "catgut/protocol.h"
#include "catgut/recording.h"
#include "catgut/tissue.h"
#include "catgut/world.h"

typedef struct cg_viewed_tissue {
    float layers[CG_TISSUE_MOST_LAYERS];
    cg_wire_surface_node *nodes; // per place
    cg_wire_triangle *triangles; // corners are places
    float *positions;            // x y z of each place
    int *places;                 // per node of the tissue: its place, -1: inside
    cg_wire_changed_node *changed_nodes;
    cg_wire_changed_triangle *changed_triangles;
    int node_room, place_room, triangle_room; // of these arrays
    int total, count, triangle_count;         // nodes of the tissue, places, triangles
    int changed_node_count, changed_triangle_count;
    cg_tissue_id id;        // of the tissue in the world
    uint64_t state_changes; // of the session
    uint64_t edits;         // of the tissue in the world or recording, when its surface was looked at
    bool known;
    bool is_recorded;          // it came from a recording
    uint32_t topology_version; // as it is told to clients
    bool changed;              // the surface was not told yet
    bool in_parts;             // what changed since it was told is listed
} cg_viewed_tissue;

void cg_viewed_tissue_free(cg_viewed_tissue *viewed, const cg_allocator *allocator);
// Looks at the surface again when it changed, or may have: when the session went to another state since, which
// `state_changes` tells. False when there is no such tissue, or no memory.
bool cg_viewed_tissue_update(cg_viewed_tissue *viewed, const cg_allocator *allocator, const cg_world *world,
                             cg_tissue_id id, uint64_t state_changes);
// The same for a moment of a recording.
bool cg_viewed_tissue_update_recorded(cg_viewed_tissue *viewed, const cg_allocator *allocator,
                                      const cg_recorded_surface *recorded);
// What the scene says of a tissue.
cg_wire_tissue_info cg_viewed_tissue_info(cg_viewed_tissue *viewed, const cg_world *world, cg_tissue_id id,
                                          const char *name, int place);
// Positions of the surface, from those of all nodes; either the world's or those of a recording, x y z of each. The
// other is NULL.
cg_wire_tissue_state cg_viewed_tissue_state(cg_viewed_tissue *viewed, int place, const cg_vec3 *points,
                                            const float *recorded);

#endif
