// Sphere trees that follow the log of a mesh: triangles added, removed and renumbered, nodes too, while everything
// moves. The mesh is edited by hand here, in the ways that the log of geometry/mesh.h knows.
#include <stdio.h>
#include <string.h>

#include "laid_out.h"
#include "surface.h"

enum { EDITS = 64 };

typedef struct rig {
    surface s; // what loops look at
    cg_mesh mesh;
    cg_mesh_triangle triangles[SURFACE_TRIANGLES];
    cg_mesh_edit edits[EDITS];
    cg_sphere_tree tree;
    cg_triangle_list found;
    expected_list expected;
    void *memory;
} rig;

static rig r;

static void lay_out(cg_arena *arena, int triangles)
{
    cg_sphere_tree_layout(&r.tree, SURFACE_NODES, triangles, arena);
    cg_triangle_list_layout(&r.found, SURFACE_FOUND, arena);
}

static void start(int triangles)
{
    r.memory = take_laid_out(lay_out, triangles);
}

static void stop(void)
{
    give_laid_out(r.memory);
}

// The mesh from the surface, and back.
static void begin_mesh(void)
{
    r.mesh = (cg_mesh){.limits = {SURFACE_NODES, 0, 0, SURFACE_TRIANGLES, EDITS},
                       .position = r.s.positions,
                       .triangles = r.triangles,
                       .edits = r.edits,
                       .node_count = r.s.node_count,
                       .triangle_count = r.s.triangle_count,
                       .topology_version = 1};
    for (int t = 0; t < r.s.triangle_count; t++) {
        memcpy(r.triangles[t].nodes, r.s.corners[t], sizeof r.s.corners[t]);
    }
}

static void read_mesh(void)
{
    r.s.node_count = r.mesh.node_count;
    r.s.triangle_count = r.mesh.triangle_count;
    for (int t = 0; t < r.s.triangle_count; t++) {
        memcpy(r.s.corners[t], r.triangles[t].nodes, sizeof r.s.corners[t]);
    }
}

static void log_edit(cg_mesh_edit_kind kind, int item, int from)
{
    r.edits[r.mesh.edit_count++ % EDITS] =
        (cg_mesh_edit){.kind = kind, .item = item, .from = {from, -1, -1}, .version = ++r.mesh.topology_version};
}

static int add_node(cg_vec3 position)
{
    r.s.positions[r.mesh.node_count] = position;
    log_edit(CG_EDIT_NODE_ADDED, r.mesh.node_count, -1);
    return r.mesh.node_count++;
}

static void add_triangle(int a, int b, int c)
{
    r.triangles[r.mesh.triangle_count] = (cg_mesh_triangle){.nodes = {a, b, c}, .cell = -1};
    log_edit(CG_EDIT_TRIANGLE_ADDED, r.mesh.triangle_count++, -1);
}

static void remove_triangle(int t)
{
    log_edit(CG_EDIT_TRIANGLE_REMOVED, t, -1);
    int last = --r.mesh.triangle_count;
    if (t != last) {
        r.triangles[t] = r.triangles[last];
        log_edit(CG_EDIT_TRIANGLE_MOVED, t, last);
    }
}

// A node goes, with its triangles; the last one takes its number.
static void remove_node(int node)
{
    for (int t = r.mesh.triangle_count - 1; t >= 0; t--) {
        const int *nodes = r.triangles[t].nodes;
        if (nodes[0] == node || nodes[1] == node || nodes[2] == node) {
            remove_triangle(t);
        }
    }
    log_edit(CG_EDIT_NODE_REMOVED, node, -1);
    int last = --r.mesh.node_count;
    r.s.positions[node] = r.s.positions[last];
    log_edit(CG_EDIT_NODE_MOVED, node, last);
    for (int i = 0; i < 3 * r.mesh.triangle_count; i++) {
        int *corner = &r.triangles[i / 3].nodes[i % 3];
        *corner = *corner == last ? node : *corner;
    }
}

