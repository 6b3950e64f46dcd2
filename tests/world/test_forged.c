// States that no world ever had, in bytes that are whole: a snapshot or a recording may come from anybody. They are
// refused, or what they name is left out; the world goes on.
#include <stdlib.h>

#include "catgut/catgut.h"
#include "harness.h"
#include "world/world.h"

static cg_world *make_world_of(cg_tissue_id *tissue, int contacts)
{
    cg_world_def def = cg_world_def_default();
    def.max_contacts = contacts;
    cg_world *world;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    static const cg_vec3 points[3] = {{0, 0, 0.05}, {0.01, 0, 0.05}, {0.02, 0, 0.05}};
    cg_thread_def thread = cg_thread_def_default();
    thread.vertex_count = 3;
    thread.positions = points;
    cg_thread_id id;
    CHECK_STR(cg_world_add_thread(world, &thread, &id).message, "");
    cg_tissue_def pad = cg_tissue_def_default();
    pad.bond_strength = contacts > 0 ? 1e3 : 0;
    CHECK_STR(cg_world_add_tissue(world, &pad, tissue).message, "");
    return world;
}

static cg_world *make_world(cg_tissue_id *tissue)
{
    return make_world_of(tissue, 20);
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
        world->touches.rows.touches[0] =
            (cg_touch){.pair = forged[i], .axes = {{1, 0, 0}}, .force = {1, 0, 0}, .working = true};
        world->touches.rows.count = 1;
        step_from(world);
        cg_world_destroy(world);
    }
}

// A touch gives its force, normal and drift to the next step: those that no step leaves are left out.
TEST(touches_with_numbers_that_no_step_leaves)
{
    static const struct {
        cg_vec3 normal, force, drift;
        bool is_kept;
    } forged[] = {{{1, 0, 0}, {1, 0, 0}, {0, 1e-7, 0}, true},   {{0.5, 0, 0}, {1, 0, 0}, {0, 0, 0}, false},
                  {{1e200, 0, 0}, {1, 0, 0}, {0, 0, 0}, false}, {{1, 0, 0}, {1e300, 0, 0}, {0, 0, 0}, false},
                  {{1, 0, 0}, {-1e13, 0, 0}, {0, 0, 0}, false}, {{1, 0, 0}, {1, 0, 0}, {0, 1, 0}, false}};
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        cg_tissue_id id;
        cg_world *liar = make_world(&id), *honest = make_world(&id);
        liar->touches.rows.touches[0] = (cg_touch){.pair = {0, 0, 0, 1},
                                                   .axes = {forged[i].normal},
                                                   .force = forged[i].force,
                                                   .drift = forged[i].drift,
                                                   .working = true};
        liar->touches.rows.count = 1;
        step_from(liar);
        size_t size = cg_world_snapshot_size(liar);
        void *bytes = malloc(size);
        CHECK_STR(cg_world_snapshot(liar, bytes, size).message, "");
        CHECK_STR(cg_world_restore(honest, bytes, size).message, "");
        CHECK_INT(honest->touches.rows.count, forged[i].is_kept);
        free(bytes);
        cg_world_destroy(liar);
        cg_world_destroy(honest);
    }
}

// A step that is too long for an explicit tissue is refused in a state too.
TEST(a_time_step_that_explicit_tissue_cannot_take)
{
    cg_tissue_def pad = cg_tissue_def_default();
    pad.solver = CG_TISSUE_RUNGE_KUTTA;
    cg_world_def def = cg_world_def_default();
    def.time_step = 1e-4;
    cg_world *world;
    cg_tissue_id id;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    CHECK_STR(cg_world_add_tissue(world, &pad, &id).message, "");
    uint64_t hash = cg_world_state_hash(world);
    size_t size = cg_world_snapshot_size(world);
    void *bytes = malloc(size);
    world->def.time_step = 0.1;
    CHECK_STR(cg_world_snapshot(world, bytes, size).message, "");
    world->def.time_step = def.time_step;
    CHECK_INT(cg_world_restore(world, bytes, size).code, CG_BAD_INPUT);
    CHECK_HASH(cg_world_state_hash(world), hash);
    free(bytes);
    cg_world_destroy(world);
}

// What pushes can do at the very most, without contacts, which would stop the motion short: a step that leads beyond
// all places is refused, so every state that a world comes to can be loaded again.
TEST(threads_pushed_beyond_all_bounds_can_go_on)
{
    cg_tissue_id id;
    cg_world *world = make_world_of(&id, 0);
    cg_thread *thread = cg_world_first_thread(world)->thread;
    int refused = 0;
    for (int step = 0; step < 40; step++) {
        thread->force[step % 3] = v3(step % 2 == 0 ? 1e12 : -1e12, 1e12, 0);
        cg_world_step(world);
        refused += thread->refused;
        size_t now = cg_world_snapshot_size(world);
        void *bytes = malloc(now);
        CHECK_STR(cg_world_snapshot(world, bytes, now).message, "");
        CHECK_STR(cg_world_restore(world, bytes, now).message, "");
        free(bytes);
    }
    CHECK(refused > 0);
    CHECK(v3_is_finite(thread->shape.position[1]));
    cg_world_destroy(world);
}

