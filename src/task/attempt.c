// An attempt under way, and what a recording tells of one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/status.h"
#include "base/vec3.h"
#include "catgut/script.h"
#include "task/knots.h"
#include "task/watch.h"
#include "task/wound.h"
#include "world/world.h"

// A knot is looked for this often; naming one takes about as long as a step.
enum { KNOT_EVERY = 16 * CG_WATCH_EVERY };

static const char BEGIN_FORM[] = "task %s seed %llu rules %llx%s", VARIED_WORD[] = " varied";
static const char GOAL_FORM[] = "goal moved %.17g %.17g %.17g turned %.17g";
static const char REACHED_TEXT[] = "task over: reached", LATE_TEXT[] = "task over: out of time";

struct cg_attempt {
    cg_allocator allocator;
    const cg_task *task;
    uint64_t seed;
    cg_goal goal; // of the task, where the seed put it
    cg_session *session;
    cg_watch watch;
    cg_attempt_state state;
    double knot_since; // [s] the knot, or all that is to be sewn, has been there; negative: it is not
    uint64_t seen;     // steps made when it looked last: a moment is seen once
};

static uint64_t steps_made(const cg_attempt *attempt)
{
    return cg_session_get_stats(attempt->session).steps;
}

static void see(cg_attempt *attempt)
{
    cg_moment moment;
    cg_moment_of_session(&moment, attempt->session, attempt->goal.kind == CG_GOAL_ITEMS);
    cg_watch_see(&attempt->watch, &moment);
}

// What scripts go to: targets and marks on the skin, the corners of a line, or the receptacle.
static void set_marks(const cg_attempt *attempt)
{
    const cg_goal *goal = &attempt->goal;
    const cg_vec3 *marks = attempt->watch.targets;
    int count = attempt->watch.target_count;
    if (goal->kind == CG_GOAL_LINE) {
        marks = goal->line.points;
        count = goal->line.count;
    } else if (goal->kind == CG_GOAL_ITEMS) {
        marks = &goal->items.position;
        count = 1;
    }
    cg_session_set_marks(attempt->session, marks, count);
}

// Also what was drawn, since the bounds of the task may be edited later.
static void tell_begin(const cg_attempt *attempt, const char *name, uint64_t seed)
{
    const cg_task *task = attempt->task;
    char text[160];
    snprintf(text, sizeof text, BEGIN_FORM, name, (unsigned long long)seed, (unsigned long long)task->rules,
             task->variation_count > 0 ? VARIED_WORD : "");
    cg_session_note(attempt->session, text);
    if (task->variation_count > 0) {
        cg_goal_move move = cg_task_draw_goal(task, seed);
        snprintf(text, sizeof text, GOAL_FORM, move.shift.x, move.shift.y, move.shift.z, move.turn);
        cg_session_note(attempt->session, text);
    }
}

cg_status cg_attempt_create(const cg_task *task, const char *name, uint64_t seed, cg_session *session,
                            const cg_allocator *allocator, cg_attempt **out)
{
    cg_allocator chosen = allocator != NULL ? *allocator : (cg_allocator){0};
    *out = NULL;
    if (cg_session_get_stats(session).steps > 0) {
        return cg_error(CG_BAD_INPUT, "an attempt begins with the first step of its session");
    }
    cg_attempt *attempt = cg_memory_take(&chosen, sizeof *attempt);
    if (attempt == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for an attempt");
    }
    attempt->allocator = chosen;
    attempt->task = task;
    attempt->session = session;
    attempt->seed = seed;
    attempt->knot_since = -1;
    attempt->goal = cg_task_goal(task, seed);
    cg_watch_begin(&attempt->watch, &attempt->goal, seed, &attempt->allocator);
    tell_begin(attempt, name, seed);
    set_marks(attempt);
    see(attempt);
    *out = attempt;
    return cg_ok();
}

void cg_attempt_destroy(cg_attempt *attempt)
{
    if (attempt != NULL) {
        cg_allocator allocator = attempt->allocator;
        cg_watch_end(&attempt->watch);
        cg_memory_give(&allocator, attempt);
    }
}

static bool thread_has_knot(const cg_attempt *attempt, const cg_thread *thread, const char *name)
{
    cg_knot_report report;
    cg_knot_thread points = {.points = thread->shape.position, .count = thread->vertex_count};
    return cg_knot_identify(&points, 1, &attempt->allocator, &report).code == CG_OK && cg_knot_is(&report, name);
}

