// What a tissue knows of each node follows the edits of its mesh: numbers change, nodes come and go.
//
// A new node lies on up to three others, with weights: it gets their velocity by these. Numbers below are those that an
// entry of the log speaks of, so the entries are followed in order. When so much was edited between two steps that the
// log has forgotten some of it, the tissue stands still and holds nothing in memory of before.
#include "base/vec3.h"
#include "tissue/tissue.h"

static void copy_node(cg_tissue *tissue, int to, int from)
{
    tissue->velocity[to] = tissue->velocity[from];
    tissue->push[to] = tissue->push[from];
    tissue->held[to] = tissue->held[from];
    tissue->target[to] = tissue->target[from];
    tissue->reaction[to] = tissue->reaction[from];
    tissue->pierced[to] = tissue->pierced[from];
    tissue->heat[to] = tissue->heat[from];
}

static void clear_node(cg_tissue *tissue, int node)
{
    tissue->velocity[node] = tissue->push[node] = tissue->held[node] = tissue->reaction[node] = v3_zero();
    tissue->pierced[node] = false;
    tissue->heat[node] = 0;
}

static void add_node(cg_tissue *tissue, const cg_mesh_edit *edit)
{
    cg_vec3 velocity = v3_zero();
    double heat = 0;
    for (int k = 0; k < 3; k++) {
        if (edit->from[k] >= 0 && edit->weights[k] != 0) {
            velocity = v3_add_scaled(velocity, edit->weights[k], tissue->velocity[edit->from[k]]);
            heat += edit->weights[k] * tissue->heat[edit->from[k]];
        }
    }
    clear_node(tissue, edit->item);
    tissue->velocity[edit->item] = velocity;
    tissue->heat[edit->item] = heat;
}

static void follow(cg_tissue *tissue, const cg_mesh_edit *edit)
{
    switch (edit->kind) {
    case CG_EDIT_NODE_ADDED:
        add_node(tissue, edit);
        break;
    case CG_EDIT_NODE_MOVED:
        copy_node(tissue, edit->item, edit->from[0]);
        break;
    case CG_EDIT_NODES_MERGED: // weighed by their masses: momentum stays
        tissue->velocity[edit->item] = v3_add(v3_scale(edit->weights[0], tissue->velocity[edit->item]),
                                              v3_scale(edit->weights[1], tissue->velocity[edit->from[0]]));
        break;
    case CG_EDIT_NODE_REMOVED:
    case CG_EDIT_LINK_ADDED:
    case CG_EDIT_LINK_MOVED:
    case CG_EDIT_LINK_REMOVED:
    case CG_EDIT_CELL_ADDED:
    case CG_EDIT_CELL_MOVED:
    case CG_EDIT_CELL_REMOVED:
    case CG_EDIT_TRIANGLE_ADDED:
    case CG_EDIT_TRIANGLE_MOVED:
    case CG_EDIT_TRIANGLE_REMOVED:
    case CG_EDIT_KIND_COUNT:
        break;
    }
}

// The log may come from a file: entries that name nodes for which there is no room were never written by an edit.
static bool is_sound(const cg_tissue *tissue)
{
    const cg_mesh *mesh = tissue->mesh;
    int room = mesh->limits.nodes;
    for (uint64_t k = tissue->followed; k < mesh->edit_count; k++) {
        const cg_mesh_edit *edit = &mesh->edits[k % (uint64_t)mesh->limits.edits];
        bool names_nodes =
            edit->kind == CG_EDIT_NODE_ADDED || edit->kind == CG_EDIT_NODE_MOVED || edit->kind == CG_EDIT_NODES_MERGED;
        bool has_source = edit->kind == CG_EDIT_NODE_ADDED || edit->from[0] >= 0;
        if (names_nodes && !(has_source && edit->item >= 0 && edit->item < room && edit->from[0] < room &&
                             edit->from[1] < room && edit->from[2] < room)) {
            return false;
        }
    }
    return true;
}

void cg_tissue_follow_edits(cg_tissue *tissue)
{
    const cg_mesh *mesh = tissue->mesh;
    uint64_t kept = (uint64_t)mesh->limits.edits;
    if (tissue->followed == mesh->edit_count) {
        return;
    }
    cg_tissue_wake(tissue);
    uint64_t from = tissue->followed;
    bool is_lost = from > mesh->edit_count || mesh->edit_count - from > kept || !is_sound(tissue);
    if (is_lost) {
        for (int i = 0; i < mesh->limits.nodes; i++) {
            clear_node(tissue, i);
        }
    } else {
        for (uint64_t k = from; k < mesh->edit_count; k++) {
            follow(tissue, &mesh->edits[k % kept]);
        }
    }
    // A node that is not fixed has its target where it is, and a fixed one that is new stays.
    for (int i = 0; i < mesh->node_count; i++) {
        tissue->target[i] = mesh->position[i];
    }
    tissue->followed = mesh->edit_count;
    cg_tissue_follow_holes(tissue, from, is_lost);
    if (tissue->watcher != NULL) {
        tissue->watcher(tissue->watcher_context, from, is_lost);
    }
}

void cg_tissue_adapt(cg_tissue *tissue)
{
    const cg_mesh *mesh = tissue->mesh;
    if (!tissue->is_compiled || tissue->compiled_version != mesh->topology_version) {
        cg_tissue_follow_edits(tissue);
        cg_springs_compile(&tissue->springs, mesh, tissue->home);
        tissue->compiled_version = mesh->topology_version;
        tissue->is_compiled = true;
        tissue->fastest = -1;
    }
}
