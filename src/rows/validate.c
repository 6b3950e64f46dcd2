#include "rows/validate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"

// The cast

static const char *threads_fault(const cg_cast *cast, const cg_touch_room *room)
{
    if (cast->thread_count < 0 || cast->thread_count > room->threads) {
        return "more threads than there is room for";
    }
    for (int c = 0; c < cast->thread_count; c++) {
        const cg_thread *thread = cast->threads[c];
        if (thread == NULL || thread->number != c) {
            return "a thread has another number than its place in the list";
        }
        if (c > 0 && cast->threads[c - 1]->model != NULL && thread->model == NULL) {
            return "a thread that forces move comes after one with a model";
        }
        if (cast->chains[c].count != thread->vertex_count || cast->chains[c].radius != thread->radius) {
            return "the chain of a thread is not as long or as thick as the thread";
        }
    }
    return NULL;
}

static const char *rigids_fault(const cg_cast *cast, const cg_touch_room *room)
{
    if (cast->rigid_count < 0 || cast->rigid_count > room->rigids || cast->first_free < 0 ||
        cast->first_free > cast->rigid_count) {
        return "more rigid bodies than there is room for, or more that are led than there are";
    }
    for (int k = 0; k < cast->rigid_count; k++) {
        if (cast->rigids[k] == NULL || cast->rigids[k]->number != k) {
            return "a rigid body has another number than its place in the list";
        }
        if (cast->rigids[k]->is_free != (k >= cast->first_free)) {
            return "a free body comes before one that is led";
        }
    }
    return NULL;
}

static const char *parts_fault(const cg_cast *cast, const cg_touch_room *room)
{
    int at = 0;
    for (int k = 0; k < cast->rigid_count; k++) {
        for (int part = 0; part < cg_rigid_part_count(cast->rigids[k]); part++, at++) {
            if (at >= cast->part_count || cast->parts[at].body != k || cast->parts[at].part != part) {
                return "the parts of the rigid bodies are not listed in their order";
            }
        }
    }
    return at != cast->part_count || at > room->parts ? "parts are listed that no rigid body has" : NULL;
}

static bool is_first_part(const cg_cast *cast, int part, int body)
{
    return part >= 0 && part < cast->part_count && cast->parts[part].body == body && cast->parts[part].part == 0;
}

static const char *rods_fault(const cg_cast *cast, const cg_touch_room *room)
{
    if (cast->rod_count < 0 || cast->rod_count > room->rods) {
        return "more rods than there is room for";
    }
    int end = 0;
    for (int r = 0; r < cast->rod_count; r++) {
        const cg_touch_rod *rod = &cast->rods[r];
        if (rod->body < cast->first_free || rod->body >= cast->rigid_count ||
            !is_first_part(cast, rod->first_moving, rod->body)) {
            return "a rod is of no free body";
        }
        if (rod->first_point < end || rod->chain.point_count < 1) {
            return "the points of two rods are the same";
        }
        end = rod->first_point + rod->chain.point_count;
        if (end > room->rod_points) {
            return "more points of rods than there is room for";
        }
    }
    return NULL;
}

static const char *channel_fault(const cg_cast *cast, const cg_channel *channel)
{
    if (channel->rigid < -1 || channel->rigid >= cast->rigid_count || channel->count < 0 ||
        channel->count > CG_CHANNEL_MOST_POINTS) {
        return "a channel is of no rigid body, or has more points than there is room for";
    }
    for (int i = 0; i < channel->count; i++) {
        const cg_channel_point *point = &channel->points[i];
        if (point->skin < 0 || point->skin >= cast->skin_count || point->name < 0 || point->name >= CG_CHANNEL_NAMES ||
            (point->triangle >= 0) == (point->cell >= 0)) {
            return "a point of a channel is nowhere";
        }
    }
    return NULL;
}

