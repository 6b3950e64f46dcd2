// Signed distances of triangles to rigid shapes, against the definition: the smallest value of a convex function over
// the triangle, found by halving intervals within intervals.
#include <math.h>
#include <stdio.h>

#include "geometry/triangle.h"
#include "shape_rig.h"

// Golden sections along the line from corner 0 ... for a share s of the way from edge 0 1 to corner 2.
static double search_line(const cg_shape *shape, const cg_vec3 t[3], double s)
{
    const double g = 0.6180339887498949;
    double low = 0, high = 1 - s, a = high - g * (high - low), b = low + g * (high - low), fa, fb;
    cg_vec3 base = v3_add_scaled(v3_scale(1 - s, t[0]), s, t[2]), way = v3_sub(t[1], t[0]);
    fa = defined_distance(shape, v3_add_scaled(base, a, way));
    fb = defined_distance(shape, v3_add_scaled(base, b, way));
    for (int i = 0; i < 45; i++) {
        if (fa < fb) {
            high = b;
            b = a;
            fb = fa;
            a = high - g * (high - low);
            fa = defined_distance(shape, v3_add_scaled(base, a, way));
        } else {
            low = a;
            a = b;
            fa = fb;
            b = low + g * (high - low);
            fb = defined_distance(shape, v3_add_scaled(base, b, way));
        }
    }
    double ends = fmin(defined_distance(shape, base), defined_distance(shape, v3_add_scaled(base, 1 - s, way)));
    return fmin(fmin(fa, fb), ends);
}

// The value on such a line is a convex function of s too.
static double search_triangle(const cg_shape *shape, const cg_vec3 t[3])
{
    const double g = 0.6180339887498949;
    double low = 0, high = 1, a = 1 - g, b = g, fa = search_line(shape, t, a), fb = search_line(shape, t, b);
    for (int i = 0; i < 45; i++) {
        if (fa < fb) {
            high = b;
            b = a;
            fb = fa;
            a = high - g * (high - low);
            fa = search_line(shape, t, a);
        } else {
            low = a;
            a = b;
            fa = fb;
            b = low + g * (high - low);
            fb = search_line(shape, t, b);
        }
    }
    return fmin(fmin(fa, fb), fmin(search_line(shape, t, 0), search_line(shape, t, 1)));
}

static void make_triangle(uint64_t *state, int kind, const cg_shape *shape, cg_vec3 t[3])
{
    for (int k = 0; k < 3; k++) {
        t[k] = random_point(state, 2);
    }
    switch (kind) {
    case 1: // without area
        t[2] = v3_add_scaled(t[0], test_random(state, -1, 2), v3_sub(t[1], t[0]));
        break;
    case 2: // a point
        t[1] = t[2] = t[0];
        break;
    case 3: // small
        t[1] = v3_add(t[0], v3_scale(0.1, t[1]));
        t[2] = v3_add(t[0], v3_scale(0.1, t[2]));
        break;
    case 4: // large: the shape pokes through its inside
        t[0] = v3_add(v3_scale(0.3, t[0]), v3(-9, -7, 0));
        t[1] = v3_add(v3_scale(0.3, t[1]), v3(9, -7, 1));
        t[2] = v3_add(v3_scale(0.3, t[2]), v3(1, 9, -1));
        break;
    case 5: // large and aside
        t[0] = v3_add(t[0], v3(-9, -7, 2));
        t[1] = v3_add(t[1], v3(9, -7, 2));
        t[2] = v3_add(t[2], v3(1, 9, 2));
        break;
    case 6: // level
        t[0].z = t[1].z = t[2].z = test_random_int(state, 0, 1) ? shape->half_extents.z : t[2].z;
        break;
    case 7: // well inside
        for (int k = 0; k < 3; k++) {
            t[k] = v3_scale(0.1, t[k]);
        }
        break;
    case 8: // through the centre
        t[2] = v3_sub(v3_scale(-1.1, t[0]), v3_scale(0.7, t[1]));
        break;
    default:
        break;
    }
}

TEST(triangles_agree_with_a_search_over_all_their_points)
{
    uint64_t state = 96;
    int below = 0, count = test_count(test_is_sanitized() ? 900 : 4000, 100000);
    for (int i = 0; i < count; i++) {
        cg_shape shape = random_shape(&state, i % 4);
        cg_vec3 t[3];
        make_triangle(&state, i / 4 % 9, &shape, t);
        cg_shape_triangle found = cg_shape_local_distance_triangle(&shape, t);
        const cg_shape_distance *at = &found.nearest;
        double size = 1 + v3_length(t[0]) + v3_length(t[1]) + v3_length(t[2]), searched = search_triangle(&shape, t);
        below += at->distance < 0;
        // The search is good to about the square root of rounding where the function is smooth, and better elsewhere.
        bool good = CHECK_NEAR(at->distance, searched, 1e-7 * size);
        good &= CHECK(at->distance <= searched + 1e-12 * size);
        good &= CHECK_NEAR(defined_distance(&shape, at->point), at->distance, 1e-12 * size);
        good &= CHECK_NEAR(v3_distance(triangle_point(t, found.weights), at->point), 0, 1e-13 * size);
        good &= CHECK(found.weights[0] >= 0 && found.weights[1] >= 0 && found.weights[2] >= 0);
        good &= CHECK_NEAR(found.weights[0] + found.weights[1] + found.weights[2], 1, 1e-13);
        good &= CHECK_NEAR(v3_length(at->normal), 1, 1e-12);
        good &= CHECK_NEAR(defined_distance(&shape, at->surface), 0, 1e-9 * size);
        good &=
            CHECK_NEAR(v3_distance(v3_add_scaled(at->surface, at->distance, at->normal), at->point), 0, 1e-12 * size);
        for (int k = 0; k < 6; k++) { // no point of the shape lies beyond the plane of the normal
            cg_vec3 x = random_point(&state, 2);
            good &= CHECK(defined_distance(&shape, x) >= v3_dot(at->normal, v3_sub(x, at->surface)) - 1e-9);
        }
        if (!good) {
            printf("case %d: shape %d, triangle %d\n", i, i % 4, i / 4 % 9);
            break;
        }
    }
    CHECK(below > count / 5);
}

TEST(poses_turn_everything)
{
    uint64_t state = 97;
    for (int i = 0; i < 400; i++) {
        cg_shape shape = random_shape(&state, i % 4);
        cg_vec3 axis = random_point(&state, 1), t[3], placed[3], place = random_point(&state, 3);
        cg_transform pose = {place, quat_normalise(quat(axis.x, axis.y, axis.z, test_random(&state, -1, 1)))};
        make_triangle(&state, i / 4 % 9, &shape, t);
        for (int k = 0; k < 3; k++) {
            placed[k] = transform_point(pose, t[k]);
        }
        cg_shape_triangle local = cg_shape_local_distance_triangle(&shape, t);
        cg_shape_triangle found = cg_shape_distance_triangle(&shape, &pose, placed);
        CHECK_NEAR(found.nearest.distance, local.nearest.distance, 1e-12 * 40);
        cg_vec3 surface = transform_point_back(pose, found.nearest.surface);
        CHECK_NEAR(cg_shape_local_distance_point(&shape, surface).distance, 0, 1e-9);
        cg_vec3 away = v3_add_scaled(found.nearest.surface, found.nearest.distance, found.nearest.normal);
        CHECK_NEAR(v3_distance(away, found.nearest.point), 0, 1e-12);
    }
}