// The knot that is asked for, in a thread that no hand holds, or in as many of them and of their parts as it says.
static bool has_knot(const cg_attempt *attempt, const cg_goal_knot *goal)
{
    const cg_world *world = cg_session_world(attempt->session);
    if (!cg_watch_is_let_go(&attempt->watch)) {
        return false;
    }
    const cg_scene *scene = cg_session_scene(attempt->session);
    int wanted = goal->count > 0 ? goal->count : 1, found = 0, looked = 0;
    for (int i = 0; i < cg_scene_thread_count(scene) && found < wanted && (goal->count > 0 || looked == 0); i++) {
        bool is_meant = goal->thread == NULL || strcmp(goal->thread, cg_scene_thread_name(scene, i)) == 0;
        const cg_thread *thread = is_meant ? cg_world_find_thread(world, cg_session_thread(attempt->session, i)) : NULL;
        if (thread != NULL) {
            looked++;
            found += thread_has_knot(attempt, thread, goal->name);
        }
    }
    return found >= wanted;
}

// What is to be sewn, looked at from cheap to costly.
static bool has_stitch(const cg_attempt *attempt, const cg_goal_stitch *goal)
{
    const cg_world *world = cg_session_world(attempt->session);
    if (!cg_watch_is_reached(&attempt->watch)) {
        return false;
    }
    if (goal->has_wound) {
        cg_wound_state wound = cg_wound_look_at(world, cg_session_tissue(attempt->session, 0), goal);
        if (!wound.is_there || wound.gap > goal->gap) {
            return false;
        }
    }
    return goal->knot.name == NULL || has_knot(attempt, &goal->knot);
}

// Knots and wounds are looked at now and then, and must stay as they are for a while.
static bool is_reached_and_stays(cg_attempt *attempt, double time)
{
    const cg_goal *goal = &attempt->goal;
    bool is_knot = goal->kind == CG_GOAL_KNOT;
    if (steps_made(attempt) % KNOT_EVERY == 0) {
        bool there = is_knot ? has_knot(attempt, &goal->knot) : has_stitch(attempt, &goal->stitch);
        attempt->knot_since = !there ? -1 : attempt->knot_since < 0 ? time : attempt->knot_since;
    }
    double hold = is_knot ? goal->knot.hold : goal->stitch.knot.hold;
    return attempt->knot_since >= 0 && time - attempt->knot_since >= hold;
}

static double begun_at(const cg_attempt *attempt)
{
    bool has_targets = attempt->goal.kind == CG_GOAL_TARGETS;
    return has_targets ? attempt->watch.first_touch : attempt->watch.first_motion;
}

cg_attempt_state cg_attempt_look(cg_attempt *attempt)
{
    cg_attempt_state *state = &attempt->state;
    uint64_t steps = steps_made(attempt);
    if (state->over || steps % CG_WATCH_EVERY != 0 || steps == attempt->seen) {
        return *state;
    }
    attempt->seen = steps;
    double time = cg_world_time(cg_session_world(attempt->session)), begun;
    see(attempt);
    begun = begun_at(attempt);
    cg_goal_kind kind = attempt->goal.kind;
    bool must_stay = kind == CG_GOAL_KNOT || kind == CG_GOAL_STITCH;
    state->reached = must_stay ? is_reached_and_stays(attempt, time) : cg_watch_is_reached(&attempt->watch);
    state->over = state->reached || time >= attempt->task->time_limit;
    state->time = begun >= 0 ? time - begun : 0;
    state->reached_targets = attempt->watch.reached;
    state->target_count = attempt->watch.target_count > 0 ? attempt->watch.target_count : attempt->watch.item_count;
    if (state->over) {
        cg_session_note(attempt->session, state->reached ? REACHED_TEXT : LATE_TEXT);
    }
    return *state;
}

// Measures of it as it is now

static void measure_wound_now(const cg_attempt *attempt, const cg_goal_stitch *goal, cg_measures *measures)
{
    const cg_world *world = cg_session_world(attempt->session);
    cg_wound_state wound = cg_wound_look_at(world, cg_session_tissue(attempt->session, 0), goal);
    if (!wound.is_there) {
        return;
    }
    cg_measure_set(measures, CG_MEASURE_wound_gap, wound.gap, measures->end);
    if (wound.step >= 0) {
        cg_measure_set(measures, CG_MEASURE_wound_step, wound.step, measures->end);
    }
    if (wound.has_rise) {
        cg_measure_set(measures, CG_MEASURE_eversion, wound.rise, measures->end);
    }
}

cg_status cg_attempt_measure(cg_attempt *attempt, cg_measures *measures)
{
    const cg_goal *goal = &attempt->goal;
    *measures = (cg_measures){0};
    if (attempt->watch.failed) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory left to measure an attempt");
    }
    cg_watch_measure(&attempt->watch, measures);
    measures->is_over = attempt->state.over;
    if (goal->kind == CG_GOAL_KNOT) {
        return cg_measure_knot_now(attempt->session, &goal->knot, &attempt->allocator, measures);
    }
    if (goal->kind != CG_GOAL_STITCH) {
        return cg_ok();
    }
    if (goal->stitch.has_wound) {
        measure_wound_now(attempt, &goal->stitch, measures);
    }
    cg_status status = cg_ok();
    if (goal->stitch.knot.name != NULL) {
        status = cg_measure_knot_now(attempt->session, &goal->stitch.knot, &attempt->allocator, measures);
        if (goal->stitch.knot.count == 0) { // FLS knows one suture
            cg_sewing_measure_fls(&attempt->watch.sewing, measures);
        }
    }
    return status;
}

