// catgut run: simulates a scene without a screen.
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "bench/bench.h"
#include "catgut/script.h"
#include "catgut/session.h"
#include "support/arguments.h"
#include "support/json.h"
#include "support/origin.h"
#include "support/out_file.h"
#include "support/package.h"
#include "support/progress.h"
#include "support/record_file.h"
#include "support/record_session.h"
#include "support/scene_files.h"
#include "support/scene_names.h"
#include "support/stages.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_run = {
    .name = "run",
    .usage = "(SCENE | --from FILE [--at S]) [--seconds S] [--inputs FILE] [--script SCRIPT]\n"
             "            [--record FILE] [--frame-every N] [--hash-every N] [--snapshot FILE]\n"
             "            [--stages FILE] [--force] [--json]",
    .summary = "simulate a scene",
    .help = "SCENE is a scene file, or the name of a scene (\"catgut list scenes\"). It runs for as long as it says,\n"
            "until the script is over, or for --seconds of simulated time.\n\n"
            "  --from FILE        go on from where a recording or snapshot ends, in its scene, which has no name then\n"
            "  --at S             go on from there in the recording, in simulated seconds\n"
            "  --seconds S        how long, in simulated seconds; behind --from: from there on\n"
            "  --inputs FILE      timed operations (docs/inputs.md), in addition to those of the scene\n"
            "  --script SCRIPT    what the hands do (docs/scripts.md): a file, or a name (\"catgut list scripts\")\n"
            "  --record FILE      write a recording, for replay and export\n"
            "  --frame-every N    steps from shape to shape in the recording; default 16\n"
            "  --hash-every N     steps from state hash to state hash in the recording; default 64\n"
            "  --snapshot FILE    write the state at the end, alone, for knot, export and replay\n"
            "  --stages FILE      write what frames of 30 ms cost, by stage: a table, or a plot when it ends in .svg\n"
            "  --force            let --record and --snapshot write over files that are no recordings\n"
            "  --json             print one JSON object\n\n"
            "Ctrl-C ends the run early; what was recorded until then is whole. The state hash is the same on every\n"
            "machine.\n\n"
            "Examples:\n"
            "  catgut run hanging\n"
            "  catgut run cord --script overhand\n"
            "  catgut run twist --record twist.cgr && catgut replay twist.cgr\n"
            "  catgut run my-scene.json\n"
            "  catgut run cord --script overhand --record tied.cgr && catgut run --from tied.cgr --seconds 1\n",
    .run = run,
    .listed = "scenes",
};

// The words of the command line.
typedef struct run_options {
    const char *scene, *from, *at, *seconds, *inputs, *script, *record, *frame_every, *hash_every, *snapshot, *stages;
    char scene_path[CG_MOST_PATH], script_path[CG_MOST_PATH]; // what the two words mean
    bool as_json, force;
    int word_count; // of the command line
    char *const *words;
} run_options;

// What the run is made of; zero-initialised, and given back by end_run.
typedef struct run_parts {
    cg_scene *scene;
    cg_session *session;
    cg_record_writer writer, snapshot;
    bool recording;
    cg_out_file stage_out;
    FILE *stage_file; // where to write what frames cost; NULL: nowhere
    cg_stage_log stages;
    double seconds; // to simulate
    double at;      // [s] where to go on in a recording; negative: at its end
    double begun;   // [s] simulated, where this run began
    bool until_script_ends;
    double time_step;
    int frame_every, hash_every;
} run_parts;

// What came out of it, besides the world.
typedef struct run_result {
    double wall_seconds;
    bool interrupted, recorded, snapshot_failed, script_failed;
} run_result;

enum { MOST_INPUT_BYTES = 64 * 1024 * 1024, MOST_WARNINGS = 32 };

typedef struct warning_list {
    char lines[MOST_WARNINGS][256];
    int count;
} warning_list;

