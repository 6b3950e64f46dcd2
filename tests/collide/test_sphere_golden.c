// label: golden
// The same spheres and the same findings with every compiler and at every optimisation level.
#include "base/hash.h"
#include "laid_out.h"
#include "surface.h"

static surface s;
static cg_sphere_tree tree;
static cg_triangle_list found;

static void lay_out(cg_arena *arena, int unused)
{
    (void)unused;
    cg_sphere_tree_layout(&tree, SURFACE_NODES, SURFACE_TRIANGLES, arena);
    cg_triangle_list_layout(&found, SURFACE_FOUND, arena);
}

TEST(a_grid_that_is_dented_and_looked_at)
{
    void *memory = take_laid_out(lay_out, 0);
    surface_grid(&s, 20);
    cg_triangle_source source = surface_source(&s);
    CHECK(cg_sphere_tree_build(&tree, &source));
    uint64_t state = 85;
    cg_hash hash = cg_hash_begin();
    for (int step = 0; step < 40; step++) {
        surface_dent(&s, test_random(&state, 1, 6), 2, &state);
        cg_sphere_tree_mark_moved(&tree, s.positions);
        cg_sphere_tree_update(&tree, s.positions);
        cg_sphere_tree_tidy(&tree, 300);
        cg_vec3 from = random_in_cube(&state, 8), to = random_in_cube(&state, 8);
        cg_vec3 ends[2] = {from, to};
        cg_sphere_tree_find_near(&tree, ends, NULL, 1, &found);
        cg_hash_add_bytes(&hash, found.items, (size_t)found.count * sizeof *found.items);
        cg_sphere_tree_find_own_pairs(&tree, 0.05, &found);
        cg_hash_add_bytes(&hash, found.items, (size_t)found.count * sizeof *found.items);
        for (int t = 0; t < s.triangle_count; t++) {
            cg_vec3 p[3], q[3];
            surface_triangle(&s, t, NULL, p);
            surface_triangle(&s, (7 * t + step) % s.triangle_count, NULL, q);
            cg_triangle_closest closest = cg_closest_triangles(p, q);
            cg_hash_add_double(&hash, closest.squared_distance);
            cg_hash_add_doubles(&hash, closest.weights, 3);
            cg_hash_add_doubles(&hash, closest.own_weights, 3);
        }
    }
    for (int i = 1; i < 2 * tree.slot_count; i++) {
        cg_hash_add_double(&hash, tree.spheres[i].centre.x);
        cg_hash_add_double(&hash, tree.spheres[i].centre.y);
        cg_hash_add_double(&hash, tree.spheres[i].centre.z);
        cg_hash_add_double(&hash, tree.spheres[i].radius);
    }
    CHECK_GOLDEN(cg_hash_end(&hash));
    give_laid_out(memory);
}
