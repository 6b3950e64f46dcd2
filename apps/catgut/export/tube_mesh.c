#include "export/tube_mesh.h"

#include "support/special.h"
#include "support/vector.h"

size_t cg_tube_mesh_vertex_count(int points, int sides)
{
    return ((size_t)points + 2) * (size_t)sides;
}

size_t cg_tube_mesh_index_count(int points, int sides)
{
    return 6 * ((size_t)points - 1) * (size_t)sides + 6 * ((size_t)sides - 2);
}

static uint32_t *put_triangle(uint32_t *to, uint32_t a, uint32_t b, uint32_t c)
{
    to[0] = a;
    to[1] = b;
    to[2] = c;
    return to + 3;
}

void cg_tube_mesh_indices(int points, int sides, uint32_t *indices)
{
    uint32_t n = (uint32_t)sides, rings = (uint32_t)points;
    for (uint32_t i = 0; i + 1 < rings; i++) {
        for (uint32_t j = 0; j < n; j++) {
            uint32_t a = i * n + j, b = i * n + (j + 1) % n;
            indices = put_triangle(indices, a, b, b + n);
            indices = put_triangle(indices, a, b + n, a + n);
        }
    }
    uint32_t start = rings * n, finish = start + n;
    for (uint32_t j = 1; j + 1 < n; j++) {
        indices = put_triangle(indices, start, start + j + 1, start + j);
        indices = put_triangle(indices, finish, finish + j, finish + j + 1);
    }
}

// Any unit vector across a unit vector.
static cg_vec3 any_across(cg_vec3 tangent)
{
    double x = fabs(tangent.x), y = fabs(tangent.y), z = fabs(tangent.z);
    cg_vec3 axis = x <= y && x <= z ? vec(1, 0, 0) : y <= z ? vec(0, 1, 0) : vec(0, 0, 1);
    return vec_unit(vec_cross(tangent, axis));
}

// The part of a direction across the tangent, at unit length.
static cg_vec3 made_across(cg_vec3 direction, cg_vec3 tangent)
{
    cg_vec3 part = vec_sub(direction, vec_scale(vec_dot(direction, tangent), tangent));
    return vec_length(part) > 1e-6 ? vec_unit(part) : any_across(tangent);
}

// Direction of the segment behind point i; one of no length takes that of the last that has one.
static cg_vec3 segment_direction(const cg_vec3 *points, int count, int i, cg_vec3 before)
{
    cg_vec3 along = i + 1 < count ? vec_unit(vec_sub(points[i + 1], points[i])) : before;
    return vec_length(along) > 0 ? along : before;
}

static cg_vec3 first_direction(const cg_vec3 *points, int count)
{
    for (int i = 0; i + 1 < count; i++) {
        cg_vec3 along = vec_unit(vec_sub(points[i + 1], points[i]));
        if (vec_length(along) > 0) {
            return along;
        }
    }
    return vec(1, 0, 0);
}

static float *put_vector(float *to, cg_vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
    return to + 3;
}

// One ring about `centre`; normals point outward, or all along `flat` when it is given.
static void put_ring(cg_vec3 centre, cg_vec3 across, cg_vec3 tangent, double radius, int sides, const cg_vec3 *flat,
                     float **positions, float **normals)
{
    cg_vec3 other = vec_cross(tangent, across);
    for (int j = 0; j < sides; j++) {
        double angle = 2 * CG_PI * j / sides;
        cg_vec3 outward = vec_add(vec_scale(cos(angle), across), vec_scale(sin(angle), other));
        *positions = put_vector(*positions, vec_add(centre, vec_scale(radius, outward)));
        *normals = put_vector(*normals, flat ? *flat : outward);
    }
}

void cg_tube_mesh_shape(const cg_vec3 *points, int count, int sides, double radius, cg_vec3 *across, float *positions,
                        float *normals)
{
    cg_vec3 before = first_direction(points, count), start = before, u = made_across(*across, start);
    cg_vec3 tangent = start;
    *across = u;
    for (int i = 0; i < count; i++) {
        cg_vec3 after = segment_direction(points, count, i, before);
        cg_vec3 mean = vec_unit(vec_add(before, after));
        tangent = vec_length(mean) > 0 ? mean : after;
        u = made_across(u, tangent);
        put_ring(points[i], u, tangent, radius, sides, NULL, &positions, &normals);
        before = after;
    }
    cg_vec3 backward = vec_scale(-1, start);
    put_ring(points[0], *across, start, radius, sides, &backward, &positions, &normals);
    put_ring(points[count - 1], u, tangent, radius, sides, &tangent, &positions, &normals);
}
