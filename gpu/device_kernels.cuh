// The kernels on a graphics processor, for one precision: CG_GPU_NAME(x) names what is outside of this file.
//
// A block is a world, or, where one world is to be as quick as can be, a cluster of blocks is: they meet at the barrier
// of the cluster. A phase is done by all lanes before the next one begins (gpu/twin.h does the same).
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "gpu/side.h"

#include "gpu/device_run.h"
#include "gpu/view.h"

namespace
{

template <bool IS_CLUSTER> __device__ void meet()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (IS_CLUSTER) {
        cooperative_groups::this_cluster().sync();
        return;
    }
#endif
    __syncthreads(); // older devices have no clusters: one block does it
}

// The phases of a step, one after the other; unrolled, so that each is a piece of straight code.
template <bool IS_CLUSTER>
__device__ void step_cloth(const cg_gpu_view &view, const cg_cloth_law *law, int world, int lane, int lanes, int steps)
{
    cg_cloth cloth = cg_gpu_cloth_of(&view, law, world);
    for (int step = 0; step < steps; step++) {
#pragma unroll
        for (int phase = 0; phase < CG_CLOTH_PHASES; phase++) {
            cg_cloth_phase(law, &cloth, phase, lane, lanes);
            meet<IS_CLUSTER>();
        }
    }
}

template <bool IS_CLUSTER>
__device__ void step_springs(const cg_gpu_view &view, const cg_spring_law *law, int world, int lane, int lanes,
                             int steps)
{
    cg_spring_thread thread = cg_gpu_thread_of(&view, world);
    for (int step = 0; step < steps; step++) {
#pragma unroll
        for (int phase = 0; phase < CG_SPRING_PHASES; phase++) {
            cg_spring_phase(law, &thread, phase, lane, lanes);
            meet<IS_CLUSTER>();
        }
    }
}

// Nine numbers, each with the number of the step beside it: 16 bytes that arrive together, so nothing has to wait for
// anything. The host looks at all of them.
__device__ void tell_held(const cg_gpu_view &view, const cg_gpu_law *law, cg_gpu_mailbox *box, int lane,
                          unsigned long long number)
{
    if (lane < CG_GPU_LETTERS) {
        int hand = view.kind == CG_GPU_CLOTH ? law->cloth.hand : law->springs.hand;
        const cg_vec3 *places = cg_gpu_places(&view, 0) + (hand > 0 ? hand : 0);
        cg_vec3 of = lane < 3 ? places[0] : (lane < 6 ? places[view.nodes] : cg_gpu_hand_force(&view, law, 0));
        cg_gpu_number value = (cg_gpu_number)(lane % 3 == 0 ? of.x : (lane % 3 == 1 ? of.y : of.z));
        ulonglong2 letter;
        letter.x = (unsigned long long)__double_as_longlong(hand >= 0 ? value : 0);
        letter.y = number;
        __stwt((ulonglong2 *)box->letters + lane, letter);
    }
}

template <cg_gpu_kind KIND, bool IS_CLUSTER>
__global__ void step_kernel(cg_gpu_view view, int steps, cg_gpu_hand hand, cg_gpu_mailbox *box,
                            unsigned long long number)
{
    __shared__ cg_gpu_law law;
    int world = IS_CLUSTER ? 0 : (int)blockIdx.x;
    int lane = IS_CLUSTER ? (int)(blockIdx.x * blockDim.x + threadIdx.x) : (int)threadIdx.x;
    int lanes = IS_CLUSTER ? (int)(gridDim.x * blockDim.x) : (int)blockDim.x;
    for (unsigned word = threadIdx.x; word < sizeof law / sizeof(int); word += blockDim.x) {
        ((int *)&law)[word] = ((const int *)cg_gpu_law_of(&view, world))[word];
    }
    __syncthreads();
    if (hand.is_given && threadIdx.x == 0) {
        cg_gpu_take_hand(&view, &hand, &law);
    }
    __syncthreads();
    if (KIND == CG_GPU_CLOTH) {
        step_cloth<IS_CLUSTER>(view, &law.cloth, world, lane, lanes, steps);
    } else {
        step_springs<IS_CLUSTER>(view, &law.springs, world, lane, lanes, steps);
    }
    if (box != NULL) {
        tell_held(view, &law, box, lane, number);
    }
}

