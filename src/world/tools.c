// Scalpels, hooks and scissors of hands, in the last stage of a step; and what a scope in a hand sees.
#include "base/transform.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "tool/shears.h"
#include "world/world.h"

void cg_world_end_cut(cg_world *world, cg_hand *hand)
{
    if (hand->tool == CG_TOOL_SCALPEL) {
        cg_world_end_blade(world, &hand->blade);
        cg_hand_leave_tissue(hand);
    }
}

// A thread that no part is kept for, or that is in a hole there, stays whole between the blades.
static void use_scissors(cg_world *world, const cg_hand *hand)
{
    cg_shears_cut cut;
    if (world->touch_memory == NULL || !cg_shears_find(&hand->jaws, &world->touches, &cut)) {
        return;
    }
    const cg_thread *thread = world->touches.threads[cut.thread];
    const cg_thread_slot *slot = cg_world_first_thread(world);
    while (slot->thread != thread) {
        slot = cg_world_next_thread(world, slot);
    }
    cg_handle handle = cg_pool_handle_of(&world->threads, slot);
    cg_thread_id part;
    cg_world_cut_thread(world, (cg_thread_id){handle.index, handle.generation}, cut.arc, &part);
}

void cg_world_use_tools(cg_world *world)
{
    for (cg_hand *hand = cg_pool_first(&world->hands); hand != NULL; hand = cg_pool_next(&world->hands, hand)) {
        if (hand->closed && hand->tool == CG_TOOL_SCALPEL) {
            cg_edge before = cg_hand_edge(hand, hand->start), after = cg_hand_edge(hand, hand->pose);
            cg_world_sweep_blade(world, &hand->blade, before, after);
            cg_world_slice(world, before, after);
            cg_hand_feel_blade(hand);
        }
        if (hand->closed && hand->tool == CG_TOOL_HOOK) {
            cg_burn burn = cg_hand_burn(hand);
            cg_world_sweep_hook(world, &burn);
        }
        if (hand->tool == CG_TOOL_SCISSORS && cg_jaws_cut(&hand->jaws)) {
            use_scissors(world, hand);
        }
    }
}

bool cg_hand_get_scope(const cg_world *world, cg_hand_id id, double angle, double distance, cg_camera *camera)
{
    const cg_hand *hand = cg_pool_get(&world->hands, (cg_handle){id.index, id.generation});
    if (hand == NULL || !(angle >= -CG_PI && angle <= CG_PI) || !(distance > 0 && distance <= 1e3)) {
        return false;
    }
    double sine, cosine;
    cg_sincos(angle, &sine, &cosine);
    cg_vec3 ahead = transform_vector(hand->pose, v3(0, -sine, -cosine));
    *camera = (cg_camera){.position = hand->pose.position,
                          .target = v3_add_scaled(hand->pose.position, distance, ahead),
                          .up = transform_vector(hand->pose, v3(0, cosine, -sine))};
    return true;
}
