// Surfaces that lie on each other, as the sides of a fresh cut do: nodes are drawn back by a hair, and begin with as
// little thickness. The one place beside a step of the tissue where its nodes move. See find/meet.h.
#include "base/vec3.h"
#include "find/meet.h"

// Nodes nearer to another surface than this share of the thickness lie on it.
static const double TOGETHER = 1e-3;
// [thickness] They are drawn back until they are this far apart, and begin with that.
static const double HAIR = 0.1;
// A cell must keep this share of its volume when a node is drawn back.
static const double LEAST_VOLUME = 0.5;

static bool keeps_cells(const cg_mesh *mesh, int node, cg_vec3 place)
{
    cg_vec3 before = mesh->position[node];
    for (int at = mesh->first_cell[node]; at >= 0; at = mesh->next_cell[at]) {
        double old = cg_mesh_cell_volume(mesh, at / 4, mesh->position);
        mesh->position[node] = place;
        double volume = cg_mesh_cell_volume(mesh, at / 4, mesh->position);
        mesh->position[node] = before;
        if (volume < LEAST_VOLUME * old) {
            return false;
        }
    }
    return true;
}

// Draws a node back into its own side; less far where a cell is thin.
static void draw_back(cg_meet_body *body, int node, cg_vec3 normal, double way)
{
    cg_mesh *mesh = body->tissue->mesh;
    for (int attempt = 0; attempt < 6 && !mesh->fixed[node]; attempt++, way *= 0.5) {
        cg_vec3 place = v3_add_scaled(mesh->position[node], -way, normal);
        if (keeps_cells(mesh, node, place)) {
            mesh->position[node] = place;
            body->tissue->travel[node / CG_TISSUE_BLOCK] += 2 * way;
            return;
        }
    }
}

static void shrink(cg_meet_body *body, int node, double share)
{
    cg_tissue_surface_shrink(body->surface, node, share > HAIR ? share : HAIR);
}

// Nodes that lie on a surface, and those of tissue that is new and near one, get the thickness that they have room for.
// True when a node was drawn back: distances have to be looked at again.
static bool give_room(cg_meet_set *set, cg_meet_group *group)
{
    bool has_moved = false;
    for (int i = group->first_candidate; i < group->first_candidate + group->candidate_count; i++) {
        const cg_meet_candidate *candidate = &set->candidates[i];
        cg_meet_body *a = set->bodies[group->tissues[0]], *b = set->bodies[group->tissues[1]];
        bool is_new = !a->surface->is_known || !b->surface->is_known;
        double d = 0.5 * (a->surface->thickness + b->surface->thickness);
        if (candidate->kind == CG_MEET_EDGES || !(candidate->distance < (is_new ? d : TOGETHER * d))) {
            continue;
        }
        int side = meet_node_side(candidate->kind), node = candidate->items[side];
        cg_meet_body *of_node = side ? b : a, *of_face = side ? a : b;
        shrink(of_node, node, candidate->distance / d);
        cg_touch meet = cg_meet_of(set, group, candidate->kind, candidate->items);
        for (int k = 0; k < 3; k++) {
            if (meet.weights[1 - side][k] > 0) {
                shrink(of_face, meet_triangle(of_face, touch_triangle(&meet, 1 - side))[k], candidate->distance / d);
            }
        }
        // Its own normal: that of the corner where the cut meets the skin would do as well as that of the cut.
        if (candidate->distance < TOGETHER * d && of_node->drawn[node] != set->round && meet.facing > 0) {
            of_node->drawn[node] = set->round;
            draw_back(of_node, node, cg_meet_node_normal(of_node, node, set->round), 0.5 * HAIR * d);
            has_moved = true;
        }
    }
    return has_moved;
}

static void measure_group(cg_meet_set *set, const cg_meet_group *group)
{
    for (int i = group->first_candidate; i < group->first_candidate + group->candidate_count; i++) {
        set->candidates[i].distance = cg_meet_distance(group, &set->candidates[i]);
    }
}

bool cg_meet_make_room(cg_meet_set *set)
{
    set->round++;
    bool has_moved = false;
    for (int g = 0; g < set->group_count; g++) {
        measure_group(set, &set->groups[g]);
        has_moved = give_room(set, &set->groups[g]) || has_moved;
    }
    set->round += has_moved; // normals are to be worked out anew
    for (int g = 0; g < set->group_count && has_moved; g++) {
        measure_group(set, &set->groups[g]);
    }
    for (int i = 0; i < set->body_count; i++) {
        cg_tissue_surface_grow(set->bodies[i]->surface, set->bodies[i]->tissue->time_step);
        set->bodies[i]->surface->is_known = true;
    }
    return has_moved;
}