static bool read_options(run_options *options, int count, char **words, FILE *err)
{
    const cg_option list[] = {
        {.name = "--from", .value = &options->from},
        {.name = "--at", .value = &options->at},
        {.name = "--seconds", .value = &options->seconds},
        {.name = "--inputs", .value = &options->inputs},
        {.name = "--script", .value = &options->script},
        {.name = "--record", .value = &options->record},
        {.name = "--frame-every", .value = &options->frame_every},
        {.name = "--hash-every", .value = &options->hash_every},
        {.name = "--snapshot", .value = &options->snapshot},
        {.name = "--stages", .value = &options->stages},
        {.name = "--json", .flag = &options->as_json},
        {.name = "--force", .flag = &options->force},
    };
    cg_arguments arguments = {.command = "run",
                              .options = list,
                              .option_count = (int)(sizeof list / sizeof list[0]),
                              .max_words = 1,
                              .words = &options->scene};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return false;
    }
    if (!options->scene == !options->from) {
        fputs(options->scene ? "catgut run: found a scene and --from; expected one of them\n"
                             : "catgut run: name a scene; \"catgut list\" shows those that are here\n",
              err);
        return false;
    }
    if (options->from && (options->inputs || options->stages)) {
        fprintf(err, "catgut run: found %s and --from; expected a world from its beginning\n",
                options->inputs ? "--inputs" : "--stages");
        return false;
    }
    if (options->at && !options->from) {
        fputs("catgut run: --at is a time of the recording that --from names\n", err);
        return false;
    }
    cg_scene_error error;
    if ((options->scene && !cg_find_named(options->scene, CG_NAMED_SCENE, options->scene_path, &error)) ||
        (options->script && !cg_find_named(options->script, CG_NAMED_SCRIPT, options->script_path, &error))) {
        cg_scene_error_print(&error, err);
        return false;
    }
    options->scene = options->scene ? options->scene_path : options->from;
    options->script = options->script ? options->script_path : NULL;
    return true;
}

// A number of steps from one thing in the recording to the next.
static bool read_every(const char *name, const char *word, const run_options *options, int *every, FILE *err)
{
    double value;
    if (!word) {
        return true;
    }
    if (!cg_read_number(word, &value) || !(value >= 1 && value <= 1e9) || value != (double)(int)value) {
        fprintf(err, "catgut run: found %s \"%s\", expected a whole number of steps, 1 or more\n", name, word);
        return false;
    }
    if (!options->record) {
        fprintf(err, "catgut run: %s is about a recording; --record is missing\n", name);
        return false;
    }
    *every = (int)value;
    return true;
}

static bool read_numbers(const run_options *options, run_parts *parts, FILE *err)
{
    cg_recorder_def usual = cg_recorder_def_default();
    parts->frame_every = usual.frame_every;
    parts->hash_every = usual.hash_every;
    parts->seconds = parts->at = -1;
    if (options->at && (!cg_read_number(options->at, &parts->at) || !(parts->at >= 0 && parts->at <= 1e9))) {
        fprintf(err, "catgut run: found --at \"%s\", expected 0 to 1e9\n", options->at);
        return false;
    }
    if (options->seconds &&
        (!cg_read_number(options->seconds, &parts->seconds) || !(parts->seconds >= 0 && parts->seconds <= 1e9))) {
        fprintf(err, "catgut run: found --seconds \"%s\", expected 0 to 1e9\n", options->seconds);
        return false;
    }
    return read_every("--frame-every", options->frame_every, options, &parts->frame_every, err) &&
           read_every("--hash-every", options->hash_every, options, &parts->hash_every, err);
}

static bool make_session(const run_options *options, run_parts *parts, FILE *err)
{
    cg_session_def def = cg_session_def_default();
    def.clock = options->stages ? cg_thread_cpu_seconds : NULL;
    char *inputs = NULL, why[128];
    if (options->inputs) {
        inputs = cg_file_read(options->inputs, MOST_INPUT_BYTES, &def.inputs_size, why, sizeof why);
        if (!inputs) {
            fprintf(err, "%s: the inputs: %s\n", options->inputs, why);
            return false;
        }
        def.inputs = inputs;
        def.inputs_name = options->inputs;
    }
    cg_scene_error error;
    cg_status status = cg_session_create(&def, parts->scene, &parts->session, &error);
    free(inputs);
    if (status.code == CG_OK) {
        return true;
    }
    if (error.message[0] != '\0') {
        cg_scene_error_print(&error, err);
    } else {
        fprintf(err, "%s: %s\n", options->scene, status.message);
    }
    return false;
}

// The step of a recording to go on from; beyond its end: the end.
static uint64_t step_of(const cg_record_reader *reader, double at)
{
    uint64_t first = cg_record_reader_first_step(reader), last = cg_recording_step_count(reader->recording);
    double steps = at < 0 ? (double)last : at / cg_recording_get_info(reader->recording).time_step + 0.5;
    uint64_t step = steps < (double)last ? (uint64_t)steps : last;
    return step > first ? step : first;
}

