// The surface of a tissue as a mesh of triangles with normals: smooth on each side, with a crease where two sides meet.
#ifndef CATGUT_EXPORT_SURFACE_MESH_H
#define CATGUT_EXPORT_SURFACE_MESH_H

#include "export/poses.h"

// A node is a point of the mesh once for each side that it belongs to.
typedef struct cg_surface_mesh {
    int point_count;
    int *nodes;        // of each point
    uint32_t *corners; // three points a triangle
    int triangle_count;
} cg_surface_mesh;

// False when memory ran out.
bool cg_surface_mesh_make(cg_surface_mesh *mesh, const cg_pose_tissue *tissue);
void cg_surface_mesh_free(cg_surface_mesh *mesh);
// Positions and unit normals of all points, x y z of each, for these places of the nodes.
void cg_surface_mesh_shape(const cg_surface_mesh *mesh, const cg_vec3 *nodes, float *positions, float *normals);

#endif
