#include "task/watch.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "task/motion.h"

enum { FIRST_ROOM = 1024 };

void cg_watch_begin(cg_watch *watch, const cg_goal *goal, uint64_t seed, const cg_allocator *allocator)
{
    *watch = (cg_watch){.allocator = *allocator,
                        .goal = goal,
                        .first_motion = -1,
                        .peak_force_at = -1,
                        .first_touch = -1,
                        .last_touch = -1,
                        .deviation_at = -1};
    for (int i = 0; i < CG_WATCH_ITEMS; i++) {
        watch->lost_at[i] = watch->released_at[i] = -1;
    }
    watch->lost_at[CG_WATCH_ITEMS] = -1;
    watch->leader = -1;
    bool sews = goal != NULL && goal->kind == CG_GOAL_STITCH;
    cg_sewing_begin(&watch->sewing, sews ? &goal->stitch : NULL);
    if (sews) {
        watch->target_count = goal->stitch.mark_count;
        memcpy(watch->targets, goal->stitch.marks, (size_t)goal->stitch.mark_count * sizeof watch->targets[0]);
    }
    if (goal != NULL && goal->kind == CG_GOAL_LINE) {
        watch->line = goal->line.retrace ? watch->led : goal->line.points;
        watch->line_count = goal->line.retrace ? 0 : goal->line.count;
    }
    if (goal != NULL && goal->kind == CG_GOAL_TARGETS) {
        watch->target_count = goal->targets.count;
        cg_targets_place(&goal->targets, seed, watch->targets);
    }
}

void cg_watch_end(cg_watch *watch)
{
    cg_memory_give(&watch->allocator, watch->times);
    cg_memory_give(&watch->allocator, watch->tips);
    watch->times = NULL;
    watch->tips = NULL;
}

bool cg_watch_copy(cg_watch *to, const cg_watch *from)
{
    size_t count = (size_t)from->moment_count, tips = CG_WATCH_HANDS * sizeof *from->tips;
    double *times = to->times;
    cg_vec3 *ways = to->tips;
    int room = to->moment_room;
    if (room < from->moment_count) {
        times = cg_memory_take(&to->allocator, count * sizeof *times);
        ways = cg_memory_take(&to->allocator, count * tips);
        if (times == NULL || ways == NULL) {
            cg_memory_give(&to->allocator, times);
            cg_memory_give(&to->allocator, ways);
            return false;
        }
        cg_watch_end(to);
        room = from->moment_count;
    }
    if (count > 0) {
        memcpy(times, from->times, count * sizeof *times);
        memcpy(ways, from->tips, count * tips);
    }
    // What points into a watch or its goal points into its own.
    cg_allocator allocator = to->allocator;
    const cg_goal *goal = to->goal;
    const cg_goal_stitch *stitch = to->sewing.goal;
    const cg_vec3 *line = from->line == from->led ? to->led : to->line;
    *to = *from;
    to->allocator = allocator;
    to->goal = goal;
    to->sewing.goal = stitch;
    to->line = line;
    to->times = times;
    to->tips = ways;
    to->moment_room = room;
    return true;
}

static void count_at(cg_count *count, double time)
{
    count->first = count->count == 0 ? time : count->first;
    count->count++;
}

// Keeping moments

static bool has_room(cg_watch *watch)
{
    if (watch->moment_count < watch->moment_room) {
        return true;
    }
    int room = watch->moment_room > 0 ? 2 * watch->moment_room : FIRST_ROOM;
    size_t used = (size_t)watch->moment_count, wanted = (size_t)room, tips = CG_WATCH_HANDS * sizeof *watch->tips;
    if (watch->failed ||
        !cg_memory_grow(&watch->allocator, (void **)&watch->times, used * sizeof *watch->times,
                        wanted * sizeof *watch->times) ||
        !cg_memory_grow(&watch->allocator, (void **)&watch->tips, used * tips, wanted * tips)) {
        watch->failed = true;
        return false;
    }
    watch->moment_room = room;
    return true;
}

