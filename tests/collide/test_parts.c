// Rigid parts against each other, with looks at many points of their rods beside each routine.
#include <math.h>

#include "collide/parts.h"
#include "harness.h"

static cg_shape random_shape(uint64_t *state, bool may_be_plane)
{
    cg_shape shape = {.radius = test_random(state, 0.2, 0.6), .half_length = test_random(state, 0.1, 1)};
    const cg_shape_kind kinds[4] = {CG_SHAPE_SPHERE, CG_SHAPE_CAPSULE, CG_SHAPE_BOX, CG_SHAPE_HALF_SPACE};
    shape.kind = kinds[test_random_int(state, 0, may_be_plane ? 3 : 2)];
    shape.half_extents = v3(test_random(state, 0.2, 1), test_random(state, 0.2, 1), test_random(state, 0.2, 1));
    return shape;
}

static cg_quat random_rotation(uint64_t *state)
{
    return quat_normalise(quat(test_random(state, -1, 1), test_random(state, -1, 1), test_random(state, -1, 1),
                               test_random(state, -1, 1)));
}

static cg_vec3 random_vector(uint64_t *state, double size)
{
    return v3(test_random(state, -size, size), test_random(state, -size, size), test_random(state, -size, size));
}

// The least distance of many points of the rods of one to the solid of the other, less the radius of the rods.
static double least_by_points(const cg_shape *rods_of, const cg_transform *pose, const cg_shape *solid,
                              const cg_transform *solid_pose)
{
    enum { POINTS = 60 };
    cg_rods rods = cg_rods_of(rods_of);
    double least = INFINITY, skin;
    cg_shape core = cg_core_of(solid, &skin);
    for (int e = 0; e < rods.edge_count; e++) {
        cg_vec3 a = rods.corners[rods.edges[e][0]], b = rods.corners[rods.edges[e][1]];
        for (int i = 0; i <= POINTS; i++) {
            cg_vec3 point = transform_point(*pose, v3_add_scaled(a, (double)i / POINTS, v3_sub(b, a)));
            double distance = cg_shape_distance_point(&core, solid_pose, point).distance - rods.radius - skin;
            least = distance < least ? distance : least;
        }
    }
    return least;
}

static double least_both_ways(const cg_shape *a, const cg_transform *at_a, const cg_shape *b, const cg_transform *at_b)
{
    double least = least_by_points(a, at_a, b, at_b);
    if (b->kind != CG_SHAPE_HALF_SPACE) {
        double other = least_by_points(b, at_b, a, at_a);
        least = other < least ? other : least;
    }
    return least;
}

TEST(a_box_is_round_at_its_edges_by_a_little)
{
    cg_shape box = {.kind = CG_SHAPE_BOX, .half_extents = {1, 2, 0.5}};
    cg_rods rods = cg_rods_of(&box);
    CHECK_INT(rods.corner_count, 8);
    CHECK_INT(rods.edge_count, 12);
    CHECK_NEAR(rods.radius, 0.05 * 0.5, 1e-15);
    double length = 0;
    for (int e = 0; e < 12; e++) {
        length += v3_distance(rods.corners[rods.edges[e][0]], rods.corners[rods.edges[e][1]]);
    }
    CHECK_NEAR(length, 8 * (1 + 2 + 0.5 - 3 * rods.radius), 1e-12);
    for (int i = 0; i < 8; i++) {
        CHECK_NEAR(cg_shape_local_distance_point(&box, rods.corners[i]).distance, -rods.radius, 1e-15);
    }
}

TEST(contacts_of_parts_have_the_least_distance_of_many_points)
{
    uint64_t state = 5;
    int touching = 0;
    for (int round = 0; round < test_count(3000, 100000); round++) {
        cg_placed_shape a = {random_shape(&state, false), {random_vector(&state, 1.5), random_rotation(&state)}};
        cg_placed_shape b = {random_shape(&state, true), {random_vector(&state, 0.5), random_rotation(&state)}};
        cg_part_contact found[CG_MOST_PART_CONTACTS];
        int count = cg_part_contacts_find(&a, &b, 10, found);
        double least = INFINITY, seen = least_both_ways(&a.shape, &a.pose, &b.shape, &b.pose);
        for (int i = 0; i < count; i++) {
            least = found[i].gap < least ? found[i].gap : least;
            CHECK_NEAR(v3_length(found[i].normal), 1, 1e-12);
            double between = v3_dot(found[i].normal, v3_sub(found[i].point[0], found[i].point[1]));
            CHECK_NEAR(between, found[i].gap, 1e-9);
            CHECK((found[i].place[0] == CG_PLACE_SURFACE) != (found[i].place[1] == CG_PLACE_SURFACE));
        }
        // Inside each other the two ways differ: a contact is a way out, and any of them may be the least.
        if (seen > 0) {
            // A piece that lies flat has its contacts at its ends, which are higher by a thousandth of the rods'
            // radius.
            CHECK(count > 0 && least <= seen + 1e-3 * cg_rod_radius(&b.shape) + 1e-9);
            CHECK(least > seen - 2e-2);
        }
        touching += seen < 0;
    }
    CHECK(touching > 100);
}

