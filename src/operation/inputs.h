// Timed inputs: operations with times, as input files and scenes write them, turned into operations step by step.
//
//     {"at": "0.5 s", "hold": {...}}                          once, before the step that starts nearest to 0.5 s
//     {"from": "0 s", "to": "1 s", "hold": {...}}             a ramp: one hold or set_end a step, from what is there at
//                                                             the start to what is given
//     {"during": ["0 s", "1 s"], "push_vertex": {...}}        a push, again in every step
#ifndef CATGUT_OPERATION_INPUTS_H
#define CATGUT_OPERATION_INPUTS_H

#include "catgut/operation.h"
#include "scene/json.h"

// When an input acts.
typedef enum cg_input_timing { CG_INPUT_AT, CG_INPUT_RAMP, CG_INPUT_DURING } cg_input_timing;

// One input.
typedef struct cg_input {
    cg_input_timing timing;
    double from, to;        // [s]; the same for CG_INPUT_AT
    uint64_t given;         // bit i: field i of the operation was given; the others keep what they are
    cg_operation operation; // what was given
    double arc;             // [m] where the vertex or segment that it names is on a thread whose spacing follows; or -1
    cg_operation start;     // of a ramp under way: what it began with
    bool under_way;
} cg_input;

// Inputs in order of their start; those that start together in the order in which they were written.
typedef struct cg_inputs {
    cg_allocator allocator;
    cg_input *items;
    int *active; // inputs that have begun and are not over, in order
    int count, active_count;
    int next; // first that has not begun
} cg_inputs;

// Reads a list of inputs for a world that was built from the scene. On failure *error has message and place; its file
// stays as it was. *inputs is NULL when there is nothing to do.
cg_status cg_inputs_read(const cg_json_value *list, const cg_scene *scene, const cg_world *world,
                         const cg_allocator *allocator, cg_inputs **inputs, cg_scene_error *error);
// A copy with all that is under way; NULL when there is no memory.
cg_inputs *cg_inputs_copy(const cg_inputs *inputs);
// Gives them back. NULL is allowed.
void cg_inputs_free(cg_inputs *inputs);

// Notes where on a thread whose spacing follows the vertex or segment of an input is, for a world that was just built.
void cg_input_note_arc(cg_input *input, const cg_world *world);

// Hands out, in order, the operations that come before the world's next step. Allocates nothing. NULL is allowed.
void cg_inputs_advance(cg_inputs *inputs, const cg_world *world,
                       void (*take)(void *context, const cg_operation *operation), void *context);

#endif
