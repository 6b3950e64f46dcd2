// Signed distances of points and segments to rigid shapes, against the definition (nearest point of the surface found
// by search) and against dense sampling along the segment.
#include <math.h>

#include "geometry/cover.h"
#include "shape_rig.h"

static cg_quat random_rotation(uint64_t *state)
{
    cg_vec3 axis = random_point(state, 1);
    return quat_normalise(quat(axis.x, axis.y, axis.z, test_random(state, -1, 1)));
}

// The smallest value along the segment: dense samples, then shrinking intervals around the best.
static double search_distance(const cg_shape *shape, cg_vec3 a, cg_vec3 b)
{
    double low = 0, high = 1, best = INFINITY, best_t = 0;
    for (int round = 0; round < 12; round++) {
        int pieces = round == 0 ? 64 : 10;
        double step = (high - low) / pieces;
        for (int i = 0; i <= pieces; i++) {
            double t = low + i * step, d = defined_distance(shape, v3_add(v3_scale(1 - t, a), v3_scale(t, b)));
            if (d < best) {
                best = d;
                best_t = t;
            }
        }
        low = fmax(0, best_t - step);
        high = fmin(1, best_t + step);
    }
    return best;
}

static void make_segment(uint64_t *state, int kind, const cg_shape *shape, cg_vec3 *a, cg_vec3 *b)
{
    *a = random_point(state, 2);
    *b = random_point(state, 2);
    switch (kind) {
    case 1:
        *b = *a;
        break;
    case 2: // along an axis
        b->x = a->x;
        b->y = a->y;
        break;
    case 3: // level
        b->z = a->z;
        break;
    case 4: // through the middle
        *b = v3_scale(-test_random(state, 0, 2), *a);
        break;
    case 5: // short, inside
        *a = v3_scale(0.1, *a);
        *b = v3_add(*a, v3_scale(0.05, *b));
        break;
    case 6: // on a face of the box, or on the surface level
        a->z = b->z = shape->kind == CG_SHAPE_BOX ? shape->half_extents.z : 0;
        break;
    case 7: // along an edge of the box, or the axis of a capsule
        a->x = b->x = shape->kind == CG_SHAPE_BOX ? shape->half_extents.x : 0;
        a->y = b->y = shape->kind == CG_SHAPE_BOX ? -shape->half_extents.y : 0;
        break;
    case 8: // far and steep
        *a = v3_scale(50, *a);
        break;
    default:
        break;
    }
}

static bool check_found(const cg_shape *shape, const cg_shape_distance *found, cg_vec3 a, cg_vec3 b, double expected)
{
    double scale = 1 + v3_length(a) + v3_length(b);
    bool good = CHECK_NEAR(found->distance, expected, 1e-9 * scale);
    good &= CHECK(found->t >= 0 && found->t <= 1);
    cg_vec3 point = v3_add(v3_scale(1 - found->t, a), v3_scale(found->t, b));
    good &= CHECK_NEAR(v3_distance(point, found->point), 0, 1e-14 * scale);
    good &= CHECK_NEAR(defined_distance(shape, found->point), found->distance, 1e-12 * scale);
    good &= CHECK_NEAR(v3_length(found->normal), 1, 1e-12);
    good &= CHECK_NEAR(defined_distance(shape, found->surface), 0, 1e-12 * scale);
    cg_vec3 away = v3_add_scaled(found->surface, found->distance, found->normal);
    good &= CHECK_NEAR(v3_distance(away, found->point), 0, 1e-12 * scale);
    return good;
}

// f(x) >= f(x0) + n . (x - x0): the normal is that of a plane that no point of the shape passes.
static bool check_supporting(const cg_shape *shape, const cg_shape_distance *found, uint64_t *state)
{
    for (int i = 0; i < 8; i++) {
        cg_vec3 x = random_point(state, 2);
        double bound = v3_dot(found->normal, v3_sub(x, found->surface));
        if (!CHECK(defined_distance(shape, x) >= bound - 1e-9)) {
            return false;
        }
    }
    return true;
}

