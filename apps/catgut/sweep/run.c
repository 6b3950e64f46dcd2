// Rows of a sweep: what is in them, and how they are run.
#define _POSIX_C_SOURCE 200809L // gethostname

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catgut/script.h"
#include "catgut/session.h"
#include "scene/json.h"
#include "support/progress.h"
#include "support/scene_files.h"
#include "sweep/sweep.h"
#include "sweep/text.h"
#include "training/task_files.h"

// Rows

// splitmix64: what is drawn depends on seed, row and field alone, not on who draws when.
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static void draw(const cg_sweep_field *field, uint64_t seed, uint64_t draw, uint64_t place, char *text)
{
    double share = (double)(mix(mix(mix(seed) ^ draw) ^ place) >> 11) / 9007199254740992.0; // 2^53
    double value = field->by_ratio ? field->low * pow(field->high / field->low, share)
                                   : field->low + share * (field->high - field->low);
    if (field->unit[0] != '\0') {
        snprintf(text, CG_SWEEP_MOST_TEXT, "\"%.15g %s\"", value, field->unit);
    } else {
        snprintf(text, CG_SWEEP_MOST_TEXT, "%.15g", value);
    }
}

// The last of grid, drawings, seeds and scripts runs fastest.
void cg_sweep_get_row(const cg_sweep *sweep, int64_t number, cg_sweep_row *row)
{
    int64_t rest = number;
    *row = (cg_sweep_row){.number = number};
    row->script = (int)(rest % sweep->script_count);
    rest /= sweep->script_count;
    row->seed = sweep->seeds[rest % sweep->seed_count];
    rest /= sweep->seed_count;
    uint64_t drawn = (uint64_t)(rest % sweep->draw_count);
    rest /= sweep->draw_count;
    for (int i = sweep->field_count - 1; i >= 0; i--) {
        const cg_sweep_field *field = &sweep->fields[i];
        if (field->count == 0) {
            draw(field, sweep->draw_seed, drawn, (uint64_t)i, row->values[i]);
            continue;
        }
        strcpy(row->values[i], field->values[rest % field->count]);
        rest /= field->count;
    }
}

static void folder_of(const char *path, char *folder, size_t room)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) : 1;
    snprintf(folder, room, "%.*s", (int)(length > 0 ? length : 1), slash != NULL ? path : ".");
}

// The text of the scene with the fields of a row, in memory to be freed.
static char *scene_text(const cg_sweep *sweep, const cg_sweep_row *row, size_t *size, cg_scene_error *error)
{
    const char *pointers[CG_SWEEP_MOST_FIELDS], *values[CG_SWEEP_MOST_FIELDS];
    char why[256];
    int bad;
    cg_json_tree *tree;
    if (cg_json_tree_read(sweep->scene_text, sweep->scene_size, sweep->scene, NULL, &tree, error) != CG_OK) {
        return NULL;
    }
    for (int i = 0; i < sweep->field_count; i++) {
        pointers[i] = sweep->fields[i].pointer;
        values[i] = row->values[i];
    }
    char *text = cg_json_set(cg_json_root(tree), pointers, values, sweep->field_count, size, &bad);
    cg_json_tree_free(tree);
    if (text == NULL) {
        snprintf(why, sizeof why, bad < 0 ? "no memory" : "the pointer \"%s\" leads nowhere in this scene",
                 bad < 0 ? "" : pointers[bad]);
        cg_scene_error_set(error, sweep->scene, why);
    }
    return text;
}

bool cg_sweep_scene(const cg_sweep *sweep, const cg_sweep_row *row, cg_scene **scene, cg_scene_error *error)
{
    char folder[CG_MOST_PATH];
    size_t size, room = 1;
    *scene = NULL;
    char *text = scene_text(sweep, row, &size, error);
    if (text == NULL) {
        return false;
    }
    if (sweep->task != NULL) {
        room += cg_task_write_moves(sweep->task, row->seed, NULL, 0);
    }
    char *moves = calloc(room, 1);
    if (moves == NULL) {
        free(text);
        cg_scene_error_set(error, sweep->scene, "no memory");
        return false;
    }
    if (sweep->task != NULL) {
        cg_task_write_moves(sweep->task, row->seed, moves, room);
    }
    folder_of(sweep->scene, folder, sizeof folder);
    bool good = cg_scene_load_text(text, size, sweep->scene, folder, moves, scene, error);
    free(moves);
    free(text);
    return good;
}

