// catgut completion: a script that teaches a shell the commands and options of the program.
#include <stdbool.h>

#include "app.h"
#include "support/arguments.h"
#include "support/completion.h"

static int run(int count, char **words, FILE *out, FILE *err);

const cg_command cg_command_completion = {
    .name = "completion",
    .usage = "bash|zsh|fish",
    .summary = "print shell completion",
    .help = "  source <(catgut completion bash)       in ~/.bashrc\n"
            "  source <(catgut completion zsh)        in ~/.zshrc, after compinit\n"
            "  catgut completion fish | source        in ~/.config/fish/config.fish\n",
    .run = run,
};

static int run(int count, char **words, FILE *out, FILE *err)
{
    const char *shell = NULL;
    cg_arguments arguments = {.command = "completion", .max_words = 1, .words = &shell};
    if (!cg_arguments_read(&arguments, count, words, err)) {
        return CG_EXIT_BAD_INPUT;
    }
    int command_count;
    const cg_command *const *commands = cg_app_commands(&command_count);
    if (shell == NULL || !cg_completion_write(shell, commands, command_count, out)) {
        fprintf(err, "catgut completion: found %s; expected bash, zsh or fish\n", shell != NULL ? shell : "no shell");
        return CG_EXIT_BAD_INPUT;
    }
    return CG_EXIT_DONE;
}