TEST(segments_agree_with_sampling)
{
    uint64_t state = 51;
    int count = test_count(8000, 800000);
    for (int i = 0; i < count; i++) {
        cg_shape shape = random_shape(&state, i % 4);
        cg_vec3 a, b;
        make_segment(&state, i / 4 % 9, &shape, &a, &b);
        cg_shape_distance found = cg_shape_local_distance_segment(&shape, a, b);
        if (!check_found(&shape, &found, a, b, search_distance(&shape, a, b)) ||
            !check_supporting(&shape, &found, &state)) {
            return;
        }
    }
}

TEST(points_agree_with_the_definition)
{
    uint64_t state = 52;
    for (int i = 0; i < test_count(20000, 200000); i++) {
        cg_shape shape = random_shape(&state, i % 4);
        cg_vec3 p = random_point(&state, i % 8 < 4 ? 2 : 0.3);
        cg_shape_distance found = cg_shape_local_distance_point(&shape, p);
        if (!check_found(&shape, &found, p, p, defined_distance(&shape, p))) {
            return;
        }
    }
}

TEST(a_pose_moves_the_shape)
{
    uint64_t state = 53;
    for (int i = 0; i < test_count(4000, 40000); i++) {
        cg_shape shape = random_shape(&state, i % 4);
        cg_transform pose = {random_point(&state, 3), random_rotation(&state)};
        cg_vec3 a = random_point(&state, 3), b = random_point(&state, 3);
        cg_shape_distance found = cg_shape_distance_segment(&shape, &pose, a, b);
        cg_vec3 local_a = transform_point_back(pose, a), local_b = transform_point_back(pose, b);
        CHECK_NEAR(found.distance, search_distance(&shape, local_a, local_b), 1e-9);
        CHECK_NEAR(defined_distance(&shape, transform_point_back(pose, found.surface)), 0, 1e-12);
        CHECK_NEAR(v3_distance(found.point, v3_add_scaled(a, found.t, v3_sub(b, a))), 0, 1e-12);
        found = cg_shape_distance_point(&shape, &pose, a);
        CHECK_NEAR(found.distance, defined_distance(&shape, local_a), 1e-12);
    }
}

TEST(a_level_segment_touches_in_its_middle)
{
    cg_shape plane = shape_half_space(), box = shape_box(v3(1, 1, 1));
    CHECK_NEAR(cg_shape_local_distance_segment(&plane, v3(-1, 0, 0.5), v3(3, 0, 0.5)).t, 0.5, 0);
    // Above the box from x = -1 to x = 1, that is from 0.25 to 0.5 of the segment from -3 to 5.
    cg_shape_distance found = cg_shape_local_distance_segment(&box, v3(-3, 0, 1.5), v3(5, 0, 1.5));
    CHECK_NEAR(found.t, 0.375, 1e-15);
    CHECK_NEAR(found.distance, 0.5, 1e-15);
}

// What a cover calls far is far by true distance; and it calls most of it far that is, also beside a long capsule.
TEST(covers_leave_nothing_out)
{
    uint64_t state = 11;
    int off = 0, far = 0;
    for (int round = 0; round < test_count(20000, 500000); round++) {
        cg_shape shapes[2] = {random_shape(&state, round % 4), random_shape(&state, CG_SHAPE_CAPSULE)};
        cg_transform poses[2];
        cg_cover covers[2];
        for (int k = 0; k < 2; k++) {
            shapes[k].half_length *= 5;
            poses[k] = (cg_transform){random_point(&state, 4), random_rotation(&state)};
            covers[k] = cover_of(&shapes[k], &poses[k]);
        }
        cg_vec3 centre = poses[1].position, along = v3_scale(shapes[1].half_length, covers[1].along);
        double radius = test_random(&state, 0, 1), by = test_random(&state, 0, 1);
        double true_distance = cg_shape_distance_point(&shapes[0], &poses[0], centre).distance - radius;
        bool is_off = cover_is_off_ball(&covers[0], centre, radius, by);
        CHECK(!is_off || true_distance > by);
        off += is_off && shapes[0].kind == CG_SHAPE_CAPSULE;
        far += true_distance > by && shapes[0].kind == CG_SHAPE_CAPSULE;
        cg_shape_distance nearest =
            cg_shape_distance_segment(&shapes[0], &poses[0], v3_sub(centre, along), v3_add(centre, along));
        CHECK(!covers_are_apart(&covers[0], &covers[1], by) || nearest.distance - shapes[1].radius > by);
    }
    CHECK(off > far - 10 && far > 1000);
}
