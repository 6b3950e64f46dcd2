// What begins and ends the step of all islands, and the motions of rigid bodies in its passes.
#include <assert.h>
#include <string.h>

#include "base/vec3.h"
#include "find/beside_joint.h"
#include "find/skin.h"
#include "island/island.h"

void cg_touch_begin_step(cg_touch_set *set, const cg_step_context *context, int passes)
{
    assert(passes > 0 && context->time_step > 0);
    memset(&set->stats, 0, sizeof set->stats);
    for (int k = 0; k < set->cast.skin_count; k++) {
        set->stats.lost += set->cast.skins[k]->lost_ties; // noted when the tissues were looked at
    }
    set->search.searches = 0;
    set->search.ahead = set->islands.is_skin_done = false;
    set->search.stopper_count = 0;
    set->problem.solved = -1;
    for (int n = 0; n < cg_node_count(set); n++) {
        set->islands.progress[n] = (cg_progress){.most = passes, .share = 1};
    }
    cg_touch_list_chains(set);
    cg_touch_note_exempt(set);
    for (int k = 0; k < set->cast.rigid_count; k++) {
        set->cast.rigids[k]->start = set->cast.rigids[k]->now;
        set->cast.rigids[k]->force = set->cast.rigids[k]->torque = v3_zero();
        if (k >= set->cast.first_free) {
            cg_rigid_begin_step(set->cast.rigids[k], context->time_step, context->gravity);
        }
    }
}

void cg_touch_place_cores(cg_touch_set *set)
{
    assert(set->cast.thread_count <= set->room.threads);
    for (int c = 0; c < set->cast.thread_count; c++) {
        cg_thread *thread = set->cast.threads[c];
        int highest = -1;
        for (int i = 0; i < set->rows.count; i++) {
            const cg_segment_pair *pair = &set->rows.touches[i].pair;
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
    for (int k = 0; k < set->cast.first_free; k++) {
        cg_rigid *body = set->cast.rigids[k];
        double share = set->islands.progress[cg_led_node(set, k)].share;
        cg_moving_shape way = {.before = body->now, .after = body->target};
        body->now = share == 1.0 ? body->target : cg_moving_shape_pose(&way, share);
    }
    for (int m = set->cast.thread_count; m < cg_mover_count(set); m++) {
        cg_rigid *body = mover_rigid(set, m);
        double share = set->islands.progress[m].share;
        if (!body->done) {
            cg_rigid_move_share(body, share);
            body->done = body->refused || (share == 1.0 && body->settles);
        }
    }
}

void cg_touch_refuse_bad_moves(cg_touch_set *set)
{
    for (int k = set->cast.first_free; k < set->cast.rigid_count; k++) {
        if (!set->cast.rigids[k]->done) {
            cg_rigid_refuse_bad_move(set->cast.rigids[k]);
        }
    }
}
