// Friction problems in files: format in tests/solve/problems/README.md.
#ifndef CATGUT_BENCH_FRICTION_FILE_H
#define CATGUT_BENCH_FRICTION_FILE_H

#include <stdbool.h>
#include <stdio.h>

enum { CG_FRICTION_FILE_MOST_CONTACTS = 400 };

// A problem as src/solve wants it: SI units, contact frames.
typedef struct cg_friction_file {
    char name[64]; // of the file, without folder and ending
    int count;     // contacts
    double *coupling, *motion, *friction, *start;
    double *memory; // all of them
} cg_friction_file;

// Reads one file. On a mistake a sentence goes to `err` and the result is false.
bool cg_friction_file_read(const char *path, cg_friction_file *problem, FILE *err);

// Reads all files of a folder that end in ".bin", in the order of their names. Returns how many, or -1 after a sentence
// to `err`. `problems` has room for `most`.
int cg_friction_folder_read(const char *folder, cg_friction_file *problems, int most, FILE *err);

void cg_friction_file_free(cg_friction_file *problem);

#endif
