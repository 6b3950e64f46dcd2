// The safe fraction of a motion against dense sampling in time, and against the cubic test of collide/crossing.h.
#include "collide/safe_motion.h"

#include <stdio.h>

#include "collide/crossing.h"
#include "geometry/closest.h"
#include "tangle.h"

static cg_motion_finder finder;
static void *memory;

static void start(void)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_motion_finder_layout(&finder, TANGLE_CHAINS, TANGLE_CHAINS * TANGLE_POINTS, &arena);
    size_t bytes = cg_arena_used(&arena);
    memory = cg_memory_take(&(cg_allocator){0}, bytes);
    cg_arena_init(&arena, memory, bytes);
    cg_motion_finder_layout(&finder, TANGLE_CHAINS, TANGLE_CHAINS * TANGLE_POINTS, &arena);
}

static void stop(void)
{
    cg_memory_give(&(cg_allocator){0}, memory);
}

// A tangle that moves.
typedef struct scene {
    tangle t;
    cg_vec3 moves[TANGLE_CHAINS][TANGLE_POINTS];
    const cg_vec3 *move_pointers[TANGLE_CHAINS];
    cg_moving_shape shapes[3];
    int shape_count;
} scene;

static scene s;

static cg_safe_motion find(const cg_motion_rule *rule)
{
    for (int c = 0; c < s.t.count; c++) {
        s.move_pointers[c] = s.moves[c];
    }
    return cg_safe_motion_find(&finder, rule, s.t.chains, s.move_pointers, s.t.count, s.shapes, s.shape_count);
}

static cg_vec3 place(int c, int i, double time)
{
    return v3_add_scaled(s.t.points[c][i], time, s.moves[c][i]);
}

static double distance_at(const cg_segment_pair *p, double time)
{
    int i = p->segment_a, j = p->segment_b;
    return sqrt(cg_closest_segments(place(p->chain_a, i, time), place(p->chain_a, i + 1, time),
                                    place(p->chain_b, j, time), place(p->chain_b, j + 1, time))
                    .squared_distance);
}

enum { MOST_PAIRS = 120 * 120 };
static cg_segment_pair all_pairs[MOST_PAIRS];

// Lists all pairs that are not neighbours by arc length.
static int list_pairs(void)
{
    int count = 0;
    for (int a = 0; a < s.t.count; a++) {
        for (int i = 0; i + 1 < s.t.chains[a].count; i++) {
            for (int b = a; b < s.t.count; b++) {
                for (int j = a == b ? i + 2 : 0; j + 1 < s.t.chains[b].count; j++) {
                    const cg_chain *chain = &s.t.chains[a];
                    bool is_far = a != b || chain->arc[j] - chain->arc[i + 1] >= CG_PI * chain->radius;
                    if (is_far && count < MOST_PAIRS) {
                        all_pairs[count++] = (cg_segment_pair){a, i, b, j};
                    }
                }
            }
        }
    }
    return count;
}

static double sum_of_radii(const cg_segment_pair *p)
{
    return s.t.chains[p->chain_a].radius + s.t.chains[p->chain_b].radius;
}

// The threshold of the header, written out once more.
static double threshold(double now, double d)
{
    if (now < 0.7 * d) {
        return now - 0.0005 * d; // between looks
    }
    return fmin(0.98 * d, now - 0.005 * d);
}

static bool check_pairs(const cg_safe_motion *found, int samples)
{
    bool good = true;
    int count = list_pairs();
    for (int n = 0; n < count && good; n++) {
        cg_segment_pair p = all_pairs[n];
        double d = sum_of_radii(&p), now = distance_at(&p, 0), lowest = threshold(now, d);
        if (now < 1e-9 * d) {
            continue;
        }
        for (int k = 1; k <= samples && good; k++) {
            good = CHECK(distance_at(&p, found->fraction * k / samples) >= lowest - 1e-9 * d);
        }
        if (now < 0.7 * d) {
            good = good && CHECK(distance_at(&p, found->fraction) >= now - 1e-9 * d);
        }
        // An independent witness: the axes never meet.
        int i = p.segment_a, j = p.segment_b, a = p.chain_a, b = p.chain_b;
        double f = found->fraction;
        cg_moving_segment u = {{place(a, i, 0), place(a, i + 1, 0)}, {place(a, i, f), place(a, i + 1, f)}};
        cg_moving_segment v = {{place(b, j, 0), place(b, j + 1, 0)}, {place(b, j, f), place(b, j + 1, f)}};
        good = good && CHECK_INT(cg_crossing_find(&u, &v, 1e-6 * d).count, 0);
        if (!good) {
            printf("pair %d.%d %d.%d: d %g, now %g, lowest %g, fraction %g\n", a, i, b, j, d, now, lowest, f);
        }
    }
    return good;
}

