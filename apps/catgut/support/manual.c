#include "support/manual.h"

#include <stdbool.h>

#include "catgut/version.h"

// Text as it stands: a backslash, a dash, and a dot or quote at the start of a line mean something to troff.
static void write_text(const char *text, FILE *out)
{
    bool starts_line = true;
    for (; *text != '\0'; text++) {
        if (starts_line && (*text == '.' || *text == '\'')) {
            fputs("\\&", out);
        }
        if (*text == '\\') {
            fputs("\\e", out);
        } else if (*text == '-') {
            fputs("\\-", out);
        } else {
            fputc(*text, out);
        }
        starts_line = *text == '\n';
    }
}

static void write_command(const cg_command *command, FILE *out)
{
    fputs(".SS ", out);
    write_text(command->name, out);
    fputs("\n.nf\ncatgut ", out);
    write_text(command->name, out);
    fputc(' ', out);
    write_text(command->usage, out);
    fputs("\n.fi\n.PP\n", out);
    write_text(command->summary, out);
    fputs("\n", out);
    if (command->help[0] != '\0') {
        fputs(".PP\n.nf\n", out);
        write_text(command->help, out);
        fputs(".fi\n", out);
    }
}

void cg_manual_write(const cg_command *const *commands, int count, FILE *out)
{
    fputs(".TH CATGUT 1 \"\" \"catgut " CG_VERSION "\" \"User Commands\"\n"
          ".SH NAME\ncatgut \\- a real\\-time simulator of surgical suturing\n"
          ".SH SYNOPSIS\n.B catgut\n.I COMMAND\n[...]\n.br\n.B catgut \\-\\-version\n"
          ".SH DESCRIPTION\nSimulates threads, knots and soft tissue: in the browser\n.RB ( \"catgut serve\" ),\n"
          "or without a screen\n.RB ( \"catgut run\" ).\n"
          "Scenes and scripts go by the names that\n.B catgut list\nshows, or are files.\n"
          ".SH COMMANDS\n",
          out);
    for (int i = 0; i < count; i++) {
        write_command(commands[i], out);
    }
    fputs(".SH EXIT STATUS\n"
          ".TP\n.B 0\ndone\n.TP\n.B 1\nit ran and the result is bad\n.TP\n.B 2\nbad input: usage, or a file\n"
          ".SH FILES\n.TP\n.I scenes\nin the present folder: scenes of one's own; they go before those of the program\n"
          ".TP\n.I ../share/catgut/scenes\nfrom the folder of the program: the scenes and scripts that came with it\n",
          out);
}
