// Edits of the mesh while a tissue moves: its state follows, nothing is allocated in a step, and the motion goes on.
#include <math.h>

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
