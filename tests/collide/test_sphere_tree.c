// Sphere trees against loops over all triangles: built, deformed, moving, with slack, with numbers that are not finite.
// The closest points themselves have their own tests (geometry.triangle).
#include <stdio.h>
#include <string.h>

#include "laid_out.h"
#include "surface.h"

typedef struct rig {
    surface a, b;
    cg_sphere_tree tree_a, tree_b;
    cg_triangle_list found;
    expected_list expected;
    void *memory;
} rig;

static rig r;

static void lay_out(cg_arena *arena, int found)
{
    cg_sphere_tree_layout(&r.tree_a, SURFACE_NODES, SURFACE_TRIANGLES, arena);
    cg_sphere_tree_layout(&r.tree_b, SURFACE_NODES, SURFACE_TRIANGLES, arena);
    cg_triangle_list_layout(&r.found, found, arena);
}

static void start(int found)
{
    r.memory = take_laid_out(lay_out, found);
}

static void stop(void)
{
    give_laid_out(r.memory);
}

static bool build(cg_sphere_tree *tree, const surface *s)
{
    cg_triangle_source source = surface_source(s);
    return CHECK(cg_sphere_tree_build(tree, &source));
}

static bool agrees(const char *what)
{
    bool same = r.found.count == r.expected.count && r.found.lost == 0 &&
                memcmp(r.found.items, r.expected.items, (size_t)r.found.count * sizeof *r.found.items) == 0;
    if (!CHECK(same)) {
        printf("%s: %d found, %d expected\n", what, r.found.count, r.expected.count);
    }
    return same;
}

static void make_surface(surface *s, uint64_t *state)
{
    int kind = test_random_int(state, 0, 3);
    if (kind == 0) {
        surface_heap(s, test_random_int(state, 0, 200), 4, state);
    } else {
        surface_grid(s, test_random_int(state, 1, kind == 1 ? 3 : 11));
        for (int i = test_random_int(state, 0, 4); i > 0; i--) {
            surface_dent(s, test_random(state, 0.5, 4), 2, state);
        }
    }
}

static cg_transform random_pose(uint64_t *state, double size)
{
    cg_vec3 position = random_in_cube(state, size), axis = random_in_cube(state, 1);
    return (cg_transform){position, quat_normalise(quat(axis.x, axis.y, axis.z, test_random(state, -1, 1)))};
}

// Every query once, beside its loop. Returns what was found in all.
static int check_queries(bool is_moving, uint64_t *state)
{
    cg_transform pose = random_pose(state, 2);
    const cg_transform *placed = test_random_int(state, 0, 2) ? &pose : NULL;
    double margin = test_random_int(state, 0, 3) ? test_random(state, 0, 0.5) : 0;
    int total = 0;

    cg_sphere_tree_find_pairs(&r.tree_a, &r.tree_b, placed, margin, &r.found);
    expect_pairs(&r.a, &r.b, placed, is_moving, margin, &r.expected);
    bool good = agrees("pairs");
    total += r.found.count;

    cg_triangle_pair hit;
    bool is_hit = cg_sphere_tree_find_hit(&r.tree_a, &r.tree_b, placed, &hit, NULL);
    good &= CHECK_INT(is_hit, expect_hit(&r.a, &r.b, placed));
    if (is_hit) {
        cg_vec3 p[3], q[3];
        surface_triangle(&r.a, hit.a, NULL, p);
        surface_triangle(&r.b, hit.b, placed, q);
        good &= CHECK(cg_triangles_meet(p, q));
    }

    margin *= 0.3;
    cg_sphere_tree_find_own_pairs(&r.tree_a, margin, &r.found);
    expect_pairs(&r.a, NULL, NULL, is_moving, margin, &r.expected);
    good &= agrees("own pairs");
    total += r.found.count;

    cg_vec3 ends[2] = {random_in_cube(state, 5), random_in_cube(state, 5)};
    cg_vec3 moves[2] = {random_in_cube(state, 0.3), random_in_cube(state, 0.3)};
    ends[1] = test_random_int(state, 0, 2) ? ends[1] : ends[0];
    double reach = test_random_int(state, 0, 3) ? test_random(state, 0, 2) : 0;
    cg_sphere_tree_find_near(&r.tree_a, ends, is_moving ? moves : NULL, reach, &r.found);
    expect_near(&r.a, ends, moves, is_moving, reach, &r.expected);
    good &= agrees("near a segment");
    total += r.found.count;

    cg_vec3 low = random_in_cube(state, 3), sides = random_in_cube(state, 2);
    cg_vec3 high = v3(low.x + fabs(sides.x), low.y + fabs(sides.y), low.z + fabs(sides.z));
    cg_sphere_tree_find_in_box(&r.tree_a, low, high, &r.found);
    expect_in_box(&r.a, low, high, is_moving, &r.expected);
    good &= agrees("in a box");
    total += r.found.count;
    return good ? total : -1;
}

