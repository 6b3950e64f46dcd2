// What steps cost on a graphics processor and on a core, and whether both come to the same: for `catgut bench gpu`, the
// experiments gpu_thread and gpu_cloth, and catgut-gpu, a program that needs nothing else (scripts/gpu-run).
#ifndef CATGUT_LAB_GPU_MEASURE_H
#define CATGUT_LAB_GPU_MEASURE_H

#include "gpu/setup.h"

// [s] Of single steps.
typedef struct cg_gpu_times {
    double least, median, p99, worst;
} cg_gpu_times;

// [s] of a clock that only goes on.
double cg_gpu_now(void);

// One world with a hand that goes in a circle, a step after the other; `beat` [s] is how long after one step the next
// one begins, 0: at once.
cg_status cg_gpu_measure_touch(cg_gpu *gpu, const cg_gpu_setup *setup, cg_gpu_kind kind, bool is_float, int steps,
                               double beat, cg_gpu_times *times);
// [s] of a step of all worlds: the median of `runs` runs of `steps` steps.
cg_status cg_gpu_measure_batch(cg_gpu *gpu, const cg_gpu_setup *setup, cg_gpu_kind kind, int worlds, bool is_float,
                               int steps, int runs, double *seconds);

// Passes of a step of such a rod in the mean and at most, of `steps` steps.
cg_status cg_gpu_measure_passes(cg_gpu *gpu, const cg_gpu_setup *setup, int steps, double *mean, double *most);

// How far two of them are apart after so many steps, in the precision that is asked for.
typedef struct cg_gpu_apart {
    double metres;  // the node that is farthest from where the other one has it
    double moved;   // [m] how far the farthest node went at all
    bool same_bits; // a second run of `gpu` gave the bits of the first
} cg_gpu_apart;
cg_status cg_gpu_compare(cg_gpu *gpu, cg_gpu *other, const cg_gpu_setup *setup, cg_gpu_kind kind, bool is_float,
                         int steps, cg_gpu_apart *apart);

// The published way: W as a dense matrix, times a force of every node. [s] of one product on this core; 0: no memory.
double cg_gpu_measure_dense(int nodes);

#endif
