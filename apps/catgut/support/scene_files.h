// Scenes on disk: reading one with the files it includes, and saying what is wrong. Where they are kept is in
// support/scene_names.h.
#ifndef CATGUT_SUPPORT_SCENE_FILES_H
#define CATGUT_SUPPORT_SCENE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "catgut/scene.h"

// Reads a scene file and what it includes. Included files must lie in the folder of the scene or below it, also when
// symbolic links are followed. On failure *scene is NULL and *error says what is wrong and where.
bool cg_scene_load(const char *path, cg_scene **scene, cg_scene_error *error);
// The same, with members (each with a comma behind it) put behind the first brace of its text: the scene keeps that
// text, so a recording carries them. Columns of errors in that line count them.
bool cg_scene_load_with(const char *path, const char *members, cg_scene **scene, cg_scene_error *error);
// The same for a text in memory, which errors call `name`; what it includes lies in `folder` or below it.
bool cg_scene_load_text(const char *text, size_t size, const char *name, const char *folder, const char *members,
                        cg_scene **scene, cg_scene_error *error);
// An error of the file as a whole, with no place in it. Of a long path the end is kept.
void cg_scene_error_set(cg_scene_error *error, const char *path, const char *why);
// Writes "file:line:column: message", or "file: message" when the error has no place in the file (line 0).
void cg_scene_error_say(const cg_scene_error *error, char *text, size_t room);
// Prints that and ends the line.
void cg_scene_error_print(const cg_scene_error *error, FILE *err);

// Reads a whole file of at most `most` bytes into memory to be freed, with a zero byte behind it. NULL, with a reason
// in `why`, when it cannot be read or is larger; not more than most + 1 bytes are read.
char *cg_file_read(const char *path, size_t most, size_t *size, char *why, size_t why_room);

#endif
