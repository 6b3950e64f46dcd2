// The kernels on a graphics processor in single precision.
#define CG_GPU_FLOAT
#define CG_GPU_NAME(name) name##_float
#include "gpu/device_kernels.cuh"
