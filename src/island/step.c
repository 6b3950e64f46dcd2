// What begins and ends the step of all islands, and the motions of rigid bodies in its passes.
#include <string.h>

#include "base/vec3.h"
#include "find/beside_joint.h"
#include "find/skin.h"
#include "island/island.h"

void cg_touch_begin_step(cg_touch_set *set, const cg_step_context *context, int passes)
{
    memset(&set->stats, 0, sizeof set->stats);
    for (int k = 0; k < set->skin_count; k++) {
        set->stats.lost += set->skins[k]->lost_ties; // noted when the tissues were looked at
    }
    set->searches = 0;
    set->ahead = set->is_skin_done = false;
    set->stopper_count = 0;
    set->solved = -1;
    for (int n = 0; n < cg_node_count(set); n++) {
        set->progress[n] = (cg_progress){.most = passes, .share = 1};
    }
    cg_touch_list_chains(set);
    cg_touch_note_exempt(set);
    for (int k = 0; k < set->rigid_count; k++) {
        set->rigids[k]->start = set->rigids[k]->now;
        set->rigids[k]->force = set->rigids[k]->torque = v3_zero();
        if (k >= set->first_free) {
            cg_rigid_begin_step(set->rigids[k], context->time_step, context->gravity);
        }
    }
}

void cg_touch_place_cores(cg_touch_set *set)
{
    for (int c = 0; c < set->thread_count; c++) {
        cg_thread *thread = set->threads[c];
        int highest = -1;
        for (int i = 0; i < set->count; i++) {
            const cg_segment_pair *pair = &set->touches[i].pair;
            highest = pair->chain_a == c && pair->segment_a > highest ? pair->segment_a : highest;
            highest = pair->chain_b == c && pair->segment_b > highest ? pair->segment_b : highest;
        }
        // Far from the middle the two lanes of the elimination share little; a quarter is a fair price.
        int quarter = thread->vertex_count / 4, middle = (thread->vertex_count - 2) / 2;
        int core = highest < 0 ? middle : (highest > quarter ? highest : quarter);
        cg_band_place_core(&thread->factor, core < thread->vertex_count - 2 ? core : thread->vertex_count - 2);
    }
}

void cg_touch_move_rigids(cg_touch_set *set)
{
    for (int k = 0; k < set->first_free; k++) {
        cg_rigid *body = set->rigids[k];
        double share = set->progress[cg_led_node(set, k)].share;
        cg_moving_shape way = {.before = body->now, .after = body->target};
        body->now = share == 1.0 ? body->target : cg_moving_shape_pose(&way, share);
    }
    for (int m = set->thread_count; m < cg_mover_count(set); m++) {
        cg_rigid *body = mover_rigid(set, m);
        double share = set->progress[m].share;
        if (!body->done) {
            cg_rigid_move_share(body, share);
            body->done = body->refused || (share == 1.0 && body->settles);
        }
    }
}

void cg_touch_refuse_bad_moves(cg_touch_set *set)
{
    for (int k = set->first_free; k < set->rigid_count; k++) {
        if (!set->rigids[k]->done) {
            cg_rigid_refuse_bad_move(set->rigids[k]);
        }
    }
}
