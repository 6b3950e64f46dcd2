// What the Python package needs beside the public headers: memory that outlives its world while numpy looks at it,
// loops that are too slow in Python, and the files of scenes. python/declarations.py reads this file as it stands.
#ifndef CATGUT_PYTHON_NATIVE_H
#define CATGUT_PYTHON_NATIVE_H

#include "catgut/catgut.h"

// Memory

// Where the memory of a world comes from. What the world gives back while somebody looks at its arrays waits until
// nobody does.
typedef struct cg_py_memory cg_py_memory;

cg_py_memory *cg_py_memory_create(void);
// The world has ended. The rest goes when nobody looks any more.
void cg_py_memory_leave(cg_py_memory *memory);
// Somebody begins to look, or ends.
void cg_py_memory_pin(cg_py_memory *memory);
void cg_py_memory_unpin(cg_py_memory *memory);
// Makes it the allocator of a definition.
void cg_py_memory_use(cg_py_memory *memory, cg_allocator *allocator);
// Blocks that wait, and blocks in all: for tests.
int cg_py_memory_waiting(const cg_py_memory *memory);
int cg_py_memory_blocks(const cg_py_memory *memory);

// Loops

void cg_py_step(cg_session *session, int64_t steps);
// The same with an attempt that looks after every step.
void cg_py_step_attempt(cg_session *session, cg_attempt *attempt, int64_t steps);
// Steps until the script of the session is over, or `most` were made. Returns how many were. `attempt` may be NULL.
int64_t cg_py_step_script(cg_session *session, cg_attempt *attempt, int64_t most);
// Applies move_hand to hands by their places: seven numbers each, position and rotation x y z w. The first trouble.
cg_status cg_py_move_hands(cg_session *session, const int *hands, const double *poses, int count, double time);
void cg_py_contacts(const cg_world *world, cg_contact_info *contacts, int count);
void cg_py_anchors(const cg_world *world, cg_anchor *anchors, int count);
void cg_py_triangles(const cg_world *world, cg_tissue_id id, int *corners, int *sides, int count);
// What of a thread or tissue is shown.
typedef enum cg_py_shown { CG_PY_POSITIONS, CG_PY_VELOCITIES, CG_PY_ARCS, CG_PY_REST_LENGTHS, CG_PY_HOMES } cg_py_shown;
// An array of a thread or tissue by its place; the memory is pinned when there is one.
const double *cg_py_show_thread(cg_py_memory *memory, const cg_session *session, int place, cg_py_shown what,
                                int *count);
const double *cg_py_show_tissue(cg_py_memory *memory, const cg_session *session, int place, cg_py_shown what,
                                int *count);
// The knot in up to two threads of a world.
cg_status cg_py_knot(const cg_world *world, const cg_thread_id *threads, int count, cg_knot_report *report);
// A body by its place in the scene; a zero handle when it is not there.
cg_rigid_id cg_py_body(const cg_world *world, int place);

// Bytes that grow: what a recorder writes to.
typedef struct cg_py_bytes {
    unsigned char *bytes;
    size_t size, room;
} cg_py_bytes;

bool cg_py_bytes_add(void *bytes, const void *from, size_t size);
void cg_py_bytes_free(cg_py_bytes *bytes);

// Plays the operations of a recording in a session of its scene, and compares state hashes. Returns how many agreed;
// *wrong_step is the first step at which one did not, UINT64_MAX when all did.
uint64_t cg_py_replay(cg_session *session, cg_recording *recording, uint64_t *wrong_step);

// A text of JSON in memory to be freed by cg_py_free, with other values where JSON pointers lead. NULL, with *error,
// when one leads nowhere.
char *cg_py_set_json(const char *text, size_t size, const char *name, const char *const *pointers,
                     const char *const *values, int count, size_t *new_size, cg_scene_error *error);
void cg_py_free(void *memory);

// Points of the attempt of a world as it is now, the most there are, and those of what has to be reached: these grow
// while it is done well.
cg_status cg_py_points(cg_worlds *batch, const cg_task *task, int world, double *points, double *most,
                       double *progress);

// What the program has, too

bool cg_scene_load_with(const char *path, const char *members, cg_scene **scene, cg_scene_error *error);
bool cg_scene_load_text(const char *text, size_t size, const char *name, const char *folder, const char *members,
                        cg_scene **scene, cg_scene_error *error);
void cg_scene_error_say(const cg_scene_error *error, char *text, size_t room);
cg_codec cg_zstd_reader(void);
cg_codec cg_zstd_create(void);
void cg_zstd_free(cg_codec *codec);

#endif
