// catgut list: what there is to run and to sew with.
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/nearest.h"
#include "bench/bench.h"
#include "catgut/catalogue.h"
#include "catgut/scene.h"
#include "experiments/table.h"
#include "support/arguments.h"
#include "support/json.h"
#include "support/scene_files.h"
#include "support/scene_names.h"
#include "training/task_files.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_list = {
    .name = "list",
    .usage = "[scenes|scripts|tasks|experiments|benches|materials|tissues|needles] [--folder DIR] [--names] [--json]",
    .summary = "list scenes, scripts, tasks, experiments, benches, suture materials, tissues and needles",
    .help = "Without a word it lists everything. Scenes and scripts can be run by the names that are shown:\n"
            "\"catgut run cord --script square\"; tasks by \"catgut try\".\n\n"
            "  --folder DIR  where scenes are; default: the folder \"scenes\" here or beside the program\n"
            "  --names       print names alone, one a line\n"
            "  --json        print one JSON object; materials, tissues and needles then come with the source of every "
            "number\n\n"
            "Forces are in N, diameters, thicknesses and lengths in mm. \"~\" marks what is estimated or recalled "
            "rather than "
            "measured.\n",
    .run = run,
};

// What is listed: a word of the command line, a member of the JSON object.
enum { SCENES, SCRIPTS, TASKS, EXPERIMENTS, BENCHES, MATERIALS, TISSUES, NEEDLES, PART_COUNT };
static const char *const part_names[PART_COUNT] = {"scenes",  "scripts",   "tasks",   "experiments",
                                                   "benches", "materials", "tissues", "needles"};

// How it is listed: in words, as names alone, or as JSON when `json` is set.
typedef struct listing {
    const char *folder; // of scenes, when one was asked for
    bool names;
    cg_json *json;
    FILE *out, *err;
} listing;

// Scenes, scripts and tasks

// Scenes that this build cannot run are not offered.
static void list_scene(const listing *l, const char *path, const char *name)
{
    cg_scene *scene;
    cg_scene_error error;
    bool good = cg_scene_load(path, &scene, &error);
    if (good && !cg_app_can_build(scene)) {
        cg_scene_free(scene);
        return;
    }
    if (l->names) {
        fprintf(l->out, "%s\n", name);
    } else if (l->json == NULL) {
        fprintf(l->out, "  %-16s %s\n", name, good ? cg_scene_title(scene) : "(bad: see catgut check)");
    } else {
        cg_json_begin_line_object(l->json);
        cg_json_string_member(l->json, "name", name);
        cg_json_string_member(l->json, "file", path);
        cg_json_boolean_member(l->json, "ok", good);
        cg_json_string_member(l->json, "title", good ? cg_scene_title(scene) : NULL);
        cg_json_number_member(l->json, "duration", good ? cg_scene_duration(scene) : 0);
        cg_json_number_member(l->json, "threads", good ? cg_scene_thread_count(scene) : 0);
        cg_json_number_member(l->json, "shapes", good ? cg_scene_shape_count(scene) : 0);
        cg_json_end_object(l->json);
    }
    cg_scene_free(scene);
}

// A script says what it does in its first line, which is a comment: its first sentence.
static void list_script(const listing *l, const char *path, const char *name)
{
    char line[256] = "";
    FILE *file = fopen(path, "r");
    bool good = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL) {
        fclose(file);
    }
    char *title = line + strspn(line, "# "), *end = strstr(title, ". ");
    title[end != NULL ? (size_t)(end - title) : strcspn(title, "\n")] = '\0';
    if (l->json == NULL) {
        fprintf(l->out, "  %-16s %s\n", name, good ? title : "(cannot be read)");
    } else {
        cg_json_begin_line_object(l->json);
        cg_json_string_member(l->json, "name", name);
        cg_json_string_member(l->json, "file", path);
        cg_json_string_member(l->json, "title", good ? title : NULL);
        cg_json_end_object(l->json);
    }
}

