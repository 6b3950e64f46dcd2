// The kernels on a processor in single precision: of the library's headers only those that know no memory of others.
#define CG_GPU_FLOAT
#include "gpu/side.h"

#include "gpu/backend.h"

#include "base/status.h"

#define CG_GPU_NAME(name) name##_float
#include "gpu/twin.h"
