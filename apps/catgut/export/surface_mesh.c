#include "export/surface_mesh.h"

#include <stdlib.h>
#include <string.h>

#include "support/vector.h"

enum { SIDES = 8 }; // above any number of sides

bool cg_surface_mesh_make(cg_surface_mesh *mesh, const cg_pose_tissue *tissue)
{
    size_t triangles = (size_t)tissue->triangle_count, keys = SIDES * (size_t)tissue->node_count;
    int *known = calloc(keys + 1, sizeof *known); // of each node and side: its point, plus one
    *mesh = (cg_surface_mesh){.triangle_count = tissue->triangle_count};
    mesh->nodes = calloc(3 * triangles + 1, sizeof *mesh->nodes);
    mesh->corners = calloc(3 * triangles + 1, sizeof *mesh->corners);
    bool good = known && mesh->nodes && mesh->corners;
    for (size_t t = 0; good && t < triangles; t++) {
        const cg_pose_triangle *triangle = &tissue->triangles[t];
        for (size_t k = 0; k < 3; k++) {
            int *point = &known[SIDES * triangle->nodes[k] + triangle->side % SIDES];
            if (*point == 0) {
                mesh->nodes[mesh->point_count++] = triangle->nodes[k];
                *point = mesh->point_count;
            }
            mesh->corners[3 * t + k] = (uint32_t)(*point - 1);
        }
    }
    free(known);
    if (!good) {
        cg_surface_mesh_free(mesh);
    }
    return good;
}

void cg_surface_mesh_free(cg_surface_mesh *mesh)
{
    free(mesh->nodes);
    free(mesh->corners);
    *mesh = (cg_surface_mesh){0};
}

static void put(float *to, cg_vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static cg_vec3 get(const float *from)
{
    return vec((double)from[0], (double)from[1], (double)from[2]);
}

void cg_surface_mesh_shape(const cg_surface_mesh *mesh, const cg_vec3 *nodes, float *positions, float *normals)
{
    size_t points = (size_t)mesh->point_count;
    memset(normals, 0, 3 * points * sizeof *normals);
    for (size_t i = 0; i < points; i++) {
        put(positions + 3 * i, nodes[mesh->nodes[i]]);
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->corners + 3 * t;
        cg_vec3 a = nodes[mesh->nodes[corner[0]]], b = nodes[mesh->nodes[corner[1]]], c = nodes[mesh->nodes[corner[2]]];
        cg_vec3 area = vec_cross(vec_sub(b, a), vec_sub(c, a)); // large triangles count more
        for (int k = 0; k < 3; k++) {
            float *normal = normals + 3 * corner[k];
            // In micrometres squared, so that small triangles keep their digits as floats.
            put(normal, vec_add(get(normal), vec_scale(1e12, area)));
        }
    }
    for (size_t i = 0; i < points; i++) {
        cg_vec3 normal = get(normals + 3 * i);
        put(normals + 3 * i, vec_dot(normal, normal) > 0 ? vec_unit(normal) : vec(0, 0, 1));
    }
}
