// The kernels on a graphics processor in double precision.
#define CG_GPU_NAME(name) name##_double
#include "gpu/device_kernels.cuh"
