// A build without CUDA has no device.
#include "gpu/backend.h"

const cg_gpu_backend *cg_gpu_device(void)
{
    return NULL;
}
