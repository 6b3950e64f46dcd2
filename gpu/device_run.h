// One launch, as the two precisions of the kernels take it. gpu/side.h and CUDA's headers come first.
#ifndef CATGUT_GPU_DEVICE_RUN_H
#define CATGUT_GPU_DEVICE_RUN_H

#include "gpu/kind.h"

// What a device tells of the node that a hand holds: place, velocity and force, each number beside that of the step.
enum { CG_GPU_LETTERS = 9 };
typedef struct cg_gpu_mailbox {
    struct {
        cg_gpu_number value;
        unsigned long long step;
    } letters[CG_GPU_LETTERS];
} cg_gpu_mailbox;

typedef struct cg_gpu_run {
    const cg_gpu_view *view;
    int steps;
    int blocks; // of the cluster that works on one world; 0: a block for each world
    int threads;
    cudaStream_t stream;
    const cg_gpu_hand *hand;   // NULL: as the laws say
    cg_gpu_mailbox *box;       // as the device sees it; NULL: nobody waits
    unsigned long long number; // to be told when done
} cg_gpu_run;

cudaError_t cg_gpu_launch_double(const cg_gpu_run *run);
cudaError_t cg_gpu_launch_float(const cg_gpu_run *run);

#endif