static void list_task(const listing *l, const char *path, const char *name)
{
    cg_task *task;
    cg_scene_error error;
    bool good = cg_task_load(path, &task, &error);
    if (l->json == NULL) {
        fprintf(l->out, "  %-16s %s\n", name, good ? cg_task_title(task) : "(bad: see catgut check)");
    } else {
        cg_json_begin_line_object(l->json);
        cg_json_string_member(l->json, "name", name);
        cg_json_string_member(l->json, "file", path);
        cg_json_boolean_member(l->json, "ok", good);
        cg_json_string_member(l->json, "title", good ? cg_task_title(task) : NULL);
        cg_json_string_member(l->json, "scene", good ? cg_task_scene(task) : NULL);
        cg_json_string_member(l->json, "expert", good ? cg_task_expert(task) : NULL);
        cg_json_end_object(l->json);
    }
    cg_task_free(task);
}

static void list_file(const listing *l, cg_named_kind kind, const char *folder, const char *file)
{
    char path[2 * CG_MOST_PATH], name[256];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    snprintf(name, sizeof name, "%.*s", (int)(strrchr(file, '.') - file), file);
    if (kind == CG_NAMED_SCENE) {
        list_scene(l, path, name);
    } else if (l->names) {
        fprintf(l->out, "%s\n", name);
    } else if (kind == CG_NAMED_TASK) {
        list_task(l, path, name);
    } else {
        list_script(l, path, name);
    }
}

