// Scenes, scripts and tasks by their names: "hanging" is hanging.json in the folder "scenes" here, or of those that
// come with the program; "square" is scripts/square.script there, "square-knot" tasks/square-knot.json.
#ifndef CATGUT_SUPPORT_SCENE_NAMES_H
#define CATGUT_SUPPORT_SCENE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "catgut/scene.h"

// What is looked for.
typedef enum cg_named_kind { CG_NAMED_SCENE, CG_NAMED_SCRIPT, CG_NAMED_TASK } cg_named_kind;

enum { CG_MOST_PATH = 4096 };

// The folder of scenes: "scenes" here, or that beside the program. False when there is none.
bool cg_scene_folder(char *path, size_t room);
// The names of the files of a folder that hold such things (scenes, tasks: all ".json"; scripts: all ".script"),
// sorted; to be freed by cg_names_free. NULL when the folder cannot be read.
char **cg_names_in(const char *folder, cg_named_kind kind, int *count);
void cg_names_free(char **names, int count);

// The file that a word of a command line means: a file of that name or, when there is none, the scene or script or
// task that goes by it. False, with a sentence that names the nearest in *error, when there is neither.
bool cg_find_named(const char *word, cg_named_kind kind, char path[CG_MOST_PATH], cg_scene_error *error);

#endif
