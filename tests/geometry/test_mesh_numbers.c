// What became of nodes and triangles by edits, against the places of their corners at home.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "geometry/mesh_edit.h"
#include "geometry/mesh_numbers.h"
#include "harness.h"
#include "tissue/tissue.h"

typedef struct rig {
    cg_tissue *tissue;
    cg_mesh_numbers numbers;
    void *memory;
} rig;

static rig begin(void)
{
    rig r = {0};
    cg_allocator allocator = cg_memory_default();
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(12e-3, 10e-3, 0);
    CHECK_STR(cg_tissue_create(&def, &allocator, &r.tissue).message, "");
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_mesh_numbers_layout(&r.numbers, &r.tissue->mesh->limits, &arena);
    size_t bytes = cg_arena_used(&arena);
    r.memory = malloc(bytes);
    cg_arena_init(&arena, r.memory, bytes);
    cg_mesh_numbers_layout(&r.numbers, &r.tissue->mesh->limits, &arena);
    cg_mesh_numbers_take(&r.numbers, r.tissue->mesh);
    return r;
}

static void end(rig *r)
{
    cg_tissue_destroy(r->tissue);
    free(r->memory);
}

enum { MOST = 4000 };
typedef struct look {
    cg_vec3 nodes[MOST], triangles[MOST][3];
    int node_count, triangle_count;
} look;

static void look_at(const cg_mesh *mesh, look *l)
{
    l->node_count = mesh->node_count;
    l->triangle_count = mesh->triangle_count;
    memcpy(l->nodes, mesh->home, (size_t)mesh->node_count * sizeof *l->nodes);
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            l->triangles[t][k] = mesh->home[mesh->triangles[t].nodes[k]];
        }
    }
}

static bool is_same(cg_vec3 a, cg_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void edit(cg_mesh *mesh, int kind, uint64_t *seed)
{
    int node, cell = (int)test_random(seed, 0, mesh->cell_count - 1);
    const int *nodes = mesh->cells[cell].nodes;
    if (kind == 0) {
        cg_mesh_split_edge(mesh, nodes[0], nodes[1], test_random(seed, 0.3, 0.7), &node);
    } else if (kind == 1) {
        cg_mesh_remove_cells(mesh, &cell, 1);
    } else {
        double x = test_random(seed, -5e-3, 5e-3), y = test_random(seed, -5e-3, 5e-3);
        const cg_vec3 path[2] = {{x, y, 1e-3}, {x + 2e-3, y + 1e-3, 1e-3}}, down[2] = {{0, 0, -3e-3}, {0, 0, -3e-3}};
        cg_mesh_blade blade = {.path = path, .down = down, .count = 2};
        cg_mesh_cut_result result;
        cg_mesh_cut(mesh, &blade, &result);
    }
}

TEST(items_are_found_again_and_what_changed_is_touched)
{
    static look before;
    rig r = begin();
    cg_mesh *mesh = r.tissue->mesh;
    uint64_t seed = 5;
    int went = 0, renumbered = 0;
    for (int round = 0; round < 60 && mesh->cell_count > 50; round++) {
        look_at(mesh, &before);
        uint64_t from = mesh->edit_count;
        for (int k = 0; k <= round % 3; k++) {
            edit(mesh, (round + k) % 3, &seed);
        }
        if (!CHECK(cg_mesh_numbers_follow(&r.numbers, mesh, from)) || mesh->node_count > MOST) {
            break;
        }
        for (int i = 0; i < before.node_count; i++) {
            int now = r.numbers.node_now[i];
            CHECK(now < 0 || is_same(mesh->home[now], before.nodes[i]));
        }
        for (int t = 0; t < before.triangle_count; t++) {
            int now = r.numbers.triangle_now[t];
            went += now < 0;
            renumbered += now >= 0 && now != t;
            for (int k = 0; k < 3 && now >= 0; k++) {
                CHECK(is_same(mesh->home[mesh->triangles[now].nodes[k]], before.triangles[t][k]));
            }
        }
        // A triangle of which no node was touched was there before, at this place.
        for (int t = 0; t < mesh->triangle_count; t++) {
            const int *n = mesh->triangles[t].nodes;
            bool is_old = false;
            for (int b = 0; b < before.triangle_count && !is_old; b++) {
                is_old = r.numbers.triangle_now[b] == t;
            }
            CHECK(is_old || (r.numbers.is_touched[n[0]] && r.numbers.is_touched[n[1]] && r.numbers.is_touched[n[2]]));
        }
    }
    CHECK(went > 20 && renumbered > 20);
    end(&r);
}

TEST(a_log_that_names_what_is_not_there_is_refused)
{
    rig r = begin();
    cg_mesh *mesh = r.tissue->mesh;
    uint64_t from = mesh->edit_count;
    mesh->edits[from % (uint64_t)mesh->limits.edits] =
        (cg_mesh_edit){.kind = CG_EDIT_NODE_MOVED, .item = 0, .from = {mesh->limits.nodes, -1, -1}};
    mesh->edit_count++;
    CHECK(!cg_mesh_numbers_follow(&r.numbers, mesh, from));
    end(&r);
}
