// Folders that results are written to, and pictures in them.
#ifndef CATGUT_SUPPORT_FOLDER_H
#define CATGUT_SUPPORT_FOLDER_H

#include <stdbool.h>
#include <stdio.h>

// Makes a folder, and those above it that are missing. True when it is there afterwards; errno says why not.
bool cg_make_folder(const char *path);
// True when it is a folder, or nothing yet.
bool cg_may_be_folder(const char *path);
// Writes folder/name as a picture: `draw` gets the file and `context`. On failure a sentence goes to `err`. `path` gets
// the name in any case.
bool cg_write_picture(const char *folder, const char *name, bool force, void (*draw)(const void *context, FILE *out),
                      const void *context, char path[4096], FILE *err);

#endif
