// Measures of what was watched.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"
#include "task/knots.h"
#include "task/motion.h"
#include "task/smoothness.h"
#include "task/watch.h"
#include "task/wound.h"

enum { LOWER = 0, HIGHER = 1 };

static const cg_measure_info infos[CG_MEASURE_COUNT] = {
#define CG_MEASURE(id, unit, better, text, advice) {#id, unit, better, text, advice},
#include "catgut/measures.def"
#undef CG_MEASURE
};

const cg_measure_info *cg_measure_get_info(int measure)
{
    return measure >= 0 && measure < CG_MEASURE_COUNT ? &infos[measure] : NULL;
}

int cg_measure_find(const char *name)
{
    for (int i = 0; i < CG_MEASURE_COUNT; i++) {
        if (strcmp(infos[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

void cg_measure_set(cg_measures *measures, cg_measure which, double value, double at)
{
    measures->of[which] = (cg_measured){.known = true, .value = value, .at = at};
}

static void set_count(cg_measures *measures, cg_measure which, const cg_count *count)
{
    cg_measure_set(measures, which, count->count, count->count > 0 ? count->first : -1);
}

// Motion

// Moments of the time that counts, and room to compute with.
typedef struct window {
    const cg_watch *watch;
    int first, count;     // moments
    double interval;      // [s] between points of `even`
    int even_count;       // points at equal intervals of one hand at a time
    cg_vec3 *tips, *even; // tips: of one hand at the moments
    double *speed;
    double path[CG_WATCH_HANDS];
} window;

// Spectra reach up to 10 Hz; finer intervals than this cost much and tell nothing. Beyond 35 minutes of 16 ms they get
// coarser, so that no recording, however long it says it is, takes more memory.
static const double LEAST_INTERVAL = 8e-3; // [s]
enum { MOST_EVEN = 1 << 17 };

static void choose_moments(window *w, const cg_measures *measures)
{
    const cg_watch *watch = w->watch;
    double slack = 1e-9;
    while (w->first < watch->moment_count && watch->times[w->first] < measures->begin - slack) {
        w->first++;
    }
    int end = w->first;
    while (end < watch->moment_count && watch->times[end] <= measures->end + slack) {
        end++;
    }
    w->count = end - w->first;
    if (w->count < 2) {
        return;
    }
    double whole = watch->times[end - 1] - watch->times[w->first];
    w->interval = watch->times[w->first + 1] - watch->times[w->first];
    w->interval = w->interval > LEAST_INTERVAL ? w->interval : LEAST_INTERVAL;
    w->interval = w->interval > whole / MOST_EVEN ? w->interval : whole / MOST_EVEN;
    double points = floor(whole / w->interval + 1e-6);
    w->even_count = points <= MOST_EVEN ? (int)points + 1 : 0; // 0 where times are no numbers
}

// The way of a hand at the moments, and at equal intervals, straight between moments.
static void choose_hand(window *w, int hand)
{
    const double *times = w->watch->times + w->first;
    for (int i = 0; i < w->count; i++) {
        w->tips[i] = w->watch->tips[(size_t)(w->first + i) * CG_WATCH_HANDS + (size_t)hand];
    }
    for (int i = 0, at = 0; i < w->even_count; i++) {
        double time = times[0] + i * w->interval;
        while (at + 2 < w->count && times[at + 1] <= time) {
            at++;
        }
        double share = (time - times[at]) / (times[at + 1] - times[at]);
        w->even[i] = v3_add_scaled(w->tips[at], share < 1 ? share : 1, v3_sub(w->tips[at + 1], w->tips[at]));
    }
}

// Time in which no hand moved, and when the longest such stretch began.
static void measure_idle(const window *w, cg_measures *measures)
{
    double idle = 0, stretch = 0, longest = 0, begun = -1, longest_at = -1;
    for (int i = 1; i < w->count; i++) {
        const cg_vec3 *now = &w->watch->tips[(size_t)(w->first + i) * CG_WATCH_HANDS], *before = now - CG_WATCH_HANDS;
        double time = w->watch->times[w->first + i - 1], elapsed = w->watch->times[w->first + i] - time;
        bool still = true;
        for (int hand = 0; hand < CG_WATCH_HANDS; hand++) {
            still = still && v3_distance(before[hand], now[hand]) < CG_STILL_SPEED * elapsed;
        }
        begun = stretch > 0 ? begun : time;
        stretch = still ? stretch + elapsed : 0;
        idle += still ? elapsed : 0;
        if (stretch > longest) {
            longest = stretch;
            longest_at = begun;
        }
    }
    cg_measure_set(measures, CG_MEASURE_idle_time, idle, longest_at);
}

// SPARC and jerk of the hand that moved most.
static void measure_smoothness(window *w, int hand, cg_measures *measures)
{
    double sparc, jerk;
    choose_hand(w, hand);
    if (w->even_count < 4) {
        return;
    }
    cg_speeds(w->even, w->even_count, w->interval, w->speed);
    if (cg_sparc(w->speed, w->even_count - 1, w->interval, &w->watch->allocator, &sparc)) {
        cg_measure_set(measures, CG_MEASURE_sparc, sparc, -1);
    }
    if (cg_log_jerk(w->speed, w->even_count - 1, w->interval, &jerk)) {
        cg_measure_set(measures, CG_MEASURE_jerk, jerk, -1);
    }
}

static void measure_ways(window *w, cg_measures *measures)
{
    double path = 0, volume = 0, most = 0, second = 0, straight = 0, way = 0;
    int movements = 0, busiest = -1;
    for (int hand = 0; hand < CG_WATCH_HANDS; hand++) {
        const cg_watched_hand *watched = &w->watch->hands[hand];
        if (!watched->seen) {
            continue;
        }
        choose_hand(w, hand);
        double own = cg_path_length(w->tips, w->count);
        path += own;
        volume += cg_working_volume(w->tips, w->count);
        cg_speeds(w->even, w->even_count, w->interval, w->speed);
        movements += cg_movement_count(w->speed, w->even_count - 1);
        straight += watched->straight + v3_distance(watched->leg, watched->tip);
        way += watched->way;
        second = own > most ? most : own > second ? own : second;
        busiest = own > most ? hand : busiest;
        most = own > most ? own : most;
    }
    cg_measure_set(measures, CG_MEASURE_path_length, path, -1);
    cg_measure_set(measures, CG_MEASURE_movements, movements, -1);
    cg_measure_set(measures, CG_MEASURE_working_volume, volume, -1);
    if (way > 1e-3 && !w->watch->has_jaws) { // where ways end is known by grasps
        cg_measure_set(measures, CG_MEASURE_economy, straight < way ? straight / way : 1, -1);
    }
    if (w->watch->hand_count > 1 && most > 1e-3) {
        cg_measure_set(measures, CG_MEASURE_hand_balance, second / most, -1);
    }
    if (busiest >= 0) {
        measure_smoothness(w, busiest, measures);
    }
}

static void measure_motion(const cg_watch *watch, cg_measures *measures)
{
    window w = {.watch = watch};
    choose_moments(&w, measures);
    if (w.count < 3 || w.even_count < 2 || watch->hand_count < 1) {
        return;
    }
    size_t tips = (size_t)w.count + (size_t)w.even_count;
    w.tips = cg_memory_take(&watch->allocator, tips * sizeof *w.tips);
    w.speed = cg_memory_take(&watch->allocator, (size_t)w.even_count * sizeof *w.speed);
    if (w.tips != NULL && w.speed != NULL) {
        w.even = w.tips + w.count;
        measure_ways(&w, measures);
        measure_idle(&w, measures);
    }
    cg_memory_give(&watch->allocator, w.tips);
    cg_memory_give(&watch->allocator, w.speed);
}

// Goals

static int count_bits(uint64_t bits)
{
    int count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

static void measure_targets(const cg_watch *watch, cg_measures *measures)
{
    double share = (double)count_bits(watch->reached) / watch->target_count;
    cg_measure_set(measures, CG_MEASURE_targets_reached, share, share < 1 ? measures->end : -1);
    set_count(measures, CG_MEASURE_misses, &watch->misses);
    if (watch->first_touch < 0) {
        measures->of[CG_MEASURE_time] = (cg_measured){.at = -1};
    }
}

static void measure_items(const cg_watch *watch, cg_measures *measures)
{
    cg_count misses = watch->misses;
    for (int i = 0; i < watch->item_count; i++) {
        if (watch->released_at[i] >= 0) { // it lies beside the receptacle for good
            misses.first = misses.count == 0 ? watch->released_at[i] : misses.first;
            misses.count++;
        }
    }
    if (watch->item_count > 0) {
        double share = (double)count_bits(watch->reached) / watch->item_count;
        cg_measure_set(measures, CG_MEASURE_targets_reached, share, share < 1 ? measures->end : -1);
    }
    if (!watch->has_jaws) { // when an item was let go is not known
        set_count(measures, CG_MEASURE_misses, &misses);
    }
}

static void measure_line(const cg_watch *watch, cg_measures *measures)
{
    int followed = 0;
    for (int i = 0; i < CG_WATCH_PARTS; i++) {
        followed += watch->followed[i];
    }
    double share = (double)followed / CG_WATCH_PARTS;
    cg_measure_set(measures, CG_MEASURE_coverage, share, share < 1 ? measures->end : -1);
    if (watch->drawn > 0) {
        cg_measure_set(measures, CG_MEASURE_deviation, watch->deviation, watch->deviation_at);
        cg_measure_set(measures, CG_MEASURE_mean_deviation, watch->deviation_sum / watch->drawn, watch->deviation_at);
    }
}

// The time that counts: from the first motion, or the first touch of a target, to the end.
static void choose_time(const cg_watch *watch, cg_measures *measures)
{
    cg_goal_kind kind = watch->goal != NULL ? watch->goal->kind : CG_GOAL_NONE;
    double last = watch->moment_count > 0 ? watch->times[watch->moment_count - 1] : 0;
    double first = watch->moment_count > 0 ? watch->times[0] : 0;
    measures->begin = kind == CG_GOAL_TARGETS && watch->first_touch >= 0 ? watch->first_touch
                      : watch->first_motion >= 0                         ? watch->first_motion
                                                                         : first;
    bool touched = kind == CG_GOAL_TARGETS && cg_watch_is_reached(watch);
    measures->end = touched ? watch->last_touch : last;
    cg_measure_set(measures, CG_MEASURE_time, measures->end - measures->begin, -1);
}

// What hands took, lost and let go. Moments do not say what jaws that touch hold: where there are any, none of it is
// known.
static void measure_grips(const cg_watch *watch, cg_measures *measures)
{
    if (watch->has_jaws) {
        return;
    }
    set_count(measures, CG_MEASURE_grasps, &watch->grasps);
    set_count(measures, CG_MEASURE_missed_grasps, &watch->missed);
    set_count(measures, CG_MEASURE_thread_drops, &watch->drops);
    set_count(measures, CG_MEASURE_tissue_slips, &watch->slips);
}

void cg_watch_measure(const cg_watch *watch, cg_measures *measures)
{
    *measures = (cg_measures){0};
    for (int i = 0; i < CG_MEASURE_COUNT; i++) {
        measures->of[i].at = -1;
    }
    choose_time(watch, measures);
    measure_motion(watch, measures);
    if (watch->hand_count > 0) {
        cg_measure_set(measures, CG_MEASURE_peak_force, watch->peak_force, watch->peak_force_at);
        measure_grips(watch, measures);
    }
    cg_goal_kind kind = watch->goal != NULL ? watch->goal->kind : CG_GOAL_NONE;
    if (kind == CG_GOAL_TARGETS) {
        measure_targets(watch, measures);
    } else if (kind == CG_GOAL_ITEMS) {
        measure_items(watch, measures);
    } else if (kind == CG_GOAL_LINE) {
        measure_line(watch, measures);
    }
    cg_sewing_measure(&watch->sewing, measures);
}

// Recordings

// What frames do not say and operations do: where the camera is, and that something was cut.
typedef struct operation_walk {
    size_t next;
    bool has_camera, cuts;
    cg_camera camera;
} operation_walk;

static void see_operations(operation_walk *walk, const cg_recording *recording, uint64_t step, cg_moment *moment)
{
    cg_operation operation;
    while (cg_recording_operation(recording, walk->next, &operation) && operation.step < step) {
        if (operation.kind == CG_OPERATION_move_camera) {
            walk->has_camera = true;
            walk->camera = (cg_camera){operation.as.move_camera.position, operation.as.move_camera.target,
                                       operation.as.move_camera.up};
        }
        walk->cuts = walk->cuts || operation.kind == CG_OPERATION_cut;
        walk->next++;
    }
    moment->sewing.cuts = moment->sewing.cuts || walk->cuts;
    moment->sewing.has_camera = walk->has_camera;
    moment->sewing.camera = walk->camera;
}

// Sees all frames up to the end of the attempt; *last becomes the number of the last of them.
static cg_status see_frames(cg_watch *watch, cg_recording *recording, const cg_recorded_attempt *attempt, size_t *last)
{
    bool with_items = watch->goal != NULL && watch->goal->kind == CG_GOAL_ITEMS;
    size_t count = cg_recording_frame_count(recording);
    operation_walk operations = {0};
    for (size_t i = 0; i < count; i++) {
        cg_recorded_frame frame;
        cg_moment moment;
        cg_status status = cg_recording_frame(recording, i, &frame);
        if (status.code != CG_OK) {
            return status;
        }
        if (attempt->over && frame.step > attempt->end_step) {
            break;
        }
        cg_moment_of_frame(&moment, &frame, with_items);
        see_operations(&operations, recording, frame.step, &moment);
        cg_watch_see(watch, &moment);
        *last = i;
    }
    return watch->failed ? cg_error(CG_OUT_OF_MEMORY, "no memory left to measure a recording") : cg_ok();
}

static cg_status measure_wound(cg_recording *recording, size_t last, const cg_goal_stitch *goal,
                               const cg_allocator *allocator, cg_measures *measures)
{
    cg_recorded_frame frame;
    cg_wound_state wound;
    cg_status status = cg_recording_frame(recording, last, &frame);
    status = status.code == CG_OK ? cg_wound_look(&frame, goal, allocator, &wound) : status;
    if (status.code == CG_OK && wound.is_there) {
        cg_measure_set(measures, CG_MEASURE_wound_gap, wound.gap, measures->end);
        if (wound.step >= 0) {
            cg_measure_set(measures, CG_MEASURE_wound_step, wound.step, measures->end);
        }
        if (wound.has_rise) {
            cg_measure_set(measures, CG_MEASURE_eversion, wound.rise, measures->end);
        }
    }
    return status;
}

static cg_status measure_stitch(cg_recording *recording, size_t last, const cg_watch *watch,
                                const cg_allocator *allocator, cg_measures *measures)
{
    const cg_goal_stitch *goal = &watch->goal->stitch;
    cg_status status = cg_ok();
    if (goal->has_wound) {
        status = measure_wound(recording, last, goal, allocator, measures);
    }
    if (status.code == CG_OK && goal->knot.name != NULL) {
        status = cg_measure_knot(recording, last, &goal->knot, allocator, measures);
        if (goal->knot.count == 0) { // FLS knows one suture
            cg_sewing_measure_fls(&watch->sewing, measures);
        }
    }
    return status;
}

cg_status cg_measure_recording(cg_recording *recording, const cg_task *task, const cg_allocator *allocator,
                               cg_measures *measures)
{
    cg_allocator chosen = allocator != NULL ? *allocator : (cg_allocator){0};
    cg_recorded_attempt attempt = cg_recording_attempt(recording);
    cg_goal placed = {0};
    const cg_goal *goal = task != NULL ? &placed : NULL;
    if (task != NULL) {
        placed = cg_recorded_goal(task, &attempt);
    }
    *measures = (cg_measures){0};
    if (cg_recording_frame_count(recording) == 0) {
        return cg_error(CG_BAD_INPUT, "found a recording without frames, expected at least one");
    }
    cg_watch *watch = cg_memory_take(&chosen, sizeof *watch);
    if (watch == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory left to measure a recording");
    }
    size_t last = 0;
    cg_watch_begin(watch, goal, attempt.seed, &chosen);
    cg_status status = see_frames(watch, recording, &attempt, &last);
    if (status.code == CG_OK) {
        cg_watch_measure(watch, measures);
        measures->is_over = attempt.over;
        if (goal != NULL && goal->kind == CG_GOAL_KNOT) {
            status = cg_measure_knot(recording, last, &goal->knot, &chosen, measures);
        } else if (goal != NULL && goal->kind == CG_GOAL_STITCH) {
            status = measure_stitch(recording, last, watch, &chosen, measures);
        }
    }
    cg_watch_end(watch);
    cg_memory_give(&chosen, watch);
    return status;
}
