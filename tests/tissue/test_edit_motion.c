// Edits of the mesh while a tissue moves: its state follows, nothing is allocated in a step, and the motion goes on.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_count.h"
#include "base/vec3.h"
#include "geometry/mesh_edit.h"
#include "harness.h"
#include "tissue/tissue.h"

static cg_tissue *falling_pad(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(12e-3, 10e-3, 0);
    def.layers[0].thickness = 4e-3;
    def.fix_bottom = false;
    def.drag = 0;
    cg_allocator allocator = cg_memory_default();
    cg_tissue *pad = NULL;
    CHECK_STR(cg_tissue_create(&def, &allocator, &pad).message, "");
    return pad;
}

// All fall at the same speed; a node that an edit adds does so too, and no one is disturbed.
TEST(a_new_node_has_the_velocity_of_those_it_lies_on)
{
    cg_tissue *pad = falling_pad();
    for (int step = 0; step < 50; step++) {
        cg_tissue_step(pad, 1e-3, v3(0, 0, -9.81));
    }
    int count = pad->mesh->node_count;
    const cg_mesh_link link = pad->mesh->links[3];
    int added = -1;
    CHECK_STR(cg_mesh_split_edge(pad->mesh, link.ends[0], link.ends[1], 0.5, &added).message, "");
    cg_mesh_point point = {.triangle = 5, .weights = {0.3, 0.3, 0.4}};
    int second = -1;
    CHECK_STR(cg_mesh_split_triangle(pad->mesh, point, &second).message, "");
    long before = test_allocations();
    for (int step = 0; step < 50; step++) {
        cg_tissue_step(pad, 1e-3, v3(0, 0, -9.81));
    }
    if (test_allocations_counted()) {
        CHECK_INT(test_allocations() - before, 0);
    }
    CHECK_INT(pad->mesh->node_count, count + 2);
    for (int i = 0; i < pad->mesh->node_count; i++) {
        CHECK_NEAR(pad->velocity[i].z, -0.981, 2e-3 * 0.981);
    }
    CHECK_INT(pad->stats.recovered_steps, 0);
    cg_tissue_destroy(pad);
}

// Cells are taken away, so that numbers change; what is marked on a node stays with it.
TEST(numbers_of_nodes_change_and_their_state_goes_along)
{
    cg_tissue *pad = falling_pad();
    cg_mesh *mesh = pad->mesh;
    int last = mesh->node_count - 1;
    for (int step = 0; step < 5; step++) {
        cg_tissue_step(pad, 1e-3, v3(0, 0, -9.81));
    }
    // The last node is marked; a corner near the first one goes with its cells.
    cg_tissue_pierce_node(pad, last, true);
    cg_vec3 home = mesh->home[last];
    pad->velocity[last] = v3(0.01, 0.02, 0.03);
    int corner = 0, cells[64], cell_count = 0;
    for (int at = mesh->first_cell[corner]; at >= 0 && cell_count < 64; at = mesh->next_cell[at]) {
        cells[cell_count++] = at / 4;
    }
    CHECK_STR(cg_mesh_remove_cells(mesh, cells, cell_count).message, "");
    CHECK(mesh->node_count < last + 1);
    cg_tissue_begin_step(pad, 1e-3, v3_zero());
    int found = 0;
    for (int i = 0; i < mesh->node_count; i++) {
        bool is_last = v3_distance(mesh->home[i], home) == 0;
        CHECK(pad->pierced[i] == is_last);
        CHECK(!is_last || pad->velocity[i].y == 0.02);
        found += is_last;
    }
    CHECK_INT(found, 1);
    cg_tissue_predict(pad);
    cg_tissue_finish_step(pad);
    CHECK_INT(pad->stats.recovered_steps, 0);
    cg_tissue_destroy(pad);
}

