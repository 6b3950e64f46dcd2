#include "runner/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/template.h"
#include "support/vector.h"

bool cg_study_is_well(const cg_study *study)
{
    return study->report->trouble[0] == '\0';
}

const cg_json_value *cg_study_find(const cg_json_value *object, const char *name)
{
    return object ? cg_json_find(object, name) : NULL;
}

// --- formulas ---

static const cg_vec3 *positions(const cg_study *study)
{
    return cg_thread_positions(cg_session_world(study->session), study->thread, NULL);
}

static bool place_of(const cg_study *study, double number, int *place)
{
    int vertex = (int)(number < 0 ? study->count + number : number);
    *place = vertex;
    return number == floor(number) && vertex >= 0 && vertex < study->count;
}

static double part_of(cg_vec3 v, char axis)
{
    return axis == 'x' ? v.x : axis == 'y' ? v.y : v.z;
}

// x(i), y(i), z(i): where a vertex of the thread is; x0(i): where it was at first; hold_x(i): the force that holds it.
// From the end by negative numbers. unfinished(): steps so far.
static bool call_world(void *context, const char *name, const double *arguments, int count, double *value)
{
    const cg_study *study = context;
    int place = 0;
    if (!study->session) {
        return false;
    }
    const cg_world *world = cg_session_world(study->session);
    if (count == 0 && strcmp(name, "unfinished") == 0) {
        *value = (double)cg_world_get_stats(world).unfinished_steps;
        return true;
    }
    bool is_hold = strncmp(name, "hold_", 5) == 0;
    const char *axis = is_hold ? name + 5 : name;
    bool is_start = axis[0] != '\0' && strcmp(axis + 1, "0") == 0;
    if (count != 1 || strchr("xyz", axis[0]) == NULL || axis[0] == '\0' ||
        (axis[1] != '\0' && !(is_start && !is_hold)) || !place_of(study, arguments[0], &place)) {
        return false;
    }
    cg_vec3 vector = is_hold ? cg_thread_hold_force(world, study->thread, place)
                             : (is_start ? study->start : positions(study))[place];
    *value = part_of(vector, axis[0]);
    return true;
}

void cg_study_begin(cg_study *study, const char *file, const cg_json_value *root, cg_report *report)
{
    *study = (cg_study){.file = file, .root = root, .report = report};
    study->scope = (cg_formula_scope){.names = &study->names, .call = call_world, .context = study};
}

double cg_study_value(cg_study *study, const cg_json_value *value)
{
    char why[200];
    double number = NAN;
    if (!value || value->kind == CG_JSON_NULL || !cg_study_is_well(study)) {
        return NAN;
    }
    if (value->kind == CG_JSON_NUMBER) {
        return value->as.number;
    }
    if (value->kind != CG_JSON_STRING) {
        cg_report_trouble(study->report, "%s:%d: found %s; expected a number or a formula", study->file, value->line,
                          cg_json_kind_name(value->kind));
        return NAN;
    }
    const char *text = value->as.string;
    if (!cg_formula_value(text[0] == '=' ? text + 1 : text, &study->scope, &number, why, sizeof why)) {
        cg_report_trouble(study->report, "%s:%d: %s", study->file, value->line, why);
    }
    return number;
}

double cg_study_member(cg_study *study, const cg_json_value *object, const char *name, double otherwise)
{
    const cg_json_value *value = cg_study_find(object, name);
    return value ? cg_study_value(study, value) : otherwise;
}

void cg_study_let(cg_study *study, const cg_json_value *object)
{
    for (int i = 0; object && object->kind == CG_JSON_OBJECT && i < object->count; i++) {
        const cg_json_value *item = object->as.items[i];
        if (!cg_names_set(&study->names, item->name, cg_study_value(study, item))) {
            cg_report_trouble(study->report, "%s:%d: too many names, or %s is too long", study->file, item->line,
                              item->name);
        }
    }
}

// {NAME} or {NAME:.3f} at the beginning of `text`: what stands for it, and how many bytes it is long; 0 when it is
// none.
static size_t word_of(cg_study *study, const char *text, char *number, size_t room)
{
    char name[64], why[200];
    double value;
    int digits;
    const char *end = strchr(text, '}');
    size_t length = end ? (size_t)(end - text) - 1 : sizeof name;
    if (length >= sizeof name) {
        return 0;
    }
    memcpy(name, text + 1, length);
    name[length] = '\0';
    char *colon = strchr(name, ':');
    bool has_digits = colon && sscanf(colon, ":.%1df", &digits) == 1;
    if (colon) {
        *colon = '\0';
    }
    if (!cg_formula_value(name, &study->scope, &value, why, sizeof why)) {
        cg_report_trouble(study->report, "%s: \"%s\": %s", study->file, text, why);
    }
    if (has_digits) {
        snprintf(number, room, "%.*f", digits, value);
    } else {
        snprintf(number, room, "%g", value);
    }
    return length + 2;
}

