// States that no world ever had, in bytes that are whole: a snapshot or a recording may come from anybody. They are
// refused, or what they name is left out; the world goes on.
#include <stdlib.h>

#include "catgut/catgut.h"
#include "harness.h"
#include "world/world.h"

static cg_world *make_world(cg_tissue_id *tissue)
{
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 20;
    cg_world *world;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    static const cg_vec3 points[3] = {{0, 0, 0.05}, {0.01, 0, 0.05}, {0.02, 0, 0.05}};
    cg_thread_def thread = cg_thread_def_default();
    thread.vertex_count = 3;
    thread.positions = points;
    cg_thread_id id;
    CHECK_STR(cg_world_add_thread(world, &thread, &id).message, "");
    cg_tissue_def pad = cg_tissue_def_default();
    pad.bond_strength = 1e3;
    CHECK_STR(cg_world_add_tissue(world, &pad, tissue).message, "");
    return world;
}

// Saves the forged state of one world and goes on from it in another.
static void step_from(cg_world *forged)
{
    size_t size = cg_world_snapshot_size(forged);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(forged, bytes, size).message, "");
    cg_tissue_id tissue;
    cg_world *world = make_world(&tissue);
    if (cg_world_restore(world, bytes, size).code == CG_OK) {
        cg_tissue_bond bond;
        if (cg_tissue_get_bond(world, tissue, 0, &bond)) {
            CHECK(bond.node < cg_tissue_max_nodes(world, tissue));
        }
        cg_tissue_merge_bonds(world, tissue, NULL);
        cg_world_step(world);
        cg_world_step(world);
    }
    int count;
    const cg_vec3 *nodes = cg_tissue_positions(world, tissue, &count);
    CHECK(v3_is_finite(nodes[0]) && v3_is_finite(nodes[count - 1]));
    free(bytes);
    cg_world_destroy(world);
}

TEST(edits_that_name_nodes_beyond_all_room)
{
    static const cg_mesh_edit forged[] = {
        {.kind = CG_EDIT_NODE_ADDED, .item = 50000000, .from = {-1, -1, -1}},
        {.kind = CG_EDIT_NODE_ADDED, .item = 0, .from = {-1, 50000000, -1}, .weights = {0, 1, 0}},
        {.kind = CG_EDIT_NODE_MOVED, .item = 0, .from = {50000000, -1, -1}},
        {.kind = CG_EDIT_NODE_MOVED, .item = 0, .from = {-1, -1, -1}},
    };
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        cg_tissue_id id;
        cg_world *world = make_world(&id);
        cg_mesh *mesh = cg_world_find_tissue(world, id)->mesh;
        mesh->edits[mesh->edit_count++ % (uint64_t)mesh->limits.edits] = forged[i];
        step_from(world);
        cg_world_destroy(world);
    }
}

TEST(touches_of_threads_and_shapes_that_are_not_there)
{
    static const cg_segment_pair forged[] = {
        {5000, 0, 5000, 5}, {0, 70000, 0, 80000}, {0, 0, 0, 2}, {0, 0, CG_CHAINS_OF_KIND + 7, 0}};
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        cg_tissue_id id;
        cg_world *world = make_world(&id);
        world->touches.touches[0] =
            (cg_touch){.pair = forged[i], .axes = {{1, 0, 0}}, .force = {1, 0, 0}, .working = true};
        world->touches.count = 1;
        step_from(world);
        cg_world_destroy(world);
    }
}

TEST(bonds_with_what_is_not_there)
{
    static const cg_bond forged[] = {
        {.node = 50000000, .other = 1, .weights = {1, 0, 0}, .strength = 1, .stiffness = 1},
        {.node = 5, .other = 7, .weights = {1, 0, 0}, .strength = 1, .stiffness = 1},
        {.node = 5, .other = 1, .triangle = 50000000, .weights = {1, 0, 0}, .strength = 1, .stiffness = 1},
        {.node = 5, .other = 1, .corners = {50000000, 1, 2}, .weights = {1, 0, 0}, .strength = 1, .stiffness = 1},
        {.node = 5, .other = 1, .weights = {1e300, 0, 0}, .strength = 1e300, .stiffness = 1e300},
        {.node = 5, .other = 1, .weights = {1, 0, 0}, .rest = 1e300, .strength = 1e300, .stiffness = 1e300},
        {.node = 5, .other = 1, .weights = {1, 0, 0}, .strength = -1, .stiffness = 1},
    };
    for (size_t i = 0; i < 2 * sizeof forged / sizeof forged[0]; i++) {
        cg_tissue_id id;
        cg_world *world = make_world(&id);
        cg_bond_set *set = world->bond_sets[0];
        set->bonds[0] = forged[i / 2];
        if (i % 2 == 0) { // with a triangle that is there
            const int *nodes = set->tissue->mesh->triangles[0].nodes;
            for (int k = 0; k < 3; k++) {
                set->bonds[0].corners[k] = nodes[k];
            }
        }
        set->count = 1;
        step_from(world);
        cg_world_destroy(world);
    }
}
