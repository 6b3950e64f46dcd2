// Runs a command of the program inside the test and keeps what it printed.
#ifndef CATGUT_TESTS_APP_RUN_APP_H
#define CATGUT_TESTS_APP_RUN_APP_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"

typedef struct app_run {
    int code;
    char *out, *err; // free with app_run_free
} app_run;

// Words are separated by single blanks; the program's own name is put in front.
static inline app_run run_app(const char *words)
{
    app_run result = {0};
    char copy[1024] = "catgut ", *list[32];
    int count = 0;
    strncat(copy, words, sizeof copy - strlen(copy) - 1);
    for (char *word = strtok(copy, " "); word && count < 32; word = strtok(NULL, " ")) {
        list[count++] = word;
    }
    size_t out_size, err_size;
    FILE *out = open_memstream(&result.out, &out_size), *err = open_memstream(&result.err, &err_size);
    if (!out || !err) {
        abort();
    }
    result.code = cg_app_run(count, list, out, err);
    fclose(out);
    fclose(err);
    return result;
}

static inline void app_run_free(app_run *run)
{
    free(run->out);
    free(run->err);
}

static inline bool contains(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

// A folder of this test's own, made new.
static inline void make_scratch(char path[64])
{
    strcpy(path, "/tmp/catgut-test-XXXXXX");
    if (!mkdtemp(path)) {
        abort();
    }
}

// Takes a folder away with all that is in it; false when that cannot be done.
static inline bool remove_scratch(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    bool good = folder != NULL;
    while (folder && (entry = readdir(folder)) != NULL) {
        char inside[1024];
        snprintf(inside, sizeof inside, "%.700s/%.255s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && remove(inside) != 0) {
            good = remove_scratch(inside) && good;
        }
    }
    if (folder) {
        closedir(folder);
    }
    return good && rmdir(path) == 0;
}

static inline void write_text(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, size, file) != size) {
        abort();
    }
    fclose(file);
}

// The whole file as a string; NULL when there is none.
static inline char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) {
        abort();
    }
    fclose(file);
    return text;
}

#endif