TEST(queries_find_what_loops_over_all_triangles_find)
{
    uint64_t state = 71;
    start(SURFACE_FOUND);
    long total = 0;
    int count = test_count(test_is_sanitized() ? 40 : 200, 10000);
    for (int i = 0; i < count; i++) {
        make_surface(&r.a, &state);
        make_surface(&r.b, &state);
        r.tree_a.slack = r.tree_b.slack = i % 3 ? 0 : test_random(&state, 0, 0.3);
        build(&r.tree_a, &r.a);
        build(&r.tree_b, &r.b);
        bool is_moving = i % 4 == 3, good = true;
        for (int step = 0; step < 3 && good; step++) {
            if (step > 0) {
                // Local dents, at times everything a little: then the slack matters.
                surface_dent(&r.a, test_random(&state, 0.1, 3), 1, &state);
                for (int k = 0; k < r.a.node_count && step == 2; k++) {
                    r.a.positions[k] = v3_add(r.a.positions[k], random_in_cube(&state, 0.1));
                }
                cg_sphere_tree_mark_moved(&r.tree_a, r.a.positions);
                cg_sphere_tree_update(&r.tree_a, r.a.positions);
            }
            surface_move(&r.a, 1, 0.2, &state);
            surface_move(&r.b, 1, 0.2, &state);
            cg_sphere_tree_set_moves(&r.tree_a, is_moving ? r.a.moves : NULL);
            cg_sphere_tree_set_moves(&r.tree_b, is_moving ? r.b.moves : NULL);
            int found = check_queries(is_moving, &state);
            good = found >= 0 && tree_is_sound(&r.tree_a) && tree_is_sound(&r.tree_b);
            total += found;
        }
        if (!good) {
            printf("case %d\n", i);
            break;
        }
    }
    CHECK(total > 100L * count);
    stop();
}

// Two tiny triangles far apart that come together without a sphere being fitted: every query must reach that far.
TEST(what_moves_within_the_slack_is_found_where_it_is)
{
    start(10);
    r.a.node_count = 6;
    r.a.triangle_count = 0;
    for (int i = 0; i < 6; i++) {
        r.a.positions[i] = v3(i < 3 ? -1 : 1, 0.001 * (i % 3), i % 3 == 2 ? 0.001 : 0);
    }
    surface_add(&r.a, 0, 1, 2);
    surface_add(&r.a, 3, 4, 5);
    r.tree_a.slack = r.tree_b.slack = 1;
    build(&r.tree_a, &r.a);
    r.b = r.a;
    r.b.triangle_count = 1;
    build(&r.tree_b, &r.b);
    for (int i = 0; i < 6; i++) {
        r.a.positions[i].x = i < 3 ? -0.01 : 0.01;
        r.b.positions[i].x = -0.01;
    }
    CHECK_INT(cg_sphere_tree_mark_moved(&r.tree_a, r.a.positions), 0);
    CHECK_INT(cg_sphere_tree_update(&r.tree_a, r.a.positions), 0);
    CHECK_INT(cg_sphere_tree_update(&r.tree_b, r.b.positions), 0);
    cg_sphere_tree_find_own_pairs(&r.tree_a, 0.021, &r.found);
    CHECK_INT(r.found.count, 1);
    cg_sphere_tree_find_pairs(&r.tree_a, &r.tree_b, NULL, 0.021, &r.found);
    CHECK_INT(r.found.count, 2);
    cg_triangle_pair hit;
    CHECK(cg_sphere_tree_find_hit(&r.tree_a, &r.tree_b, NULL, &hit, NULL) && hit.a == 0 && hit.b == 0);
    const cg_vec3 point[2] = {{0, 0, 0}, {0, 0, 0}};
    cg_sphere_tree_find_near(&r.tree_a, point, NULL, 0.011, &r.found);
    CHECK_INT(r.found.count, 2);
    cg_sphere_tree_find_in_box(&r.tree_a, v3(-0.02, -1, -1), v3(0.02, 1, 1), &r.found);
    CHECK_INT(r.found.count, 2);
    r.tree_a.slack = r.tree_b.slack = 0;
    stop();
}

