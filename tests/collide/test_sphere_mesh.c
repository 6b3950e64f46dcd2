// A sphere tree over the surface of tissue that is split, cut and torn by the edits of geometry/mesh_edit.h, and moves.
#include <stdio.h>

#include "geometry/mesh_edit.h"
#include "surface.h"
#include "tissue/make_rig.h"

static surface s;
static cg_sphere_tree tree;
static cg_triangle_list found;
static expected_list expected;

static void lay_out(cg_arena *arena, const cg_mesh *mesh)
{
    cg_sphere_tree_layout(&tree, mesh->limits.nodes, mesh->limits.triangles, arena);
    cg_triangle_list_layout(&found, SURFACE_FOUND, arena);
}

static void *start(const cg_mesh *mesh)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&arena, mesh);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(&(cg_allocator){0}, bytes);
    cg_arena_init(&arena, memory, bytes);
    lay_out(&arena, mesh);
    return memory;
}

// False when the surface has become too large for the loops.
static bool read_mesh(const cg_mesh *mesh)
{
    if (mesh->node_count > SURFACE_NODES || mesh->triangle_count > SURFACE_TRIANGLES) {
        return false;
    }
    s.node_count = mesh->node_count;
    s.triangle_count = mesh->triangle_count;
    memcpy(s.positions, mesh->position, (size_t)mesh->node_count * sizeof *mesh->position);
    for (int t = 0; t < mesh->triangle_count; t++) {
        memcpy(s.corners[t], mesh->triangles[t].nodes, sizeof s.corners[t]);
    }
    return true;
}

static void cut_somewhere(cg_mesh *mesh, uint64_t *state)
{
    double x = test_random(state, -0.012, 0.012), y = test_random(state, -0.01, 0.01);
    double to_x = test_random(state, -0.012, 0.012), to_y = test_random(state, -0.01, 0.01);
    cg_vec3 path[2] = {v3(x, y, 0.01), v3(to_x, to_y, 0.01)}, down[2] = {v3(0, 0, -0.02), v3(0, 0, -0.02)};
    cg_mesh_blade blade = {.path = path, .down = down, .count = 2, .at_home = true, .snap = 0.1};
    cg_mesh_cut_result result;
    cg_mesh_cut(mesh, &blade, &result);
}

static void edit_somewhere(cg_mesh *mesh, uint64_t *state)
{
    int kind = test_random_int(state, 0, 9), node;
    if (kind == 0) {
        cut_somewhere(mesh, state);
    } else if (kind < 4) {
        cg_mesh_link link = mesh->links[test_random_int(state, 0, mesh->link_count - 1)];
        cg_mesh_split_edge(mesh, link.ends[0], link.ends[1], 0.4, &node);
    } else if (kind < 7) {
        int triangle = test_random_int(state, 0, mesh->triangle_count - 1);
        cg_mesh_split_triangle(mesh, (cg_mesh_point){triangle, {0.3, 0.3, 0.4}}, &node);
    } else if (mesh->cell_count > 20) {
        int cell = test_random_int(state, 0, mesh->cell_count - 1);
        cg_mesh_remove_cells(mesh, &cell, 1);
    }
}

// Opens what was cut, and dents the rest.
static void move_somewhere(cg_mesh *mesh, uint64_t *state)
{
    cg_vec3 middle = mesh->position[test_random_int(state, 0, mesh->node_count - 1)];
    cg_vec3 way = random_in_cube(state, 0.002);
    for (int i = 0; i < mesh->node_count; i++) {
        double away = v3_distance(mesh->position[i], middle);
        if (away < 0.004) {
            mesh->position[i] = v3_add_scaled(mesh->position[i], 1 / (1 + 1000 * away), way);
        }
    }
}

static bool agrees(const char *what)
{
    bool same = found.count == expected.count && found.lost == 0 &&
                memcmp(found.items, expected.items, (size_t)found.count * sizeof *found.items) == 0;
    if (!CHECK(same)) {
        printf("%s: %d found, %d expected\n", what, found.count, expected.count);
    }
    return same;
}

TEST(a_tree_follows_the_edits_of_tissue)
{
    uint64_t state = 84;
    int cases = 0, count = test_count(test_is_sanitized() ? 40 : 120, 10000), rebuilt = 0;
    while (cases < count) {
        cg_tissue_def def = rig_def(cases / 40 % 2 ? CG_TISSUE_BOX : CG_TISSUE_PAD);
        def.spacing = 0.004;
        def.layers[0].thickness = 0.008;
        cg_mesh *mesh = rig_make(&def);
        if (!CHECK(mesh != NULL)) {
            return;
        }
        void *memory = start(mesh);
        tree.slack = cases % 80 ? 0.0001 : 0;
        bool good = CHECK(cg_sphere_tree_build_mesh(&tree, mesh));
        int builds = tree.builds;
        for (int step = 0; step < 40 && good; step++, cases++) {
            for (int k = test_random_int(&state, 0, 3); k > 0; k--) {
                edit_somewhere(mesh, &state);
            }
            move_somewhere(mesh, &state);
            if (!read_mesh(mesh)) {
                cases++;
                break;
            }
            good = CHECK(cg_sphere_tree_follow(&tree, mesh)) && tree_is_sound(&tree);
            cg_sphere_tree_find_own_pairs(&tree, 0.0002, &found);
            expect_pairs(&s, NULL, NULL, false, 0.0002, &expected);
            good &= agrees("own pairs");
            cg_vec3 from = random_in_cube(&state, 0.015), to = random_in_cube(&state, 0.015);
            const cg_vec3 ends[2] = {from, to};
            cg_sphere_tree_find_near(&tree, ends, NULL, 0.002, &found);
            expect_near(&s, ends, NULL, false, 0.002, &expected);
            good &= agrees("near a segment");
            cg_sphere_tree_tidy(&tree, 200);
        }
        rebuilt += tree.builds - builds;
        cg_memory_give(&(cg_allocator){0}, memory);
        cg_mesh_destroy(mesh);
        if (!good) {
            printf("case %d\n", cases);
            break;
        }
    }
    CHECK(rebuilt < cases / 4); // edits are followed, not answered by building anew
}
