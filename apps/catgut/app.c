#include "app.h"

#include <stdbool.h>
#include <string.h>

#include "assets.h"
#include "base/nearest.h"
#include "support/arguments.h"
#include "support/manual.h"
#include "support/origin.h"
#ifdef CATGUT_HAVE_CONSTRAINT
#include "constraint/structure.h"
#endif

static int run_help(int count, char **words, FILE *out, FILE *err);

static const cg_command command_help = {
    .name = "help",
    .usage = "[COMMAND] [--man]",
    .summary = "say what the program or a command does",
    .help = "  --man         print all of it as a manual page, for \"man -l\"\n",
    .run = run_help,
};

static const cg_command *const commands[] = {
    &cg_command_serve,    &cg_command_show,       &cg_command_run,        &cg_command_try,   &cg_command_score,
    &cg_command_progress, &cg_command_replay,     &cg_command_experiment, &cg_command_bench, &cg_command_export,
    &cg_command_check,    &cg_command_list,       &cg_command_fill,       &cg_command_knot,  &cg_command_pull,
    &cg_command_sweep,    &cg_command_completion, &command_help,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

const cg_command *const *cg_app_commands(int *count)
{
    *count = COMMAND_COUNT;
    return commands;
}

static void print_overview(FILE *out)
{
    fputs("catgut - a real-time simulator of surgical suturing\n\n", out);
    fputs("usage: catgut COMMAND [...]\n       catgut --version | --licences\n\n", out);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "  %-11s %s\n", commands[i]->name, commands[i]->summary);
    }
    fputs("\n\"catgut help COMMAND\" says more. Exit codes: 0 done, 1 it ran and the result is bad, 2 bad input.\n",
          out);
}

static void print_help(const cg_command *command, FILE *out)
{
    fprintf(out, "usage: catgut %s %s\n\n%s\n", command->name, command->usage, command->summary);
    if (command->help[0]) {
        fprintf(out, "\n%s", command->help);
    }
}

static const cg_command *find_command(const char *word, FILE *err)
{
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i]->name;
        if (strcmp(word, names[i]) == 0) {
            return commands[i];
        }
    }
    const char *nearest = cg_nearest_word(word, names, COMMAND_COUNT);
    if (nearest) {
        fprintf(err, "catgut: there is no command \"%s\"; did you mean \"%s\"?\n", word, nearest);
    } else {
        fprintf(err, "catgut: there is no command \"%s\"; see \"catgut help\"\n", word);
    }
    return NULL;
}

static int run_help(int count, char **words, FILE *out, FILE *err)
{
    const char *word = NULL;
    bool as_manual = false;
    const cg_option options[] = {{.name = "--man", .flag = &as_manual}};
    cg_arguments arguments = {.command = "help", .options = options, .option_count = 1, .max_words = 1, .words = &word};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    if (as_manual && word) {
        fputs("catgut help: --man is about all commands; name none\n", err);
        return CG_EXIT_BAD_INPUT;
    }
    if (as_manual) {
        cg_manual_write(commands, COMMAND_COUNT, out);
        return CG_EXIT_DONE;
    }
    if (!word) {
        print_overview(out);
        return CG_EXIT_DONE;
    }
    const cg_command *command = find_command(word, err);
    if (!command) {
        return CG_EXIT_BAD_INPUT;
    }
    print_help(command, out);
    return CG_EXIT_DONE;
}

static bool asks_for_help(int count, char **words)
{
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++) {
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

// Parts of the library that may be left out of a build are named here alone.
static void use_what_is_there(void)
{
#ifdef CATGUT_HAVE_CONSTRAINT
    cg_use_structures(cg_constraint_structures());
#endif
}

bool cg_app_can_build(const cg_scene *scene)
{
#ifdef CATGUT_HAVE_CONSTRAINT
    (void)scene;
    return true;
#else
    return !cg_scene_has_constraints(scene);
#endif
}

extern const char cg_third_parties[]; // made by cmake/program.cmake

static void print_licences(FILE *out)
{
    fprintf(out, "%s: Copyright 2026 the catgut authors, Apache-2.0\n\n%s", cg_program_words(), cg_third_parties);
    for (int i = 0; i < cg_asset_count; i++) {
        const cg_asset *asset = &cg_assets[i];
        if (strcmp(asset->path, "/licences.txt") == 0) {
            fputs("\nInside the page\n\n", out);
            fwrite(asset->bytes, 1, (size_t)(asset->end - asset->bytes), out);
        }
    }
}

int cg_app_run(int count, char **words, FILE *out, FILE *err)
{
    use_what_is_there();
    if (count < 2) {
        print_overview(err);
        return CG_EXIT_BAD_INPUT;
    }
    if (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0) {
        print_overview(out);
        return CG_EXIT_DONE;
    }
    if (strcmp(words[1], "--version") == 0 || strcmp(words[1], "-v") == 0) {
        fprintf(out, "%s\n", cg_program_words());
        return CG_EXIT_DONE;
    }
    if (strcmp(words[1], "--licences") == 0) {
        print_licences(out);
        return CG_EXIT_DONE;
    }
    const cg_command *command = find_command(words[1], err);
    if (!command) {
        return CG_EXIT_BAD_INPUT;
    }
    if (asks_for_help(count - 2, words + 2)) {
        print_help(command, out);
        return CG_EXIT_DONE;
    }
    return command->run(count - 2, words + 2, out, err);
}