// The session of a recording, brought to where it is to go on.
static bool resume_session(const run_options *options, run_parts *parts, FILE *err)
{
    cg_record_reader reader = {0};
    bool good = cg_record_reader_open(&reader, options->from, err);
    cg_status versions = good ? cg_recording_check_versions(reader.recording) : (cg_status){0};
    if (versions.code != CG_OK) {
        fprintf(err, "%s: %s\n", options->from, versions.message);
        good = false;
    }
    good = good && cg_record_session_build(reader.recording, options->from, &parts->scene, &parts->session, err) &&
           cg_record_session_go_to(parts->session, reader.recording, step_of(&reader, parts->at), options->from, err);
    cg_record_reader_close(&reader);
    return good;
}

static bool start_script(const run_options *options, run_parts *parts, FILE *err)
{
    char why[128];
    size_t size;
    if (!options->script) {
        return true;
    }
    char *text = cg_file_read(options->script, MOST_INPUT_BYTES, &size, why, sizeof why);
    if (!text) {
        fprintf(err, "%s: the script: %s\n", options->script, why);
        return false;
    }
    cg_scene_error error;
    cg_status status = cg_session_run_script(parts->session, text, size, options->script, &error);
    free(text);
    if (status.code != CG_OK) {
        cg_scene_error_print(&error, err);
    }
    return status.code == CG_OK;
}

static bool start_recording(const run_options *options, run_parts *parts, FILE *err)
{
    if (!options->record) {
        return true;
    }
    if (!cg_record_writer_open(&parts->writer, options->record, options->force, err)) {
        return false;
    }
    parts->recording = true;
    cg_recorder_def def = cg_record_writer_def(&parts->writer);
    def.frame_every = parts->frame_every;
    def.hash_every = parts->hash_every;
    cg_status status = cg_session_record(parts->session, &def);
    if (status.code != CG_OK) {
        cg_record_writer_close(&parts->writer, status, err);
        parts->recording = false;
        return false;
    }
    return true;
}

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0;
}

static bool open_stages(const run_options *options, run_parts *parts, FILE *err)
{
    if (!options->stages) {
        return true;
    }
    char why[CG_OUT_WHY_BYTES];
    cg_out_kind kind = ends_in(options->stages, ".svg") ? CG_OUT_SVG : CG_OUT_CSV;
    if (!cg_out_open(&parts->stage_out, options->stages, kind, options->force, why)) {
        fprintf(err, "catgut run: %s: %s\n", options->stages, why);
        return false;
    }
    parts->stage_file = parts->stage_out.file;
    return true;
}

static void plot_stages(const run_options *options, run_parts *parts)
{
    char title[112];
    snprintf(title, sizeof title, "What a frame costs: %s", options->scene);
    cg_plot plot = cg_plot_make(title, "frame of 30 ms", "CPU time [ms]");
    plot.from_zero = true;
    cg_stage_log_plot(&parts->stages, &plot);
    cg_plot_write(&plot, parts->stage_file);
    cg_plot_free(&plot);
}

// True when there is nothing to write, or it was written.
static bool write_stages(const run_options *options, run_parts *parts, FILE *err)
{
    if (!parts->stage_file) {
        return true;
    }
    if (ends_in(options->stages, ".svg")) {
        plot_stages(options, parts);
    } else {
        cg_stage_log_write_csv(&parts->stages, parts->stage_file);
    }
    bool good = !ferror(parts->stage_file) && !parts->stages.failed;
    good = good && cg_out_finish(&parts->stage_out);
    if (!good) {
        cg_out_abandon(&parts->stage_out, false);
    }
    parts->stage_file = NULL;
    if (!good) {
        fprintf(err, "catgut run: %s could not be written\n", options->stages);
    }
    return good;
}

// What was written says where it came from, in a package beside it. True when there is nothing to say, or it is said.
static bool pack(const run_options *options, const run_parts *parts, const char *path, const char *what,
                 const cg_column *columns, int column_count, FILE *err)
{
    char hash[32];
    if (!path) {
        return true;
    }
    cg_package *package = cg_package_begin("run", options->word_count, options->words);
    snprintf(hash, sizeof hash, "0x%016llx", (unsigned long long)cg_world_state_hash(cg_session_world(parts->session)));
    cg_package_source(package, options->from ? "recording" : "scene", options->scene);
    cg_package_source(package, "script", options->script);
    cg_package_source(package, "inputs", options->inputs);
    cg_package_fact(package, "state_hash", hash);
    cg_package_file(package, path, what, columns, column_count);
    bool good = cg_package_write(package, path, options->force, err);
    cg_package_free(package);
    return good;
}

