// A hand that holds tissue: a patch of its surface, drawn to where the hand's command takes it by a spring and a damper
// of limited force (tissue/hold.c). What friction of the jaws does not hold slides (hand_slip.c).
#include <math.h>

#include "base/transform.h"
#include "geometry/triangle.h"
#include "tool/hand.h"

bool cg_hand_has_node(const cg_hand *hand, int node)
{
    for (int k = 0; k < hand->patch_count; k++) {
        if (hand->patch[k] == node) {
            return true;
        }
    }
    return false;
}

static void add_nodes(cg_hand *hand, const cg_mesh *mesh, int triangle, cg_vec3 middle, double radius)
{
    for (int k = 0; k < 3 && hand->patch_count < CG_TISSUE_MOST_GRIPPED; k++) {
        int node = mesh->triangles[triangle].nodes[k];
        if (!mesh->fixed[node] && v3_distance(mesh->position[node], middle) <= radius &&
            !cg_hand_has_node(hand, node)) {
            hand->patch[hand->patch_count++] = node;
        }
    }
}

// The patch grows from the nearest triangle over neighbours, so that it does not leap across a wound to the other lip.
bool cg_hand_take_patch(cg_hand *hand, const cg_mesh *mesh, cg_handle handle, const cg_mesh_point *point)
{
    const int *corner = mesh->triangles[point->triangle].nodes;
    cg_vec3 middle = v3_zero();
    double radius = 0.5 * hand->def.jaw_length;
    for (int k = 0; k < 3; k++) {
        middle = v3_add_scaled(middle, point->weights[k], mesh->position[corner[k]]);
    }
    for (int k = 0; k < 3; k++) {
        double away = v3_distance(mesh->position[corner[k]], middle);
        radius = away > radius ? away : radius; // the nearest triangle is always in it
    }
    hand->patch_count = 0;
    add_nodes(hand, mesh, point->triangle, middle, radius);
    for (int k = 0; k < hand->patch_count; k++) {
        for (int at = mesh->first_triangle[hand->patch[k]]; at >= 0; at = mesh->next_triangle[at]) {
            add_nodes(hand, mesh, at / 3, middle, radius);
        }
    }
    for (int k = 0; k < hand->patch_count; k++) {
        hand->local[k] = transform_point_back(hand->pose, mesh->position[hand->patch[k]]);
    }
    hand->tissue = hand->patch_count > 0 ? handle : (cg_handle){0, 0};
    return hand->patch_count > 0;
}

void cg_hand_grip_patch(cg_hand *hand, const cg_tissue *tissue, double friction, const cg_step_context *context)
{
    hand->hold_limit = cg_hand_hold_limit(hand, friction);
    cg_tissue_hold hold = {.count = hand->patch_count,
                           .stiffness = hand->def.stiffness,
                           .damping = hand->def.damping,
                           .most_force = hand->def.max_force,
                           .slips = true,
                           .most_drag = hand->hold_limit};
    for (int k = 0; k < hand->patch_count; k++) {
        cg_vec3 from = transform_point(hand->last_command, hand->local[k]);
        hold.nodes[k] = hand->patch[k];
        hold.targets[k] = transform_point(hand->command, hand->local[k]);
        hold.speeds[k] = v3_scale(context->inverse_step, v3_sub(hold.targets[k], from));
    }
    hand->tissue_grip = cg_tissue_grip_of(tissue, &hold, context->time_step);
}

// The hand is where the patch is.
void cg_hand_feel_patch(cg_hand *hand, const cg_tissue *tissue, const cg_step_context *context)
{
    cg_vec3 pull = cg_tissue_grip_force(tissue, &hand->tissue_grip), there = v3_zero(), local = v3_zero();
    cg_hand_slide(hand, v3_scale(1 / hand->tissue_grip.share, pull), context);
    for (int k = 0; k < hand->patch_count; k++) {
        there = v3_add(there, tissue->mesh->position[hand->patch[k]]);
        local = v3_add(local, hand->local[k]);
    }
    double share = 1.0 / hand->patch_count;
    cg_transform pose = {v3_zero(), cg_hand_turned(hand, context->time_step)};
    pose.position = v3_sub(v3_scale(share, there), quat_rotate(pose.rotation, v3_scale(share, local)));
    cg_hand_arrive(hand, pose, context->inverse_step);
    hand->force = v3_neg(pull);
    hand->torque = v3_cross(v3_sub(v3_scale(share, there), pose.position), hand->force);
    if (hand->is_slipping) {
        cg_hand_change_patch(hand, tissue->mesh);
    }
}

void cg_hand_visit_patch(cg_archive *archive, cg_hand *hand)
{
    int place = (int)hand->tissue.index;
    cg_archive_int(archive, &place, 0, 64);
    int count = cg_archive_length(archive, hand->patch_count, CG_TISSUE_MOST_GRIPPED);
    for (int k = 0; k < count; k++) {
        cg_archive_int(archive, &hand->patch[k], 0, 100000000);
    }
    cg_archive_vec3s(archive, hand->local, (size_t)count);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        hand->tissue = (cg_handle){(unsigned)place, 0}; // the world knows the generation
        hand->patch_count = count;
    }
}
