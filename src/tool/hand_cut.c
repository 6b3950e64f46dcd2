// A hand that carries a scalpel or a cautery hook: both do what they do while it is closed, in the last stage of a
// step, along the way that the hand went in it. The hook feels nothing. The blade drags at the tissue by a spring that
// gives way (blade.c), and that acts on the hand in the next step: with F of the last one, g its firmness and R the
// most that it bears, across the edge
//
//     (m/h^2 + q s) a = q p + F',    F' = F - g (x' - x), no longer than R,    a = x' - x - h v.
//
// So the spring is part of the hand's own step and no hand chatters at it; at rest, x' = x, it is F.
#include "base/transform.h"
#include "tool/hand.h"

cg_edge cg_hand_edge(const cg_hand *hand, cg_transform pose)
{
    return (cg_edge){pose.position, transform_point(pose, hand->def.edge)};
}

// What of a vector is across the edge.
static cg_vec3 across(cg_vec3 v, cg_vec3 along)
{
    return v3_add_scaled(v, -v3_dot(v, along), along);
}

cg_vec3 cg_hand_cut_on(const cg_hand *hand, const cg_step_context *context)
{
    double h = context->time_step, inertia = hand->def.mass * context->inverse_step * context->inverse_step;
    cg_vec3 way = v3_sub(hand->command.position, hand->last_command.position);
    cg_hand_coupling c = cg_hand_couple(&hand->def, 1, h, hand->command.position, v3_scale(context->inverse_step, way),
                                        hand->pose.position, hand->velocity);
    double firm = inertia + c.slope, g = hand->blade.firmness, most = hand->blade.resists;
    cg_vec3 along = v3_unit_or(transform_vector(hand->pose, hand->def.edge), v3_zero());
    cg_vec3 coasting = v3_scale(h, hand->velocity), pull = across(c.pull, along);
    cg_vec3 led = v3_add_scaled(across(coasting, along), 1 / firm, pull); // without the blade
    cg_vec3 force = v3_scale(firm / (firm + g), v3_add_scaled(across(hand->force, along), -g, led));
    double length = v3_length(force);
    force = length > most ? v3_scale(most / length, force) : force;
    return v3_add_scaled(v3_add(hand->pose.position, coasting), 1 / firm, v3_add(c.pull, force));
}

void cg_hand_feel_blade(cg_hand *hand)
{
    cg_vec3 along = v3_unit_or(transform_vector(hand->pose, hand->def.edge), v3_zero()), force = hand->blade.force;
    cg_vec3 arm = v3_scale(0.5 * hand->blade.inside, along); // it is in the tissue up to there
    hand->force = force;
    hand->torque = v3_cross(arm, force);
}

void cg_hand_leave_tissue(cg_hand *hand)
{
    hand->blade.tissue = (cg_handle){0, 0};
    hand->force = hand->torque = v3_zero();
}

cg_burn cg_hand_burn(const cg_hand *hand)
{
    return (cg_burn){.before = hand->start.position,
                     .after = hand->pose.position,
                     .radius = hand->def.hook_radius,
                     .power = hand->def.hook_power};
}