static bool pack_all(const run_options *options, const run_parts *parts, const run_result *result, FILE *err)
{
    cg_column columns[CG_STAGE_COLUMNS];
    int count = options->stages && !ends_in(options->stages, ".svg") ? CG_STAGE_COLUMNS : 0;
    cg_stage_columns(columns);
    return pack(options, parts, result->recorded ? options->record : NULL, "a recording", NULL, 0, err) &&
           pack(options, parts, result->snapshot_failed ? NULL : options->snapshot, "the state at the end", NULL, 0,
                err) &&
           pack(options, parts, options->stages, "what frames cost, by stage", columns, count, err);
}

static bool may_pack_all(const run_options *options, FILE *err)
{
    const char *out[] = {options->record, options->snapshot, options->stages};
    bool good = true;
    for (int i = 0; i < 3 && good; i++) {
        good = !out[i] || cg_package_may_write(out[i], options->force, err);
    }
    return good;
}

// What goes in is never written over, whatever is forced.
static bool outputs_are_apart(const run_options *options, FILE *err)
{
    const char *in[] = {options->scene, options->script, options->inputs},
               *out[] = {options->record, options->snapshot, options->stages};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; out[i] && k < 3; k++) {
            if (in[k] && cg_same_file(in[k], out[i])) {
                fprintf(err, "catgut run: %s is read and would be written over; choose another name\n", out[i]);
                return false;
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < i; k++) {
            if (out[i] && out[k] && (strcmp(out[i], out[k]) == 0 || cg_same_file(out[i], out[k]))) {
                fprintf(err, "catgut run: two outputs both name %s; expected two files\n", out[i]);
                return false;
            }
        }
    }
    return true;
}

static bool begin_run(const run_options *options, run_parts *parts, FILE *err)
{
    if (!read_numbers(options, parts, err) || !outputs_are_apart(options, err)) {
        return false;
    }
    cg_scene_error error;
    if (!options->from && !cg_scene_load(options->scene, &parts->scene, &error)) {
        cg_scene_error_print(&error, err);
        return false;
    }
    if (!(options->from ? resume_session : make_session)(options, parts, err) || !start_script(options, parts, err)) {
        return false;
    }
    parts->begun = cg_world_time(cg_session_world(parts->session));
    parts->until_script_ends = options->script && parts->seconds < 0;
    parts->seconds = parts->until_script_ends ? 1e9
                     : parts->seconds < 0     ? cg_scene_duration(parts->scene)
                                              : parts->seconds + parts->begun;
    parts->time_step = cg_session_time_step(parts->session);
    // Files that cannot be written are known before the run.
    return may_pack_all(options, err) && open_stages(options, parts, err) && start_recording(options, parts, err) &&
           (!options->snapshot || cg_record_writer_open(&parts->snapshot, options->snapshot, options->force, err));
}

static void end_run(run_parts *parts)
{
    if (parts->stage_file) {
        cg_out_abandon(&parts->stage_out, false);
    }
    cg_stage_log_free(&parts->stages);
    cg_session_destroy(parts->session);
    cg_scene_free(parts->scene);
    cg_record_writer_abandon(&parts->writer);
    cg_record_writer_abandon(&parts->snapshot);
}

// Steps up to the step whose end is nearest to the time asked for.
static run_result simulate(run_parts *parts, FILE *told, FILE *err)
{
    run_result result = {0};
    int step = 0;
    const cg_world *world = cg_session_world(parts->session);
    cg_progress progress = cg_progress_begin(err);
    double begun = cg_wall_clock();
    while (cg_world_time(world) + 0.5 * cg_session_time_step(parts->session) < parts->seconds && !result.interrupted) {
        double time = cg_world_time(world);
        cg_session_step(parts->session);
        if (parts->stage_file) {
            cg_world_stats stats = cg_world_get_stats(world);
            cg_stage_log_add(&parts->stages, &stats, cg_world_time(world));
        }
        cg_script_state script = cg_session_get_script(parts->session);
        if (script.step != step && told) {
            fprintf(told, "  %6.2f s  %s%s%s\n", time, script.name, script.text[0] != '\0' ? ": " : "", script.text);
        }
        step = script.step;
        if (parts->until_script_ends && script.phase != CG_SCRIPT_RUNNING) {
            break;
        }
        if (!parts->until_script_ends) {
            cg_progress_show(&progress, cg_world_time(world), parts->seconds);
        }
        result.interrupted = cg_was_interrupted();
    }
    result.wall_seconds = cg_wall_clock() - begun;
    cg_progress_end(&progress);
    if (parts->recording) {
        cg_status status = cg_session_end_recording(parts->session);
        result.recorded = cg_record_writer_close(&parts->writer, status, err);
    }
    return result;
}