TEST(parts_that_are_out_of_reach_have_no_contacts)
{
    uint64_t state = 6;
    for (int round = 0; round < 1000; round++) {
        cg_placed_shape a = {random_shape(&state, false), {random_vector(&state, 3), random_rotation(&state)}};
        cg_placed_shape b = {random_shape(&state, true), {random_vector(&state, 0.5), random_rotation(&state)}};
        cg_part_contact found[CG_MOST_PART_CONTACTS];
        int count = cg_part_contacts_find(&a, &b, 0.1, found);
        for (int i = 0; i < count; i++) {
            CHECK(found[i].gap < 0.1);
        }
        double seen = least_both_ways(&a.shape, &a.pose, &b.shape, &b.pose);
        CHECK(seen < 0 || (count > 0) == (seen < 0.1) || fabs(seen - 0.1) < 2e-2);
    }
}

static cg_moving_shape random_mover(uint64_t *state, bool may_be_plane, cg_vec3 place, cg_vec3 way, double turn)
{
    cg_moving_shape moving = {.shape = random_shape(state, may_be_plane), .is_part = test_random_int(state, 0, 1) == 1};
    cg_vec3 axis = v3_unit_or(random_vector(state, 1), v3(0, 0, 1));
    moving.before = (cg_transform){place, random_rotation(state)};
    moving.after.position = v3_add(place, way);
    moving.after.rotation = quat_multiply(quat_from_axis_angle(axis, turn), moving.before.rotation);
    moving.by_turn = test_random_int(state, 0, 1) == 1;
    moving.turn = v3_scale(turn, axis);
    moving.part =
        moving.is_part ? (cg_transform){random_vector(state, 1), random_rotation(state)} : transform_identity();
    return moving;
}

static cg_transform placed_at(const cg_moving_shape *moving, double time)
{
    cg_transform body = cg_moving_shape_pose(moving, time);
    return moving->is_part ? transform_compose(body, moving->part) : body;
}

// Parts that fly and turn as they like: on the whole way that is said to be safe nothing comes nearer than allowed, and
// where a way is cut short something is near.
TEST(no_motion_of_parts_that_is_safe_goes_through)
{
    uint64_t state = 7;
    int stopped = 0, free_ways = 0;
    cg_motion_rule rule = motion_rule_default();
    for (int round = 0; round < test_count(250, 20000); round++) {
        double far = round % 3 == 0 ? 8 : 2, turn = test_random(&state, 0, round % 2 == 0 ? 1.5 : 0.1);
        cg_moving_shape a = random_mover(&state, false, v3(3, 0, 3), v3(-far, 0, -far), turn);
        cg_moving_shape b = random_mover(&state, true, v3(0, 0, -1), random_vector(&state, 0.5), 0.5 * turn);
        cg_transform at_a = placed_at(&a, 0), at_b = placed_at(&b, 0);
        if (least_both_ways(&a.shape, &at_a, &b.shape, &at_b) < 0) {
            continue;
        }
        cg_part_motion motion = {1, 0, 0};
        cg_part_way ways[2] = {cg_part_way_of(&a), cg_part_way_of(&b)};
        cg_part_motion_limit(&ways[0], &ways[1], &rule, &motion);
        double thin = fmin(cg_rod_radius(&a.shape), cg_rod_radius(&b.shape)), last = 0;
        for (int i = 0; i <= 200; i++) {
            double time = motion.fraction * i / 200;
            at_a = placed_at(&a, time);
            at_b = placed_at(&b, time);
            last = least_both_ways(&a.shape, &at_a, &b.shape, &at_b);
            CHECK(last > -0.021 * thin);
        }
        stopped += motion.fraction < 1;
        free_ways += motion.fraction == 1;
        CHECK(motion.fraction == 1 || last < 0.02);
    }
    CHECK(stopped > 50 && free_ways > 50);
}