static const char *joints_fault(const cg_cast *cast, const cg_touch_room *room)
{
    if (cast->joint_count < 0 || cast->joint_count > room->joints) {
        return "more joints than there is room for";
    }
    for (int j = 0; j < cast->joint_count; j++) {
        const cg_touch_joint *joint = &cast->joints[j];
        if (joint->thread < 0 || joint->thread >= cast->thread_count || (joint->end != 0 && joint->end != 1) ||
            joint->rigid < 0 || joint->rigid >= cast->rigid_count ||
            !is_first_part(cast, joint->first_part, joint->rigid)) {
            return "a joint is of no end of a thread, or of no rigid body";
        }
    }
    return NULL;
}

static const char *skins_fault(const cg_cast *cast)
{
    if (cast->skin_count < 0 || cast->skin_count > CG_TOUCH_MOST_SKINS) {
        return "more tissues than there is room for";
    }
    for (int k = 0; k < cast->skin_count; k++) {
        if (cast->skins[k] == NULL) {
            return "a tissue is not there";
        }
    }
    const char *fault = NULL;
    for (int c = 0; c < CG_MOST_CHANNELS && cast->channels != NULL && fault == NULL; c++) {
        fault = cast->channels[c].is_used ? channel_fault(cast, &cast->channels[c]) : NULL;
    }
    return fault == NULL && cast->fibre_count < 0 ? "fewer fibres than none" : fault;
}

const char *cg_cast_fault(const cg_touch_set *set)
{
    const cg_cast *cast = &set->cast;
    const char *fault = threads_fault(cast, &set->room);
    fault = fault != NULL ? fault : rigids_fault(cast, &set->room);
    fault = fault != NULL ? fault : parts_fault(cast, &set->room);
    fault = fault != NULL ? fault : rods_fault(cast, &set->room);
    fault = fault != NULL ? fault : joints_fault(cast, &set->room);
    return fault != NULL ? fault : skins_fault(cast);
}

// Rows

// True unless it is of another length; what is no number is let by.
static bool is_unit(cg_vec3 v)
{
    return !(fabs(v3_dot(v, v) - 1) > 1e-6);
}

static bool are_across(cg_vec3 a, cg_vec3 b)
{
    return !(fabs(v3_dot(a, b)) > 1e-6);
}

static bool is_side_there(const cg_touch_set *set, const cg_touch *touch, int side)
{
    int body = cg_chain_body(touch_chain(touch, side)), feature = touch_segment(touch, side);
    switch (cg_chain_kind(touch_chain(touch, side))) {
    case CG_BODY_THREAD:
        return body < set->cast.thread_count && feature >= 0 && feature + 1 < set->cast.threads[body]->vertex_count;
    case CG_BODY_RIGID:
        return body < set->cast.rigid_count && feature >= 0 && feature <= CG_TIP_FEATURE &&
               cg_feature_part(feature) < cg_rigid_part_count(set->cast.rigids[body]);
    default:
        return cg_chain_kind(touch_chain(touch, side)) == CG_BODY_TISSUE && body < set->cast.skin_count && feature >= 0;
    }
}

static const char *row_fault(const cg_touch_set *set, const cg_touch *touch)
{
    if (!is_side_there(set, touch, 0) || !is_side_there(set, touch, 1) || touch_mover(set, touch, 0) < 0) {
        return "a row is of a body that is not there, or of none that forces move";
    }
    if (touch->kind != cg_touch_kind_of(&touch->pair)) {
        return "a row is of another kind than its key says";
    }
    if (!is_unit(touch->axes[0]) || !is_unit(touch->axes[1]) || !is_unit(touch->axes[2]) ||
        !are_across(touch->axes[0], touch->axes[1]) || !are_across(touch->axes[1], touch->axes[2]) ||
        !are_across(touch->axes[2], touch->axes[0])) {
        return "the axes of a row are not unit, or not across each other";
    }
    if (!(touch->radius > 0) || touch->friction < 0) {
        return "a row has no length to be measured by, or a friction below 0";
    }
    for (int side = 0; side < 2; side++) {
        if (touch->fraction[side] < 0 || touch->fraction[side] > 1) {
            return "a site is beyond the end of its segment";
        }
    }
    if ((touch->kind != CG_DRAG_ROW && (touch->cap != 0 || touch->bias != 0)) ||
        (touch->kind != CG_GUIDE_ROW && touch->own_give != 0)) {
        return "a row has what only one of another kind has";
    }
    return NULL;
}