// The pair that is said to be the limit really comes to its threshold a little later.
static void check_limit(const cg_safe_motion *found)
{
    const cg_segment_pair *p = &found->pair;
    double d = sum_of_radii(p), now = distance_at(p, 0), speed = 0;
    for (int k = 0; k < 4; k++) {
        cg_vec3 u = s.moves[p->chain_a][p->segment_a + k % 2], v = s.moves[p->chain_b][p->segment_b + k / 2];
        speed = fmax(speed, v3_distance(u, v));
    }
    double level = now < 0.7 * d ? now : threshold(now, d) + 0.001 * d, least = INFINITY;
    for (int k = 0; k <= 200; k++) {
        double time = found->fraction + k * 0.0021 * d / speed / 200;
        least = fmin(least, distance_at(p, time));
    }
    CHECK(least <= level + 1e-9 * d);
}

// Makes the radius so large that the nearest pair is `share` diameters apart (or less: neighbours depend on it).
static void set_radius(double share)
{
    double radius = 1e-3;
    for (int round = 0; round < 4; round++) {
        for (int c = 0; c < s.t.count; c++) {
            s.t.chains[c].radius = radius;
        }
        double least = INFINITY;
        int count = list_pairs();
        for (int n = 0; n < count; n++) {
            least = fmin(least, distance_at(&all_pairs[n], 0));
        }
        if (!(least < 1e9 && least > 0)) {
            return;
        }
        radius = 0.5 * least / share;
    }
}

static void make_moves(int kind, double size, uint64_t *state)
{
    for (int c = 0; c < s.t.count; c++) {
        cg_vec3 shift = random_vec3(state, size), spin = random_vec3(state, 0.2 * size);
        for (int i = 0; i < s.t.chains[c].count; i++) {
            cg_vec3 p = s.t.points[c][i], move = shift;
            if (kind >= 1) {
                move = v3_add(move, v3_cross(spin, p));
            }
            if (kind >= 2) {
                move = v3_add(move, random_vec3(state, kind == 2 ? 0.1 * size : size));
            }
            if (kind == 4 && i % 16 != 5) {
                move = v3_zero();
            }
            s.moves[c][i] = v3_add(move, v3(1000 * size, 0, 0)); // common motion
        }
    }
}

static void make_scene(int number, uint64_t *state)
{
    static const double shares[6] = {3, 1.2, 1, 0.985, 0.9, 0.65};
    s.t.count = test_random_int(state, 1, 3);
    s.shape_count = 0;
    for (int c = 0; c < s.t.count; c++) {
        double step = test_random(state, 0.1, 0.6), curl = test_random(state, 0.1, 0.7);
        tangle_wander(&s.t, c, test_random_int(state, 2, 40), 1, step, 2, curl, state);
    }
    set_radius(shares[number % 6]);
    double d = 2 * s.t.chains[0].radius;
    make_moves(number / 6 % 5, d * pow(10, test_random(state, -1.5, 1.5)), state);
}