static bool list_files(const listing *l, cg_named_kind kind)
{
    char folder[CG_MOST_PATH];
    int count = 0;
    bool found = true;
    if (l->folder != NULL) {
        snprintf(folder, sizeof folder, "%s", l->folder);
    } else {
        found = cg_scene_folder(folder, sizeof folder - sizeof "/scripts");
    }
    if (kind != CG_NAMED_SCENE) {
        strncat(folder, kind == CG_NAMED_SCRIPT ? "/scripts" : "/tasks", sizeof folder - strlen(folder) - 1);
    }
    char **names = found ? cg_names_in(folder, kind, &count) : NULL;
    if (names == NULL && l->folder != NULL && kind == CG_NAMED_SCENE) {
        fprintf(l->err, "catgut list: cannot read the folder %s: %s\n", folder, strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        list_file(l, kind, folder, names[i]);
    }
    if (names == NULL && l->json == NULL && !l->names) {
        fputs("  (no folder \"scenes\" here or beside the program)\n", l->out);
    }
    cg_names_free(names, count);
    return true;
}

// Experiments and benches

static void list_experiments(const listing *l)
{
    for (int i = 0; i < CG_EXPERIMENT_COUNT; i++) {
        const cg_experiment *experiment = cg_experiments[i];
        if (l->json == NULL) {
            fprintf(l->out, l->names ? "%s\n" : "  %-18s %s\n", experiment->name, experiment->summary);
            continue;
        }
        cg_json_begin_object(l->json);
        cg_json_string_member(l->json, "name", experiment->name);
        cg_json_string_member(l->json, "summary", experiment->summary);
        cg_json_string_member(l->json, "source", experiment->source);
        cg_json_end_object(l->json);
    }
}

// Rows come group by group: a name without a slash begins one, and comes again before each of its rows.
typedef struct bench_groups {
    const listing *to;
    char group[64];
    int rows;
} bench_groups;

static void end_group(bench_groups *g)
{
    const listing *l = g->to;
    if (g->group[0] == '\0') {
        return;
    }
    if (l->json != NULL) {
        cg_json_begin_line_object(l->json);
        cg_json_string_member(l->json, "name", g->group);
        cg_json_number_member(l->json, "rows", g->rows);
        cg_json_end_object(l->json);
    } else if (l->names || g->rows == 0) {
        fprintf(l->out, l->names ? "%s\n" : "  %-18s its own table\n", g->group);
    } else {
        fprintf(l->out, "  %-18s %d row%s\n", g->group, g->rows, g->rows == 1 ? "" : "s");
    }
}

static void heed_bench(void *context, const char *name, bool is_row)
{
    bench_groups *g = context;
    g->rows += is_row;
    if (strchr(name, '/') == NULL && strcmp(name, g->group) != 0) {
        end_group(g);
        g->rows = 0;
        snprintf(g->group, sizeof g->group, "%s", name);
    }
}

static void list_benches(const listing *l)
{
    bench_groups groups = {.to = l};
    cg_bench_each_name(heed_bench, &groups);
    end_group(&groups);
}

// Materials

static bool is_guess(cg_sourced number)
{
    return strncmp(number.source, "estimate", 8) == 0 || strncmp(number.source, "recalled", 8) == 0;
}

static void print_number(FILE *out, cg_sourced number, double unit)
{
    char text[32];
    snprintf(text, sizeof text, "%s%.4g", is_guess(number) ? "~" : "", number.value / unit);
    fprintf(out, " %9s", text);
}

static void print_material(FILE *out, const cg_suture *suture)
{
    fprintf(out, "  %-21s", suture->name);
    print_number(out, suture->diameter, 1e-3);
    print_number(out, suture->youngs_modulus, 1e9);
    print_number(out, suture->density, 1);
    print_number(out, suture->bend_share, 1);
    print_number(out, suture->friction, 1);
    print_number(out, suture->breaking_force, 1);
    print_number(out, suture->knot_pull_force, 1);
    fputs("\n", out);
}

static void sourced_member(cg_json *json, const char *name, cg_sourced number)
{
    cg_json_name(json, name);
    cg_json_begin_line_object(json);
    cg_json_number_member(json, "value", number.value);
    cg_json_string_member(json, "source", number.source);
    cg_json_end_object(json);
}

static void write_material(cg_json *json, const cg_suture *suture)
{
    cg_json_begin_object(json);
    cg_json_string_member(json, "name", suture->name);
    cg_json_string_member(json, "size", suture->size);
    cg_json_string_member(json, "material", suture->material);
    cg_json_boolean_member(json, "absorbable", suture->absorbable);
    cg_json_boolean_member(json, "braided", suture->braided);
    sourced_member(json, "diameter", suture->diameter);
    sourced_member(json, "youngs_modulus", suture->youngs_modulus);
    sourced_member(json, "poisson_ratio", suture->poisson_ratio);
    sourced_member(json, "density", suture->density);
    sourced_member(json, "bend_share", suture->bend_share);
    sourced_member(json, "friction", suture->friction);
    sourced_member(json, "breaking_force", suture->breaking_force);
    sourced_member(json, "knot_pull_force", suture->knot_pull_force);
    cg_json_end_object(json);
}

static void list_materials(const listing *l)
{
    cg_json *json = l->json;
    FILE *out = l->out;
    if (json == NULL && !l->names) {
        fprintf(out, "  %-21s %9s %9s %9s %9s %9s %9s %9s\n", "suture", "d [mm]", "E [GPa]", "[kg/m3]", "bending",
                "friction", "break [N]", "knot [N]");
    }
    cg_suture suture;
    for (int i = 0; cg_catalogue_get(i, &suture); i++) {
        if (l->names) {
            fprintf(out, "%s\n", suture.name);
        } else if (json == NULL) {
            print_material(out, &suture);
        } else {
            write_material(json, &suture);
        }
    }
}

// Tissues

static void print_tissue(FILE *out, const cg_tissue_kind *kind)
{
    fprintf(out, "  %-21s", kind->name);
    print_number(out, kind->youngs_modulus, 1e3);
    print_number(out, kind->density, 1);
    print_number(out, kind->strength, 1e3);
    print_number(out, kind->stiffening, 1);
    print_number(out, kind->toughness, 1);
    print_number(out, kind->tear_resistance, 1);
    print_number(out, kind->thickness, 1e-3);
    fputs("\n", out);
}

static void write_tissue(cg_json *json, const cg_tissue_kind *kind)
{
    cg_json_begin_object(json);
    cg_json_string_member(json, "name", kind->name);
    sourced_member(json, "youngs_modulus", kind->youngs_modulus);
    sourced_member(json, "density", kind->density);
    sourced_member(json, "strength", kind->strength);
    sourced_member(json, "stiffening", kind->stiffening);
    sourced_member(json, "toughness", kind->toughness);
    sourced_member(json, "tear_resistance", kind->tear_resistance);
    sourced_member(json, "thickness", kind->thickness);
    cg_json_end_object(json);
}

static void list_tissues(const listing *l)
{
    cg_json *json = l->json;
    FILE *out = l->out;
    if (json == NULL && !l->names) {
        fprintf(out, "  %-21s %9s %9s %9s %9s %9s %9s %9s\n", "tissue", "E [kPa]", "[kg/m3]", "pull kPa", "stiffens",
                "cut J/m2", "tear N/m", "thick mm");
    }
    cg_tissue_kind kind;
    for (int i = 0; cg_tissue_catalogue_get(i, &kind); i++) {
        if (l->names) {
            fprintf(out, "%s\n", kind.name);
        } else if (json == NULL) {
            print_tissue(out, &kind);
        } else {
            write_tissue(json, &kind);
        }
    }
}

// Needles

static void print_needle(FILE *out, const cg_needle_kind *kind)
{
    static const char *const curves[] = {"", "1/8", "1/4", "3/8", "1/2", "5/8", "3/4", "7/8"};
    fprintf(out, "  %-21s %5s  %-16s", kind->name, curves[kind->eighths & 7], cg_needle_point_name(kind->point));
    print_number(out, kind->length, 1e-3);
    print_number(out, kind->diameter, 1e-3);
    print_number(out, kind->mass, 1e-6);
    fputs("\n", out);
}

static void write_needle(cg_json *json, const cg_needle_kind *kind)
{
    cg_json_begin_object(json);
    cg_json_string_member(json, "name", kind->name);
    cg_json_number_member(json, "eighths", kind->eighths);
    cg_json_string_member(json, "point", cg_needle_point_name(kind->point));
    sourced_member(json, "length", kind->length);
    sourced_member(json, "diameter", kind->diameter);
    sourced_member(json, "mass", kind->mass);
    cg_json_end_object(json);
}

static void list_needles(const listing *l)
{
    cg_json *json = l->json;
    FILE *out = l->out;
    if (json == NULL && !l->names) {
        fprintf(out, "  %-21s %5s  %-16s %9s %9s %9s\n", "needle", "curve", "point", "length mm", "wire mm", "mass mg");
    }
    cg_needle_kind kind;
    for (int i = 0; cg_needle_catalogue_get(i, &kind); i++) {
        if (l->names) {
            fprintf(out, "%s\n", kind.name);
        } else if (json == NULL) {
            print_needle(out, &kind);
        } else {
            write_needle(json, &kind);
        }
    }
}

// The command

static bool list_part(const listing *l, int part)
{
    bool fine = true;
    if (l->json != NULL) {
        cg_json_name(l->json, part_names[part]);
        cg_json_begin_array(l->json);
    } else if (!l->names) {
        fprintf(l->out, "%s\n", part_names[part]);
    }
    switch (part) {
    case SCENES:
        fine = list_files(l, CG_NAMED_SCENE);
        break;
    case SCRIPTS:
        fine = list_files(l, CG_NAMED_SCRIPT);
        break;
    case TASKS:
        fine = list_files(l, CG_NAMED_TASK);
        break;
    case EXPERIMENTS:
        list_experiments(l);
        break;
    case BENCHES:
        list_benches(l);
        break;
    case MATERIALS:
        list_materials(l);
        break;
    case TISSUES:
        list_tissues(l);
        break;
    default:
        list_needles(l);
    }
    if (l->json != NULL) {
        cg_json_end_array(l->json);
    }
    return fine;
}

// The part that a word names; -1, with a message, for none.
static int find_part(const char *word, FILE *err)
{
    for (int i = 0; i < PART_COUNT; i++) {
        if (strcmp(word, part_names[i]) == 0) {
            return i;
        }
    }
    const char *nearest = cg_nearest_word(word, part_names, PART_COUNT);
    fprintf(err, "catgut list: there is no list \"%s\"; ", word);
    if (nearest != NULL) {
        fprintf(err, "did you mean \"%s\"?\n", nearest);
    } else {
        fputs("expected scenes, scripts, tasks, experiments, benches, materials, tissues or needles\n", err);
    }
    return -1;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    bool as_json = false, fine = true;
    const char *word = NULL;
    listing l = {.out = out, .err = err};
    const cg_option options[] = {{.name = "--json", .flag = &as_json},
                                 {.name = "--names", .flag = &l.names},
                                 {.name = "--folder", .value = &l.folder}};
    cg_arguments arguments = {.command = "list", .options = options, .option_count = 3, .max_words = 1, .words = &word};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    int only = word != NULL ? find_part(word, err) : PART_COUNT;
    if (only < 0) {
        return CG_EXIT_BAD_INPUT;
    }
    if (l.names && as_json) {
        fputs("catgut list: --names and --json exclude each other\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    cg_json json = cg_json_start(out);
    if (as_json) {
        l.json = &json;
        cg_json_begin_object(&json);
    }
    for (int part = 0; part < PART_COUNT; part++) {
        if (only == part || only == PART_COUNT) {
            fine = list_part(&l, part) && fine;
        }
    }
    if (as_json) {
        cg_json_end_object(&json);
    }
    return fine ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
}
