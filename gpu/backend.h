// What a batch asks of whatever works for it.
#ifndef CATGUT_GPU_BACKEND_H
#define CATGUT_GPU_BACKEND_H

#include "gpu/gpu.h"

typedef struct cg_gpu_backend {
    cg_status (*open)(const cg_gpu_def *def, void **state, char *name, size_t size);
    void (*close)(void *state);
    cg_status (*take)(void *state, size_t bytes, void **memory);
    void (*give)(void *state, void *memory);
    // To it, from it, and within it; the first two wait for steps under way.
    cg_status (*write)(void *state, void *to, const void *from, size_t bytes);
    cg_status (*read)(void *state, void *to, const void *from, size_t bytes);
    cg_status (*copy)(void *state, void *to, const void *from, size_t bytes);
    cg_status (*step)(void *state, const cg_gpu_view *view, int steps);
    cg_status (*touch)(void *state, const cg_gpu_view *view, const cg_gpu_hand *hand, cg_gpu_held *held);
    cg_status (*wait)(void *state);
} cg_gpu_backend;

extern const cg_gpu_backend cg_gpu_processor;
// NULL in a build without CUDA.
const cg_gpu_backend *cg_gpu_device(void);

// Steps of the kernels on a processor, in both precisions.
typedef struct cg_gpu_order {
    uint64_t seed; // 0: one after the other
    int lanes;     // of a world
} cg_gpu_order;
cg_status cg_gpu_run_double(const cg_gpu_view *view, int steps, const cg_gpu_order *order, const cg_gpu_hand *hand,
                            cg_gpu_held *held);
cg_status cg_gpu_run_float(const cg_gpu_view *view, int steps, const cg_gpu_order *order, const cg_gpu_hand *hand,
                           cg_gpu_held *held);

// Laws and vectors into the precision of the kernels and back.
typedef struct cg_gpu_sizes {
    size_t law, vector, number;
} cg_gpu_sizes;
#define CG_GPU_PRECISION(suffix)                                                                                       \
    cg_gpu_sizes cg_gpu_sizes_##suffix(void);                                                                          \
    void cg_gpu_put_law_##suffix(cg_gpu_kind kind, const void *numbers, void *law);                                    \
    void cg_gpu_put_vectors_##suffix(const cg_gpu_number *from, size_t count, void *to);                               \
    void cg_gpu_get_vectors_##suffix(const void *from, size_t count, cg_gpu_number *to);
CG_GPU_PRECISION(double)
CG_GPU_PRECISION(float)

#endif
