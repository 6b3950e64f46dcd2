// Suture passers of hands: their shafts, which are needles of the world, and the threads in their eyes. What a passer
// is made of and when its eye goes through a hole is in suture/passer.h.
#include "base/status.h"
#include "base/transform.h"
#include "base/vec3.h"
#include "catgut/needle.h"
#include "suture/handover.h"
#include "suture/passer.h"
#include "world/world.h"

cg_status cg_world_add_passer(cg_world *world, cg_hand *hand)
{
    if (world->def.max_contacts == 0) {
        return cg_error(CG_BAD_INPUT, "a suture passer needs contacts: max_contacts above 0");
    }
    cg_needle needle = cg_passer_needle();
    cg_rigid_def def = cg_rigid_def_default();
    def.needle = &needle;
    def.mass = cg_needle_mass(&needle, CG_NEEDLE_STEEL);
    def.friction = hand->def.rod_friction;
    def.pose = transform_compose(hand->pose, cg_passer_pose(&needle));
    cg_rigid_id id;
    cg_status status = cg_world_add_rigid(world, &def, &id);
    if (status.code == CG_OK) {
        cg_handle handle = {id.index, id.generation};
        cg_hand_take_needle(hand, cg_pool_get(&world->rigids, handle), handle);
        status = cg_world_ready_swaged(world);
    }
    return status;
}

bool cg_world_has_passer(const cg_world *world)
{
    const cg_hand *hand = cg_pool_first(&world->hands);
    while (hand != NULL && hand->def.tool != CG_TOOL_SUTURE_PASSER) {
        hand = cg_pool_next(&world->hands, hand);
    }
    return hand != NULL;
}

void cg_world_remove_passer(cg_world *world, cg_hand *hand)
{
    cg_handle handle = hand->needle;
    cg_world_remove_rigid(world, (cg_rigid_id){handle.index, handle.generation});
}

cg_swage *cg_world_eye_of(const cg_world *world, const cg_rigid *body)
{
    for (int i = 0; i < world->swage_count; i++) {
        const cg_swage *swage = &world->swages[i];
        if (cg_pool_get(&world->rigids, swage->body) == body &&
            cg_passer_is_eye(body, transform_point(body->now, swage->point))) {
            return (cg_swage *)(uintptr_t)swage;
        }
    }
    return NULL;
}

// The end of a thread that is nearest to the eye and within reach of the hand; NULL: there is none.
static const cg_thread_slot *end_in_reach(const cg_world *world, const cg_hand *hand, cg_end *end)
{
    cg_vec3 eye = transform_point(hand->pose, cg_passer_eye());
    double nearest = hand->def.reach;
    const cg_thread_slot *found = NULL;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int i = 0; i < 2; i++) {
            double distance = v3_distance(eye, s->thread->shape.position[i == 0 ? 0 : s->thread->vertex_count - 1]);
            if (distance <= nearest) {
                nearest = distance;
                found = s;
                *end = i == 0 ? CG_START : CG_FINISH;
            }
        }
    }
    return found;
}

static int holes_of(const cg_channel *channel)
{
    int count = 0;
    for (int i = 0; channel != NULL && i < channel->count; i++) {
        count += channel->points[i].triangle >= 0;
    }
    return count;
}

// The eye takes the end as it lies.
cg_status cg_world_close_passer(cg_world *world, cg_hand *hand)
{
    const cg_rigid *body = cg_pool_get(&world->rigids, hand->needle);
    cg_end end = CG_START;
    const cg_thread_slot *slot = body != NULL ? end_in_reach(world, hand, &end) : NULL;
    if (slot == NULL) {
        return cg_ok();
    }
    cg_handle handle = cg_pool_handle_of(&world->threads, slot);
    cg_vec3 place = slot->thread->shape.position[end == CG_START ? 0 : slot->thread->vertex_count - 1];
    cg_vec3 point = transform_point_back(cg_rigid_made_pose(body, body->now), place);
    cg_status status = cg_thread_swage(world, (cg_thread_id){handle.index, handle.generation}, end,
                                       (cg_rigid_id){hand->needle.index, hand->needle.generation}, point);
    cg_swage *eye = status.code == CG_OK ? cg_world_eye_of(world, body) : NULL;
    if (eye != NULL) { // the holes that the eye is beyond
        cg_channel_point ignored;
        const cg_channel *channel = cg_world_channel_of(world, hand->needle);
        eye->holes = 0;
        while (channel != NULL && eye->holes < holes_of(channel) &&
               cg_passer_follow(&world->touches, channel, place, 0, &eye->holes, &ignored) == CG_EYE_WENT_ON) {
        }
    }
    return status;
}

void cg_world_open_passer(cg_world *world, const cg_hand *hand)
{
    const cg_rigid *body = cg_pool_get(&world->rigids, hand->needle);
    const cg_swage *eye = body != NULL ? cg_world_eye_of(world, body) : NULL;
    if (eye != NULL) {
        cg_thread_unswage(world, (cg_thread_id){eye->thread.index, eye->thread.generation}, (cg_end)eye->end);
    }
}

void cg_world_tell_passer(const cg_world *world, const cg_hand *hand, cg_hand_state *state)
{
    const cg_rigid *body = cg_pool_get(&world->rigids, hand->needle);
    const cg_swage *eye = body != NULL ? cg_world_eye_of(world, body) : NULL;
    const cg_thread_slot *slot = eye != NULL ? cg_pool_get(&world->threads, eye->thread) : NULL;
    state->body = (cg_rigid_id){0, 0}; // its own shaft
    if (slot != NULL) {
        state->thread = (cg_thread_id){eye->thread.index, eye->thread.generation};
        state->first_vertex = eye->end == CG_START ? 0 : slot->thread->vertex_count - 1;
        state->vertex_count = 1;
    }
}

// What the end of a thread in an eye touches, as beside the end of a needle.
void cg_world_hide_eye(const cg_channel *channel, cg_thread *thread, int end)
{
    thread->slide->follows[end] = true;
    thread->slide->mouth[end] = channel != NULL && channel->is_used ? cg_slide_mouth(thread) : 0;
}

// True when the thread got a hole or lost one.
bool cg_world_follow_eye(cg_world *world, const cg_channel *channel, const cg_rigid *body, cg_swage *eye)
{
    const cg_thread_slot *slot = cg_pool_get(&world->threads, eye->thread);
    cg_thread *thread = slot != NULL ? slot->thread : NULL;
    if (thread == NULL || thread->slide == NULL) {
        return false;
    }
    cg_channel_point hole, next;
    cg_vec3 place = transform_point(body->now, eye->point);
    cg_eye_event event =
        cg_passer_follow(&world->touches, channel, place, cg_handover_length(thread), &eye->holes, &hole);
    if (event == CG_EYE_STAYED) {
        return false;
    }
    if (cg_handover_next(thread, eye->end, &next) &&
        cg_passer_is_beside(&world->touches, body, &hole, &next, thread->radius)) {
        cg_world_hand_back(world, thread, eye->end); // it came the other way
        return true;
    }
    hole.inward = event == CG_EYE_WENT_ON ? hole.inward : !hole.inward;
    cg_passer_make_room(&world->touches, body, place, thread->radius, &hole);
    bool is_taken = cg_world_hand_over(world, thread, eye->end, &hole);
    world->stats.refused_handovers += !is_taken;
    return is_taken;
}
