// Folders and files that results are written to.
#ifndef CATGUT_SUPPORT_FOLDER_H
#define CATGUT_SUPPORT_FOLDER_H

#include <stdbool.h>
#include <stdio.h>

// Makes a folder, and those above it that are missing. True when it is there afterwards; errno says why not.
bool cg_make_folder(const char *path);
// Opens folder/name for writing; `path` gets its name. NULL on failure; errno says why.
FILE *cg_open_in_folder(const char *folder, const char *name, char *path, size_t path_size);
// Closes a file; true when all that was written arrived.
bool cg_close_written(FILE *file);

#endif