TEST(sampling_in_time_finds_no_pair_below_its_threshold)
{
    start();
    uint64_t state = 71;
    cg_motion_rule rule = motion_rule_default();
    rule.turn = 0;
    int count = test_count(300, 6000), limited = 0, whole = 0, none = 0;
    long looks = 0;
    for (int i = 0; i < count; i++) {
        make_scene(i, &state);
        cg_safe_motion found = find(&rule);
        CHECK(found.fraction >= 0 && found.fraction <= 1 && found.limit != CG_LIMIT_BAD);
        looks += found.looks;
        limited += found.limit == CG_LIMIT_PAIR && found.fraction > 0;
        none += found.fraction == 0;
        whole += found.fraction == 1;
        if (!check_pairs(&found, 60)) {
            printf("scene %d\n", i);
            break;
        }
        if (found.limit == CG_LIMIT_PAIR && found.cut_off == 0 && found.frozen == 0) {
            check_limit(&found);
        }
    }
    printf("%d limited, %d whole, %d at once, %.0f looks\n", limited, whole, none, (double)looks / count);
    CHECK(limited > count / 6);
    CHECK(whole > count / 20);
    CHECK(none < count / 3);
    stop();
}

TEST(a_thin_thread_shot_at_another_stops_at_its_surface)
{
    start();
    cg_motion_rule rule = motion_rule_default();
    uint64_t state = 72;
    for (int i = 0; i < test_count(300, 3000); i++) {
        double radius = pow(10, test_random(&state, -6, -3)), away = test_random(&state, 0.003, 0.1);
        s.t.count = 2;
        s.shape_count = 0;
        cg_vec3 along = random_unit(&state), across = v3_any_normal(along);
        cg_vec3 other = v3_cross(along, across);
        for (int k = 0; k < 12; k++) {
            s.t.points[0][k] = v3_scale(0.01 * (k - 5.3), along);
            s.t.points[1][k] = v3_add_scaled(v3_scale(0.01 * (k - 6.1), other), away, across);
            s.moves[0][k] = v3(5, 5, 5);
            s.moves[1][k] = v3_add_scaled(v3(5, 5, 5), -3, across); // far beyond the other side
        }
        tangle_finish_chain(&s.t, 0, 12, radius);
        tangle_finish_chain(&s.t, 1, 12, radius);
        cg_safe_motion found = find(&rule);
        CHECK(found.limit == CG_LIMIT_PAIR);
        double left = away - 3 * found.fraction;
        CHECK(left >= 0.98 * 2 * radius - 1e-15 && left <= 0.983 * 2 * radius);
        CHECK(found.looks < 6 * 121);
    }
    stop();
}

TEST(common_motion_is_free)
{
    start();
    uint64_t state = 73;
    cg_motion_rule rule = motion_rule_default();
    for (int i = 0; i < 60; i++) {
        make_scene(i, &state);
        for (int c = 0; c < s.t.count; c++) {
            for (int k = 0; k < s.t.chains[c].count; k++) {
                s.moves[c][k] = v3(3, -2, 5);
            }
        }
        cg_safe_motion found = find(&rule);
        CHECK(found.fraction == 1 && found.limit == CG_LIMIT_NONE);
    }
    stop();
}

TEST(parallel_threads_slide_along_each_other_in_a_few_looks)
{
    start();
    cg_motion_rule rule = motion_rule_default();
    s.t.count = 2;
    s.shape_count = 0;
    for (int k = 0; k < 100; k++) {
        s.t.points[0][k] = v3(k, 0, 0);
        s.t.points[1][k] = v3(k + 0.3, 2, 0);
        s.moves[0][k] = v3_zero();
        s.moves[1][k] = v3(30, 0, 0);
    }
    tangle_finish_chain(&s.t, 0, 100, 1);
    tangle_finish_chain(&s.t, 1, 100, 1);
    cg_safe_motion found = find(&rule);
    CHECK(found.fraction == 1);
    CHECK(found.looks <= 4 * found.pairs);
    stop();
}

TEST(turns_are_limited)
{
    start();
    cg_motion_rule rule = motion_rule_default();
    s.t.count = 1;
    s.shape_count = 0;
    for (int k = 0; k < 10; k++) {
        s.t.points[0][k] = v3(k, 0, 0);
        s.moves[0][k] = v3(0, k == 4 ? 2 : 0, 0);
    }
    tangle_finish_chain(&s.t, 0, 10, 0.1);
    cg_safe_motion found = find(&rule);
    CHECK(found.limit == CG_LIMIT_TURN);
    CHECK_NEAR(found.fraction, 0.25, 1e-12);
    CHECK_INT(found.pair.segment_a, 3);
    s.moves[0][7].z = NAN;
    found = find(&rule);
    CHECK(found.limit == CG_LIMIT_BAD && found.fraction == 0);
    stop();
}

