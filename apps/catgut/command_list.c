// catgut list: what there is to run and to sew with.
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/nearest.h"
#include "catgut/catalogue.h"
#include "catgut/scene.h"
#include "experiments/table.h"
#include "support/arguments.h"
#include "support/json.h"
#include "support/scene_files.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_list = {
    .name = "list",
    .usage = "[scenes|experiments|materials|tissues] [--folder DIR] [--json]",
    .summary = "list scenes, experiments, suture materials and tissues",
    .help = "Without a word it lists everything.\n\n"
            "  --folder DIR  where scenes are; default: the folder \"scenes\" here or beside the program\n"
            "  --json        print one JSON object; materials and tissues then come with the source of every number\n\n"
            "Forces are in N, diameters and thicknesses in mm. \"~\" marks what is estimated or recalled rather than "
            "measured.\n",
    .run = run,
};

// What is listed: a word of the command line, a member of the JSON object.
enum { SCENES, EXPERIMENTS, MATERIALS, TISSUES, PART_COUNT };
static const char *const part_names[PART_COUNT] = {"scenes", "experiments", "materials", "tissues"};

// Scenes

static void list_scene(const char *folder, const char *name, cg_json *json, FILE *out)
{
    char path[4096];
    cg_scene *scene;
    cg_scene_error error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    bool good = cg_scene_load(path, &scene, &error);
    int stem = (int)strlen(name) - (int)strlen(".json");
    if (json == NULL) {
        fprintf(out, "  %-16.*s %s\n", stem, name, good ? cg_scene_title(scene) : "(bad: see catgut check)");
    } else {
        char short_name[256];
        snprintf(short_name, sizeof short_name, "%.*s", stem, name);
        cg_json_begin_line_object(json);
        cg_json_string_member(json, "name", short_name);
        cg_json_string_member(json, "file", path);
        cg_json_boolean_member(json, "ok", good);
        cg_json_string_member(json, "title", good ? cg_scene_title(scene) : NULL);
        cg_json_number_member(json, "duration", good ? cg_scene_duration(scene) : 0);
        cg_json_number_member(json, "threads", good ? cg_scene_thread_count(scene) : 0);
        cg_json_number_member(json, "shapes", good ? cg_scene_shape_count(scene) : 0);
        cg_json_end_object(json);
    }
    cg_scene_free(scene);
}

static bool list_scenes(const char *asked_folder, cg_json *json, FILE *out, FILE *err)
{
    char folder[4000];
    int count = 0;
    bool found = true;
    if (asked_folder != NULL) {
        snprintf(folder, sizeof folder, "%s", asked_folder);
    } else {
        found = cg_scene_folder(folder, sizeof folder);
    }
    char **names = found ? cg_scene_names(folder, &count) : NULL;
    if (names == NULL && asked_folder != NULL) {
        fprintf(err, "catgut list: cannot read the folder %s: %s\n", folder, strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        list_scene(folder, names[i], json, out);
    }
    if (names == NULL && json == NULL) {
        fputs("  (no folder \"scenes\" here or beside the program)\n", out);
    }
    cg_names_free(names, count);
    return true;
}

// Experiments

static void list_experiments(cg_json *json, FILE *out)
{
    for (int i = 0; i < cg_experiment_count; i++) {
        const cg_experiment *experiment = cg_experiments[i];
        if (json == NULL) {
            fprintf(out, "  %-18s %s\n", experiment->name, experiment->summary);
            continue;
        }
        cg_json_begin_object(json);
        cg_json_string_member(json, "name", experiment->name);
        cg_json_string_member(json, "summary", experiment->summary);
        cg_json_string_member(json, "source", experiment->source);
        cg_json_end_object(json);
    }
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

static void list_materials(cg_json *json, FILE *out)
{
    if (json == NULL) {
        fprintf(out, "  %-21s %9s %9s %9s %9s %9s %9s %9s\n", "suture", "d [mm]", "E [GPa]", "[kg/m3]", "bending",
                "friction", "break [N]", "knot [N]");
    }
    cg_suture suture;
    for (int i = 0; cg_catalogue_get(i, &suture); i++) {
        if (json == NULL) {
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
    sourced_member(json, "thickness", kind->thickness);
    cg_json_end_object(json);
}

static void list_tissues(cg_json *json, FILE *out)
{
    if (json == NULL) {
        fprintf(out, "  %-21s %9s %9s %9s %9s %9s %9s\n", "tissue", "E [kPa]", "[kg/m3]", "tear kPa", "stiffens",
                "cut J/m2", "thick mm");
    }
    cg_tissue_kind kind;
    for (int i = 0; cg_tissue_catalogue_get(i, &kind); i++) {
        if (json == NULL) {
            print_tissue(out, &kind);
        } else {
            write_tissue(json, &kind);
        }
    }
}

// The command

static bool list_part(int part, const char *folder, cg_json *json, FILE *out, FILE *err)
{
    bool fine = true;
    if (json != NULL) {
        cg_json_name(json, part_names[part]);
        cg_json_begin_array(json);
    } else {
        fprintf(out, "%s\n", part_names[part]);
    }
    if (part == SCENES) {
        fine = list_scenes(folder, json, out, err);
    } else if (part == EXPERIMENTS) {
        list_experiments(json, out);
    } else if (part == MATERIALS) {
        list_materials(json, out);
    } else {
        list_tissues(json, out);
    }
    if (json != NULL) {
        cg_json_end_array(json);
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
        fputs("expected scenes, experiments, materials or tissues\n", err);
    }
    return -1;
}

static int run(int count, char **words, FILE *out, FILE *err)
{
    bool as_json = false, fine = true;
    const char *word = NULL, *folder = NULL;
    const cg_option options[] = {{.name = "--json", .flag = &as_json}, {.name = "--folder", .value = &folder}};
    cg_arguments arguments = {.command = "list", .options = options, .option_count = 2, .max_words = 1, .words = &word};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    int only = word != NULL ? find_part(word, err) : PART_COUNT;
    if (only < 0) {
        return CG_EXIT_BAD_INPUT;
    }
    cg_json json = cg_json_start(out);
    if (as_json) {
        cg_json_begin_object(&json);
    }
    for (int part = 0; part < PART_COUNT; part++) {
        if (only == part || only == PART_COUNT) {
            fine = list_part(part, folder, as_json ? &json : NULL, out, err) && fine;
        }
    }
    if (as_json) {
        cg_json_end_object(&json);
    }
    return fine ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
}
