#define _POSIX_C_SOURCE 200809L

#include "bench/friction_file.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// What stands in a file, in its order.
typedef struct raw_problem {
    int32_t count;
    double friction;
    double *values; // all that follows; the parts below point into it
    const double *coupling, *motion, *gap, *frames, *force;
} raw_problem;

static bool complain(FILE *err, const char *path, const char *found, const char *expected)
{
    fprintf(err, "%s: %s; expected %s\n", path, found, expected);
    return false;
}

// Reads the file into one block, after its head said how long it must be.
static bool read_values(FILE *file, const char *path, raw_problem *raw, FILE *err)
{
    if (fread(&raw->count, sizeof raw->count, 1, file) != 1 || fread(&raw->friction, sizeof(double), 1, file) != 1) {
        return complain(err, path, "the file ends in its first 12 bytes", "a number of contacts and a friction");
    }
    if (raw->count < 1 || raw->count > CG_FRICTION_FILE_MOST_CONTACTS) {
        char found[64], expected[64];
        snprintf(found, sizeof found, "%ld contacts", (long)raw->count);
        snprintf(expected, sizeof expected, "1 to %d", CG_FRICTION_FILE_MOST_CONTACTS);
        return complain(err, path, found, expected);
    }
    size_t size = 3 * (size_t)raw->count, count = size * size + size + (size_t)raw->count + 3 * size + size;
    raw->values = malloc(count * sizeof(double));
    if (!raw->values) {
        return complain(err, path, "no memory left", "room for the problem");
    }
    if (fread(raw->values, sizeof(double), count, file) != count || fgetc(file) != EOF) {
        return complain(err, path, "a length that does not fit the number of contacts",
                        "the length that follows from it");
    }
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(raw->values[i])) {
            return complain(err, path, "a number that is not finite", "finite numbers");
        }
    }
    if (!(raw->friction >= 0 && isfinite(raw->friction))) {
        return complain(err, path, "a friction below zero or not finite", "zero or more");
    }
    raw->coupling = raw->values;
    raw->motion = raw->coupling + size * size;
    raw->gap = raw->motion + size;
    raw->frames = raw->gap + raw->count;
    raw->force = raw->frames + 3 * size;
    return true;
}

// Row a of the whole coupling, turned into frames on both sides. Axis a belongs to contact a / 3.
static void turn_row(const raw_problem *raw, size_t a, double *out)
{
    size_t size = 3 * (size_t)raw->count;
    const double *axis = raw->frames + 3 * a, *rows = raw->coupling + 3 * (a / 3) * size;
    for (size_t b = 0; b < size; b++) {
        const double *other = raw->frames + 3 * b;
        double sum = 0;
        for (size_t k = 0; k < 3; k++) {
            const double *block = rows + k * size + 3 * (b / 3);
            sum += axis[k] * (block[0] * other[0] + block[1] * other[1] + block[2] * other[2]);
        }
        out[b] = sum;
    }
}

// Millimetres to metres and millinewtons to newtons; mm/mN is m/N already.
static bool convert(const raw_problem *raw, cg_friction_file *problem)
{
    size_t count = (size_t)raw->count, size = 3 * count;
    problem->count = raw->count;
    problem->memory = malloc((size * size + 2 * size + count) * sizeof(double));
    if (!problem->memory) {
        return false;
    }
    problem->coupling = problem->memory;
    problem->motion = problem->coupling + size * size;
    problem->start = problem->motion + size;
    problem->friction = problem->start + size;
    for (size_t a = 0; a < size; a++) {
        const double *axis = raw->frames + 3 * a, *c = raw->motion + 3 * (a / 3), *f = raw->force + 3 * (a / 3);
        turn_row(raw, a, problem->coupling + a * size);
        double gap = a % 3 == 0 ? raw->gap[a / 3] : 0;
        problem->motion[a] = 1e-3 * (axis[0] * c[0] + axis[1] * c[1] + axis[2] * c[2] + gap);
        problem->start[a] = 1e-3 * (axis[0] * f[0] + axis[1] * f[1] + axis[2] * f[2]);
        problem->friction[a / 3] = raw->friction;
    }
    for (size_t a = 0; a < size; a++) {
        for (size_t b = 0; b < a; b++) {
            double mean = 0.5 * (problem->coupling[a * size + b] + problem->coupling[b * size + a]);
            problem->coupling[a * size + b] = problem->coupling[b * size + a] = mean;
        }
    }
    return true;
}

bool cg_friction_file_read(const char *path, cg_friction_file *problem, FILE *err)
{
    *problem = (cg_friction_file){0};
    const char *slash = strrchr(path, '/');
    snprintf(problem->name, sizeof problem->name, "%.60s", slash ? slash + 1 : path);
    char *dot = strrchr(problem->name, '.');
    if (dot) {
        *dot = '\0';
    }
    FILE *file = fopen(path, "rb");
    if (!file) {
        return complain(err, path, strerror(errno), "a friction problem");
    }
    raw_problem raw = {0};
    bool done = read_values(file, path, &raw, err);
    if (done && !convert(&raw, problem)) {
        done = complain(err, path, "no memory left", "room for the problem");
    }
    fclose(file);
    free(raw.values);
    return done;
}

void cg_friction_file_free(cg_friction_file *problem)
{
    free(problem->memory);
    problem->memory = NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Names of the problem files in a folder, sorted. Returns how many, at most `most`; -1 when the folder cannot be read.
static int list_folder(const char *folder, char **names, int most)
{
    DIR *directory = opendir(folder);
    if (!directory) {
        return -1;
    }
    int count = 0;
    for (struct dirent *entry = readdir(directory); entry && count < most; entry = readdir(directory)) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".bin") == 0) {
            names[count] = strdup(entry->d_name);
            count += names[count] != NULL;
        }
    }
    closedir(directory);
    qsort(names, (size_t)count, sizeof *names, compare_names);
    return count;
}

int cg_friction_folder_read(const char *folder, cg_friction_file *problems, int most, FILE *err)
{
    char **names = calloc((size_t)most, sizeof *names);
    int count = names ? list_folder(folder, names, most) : -1, read = 0;
    if (count < 0) {
        complain(err, folder, strerror(errno), "a folder of friction problems");
    } else if (count == 0) {
        complain(err, folder, "no file ends in \".bin\"", "friction problems");
    }
    for (int i = 0; i < count; i++) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        bool fits = length > 0 && (size_t)length < sizeof path;
        if (read == i && fits && cg_friction_file_read(path, &problems[i], err)) {
            read++;
        }
        free(names[i]);
    }
    free(names);
    if (count <= 0 || read < count) {
        for (int i = 0; i < read; i++) {
            cg_friction_file_free(&problems[i]);
        }
        return -1;
    }
    return read;
}