// A run

// What a run is made of; zero-initialised, and given back by end_run.
typedef struct sweep_trial {
    const cg_sweep *sweep;
    cg_sweep_row row;
    cg_scene *scene;
    cg_session *session;
    cg_attempt *attempt;
    unsigned char *bytes; // of the recording that a task is scored by
    size_t size, room;
} sweep_trial;

static bool keep_bytes(void *context, const void *bytes, size_t size)
{
    sweep_trial *trial = context;
    if (size > trial->room - trial->size) {
        size_t room = 2 * trial->room + size + 65536;
        unsigned char *larger = realloc(trial->bytes, room);
        if (larger == NULL) {
            return false;
        }
        trial->bytes = larger;
        trial->room = room;
    }
    memcpy(trial->bytes + trial->size, bytes, size);
    trial->size += size;
    return true;
}

static void say(cg_sweep_result *result, const char *why)
{
    snprintf(result->trouble, sizeof result->trouble, "%s", why);
}

static bool say_error(cg_sweep_result *result, const cg_scene_error *error)
{
    cg_scene_error_say(error, result->trouble, sizeof result->trouble);
    return false;
}

static bool say_status(cg_sweep_result *result, cg_status status)
{
    if (status.code != CG_OK) {
        say(result, status.message);
    }
    return status.code == CG_OK;
}

static bool start_script(sweep_trial *trial, cg_sweep_result *result)
{
    const char *path = trial->sweep->scripts[trial->row.script];
    char why[160];
    size_t size;
    cg_scene_error error;
    if (path[0] == '\0') {
        return true;
    }
    char *text = cg_file_read(path, 1024 * 1024, &size, why, sizeof why);
    if (text == NULL) {
        say(result, why);
        return false;
    }
    cg_status status = cg_session_run_script(trial->session, text, size, path, &error);
    free(text);
    return status.code == CG_OK || say_error(result, &error);
}

static bool begin_run(sweep_trial *trial, cg_sweep_result *result)
{
    cg_session_def def = cg_session_def_default();
    cg_scene_error error = {0};
    if (!cg_sweep_scene(trial->sweep, &trial->row, &trial->scene, &error)) {
        return say_error(result, &error);
    }
    if (!say_status(result, cg_session_create(&def, trial->scene, &trial->session, &error))) {
        return false;
    }
    if (trial->sweep->task != NULL) {
        char name[80];
        cg_recorder_def recorder = cg_recorder_def_default();
        recorder.write = keep_bytes;
        recorder.context = trial;
        cg_task_name(trial->sweep->task_path, name, sizeof name);
        if (!say_status(result, cg_session_record(trial->session, &recorder)) ||
            !say_status(result, cg_attempt_create(trial->sweep->task, name, trial->row.seed, trial->session, NULL,
                                                  &trial->attempt))) {
            return false;
        }
    }
    return start_script(trial, result);
}

// True while the run goes on.
static bool goes_on(const sweep_trial *trial, uint64_t steps)
{
    const cg_sweep *sweep = trial->sweep;
    bool has_script = sweep->scripts[trial->row.script][0] != '\0';
    double limit = sweep->seconds >= 0 ? sweep->seconds : has_script ? 1e6 : cg_scene_duration(trial->scene);
    if (trial->attempt != NULL && cg_attempt_look(trial->attempt).over) {
        return false;
    }
    if (has_script && cg_session_get_script(trial->session).phase != CG_SCRIPT_RUNNING && sweep->seconds < 0) {
        return false;
    }
    return (double)steps * cg_session_time_step(trial->session) < limit - 1e-9 && !cg_was_interrupted();
}

