// Scalpels and hooks of hands, in the last stage of a step: which tissue they are in, and what they do to it.
#include "base/vec3.h"
#include "world/world.h"

static cg_tissue *cut_tissue(const cg_world *world, const cg_hand *hand)
{
    cg_tissue_slot *slot = hand->cut_tissue.index != 0 ? cg_pool_get(&world->tissues, hand->cut_tissue) : NULL;
    return slot != NULL ? slot->tissue : NULL;
}

void cg_world_end_cut(cg_world *world, cg_hand *hand)
{
    if (hand->cut_tissue.index != 0) {
        cg_hand_end_cut(hand, cut_tissue(world, hand));
    }
}

// A blade stays in the tissue it is in until it has left it; then the first that it comes near is the next.
static cg_tissue *choose_tissue(cg_world *world, cg_hand *hand)
{
    cg_tissue *tissue = cut_tissue(world, hand);
    if (tissue != NULL && hand->blade.count > 0) {
        return tissue;
    }
    cg_edge before = cg_hand_edge(hand, hand->start), after = cg_hand_edge(hand, hand->pose);
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        cg_edge_near near = cg_edge_find_near(s->tissue, before, after);
        if (near.cells + near.triangles > 0) {
            if (s->tissue != tissue) {
                cg_world_end_cut(world, hand);
                hand->cut_tissue = cg_pool_handle_of(&world->tissues, s);
            }
            return s->tissue;
        }
    }
    cg_world_end_cut(world, hand);
    return NULL;
}

void cg_world_use_tools(cg_world *world, const cg_step_context *context)
{
    for (cg_hand *hand = cg_pool_first(&world->hands); hand != NULL; hand = cg_pool_next(&world->hands, hand)) {
        if (hand->closed && hand->tool == CG_TOOL_SCALPEL) {
            cg_hand_cut(hand, choose_tissue(world, hand), context);
        }
        if (hand->closed && hand->tool == CG_TOOL_HOOK) {
            cg_tissue_slot *s = cg_world_first_tissue(world);
            while (s != NULL && !cg_hand_burn(hand, s->tissue, context)) {
                s = cg_world_next_tissue(world, s);
            }
        }
    }
}
