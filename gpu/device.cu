// Batches on a graphics processor: memory, launches, and what is said when the device is absent, full or lost.
#include <cuda_runtime.h>

#include <stdarg.h>

#include "gpu/side.h"

#include "gpu/device_run.h"

extern "C" {
#include "gpu/backend.h"
// base/status.h says how to print, which C++ knows by another word.
cg_status cg_ok(void);
cg_status cg_error(cg_code code, const char *format, ...);
}

namespace
{

// Threads of a block, and blocks of a cluster: the most that a cluster can have on devices that know clusters.
const int CLUSTER_BLOCKS = 16, CLOTH_THREADS = 512, SPRING_THREADS = 128;

struct device {
    cudaStream_t stream;
    cg_gpu_mailbox *box;           // in memory of both sides
    cg_gpu_mailbox *box_on_device; // the same as the device sees it
    cg_gpu_relay *relay;
    unsigned long long touched;
    bool stays;      // a kernel waits for the next touch
    bool is_staying; // there is one
    int most_blocks; // of a cluster; 1: it knows none
    cg_gpu_fault fault;
    cudaError_t lost; // what it was lost by
};

cg_status lost(device *own, cudaError_t error)
{
    own->lost = error;
    return cg_error(CG_BAD_INPUT, "the graphics processor is lost: %s. Nothing of its batches can be had; start again",
                    cudaGetErrorString(error));
}

// A kernel that stays is told to go before anything else is done.
void dismiss(device *own)
{
    for (int k = 0; own->is_staying && k < CG_GPU_ORDERS; k++) {
        *(volatile unsigned long long *)&own->box->orders[k].step = CG_GPU_STOP;
    }
    if (own->is_staying) {
        cudaError_t error = cudaStreamSynchronize(own->stream);
        own->lost = own->lost == cudaSuccess ? error : own->lost;
    }
    own->is_staying = false;
}

cg_status tell(device *own, cudaError_t error)
{
    return error == cudaSuccess ? cg_ok() : lost(own, error);
}

#ifdef CATGUT_GPU_FAULTS
__global__ void fail()
{
    asm volatile("trap;");
}

// Plain allocations until none is given.
void fill(void)
{
    void *memory;
    for (size_t bytes = (size_t)1 << 36; bytes >= (size_t)1 << 20; bytes /= 2) {
        while (cudaMalloc(&memory, bytes) == cudaSuccess) {
        }
    }
    (void)cudaGetLastError();
}
#endif

cg_status device_open(const cg_gpu_def *def, void **state, char *name, size_t size)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count < 1) {
        return cg_error(CG_BAD_INPUT, "no graphics processor can be used: %s",
                        error != cudaSuccess ? cudaGetErrorString(error) : "there is none");
    }
    cudaDeviceProp about;
    device *made = (device *)calloc(1, sizeof *made);
    if (made == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a device");
    }
    error = cudaSetDevice(0);
    error = error == cudaSuccess ? cudaGetDeviceProperties(&about, 0) : error;
    error = error == cudaSuccess ? cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking) : error;
    error = error == cudaSuccess ? cudaHostAlloc((void **)&made->box, sizeof *made->box, cudaHostAllocMapped) : error;
    error = error == cudaSuccess ? cudaMalloc((void **)&made->relay, sizeof *made->relay) : error;
    error = error == cudaSuccess ? cudaHostGetDevicePointer((void **)&made->box_on_device, made->box, 0) : error;
    if (error != cudaSuccess) {
        free(made);
        return cg_error(CG_BAD_INPUT, "the graphics processor cannot be used: %s", cudaGetErrorString(error));
    }
    memset((void *)made->box, 0, sizeof *made->box);
    made->fault = def->fault;
    made->stays = def->stays;
    made->most_blocks = about.major >= 9 ? CLUSTER_BLOCKS : 1;
#ifndef CATGUT_GPU_FAULTS
    if (def->fault != CG_GPU_SOUND) {
        free(made);
        return cg_error(CG_BAD_INPUT, "faults are for builds with -DCATGUT_GPU_FAULTS=ON");
    }
