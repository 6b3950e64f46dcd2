// Files in memory for scenes, with a count of what is open.
#ifndef CATGUT_TESTS_MEMORY_FILES_H
#define CATGUT_TESTS_MEMORY_FILES_H

#include <string.h>

#include "catgut/scene.h"

typedef struct memory_files {
    const char *const (*files)[2]; // pairs of path and text, ended by NULL
    int opened, open_now;
} memory_files;

static inline bool memory_open(void *context, const char *path, const char **text, size_t *size)
{
    memory_files *memory = context;
    for (int i = 0; memory->files[i][0] != NULL; i++) {
        if (strcmp(memory->files[i][0], path) == 0) {
            *text = memory->files[i][1];
            *size = strlen(*text);
            memory->opened++;
            memory->open_now++;
            return true;
        }
    }
    return false;
}

static inline void memory_release(void *context, const char *text)
{
    (void)text;
    ((memory_files *)context)->open_now--;
}

static inline cg_scene_files memory_scene_files(memory_files *memory)
{
    return (cg_scene_files){memory_open, memory_release, memory};
}

#endif
