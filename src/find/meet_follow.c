// What tissues that touch keep of a mesh, when it is edited. See find/meet.h.
//
// Candidates, meets and stops name nodes, triangles and edges; those of what went or changed are dropped, the others
// get their new numbers. Nodes that an edit touched are said to have moved far from where they were listed, so that the
// next step lists what is near to them as it does with those that really moved, and a state that is saved before knows
// it.
#include <string.h>

#include "base/vec3.h"
#include "find/meet.h"

// [m] "Far".
static const double FAR = 1;

// Numbers

// An item of a candidate; -1: it went.
static int item_now(const cg_meet_body *body, const cg_mesh_numbers *numbers, cg_meet_kind kind, int side, int item)
{
    if (kind == CG_MEET_EDGES) {
        int triangle = numbers->triangle_now[item / 3];
        return triangle < 0 ? -1 : cg_meet_edge_of(body, triangle, item % 3);
    }
    return side == (kind == CG_MEET_NODE_BACK) ? numbers->node_now[item] : numbers->triangle_now[item];
}

// False when something of it went.
static bool renumber_items(const cg_meet_set *set, const cg_meet_body *body, const cg_mesh_numbers *numbers,
                           cg_meet_kind kind, const int tissues[2], int items[2])
{
    for (int side = 0; side < 2; side++) {
        if (set->bodies[tissues[side]] == body) {
            items[side] = item_now(body, numbers, kind, side, items[side]);
        }
    }
    // A node that went from the surface is in no triangle.
    return items[0] >= 0 && items[1] >= 0 && cg_meet_names_something(set, kind, tissues, items);
}

// Edges of one tissue are in the order of their numbers.
static bool is_swapped(cg_meet_kind kind, const int tissues[2], const int items[2])
{
    return kind == CG_MEET_EDGES && tissues[0] == tissues[1] && items[0] > items[1];
}

static void swap_items(int items[2])
{
    int first = items[0];
    items[0] = items[1];
    items[1] = first;
}

static void renumber_candidates(cg_meet_set *set, const cg_meet_body *body, const cg_mesh_numbers *numbers)
{
    int kept = 0;
    for (int g = 0; g < set->group_count; g++) {
        cg_meet_group *group = &set->groups[g];
        int first = group->first_candidate, end = first + group->candidate_count;
        group->first_candidate = kept;
        for (int i = first; i < end; i++) {
            cg_meet_candidate candidate = set->candidates[i];
            if (renumber_items(set, body, numbers, candidate.kind, group->tissues, candidate.items)) {
                if (is_swapped(candidate.kind, group->tissues, candidate.items)) {
                    swap_items(candidate.items);
                }
                set->candidates[kept++] = candidate;
            }
        }
        group->candidate_count = kept - group->first_candidate;
    }
    set->candidate_count = kept;
}

// The triangle and weights of one side, whose item has its new number. An edge may be named by its other triangle now,
// and a node may be the corner of another first one.
static bool renumber_place(const cg_meet_body *body, const cg_mesh_numbers *numbers, cg_touch *meet, cg_meet_kind kind,
                           int side)
{
    const cg_mesh *mesh = body->tissue->mesh;
    int item = meet->items[side], triangle = numbers->triangle_now[touch_triangle(meet, side)];
    double *weights = meet->weights[side], last[3] = {weights[0], weights[1], weights[2]};
    if (kind == CG_MEET_EDGES && triangle != item / 3) {
        const int *before = mesh->triangles[triangle].nodes, *now = mesh->triangles[item / 3].nodes;
        for (int k = 0; k < 3; k++) {
            weights[k] = 0;
            for (int l = 0; l < 3; l++) {
                weights[k] = now[k] == before[l] ? last[l] : weights[k];
            }
        }
        triangle = item / 3;
    } else if (side == (kind == CG_MEET_NODE_BACK) && kind != CG_MEET_EDGES) {
        int at = mesh->first_triangle[item];
        triangle = at / 3;
        for (int k = 0; k < 3; k++) {
            weights[k] = k == at % 3;
        }
    }
    if (triangle < 0) {
        return false;
    }
    cg_meet_set_place(meet, side, touch_tissue(meet, side), triangle);
    return true;
}

