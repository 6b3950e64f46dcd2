// One launch, as the two precisions of the kernels take it. gpu/side.h and CUDA's headers come first.
#ifndef CATGUT_GPU_DEVICE_RUN_H
#define CATGUT_GPU_DEVICE_RUN_H

#include "gpu/kind.h"

// A number beside that of the step it belongs to: 16 bytes that are read and written at once.
typedef struct cg_gpu_letter {
    cg_gpu_number value;
    unsigned long long step;
} cg_gpu_letter;

// Memory of both sides. What a device tells of the node that a hand holds: place, velocity and force; what a kernel
// that stays is told of the hand: place and velocity. A step of CG_GPU_STOP tells it to go.
enum { CG_GPU_LETTERS = 9, CG_GPU_ORDERS = 6 };
#define CG_GPU_STOP 0xffffffffffffffffull
typedef struct cg_gpu_mailbox {
    cg_gpu_letter letters[CG_GPU_LETTERS];
    cg_gpu_letter orders[CG_GPU_ORDERS];
    unsigned long long gone; // a kernel that stayed has left: the first step that it did not make
} cg_gpu_mailbox;

// What the blocks of a kernel that stays hand on to each other, in memory of the device.
typedef struct cg_gpu_relay {
    cg_gpu_number orders[CG_GPU_ORDERS];
    int goes_on;
} cg_gpu_relay;

typedef struct cg_gpu_run {
    const cg_gpu_view *view;
    int steps;
    int blocks; // of the cluster that works on one world; 0: a block for each world
    int threads;
    cudaStream_t stream;
    const cg_gpu_hand *hand;   // NULL: as the laws say
    cg_gpu_mailbox *box;       // as the device sees it; NULL: nobody waits
    unsigned long long number; // to be told when done
    cg_gpu_relay *relay;       // of a kernel that stays
} cg_gpu_run;

cudaError_t cg_gpu_launch_double(const cg_gpu_run *run);
cudaError_t cg_gpu_launch_float(const cg_gpu_run *run);
// A kernel that stays and makes a step of one world for each order that comes, from `number` on.
cudaError_t cg_gpu_stay_double(const cg_gpu_run *run);
cudaError_t cg_gpu_stay_float(const cg_gpu_run *run);

#endif