TEST(bonds_with_what_is_not_there)
{
    static const cg_bond forged[] = {
        {.node = 50000000, .other = 1, .weights = {1, 0, 0}, .law = {1, 1}},
        {.node = 5, .other = 7, .weights = {1, 0, 0}, .law = {1, 1}},
        {.node = 5, .other = 1, .triangle = 50000000, .weights = {1, 0, 0}, .law = {1, 1}},
        {.node = 5, .other = 1, .corners = {50000000, 1, 2}, .weights = {1, 0, 0}, .law = {1, 1}},
        {.node = 5, .other = 1, .weights = {1e300, 0, 0}, .law = {1e300, 1e300}},
        {.node = 5, .other = 1, .weights = {1, 0, 0}, .rest = 1e300, .law = {1e300, 1e300}},
        {.node = 5, .other = 1, .weights = {1, 0, 0}, .law = {-1, 1}},
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

// Meets and stops of tissues name nodes, triangles and edges of meshes: what is not there is left out, before anything
// looks there.
TEST(meets_of_what_is_not_there)
{
    enum { FAR_OFF = 30000000 };
    static const struct {
        cg_meet_kind kind;
        int items[2], triangles[2];
        bool is_kept;
    } forged[] = {
        {CG_MEET_NODE, {0, 1}, {0, 1}, true},
        {CG_MEET_EDGES, {4, 7}, {1, 2}, true},
        {CG_MEET_STOPPED_NODE, {0, 1}, {0, 1}, true},
        {CG_MEET_NODE, {FAR_OFF, 1}, {0, 1}, false},
        {CG_MEET_NODE, {0, FAR_OFF}, {0, FAR_OFF}, false},
        {CG_MEET_NODE, {0, 1}, {FAR_OFF, 1}, false},
        {CG_MEET_NODE, {0, 1}, {0, 2}, false},
        {CG_MEET_NODE_BACK, {1, 0}, {1, 0}, false}, // of a tissue with itself
        {CG_MEET_EDGES, {FAR_OFF, 7}, {FAR_OFF / 3, 2}, false},
        {CG_MEET_EDGES, {4, 7}, {FAR_OFF, 2}, false},
        {CG_MEET_EDGES, {4, 7}, {1, 3}, false},
        {CG_MEET_STOPPED_EDGES, {4, FAR_OFF}, {1, FAR_OFF / 3}, false},
    };
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        cg_tissue_id id;
        cg_world *liar = make_world(&id), *honest = make_world(&id);
        cg_meet_set *set = liar->meets;
        const int *items = forged[i].items, *triangles = forged[i].triangles;
        set->meets[0] = (cg_touch){.weights = {{1, 0, 0}, {1, 0, 0}},
                                   .axes = {{0, 0, 1}},
                                   .what = forged[i].kind,
                                   .items = {items[0], items[1]}};
        touch_set_place(&set->meets[0], 0, 0, 8 * triangles[0]);
        touch_set_place(&set->meets[0], 1, 0, 8 * triangles[1]);
        set->count = 1;
        bool is_stop = forged[i].kind >= CG_MEET_STOPPED_NODE;
        set->stops[0] = (cg_meet_stop){.kind = forged[i].kind, .items = {items[0], items[1]}, .thickness = 1e-4};
        set->stop_count = is_stop;
        set->version = cg_meet_version(set);
        size_t size = cg_world_snapshot_size(liar);
        void *bytes = malloc(size);
        CHECK_STR(cg_world_snapshot(liar, bytes, size).message, "");
        CHECK_STR(cg_world_restore(honest, bytes, size).message, "");
        CHECK_INT(honest->meets->count, forged[i].is_kept);
        CHECK_INT(honest->meets->stop_count, forged[i].is_kept && is_stop);
        if (honest->meets->count == forged[i].is_kept) {
            step_from(liar);
            const cg_vec3 path[2] = {v3(-2e-3, 0, 2e-3), v3(2e-3, 0, 2e-3)};
            const cg_vec3 down[2] = {v3(0, 0, -3e-3), v3(0, 0, -3e-3)};
            cg_tissue_cut(honest, id, path, down, 2, NULL);
            cg_world_step(honest);
        }
        free(bytes);
        cg_world_destroy(liar);
        cg_world_destroy(honest);
    }
}

// Meets of meshes as they may be later would pass for those of the meshes then.
TEST(meets_of_a_mesh_that_is_not_yet)
{
    cg_tissue_id id;
    cg_world *liar = make_world(&id), *honest = make_world(&id);
    liar->meets->meets[0] = (cg_touch){.what = CG_MEET_NODE, .items = {0, 1}};
    touch_set_place(&liar->meets->meets[0], 0, 0, 0);
    touch_set_place(&liar->meets->meets[0], 1, 0, 8);
    liar->meets->count = 1;
    liar->meets->version = cg_meet_version(liar->meets) + 3;
    size_t size = cg_world_snapshot_size(liar);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(liar, bytes, size).message, "");
    CHECK_STR(cg_world_restore(honest, bytes, size).message, "");
    CHECK_INT(honest->meets->count, 0);
    free(bytes);
    cg_world_destroy(liar);
    cg_world_destroy(honest);
}
