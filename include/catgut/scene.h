// A scene: a text that says what is in a world, read, checked and built.
//
// The text is JSON with comments, trailing commas and units ("0.11 mm"); docs/scene-format.md lists every field. The
// library reads no files: the caller hands over the text, and a function that finds the files it includes.
#ifndef CATGUT_SCENE_H
#define CATGUT_SCENE_H

#include <stddef.h>

#include "catgut/api.h"
#include "catgut/status.h"
#include "catgut/world.h"

CG_API_BEGIN

// A scene that was read and found good.
typedef struct cg_scene cg_scene;

// Where included files come from. Paths are relative to the folder of the scene, with '/' between parts, and never lead
// out of it; the function need not check that.
typedef struct cg_scene_files {
    // Finds a file. *text stays readable until released. Returns false when there is no such file.
    bool (*open)(void *context, const char *path, const char **text, size_t *size);
    // Gives back what open handed out. May be NULL.
    void (*release)(void *context, const char *text);
    void *context; // handed to both
} cg_scene_files;

// What is wrong with a text, and where.
typedef struct cg_scene_error {
    char file[128];    // the scene or what it includes; cut when longer
    int line;          // from 1
    int column;        // from 1, in bytes
    char message[256]; // what was found and what was expected
} cg_scene_error;

// Reads and checks a scene. `name` is what errors call it. `files` may be NULL when nothing may be included,
// `allocator` NULL for malloc. On failure *scene is NULL and *error says what and where.
cg_status cg_scene_read(const char *text, size_t size, const char *name, const cg_scene_files *files,
                        const cg_allocator *allocator, cg_scene **scene, cg_scene_error *error);
// Ends a scene. Worlds built from it live on. NULL is allowed.
void cg_scene_free(cg_scene *scene);

// Makes the world of a scene. May be called many times; each world is new.
cg_status cg_scene_build(const cg_scene *scene, const cg_allocator *allocator, cg_world **world);

// True when it has constraints: worlds of it can be made only where the program was built with SuiteSparse.
bool cg_scene_has_constraints(const cg_scene *scene);
// One line about what the scene shows; empty when the scene has none.
const char *cg_scene_title(const cg_scene *scene);
// [s] how long a run of the scene is meant to last.
double cg_scene_duration(const cg_scene *scene);
// Threads of the scene, in the order in which the world has them.
int cg_scene_thread_count(const cg_scene *scene);
// The name of a thread; NULL for a bad index.
const char *cg_scene_thread_name(const cg_scene *scene, int index);
// [m] radius of a thread; 0 for a bad index.
double cg_scene_thread_radius(const cg_scene *scene, int index);
// [m] length of a thread without load; 0 for a bad index.
double cg_scene_thread_length(const cg_scene *scene, int index);
// Vertices of a thread; 0 for a bad index.
int cg_scene_thread_vertices(const cg_scene *scene, int index);

// Rigid shapes of the scene, in the order in which the world has them.
int cg_scene_shape_count(const cg_scene *scene);
// The name of a rigid shape; NULL for a bad index.
const char *cg_scene_shape_name(const cg_scene *scene, int index);

// Rigid bodies of the scene, in the order in which the world has them.
int cg_scene_body_count(const cg_scene *scene);
// The name of a rigid body; NULL for a bad index.
const char *cg_scene_body_name(const cg_scene *scene, int index);
// [m] radius of the circle that a needle is bent along; 0 for a body that is none, and for a bad index.
double cg_scene_needle_radius(const cg_scene *scene, int index);

// Hands of the scene, in the order in which the world has them.
int cg_scene_hand_count(const cg_scene *scene);
// The name of a hand; NULL for a bad index.
const char *cg_scene_hand_name(const cg_scene *scene, int index);
// Whether the tool of a hand is a laparoscope, and by which angle [rad] its optics look aside (see cg_hand_get_scope);
// false and 0 for any other hand and a bad index.
bool cg_scene_hand_scope(const cg_scene *scene, int index, double *angle);

// Tissues of the scene, in the order in which the world has them.
int cg_scene_tissue_count(const cg_scene *scene);
// The name of a tissue; NULL for a bad index.
const char *cg_scene_tissue_name(const cg_scene *scene, int index);

// Texts the scene was made of: the scene itself first, then what it included, so that a recording can carry them all.
int cg_scene_source_count(const cg_scene *scene);
// One of these texts; false for a bad index.
bool cg_scene_source(const cg_scene *scene, int index, const char **path, const char **text, size_t *size);

// Takes the next piece of a text.
typedef void (*cg_scene_write)(void *context, const char *text, size_t size);
// Writes the JSON schema of scenes, with which editors complete and check scene files.
void cg_scene_write_schema(cg_scene_write write, void *context);
// Writes a scene as JSON that any reader takes: no comments, no commas at ends, and the value that is taken for every
// field that is not given. What it includes stays a name. Read again, from the same folder, it builds the same world.
void cg_scene_write_strict(const cg_scene *scene, cg_scene_write write, void *context);
// Writes a text of JSON with comments, as tasks are, without these; nothing is filled in.
cg_status cg_scene_write_plain(const char *text, size_t size, const char *name, cg_scene_write write, void *context,
                               cg_scene_error *error);
// Writes the tables of all fields as Markdown, as they stand in docs/scene-format.md.
void cg_scene_write_format(cg_scene_write write, void *context);

CG_API_END

#endif