// Neighbours and rows of springs likewise.
static void check_links(const cg_springs *all, const cg_springs *kept)
{
    size_t nodes = (size_t)all->node_count, rows = (size_t)all->row_count;
    CHECK_INT(kept->row_count, all->row_count);
    CHECK(kept->shortest == all->shortest);
    CHECK(memcmp(kept->first_neighbour, all->first_neighbour, (nodes + 1) * sizeof(int)) == 0);
    CHECK(memcmp(kept->first_four, all->first_four, (rows + 1) * sizeof(int)) == 0);
    CHECK(memcmp(kept->row_node, all->row_node, rows * sizeof(int)) == 0);
    CHECK(memcmp(kept->last_spring, all->last_spring, rows * sizeof(int)) == 0);
    CHECK(memcmp(kept->own_stiffness, all->own_stiffness, nodes * sizeof(double)) == 0);
    CHECK(memcmp(kept->home_stiffness, all->home_stiffness, nodes * sizeof(double)) == 0);
    int wrong = 0;
    for (int k = 0; k < all->first_neighbour[all->node_count]; k++) {
        const cg_neighbour *a = &all->neighbours[k], *b = &kept->neighbours[k];
        wrong += a->node != b->node || a->link != b->link || a->rest != b->rest || a->stiffness != b->stiffness ||
                 a->curve != b->curve;
    }
    for (int k = 0; k < 4 * all->first_four[all->row_count]; k++) {
        const cg_spring_four *a = &all->fours[k / 4], *b = &kept->fours[k / 4];
        wrong += a->rest[k % 4] != b->rest[k % 4] || a->stiffness[k % 4] != b->stiffness[k % 4] ||
                 a->curve[k % 4] != b->curve[k % 4] || a->made[k % 4] != b->made[k % 4] || all->end[k] != kept->end[k];
    }
    CHECK_INT(wrong, 0);
}

// Cells that an edit left alone are not packed again: what is kept of them is what packing all of them gives.
static void check_packed(const cg_tissue *pad)
{
    cg_springs all;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_springs_lay_out(&all, &arena, &pad->mesh->limits, CG_SPRINGS_NEED_MATRIX);
    size_t size = cg_arena_used(&arena);
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    cg_arena_init(&arena, memory, size);
    cg_springs_lay_out(&all, &arena, &pad->mesh->limits, CG_SPRINGS_NEED_MATRIX);
    cg_springs_compile(&all, pad->mesh, pad->home);
    check_links(&all, &pad->springs);
    CHECK_INT(all.cell_count, pad->springs.cell_count);
    CHECK_INT(all.flat_count, pad->springs.flat_count);
    CHECK(all.is_closed && all.home_volume == pad->springs.home_volume);
    int wrong = 0;
    for (int k = 0; k < all.cell_count; k++) {
        const cg_packed_cell *a = &all.cells[k], *b = &pad->springs.cells[k];
        wrong += memcmp(a->nodes, b->nodes, sizeof a->nodes) != 0 || a->volume != b->volume ||
                 a->stiffness != b->stiffness || a->is_flat != b->is_flat;
    }
    CHECK_INT(wrong, 0);
    size_t nodes = (size_t)all.node_count, places = 4 * (size_t)all.cell_count;
    CHECK_INT(all.first_cell[all.node_count], 4 * all.cell_count);
    CHECK(memcmp(pad->springs.first_cell, all.first_cell, (nodes + 1) * sizeof(int)) == 0);
    CHECK(memcmp(pad->springs.cell_at, all.cell_at, places * sizeof(int)) == 0);
    free(memory);
}

TEST(what_is_kept_of_links_and_cells_is_what_compiling_all_gives)
{
    cg_tissue *pad = falling_pad();
    for (int round = 0; round < 12; round++) {
        double y = -4e-3 + 0.6e-3 * round;
        const cg_vec3 path[2] = {{-3e-3, y, 1e-3}, {2e-3, y + 0.4e-3, 1e-3}}, down[2] = {{0, 0, -3e-3}, {0, 0, -3e-3}};
        const cg_mesh_blade blade = {.path = path, .down = down, .count = 2, .at_home = true};
        cg_mesh_cut_result result;
        if (round % 3 == 0) {
            cg_tissue_cut_along(pad, &blade, &result);
        } else if (round % 3 == 1) { // numbers of nodes and cells are used again for others
            const int cells[2] = {7 * round, 11 * round};
            CHECK_STR(cg_mesh_remove_cells(pad->mesh, cells, 2).message, "");
        } else { // the same cells of the same numbers, made elsewhere
            pad->mesh->home[5 * round].x += 1e-5;
            pad->mesh->cells[13 * round].share[2] *= 1.5;
            pad->mesh->links[17 * round].stiffness *= 1.25;
            pad->mesh->topology_version++;
        }
        cg_tissue_step(pad, 1e-3, v3(0, 0, -9.81));
        check_packed(pad);
    }
    cg_tissue_destroy(pad);
}