static void keep(cg_watch *watch, const cg_moment *moment)
{
    if (!has_room(watch)) {
        return;
    }
    watch->times[watch->moment_count] = moment->time;
    cg_vec3 *tips = &watch->tips[(size_t)watch->moment_count * CG_WATCH_HANDS];
    for (int i = 0; i < CG_WATCH_HANDS; i++) {
        tips[i] = watch->hands[i].tip; // a hand that is not there stays where it was
    }
    watch->moment_count++;
}

// What a hand holds

static void end_leg(cg_watched_hand *hand)
{
    hand->straight += v3_distance(hand->leg, hand->tip);
    hand->leg = hand->tip;
}

static void see_grip(cg_watch *watch, cg_watched_hand *hand, const cg_hand_state *state, double time)
{
    bool held = hand->thread != 0 || hand->tissue != 0, holds = state->thread.index != 0 || state->tissue.index != 0;
    if (holds && !held) {
        count_at(&watch->grasps, time);
    }
    if (state->closed && !hand->closed && !holds && state->tool == CG_TOOL_GRASPER && hand->seen) {
        count_at(&watch->missed, time);
    }
    if (state->has_slipped && !hand->slipped) {
        count_at(&watch->slips, time);
    }
    if (holds != held && hand->seen) {
        end_leg(hand);
    }
    watch->has_jaws = watch->has_jaws || state->has_jaws;
    hand->presses = state->has_jaws && state->jaw_forces[0] > 0 && state->jaw_forces[1] > 0;
    hand->closed = state->closed;
    hand->slipped = state->has_slipped;
    hand->thread = state->thread.index;
    hand->tissue = state->tissue.index;
}

static void see_force(cg_watch *watch, const cg_hand_state *state, double time)
{
    double force = v3_length(state->force);
    if (force > watch->peak_force) {
        watch->peak_force = force;
        watch->peak_force_at = time;
    }
}

static bool is_held(const cg_watch *watch, uint32_t thread)
{
    for (int i = 0; i < CG_WATCH_HANDS; i++) {
        if (watch->hands[i].thread == thread) {
            return true;
        }
    }
    return false;
}

static bool any_presses(const cg_watch *watch)
{
    bool any = false;
    for (int i = 0; i < CG_WATCH_HANDS; i++) {
        any = any || watch->hands[i].presses;
    }
    return any;
}

// A thread that all hands let go of was dropped when a hand takes it again: the last release of all is none. `before`
// has what hands held at the moment before.
static void see_drops(cg_watch *watch, const uint32_t *before, double time)
{
    for (int i = 0; i < CG_WATCH_HANDS; i++) {
        uint32_t was = before[i], is = watch->hands[i].thread;
        if (was != 0 && was <= CG_WATCH_ITEMS && !is_held(watch, was)) {
            watch->lost_at[was] = watch->lost_at[was] < 0 ? time : watch->lost_at[was];
        }
        if (is != 0 && is <= CG_WATCH_ITEMS && watch->lost_at[is] >= 0) {
            count_at(&watch->drops, watch->lost_at[is]);
            watch->lost_at[is] = -1;
        }
    }
}

// Goals

static double distance_on_the_way(cg_vec3 from, cg_vec3 to, cg_vec3 point)
{
    const cg_vec3 way[2] = {from, to};
    return cg_line_distance(way, 2, v3_zero(), point, NULL);
}

// The clock of a task with targets starts at the first touch, and all ways count from there.
static void start_again(cg_watch *watch)
{
    for (int i = 0; i < CG_WATCH_HANDS; i++) {
        watch->hands[i].straight = watch->hands[i].way = 0;
        watch->hands[i].leg = watch->hands[i].tip;
    }
}

static void see_targets(cg_watch *watch, cg_watched_hand *hand, cg_vec3 before, double time)
{
    const cg_goal_targets *goal = &watch->goal->targets;
    for (int i = 0; i < watch->target_count; i++) {
        if ((watch->reached >> i & 1) != 0 || distance_on_the_way(before, hand->tip, watch->targets[i]) > goal->size) {
            continue;
        }
        watch->reached |= (uint64_t)1 << i;
        watch->last_touch = time;
        end_leg(hand);
        if (watch->first_touch < 0) {
            watch->first_touch = time;
            start_again(watch);
        }
    }
    bool inside = v3_distance(hand->tip, goal->centre) < goal->radius - goal->size;
    if (inside && !hand->inside) {
        count_at(&watch->misses, time);
    }
    hand->inside = inside;
}

