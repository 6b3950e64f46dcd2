// Tissues in the step of what touches them: looked at before it, told the forces of a pass, and what they answer.
#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "find/channel.h"
#include "find/rods.h"
#include "find/skin.h"
#include "island/island.h"
#include "laws/body.h"
#include "laws/fibre.h"
#include "laws/tie.h"

// A vertex may go this many times as far as its velocity says before a tissue is not looked at in time.
static const double HASTE = 2;
// [radii] and this much farther.
static const double SPARE = 4;
// [radii] Another pass begins when the tissue strays from what was foreseen by more than this at a touch that carries.
static const double MOST_STRAY = 0.1;
// Of the way that is safe: the rest keeps what is near from being just as near in the next step.
static const double SAFE_PART = 0.9;

// How far a point of a chain is expected to go at most.
static double lead_of(const cg_touch_set *set, int chain, double time_step)
{
    if (chain >= set->cast.thread_count) {
        return cg_touch_rod_lead(set, chain - set->cast.thread_count, time_step, HASTE, SPARE);
    }
    const cg_thread *thread = set->cast.threads[chain];
    double fastest = 0, led = 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        fastest = fmax(fastest, v3_dot(thread->velocity[i], thread->velocity[i]));
        led = thread->held[i] ? fmax(led, v3_distance(thread->target[i], thread->shape.position[i])) : led;
    }
    return HASTE * (time_step * sqrt(fastest) + led) + SPARE * thread->radius;
}

// Of all chains; or, given a tissue, of those that are not clear of it.
static double longest_lead(const cg_touch_set *set, const cg_skin *skin, double time_step)
{
    double longest = 0;
    for (int c = 0; c < cg_touch_chain_count(set); c++) {
        double lead = lead_of(set, c, time_step);
        bool counts = lead > longest && (skin == NULL || !cg_skin_is_clear(skin, &set->cast.chains[c], lead));
        longest = counts ? lead : longest;
    }
    return longest;
}

bool cg_touch_look_at_skins(cg_touch_set *set, double time_step)
{
    assert(time_step > 0);
    set->islands.on_skin = false;
    for (int c = 0; c < cg_touch_chain_count(set); c++) {
        set->cast.is_near_skin[c] = false;
    }
    if (set->cast.skin_count == 0 || cg_touch_chain_count(set) == 0) {
        return false;
    }
    double lead = longest_lead(set, NULL, time_step);
    cg_touch_list_chains(set);
    cg_touch_look_at_bodies(set);
    cg_touch_note_ties(set);
    cg_touch_note_fibres(set);
    cg_touch_note_channels(set);
    for (int k = 0; k < set->cast.skin_count; k++) {
        cg_skin *skin = set->cast.skins[k];
        bool is_held = skin->tissue->has_held || skin->tie_count + skin->deep_count > 0;
        bool foresees = skin->tissue->solver == CG_TISSUE_IMPLICIT;
        double clearance =
            is_held || !foresees ? 0 : cg_skin_clearance(skin, set->cast.chains, cg_touch_chain_count(set));
        skin->clearance = clearance > lead ? clearance : 0;
        if (skin->clearance == 0) {
            cg_skin_begin(skin, false);
            double near = longest_lead(set, skin, time_step);
            bool is_near =
                cg_skin_look(skin, set->cast.chains, cg_touch_chain_count(set), near, set->cast.is_near_skin);
            set->islands.on_skin = set->islands.on_skin || is_near || is_held;
        }
    }
    for (int k = 0; k < set->cast.skin_count && set->islands.on_skin; k++) {
        cg_skin_begin_late(set->cast.skins[k], false);
    }
    return set->islands.on_skin;
}

void cg_touch_hold_back_skins(cg_touch_set *set)
{
    for (int k = 0; k < set->cast.skin_count && cg_touch_chain_count(set) > 0; k++) {
        cg_skin *skin = set->cast.skins[k];
        if (skin->tissue->solver != CG_TISSUE_IMPLICIT) {
            double share = cg_skin_settle(skin, set->cast.chains, cg_touch_chain_count(set));
            if (share < 1 && !cg_skin_stop(skin, SAFE_PART * share)) {
                cg_skin_stop(skin, 0);
            }
        }
    }
}

void cg_touch_stand_skins(cg_touch_set *set)
{
    for (int k = 0; k < set->cast.skin_count && cg_touch_chain_count(set) > 0; k++) {
        if (set->cast.skins[k]->clearance == 0) {
            cg_skin_begin(set->cast.skins[k], true);
        }
    }
}

void cg_touch_move_skins(cg_touch_set *set)
{
    for (int k = 0; k < set->cast.skin_count && set->islands.on_skin && !set->islands.is_skin_done; k++) {
        cg_skin_move(set->cast.skins[k], set->islands.progress[cg_skin_node(set)].share);
    }
}

void cg_touch_end_skins(cg_touch_set *set)
{
    assert(set->islands.on_skin);
    for (int k = 0; k < set->cast.skin_count; k++) {
        cg_skin_halt(set->cast.skins[k]);
    }
    set->islands.is_skin_done = true;
}