// The first warp waits for the orders of a step, until they are there, it is told to go, or nothing came for long.
__device__ void take_orders(const cg_gpu_mailbox *box, cg_gpu_relay *relay, unsigned long long number)
{
    const long long patience = 100000000; // cycles, some 50 ms
    const unsigned all = 0xffffffffu;
    long long began = clock64();
    bool is_here = threadIdx.x >= CG_GPU_ORDERS, is_told = false;
    ulonglong2 letter = {0, 0};
    while (!__all_sync(all, is_here) && !__any_sync(all, is_told)) {
        if (threadIdx.x < CG_GPU_ORDERS) {
            letter = __ldcv((const ulonglong2 *)box->orders + threadIdx.x);
            is_here = letter.y == number;
            is_told = letter.y == CG_GPU_STOP;
        }
        is_told = is_told || clock64() - began > patience;
    }
    bool goes_on = __all_sync(all, is_here);
    if (threadIdx.x < CG_GPU_ORDERS) {
        relay->orders[threadIdx.x] = __longlong_as_double((long long)letter.x);
    }
    if (threadIdx.x == 0) {
        relay->goes_on = goes_on;
    }
}

// Stays on the device and makes a step for each order.
template <cg_gpu_kind KIND, bool IS_CLUSTER>
__global__ void stay_kernel(cg_gpu_view view, cg_gpu_mailbox *box, cg_gpu_relay *relay, unsigned long long number)
{
    __shared__ cg_gpu_law law;
    int lane = (int)(blockIdx.x * blockDim.x + threadIdx.x), lanes = (int)(gridDim.x * blockDim.x);
    for (unsigned word = threadIdx.x; word < sizeof law / sizeof(int); word += blockDim.x) {
        ((int *)&law)[word] = ((const int *)cg_gpu_law_of(&view, 0))[word];
    }
    for (;; number++) {
        __syncthreads();
        if (lane < 32) {
            take_orders(box, relay, number);
        }
        meet<IS_CLUSTER>();
        if (!*(volatile int *)&relay->goes_on) {
            break;
        }
        if (threadIdx.x == 0) {
            cg_gpu_hand hand;
            hand.is_given = 1;
            for (int k = 0; k < 3; k++) {
                hand.place[k] = *(volatile cg_gpu_number *)&relay->orders[k];
                hand.velocity[k] = *(volatile cg_gpu_number *)&relay->orders[3 + k];
            }
            cg_gpu_take_hand(&view, &hand, &law);
        }
        __syncthreads();
        if (KIND == CG_GPU_CLOTH) {
            step_cloth<IS_CLUSTER>(view, &law.cloth, 0, lane, lanes, 1);
        } else {
            step_springs<IS_CLUSTER>(view, &law.springs, 0, lane, lanes, 1);
        }
        tell_held(view, &law, box, lane, number);
    }
    if (lane == 0) {
        *(volatile unsigned long long *)&box->gone = number;
    }
}

