#include "support/arguments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

bool cg_read_number(const char *word, double *value)
{
    // strtod also reads "nan", "inf" and hexadecimal numbers; none of them is wanted.
    if (word[0] == '\0' || strspn(word, "0123456789+-.eE") != strlen(word)) {
        return false;
    }
    char *rest;
    *value = strtod(word, &rest);
    return *rest == '\0' && isfinite(*value);
}

static bool unknown_option(const cg_arguments *arguments, const char *word, FILE *err)
{
    const char *names[32];
    int count = least(arguments->option_count, 32);
    for (int i = 0; i < count; i++) {
        names[i] = arguments->options[i].name;
    }
    const char *nearest = cg_nearest_word(word, names, count);
    if (nearest) {
        fprintf(err, "catgut %s: there is no option %s; did you mean %s?\n", arguments->command, word, nearest);
    } else {
        fprintf(err, "catgut %s: there is no option %s; see \"catgut help %s\"\n", arguments->command, word,
                arguments->command);
    }
    return false;
}

// Takes the option at words[*at], and the word after it when that is its value.
static bool read_option(const cg_arguments *arguments, int count, char **words, int *at, FILE *err)
{
    char *word = words[*at];
    size_t name_length = strcspn(word, "=");
    const char *attached = word[name_length] == '=' ? word + name_length + 1 : NULL;
    for (int i = 0; i < arguments->option_count; i++) {
        const cg_option *option = &arguments->options[i];
        if (strlen(option->name) != name_length || strncmp(option->name, word, name_length) != 0) {
            continue;
        }
        if (option->flag) {
            if (attached) {
                fprintf(err, "catgut %s: %s takes no value\n", arguments->command, option->name);
                return false;
            }
            *option->flag = true;
            return true;
        }
        if (!attached && *at + 1 < count) {
            *at += 1;
            attached = words[*at];
        }
        if (!attached || attached[0] == '\0') {
            fprintf(err, "catgut %s: %s needs a value\n", arguments->command, option->name);
            return false;
        }
        *option->value = attached;
        return true;
    }
    return unknown_option(arguments, word, err);
}

bool cg_arguments_read(cg_arguments *arguments, int count, char **words, FILE *err)
{
    bool options_end = false;
    for (int i = 0; i < count; i++) {
        if (!options_end && strcmp(words[i], "--") == 0) {
            options_end = true;
        } else if (!options_end && words[i][0] == '-' && words[i][1] != '\0') {
            if (!read_option(arguments, count, words, &i, err)) {
                return false;
            }
        } else if (arguments->word_count < arguments->max_words) {
            arguments->words[arguments->word_count++] = words[i];
        } else {
            fprintf(err, "catgut %s: \"%s\" is one word too many; see \"catgut help %s\"\n", arguments->command,
                    words[i], arguments->command);
            return false;
        }
    }
    return true;
}

bool cg_read_seed(const cg_arguments *arguments, const char *word, uint64_t without, uint64_t *seed, FILE *err)
{
    double value = 0;
    if (word != NULL &&
        (!cg_read_number(word, &value) || !(value >= 0 && value <= 9e15) || value != (double)(uint64_t)value)) {
        fprintf(err, "catgut %s: found --seed \"%s\", expected a whole number, 0 to 9e15\n", arguments->command, word);
        return false;
    }
    *seed = word != NULL ? (uint64_t)value : without;
    return true;
}
