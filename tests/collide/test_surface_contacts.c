// Contacts of a surface with moving shapes: candidates against a loop over all triangles, the safe share of the motion
// against sampling in time.
#include "collide/surface_contacts.h"

#include <stdio.h>

#include "surface.h"

enum { MOST = 3000, SHAPES = 3 };

static surface s;
static cg_sphere_tree tree;
static cg_surface_contact_list found;
static void *memory;

static void lay_out(cg_arena *arena, int most)
{
    cg_sphere_tree_layout(&tree, SURFACE_NODES, SURFACE_TRIANGLES, arena);
    cg_surface_contact_list_layout(&found, most, arena);
}

static void start(int most)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&arena, most);
    size_t bytes = cg_arena_used(&arena);
    memory = cg_memory_take(&(cg_allocator){0}, bytes);
    cg_arena_init(&arena, memory, bytes);
    lay_out(&arena, most);
}

static void stop(void)
{
    cg_memory_give(&(cg_allocator){0}, memory);
}

static void build(void)
{
    cg_triangle_source source = surface_source(&s);
    CHECK(cg_sphere_tree_build(&tree, &source));
}

static cg_shape random_shape(uint64_t *state)
{
    int kind = test_random_int(state, 0, 3);
    double a = test_random(state, 0.2, 1), b = test_random(state, 0.2, 1), c = test_random(state, 0.2, 1);
    switch (kind) {
    case 0:
        return shape_sphere(a);
    case 1:
        return shape_capsule(a, 2 * b);
    case 2:
        return shape_box(v3(a, b, c));
    default:
        return shape_half_space();
    }
}

// Somewhere above or in the surface, going anywhere, turning or not.
static cg_moving_shape random_motion(uint64_t *state)
{
    cg_moving_shape moving = {.shape = random_shape(state)};
    bool is_level = moving.shape.kind == CG_SHAPE_HALF_SPACE;
    double speed = pow(10, test_random(state, -3, 1)), turn = test_random_int(state, 0, 1) ? 0 : 0.3;
    cg_vec3 axis = random_in_cube(state, is_level ? 0.1 : 1), place = random_in_cube(state, 4);
    moving.before.position = v3(place.x, place.y, is_level ? -2 : 0.5 * place.z);
    moving.before.rotation = quat_normalise(quat(axis.x, axis.y, axis.z, 1));
    moving.after.position = v3_add(moving.before.position, random_in_cube(state, speed));
    cg_vec3 spin = random_in_cube(state, turn);
    cg_quat by = quat_normalise(quat(spin.x, spin.y, spin.z, 1));
    moving.after.rotation = quat_normalise(quat_multiply(by, moving.before.rotation));
    return moving;
}

static cg_transform pose_at(const cg_moving_shape *shape, double time)
{
    cg_vec3 shift = v3_sub(shape->after.position, shape->before.position);
    return (cg_transform){v3_add_scaled(shape->before.position, time, shift),
                          quat_nlerp(shape->before.rotation, shape->after.rotation, time)};
}

static double distance_at(const cg_moving_shape *shape, int triangle, bool is_moving, double time)
{
    cg_vec3 corners[3], moves[3];
    surface_triangle(&s, triangle, NULL, corners);
    triangle_moves(&s, triangle, is_moving, NULL, moves);
    for (int k = 0; k < 3; k++) {
        corners[k] = v3_add_scaled(corners[k], time, moves[k]);
    }
    cg_transform pose = pose_at(shape, time);
    return cg_shape_distance_triangle(&shape->shape, &pose, corners).nearest.distance;
}

static const cg_surface_contact *contact_of(int shape, int triangle)
{
    for (int i = 0; i < found.count; i++) {
        if (found.items[i].shape == shape && found.items[i].triangle == triangle) {
            return &found.items[i];
        }
    }
    return NULL;
}

// Every triangle at many moments: whatever comes within thickness and reach is in the list, and up to the fraction none
// is below its threshold.
static bool check_all_triangles(const cg_moving_shape *shapes, int count, bool is_moving, double thickness,
                                double reach, const cg_motion_rule *rule)
{
    enum { MOMENTS = 24 };
    bool good = true;
    for (int k = 0; k < count; k++) {
        for (int t = 0; t < s.triangle_count && good; t++) {
            const cg_surface_contact *contact = contact_of(k, t);
            double start_distance = distance_at(&shapes[k], t, is_moving, 0);
            double lowest = fmin(rule->keep * thickness, start_distance - rule->give * thickness);
            lowest = start_distance < rule->freeze * thickness ? start_distance - 0.0006 * thickness : lowest;
            for (int m = 0; m <= MOMENTS && good; m++) {
                double whole = (double)m / MOMENTS, part = found.fraction * m / MOMENTS;
                bool is_near = distance_at(&shapes[k], t, is_moving, whole) <= thickness + reach;
                good &= !is_near || CHECK(contact != NULL);
                good &= distance_at(&shapes[k], t, is_moving, part) >= lowest - 1e-12 || CHECK(false);
            }
            // Where the motion ends, what is frozen has not come nearer at all.
            if (start_distance < rule->freeze * thickness && found.fraction > 0) {
                good &= CHECK(distance_at(&shapes[k], t, is_moving, found.fraction) >= start_distance - 1e-11);
            }
        }
    }
    return good;
}

