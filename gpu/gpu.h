// Many small worlds at once, on a graphics processor or, by the same kernels, on a processor (docs/gpu.md).
//
// A cg_gpu is a device that has been opened; a cg_batch is a number of worlds of one kind and size on it, each with its
// own law and state. All memory is taken when a batch is made.
//
//     make      n worlds, none of which has a law yet
//     set       laws, places, velocities and fixed nodes, of all worlds or of those that a mask names
//     step      so many steps of all worlds; comes back before they are done
//     touch     one step of a batch of one world, with a hand: comes back when what it holds is known
//     read      places and velocities
//     reset     worlds are again as they were set
//
// A device that is absent, full or lost gives a status with a sentence; a lost one gives it for ever after. Nothing
// waits without end.
#ifndef CATGUT_GPU_GPU_H
#define CATGUT_GPU_GPU_H

#include "gpu/side.h"

#include "catgut/status.h"
#include "gpu/view.h"

typedef enum cg_gpu_where {
    CG_GPU_PROCESSOR, // the calling thread
    CG_GPU_DEVICE     // the first graphics processor
} cg_gpu_where;

// Trouble that a build with CATGUT_GPU_FAULTS makes, to try what is said of it.
typedef enum cg_gpu_fault {
    CG_GPU_SOUND,
    CG_GPU_LOST, // the device is lost in the first step
    CG_GPU_FULL  // its memory is taken by others before a batch is made
} cg_gpu_fault;

typedef struct cg_gpu_def {
    cg_gpu_where where;
    uint64_t order; // processor: 0: lanes and worlds one after the other; else in an order drawn from this seed
    int lanes;      // processor: of a world; 0: one
    bool stays;     // device: a kernel stays between touches and waits for the next one, 50 ms at most
    cg_gpu_fault fault;
} cg_gpu_def;

typedef struct cg_gpu cg_gpu;
typedef struct cg_batch cg_batch;

cg_status cg_gpu_open(const cg_gpu_def *def, cg_gpu **gpu);
void cg_gpu_close(cg_gpu *gpu);
// What it is called.
const char *cg_gpu_name(const cg_gpu *gpu);
// Whether the build can use a graphics processor at all.
bool cg_gpu_is_built(void);

typedef struct cg_batch_def {
    cg_gpu_kind kind;
    bool is_float; // single precision
    int worlds;    // 1 to 1000000
    int columns;   // cloth: of nodes
    int rows;      // cloth: of nodes
    int points;    // springs: of a thread; rods: vertices, 6 or more
    int passes;    // rods: most of a step, 1 to 100
} cg_batch_def;

cg_status cg_batch_make(cg_gpu *gpu, const cg_batch_def *def, cg_batch **batch);
void cg_batch_destroy(cg_batch *batch);
int cg_batch_nodes(const cg_batch *batch); // of a world
// What is NULL stays; arrays begin with world 0, also those that the mask leaves out. `mask` NULL: all worlds.
typedef struct cg_batch_values {
    const cg_gpu_law *laws;
    const cg_vec3 *places, *velocities; // `nodes` a world
    const unsigned char *fixed;         // likewise
} cg_batch_values;
cg_status cg_batch_set(cg_batch *batch, const unsigned char *mask, const cg_batch_values *values);
cg_status cg_batch_step(cg_batch *batch, int steps);
cg_status cg_batch_touch(cg_batch *batch, const cg_gpu_hand *hand, cg_gpu_held *held);
// Of worlds `first` to `first + count - 1`; either array may be NULL. Waits for the steps.
cg_status cg_batch_read(cg_batch *batch, int first, int count, cg_vec3 *places, cg_vec3 *velocities);
// Of a rod: passes of all its steps so far, and of the one that had most.
cg_status cg_batch_passes(cg_batch *batch, int world, double *all, double *most);
cg_status cg_batch_wait(cg_batch *batch);
cg_status cg_batch_reset(cg_batch *batch, const unsigned char *mask);

#endif