static void name_knot(const sweep_trial *trial, cg_sweep_result *result)
{
    const cg_world *world = cg_session_world(trial->session);
    cg_knot_thread shapes[2] = {0};
    cg_knot_report report;
    int count = 0;
    for (int i = 0; i < 2 && i < cg_scene_thread_count(trial->scene); i++) {
        shapes[count].points = cg_thread_positions(world, cg_session_thread(trial->session, i), &shapes[count].count);
        count += shapes[count].points != NULL;
    }
    if (count > 0 && cg_knot_identify(shapes, count, NULL, &report).code == CG_OK) {
        snprintf(result->knot, sizeof result->knot, "%s", report.name);
        snprintf(result->knot_throws, sizeof result->knot_throws, "%s", report.throws_text);
    }
}

static void look(const sweep_trial *trial, cg_sweep_result *result)
{
    const cg_world *world = cg_session_world(trial->session);
    cg_thread_id thread = cg_session_thread(trial->session, 0);
    if (cg_thread_is_valid(world, thread)) {
        cg_thread_summary summary = cg_thread_get_summary(world, thread);
        result->tension = summary.max_tension;
        result->stretch = summary.max_stretch;
    }
    for (int i = 0; i < cg_scene_hand_count(trial->scene); i++) {
        cg_vec3 force = cg_hand_get_state(world, cg_session_hand(trial->session, i)).force;
        double size = sqrt(force.x * force.x + force.y * force.y + force.z * force.z);
        result->hand_force = isnan(result->hand_force) || size > result->hand_force ? size : result->hand_force;
    }
    result->steps = (int64_t)cg_session_get_stats(trial->session).steps;
    result->end_time = cg_world_time(world);
    snprintf(result->hash, sizeof result->hash, "0x%016llx", (unsigned long long)cg_world_state_hash(world));
    name_knot(trial, result);
}

static void score(sweep_trial *trial, cg_sweep_result *result)
{
    cg_recording *recording = NULL;
    cg_measures *measures = calloc(1, sizeof *measures);
    cg_status status = cg_session_end_recording(trial->session);
    if (status.code == CG_OK) {
        status = cg_recording_open(trial->bytes, trial->size, NULL, NULL, &recording);
    }
    if (status.code == CG_OK && measures != NULL) {
        status = cg_measure_recording(recording, trial->sweep->task, NULL, measures);
    }
    if (say_status(result, status) && measures != NULL) {
        cg_score scored = cg_task_score(trial->sweep->task, measures);
        result->points = scored.points;
        result->passed = scored.passed;
        for (int i = 0; i < CG_MEASURE_COUNT; i++) {
            result->measures[i] = measures->of[i].known ? measures->of[i].value : NAN;
        }
    }
    cg_recording_close(recording);
    free(measures);
}

static void end_run(sweep_trial *trial)
{
    cg_attempt_destroy(trial->attempt);
    cg_session_destroy(trial->session);
    cg_scene_free(trial->scene);
    free(trial->bytes);
}

static void clear(cg_sweep_result *result, int64_t number)
{
    memset(result, 0, sizeof *result); // it is sent as it lies
    result->row = number;
    result->steps = result->passed = -1;
    result->end_time = result->tension = result->stretch = result->hand_force = result->points = NAN;
    for (int i = 0; i < CG_MEASURE_COUNT; i++) {
        result->measures[i] = NAN;
    }
}

void cg_sweep_run(const cg_sweep *sweep, int64_t number, cg_sweep_result *result)
{
    sweep_trial trial = {.sweep = sweep};
    double begun = cg_wall_clock();
    clear(result, number);
    cg_sweep_get_row(sweep, number, &trial.row);
    if (begin_run(&trial, result)) {
        for (uint64_t steps = 0; goes_on(&trial, steps); steps++) {
            cg_session_step(trial.session);
        }
        cg_script_state script = cg_session_get_script(trial.session);
        if (script.phase == CG_SCRIPT_FAILED) {
            say_error(result, &script.error);
        }
        look(&trial, result);
        if (trial.attempt != NULL) {
            score(&trial, result);
        }
    }
    end_run(&trial);
    gethostname(result->host, sizeof result->host - 1);
    result->seconds = cg_wall_clock() - begun;
}