// Going back

struct cg_attempt_past {
    cg_allocator allocator;
    uint64_t seed, rules;
    cg_watch watch;
    cg_attempt_state state;
    double knot_since;
    uint64_t seen;
};

cg_status cg_attempt_keep(const cg_attempt *attempt, cg_attempt_past **out)
{
    *out = NULL;
    cg_attempt_past *past = cg_memory_take(&attempt->allocator, sizeof *past);
    if (past == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory to keep an attempt");
    }
    past->allocator = attempt->allocator;
    past->seed = attempt->seed;
    past->rules = attempt->task->rules;
    past->state = attempt->state;
    past->knot_since = attempt->knot_since;
    past->seen = attempt->seen;
    past->watch.allocator = attempt->allocator;
    if (!cg_watch_copy(&past->watch, &attempt->watch)) {
        cg_attempt_past_free(past);
        return cg_error(CG_OUT_OF_MEMORY, "no memory to keep an attempt");
    }
    *out = past;
    return cg_ok();
}

cg_status cg_attempt_return(cg_attempt *attempt, const cg_attempt_past *past)
{
    if (past->seed != attempt->seed || past->rules != attempt->task->rules) {
        return cg_error(CG_MISMATCH, "found an attempt under seed %llu; expected one of the same task under seed %llu",
                        (unsigned long long)past->seed, (unsigned long long)attempt->seed);
    }
    if (!cg_watch_copy(&attempt->watch, &past->watch)) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory to go back in an attempt");
    }
    attempt->state = past->state;
    attempt->knot_since = past->knot_since;
    attempt->seen = past->seen;
    return cg_ok();
}

void cg_attempt_past_free(cg_attempt_past *past)
{
    if (past != NULL) {
        cg_allocator allocator = past->allocator;
        cg_watch_end(&past->watch);
        cg_memory_give(&allocator, past);
    }
}

// Recordings

// "task NAME seed N rules M varied"; older programs did not tell the rules, and varied nothing.
static void read_begin(const char *text, cg_recorded_attempt *attempt)
{
    static const char task_word[] = "task ", seed_word[] = " seed ", rules_word[] = " rules ";
    if (strncmp(text, task_word, sizeof task_word - 1) != 0) {
        return;
    }
    const char *name = text + sizeof task_word - 1, *seed = strstr(name, seed_word);
    if (seed == NULL || (size_t)(seed - name) >= sizeof attempt->task) {
        return;
    }
    const char *rules = strstr(seed, rules_word);
    *attempt = (cg_recorded_attempt){.seed = strtoull(seed + sizeof seed_word - 1, NULL, 10)};
    attempt->rules = rules != NULL ? strtoull(rules + sizeof rules_word - 1, NULL, 16) : 0;
    attempt->varied = rules != NULL && strstr(rules, VARIED_WORD) != NULL;
    memcpy(attempt->task, name, (size_t)(seed - name));
}

static bool take_number(const char **text, const char *word, double *value)
{
    size_t length = strlen(word), digits;
    if (strncmp(*text, word, length) != 0) {
        return false;
    }
    *text += length;
    if (cg_number_scan(*text, strlen(*text), &digits) != CG_NUMBER_FINE || !cg_number_value(*text, digits, 0, value)) {
        return false;
    }
    *text += digits;
    return true;
}

// "goal moved X Y Z turned T", behind the begin.
static void read_goal(const char *text, cg_recorded_attempt *attempt)
{
    cg_goal_move goal;
    if (take_number(&text, "goal moved ", &goal.shift.x) && take_number(&text, " ", &goal.shift.y) &&
        take_number(&text, " ", &goal.shift.z) && take_number(&text, " turned ", &goal.turn) && *text == '\0') {
        attempt->goal = goal;
        attempt->goal_told = true;
    }
}

cg_recorded_attempt cg_recording_attempt(cg_recording *recording)
{
    cg_recorded_attempt attempt = {0};
    uint64_t step;
    const char *text;
    for (size_t i = 0; cg_recording_event(recording, i, &step, &text); i++) {
        bool reached = strcmp(text, REACHED_TEXT) == 0;
        if (reached || strcmp(text, LATE_TEXT) == 0) {
            attempt.over = true;
            attempt.end_step = step;
            attempt.reached = reached;
        } else {
            read_begin(text, &attempt);
            read_goal(text, &attempt);
        }
    }
    return attempt;
}
