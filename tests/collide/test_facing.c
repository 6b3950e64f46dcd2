// Pairs of triangles that face each other, by sphere trees with normals: all that a loop over all triangles finds,
// while a surface folds, and those near nodes that moved alone.
#include <string.h>

#include "laid_out.h"
#include "surface.h"

static struct {
    surface s;
    cg_sphere_tree tree;
    cg_triangle_list found;
    void *memory;
} r;

static void lay_out(cg_arena *arena, int unused)
{
    (void)unused;
    cg_sphere_tree_layout(&r.tree, SURFACE_NODES, SURFACE_TRIANGLES, arena);
    cg_sphere_tree_layout_normals(&r.tree, arena);
    cg_triangle_list_layout(&r.found, SURFACE_FOUND, arena);
}

static void start(void)
{
    r.memory = take_laid_out(lay_out, 0);
}

static void stop(void)
{
    give_laid_out(r.memory);
}

static cg_vec3 normal_of(int triangle)
{
    cg_vec3 p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = r.s.positions[r.s.corners[triangle][k]];
    }
    return v3_unit_or(triangle_normal(p), v3_zero());
}

static bool share_a_node(int a, int b)
{
    for (int i = 0; i < 9; i++) {
        if (r.s.corners[a][i / 3] == r.s.corners[b][i % 3]) {
            return true;
        }
    }
    return false;
}

static bool was_found(int a, int b)
{
    for (int i = 0; i < r.found.count; i++) {
        if (r.found.items[i].a == a && r.found.items[i].b == b) {
            return true;
        }
    }
    return false;
}

static double distance_of(int a, int b)
{
    cg_vec3 p[3], q[3];
    for (int k = 0; k < 3; k++) {
        p[k] = r.s.positions[r.s.corners[a][k]];
        q[k] = r.s.positions[r.s.corners[b][k]];
    }
    return sqrt(cg_closest_triangles(p, q).squared_distance);
}

// Rolls the grid up to a spiral with layers 0.3 apart, and shakes it.
static void roll_up(double turns, double shake, uint64_t *seed)
{
    surface_grid(&r.s, 14);
    for (int i = 0; i < r.s.node_count; i++) {
        cg_vec3 p = r.s.positions[i], away = random_in_cube(seed, shake);
        double angle = turns * 2 * 3.14159265358979 * (p.x + 7) / 14, radius = 1.2 + 0.3 * angle / 6.2831853;
        r.s.positions[i] = v3_add(v3(radius * cos(angle), p.y, radius * sin(angle)), away);
    }
}

TEST(pairs_that_face_each_other_are_found)
{
    start();
    uint64_t seed = 5;
    int wanted = 0;
    for (int trial = 0; trial < test_count(6, 200); trial++) {
        roll_up(test_random(&seed, 0.2, 1.6), 0.1, &seed);
        r.tree.slack = 0.05;
        cg_triangle_source source = surface_source(&r.s);
        CHECK(cg_sphere_tree_build(&r.tree, &source));
        // Moves that the slack hides.
        for (int i = 0; i < r.s.node_count; i++) {
            r.s.positions[i] = v3_add(r.s.positions[i], random_in_cube(&seed, 0.025));
        }
        cg_sphere_tree_mark_moved(&r.tree, r.s.positions);
        cg_sphere_tree_update(&r.tree, r.s.positions);
        CHECK(cg_sphere_tree_find_facing(&r.tree, &r.tree, 0.4, 0.1, &r.found));
        int missed = 0;
        for (int a = 0; a < r.s.triangle_count; a++) {
            for (int b = a + 1; b < r.s.triangle_count; b++) {
                if (!share_a_node(a, b) && v3_dot(normal_of(a), normal_of(b)) < 0 && distance_of(a, b) <= 0.4) {
                    wanted++;
                    missed += !was_found(a, b);
                }
            }
        }
        CHECK_INT(missed, 0);
    }
    CHECK(wanted > 100);
    stop();
}