// Spheres that a set of leaves has above it and in it, counted one by one.
static int count_above(const cg_sphere_tree *tree, const bool *is_leaf_marked)
{
    int count = 0;
    for (int node = 1; node < 2 * tree->slot_count; node++) {
        int first = node, last = node;
        while (first < tree->slot_count) {
            first = 2 * first;
            last = 2 * last + 1;
        }
        bool any = false;
        for (int leaf = first; leaf <= last; leaf++) {
            any |= is_leaf_marked[leaf - tree->slot_count];
        }
        count += any;
    }
    return count;
}

TEST(only_what_deformed_is_fitted_and_each_sphere_once)
{
    uint64_t state = 72;
    static bool is_marked[2 * SURFACE_TRIANGLES];
    start(10);
    surface_grid(&r.a, 22);
    r.tree_a.slack = 0;
    build(&r.tree_a, &r.a);
    for (int i = 0; i < 100; i++) {
        surface before = r.a;
        for (int k = i % 4; k >= 0; k--) {
            surface_dent(&r.a, test_random(&state, 0.5, 4), 1, &state);
        }
        memset(is_marked, 0, sizeof is_marked);
        int moved_triangles = 0;
        for (int t = 0; t < r.a.triangle_count; t++) {
            bool moved = false;
            for (int k = 0; k < 3; k++) {
                int node = r.a.corners[t][k];
                moved |= memcmp(&before.positions[node], &r.a.positions[node], sizeof(cg_vec3)) != 0;
            }
            is_marked[r.tree_a.slot_of[t]] = moved;
            moved_triangles += moved;
        }
        int expected = count_above(&r.tree_a, is_marked);
        if (3 * moved_triangles > r.tree_a.slot_count) {
            expected = 2 * r.tree_a.slot_count - 1; // then all of them
        }
        cg_sphere_tree_mark_moved(&r.tree_a, r.a.positions);
        CHECK_INT(cg_sphere_tree_update(&r.tree_a, r.a.positions), expected);
        CHECK_INT(cg_sphere_tree_update(&r.tree_a, r.a.positions), 0);
        tree_is_sound(&r.tree_a);
    }
    stop();
}

// A leaf is the smallest sphere: no triangle fits into one a little smaller around any centre nearby.
TEST(leaves_are_the_smallest_spheres_around_their_triangles)
{
    uint64_t state = 73;
    start(10);
    for (int i = 0; i < 40; i++) {
        surface_heap(&r.a, 100, 4, &state);
        build(&r.tree_a, &r.a);
        for (int t = 0; t < r.a.triangle_count; t++) {
            const cg_tree_sphere *leaf = &r.tree_a.spheres[r.tree_a.slot_count + r.tree_a.slot_of[t]];
            cg_vec3 p[3];
            surface_triangle(&r.a, t, NULL, p);
            double side = fmax(v3_distance(p[0], p[1]), fmax(v3_distance(p[1], p[2]), v3_distance(p[2], p[0])));
            // Jung: no triangle needs more than side / sqrt(3); less than half a side is impossible.
            CHECK(leaf->radius >= 0.5 * side * (1 - 1e-9) && leaf->radius <= side / sqrt(3) * (1 + 1e-9));
            for (int k = 0; k < 20; k++) {
                cg_vec3 centre = v3_add(leaf->centre, random_in_cube(&state, 0.05 * side));
                double radius =
                    fmax(v3_distance(p[0], centre), fmax(v3_distance(p[1], centre), v3_distance(p[2], centre)));
                CHECK(radius >= leaf->radius * (1 - 1e-6));
            }
        }
    }
    stop();
}

