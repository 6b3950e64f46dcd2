// What is the same for all precisions: kinds of worlds, and where a batch of them lies in memory.
#ifndef CATGUT_GPU_KIND_H
#define CATGUT_GPU_KIND_H

#include <stddef.h>

typedef enum cg_gpu_kind { CG_GPU_CLOTH, CG_GPU_SPRINGS, CG_GPU_RODS } cg_gpu_kind;

// Where the tool of a hand is.
typedef struct cg_gpu_hand {
    int is_given;
    cg_gpu_number place[3], velocity[3]; // [m], [m/s]
} cg_gpu_hand;

// The node that it holds, after the step.
typedef struct cg_gpu_held {
    cg_gpu_number place[3], velocity[3]; // [m], [m/s]
    cg_gpu_number force[3];              // [N] of the hand on it
    unsigned long long step;             // how many were touched so far
} cg_gpu_held;

// A batch of equal size; of each world its law, 2 nodes vectors of state, `nodes` marks of fixed nodes, scratch.
typedef struct cg_gpu_view {
    cg_gpu_kind kind;
    int is_float;
    int worlds, nodes;
    int passes; // rods: most of a step, with one that is made again
    void *laws;
    void *state;
    unsigned char *fixed;
    void *scratch;
    size_t scratch_bytes; // of a world
} cg_gpu_view;

#endif
