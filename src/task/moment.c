// What a watch sees: a frame of a recording, or a session as its next frame would hold it.
#include "base/vec3.h"
#include "task/watch.h"
#include "world/world.h"

static void add_hand(cg_moment *moment, int place, const cg_hand_state *state)
{
    if (place < CG_WATCH_HANDS && moment->hand_count < CG_WATCH_HANDS) {
        moment->hands[moment->hand_count++] = (cg_recorded_hand){.hand = place, .state = *state};
    }
}

void cg_moment_of_frame(cg_moment *moment, const cg_recorded_frame *frame, bool with_items)
{
    *moment = (cg_moment){.time = frame->time};
    for (int i = 0; i < frame->hand_count; i++) {
        add_hand(moment, frame->hands[i].hand, &frame->hands[i].state);
    }
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
    for (int i = 0; with_items && i < CG_WATCH_ITEMS; i++) {
        const cg_thread *thread = cg_world_find_thread(world, cg_session_thread(session, i));
        if (thread == NULL) {
            break;
        }
        moment->items[moment->item_count++] = middle_of_thread(thread);
    }
}
