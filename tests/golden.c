#include "golden.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 2000, MOST_NAME = 160 };

typedef struct golden_value {
    char name[MOST_NAME];
    uint64_t hash;
} golden_value;

static golden_value values[MOST_VALUES];
static int value_count;
static bool is_read;
static char trouble[256]; // why the list could not be read; empty when it could

static char current[MOST_NAME];
static int looks; // golden values of this case so far

static const char *list_path(void)
{
    const char *path = getenv("CATGUT_GOLDEN_LIST");
    return path != NULL ? path : CATGUT_GOLDEN_LIST_PATH;
}

// "NAME 0x0123456789abcdef", and nothing else.
static bool read_value(const char *line, golden_value *value)
{
    int at = 0, digits = 0;
    while (line[at] != '\0' && line[at] != ' ' && at < MOST_NAME - 1) {
        value->name[at] = line[at];
        at++;
    }
    value->name[at] = '\0';
    if (at == 0 || strncmp(line + at, " 0x", 3) != 0) {
        return false;
    }
    while (isxdigit((unsigned char)line[at + 3 + digits])) {
        digits++;
    }
    return digits == 16 && line[at + 19] == '\0' && sscanf(line + at + 3, "%" SCNx64, &value->hash) == 1;
}

// Lines that begin with '#' are for people, with "change " reasons.
static void read_list(void)
{
    is_read = true;
    FILE *file = fopen(list_path(), "r");
    if (file == NULL) {
        snprintf(trouble, sizeof trouble, "%.200s cannot be read", list_path());
        return;
    }
    char line[1024];
    for (int number = 1; trouble[0] == '\0' && fgets(line, sizeof line, file) != NULL; number++) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0' || line[0] == '#' || strncmp(line, "change ", 7) == 0) {
            continue;
        }
        if (value_count == MOST_VALUES) {
            snprintf(trouble, sizeof trouble, "%.200s:%d: more than %d values", list_path(), number, MOST_VALUES);
        } else if (!read_value(line, &values[value_count++])) {
            snprintf(trouble, sizeof trouble, "%.200s:%d: not a name and 16 hex digits", list_path(), number);
        }
    }
    fclose(file);
}

void golden_begin(const char *program, const char *name)
{
    snprintf(current, sizeof current, "%s.%s", program, name);
    looks = 0;
}

static const golden_value *find_value(const char *name)
{
    const golden_value *found = NULL;
    for (int i = 0; i < value_count && found == NULL; i++) {
        found = strcmp(values[i].name, name) == 0 ? &values[i] : NULL;
    }
    return found;
}

static bool take_note(const char *path, const char *name, uint64_t actual, char *words, int size)
{
    FILE *file = fopen(path, "a");
    bool good = file != NULL && fprintf(file, "%s 0x%016" PRIx64 "\n", name, actual) > 0;
    good = file != NULL && fclose(file) == 0 && good;
    if (!good) {
        snprintf(words, (size_t)size, "%s cannot be written", path);
    }
    return good;
}

bool golden_compare(uint64_t actual, char *words, int size)
{
    char name[MOST_NAME + 16];
    snprintf(name, sizeof name, "%s.%d", current, ++looks);
    const char *notes = getenv("CATGUT_GOLDEN_NOTES");
    if (notes != NULL) {
        return take_note(notes, name, actual, words, size);
    }
    if (!is_read) {
        read_list();
    }
    const golden_value *value = find_value(name);
    if (trouble[0] != '\0') {
        snprintf(words, (size_t)size, "%s", trouble);
    } else if (value == NULL) {
        snprintf(words, (size_t)size, "%s is 0x%016" PRIx64 ", which the list of golden values does not have", name,
                 actual);
    } else if (value->hash != actual) {
        snprintf(words, (size_t)size, "%s is 0x%016" PRIx64 ", golden 0x%016" PRIx64, name, actual, value->hash);
    } else {
        return true;
    }
    return false;
}

bool golden_left_over(char *words, int size)
{
    if (getenv("CATGUT_GOLDEN_NOTES") != NULL) {
        return false;
    }
    if (!is_read) {
        read_list();
    }
    size_t length = strlen(current);
    for (int i = 0; i < value_count; i++) {
        const char *name = values[i].name;
        bool is_ours = strncmp(name, current, length) == 0 && name[length] == '.';
        int number = is_ours ? atoi(name + length + 1) : 0;
        if (is_ours && (number < 1 || number > looks)) {
            snprintf(words, (size_t)size, "%s is in the list of golden values, but this case did not look at it", name);
            return true;
        }
    }
    return false;
}