static bool is_drawing(const cg_goal_line *line, const cg_hand_state *state)
{
    switch (line->drawing) {
    case CG_DRAWING_CUTTING:
        return state->tool == CG_TOOL_SCALPEL && state->closed && state->edge_inside > 0;
    case CG_DRAWING_TOUCHING:
        return v3_length(state->force) > 0.01;
    default:
        return state->closed;
    }
}

// The first hand that draws leads: what it draws is the line, in steps that are long enough to be told apart. True when
// this hand is it.
static bool lead_line(cg_watch *watch, int hand, cg_vec3 tip)
{
    const double step = 2.5e-4; // [m]
    if (!watch->goal->line.retrace) {
        return false;
    }
    watch->leader = watch->leader < 0 ? hand : watch->leader;
    if (hand != watch->leader) {
        return false;
    }
    int count = watch->line_count;
    if (count < CG_WATCH_LINE && (count == 0 || v3_distance(watch->led[count - 1], tip) > step)) {
        watch->led[watch->line_count++] = tip;
    }
    return true;
}

// Which parts of the line are nearer to the way of the tip than the tolerance.
static void follow_line(cg_watch *watch, cg_vec3 before, cg_vec3 now)
{
    const cg_goal_line *line = &watch->goal->line;
    const cg_vec3 way[2] = {before, now};
    double length = cg_path_length(watch->line, watch->line_count), passed = 0;
    int part = length < line->least ? CG_WATCH_PARTS : 0; // too short a line counts for nothing
    for (int i = 0; i + 1 < watch->line_count; i++) {
        cg_vec3 from = watch->line[i], to = watch->line[i + 1];
        double piece = v3_distance(from, to);
        for (; part < CG_WATCH_PARTS && (part + 0.5) / CG_WATCH_PARTS * length <= passed + piece; part++) {
            double share = piece > 0 ? ((part + 0.5) / CG_WATCH_PARTS * length - passed) / piece : 0;
            cg_vec3 at = v3_add_scaled(from, share, v3_sub(to, from));
            if (!watch->followed[part]) {
                watch->followed[part] = cg_line_distance(way, 2, line->across, at, NULL) <= line->tolerance;
            }
        }
        passed += piece;
    }
}

static void see_line(cg_watch *watch, cg_watched_hand *hand, const cg_hand_state *state, cg_vec3 before, double time)
{
    const cg_goal_line *line = &watch->goal->line;
    bool drawing = is_drawing(line, state);
    bool leads = drawing && lead_line(watch, (int)(hand - watch->hands), hand->tip);
    if (drawing && hand->drawing && !leads && watch->line_count > 1) {
        double off = cg_line_distance(watch->line, watch->line_count, line->across, hand->tip, NULL);
        double way = v3_distance(before, hand->tip);
        if (off > watch->deviation || watch->deviation_at < 0) {
            watch->deviation = off;
            watch->deviation_at = time;
        }
        watch->deviation_sum += off * way;
        watch->drawn += way;
        follow_line(watch, before, hand->tip);
    }
    hand->drawing = drawing;
}

static bool lies_in(const cg_goal_items *goal, cg_vec3 item)
{
    cg_vec3 from = v3_sub(item, goal->position);
    return from.x * from.x + from.y * from.y <= goal->radius * goal->radius && from.z >= 0 && from.z <= goal->height;
}

// An item that is let go must come to lie in the receptacle before it is taken again. While jaws press on something,
// nothing counts as let go.
static void see_items(cg_watch *watch, const cg_moment *moment)
{
    watch->item_count = moment->item_count;
    watch->reached = 0;
    for (int i = 0; i < moment->item_count; i++) {
        bool held = is_held(watch, (uint32_t)i + 1), in = lies_in(&watch->goal->items, moment->items[i]);
        if (held && watch->released_at[i] >= 0) {
            count_at(&watch->misses, watch->released_at[i]);
            watch->released_at[i] = -1;
        } else if (!held && in && !any_presses(watch)) {
            watch->released_at[i] = -1;
            watch->reached |= (uint64_t)1 << i;
        }
    }
}