static bool check_contact(const cg_surface_contact *c, const cg_moving_shape *shapes, bool is_moving, double thickness)
{
    const cg_moving_shape *shape = &shapes[c->shape];
    cg_vec3 corners[3];
    surface_triangle(&s, c->triangle, NULL, corners);
    bool good = CHECK_NEAR(c->distance, distance_at(shape, c->triangle, is_moving, 0), 1e-12);
    good &= CHECK_NEAR(c->gap, c->distance - thickness, 1e-15);
    good &= CHECK_NEAR(v3_distance(triangle_point(corners, c->weights), c->point), 0, 1e-12);
    good &= CHECK_NEAR(v3_length(c->normal), 1, 1e-12);
    good &= CHECK_NEAR(v3_distance(v3_add_scaled(c->surface, c->distance, c->normal), c->point), 0, 1e-12);
    good &= CHECK_NEAR(cg_surface_distance_at(&tree, c->triangle, shape, 0.7),
                       distance_at(shape, c->triangle, is_moving, 0.7), 1e-12);
    return good;
}

TEST(candidates_and_safe_share_agree_with_sampling)
{
    uint64_t state = 111;
    start(MOST);
    int stopped = 0, free_ones = 0, count = test_count(test_is_sanitized() ? 40 : 150, 10000);
    long contacts = 0;
    for (int i = 0; i < count; i++) {
        surface_grid(&s, test_random_int(&state, 4, 9));
        for (int k = 0; k < 3; k++) {
            surface_dent(&s, test_random(&state, 1, 3), 1, &state);
        }
        tree.slack = i % 3 == 0 ? 0.05 : 0;
        build();
        for (int k = 0; k < s.node_count; k++) { // within the slack
            s.positions[k] = v3_add(s.positions[k], random_in_cube(&state, 0.5 * tree.slack));
        }
        bool is_moving = i % 2;
        surface_move(&s, 0.3, 0.05, &state);
        cg_sphere_tree_mark_moved(&tree, s.positions);
        cg_sphere_tree_update(&tree, s.positions);
        cg_sphere_tree_set_moves(&tree, is_moving ? s.moves : NULL);
        cg_moving_shape shapes[SHAPES];
        for (int k = 0; k < SHAPES; k++) {
            shapes[k] = random_motion(&state);
        }
        cg_motion_rule rule = motion_rule_default();
        double thickness = test_random(&state, 0.02, 0.3), reach = test_random(&state, 0, 0.3);
        bool good = CHECK(cg_surface_contacts_find(&tree, thickness, &rule, shapes, SHAPES, reach, &found));
        for (int k = 0; k < found.count; k++) {
            good &= check_contact(&found.items[k], shapes, is_moving, thickness);
            good &= k == 0 || found.items[k].shape > found.items[k - 1].shape ||
                    (found.items[k].shape == found.items[k - 1].shape &&
                     CHECK(found.items[k].triangle > found.items[k - 1].triangle));
        }
        good &= check_all_triangles(shapes, SHAPES, is_moving, thickness, reach, &rule);
        contacts += found.count;
        stopped += found.fraction < 1;
        free_ones += found.fraction == 1;
        if (!good) {
            printf("case %d\n", i);
            break;
        }
    }
    CHECK(contacts > 20L * count);
    CHECK(stopped > count / 10 && free_ones > 0);
    stop();
}

// A ball of any speed falls on a flat grid and stops at its thickness, no earlier than it must.
TEST(a_ball_shot_at_a_sheet_stops_at_its_surface)
{
    uint64_t state = 112;
    start(MOST);
    surface_grid(&s, 8);
    build();
    for (int i = 0; i < 200; i++) {
        double radius = test_random(&state, 0.05, 0.5), height = test_random(&state, 0.7, 2), thickness = 0.02;
        double far = height * pow(10, test_random(&state, 0.5, 4));
        cg_vec3 place = v3(test_random(&state, -3, 3), 0.1, height), way = v3(0.3, -0.2, -1);
        cg_moving_shape ball = {.shape = shape_sphere(radius),
                                .before = {place, quat_identity()},
                                .after = {v3_add_scaled(place, far, way), quat_identity()}};
        cg_motion_rule rule = motion_rule_default();
        CHECK(cg_surface_contacts_find(&tree, thickness, &rule, &ball, 1, 0.01, &found));
        double gap = height - found.fraction * far - radius, threshold = rule.keep * thickness;
        CHECK(gap >= threshold - 1e-9 && gap <= threshold + 0.01 * thickness);
    }
    stop();
}

