// What a watch sees: a frame of a recording, or a session as its next frame would hold it.
#include "base/vec3.h"
#include "record/suture_items.h"
#include "task/watch.h"
#include "world/world.h"

static void add_hand(cg_moment *moment, int place, const cg_hand_state *state)
{
    if (place < CG_WATCH_HANDS && moment->hand_count < CG_WATCH_HANDS) {
        moment->hands[moment->hand_count++] = (cg_recorded_hand){.hand = place, .state = *state};
    }
}

// Needles and stitches

static void add_needle(cg_sewing_moment *sewing, const cg_recorded_needle *needle, cg_transform pose)
{
    if (sewing->needle_count < CG_SEEN_NEEDLES) {
        sewing->needles[sewing->needle_count++] = (cg_seen_needle){.is = *needle, .pose = pose};
    }
}

static void add_holes(cg_sewing_moment *sewing, const cg_recorded_hole *holes, int count)
{
    sewing->hole_count = count < CG_SEEN_HOLES ? count : CG_SEEN_HOLES;
    for (int i = 0; i < sewing->hole_count; i++) {
        sewing->holes[i] = holes[i];
    }
}

static void add_grips(cg_sewing_moment *sewing, const cg_recorded_grip *grips, int count)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < sewing->needle_count; k++) {
            bool holds = grips[i].body == sewing->needles[k].is.body && grips[i].hand < CG_WATCH_HANDS;
            sewing->needles[k].held_by |= holds ? UINT32_C(1) << grips[i].hand : 0;
        }
    }
}

// A blade that is inside, or a hook that burns. Scissors part threads alone.
static bool may_cut(const cg_hand_state *hand)
{
    return hand->edge_inside > 0 || (hand->tool == CG_TOOL_HOOK && hand->closed);
}

static void sewing_of_frame(cg_sewing_moment *sewing, const cg_recorded_frame *frame)
{
    sewing->known = frame->needle_count >= 0;
    for (int i = 0; i < frame->needle_count; i++) {
        for (int k = 0; k < frame->body_count; k++) {
            if (frame->bodies[k].body == frame->needles[i].body) {
                add_needle(sewing, &frame->needles[i], frame->bodies[k].pose);
            }
        }
    }
    add_holes(sewing, frame->holes, frame->hole_count);
    add_grips(sewing, frame->grips, frame->grip_count);
    sewing->surfaces = frame->surfaces;
    sewing->surface_count = frame->tissue_count;
    for (int i = 0; i < frame->hand_count; i++) {
        sewing->cuts = sewing->cuts || may_cut(&frame->hands[i].state);
    }
}

static void sewing_of_world(cg_sewing_moment *sewing, const cg_world *world)
{
    cg_suture_item item;
    if (!cg_sutures_are_there(world)) {
        return;
    }
    cg_sutures_take(world, &item);
    sewing->known = true;
    for (int i = 0; i < item.needle_count; i++) {
        add_needle(sewing, &item.needles[i], cg_rigid_get_pose(world, cg_world_rigid_at(world, item.needles[i].body)));
    }
    add_holes(sewing, item.holes, item.hole_count);
    add_grips(sewing, item.grips, item.grip_count);
}

void cg_moment_of_frame(cg_moment *moment, const cg_recorded_frame *frame, bool with_items)
{
    *moment = (cg_moment){.time = frame->time};
    for (int i = 0; i < frame->hand_count; i++) {
        add_hand(moment, frame->hands[i].hand, &frame->hands[i].state);
    }
    sewing_of_frame(&moment->sewing, frame);
    for (int i = 0; with_items && i < frame->thread_count && i < CG_WATCH_ITEMS; i++) {
        cg_vec3 sum = v3_zero();
        int count = frame->vertex_counts[i];
        for (int k = 0; k < count; k++) {
            const float *x = &frame->vertices[i][3 * k];
            sum = v3_add(sum, v3((double)x[0], (double)x[1], (double)x[2]));
        }
        moment->items[moment->item_count++] = count > 0 ? v3_scale(1.0 / count, sum) : sum;
    }
}

// As a recording keeps it: what an attempt sees of hands and what its recording tells must be the same.
static cg_vec3 narrow(cg_vec3 a)
{
    return v3((double)(float)a.x, (double)(float)a.y, (double)(float)a.z);
}

static cg_vec3 middle_of_thread(const cg_thread *thread)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < thread->vertex_count; i++) {
        sum = v3_add(sum, narrow(thread->shape.position[i]));
    }
    return v3_scale(1.0 / thread->vertex_count, sum);
}

void cg_moment_of_session(cg_moment *moment, const cg_session *session, bool with_items)
{
    const cg_world *world = cg_session_world(session);
    *moment = (cg_moment){.time = cg_world_time(world)};
    for (int i = 0; i < CG_WATCH_HANDS; i++) {
        cg_hand_id id = cg_session_hand(session, i);
        if (cg_hand_is_valid(world, id)) {
            cg_hand_state state = cg_hand_get_state(world, id);
            state.pose.position = narrow(state.pose.position);
            state.force = narrow(state.force);
            state.edge_inside = (double)(float)state.edge_inside;
            add_hand(moment, i, &state);
        }
    }
    sewing_of_world(&moment->sewing, world);
    for (int i = 0; with_items && i < CG_WATCH_ITEMS; i++) {
        const cg_thread *thread = cg_world_find_thread(world, cg_session_thread(session, i));
        if (thread == NULL) {
            break;
        }
        moment->items[moment->item_count++] = middle_of_thread(thread);
    }
}