static bool write_snapshot(run_parts *parts, FILE *err)
{
    cg_recorder_def def = cg_record_writer_def(&parts->snapshot);
    cg_status status = cg_recorder_snapshot(&def, parts->scene, cg_session_world(parts->session));
    return cg_record_writer_close(&parts->snapshot, status, err);
}

static char *add_warning(warning_list *warnings)
{
    return warnings->lines[warnings->count < MOST_WARNINGS - 1 ? warnings->count++ : MOST_WARNINGS - 1];
}

static void warn_of_count(warning_list *warnings, uint64_t count, const char *what)
{
    if (count > 0) {
        snprintf(add_warning(warnings), sizeof warnings->lines[0], "%llu %s", (unsigned long long)count, what);
    }
}

static void collect_warnings(const run_parts *parts, const run_result *result, warning_list *warnings)
{
    cg_world_stats stats = cg_world_get_stats(cg_session_world(parts->session));
    cg_session_stats operations = cg_session_get_stats(parts->session);
    warn_of_count(warnings, stats.recovered_steps, "thread steps were refused because a number was not finite");
    warn_of_count(warnings, stats.unconverged_steps, "steps ended before their motion had converged");
    warn_of_count(warnings, stats.unfinished_steps, "steps could not be made whole: hands lag behind");
    warn_of_count(warnings, stats.rough_steps, "steps had a friction problem above its tolerance");
    warn_of_count(warnings, stats.recovered_tissue_steps, "tissue steps were refused because a number was not finite");
    warn_of_count(warnings, stats.lost_contacts, "contacts found no room");
    warn_of_count(warnings, operations.refused,
                  operations.refused == 1 ? "operation was refused" : "operations were refused");
    cg_refusal refusal;
    for (int i = 0; cg_session_refusal(parts->session, i, &refusal); i++) {
        const char *name = cg_operation_name(refusal.kind);
        snprintf(add_warning(warnings), sizeof warnings->lines[0], "step %llu: %s refused: %s",
                 (unsigned long long)refusal.step, name ? name : "an operation", refusal.status.message);
    }
    if (result->interrupted) {
        snprintf(add_warning(warnings), sizeof warnings->lines[0], "interrupted before its end");
    }
}

static double pace_of(const run_parts *parts, const run_result *result)
{
    double simulated = cg_world_time(cg_session_world(parts->session)) - parts->begun;
    return result->wall_seconds > 0 ? simulated / result->wall_seconds : 0;
}

static void print_thread_json(cg_json *json, const run_parts *parts, int index)
{
    cg_thread_id thread = cg_session_thread(parts->session, index);
    cg_thread_summary summary = cg_thread_get_summary(cg_session_world(parts->session), thread);
    cg_json_begin_line_object(json);
    cg_json_string_member(json, "name", cg_scene_thread_name(parts->scene, index));
    cg_json_number_member(json, "vertices", summary.vertex_count);
    cg_json_number_member(json, "length", summary.length);
    cg_json_number_member(json, "rest_length", summary.rest_length);
    cg_json_number_member(json, "max_stretch", summary.max_stretch);
    cg_json_number_member(json, "max_tension", summary.max_tension);
    if (thread.index == 0) {
        cg_json_boolean_member(json, "removed", true);
    }
    cg_json_end_object(json);
}