// A triangle cut into three from a new node in it.
static void divide_triangle(int t)
{
    const int n[3] = {r.triangles[t].nodes[0], r.triangles[t].nodes[1], r.triangles[t].nodes[2]};
    cg_vec3 p[3] = {r.s.positions[n[0]], r.s.positions[n[1]], r.s.positions[n[2]]};
    int middle = add_node(triangle_point(p, (const double[3]){0.3, 0.3, 0.4}));
    remove_triangle(t);
    add_triangle(n[0], n[1], middle);
    add_triangle(n[1], n[2], middle);
    add_triangle(n[2], n[0], middle);
}

// One triangle gets a node of its own, in place: torn off. No entry tells of its corner.
static void tear(int t, int corner)
{
    int node = r.triangles[t].nodes[corner];
    r.triangles[t].nodes[corner] = add_node(v3_add(r.s.positions[node], v3(0.02, 0.01, 0.3)));
}

static void edit_somewhere(uint64_t *state)
{
    int t = test_random_int(state, 0, r.mesh.triangle_count - 1);
    bool has_room = r.mesh.node_count + 4 < SURFACE_NODES && r.mesh.triangle_count + 4 < r.tree.triangle_capacity;
    int kind = test_random_int(state, has_room ? 0 : 3, 4);
    if (kind <= 1 && has_room) {
        divide_triangle(t);
    } else if (kind == 2) {
        tear(t, test_random_int(state, 0, 2));
    } else if (kind == 3 && r.mesh.triangle_count > 10) {
        remove_triangle(t);
    } else if (r.mesh.node_count > 30 && r.mesh.triangle_count > 40) {
        remove_node(test_random_int(state, 0, r.mesh.node_count - 1));
    }
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

static bool check_tree(uint64_t *state)
{
    read_mesh();
    bool good = tree_is_sound(&r.tree) && CHECK_INT(r.tree.triangle_count, r.s.triangle_count);
    for (int t = 0; t < r.s.triangle_count && good; t++) {
        good &= memcmp(r.tree.corners[t], r.s.corners[t], sizeof r.s.corners[t]) == 0;
    }
    good = CHECK(good);
    cg_sphere_tree_find_own_pairs(&r.tree, 0.05, &r.found);
    expect_pairs(&r.s, NULL, NULL, false, 0.05, &r.expected);
    good &= agrees("own pairs");
    cg_vec3 ends[2] = {random_in_cube(state, 6), random_in_cube(state, 6)};
    cg_sphere_tree_find_near(&r.tree, ends, NULL, 0.5, &r.found);
    expect_near(&r.s, ends, NULL, false, 0.5, &r.expected);
    return good & agrees("near a segment");
}

TEST(a_tree_follows_edits_and_motion)
{
    uint64_t state = 81;
    start(SURFACE_TRIANGLES);
    int cases = 0, count = test_count(test_is_sanitized() ? 90 : 300, 10000);
    while (cases < count) {
        surface_grid(&r.s, test_random_int(&state, 4, 14));
        begin_mesh();
        r.tree.slack = cases % 2 ? 0.02 : 0;
        CHECK(cg_sphere_tree_build_mesh(&r.tree, &r.mesh));
        bool good = true;
        for (int step = 0; step < 30 && good; step++, cases++) {
            for (int k = test_random_int(&state, 0, step % 5 == 4 ? 40 : 3); k > 0; k--) {
                edit_somewhere(&state);
            }
            r.s.node_count = r.mesh.node_count;
            if (step % 2) {
                surface_dent(&r.s, 2, 0.5, &state);
            }
            good = CHECK(cg_sphere_tree_follow(&r.tree, &r.mesh)) && check_tree(&state);
            int looked_at = cg_sphere_tree_tidy(&r.tree, 100);
            good &= CHECK(looked_at <= 100 + r.tree.triangle_count) && (looked_at == 0 || check_tree(&state));
        }
        if (!good) {
            printf("case %d\n", cases);
            break;
        }
    }
    stop();
}

TEST(a_tree_that_was_full_grows_and_one_too_small_says_so)
{
    start(160);
    surface_grid(&r.s, 8); // 128 triangles
    begin_mesh();
    r.mesh.limits.triangles = 160;
    CHECK(cg_sphere_tree_build_mesh(&r.tree, &r.mesh));
    CHECK_INT(r.tree.slot_count, 256); // room to spare, since more may come
    r.tree.triangle_capacity = 128;
    CHECK(cg_sphere_tree_build_mesh(&r.tree, &r.mesh));
    CHECK_INT(r.tree.slot_count, 128); // no more can come
    r.tree.triangle_capacity = 160;
    uint64_t state = 82;
    for (int i = 0; i < 16; i++) {
        divide_triangle(5 * i);
        CHECK(cg_sphere_tree_follow(&r.tree, &r.mesh));
        check_tree(&state);
    }
    CHECK_INT(r.tree.slot_count, 256);
    CHECK_INT(r.tree.triangle_count, 160);
    int builds = r.tree.builds;
    divide_triangle(3);
    CHECK(!cg_sphere_tree_follow(&r.tree, &r.mesh));
    CHECK(!cg_sphere_tree_follow(&r.tree, &r.mesh));
    CHECK_INT(r.tree.triangle_count, 0);
    remove_triangle(4);
    remove_triangle(4);
    CHECK(cg_sphere_tree_follow(&r.tree, &r.mesh)); // it fits again
    CHECK_INT(r.tree.builds, builds + 1);
    check_tree(&state);
    stop();
}

// Small triangles with nodes of their own, anywhere.
static void scatter(int triangles, uint64_t *state)
{
    for (int t = 0; t < triangles; t++) {
        cg_vec3 place = random_in_cube(state, 6);
        for (int k = 0; k < 3; k++) {
            r.s.positions[3 * t + k] = v3_add(place, random_in_cube(state, 0.2));
        }
    }
}

// A few edits do not lead to builds. When all triangles have changed places the tree is built anew, in portions, and
// serves meanwhile.
TEST(a_worn_tree_is_built_anew_in_portions)
{
    uint64_t state = 83;
    enum { TRIANGLES = 200 };
    start(SURFACE_TRIANGLES);
    r.s.triangle_count = 0;
    r.s.node_count = 3 * TRIANGLES;
    for (int t = 0; t < TRIANGLES; t++) {
        surface_add(&r.s, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    scatter(TRIANGLES, &state);
    begin_mesh();
    r.tree.slack = 0;
    CHECK(cg_sphere_tree_build_mesh(&r.tree, &r.mesh));
    CHECK_INT(cg_sphere_tree_tidy(&r.tree, 1000), 0);
    for (int i = 0; i < 10; i++) {
        divide_triangle(test_random_int(&state, 0, r.mesh.triangle_count - 1));
    }
    CHECK(cg_sphere_tree_follow(&r.tree, &r.mesh));
    CHECK_INT(cg_sphere_tree_tidy(&r.tree, 1000), 0);
    begin_mesh(); // without them
    CHECK(cg_sphere_tree_build_mesh(&r.tree, &r.mesh));
    scatter(TRIANGLES, &state);
    CHECK(cg_sphere_tree_follow(&r.tree, &r.mesh));
    double worn = r.tree.inner_area / r.tree.leaf_area;
    int builds = r.tree.builds, calls = 0;
    while (cg_sphere_tree_tidy(&r.tree, 50) > 0) {
        calls++;
        if (calls < 60) { // edits in between
            divide_triangle(test_random_int(&state, 0, r.mesh.triangle_count - 1));
            remove_triangle(test_random_int(&state, 0, r.mesh.triangle_count - 1));
            CHECK(cg_sphere_tree_follow(&r.tree, &r.mesh));
        }
        if (!check_tree(&state) || !CHECK(calls < 2000)) {
            break;
        }
    }
    CHECK(calls > 20);
    CHECK_INT(r.tree.builds, builds + 1);
    CHECK(r.tree.inner_area / r.tree.leaf_area < 0.8 * worn);
    stop();
}
