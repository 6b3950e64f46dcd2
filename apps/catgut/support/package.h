// A data package beside a file that was written, NAME.EXT.package.json, as Frictionless describes it: which files
// belong together, their hashes, their columns with units, and where they came from. No path of the machine is in it.
#ifndef CATGUT_SUPPORT_PACKAGE_H
#define CATGUT_SUPPORT_PACKAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// A column of a table, or an array of a file.
typedef struct cg_column {
    const char *name;
    const char *type; // "number", "integer", "boolean" or "string"
    const char *unit; // of SI, as "m", "N", "N m"; NULL: it has no dimension
    const char *what; // a sentence
} cg_column;

typedef struct cg_package cg_package;

// Begins a package: what the words of a command line make. NULL when memory ran out: all functions take that, and
// cg_package_write tells it.
cg_package *cg_package_begin(const char *command, int count, char *const *words);
void cg_package_free(cg_package *package);

// What the files were made from: a file by its role ("scene", "script", "recording", "task", "inputs"), its name and
// hash. A NULL path adds nothing.
void cg_package_source(cg_package *package, const char *role, const char *path);
// The same of what is no file of its own: the scene inside a recording.
void cg_package_source_text(cg_package *package, const char *role, const char *name, const char *hash);
// A word or number to know: the seed, the final state hash.
void cg_package_fact(cg_package *package, const char *name, const char *value);
// A file that was written. Columns must stay until the package is written; without them it is no table.
void cg_package_file(cg_package *package, const char *path, const char *what, const cg_column *columns, int count);

// True when the package of this file may be written: there is none, it is ours, or `force`. Otherwise a sentence goes
// to `err`. Pipes and devices have no package.
bool cg_package_may_write(const char *beside, bool force, FILE *err);
// Writes the package beside a file; false, with a sentence to `err`, when it cannot be.
bool cg_package_write(const cg_package *package, const char *beside, bool force, FILE *err);

#endif
