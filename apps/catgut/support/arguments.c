#define _POSIX_C_SOURCE 200809L

#include "support/arguments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Longer words are compared by their beginning only; no command or option comes near this.
enum { LONGEST_COMPARED = 40 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

int cg_edit_distance(const char *a, const char *b)
{
    int length_a = (int)strnlen(a, LONGEST_COMPARED);
    int length_b = (int)strnlen(b, LONGEST_COMPARED);
    int cost[LONGEST_COMPARED + 1][LONGEST_COMPARED + 1];
    for (int i = 0; i <= length_a; i++) {
        cost[i][0] = i;
    }
    for (int j = 0; j <= length_b; j++) {
        cost[0][j] = j;
    }
    for (int i = 1; i <= length_a; i++) {
        for (int j = 1; j <= length_b; j++) {
            int replaced = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            cost[i][j] = least(replaced, least(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[length_a][length_b];
}

const char *cg_nearest_word(const char *word, const char *const *candidates, int count)
{
    const char *nearest = NULL;
    int smallest = 0;
    size_t length = strlen(word);
    for (int i = 0; i < count; i++) {
        // A beginning of a long name is meant more often than another name of the same length.
        bool beginning = length >= 3 && strncmp(word, candidates[i], length) == 0;
        int distance = beginning ? 1 : cg_edit_distance(word, candidates[i]);
        if (!nearest || distance < smallest) {
            nearest = candidates[i];
            smallest = distance;
        }
    }
    int allowed = length < 4 ? 1 : length < 8 ? 2 : (int)(least((int)length, LONGEST_COMPARED) / 3);
    return nearest && smallest <= allowed ? nearest : NULL;
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
