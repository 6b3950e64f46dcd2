// Scalpels, hooks and scissors of hands, in the last stage of a step; and what a scope in a hand sees.
#include "base/transform.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "find/channel.h"
#include "tool/shears.h"
#include "world/world.h"

void cg_world_end_cut(cg_world *world, cg_hand *hand)
{
    if (hand->tool == CG_TOOL_SCALPEL) {
        cg_world_end_blade(world, &hand->blade);
        cg_hand_leave_tissue(hand);
    }
}

// A thread that no part is kept for, or that is in a hole there, stays whole.
static void part_thread(cg_world *world, int number, double arc)
{
    const cg_thread *thread = world->touches.cast.threads[number];
    const cg_thread_slot *slot = cg_world_first_thread(world);
    while (slot->thread != thread) {
        slot = cg_world_next_thread(world, slot);
    }
    cg_handle handle = cg_pool_handle_of(&world->threads, slot);
    cg_thread_id part;
    cg_world_cut_thread(world, (cg_thread_id){handle.index, handle.generation}, arc, &part);
}

static void use_scissors(cg_world *world, const cg_hand *hand)
{
    cg_shears_cut cut;
    if (world->touch_memory != NULL && cg_shears_find(&hand->jaws, &world->touches, &cut)) {
        part_thread(world, cut.thread, cut.arc);
    }
}

// The edge went its way in this step.
static void draw_edge(cg_world *world, cg_hand *hand)
{
    cg_edge before = cg_hand_edge(hand, hand->start), after = cg_hand_edge(hand, hand->pose);
    cg_world_sweep_blade(world, &hand->blade, before, after);
    cg_world_slice(world, before, after);
    cg_hand_feel_blade(hand);
}

// [radii] How near a blade comes to tissue that bears no contact forces: there touching is cutting.
static const double NEAR = 1.2;

// Whether some of a blade, with its rods so much thicker, is in tissue.
static bool is_blade_in_tissue(const cg_world *world, const cg_rigid *blade, double thicker)
{
    bool is_in = false;
    for (int i = 0; i < blade->part_count && !is_in; i++) {
        cg_shape shape = blade->parts[i].shape;
        cg_transform pose = transform_compose(blade->now, blade->parts[i].pose);
        shape.radius *= thicker;
        is_in = cg_world_tissue_meets(world, &shape, &pose, 1);
    }
    return is_in;
}

static bool bites(const cg_world *world, const cg_hand *hand)
{
    bool is_firm = false;
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        is_firm = is_firm || s->tissue->solver != CG_TISSUE_IMPLICIT;
    }
    return cg_hand_bites(hand, &world->touches) ||
           (is_firm && is_blade_in_tissue(world, &hand->jaws.bodies[CG_SOLID_WORKING], NEAR));
}

// Whether tissue touches a blade changes with what it does in this step.
static void sheathe(cg_world *world, cg_hand *hand)
{
    cg_rigid *blade = &hand->jaws.bodies[CG_SOLID_WORKING];
    bool is_in = blade->in_cut ? hand->blade.inside > 0 || is_blade_in_tissue(world, blade, 1)
                               : hand->closed && bites(world, hand);
    if (is_in != blade->in_cut) {
        blade->in_cut = is_in;
        if (!is_in) {
            cg_world_end_cut(world, hand);
        }
        cg_touch_hide_rods(&world->touches);
    }
}

// One with a body cuts tissue while it is in there, and parts threads that press on its edge; the edge alone whatever
// it passes through.
static void use_scalpel(cg_world *world, cg_hand *hand)
{
    bool is_solid = cg_hand_is_solid(hand) && world->touch_memory != NULL; // nothing touches without that
    double arc = 0;
    int thread = is_solid && hand->closed ? cg_hand_slices(hand, &world->touches, &arc) : -1;
    if (hand->closed && (!is_solid || hand->jaws.bodies[CG_SOLID_WORKING].in_cut)) {
        draw_edge(world, hand);
    }
    if (is_solid) {
        sheathe(world, hand);
    }
    if (thread >= 0) {
        part_thread(world, thread, arc); // last: places in the list of threads change
    }
}

void cg_world_use_tools(cg_world *world)
{
    for (cg_hand *hand = cg_pool_first(&world->hands); hand != NULL; hand = cg_pool_next(&world->hands, hand)) {
        if (hand->tool == CG_TOOL_SCALPEL) {
            use_scalpel(world, hand);
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
