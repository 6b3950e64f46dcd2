// A hand that carries a scalpel or a cautery hook: both do what they do while it is closed, in the last stage of a
// step, along the way that the hand went in it. What the blade meets acts on the hand in the next step, as with a probe
// (hand_body.c); the hook feels nothing.
#include "base/transform.h"
#include "tool/burn.h"
#include "tool/hand.h"

cg_edge cg_hand_edge(const cg_hand *hand, cg_transform pose)
{
    return (cg_edge){pose.position, transform_point(pose, hand->def.edge)};
}

void cg_hand_cut(cg_hand *hand, cg_tissue *tissue, const cg_step_context *context)
{
    cg_edge before = cg_hand_edge(hand, hand->start), after = cg_hand_edge(hand, hand->pose);
    if (tissue != NULL) {
        cg_blade_sweep(&hand->blade, tissue, before, after, context->time_step);
    }
    cg_vec3 force = tissue != NULL ? hand->blade.force : v3_zero();
    cg_vec3 along = v3_unit_or(v3_sub(after.heel, after.tip), v3_zero());
    cg_vec3 arm = v3_scale(0.5 * hand->blade.inside, along); // it is in the tissue up to there
    cg_hand_feel_tool(hand, force, v3_cross(arm, force), v3_sub(hand->pose.position, hand->start.position));
}

void cg_hand_end_cut(cg_hand *hand, cg_tissue *tissue)
{
    cg_blade_end(&hand->blade, tissue);
    hand->cut_tissue = (cg_handle){0, 0};
    hand->felt_stiffness = 0;
    hand->force = hand->torque = v3_zero();
}

bool cg_hand_burn(const cg_hand *hand, cg_tissue *tissue, const cg_step_context *context)
{
    cg_burn burn = {.before = hand->start.position,
                    .after = hand->pose.position,
                    .radius = hand->def.hook_radius,
                    .power = hand->def.hook_power};
    cg_burn_result result;
    cg_burn_step(tissue, &burn, context->time_step, &result);
    return result.heat > 0;
}

void cg_hand_visit_blade(cg_archive *archive, cg_hand *hand)
{
    int place = (int)hand->cut_tissue.index;
    cg_archive_int(archive, &place, 0, 64);
    cg_archive_double(archive, &hand->felt_stiffness);
    cg_blade_visit_state(archive, &hand->blade);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        hand->cut_tissue = (cg_handle){(unsigned)place, 0}; // the world knows the generation
    }
}
