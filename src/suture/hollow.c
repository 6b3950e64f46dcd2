#include "suture/hollow.h"

#include <math.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "geometry/triangle.h"

// [of a squared distance] Rounding of that to an edge or node, from all triangles that have it.
static const double AS_NEAR = 1e-9;

// [rad] How much of the surface around a point of a triangle is this triangle: all of it inside, half at an edge, its
// angle at a corner.
static double share_around(const cg_vec3 corners[3], const double weights[3])
{
    int held = 0, corner = 0;
    for (int k = 0; k < 3; k++) {
        held += weights[k] > 0;
        corner = weights[k] > weights[corner] ? k : corner;
    }
    if (held > 1) {
        return held == 3 ? 2 * CG_PI : CG_PI;
    }
    cg_vec3 one = v3_sub(corners[(corner + 1) % 3], corners[corner]);
    cg_vec3 other = v3_sub(corners[(corner + 2) % 3], corners[corner]);
    return cg_atan2(v3_length(v3_cross(one, other)), v3_dot(one, other));
}

// At an edge or node several triangles are as near. Their normals, each weighed by its share around the point, sum to
// one that tells the sides apart for every closed surface, however sharp (Baerentzen and Aanaes 2005): the triangle
// that is seen best does not, at corners.
cg_hollow_place cg_hollow_nearest(const cg_mesh *mesh, cg_vec3 place)
{
    cg_hollow_place found = {.point = {.triangle = -1}};
    double best = HUGE_VAL, height = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        const cg_vec3 corners[3] = {mesh->position[n[0]], mesh->position[n[1]], mesh->position[n[2]]};
        cg_triangle_closest closest = cg_closest_point_triangle(place, corners);
        if (closest.squared_distance > best * (1 + AS_NEAR)) {
            continue;
        }
        cg_vec3 away = v3_sub(place, triangle_point(corners, closest.weights));
        double own =
            share_around(corners, closest.weights) * v3_dot(v3_unit_or(triangle_normal(corners), v3_zero()), away);
        if (closest.squared_distance < best * (1 - AS_NEAR)) {
            found.point.triangle = t;
            memcpy(found.point.weights, closest.weights, sizeof closest.weights);
            height = 0;
        }
        height += own;
        best = fmin(best, closest.squared_distance);
    }
    found.is_inside = height < 0;
    return found;
}

bool cg_hollow_contains(const cg_mesh *mesh, cg_vec3 place)
{
    return cg_hollow_nearest(mesh, place).is_inside;
}

static cg_mesh_point point_of(const cg_channel_point *hole)
{
    return (cg_mesh_point){hole->triangle, {hole->weights[0], hole->weights[1], hole->weights[2]}};
}

int cg_hollow_node(const cg_tissue *tissue, const cg_channel_point *hole)
{
    const cg_mesh_point point = point_of(hole);
    return hole->triangle >= 0 ? cg_tissue_node_of_point(tissue, &point) : -1;
}

bool cg_hollow_is_at_hole(const cg_mesh *mesh, const cg_channel_point *hole, cg_vec3 place)
{
    int nearest = cg_hollow_nearest(mesh, place).point.triangle;
    for (int k = 0; k < 3 && nearest >= 0; k++) {
        for (int c = 0; c < 3; c++) {
            if (hole->weights[k] > 0 && mesh->triangles[nearest].nodes[c] == mesh->triangles[hole->triangle].nodes[k]) {
                return true;
            }
        }
    }
    return false;
}

void cg_hollow_set(cg_channel_point *hole, const cg_mesh_point *point)
{
    hole->triangle = point->triangle;
    memcpy(hole->weights, point->weights, sizeof point->weights);
    hole->weights[3] = 0;
}

// Where its corners have gone there is nothing to look for.
static bool place_then(const cg_mesh *mesh, const int nodes[3], const double *weights, cg_vec3 *place)
{
    *place = v3_zero();
    for (int k = 0; k < 3; k++) {
        if (nodes[k] < 0) {
            return false;
        }
        *place = v3_add_scaled(*place, weights[k], mesh->position[nodes[k]]);
    }
    return true;
}

bool cg_hollow_follow(const cg_tissue *tissue, const cg_mesh_numbers *numbers, cg_channel_point *hole)
{
    const cg_mesh *mesh = tissue->mesh;
    int now = numbers->triangle_now[hole->triangle];
    cg_mesh_point point = point_of(hole);
    cg_vec3 place;
    if (now >= 0) {
        point.triangle = now;
    } else if (!cg_tissue_follow_node_point(tissue, numbers, &point)) {
        bool is_there = place_then(mesh, numbers->corner_now[hole->triangle], hole->weights, &place);
        point = is_there ? cg_hollow_nearest(mesh, place).point : (cg_mesh_point){.triangle = -1};
    }
    if (point.triangle >= 0) {
        cg_hollow_set(hole, &point);
    }
    return point.triangle >= 0;
}
