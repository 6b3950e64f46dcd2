// Tissue that slides in the jaws of a hand.
//
// Two jaws press on a patch from both sides, each with the grip N. Coulomb friction holds it with at most
//
//     F = 2 mu N,    mu = sqrt(friction of the jaws * friction of the tissue).
//
// Between the command and the patch are the spring k and the damper d of the hand and, behind them, the jaws. Let e be
// how far the patch is from where the command takes it, the mean over its nodes. In a step of length h without sliding
//
//     f = k e' + d (e' - e) / h
//
// pulls at the patch. When that is above F the patch slides by s in the hand's frame, along the pull, so far that F is
// left: e' becomes e' - s, and
//
//     s = (1 - F / |f|) f / (k + d/h).
//
// Below F nothing slides, not even slowly. While it slides the pull is F whatever the speed (tissue/hold.c limits it in
// the step itself). A hand that is weaker than F never gets there: it lags behind its command, and nothing slides.
//
// The jaws are a ball in the hand's frame, around the middle of the patch when it first slid. Nodes that slide out of
// it are let go, nodes of the surface beside them that come into it are taken; when none is left the hand is empty.
// Twisting alone does not make a patch slide.
#include <math.h>

#include "base/transform.h"
#include "tool/hand.h"

double cg_hand_hold_limit(const cg_hand *hand, double friction)
{
    return hand->def.grip > 0 ? 2 * hand->def.grip * sqrt(hand->def.jaw_friction * friction) : HUGE_VAL;
}

// The jaws as they are around the patch.
static void note_jaws(cg_hand *hand)
{
    cg_vec3 sum = v3_zero();
    for (int k = 0; k < hand->patch_count; k++) {
        sum = v3_add(sum, hand->local[k]);
    }
    hand->has_slid = true;
    hand->jaw = v3_scale(1.0 / hand->patch_count, sum);
    hand->jaw_reach = 0.5 * hand->def.jaw_length;
    for (int k = 0; k < hand->patch_count; k++) {
        double away = v3_distance(hand->local[k], hand->jaw);
        hand->jaw_reach = away > hand->jaw_reach ? away : hand->jaw_reach;
    }
}

void cg_hand_slide(cg_hand *hand, cg_vec3 pull, const cg_step_context *context)
{
    double strength = v3_length(pull), limit = hand->hold_limit;
    hand->is_slipping = strength > limit && hand->def.max_force > limit;
    hand->slip_speed = 0;
    if (!hand->is_slipping) {
        return;
    }
    if (!hand->has_slid) {
        note_jaws(hand);
    }
    double per_metre = hand->def.stiffness + hand->def.damping * context->inverse_step;
    cg_vec3 slip = v3_scale((1 - limit / strength) / per_metre, pull);
    cg_vec3 local = quat_rotate(quat_conjugate(hand->command.rotation), slip);
    for (int k = 0; k < hand->patch_count; k++) {
        hand->local[k] = v3_sub(hand->local[k], local);
    }
    hand->slip_speed = v3_length(slip) * context->inverse_step;
}

static bool is_in_jaws(const cg_hand *hand, cg_vec3 local)
{
    return v3_distance(local, hand->jaw) <= hand->jaw_reach;
}

// Takes the nodes of a triangle that are in the jaws.
static void take_nodes(cg_hand *hand, const cg_mesh *mesh, int triangle)
{
    for (int k = 0; k < 3 && hand->patch_count < CG_TISSUE_MOST_GRIPPED; k++) {
        int node = mesh->triangles[triangle].nodes[k];
        cg_vec3 local = transform_point_back(hand->pose, mesh->position[node]);
        if (!mesh->fixed[node] && !cg_hand_has_node(hand, node) && is_in_jaws(hand, local)) {
            hand->patch[hand->patch_count] = node;
            hand->local[hand->patch_count++] = local;
        }
    }
}

void cg_hand_change_patch(cg_hand *hand, const cg_mesh *mesh)
{
    int held = hand->patch_count;
    for (int k = 0; k < held; k++) {
        for (int at = mesh->first_triangle[hand->patch[k]]; at >= 0; at = mesh->next_triangle[at]) {
            take_nodes(hand, mesh, at / 3);
        }
    }
    for (int k = 0; k < held; k++) {
        hand->patch[k] = is_in_jaws(hand, hand->local[k]) ? hand->patch[k] : -1;
    }
    hand->has_slipped = !cg_hand_close_ranks(hand);
}