static void print_tissue_json(cg_json *json, const run_parts *parts, int index)
{
    cg_tissue_id tissue = cg_session_tissue(parts->session, index);
    cg_tissue_summary summary = cg_tissue_get_summary(cg_session_world(parts->session), tissue);
    cg_json_begin_line_object(json);
    cg_json_string_member(json, "name", cg_scene_tissue_name(parts->scene, index));
    cg_json_number_member(json, "nodes", summary.node_count);
    cg_json_number_member(json, "links", summary.link_count);
    cg_json_number_member(json, "cells", summary.cell_count);
    cg_json_number_member(json, "triangles", summary.triangle_count);
    cg_json_number_member(json, "mass", summary.mass);
    cg_json_number_member(json, "farthest", summary.farthest);
    cg_json_number_member(json, "elastic_energy", summary.elastic_energy);
    cg_json_number_member(json, "kinetic_energy", summary.kinetic_energy);
    cg_json_number_member(json, "inverted_cells", summary.inverted_cells);
    cg_json_number_member(json, "bonds", cg_tissue_bond_count(cg_session_world(parts->session), tissue));
    cg_json_number_member(json, "pieces", cg_tissue_piece_count(cg_session_world(parts->session), tissue));
    cg_json_number_member(json, "burnt_mass", summary.removed_mass);
    cg_json_number_member(json, "torn_length", summary.torn_length);
    cg_json_number_member(json, "torn_area", summary.torn_area);
    if (tissue.index == 0) {
        cg_json_boolean_member(json, "removed", true);
    }
    cg_json_end_object(json);
}

// [m2] that the scalpels which hands carry now have cut.
static double cut_area_of(const run_parts *parts)
{
    double sum = 0;
    for (int i = 0; i < cg_scene_hand_count(parts->scene); i++) {
        sum += cg_hand_get_state(cg_session_world(parts->session), cg_session_hand(parts->session, i)).cut_area;
    }
    return sum;
}

static void print_json(const run_options *options, const run_parts *parts, const run_result *result,
                       const warning_list *warnings, FILE *out)
{
    const cg_world *world = cg_session_world(parts->session);
    cg_session_stats stats = cg_session_get_stats(parts->session);
    char hash[32];
    snprintf(hash, sizeof hash, "0x%016llx", (unsigned long long)cg_world_state_hash(world));
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_string_member(&json, "program", cg_program_words());
    cg_json_string_member(&json, "scene", options->scene);
    cg_json_string_member(&json, "title", cg_scene_title(parts->scene));
    cg_json_number_member(&json, "steps", (double)stats.steps);
    cg_json_number_member(&json, "dt", parts->time_step);
    cg_json_number_member(&json, "simulated_seconds", cg_world_time(world));
    cg_json_number_member(&json, "wall_seconds", result->wall_seconds);
    cg_json_number_member(&json, "realtime_factor", pace_of(parts, result));
    cg_json_string_member(&json, "state_hash", hash);
    cg_json_boolean_member(&json, "interrupted", result->interrupted);
    cg_json_number_member(&json, "operations_applied", (double)stats.applied);
    cg_json_number_member(&json, "operations_refused", (double)stats.refused);
    if (result->recorded) {
        cg_json_string_member(&json, "recording", options->record);
        cg_json_number_member(&json, "recording_bytes", (double)parts->writer.bytes);
    }
    if (options->snapshot && !result->snapshot_failed) {
        cg_json_string_member(&json, "snapshot", options->snapshot);
    }
    cg_json_number_member(&json, "cut_area", cut_area_of(parts));
    cg_json_name(&json, "warnings");
    cg_json_begin_array(&json);
    for (int i = 0; i < warnings->count; i++) {
        cg_json_string(&json, warnings->lines[i]);
    }
    cg_json_end_array(&json);
    cg_json_name(&json, "threads");
    cg_json_begin_array(&json);
    for (int i = 0; i < cg_scene_thread_count(parts->scene); i++) {
        print_thread_json(&json, parts, i);
    }
    cg_json_end_array(&json);
    cg_json_name(&json, "tissues");
    cg_json_begin_array(&json);
    for (int i = 0; i < cg_scene_tissue_count(parts->scene); i++) {
        print_tissue_json(&json, parts, i);
    }
    cg_json_end_array(&json);
    cg_json_end_object(&json);
}

enum { MOST_LISTED_THREADS = 20 };

