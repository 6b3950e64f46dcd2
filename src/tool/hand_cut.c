// A hand that carries a scalpel or a cautery hook: both do what they do while it is closed, in the last stage of a
// step, along the way that the hand went in it. What the blade meets acts on the hand in the next step, as with a probe
// (hand_body.c); the hook feels nothing.
#include "base/transform.h"
#include "tool/hand.h"

cg_edge cg_hand_edge(const cg_hand *hand, cg_transform pose)
{
    return (cg_edge){pose.position, transform_point(pose, hand->def.edge)};
}

void cg_hand_feel_blade(cg_hand *hand)
{
    cg_vec3 along = v3_unit_or(transform_vector(hand->pose, hand->def.edge), v3_zero()), force = hand->blade.force;
    cg_vec3 arm = v3_scale(0.5 * hand->blade.inside, along); // it is in the tissue up to there
    cg_hand_feel_tool(hand, force, v3_cross(arm, force), v3_sub(hand->pose.position, hand->start.position));
}

void cg_hand_leave_tissue(cg_hand *hand)
{
    hand->blade.tissue = (cg_handle){0, 0};
    hand->felt_stiffness = 0;
    hand->force = hand->torque = v3_zero();
}

cg_burn cg_hand_burn(const cg_hand *hand)
{
    return (cg_burn){.before = hand->start.position,
                     .after = hand->pose.position,
                     .radius = hand->def.hook_radius,
                     .power = hand->def.hook_power};
}

void cg_hand_visit_blade(cg_archive *archive, cg_hand *hand)
{
    cg_archive_double(archive, &hand->felt_stiffness);
    cg_blade_visit_state(archive, &hand->blade);
}
