// Folders that results are written to.
#ifndef CATGUT_SUPPORT_FOLDER_H
#define CATGUT_SUPPORT_FOLDER_H

#include <stdbool.h>

// Makes a folder, and those above it that are missing. True when it is there afterwards; errno says why not.
bool cg_make_folder(const char *path);
// True when it is a folder, or nothing yet.
bool cg_may_be_folder(const char *path);

#endif