#endif
    snprintf(name, size, "%s, compute %d.%d, %d multiprocessors", about.name, about.major, about.minor,
             about.multiProcessorCount);
    *state = made;
    return cg_ok();
}

void device_close(void *state)
{
    device *own = (device *)state;
    dismiss(own);
    (void)cudaFree(own->relay);
    (void)cudaStreamDestroy(own->stream);
    (void)cudaFreeHost((void *)own->box);
    free(own);
}

cg_status device_take(void *state, size_t bytes, void **memory)
{
    device *own = (device *)state;
    dismiss(own);
    if (own->lost != cudaSuccess) {
        return lost(own, own->lost);
    }
#ifdef CATGUT_GPU_FAULTS
    if (own->fault == CG_GPU_FULL) {
        fill();
    }
#endif
    cudaError_t error = cudaMalloc(memory, bytes);
    if (error == cudaErrorMemoryAllocation) {
        size_t left = 0, all = 0;
        (void)cudaGetLastError();
        (void)cudaMemGetInfo(&left, &all);
        return cg_error(CG_OUT_OF_MEMORY,
                        "the graphics processor is full: a batch takes %zu MB, and %zu of its %zu MB are free",
                        bytes >> 20, left >> 20, all >> 20);
    }
    error = error == cudaSuccess ? cudaMemsetAsync(*memory, 0, bytes, own->stream) : error;
    error = error == cudaSuccess ? cudaStreamSynchronize(own->stream) : error;
    return tell(own, error);
}

void device_give(void *state, void *memory)
{
    dismiss((device *)state);
    (void)cudaFree(memory);
}

cg_status move(void *state, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    device *own = (device *)state;
    dismiss(own);
    cudaError_t error = own->lost;
    error = error == cudaSuccess ? cudaMemcpyAsync(to, from, bytes, kind, own->stream) : error;
    error = error == cudaSuccess && kind != cudaMemcpyDeviceToDevice ? cudaStreamSynchronize(own->stream) : error;
    return tell(own, error);
}

cg_status device_write(void *state, void *to, const void *from, size_t bytes)
{
    return move(state, to, from, bytes, cudaMemcpyHostToDevice);
}

cg_status device_read(void *state, void *to, const void *from, size_t bytes)
{
    return move(state, to, from, bytes, cudaMemcpyDeviceToHost);
}

cg_status device_copy(void *state, void *to, const void *from, size_t bytes)
{
    return move(state, to, from, bytes, cudaMemcpyDeviceToDevice);
}

int threads_for(const cg_gpu_view *view, int most)
{
    int threads = 32;
    while (threads < most && threads < view->nodes) {
        threads *= 2;
    }
    return threads;
}

cudaError_t launch(device *own, cg_gpu_run *run)
{
#ifdef CATGUT_GPU_FAULTS
    if (own->fault == CG_GPU_LOST) {
        fail<<<1, 1, 0, own->stream>>>();
    }
#endif
    run->stream = own->stream;
    return own->lost != cudaSuccess ? own->lost
                                    : (run->view->is_float ? cg_gpu_launch_float(run) : cg_gpu_launch_double(run));
}

cg_status device_step(void *state, const cg_gpu_view *view, int steps)
{
    device *own = (device *)state;
    dismiss(own);
    cg_gpu_run run = {};
    run.view = view;
    run.steps = steps;
    run.threads = threads_for(view, view->kind == CG_GPU_CLOTH ? CLOTH_THREADS : SPRING_THREADS);
    return tell(own, launch(own, &run));
}

bool has_arrived(const cg_gpu_mailbox *box, unsigned long long number)
{
    bool all = true;
    for (int k = 0; k < CG_GPU_LETTERS; k++) {
        all = all && *(const volatile unsigned long long *)&box->letters[k].step == number;
    }
    return all;
}

