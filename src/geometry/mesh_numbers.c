#include "geometry/mesh_numbers.h"

void cg_mesh_numbers_layout(cg_mesh_numbers *numbers, const cg_mesh_limits *limits, cg_arena *arena)
{
    int most = limits->nodes > limits->triangles ? limits->nodes : limits->triangles;
    numbers->corners = cg_arena_push(arena, (size_t)limits->triangles, sizeof *numbers->corners);
    numbers->corner_now = cg_arena_push(arena, (size_t)limits->triangles, sizeof *numbers->corner_now);
    numbers->node_now = cg_arena_push_array(arena, int, limits->nodes);
    numbers->triangle_now = cg_arena_push_array(arena, int, limits->triangles);
    numbers->is_touched = cg_arena_push_array(arena, bool, limits->nodes);
    numbers->origin = cg_arena_push_array(arena, int, most);
}

void cg_mesh_numbers_take(cg_mesh_numbers *numbers, const cg_mesh *mesh)
{
    numbers->node_count = mesh->node_count;
    numbers->triangle_count = mesh->triangle_count;
    numbers->version = mesh->topology_version;
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            numbers->corners[t][k] = mesh->triangles[t].nodes[k];
        }
    }
}

// How one sort of items goes through the log.
typedef struct sort_of_item {
    cg_mesh_edit_kind added, moved;
    int count, count_now, room;
} sort_of_item;

// Fills `now` for the items of a sort that were there then, and leaves in `origin` where each that is there now was;
// -1: it came.
static bool follow_sort(cg_mesh_numbers *numbers, const cg_mesh *mesh, uint64_t from, const sort_of_item *sort,
                        int *now)
{
    int *origin = numbers->origin;
    for (int i = 0; i < sort->room; i++) {
        origin[i] = i < sort->count ? i : -1;
    }
    for (uint64_t k = from; k < mesh->edit_count; k++) {
        const cg_mesh_edit *edit = &mesh->edits[k % (uint64_t)mesh->limits.edits];
        if (edit->kind != sort->added && edit->kind != sort->moved) {
            continue;
        }
        bool has_room = edit->item >= 0 && edit->item < sort->room;
        if (!has_room || (edit->kind == sort->moved && !(edit->from[0] >= 0 && edit->from[0] < sort->room))) {
            return false;
        }
        origin[edit->item] = edit->kind == sort->moved ? origin[edit->from[0]] : -1;
    }
    for (int i = 0; i < sort->count; i++) {
        now[i] = -1;
    }
    for (int i = 0; i < sort->count_now; i++) {
        if (origin[i] >= 0) {
            now[origin[i]] = i;
        }
    }
    return true;
}

static void touch(cg_mesh_numbers *numbers, int node)
{
    if (node >= 0) {
        numbers->is_touched[node] = true;
    }
}

// Triangles that changed count as gone, and as come.
static void compare_corners(cg_mesh_numbers *numbers, const cg_mesh *mesh)
{
    for (int t = 0; t < numbers->triangle_count; t++) {
        int now = numbers->triangle_now[t], *before = numbers->corner_now[t];
        bool is_same = now >= 0;
        for (int k = 0; k < 3; k++) {
            before[k] = numbers->node_now[numbers->corners[t][k]];
            is_same = is_same && before[k] == mesh->triangles[now].nodes[k];
        }
        for (int k = 0; k < 3 && !is_same; k++) {
            touch(numbers, before[k]);
        }
        if (!is_same && now >= 0) {
            numbers->origin[now] = -1;
        }
        numbers->triangle_now[t] = is_same ? now : -1;
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3 && numbers->origin[t] < 0; k++) {
            touch(numbers, mesh->triangles[t].nodes[k]);
        }
    }
}

bool cg_mesh_numbers_follow(cg_mesh_numbers *numbers, const cg_mesh *mesh, uint64_t from)
{
    const sort_of_item nodes = {CG_EDIT_NODE_ADDED, CG_EDIT_NODE_MOVED, numbers->node_count, mesh->node_count,
                                mesh->limits.nodes};
    const sort_of_item triangles = {CG_EDIT_TRIANGLE_ADDED, CG_EDIT_TRIANGLE_MOVED, numbers->triangle_count,
                                    mesh->triangle_count, mesh->limits.triangles};
    numbers->nodes_then = numbers->node_count;
    numbers->version_then = numbers->version;
    bool is_known = follow_sort(numbers, mesh, from, &nodes, numbers->node_now);
    for (int i = 0; i < mesh->node_count; i++) {
        numbers->is_touched[i] = is_known && numbers->origin[i] < 0;
    }
    is_known = is_known && follow_sort(numbers, mesh, from, &triangles, numbers->triangle_now);
    if (is_known) {
        compare_corners(numbers, mesh);
    }
    cg_mesh_numbers_take(numbers, mesh);
    return is_known;
}
