// The program `catgut`: its commands, and what they share. Everything but main() can be called from tests.
#ifndef CATGUT_APP_H
#define CATGUT_APP_H

#include <stdio.h>

#include "catgut/scene.h"

// How the program ends.
enum {
    CG_EXIT_DONE = 0,
    CG_EXIT_BAD_RESULT = 1, // it ran and the result is bad
    CG_EXIT_BAD_INPUT = 2   // bad usage, a bad file
};

// A command: one word, what it says about itself and what it does with the words behind it. Results go to `out`,
// messages for people to `err`.
typedef struct cg_command {
    const char *name;
    const char *usage;   // the words behind the name
    const char *summary; // one line
    const char *help;    // the rest of the help page
    int (*run)(int count, char **words, FILE *out, FILE *err);
    // For completion: names that may stand behind it, as heed(context, name) for each, or NULL; and the word of "catgut
    // list" whose names may, or NULL.
    void (*each_name)(void (*heed)(void *context, const char *name), void *context);
    const char *listed;
} cg_command;

extern const cg_command cg_command_experiment;
extern const cg_command cg_command_bench;
extern const cg_command cg_command_export;
extern const cg_command cg_command_serve;
extern const cg_command cg_command_show;
extern const cg_command cg_command_run;
extern const cg_command cg_command_replay;
extern const cg_command cg_command_check;
extern const cg_command cg_command_list;
extern const cg_command cg_command_fill;
extern const cg_command cg_command_knot;
extern const cg_command cg_command_pull;
extern const cg_command cg_command_try;
extern const cg_command cg_command_score;
extern const cg_command cg_command_sweep;
extern const cg_command cg_command_progress;
extern const cg_command cg_command_completion;

// All commands, in the order of the overview.
const cg_command *const *cg_app_commands(int *count);

// False when a scene asks for a part of the library that was left out of this build.
bool cg_app_can_build(const cg_scene *scene);

// Runs the program with the words of a command line, the first being its own name. Returns its exit code.
int cg_app_run(int count, char **words, FILE *out, FILE *err);

#endif