const char *cg_rows_fault(const cg_touch_set *set)
{
    const cg_touch_rows *rows = &set->rows;
    int of_channels = 0, guides = 0, joints = 0;
    if (rows->count < 0 || rows->count > rows->most || rows->before_count < 0 || rows->before_count > rows->most) {
        return "more rows than there is room for";
    }
    if (rows->touches == rows->before) {
        return "the rows of this pass and of the one before are the same list";
    }
    for (int i = 0; i < rows->count; i++) {
        const cg_touch *touch = &rows->touches[i];
        const char *fault = row_fault(set, touch);
        if (fault != NULL) {
            return fault;
        }
        if (i > 0 && compare_pairs(&rows->touches[i - 1].pair, &touch->pair) > 0) {
            return "rows are not in the order of their keys";
        }
        guides += touch->kind == CG_GUIDE_ROW;
        of_channels += touch->kind == CG_GUIDE_ROW || touch->kind == CG_DRAG_ROW;
        joints += touch->kind == CG_JOINT_ROW;
    }
    if (guides != rows->guides || of_channels != rows->channel_rows || joints > set->cast.joint_count) {
        return "there are other rows of needles and joints than were counted";
    }
    return NULL;
}

// Searches

static bool is_pair_there(const cg_cast *cast, const cg_segment_pair *pair)
{
    bool are_threads = pair->chain_a >= 0 && pair->chain_a < cast->thread_count && pair->chain_b >= 0 &&
                       pair->chain_b < cast->thread_count;
    return are_threads && pair->segment_a >= 0 && pair->segment_a + 1 < cast->threads[pair->chain_a]->vertex_count &&
           pair->segment_b >= 0 && pair->segment_b + 1 < cast->threads[pair->chain_b]->vertex_count;
}

const char *cg_search_fault(const cg_touch_set *set)
{
    const cg_search *search = &set->search;
    const cg_motion_rule *rule = &search->motion_rule;
    if (search->searches < 0 || search->found.count < 0 || search->found.count > search->found.capacity ||
        search->last.count < 0 || search->last.count > search->last.capacity || search->found_shapes.count < 0 ||
        search->found_shapes.count > search->found_shapes.capacity || search->found_skin.count < 0 ||
        search->found_skin.count > search->found_skin.capacity || search->near.close_count < 0 ||
        search->near.close_count > search->near.close_capacity) {
        return "a list of what was found has more than it has room for";
    }
    if (search->stopper_count < 0 || search->stopper_count > CG_TOUCH_MOST_STOPPERS) {
        return "more pairs stopped a motion than there is room for";
    }
    for (int i = 0; i < search->stopper_count; i++) {
        if (!is_pair_there(&set->cast, &search->stoppers[i])) {
            return "a pair that stopped a motion is not there";
        }
    }
    if (search->motion.near != &search->near || search->motion.exempt != search->exempt ||
        search->motion.exempt_count != set->cast.joint_count) {
        return "motions are limited by another list than was searched";
    }
    for (int j = 0; j < set->cast.joint_count; j++) {
        const cg_motion_exempt *exempt = &search->exempt[j];
        if (exempt->chain != set->cast.joints[j].thread || exempt->first_segment < 0 ||
            exempt->first_segment > exempt->last_segment ||
            exempt->last_segment + 1 >= set->cast.threads[exempt->chain]->vertex_count ||
            exempt->first_shape != set->cast.joints[j].first_part) {
            return "what lies beside a joint is not of its thread and needle";
        }
    }
    if (!(rule->keep > 0 && rule->keep <= 1 && rule->freeze > 0 && rule->freeze < rule->keep && rule->give >= 0) ||
        !(search->motion.limit >= 0 && search->motion.limit <= 1)) {
        return "no rule of how near things may come";
    }
    return NULL;
}

// Islands

static const char *progress_fault(const cg_progress *progress)
{
    if (progress->whole < 0 || progress->idle < 0 || progress->limited < 0 || progress->most < 0) {
        return "a body has made fewer passes than none";
    }
    return progress->share < 0 || progress->share > 1 ? "a body goes more than its way, or back" : NULL;
}