// Waits for the number that the kernel writes beside all that it tells, and looks from time to time whether it still
// can.
cudaError_t wait_for(device *own, unsigned long long number)
{
    for (unsigned long spins = 1; !has_arrived(own->box, number); spins++) {
        if (spins % 4096 == 0) {
            cudaError_t error = cudaStreamQuery(own->stream);
            if (error == cudaSuccess) {
                return has_arrived(own->box, number) ? cudaSuccess : cudaErrorUnknown;
            }
            if (error != cudaErrorNotReady) {
                return error;
            }
        }
    }
    return cudaSuccess;
}

// Blocks and threads that work on one world.
void spread_out(const device *own, const cg_gpu_view *view, cg_gpu_run *run)
{
    bool is_cloth = view->kind == CG_GPU_CLOTH;
    int blocks = 1, threads = is_cloth ? 256 : SPRING_THREADS;
    while (blocks < own->most_blocks && blocks * threads < view->nodes) {
        blocks *= 2;
    }
    run->blocks = blocks;
    run->threads = view->nodes > 2 * blocks * threads && is_cloth ? CLOTH_THREADS : threads;
}

// Starts a kernel that stays; the orders lie there already.
cudaError_t begin_to_stay(device *own, cg_gpu_run *run)
{
    *(volatile unsigned long long *)&own->box->gone = 0;
    run->stream = own->stream;
    run->relay = own->relay;
    own->is_staying = true;
    return run->view->is_float ? cg_gpu_stay_float(run) : cg_gpu_stay_double(run);
}

// Orders for a kernel that stays. One that has left because nothing came for long is started again.
cudaError_t order(device *own, cg_gpu_run *run)
{
    for (int k = 0; k < CG_GPU_ORDERS; k++) {
        cg_gpu_letter *letter = &own->box->orders[k];
        *(volatile cg_gpu_number *)&letter->value = k < 3 ? run->hand->place[k] : run->hand->velocity[k - 3];
        *(volatile unsigned long long *)&letter->step = run->number;
    }
    cudaError_t error = own->is_staying ? cudaSuccess : begin_to_stay(own, run);
    for (unsigned long spins = 1; error == cudaSuccess && !has_arrived(own->box, run->number); spins++) {
        bool has_left = *(volatile unsigned long long *)&own->box->gone == run->number;
        if (has_left) {
            error = cudaStreamSynchronize(own->stream);
            error = error == cudaSuccess ? begin_to_stay(own, run) : error;
        } else if (spins % 65536 == 0) {
            error = cudaStreamQuery(own->stream);
            error = error == cudaErrorNotReady ? cudaSuccess : error;
        }
    }
    return error;
}

cg_status device_touch(void *state, const cg_gpu_view *view, const cg_gpu_hand *hand, cg_gpu_held *held)
{
    device *own = (device *)state;
    cg_gpu_run run = {};
    run.view = view;
    run.steps = 1;
    run.hand = hand;
    run.box = own->box_on_device;
    run.number = ++own->touched;
    spread_out(own, view, &run);
    bool is_ordered = own->stays && hand != NULL && hand->is_given && own->fault == CG_GPU_SOUND;
    cudaError_t error = own->lost;
    if (is_ordered && error == cudaSuccess) {
        error = order(own, &run);
    } else if (error == cudaSuccess) {
        dismiss(own);
        error = launch(own, &run);
        error = error == cudaSuccess ? wait_for(own, run.number) : error;
    }
    if (error != cudaSuccess) {
        return lost(own, error);
    }
    for (int k = 0; k < 3; k++) {
        held->place[k] = own->box->letters[k].value;
        held->velocity[k] = own->box->letters[3 + k].value;
        held->force[k] = own->box->letters[6 + k].value;
    }
    held->step = run.number;
    return cg_ok();
}

cg_status device_wait(void *state)
{
    device *own = (device *)state;
    dismiss(own);
    return tell(own, own->lost != cudaSuccess ? own->lost : cudaStreamSynchronize(own->stream));
}

const cg_gpu_backend backend = {device_open, device_close, device_take, device_give,  device_write,
                                device_read, device_copy,  device_step, device_touch, device_wait};

} // namespace

extern "C" const cg_gpu_backend *cg_gpu_device(void)
{
    return &backend;
}