// A block is a group of rods, two lanes a rod. It goes on while one of them does.
__global__ void __launch_bounds__(2 * CG_RODS_A_GROUP) rod_kernel(cg_gpu_view view, int steps)
{
    __shared__ cg_rod_law laws[CG_RODS_A_GROUP];
    int slot = (int)threadIdx.x % CG_RODS_A_GROUP, side = (int)threadIdx.x / CG_RODS_A_GROUP;
    int world = (int)blockIdx.x * CG_RODS_A_GROUP + slot;
    bool is_there = world < view.worlds;
    if (is_there && side == 0) {
        laws[slot] = cg_gpu_law_of(&view, world)->rod;
    }
    __syncthreads();
    const cg_rod_law *law = &laws[slot];
    cg_rod rod = cg_gpu_rod_of(&view, is_there ? world : 0);
    for (int step = 0; step < steps; step++) {
        bool goes_on = true;
        if (is_there) {
            cg_rod_begin(law, &rod, side);
        }
        __syncthreads();
        for (int pass = 0; pass < view.passes && goes_on; pass++) {
#pragma unroll
            for (int phase = 1; phase <= CG_ROD_PASS_PHASES; phase++) {
                if (is_there) {
                    cg_rod_phase(law, &rod, phase, side);
                }
                __syncthreads();
            }
            goes_on = __syncthreads_or(is_there && !cg_rod_is_done(law, &rod)) != 0;
        }
        if (is_there) {
            cg_rod_finish(law, &rod, side);
        }
        __syncthreads();
    }
}

cudaError_t launch_rods(const cg_gpu_run *run)
{
    rod_kernel<<<(unsigned)cg_gpu_units(run->view), 2 * CG_RODS_A_GROUP, 0, run->stream>>>(*run->view, run->steps);
    return cudaGetLastError();
}

cudaLaunchConfig_t cluster_of(const cg_gpu_run *run, cudaLaunchAttribute *attribute)
{
    attribute->id = cudaLaunchAttributeClusterDimension;
    attribute->val.clusterDim.x = (unsigned)run->blocks;
    attribute->val.clusterDim.y = attribute->val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)run->blocks);
    config.blockDim = dim3((unsigned)run->threads);
    config.stream = run->stream;
    config.attrs = attribute;
    config.numAttrs = 1;
    return config;
}

template <cg_gpu_kind KIND> cudaError_t launch(const cg_gpu_run *run)
{
    cg_gpu_hand none = {};
    cg_gpu_hand hand = run->hand != NULL ? *run->hand : none;
    if (run->blocks == 0) {
        step_kernel<KIND, false><<<(unsigned)run->view->worlds, (unsigned)run->threads, 0, run->stream>>>(
            *run->view, run->steps, hand, run->box, run->number);
        return cudaGetLastError();
    }
    if (run->blocks == 1) {
        step_kernel<KIND, true>
            <<<1, (unsigned)run->threads, 0, run->stream>>>(*run->view, run->steps, hand, run->box, run->number);
        return cudaGetLastError();
    }
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = cluster_of(run, &attribute);
    cudaError_t error =
        cudaFuncSetAttribute(step_kernel<KIND, true>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    return error != cudaSuccess ? error
                                : cudaLaunchKernelEx(&config, step_kernel<KIND, true>, *run->view, run->steps, hand,
                                                     run->box, run->number);
}

template <cg_gpu_kind KIND> cudaError_t stay(const cg_gpu_run *run)
{
    if (run->blocks == 1) {
        stay_kernel<KIND, false>
            <<<1, (unsigned)run->threads, 0, run->stream>>>(*run->view, run->box, run->relay, run->number);
        return cudaGetLastError();
    }
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = cluster_of(run, &attribute);
    cudaError_t error =
        cudaFuncSetAttribute(stay_kernel<KIND, true>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    return error != cudaSuccess
               ? error
               : cudaLaunchKernelEx(&config, stay_kernel<KIND, true>, *run->view, run->box, run->relay, run->number);
}

} // namespace

cudaError_t CG_GPU_NAME(cg_gpu_launch)(const cg_gpu_run *run)
{
    if (run->view->kind == CG_GPU_RODS) {
        return launch_rods(run);
    }
    return run->view->kind == CG_GPU_CLOTH ? launch<CG_GPU_CLOTH>(run) : launch<CG_GPU_SPRINGS>(run);
}

cudaError_t CG_GPU_NAME(cg_gpu_stay)(const cg_gpu_run *run)
{
    return run->view->kind == CG_GPU_CLOTH ? stay<CG_GPU_CLOTH>(run) : stay<CG_GPU_SPRINGS>(run);
}
