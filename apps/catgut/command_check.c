// catgut check: says whether a scene file, a script, a task or a mesh file is good, and where it is not.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "catgut/fill.h"
#include "catgut/protocol.h"
#include "catgut/scene.h"
#include "catgut/script.h"
#include "catgut/session.h"
#include "support/arguments.h"
#include "support/json.h"
#include "support/scene_files.h"
#include "support/scene_names.h"
#include "support/surface_file.h"
#include "training/task_files.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_check = {
    .name = "check",
    .usage = "FILE... [--json] | FILE --strict | --schema | --format | --protocol | --protocol-ts | --protocol-js",
    .summary = "check scene files, scripts, tasks and mesh files",
    .help =
        "A FILE is a scene, or a script when its name ends in .script; names in a script are looked up in the last\n"
        "scene that stands before it; a mesh when it ends in .obj, .stl, .wrl or .vrml; a task when it has a\n"
        "rubric, which is checked with its scene and its scripts. Scenes, scripts and tasks that\n"
        "\"catgut list\" shows go by their names too. Prints one line for each good file. For a bad one it prints\n"
        "FILE:LINE:COLUMN: what was found and what was expected, and ends with exit code 2.\n\n"
        "  --json         print one JSON object with the results\n"
        "  --strict       print a scene as JSON without comments, with the values that are taken for what is not "
        "given,\n"
        "                 or a task as JSON without comments\n"
        "  --schema       print the JSON schema of scenes, for editors\n"
        "  --format       print the tables of all fields, as in docs/scene-format.md\n"
        "  --protocol     print the tables of all messages, as in docs/protocol.md\n"
        "  --protocol-ts  print a TypeScript module that reads and writes them\n"
        "  --protocol-js  the same in JavaScript\n\n"
        "Examples:\n"
        "  catgut check my-scene.json\n"
        "  catgut check cord square.script\n"
        "  catgut check skin.stl\n"
        "  catgut check square-knot\n"
        "  catgut check hanging --strict | jq .threads\n"
        "  catgut check --schema > scene.schema.json\n",
    .run = run,
    .listed = "scenes",
};

enum { MOST_SCENES = 1000, MOST_SCRIPT_BYTES = 1024 * 1024 };

static void write_piece(void *context, const char *text, size_t size)
{
    fwrite(text, 1, size, context);
}

static void print_error_json(cg_json *json, const cg_scene_error *error)
{
    cg_json_name(json, "error");
    cg_json_begin_object(json);
    cg_json_string_member(json, "file", error->file);
    cg_json_number_member(json, "line", error->line);
    cg_json_number_member(json, "column", error->column);
    cg_json_string_member(json, "message", error->message);
    cg_json_end_object(json);
}

// The inputs of a scene are read by the session that runs it.
static bool check_inputs(const cg_scene *scene, const char *path, cg_scene_error *error)
{
    cg_session_def def = cg_session_def_default();
    cg_session *session;
    cg_status status = cg_session_create(&def, scene, &session, error);
    cg_session_destroy(session);
    if (status.code != CG_OK && error->message[0] == '\0') {
        cg_scene_error_set(error, path, status.message);
    }
    return status.code == CG_OK;
}

static bool is_script(const char *path)
{
    size_t length = strlen(path), ending = strlen(".script");
    return length > ending && strcmp(path + length - ending, ".script") == 0;
}

// `scene` is the one that names are looked up in, or NULL.
static bool check_script(const char *path, const cg_scene *scene, cg_json *json, FILE *out, FILE *err)
{
    size_t size;
    char why[128];
    cg_scene_error error = {0};
    char *text = cg_file_read(path, MOST_SCRIPT_BYTES, &size, why, sizeof why);
    bool good = text && cg_script_check(text, size, path, scene, NULL, &error).code == CG_OK;
    if (!text) {
        cg_scene_error_set(&error, path, why);
    }
    free(text);
    if (!good) {
        cg_scene_error_print(&error, err);
    } else if (json == NULL) {
        fprintf(out, "%s: ok: a script%s\n", path, scene ? "" : "; name its scene before it to check the names in it");
    }
    if (json != NULL) {
        cg_json_begin_object(json);
        cg_json_string_member(json, "file", path);
        cg_json_boolean_member(json, "ok", good);
        if (!good) {
            print_error_json(json, &error);
        }
        cg_json_end_object(json);
    }
    return good;
}

static int count_side(const cg_surface *surface, int side)
{
    int count = 0;
    for (int i = 0; i < surface->triangle_count; i++) {
        count += surface->sides[i] == side;
    }
    return count;
}

