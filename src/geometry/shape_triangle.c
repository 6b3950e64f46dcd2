// Signed distances of triangles to rigid shapes. See geometry/shape.h.
//
// The smallest value over a triangle of a convex function f:
//   sphere, capsule   the closest point to the centre, or to the axis
//   half space        the lowest corner
//   box, outside      on an edge of the triangle, or under the corner of the box that reaches farthest towards its
//   plane box, inside       f is the largest of the six linear functions +-p_k - h_k. It is smallest on an edge of the
//                     triangle, or inside where three of the six are equal: a point of two equations for each three.
#include "geometry/shape.h"
#include "geometry/triangle.h"

// Differences this small, relative to a length, are rounding.
#define FLAT 1e-12

// Where the smallest value was found so far.
typedef struct search {
    double distance;
    double weights[3];
} search;

static void take(search *s, double distance, double first, double second, double third)
{
    if (distance < s->distance) {
        *s = (search){distance, {first, second, third}};
    }
}

static void search_half_space(search *s, const cg_vec3 t[3])
{
    double lowest = t[0].z < t[1].z ? t[0].z : t[1].z, size = v3_distance(t[0], t[1]) + v3_distance(t[0], t[2]);
    lowest = lowest < t[2].z ? lowest : t[2].z;
    double level = lowest + FLAT * (size + fabs(lowest));
    // The middle of all that is lowest.
    double a = t[0].z <= level, b = t[1].z <= level, c = t[2].z <= level, sum = a + b + c;
    take(s, lowest, a / sum, b / sum, c / sum);
}

static void search_edges(search *s, const cg_shape *shape, const cg_vec3 t[3])
{
    for (int k = 0; k < 3; k++) {
        cg_shape_distance edge = cg_shape_local_distance_segment(shape, t[k], t[(k + 1) % 3]);
        double weights[3] = {0, 0, 0};
        weights[k] = 1 - edge.t;
        weights[(k + 1) % 3] = edge.t;
        take(s, edge.distance, weights[0], weights[1], weights[2]);
    }
}

static double coordinate(cg_vec3 p, int axis)
{
    return axis == 0 ? p.x : (axis == 1 ? p.y : p.z);
}

// A triangle as start + r u + s v, and one of the six faces of the box: face 2 k or 2 k + 1 on the side of +- axis k.
static double face_value(cg_vec3 half, cg_vec3 p, int face)
{
    double along = coordinate(p, face / 2);
    return (face % 2 ? -along : along) - coordinate(half, face / 2);
}

static double face_rate(cg_vec3 way, int face)
{
    double along = coordinate(way, face / 2);
    return face % 2 ? -along : along;
}

static double box_depth(cg_vec3 half, cg_vec3 p)
{
    double x = fabs(p.x) - half.x, y = fabs(p.y) - half.y, z = fabs(p.z) - half.z;
    double deepest = x > y ? x : y;
    return deepest > z ? deepest : z;
}

// The place inside the triangle where three faces are equally deep below, if there is one.
static void search_three_faces(search *s, cg_vec3 half, const cg_vec3 t[3], int a, int b, int c)
{
    cg_vec3 u = v3_sub(t[1], t[0]), v = v3_sub(t[2], t[0]);
    double ub = face_rate(u, b) - face_rate(u, a), vb = face_rate(v, b) - face_rate(v, a);
    double uc = face_rate(u, c) - face_rate(u, a), vc = face_rate(v, c) - face_rate(v, a);
    double start = face_value(half, t[0], a);
    double rb = start - face_value(half, t[0], b), rc = start - face_value(half, t[0], c);
    double determinant = ub * vc - vb * uc;
    double x = (rb * vc - vb * rc) / determinant, y = (ub * rc - rb * uc) / determinant;
    if (x >= 0 && y >= 0 && x + y <= 1) {
        double depth = box_depth(half, v3_add_scaled(v3_add_scaled(t[0], x, u), y, v));
        if (depth < 0) {
            take(s, depth, 1 - x - y, x, y);
        }
    }
}

static void search_box(search *s, const cg_shape *shape, const cg_vec3 t[3])
{
    cg_vec3 half = shape->half_extents, n = triangle_normal(t);
    search_edges(s, shape, t);
    double height = v3_dot(n, t[0]), reach = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
    if (fabs(height) < reach) {
        for (int a = 0; a < 4; a++) {
            for (int b = a + 1; b < 5; b++) {
                for (int c = b + 1; c < 6; c++) {
                    search_three_faces(s, half, t, a, b, c);
                }
            }
        }
    } else if (s->distance > 0) {
        double side = height < 0 ? -1 : 1;
        cg_vec3 corner =
            v3(side * n.x < 0 ? -half.x : half.x, side * n.y < 0 ? -half.y : half.y, side * n.z < 0 ? -half.z : half.z);
        cg_triangle_closest under = cg_closest_point_triangle(corner, t);
        take(s, sqrt(under.squared_distance), under.weights[0], under.weights[1], under.weights[2]);
    }
}

// The way out of a sphere or capsule for a point on its axis: along the normal of the triangle, across the axis.
static cg_vec3 way_out(const cg_shape *shape, const cg_vec3 t[3])
{
    cg_vec3 normal = v3_unit_or(triangle_normal(t), v3(1, 0, 0));
    if (shape->kind == CG_SHAPE_CAPSULE && shape->half_length > 0) {
        normal.z = 0;
    }
    return v3_unit_or(normal, v3(1, 0, 0));
}

cg_shape_triangle cg_shape_local_distance_triangle(const cg_shape *shape, const cg_vec3 t[3])
{
    search s = {INFINITY, {1, 0, 0}};
    if (shape->kind == CG_SHAPE_BOX) {
        search_box(&s, shape, t);
    } else if (shape->kind == CG_SHAPE_HALF_SPACE) {
        search_half_space(&s, t);
    } else {
        double half = shape->kind == CG_SHAPE_CAPSULE ? shape->half_length : 0;
        cg_triangle_closest closest = half > 0 ? cg_closest_segment_triangle(v3(0, 0, -half), v3(0, 0, half), t)
                                               : cg_closest_point_triangle(v3_zero(), t);
        take(&s, sqrt(closest.squared_distance), closest.weights[0], closest.weights[1], closest.weights[2]);
    }
    cg_shape_triangle found = {.weights = {s.weights[0], s.weights[1], s.weights[2]}};
    found.nearest = cg_shape_local_distance_point(shape, triangle_point(t, s.weights));
    bool is_round = shape->kind == CG_SHAPE_SPHERE || shape->kind == CG_SHAPE_CAPSULE;
    if (is_round && found.nearest.distance <= (FLAT - 1) * shape->radius) {
        found.nearest.normal = way_out(shape, t);
        found.nearest.surface = v3_add_scaled(found.nearest.point, -found.nearest.distance, found.nearest.normal);
    }
    return found;
}

cg_shape_triangle cg_shape_distance_triangle(const cg_shape *shape, const cg_transform *pose, const cg_vec3 triangle[3])
{
    cg_vec3 local[3];
    for (int k = 0; k < 3; k++) {
        local[k] = transform_point_back(*pose, triangle[k]);
    }
    cg_shape_triangle found = cg_shape_local_distance_triangle(shape, local);
    found.nearest.point = triangle_point(triangle, found.weights);
    found.nearest.normal = transform_vector(*pose, found.nearest.normal);
    found.nearest.surface = v3_add_scaled(found.nearest.point, -found.nearest.distance, found.nearest.normal);
    return found;
}