static void see_releases(cg_watch *watch, const uint32_t *before, double time)
{
    for (int i = 0; i < CG_WATCH_HANDS; i++) {
        if (before[i] != 0 && before[i] <= CG_WATCH_ITEMS && !is_held(watch, before[i])) {
            watch->released_at[before[i] - 1] = time;
        }
    }
}

// A moment

static void see_hand(cg_watch *watch, const cg_recorded_hand *recorded, double time, double elapsed)
{
    cg_watched_hand *hand = &watch->hands[recorded->hand];
    const cg_hand_state *state = &recorded->state;
    cg_goal_kind kind = watch->goal != NULL ? watch->goal->kind : CG_GOAL_NONE;
    cg_vec3 tip = state->pose.position, before = hand->seen ? hand->tip : tip;
    double way = v3_distance(before, tip);
    hand->leg = hand->seen ? hand->leg : tip;
    hand->tip = tip;
    hand->way += way;
    if (watch->first_motion < 0 && way > CG_MOVING_SPEED * elapsed) {
        watch->first_motion = time - elapsed;
    }
    see_grip(watch, hand, state, time);
    see_force(watch, state, time);
    if (kind == CG_GOAL_TARGETS) {
        see_targets(watch, hand, before, time);
    } else if (kind == CG_GOAL_LINE) {
        see_line(watch, hand, state, before, time);
    }
    hand->seen = true;
}

static uint32_t closed_hands(const cg_watch *watch)
{
    uint32_t closed = 0;
    for (int i = 0; i < CG_WATCH_HANDS; i++) {
        closed |= (uint32_t)watch->hands[i].closed << i;
    }
    return closed;
}

void cg_watch_see(cg_watch *watch, const cg_moment *moment)
{
    double before_time = watch->moment_count > 0 ? watch->times[watch->moment_count - 1] : moment->time;
    double elapsed = moment->time - before_time;
    if (watch->moment_count > 0 && !(elapsed > 0)) {
        return;
    }
    uint32_t before[CG_WATCH_HANDS];
    for (int i = 0; i < CG_WATCH_HANDS; i++) {
        before[i] = watch->hands[i].thread;
    }
    for (int i = 0; i < moment->hand_count; i++) {
        assert(moment->hands[i].hand < CG_WATCH_HANDS);
        see_hand(watch, &moment->hands[i], moment->time, elapsed);
    }
    watch->hand_count = moment->hand_count > watch->hand_count ? moment->hand_count : watch->hand_count;
    see_drops(watch, before, moment->time);
    if (watch->goal != NULL && watch->goal->kind == CG_GOAL_ITEMS) {
        see_releases(watch, before, moment->time);
        see_items(watch, moment);
    }
    cg_sewing_see(&watch->sewing, &moment->sewing, closed_hands(watch), moment->time);
    if (watch->sewing.goal != NULL) {
        watch->reached = cg_sewing_marks_reached(&watch->sewing);
    }
    keep(watch, moment);
}

static double followed_share(const cg_watch *watch)
{
    int followed = 0;
    for (int i = 0; i < CG_WATCH_PARTS; i++) {
        followed += watch->followed[i];
    }
    return (double)followed / CG_WATCH_PARTS;
}

static bool is_full(uint64_t bits, int count)
{
    return count > 0 && bits == (count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1);
}

bool cg_watch_is_let_go(const cg_watch *watch)
{
    bool holds = any_presses(watch);
    for (int i = 0; i < CG_WATCH_HANDS; i++) {
        holds = holds || watch->hands[i].thread != 0;
    }
    return !holds;
}

bool cg_watch_is_reached(const cg_watch *watch)
{
    bool drawing = false;
    for (int i = 0; i < CG_WATCH_HANDS; i++) {
        drawing = drawing || watch->hands[i].drawing;
    }
    switch (watch->goal != NULL ? watch->goal->kind : CG_GOAL_NONE) {
    case CG_GOAL_TARGETS:
        return is_full(watch->reached, watch->target_count);
    case CG_GOAL_LINE:
        return !drawing && followed_share(watch) >= 0.98;
    case CG_GOAL_ITEMS:
        return is_full(watch->reached, watch->item_count);
    case CG_GOAL_STITCH:
        return cg_sewing_is_sewn(&watch->sewing);
    default:
        return false;
    }
}