static void set_segment(int chain, cg_vec3 a, cg_vec3 b, cg_vec3 move_a, cg_vec3 move_b)
{
    s.t.points[chain][0] = a;
    s.t.points[chain][1] = b;
    s.moves[chain][0] = move_a;
    s.moves[chain][1] = move_b;
    tangle_finish_chain(&s.t, chain, 2, 0.5);
}

TEST(a_segment_that_grows_into_another_is_found)
{
    start();
    cg_motion_rule rule = motion_rule_default();
    rule.turn = 0;
    s.t.count = 2;
    s.shape_count = 0;
    for (int grown = 0; grown < 2; grown++) { // its middle stays where it is
        set_segment(grown, v3(0, 0, -0.5), v3(0, 0, 0.5), v3(0, 0, -10), v3(0, 0, 10));
        set_segment(1 - grown, v3(-1, 0, 6.5), v3(1, 0, 6.5), v3_zero(), v3_zero());
        cg_safe_motion found = find(&rule);
        CHECK(found.limit == CG_LIMIT_PAIR);
        CHECK_NEAR(found.fraction, 0.502, 1e-3); // up to z = 6.5 - 0.98
    }
    stop();
}

// Tips of two segments pass each other so closely in time that the dip in their distance lies between two looks;
// another pair ends the motion inside the dip. Frozen pairs must not get nearer there.
TEST(a_frozen_pair_is_looked_at_again_where_the_motion_ends)
{
    start();
    cg_motion_rule rule = motion_rule_default();
    rule.turn = 0;
    s.t.count = 4;
    s.shape_count = 0;
    set_segment(0, v3(0, 0, 0), v3(0, 0, -1), v3_zero(), v3_zero());
    set_segment(1, v3(-0.00045, 0, 0.6), v3(-0.00045, 0, 1.6), v3(1, 0, 0), v3(1, 0, 0));
    set_segment(2, v3(50, 0, 0), v3(52, 0, 0), v3_zero(), v3_zero());
    set_segment(3, v3(51, -1, 2), v3(51, 1, 2), v3(0, 0, -2266), v3(0, 0, -2266));
    cg_segment_pair tips = {0, 0, 1, 0};
    cg_safe_motion found = find(&rule);
    CHECK_INT(found.frozen, 1);
    CHECK(found.fraction < 0.00046);
    CHECK(distance_at(&tips, found.fraction) >= distance_at(&tips, 0) - 1e-11);
    // Without the other pair they pass.
    s.t.count = 2;
    found = find(&rule);
    CHECK(found.fraction == 1);
    stop();
}

static double shape_distance_at(int shape, int c, int i, double time)
{
    cg_transform pose = cg_moving_shape_pose(&s.shapes[shape], time);
    return cg_shape_distance_segment(&s.shapes[shape].shape, &pose, place(c, i, time), place(c, i + 1, time)).distance;
}

static bool check_shapes(const cg_safe_motion *found, int samples)
{
    bool good = true;
    for (int shape = 0; shape < s.shape_count; shape++) {
        for (int c = 0; c < s.t.count; c++) {
            for (int i = 0; i + 1 < s.t.chains[c].count && good; i++) {
                double d = s.t.chains[c].radius, now = shape_distance_at(shape, c, i, 0), lowest = threshold(now, d);
                for (int k = 1; k <= samples && good; k++) {
                    double least = shape_distance_at(shape, c, i, found->fraction * k / samples);
                    good = CHECK(least >= lowest - 1e-9 * d);
                }
                if (now < 0.7 * d) {
                    good &= CHECK(shape_distance_at(shape, c, i, found->fraction) >= now - 1e-9 * d);
                }
            }
        }
    }
    return good;
}

static cg_transform random_pose(uint64_t *state, double size)
{
    cg_vec3 axis = random_unit(state), position = random_vec3(state, size);
    return (cg_transform){position, quat_from_axis_angle(axis, test_random(state, -3, 3))};
}