// Where the file tells parts apart.
static void describe_sides(const cg_surface *surface, FILE *out)
{
    const char *before = ", ";
    for (int side = 0; cg_tissue_side_name(side) != NULL && surface->told_sides > 0; side++) {
        int count = count_side(surface, side);
        if (count > 0) {
            fprintf(out, "%s%s %d", before, cg_tissue_side_name(side), count);
            before = " ";
        }
    }
}

static void describe_surface(const cg_surface *surface, const char *path, cg_surface_format format, FILE *out)
{
    fprintf(out, "%s: ok: %s, %d nodes, %d triangles, %s", path, cg_surface_format_name(format), surface->node_count,
            surface->triangle_count, surface->open_edges == 0 ? "closed" : "open");
    if (surface->open_edges > 0) {
        fprintf(out, " (%d edges of one triangle)", surface->open_edges);
    }
    describe_sides(surface, out);
    if (surface->left_out > 0) {
        fprintf(out, ", %d triangles without area left out", surface->left_out);
    }
    if (surface->crowded_edges + surface->turned_edges > 0) {
        fprintf(out,
                "; no tissue can be made of it: %d edges of more than two triangles, %d between faces that are not "
                "seen from the same side",
                surface->crowded_edges, surface->turned_edges);
    }
    fputc('\n', out);
}

static void describe_surface_json(const cg_surface *surface, cg_surface_format format, cg_json *json)
{
    cg_json_string_member(json, "format", cg_surface_format_name(format));
    cg_json_number_member(json, "nodes", surface->node_count);
    cg_json_number_member(json, "triangles", surface->triangle_count);
    cg_json_number_member(json, "left_out", surface->left_out);
    cg_json_number_member(json, "open_edges", surface->open_edges);
    cg_json_number_member(json, "crowded_edges", surface->crowded_edges);
    cg_json_number_member(json, "turned_edges", surface->turned_edges);
    for (int side = 0; cg_tissue_side_name(side) != NULL && surface->told_sides > 0; side++) {
        cg_json_number_member(json, cg_tissue_side_name(side), count_side(surface, side));
    }
}

static void describe_volume(const cg_volume *volume, const char *path, cg_surface_format format, FILE *out)
{
    const double degrees = 57.29577951308232;
    double least = degrees * volume->least_angle, most = degrees * volume->most_angle;
    fprintf(out, "%s: ok: %s, a volume of %d nodes, %d cells, angles %.1f to %.1f degrees", path,
            cg_surface_format_name(format), volume->node_count, volume->cell_count, least, most);
    static const char *const words[] = {"left-handed cells turned", "flat cells left out",
                                        "cells read by their corners", "other items left out",
                                        "points of no use left out"};
    const int counts[] = {volume->turned_cells, volume->flat_cells, volume->quadratic_cells, volume->other_items,
                          volume->unused_points};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i] > 0) {
            fprintf(out, ", %d %s", counts[i], words[i]);
        }
    }
    if (volume->crowded_faces > 0) {
        fprintf(out, "; no tissue can be made of it: %d faces of more than two cells", volume->crowded_faces);
    } else if (least < 5 || most > 175) {
        fputs("; bad cells: \"catgut fill\" makes new ones inside of its outside", out);
    }
    fputc('\n', out);
}

static void describe_volume_json(const cg_volume *volume, cg_surface_format format, cg_json *json)
{
    cg_json_string_member(json, "format", cg_surface_format_name(format));
    cg_json_number_member(json, "nodes", volume->node_count);
    cg_json_number_member(json, "cells", volume->cell_count);
    cg_json_number_member(json, "least_angle", volume->least_angle);
    cg_json_number_member(json, "most_angle", volume->most_angle);
    cg_json_number_member(json, "turned_cells", volume->turned_cells);
    cg_json_number_member(json, "flat_cells", volume->flat_cells);
    cg_json_number_member(json, "quadratic_cells", volume->quadratic_cells);
    cg_json_number_member(json, "other_items", volume->other_items);
    cg_json_number_member(json, "unused_points", volume->unused_points);
    cg_json_number_member(json, "crowded_faces", volume->crowded_faces);
}

