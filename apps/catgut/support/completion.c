#include "support/completion.h"

#include <string.h>

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

// A fixed word is an option, or lower case with a '|' on one of its sides.
static bool is_fixed(const char *start, const char *end, const char *line)
{
    bool option = end - start > 2 && start[0] == '-' && start[1] == '-';
    bool choice = (start > line && start[-1] == '|') || *end == '|';
    return option || (choice && start[0] != '-');
}

bool cg_usage_word(const char **at, char *word, size_t room)
{
    const char *line = *at, *start = *at;
    while (*start != '\0') {
        // A word with other bytes in it, such as "OUT.svg", is a name: pass over all of it.
        const char *end = start;
        while (is_word_byte(*end)) {
            end++;
        }
        bool bounded = *end == '\0' || strchr(" |[]().", *end) != NULL;
        size_t length = (size_t)(end - start);
        if (length > 0 && bounded && length < room && is_fixed(start, end, line)) {
            memcpy(word, start, length);
            word[length] = '\0';
            // one byte less far, so that the next call still sees the '|' in front of its word
            *at = *end == '|' ? end : end + (*end != '\0');
            return true;
        }
        start = end;
        if (!bounded) {
            while (*start != '\0' && strchr(" |[]()", *start) == NULL) {
                start++;
            }
        }
        start += *start != '\0';
    }
    *at = start;
    return false;
}

static void write_name(void *context, const char *name)
{
    fprintf(context, "%s ", name);
}

// All words that may stand behind a command, a blank behind each.
static void write_words(const cg_command *command, FILE *out)
{
    char word[64];
    for (const char *at = command->usage; cg_usage_word(&at, word, sizeof word);) {
        write_name(out, word);
    }
    if (command->each_name != NULL) {
        command->each_name(write_name, out);
    }
    write_name(out, "--help");
    // What is listed depends on the folder: it is asked for when the shell completes.
    if (command->listed != NULL) {
        fprintf(out, "$(catgut list %s --names 2>/dev/null)", command->listed);
    }
}

static void write_names(const cg_command *const *commands, int count, FILE *out)
{
    for (int i = 0; i < count; i++) {
        fprintf(out, i > 0 ? " %s" : "%s", commands[i]->name);
    }
}

static void write_bash(const cg_command *const *commands, int count, FILE *out)
{
    fputs("# bash completion of catgut: source <(catgut completion bash)\n"
          "_catgut() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W \"",
          out);
    write_names(commands, count, out);
    fputs("\" -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    case ${COMP_WORDS[1]} in\n",
          out);
    for (int i = 0; i < count; i++) {
        fprintf(out, "    %s) words=\"", commands[i]->name);
        if (strcmp(commands[i]->name, "help") == 0) {
            write_names(commands, count, out);
        }
        fputc(' ', out);
        write_words(commands[i], out);
        fputs("\" ;;\n", out);
    }
    fputs("    esac\n"
          "    [ \"${COMP_WORDS[COMP_CWORD - 1]}\" != --script ] || words=$(catgut list scripts --names 2>/dev/null)\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "    if [ \"${#COMPREPLY[@]}\" -eq 0 ] || [ -z \"$word\" ]; then\n"
          "        COMPREPLY+=($(compgen -f -- \"$word\"))\n"
          "    fi\n"
          "}\n"
          "complete -o filenames -F _catgut catgut\n",
          out);
}

// A summary inside single quotes of zsh or fish. Summaries are our own words; a quotation mark is left out.
static void write_quoted(const char *text, char colon, FILE *out)
{
    for (; *text != '\0'; text++) {
        if (*text != '\'' && *text != '\\') {
            fputc(*text == ':' ? colon : *text, out);
        }
    }
}

static void write_zsh(const cg_command *const *commands, int count, FILE *out)
{
    fputs("#compdef catgut\n"
          "# zsh completion of catgut: source <(catgut completion zsh)\n"
          "_catgut() {\n"
          "    local -a commands\n"
          "    commands=(\n",
          out);
    for (int i = 0; i < count; i++) {
        fprintf(out, "        '%s:", commands[i]->name);
        write_quoted(commands[i]->summary, ' ', out);
        fputs("'\n", out);
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    case $words[2] in\n",
          out);
    for (int i = 0; i < count; i++) {
        fprintf(out, "    %s) compadd --", commands[i]->name);
        if (strcmp(commands[i]->name, "help") == 0) {
            fputc(' ', out);
            write_names(commands, count, out);
        }
        fputc(' ', out);
        write_words(commands[i], out);
        fputs(" ;;\n", out);
    }
    fputs("    esac\n"
          "    _files\n"
          "}\n"
          "# Installed as a file this is the function itself; sourced, it is made known.\n"
          "if [ \"$funcstack[1]\" = _catgut ]; then\n"
          "    _catgut \"$@\"\n"
          "else\n"
          "    compdef _catgut catgut\n"
          "fi\n",
          out);
}

static void write_fish(const cg_command *const *commands, int count, FILE *out)
{
    fputs("# fish completion of catgut: catgut completion fish | source\n", out);
    for (int i = 0; i < count; i++) {
        fprintf(out, "complete -c catgut -n __fish_use_subcommand -f -a %s -d '", commands[i]->name);
        write_quoted(commands[i]->summary, ':', out);
        fputs("'\n", out);
    }
    for (int i = 0; i < count; i++) {
        fprintf(out, "complete -c catgut -n '__fish_seen_subcommand_from %s' -a \"", commands[i]->name);
        if (strcmp(commands[i]->name, "help") == 0) {
            write_names(commands, count, out);
            fputc(' ', out);
        }
        write_words(commands[i], out);
        fputs("\"\n", out);
    }
}

bool cg_completion_write(const char *shell, const cg_command *const *commands, int count, FILE *out)
{
    static const struct {
        const char *name;
        void (*write)(const cg_command *const *commands, int count, FILE *out);
    } shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
    for (int i = 0; i < 3; i++) {
        if (strcmp(shell, shells[i].name) == 0) {
            shells[i].write(commands, count, out);
            return true;
        }
    }
    return false;
}
