// Scalpels and hooks of hands, in the last stage of a step.
#include "base/vec3.h"
#include "world/world.h"

void cg_world_end_cut(cg_world *world, cg_hand *hand)
{
    if (hand->tool == CG_TOOL_SCALPEL) {
        cg_world_end_blade(world, &hand->blade);
        cg_hand_leave_tissue(hand);
    }
}

void cg_world_use_tools(cg_world *world)
{
    for (cg_hand *hand = cg_pool_first(&world->hands); hand != NULL; hand = cg_pool_next(&world->hands, hand)) {
        if (hand->closed && hand->tool == CG_TOOL_SCALPEL) {
            cg_world_sweep_blade(world, &hand->blade, cg_hand_edge(hand, hand->start), cg_hand_edge(hand, hand->pose));
            cg_hand_feel_blade(hand);
        }
        if (hand->closed && hand->tool == CG_TOOL_HOOK) {
            cg_burn burn = cg_hand_burn(hand);
            cg_world_sweep_hook(world, &burn);
        }
    }
}
