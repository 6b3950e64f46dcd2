// Shell completion, made from the table of commands: options and fixed words are taken from the usage lines, names from
// the commands; those of scenes and scripts are asked for while the shell completes.
#ifndef CATGUT_SUPPORT_COMPLETION_H
#define CATGUT_SUPPORT_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

#include "app.h"

// The next word of a usage line that is typed as it stands: an option ("--json") or one of several words
// ("scenes|experiments"); names of what the user gives ("FILE") are passed over. *at starts at the line and moves on.
// False at the end.
bool cg_usage_word(const char **at, char *word, size_t room);

// Writes the completion script of a shell: "bash", "zsh" or "fish". False when the shell is another.
bool cg_completion_write(const char *shell, const cg_command *const *commands, int count, FILE *out);

#endif