static void make_shapes(int number, uint64_t *state)
{
    s.shape_count = test_random_int(state, 1, 3);
    for (int k = 0; k < s.shape_count; k++) {
        const cg_shape shapes[4] = {shape_sphere(0.5), shape_capsule(0.1, 1), shape_box(v3(0.5, 0.1, 0.8)),
                                    shape_half_space()};
        cg_moving_shape *moving = &s.shapes[k];
        moving->shape = shapes[test_random_int(state, 0, 3)];
        moving->before = random_pose(state, 1.5);
        // Out of the way of the thread: as far as the pose has to go for a gap of some radii.
        double least = INFINITY;
        cg_vec3 normal = v3(0, 0, 1);
        for (int i = 0; i + 1 < s.t.chains[0].count; i++) {
            cg_shape_distance at =
                cg_shape_distance_segment(&moving->shape, &moving->before, s.t.points[0][i], s.t.points[0][i + 1]);
            if (at.distance < least) {
                least = at.distance;
                normal = at.normal;
            }
        }
        double gap = s.t.chains[0].radius * (number % 4 == 0 ? 0.995 : test_random(state, 0.9, 4));
        moving->before.position = v3_add_scaled(moving->before.position, least - gap, normal);
        moving->after = moving->before;
        moving->after.position = v3_add(moving->after.position, random_vec3(state, 1));
        cg_vec3 axis = random_unit(state);
        cg_quat turn = quat_from_axis_angle(axis, test_random(state, -1, 1) * (number % 3));
        moving->after.rotation = quat_normalise(quat_multiply(turn, moving->after.rotation));
    }
}

TEST(sampling_in_time_finds_no_segment_below_its_threshold_at_a_shape)
{
    start();
    uint64_t state = 74;
    cg_motion_rule rule = motion_rule_default();
    rule.turn = 0;
    int count = test_count(300, 6000), limited = 0, whole = 0;
    for (int i = 0; i < count; i++) {
        s.t.count = 1;
        double radius = pow(10, test_random(&state, -3, -1));
        tangle_wander(&s.t, 0, test_random_int(&state, 2, 40), radius, 0.2, 3, 0.02, &state);
        make_moves(i % 4, test_random(&state, 0, 0.5), &state);
        make_shapes(i, &state);
        // The common motion of make_moves is shared by the shapes.
        cg_vec3 common = s.moves[0][0];
        for (int k = 0; k < s.shape_count; k++) {
            s.shapes[k].after.position = v3_add(s.shapes[k].after.position, common);
        }
        cg_safe_motion found = find(&rule);
        limited += found.limit == CG_LIMIT_SHAPE && found.fraction > 0;
        whole += found.fraction == 1;
        if (!check_shapes(&found, 100) || !check_pairs(&found, 20)) {
            printf("scene %d\n", i);
            break;
        }
    }
    printf("%d limited by a shape, %d whole\n", limited, whole);
    CHECK(limited > count / 4);
    CHECK(whole > count / 40);
    stop();
}

TEST(a_thread_that_turns_with_a_tool_moves_freely)
{
    start();
    cg_motion_rule rule = motion_rule_default();
    s.t.count = 1;
    s.shape_count = 1;
    cg_moving_shape *tool = &s.shapes[0];
    *tool = (cg_moving_shape){
        .shape = shape_capsule(0.002, 0.02), .before = transform_identity(), .after = transform_identity()};
    tool->after.rotation = quat_from_axis_angle(v3(0, 1, 0), 0.05);
    tool->after.position = v3(0.003, 0.001, 0);
    for (int k = 0; k < 40; k++) {
        s.t.points[0][k] = v3(0.00211, 0, 0.0005 * (k - 20));
        cg_vec3 local = transform_point_back(tool->before, s.t.points[0][k]);
        s.moves[0][k] = v3_sub(transform_point(tool->after, local), s.t.points[0][k]);
    }
    tangle_finish_chain(&s.t, 0, 40, 0.00011);
    cg_safe_motion found = find(&rule);
    CHECK(found.fraction == 1);
    CHECK(found.looks < 40 * 12);
    stop();
}
