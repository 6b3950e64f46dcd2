// The kernels on a processor in double precision.
#include "gpu/backend.h"

#include "base/status.h"

#define CG_GPU_NAME(name) name##_double
#include "gpu/twin.h"