static void swap_sides(cg_touch *meet)
{
    cg_touch last = *meet;
    swap_items(meet->items);
    meet->pair = (cg_segment_pair){last.pair.chain_b, last.pair.segment_b, last.pair.chain_a, last.pair.segment_a};
    memcpy(meet->weights[0], last.weights[1], sizeof last.weights[1]);
    memcpy(meet->weights[1], last.weights[0], sizeof last.weights[0]);
    meet->axes[0] = v3_neg(last.axes[0]);
    meet->point[0] = last.point[1];
    meet->point[1] = v3_add_scaled(meet->point[0], -meet->gap, meet->axes[0]);
    meet->traction = v3_neg(last.traction);
    meet->force = v3_neg(last.force);
}

static void renumber_meets(cg_meet_set *set, const cg_meet_body *body, const cg_mesh_numbers *numbers)
{
    int kept = 0;
    for (int i = 0; i < set->count; i++) {
        cg_touch meet = set->meets[i];
        const int tissues[2] = {touch_tissue(&meet, 0), touch_tissue(&meet, 1)};
        cg_meet_kind kind = meet_plain_kind(meet.what);
        bool stays = renumber_items(set, body, numbers, kind, tissues, meet.items);
        for (int side = 0; side < 2 && stays; side++) {
            stays = set->bodies[tissues[side]] != body || renumber_place(body, numbers, &meet, kind, side);
        }
        if (stays && is_swapped(kind, tissues, meet.items)) {
            swap_sides(&meet);
        }
        if (stays) {
            set->meets[kept++] = meet;
        }
    }
    set->count = kept;
    cg_meet_sort(set);
}

static void renumber_stops(cg_meet_set *set, const cg_meet_body *body, const cg_mesh_numbers *numbers)
{
    int kept = 0;
    for (int i = 0; i < set->stop_count; i++) {
        cg_meet_stop stop = set->stops[i];
        cg_meet_kind kind = meet_plain_kind(stop.kind);
        if (renumber_items(set, body, numbers, kind, stop.tissues, stop.items)) {
            if (is_swapped(kind, stop.tissues, stop.items)) {
                swap_items(stop.items);
            }
            set->stops[kept++] = stop;
        }
    }
    set->stop_count = kept;
    cg_meet_sort_stops(set);
}

static void renumber_nodes(cg_meet_body *body, const cg_mesh_numbers *numbers, int count_then)
{
    const cg_mesh *mesh = body->tissue->mesh;
    cg_vec3 *since = body->moves; // free between steps
    memcpy(since, body->since, (size_t)count_then * sizeof *since);
    for (int i = 0; i < count_then; i++) {
        if (numbers->node_now[i] >= 0) {
            body->since[numbers->node_now[i]] = since[i];
        }
    }
    for (int i = 0; i < mesh->node_count; i++) {
        if (numbers->is_touched[i]) {
            body->since[i] = v3_add(mesh->position[i], v3(FAR, 0, 0));
        }
    }
}

void cg_meet_renumber(cg_meet_set *set, cg_meet_body *body, const cg_mesh_numbers *numbers)
{
    const cg_mesh *mesh = body->tissue->mesh;
    bool was_listed = set->is_listed && body->is_listed;
    bool had_meets = set->version == cg_meet_version(set) - mesh->topology_version + body->version;
    cg_tissue_surface_follow_edits(body->surface);
    cg_meet_follow_mesh(body, numbers);
    if (was_listed) {
        renumber_candidates(set, body, numbers);
        renumber_nodes(body, numbers, numbers->nodes_then);
        body->is_listed = true;
    }
    if (had_meets) {
        renumber_meets(set, body, numbers);
        renumber_stops(set, body, numbers);
        set->version = cg_meet_version(set);
    } else {
        cg_meet_forget(set);
    }
}

void cg_meet_forget(cg_meet_set *set)
{
    set->count = set->stop_count = 0;
}
