// Scenes on disk: reading one with the files it includes, saying what is wrong, and where scenes are kept.
#ifndef CATGUT_SUPPORT_SCENE_FILES_H
#define CATGUT_SUPPORT_SCENE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "catgut/scene.h"

// Reads a scene file and what it includes. Included files must lie in the folder of the scene or below it, also when
// symbolic links are followed. On failure *scene is NULL and *error says what is wrong and where.
bool cg_scene_load(const char *path, cg_scene **scene, cg_scene_error *error);
// Prints "file:line:column: message" and ends the line.
void cg_scene_error_print(const cg_scene_error *error, FILE *err);

// Reads a whole file of at most `most` bytes into memory to be freed, with a zero byte behind it. NULL, with a reason
// in `why`, when it cannot be read or is larger; not more than most + 1 bytes are read.
char *cg_file_read(const char *path, size_t most, size_t *size, char *why, size_t why_room);

// The folder of scenes that come with the program: "scenes" here, or beside the program. False when there is none.
bool cg_scene_folder(char *path, size_t room);
// The names of the files of a folder that end in ".json", sorted; to be freed by cg_names_free. NULL when the folder
// cannot be read.
char **cg_scene_names(const char *folder, int *count);
void cg_names_free(char **names, int count);

#endif
