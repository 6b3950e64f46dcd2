// Tasks on disk, and the scripts that do them.
#ifndef CATGUT_TRAINING_TASK_FILES_H
#define CATGUT_TRAINING_TASK_FILES_H

#include <stdbool.h>

#include "catgut/task.h"
#include "support/scene_names.h"

// Reads a task file. On failure *task is NULL and *error says what is wrong and where.
bool cg_task_load(const char *path, cg_task **task, cg_scene_error *error);
// What a task of this file is called: the last part of the path, without its ending.
void cg_task_name(const char *path, char *name, size_t room);
// The file of a script that a task names: one beside the task, or one of "catgut list scripts".
bool cg_task_script(const char *task_path, const char *script, char path[CG_MOST_PATH], cg_scene_error *error);
// Reads the scene of a task, with all that varies where the seed puts it.
bool cg_task_load_scene(const cg_task *task, uint64_t seed, cg_scene **scene, cg_scene_error *error);
// True when a file looks like a task: it speaks of a rubric, which no scene does.
bool cg_task_is_file(const char *path);
// Checks a task with everything that it names: its scene, and its scripts in that scene.
bool cg_task_check(const char *path, cg_scene_error *error);

#endif
