// What the page is told of one attempt: what it gave and why, how forces and speeds went, and the way of the tools.
#define _POSIX_C_SOURCE 200809L // fmemopen

#include "training/tell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "training/report.h"

enum {
    MOST_BINS = 240, // of a plot
    MOST_HANDS = 4,  // whose way is told
    WAY_EVERY = 5    // frames from one place of the way to the next
};

static bool open_recording(cg_record_reader *reader, const char *path, char *why)
{
    char said[CG_HOST_WHY_BYTES] = "";
    FILE *complaints = fmemopen(said, sizeof said, "w");
    bool good = complaints != NULL && path[0] != '\0' && cg_record_reader_open(reader, path, complaints);
    if (complaints != NULL) {
        fclose(complaints);
    }
    said[strcspn(said, "\n")] = '\0';
    if (!good) {
        snprintf(why, CG_HOST_WHY_BYTES, "%s", said[0] != '\0' ? said : "the attempt has no recording");
    }
    return good;
}

// A plot: the largest force on a hand and the mean speed of the fastest tip, in bins of the same length.

typedef struct plot {
    double force[MOST_BINS], speed[MOST_BINS], end[MOST_BINS];
    int frames[MOST_BINS];
    int count;
} plot;

static double length_of(cg_vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static cg_vec3 difference(cg_vec3 a, cg_vec3 b)
{
    return (cg_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static void add_frame(plot *to, int bin, const cg_recorded_frame *frame, cg_vec3 *last, double seconds)
{
    double speed = 0;
    for (int i = 0; i < frame->hand_count; i++) {
        const cg_recorded_hand *hand = &frame->hands[i];
        if (hand->hand >= MOST_HANDS) {
            continue;
        }
        double force = length_of(hand->state.force);
        double went = seconds > 0 ? length_of(difference(hand->state.pose.position, last[hand->hand])) / seconds : 0;
        to->force[bin] = force > to->force[bin] ? force : to->force[bin];
        speed = went > speed ? went : speed;
        last[hand->hand] = hand->state.pose.position;
    }
    to->speed[bin] += speed;
    to->end[bin] = frame->time;
    to->frames[bin]++;
}

static void read_plot(cg_recording *recording, plot *to)
{
    size_t count = cg_recording_frame_count(recording);
    cg_recorded_frame frame;
    cg_vec3 last[MOST_HANDS] = {{0}};
    double before = -1;
    *to = (plot){.count = count < MOST_BINS ? (int)count : MOST_BINS};
    for (size_t i = 0; i < count && cg_recording_frame(recording, i, &frame).code == CG_OK; i++) {
        int bin = (int)(i * (size_t)to->count / count);
        add_frame(to, bin, &frame, last, before >= 0 ? frame.time - before : 0);
        before = frame.time;
    }
    for (int i = 0; i < to->count; i++) {
        to->speed[i] /= to->frames[i] > 0 ? to->frames[i] : 1;
    }
}

static void tell_row(cg_json *json, const char *name, const double *values, int count)
{
    cg_json_name(json, name);
    cg_json_begin_array(json);
    for (int i = 0; i < count; i++) {
        cg_json_number(json, (double)(float)values[i]);
    }
    cg_json_end_array(json);
}

static void tell_plot(cg_json *json, const plot *drawn)
{
    cg_json_name(json, "plot");
    cg_json_begin_object(json);
    tell_row(json, "time", drawn->end, drawn->count);
    tell_row(json, "force", drawn->force, drawn->count);
    tell_row(json, "speed", drawn->speed, drawn->count);
    cg_json_end_object(json);
}

// What a recording measured. Looking through it takes long, and a result is asked for again by whoever comes back
// to it: the last is kept, and holds as long as recording and rules are the same.
struct cg_last_result {
    int64_t attempt; // 0: none
    uint64_t rules, steps;
    cg_measures measures;
    plot drawn;
};

// NULL, with a sentence, when it cannot be measured.
static const cg_last_result *measure(cg_training_service *service, int64_t attempt, cg_recording *recording,
                                     const cg_task *task, char *why)
{
    uint64_t rules = cg_task_rules(task), steps = cg_recording_step_count(recording);
    cg_last_result *last = service->last != NULL ? service->last : calloc(1, sizeof *last);
    service->last = last;
    if (last == NULL) {
        snprintf(why, CG_HOST_WHY_BYTES, "no memory for a result");
        return NULL;
    }
    if (last->attempt == attempt && last->rules == rules && last->steps == steps) {
        return last;
    }
    last->attempt = 0;
    cg_status status = cg_measure_recording(recording, task, NULL, &last->measures);
    if (status.code != CG_OK) {
        snprintf(why, CG_HOST_WHY_BYTES, "%s", status.message);
        return NULL;
    }
    read_plot(recording, &last->drawn);
    last->attempt = attempt;
    last->rules = rules;
    last->steps = steps;
    return last;
}

// The score

static void tell_measured(cg_json *json, int measure, const cg_measured *got)
{
    char said[64] = "not known";
    if (got->known) {
        cg_measured_say(measure, got->value, said, sizeof said);
    }
    cg_json_string_member(json, "measure", cg_measure_get_info(measure)->name);
    cg_json_string_member(json, "text", cg_measure_get_info(measure)->text);
    cg_json_string_member(json, "said", said);
    cg_json_number_member(json, "at", got->known ? got->at : -1);
}

static void tell_lines(cg_json *json, const cg_score *score)
{
    cg_json_name(json, "rubric");
    cg_json_begin_array(json);
    for (int i = 0; i < score->line_count; i++) {
        const cg_score_line *line = &score->lines[i];
        cg_json_begin_object(json);
        tell_measured(json, line->measure, &line->got);
        cg_json_number_member(json, "points", line->points);
        cg_json_number_member(json, "worth", line->worth);
        cg_json_number_member(json, "most", line->most);
        cg_json_boolean_member(json, "must", line->must);
        cg_json_boolean_member(json, "failed", line->failed);
        cg_json_string_member(json, "advice", line->advice);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

static void tell_score(cg_json *json, const cg_score *score, const cg_measures *measures)
{
    char advice[400];
    cg_score_advice(score, advice, sizeof advice);
    cg_json_number_member(json, "points", score->points);
    cg_json_number_member(json, "most", score->most);
    cg_json_number_member(json, "needed", score->pass_points);
    cg_json_boolean_member(json, "passed", score->passed);
    cg_json_number_member(json, "worst", score->worst);
    cg_json_string_member(json, "advice", advice);
    cg_json_string_member(json, "knot",
                          measures->knot.name[0] == '\0'     ? NULL
                          : measures->knot.common[0] != '\0' ? measures->knot.common
                                                             : measures->knot.name);
    tell_lines(json, score);
    cg_json_name(json, "measures");
    cg_json_begin_array(json);
    for (int i = 0; i < CG_MEASURE_COUNT; i++) {
        if (measures->of[i].known) {
            cg_json_begin_object(json);
            tell_measured(json, i, &measures->of[i]);
            cg_json_end_object(json);
        }
    }
    cg_json_end_array(json);
}

static void tell_noted(cg_json *json, const cg_noted_attempt *noted, const cg_task *task)
{
    cg_json_number_member(json, "attempt", (double)noted->id);
    cg_json_string_member(json, "trainee", noted->trainee);
    cg_json_string_member(json, "task", noted->task);
    cg_json_string_member(json, "title", cg_task_title(task));
    cg_json_string_member(json, "state", noted->state);
    cg_json_number_member(json, "seed", (double)noted->seed);
    cg_json_number_member(json, "started", (double)noted->started);
    cg_json_number_member(json, "seconds", noted->seconds);
    cg_json_number_member(json, "noted_points", noted->points);
    cg_json_number_member(json, "noted_most", noted->most);
    cg_json_boolean_member(json, "noted_passed", noted->passed);
}

// Without its recording an attempt is told by the measures that the logbook kept.
static bool read_kept(const cg_training_service *service, const cg_noted_attempt *noted, cg_measures *measures,
                      char *why)
{
    cg_logbook *book;
    char told[CG_LOGBOOK_WHY] = "";
    if (!cg_training_open_book(service, &book, why)) {
        return false;
    }
    bool good = cg_logbook_measures(book, noted->id, measures, told);
    cg_logbook_close(book);
    if (!good) {
        snprintf(why, CG_HOST_WHY_BYTES, "%s", told);
    }
    return good;
}

static bool tell_recorded(cg_training_service *service, cg_json *json, int64_t number, cg_recording *recording,
                          const cg_task *task, char *why)
{
    const cg_last_result *last = measure(service, number, recording, task, why);
    if (last == NULL) {
        return false;
    }
    cg_score score = cg_task_score(task, &last->measures);
    cg_recorded_attempt attempt = cg_recording_attempt(recording);
    cg_task_marks marks = cg_recorded_marks(task, &attempt);
    cg_tell_marks(json, &marks);
    cg_json_boolean_member(json, "has_recording", true);
    cg_json_boolean_member(json, "edited", attempt.rules != 0 && attempt.rules != cg_task_rules(task));
    cg_json_boolean_member(json, "reached", attempt.reached);
    cg_json_number_member(json, "time_step", cg_recording_get_info(recording).time_step);
    cg_json_number_member(json, "steps", (double)cg_recording_step_count(recording));
    tell_score(json, &score, &last->measures);
    tell_plot(json, &last->drawn);
    return true;
}

static bool tell_kept(const cg_training_service *service, cg_json *json, const cg_noted_attempt *noted,
                      const cg_task *task, char *why)
{
    cg_measures measures;
    if (!read_kept(service, noted, &measures, why)) {
        return false;
    }
    cg_score score = cg_task_score(task, &measures);
    cg_task_marks marks = cg_task_get_marks(task, (uint64_t)noted->seed);
    cg_tell_marks(json, &marks);
    cg_json_boolean_member(json, "has_recording", false);
    tell_score(json, &score, &measures);
    return true;
}

bool cg_tell_result(cg_training_service *service, uint64_t number, cg_json *json, char *why)
{
    cg_noted_attempt noted;
    cg_record_reader reader = {0};
    cg_task *task;
    char path[CG_MOST_PATH], unused[CG_HOST_WHY_BYTES];
    if (!cg_training_find(service, number, &noted, why) || !cg_training_task(noted.task, path, &task, why)) {
        return false;
    }
    tell_noted(json, &noted, task);
    bool is_there = open_recording(&reader, noted.recording, unused);
    bool good = is_there ? tell_recorded(service, json, noted.id, reader.recording, task, why)
                         : tell_kept(service, json, &noted, task, why);
    cg_record_reader_close(&reader);
    cg_task_free(task);
    return good;
}

// The way of the expert

typedef struct newest {
    int64_t number;
} newest;

static bool note_newest(void *context, const cg_logged *attempt)
{
    if (attempt->passed && strcmp(attempt->state, "finished") == 0) {
        ((newest *)context)->number = attempt->id;
    }
    return true;
}

static int64_t find_newest(const cg_training_service *service, const char *task, char *why)
{
    cg_logbook *book;
    newest found = {0};
    char told[CG_LOGBOOK_WHY] = "";
    if (!cg_training_open_book(service, &book, why)) {
        return 0;
    }
    if (!cg_logbook_each(book, CG_EXPERT_NAME, task, note_newest, &found, told)) {
        snprintf(why, CG_HOST_WHY_BYTES, "%s", told);
    } else if (found.number == 0) {
        snprintf(why, CG_HOST_WHY_BYTES, "the expert has not done this task yet");
    }
    cg_logbook_close(book);
    return found.number;
}

// Of every few frames: the time, then of each hand its place [m] and whether it is closed.
static void tell_places(cg_json *json, cg_recording *recording)
{
    size_t count = cg_recording_frame_count(recording);
    cg_recorded_frame frame;
    cg_json_name(json, "places");
    cg_json_begin_array(json);
    for (size_t i = 0; i < count && cg_recording_frame(recording, i, &frame).code == CG_OK; i += WAY_EVERY) {
        cg_json_begin_array(json);
        cg_json_number(json, (double)(float)frame.time);
        for (int k = 0; k < frame.hand_count && k < MOST_HANDS; k++) {
            const cg_hand_state *state = &frame.hands[k].state;
            cg_json_number(json, (double)(float)state->pose.position.x);
            cg_json_number(json, (double)(float)state->pose.position.y);
            cg_json_number(json, (double)(float)state->pose.position.z);
            cg_json_number(json, state->closed);
        }
        cg_json_end_array(json);
    }
    cg_json_end_array(json);
}

// "step NAME: TEXT", as the server notes it.
static void tell_steps(cg_json *json, cg_recording *recording)
{
    static const char word[] = "step ";
    double time_step = cg_recording_get_info(recording).time_step;
    uint64_t step;
    const char *text;
    cg_json_name(json, "steps");
    cg_json_begin_array(json);
    for (size_t i = 0; cg_recording_event(recording, i, &step, &text); i++) {
        if (strncmp(text, word, sizeof word - 1) == 0) {
            cg_json_begin_object(json);
            cg_json_number_member(json, "at", (double)step * time_step);
            cg_json_string_member(json, "text", text + sizeof word - 1);
            cg_json_end_object(json);
        }
    }
    cg_json_end_array(json);
}

bool cg_tell_way(const cg_training_service *service, const char *task, cg_json *json, char *why)
{
    cg_noted_attempt noted;
    cg_record_reader reader = {0};
    int64_t number = find_newest(service, task, why);
    if (number == 0 || !cg_training_find(service, (uint64_t)number, &noted, why) ||
        !open_recording(&reader, noted.recording, why)) {
        cg_record_reader_close(&reader);
        return false;
    }
    cg_json_string_member(json, "task", noted.task);
    cg_json_number_member(json, "seed", (double)noted.seed);
    cg_json_number_member(json, "seconds", noted.seconds);
    tell_places(json, reader.recording);
    tell_steps(json, reader.recording);
    cg_record_reader_close(&reader);
    return true;
}