static void print_tissues(const run_parts *parts, FILE *out)
{
    for (int i = 0; i < cg_scene_tissue_count(parts->scene); i++) {
        cg_tissue_id tissue = cg_session_tissue(parts->session, i);
        cg_tissue_summary summary = cg_tissue_get_summary(cg_session_world(parts->session), tissue);
        if (tissue.index == 0) {
            fprintf(out, "  %s: removed\n", cg_scene_tissue_name(parts->scene, i));
            continue;
        }
        fprintf(out, "  %s: %d nodes, %d links, %d triangles, %.3g g; a node is up to %.3g mm from home\n",
                cg_scene_tissue_name(parts->scene, i), summary.node_count, summary.link_count, summary.triangle_count,
                1e3 * summary.mass, 1e3 * summary.farthest);
        int pieces = cg_tissue_piece_count(cg_session_world(parts->session), tissue);
        if (pieces > 1) {
            fprintf(out, "    in %d pieces\n", pieces);
        }
        if (summary.removed_mass > 0) {
            fprintf(out, "    %.3g mg burnt away\n", 1e6 * summary.removed_mass);
        }
        if (summary.torn_length > 0) {
            fprintf(out, "    threads tore it by %.3g mm, %.3g mm2\n", 1e3 * summary.torn_length,
                    1e6 * summary.torn_area);
        }
    }
    if (cut_area_of(parts) > 0) {
        fprintf(out, "  scalpels cut %.3g mm2\n", 1e6 * cut_area_of(parts));
    }
}

static void print_summary(const run_options *options, const run_parts *parts, const run_result *result,
                          const warning_list *warnings, FILE *out)
{
    const cg_world *world = cg_session_world(parts->session);
    cg_session_stats stats = cg_session_get_stats(parts->session);
    const char *title = cg_scene_title(parts->scene);
    fprintf(out, "%s%s%s\n", options->scene, title[0] != '\0' ? ": " : "", title);
    fprintf(out, "  %g s in %llu steps, computed in %.3g s: %.3g times real time\n", cg_world_time(world),
            (unsigned long long)stats.steps, result->wall_seconds, pace_of(parts, result));
    int count = cg_scene_thread_count(parts->scene);
    for (int i = 0; i < count && i < MOST_LISTED_THREADS; i++) {
        cg_thread_id thread = cg_session_thread(parts->session, i);
        cg_thread_summary summary = cg_thread_get_summary(world, thread);
        if (thread.index == 0) {
            fprintf(out, "  %s: removed\n", cg_scene_thread_name(parts->scene, i));
            continue;
        }
        fprintf(out, "  %s: %d vertices, %.4g mm long (%.4g mm at rest), stretch up to %.2g %%, pull up to %.3g N\n",
                cg_scene_thread_name(parts->scene, i), summary.vertex_count, 1e3 * summary.length,
                1e3 * summary.rest_length, 1e2 * summary.max_stretch, summary.max_tension);
    }
    if (count > MOST_LISTED_THREADS) {
        fprintf(out, "  ... and %d more threads; --json lists all\n", count - MOST_LISTED_THREADS);
    }
    print_tissues(parts, out);
    fprintf(out, "  state hash 0x%016llx\n", (unsigned long long)cg_world_state_hash(world));
    if (result->recorded) {
        fprintf(out, "  recorded in %s, %.4g kB\n", options->record, 1e-3 * (double)parts->writer.bytes);
    }
    if (options->snapshot && !result->snapshot_failed) {
        fprintf(out, "  state written to %s\n", options->snapshot);
    }
    for (int i = 0; i < warnings->count; i++) {
        fprintf(out, "  warning: %s\n", warnings->lines[i]);
    }
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    run_options options = {.word_count = count, .words = words};
    run_parts parts = {0};
    if (!read_options(&options, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    cg_interrupts_begin();
    int code = CG_EXIT_BAD_INPUT;
    if (begin_run(&options, &parts, err)) {
        run_result result = simulate(&parts, options.as_json ? NULL : out, err);
        cg_script_state script = cg_session_get_script(parts.session);
        result.script_failed = script.phase == CG_SCRIPT_FAILED;
        if (result.script_failed) {
            cg_scene_error_print(&script.error, err);
        }
        result.snapshot_failed = options.snapshot && !write_snapshot(&parts, err);
        bool staged = write_stages(&options, &parts, err) && pack_all(&options, &parts, &result, err);
        warning_list *warnings = calloc(1, sizeof *warnings);
        if (warnings) {
            collect_warnings(&parts, &result, warnings);
            (options.as_json ? print_json : print_summary)(&options, &parts, &result, warnings, out);
            free(warnings);
        }
        bool written = (!parts.recording || result.recorded) && !result.snapshot_failed;
        bool fine = warnings && written && staged && !result.script_failed;
        code = fine ? CG_EXIT_DONE : CG_EXIT_BAD_RESULT;
    }
    cg_interrupts_end();
    end_run(&parts);
    return code;
}