// A flat surface crumpled in its own plane: nothing faces anything, and triangles lie across each other.
TEST(pairs_that_look_the_same_way_are_found_when_they_are_nearer)
{
    start();
    uint64_t seed = 7;
    surface_grid(&r.s, 14);
    for (int i = 0; i < r.s.node_count; i++) {
        cg_vec3 way = random_in_cube(&seed, 0.8);
        r.s.positions[i] = v3_add(r.s.positions[i], v3(way.x, way.y, 0.01 * way.z));
    }
    cg_triangle_source source = surface_source(&r.s);
    CHECK(cg_sphere_tree_build(&r.tree, &source));
    const double alike[2] = {0.05, 0.3};
    int counts[2];
    for (int k = 0; k < 2; k++) {
        CHECK(cg_sphere_tree_find_facing(&r.tree, &r.tree, 0.5, alike[k], &r.found));
        int wanted = 0, missed = 0;
        for (int a = 0; a < r.s.triangle_count; a++) {
            for (int b = a + 1; b < r.s.triangle_count; b++) {
                if (!share_a_node(a, b) && distance_of(a, b) <= alike[k]) {
                    wanted++;
                    missed += !was_found(a, b);
                }
            }
        }
        CHECK_INT(missed, 0);
        CHECK(wanted > 10);
        counts[k] = r.found.count;
    }
    CHECK(counts[0] < counts[1]);
    stop();
}

TEST(only_what_is_asked_about_is_found)
{
    start();
    uint64_t seed = 9;
    static bool asked[SURFACE_NODES];
    static cg_triangle_pair all[SURFACE_FOUND];
    roll_up(1.5, 0.05, &seed);
    cg_triangle_source source = surface_source(&r.s);
    CHECK(cg_sphere_tree_build(&r.tree, &source));
    CHECK(cg_sphere_tree_find_facing(&r.tree, &r.tree, 0.5, 0.5, &r.found));
    int count = r.found.count, expected = 0;
    for (int i = 0; i < count; i++) {
        all[i] = r.found.items[i];
    }
    for (int i = 0; i < r.s.node_count; i++) {
        asked[i] = test_random_int(&seed, 0, 19) == 0;
    }
    cg_sphere_tree_ask(&r.tree, asked);
    CHECK(cg_sphere_tree_find_facing(&r.tree, &r.tree, 0.5, 0.5, &r.found));
    for (int i = 0; i < count; i++) {
        bool is_wanted = false;
        for (int k = 0; k < 3; k++) {
            is_wanted = is_wanted || asked[r.s.corners[all[i].a][k]] || asked[r.s.corners[all[i].b][k]];
        }
        expected += is_wanted;
        CHECK(was_found(all[i].a, all[i].b) == is_wanted);
    }
    CHECK(expected > 10 && expected < count);
    CHECK_INT(r.found.count, expected);
    cg_sphere_tree_ask(&r.tree, NULL);
    CHECK(cg_sphere_tree_find_facing(&r.tree, &r.tree, 0.5, 0.5, &r.found));
    CHECK_INT(r.found.count, count);
    stop();
}

// Boxes are only a quicker way to the same answer: without them it is the same, pair by pair.
TEST(boxes_leave_nothing_out)
{
    static cg_triangle_pair with_boxes[SURFACE_FOUND];
    start();
    uint64_t seed = 21;
    int pairs = 0;
    long compared = 0, compared_without = 0;
    for (int trial = 0; trial < test_count(6, 200); trial++) {
        roll_up(test_random(&seed, 0.2, 1.6), 0.1, &seed);
        r.tree.slack = trial % 2 == 0 ? 0 : 0.05;
        cg_triangle_source source = surface_source(&r.s);
        CHECK(cg_sphere_tree_build(&r.tree, &source));
        for (int i = 0; i < r.s.node_count; i++) {
            r.s.positions[i] = v3_add(r.s.positions[i], random_in_cube(&seed, 0.025));
        }
        cg_sphere_tree_mark_moved(&r.tree, r.s.positions);
        cg_sphere_tree_update(&r.tree, r.s.positions);
        double margin = test_random(&seed, 0, 0.6), alike = trial % 3 == 0 ? 0 : test_random(&seed, 0, margin);
        CHECK(cg_sphere_tree_find_facing(&r.tree, &r.tree, margin, alike, &r.found));
        int count = r.found.count;
        compared += r.found.distances;
        memcpy(with_boxes, r.found.items, (size_t)count * sizeof *with_boxes);
        for (int n = 1; n < 2 * r.tree.slot_count; n++) {
            r.tree.boxes[n] = (cg_tree_box){{-1e9f, -1e9f, -1e9f}, {1e9f, 1e9f, 1e9f}};
        }
        CHECK(cg_sphere_tree_find_facing(&r.tree, &r.tree, margin, alike, &r.found));
        compared_without += r.found.distances;
        if (CHECK_INT(r.found.count, count)) {
            CHECK_INT(memcmp(with_boxes, r.found.items, (size_t)count * sizeof *with_boxes), 0);
        }
        pairs += count;
    }
    CHECK(pairs > 1000);
    CHECK(compared < compared_without);
    stop();
}