void cg_study_words(cg_study *study, const char *text, char *words, size_t room)
{
    size_t used = 0;
    while (*text && used + 1 < room) {
        char number[64];
        size_t length = *text == '{' ? word_of(study, text, number, sizeof number) : 0;
        if (length == 0) {
            words[used++] = *text++;
            continue;
        }
        for (const char *c = number; *c && used + 1 < room; c++) {
            words[used++] = *c;
        }
        text += length;
    }
    words[used] = '\0';
}

// --- the world ---

static bool build(cg_study *study)
{
    cg_text text = {0};
    cg_scene_error error = {{0}, 0, 0, {0}};
    cg_session_def def = cg_session_def_default();
    const cg_json_value *scene = cg_study_find(study->root, "scene");
    if (!scene) {
        cg_report_trouble(study->report, "%s: there is no scene", study->file);
        return false;
    }
    cg_template_write(study, scene, &text);
    bool good = cg_study_is_well(study) && !text.failed && text.bytes;
    if (good) {
        cg_status status = cg_scene_read(text.bytes, text.size, "scene", NULL, NULL, &study->scene, &error);
        status = status.code == CG_OK ? cg_session_create(&def, study->scene, &study->session, &error) : status;
        good = status.code == CG_OK;
        if (!good) {
            cg_report_trouble(study->report, "%s: its scene: %s", study->file, status.message);
        }
    }
    cg_text_free(&text);
    if (good) {
        study->thread = cg_session_thread(study->session, 0);
        const cg_vec3 *now = cg_thread_positions(cg_session_world(study->session), study->thread, &study->count);
        study->start = calloc(2 * (size_t)study->count + 1, sizeof *study->start);
        study->before = study->start ? study->start + study->count : NULL;
        good = now && study->start;
        if (good) {
            memcpy(study->start, now, (size_t)study->count * sizeof *now);
        } else {
            cg_report_trouble(study->report, "%s: its scene has no thread", study->file);
        }
    }
    return good;
}

static cg_vec3 vector_of(cg_study *study, const cg_json_value *list)
{
    if (!list || list->kind != CG_JSON_ARRAY || list->count != 3) {
        cg_report_trouble(study->report, "%s: expected three formulas", study->file);
        return vec(0, 0, 0);
    }
    return vec(cg_study_value(study, list->as.items[0]), cg_study_value(study, list->as.items[1]),
               cg_study_value(study, list->as.items[2]));
}

// One line of "drive": {"push": VERTEX, "force": V}, {"push_moment": SEGMENT, "moment": V}, {"hold": VERTEX, "at": V}.
static void drive(cg_study *study, const cg_json_value *line)
{
    cg_operation operation = {0};
    int place = 0;
    const cg_json_value *push = cg_study_find(line, "push"), *moment = cg_study_find(line, "push_moment"),
                        *hold = cg_study_find(line, "hold");
    const cg_json_value *where = push ? push : moment ? moment : hold;
    if (!where || !place_of(study, cg_study_value(study, where), &place)) {
        cg_report_trouble(study->report, "%s:%d: expected \"push\", \"push_moment\" or \"hold\" with a vertex",
                          study->file, line->line);
        return;
    }
    if (push) {
        operation.kind = CG_OPERATION_push_vertex;
        operation.as.push_vertex = (cg_operation_push_vertex){0, place, vector_of(study, cg_study_find(line, "force"))};
    } else if (moment) {
        operation.kind = CG_OPERATION_push_moment;
        operation.as.push_moment =
            (cg_operation_push_moment){0, place, vector_of(study, cg_study_find(line, "moment"))};
    } else {
        operation.kind = CG_OPERATION_hold;
        operation.as.hold = (cg_operation_hold){0, place, vector_of(study, cg_study_find(line, "at"))};
    }
    cg_status status = cg_session_apply(study->session, &operation);
    if (status.code != CG_OK) {
        cg_report_trouble(study->report, "%s:%d: %s", study->file, line->line, status.message);
    }
}

// --- what is watched ---

