// A thread as a triangle mesh: a tube with `sides` corners around each point, closed by two flat caps.
//
// Vertices: a ring for each point, then the ring of the start cap and that of the finish cap, which have normals of
// their own. Triangles are counter-clockwise seen from outside. The corners of neighbouring rings are kept in line by
// carrying a direction across the thread from point to point without turning it about the thread.
#ifndef CATGUT_EXPORT_TUBE_MESH_H
#define CATGUT_EXPORT_TUBE_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "catgut/math.h"

// For 2 points or more and 3 sides or more.
size_t cg_tube_mesh_vertex_count(int points, int sides);
size_t cg_tube_mesh_index_count(int points, int sides);
void cg_tube_mesh_indices(int points, int sides, uint32_t *indices);

// Fills x y z of each vertex and of its unit normal. *across is a direction from the axis to the first corner at the
// start; it is made perpendicular and handed back, so that the next pose of the thread is not turned against this one.
void cg_tube_mesh_shape(const cg_vec3 *points, int count, int sides, double radius, cg_vec3 *across, float *positions,
                        float *normals);

#endif
