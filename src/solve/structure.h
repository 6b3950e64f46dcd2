// What a world sees of a structure (catgut/structure.h): a table of functions. They are those of src/constraint, which
// may be left out of a build, so nobody but the program names them.
#ifndef CATGUT_SOLVE_STRUCTURE_H
#define CATGUT_SOLVE_STRUCTURE_H

#include "base/archive.h"
#include "catgut/structure.h"
#include "rigid/rigid.h"
#include "thread/thread.h"
#include "tissue/tissue.h"

// Finds what a definition names. What is found stays where it is as long as the structure; NULL: there is none.
typedef struct cg_structure_finder {
    const cg_world *world;
    cg_thread *(*thread)(const cg_world *world, cg_thread_id id);
    cg_rigid *(*body)(const cg_world *world, cg_rigid_id id);
    cg_tissue *(*tissue)(const cg_world *world, cg_tissue_id id);
    // Where a hand is now; false: it is gone.
    bool (*hand)(const cg_world *world, cg_hand_id id, cg_transform *pose);
} cg_structure_finder;

typedef struct cg_structure_functions {
    cg_status (*make)(const cg_structure_def *def, const cg_structure_finder *finder, const cg_step_context *context,
                      const cg_allocator *allocator, void **structure);
    void (*destroy)(void *structure);
    // Between steps: takes the memory that the next step needs, where something has changed. Cheap where nothing has.
    cg_status (*make_ready)(void *structure);
    // Moves all that belongs to it by a step; bodies get the place as a target. Takes no memory.
    void (*step)(void *structure, const cg_step_context *context);
    void (*visit_state)(cg_archive *archive, void *structure);
    // Once a state was loaded: all that follows from it, bodies and threads too.
    cg_status (*after_load)(void *structure);
    cg_structure_info (*info)(const void *structure);
    bool (*force)(const void *structure, int constraint, cg_vec3 *force);
    bool (*stitch)(const void *structure, int stitching, double *arc);
} cg_structure_functions;

// world/structures.c: from now on worlds can have structures. Before the first world is made.
void cg_use_structures(const cg_structure_functions *functions);

#endif
