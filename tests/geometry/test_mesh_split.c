// A cell that is split: each part has its share of the mass and of the stiffness, as its volume tells. Together the
// parts hide a mistake in that; when one of them is taken away it shows.
#include "base/memory.h"
#include "base/vec3.h"
#include "geometry/mesh_edit.h"
#include "harness.h"

static cg_mesh_side any_side(const cg_mesh *mesh, const int nodes[3], void *context)
{
    (void)mesh;
    (void)nodes;
    (void)context;
    return CG_SIDE_TOP;
}

// One cell of unlike edges; its first edge will be split.
static cg_mesh *one_cell(void)
{
    static const cg_vec3 corners[4] = {{0, 0, 0}, {4e-3, 0, 0}, {1e-3, 3e-3, 0}, {1e-3, 1e-3, 2e-3}};
    static const double share[6] = {10, 11, 12, 13, 14, 15};
    cg_allocator allocator = cg_memory_default();
    cg_mesh *mesh;
    CHECK_STR(cg_mesh_create(&allocator, &(cg_mesh_limits){20, 60, 20, 40, 100}, &mesh).message, "");
    for (int i = 0; i < 4; i++) {
        cg_mesh_add_node(mesh, corners[i]);
    }
    CHECK_INT(cg_mesh_add_cell(mesh, (int[4]){0, 1, 2, 3}, share, 6e-6, 0), 0);
    CHECK(cg_mesh_add_surface(mesh, any_side, NULL));
    cg_mesh_finish(mesh);
    CHECK_STR(cg_mesh_validate(mesh).message, "");
    return mesh;
}

static double stiffness_of(const cg_mesh *mesh, int a, int b)
{
    int link = cg_mesh_find_link(mesh, a, b);
    return CHECK(link >= 0) ? mesh->links[link].stiffness : 0;
}

// The node at a place of the shape at home.
static int node_at(const cg_mesh *mesh, cg_vec3 home)
{
    for (int i = 0; i < mesh->node_count; i++) {
        if (v3_distance(mesh->home[i], home) < 1e-12) {
            return i;
        }
    }
    CHECK(false);
    return 0;
}

TEST(a_part_of_a_cell_takes_its_share_with_it)
{
    for (int part = 0; part < 2; part++) { // that stays: the one at the start of the edge, or at its end
        double t = 0.25, left = part == 0 ? t : 1 - t;
        cg_mesh *mesh = one_cell();
        int middle;
        CHECK_STR(cg_mesh_split_edge(mesh, 0, 1, t, &middle).message, "");
        cg_vec3 c = mesh->home[2], d = mesh->home[3], m = mesh->home[middle], end = mesh->home[part == 0 ? 0 : 1];
        double across = stiffness_of(mesh, 2, 3),
               spokes[2] = {stiffness_of(mesh, middle, 2), stiffness_of(mesh, middle, 3)};
        CHECK_NEAR(across, 15, 1e-9); // of both parts together: nothing is lost
        CHECK_STR(cg_mesh_remove_cells(mesh, &(int){1 - part}, 1).message, "");
        CHECK_STR(cg_mesh_validate(mesh).message, "");
        CHECK_INT(mesh->cell_count, 1);
        int nodes[4] = {node_at(mesh, c), node_at(mesh, d), node_at(mesh, m), node_at(mesh, end)};
        CHECK_NEAR(cg_mesh_cell_volume(mesh, 0, mesh->home), left * 4e-9, 1e-15); // 4 mm3 in all
        CHECK_NEAR(mesh->cells[0].mass, left * 6e-6, 1e-15);
        CHECK_NEAR(stiffness_of(mesh, nodes[0], nodes[1]), left * across, 1e-9);
        CHECK_NEAR(stiffness_of(mesh, nodes[2], nodes[0]), left * spokes[0], 1e-9);
        CHECK_NEAR(stiffness_of(mesh, nodes[2], nodes[1]), left * spokes[1], 1e-9);
        CHECK_NEAR(stiffness_of(mesh, nodes[2], nodes[3]), 10 / left, 1e-9); // a shorter spring is stiffer
        cg_mesh_destroy(mesh);
    }
}