static bool check_mesh(const char *path, cg_json *json, FILE *out, FILE *err)
{
    cg_scene_error error;
    cg_surface *surface;
    cg_volume *volume;
    cg_surface_format format;
    bool good = cg_mesh_load(path, &surface, &volume, &format, &error);
    if (!good) {
        cg_scene_error_print(&error, err);
    } else if (json == NULL && volume != NULL) {
        describe_volume(volume, path, format, out);
    } else if (json == NULL) {
        describe_surface(surface, path, format, out);
    }
    if (json != NULL) {
        cg_json_begin_object(json);
        cg_json_string_member(json, "file", path);
        cg_json_boolean_member(json, "ok", good);
        if (volume != NULL) {
            describe_volume_json(volume, format, json);
        } else if (good) {
            describe_surface_json(surface, format, json);
        } else {
            print_error_json(json, &error);
        }
        cg_json_end_object(json);
    }
    cg_surface_free(surface);
    cg_volume_free(volume);
    return good;
}

// What came of surfaces that the scene fills.
static void describe_fillings(const cg_scene *scene, FILE *out)
{
    cg_fill_report r;
    for (int i = 0; i < cg_scene_tissue_count(scene); i++) {
        if (cg_scene_tissue_fill(scene, i, &r)) {
            fprintf(out,
                    "  %s: a surface of %.3g x %.3g x %.3g m, filled at a spacing of %.3g m to %.1f %% of its volume; "
                    "the cells' outside is within %.3g m of it\n",
                    cg_scene_tissue_name(scene, i), r.high.x - r.low.x, r.high.y - r.low.y, r.high.z - r.low.z,
                    r.spacing, 100 * r.volume / r.source_volume, r.farthest);
        }
    }
}

// *kept becomes the scene; the one before it is given back.
static bool check(const char *path, cg_scene **kept, cg_json *json, FILE *out, FILE *err)
{
    cg_scene *scene;
    cg_scene_error error;
    bool good = cg_scene_load(path, &scene, &error) && check_inputs(scene, path, &error);
    if (!good) {
        cg_scene_error_print(&error, err);
    } else if (json == NULL) {
        int threads = cg_scene_thread_count(scene), shapes = cg_scene_shape_count(scene);
        int tissues = cg_scene_tissue_count(scene);
        fprintf(out, "%s: ok: %d thread%s, ", path, threads, threads == 1 ? "" : "s");
        if (shapes > 0) {
            fprintf(out, "%d rigid shape%s, ", shapes, shapes == 1 ? "" : "s");
        }
        if (tissues > 0) {
            fprintf(out, "%d tissue%s, ", tissues, tissues == 1 ? "" : "s");
        }
        fprintf(out, "%g s%s%s\n", cg_scene_duration(scene), cg_scene_title(scene)[0] != '\0' ? ", " : "",
                cg_scene_title(scene));
        describe_fillings(scene, out);
    }
    if (json != NULL) {
        cg_json_begin_object(json);
        cg_json_string_member(json, "file", path);
        cg_json_boolean_member(json, "ok", good);
        if (good) {
            cg_json_string_member(json, "title", cg_scene_title(scene));
            cg_json_number_member(json, "duration", cg_scene_duration(scene));
            cg_json_number_member(json, "threads", cg_scene_thread_count(scene));
            cg_json_number_member(json, "shapes", cg_scene_shape_count(scene));
        } else {
            print_error_json(json, &error);
        }
        cg_json_end_object(json);
    }
    cg_scene_free(*kept);
    *kept = scene;
    return good;
}

static bool report_missing(const char *word, const cg_scene_error *error, cg_json *json, FILE *err)
{
    cg_scene_error_print(error, err);
    if (json != NULL) {
        cg_json_begin_object(json);
        cg_json_string_member(json, "file", word);
        cg_json_boolean_member(json, "ok", false);
        print_error_json(json, error);
        cg_json_end_object(json);
    }
    return false;
}

static bool check_task(const char *path, cg_json *json, FILE *out, FILE *err)
{
    cg_scene_error error;
    if (!cg_task_check(path, &error)) {
        return report_missing(path, &error, json, err);
    }
    if (json == NULL) {
        fprintf(out, "%s: ok: a task, with its scene and its scripts\n", path);
    } else {
        cg_json_begin_object(json);
        cg_json_string_member(json, "file", path);
        cg_json_boolean_member(json, "ok", true);
        cg_json_end_object(json);
    }
    return true;
}