const char *cg_islands_fault(const cg_touch_set *set)
{
    const cg_islands *islands = &set->islands;
    int movers = cg_mover_count(set), skins = cg_skin_node(set);
    for (int m = 0; m < movers; m++) {
        int head = islands->head[m];
        if (head < 0 || head > m || islands->head[head] != head) {
            return "an island is not named after its first mover";
        }
    }
    if (islands->head[skins] < -1 || islands->head[skins] >= movers ||
        (islands->head[skins] >= 0 && islands->head[islands->head[skins]] != islands->head[skins])) {
        return "tissues are of no island";
    }
    for (int n = 0; n < cg_node_count(set); n++) {
        int group = islands->group[n];
        if (group < 0 || group > n || islands->group[group] != group) {
            return "a group is not named after its first body";
        }
        const char *fault = progress_fault(&islands->progress[n]);
        if (fault != NULL) {
            return fault;
        }
    }
    for (int m = 0; m < movers; m++) {
        if (islands->group[m] != islands->group[islands->head[m]]) {
            return "bodies of an island make different shares of their motions";
        }
    }
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        int here = touch_mover(set, touch, 0), there = touch_mover(set, touch, 1);
        bool is_with_skins = touch_skin(touch) < 0 || islands->head[skins] == islands->head[here];
        if ((there >= 0 && islands->head[here] != islands->head[there]) || !is_with_skins) {
            return "bodies that touch are of two islands";
        }
    }
    return islands->is_skin_done && !islands->on_skin ? "tissues have answered, and nothing asked them" : NULL;
}

// Problems

static const char *working_fault(const cg_touch_set *set, int w)
{
    const cg_problem *problem = &set->problem;
    int number = problem->working[w];
    if (number < 0 || number >= set->rows.count) {
        return "a touch of a problem is not there";
    }
    const cg_touch *touch = &set->rows.touches[number];
    if (!touch->working || touch_island(set, touch) != problem->solved ||
        *mover_done(set, touch_mover(set, touch, 0))) {
        return "a touch of a problem is of another island, or does not work, or is done";
    }
    if (memcmp(problem->axes + 9 * w, touch->axes, 9 * sizeof(double)) != 0 ||
        problem->friction[w] != touch->friction) {
        return "a problem has other axes or friction than its touches";
    }
    if (w == 0) {
        return NULL;
    }
    const cg_touch *before = &set->rows.touches[problem->working[w - 1]];
    bool goes_on = touch_is_bilateral(touch) == touch_is_bilateral(before);
    if (goes_on ? problem->working[w - 1] >= number : touch_is_bilateral(before)) {
        return "the touches of a problem are not in their order, contacts first";
    }
    return NULL;
}

const char *cg_problem_fault(const cg_touch_set *set)
{
    const cg_problem *problem = &set->problem;
    const cg_friction_options *options = &problem->options;
    if (problem->working_count < 0 || problem->working_count > set->room.touches) {
        return "a problem has more touches than there is room for";
    }
    if (problem->solved < 0 || problem->solved >= cg_mover_count(set) ||
        set->islands.head[problem->solved] != problem->solved) {
        return "a problem is of no island";
    }
    for (int w = 0; w < problem->working_count; w++) {
        const char *fault = working_fault(set, w);
        if (fault != NULL) {
            return fault;
        }
    }
    if (!(options->tolerance > 0) || options->max_iterations < 1 || options->min_iterations < 0 ||
        options->max_newton_steps < 0 || options->max_pivots < 0 || options->patience < 0) {
        return "a problem is solved to no end";
    }
    if (problem->is_uneven && set->cast.thread_count == 0) {
        return "threads slide, and there are none";
    }
    return NULL;
}

void cg_touch_validate(const cg_touch_set *set)
{
    (void)set; // NDEBUG leaves no assert
    assert(cg_cast_fault(set) == NULL);
    assert(cg_rows_fault(set) == NULL);
    assert(cg_search_fault(set) == NULL);
    assert(cg_islands_fault(set) == NULL);
}
