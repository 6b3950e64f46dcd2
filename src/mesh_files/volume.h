// What other rooms may use of volumes beside catgut/volume.h.
#ifndef CATGUT_MESH_FILES_VOLUME_H
#define CATGUT_MESH_FILES_VOLUME_H

#include <stdbool.h>

#include "catgut/volume.h"

// An empty volume with room for so many nodes and cells; NULL: no memory.
cg_volume *cg_volume_make(const cg_allocator *allocator, int nodes, int cells, bool with_cut);
// Fills what follows from nodes and cells: angles and crowded faces. False: no memory.
bool cg_volume_describe(cg_volume *volume);

#endif