void cg_touch_wake_skins(cg_touch_set *set)
{
    assert(set->islands.is_skin_done);
    for (int k = 0; k < set->cast.skin_count; k++) {
        cg_skin_resume(set->cast.skins[k]);
    }
    set->islands.is_skin_done = false;
}

// [m] after the motion of this pass.
static double gap_after(const cg_touch_set *set, const cg_touch *touch)
{
    cg_site here = touch_site(touch, 0), there = touch_site(touch, 1);
    cg_vec3 apart = v3_sub(cg_body_kinds[here.kind]->motion(set, &here), cg_tissue_verbs.motion(set, &there));
    return touch->gap + v3_dot(touch->axes[0], apart);
}

// The same for a point that a needle goes through.
static bool is_deep_as_foreseen(cg_touch_set *set, const cg_skin *skin, const cg_touch *touch, double *work,
                                double *load)
{
    cg_vec3 away = cg_skin_deep_strayed(skin, touch->pair.segment_b - CG_SKIN_DEEP);
    *work += v3_dot(touch->force, away);
    *load += v3_length(touch->force);
    bool is_near = !(v3_length(away) > MOST_STRAY * touch->radius);
    if (!is_near) {
        *mover_settles(set, touch_mover(set, touch, 0)) = false;
    }
    return is_near;
}

// Whether a tissue goes about where it was foreseen; threads that touch it elsewhere are not done.
static bool is_as_foreseen(cg_touch_set *set, int number)
{
    cg_skin *skin = set->cast.skins[number];
    double work = 0, load = 0;
    bool is_near = true;
    if (skin->is_late) {
        return true;
    }
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        if (touch_skin(touch) != number) {
            continue;
        }
        if (skin_is_deep(touch->pair.segment_b)) {
            is_near = is_deep_as_foreseen(set, skin, touch, &work, &load) && is_near;
            continue;
        }
        cg_vec3 away = cg_skin_point_strayed(skin, touch_triangle(touch, 1), touch->weights[1]);
        double strayed = v3_dot(away, touch->axes[0]);
        double off = touch_pushes(touch) ? fabs(strayed) : strayed - gap_after(set, touch);
        if (touch_pushes(touch)) {
            work += v3_dot(touch->force, touch->axes[0]) * strayed;
            load += v3_dot(touch->force, touch->axes[0]);
        }
        if (off > MOST_STRAY * touch->radius) {
            *mover_settles(set, touch_mover(set, touch, 0)) = is_near = false;
        }
    }
    is_near = cg_touch_ties_as_foreseen(set, number, &work, &load) && is_near;
    is_near = cg_touch_fibres_as_foreseen(set, number, &work, &load) && is_near;
    if (!is_near) {
        cg_skin_note_strayed(skin, load > 0 ? work / load : 0);
    }
    return is_near;
}

bool cg_touch_answer_skins(cg_touch_set *set)
{
    assert(set->islands.on_skin);
    bool is_near = true;
    for (int k = 0; k < set->cast.skin_count && set->islands.on_skin; k++) {
        cg_skin_load(set->cast.skins[k]);
    }
    for (int k = 0; k < set->cast.skin_count && set->islands.on_skin; k++) {
        cg_skin_answer(set->cast.skins[k]);
    }
    for (int k = 0; k < set->cast.skin_count && set->islands.on_skin; k++) {
        cg_skin_read(set->cast.skins[k]);
    }
    for (int k = 0; k < set->cast.skin_count && set->islands.on_skin; k++) {
        is_near = is_as_foreseen(set, k) && is_near;
    }
    cg_touch_share_settles(set);
    return is_near;
}

bool cg_touch_settle_skins(cg_touch_set *set, bool *was_stopped)
{
    assert(was_stopped != NULL);
    bool is_safe = true;
    cg_touch_look_at_bodies(set);
    for (int k = 0; k < set->cast.skin_count; k++) {
        cg_skin *skin = set->cast.skins[k];
        double share = cg_skin_settle(skin, set->cast.chains, cg_touch_chain_count(set));
        if (share < 1) {
            bool is_stopped = !skin->is_crowded && share > 0 && cg_skin_stop(skin, SAFE_PART * share);
            is_safe = is_safe && is_stopped;
            *was_stopped = *was_stopped || is_stopped;
        }
    }
    return is_safe;
}

void cg_touch_take_share(cg_touch_set *set, double share)
{
    assert(!(share < 0) && !(share > 1));
    for (int c = 0; c < set->cast.thread_count; c++) {
        cg_thread_take_share(set->cast.threads[c], share);
    }
    for (int k = 0; k < set->cast.rigid_count; k++) {
        cg_rigid *body = set->cast.rigids[k];
        cg_moving_shape way = {.before = body->start, .after = body->now};
        body->now = cg_moving_shape_pose(&way, share);
        body->turned = v3_scale(share, body->turned);
        body->arrived = false;
    }
    for (int k = 0; k < set->cast.skin_count; k++) {
        cg_tissue_take_share(set->cast.skins[k]->tissue, set->cast.skins[k]->start, share);
    }
}
