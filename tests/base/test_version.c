// The version by macro, by call and by the build are one.
#include "catgut/version.h"

#include <stdio.h>

#include "harness.h"

TEST(macros_and_call_agree)
{
    char numbers[32];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", CG_VERSION_MAJOR, CG_VERSION_MINOR, CG_VERSION_PATCH);
    CHECK_STR(CG_VERSION, numbers);
    CHECK_STR(cg_version(), CG_VERSION);
}
