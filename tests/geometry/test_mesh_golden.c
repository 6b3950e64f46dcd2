// label: golden
// Meshes and their edits have the same bits with every compiler at every level, and an edit takes no memory.
#include "alloc_count.h"
#include "tissue/make_rig.h"

#include "geometry/mesh_edit.h"

static uint64_t hash_of(cg_mesh *mesh)
{
    cg_archive archive = cg_archive_to_hash();
    cg_mesh_visit_state(mesh, &archive);
    return cg_archive_hash(&archive);
}

static cg_mesh *make(cg_tissue_shape shape, cg_wound_kind wound)
{
    cg_tissue_def def = rig_def(shape);
    def.pose.position = v3(0.1, -0.03, 0.2);
    def.wound = wound;
    def.tension = wound == CG_WOUND_STRAIGHT ? 0.15 : 0;
    def.gap = 0.003;
    def.max_nodes = 1000;
    def.layers[1] = def.layers[0];
    def.layers[1].material.young = 20e3;
    def.layer_count = shape == CG_TISSUE_PAD ? 2 : 1;
    return rig_make(&def);
}

TEST(generators_make_the_same_bits)
{
    static const struct {
        cg_tissue_shape shape;
        cg_wound_kind wound;
    } cases[] = {
        {CG_TISSUE_PAD, CG_WOUND_NONE},    {CG_TISSUE_PAD, CG_WOUND_STRAIGHT}, {CG_TISSUE_PAD, CG_WOUND_ELLIPSE},
        {CG_TISSUE_VESSEL, CG_WOUND_NONE}, {CG_TISSUE_BOX, CG_WOUND_NONE},     {CG_TISSUE_GRID, CG_WOUND_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cg_mesh *mesh = make(cases[i].shape, cases[i].wound);
        CHECK_GOLDEN(hash_of(mesh));
        cg_mesh_destroy(mesh);
    }
}

TEST(edits_make_the_same_bits_and_take_no_memory)
{
    cg_mesh *mesh = make(CG_TISSUE_BOX, CG_WOUND_NONE), *piece = make(CG_TISSUE_BOX, CG_WOUND_NONE);
    uint64_t random = 8;
    int node, cells[2] = {5, 40};
    cg_mesh_cut_result result;
    cg_vec3 path[3] = {v3(0.1007, -0.05, 0.21), v3(0.1013, -0.03, 0.21), v3(0.1002, -0.01, 0.21)};
    cg_vec3 down[3] = {v3(0, 0, -0.1), v3(0.001, 0, -0.1), v3(0, 0, -0.1)};
    cg_mesh_blade blade = {.path = path, .down = down, .count = 3, .at_home = false, .snap = 0.1};
    piece->node_count = piece->link_count = piece->cell_count = piece->triangle_count = 0;
    long before = test_allocations();
    for (int i = 0; i < 40; i++) {
        const cg_mesh_link *link = &mesh->links[test_random_int(&random, 0, mesh->link_count - 1)];
        cg_mesh_split_edge(mesh, link->ends[0], link->ends[1], test_random(&random, 0.2, 0.8), &node);
        int triangle = test_random_int(&random, 0, mesh->triangle_count - 1);
        cg_mesh_split_triangle(mesh, (cg_mesh_point){triangle, {0.25, 0.5, 0.25}}, &node);
    }
    cg_mesh_remove_cells(mesh, cells, 2);
    cg_mesh_remove_link(mesh, 77);
    cg_status cut = cg_mesh_cut(mesh, &blade, &result);
    cg_status taken = cg_mesh_take_piece(mesh, 0, piece);
    cg_status back = cg_mesh_append(mesh, piece);
    for (int a = 0; a < mesh->node_count; a++) {
        for (int b = a + 1; b < mesh->node_count; b++) {
            if (v3_distance(mesh->home[a], mesh->home[b]) < 1e-9) {
                cg_mesh_merge_nodes(mesh, a, b);
            }
        }
    }
    CHECK_INT(test_allocations() - before, 0);
    CHECK_STR(cut.message, "");
    CHECK_STR(taken.message, "");
    CHECK_STR(back.message, "");
    CHECK(result.splits > 20 && result.parted > 20);
    CHECK_STR(cg_mesh_validate(mesh).message, "");
    CHECK_GOLDEN(hash_of(mesh));
    cg_mesh_destroy(mesh);
    cg_mesh_destroy(piece);
}
