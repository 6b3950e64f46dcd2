// Reads the words of a command line: options by a table, the rest as plain words.
#ifndef CATGUT_SUPPORT_ARGUMENTS_H
#define CATGUT_SUPPORT_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// One option. It is a switch when `flag` is set and takes a value ("--name value" or "--name=value") when `value` is.
typedef struct cg_option {
    const char *name; // with its dashes
    bool *flag;
    const char **value;
} cg_option;

// What a command line consists of.
typedef struct cg_arguments {
    const char *command; // named in messages
    const cg_option *options;
    int option_count;
    int max_words;
    const char **words; // room for max_words
    int word_count;
} cg_arguments;

// Sorts `count` words into options and plain words. On a mistake a sentence goes to `err` and the result is false.
// The word "--" makes all that follow plain words.
bool cg_arguments_read(cg_arguments *arguments, int count, char **words, FILE *err);

// Reads a whole word as a finite number.
bool cg_read_number(const char *word, double *value);

// Reads the value of --seed; where there is none (NULL) the one `without` is taken.
bool cg_read_seed(const cg_arguments *arguments, const char *word, uint64_t without, uint64_t *seed, FILE *err);

#endif