TEST(triangles_that_are_not_finite_are_near_nothing)
{
    uint64_t state = 74;
    start(SURFACE_FOUND);
    static const double bad[4] = {NAN, INFINITY, -INFINITY, 1e300};
    for (int i = 0; i < 40; i++) {
        surface_grid(&r.a, 8);
        surface_heap(&r.b, 60, 3, &state);
        build(&r.tree_b, &r.b);
        bool from_start = i % 2 == 0;
        int node = test_random_int(&state, 0, r.a.node_count - 1);
        cg_vec3 good_place = r.a.positions[node];
        r.a.positions[node].y = from_start ? bad[i % 4] : r.a.positions[node].y;
        build(&r.tree_a, &r.a);
        r.a.positions[node].y = bad[i % 4];
        cg_sphere_tree_mark_moved(&r.tree_a, r.a.positions);
        cg_sphere_tree_update(&r.tree_a, r.a.positions);
        cg_sphere_tree_find_pairs(&r.tree_a, &r.tree_b, NULL, 0.2, &r.found);
        surface copy = r.a;
        copy.positions[node].y = NAN; // 1e300 counts as not finite
        expect_pairs(&copy, &r.b, NULL, false, 0.2, &r.expected);
        agrees("not finite");
        // It comes back.
        r.a.positions[node] = good_place;
        cg_sphere_tree_mark_moved(&r.tree_a, r.a.positions);
        cg_sphere_tree_update(&r.tree_a, r.a.positions);
        cg_sphere_tree_find_pairs(&r.tree_a, &r.tree_b, NULL, 0.2, &r.found);
        expect_pairs(&r.a, &r.b, NULL, false, 0.2, &r.expected);
        agrees("finite again");
    }
    // A motion that is not finite keeps the triangle among the candidates.
    surface_grid(&r.a, 8);
    build(&r.tree_a, &r.a);
    surface_move(&r.a, 0.1, 0.1, &state);
    r.a.moves[40].x = NAN;
    cg_sphere_tree_set_moves(&r.tree_a, r.a.moves);
    cg_vec3 far[2] = {{1000, 0, 0}, {1000, 0, 0}};
    cg_sphere_tree_find_near(&r.tree_a, far, NULL, 1, &r.found);
    CHECK_INT(r.found.count, 6);
    stop();
}

TEST(a_full_list_is_reported_and_not_overrun)
{
    start(7);
    surface_grid(&r.a, 8);
    build(&r.tree_a, &r.a);
    cg_vec3 ends[2] = {{-1, 0, 0.1}, {1, 0.5, 0.1}};
    expect_near(&r.a, ends, NULL, false, 0.5, &r.expected);
    CHECK(!cg_sphere_tree_find_near(&r.tree_a, ends, NULL, 0.5, &r.found));
    CHECK_INT(r.found.count, 7);
    CHECK_INT(r.found.lost, r.expected.count - 7);
    for (int i = 1; i < r.found.count; i++) {
        CHECK(r.found.items[i - 1].a < r.found.items[i].a);
    }
    stop();
}

TEST(trees_that_are_empty_tiny_or_do_not_fit)
{
    start(10);
    r.a.node_count = r.a.triangle_count = 0;
    build(&r.tree_a, &r.a);
    surface_grid(&r.b, 1);
    build(&r.tree_b, &r.b);
    cg_triangle_pair hit;
    CHECK(cg_sphere_tree_find_pairs(&r.tree_a, &r.tree_b, NULL, 1, &r.found) && r.found.count == 0);
    CHECK(cg_sphere_tree_find_own_pairs(&r.tree_a, 1, &r.found) && r.found.count == 0);
    CHECK(!cg_sphere_tree_find_hit(&r.tree_b, &r.tree_a, NULL, &hit, NULL) && hit.a == -1);
    CHECK_INT(cg_sphere_tree_tidy(&r.tree_a, 100), 0);
    r.b.triangle_count = 1;
    build(&r.tree_b, &r.b);
    CHECK(tree_is_sound(&r.tree_b));
    CHECK(cg_sphere_tree_find_hit(&r.tree_b, &r.tree_b, NULL, &hit, NULL));
    CHECK(cg_sphere_tree_find_own_pairs(&r.tree_b, 1, &r.found) && r.found.count == 0);
    r.b.corners[0][1] = r.b.node_count;
    cg_triangle_source source = surface_source(&r.b);
    CHECK(!cg_sphere_tree_build(&r.tree_b, &source));
    r.b.corners[0][1] = -1;
    CHECK(!cg_sphere_tree_build(&r.tree_b, &source));
    source.count = SURFACE_TRIANGLES + 1;
    CHECK(!cg_sphere_tree_build(&r.tree_b, &source));
    CHECK_INT(r.tree_b.triangle_count, 0);
    CHECK(cg_sphere_tree_find_own_pairs(&r.tree_b, 1, &r.found) && r.found.count == 0);
    stop();
}