static void begin_watches(cg_study *study)
{
    const cg_json_value *watch = cg_study_find(study->root, "watch");
    study->watch_count = 0;
    for (int i = 0; watch && i < watch->count && i < CG_STUDY_WATCHES; i++) {
        const cg_json_value *rule = watch->as.items[i];
        study->watches[study->watch_count++] =
            (cg_watch_sum){.rule = rule, .from = cg_study_member(study, rule, "from", 0)};
    }
}

// Zero crossings of a signal, interpolated.
static void cross(cg_watch_sum *w, double time, double value, bool is_first)
{
    if (!is_first && (w->last_value < 0) != (value < 0)) {
        double share = w->last_value / (w->last_value - value);
        w->latest = w->last_time + share * (time - w->last_time);
        w->first = w->crossings == 0 ? w->latest : w->first;
        w->crossings++;
    }
    w->last_time = time;
    w->last_value = value;
}

static void watch(cg_study *study, bool is_before)
{
    for (int i = 0; i < study->watch_count; i++) {
        cg_watch_sum *w = &study->watches[i];
        const cg_json_value *mean = cg_study_find(w->rule, "mean"), *period = cg_study_find(w->rule, "period");
        if (period && is_before) {
            cross(w, cg_world_time(cg_session_world(study->session)), cg_study_value(study, period), study->step == 0);
        } else if (mean && !is_before && study->step >= w->from) {
            w->sum += cg_study_value(study, mean);
            w->count++;
        }
    }
}

static void end_watches(cg_study *study)
{
    for (int i = 0; i < study->watch_count; i++) {
        const cg_watch_sum *w = &study->watches[i];
        double period = w->crossings < 2 ? NAN : 2 * (w->latest - w->first) / (w->crossings - 1);
        cg_names_set(&study->names, w->rule->name,
                     cg_study_find(w->rule, "mean") ? (w->count > 0 ? w->sum / w->count : NAN) : period);
    }
}

// --- steps ---

static void make_step(cg_study *study)
{
    const cg_json_value *lines = cg_study_find(study->root, "drive");
    cg_names_set(&study->names, "step", study->step);
    cg_names_set(&study->names, "time", cg_world_time(cg_session_world(study->session)));
    watch(study, true);
    if (study->before_step) {
        study->before_step(study, study->context);
    }
    memcpy(study->before, positions(study), (size_t)study->count * sizeof *study->before);
    for (int i = 0; lines && i < lines->count; i++) {
        drive(study, lines->as.items[i]);
    }
    cg_session_step(study->session);
    study->last_move = 0;
    for (int i = 0; i < study->count; i++) {
        double move = vec_distance(positions(study)[i], study->before[i]);
        if (!(move <= study->last_move)) { // a NaN counts as motion too
            study->last_move = move;
        }
    }
    watch(study, false);
    study->step++;
}

// "until": {"rest": LENGTH, "quiet": STEPS, "most": STEPS}, {"steps": COUNT} or {"time": SECONDS}.
static bool make_steps(cg_study *study)
{
    const cg_json_value *until = cg_study_find(study->root, "until");
    double rest = cg_study_member(study, until, "rest", NAN), quiet = cg_study_member(study, until, "quiet", 1);
    double end = cg_study_member(study, until, "time", NAN), most = cg_study_member(study, until, "steps", NAN);
    most = isnan(rest) ? most : cg_study_member(study, until, "most", 0);
    if (isnan(most) && isnan(end)) {
        cg_report_trouble(study->report, "%s: \"until\" says neither \"rest\", \"steps\" nor \"time\"", study->file);
    }
    int still = 0;
    while (cg_study_is_well(study)) {
        if (!isnan(end) ? !(cg_world_time(cg_session_world(study->session)) < end) : !(study->step < most)) {
            break;
        }
        make_step(study);
        still = study->last_move <= rest ? still + 1 : 0;
        if (!isnan(rest) && still == quiet) {
            return true;
        }
    }
    if (!isnan(rest) && cg_study_is_well(study)) {
        cg_report_trouble(study->report, "%s: not at rest after %d steps: the last one moved %.2g m", study->file,
                          study->step, study->last_move);
    }
    return cg_study_is_well(study);
}

bool cg_study_run(cg_study *study)
{
    study->step = 0;
    if (!build(study)) {
        return false;
    }
    begin_watches(study);
    bool good = make_steps(study);
    end_watches(study);
    return good && cg_study_is_well(study);
}

void cg_study_end(cg_study *study)
{
    cg_session_destroy(study->session);
    cg_scene_free(study->scene);
    free(study->start);
    study->session = NULL;
    study->scene = NULL;
    study->start = study->before = NULL;
    study->count = 0;
}