// One corner of a triangle that stands is shot through a shape, whichever corner it is.
TEST(a_corner_shot_through_a_shape_stops_at_it)
{
    start(MOST);
    static const cg_shape_kind kinds[4] = {CG_SHAPE_SPHERE, CG_SHAPE_CAPSULE, CG_SHAPE_HALF_SPACE, CG_SHAPE_BOX};
    for (int i = 0; i < 12; i++) {
        int corner = i % 3;
        cg_moving_shape shape = {.shape = {kinds[i / 3], 0.5, 0.4, {0.5, 0.4, 0.3}},
                                 .before = transform_identity(),
                                 .after = transform_identity()};
        s.node_count = 3;
        s.triangle_count = 0;
        surface_add(&s, 0, 1, 2);
        for (int k = 0; k < 3; k++) {
            s.positions[k] = k == corner ? v3(0.1, 0, 3) : v3(k + 3, 0.5 * k, 2);
            s.moves[k] = k == corner ? v3(0, 0, -100) : v3_zero();
        }
        build();
        cg_sphere_tree_set_moves(&tree, s.moves);
        cg_motion_rule rule = motion_rule_default();
        double thickness = 0.05;
        CHECK(cg_surface_contacts_find(&tree, thickness, &rule, &shape, 1, 0.01, &found));
        CHECK_INT(found.count, 1);
        CHECK(found.fraction > 0 && found.fraction < 0.04);
        double distance = distance_at(&shape, 0, true, found.fraction);
        CHECK(distance >= rule.keep * thickness - 1e-9 && distance < 1.02 * rule.keep * thickness);
    }
    stop();
}

// What moves together with the surface is free, at any speed.
TEST(a_shape_that_moves_with_the_surface_is_not_limited)
{
    start(MOST);
    surface_grid(&s, 8);
    for (int i = 0; i < s.node_count; i++) {
        s.moves[i] = v3(30, -20, 10);
    }
    build();
    cg_sphere_tree_set_moves(&tree, s.moves);
    cg_moving_shape box = {.shape = shape_box(v3(0.5, 0.4, 0.3)),
                           .before = {v3(0, 0.2, 0.35), quat_identity()},
                           .after = {v3(30, -19.8, 10.35), quat_identity()}};
    cg_motion_rule rule = motion_rule_default();
    CHECK(cg_surface_contacts_find(&tree, 0.04, &rule, &box, 1, 0.1, &found));
    CHECK(found.count > 4);
    CHECK(found.fraction == 1);
    stop();
}

// Fitted far away, moved within the slack.
TEST(the_slack_of_the_tree_is_reached)
{
    start(MOST);
    s.node_count = 3;
    s.triangle_count = 0;
    surface_add(&s, 0, 1, 2);
    for (int i = 0; i < 3; i++) {
        s.positions[i] = v3(3, 0.01 * i, i == 2 ? 0.01 : 0);
    }
    tree.slack = 2;
    build();
    for (int i = 0; i < 3; i++) {
        s.positions[i].x = 1.05;
    }
    CHECK_INT(cg_sphere_tree_mark_moved(&tree, s.positions), 0);
    cg_sphere_tree_update(&tree, s.positions);
    cg_moving_shape ball = {.shape = shape_sphere(1), .before = transform_identity(), .after = transform_identity()};
    cg_motion_rule rule = motion_rule_default();
    CHECK(cg_surface_contacts_find(&tree, 0.04, &rule, &ball, 1, 0.02, &found));
    CHECK_INT(found.count, 1);
    tree.slack = 0;
    stop();
}

TEST(a_full_list_lets_nothing_move)
{
    start(3);
    surface_grid(&s, 8);
    build();
    cg_moving_shape ball = {.shape = shape_sphere(1),
                            .before = {v3(0, 0, 1.5), quat_identity()},
                            .after = {v3(0, 0, 1.4), quat_identity()}};
    cg_motion_rule rule = motion_rule_default();
    CHECK(!cg_surface_contacts_find(&tree, 0.04, &rule, &ball, 1, 1, &found));
    CHECK_INT(found.count, 3);
    CHECK(found.lost > 3);
    CHECK(found.fraction == 0);
    stop();
}