// A file, or a scene, script or task by its name; a scene is meant when all are called so, then a script.
static bool check_word(const char *word, cg_scene **scene, cg_json *json, FILE *out, FILE *err)
{
    cg_surface_format format;
    cg_scene_error error;
    char path[CG_MOST_PATH];
    if (cg_surface_format_of_name(word, &format)) {
        return check_mesh(word, json, out, err);
    }
    if (!is_script(word) && cg_find_named(word, CG_NAMED_SCENE, path, &error)) {
        return cg_task_is_file(path) ? check_task(path, json, out, err) : check(path, scene, json, out, err);
    }
    cg_scene_error unused;
    if (cg_find_named(word, CG_NAMED_SCRIPT, path, is_script(word) ? &error : &unused)) {
        return check_script(path, *scene, json, out, err);
    }
    if (!is_script(word) && cg_find_named(word, CG_NAMED_TASK, path, &unused)) {
        return check_task(path, json, out, err);
    }
    return report_missing(word, &error, json, err);
}

// A scene or a task as JSON that any reader takes.
static int print_strict(const char *word, FILE *out, FILE *err)
{
    char path[CG_MOST_PATH], why[128];
    cg_scene_error error = {.message = ""};
    cg_scene *scene = NULL;
    bool found = cg_find_named(word, CG_NAMED_SCENE, path, &error) || cg_find_named(word, CG_NAMED_TASK, path, &error);
    if (found && cg_task_is_file(path)) {
        size_t size;
        char *text = cg_file_read(path, MOST_SCRIPT_BYTES, &size, why, sizeof why);
        found = text && cg_scene_write_plain(text, size, path, write_piece, out, &error).code == CG_OK;
        if (!text) {
            cg_scene_error_set(&error, path, why);
        }
        free(text);
    } else if (found) {
        found = cg_scene_load(path, &scene, &error);
        if (found) {
            cg_scene_write_strict(scene, write_piece, out);
        }
    }
    if (!found) {
        cg_scene_error_print(&error, err);
    }
    cg_scene_free(scene);
    return found ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
}

// Texts that are made from tables.
typedef struct printed_tables {
    bool schema, format, protocol, typescript, javascript;
} printed_tables;

// Prints the one that was asked for; false when none was.
static bool print_tables(const printed_tables *tables, FILE *out)
{
    if (tables->schema) {
        cg_scene_write_schema(write_piece, out);
    } else if (tables->format) {
        cg_scene_write_format(write_piece, out);
    } else if (tables->protocol) {
        cg_protocol_write_tables(write_piece, out);
    } else if (tables->typescript || tables->javascript) {
        cg_protocol_write_module(tables->typescript, write_piece, out);
    } else {
        return false;
    }
    return true;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    bool as_json = false, strict = false;
    printed_tables tables = {0};
    const char *paths[MOST_SCENES];
    const cg_option options[] = {{.name = "--json", .flag = &as_json},
                                 {.name = "--strict", .flag = &strict},
                                 {.name = "--schema", .flag = &tables.schema},
                                 {.name = "--format", .flag = &tables.format},
                                 {.name = "--protocol", .flag = &tables.protocol},
                                 {.name = "--protocol-ts", .flag = &tables.typescript},
                                 {.name = "--protocol-js", .flag = &tables.javascript}};
    cg_arguments arguments = {.command = "check",
                              .options = options,
                              .option_count = (int)(sizeof options / sizeof options[0]),
                              .max_words = MOST_SCENES,
                              .words = paths};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    int asked = tables.schema + tables.format + tables.protocol + tables.typescript + tables.javascript;
    if (asked > 1 || (asked == 1 && (arguments.word_count > 0 || as_json))) {
        fputs("catgut check: --schema, --format and --protocol stand alone\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    if (print_tables(&tables, out)) {
        return CG_EXIT_DONE;
    }
    if (arguments.word_count == 0) {
        fputs("catgut check: which scene? See \"catgut help check\"\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    if (strict && (arguments.word_count != 1 || as_json)) {
        fputs("catgut check: --strict takes one file, and is JSON itself\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    if (strict) {
        return print_strict(paths[0], out, err);
    }
    cg_json json = cg_json_start(out), *told = as_json ? &json : NULL;
    cg_scene *scene = NULL;
    bool good = true;
    if (as_json) {
        cg_json_begin_object(&json);
        cg_json_name(&json, "scenes");
        cg_json_begin_array(&json);
    }
    for (int i = 0; i < arguments.word_count; i++) {
        good = check_word(paths[i], &scene, told, out, err) && good;
    }
    cg_scene_free(scene);
    if (as_json) {
        cg_json_end_array(&json);
        cg_json_boolean_member(&json, "ok", good);
        cg_json_end_object(&json);
    }
    return good ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
}
